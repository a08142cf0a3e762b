// Checks of what figures compute: parameters in links, printed values, device names beside values that follow the reader.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "book/book.h"

namespace lk::book {

/// Strict check of a figure's parameters; the figure is known to exist. True when nothing was wrong.
bool check_query(const Catalog& catalog, std::string_view figure, const Pairs& query, const Place& at, std::vector<Problem>& problems);

/// A `value:` link: figure, result and parameters exist, the printed text is what is computed, and its unit is the same on
/// every device when the unit stands outside the link.
void check_value(const Catalog& catalog, const Node& value, std::vector<Problem>& problems);

/// A device named in the same sentence, table row or column head as a value that follows the reader: the sentence would turn
/// wrong with the first change of the device.
void check_device_names(const Catalog& catalog, const Node& tree, std::vector<Problem>& problems);

/// `figure` among the catalog's figures; otherwise a problem with the closest name.
bool check_figure_id(const Catalog& catalog, std::string_view figure, const Place& at, std::vector<Problem>& problems);

/// "did you mean `x`?" or `otherwise`.
template <class Names>
std::string hint(std::string_view word, const Names& names, std::string_view otherwise) {
  const std::string near = closest(word, names);
  return near.empty() ? std::string(otherwise) : "did you mean `" + near + "`?";
}

}  // namespace lk::book
