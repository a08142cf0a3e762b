#include "render/markup.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "base/utf8.h"

namespace lk::render {

std::string attribute(std::string_view name, std::string_view value) {
  std::string out(" ");
  out.append(name).append("=\"").append(html_escaped(value)).append("\"");
  return out;
}

std::string address(std::string_view url) {
  std::string out;
  for (const char c : url) {
    const auto u = static_cast<unsigned char>(c);
    if (u <= 32 || u >= 127 || c == '"' || c == '<' || c == '>' || c == '`' || c == '{' || c == '}' || c == '|' || c == '^') {
      out += url_encoded(std::string_view(&c, 1));
    } else {
      out += c;
    }
  }
  return html_escaped(out);
}

std::string query_text(const book::Pairs& query, std::string_view prefix) {
  std::string out;
  for (const auto& [name, value] : query) {
    out += out.empty() ? "" : "&";
    out.append(prefix).append(url_encoded(name)).append("=").append(url_encoded(value));
  }
  return out;
}

std::string six_digits(const std::string& number) {
  char* end = nullptr;
  const double v = std::strtod(number.c_str(), &end);
  if (end == number.c_str() || *end != 0) return number;
  std::array<char, 32> out{};
  std::snprintf(out.data(), out.size(), "%.6g", v);
  return out.data();
}

size_t letters(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

}  // namespace lk::render
