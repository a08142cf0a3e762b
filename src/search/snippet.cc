#include <algorithm>

#include "search/ask.h"

namespace lk::search {
namespace {

constexpr size_t room = 200, lead = 60;  // bytes of a snippet, and of them before its first match

struct Match {
  size_t from, to;
  int slot;
};

bool blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

std::vector<Match> matches(std::string_view text, Marker& marker) {
  std::vector<Match> out;
  Scanner scanner(text);
  for (Run run; scanner.next(run);)
    if (const int slot = marker.slot(run); slot >= 0) out.push_back({run.from, run.to, slot});
  return out;
}

// Blanks of all kinds as one space; a piece that is marked like the one before joins it.
void put(Segments& out, std::string_view text, bool mark) {
  std::string words;
  const bool after_blank = out.empty() || out.back().text.ends_with(' ');
  for (const char c : text) {
    if (!blank(c))
      words += c;
    else if (words.empty() ? !after_blank : words.back() != ' ')
      words += ' ';
  }
  if (words.empty()) return;
  if (!out.empty() && out.back().mark == mark)
    out.back().text += words;
  else
    out.push_back({std::move(words), mark});
}

Segments cut(std::string_view text, size_t from, size_t to, const std::vector<Match>& found) {
  Segments out;
  size_t at = from;
  for (const Match& m : found) {
    if (m.from < from || m.to > to) continue;
    put(out, text.substr(at, m.from - at), false);
    put(out, text.substr(m.from, m.to - m.from), true);
    at = m.to;
  }
  put(out, text.substr(at, to - at), false);
  return out;
}

/// The nearest place from `at` on that begins a character.
size_t whole_character(std::string_view text, size_t at) {
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80u) ++at;
  return std::min(at, text.size());
}

/// Where a snippet with its first match at `match` begins: at the sentence, or at a word.
size_t beginning(std::string_view text, size_t match) {
  if (match <= lead) return 0;
  const size_t least = match - lead;
  for (size_t at = match; at > least; --at) {
    if (text[at - 1] == '\n') return at;
    if (at >= 2 && blank(text[at - 1]) && (text[at - 2] == '.' || text[at - 2] == '?' || text[at - 2] == '!')) return at;
  }
  const size_t word = text.find_first_of(" \n", least);
  return word < match ? word + 1 : whole_character(text, least);
}

}  // namespace

Marker::Marker(const Index& index, const Ask& ask) : index_(index), ask_(ask) {
  for (size_t n = 0; n < ask.slots.size(); ++n) {
    const Slot& slot = ask.slots[n];
    // Stop words are marked nowhere: they would speckle the text.
    if (is_stop_word(slot.word) && slot.phrase < 0) continue;
    for (const Reading& r : slot.readings) groups_.emplace_back(r.group, static_cast<int>(n));
    for (const uint32_t group : slot.together) groups_.emplace_back(group, static_cast<int>(n));
  }
  std::sort(groups_.begin(), groups_.end());
}

int Marker::of_word(std::string_view word) {
  if (word.empty() || !ask_.begins[static_cast<unsigned char>(word.front())]) return -1;
  const auto at = std::lower_bound(known_.begin(), known_.end(), word, [](const auto& k, std::string_view w) { return k.first < w; });
  if (at != known_.end() && at->first == word) return at->second;
  int slot = -1;
  if (const auto found = index_.words().find(word)) {
    const auto group = std::lower_bound(groups_.begin(), groups_.end(), std::pair(Index::group(*found), -1));
    if (group != groups_.end() && group->first == Index::group(*found)) slot = group->second;
  }
  known_.insert(at, {std::string(word), slot});
  return slot;
}

int Marker::slot(const Run& run) {
  if (const int slot = of_word(run.word); slot >= 0) return slot;
  if (!run.cuts.empty())
    for (const std::string_view part : parts(run))
      if (const int slot = of_word(part); slot >= 0) return slot;
  return -1;
}

Segments marked(std::string_view text, Marker& marker) { return cut(text, 0, text.size(), matches(text, marker)); }

Segments snippet(std::string_view text, const Ask& ask, Marker& marker) {
  const auto found = matches(text, marker);
  // The window that answers most; the first of equals. Repeats add a little.
  size_t best = 0;
  double most = -1;
  std::vector<int> seen(ask.slots.size());
  for (size_t n = 0; n < found.size(); ++n) {
    std::fill(seen.begin(), seen.end(), 0);
    double value = 0;
    for (size_t m = n; m < found.size() && found[m].to <= found[n].from + (room - lead); ++m) {
      int& times = seen[static_cast<size_t>(found[m].slot)];
      value += ask.slots[static_cast<size_t>(found[m].slot)].idf * (times == 0 ? 1 : times == 1 ? 0.1 : 0);
      ++times;
    }
    if (value > most + 1e-9) {
      most = value;
      best = n;
    }
  }
  size_t from = found.empty() ? 0 : beginning(text, found[best].from);
  size_t to = text.size();
  if (to - from > room) {
    to = whole_character(text, from + room);
    const size_t word = text.find_last_of(" \n", to);
    if (word != std::string_view::npos && word > from + room / 2) to = word;
    // A match is never cut in two.
    for (const Match& m : found)
      if (m.from < to && m.to > to) to = m.to;
  } else if (to > room && from > 0) {
    // At the end of the text there is room in front.
    const size_t word = text.find_first_of(" \n", whole_character(text, to - room));
    if (word != std::string_view::npos && word + 1 < from) from = word + 1;
  }
  Segments out = cut(text, from, to, found);
  if (out.empty()) return out;
  if (from > 0) {
    if (out.front().mark)
      out.insert(out.begin(), {"… ", false});
    else
      out.front().text.insert(0, "… ");
  }
  if (to < text.size()) {
    if (out.back().mark) out.push_back({"", false});
    while (out.back().text.ends_with(' ')) out.back().text.pop_back();
    out.back().text += " …";
  }
  return out;
}

bool holds(std::string_view text, const std::vector<std::string>& phrase) {
  if (phrase.empty()) return true;
  std::vector<std::string> window;
  Scanner scanner(text);
  std::vector<size_t> open;  // how many words of the phrase each begun match has
  for (Run run; scanner.next(run);) {
    size_t kept = 0;
    open.push_back(0);
    for (const size_t matched : open) {
      if (run.word != phrase[matched]) continue;
      if (matched + 1 == phrase.size()) return true;
      open[kept++] = matched + 1;
    }
    open.resize(kept);
  }
  return false;
}

}  // namespace lk::search
