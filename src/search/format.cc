#include "search/format.h"

#include <algorithm>

namespace lk::search {

std::string_view Cursor::fail() {
  ok_ = false;
  bytes_ = {};
  return {};
}

uint8_t Cursor::byte() {
  if (bytes_.empty()) {
    fail();
    return 0;
  }
  const auto out = static_cast<uint8_t>(bytes_.front());
  bytes_.remove_prefix(1);
  return out;
}

uint32_t Cursor::fixed() {
  const std::string_view four = take(4);
  uint32_t out = 0;
  for (size_t i = four.size(); i-- > 0;) out = (out << 8) | static_cast<uint8_t>(four[i]);
  return out;
}

uint32_t Cursor::long_varint() {
  uint32_t out = 0;
  for (uint32_t shift = 0; shift < 35; shift += 7) {
    const uint8_t b = byte();
    if (!ok_ || (shift == 28 && b > 15)) break;
    out |= static_cast<uint32_t>(b & 127u) << shift;
    if (b < 128) return out;
  }
  fail();
  return 0;
}

void put_fixed(std::string& out, uint32_t v) {
  for (int i = 0; i < 4; ++i, v >>= 8) out += static_cast<char>(v & 255u);
}

void put_varint(std::string& out, uint32_t v) {
  for (; v >= 128; v >>= 7) out += static_cast<char>((v & 127u) | 128u);
  out += static_cast<char>(v);
}

void put_text(std::string& out, std::string_view text) {
  put_varint(out, static_cast<uint32_t>(text.size()));
  out += text;
}

std::optional<Table> Table::open(std::string_view file, uint32_t count, uint32_t offset, uint32_t size) {
  const uint64_t blocks = (uint64_t{count} + stride - 1) / stride;
  if (blocks * 4 + offset + size > file.size() || size < count) return std::nullopt;  // a record has one byte at least
  Table out;
  out.count_ = count;
  out.offsets_ = file.substr(offset, static_cast<size_t>(blocks * 4));
  out.records_ = file.substr(offset + static_cast<size_t>(blocks * 4), size);
  return out;
}

Cursor Table::from(uint32_t n) const {
  if (n >= count_) return Cursor({});
  Cursor offset(offsets_.substr(size_t{n / stride} * 4, 4));
  const uint32_t at = offset.fixed();
  return Cursor(at <= records_.size() ? records_.substr(at) : std::string_view{});
}

std::optional<std::string_view> Table::at(uint32_t n) const {
  if (n >= count_) return std::nullopt;
  Cursor cursor = from(n / stride * stride);
  for (uint32_t skip = n % stride; skip > 0; --skip) cursor.text();
  const std::string_view out = cursor.text();
  return cursor.ok() ? std::optional(out) : std::nullopt;
}

std::string Table::write(const std::vector<std::string>& records) {
  std::string offsets, bytes;
  for (size_t n = 0; n < records.size(); ++n) {
    if (n % stride == 0) put_fixed(offsets, static_cast<uint32_t>(bytes.size()));
    put_text(bytes, records[n]);
  }
  return offsets + bytes;
}

// The last block whose first word is not greater than `word`.
uint32_t Words::block_of(std::string_view word) const {
  uint32_t low = 0, high = (count() + stride - 1) / stride;
  while (low + 1 < high) {
    const uint32_t middle = low + (high - low) / 2;
    Cursor cursor = table_.from(middle * stride);
    Read first;
    if (read(cursor, first) && first.rest <= word)
      low = middle;
    else
      high = middle;
  }
  return low;
}

std::optional<Words::Found> Words::find(std::string_view word) const {
  const uint32_t first = block_of(word) * stride;
  Cursor cursor = table_.from(first);
  std::string now;
  Read entry;
  for (uint32_t n = first; n < std::min(first + stride, count()); ++n) {
    if (!read(cursor, entry) || entry.shared > now.size()) return std::nullopt;
    now.resize(entry.shared);
    now += entry.rest;
    if (now == word) return Found{n, entry.number};
    if (now > word) return std::nullopt;
  }
  return std::nullopt;
}

std::string Words::write(const std::vector<Entry>& sorted) {
  std::vector<std::string> records;
  for (size_t n = 0; n < sorted.size(); ++n) {
    const std::string& word = sorted[n].word;
    size_t shared = 0;
    if (n % stride != 0) {
      const std::string& before = sorted[n - 1].word;
      while (shared < before.size() && shared < word.size() && before[shared] == word[shared]) ++shared;
    }
    std::string record;
    put_varint(record, static_cast<uint32_t>(shared));
    put_text(record, std::string_view(word).substr(shared));
    put_varint(record, sorted[n].number);
    records.push_back(std::move(record));
  }
  return Table::write(records);
}

}  // namespace lk::search
