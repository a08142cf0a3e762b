// Words that are nearly the one that was typed.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "search/format.h"

namespace lk::search {

/// How many typing errors a word of this many bytes may hold: none below 3, one below 8, two from there on.
int typos_allowed(size_t bytes);

inline constexpr int most_typos = 4;  // that near_words() looks for

struct Near {
  std::string word;
  Words::Found found;
  int distance = 0;
  bool begins = false;  // only the beginning of the word is near
};

/// Words of the table at a distance of at most `limit` (4 or less) from `word`: letters added, dropped, changed, or two neighbors swapped
/// (optimal string alignment). `prefix`: also words that only begin like `word`. Nearest first, then in order of the table.
/// False when the table is damaged.
bool near_words(const Words& words, std::string_view word, int limit, bool prefix, std::vector<Near>& out);

}  // namespace lk::search
