// Questions to an index.
//
// Score of an entry: for each word of the query the best of its readings (itself and its other inflections, words it begins,
// words a typing error away, the parts of an identifier, the name behind an alias), each weight times inverse document
// frequency times its impact there (BM25 over weighted fields); their sum, scaled by how much of the query the
// entry answers, raised where the title says the same, and mixed with what the whole page answers.
#pragma once
#include <string>
#include <vector>

#include "search/index.h"

namespace lk::search {

/// A piece of a text, marked where it matches the query.
struct Segment {
  std::string text;
  bool mark = false;
};
using Segments = std::vector<Segment>;

struct Hit {
  Kind kind = Kind::page;
  std::string url;       // with the anchor, without the site's base
  std::string title;     // of the entry: term, heading, figure, source
  std::string number;    // of the section or figure: "1.2"
  std::string page;      // title of the page that the entry stands on
  double score = 0;
  Segments marked;       // the title
  Segments snippet;      // empty when the texts are not there, or not asked for
  struct Heading {
    std::string url;
    Segments marked;
  };
  std::vector<Heading> headings;  // more of the same page
};

struct Correction {
  std::string typed, read;
};

struct Answer {
  std::vector<Hit> hits;
  std::vector<Correction> corrected;
  std::vector<Hit> suggestions;  // glossary entries, when nothing was found
  std::vector<uint32_t> missing;  // pages whose texts would add snippets, or decide about a quoted phrase
  bool cut = false;               // the query was longer than what is looked at
};

struct Options {
  size_t limit = 10;
  bool snippets = true;
};

inline constexpr size_t most_words = 24;  // of a query; the rest is not looked at

/// Any bytes may be a query; nothing in it is an error. Words in double quotes must stand side by side as they are written.
/// The last word, when nothing follows it, also finds what it begins. An error only when the index is damaged.
Result<Answer> search(const Index& index, std::string_view query, const Options& options);

/// Entries that are worth a look before anything is typed.
std::vector<Hit> start(const Index& index);

}  // namespace lk::search
