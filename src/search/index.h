// The index as a reader gets it: one file that is ready the moment its bytes are there, and the texts that snippets and
// phrases need, a file for each page, which may come later or never.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "search/format.h"

namespace lk::search {

enum class Kind : uint8_t { term, section, heading, figure, source, page };
std::string_view name(Kind kind);  // "term", ...

/// A page of the book: where its entries lie, and the file that holds their texts.
struct PageEntry {
  std::string_view url;     // "/chapters/foundations/compute-bound-and-memory-bound/", without the site's base
  std::string_view title, number;
  std::string_view file;    // of its texts, beside the index; empty: it has none
  uint32_t first = 0, count = 0;  // entries
};

/// What a search can find.
struct Entry {
  Kind kind = Kind::page;
  uint32_t page = 0;
  std::string_view title;
  std::string_view anchor;  // without '#'; empty: the page itself, or
  bool slugged = false;     // the anchor is the slug of the title
  std::string_view number;  // of a figure: "1.3"
  std::string_view extra;   // term: its sentence; source: authors, venue, year; figure: its caption; page: its summary
};

/// Where a word stands: an entry and how much the word weighs there, above 0 and below 1.
struct Posting {
  uint32_t entry = 0;
  float impact = 0;
};

class Index {
 public:
  /// Looks at nothing but the header, so that the time does not depend on the size. What is damaged further in shows as an
  /// error of the query that meets it.
  static Result<Index> open(std::string bytes);

  uint32_t pages() const { return pages_.count(); }
  uint32_t entries() const { return entries_.count(); }
  std::optional<PageEntry> page(uint32_t n) const;
  std::optional<Entry> entry(uint32_t n) const;
  /// Kind and page alone, which costs less.
  std::optional<std::pair<Kind, uint32_t>> place(uint32_t n) const;
  /// Every word of the text, in small letters. The number of a word is the distance back to the first word with the same
  /// stem, whose place is the id of the group.
  const Words& words() const { return words_; }
  static uint32_t group(Words::Found found) { return found.index - found.number; }
  /// How many entries hold a word of the group; nothing when the index is damaged.
  std::optional<uint32_t> frequency(uint32_t group) const;
  /// Appends them, in order of entries; false when the index is damaged.
  bool postings(uint32_t group, std::vector<Posting>& out) const;
  /// Names and aliases of glossary entries, normalized; the number is the entry.
  const Words& names() const { return names_; }
  /// Glossary entries worth suggesting to someone who has not typed yet.
  std::vector<uint32_t> start() const;

  /// The texts of a page's entries, as the index's `file` holds them. An error when the bytes are none.
  std::optional<Error> add_text(uint32_t page, std::string bytes);
  bool has_text(uint32_t page) const { return page < texts_.size() && !texts_[page].empty(); }
  /// The text of an entry; empty when its page's texts are not there.
  std::string_view text(uint32_t entry) const;

 private:
  std::unique_ptr<const std::string> bytes_;
  Table pages_, entries_, postings_, start_;
  Words words_, names_;
  std::string_view lengths_;  // a code for each entry
  std::array<std::array<float, 16>, 16> impacts_{};  // by code of the length, of the count
  std::vector<std::string> texts_;
};

/// What is wrong with an index that turns out to be damaged while it is used.
Error damaged();

}  // namespace lk::search
