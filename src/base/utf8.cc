#include "base/utf8.h"

namespace lk {
namespace {

constexpr char32_t replacement = 0xFFFD;
constexpr std::string_view hex_digits = "0123456789ABCDEF";

// Length of the valid sequence at `at` and its code point; length 0 when it is invalid (RFC 3629, section 4).
struct Sequence {
  size_t length = 0;
  char32_t code = replacement;
};

Sequence sequence(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(at);
  if (first < 0x80) return {1, first};
  size_t length = 0;
  char32_t code = 0, least = 0;
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
    code = first & 0x1Fu;
    least = 0x80;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    code = first & 0x0Fu;
    least = 0x800;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    code = first & 0x07u;
    least = 0x10000;
  } else {
    return {};
  }
  if (text.size() - at < length) return {};
  for (size_t i = 1; i < length; ++i) {
    const unsigned next = byte(at + i);
    if ((next & 0xC0u) != 0x80u) return {};
    code = (code << 6) | (next & 0x3Fu);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < least || surrogate || code > 0x10FFFF) return {};
  return {length, code};
}

bool alphanumeric(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

char32_t next_code_point(std::string_view text, size_t& at) {
  if (at >= text.size()) return replacement;
  const Sequence s = sequence(text, at);
  at += s.length == 0 ? 1 : s.length;
  return s.code;
}

size_t first_invalid_utf8(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    const size_t length = sequence(text, at).length;
    if (length == 0) return at;
    at += length;
  }
  return at;
}

size_t first_control(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F) return at;
  }
  return text.size();
}

std::string control_name(char control) {
  const auto c = static_cast<unsigned char>(control);
  if (c == 0) return "a NUL byte";
  return std::string("a control character (U+00") + hex_digits[c >> 4] + hex_digits[c & 15u] + ")";
}

std::string one_line(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const size_t first = at;
    const char32_t c = next_code_point(text, at);
    const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
    if (control || (c == replacement && at - first == 1)) {
      out += "\uFFFD";
    } else {
      out += text.substr(first, at - first);
    }
  }
  return out;
}

bool valid_utf8(std::string_view text) { return first_invalid_utf8(text) == text.size(); }

std::string html_escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string url_encoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (alphanumeric(c) || c == '-' || c == '_' || c == '.' || c == '~') {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += hex_digits[byte >> 4];
      out += hex_digits[byte & 15u];
    }
  }
  return out;
}

std::string url_decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      out += ' ';
      continue;
    }
    if (text[i] == '%' && i + 2 < text.size()) {
      const int high = hex_value(text[i + 1]), low = hex_value(text[i + 2]);
      if (high >= 0 && low >= 0) {
        out += static_cast<char>(high * 16 + low);
        i += 2;
        continue;
      }
    }
    out += text[i];
  }
  return out;
}

std::string slug(std::string_view text) {
  std::string out;
  bool gap = false;
  for (size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    if (c == '\'' || c == 0x2019) continue;  // "Little's law" -> "littles-law"
    if (c < 0x80 && alphanumeric(static_cast<char>(c))) {
      if (gap && !out.empty()) out += '-';
      gap = false;
      out += static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    } else {
      gap = true;
    }
  }
  return out.empty() ? "section" : out;
}

}  // namespace lk
