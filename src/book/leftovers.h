// What looks like markup but was read as words: notes without a text, links of this book that CommonMark does not take for links.
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "book/scan.h"

namespace lk::book {

struct Leftover {
  Spot at;
  std::string what, hint;
};

/// `words` is one run of text as cmark gave it, tags and all; `seen` keeps labels of notes that were reported already.
std::vector<Leftover> leftovers(std::string_view words, const Scan& scan, std::set<std::string>& seen);

}  // namespace lk::book
