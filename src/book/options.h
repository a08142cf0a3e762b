// The info string of a fenced block: ```cuda file=strided.cu#kernel caption="..." hot=16,18-20
#pragma once
#include <string_view>
#include <vector>

#include "book/document.h"

namespace lk::book {

/// Sets `info` (the language) and `options` of a listing. `place` is where the info string begins.
void parse_info(std::string_view info, const Place& place, Node& listing, std::vector<Problem>& problems);

/// "16,18-20" as line numbers; empty when it is no such list.
std::vector<int> line_list(std::string_view text);

}  // namespace lk::book
