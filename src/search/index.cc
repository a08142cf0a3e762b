#include "search/index.h"

#include <cmath>

#include "search/layout.h"

namespace lk::search {

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::term: return "term";
    case Kind::section: return "section";
    case Kind::heading: return "heading";
    case Kind::figure: return "figure";
    case Kind::source: return "source";
    case Kind::page: return "page";
  }
  return "page";
}

Error damaged() { return {{}, "the search index is damaged", "reload the page; if that does not help, build the site again"}; }

Result<Index> Index::open(std::string bytes) {
  Index out;
  out.bytes_ = std::make_unique<const std::string>(std::move(bytes));
  const std::string_view file = *out.bytes_;
  Cursor header(file);
  if (header.take(4) != index_magic) return Error{{}, "this is no search index", "build the site again"};
  const uint32_t version = header.fixed(), size = header.fixed();
  if (header.ok() && version != format_version)
    return Error{{}, "the search index has format " + std::to_string(version) + ", this program reads format " + std::to_string(format_version),
                 "reload the page; if that does not help, build the site again"};
  if (!header.ok() || size != file.size()) return damaged();
  bool sound = true;
  const auto next = [&] {
    const uint32_t count = header.fixed(), offset = header.fixed(), bytes_of_records = header.fixed();
    const auto table = Table::open(file, count, offset, bytes_of_records);
    sound = sound && header.ok() && table;
    return table.value_or(Table{});
  };
  out.pages_ = next();
  out.entries_ = next();
  out.words_ = Words(next());
  out.postings_ = next();
  out.names_ = Words(next());
  out.start_ = next();
  const Table lengths = next();
  if (!sound || out.postings_.count() != out.words_.count()) return damaged();
  out.lengths_ = lengths.at(0).value_or(std::string_view{});
  if (out.lengths_.size() != out.entries()) return damaged();
  for (int l = 0; l < 16; ++l)
    for (int c = 0; c < 16; ++c) {
      const double count = std::exp2((c - count_zero) * count_step), length = std::exp2((l - length_zero) * length_step);
      out.impacts_[static_cast<size_t>(l)][static_cast<size_t>(c)] = static_cast<float>(count / (count + k1 * (1 - b + b * length)));
    }
  return out;
}

std::optional<PageEntry> Index::page(uint32_t n) const {
  const auto record = pages_.at(n);
  if (!record) return std::nullopt;
  Cursor c(*record);
  PageEntry out;
  out.url = c.text();
  out.title = c.text();
  out.number = c.text();
  out.file = c.text();
  out.first = c.varint();
  out.count = c.varint();
  return c.ok() && uint64_t{out.first} + out.count <= entries() ? std::optional(out) : std::nullopt;
}

std::optional<std::pair<Kind, uint32_t>> Index::place(uint32_t n) const {
  const auto record = entries_.at(n);
  if (!record) return std::nullopt;
  Cursor c(*record);
  const int kind = c.byte() & ~anchor_is_slug;
  const uint32_t page = c.varint();
  if (!c.ok() || kind > static_cast<int>(Kind::page) || page >= pages()) return std::nullopt;
  return std::pair(static_cast<Kind>(kind), page);
}

std::optional<Entry> Index::entry(uint32_t n) const {
  const auto at = place(n);
  if (!at) return std::nullopt;
  Cursor c(*entries_.at(n));
  Entry out;
  const uint8_t kind = c.byte();
  c.varint();
  out.kind = at->first;
  out.page = at->second;
  out.title = c.text();
  out.anchor = c.text();
  out.number = c.text();
  out.extra = c.text();
  out.slugged = (kind & anchor_is_slug) != 0;
  return c.ok() ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<uint32_t> Index::frequency(uint32_t group) const {
  const auto record = postings_.at(group);
  if (!record || record->empty()) return std::nullopt;
  Cursor c(*record);
  const bool several = c.varint() % 2 != 0;
  const uint32_t count = several ? c.varint() : 1;
  return c.ok() && count > 0 && count <= c.left() + 1 ? std::optional(count) : std::nullopt;
}

bool Index::postings(uint32_t group, std::vector<Posting>& out) const {
  const auto count = frequency(group);
  if (!count) return false;
  Cursor c(*postings_.at(group));
  const size_t before = out.size();
  uint64_t entry = c.varint() / 2;
  if (*count > 1) c.varint();
  for (uint32_t n = 0; n < *count; ++n) {
    if (n > 0) entry += c.varint() + 1u;
    if (entry >= entries() || !c.ok()) return false;
    out.push_back({static_cast<uint32_t>(entry), 0});
  }
  uint8_t two = 0;
  for (uint32_t n = 0; n < *count; ++n) {
    if (n % 2 == 0) two = c.byte();
    Posting& p = out[before + n];
    p.impact = impacts_[static_cast<uint8_t>(lengths_[p.entry]) & 15u][n % 2 == 0 ? two & 15u : two >> 4];
  }
  return c.ok();
}

std::vector<uint32_t> Index::start() const {
  std::vector<uint32_t> out;
  for (uint32_t n = 0; n < start_.count() && n < 64; ++n) {
    const auto record = start_.at(n);
    if (!record) break;
    Cursor c(*record);
    const uint32_t at = c.varint();
    if (c.ok() && at < entries()) out.push_back(at);
  }
  return out;
}

std::optional<Error> Index::add_text(uint32_t n, std::string bytes) {
  const auto at = page(n);
  Cursor c(bytes);
  const bool ours = c.take(4) == text_magic;
  const uint32_t count = c.fixed();
  if (!at || !ours || !c.ok() || count != at->count || c.left() < (size_t{count} + 1) * 4)
    return Error{{}, "the text of a page is damaged", "reload the page; if that does not help, build the site again"};
  if (texts_.size() <= n) texts_.resize(size_t{n} + 1);
  texts_[n] = std::move(bytes);
  return std::nullopt;
}

std::string_view Index::text(uint32_t n) const {
  const auto found = entry(n);
  if (!found || !has_text(found->page)) return {};
  const auto at = page(found->page);
  if (!at || n < at->first || n - at->first >= at->count) return {};
  const std::string_view bytes = texts_[found->page];
  const std::string_view body = bytes.substr(8 + (size_t{at->count} + 1) * 4);
  Cursor c(bytes.substr(8 + size_t{n - at->first} * 4, 8));
  const uint32_t from = c.fixed(), to = c.fixed();
  return from <= to && to <= body.size() ? body.substr(from, to - from) : std::string_view{};
}

}  // namespace lk::search
