#include "search/words.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"

namespace lk::search {
namespace {

// U+00C0 to U+017F without their accents. '*': two letters, below. ' ': no letter.
constexpr std::string_view latin =
    "aaaaaa*ceeeeiiiidnooooo ouuuuy**aaaaaa*ceeeeiiiidnooooo ouuuuy*y"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii**jjkkklllllll"
    "lllnnnnnnnnnoooooo**rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

enum class Class : uint8_t { none, skip, letter, digit, underscore, single };

struct Folded {
  Class kind = Class::none;
  char32_t code = 0;   // one code point, or
  const char* two = nullptr;  // two letters
  bool capital = false;
};

Folded ascii(char32_t c) {
  if (c >= 'a' && c <= 'z') return {Class::letter, c};
  if (c >= 'A' && c <= 'Z') return {Class::letter, c - 'A' + 'a', nullptr, true};
  if (c >= '0' && c <= '9') return {Class::digit, c};
  if (c == '_') return {Class::underscore, c};
  return {};
}

bool between(char32_t c, char32_t from, char32_t to) { return c >= from && c <= to; }

Folded fold(char32_t c) {
  if (c < 0x80) return ascii(c);
  if (c == 0xAD || between(c, 0x300, 0x36F) || between(c, 0x200B, 0x200D) || c == 0x2060 || c == 0xFEFF) return {Class::skip};
  if (c == 0xB5 || c == 0x3BC) return {Class::letter, 'u'};  // micro sign and mu, as people type them
  if (between(c, 0xC0, 0x17F)) {
    const char base = latin[c - 0xC0];
    if (base == ' ') return {};
    if (base != '*') return {Class::letter, static_cast<char32_t>(base), nullptr, c < 0xDF};
    const char* two = c == 0xC6 || c == 0xE6 ? "ae" : c == 0xDF ? "ss" : c == 0x132 || c == 0x133 ? "ij" : c == 0x152 || c == 0x153 ? "oe" : "th";
    return {Class::letter, 0, two, c < 0xDF};
  }
  if (between(c, 0xFF01, 0xFF5E)) return ascii(c - 0xFF01 + '!');
  if (between(c, 0x391, 0x3A9)) return {Class::letter, c + 0x20, nullptr, true};
  if (between(c, 0x410, 0x42F)) return {Class::letter, c + 0x20, nullptr, true};
  if (between(c, 0x400, 0x40F)) return {Class::letter, c + 0x50, nullptr, true};
  if (between(c, 0x3041, 0x30FF) || between(c, 0x3400, 0x4DBF) || between(c, 0x4E00, 0x9FFF) || between(c, 0xAC00, 0xD7A3) ||
      between(c, 0xF900, 0xFAFF) || between(c, 0xFF66, 0xFF9F) || between(c, 0x20000, 0x3FFFF))
    return {Class::single, c};
  if (between(c, 0x180, 0x2AF) || between(c, 0x370, 0x1FFF) || between(c, 0x2C00, 0x2DFF) || between(c, 0xA000, 0xABFF))
    return {Class::letter, c};
  return {};
}

void append(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

char32_t peek(std::string_view text, size_t at, size_t& after) {
  after = at;
  return at < text.size() ? next_code_point(text, after) : 0;
}

bool digit(std::string_view text, size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; }

// "4,096": exactly three digits behind the comma.
bool thousands(std::string_view text, size_t comma) {
  return digit(text, comma + 1) && digit(text, comma + 2) && digit(text, comma + 3) && !digit(text, comma + 4);
}

constexpr std::array<std::string_view, 62> stop_words = {
    "a",    "about", "an",    "and",  "any",   "are",  "as",    "at",    "be",   "been", "but",  "by",    "can",
    "did",  "do",    "does",  "for",  "from",  "get",  "had",   "has",   "have", "how",  "i",    "if",    "in",
    "into", "is",    "it",    "its",  "me",    "my",   "of",    "on",    "or",   "so",   "than", "that",  "the",
    "their", "them", "then",  "there", "these", "they", "this", "those", "to",   "was",  "we",   "were",  "what",
    "when", "where", "which", "who",  "why",   "will", "with",  "would", "you",  "your"};

}  // namespace

bool Scanner::next(Run& run) {
  run.word.clear();
  run.cuts.clear();
  run.capitals = false;
  size_t capitals = 0, small = 0;
  bool was_capital = false, was_letter = false, was_digit = false, was_underscore = false;
  while (at_ < text_.size()) {
    size_t after = at_;
    const char32_t c = next_code_point(text_, after);
    const Folded f = fold(c);
    if (f.kind == Class::skip) {
      at_ = after;
      if (!run.word.empty()) run.to = at_;
      continue;
    }
    if (f.kind == Class::none) {
      if (!run.word.empty()) {
        // What may stand inside a word: the point of a number, the comma of thousands, an apostrophe, the times sign of a size.
        if (was_digit && c == '.' && digit(text_, after)) {
          run.word += '.';
          at_ = after;
          continue;
        }
        if (was_digit && c == ',' && thousands(text_, at_)) {
          at_ = after;
          continue;
        }
        if (was_digit && c == 0xD7 && digit(text_, after)) {
          run.cuts.push_back(run.word.size());
          run.word += 'x';
          run.cuts.push_back(run.word.size());
          at_ = after;
          continue;
        }
        if (was_letter && (c == '\'' || c == 0x2019)) {
          size_t beyond = after;
          const Folded then = fold(peek(text_, after, beyond));
          if (then.kind == Class::letter) {
            size_t rest = beyond;
            const Folded last = fold(peek(text_, beyond, rest));
            // "the reader's": the word is the reader.
            if (then.code == 's' && last.kind != Class::letter && last.kind != Class::digit) {
              run.to = beyond;
              at_ = beyond;
              break;
            }
            at_ = after;
            continue;
          }
        }
        break;
      }
      at_ = after;
      continue;
    }
    if (f.kind == Class::single) {
      if (run.word.empty()) {
        run.from = at_;
        append(run.word, f.code);
        at_ = run.to = after;
      }
      break;
    }
    if (run.word.empty()) run.from = at_;
    const bool is_letter = f.kind == Class::letter;
    if (!run.word.empty() && run.word.size() < longest_word) {
      const bool x = c == 'x' && was_digit && digit(text_, after);
      const bool after_x = f.kind == Class::digit && run.word.back() == 'x' && !run.cuts.empty() && run.cuts.back() + 1 == run.word.size();
      bool cut = was_underscore != (f.kind == Class::underscore) || x || after_x;
      if (is_letter && was_letter) {
        if (f.capital && !was_capital) cut = true;
        if (f.capital && was_capital) {
          // "GPUDirect": the last capital begins the next part. "SMs" stays whole.
          size_t beyond = after;
          const Folded then = fold(peek(text_, after, beyond));
          size_t further = beyond;
          const Folded more = fold(peek(text_, beyond, further));
          if (then.kind == Class::letter && !then.capital && more.kind == Class::letter && !more.capital) cut = true;
        }
      }
      if (cut) run.cuts.push_back(run.word.size());
    }
    if (run.word.size() + 4 <= longest_word) {
      if (f.two != nullptr)
        run.word += f.two;
      else
        append(run.word, f.code);
    }
    if (is_letter) ++(f.capital ? capitals : small);
    was_capital = f.capital;
    was_letter = is_letter;
    was_digit = f.kind == Class::digit;
    was_underscore = f.kind == Class::underscore;
    at_ = run.to = after;
  }
  run.capitals = capitals >= 2 && small == 0;
  while (!run.cuts.empty() && run.cuts.back() >= run.word.size()) run.cuts.pop_back();
  if (run.word.find_first_not_of('_') == std::string::npos && !run.word.empty()) return next(run);  // "___" is no word
  return !run.word.empty();
}

std::vector<std::string_view> parts(const Run& run) {
  std::vector<std::string_view> out;
  if (run.cuts.empty()) return out;
  const std::string_view word = run.word;
  size_t from = 0;
  for (size_t n = 0; n <= run.cuts.size(); ++n) {
    const size_t to = n < run.cuts.size() ? run.cuts[n] : word.size();
    const std::string_view part = word.substr(from, to - from);
    from = to;
    if (part.empty() || part[0] == '_' || (part == "x" && n > 0 && n < run.cuts.size() && word[to] >= '0' && word[to] <= '9')) continue;
    if (part.size() < word.size()) out.push_back(part);
  }
  return out;
}

std::string normalized(std::string_view text) {
  std::string out;
  Scanner scanner(text);
  for (Run run; scanner.next(run);) {
    if (!out.empty()) out += ' ';
    out += run.word;
  }
  return out;
}

bool is_stop_word(std::string_view word) { return std::binary_search(stop_words.begin(), stop_words.end(), word); }

}  // namespace lk::search
