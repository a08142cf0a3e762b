// UTF-8 helpers and text escapes.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace lk {

/// Reads one code point at `at` and moves past it. Invalid bytes read as U+FFFD, one byte at a time.
char32_t next_code_point(std::string_view text, size_t& at);
bool valid_utf8(std::string_view text);
/// Byte offset of the first invalid sequence, or text.size().
size_t first_invalid_utf8(std::string_view text);
/// Byte offset of the first control character that no text needs (all but tab and line ends), or text.size().
size_t first_control(std::string_view text);
/// "a NUL byte" or "a control character (U+001B)".
std::string control_name(char control);
/// One line that a terminal can show: control characters and invalid bytes become U+FFFD.
std::string one_line(std::string_view text);

/// & < > " ' as entities: safe in element content and in quoted attributes.
std::string html_escaped(std::string_view text);

/// Percent-encodes everything but unreserved characters.
std::string url_encoded(std::string_view text);
/// Decodes percent escapes and '+' as space. Malformed escapes stay as they are.
std::string url_decoded(std::string_view text);

/// "Compute-bound and memory-bound" -> "compute-bound-and-memory-bound"; letters, digits and '-' only, never empty.
std::string slug(std::string_view text);

}  // namespace lk
