// The book as a plain value: what content/ holds, loaded and numbered. No HTML here.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "book/document.h"

namespace lk::book {

/// Files enter through this interface: a folder on disk natively, anything in tests and in the browser.
struct Files {
  std::function<std::optional<std::string>(std::string_view path)> read;  // relative to the content folder; nothing for folders
  std::function<std::vector<std::string>(std::string_view folder)> list;  // names of files and folders in a folder, sorted
};

struct Section {
  std::string id;        // slug, unique in the book: "the-kv-cache"
  std::string title, number;  // "1.3"
  std::string file;      // "chapters/1-foundations/the-kv-cache.md"
  std::string url;       // "/chapters/foundations/the-kv-cache/"
  std::string summary;
  int chapter = 0;       // index into chapters
  bool written = false;  // its file exists
  Node body;
  std::string lede;      // front matter: the opening sentence or two under the title; plain words
  Place lede_at;
  bool sources_needed = true;  // false: front matter says `sources: none`
  int minutes = 0;       // reading time, 220 words a minute, rounded up
};

struct Chapter {
  std::string id, title, number, url, summary;
  std::vector<int> sections;  // indices into Book::sections
  std::string file;           // its overview: "chapters/1-foundations/index.md"
  bool written = false;       // that file exists
  Node body;
  std::string lede;  // front matter
  Place lede_at;
};

/// Running text that is no part of the outline: about, privacy. book.json names them under "pages".
struct TextPage {
  std::string id, title, url, summary, file;  // "about", "About", "/about/", ..., "pages/about.md"
  Node body;
  std::string lede;
  Place lede_at;
  bool footer = true;  // every page links to it
};

struct Term {
  std::string id, name;       // "arithmetic-intensity", "Arithmetic intensity"
  std::string unit;           // may be empty
  std::string sentence;       // stands alone; Markdown
  std::string detail;         // Markdown, may be empty
  std::vector<std::string> aliases, see, sources;
  Place at;
};

struct Source {
  std::string id, title, authors, venue, year, url, kind, note;
  Place at;
};

/// A heading of the reading list with its entries; an entry may stand under several.
struct Group {
  std::string id, title, note;  // "quantization": an anchor of the page, beside those of the entries
  int part = 0;                 // index into Book::parts
  std::vector<std::string> sources;
  Place at;
};

struct Book {
  bool whole = false;  // every JSON file of it could be read: what is missing is missing from the content
  std::string title, tagline, description, language, edit_url, repository;
  std::string device;             // the book's default, as book.json names it; devices.json decides
  Place device_at;
  std::vector<Chapter> chapters;
  std::vector<Section> sections;  // reading order
  std::vector<Term> terms;
  std::vector<Source> sources;
  std::vector<std::string> parts;  // titles of the reading list's parts: B.1, B.2, ...
  std::vector<Group> groups;       // in their order
  std::vector<TextPage> text_pages;
  std::vector<std::pair<std::string, std::string>> redirects;  // from, to
  Node home;                      // content/home.md
  std::vector<std::pair<std::string, std::string>> listings;   // file name, text
  std::string devices_json;       // text of devices.json
  std::string models_json;        // text of models.json; empty when there is none
  std::vector<std::pair<std::string, std::string>> measurements;  // device id, csv
  std::vector<std::pair<std::string, std::string>> predictions;   // device id, csv
  std::string kernels_json;       // text of kernels.json, how listings are launched; empty when there is none
  std::vector<std::pair<std::string, std::string>> launches;  // listing and function of what kernels.json launches
  std::string compiled_json;      // text of compiled.json; empty when there is none

  const Section* section(std::string_view id) const;
  const Chapter* chapter(std::string_view id) const;
  const Term* term(std::string_view id) const;      // by id, name or alias, any case
  const Source* source(std::string_view id) const;
  const TextPage* text_page(std::string_view id) const;
};

/// Pages that the book makes itself: "home" "/", "glossary" "/chapters/glossary/", "reading" "/chapters/reading/", "edit" "/edit/".
struct Page {
  std::string_view id, title, url;
};
std::span<const Page> pages();

/// Where a `section:` target leads: a section, a chapter, a text page or one of pages(). Empty when there is no such place in the book.
struct Destination {
  std::string url;      // "/chapters/foundations/the-kv-cache/#growth", without the site's base
  std::string title, number;
  bool written = true;  // false: a section that has no file yet; no page to link to
};
std::optional<Destination> resolve(const Book& book, const Target& target);

/// The glossary entries that a tree links to, in the order of first use: what its page carries for pop-overs.
std::vector<const Term*> terms_used(const Book& book, const Node& tree);

/// Words of a tree, code left out; what reading times are made of.
int count_words(const Node& tree);

/// Loads everything; problems are collected. The book holds what could be read even when there are errors.
Book load(const Files& files, std::vector<Problem>& problems);

/// What the book needs to know of figures without depending on them. src/api fills it in.
struct Catalog {
  std::function<std::vector<std::string>()> figures;                                  // ids
  std::function<std::vector<std::string>(std::string_view figure)> fields;            // parameter ids
  std::function<std::vector<std::string>(std::string_view figure)> results;           // names of results at the defaults
  std::function<std::string(std::string_view figure)> title;
  /// Problems of a query, strict: unknown parameters, values out of range. Places are the caller's.
  std::function<std::vector<Error>(std::string_view figure, const Pairs& query)> check;
  /// Text of a named result ("206 FLOP/B" split: digits "206", unit "FLOP/B"). `device` empty: the book's default.
  struct ValueText {
    std::string digits, unit, how;
    std::string plain = {};  // the number for programs, "206.125"
  };
  std::function<Result<ValueText>(std::string_view figure, std::string_view result, const Pairs& query, std::string_view device)> value;
  struct DeviceName {
    std::string id, name, family = {};
  };
  std::function<std::vector<DeviceName>()> devices;  // in table order, those of a family together; default marked by `default_device`
  std::string default_device;
};

/// Every check of the content: links, figures, values, anchors, listings, unused entries. Places point into content files.
void check(const Book& book, const Catalog& catalog, std::vector<Problem>& problems);

/// A sentence with values that follow the reader's device, as each device's reader sees it.
struct Variant {
  Place at;  // its first value
  struct Text {
    std::vector<std::string> devices;  // ids, in table order
    std::string text;
  };
  std::vector<Text> texts;  // devices of the same text together; one when no device changes it
};
/// All of them: the home page, overviews, the sections in reading order, text pages, the glossary. Places point into content files.
std::vector<Variant> variants(const Book& book, const Catalog& catalog);

/// How a value link prints: the words of the link if they are digits alone, else digits and unit.
enum class Shape : uint8_t { digits, full };
/// The shape of `printed`, or nothing when it is not what was computed.
std::optional<Shape> shape(std::string_view printed, const Catalog::ValueText& computed);
/// "206", or "206 FLOP/B" with a no-break space; "12.5%" has none.
std::string shown(const Catalog::ValueText& value, Shape shape);

/// A region of a listing: lines between "// [name]" and "// [/name]" (or "# [name]"), without the marks; whole file when
/// `name` is empty. Marker lines never show, indentation that all lines share is taken off. `first_line` and `lines` are
/// 1-based lines in the file, one for each line of `text`. Empty when the region is missing, stands twice or never closes.
struct Region {
  std::string text;
  int first_line = 1;
  std::vector<int> lines;
};
std::optional<Region> region(std::string_view listing, std::string_view name);
/// Names of all regions, in order.
std::vector<std::string> regions(std::string_view listing);

}  // namespace lk::book
