// Colors for listings, made when the page is: a small lexer per family of languages.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lk::render {

/// Escaped HTML of each line of `code`, without line ends. Spans: k keyword, ty type, nu number, co comment, st string.
/// Languages: cuda, cpp, c, ptx, sass, python, mlir, json, sh, console; all others are only escaped. Linear time.
std::vector<std::string> highlighted(std::string_view code, std::string_view language);

}  // namespace lk::render
