// The bytes of an index, little-endian, read with every bound checked: a damaged file gives wrong answers or an error, never a
// read outside it and never a loop longer than the file.
//
//   header   "LKSI", version, size of the file, seven tables {count, offset, size of the records}
//   table    count records; in front of them the offset (uint32, from the first record) of every 16th. A record is its
//            length (varint) and its bytes.
//   sorted   a table of words in order. Record: bytes shared with the word before (varint; 0 for every 16th), length and
//            bytes of the rest, a number (varint).
//   varint   seven bits a byte, low ones first, the high bit says that more follow; 32 bits at most.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lk::search {

inline constexpr uint32_t format_version = 1;
inline constexpr uint32_t stride = 16;  // records between two offsets
inline constexpr size_t longest_entry = 1024;  // bytes of a word of a sorted table

/// Reads bytes in order; once something was missing, everything reads as nothing and `ok` is false.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : bytes_(bytes) {}
  uint32_t fixed();    // uint32
  uint32_t varint() {
    if (!bytes_.empty() && static_cast<uint8_t>(bytes_.front()) < 128) {  // nearly all
      const auto out = static_cast<uint8_t>(bytes_.front());
      bytes_.remove_prefix(1);
      return out;
    }
    return long_varint();
  }
  uint8_t byte();
  std::string_view take(size_t size) {
    if (size > bytes_.size()) return fail();
    const std::string_view out = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return out;
  }
  std::string_view text() { return take(varint()); }  // varint length and bytes
  bool ok() const { return ok_; }
  size_t left() const { return bytes_.size(); }

 private:
  uint32_t long_varint();
  std::string_view fail();
  std::string_view bytes_;
  bool ok_ = true;
};

void put_fixed(std::string& out, uint32_t v);
void put_varint(std::string& out, uint32_t v);
void put_text(std::string& out, std::string_view text);

/// A table as it lies in the file.
class Table {
 public:
  Table() = default;
  /// Nothing when the table does not lie in the file.
  static std::optional<Table> open(std::string_view file, uint32_t count, uint32_t offset, uint32_t size);
  uint32_t count() const { return count_; }
  /// The bytes of a record; nothing when there is none or the table is damaged.
  std::optional<std::string_view> at(uint32_t n) const;
  /// The records from number `n` (a multiple of 16) on.
  Cursor from(uint32_t n) const;
  static std::string write(const std::vector<std::string>& records);

 private:
  std::string_view offsets_, records_;
  uint32_t count_ = 0;
};

/// A sorted table of words with a number each.
class Words {
 public:
  Words() = default;
  explicit Words(Table table) : table_(table) {}
  uint32_t count() const { return table_.count(); }
  struct Found {
    uint32_t index = 0, number = 0;  // place in the table, the word's number
  };
  std::optional<Found> find(std::string_view word) const;
  /// Visits words in order, from the first that is not less than `start`, until the visit returns false. `shared` says how
  /// many bytes the word has in common with the one visited before (0 for the first). False when the table is damaged.
  /// visit: bool(std::string_view word, uint32_t shared, Found found); the word is gone after it.
  template <class Visit>
  bool each(std::string_view start, const Visit& visit) const;

  struct Entry {
    std::string word;
    uint32_t number = 0;
  };
  static std::string write(const std::vector<Entry>& sorted);

 private:
  struct Read {
    uint32_t shared = 0;
    std::string_view rest;
    uint32_t number = 0;
  };
  static bool read(Cursor& cursor, Read& out) {
    const uint32_t size = cursor.varint();
    const size_t before = cursor.left();
    out.shared = cursor.varint();
    out.rest = cursor.text();
    out.number = cursor.varint();
    return cursor.ok() && before - cursor.left() == size && out.shared + out.rest.size() <= longest_entry;
  }
  uint32_t block_of(std::string_view word) const;
  Table table_;
};

template <class Visit>
bool Words::each(std::string_view start, const Visit& visit) const {
  const uint32_t first = start.empty() ? 0 : block_of(start) * stride;
  Cursor cursor = table_.from(first);
  // Most words add two or three letters to the one before: a loop is quicker than any call.
  std::array<char, longest_entry> now;
  size_t length = 0;
  Read entry;
  bool begun = false;
  for (uint32_t n = first; n < count(); ++n) {
    if (!read(cursor, entry) || entry.shared > length) return false;
    // The first of a block is written whole, whatever it shares.
    uint32_t shared = entry.shared;
    if (n % stride == 0)
      while (shared < length && shared < entry.rest.size() && now[shared] == entry.rest[shared]) ++shared;
    length = entry.shared;
    for (const char c : entry.rest) now[length++] = c;
    const std::string_view word(now.data(), length);
    if (!begun && word < start) continue;
    if (!visit(word, begun ? shared : 0, Found{n, entry.number})) return true;
    begun = true;
  }
  return true;
}

}  // namespace lk::search
