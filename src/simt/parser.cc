#include "simt/parser.h"

namespace lk::simt {

void parse(std::vector<Token> tokens, Unit& unit, Problems& problems) { Parser(std::move(tokens), unit, problems).run(); }

void Parser::run() {
  for (const auto& n : unit_.names) scopes_[0].insert(n);
  while (!done() && !stopped_ && !problems_.full()) {
    const size_t before = at_;
    top_level();
    if (panic_) recover();
    if (at_ == before) next();
  }
  for (const auto& n : scopes_[0]) unit_.names.insert_or_assign(n.first, n.second);
}

void Parser::fail(const Span& at, std::string what, std::string hint) {
  if (!panic_) problems_.error(at, std::move(what), std::move(hint));
  panic_ = true;
}

void Parser::too_deep() {
  if (!stopped_) fail(now().at, "this is nested more than 256 deep", "split it up");
  stopped_ = panic_ = true;
}

bool Parser::expect(std::string_view s, const char* where) {
  if (panic_) return false;
  if (take(s)) return true;
  // A missing `;` is best shown behind what came before.
  Span at = now().at;
  if (s == ";" && at_ > 0) {
    at = t_[at_ - 1].at;
    at.line = at.end_line;
    at.column = at.end_column;
  }
  fail(at, "'" + std::string(s) + "' is missing " + where, done() ? "the source ends here" : "found '" + std::string(now().text) + "'");
  return false;
}

// Behind the next `;` of this nesting, or before the `}` that ends it.
void Parser::recover() {
  panic_ = false;
  while (!done() && !stopped_) {
    if (take(";")) return;
    if (is("}")) return;
    if (is("{") || is("(") || is("[")) {
      const bool block = is("{");
      skip_balanced();
      if (block) {
        take(";");
        return;
      }
    } else {
      next();
    }
  }
}

// From an opening bracket to behind its closing one.
void Parser::skip_balanced() {
  int level = 0;
  while (!done()) {
    const bool p = now().kind == Tok::punct;
    if (p && (is("{") || is("(") || is("["))) ++level;
    if (p && (is("}") || is(")") || is("]"))) --level;
    next();
    if (level <= 0) return;
  }
}

Span Parser::from(const Span& begin) const {
  Span s = begin;
  if (at_ > 0) {
    s.end_line = t_[at_ - 1].at.end_line;
    s.end_column = t_[at_ - 1].at.end_column;
  }
  return s;
}

std::string_view Parser::identifier(const char* what) {
  if (now().kind == Tok::name) {
    const std::string_view s = now().text;
    if (s == "operator" || s == "if" || s == "for" || s == "while" || s == "return" || s == "else") {
      fail(now().at, std::string(what) + " is expected, not '" + std::string(s) + "'");
      return {};
    }
    next();
    return s;
  }
  fail(now().at, std::string(what) + " is expected" + (done() ? ", but the source ends" : ", not '" + std::string(now().text) + "'"));
  return {};
}

Known Parser::known(std::string_view name) const {
  for (size_t k = scopes_.size(); k-- > 0;)
    if (const auto f = scopes_[k].find(name); f != scopes_[k].end()) return f->second;
  return Known::none;
}

void Parser::declare(std::string_view name, Known what) { scopes_.back().insert_or_assign(name, what); }

// The index of the last part of a name with qualifiers that begins at k.
size_t Parser::after_qualifiers(size_t k) const {
  if (k < t_.size() && t_[k].text == "::") ++k;
  while (k + 2 < t_.size() && t_[k].kind == Tok::name && t_[k + 1].text == "::" && t_[k + 2].kind == Tok::name) k += 2;
  return k;
}

static bool builtin_type(std::string_view s) {
  return s == "void" || s == "bool" || s == "char" || s == "short" || s == "int" || s == "long" || s == "unsigned" || s == "signed" || s == "float" || s == "double" ||
         s == "auto" || s == "half" || s == "__half" || s == "__nv_bfloat16" || s == "nv_bfloat16" || s == "half2" || s == "__half2" || s == "__nv_bfloat162" ||
         s == "nv_bfloat162" || s == "__int128" || s == "wchar_t";
}

bool Parser::type_begins(size_t k) const {
  size_t at = at_ + k;
  if (at >= t_.size()) return false;
  if (t_[at].kind != Tok::name && t_[at].text != "::") return false;
  const std::string_view s = t_[at].text;
  if (s == "const" || s == "volatile" || s == "typename" || s == "struct" || s == "enum" || s == "decltype") return true;
  // A qualified name is a type when its first parts are not one themselves (Type::constant is a value).
  if (t_[at].text == "::") ++at;
  while (at + 2 < t_.size() && t_[at].kind == Tok::name && t_[at + 1].text == "::" && t_[at + 2].kind == Tok::name) {
    const Known q = known(t_[at].text);
    if (q == Known::type) return true;  // as far as the ::, and primary() sorts it out
    if (t_[at + 2].text == "numeric_limits") return true;
    at += 2;
  }
  const Known n = known(t_[at].text);
  if (n == Known::none && builtin_type(t_[at].text)) return true;
  return n == Known::type || n == Known::struct_template;
}

bool Parser::type_argument_begins() const {
  if (!type_begins()) return false;
  // T(3) and T::value are values.
  const size_t k = after_qualifiers(at_);
  if (k != at_ && known(t_[at_].text) == Known::type) return false;
  return k + 1 >= t_.size() || (t_[k + 1].text != "(" && t_[k + 1].text != "{" && t_[k + 1].text != "::");
}

}  // namespace lk::simt
