#include "search/ask.h"

#include <algorithm>
#include <cmath>

#include "search/fuzzy.h"
#include "search/stem.h"

namespace lk::search {
namespace {

constexpr double begins_weight = 0.8, begins_too_weight = 0.3, one_edit = 0.7, two_edits = 0.45, alias_weight = 0.8, stop_weight = 0.12;
constexpr size_t most_begun = 40, most_near = 6, most_scanned = 4000, most_stemmed = 500;

class Reader {
 public:
  Reader(const Index& index, Ask& ask) : index_(index), ask_(ask) {}

  void word(const Run& run, bool last, int phrase) {
    const size_t before = ask_.slots.size();
    const auto pieces = parts(run);
    Slot slot;
    slot.word = run.word;
    slot.phrase = phrase;
    const bool known = plain(slot);
    if (last) begun(slot, known ? begins_too_weight : begins_weight);
    if (!slot.readings.empty()) {
      alias(slot);
      push(std::move(slot));
      return;
    }
    if (!pieces.empty()) {
      for (const std::string_view piece : pieces) {
        Slot part;
        part.word = std::string(piece);
        part.phrase = phrase;
        plain(part);
        if (last && &piece == &pieces.back()) begun(part, part.readings.empty() ? begins_weight : begins_too_weight);
        if (!part.readings.empty()) push(std::move(part));
      }
      if (ask_.slots.size() > before) return;
    }
    if (is_stop_word(slot.word)) return push(std::move(slot));  // right as it is, and nowhere
    const std::vector<Near> found = nearest(slot.word, last);
    // Two words run together are likelier than two errors.
    if ((found.empty() || found.front().distance > 1 || found.front().begins) && compound(run.word, phrase)) return;
    read_near(slot, found);
    push(std::move(slot));
  }

 private:
  void push(Slot slot) {
    if (ask_.slots.size() >= most_words) {
      ask_.cut = true;
      return;
    }
    double most = 0;
    for (const Reading& r : slot.readings) most = std::max(most, r.weight * idf_of(r.group));
    slot.idf = most;
    // A word that the book does not have says something too, though nobody can tell what.
    if (slot.readings.empty()) slot.idf = 0.5 * idf(0, index_.entries());
    if (is_stop_word(slot.word)) {
      slot.idf *= stop_weight;
      for (Reading& r : slot.readings) r.weight *= stop_weight;
    }
    ask_.slots.push_back(std::move(slot));
  }

  double idf_of(uint32_t group) {
    const auto frequency = index_.frequency(group);
    if (!frequency) ask_.sound = false;
    return frequency ? idf(*frequency, index_.entries()) : 0;
  }

  void add(Slot& slot, uint32_t group, double weight, std::string_view word) {
    for (Reading& r : slot.readings) {
      if (r.group != group) continue;
      r.weight = std::max(r.weight, weight);
      return;
    }
    slot.readings.push_back({group, weight});
    if (!word.empty()) ask_.begins[static_cast<unsigned char>(word.front())] = true;
  }

  // The word itself, or other inflections of it.
  bool plain(Slot& slot) {
    auto found = index_.words().find(slot.word);
    if (!found) found = same_stem(slot.word);
    if (!found) return false;
    add(slot, Index::group(*found), 1, slot.word);
    return true;
  }

  // Another inflection. Words with one stem share it but for its last letter ("happy": "happi"), so they stand close together.
  std::optional<Words::Found> same_stem(std::string_view word) {
    const std::string stem(stemmer_.stem(word));
    if (stem.size() < 3) return std::nullopt;
    const std::string_view start = std::string_view(stem).substr(0, stem.size() - 1);
    std::optional<Words::Found> out;
    size_t scanned = 0;
    const bool sound = index_.words().each(start, [&](std::string_view other, uint32_t, Words::Found at) {
      if (!other.starts_with(start) || ++scanned > most_stemmed) return false;
      if (stemmer_.stem(other) == stem) out = at;
      return !out;
    });
    ask_.sound = ask_.sound && sound;
    return out;
  }

  // Words that begin so. The more of a word is typed, the more it counts.
  void begun(Slot& slot, double weight) {
    struct Candidate {
      uint32_t frequency, group;
      double share;
      std::string word;
    };
    std::vector<Candidate> found;
    size_t scanned = 0;
    const bool sound = index_.words().each(slot.word, [&](std::string_view word, uint32_t, Words::Found at) {
      if (!word.starts_with(slot.word) || ++scanned > most_scanned) return false;
      if (word.size() == slot.word.size()) return true;
      const auto frequency = index_.frequency(Index::group(at));
      if (!frequency) {
        ask_.sound = false;
        return false;
      }
      found.push_back({*frequency, Index::group(at), static_cast<double>(slot.word.size()) / static_cast<double>(word.size()), std::string(word)});
      return true;
    });
    ask_.sound = ask_.sound && sound;
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
      return a.frequency != b.frequency ? a.frequency > b.frequency : a.word < b.word;
    });
    if (found.size() > most_begun) found.resize(most_begun);
    for (const Candidate& c : found) add(slot, c.group, weight * (0.4 + 0.6 * c.share), c.word);
  }

  // What was probably meant: the nearest words, the likeliest first.
  std::vector<Near> nearest(std::string_view word, bool last) {
    std::vector<Near> found;
    ask_.sound = near_words(index_.words(), word, typos_allowed(word.size()), last && word.size() >= 4, found) && ask_.sound;
    if (found.empty()) return found;
    const Near first = found.front();
    std::erase_if(found, [&](const Near& n) { return n.distance > first.distance || n.begins != first.begins; });
    // The frequent word is the likelier one; so is one with the same first letter.
    std::vector<std::pair<double, uint32_t>> ranks;
    for (uint32_t n = 0; n < found.size(); ++n)
      ranks.emplace_back(-std::log(1.0 + index_.frequency(Index::group(found[n].found)).value_or(0)) - (found[n].word.front() == word.front() ? 2 : 0), n);
    std::sort(ranks.begin(), ranks.end());
    std::vector<Near> out;
    for (const auto& [rank, n] : ranks)
      if (out.size() < most_near) out.push_back(std::move(found[n]));
    return out;
  }

  void read_near(Slot& slot, const std::vector<Near>& found) {
    if (found.empty()) return;
    for (const Near& n : found)
      add(slot, Index::group(n.found), (n.distance == 1 ? one_edit : two_edits) * (&n == &found.front() ? 1 : 0.7) * (n.begins ? 0.7 : 1), n.word);
    ask_.corrected.push_back({slot.word, found.front().word});
  }

  // "kvcache" -> "kv", "cache".
  bool compound(std::string_view word, int phrase) {
    if (word.size() < 5 || word.size() > longest_word) return false;
    size_t best = 0;
    uint32_t most = 0;
    for (size_t cut = 2; cut + 2 <= word.size(); ++cut) {
      uint32_t least = ~0u;
      for (const std::string_view half : {word.substr(0, cut), word.substr(cut)}) {
        const auto found = is_stop_word(half) ? std::nullopt : index_.words().find(half);
        least = std::min(least, found ? index_.frequency(Index::group(*found)).value_or(0) : 0);
      }
      if (least > most) {
        most = least;
        best = cut;
      }
    }
    if (best == 0) return false;
    for (const std::string_view half : {word.substr(0, best), word.substr(best)}) {
      Slot slot;
      slot.word = std::string(half);
      slot.phrase = phrase;
      plain(slot);
      push(std::move(slot));
    }
    ask_.corrected.push_back({std::string(word), std::string(word.substr(0, best)) + ' ' + std::string(word.substr(best))});
    return true;
  }

  // "ttft" also stands for "time to first token".
  void alias(Slot& slot) {
    const auto name = index_.names().find(slot.word);
    if (!name) return;
    const auto entry = index_.entry(name->number);
    if (!entry) {
      ask_.sound = false;
      return;
    }
    Scanner scanner(entry->title);
    for (Run run; scanner.next(run);) {
      if (run.word == slot.word) {
        slot.together.clear();  // the name holds the alias: nothing new
        return;
      }
      if (is_stop_word(run.word)) continue;
      const auto found = index_.words().find(run.word);
      if (!found) continue;
      slot.together.push_back(Index::group(*found));
      ask_.begins[static_cast<unsigned char>(run.word.front())] = true;
    }
    if (slot.together.size() == 1) {
      add(slot, slot.together.front(), alias_weight, {});
      slot.together.clear();
    }
  }

  const Index& index_;
  Ask& ask_;
  const Stemmer stemmer_;
};

// Words joined across a blank: "flash attention" is also the "flashattention" of a text.
void join(const Index& index, Ask& ask) {
  for (size_t n = 0; n + 1 < ask.slots.size(); ++n) {
    Slot &one = ask.slots[n], &two = ask.slots[n + 1];
    if (one.word.size() + two.word.size() > longest_word || is_stop_word(one.word) || is_stop_word(two.word)) continue;
    const auto found = index.words().find(one.word + two.word);
    if (!found) continue;
    for (Slot* slot : {&one, &two}) slot->readings.push_back({Index::group(*found), 0.6});
    ask.begins[static_cast<unsigned char>(one.word.front())] = true;
  }
}

/// Bytes of a quotation mark at `at`; 0: there is none.
size_t quote(std::string_view text, size_t at) {
  if (text[at] == '"') return 1;
  for (const std::string_view mark : {"\xE2\x80\x9C", "\xE2\x80\x9D", "\xE2\x80\x9E", "\xC2\xAB", "\xC2\xBB"})
    if (text.substr(at, mark.size()) == mark) return mark.size();
  return 0;
}

}  // namespace

double idf(uint32_t frequency, uint32_t entries) {
  const double n = frequency, all = std::max(entries, frequency);
  return std::log(1 + (all - n + 0.5) / (n + 0.5));
}

Ask read_query(const Index& index, std::string_view query) {
  Ask ask;
  Reader reader(index, ask);
  // Pieces between quotation marks; every second one is a phrase when its mark is closed.
  std::vector<std::pair<size_t, size_t>> pieces;
  size_t from = 0;
  for (size_t at = 0; at < query.size();) {
    const size_t mark = quote(query, at);
    if (mark > 0) {
      pieces.emplace_back(from, at);
      from = at + mark;
    }
    at += std::max<size_t>(1, mark);
  }
  pieces.emplace_back(from, query.size());
  bool nothing_but_stop_words = true;
  size_t seen = 0;
  for (size_t n = 0; n < pieces.size() && !ask.cut; ++n) {
    const std::string_view piece = query.substr(pieces[n].first, pieces[n].second - pieces[n].first);
    const bool phrase = n % 2 == 1 && n + 1 < pieces.size();
    int id = -1;
    Scanner scanner(piece);
    for (Run run; scanner.next(run);) {
      if (++seen > most_words) {
        ask.cut = true;
        break;
      }
      if (phrase) {
        if (id < 0) {
          id = static_cast<int>(ask.phrases.size());
          ask.phrases.emplace_back();
        }
        ask.phrases.back().push_back(run.word);
      }
      if (ask.whole.size() < 256) ask.whole += (ask.whole.empty() ? "" : " ") + run.word;
      nothing_but_stop_words = nothing_but_stop_words && is_stop_word(run.word);
      // A word that is typed twice counts once.
      const bool again = std::any_of(ask.slots.begin(), ask.slots.end(), [&](const Slot& s) { return s.word == run.word; });
      const bool last = !phrase && n + 1 == pieces.size() && run.to == piece.size();
      if (!again || (phrase && !is_stop_word(run.word))) reader.word(run, last, id);
    }
  }
  if (ask.phrases.empty()) join(index, ask);
  // "to be or not to be": what says nothing is all there is.
  if (nothing_but_stop_words)
    for (Slot& slot : ask.slots) {
      slot.idf /= stop_weight;
      for (Reading& r : slot.readings) r.weight /= stop_weight;
    }
  return ask;
}

}  // namespace lk::search
