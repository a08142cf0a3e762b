// Attributes and addresses of the HTML that Markdown becomes.
#pragma once
#include <string>
#include <string_view>

#include "book/document.h"

namespace lk::render {

/// ` name="value"`, escaped.
std::string attribute(std::string_view name, std::string_view value);
/// An address for an href: bytes that no address may hold are percent-encoded, what is encoded already stays, and the rest is
/// escaped. Whether it may be linked to at all is book::safe_address's business.
std::string address(std::string_view url);
/// "a=1&b=2" with percent escapes, `prefix` before every name; not escaped for HTML.
std::string query_text(const book::Pairs& query, std::string_view prefix);
/// A number for programs in at most six digits; what is no number comes back as it is.
std::string six_digits(const std::string& number);
/// Code points of UTF-8.
size_t letters(std::string_view text);

}  // namespace lk::render
