#include "search/query.h"

#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "search/ask.h"
#include "search/fuzzy.h"

namespace lk::search {
namespace {

static_assert(most_words <= 64);       // words that an entry answers are bits
constexpr size_t most_titles = 24;    // entries whose titles are looked at
constexpr size_t most_found = 160;     // entries that are ranked further
constexpr size_t most_title = 120;     // bytes of a title that are looked at
constexpr size_t most_verified = 400;  // entries whose texts are searched for a phrase
constexpr size_t most_headings = 3;    // further headings of one page

double prior(Kind kind) {
  switch (kind) {
    case Kind::term: return 0.95;
    case Kind::section:
    case Kind::heading: return 1;
    case Kind::figure: return 0.75;
    case Kind::source: return 0.8;
    case Kind::page: return 0.5;
  }
  return 1;
}

struct Scored {
  uint32_t entry = 0;
  double score = 0;
};

struct Group {
  double score = 0;
  std::vector<Scored> entries;  // best first
  uint32_t order = 0;
};

class Search {
 public:
  Search(const Index& index, const Ask& ask) : index_(index), ask_(ask), score_(index.entries()), answered_(index.entries()), best_(index.entries()) {}

  bool run() {
    if (!accumulate()) return false;
    double all = 0;
    for (const Slot& slot : ask_.slots) all += slot.idf;
    all_ = std::max(all, 1e-9);
    for (const uint32_t entry : touched_) found_.push_back({entry, score_[entry] * coverage(answered_[entry])});
    std::sort(found_.begin(), found_.end(), [](const Scored& a, const Scored& b) { return a.score != b.score ? a.score > b.score : a.entry < b.entry; });
    // Phrases are looked for in more entries than anyone will see.
    if (ask_.phrases.empty() && found_.size() > most_found) found_.resize(most_found);
    return titles();
  }

  /// Drops entries that do not hold every quoted phrase; pages whose texts are needed for that go to `missing`.
  void phrases(std::vector<uint32_t>& missing) {
    if (ask_.phrases.empty()) return;
    std::vector<Scored> kept;
    size_t looked = 0;
    for (const Scored& one : found_) {
      if (!holds_words(one.entry) || ++looked > most_verified) continue;
      const auto entry = index_.entry(one.entry);
      if (!entry) continue;
      const bool here = index_.has_text(entry->page);
      if (!here) missing.push_back(entry->page);
      const std::string_view text = index_.text(one.entry);
      const bool all = std::all_of(ask_.phrases.begin(), ask_.phrases.end(), [&](const auto& phrase) {
        return holds(entry->title, phrase) || holds(entry->extra, phrase) || holds(text, phrase);
      });
      if (all) kept.push_back(one);
    }
    found_ = std::move(kept);
  }

  const std::vector<Scored>& found() const { return found_; }

  /// The page's own answer: each word wherever on the page it stands best.
  std::vector<Group> groups() {
    std::vector<Group> out;
    out.reserve(found_.size());
    std::vector<int> of_page(index_.pages(), -1);
    for (const Scored& one : found_) {
      const auto at = index_.place(one.entry);
      if (!at) continue;
      const auto [kind, page] = *at;
      const bool alone = kind != Kind::section && kind != Kind::heading;
      if (alone || of_page[page] < 0) {
        if (!alone) of_page[page] = static_cast<int>(out.size());
        out.push_back({one.score * prior(kind), {one}, static_cast<uint32_t>(out.size())});
      } else {
        out[static_cast<size_t>(of_page[page])].entries.push_back(one);
      }
    }
    for (Group& group : out) {
      if (group.entries.size() < 2) continue;
      double more = 0, share = 0.25;
      uint64_t all = 0;
      for (const Scored& one : group.entries) {
        if (&one != &group.entries.front()) more += share * one.score, share *= 0.5;
        all |= answered_[one.entry];
      }
      const double lone = coverage(answered_[group.entries.front().entry]);
      group.score = (group.score + more) * (0.5 + 0.5 * std::max(lone, coverage(all)) / std::max(lone, 1e-9));
    }
    std::sort(out.begin(), out.end(), [](const Group& a, const Group& b) { return a.score != b.score ? a.score > b.score : a.order < b.order; });
    return out;
  }

 private:
  bool accumulate() {
    std::vector<Posting> list;
    for (size_t s = 0; s < ask_.slots.size(); ++s) {
      const Slot& slot = ask_.slots[s];
      std::vector<uint32_t> here;
      const auto put = [&](uint32_t entry, double value) {
        if (best_[entry] == 0) here.push_back(entry);
        best_[entry] = std::max(best_[entry], static_cast<float>(value));
      };
      for (const Reading& r : slot.readings) {
        list.clear();
        if (!index_.postings(r.group, list)) return false;
        const double each = std::min(r.weight * idf(static_cast<uint32_t>(list.size()), index_.entries()), slot.idf);
        for (const Posting& p : list) put(p.entry, each * p.impact);
      }
      if (slot.together.size() > 1) {
        std::vector<Posting> all;
        for (size_t g = 0; g < slot.together.size(); ++g) {
          list.clear();
          if (!index_.postings(slot.together[g], list)) return false;
          if (g == 0) {
            all = list;
            continue;
          }
          std::vector<Posting> both;
          for (size_t a = 0, b = 0; a < all.size() && b < list.size();) {
            if (all[a].entry == list[b].entry) both.push_back({all[a].entry, std::min(all[a++].impact, list[b++].impact)});
            else if (all[a].entry < list[b].entry) ++a;
            else ++b;
          }
          all = std::move(both);
        }
        for (const Posting& p : all) put(p.entry, 0.8 * slot.idf * p.impact);
      }
      for (const uint32_t entry : here) {
        if (answered_[entry] == 0) touched_.push_back(entry);
        answered_[entry] |= uint64_t{1} << s;
        score_[entry] += best_[entry];
        best_[entry] = 0;
      }
    }
    return true;
  }

  double coverage(uint64_t answered) const {
    double part = 0;
    for (size_t s = 0; s < ask_.slots.size(); ++s)
      if (answered >> s & 1u) part += ask_.slots[s].idf;
    const double share = part / all_;
    return 0.2 + 0.8 * share * share;
  }

  // An entry whose title says what was asked is about it.
  bool titles() {
    Marker marker(index_, ask_);
    const size_t looked = std::min(found_.size(), most_titles);
    for (size_t n = 0; n < looked; ++n) {
      const auto entry = index_.entry(found_[n].entry);
      if (!entry) return false;
      double words = 0, said = 0;
      std::vector<bool> slots(ask_.slots.size());
      Scanner scanner(entry->title.substr(0, most_title));
      for (Run run; scanner.next(run);) {
        if (is_stop_word(run.word)) continue;
        ++words;
        const int slot = marker.slot(run);
        if (slot < 0) continue;
        ++said;
        slots[static_cast<size_t>(slot)] = true;
      }
      double part = 0;
      for (size_t s = 0; s < slots.size(); ++s) part += slots[s] ? ask_.slots[s].idf : 0;
      if (words > 0) found_[n].score *= 1 + 0.7 * (part / all_) * (said / words);
    }
    std::sort(found_.begin(), found_.end(), [](const Scored& a, const Scored& b) { return a.score != b.score ? a.score > b.score : a.entry < b.entry; });
    return true;
  }

  bool holds_words(uint32_t entry) const {
    for (size_t s = 0; s < ask_.slots.size(); ++s) {
      const Slot& slot = ask_.slots[s];
      if (slot.phrase >= 0 && !is_stop_word(slot.word) && !(answered_[entry] >> s & 1u)) return false;
    }
    return true;
  }

  const Index& index_;
  const Ask& ask_;
  double all_ = 1;
  std::vector<double> score_;
  std::vector<uint64_t> answered_;
  std::vector<float> best_;
  std::vector<uint32_t> touched_;
  std::vector<Scored> found_;
};

std::string address(std::string_view url, std::string_view anchor) {
  return std::string(url) + (anchor.empty() ? "" : "#" + std::string(anchor));
}

std::optional<Hit> hit_of(const Index& index, uint32_t n, double score) {
  const auto entry = index.entry(n);
  const auto page = entry ? index.page(entry->page) : std::nullopt;
  if (!page) return std::nullopt;
  Hit hit;
  hit.kind = entry->kind;
  hit.url = address(page->url, entry->slugged ? slug(entry->title) : std::string(entry->anchor));
  hit.title = std::string(entry->title);
  hit.number = std::string(entry->kind == Kind::figure ? entry->number : page->number);
  hit.page = std::string(page->title);
  hit.score = score;
  hit.marked = {{hit.title, false}};
  return hit;
}

// Names that are nearly what was typed as a whole.
std::optional<std::vector<Near>> near_names(const Index& index, const std::string& whole, int limit, bool prefix) {
  std::vector<Near> found;
  if (!near_words(index.names(), whole, limit, prefix, found)) return std::nullopt;
  return found;
}

}  // namespace

std::vector<Hit> start(const Index& index) {
  std::vector<Hit> out;
  for (const uint32_t entry : index.start())
    if (auto hit = hit_of(index, entry, 0)) out.push_back(std::move(*hit));
  return out;
}

Result<Answer> search(const Index& index, std::string_view query, const Options& options) {
  Answer answer;
  const Ask ask = read_query(index, query);
  if (!ask.sound) return damaged();
  answer.cut = ask.cut;
  answer.corrected = ask.corrected;
  if (ask.slots.empty()) return answer;

  Search search(index, ask);
  if (!search.run()) return damaged();
  search.phrases(answer.missing);
  std::vector<Group> groups = search.groups();

  // A query that is a term or an alias wants its entry first; one that nearly is wants it among the first.
  const auto lift = [&](uint32_t entry, double share) {
    const auto at = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.entries.front().entry == entry; });
    const double top = groups.empty() ? 1 : groups.front().score;
    if (at != groups.end() && at->score >= share * top && share <= 1) return;
    Group group = at != groups.end() ? *at : Group{0, {{entry, 0}}, 0};
    if (at != groups.end()) groups.erase(at);
    group.score = share * top;
    const auto before = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.score < group.score; });
    groups.insert(before, std::move(group));
  };
  if (ask.phrases.empty() && !ask.cut) {
    if (const auto exact = index.names().find(ask.whole)) {
      if (exact->number >= index.entries()) return damaged();
      lift(exact->number, 1.25);
    } else if (const int limit = typos_allowed(ask.whole.size()); limit > 0) {
      const auto near = near_names(index, ask.whole, limit, false);
      if (!near) return damaged();
      // Where a word is not in the book, the name is what was meant.
      double share = ask.corrected.empty() ? 0.95 : 1.1;
      for (const Near& n : *near) {
        if (n.found.number >= index.entries()) return damaged();
        if (n.distance > near->front().distance || share < 0.5) break;
        lift(n.found.number, share);
        share -= 0.1;
      }
    }
  }

  Marker marker(index, ask);
  for (const Group& group : groups) {
    if (answer.hits.size() >= options.limit) break;
    const uint32_t n = group.entries.front().entry;
    auto hit = hit_of(index, n, group.score);
    if (!hit) return damaged();
    hit->marked = marked(hit->title, marker);
    const auto entry = index.entry(n);
    if (options.snippets) {
      const std::string_view text = index.text(n);
      const bool cut_from_text = entry->kind == Kind::section || entry->kind == Kind::heading || entry->kind == Kind::source;
      if (cut_from_text && !text.empty())
        hit->snippet = snippet(text, ask, marker);
      else if (cut_from_text && !index.has_text(entry->page))
        answer.missing.push_back(entry->page);
      else
        hit->snippet = snippet(entry->extra, ask, marker);
    }
    for (size_t m = 1; m < group.entries.size() && hit->headings.size() < most_headings; ++m) {
      if (group.entries[m].score < 0.35 * group.entries.front().score) break;
      const auto more = hit_of(index, group.entries[m].entry, 0);
      if (!more) return damaged();
      hit->headings.push_back({more->url, marked(more->title, marker)});
    }
    answer.hits.push_back(std::move(*hit));
  }
  std::sort(answer.missing.begin(), answer.missing.end());
  answer.missing.erase(std::unique(answer.missing.begin(), answer.missing.end()), answer.missing.end());

  if (answer.hits.empty() && answer.missing.empty()) {
    if (const auto near = near_names(index, ask.whole, std::min<int>(4, static_cast<int>(ask.whole.size()) / 2), true)) {
      for (const Near& n : *near) {
        auto hit = hit_of(index, n.found.number, 0);
        const bool again = !hit || std::any_of(answer.suggestions.begin(), answer.suggestions.end(), [&](const Hit& s) { return s.url == hit->url; });
        if (!again) answer.suggestions.push_back(std::move(*hit));
        if (answer.suggestions.size() >= 3) break;
      }
    }
  }
  return answer;
}

}  // namespace lk::search
