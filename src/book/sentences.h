// Running text cut into sentences, with the values that follow the reader's device.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "book/document.h"

namespace lk::book {

/// Words of a block with the offsets of such values in them.
struct Run {
  std::string text;
  std::vector<std::pair<size_t, const Node*>> values;
};

/// Adds a node's words to a run; blocks in it are set apart by a space.
void flatten(const Node& node, Run& run);

/// Where sentences end, the end of the text last: behind . ! or ? and the spaces after it, unless an abbreviation stands before or
/// a small letter follows.
std::vector<size_t> sentence_ends(std::string_view text);

}  // namespace lk::book
