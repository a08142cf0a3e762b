// A book in memory: the same problems as from the disk, pages as they will be, places that underlines can use, and no way to upset it.
#include <catch2/catch_all.hpp>

#include "api/author.h"
#include "base/json.h"
#include <set>

#include "base/random.h"
#include "base/utf8.h"
#include "book/extent.h"
#include "support/memory_files.h"

using namespace lk;
using api::Author;
namespace fs = std::filesystem;

namespace {

const fs::path source = LK_SOURCE_DIR;

Author author_of(const test::MemoryFiles& files, const std::string& base = "/") {
  Author author(base);
  for (const auto& [path, bytes] : files) author.put(path, bytes);
  return author;
}

std::vector<std::string> texts(const std::vector<Problem>& problems) {
  std::vector<std::string> out;
  for (const Problem& p : problems) out.push_back(text(p));
  return out;
}

json::Value answer(Author& author, const std::string& request) {
  const auto root = json::parse(api::call(author, request));
  REQUIRE(root);
  return *root;
}

const json::Value& result(const json::Value& root) {
  INFO(json::dump(root));
  REQUIRE(root.find("result") != nullptr);
  return *root.find("result");
}

std::string what(const json::Value& root) {
  REQUIRE(root.find("error") != nullptr);
  return root.find("error")->find("what")->string;
}

// The bytes that the underline of a problem covers, by its UTF-16 units.
std::string underlined(const std::string& utf8, int from, int to) {
  std::string out;
  int units = 0;
  for (size_t at = 0; at < utf8.size();) {
    const size_t begin = at;
    const char32_t c = next_code_point(utf8, at);
    if (units >= from && units < to) out += utf8.substr(begin, at - begin);
    units += c > 0xFFFF ? 2 : 1;
  }
  return out;
}

}  // namespace

TEST_CASE("author: a book from memory has the problems of the same book from the disk", "[author]") {
  std::vector<std::vector<fs::path>> books{{source / "content"}};
  for (const auto& entry : fs::directory_iterator(source / "tests/books"))
    if (entry.is_directory()) books.push_back({entry.path(), source / "tests/books/base"});
  int problems = 0;
  for (const auto& folders : books) {
    INFO(folders.front().string());
    api::Content disk = api::read_content(test::disk_files(folders));
    api::check_content(disk);
    Author author = author_of(test::memory_files(folders));
    CHECK(texts(author.problems()) == texts(disk.problems));
    problems += static_cast<int>(disk.problems.size());
  }
  CHECK(problems > 100);
}

TEST_CASE("author: what is typed is in the page and among the problems, and gone when it is taken back", "[author]") {
  test::MemoryFiles files = test::memory_files({source / "content"});
  Author author = author_of(files, "/sub/");
  REQUIRE(texts(author.problems()).empty());
  const std::string file = "chapters/1-foundations/the-kv-cache.md";
  const auto before = author.page(file);
  REQUIRE(before);
  CHECK(before->url == "/chapters/foundations/the-kv-cache/");
  CHECK(before->html.find("href=\"/sub/chapters/glossary/#") != std::string::npos);
  CHECK(before->html.find("<figure") != std::string::npos);
  CHECK(before->html.find("<main") == std::string::npos);

  author.put(file, files[file] + "\n\nNewly typed words, see [nowhere](section:the-kv-cach).\n");
  const auto after = author.page(file);
  REQUIRE(after);
  CHECK(after->html.find("Newly typed words") != std::string::npos);
  REQUIRE(author.problems().size() >= 1);
  CHECK(author.problems()[0].error.at.file == file);

  author.put(file, files[file]);
  CHECK(author.page(file)->html == before->html);
  CHECK(author.problems().empty());
}

TEST_CASE("author: figures look at the tables as they are, and as they last were while those have errors", "[author]") {
  test::MemoryFiles files = test::memory_files({source / "content"});
  Author author = author_of(files);
  const std::string request = R"({"method": "figure.evaluate", "params": {"id": "roofline"}})";
  const std::string first = json::dump(result(answer(author, request)));

  std::string devices = files["devices.json"];
  author.put("devices.json", devices.substr(0, devices.size() / 2));
  CHECK(json::dump(result(answer(author, request))) == first);
  CHECK(author.page("home.md"));
  CHECK_FALSE(author.problems().empty());

  const size_t rate = devices.find("4800000000000", devices.find("\"id\": \"h200\""));
  REQUIRE(rate != std::string::npos);
  author.put("devices.json", devices.replace(rate, 13, "2400000000000"));
  CHECK(json::dump(result(answer(author, request))) != first);

  Author none("/");
  none.put("devices.json", "{");
  CHECK_FALSE(none.page("home.md"));
  CHECK(what(answer(none, request)).find("unknown method") != std::string::npos);
}

TEST_CASE("author: the outline names every text of the book", "[author]") {
  test::MemoryFiles files = test::memory_files({source / "content"});
  // One section is not written yet.
  REQUIRE(files.erase("chapters/7-frontier/watchlist.md") == 1);
  Author author = author_of(files);
  const json::Value root = answer(author, R"({"method": "author.outline"})");
  std::set<std::string> named;
  int unwritten = 0;
  for (const json::Value& entry : result(root).find("entries")->array) {
    const std::string file = entry.find("file")->string;
    INFO(file);
    CHECK(named.insert(file).second);
    CHECK(entry.find("written")->boolean == (files.count(file) == 1));
    unwritten += entry.find("written")->boolean ? 0 : 1;
    // A section that is not written yet has a page to begin with.
    CHECK(author.page(file));
  }
  CHECK(unwritten == 1);
  for (const auto& [path, bytes] : files)
    if (path.ends_with(".md") && path.find("harness") == std::string::npos) CHECK(named.count(path) == 1);
}

TEST_CASE("author: underlines cover what is wrong", "[author]") {
  test::MemoryFiles files = test::memory_files({source / "content"});
  // Signs of two and three bytes and of two units stand before them.
  const std::string file = "home.md";
  const std::string words = "## “Größe” 🧮\n\nA “𝛼” and [a ünknown](term:nöthing) here, $\\nonsense{x}$ and `code`.\n\n![Cap](figure:nothing)\n";
  files[file] = words;
  Author author = author_of(files);
  const json::Value root = answer(author, R"({"method": "author.check"})");
  std::vector<std::string> covered;
  for (const json::Value& p : result(root).find("problems")->array)
    if (p.find("file")->string == file) covered.push_back(underlined(words, static_cast<int>(p.find("from")->number), static_cast<int>(p.find("to")->number)));
  CHECK(std::count(covered.begin(), covered.end(), "[a ünknown](term:nöthing)") == 1);
  CHECK(std::count(covered.begin(), covered.end(), "![Cap](figure:nothing)") == 1);
  for (const std::string& one : covered) CHECK_FALSE(one.empty());
}

TEST_CASE("extent: the construct that begins at a place", "[author]") {
  const auto at = [](std::string_view text, int line, int column) {
    const book::Extent e = book::extent(text, {{}, line, column});
    return std::string(text.substr(e.from, e.to - e.from));
  };
  CHECK(at("one [two](term:x) three", 1, 5) == "[two](term:x)");
  CHECK(at("[a [b] c](x(y)z) d", 1, 1) == "[a [b] c](x(y)z)");
  CHECK(at("[a](<b) d", 1, 1) == "[a](<b)");
  CHECK(at("[open and on", 1, 1) == "[open");
  CHECK(at("[two\nlines](term:x) y", 1, 1) == "[two\nlines](term:x)");
  CHECK(at("[two\n\nparagraphs](term:x) y", 1, 1) == "[two");
  CHECK(at("![c](figure:x) y", 1, 1) == "![c](figure:x)");
  CHECK(at("[^note] y", 1, 1) == "[^note]");
  CHECK(at("a $x^2$ b", 1, 3) == "$x^2$");
  CHECK(at("a $x b", 1, 3) == "$x");
  CHECK(at("$$\na\n$$\n", 1, 1) == "$$\na\n$$");
  CHECK(at("```cuda file=x  \ncode\n```", 1, 1) == "```cuda file=x");
  CHECK(at("a ``b`c`` d", 1, 3) == "``b`c``");
  CHECK(at("## Head line ", 1, 1) == "## Head line");
  CHECK(at("{\"a b\": 1}", 1, 2) == "\"a b\"");
  CHECK(at("<b class=x>y", 1, 1) == "<b class=x>");
  CHECK(at("one two", 1, 5) == "two");
  CHECK(at("one   ", 1, 4) == " ");
  CHECK(at("  a line \nb", 1, 0) == "a line");
  CHECK(at("a\r\nb c\rd", 2, 1) == "b");
  CHECK(at("a\r\nb c\rd", 3, 1) == "d");
  CHECK(at("ä b", 1, 2) == "ä");  // within a sign
  CHECK(at("a", 0, 0).empty());
  CHECK(at("a", 7, 3).empty());
  CHECK(at("a", 1, 9).empty());
  CHECK(at("", 1, 1).empty());
}

TEST_CASE("author: whatever is missing, cut or scrambled is answered, and a whole book heals it", "[author]") {
  const test::MemoryFiles files = test::memory_files({source / "content"});
  Author author = author_of(files);
  Random random(20261130);
  int errors = 0;
  for (const auto& [path, bytes] : files) {
    if (path.find("harness") != std::string::npos) continue;
    INFO(path);
    for (int way = 0; way < 3; ++way) {
      std::string spoilt = bytes.substr(0, random.below(static_cast<uint32_t>(bytes.size() + 1)));
      if (way == 1) {
        spoilt = bytes;
        for (int n = 0; n < 20 && !spoilt.empty(); ++n) spoilt[random.below(static_cast<uint32_t>(spoilt.size()))] = static_cast<char>(random.below(256));
      }
      if (way == 2) {
        CHECK(author.remove(path));
      } else {
        author.put(path, spoilt);
      }
      const json::Value checked = answer(author, R"({"method": "author.check"})");
      const int size = static_cast<int>(author.file(path).value_or("").size());
      for (const json::Value& p : result(checked).find("problems")->array) {
        const double from = p.find("from")->number, to = p.find("to")->number;
        CHECK((0 <= from && from <= to));
        if (p.find("file")->string == path) CHECK(to <= size);
        ++errors;
      }
      result(answer(author, R"({"method": "author.outline"})"));
      for (const char* file : {"home.md", "glossary.json", "chapters/1-foundations/the-kv-cache.md"}) (void)author.page(file);
    }
    author.put(path, bytes);
  }
  CHECK(errors > 100);
  CHECK(author.problems().empty());
  CHECK_FALSE(author.remove("nothing.md"));

  for (const char* request : {"", "{", "[]", R"({"method": "author.preview"})", R"({"method": "author.preview", "params": {"file": 1}})",
                              R"({"method": "author.preview", "params": {"file": "nothing.md"}})", R"({"method": "author.preview", "params": {"file": "devices.json"}})",
                              R"({"method": "author.check", "params": {"x": 1}})", R"({"method": "author.nothing"})"}) {
    INFO(request);
    CHECK_FALSE(what(answer(author, request)).empty());
  }
  author.clear();
  CHECK_FALSE(author.problems().empty());
  CHECK_FALSE(author.page("home.md"));
}
