// TeX to MathML, and formulas in Markdown.
#include <catch2/catch_all.hpp>

#include <algorithm>
#include <ctime>

#include "book/document.h"
#include "math/symbols.h"
#include "math/tex.h"
#include "support/xml.h"

using namespace lk;
using math::to_mathml;

namespace {

// What stands between <semantics><mrow> and its end.
std::string row(std::string_view tex, bool display = false) {
  const math::Formula f = to_mathml(tex, display);
  for (const auto& fault : f.faults) UNSCOPED_INFO(fault.at << ": " << fault.what);
  CHECK(f.faults.empty());
  const std::string open = "<semantics><mrow>", close = "</mrow><annotation";
  const size_t from = f.mathml.find(open) + open.size();
  return f.mathml.substr(from, f.mathml.find(close) - from);
}

std::vector<std::string> faults(std::string_view tex) {
  std::vector<std::string> out;
  for (const auto& f : to_mathml(tex, true).faults) out.push_back(std::to_string(f.at) + ": " + f.what + " (" + f.hint + ")");
  return out;
}

using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("letters, numbers, operators", "[tex]") {
  CHECK(row("x") == "<mi>x</mi>");
  CHECK(row("2x+1") == "<mn>2</mn><mi>x</mi><mo>+</mo><mn>1</mn>");
  CHECK(row("1,024.5 , 3") == "<mn>1,024.5</mn><mo separator=\"true\">,</mo><mn>3</mn>");
  CHECK(row("f(1,2)").find("<mn>1</mn><mo separator") != std::string::npos);
  CHECK(row("a<b") == "<mi>a</mi><mo>&lt;</mo><mi>b</mi>");
  CHECK(row("\\alpha\\Delta") == "<mi class=\"greek\">α</mi><mi mathvariant=\"normal\">Δ</mi>");
  CHECK(row("a \\le b \\times c") == "<mi>a</mi><mo>≤</mo><mi>b</mi><mo>×</mo><mi>c</mi>");
  CHECK(row("50\\%") == "<mn>50</mn><mi mathvariant=\"normal\">%</mi>");
  CHECK(row("\\mathbb{R}\\mathbb{E}\\mathcal{O}") == "<mi mathvariant=\"normal\">ℝ</mi><mi mathvariant=\"normal\">𝔼</mi><mi mathvariant=\"normal\">𝒪</mi>");
}

TEST_CASE("a sign belongs to what follows it where nothing stands before", "[tex]") {
  CHECK(row("-1") == "<mo form=\"prefix\">−</mo><mn>1</mn>");
  CHECK(row("a-1") == "<mi>a</mi><mo>−</mo><mn>1</mn>");
  CHECK(row("a=-1") == "<mi>a</mi><mo>=</mo><mo form=\"prefix\">−</mo><mn>1</mn>");
  CHECK(row("(-1)-1").find("</mo><mo>−</mo>") != std::string::npos);
  CHECK(row("2^{-1}-1") == "<msup><mn>2</mn><mrow><mo form=\"prefix\">−</mo><mn>1</mn></mrow></msup><mo>−</mo><mn>1</mn>");
}

TEST_CASE("scripts", "[tex]") {
  CHECK(row("x^2") == "<msup><mi>x</mi><mn>2</mn></msup>");
  CHECK(row("x_i^2") == row("x^2_i"));
  CHECK(row("x_i^2") == "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>");
  CHECK(row("2^10") == "<msup><mn>2</mn><mn>1</mn></msup><mn>0</mn>");
  CHECK(row("x_{\\text{max}}") == "<msub><mi>x</mi><mrow><mtext>max</mtext></mrow></msub>");
  CHECK(row("\\text{ if }x") == "<mtext>\u00a0if\u00a0</mtext><mi>x</mi>");
  CHECK(row("f'") == "<msup><mi>f</mi><mo>′</mo></msup>");
  CHECK(row("{}_a") == "<msub><mrow></mrow><mi>a</mi></msub>");
  CHECK(row("x^\\frac12").find("<msup><mi>x</mi><mfrac>") == std::string::npos);  // one element, whatever it holds
}

TEST_CASE("limits go above and below in a display only", "[tex]") {
  CHECK(row("\\sum_{i=1}^n i", true).find("<munderover><mo>∑</mo>") == 0);
  CHECK(row("\\sum_{i=1}^n i").find("<msubsup><mo>∑</mo>") == 0);
  CHECK(row("\\max_i x_i", true).find("<munder><mi mathvariant=\"normal\">max</mi><mi>i</mi></munder>") == 0);
  CHECK(row("\\frac{\\sum_i x}{2}", true).find("<munder>") == std::string::npos);
  CHECK(row("\\dfrac{1}{2}") == "<mstyle displaystyle=\"true\"><mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac></mstyle>");
  CHECK(row("\\int_0^1 x", true).find("<msubsup><mo>∫</mo>") == 0);
}

TEST_CASE("names are applied to what follows", "[tex]") {
  CHECK(row("\\log x") == "<mi mathvariant=\"normal\">log</mi><mo>\u2061</mo><mspace width=\"0.1667em\"></mspace><mi>x</mi>");
  CHECK(row("\\log(x)").find("<mo>\u2061</mo><mo form") != std::string::npos);
  CHECK(row("\\log_2 n").find("<msub><mi mathvariant=\"normal\">log</mi><mn>2</mn></msub><mo>\u2061</mo>") == 0);
  CHECK(row("\\log_{n} = 1").find("\u2061") == std::string::npos);
  CHECK(row("n \\ln n").find("<mi>n</mi><mspace width=\"0.1667em\"></mspace><mi mathvariant=\"normal\">ln</mi>") == 0);
  CHECK(row("\\operatorname{softmax}(z)") == "<mi mathvariant=\"normal\">softmax</mi><mo>\u2061</mo><mo form=\"prefix\" stretchy=\"false\">(</mo><mi>z</mi><mo form=\"postfix\" stretchy=\"false\">)</mo>");
}

TEST_CASE("fractions, roots, delimiters", "[tex]") {
  CHECK(row("\\frac{a}{b}") == "<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac>");
  CHECK(row("\\frac12") == "<mfrac><mn>1</mn><mn>2</mn></mfrac>");
  CHECK(row("\\sqrt{d}") == "<msqrt><mrow><mi>d</mi></mrow></msqrt>");
  CHECK(row("\\sqrt[3]{d}") == "<mroot><mrow><mi>d</mi></mrow><mrow><mn>3</mn></mrow></mroot>");
  CHECK(row("\\left\\lceil \\frac nk \\right\\rceil") ==
        "<mrow><mo form=\"prefix\" fence=\"true\" stretchy=\"true\">⌈</mo><mfrac><mi>n</mi><mi>k</mi></mfrac><mo form=\"postfix\" fence=\"true\" stretchy=\"true\">⌉</mo></mrow>");
  CHECK(row("\\lfloor x \\rfloor").find("stretchy=\"false\">⌊") != std::string::npos);
  CHECK(row("\\left. x \\right|").find("<mrow><mi>x</mi><mo") == 0);
  CHECK(row("\\left[ a \\rightarrow b \\right]").find("→") != std::string::npos);
  CHECK(row("\\underbrace{a+b}_{n}", true).find("<munder><munder>") == 0);
  CHECK(row("\\hat{x}") == "<mover accent=\"true\"><mrow><mi>x</mi></mrow><mo stretchy=\"false\">^</mo></mover>");
}

TEST_CASE("environments", "[tex]") {
  const std::string lines = row("\\begin{aligned} a &= b \\\\ &= c \\\\ \\end{aligned}", true);
  CHECK(lines == "<mtable class=\"aligned\" displaystyle=\"true\"><mtr><mtd><mi>a</mi></mtd><mtd><mo>=</mo><mi>b</mi></mtd></mtr><mtr><mtd></mtd><mtd><mo>=</mo><mi>c</mi></mtd></mtr></mtable>");
  CHECK(row("\\begin{cases} 0 & x<0 \\\\ 1 & \\text{otherwise} \\end{cases}", true).find("<mtable class=\"cases\">") != std::string::npos);
  CHECK(row("\\begin{bmatrix} 1 & 0 \\\\ 0 & 1 \\end{bmatrix}").find(">]</mo></mrow>") != std::string::npos);
}

TEST_CASE("the TeX stays with the formula, escaped", "[tex]") {
  const std::string all = to_mathml("a<b\\text{ \"&\" }", false).mathml;
  CHECK(all.find("<annotation encoding=\"application/x-tex\">a&lt;b\\text{ &quot;&amp;&quot; }</annotation>") != std::string::npos);
  CHECK(all.find("style=") == std::string::npos);
  CHECK(to_mathml("x", true).mathml.find("<math display=\"block\">") == 0);
}

TEST_CASE("faults have a place and a hint", "[tex]") {
  CHECK(faults("a + \\frc{1}{2}") == Strings{"4: unknown command \\frc (did you mean \\frac?)"});
  CHECK(faults("\\tims x \\neither") == Strings{"0: unknown command \\tims (did you mean \\times?)", "8: unknown command \\neither (formulas have no macros, and words stand in \\text{...})"});
  CHECK(faults("a × b") == Strings{"2: `×` in a formula (write \\times)"});
  CHECK(faults("x^{2") == Strings{"2: `{` is never closed (write } after the group)"});
  CHECK(faults("x}") == Strings{"1: `}` closes nothing (remove it, or write \\} for a brace)"});
  CHECK(faults("x^") == Strings{"2: nothing follows `^` (write {...} after it)"});
  CHECK(faults("x^1^2") == Strings{"3: a second `^` on the same base (put braces around one of them)"});
  CHECK(faults("50%") == Strings{"2: a bare `%` (write \\%)"});
  CHECK(faults("a & b")[0].find("2: `&` outside of an environment") == 0);
  CHECK(faults("a \\\\ b")[0].find("2: a line break outside of an environment") == 0);
  CHECK(faults("\\left( x")[0].find("0: \\left without \\right") == 0);
  CHECK(faults("x \\right)")[0].find("2: \\right without \\left") == 0);
  CHECK(faults("\\begin{alined} x \\end{alined}")[0].find("unknown environment `alined` (did you mean `aligned`?)") != std::string::npos);
  CHECK(faults("\\begin{cases} x")[0].find("\\begin{cases} is never closed") != std::string::npos);
  CHECK(faults("\\begin{cases} x \\end{aligned}")[0].find("\\end{aligned} closes \\begin{cases}") != std::string::npos);
  CHECK(faults("  ")[0].find("an empty formula") != std::string::npos);
}

TEST_CASE("every command of the table stands for something, once", "[tex]") {
  for (const std::string_view name : math::symbol_names()) {
    INFO(name);
    CHECK(math::symbol(name)->name == name);
    const auto f = to_mathml("\\" + std::string(name) + "{x}", true);
    CHECK(f.faults.empty());
    std::vector<std::string_view> names = math::symbol_names();
    CHECK(std::count(names.begin(), names.end(), name) == 1);
  }
}

TEST_CASE("whatever stands in a formula, the result is well formed and comes soon", "[tex]") {
  const std::string parts[] = {"{", "}", "^", "_", "\\", "&", "\\\\", "\\frac", "\\left(", "\\right)", "\\begin{cases}", "\\end{cases}", "x", "1", "'", "\\sqrt[", "]", "\\text{", "\\hat", "\\log", "é", "<"};
  uint32_t state = 7;
  for (int i = 0; i < 3000; ++i) {
    std::string tex;
    for (int n = 0; n < 12; ++n) {
      state = state * 1664525u + 1013904223u;
      tex += parts[(state >> 16) % std::size(parts)];
    }
    INFO(tex);
    std::vector<test::Element> elements;
    const std::string fault = test::read_xml(to_mathml(tex, (i & 1) != 0).mathml, elements);
    REQUIRE(fault == "");
  }
  const std::clock_t start = std::clock();
  for (const char* part : {"{", "x^", "\\left(", "\\sqrt[", "\\frac", "\\begin{cases}", "\\hat"}) {
    std::string tex;
    while (tex.size() < 100000) tex += part;
    CHECK(!to_mathml(tex, true).faults.empty());
  }
  CHECK(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < 5.0);
}

namespace {

book::Node parse(std::string_view markdown) {
  std::vector<Problem> problems;
  book::Node tree = book::parse_markdown(markdown, "t.md", 0, problems);
  for (const Problem& p : problems) UNSCOPED_INFO(text(p));
  CHECK(problems.empty());
  return tree;
}

// "math:x", "formula:x", "display:x" with their places.
Strings formulas(std::string_view markdown) {
  Strings out;
  const book::Node tree = parse(markdown);
  book::walk(tree, [&](const book::Node& n) {
    if (n.kind != book::Kind::math && n.kind != book::Kind::formula) return;
    out.push_back((n.kind == book::Kind::formula ? "formula:" : n.level == 1 ? "display:" : "math:") + n.text + "@" + std::to_string(n.at.line) + ":" + std::to_string(n.at.column));
  });
  return out;
}

Strings problems_of(std::string_view markdown) {
  std::vector<Problem> problems;
  book::parse_markdown(markdown, "t.md", 0, problems);
  Strings out;
  for (const Problem& p : problems) out.push_back(text(p));
  return out;
}

}  // namespace

TEST_CASE("formulas in Markdown", "[tex][markdown]") {
  CHECK(formulas("The $x_1 * y_2 * z$ is *it*.") == Strings{"math:x_1 * y_2 * z@1:5"});
  CHECK(formulas("$a$ and **$b$** and [$c$](https://x.org)") == Strings{"math:a@1:1", "math:b@1:11", "math:c@1:22"});
  // Its lines are no list, heading or rule.
  CHECK(formulas("Text\n\n$$\n\\begin{aligned}\n- a &= b \\\\\n+ &= c\n=\n\\end{aligned}\n$$\n\nmore") ==
        Strings{"formula:\\begin{aligned}\n- a &= b \\\\\n+ &= c\n=\n\\end{aligned}@3:1"});
  CHECK(formulas("$$ a = b $$") == Strings{"formula:a = b@1:1"});
  CHECK(formulas("so\n$$\na\n= b\n$$\nthen $c$") == Strings{"display:a\n= b@2:1", "math:c@6:6"});
  CHECK(formulas("> - $$\n>   a\n>   $$\n>   $b$") == Strings{"display:a@1:5", "math:b@4:5"});
  CHECK(formulas("| a | b |\n|---|---|\n| $x$ | $5 | 3$ |") == Strings{"math:x@3:3"});
  CHECK(formulas("## The $n$\n\n- $i$\n") == Strings{"math:n@1:8", "math:i@3:3"});
  const book::Node tree = parse("so\n$$\na\n= b\n$$\nthen");
  CHECK(book::plain_text(tree) == "so a\n= b then");
}

TEST_CASE("dollars are no formulas", "[tex][markdown]") {
  for (const char* words : {"It costs $5.", "From $5 to $6.", "a $ b$ c", "$5-$6", "US$ 5 and CA$ 6", "5$ and 6$7", "\\$a\\$", "`$a$`", "$a\nb$", "$a `b$ c`", "```sh\n$ls\n\n$a$\n```", "    $a$\n",
                            "<!-- $a$ -->"}) {
    INFO(words);
    CHECK(formulas(words).empty());
  }
  CHECK(parse("```sh\necho $$\n```\n\n$x$ costs $$ y $$").children.size() == 2);
  CHECK(parse("    $$\n    a\n    $$").children[0].text == "$$\na\n$$\n");
  CHECK(parse("```\n$a$ $$\nb\n$$\n```").children[0].text == "$a$ $$\nb\n$$\n");
  CHECK(parse("`` $$a$$ ``").children[0].children[0].text == "$$a$$");
  CHECK(parse("[x](https://x.org/$a$?b \"$t$\")").children[0].children[0].target.raw == "https://x.org/$a$?b");
  CHECK(book::plain_text(parse("From $5 to $6.")) == "From $5 to $6.");
}

TEST_CASE("faults of formulas in Markdown have their places", "[tex][markdown]") {
  CHECK(problems_of("> a $\\frc 1$") == Strings{"t.md:1:6: error: unknown command \\frc (did you mean \\frac?)"});
  CHECK(problems_of("> $$\n> a\n> + \\tims\n> $$") == Strings{"t.md:3:5: error: unknown command \\tims (did you mean \\times?)"});
  CHECK(problems_of("text\n\n$$\na\n\n$$") == Strings{"t.md:3:1: error: `$$` opens a formula that never closes (close it with $$ before the next empty line, or write \\$\\$)",
                                                        "t.md:6:1: error: `$$` opens a formula that never closes (close it with $$ before the next empty line, or write \\$\\$)"});
  CHECK(problems_of("the $ \\frac{1}{2}$")[0].find("t.md:1:7: error: \\frac outside of a formula") == 0);
  CHECK(problems_of("$\\text{a}\n") != Strings{});
  CHECK(problems_of("a \xEF\xB7\x91" "0.0\xEF\xB7\x92 b")[0].find("U+FDD1") != std::string::npos);
}
