// A book cut into what a search can find. Pure data between the book and the writer of the index.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "book/book.h"
#include "search/index.h"

namespace lk::search {

/// How much a word weighs by where it stands.
enum class Field : uint8_t { name, title, page_title, lede, text, code, caption, note, reference };

struct CorpusEntry {
  Kind kind = Kind::page;
  std::string title, anchor, number, extra;
  std::vector<std::pair<Field, std::string>> fields;  // what is indexed
  std::string text;                 // what snippets are cut from; blocks parted by line ends
  std::vector<std::string> names;   // term: its name and aliases
  int uses = 0;                     // term: links to it in the text
};

struct CorpusPage {
  std::string url, title, number;
  std::vector<CorpusEntry> entries;
};

using Corpus = std::vector<CorpusPage>;

/// Sections that are written, text pages and home, heading by heading, with their figures; overviews; glossary and reading list.
/// `figure_title` gives the title of a figure by its id.
Corpus corpus(const book::Book& book, const std::function<std::string(std::string_view)>& figure_title);

}  // namespace lk::search
