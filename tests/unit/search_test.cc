// Search: what is found, in which order, with which marks; damaged indexes; queries that nobody should type.
#include <catch2/catch_all.hpp>

#include <map>
#include <set>

#include "api/api.h"
#include "api/corpus.h"
#include "base/json.h"
#include "base/random.h"
#include "search/query.h"
#include "search/write.h"
#include "support/disk_files.h"

using namespace lk;
using namespace lk::search;

namespace {

CorpusEntry entry(Kind kind, std::string title, std::string anchor, std::string text) {
  CorpusEntry out;
  out.kind = kind;
  out.title = title;
  out.anchor = std::move(anchor);
  out.fields = {{kind == Kind::term ? Field::name : Field::title, std::move(title)}, {Field::text, text}};
  out.text = std::move(text);
  return out;
}

CorpusEntry term(std::string name, std::string id, std::string sentence, std::vector<std::string> aliases) {
  CorpusEntry out = entry(Kind::term, std::move(name), std::move(id), std::move(sentence));
  out.extra = out.text;
  out.names = aliases;
  out.names.push_back(out.title);
  for (auto& alias : aliases) out.fields.emplace_back(Field::name, alias);
  return out;
}

Corpus small() {
  return {{"/chapters/one/a/", "Memory of a multiprocessor", "1.1",
           {entry(Kind::section, "Memory of a multiprocessor", "", "Where data waits."),
            entry(Kind::heading, "Shared memory", "shared-memory",
                  "Threads of a block share a fast memory. __syncthreads() makes them wait for each other.\nBank conflicts slow it down; cudaMemcpyAsync does not."),
            entry(Kind::heading, "Registers", "registers", "The fastest storage of a thread. Too many registers lower the occupancy of a multiprocessor."),
            entry(Kind::figure, "Banks and conflicts", "fig-banks", "Drag the stride and count the conflicts.")}},
          {"/chapters/one/b/", "Serving", "1.2",
           {entry(Kind::section, "Serving", "", "How long people wait."),
            entry(Kind::heading, "Latency", "latency", "The time to first token grows with the prompt; memory is shared between requests. A 4096x4096 product on sm_90a, compiled with fast_p.")}},
          {"/chapters/glossary/", "Glossary", "",
           {entry(Kind::page, "Glossary", "", ""),
            term("Shared memory", "shared-memory", "A fast memory of a multiprocessor that the threads of a block share.", {"SMEM"}),
            term("Time to first token", "time-to-first-token", "How long a request waits for its first word.", {"TTFT"}),
            term("Warp", "warp", "Thirty-two threads that run as one.", {"wavefront"})}}};
}

std::vector<std::string> urls(const Index& index, std::string_view query, size_t limit = 10) {
  std::vector<std::string> out;
  const auto answer = search::search(index, query, {limit, true});
  REQUIRE(answer);
  for (const Hit& hit : answer->hits) out.push_back(hit.url);
  return out;
}

std::string first(const Index& index, std::string_view query) {
  const auto all = urls(index, query);
  return all.empty() ? "" : all.front();
}

std::string shown(const Segments& segments) {
  std::string out;
  for (const Segment& s : segments) out += s.mark ? "[" + s.text + "]" : s.text;
  return out;
}

Hit hit(const Index& index, std::string_view query, std::string_view url) {
  const auto answer = search::search(index, query, {});
  REQUIRE(answer);
  for (const Hit& h : answer->hits)
    if (h.url == url) return h;
  return {};
}

book::Book real_book() {
  std::vector<Problem> problems;
  return book::load(test::disk_files({std::string(LK_SOURCE_DIR) + "/content"}), problems);
}

const std::string shared = "/chapters/glossary/#shared-memory", ttft = "/chapters/glossary/#time-to-first-token", warp = "/chapters/glossary/#warp",
                  part = "/chapters/one/a/#shared-memory", latency = "/chapters/one/b/#latency";

}  // namespace

struct Files {
  std::string index;
  std::vector<std::string> texts;  // by page
};

Files written(const Corpus& corpus) {
  Files files;
  files.texts.resize(corpus.size());
  files.index = write(corpus, [&](size_t page, std::string bytes) {
    files.texts[page] = std::move(bytes);
    return "t" + std::to_string(page);
  });
  return files;
}

TEST_CASE("Search: the entry of a term or an alias comes first", "[search]") {
  const Index index = index_of(small());
  for (const auto* query : {"shared memory", "Shared Memory", "SMEM", "smem", " smem ", "shared  memory "}) CHECK(first(index, query) == shared);
  CHECK(first(index, "TTFT") == ttft);
  CHECK(first(index, "wavefront") == warp);
  // The name behind an alias finds the sections that only say the name.
  const auto all = urls(index, "ttft");
  CHECK(std::find(all.begin(), all.end(), latency) != all.end());
  CHECK(urls(index, "shared memory")[1] == part);
}

TEST_CASE("Search: typing errors", "[search]") {
  const Index index = index_of(small());
  for (const auto* query : {"wrap", "warpp", "wap", "wsrp"}) CHECK(first(index, query) == warp);
  for (const auto* query : {"occupency", "ocupancy", "occupanyc", "occupanci"}) CHECK(first(index, query) == "/chapters/one/a/#registers");
  CHECK(first(index, "shraed memory") == shared);
  CHECK(first(index, "tme to first toke") == ttft);
  const auto answer = search::search(index, "ocupancy", {});
  REQUIRE(answer->corrected.size() == 1);
  CHECK(answer->corrected[0].typed == "ocupancy");
  CHECK(answer->corrected[0].read == "occupancy");
}

TEST_CASE("Search: other inflections, beginnings, compounds, identifiers", "[search]") {
  const Index index = index_of(small());
  CHECK(first(index, "occupancies") == "/chapters/one/a/#registers");
  CHECK(first(index, "registering") == "/chapters/one/a/#registers");
  CHECK(first(index, "occup") == "/chapters/one/a/#registers");
  CHECK(first(index, "lat") == latency);
  CHECK(urls(index, "lat ").empty());  // finished: no beginning of a word
  CHECK(first(index, "sharedmemory") == shared);
  for (const auto* query : {"__syncthreads", "syncthreads", "SyncThreads", "cudaMemcpyAsync", "cudamemcpyasync", "memcpy", "cudaMem", "__sync"}) CHECK(first(index, query) == part);
  for (const auto* query : {"4096x4096", "4096\xC3\x97" "4096", "sm_90a", "fast_p", "4096"}) CHECK(first(index, query) == latency);
}

TEST_CASE("Search: quoted phrases", "[search]") {
  const Index index = index_of(small());
  CHECK(urls(index, "\"time to first\"") == std::vector<std::string>{ttft, latency});
  CHECK(urls(index, "\xE2\x80\x9C" "fast memory\xE2\x80\x9D").size() == 2);
  CHECK(urls(index, "\"memory fast\"").empty());
  CHECK(urls(index, "\"registers lower the occupancy\"") == std::vector<std::string>{"/chapters/one/a/#registers"});
  CHECK(urls(index, "\"thread\" registers") == std::vector<std::string>{"/chapters/one/a/#registers"});  // as it is written
  CHECK_FALSE(urls(index, "\"fast mem").empty());  // not closed yet: words
  // Without the texts a phrase cannot be judged: the pages that could hold it are named.
  Files files = written(small());
  auto bare = Index::open(files.index);
  REQUIRE(bare);
  const auto before = search::search(*bare, "\"registers lower the occupancy\"", {});
  CHECK(before->hits.empty());
  REQUIRE(before->missing == std::vector<uint32_t>{0});
  CHECK_FALSE(bare->add_text(0, files.texts[0]));
  CHECK(search::search(*bare, "\"registers lower the occupancy\"", {})->hits.size() == 1);
}

TEST_CASE("Search: marks and snippets are pieces of text", "[search]") {
  const Index index = index_of(small());
  CHECK(shown(hit(index, "shared memory", part).marked) == "[Shared] [memory]");
  CHECK(shown(hit(index, "banks conflict", part).snippet).find("[Bank] [conflicts] slow it down") != std::string::npos);
  CHECK(shown(hit(index, "memcpy", part).snippet).find("[cudaMemcpyAsync]") != std::string::npos);
  Corpus corpus = small();
  std::string text = "Start of it. ";
  for (int n = 0; n < 300; ++n) text += "filler <b>&amp; words ";
  corpus[1].entries.push_back(entry(Kind::heading, "Long", "long", text + "here is the needle, at the end. " + text));
  corpus[1].entries.push_back(entry(Kind::heading, "Bytes", "bytes", "\xE6\x98\xBE\xE5\x8D\xA1 \xFF other"));
  const Index longer = index_of(corpus);
  CHECK(shown(hit(longer, "other", "/chapters/one/b/#bytes").snippet).ends_with("[other]"));
  const std::string snippet = shown(hit(longer, "needle", "/chapters/one/b/#long").snippet);
  CHECK(snippet.find("[needle]") != std::string::npos);
  CHECK(snippet.find("<b>&amp;") != std::string::npos);  // text stays text
  CHECK(snippet.size() < 260);
  CHECK(snippet.starts_with("\xE2\x80\xA6 "));
  CHECK(snippet.ends_with(" \xE2\x80\xA6"));
}

TEST_CASE("Search: results of one page stand together", "[search]") {
  const Index index = index_of(small());
  const auto answer = search::search(index, "multiprocessor thread", {});
  std::set<std::string> pages;
  for (const Hit& h : answer->hits)
    if (h.kind == Kind::heading || h.kind == Kind::section) CHECK(pages.insert(h.page).second);
  REQUIRE_FALSE(answer->hits.empty());
  const auto one = std::find_if(answer->hits.begin(), answer->hits.end(), [](const Hit& h) { return h.page == "Memory of a multiprocessor"; });
  REQUIRE(one != answer->hits.end());
  CHECK_FALSE(one->headings.empty());
}

TEST_CASE("Search: nothing found, and what may have been meant", "[search]") {
  const Index index = index_of(small());
  for (const auto* query : {"", " ", "\t\n", "\"\"", "...", "\xF0\x9F\x9A\x80", "\xE6\x98\xBE\xE5\x8D\xA1", "\x01\x02", "\xFF\xC3", "zzzzzz", "qqq xxx"}) CHECK(urls(index, query).empty());
  const auto answer = search::search(index, "wavvefrumt ", {});
  CHECK(answer->hits.empty());
  REQUIRE_FALSE(answer->suggestions.empty());
  CHECK(answer->suggestions[0].url == warp);
  CHECK(start(index).size() == 3);
}

TEST_CASE("Search: long and strange queries are answered", "[search]") {
  const Index index = index_of(small());
  std::string many;
  for (int n = 0; n < 1500; ++n) many += "memory w" + std::to_string(n) + " ";
  const auto answer = search::search(index, many, {});
  REQUIRE(answer);
  CHECK(answer->cut);
  CHECK_FALSE(answer->hits.empty());
  for (const std::string& query : {std::string(10000, 'a'), std::string(10000, '"'), std::string(10000, '_'), std::string(9999, '\x07') + "warp", std::string(5000, '\xE6'), std::string(3000, '\'') + "a'"})
    CHECK(search::search(index, query, {}));
  CHECK(first(index, std::string(9999, '\x07') + "warp") == warp);
  Random random(11);
  for (int round = 0; round < 500; ++round) {
    std::string query;
    for (uint32_t n = random.below(60); n > 0; --n) query += random.below(2) != 0 ? static_cast<char>(random.below(256)) : "memory \"share"[random.below(13)];
    CHECK(search::search(index, query, {}));
  }
}

TEST_CASE("Search: the same question has the same answer", "[search]") {
  const Files one = written(small()), two = written(small());
  CHECK(one.index == two.index);
  CHECK(one.texts == two.texts);
  const Index index = index_of(small());
  CHECK(urls(index, "memory thread") == urls(index_of(small()), "memory thread"));
}

TEST_CASE("Search: a damaged or cut index is an error or another answer, never more", "[search]") {
  const Files files = written(small());
  const auto ask = [&](std::string bytes, bool whole) {
    auto index = Index::open(std::move(bytes));
    if (!index) {
      CHECK_FALSE(index.error().what.empty());
      return;
    }
    CHECK(whole);
    for (uint32_t p = 0; p < files.texts.size(); ++p) (void)index->add_text(p, files.texts[p]);
    for (const auto* query : {"shared memory", "s", "wrap", "\"time to first\"", "sharedmemory", "occupancies", "zzzzz", "ttft"})
      if (const auto answer = search::search(*index, query, {}); !answer) CHECK_FALSE(answer.error().hint.empty());
    (void)start(*index);
  };
  for (size_t size = 0; size < files.index.size(); ++size) ask(files.index.substr(0, size), false);
  ask(files.index + "x", false);
  for (size_t at = 0; at < files.index.size(); ++at)
    for (const int flip : {0x01, 0x80, 0xFF}) {
      std::string bytes = files.index;
      bytes[at] = static_cast<char>(bytes[at] ^ flip);
      ask(std::move(bytes), true);
    }
  // Texts too.
  for (size_t at = 0; at < files.texts[0].size(); ++at) {
    auto index = Index::open(files.index);
    REQUIRE(index);
    CHECK(index->add_text(0, files.texts[0].substr(0, at < 8 ? at : 8)));
    std::string bytes = files.texts[0];
    bytes[at] = static_cast<char>(bytes[at] ^ 0xFF);
    (void)index->add_text(0, std::move(bytes));
    CHECK(search::search(*index, "\"fast memory\" threads", {}));
  }
  auto index = Index::open(files.index);
  CHECK(index->add_text(99, files.texts[0]));
  CHECK(index->add_text(1, files.texts[0]));
}

TEST_CASE("Search: an index of another format says so", "[search]") {
  std::string bytes = written(small()).index;
  bytes[4] = 99;
  const auto index = Index::open(bytes);
  REQUIRE_FALSE(index);
  CHECK(index.error().what.find("format 99") != std::string::npos);
  CHECK(Index::open("<!doctype html>").error().what == "this is no search index");
}

TEST_CASE("Search: every glossary term of the book is found by name, alias and one typing error", "[search]") {
  const book::Book book = real_book();
  REQUIRE(book.terms.size() > 20);
  const Index index = index_of(api::corpus(book));
  Random random(5);
  for (const book::Term& t : book.terms) {
    const std::string url = "/chapters/glossary/#" + t.id;
    INFO(t.name);
    CHECK(first(index, t.name) == url);
    for (const auto& alias : t.aliases) CHECK(first(index, alias) == url);
    if (t.name.size() < 3) continue;
    for (int round = 0; round < 12; ++round) {
      std::string typed = t.name;
      const size_t at = random.below(static_cast<uint32_t>(typed.size() - 1));
      switch (round % 4) {
        case 0: typed.erase(at, 1); break;
        case 1: typed.insert(at, 1, static_cast<char>('a' + random.below(26))); break;
        case 2: typed[at] = static_cast<char>('a' + random.below(26)); break;
        default: std::swap(typed[at], typed[at + 1]);
      }
      INFO(typed);
      if (typed.size() < 3) continue;
      const auto all = urls(index, typed);
      CHECK(std::find(all.begin(), all.end(), url) != all.end());
    }
  }
}

TEST_CASE("Search: every heading of the book is found by its words, with an address that exists", "[search]") {
  const book::Book book = real_book();
  const Index index = index_of(api::corpus(book));
  // Headings that many sections have are asked for together with their section's title.
  std::map<std::string, int> sections_with;
  for (const book::Section& section : book.sections)
    for (const book::Node& block : section.body.children)
      if (block.kind == book::Kind::heading) ++sections_with[block.text];
  for (const book::Section& section : book.sections)
    for (const book::Node& block : section.body.children) {
      if (block.kind != book::Kind::heading || block.level > 3 || block.text == "Sources") continue;
      const std::string query = sections_with[block.text] > 3 ? block.text + " " + section.title : block.text;
      INFO(query);
      const auto answer = search::search(index, query, {});
      bool found = false;
      for (const Hit& h : answer->hits) {
        found = found || h.url == section.url + "#" + block.anchor;
        for (const auto& more : h.headings) found = found || more.url == section.url + "#" + block.anchor;
      }
      CHECK(found);
    }
}

TEST_CASE("Search: an index of two hundred times the text opens without reading it", "[search]") {
  Corpus corpus = api::corpus(real_book());
  const size_t pages = corpus.size();
  for (int copy = 1; copy < 200; ++copy)
    for (size_t p = 0; p < pages; ++p) corpus.push_back(corpus[p]);
  Files files = written(corpus);
  // Garbage everywhere but in the header and the lengths: who opens it has not looked.
  auto index = Index::open(files.index);
  REQUIRE(index);
  const auto answer = search::search(*index, "ridge point", {10, false});
  REQUIRE(answer);
  CHECK(answer->hits.size() == 10);
  std::string garbage = files.index;
  const size_t lengths = garbage.size() - index->entries() - 12;
  for (size_t n = 100; n < lengths; ++n) garbage[n] = '\xAA';
  CHECK(Index::open(garbage));
}

TEST_CASE("Search: methods of the table", "[search][api]") {
  const Index index = index_of(small());
  api::Context context;
  const api::Methods tables[] = {api::search_methods()};
  const auto call = [&](std::string_view request) { return api::call(tables, context, request); };
  CHECK(call(R"({"method": "search.query", "params": {"query": "x"}})").find("there is no search index") != std::string::npos);
  context.search = &index;
  const auto answer = json::parse(call(R"({"method": "search.query", "params": {"query": "smem", "limit": 2}})"));
  REQUIRE(answer);
  const json::Value* result = answer->find("result");
  REQUIRE(result);
  const auto& results = result->find("results")->array;
  REQUIRE(results.size() == 2);
  CHECK(results[0].find("kind")->string == "term");
  CHECK(results[0].find("url")->string == shared);
  CHECK(results[0].find("score")->number > 0);
  CHECK(results[0].find("snippet")->array.size() >= 1);
  for (const auto* bad : {R"({"method": "search.query"})", R"({"method": "search.query", "params": {"query": 1}})", R"({"method": "search.query", "params": {"query": "x", "limit": 0}})",
                          R"({"method": "search.query", "params": {"query": "x", "limit": 51}})", R"({"method": "search.query", "params": {"query": "x", "more": 1}})", R"({"method": "search.start", "params": {"x": 1}})"})
    CHECK(call(bad).starts_with("{\"error\""));
  CHECK(call(R"({"method": "search.start"})").find("shared-memory") != std::string::npos);
}
