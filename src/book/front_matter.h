// The lines between "---" at the head of a chapter file.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace lk::book {

struct FrontMatter {
  std::string title, lede;
  Place title_at, lede_at;
  bool sources = true;  // false: `sources: none`
  size_t body = 0;      // byte offset of what follows
  int lines = 0;        // lines above the body
};

/// Keys are `title`, `lede` (both required) and `sources`. A value may stand in double quotes and go on in indented lines.
FrontMatter read_front_matter(std::string_view text, std::string_view file, std::vector<Problem>& problems);

}  // namespace lk::book
