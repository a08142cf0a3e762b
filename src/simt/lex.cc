#include <cmath>
#include <cstdlib>
#include <cstring>

#include "simt/token.h"

namespace lk::simt {

void Problems::add(Severity severity, const Span& at, std::string what, std::string hint) {
  if (severity == Severity::error ? errors_ >= 50 : list_.size() >= 200) return;
  for (const Problem& p : list_)
    if (p.error.at.line == at.line && p.error.at.column == at.column && p.error.what == what) return;
  if (severity == Severity::error) ++errors_;
  list_.push_back({severity, {{file_, at.line, at.column}, std::move(what), std::move(hint)}});
}

void Problems::back_to(size_t size) {
  if (size < list_.size()) list_.resize(size);
  errors_ = 0;
  for (const Problem& p : list_) errors_ += p.severity == Severity::error;
}

namespace {

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 128; }
bool digit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
 public:
  Lexer(std::string_view s, Problems& problems, bool prelude) : s_(s), problems_(problems), prelude_(prelude) {}

  std::vector<Token> run() {
    std::vector<Token> out;
    bool first = true;
    for (;;) {
      const bool spaced = skip_space(first);
      Token t;
      t.first = first;
      t.spaced = spaced;
      t.prelude = prelude_;
      t.at = {line_, column_, line_, column_, -1};
      if (at_ >= s_.size()) {
        t.first = true;
        out.push_back(t);
        return out;
      }
      first = false;
      const size_t begin = at_;
      token(t);
      t.text = s_.substr(begin, at_ - begin);
      t.at.end_line = line_;
      t.at.end_column = column_;
      if (t.kind == Tok::end) {
        problems_.error(t.at, "the character '" + std::string(t.text) + "' is not part of CUDA C here", "remove it");
        continue;
      }
      out.push_back(t);
    }
  }

 private:
  char peek(size_t k = 0) const { return at_ + k < s_.size() ? s_[at_ + k] : '\0'; }
  void step() {
    if (s_[at_] == '\n') ++line_, column_ = 0;
    ++at_, ++column_;
  }
  void step(size_t n) { while (n-- && at_ < s_.size()) step(); }

  bool skip_space(bool& first) {
    bool any = false;
    while (at_ < s_.size()) {
      const char c = s_[at_];
      if (c == '\n') {
        first = true;
        step();
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        step();
      } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
        step(peek(1) == '\n' ? 2 : 3);
      } else if (c == '/' && peek(1) == '/') {
        while (at_ < s_.size() && s_[at_] != '\n') step(s_[at_] == '\\' ? 2 : 1);
      } else if (c == '/' && peek(1) == '*') {
        const Span at{line_, column_, line_, column_ + 2, -1};
        step(2);
        while (at_ < s_.size() && !(s_[at_] == '*' && peek(1) == '/')) step();
        if (at_ >= s_.size()) problems_.error(at, "this comment is not closed", "end it with */");
        step(2);
      } else {
        break;
      }
      any = true;
    }
    return any;
  }

  void token(Token& t) {
    const char c = peek();
    if (letter(c)) {
      while (letter(peek()) || digit(peek())) step();
      t.kind = Tok::name;
    } else if (digit(c) || (c == '.' && digit(peek(1)))) {
      number(t);
    } else if (c == '"' || c == '\'') {
      t.kind = c == '"' ? Tok::string : Tok::character;
      step();
      while (at_ < s_.size() && peek() != c && peek() != '\n') step(peek() == '\\' ? 2 : 1);
      if (peek() != c) problems_.error(t.at, c == '"' ? "this string is not closed" : "this character is not closed", std::string("end it with ") + c);
      else step();
    } else {
      static const char* const three[] = {"<<=", ">>=", "...", "->*"};
      static const char* const two[] = {"::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##"};
      const std::string_view rest = s_.substr(at_);
      for (const char* p : three)
        if (rest.starts_with(p)) { t.kind = Tok::punct; step(3); return; }
      for (const char* p : two)
        if (rest.starts_with(p)) { t.kind = Tok::punct; step(2); return; }
      if (std::strchr("{}()[];:,.?~!+-*/%<>=&|^#", c)) t.kind = Tok::punct;
      step();
    }
  }

  void number(Token& t) {
    bool floating = false;
    const bool hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
    for (;;) {
      const char c = peek();
      if (c == '\'' && (letter(peek(1)) || digit(peek(1)))) {
        step();
      } else if (c == '.') {
        floating = true;
        step();
      } else if (hex ? (c == 'p' || c == 'P') : (c == 'e' || c == 'E')) {
        floating = true;
        step();
        if (peek() == '+' || peek() == '-') step();
      } else if (letter(c) || digit(c)) {
        step();
      } else {
        break;
      }
    }
    t.kind = floating ? Tok::floating : Tok::integer;
  }

  std::string_view s_;
  Problems& problems_;
  bool prelude_;
  size_t at_ = 0;
  int line_ = 1, column_ = 1;
};

std::string plain_digits(std::string_view text) {
  std::string out;
  for (char c : text)
    if (c != '\'') out += c;
  return out;
}

}  // namespace

std::vector<Token> lex(std::string_view source, Problems& problems, bool prelude) { return Lexer(source, problems, prelude).run(); }

IntegerLiteral integer_literal(std::string_view text) {
  IntegerLiteral out;
  std::string s = plain_digits(text);
  int suffix_longs = 0;
  bool suffix_unsigned = false;
  const bool hex = s.size() > 1 && (s[1] == 'x' || s[1] == 'X');
  while (!s.empty()) {
    const char c = s.back();
    if (c == 'u' || c == 'U') out.bad |= suffix_unsigned, suffix_unsigned = true;
    else if (c == 'l' || c == 'L') ++suffix_longs;
    else if ((c == 'z' || c == 'Z') && !hex) suffix_longs = 1;
    else break;
    s.pop_back();
  }
  unsigned base = 10;
  size_t i = 0;
  if (hex) base = 16, i = 2;
  else if (s.size() > 1 && (s[1] == 'b' || s[1] == 'B')) base = 2, i = 2;
  else if (s.size() > 1 && s[0] == '0') base = 8, i = 1;
  if (i >= s.size() || suffix_longs > 2) out.bad = true;
  for (; i < s.size(); ++i) {
    const char c = s[i];
    const unsigned d = digit(c) ? unsigned(c - '0') : c >= 'a' && c <= 'f' ? unsigned(c - 'a' + 10) : c >= 'A' && c <= 'F' ? unsigned(c - 'A' + 10) : 99;
    if (d >= base || out.value > (~uint64_t{0} - d) / base) {
      out.bad = true;
      return out;
    }
    out.value = out.value * base + d;
  }
  out.is_unsigned = suffix_unsigned;
  out.longs = suffix_longs;
  if (out.longs == 0) {
    if (suffix_unsigned) {
      if (out.value > 0xffffffffu) out.longs = 1;
    } else if (out.value > 0x7fffffffu) {
      if (base != 10 && out.value <= 0xffffffffu) out.is_unsigned = true;
      else out.longs = 1;
    }
  }
  if (out.longs > 0 && !out.is_unsigned && out.value > 0x7fffffffffffffffu) out.is_unsigned = true;
  return out;
}

FloatingLiteral floating_literal(std::string_view text) {
  FloatingLiteral out;
  std::string s = plain_digits(text);
  const bool hex = s.size() > 1 && (s[1] == 'x' || s[1] == 'X');
  if (!s.empty() && (s.back() == 'f' || s.back() == 'F')) {
    // A hexadecimal one has its suffix behind the exponent.
    if (!hex || s.find_first_of("pP") != std::string::npos) out.single = true, s.pop_back();
  } else if (!s.empty() && (s.back() == 'l' || s.back() == 'L')) {
    s.pop_back();
  }
  char* end = nullptr;
  out.value = out.single ? double(std::strtof(s.c_str(), &end)) : std::strtod(s.c_str(), &end);
  out.bad = s.empty() || *end != '\0';
  return out;
}

}  // namespace lk::simt
