#include "search/fuzzy.h"

#include <algorithm>
#include <array>

#include "search/words.h"

namespace lk::search {

int typos_allowed(size_t bytes) { return bytes < 3 ? 0 : bytes < 8 ? 1 : 2; }

bool near_words(const Words& words, std::string_view word, int limit, bool prefix, std::vector<Near>& out) {
  limit = std::min(limit, most_typos);
  if (limit <= 0 || word.empty() || word.size() > longest_word) return true;
  const size_t n = word.size(), deepest = n + static_cast<size_t>(limit);
  const auto far = static_cast<uint8_t>(limit + 1);
  // rows[i][j]: distance between the first i bytes of a word of the table and the first j of `word`. Words come in order, so
  // the rows of what a word shares with the one before are still there.
  std::array<std::array<uint8_t, longest_word + 1>, longest_word + most_typos + 2> rows;
  std::array<uint8_t, longest_word + most_typos + 2> whole;  // least rows[0..i][n]
  for (size_t j = 0; j <= n; ++j) rows[0][j] = static_cast<uint8_t>(std::min<size_t>(j, far));
  whole[0] = rows[0][n];
  std::string line;      // the word that the rows belong to
  size_t dead = ~size_t{0};  // words that share this many bytes with `line` are too far
  const bool sound = words.each({}, [&](const std::string& other, uint32_t shared, Words::Found found) {
    size_t same = std::min<size_t>(shared, line.size());
    if (same >= dead) return true;
    line.resize(same);
    dead = ~size_t{0};
    for (size_t i = same; i < other.size(); ++i) {
      if (i >= deepest) {
        // Too long to be near as a whole; its beginning may be.
        if (prefix && whole[i] <= limit) out.push_back({other, found, whole[i], true});
        line.assign(other, 0, i);
        return true;
      }
      auto& row = rows[i + 1];
      const auto& above = rows[i];
      row[0] = static_cast<uint8_t>(std::min<size_t>(i + 1, far));
      uint8_t least = row[0];
      for (size_t j = 1; j <= n; ++j) {
        int v = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (other[i] == word[j - 1] ? 0 : 1)});
        if (i > 0 && j > 1 && other[i] == word[j - 2] && other[i - 1] == word[j - 1]) v = std::min(v, rows[i - 1][j - 2] + 1);
        row[j] = static_cast<uint8_t>(std::min<int>(v, far));
        least = std::min(least, row[j]);
      }
      whole[i + 1] = std::min(whole[i], row[n]);
      if (least > limit && !(prefix && whole[i + 1] <= limit)) {
        // A swap may still reach over one row, so the row above has to be far too.
        if (*std::min_element(above.begin(), above.begin() + static_cast<std::ptrdiff_t>(n) + 1) >= limit) {
          dead = i + 1;
          line.assign(other, 0, dead);
          return true;
        }
      }
    }
    line = other;
    const uint8_t distance = rows[other.size()][n];
    if (distance <= limit)
      out.push_back({other, found, distance, false});
    else if (prefix && whole[other.size()] <= limit)
      out.push_back({other, found, whole[other.size()], true});
    return true;
  });
  std::sort(out.begin(), out.end(), [](const Near& a, const Near& b) {
    if (a.begins != b.begins) return !a.begins;
    return a.distance != b.distance ? a.distance < b.distance : a.found.index < b.found.index;
  });
  return sound;
}

}  // namespace lk::search
