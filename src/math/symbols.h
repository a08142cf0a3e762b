// The commands that stand for one sign or one name.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lk::math {

enum class Sort : uint8_t {
  letter,    // an identifier in italics
  upright,   // an identifier as it is
  relation,  // an operator between terms: space on both sides
  binary,    // an operator that may be a sign
  large,     // a sum: limits above and below in a display
  integral,  // limits beside it
  function,  // a name: "log"
  limit,     // a name whose limits go below: "max"
  open, close, fence,  // delimiters
  ordinary,  // a sign without space
  punct,
  accent,    // over its argument
  space,     // `text` is its width in em
};

struct Symbol {
  std::string_view name;  // without the backslash
  std::string_view text;  // UTF-8
  Sort sort;
};

/// The command of this name, or nullptr.
const Symbol* symbol(std::string_view name);
/// The command whose sign this is, or nullptr: "×" is \times.
const Symbol* command_of(std::string_view sign);
/// Names of all commands of this table.
std::vector<std::string_view> symbol_names();
/// A letter in blackboard bold ("R" -> "ℝ") or script ("L" -> "ℒ"); empty for what has no such form.
std::string blackboard(char letter);
std::string script(char letter);

}  // namespace lk::math
