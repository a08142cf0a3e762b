// Pages as Markdown: what each construct becomes, and that the words survive.
#include <catch2/catch_all.hpp>

#include "base/random.h"
#include "render/page_markdown.h"
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
    assets.origin = "https://example.org";
    book.title = "Test";
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
    book::Chapter chapter;
    chapter.id = "one";
    chapter.title = "One";
    chapter.number = "1";
    chapter.url = "/chapters/one/";
    chapter.sections = {0, 1};
    book.chapters = {chapter};
    book::Term term;
    term.id = "warp";
    term.name = "Warp";
    term.sentence = "Threads of a [block](section:b).";
    term.aliases = {"warps"};
    book.terms = {term};
    book::Source paper;
    paper.id = "paper";
    paper.title = "A paper";
    paper.url = "https://example.org/p(1)";
    book.sources = {paper};
    book.listings = {{"a.cu", "// [k]\n\n  int x = 1;\n// [/k]\n"}};
  }
  static Node parse(std::string_view markdown) {
    std::vector<Problem> problems;
    return book::parse_markdown(markdown, "t.md", 0, problems);
  }
  template <class Use>
  std::string with(Use use) const {
    const render::PageContext page{book, catalog, assets, {}};
    const render::MarkdownContext context{page, [](const Node& n) { return render::FigureText{"Title of " + n.target.id, "It says *so*.", "| a |\n| --- |\n| 1 |\n"}; }};
    return use(context);
  }
  std::string body(std::string_view markdown) const {
    return with([&](const render::MarkdownContext& c) { return render::body_markdown(c, parse(markdown), "/chapters/one/b/"); });
  }
};

}  // namespace

TEST_CASE("addresses of Markdown pages", "[markdown-pages]") {
  CHECK(render::markdown_address("/") == "/index.md");
  CHECK(render::markdown_address("/chapters/one/") == "/chapters/one.md");
  CHECK(render::markdown_address("/chapters/one/b/") == "/chapters/one/b.md");
}

TEST_CASE_METHOD(Fixture, "constructs as plain Markdown", "[markdown-pages]") {
  CHECK(body("A [warp](term:warp) in [B](section:b#x) and [later](section:later).") ==
        "A [warp](https://example.org/sub/chapters/glossary/#warp) in [B](https://example.org/sub/chapters/one/b/#x) and later.");
  CHECK(body("[P](source:paper) has [206](value:roofline.ridge) FLOP/B") == "[P](https://example.org/p%281%29) has 206 FLOP/B");
  CHECK(body("[fp8](set:roofline?dtype=fp8) [here](#x)") ==
        "[fp8](https://example.org/sub/chapters/one/b/?roofline.dtype=fp8#fig-roofline) [here](https://example.org/sub/chapters/one/b/#x)");
  CHECK(body("![Try *it*](figure:roofline)") ==
        "**Figure. Title of roofline.** Try *it*\n\nIt says \\*so\\*.\n\n| a |\n| --- |\n| 1 |\n\n[Move the figure](https://example.org/sub/chapters/one/b/#fig-roofline)");
  CHECK(body("```cuda file=a.cu#k source=paper caption=\"So.\"\n```") == "`a.cu`, line 3, after [A paper](https://example.org/p%281%29):\n\n```cuda\nint x = 1;\n```\n\nSo.");
  CHECK(body("````text\n```\n````") == "````\n```\n````");
  CHECK(body("```stats\nridge | [206](value:roofline.ridge) FLOP/B\n```") == "- ridge: 206 FLOP/B");
  CHECK(body("| a | b |\n|--:|:-:|\n| `x\\|y` | $z$ |") == "| a | b |\n| --: | :-: |\n| `x\\|y` | $z$ |");
  CHECK(body("a[^n]\n\n[^n]: Note.") == "a[^1]\n\n[^1]: Note.");
  CHECK(body("$$\nx\n$$\n\n$y$ for \\$5") == "$$\nx\n$$\n\n$y$ for \\$5");
  CHECK(body("- a\n- b\n  - c\n\n> q\n>\n> r\n\n1. x\n\n   y\n2. z") == "- a\n- b\n  - c\n\n> q\n>\n> r\n\n1. x\n\n   y\n\n2. z");
  CHECK(body("- [x] a\n- [ ] b\n\n* c") == "- [x] a\n- [ ] b\n\n* c");
  CHECK(body("[x](javascript:alert) a<b\\<b>") == "x a\\<b\\<b>");
}

TEST_CASE_METHOD(Fixture, "pages have a title and say where they come from", "[markdown-pages]") {
  book.sections[0].lede = "In short.";
  const std::string section = with([&](const auto& c) { return render::section_markdown(c, book.sections[0]); });
  CHECK(section == "# 1.2 B \\& C\n\nFrom [Test](https://example.org/sub/): <https://example.org/sub/chapters/one/b/>\n\n*In short.*\n");
  const std::string chapter = with([&](const auto& c) { return render::chapter_markdown(c, book.chapters[0]); });
  CHECK(chapter.find("- [1.2 B \\& C](https://example.org/sub/chapters/one/b/)\n- 1.2 B \\& C (not written yet)\n") != std::string::npos);
  book::TextPage about;
  about.title = "About";
  about.url = "/about/";
  about.summary = "Who and why.";
  about.body = parse("See [B](section:b).");
  book.text_pages = {about};
  CHECK(with([&](const auto& c) { return render::text_markdown(c, book.text_pages[0]); }).find("# About\n\nFrom [Test](https://example.org/sub/): <https://example.org/sub/about/>\n\nSee [B](https://example.org/sub/chapters/one/b/).\n") == 0);
  CHECK(with([&](const auto& c) { return render::llms_text(c); }).find("- [About](https://example.org/sub/about.md): Who and why.\n") != std::string::npos);
  const std::string glossary = with([&](const auto& c) { return render::glossary_markdown(c); });
  CHECK(glossary.find("## Warp\n\n(also: warps)\n\nThreads of a [block](https://example.org/sub/chapters/one/b/).\n") != std::string::npos);
  const std::string llms = with([&](const auto& c) { return render::llms_text(c); });
  CHECK(llms.find("# Test\n") == 0);
  CHECK(llms.find("## 1 One\n\n- [Overview](https://example.org/sub/chapters/one.md)\n- [1.2 B \\& C](https://example.org/sub/chapters/one/b.md)\n") != std::string::npos);
  CHECK(llms.find("later") == std::string::npos);
  assets.origin.clear();
  CHECK(with([&](const auto& c) { return render::section_markdown(c, book.sections[0]); }).find("From [Test](/sub/): [/chapters/one/b/](/sub/chapters/one/b/)\n") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "words come back as they were", "[markdown-pages]") {
  const auto same = [&](const std::string& markdown) {
    const Node before = parse(markdown);
    const std::string written = body(markdown);
    INFO(markdown << "\n----\n" << written);
    CHECK(book::plain_text(parse(written)) == book::plain_text(before));
    CHECK(body(written) == written);
  };
  for (const char* text : {"1\\. no list", "\\# no heading", "\\- no item", "\\> no quote", "a \\* b \\* c", "\\*a\\*", "snake_case and \\_this\\_", "a\\|b", "| a\\|b |\n|---|\n| c\\|d |", "`` a`b ``", "` `` `",
                           "\\[a\\](b)", "a \\~\\~b\\~\\~", "&amp;lt; &lt;b&gt;", "\\\\frac", "a\\\nb", "1) x\n\n1. y", "\\+ a", "\\=\\=", "**a**b*c*", "a\\\n\\==", "- a\n\n  ```c\n  x\n\n  y\n  ```\n- b"}) {
    same(text);
  }
  Random random(11);
  const std::string parts[] = {"a", " ", "*", "_", "`", "[", "]", "(", ")", "<", ">", "&", "#", "-", "1.", "|", "\\", "~~", "$", "!", "\n", "\n\n", "- ", "> ", "b"};
  for (int i = 0; i < 300; ++i) {
    std::string text;
    for (int n = 0; n < 14; ++n) text += parts[random.next() % std::size(parts)];
    std::vector<Problem> problems;
    book::parse_markdown(text, "t.md", 0, problems);
    if (problems.empty()) {
      const std::string written = body(text);
      INFO(text << "\n----\n" << written);
      CHECK(book::plain_text(parse(written)) == book::plain_text(parse(text)));
    }
  }
}
