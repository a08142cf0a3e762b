// Search: text to words, stems, tables of an index, words that are nearly another.
#include <catch2/catch_all.hpp>

#include <algorithm>

#include "base/error.h"
#include "base/random.h"
#include "search/format.h"
#include "search/fuzzy.h"
#include "search/stem.h"
#include "search/words.h"

using namespace lk;
using namespace lk::search;

namespace {

using Strings = std::vector<std::string>;

Strings words_of(std::string_view text) {
  Strings out;
  Scanner scanner(text);
  for (Run run; scanner.next(run);) out.push_back(run.word);
  return out;
}

Strings parts_of(std::string_view text) {
  Scanner scanner(text);
  Run run;
  Strings out;
  if (scanner.next(run))
    for (const auto part : parts(run)) out.emplace_back(part);
  return out;
}

}  // namespace

TEST_CASE("Search: words of a text", "[search]") {
  CHECK(words_of("Warps, blocks & SMs") == Strings{"warps", "blocks", "sms"});
  CHECK(words_of("compute-bound; 3.35 TB/s, 4,096 threads, 1,2") == Strings{"compute", "bound", "3.35", "tb", "s", "4096", "threads", "1", "2"});
  CHECK(words_of("the reader\xE2\x80\x99s, don't, 'quoted'") == Strings{"the", "reader", "dont", "quoted"});
  CHECK(words_of("M\xC3\xBCller \xC3\x86sop Stra\xC3\x9F""e 12 \xC2\xB5s") == Strings{"muller", "aesop", "strasse", "12", "us"});
  CHECK(words_of("cafe\xCC\x81") == Strings{"cafe"});
  CHECK(words_of("\xE6\x98\xBE\xE5\x8D\xA1 GPU") == Strings{"\xE6\x98\xBE", "\xE5\x8D\xA1", "gpu"});
  CHECK(words_of("\xF0\x9F\x9A\x80 \x01\x02 \xFF\xFE ___ ...") == Strings{});
  CHECK(words_of("a\xFF" "b \xC3") == Strings{"a", "b"});
  CHECK(words_of("ker\xC2\xADnel") == Strings{"kernel"});
  CHECK(words_of(std::string("a\0b", 3)) == Strings{"a", "b"});
}

TEST_CASE("Search: places of words", "[search]") {
  const std::string_view text = "\xE2\x80\x9Cthe KV cache\xE2\x80\x9D";
  Scanner scanner(text);
  Strings out;
  for (Run run; scanner.next(run);) out.emplace_back(text.substr(run.from, run.to - run.from));
  CHECK(out == Strings{"the", "KV", "cache"});
}

TEST_CASE("Search: identifiers whole and in parts", "[search]") {
  CHECK(words_of("__syncthreads() fast_p sm_90a cudaMemcpyAsync 4096x4096 4096\xC3\x97" "4096") ==
        Strings{"__syncthreads", "fast_p", "sm_90a", "cudamemcpyasync", "4096x4096", "4096x4096"});
  CHECK(parts_of("__syncthreads") == Strings{"syncthreads"});
  CHECK(parts_of("fast_p") == Strings{"fast", "p"});
  CHECK(parts_of("sm_90a") == Strings{"sm", "90a"});
  CHECK(parts_of("cudaMemcpyAsync") == Strings{"cuda", "memcpy", "async"});
  CHECK(parts_of("GPUDirect") == Strings{"gpu", "direct"});
  CHECK(parts_of("4096x4096") == Strings{"4096", "4096"});
  CHECK(parts_of("4096\xC3\x97" "4096") == Strings{"4096", "4096"});
  CHECK(parts_of("warps") == Strings{});
  CHECK(parts_of("SMs") == Strings{});
  CHECK(parts_of("FP8") == Strings{});
}

TEST_CASE("Search: words have a longest length, whatever the text", "[search]") {
  for (const std::string& one : {std::string(10000, 'a'), std::string(10000, '_') + "x", std::string(5000, '\'') + "a", std::string("aB") + std::string(400, 'B')}) {
    Scanner scanner(one);
    size_t runs = 0;
    for (Run run; scanner.next(run); ++runs) {
      CHECK(run.word.size() <= longest_word);
      CHECK(run.to <= one.size());
      for (const auto part : parts(run)) CHECK_FALSE(part.empty());
    }
    CHECK(runs <= 2);
  }
}

TEST_CASE("Search: any bytes are read to their end", "[search]") {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (int n = 0; n < 200; ++n) text += static_cast<char>(random.below(256));
    Scanner scanner(text);
    size_t before = 0;
    for (Run run; scanner.next(run);) {
      REQUIRE(run.from >= before);
      REQUIRE(run.to > run.from);
      REQUIRE(run.to <= text.size());
      before = run.to;
    }
  }
}

TEST_CASE("Search: stems are those of the English stemmer, natively and in WebAssembly", "[search]") {
  const Stemmer stemmer;
  // From the sample vocabulary that Snowball publishes for its English stemmer, and words of this book.
  for (const auto& [word, stem] : std::vector<std::pair<std::string, std::string>>{{"consignment", "consign"}, {"consistency", "consist"},
        {"knightly", "knight"}, {"occupancy", "occup"}, {"occupancies", "occup"}, {"warps", "warp"}, {"coalescing", "coalesc"}, {"happy", "happi"},
        {"skies", "sky"}, {"news", "news"}, {"generate", "generat"}, {"general", "general"}, {"bandwidths", "bandwidth"}, {"as", "as"}, {"sm_90a", "sm_90a"}, {"h100", "h100"}})
    CHECK(std::string(stemmer.stem(word)) == stem);
}

TEST_CASE("Search: stop words", "[search]") {
  CHECK(is_stop_word("the"));
  CHECK(is_stop_word("your"));
  CHECK(is_stop_word("a"));
  CHECK_FALSE(is_stop_word("warp"));
  CHECK_FALSE(is_stop_word(""));
}

TEST_CASE("Search: numbers of the format", "[search]") {
  for (const uint32_t v : {0u, 1u, 127u, 128u, 16383u, 16384u, 4294967295u}) {
    std::string bytes;
    put_varint(bytes, v);
    put_fixed(bytes, v);
    Cursor c(bytes);
    CHECK(c.varint() == v);
    CHECK(c.fixed() == v);
    CHECK(c.ok());
    CHECK(c.left() == 0);
    c.byte();
    CHECK_FALSE(c.ok());
  }
  // Never longer than five bytes, never more than 32 bits.
  for (const std::string_view bad : {"\xFF\xFF\xFF\xFF\x10", "\x80\x80\x80\x80\x80\x01", "\x80", ""}) {
    Cursor c(bad);
    c.varint();
    CHECK_FALSE(c.ok());
    CHECK(c.take(1).empty());
  }
}

TEST_CASE("Search: a sorted table finds every word and no other", "[search]") {
  std::vector<Words::Entry> entries;
  for (int n = 0; n < 1000; ++n) entries.push_back({"w" + std::to_string(n * 7), static_cast<uint32_t>(n)});
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.word < b.word; });
  const std::string bytes = Words::write(entries);
  const auto table = Table::open(bytes, 1000, 0, static_cast<uint32_t>(bytes.size()) - 63 * 4);
  REQUIRE(table);
  const Words words(*table);
  for (uint32_t n = 0; n < 1000; ++n) {
    const auto found = words.find(entries[n].word);
    REQUIRE(found);
    CHECK(found->index == n);
    CHECK(found->number == entries[n].number);
  }
  for (const auto* other : {"", "a", "w", "w1", "w70000", "zz", "w7x"}) CHECK_FALSE(words.find(other));
  Strings seen;
  CHECK(words.each("w69", [&](std::string_view word, uint32_t, Words::Found) {
    seen.emplace_back(word);
    return seen.size() < 3;
  }));
  CHECK(seen == Strings{"w6902", "w6909", "w6916"});
}

TEST_CASE("Search: near words are those whose distance says so", "[search]") {
  Random random(3);
  std::vector<std::string> all;
  for (int n = 0; n < 400; ++n) {
    std::string word;
    for (uint32_t length = 1 + random.below(9); length > 0; --length) word += static_cast<char>('a' + random.below(3));
    all.push_back(word);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<Words::Entry> entries;
  for (const auto& word : all) entries.push_back({word, 0});
  const std::string bytes = Words::write(entries);
  const auto count = static_cast<uint32_t>(all.size());
  const auto table = Table::open(bytes, count, 0, static_cast<uint32_t>(bytes.size()) - (count + 15) / 16 * 4);
  REQUIRE(table);
  for (int round = 0; round < 200; ++round) {
    std::string word;
    for (uint32_t length = 1 + random.below(9); length > 0; --length) word += static_cast<char>('a' + random.below(3));
    for (const int limit : {1, 2}) {
      for (const bool prefix : {false, true}) {
        std::vector<Near> found;
        CHECK(near_words(Words(*table), word, limit, prefix, found));
        size_t whole = 0, begun = 0;
        for (const auto& other : all) {
          const bool near = edit_distance(word, other, limit) <= limit;
          bool begins = false;
          for (size_t n = 0; n <= other.size() && !near; ++n) begins = begins || edit_distance(word, other.substr(0, n), limit) <= limit;
          whole += near ? 1 : 0;
          begun += prefix && begins ? 1 : 0;
        }
        INFO(word << " " << limit << " " << prefix);
        CHECK(static_cast<size_t>(std::count_if(found.begin(), found.end(), [](const Near& n) { return !n.begins; })) == whole);
        CHECK(static_cast<size_t>(std::count_if(found.begin(), found.end(), [](const Near& n) { return n.begins; })) == begun);
        for (const Near& n : found)
          if (!n.begins) CHECK(n.distance == edit_distance(word, n.word, limit));
      }
    }
  }
}
