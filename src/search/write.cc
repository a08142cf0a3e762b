#include "search/write.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "base/utf8.h"
#include "search/layout.h"
#include "search/stem.h"
#include "search/words.h"

namespace lk::search {
namespace {

double weight(Field field) {
  switch (field) {
    case Field::name: return 10;
    case Field::title: return 7;
    case Field::page_title: return 5;
    case Field::lede: return 2;
    case Field::text: return 1;
    case Field::code: return 0.8;
    case Field::caption: return 1.5;
    case Field::note: return 1;
    case Field::reference: return 0.4;  // names what others say, hardly what the section says
  }
  return 1;
}

using Counts = std::vector<std::pair<uint32_t, double>>;  // entry, in order, and its weighted count

struct Gathered {
  std::vector<Counts> counts;                       // of stems
  std::unordered_map<std::string, uint32_t> stems;  // stem -> place in counts
  std::unordered_map<std::string, uint32_t> words;  // word of the text -> its stem's place in counts
  std::vector<double> lengths;                      // of entries
};

void add(Gathered& all, const Stemmer& stemmer, std::string_view word, uint32_t entry, double amount, bool prose) {
  if (prose && is_stop_word(word)) return;
  const auto [at, fresh] = all.words.try_emplace(std::string(word), 0);
  if (fresh) {
    const auto [stem, fresh_stem] = all.stems.try_emplace(std::string(stemmer.stem(word)), static_cast<uint32_t>(all.counts.size()));
    if (fresh_stem) all.counts.emplace_back();
    at->second = stem->second;
  }
  Counts& counts = all.counts[at->second];
  if (counts.empty() || counts.back().first != entry) counts.emplace_back(entry, 0);
  counts.back().second += amount;
}

Gathered gather(const Corpus& corpus) {
  Gathered all;
  const Stemmer stemmer;
  uint32_t n = 0;
  for (const CorpusPage& page : corpus) {
    for (const CorpusEntry& entry : page.entries) {
      double length = 0;
      for (const auto& [field, text] : entry.fields) {
        const bool prose = field != Field::name && field != Field::title;
        Scanner scanner(text);
        for (Run run; scanner.next(run);) {
          length += prose ? 1 : 0;
          add(all, stemmer, run.word, n, weight(field), prose);
          for (const std::string_view part : parts(run)) add(all, stemmer, part, n, weight(field), true);
        }
      }
      all.lengths.push_back(length);
      ++n;
    }
  }
  return all;
}

int code_of(double ratio, double step, int zero) {
  return std::clamp(static_cast<int>(std::lround(std::log2(std::max(ratio, 1e-6)) / step)) + zero, 0, 15);
}

std::string postings_of(const Counts& counts) {
  std::string out, codes;
  uint32_t before = 0, n = 0;
  for (const auto& [entry, count] : counts) {
    if (n == 0) {
      put_varint(out, entry * 2 + (counts.size() > 1 ? 1u : 0u));
      if (counts.size() > 1) put_varint(out, static_cast<uint32_t>(counts.size()));
    } else {
      put_varint(out, entry - before - 1);
    }
    before = entry;
    const int code = code_of(count, count_step, count_zero);
    if (n % 2 == 0)
      codes += static_cast<char>(code);
    else
      codes.back() = static_cast<char>(static_cast<unsigned char>(codes.back()) | (code << 4));
    ++n;
  }
  return out + codes;
}

std::string lengths_of(const std::vector<double>& lengths) {
  double average = 1;
  for (const double length : lengths) average += length;
  average /= std::max<double>(1, static_cast<double>(lengths.size()));
  std::string out;
  for (const double length : lengths) out += static_cast<char>(code_of(length / average, length_step, length_zero));
  return out;
}

struct Dictionary {
  std::vector<Words::Entry> words;
  std::vector<std::string> postings;  // empty but for the first word of a group
};

Dictionary dictionary(const Gathered& all) {
  std::vector<std::pair<std::string_view, uint32_t>> sorted(all.words.begin(), all.words.end());
  std::sort(sorted.begin(), sorted.end());
  constexpr uint32_t none = ~0U;
  std::vector<uint32_t> first(all.counts.size(), none);  // the first word of each stem
  Dictionary out;
  for (const auto& [word, stem] : sorted) {
    const auto n = static_cast<uint32_t>(out.words.size());
    const bool fresh = first[stem] == none;
    if (fresh) first[stem] = n;
    out.words.push_back({std::string(word), n - first[stem]});
    out.postings.push_back(fresh ? postings_of(all.counts[stem]) : std::string());
  }
  return out;
}

std::string text_file(const CorpusPage& page) {
  std::string out(text_magic), body;
  put_fixed(out, static_cast<uint32_t>(page.entries.size()));
  put_fixed(out, 0);
  for (const CorpusEntry& entry : page.entries) {
    body += entry.text;
    put_fixed(out, static_cast<uint32_t>(body.size()));
  }
  return out + body;
}

std::string entry_record(const CorpusEntry& entry, uint32_t page) {
  const bool slugged = !entry.anchor.empty() && entry.anchor == slug(entry.title);
  std::string out(1, static_cast<char>(static_cast<uint8_t>(entry.kind) | (slugged ? anchor_is_slug : 0)));
  put_varint(out, page);
  put_text(out, entry.title);
  put_text(out, slugged ? std::string_view{} : std::string_view(entry.anchor));
  put_text(out, entry.number);
  put_text(out, entry.extra);
  return out;
}

constexpr size_t suggested = 6;

}  // namespace

std::string write(const Corpus& corpus, const std::function<std::string(size_t, std::string)>& keep) {
  std::vector<std::string> pages, entries;
  std::map<std::string, uint32_t> names;
  std::vector<std::pair<int, uint32_t>> used;
  for (size_t p = 0; p < corpus.size(); ++p) {
    const CorpusPage& page = corpus[p];
    const bool texts = std::any_of(page.entries.begin(), page.entries.end(), [](const CorpusEntry& e) { return !e.text.empty(); });
    std::string record;
    put_text(record, page.url);
    put_text(record, page.title);
    put_text(record, page.number);
    put_text(record, texts ? keep(p, text_file(page)) : std::string());
    put_varint(record, static_cast<uint32_t>(entries.size()));
    put_varint(record, static_cast<uint32_t>(page.entries.size()));
    pages.push_back(std::move(record));
    for (const CorpusEntry& entry : page.entries) {
      const auto n = static_cast<uint32_t>(entries.size());
      for (const std::string& name : entry.names)
        if (std::string plain = normalized(name); !plain.empty() && plain.size() <= longest_entry) names.try_emplace(std::move(plain), n);
      if (entry.kind == Kind::term) used.emplace_back(-entry.uses, n);
      entries.push_back(entry_record(entry, static_cast<uint32_t>(p)));
    }
  }
  const Gathered gathered = gather(corpus);
  const Dictionary dict = dictionary(gathered);
  std::vector<Words::Entry> sorted_names;
  for (const auto& [name, entry] : names) sorted_names.push_back({name, entry});
  std::sort(used.begin(), used.end());
  std::vector<std::string> start;
  for (size_t i = 0; i < std::min(suggested, used.size()); ++i) put_varint(start.emplace_back(), used[i].second);

  std::string header(index_magic), body;
  put_fixed(header, format_version);
  const std::pair<size_t, std::string> tables[] = {{pages.size(), Table::write(pages)},
                                                   {entries.size(), Table::write(entries)},
                                                   {dict.words.size(), Words::write(dict.words)},
                                                   {dict.postings.size(), Table::write(dict.postings)},
                                                   {sorted_names.size(), Words::write(sorted_names)},
                                                   {start.size(), Table::write(start)},
                                                   {1, Table::write({lengths_of(gathered.lengths)})}};
  size_t total = header_size;
  for (const auto& [count, bytes] : tables) total += bytes.size();
  put_fixed(header, static_cast<uint32_t>(total));
  for (const auto& [count, bytes] : tables) {
    const size_t offsets = (count + stride - 1) / stride * 4;
    put_fixed(header, static_cast<uint32_t>(count));
    put_fixed(header, static_cast<uint32_t>(header_size + body.size()));
    put_fixed(header, static_cast<uint32_t>(bytes.size() - offsets));
    body += bytes;
  }
  return header + body;
}

Index index_of(const Corpus& corpus) {
  std::vector<std::pair<uint32_t, std::string>> texts;
  auto index = Index::open(write(corpus, [&](size_t page, std::string bytes) {
    texts.emplace_back(static_cast<uint32_t>(page), std::move(bytes));
    return std::to_string(page);
  }));
  if (!index) return {};  // cannot be: it was just written
  for (auto& [page, bytes] : texts) (void)index->add_text(page, std::move(bytes));
  return std::move(*index);
}

}  // namespace lk::search
