// Text to words, alike for what is indexed, for queries and for marks in snippets.
//
// A run is what stands between blanks and punctuation: "cudaMemcpyAsync", "sm_90a", "4,096", "3.35". Its word is the run in
// small letters, accents taken off ("Müller" -> "muller"), width and case of other scripts folded where that is simple. A run
// that is put together also has parts: at underscores, where capitals begin ("cuda", "memcpy", "async") and around the x of
// sizes ("4096x4096"). Chinese, Japanese and Korean characters are runs of one character. Emoji, symbols, control characters
// and bytes that are no UTF-8 part words and never belong to one.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lk::search {

inline constexpr size_t longest_word = 64;  // bytes; what is longer is cut

struct Run {
  size_t from = 0, to = 0;    // bytes of the text
  std::string word;           // "__syncthreads"
  std::vector<size_t> cuts;   // where parts begin in `word`, after the first
  bool capitals = false;      // written in capitals alone, two or more: "SM"
};

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}
  /// The next run; false at the end. `run` keeps its memory from call to call.
  bool next(Run& run);

 private:
  std::string_view text_;
  size_t at_ = 0;
};

/// The parts of a run that differ from its word: "fast_p" -> "fast", "p"; none for plain words.
std::vector<std::string_view> parts(const Run& run);

/// All words of a text, parts left out, with one space between them: what names are compared by.
std::string normalized(std::string_view text);

/// Words that stand everywhere and say nothing: "the", "how", "of".
bool is_stop_word(std::string_view word);

}  // namespace lk::search
