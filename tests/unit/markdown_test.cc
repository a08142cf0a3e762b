// Markdown to tree: places, the book's own constructs, hostile input.
#include <catch2/catch_all.hpp>

#include <algorithm>
#include <ctime>

#include "book/document.h"

using namespace lk;
using namespace lk::book;

namespace {

Node parse(std::string_view markdown, int first_line = 0) {
  std::vector<Problem> problems;
  Node tree = parse_markdown(markdown, "t.md", first_line, problems);
  for (const Problem& p : problems) UNSCOPED_INFO(text(p));
  CHECK(problems.empty());
  return tree;
}

std::vector<std::string> problems_of(std::string_view markdown) {
  std::vector<Problem> problems;
  parse_markdown(markdown, "t.md", 0, problems);
  std::vector<std::string> out;
  for (const Problem& p : problems) out.push_back(text(p));
  return out;
}

// "raw@line:column" of every link, image and construct, in the order of the tree.
std::vector<std::string> links(const Node& tree) {
  std::vector<std::string> out;
  walk(tree, [&](const Node& n) {
    if (!n.target.raw.empty()) out.push_back(n.target.raw + "@" + std::to_string(n.at.line) + ":" + std::to_string(n.at.column));
  });
  return out;
}

using Strings = std::vector<std::string>;

const Node* first(const Node& tree, Kind kind) {
  const Node* found = nullptr;
  walk(tree, [&](const Node& n) {
    if (found == nullptr && n.kind == kind) found = &n;
  });
  return found;
}

int depth(const Node& node) {
  int deepest = 0;
  for (const Node& child : node.children) deepest = std::max(deepest, depth(child));
  return deepest + 1;
}

std::string repeated(std::string_view text, size_t times) {
  std::string out;
  out.reserve(text.size() * times);
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

}  // namespace

TEST_CASE("links stand at their first byte", "[markdown]") {
  struct Case {
    const char* name;
    const char* markdown;
    Strings want;
  };
  const Case cases[] = {
      {"two on a line", "[a](term:a) and [b](term:b)", {"term:a@1:1", "term:b@1:17"}},
      {"the same address twice", "x [a](term:a) y [a](term:a)\nz [a](term:a)", {"term:a@1:3", "term:a@1:17", "term:a@2:3"}},
      {"list items", "- [a](term:a)\n- x\n  [b](term:b)\n  - y [c](term:c)\n", {"term:a@1:3", "term:b@3:3", "term:c@4:7"}},
      {"lazy lines of a list", "1. one\ntwo [a](term:a)\n", {"term:a@2:5"}},
      {"quotes", "> a [x](term:x)\n> b\n> > [y](term:y)\nlazy [z](term:z)\n", {"term:x@1:5", "term:y@3:5", "term:z@4:6"}},
      {"table cells", "| a | b |\n|---|---|\n| x | [p](term:p) [q](term:q) |\n|[r](term:r)||\n", {"term:p@3:7", "term:q@3:19", "term:r@4:2"}},
      {"a cell with an escaped bar", "| a |\n|---|\n| `\\|` \\| [p](term:p) |\n", {"term:p@3:11"}},
      {"code spans that look alike", "`[a](term:a)` [b](term:b) ``[c](term:c) ` ``[d](term:d)", {"term:b@1:15", "term:d@1:45"}},
      {"a code span over two lines", "`a [x](term:x)\n[y](term:y)` [z](term:z)", {"term:z@2:14"}},
      {"an unclosed backtick", "` [a](term:a)\n\n` [b](term:b)", {"term:a@1:3", "term:b@3:3"}},
      {"wrapped text and words", "one\ntwo [three\nfour](term:x) five\n[six](term:y)", {"term:x@2:5", "term:y@4:1"}},
      {"UTF-8 before", "\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80 [a](term:a)", {"term:a@1:11"}},
      {"headings", "## A [b](term:b)\n\nC [d](term:d)\n=====\n", {"term:b@1:6", "term:d@3:3"}},
      {"emphasis around and inside", "**[a](term:a)** [*b*](term:b) [**\"c\"**](term:c)", {"term:a@1:3", "term:b@1:17", "term:c@1:31"}},
      {"escapes", "\\[x](y) \\![a](term:a) [b\\]](term:b)", {"term:a@1:11", "term:b@1:23"}},
      {"brackets in words", "[a [b] c](term:a) [ ] [x][y] [d](term:d)", {"term:a@1:1", "term:d@1:30"}},
      {"what is no link", "[a](not a link) [b](term:b)", {"term:b@1:17"}},
      {"titles, angles and spaces", "[a]( <term:a> \"t (x)\" ) [b](term:b 't')", {"term:a@1:1", "term:b@1:25"}},
      {"an image in a link", "[![i](figure:f)](term:t) [x](term:x)", {"term:t@1:1", "figure:f@1:2", "term:x@1:26"}},
      {"autolinks", "see <https://e.org/a> and [a](term:a)", {"https://e.org/a@1:5", "term:a@1:27"}},
      {"reference definitions", "A [ref] and [a](term:a)\n\n[ref]: term:r\n", {"term:r@3:1", "term:a@1:13"}},
      {"definitions in lists and quotes", "[r] [s]\n\n- [r]: term:r\n\n> 1. [s]:\n>    <term:s>\n", {"term:r@3:3", "term:s@5:6"}},
      {"an address in the next line", "> [a](\n> term:a) [b](\n>  <term:b>)", {"term:a@1:3", "term:b@2:11"}},
      {"tabs", "\t- x\n\n-\t[a](term:a)", {"term:a@3:3"}},
      {"after a fence", "```text\n[a](term:a) `\n```\n` [b](term:b)", {"term:b@4:3"}},
      {"a fence in a list", "- x\n  ```text\n  [a](term:a)\n  ```\n  [b](term:b)", {"term:b@5:3"}},
  };
  for (const Case& c : cases) {
    INFO(c.name << ":\n" << c.markdown);
    CHECK(links(parse(c.markdown)) == c.want);
  }
}

TEST_CASE("links in footnotes, figures and stats have places too", "[markdown]") {
  const Node notes = parse("A[^n] b[^m]\n\n[^n]: The [x](term:x)\n    and [y](term:y)\n\n[^m]: `q` [z](term:z)\n");
  CHECK(links(notes) == Strings{"term:x@3:11", "term:y@4:9", "term:z@6:11"});
  const Node figure = parse("![Drag [it](term:it)](figure:roofline?device=h200)");
  CHECK(links(figure) == Strings{"figure:roofline?device=h200@1:1", "term:it@1:8"});
  const Node stats = parse("- a\n\n  ```stats\n  [bw](term:bw) | [4.8](value:d.bw) TB/s\n  SMs | 132. SMs\n  ```\n");
  CHECK(links(stats) == Strings{"term:bw@4:3", "value:d.bw@4:19"});
  const Node* block = first(stats, Kind::stats);
  REQUIRE(block != nullptr);
  REQUIRE(block->children.size() == 2);
  CHECK(plain_text(block->children[1].children[1]) == "132. SMs");
}

TEST_CASE("lines above shift lines", "[markdown]") {
  CHECK(links(parse("x\n[a](term:a)", 4)) == Strings{"term:a@6:1"});
}

TEST_CASE("CRLF, CR and LF read the same", "[markdown]") {
  const std::string lf = "## A\n\nx\n[a](term:a)\n\n- y\n\n```text\nz\n```\n";
  for (const std::string_view end : {"\r\n", "\r"}) {
    std::string other;
    for (const char c : lf) other += c == '\n' ? std::string(end) : std::string(1, c);
    CHECK(links(parse(other)) == links(parse(lf)));
    CHECK(plain_text(parse(other)) == plain_text(parse(lf)));
  }
}

// Tags that find links must not change how anything else is read.
TEST_CASE("text, code and titles come back as they were written", "[markdown]") {
  for (const std::string_view text : {"[a](b c", "`[a](b)`", "a](b", "](", "[x]: not a definition", "<ab:c d", "**\"x\"**](*y*)"}) {
    INFO(text);
    const std::string read = plain_text(parse(text));
    CHECK(read.find('\xEF') == std::string::npos);
    CHECK(read.find('\xE2') == std::string::npos);
  }
  CHECK(plain_text(parse("`[a](b)` [c](d e)")) == "[a](b) [c](d e)");
  const Node listing = parse("```text caption=\"[a](b)\"\n[x](y)\n<https://z>\n```");
  CHECK(listing.children.at(0).text == "[x](y)\n<https://z>\n");
  CHECK(listing.children.at(0).options == Pairs{{"caption", "[a](b)"}});
  // Emphasis beside an address that is none.
  const Node strong = parse("[x](**\"y\"** z)");
  CHECK(first(strong, Kind::strong) != nullptr);
}

TEST_CASE("constructs by scheme", "[markdown]") {
  const Node tree = parse("[a](term:b) [a](source:b) [a](section:b#c) [a](value:f.r?x=1&device=d) [a](set:f?x=%2B1+2) [a](https://b) [a](foo:b)");
  std::vector<Kind> kinds;
  walk(tree, [&](const Node& n) {
    if (!n.target.raw.empty()) kinds.push_back(n.kind);
  });
  CHECK(kinds == std::vector<Kind>{Kind::term, Kind::source, Kind::section, Kind::value, Kind::set, Kind::link, Kind::link});
  CHECK(first(tree, Kind::section)->target.fragment == "c");
  CHECK(first(tree, Kind::set)->target.query == Pairs{{"x", "+1 2"}});
  const auto ref = value_ref(first(tree, Kind::value)->target);
  REQUIRE(ref);
  CHECK(ref->figure == "f");
  CHECK(ref->result == "r");
  CHECK(ref->device == "d");
  CHECK(ref->query == Pairs{{"x", "1"}});
  for (const std::string_view bad : {"value:f", "value:.r", "value:f.", "value:"}) CHECK_FALSE(value_ref(parse_target(bad)));
}

TEST_CASE("bare addresses become links", "[markdown]") {
  const auto found = [](std::string_view markdown) {
    Strings out;
    walk(parse(markdown), [&](const Node& n) {
      if (n.kind == Kind::link) out.push_back(n.target.raw + "=" + plain_text(n));
    });
    return out;
  };
  CHECK(found("See https://e.org/a, (http://e.org/b) and https://e.org/c_(d). End") ==
        Strings{"https://e.org/a=https://e.org/a", "http://e.org/b=http://e.org/b", "https://e.org/c_(d)=https://e.org/c_(d)"});
  CHECK(found("https://e.org/a`code` **https://e.org/b** xhttps://no https:// http://. `https://no`").size() == 2);
  CHECK(found("[https://e.org/a](https://e.org/b) [**https://e.org**](term:x)") == Strings{"https://e.org/b=https://e.org/a"});
  CHECK(found("<https://e.org/a>") == Strings{"https://e.org/a=https://e.org/a"});
  CHECK(found(":a@b.c a@b.c www.e.org").empty());
  CHECK(found("```text\nhttps://e.org\n```").empty());
}

TEST_CASE("figures, their instances and anchors", "[markdown]") {
  const Node tree = parse("![a *b*](figure:roofline)\n\n![c](figure:roofline?x=1)\n\ntext ![d](figure:roofline)\n\n## Two words\n\n## Two words\n");
  REQUIRE(tree.children.size() == 5);
  CHECK(tree.children[0].kind == Kind::figure);
  CHECK(tree.children[0].anchor == "fig-roofline");
  CHECK(plain_text(tree.children[0]) == "a b");
  CHECK(tree.children[1].anchor == "fig-roofline-2");
  CHECK(uid(tree.children[1]) == "roofline-2");
  CHECK(tree.children[2].kind == Kind::paragraph);
  CHECK(tree.children[3].anchor == "two-words");
  CHECK(tree.children[4].anchor == "two-words-2");
}

TEST_CASE("heading anchors never repeat", "[markdown]") {
  const Node tree = parse("## a\n\n## a 2\n\n## a\n\n## a\n\n## A\n");
  std::vector<std::string> seen;
  for (const Node& n : tree.children) {
    CHECK(std::find(seen.begin(), seen.end(), n.anchor) == seen.end());
    seen.push_back(n.anchor);
  }
}

TEST_CASE("GFM: tables, tasks, strikethrough, footnotes, sources", "[markdown]") {
  const Node tree = parse("| a | b | c |\n|:--|--:|:-:|\n| 1 | ~~2~~ |\n\n- [x] d\n- [ ] e\n\n3. f\n\nA ~x~[^1][^1]\n\n[^1]: g\n\n### Sources\n\n- [h](source:h): i\n");
  const Node& table = tree.children.at(0);
  CHECK(table.level == 3);
  CHECK(table.children.at(0).children.at(0).level == 1);
  CHECK(table.children.at(1).children.at(1).align == "right");
  CHECK(table.children.at(1).children.size() == 3);
  CHECK(first(tree, Kind::strike) != nullptr);
  CHECK(tree.children.at(1).children.at(0).info == "done");
  CHECK(tree.children.at(1).children.at(1).info == "open");
  CHECK(tree.children.at(2).start == 3);
  CHECK(plain_text(tree.children.at(3)) == "A ~x~");
  CHECK(first(tree, Kind::footnote_ref)->number == "1");
  CHECK(first(tree, Kind::sources) != nullptr);
  CHECK(tree.children.back().kind == Kind::footnote);
}

TEST_CASE("comments vanish, other HTML is refused where it stands", "[markdown]") {
  const Node tree = parse("a <!-- b --> c\n\n<!-- d -->\n\n<!-- e\nf -->\n\n## g <!-- h -->\n\n![i](figure:i) <!-- j -->\n");
  REQUIRE(tree.children.size() == 3);
  CHECK(tree.children[1].text == "g");
  CHECK(tree.children[1].anchor == "g");
  CHECK(tree.children[2].kind == Kind::figure);
  CHECK(problems_of("a\nb <b>c</b>") == Strings{"t.md:2:3: error: raw HTML: <b> (write Markdown; put code between backticks)",
                                                "t.md:2:7: error: raw HTML: </b> (write Markdown; put code between backticks)"});
  CHECK(problems_of("x\n\n<div>\ny\n</div>\n").size() == 1);
  CHECK(problems_of("<!-- a --> <script>").size() == 1);
  CHECK(problems_of("<!-- a --><b>\n<!-- c -->").size() == 1);
}

TEST_CASE("problems of the text have places", "[markdown]") {
  CHECK(problems_of("ab\ncd\xFF""e") == Strings{"t.md:2:3: error: bytes that are no UTF-8 (save the file as UTF-8)"});
  CHECK(problems_of(std::string_view("ab\n\0c", 5)) == Strings{"t.md:2:1: error: a NUL byte (remove it)"});
  CHECK(problems_of("\xEF\xBB\xBFx") == Strings{"t.md:1:1: error: a byte order mark (save the file as UTF-8 without it)"});
  CHECK(problems_of("a \xEF\xB7\x90""0\xE2\xB8\xAD") == Strings{"t.md:1:3: error: U+FDD0, which is no character (remove it)"});
  CHECK(problems_of("a[^x]\n\n```\n\n[^x]: c") == Strings{"t.md:1:2: error: footnote [^x] has no text (its text stands in code or a comment: does one before it never close?)"});
  CHECK(problems_of("a\n[^x] b\n\n[^y]: c") == Strings{"t.md:2:1: error: footnote [^x] has no text (did you mean [^y]?)",
                                                      "t.md:4:1: warning: footnote [^y] is never referred to (refer to it or remove it)"});
  CHECK(problems_of("```stats\na\n | b\n```") == Strings{"t.md:2:1: error: a line of stats without '|' (write: label | value)",
                                                        "t.md:3:2: error: a line of stats with an empty side (write: label | value)"});
}

TEST_CASE("info strings", "[markdown]") {
  const Node tree = parse("```cuda file=a.cu#k caption=\"b = c\" hot=3,5-7\n```\n");
  const Node& listing = tree.children.at(0);
  CHECK(listing.kind == Kind::listing);
  CHECK(listing.info == "cuda");
  CHECK(listing.options == Pairs{{"region", "k"}, {"file", "a.cu"}, {"caption", "b = c"}, {"hot", "3,5-7"}});
  CHECK(problems_of("> ```cuda fil=a.cu\n> ```") == Strings{"t.md:1:11: error: unknown option `fil` of a listing (did you mean `file`?)"});
  CHECK(problems_of("```cudda\n```") == Strings{"t.md:1:4: error: unknown language `cudda` (did you mean `cuda`?)"});
  CHECK(problems_of("```c caption=\"x\n```") == Strings{"t.md:1:14: error: a quote that never closes (end it with \")"});
  CHECK(problems_of("```c hot=x\n```").size() == 1);
  CHECK(problems_of("```c hot=2-1\n```").size() == 1);
  CHECK(problems_of("```c word\n```").size() == 1);
  CHECK(problems_of("```c file=a file=b\n```").size() == 1);
}

TEST_CASE("addresses that may stand in an href", "[markdown]") {
  for (const std::string_view good : {"https://a.b/c?d#e", "http://a", "mailto:a@b.c", "#a", "?a=b:c", "a/b.html", "/a:b", "a%3Ab", "HTTPS://A"}) {
    INFO(good);
    CHECK(safe_address(good));
  }
  for (const std::string_view bad : {"javascript:alert(1)", "JavaScript:alert(1)", "java\tscript:alert(1)", "\x01javascript:alert(1)", " javascript:alert(1)", "java\nscript:x",
                                     "data:text/html,x", "vbscript:x", "file:///etc", "blob:x", "//evil.example", "\\\\evil.example", "/\\evil.example", "term:x", "", "1a:b"}) {
    INFO(bad);
    CHECK_FALSE(safe_address(bad));
  }
  // As Markdown they arrive with entities decoded, and their scheme is seen through tabs.
  for (const std::string_view hidden : {"[x](javascript:alert)", "[x](JAVASCRIPT:alert)", "[x](&#106;avascript:alert)", "[x](java&#9;script:alert)", "[x](java&Tab;script:alert)",
                                        "[x](javascript&colon;alert)", "[x](<java&#10;script:alert>)", "<javascript:alert>", "[x](&#1;javascript:alert)"}) {
    INFO(hidden);
    const Node tree = parse(hidden);
    const Node* link = first(tree, Kind::link);
    REQUIRE(link != nullptr);
    CHECK(link->target.scheme == "javascript");
  }
}

TEST_CASE("deep nesting is cut off and reported", "[markdown]") {
  const std::string cases[] = {repeated("> ", 10000) + "x", repeated("- ", 10000) + "x", repeated("*a ", 10000) + repeated("b*", 10000), repeated("1. ", 3000) + "x",
                               repeated("[", 5000) + "a" + repeated("](b)", 5000), repeated("![", 5000) + "a" + repeated("](b)", 5000)};
  for (const std::string& text : cases) {
    INFO(text.substr(0, 8));
    std::vector<Problem> problems;
    const Node tree = parse_markdown(text, "t.md", 0, problems);
    CHECK(depth(tree) <= max_depth + 3);
    CHECK(problems.size() <= 1);
  }
  CHECK(problems_of(repeated("> ", 10000) + "x") == Strings{"t.md:1:127: error: nested deeper than 64 levels (make it flatter)"});
}

TEST_CASE("any text takes linear time", "[markdown]") {
  const std::string_view pieces[] = {"[", "]", "](", "[](", "[a](b) ", "*", "**a", "_a_ ", "`", "`a", "``a` ", "<", "<a:", "![", "[^a]", "[^a]: b\n\n", "~~", "> ", "|", "| a ", "|-",
                                     "&#", "\\", "\n", "- a\n", "a\n", "# a\n", "[a]: b\n", "http://a ", "http", "https://a(", "http://(", "https://a)", "a@b ", "<!--", "\xC3", "\r"};
  for (const std::string_view piece : pieces) {
    // Processor time, and the best of several runs: other programs must not count, and in WebAssembly the clock is the wall's.
    const auto seconds = [&](size_t bytes) {
      const std::string text = repeated(piece, bytes / piece.size());
      std::vector<Problem> problems;
      const std::clock_t start = std::clock();
      parse_markdown(text, "t.md", 0, problems);
      return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    };
    double small = seconds(1 << 14);
    double large = seconds(1 << 17);
    for (int again = 0; again < 4 && large >= 24 * small + 0.25; ++again) {
      small = std::max(small, seconds(1 << 14));
      large = std::min(large, seconds(1 << 17));
    }
    INFO(piece << ": " << small << " s for 16 KiB, " << large << " s for 128 KiB");
    // Eight times the text: 64 times the time when it is quadratic.
    CHECK(large < 24 * small + 0.25);
  }
}

TEST_CASE("a megabyte of one character is read", "[markdown]") {
  for (const std::string_view piece : {"[", "*"}) {
    std::vector<Problem> problems;
    const Node tree = parse_markdown(repeated(piece, 1 << 20), "t.md", 0, problems);
    CHECK(problems.empty());
    CHECK(tree.children.size() == 1);
  }
}
