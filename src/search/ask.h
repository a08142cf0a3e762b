// How a query is read: its words, and for each what in the index answers it. Private to this folder.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "search/index.h"
#include "search/query.h"
#include "search/words.h"

namespace lk::search {

/// A reading of a word: a group of the index and how much it counts, 1 for the word itself.
struct Reading {
  uint32_t group = 0;
  double weight = 1;
};

/// A word of the query.
struct Slot {
  std::string word;
  std::vector<Reading> readings;
  /// Groups that count only where all of them stand: the name behind an alias.
  std::vector<uint32_t> together;
  int phrase = -1;
  double idf = 0;  // of its strongest reading; what the word says
};

struct Ask {
  std::vector<Slot> slots;
  std::vector<std::vector<std::string>> phrases;  // words as they have to stand
  std::vector<Correction> corrected;
  std::string whole;      // the query, normalized
  bool cut = false;
  bool sound = true;      // false: the index is damaged
  std::array<bool, 256> begins{};  // first bytes of words that readings stand for
};

Ask read_query(const Index& index, std::string_view query);

double idf(uint32_t frequency, uint32_t entries);

/// The slot that a word of a text answers, or -1. Keeps what it found: texts repeat their words.
class Marker {
 public:
  Marker(const Index& index, const Ask& ask);
  int slot(const Run& run);

 private:
  int of_word(std::string_view word);
  const Index& index_;
  const Ask& ask_;
  std::vector<std::pair<uint32_t, int>> groups_;  // sorted
  std::vector<std::pair<std::string, int>> known_;
};

/// The text with its matches marked.
Segments marked(std::string_view text, Marker& marker);
/// The part of a text that answers most of the query, up to about 200 bytes; whole words.
Segments snippet(std::string_view text, const Ask& ask, Marker& marker);
/// Whether the words of a phrase stand side by side.
bool holds(std::string_view text, const std::vector<std::string>& phrase);

}  // namespace lk::search
