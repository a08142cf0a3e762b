// What the place of a problem points at: from its first byte to the last of the construct that begins there.
#pragma once
#include <cstddef>
#include <string_view>

#include "base/error.h"

namespace lk::book {

struct Extent {
  size_t from = 0, to = 0;  // byte offsets in the text; equal when the place names no line of it
};

/// A link or image with its address, a formula, a code span, a heading, the opening line of a fenced block, a string of JSON; else
/// the word. A place with a line alone is the line, without the white space around it. `text` is the file as it is, whatever its line
/// ends; the extent keeps within the paragraph.
Extent extent(std::string_view text, const Place& at);

}  // namespace lk::book
