#include <cmath>
#include <cstdlib>

#include "base/number.h"
#include "base/utf8.h"

namespace lk {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Code points that people and programs put between groups of digits.
bool is_space(char32_t c) { return c == ' ' || c == '\t' || c == 0xA0 || c == 0x2009 || c == 0x202F; }

// One character a mark: digits, '.', ',', '_' for any group separator, '-', '+', 'e'. False: something else occurs.
bool simplify(std::string_view text, std::string& out) {
  for (size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    if (c < 0x80 && (is_digit(static_cast<char>(c)) || c == '.' || c == ',' || c == '-' || c == '+')) {
      out += static_cast<char>(c);
    } else if (c == 0x2212) {
      out += '-';
    } else if (c == 'e' || c == 'E') {
      out += 'e';
    } else if (is_space(c) || c == '\'' || c == 0x2019) {
      out += '_';
    } else {
      return false;
    }
  }
  return true;
}

// Digits in groups parted by `mark`: one to three, not led by a zero, then threes. Returns them joined, empty when the groups are wrong.
std::string joined(std::string_view text, char mark) {
  std::string out;
  size_t begin = 0;
  bool first = true;
  while (begin <= text.size()) {
    size_t end = text.find(mark, begin);
    if (end == std::string_view::npos) end = text.size();
    const std::string_view group = text.substr(begin, end - begin);
    for (const char c : group)
      if (!is_digit(c)) return {};
    const bool only = first && end == text.size();
    if (!only && (first ? group.empty() || group.size() > 3 || group[0] == '0' : group.size() != 3)) return {};
    out += group;
    first = false;
    begin = end + 1;
  }
  return out;
}

}  // namespace

std::optional<double> read_number(std::string_view text) {
  constexpr size_t longest = 400;  // plain() needs 24; nobody types more
  if (text.size() > longest) return {};
  std::string s;
  if (!simplify(text, s)) return {};
  while (!s.empty() && s.back() == '_') s.pop_back();
  s.erase(0, s.find_first_not_of('_'));

  std::string number;
  std::string_view rest = s;
  if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) {
    if (rest[0] == '-') number = "-";
    rest.remove_prefix(1);
    while (!rest.empty() && rest[0] == '_') rest.remove_prefix(1);
  }

  std::string_view exponent;
  if (const size_t e = rest.find('e'); e != std::string_view::npos) {
    exponent = rest.substr(e + 1);
    rest = rest.substr(0, e);
    std::string_view figures = exponent;
    if (!figures.empty() && (figures[0] == '-' || figures[0] == '+')) figures.remove_prefix(1);
    if (figures.empty() || figures.size() > 4) return {};
    for (const char c : figures)
      if (!is_digit(c)) return {};
  }

  // Which mark is the decimal sign?
  const size_t last_point = rest.rfind('.'), last_comma = rest.rfind(',');
  constexpr size_t none = std::string_view::npos;
  char decimal_sign = '.', group_mark = '_';
  if (last_point != none && last_comma != none) {
    decimal_sign = last_point > last_comma ? '.' : ',';
    group_mark = decimal_sign == '.' ? ',' : '.';
  } else if (last_comma != none) {
    const bool groups = !joined(rest, ',').empty();
    decimal_sign = groups ? '.' : ',';
    group_mark = groups ? ',' : '_';
  } else if (last_point != none && rest.find('.') != last_point) {
    decimal_sign = ',';
    group_mark = '.';
  }

  const size_t sign = rest.find(decimal_sign);
  const std::string_view before = rest.substr(0, sign);
  const std::string_view behind = sign == none ? std::string_view() : rest.substr(sign + 1);
  const std::string whole = joined(before, group_mark);
  if (whole.empty() && !before.empty()) return {};
  for (const char c : behind)
    if (!is_digit(c)) return {};
  if (whole.empty() && behind.empty()) return {};

  number += whole.empty() ? "0" : whole;
  if (!behind.empty()) {
    number += '.';
    number += behind;
  }
  if (!exponent.empty()) {
    number += 'e';
    number += exponent;
  }
  const double v = std::strtod(number.c_str(), nullptr);
  if (!std::isfinite(v)) return {};
  return v == 0 ? 0 : v;
}

}  // namespace lk
