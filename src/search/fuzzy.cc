#include "search/fuzzy.h"

#include <algorithm>
#include <array>

#include "search/words.h"

namespace lk::search {

int typos_allowed(size_t bytes) { return bytes < 3 ? 0 : bytes < 8 ? 1 : 2; }

bool near_words(const Words& words, std::string_view word, int limit, bool prefix, std::vector<Near>& out) {
  limit = std::min(limit, most_typos);
  if (limit <= 0 || word.empty() || word.size() > longest_word) return true;
  const size_t n = word.size(), reach = static_cast<size_t>(limit), deepest = n + reach, shortest = n > reach ? n - reach : 0;
  const auto far = static_cast<uint8_t>(limit + 1);
  // rows[i][j]: distance between the first i bytes of a word of the table and the first j of `word`, where |i - j| <= limit;
  // beside that band it is far. Words come in order, so the rows of what a word shares with the one before are still there.
  std::array<std::array<uint8_t, longest_word + most_typos + 3>, longest_word + most_typos + 2> rows;
  std::array<uint8_t, longest_word + most_typos + 2> whole;  // least rows[0..i][n]
  for (size_t j = 0; j <= n; ++j) rows[0][j] = static_cast<uint8_t>(std::min<size_t>(j, far));
  whole[0] = rows[0][n];
  size_t line = 0;           // bytes of the word that the rows belong to
  size_t dead = ~size_t{0};  // words that share this many bytes with that word are too far
  const bool sound = words.each({}, [&](std::string_view other, uint32_t shared, Words::Found found) {
    const size_t same = std::min<size_t>(shared, line);
    if (same >= dead) return true;
    line = same;
    dead = ~size_t{0};
    if (other.size() < shortest || (!prefix && other.size() > deepest)) return true;
    for (size_t i = same; i < other.size(); ++i) {
      if (i >= deepest) {
        // Too long to be near as a whole; its beginning may be.
        if (prefix && whole[i] <= limit) out.push_back({std::string(other), found, whole[i], true});
        line = i;
        return true;
      }
      auto& row = rows[i + 1];
      const auto& above = rows[i];
      const size_t from = i + 1 > reach ? i + 1 - reach : 0, to = std::min(n, i + 1 + reach);
      uint8_t least = far, least_above = far;
      if (from == 0) least = row[0] = static_cast<uint8_t>(std::min<size_t>(i + 1, far));
      if (from > 0) row[from - 1] = far;
      if (to < n) row[to + 1] = far;
      const char letter = other[i];
      for (size_t j = std::max<size_t>(1, from); j <= to; ++j) {
        // The band of the row above begins and ends one earlier.
        const int up = j <= i + reach ? above[j] : far;
        int v = std::min({up + 1, row[j - 1] + 1, above[j - 1] + (letter == word[j - 1] ? 0 : 1)});
        if (i > 0 && j > 1 && letter == word[j - 2] && other[i - 1] == word[j - 1]) v = std::min(v, rows[i - 1][j - 2] + 1);
        row[j] = static_cast<uint8_t>(std::min<int>(v, far));
        least = std::min(least, row[j]);
        least_above = std::min(least_above, above[j - 1]);
      }
      whole[i + 1] = std::min(whole[i], to == n ? row[n] : far);
      // A swap may still reach over one row, so the row above has to be nearly far too.
      if (least > limit && least_above >= limit && !(prefix && whole[i + 1] <= limit)) {
        dead = i + 1;
        line = dead;
        return true;
      }
    }
    line = other.size();
    const uint8_t distance = other.size() + reach >= n ? rows[other.size()][n] : far;
    if (distance <= limit)
      out.push_back({std::string(other), found, distance, false});
    else if (prefix && whole[other.size()] <= limit)
      out.push_back({std::string(other), found, whole[other.size()], true});
    return true;
  });
  std::sort(out.begin(), out.end(), [](const Near& a, const Near& b) {
    if (a.begins != b.begins) return !a.begins;
    return a.distance != b.distance ? a.distance < b.distance : a.found.index < b.found.index;
  });
  return sound;
}

}  // namespace lk::search
