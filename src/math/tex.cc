#include "math/tex.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/utf8.h"
#include "math/parser.h"

namespace lk::math {
namespace {

constexpr std::array<std::string_view, 28> constructs = {
    "frac", "dfrac", "tfrac", "binom", "sqrt", "text", "mathrm", "mathit", "mathbf", "mathsf", "mathtt", "mathbb", "mathcal", "operatorname", "operatorname*",
    "left", "right", "big", "Big", "bigg", "Bigg", "begin", "end", "underbrace", "overbrace", "underline", "limits", "pmod"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string element(std::string_view tag, std::string_view attributes, std::string_view content) {
  std::string out("<");
  out.append(tag).append(attributes).append(">").append(content).append("</").append(tag).append(">");
  return out;
}

std::string Parser::run() {
  std::string out;
  while (true) {
    out += row();
    if (at_ >= tex_.size()) break;
    // Only what closes something stops a row early.
    if (tex_[at_] == '}') {
      fault(at_, "`}` closes nothing", "remove it, or write \\} for a brace");
      ++at_;
    } else if (looking_at("\\right")) {
      fault(at_, "\\right without \\left", "write \\left before it");
      at_ += 6;
      delimiter();
    } else if (looking_at("\\end")) {
      fault(at_, "\\end without \\begin", "remove it");
      at_ += 4;
      argument_text();
    } else if (tex_[at_] == '&') {
      fault(at_, "`&` outside of an environment", "write \\& for the sign, or put the lines into \\begin{aligned}");
      ++at_;
    } else if (looking_at("\\\\")) {
      fault(at_, "a line break outside of an environment", "put the lines into \\begin{aligned} ... \\end{aligned}");
      at_ += 2;
    } else {
      ++at_;
    }
  }
  return out;
}

void Parser::fault(size_t at, std::string what, std::string hint) {
  if (!deep_) faults.push_back({at, std::move(what), std::move(hint)});
}

bool Parser::enter(size_t at) {
  if (depth_ < deepest_group) {
    ++depth_;
    return true;
  }
  fault(at, "nested deeper than " + std::to_string(deepest_group) + " levels", "make the formula flatter");
  deep_ = true;
  at_ = tex_.size();
  return false;
}

void Parser::blanks() {
  while (at_ < tex_.size() && (tex_[at_] == ' ' || tex_[at_] == '\n' || tex_[at_] == '\t')) ++at_;
}

bool Parser::looking_at(std::string_view command) const {
  if (tex_.substr(at_, command.size()) != command) return false;
  const size_t after = at_ + command.size();
  return !is_letter(command.back()) || after >= tex_.size() || !is_letter(tex_[after]);
}

bool Parser::at_stop() const {
  return at_ >= tex_.size() || tex_[at_] == '}' || tex_[at_] == '&' || looking_at("\\right") || looking_at("\\end") || looking_at("\\\\") ||
         (bracket_ && tex_[at_] == ']');
}

std::string Parser::row() {
  std::string out;
  before_ = Role::none;
  for (blanks(); !at_stop(); blanks()) {
    Atom atom = scripted();
    out += atom.xml;
    if (atom.role != Role::none) before_ = atom.role;
  }
  return out;
}

std::string Parser::argument(std::string_view of) {
  blanks();
  if (at_ >= tex_.size() || at_stop()) {
    fault(std::min(at_, tex_.size()), "nothing follows " + std::string(of), "write {...} after it");
    return "<mrow></mrow>";
  }
  if (!enter(at_)) return "<mrow></mrow>";
  const Role kept = before_;
  std::string out;
  if (tex_[at_] == '{') {
    out = group();
  } else {
    before_ = Role::none;
    const size_t start = at_;
    if (is_digit(tex_[at_])) {  // 2^10 raises one digit
      out = element("mn", "", tex_.substr(at_++, 1));
    } else {
      out = atom().xml;
      name_ = false;
    }
    if (out.empty()) fault(start, "nothing follows " + std::string(of), "write {...} after it");
    if (std::count(out.begin(), out.end(), '<') != 2) out = grouped(std::move(out));
  }
  before_ = kept;
  --depth_;
  return out;
}

std::string Parser::group() {
  const size_t open = at_;
  if (!enter(open)) return "<mrow></mrow>";
  ++at_;
  const bool bracket = std::exchange(bracket_, false);
  std::string out = row();
  bracket_ = bracket;
  --depth_;
  if (at_ < tex_.size() && tex_[at_] == '}') {
    ++at_;
  } else {
    fault(open, "`{` is never closed", "write } after the group");
  }
  return grouped(std::move(out));
}

std::string Parser::argument_text() {
  blanks();
  if (at_ >= tex_.size() || tex_[at_] != '{') {
    fault(at_, "{...} is missing", "write the words between braces");
    return {};
  }
  const size_t open = at_++;
  std::string out;
  int depth = 1;
  for (; at_ < tex_.size(); ++at_) {
    const char c = tex_[at_];
    if (c == '\\' && at_ + 1 < tex_.size() && std::string_view("%$#&_{} ").find(tex_[at_ + 1]) != std::string_view::npos) {
      out += tex_[++at_];
      continue;
    }
    if (c == '\\') fault(at_, "a command in words", "close the words before it");
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (depth == 0) break;
    if (c != '{' && c != '}') out += c == '~' || c == '\n' ? ' ' : c;
  }
  if (at_ >= tex_.size()) {
    fault(open, "`{` is never closed", "write } after the words");
  } else {
    ++at_;
  }
  return out;
}

Atom Parser::scripted() {
  Atom base = atom();
  const bool name = std::exchange(name_, false);
  bool limits = base.role == Role::limit || base.role == Role::large;
  limits = limits && style_display_;
  blanks();
  if (looking_at("\\limits")) {
    at_ += 7;
    limits = true;
  }
  std::string below, above, primes;
  while (true) {
    blanks();
    if (at_ >= tex_.size()) break;
    const char c = tex_[at_];
    if (c == '\'') {
      primes += "′";
      ++at_;
    } else if (c == '^' || c == '_') {
      std::string& place = c == '^' ? above : below;
      const size_t mark = at_++;
      const bool display = std::exchange(style_display_, false);
      std::string script = argument(c == '^' ? "`^`" : "`_`");
      style_display_ = display;
      if (!place.empty()) fault(mark, std::string("a second `") + c + "` on the same base", "put braces around one of them");
      place = std::move(script);
    } else {
      break;
    }
  }
  if (!primes.empty()) {
    const std::string sign = element("mo", "", primes);
    above = above.empty() ? sign : grouped(sign + above);
  }
  if (below.empty() && above.empty()) return name ? applied(std::move(base)) : base;
  if (base.xml.empty()) base.xml = "<mrow></mrow>";
  // The sign leans into its upper limit.
  if (base.role == Role::integral && !above.empty()) above = grouped("<mspace width=\"0.3em\"></mspace>" + above);
  const std::string_view tags[2][3] = {{"msub", "msup", "msubsup"}, {"munder", "mover", "munderover"}};
  const std::string_view tag = tags[limits ? 1 : 0][below.empty() ? 1 : above.empty() ? 0 : 2];
  base.xml = element(tag, "", base.xml + below + above);
  if (base.role == Role::none) base.role = Role::term;
  return name ? applied(std::move(base)) : base;
}

Atom Parser::applied(Atom atom) {
  if (before_ == Role::term) atom.xml.insert(0, "<mspace width=\"0.1667em\"></mspace>");
  blanks();
  if (at_stop()) return atom;
  const char c = tex_[at_];
  const bool fenced = c == '(' || c == '[' || looking_at("\\left");
  if (c == '=' || c == '+' || c == '-' || c == ',' || c == ')' || c == '<' || c == '>') return atom;
  atom.xml += "<mo>\u2061</mo>";
  if (!fenced) atom.xml += "<mspace width=\"0.1667em\"></mspace>";
  return atom;
}

Atom Parser::atom() {
  const char c = tex_[at_];
  if (is_digit(c) || (c == '.' && at_ + 1 < tex_.size() && is_digit(tex_[at_ + 1]))) return {number(), Role::term};
  if (is_letter(c)) return {element("mi", "", tex_.substr(at_++, 1)), Role::term};
  if (c == '\\') return command();
  if (c == '{') {
    std::string out = group();
    return {std::move(out), Role::term};
  }
  if (static_cast<unsigned char>(c) >= 0x80) return foreign();
  ++at_;
  switch (c) {
    case '-': return sign("−");
    case '+': return sign("+");
    case '*': return binary("∗");
    case '=': return relation("=");
    case '<': return relation("&lt;");
    case '>': return relation("&gt;");
    case ':': return relation(":");
    case '(': case '[': return {element("mo", " form=\"prefix\" stretchy=\"false\"", std::string(1, c)), Role::open};
    case ')': case ']': return {element("mo", " form=\"postfix\" stretchy=\"false\"", std::string(1, c)), Role::term};
    case '|': return {fence("|"), Role::term};
    case ',': case ';': return {element("mo", " separator=\"true\"", std::string(1, c)), Role::op};
    case '/': return {"<mo lspace=\"0\" rspace=\"0\">/</mo>", Role::op};
    case '!': return {"<mo lspace=\"0\" rspace=\"0\">!</mo>", Role::term};
    case '.': case '?': return {element("mo", " lspace=\"0\" rspace=\"0\"", std::string(1, c)), Role::term};
    case '~': return {"<mspace width=\"0.25em\"></mspace>", Role::none};
    case '^': case '_':
      --at_;  // a script without a base
      return {};
    case '\'': --at_; return {};
    case '%': fault(at_ - 1, "a bare `%`", "write \\%"); return {};
    case '#': fault(at_ - 1, "a bare `#`", "write \\#"); return {};
    case '$': fault(at_ - 1, "a bare `$`", "write \\$"); return {};
    default: fault(at_ - 1, "`" + std::string(1, c) + "` in a formula", "put words into \\text{...}"); return {};
  }
}

Atom Parser::foreign() {
  const size_t from = at_;
  next_code_point(tex_, at_);
  const std::string sign(tex_.substr(from, at_ - from));
  const Symbol* known = command_of(sign);
  fault(from, "`" + sign + "` in a formula", known != nullptr ? "write \\" + std::string(known->name) : "put words into \\text{...}");
  return {};
}

Atom Parser::sign(std::string_view text) {
  // Nothing before it that it could join: it belongs to what follows.
  if (before_ != Role::term && before_ != Role::large && before_ != Role::limit) return {element("mo", " form=\"prefix\"", text), Role::op};
  return {element("mo", "", text), Role::op};
}

std::string Parser::fence(std::string_view text, std::string_view more) {
  return element("mo", " lspace=\"0\" rspace=\"0\"" + std::string(more), text);
}

std::string Parser::command_name() {
  size_t end = at_ + 1;
  while (end < tex_.size() && is_letter(tex_[end])) ++end;
  if (end == at_ + 1 && end < tex_.size()) {
    next_code_point(tex_, end);
  } else if (tex_.substr(at_ + 1, end - at_ - 1) == "operatorname" && end < tex_.size() && tex_[end] == '*') {
    ++end;
  }
  std::string name(tex_.substr(at_ + 1, end - at_ - 1));
  at_ = end;
  return name == "\n" ? " " : name;
}

Atom Parser::command() {
  const size_t from = at_;
  if (at_ + 1 >= tex_.size()) {
    ++at_;
    fault(from, "a lone backslash", "write a command after it");
    return {};
  }
  const std::string name = command_name();
  if (const Symbol* s = symbol(name)) return of_symbol(*s);
  if (name == "frac" || name == "dfrac" || name == "tfrac" || name == "binom") return fraction(name);
  if (name == "sqrt") return root();
  if (name == "text") {
    // Spaces at the ends of an element would be lost.
    std::string words = argument_text();
    if (!words.empty() && words.back() == ' ') words.replace(words.size() - 1, 1, "\u00a0");
    if (!words.empty() && words.front() == ' ') words.replace(0, 1, "\u00a0");
    return {element("mtext", "", html_escaped(words)), Role::term};
  }
  if (name == "operatorname" || name == "operatorname*") {
    name_ = true;
    return {element("mi", " mathvariant=\"normal\"", html_escaped(argument_text())), name.back() == '*' ? Role::limit : Role::term};
  }
  if (name.compare(0, 4, "math") == 0) {
    if (auto found = alphabet(name)) return std::move(*found);
  }
  if (name == "left") return fenced(from);
  if (name == "big" || name == "Big" || name == "bigg" || name == "Bigg") return sized(name);
  if (name == "begin") return environment(from);
  if (name == "underbrace" || name == "overbrace" || name == "underline") return braced(name);
  if (name == "pmod") {
    const std::string inner = argument("\\pmod");
    return {"<mspace width=\"0.4em\"></mspace>" + grouped("<mo stretchy=\"false\">(</mo><mi mathvariant=\"normal\">mod</mi><mspace width=\"0.25em\"></mspace>" + inner + "<mo stretchy=\"false\">)</mo>"), Role::term};
  }
  std::vector<std::string_view> names = symbol_names();
  names.insert(names.end(), constructs.begin(), constructs.end());
  const std::string near = closest(name, names);
  fault(from, "unknown command \\" + name, near.empty() ? "formulas have no macros, and words stand in \\text{...}" : "did you mean \\" + near + "?");
  return {};
}

Atom Parser::of_symbol(const Symbol& s) {
  const std::string text = html_escaped(s.text);
  switch (s.sort) {
    case Sort::letter: return {element("mi", " class=\"greek\"", text), Role::term};
    case Sort::upright: return {element("mi", " mathvariant=\"normal\"", text), Role::term};
    case Sort::relation: return relation(text);
    case Sort::binary: return s.name == "pm" || s.name == "mp" ? sign(text) : binary(text);
    case Sort::large: return {element("mo", "", text), Role::large};
    case Sort::integral: return {element("mo", "", text), Role::integral};
    case Sort::function: name_ = true; return {element("mi", " mathvariant=\"normal\"", text), Role::term};
    case Sort::limit: name_ = true; return {element("mi", " mathvariant=\"normal\"", text), Role::limit};
    case Sort::open: return {element("mo", " form=\"prefix\" stretchy=\"false\"", text), Role::open};
    case Sort::close: return {element("mo", " form=\"postfix\" stretchy=\"false\"", text), Role::term};
    case Sort::fence: return {fence(text), Role::term};
    case Sort::ordinary: return {element("mo", " lspace=\"0\" rspace=\"0\"", text), Role::term};
    case Sort::punct: return {element("mo", " lspace=\"0\" rspace=\"0.2222em\"", text), Role::op};
    case Sort::space: return {"<mspace width=\"" + std::string(s.text) + "em\"></mspace>", Role::none};
    case Sort::accent: {
      const bool wide = s.name.compare(0, 4, "wide") == 0 || s.name == "overline";
      const std::string inner = argument("\\" + std::string(s.name));
      return {element("mover", " accent=\"true\"", inner + element("mo", wide ? " stretchy=\"true\"" : " stretchy=\"false\"", text)), Role::term};
    }
  }
  return {};
}

Formula to_mathml(std::string_view tex, bool display) {
  Parser parser(tex, display);
  const std::string row = parser.run();
  Formula out;
  out.faults = std::move(parser.faults);
  std::stable_sort(out.faults.begin(), out.faults.end(), [](const Fault& a, const Fault& b) { return a.at < b.at; });
  if (row.empty() && out.faults.empty()) out.faults.push_back({0, "an empty formula", "write something between the dollar signs, or \\$ for the sign"});
  out.mathml = std::string("<math") + (display ? " display=\"block\"" : "") + "><semantics><mrow>" + row + "</mrow><annotation encoding=\"application/x-tex\">" +
               html_escaped(tex) + "</annotation></semantics></math>";
  return out;
}

}  // namespace lk::math
