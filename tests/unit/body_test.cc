// A Markdown tree as HTML: what each construct becomes, and that no tree can smuggle anything in.
#include <catch2/catch_all.hpp>

#include <algorithm>

#include "base/json.h"
#include "base/random.h"
#include "render/highlight.h"
#include "render/page.h"
#include "support/fake_catalog.h"

using namespace lk;
using book::Kind;
using book::Node;

namespace {

struct Fixture {
  book::Book book;
  book::Catalog catalog = test::fake_catalog();
  render::Assets assets;
  Fixture() {
    assets.base = "/sub/";
    book::Section written;
    written.id = "b";
    written.title = "B & C";
    written.number = "1.2";
    written.url = "/chapters/one/b/";
    written.written = true;
    book::Section later = written;
    later.id = "later";
    later.written = false;
    book.sections = {written, later};
    book::Term term;
    term.id = "warp";
    term.name = "Warp";
    book.terms = {term};
    book::Source paper;
    paper.id = "paper";
    paper.title = "A \"paper\"";
    paper.authors = "N. One, N. Two";
    paper.year = "2009";
    paper.url = "https://example.org/p?a=1&b=2";
    book::Source shelf;
    shelf.id = "shelf";
    shelf.title = "A book";
    book.sources = {paper, shelf};
    book.listings = {{"a.cu", "// [k]\n\n  int x = 1;\n// [in]\n  /* one\n  two */\n// [/in]\n// [/k]\n"}};
  }
  render::PageContext context() const {
    return {book, catalog, assets, [](const Node& node, std::string_view uid, std::string_view caption) {
              return "<figure id=\"" + node.anchor + "\" data-uid=\"" + std::string(uid) + "\"><figcaption>" + std::string(caption) + "</figcaption></figure>";
            }};
  }
  static Node parse(std::string_view markdown) {
    std::vector<Problem> problems;
    return book::parse_markdown(markdown, "t.md", 0, problems);
  }
  std::string body(std::string_view markdown) const { return render::body_html(context(), parse(markdown)); }
  std::string inlines(std::string_view markdown) const { return render::inline_html(context(), parse(markdown)); }
};

size_t count(std::string_view text, std::string_view part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// Tags open and close in order, attributes are quoted, and nothing but known elements and attributes appears.
void check_html(std::string_view html) {
  static const std::vector<std::string> elements = {"div", "p", "h2", "h3", "h4", "h5", "h6", "h1", "ul", "ol", "li", "blockquote", "table", "caption", "thead", "tbody", "tr", "th", "td", "dl", "dt", "dd",
                                                    "pre", "code", "span", "a", "b", "em", "strong", "del", "small", "data", "button", "figure", "figcaption", "br", "hr", "math",
                                                    "semantics", "annotation", "mrow", "mi", "mn", "mo", "mspace", "msub", "msup", "msubsup"};
  static const std::vector<std::string> attributes = {"class", "id", "href", "title", "role", "tabindex", "aria-label", "aria-labelledby", "aria-hidden", "data-n", "data-all", "data-w", "data-set",
                                                      "data-tool", "data-uid", "value", "start", "scope", "type", "hidden", "display", "encoding", "form", "stretchy", "lspace", "rspace", "separator", "mathvariant"};
  std::vector<std::string> open;
  for (size_t at = html.find('<'); at != std::string_view::npos; at = html.find('<', at)) {
    size_t i = at + 1;
    const bool closes = html[i] == '/';
    if (closes) ++i;
    const size_t name_end = html.find_first_of(" >", i);
    REQUIRE(name_end != std::string_view::npos);
    const std::string name(html.substr(i, name_end - i));
    INFO("<" << name << "> at " << at);
    REQUIRE(std::find(elements.begin(), elements.end(), name) != elements.end());
    i = name_end;
    while (html[i] != '>') {
      REQUIRE(html[i] == ' ');
      const size_t end = html.find_first_of("= >", i + 1);
      const std::string attribute(html.substr(i + 1, end - i - 1));
      INFO(attribute);
      REQUIRE(std::find(attributes.begin(), attributes.end(), attribute) != attributes.end());
      i = end;
      if (html[i] != '=') continue;
      const char quote = html[i + 1];
      REQUIRE((quote == '"' || quote == '\''));
      const size_t close = html.find(quote, i + 2);
      REQUIRE(close != std::string_view::npos);
      const std::string_view value = html.substr(i + 2, close - i - 2);
      REQUIRE_FALSE(has(value, "<"));
      if (attribute == "href") {
        const bool path = !value.starts_with("//") && value.find(':') >= value.find_first_of("/?#");
        REQUIRE((path || value.starts_with("https:") || value.starts_with("http:") || value.starts_with("mailto:")));
      }
      i = close + 1;
    }
    if (closes) {
      REQUIRE_FALSE(open.empty());
      REQUIRE(open.back() == name);
      open.pop_back();
    } else if (name != "br" && name != "hr") {
      open.push_back(name);
    }
    at = i;
  }
  CHECK(open.empty());
}

}  // namespace

TEST_CASE_METHOD(Fixture, "runs of text stand apart from figures and stats", "[body]") {
  const std::string html = body("a\n\nb\n\n![c *d*](figure:f)\n\n![e](figure:f)\n\n```stats\nx | 1 B\n```\n\nf\n");
  check_html(html);
  CHECK(count(html, "<div class=\"text\">") == 2);
  CHECK(has(html, "<p>b</p>\n</div>\n<figure id=\"fig-f\" data-uid=\"f\"><figcaption>c <em>d</em></figcaption></figure>"));
  CHECK(has(html, "data-uid=\"f-2\""));
  CHECK(has(html, "<dl class=\"stats text\"><div><dt>x</dt><dd>1<small>B</small></dd></div></dl>"));
  CHECK(count(render::blocks_html(context(), parse("a\n\n![c](figure:f)\n\nb")), "class=\"text\"") == 0);
}

TEST_CASE_METHOD(Fixture, "links of the book", "[body]") {
  CHECK(inlines("[w](term:WARP)") == "<a class=\"term\" href=\"/sub/chapters/glossary/#warp\">w</a>");
  CHECK(inlines("[p](source:paper)") == "<a class=\"src\" href=\"https://example.org/p?a=1&amp;b=2\" title=\"N. One and others, A &quot;paper&quot;, 2009\">p</a>");
  CHECK(inlines("[p](source:shelf)") == "<a class=\"src\" href=\"/sub/chapters/reading/#shelf\" title=\"A book\">p</a>");
  CHECK(inlines("[s](section:b#x)") == "<a href=\"/sub/chapters/one/b/#x\" title=\"1.2 B &amp; C\">s</a>");
  CHECK(inlines("[s](section:later)") == "<span class=\"unwritten\" title=\"Not written yet\">s</span>");
  CHECK(inlines("[m](set:roofline-2?intensity=12&dtype=fp8)") ==
        "<a class=\"set\" href=\"?roofline-2.intensity=12&amp;roofline-2.dtype=fp8#fig-roofline-2\" data-set=\"roofline-2?intensity=12&amp;dtype=fp8\">m</a>");
  CHECK(inlines("[x](https://example.org/\xC3\xBC \"t\")") == "<a href=\"https://example.org/%C3%BC\" title=\"t\">x</a>");
  // Unknown ones are words.
  for (const std::string_view unknown : {"[x](term:y)", "[x](source:y)", "[x](section:y)", "[x](foo:y)", "[x](figure:y)", "[x](value:y)", "[x](value:y.z)", "[x](javascript:y)"}) CHECK(inlines(unknown) == "x");
}

TEST_CASE_METHOD(Fixture, "values carry the text of every device", "[body]") {
  CHECK(inlines("[206](value:roofline.ridge?dtype=bf16)") ==
        "<data class=\"value\" data-all=\"201 206 281 2,000\" data-w=\"2,000\" value=\"206.125\" "
        "title=\"datasheet; follows the device you choose\">206</data>");
  const std::string full = inlines("[206 FLOP/B](value:roofline.ridge)");
  CHECK(has(full, " 281\xC2\xA0" "FLOP/B 2,000\xC2\xA0" "FLOP/B\""));  // a text holds no plain space
  CHECK(has(full, ">206\xC2\xA0" "FLOP/B</data>"));
  // Devices without the number: nothing between two spaces, and nothing behind the last that has it.
  CHECK(has(inlines("[412](value:roofline.ridge?dtype=fp8)"), "data-all=\" 412 563\""));
  // Pinned, and the same on every device: nothing follows.
  const std::string pinned = inlines("[201](value:roofline.ridge?device=a100_40gb)");
  CHECK(has(pinned, "<data class=\"value value--pinned\" value=\"200.643\""));
  CHECK(has(pinned, " title=\"datasheet; for the A100 40 GB\">201</data>"));
  CHECK_FALSE(has(pinned, "data-all"));
  CHECK(inlines("[4](value:memory_transactions.sectors)") == "<data class=\"value value--pinned\" value=\"4\" title=\"computed\">4</data>");
  // No ghost when nothing is wider.
  CHECK_FALSE(has(inlines("[4.8 TB/s](value:roofline.bandwidth)"), "data-w=\"4.8"));
}

TEST_CASE_METHOD(Fixture, "stats set the unit small", "[body]") {
  const std::string html = body("```stats\nridge | [206](value:roofline.ridge) FLOP/B\nSMs | 132 SMs\nname | **bold**\nfull | [206 FLOP/B](value:roofline.ridge)\nmixed | [4.8 TB/s](value:roofline.bandwidth)\n```\n");
  check_html(html);
  CHECK(count(html, ">206</data><small>FLOP/B</small></dd>") == 2);
  // On another device the unit is GB/s: it stays with the number.
  CHECK(has(html, ">4.8\xC2\xA0" "TB/s</data></dd>"));
  CHECK(has(html, ">206</data><small>FLOP/B</small></dd>"));
  CHECK(has(html, "<dd>132<small>SMs</small></dd>"));
  CHECK(has(html, "<dd><strong>bold</strong></dd>"));
}

TEST_CASE_METHOD(Fixture, "footnotes become notes at the end of their block, once", "[body]") {
  const std::string html = body("A[^a] and b[^b].\n\nAgain[^a].\n\n- tight[^c]\n\n## H[^d]\n\n| x[^e] |\n|---|\n| y |\n\n> q[^f]\n\n[^a]: One *em* [w](term:warp).\n[^b]: Two[^g].\n[^c]: Three.\n[^d]: Four.\n[^e]: Five.\n[^f]: Six.\n[^g]: Seven.\n");
  check_html(html);
  CHECK(has(html, "A<a class=\"ref\" href=\"#sn-1\" id=\"ref-1\" role=\"doc-noteref\" aria-label=\"Note 1\">1</a> and b"));
  CHECK(has(html, ".<span class=\"sn\" role=\"note\" id=\"sn-1\"><b>1</b> One <em>em</em> <a class=\"term\""));
  CHECK(has(html, "<p>Again<a class=\"ref\" href=\"#sn-1\" role=\"doc-noteref\" aria-label=\"Note 1\">1</a>.</p>"));
  CHECK(count(html, "class=\"sn\"") == 7);
  for (int i = 1; i <= 7; ++i) CHECK(count(html, "id=\"sn-" + std::to_string(i) + "\"") == 1);
  // A note inside a note is no note inside a span.
  const size_t two = html.find("<b>2</b>");
  CHECK(html.find("</span><span class=\"sn\"", two) < html.find("Seven", two));
  // The heading's note stands below it.
  CHECK(html.find("</h2>") < html.find("Four."));
}

TEST_CASE_METHOD(Fixture, "headings, lists, tables, tasks, quotes", "[body]") {
  CHECK(body("## A *b*") == "<div class=\"text\">\n<h2 id=\"a-b\">A <em>b</em> <a class=\"hash\" href=\"#a-b\" aria-label=\"Link to A b\">#</a></h2>\n</div>\n");
  const std::string lists = body("3. x\n4. y\n\n- [x] d\n- [ ] e\n\n* loose\n\n  two\n* z\n\n> q\n");
  check_html(lists);
  CHECK(has(lists, "<ol start=\"3\">\n<li>x</li>"));
  CHECK(has(lists, "<span class=\"vh\">done:</span> d"));
  CHECK(has(lists, "<span class=\"vh\">to do:</span> e"));
  CHECK(has(lists, "<li><p>loose</p>\n<p>two</p>\n</li>"));
  CHECK(has(body("## Sources\n\n1. [p](source:paper): x\n"), "<ol class=\"sources\">"));
  const std::string table = body("## Sizes\n\n| | a | b |\n|---|--:|:-:|\n| x | - | |\n| y | 1 | 2 |\n\n| c |\n|---|\n");
  check_html(table);
  CHECK(has(table, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"lk-table-1\"><table><caption class=\"vh\" id=\"lk-table-1\">Table 1</caption>"));
  CHECK(has(table, "<caption class=\"vh\" id=\"lk-table-2\">Table 2</caption>"));
  CHECK(count(table, "<th scope=\"row\">") == 2);
  CHECK(has(table, "<tr><td></td><th scope=\"col\" class=\"num\">a</th><th scope=\"col\" class=\"mid\">b</th></tr>"));
  CHECK(count(table, "<span aria-hidden=\"true\">\xE2\x80\x94</span><span class=\"vh\">not available</span>") == 2);
  CHECK(count(table, "</thead>") == 2);
}

TEST_CASE_METHOD(Fixture, "addresses that paper spells out are marked once", "[body]") {
  CHECK(count(body("[a](https://x.org) [b](https://x.org) [c](#c) [d](#c)"), "again") == 1);
  const std::string listed = body("[p](source:paper)\n\n## Sources\n\n- [p](source:paper): all\n- [p](source:paper): more");
  CHECK(has(listed, "<p><a class=\"src again\""));
  CHECK(has(listed, "<li><a class=\"src\" href"));
  CHECK(count(listed, "again") == 2);
}

TEST_CASE_METHOD(Fixture, "listings: regions with their line numbers", "[body]") {
  const std::string html = body("```cuda file=a.cu#k caption=\"<x>\" hot=5,6 source=paper\n```\n");
  check_html(html);
  CHECK(has(html, "<code>a.cu</code><span class=\"list__lines\">lines 3\xE2\x80\x93" "6</span><span class=\"list__from\">after <a href=\"https://example.org"));
  CHECK(has(html, "<pre tabindex=\"0\" role=\"group\" aria-label=\"CUDA listing a.cu\"><code><span data-n=\"3\"><span class=\"ty\">int</span> x = <span class=\"nu\">1</span>;\n</span>"));
  CHECK(has(html, "<span data-n=\"5\" class=\"hot\"><span class=\"co\">/* one</span>\n</span><span data-n=\"6\" class=\"hot\"><span class=\"co\">two */</span>\n</span>"));
  CHECK(has(html, "<button class=\"tool\" type=\"button\" data-tool=\"copy\" hidden>Copy</button>"));
  CHECK(has(html, "<p class=\"list__cap\">&lt;x&gt;</p>"));
  check_html(body("    indented\n\n```\nplain <b>\n```\n"));
}

TEST_CASE("highlighting loses no character", "[body]") {
  const std::string_view code =
      "#include <x> // c\n__global__ void f(const float* a, uint32_t n) {\n  a[0] = 1'000.5e-3f + 0xFFu; /* b\n c */ char c = '\\''; s = \"a\\\"b\";\n}\n"
      "@triton.jit\ndef f(x: tl.constexpr):\n    '''doc\n  '''\n    return x # c\n.reg .f32 %f1;\nld.global.f32 %f1, [%rd1+4];\n\"unclosed\n/* unclosed\n\xC3\xBC <&> ";
  for (const std::string_view language : {"cuda", "cpp", "c", "ptx", "sass", "python", "mlir", "json", "sh", "console", "text", "", "other"}) {
    INFO(language);
    std::string plain;
    for (const std::string& line : render::highlighted(code, language)) {
      CHECK(count(line, "<span") == count(line, "</span>"));
      bool tag = false;
      for (const char c : line) {
        if (c == '<') tag = true;
        if (!tag) plain += c;
        if (c == '>') tag = false;
      }
      plain += '\n';
    }
    for (const auto& [entity, letter] : {std::pair("&lt;", "<"), std::pair("&gt;", ">"), std::pair("&quot;", "\""), std::pair("&#39;", "'"), std::pair("&amp;", "&")}) {
      for (size_t at = plain.find(entity); at != std::string::npos; at = plain.find(entity)) plain.replace(at, std::string_view(entity).size(), letter);
    }
    CHECK(plain == std::string(code) + "\n");
  }
}

TEST_CASE_METHOD(Fixture, "listings say where they come from and what checked them", "[body]") {
  const std::string html = body("```cuda file=a.cu#k source=paper caption=\"A <b>.\" checked=\"nvcc 13.0 & sm_90\"\n```");
  check_html(html);
  CHECK(has(html, "<span class=\"list__from\">after <a href=\"https://example.org/p?a=1&amp;b=2\""));
  CHECK(has(html, "<p class=\"list__cap\">A &lt;b&gt;. <span class=\"list__by\">Checked with nvcc 13.0 &amp; sm_90.</span></p>"));
  CHECK(has(body("```text checked=gcc\nx\n```"), "<p class=\"list__cap\"><span class=\"list__by\">Checked with gcc.</span></p>"));
}

TEST_CASE_METHOD(Fixture, "listings that can be run say which kernel", "[body]") {
  book.listings.push_back({"b.cu", "// [one]\n__device__ int sum(int x);\n__global__ void __launch_bounds__(64) sum_all(int* a) { a[0] = sum(1); }\n// [/one]\n// [two]\n__global__ void other(int* a) { sum_all(a); }\n// [/two]\n"});
  const auto run = [&](const std::string& of) {
    const std::string html = body("```cuda file=" + of + "\n```");
    const size_t at = html.find("data-run=\"");
    return at == std::string::npos ? std::string() : html.substr(at + 10, html.find('"', at + 10) - at - 10);
  };
  CHECK(run("b.cu#one").empty());
  book.launches = {{"a.cu", "sum_all"}, {"b.cu", "sum"}, {"b.cu", "sum_all<float>"}};
  CHECK(run("b.cu#one") == "sum_all");
  CHECK(run("b.cu#two").empty());
  CHECK(run("b.cu") == "sum_all");
}

TEST_CASE("every language has its keywords, types, numbers, strings and comments", "[body]") {
  struct Sample {
    std::string_view language, code;
    std::vector<std::string> spans;
  };
  const Sample samples[] = {
      {"cuda", "__global__ void f(float4* p) { /* c */ p[0x1F] = \"s\"; }", {"k:__global__", "k:void", "ty:float4", "co:/* c */", "nu:0x1F", "st:&quot;s&quot;"}},
      {"cpp", "template <int N> constexpr auto x = 1'000u; // c", {"k:template", "ty:int", "k:constexpr", "k:auto", "nu:1&#39;000u", "co:// c"}},
      {"ptx", ".reg .f32 %f<4>; // c\nld.global.f32 %f1, [%rd1+4];", {"k:.reg", "ty:.f32", "nu:4", "co:// c", "k:ld.global.f32", "nu:4"}},
      {"python", "@jit\ndef f(x: int):  # c\n    return 'a' + 1e-3", {"k:@jit", "k:def", "ty:int", "co:# c", "k:return", "st:&#39;a&#39;", "nu:1e-3"}},
      {"mlir", "func.func @f(%a: tensor<4xf32>) { // c\n  return %a : f32", {"k:func.func", "ty:tensor", "nu:4xf32", "co:// c", "k:return", "ty:f32"}},
      {"json", "{\"a\": [1.5, true]}", {"st:&quot;a&quot;", "nu:1.5", "k:true"}},
      {"sh", "if x; then # c\n  y \"z\"\nfi", {"k:if", "k:then", "co:# c", "st:&quot;z&quot;", "k:fi"}},
  };
  for (const Sample& sample : samples) {
    INFO(sample.language);
    std::vector<std::string> spans;
    for (const std::string& line : render::highlighted(sample.code, sample.language)) {
      const std::string open = "<span class=\"";
      for (size_t at = line.find(open); at != std::string::npos; at = line.find(open, at + 1)) {
        const size_t css = at + open.size(), words = line.find("\">", css);
        spans.push_back(line.substr(css, words - css) + ":" + line.substr(words + 2, line.find("</span>", words) - words - 2));
      }
    }
    CHECK(spans == sample.spans);
  }
}

TEST_CASE("what is highlighted", "[body]") {
  const auto line = [](std::string_view code, std::string_view language) { return render::highlighted(code, language).at(0); };
  CHECK(line("if (x) return 1.5f; // c", "cuda") == "<span class=\"k\">if</span> (x) <span class=\"k\">return</span> <span class=\"nu\">1.5f</span>; <span class=\"co\">// c</span>");
  CHECK(line("iffy int2x x1", "cuda") == "iffy int2x x1");
  CHECK(line("#pragma unroll", "cuda") == "<span class=\"k\">#pragma unroll</span>");
  CHECK(line("ld.global.f32 %f1, [%rd1];", "ptx").starts_with("<span class=\"k\">ld.global.f32</span> %f1"));
  CHECK(line("S2R R2, SR_TID.X;", "sass") == "<span class=\"k\">S2R</span> R2, SR_TID.X;");
  CHECK(line("  @!P0 IADD3 R6, P0, R6.reuse, UR4, RZ;", "sass") == "  @!P0 <span class=\"k\">IADD3</span> R6, P0, R6.reuse, UR4, RZ;");
  CHECK(line(".L_x_0:", "sass") == ".L_x_0:");
  CHECK(line(".reg .f32 %f<4>;", "ptx").starts_with("<span class=\"k\">.reg</span> <span class=\"ty\">.f32</span>"));
  CHECK(line("@triton.jit", "python") == "<span class=\"k\">@triton.jit</span>");
  CHECK(line("x = 'a' # b", "python") == "x = <span class=\"st\">&#39;a&#39;</span> <span class=\"co\"># b</span>");
  CHECK(line("{\"a\": true}", "json") == "{<span class=\"st\">&quot;a&quot;</span>: <span class=\"k\">true</span>}");
  CHECK(line("%0 = tt.load %1 : tensor", "mlir") == "%0 = <span class=\"k\">tt.load</span> %1 : <span class=\"ty\">tensor</span>");
  CHECK(line("<b>", "text") == "&lt;b&gt;");
  CHECK(render::highlighted("", "cuda").size() == 1);
  CHECK(render::highlighted("a\n\nb\n", "cuda").size() == 3);
}

TEST_CASE_METHOD(Fixture, "no tree gets markup or an address past the writer", "[body]") {
  const std::string evil = "\"'><script>alert(1)</script><a href=javascript:x onclick=y ";
  const std::string addresses[] = {"javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "\x01javascript:alert(1)", "data:text/html,<script>", "vbscript:x", "//evil.example",
                                   "\\\\evil", "/\\evil", " javascript:x", "https://ok.example/\"onclick=\"x", evil};
  for (int kind = 0; kind <= static_cast<int>(Kind::math); ++kind) {
    for (const std::string& address : addresses) {
      for (const bool parsed : {false, true}) {
        Node node;
        node.kind = static_cast<Kind>(kind);
        node.text = node.info = node.anchor = node.number = node.align = node.title = evil;
        node.target = parsed ? book::parse_target(address) : book::Target{};
        node.target.raw = address;
        if (!parsed) node.target.id = evil;
        node.target.query = {{evil, evil}};
        node.target.fragment = evil;
        node.options = {{"file", evil}, {"caption", evil}, {"source", evil}, {"hot", evil}, {"region", evil}};
        Node inner;
        inner.kind = Kind::text;
        inner.text = evil;
        node.children = {inner, inner};
        Node root;
        root.children = {node};
        if (node.kind == Kind::figure) continue;  // written by the caller's function
        INFO(kind << " " << address);
        check_html(render::body_html(context(), root));
        check_html(render::inline_html(context(), root));
        check_html(render::blocks_html(context(), root));
      }
    }
  }
}

TEST_CASE_METHOD(Fixture, "a tree of any depth is written", "[body]") {
  for (const Kind kind : {Kind::quote, Kind::list, Kind::item, Kind::emphasis, Kind::document, Kind::table, Kind::link, Kind::stats}) {
    Node node;
    node.kind = Kind::text;
    node.text = "x";
    for (int i = 0; i < 1000; ++i) {
      Node outer;
      outer.kind = kind;
      outer.children.push_back(std::move(node));
      node = std::move(outer);
    }
    Node root;
    root.children.push_back(std::move(node));
    check_html(render::body_html(context(), root));
    check_html(render::inline_html(context(), root));
  }
}

// Pieces of Markdown in random order: places stay inside the text, constructs stand at their bracket, the HTML is sound.
TEST_CASE_METHOD(Fixture, "random texts are read and written", "[body]") {
  static const std::string_view pieces[] = {"[", "]", "](", ")", "term:warp", "source:paper", "set:f?a=1", "value:roofline.ridge", "figure:f", "javascript:x", "`", "``", "```", "```cuda file=a.cu#k\n", "```stats\n",
                                            "\n", "\n\n", "> ", "- ", "1. ", "| ", "|", "|---|---|\n", "*", "**", "_", "<", ">", "<!--", "-->", "<b>", "[^a]", "[^a]: ", "![", "# ", "## ", "\\", "&#9;", "&lt;",
                                            "\xC3\xA9", "\xFF", std::string_view("\0", 1), "    ", "\t", "~~", "~~~\n", "https://e.org/a", "a@b.c", "[x](term:warp)", "[206](value:roofline.ridge)", "![c](figure:f)\n\n",
                                            "[r]: term:warp\n", "[r]", "- [ ] ", "a", " ", "word ", "\r\n", "\r", "\xEF\xB7\x90", "\xE2\xB8\xAD", "0"};
  Random random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    const uint32_t count = 1 + random.below(40);
    for (uint32_t i = 0; i < count; ++i) text += pieces[random.below(std::size(pieces))];
    INFO(json::quoted(text));
    std::vector<Problem> problems;
    const Node tree = book::parse_markdown(text, "t.md", 0, problems);
    std::vector<std::string> lines(1);
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'))) lines.emplace_back();
      else if (text[i] != '\r') lines.back() += text[i];
    }
    book::walk(tree, [&](const Node& n) {
      REQUIRE(n.at.line >= 1);
      REQUIRE(n.at.column >= 1);
      REQUIRE(static_cast<size_t>(n.at.line) <= lines.size());
      if (n.kind < Kind::term && n.kind != Kind::figure) return;
      const std::string& line = lines[static_cast<size_t>(n.at.line) - 1];
      const std::string_view here = std::string_view(line).substr(std::min(static_cast<size_t>(n.at.column) - 1, line.size()));
      INFO(n.target.raw << " at " << n.at.line << ":" << n.at.column);
      REQUIRE((here.starts_with("[") || here.starts_with("![") || here.starts_with("<")));
    });
    for (const Problem& p : problems) REQUIRE(static_cast<size_t>(p.error.at.line) <= lines.size());
    check_html(render::body_html(context(), tree));
    check_html(render::inline_html(context(), tree));
  }
}
