// What stands for more than one sign: fractions, roots, alphabets, delimiters, environments, numbers.
#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/utf8.h"
#include "math/parser.h"

namespace lk::math {
namespace {

constexpr std::array<std::string_view, 6> environments = {"aligned", "cases", "matrix", "pmatrix", "bmatrix", "vmatrix"};
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string Parser::number() {
  const size_t from = at_;
  while (at_ < tex_.size()) {
    if (is_digit(tex_[at_])) {
      ++at_;
    } else if (tex_[at_] == '.' && at_ + 1 < tex_.size() && is_digit(tex_[at_ + 1])) {
      ++at_;
    } else if (tex_[at_] == ',' && at_ > from && three_digits(at_ + 1)) {
      ++at_;
    } else {
      break;
    }
  }
  return element("mn", "", tex_.substr(from, at_ - from));
}

bool Parser::three_digits(size_t at) const {
  return at + 3 <= tex_.size() && is_digit(tex_[at]) && is_digit(tex_[at + 1]) && is_digit(tex_[at + 2]) && (at + 3 == tex_.size() || !is_digit(tex_[at + 3]));
}

Atom Parser::fraction(const std::string& name) {
  const bool display = style_display_;
  const bool large = name == "dfrac" || (name == "frac" && display);
  style_display_ = false;
  const std::string above = argument("\\" + name);
  const std::string below = argument("\\" + name);
  style_display_ = display;
  if (name == "binom") {
    return {grouped("<mo form=\"prefix\">(</mo>" + element("mfrac", " linethickness=\"0\"", above + below) + "<mo form=\"postfix\">)</mo>"), Role::term};
  }
  std::string out = element("mfrac", "", above + below);
  if (name != "frac" && large != display) out = element("mstyle", large ? " displaystyle=\"true\"" : " displaystyle=\"false\"", out);
  return {std::move(out), Role::term};
}

Atom Parser::root() {
  blanks();
  std::string index;
  if (at_ < tex_.size() && tex_[at_] == '[') {
    const size_t open = at_;
    if (!enter(open)) return {};
    ++at_;
    const bool kept = std::exchange(bracket_, true);
    const Role before = before_;
    index = grouped(row());
    --depth_;
    before_ = before;
    bracket_ = kept;
    if (at_ < tex_.size() && tex_[at_] == ']') {
      ++at_;
    } else {
      fault(open, "`[` of \\sqrt is never closed", "write ] after the root's degree");
    }
  }
  const std::string inner = argument("\\sqrt");
  return {index.empty() ? element("msqrt", "", inner) : element("mroot", "", inner + index), Role::term};
}

std::optional<Atom> Parser::alphabet(const std::string& name) {
  if (name != "mathrm" && name != "mathit" && name != "mathbf" && name != "mathsf" && name != "mathtt" && name != "mathbb" && name != "mathcal") return std::nullopt;
  const size_t from = at_;
  const std::string words = argument_text();
  if (name == "mathbb" || name == "mathcal") {
    std::string out;
    for (const char c : words) {
      const std::string sign = name == "mathbb" ? blackboard(c) : script(c);
      if (sign.empty()) fault(from, "\\" + name + " knows capitals only", "write one letter from A to Z");
      out += sign;
    }
    return Atom{element("mi", " mathvariant=\"normal\"", out), Role::term};
  }
  const std::string css = name == "mathrm" ? "" : " class=\"" + name.substr(4) + "\"";
  return Atom{element("mi", css + (name == "mathit" ? "" : " mathvariant=\"normal\""), html_escaped(words)), Role::term};
}

std::string Parser::delimiter() {
  blanks();
  if (at_ >= tex_.size()) {
    fault(at_, "a delimiter is missing", "write ( [ | \\{ \\lceil ... or a point for none");
    return {};
  }
  const size_t from = at_;
  if (tex_[at_] == '\\') {
    const std::string name = command_name();
    const Symbol* s = symbol(name);
    if (s != nullptr && (s->sort == Sort::open || s->sort == Sort::close || s->sort == Sort::fence)) return std::string(s->text);
  } else {
    const char c = tex_[at_++];
    if (c == '.') return {};
    if (std::string_view("()[]|/").find(c) != std::string_view::npos) return std::string(1, c);
  }
  fault(from, "`" + std::string(tex_.substr(from, at_ - from)) + "` is no delimiter", "write ( [ | \\{ \\lceil ... or a point for none");
  return {};
}

Atom Parser::fenced(size_t from) {
  const std::string open = delimiter();
  if (!enter(from)) return {};
  const bool bracket = std::exchange(bracket_, false);
  std::string inner = row();
  bracket_ = bracket;
  --depth_;
  std::string close;
  if (looking_at("\\right")) {
    at_ += 6;
    close = delimiter();
  } else {
    fault(from, "\\left without \\right", "write \\right after the group, with a point for no sign");
  }
  const auto side = [](const std::string& sign, std::string_view form) {
    return sign.empty() ? std::string() : element("mo", std::string(form) + " fence=\"true\" stretchy=\"true\"", sign);
  };
  return {grouped(side(open, " form=\"prefix\"") + inner + side(close, " form=\"postfix\"")), Role::term};
}

Atom Parser::sized(const std::string& name) {
  const std::string sign = delimiter();
  const std::string size = name == "big" ? "1.2em" : name == "Big" ? "1.8em" : name == "bigg" ? "2.4em" : "3em";
  const bool opens = sign == "(" || sign == "[" || sign == "{" || sign == "⌈" || sign == "⌊" || sign == "⟨";
  return {fence(sign, " stretchy=\"true\" minsize=\"" + size + "\" maxsize=\"" + size + "\""), opens ? Role::open : Role::term};
}

Atom Parser::braced(const std::string& name) {
  const std::string inner = argument("\\" + name);
  const bool over = name == "overbrace";
  const std::string sign = name == "underline" ? "_" : over ? "⏞" : "⏟";
  return {element(over ? "mover" : "munder", "", inner + element("mo", " stretchy=\"true\"", sign)), name == "underline" ? Role::term : Role::large};
}

Atom Parser::environment(size_t from) {
  const std::string name = argument_text();
  if (std::find(environments.begin(), environments.end(), name) == environments.end()) {
    const std::string near = closest(name, environments);
    fault(from, "unknown environment `" + name + "`", near.empty() ? "environments are aligned, cases, matrix, pmatrix, bmatrix and vmatrix" : "did you mean `" + near + "`?");
  }
  if (!enter(from)) return {};
  const bool bracket = std::exchange(bracket_, false);
  const bool display = std::exchange(style_display_, name == "aligned" && display_);
  std::string rows, cells;
  bool any = false;
  const auto end_row = [&] {
    if (any) rows += element("mtr", "", cells);
    cells.clear();
    any = false;
  };
  while (true) {
    const std::string content = row();
    const bool more = at_ < tex_.size() && (tex_[at_] == '&' || looking_at("\\\\"));
    // A line break before \end begins no line.
    if (more || !content.empty() || any) {
      cells += element("mtd", "", content);
      any = true;
    }
    if (!more) break;
    if (tex_[at_] == '&') {
      ++at_;
      continue;
    }
    at_ += 2;
    end_row();
  }
  end_row();
  style_display_ = display;
  bracket_ = bracket;
  --depth_;
  if (looking_at("\\end")) {
    const size_t at = at_;
    at_ += 4;
    const std::string closed = argument_text();
    if (closed != name) fault(at, "\\end{" + closed + "} closes \\begin{" + name + "}", "write \\end{" + name + "}");
  } else {
    fault(from, "\\begin{" + name + "} is never closed", "write \\end{" + name + "} after its lines");
  }
  const bool aligned = name == "aligned";
  std::string table = element("mtable", aligned ? (display_ ? " class=\"aligned\" displaystyle=\"true\"" : " class=\"aligned\"") : name == "cases" ? " class=\"cases\"" : "", rows);
  const std::string_view open = name == "cases" ? "{" : name == "pmatrix" ? "(" : name == "bmatrix" ? "[" : name == "vmatrix" ? "|" : "";
  const std::string_view close = name == "pmatrix" ? ")" : name == "bmatrix" ? "]" : name == "vmatrix" ? "|" : "";
  if (open.empty()) return {std::move(table), Role::term};
  std::string out = element("mo", " form=\"prefix\" fence=\"true\" stretchy=\"true\"", open) + table;
  if (!close.empty()) out += element("mo", " form=\"postfix\" fence=\"true\" stretchy=\"true\"", close);
  return {grouped(std::move(out)), Role::term};
}

}  // namespace lk::math
