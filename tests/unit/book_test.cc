// The book as a value: loading, numbers, look-ups, regions of listings, printed values.
#include <optional>
#include <catch2/catch_all.hpp>

#include <map>

#include "support/fake_catalog.h"

using namespace lk;
using namespace lk::book;

namespace {

using Texts = std::map<std::string, std::string, std::less<>>;

Files files_of(const Texts& texts) {
  Files files;
  files.read = [texts](std::string_view path) -> std::optional<std::string> {
    const auto found = texts.find(path);
    return found == texts.end() ? std::nullopt : std::optional(found->second);
  };
  files.list = [texts](std::string_view folder) {
    std::vector<std::string> names;
    const std::string start = std::string(folder) + "/";
    for (const auto& [path, text] : texts) {
      if (path.compare(0, start.size(), start) != 0) continue;
      const std::string name = path.substr(start.size(), path.find('/', start.size()) - start.size());
      if (names.empty() || names.back() != name) names.push_back(name);
    }
    return names;
  };
  return files;
}

Texts small_book() {
  return {{"book.json", R"({"title": "T", "chapters": [
            {"id": "one", "title": "One", "number": "1", "sections": [{"id": "a", "title": "A"}, {"id": "later", "title": "Later"}, {"id": "b", "title": "B"}]},
            {"id": "two", "title": "Two", "number": "2", "sections": [{"id": "c", "title": "C", "file": "chapters/c.md"}]}]})"},
          {"glossary.json", R"({"terms": [{"id": "warp", "name": "Warp", "sentence": "S.", "aliases": ["wavefront"]}, {"id": "x", "name": "Y z", "sentence": "S."}]})"},
          {"reading.json", R"({"sources": [{"id": "s", "title": "S", "kind": "paper", "authors": ["A", "B"], "year": 2009}]})"},
          {"devices.json", "{}"},
          {"home.md", "![h](figure:f)\n"},
          {"chapters/1-one/a.md", "---\ntitle: A\nlede: L\n---\n\n![1](figure:f)\n\n- x\n\n  ![2](figure:f)\n"},
          {"chapters/1-one/b.md", "---\r\ntitle: \"B\"\r\nlede: L\r\n  and more\r\n---\r\n![3](figure:g)\r\n\r\n[w](term:Wavefront) [x](term:Y%20Z)"},
          {"chapters/c.md", "---\ntitle: C\nlede: L\n---\n![4](figure:f)\n"},
          {"listings/a.cu", "x"},
          {"listings/folder/b.cu", "x"},
          {"measurements/h200.csv", "kernel"},
          {"measurements/h200.json", "{}"}};
}

std::vector<std::string> figure_numbers(const Node& tree) {
  std::vector<std::string> out;
  walk(tree, [&](const Node& n) {
    if (n.kind == Kind::figure) out.push_back(n.number + " " + n.anchor);
  });
  return out;
}

using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("a book is loaded and numbered", "[book]") {
  std::vector<Problem> problems;
  const Book book = load(files_of(small_book()), problems);
  for (const Problem& p : problems) UNSCOPED_INFO(text(p));
  CHECK(problems.empty());
  REQUIRE(book.sections.size() == 4);
  const Section* b = book.section("b");
  REQUIRE(b != nullptr);
  CHECK(b->number == "1.3");
  CHECK(b->url == "/chapters/one/b/");
  CHECK(b->file == "chapters/1-one/b.md");
  CHECK(b->lede == "L and more");
  CHECK(b->written);
  CHECK(b->body.children.at(0).at.line == 6);
  CHECK_FALSE(book.section("later")->written);
  CHECK(book.section("nothing") == nullptr);
  CHECK(book.chapter("two")->sections == std::vector<int>{3});
  CHECK(book.sections[3].chapter == 1);
  // Figures count through a chapter; anchors are a page's own.
  CHECK(figure_numbers(book.home) == Strings{" fig-f"});
  CHECK(figure_numbers(book.section("a")->body) == Strings{"1.1 fig-f", "1.2 fig-f-2"});
  CHECK(figure_numbers(b->body) == Strings{"1.3 fig-g"});
  CHECK(figure_numbers(book.section("c")->body) == Strings{"2.1 fig-f"});
  CHECK(book.source("s")->authors == "A, B");
  CHECK(book.source("s")->year == "2009");
  CHECK(book.listings.size() == 1);
  CHECK(book.measurements.size() == 1);
  CHECK(book.measurements.at(0).first == "h200");
  for (const std::string_view name : {"warp", "WARP", "Wavefront", "x", "y Z"}) CHECK(book.term(name) != nullptr);
  CHECK(book.term("wav") == nullptr);
  const auto used = terms_used(book, b->body);
  REQUIRE(used.size() == 2);
  CHECK(used[0]->id == "warp");
  CHECK(used[1]->id == "x");
}

TEST_CASE("what is missing or broken is reported, the rest is loaded", "[book]") {
  for (const char* path : {"book.json", "glossary.json", "reading.json", "devices.json", "home.md"}) {
    Texts texts = small_book();
    texts.erase(path);
    std::vector<Problem> problems;
    const Book book = load(files_of(texts), problems);
    INFO(path);
    REQUIRE_FALSE(problems.empty());
    CHECK(text(problems[0]) == std::string(path) + ": error: the file is missing (create it)");
    CHECK(book.listings.size() == 1);
  }
  for (const char* path : {"book.json", "glossary.json", "reading.json"}) {
    for (const char* broken : {"", "{", "[]", "{\"title\": 1}", "{\"chapters\": [1, {}], \"terms\": [[]], \"sources\": null}", "\xFF"}) {
      Texts texts = small_book();
      texts[path] = broken;
      std::vector<Problem> problems;
      const Book book = load(files_of(texts), problems);
      std::vector<Problem> checked;
      check(book, test::fake_catalog(), checked);
      INFO(path << " " << broken);
      REQUIRE_FALSE(problems.empty());
      CHECK(problems[0].error.at.file == path);
      CHECK(problems[0].error.at.line == 1);
      CHECK(problems[0].error.at.column >= 1);
    }
  }
}

TEST_CASE("bad bytes are found in every file", "[book]") {
  const std::pair<const char*, const char*> cases[] = {{"home.md", "x\n\xFF"},
                                                       {"chapters/1-one/a.md", "---\ntitle: A\nlede: \xC3(\n---\n"},
                                                       {"chapters/1-one/b.md", "---\ntitle: B\nlede: L\n---\n\nab\xED\xA0\x80"},
                                                       {"glossary.json", "{\"terms\": [], \"\xFF\": 1}"},
                                                       {"listings/a.cu", "ab\n\xFE"}};
  const std::map<std::string, std::string> places = {{"home.md", "2:1"}, {"chapters/1-one/a.md", "3:7"}, {"chapters/1-one/b.md", "6:3"}, {"listings/a.cu", "2:1"}, {"glossary.json", "1:16"}};
  for (const auto& [path, content] : cases) {
    Texts texts = small_book();
    texts[path] = content;
    std::vector<Problem> problems;
    const Book book = load(files_of(texts), problems);
    REQUIRE(problems.size() >= 1);
    INFO(text(problems[0]));
    CHECK(text(problems[0]).starts_with(std::string(path) + ":" + places.at(path) + ":"));
  }
}

TEST_CASE("where section links lead", "[book]") {
  std::vector<Problem> problems;
  const Book book = load(files_of(small_book()), problems);
  CHECK(resolve(book, parse_target("section:b#x"))->url == "/chapters/one/b/#x");
  CHECK(resolve(book, parse_target("section:one"))->url == "/chapters/one/");
  CHECK(resolve(book, parse_target("section:reading#s"))->url == "/chapters/reading/#s");
  CHECK(resolve(book, parse_target("section:home"))->url == "/");
  CHECK_FALSE(resolve(book, parse_target("section:later"))->written);
  CHECK_FALSE(resolve(book, parse_target("section:")));
}

TEST_CASE("overviews, text pages and the parts of the reading list", "[book]") {
  Texts texts = small_book();
  texts["chapters/1-one/index.md"] = "---\ntitle: One\nlede: Why.\n---\n\n## Asked\n\n[w](term:warp)\n\n![0](figure:f)\n";
  texts["pages/about.md"] = "---\ntitle: About\nlede: L\n---\n\n## Why\n";
  texts["pages/quiet.md"] = "---\ntitle: Quiet\nlede: L\n---\n\n## Why\n";
  std::string& outline = texts["book.json"];
  outline.insert(outline.rfind('}'), R"(, "pages": [{"id": "about", "title": "About", "summary": "S"}, {"id": "quiet", "title": "Quiet", "footer": false}], "redirects": {"/info/": "/about/"})");
  std::string& reading = texts["reading.json"];
  reading.insert(reading.rfind('}'), R"(, "parts": [{"title": "P", "groups": [{"id": "g", "title": "G", "note": "N", "sources": ["s"]}]}, {"title": "Q", "groups": [{"id": "h", "title": "H", "sources": ["s"]}]}])");
  std::vector<Problem> problems;
  const Book book = load(files_of(texts), problems);
  check(book, test::fake_catalog(), problems);
  std::erase_if(problems, [](const Problem& p) { return p.error.what.find("figure") != std::string::npos || p.error.what.find("sources") != std::string::npos || p.severity == Severity::warning; });
  for (const Problem& p : problems) UNSCOPED_INFO(text(p));
  CHECK(problems.empty());

  const Chapter& one = *book.chapter("one");
  CHECK(one.written);
  CHECK(one.lede == "Why.");
  CHECK(terms_used(book, one.body).size() == 1);
  CHECK(figure_numbers(one.body) == Strings{"1.1 fig-f"});
  CHECK(figure_numbers(book.section("a")->body) == Strings{"1.2 fig-f", "1.3 fig-f-2"});
  CHECK_FALSE(book.chapter("two")->written);
  REQUIRE(book.text_page("about") != nullptr);
  CHECK(book.text_page("about")->url == "/about/");
  CHECK(book.text_page("about")->file == "pages/about.md");
  CHECK(book.text_page("about")->footer);
  CHECK_FALSE(book.text_page("quiet")->footer);
  CHECK(resolve(book, parse_target("section:about#why"))->url == "/about/#why");
  CHECK(book.parts == Strings{"P", "Q"});
  REQUIRE(book.groups.size() == 2);
  CHECK(book.groups[1].part == 1);
  CHECK(book.groups[1].sources == Strings{"s"});
}

TEST_CASE("reading time counts words, not code", "[book]") {
  std::vector<Problem> problems;
  const auto words = [&](std::string_view markdown) { return count_words(parse_markdown(markdown, "t.md", 0, problems)); };
  CHECK(words("one two\nthree **four** [five six](term:x)") == 6);
  CHECK(words("```c\na b c\n```\n\n- one\n- two\n\n| a | b |\n|---|---|\n| c | d e |\n") == 7);
  CHECK(words("![one two](figure:f)") == 2);
  CHECK(words("") == 0);
  Texts texts = small_book();
  std::string body = "---\ntitle: A\nlede: L\n---\n";
  for (int i = 0; i < 221; ++i) body += "w ";
  texts["chapters/1-one/a.md"] = body;
  CHECK(load(files_of(texts), problems).section("a")->minutes == 2);
}

TEST_CASE("regions of listings", "[book]") {
  const std::string_view code = "a\n  // [k]\n  b\n\n    c // [no]\n  // [in]\n  d\n  // [/in]\n  // [/k]\n# [p]\ne\n# [/p]\n// [open]\n";
  const auto k = region(code, "k");
  REQUIRE(k);
  CHECK(k->text == "b\n\n  c // [no]\nd\n");
  CHECK(k->first_line == 3);
  CHECK(k->lines == std::vector<int>{3, 4, 5, 7});
  CHECK(region(code, "in")->text == "d\n");
  CHECK(region(code, "p")->text == "e\n");
  const auto whole = region(code, "");
  REQUIRE(whole);
  CHECK(whole->text == "a\n  b\n\n    c // [no]\n  d\ne\n");
  CHECK(whole->lines == std::vector<int>{1, 3, 4, 5, 7, 11});
  for (const std::string_view name : {"open", "no", "K", "zz"}) CHECK_FALSE(region(code, name));
  CHECK(regions(code) == Strings{"k", "in", "p", "open"});
  CHECK(region("// [a]\r\nx\r\n// [/a]\r\n", "a")->text == "x\n");
  CHECK(region("// [a]\n// [/a]\n// [a]\n// [/a]\n", "a") == std::nullopt);
  CHECK(region("", "")->text.empty());
  CHECK(region("// [a]\n// [/a]\n", "a")->text.empty());
}

TEST_CASE("printed values: digits alone or with their unit", "[book]") {
  const Catalog::ValueText value{"206", "FLOP/B", "computed", "206.125"};
  CHECK(shape("206", value) == Shape::digits);
  CHECK(shape("206 FLOP/B", value) == Shape::full);
  CHECK(shape("206\xC2\xA0" "FLOP/B", value) == Shape::full);
  for (const std::string_view other : {"206.1", "206FLOP/B", "206 FLOP", "FLOP/B", ""}) CHECK_FALSE(shape(other, value));
  const Catalog::ValueText percent{"12.5", "%", "computed", "0.125"};
  CHECK(shown(percent, Shape::full) == "12.5%");
  CHECK(shape("12.5%", percent) == Shape::full);
  CHECK(shape("12.5", percent) == Shape::digits);
  const Catalog::ValueText plain{"8", "", "computed", "8"};
  CHECK(shape("8", plain) == Shape::digits);
  CHECK(shown(plain, Shape::full) == "8");
}

TEST_CASE("bytes that no page may hold, and files that cannot be read, are reported in every kind of file") {
  const std::string outline = R"({"title": "T", "chapters": [{"id": "one", "title": "One", "number": "1", "sections": [{"id": "a", "title": "A"}]}]})";
  const std::string section = "chapters/1-one/a.md";
  const auto problems_of = [&](const std::string& path, const std::string& text, bool readable) {
    std::map<std::string, std::string> all{{"book.json", outline}, {"glossary.json", R"({"terms": []})"}, {"reading.json", R"({"sources": []})"}, {"devices.json", "{}"},
                                           {"home.md", "x\n"}, {section, "---\ntitle: A\nlede: b\n---\nx\n"}, {"listings/l.cu", "x\n"}, {"measurements/h.csv", "x\n"}};
    all[path] = text;
    book::Files files;
    files.read = [&](std::string_view p) -> std::optional<std::string> {
      const auto it = all.find(std::string(p));
      if (it == all.end() || (!readable && p == path)) return std::nullopt;
      return it->second;
    };
    files.list = [&](std::string_view folder) {
      std::vector<std::string> names;
      const std::string prefix = folder.empty() ? "" : std::string(folder) + "/";
      for (const auto& [p, t] : all)
        if (p.compare(0, prefix.size(), prefix) == 0) {
          const std::string name = p.substr(prefix.size(), p.find('/', prefix.size()) - prefix.size());
          if (names.empty() || names.back() != name) names.push_back(name);
        }
      return names;
    };
    std::vector<Problem> problems;
    (void)book::load(files, problems);
    std::vector<std::string> lines;
    for (const Problem& p : problems) lines.push_back(lk::text(p));
    return lines;
  };
  using Lines = std::vector<std::string>;
  CHECK(problems_of("home.md", "x\n", true).empty());
  for (const std::string& path : {std::string("home.md"), std::string("listings/l.cu"), std::string("measurements/h.csv")}) {
    CHECK(problems_of(path, "x\nab\x1b\n", true) == Lines{path + ":2:3: error: a control character (U+001B) (remove it)"});
    CHECK(problems_of(path, std::string("x\n\0", 3), true) == Lines{path + ":2:1: error: a NUL byte (remove it)"});
    CHECK(problems_of(path, "\xEF\xBB\xBFx\n", true) == Lines{path + ":1:1: error: a byte order mark (save the file as UTF-8 without it)"});
  }
  CHECK(problems_of(section, "---\ntitle: A\nlede: b\x01\n---\nx\x02\n", true) ==
        Lines{section + ":3:8: error: a control character (U+0001) (remove it)", section + ":5:2: error: a control character (U+0002) (remove it)"});
  for (const std::string& path : {section, std::string("home.md"), std::string("devices.json"), std::string("glossary.json")})
    CHECK(problems_of(path, "x", false) == Lines{path + ": error: this cannot be read (make it a file that you may read)"});
  // One fault, one problem: nothing follows from what could not be understood.
  CHECK(problems_of(section, "---\ntitle: A\nlede: b\nSome text\n\nand more\n", true) == Lines{section + ":1:1: error: front matter never closes (end it with a line ---)"});
  CHECK(problems_of("book.json", "{", true).size() == 1);
}
