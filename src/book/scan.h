// Where links and formulas stand in Markdown source. cmark's own positions of inlines drift in wrapped paragraphs, lists and quotes; so
// every possible link address gets a tag before cmark reads the text, and the tag comes back with the link. Formulas, whose
// signs Markdown would read as its own, are taken out whole and come back by their tags.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lk::book {

/// Line and column from 1; columns count bytes.
struct Spot {
  int line = 0, column = 0;
};

/// $x^2$ or $$ ... $$, line by line: its delimiters and line ends as they stand in the text, marks of quotes left out.
struct Dollars {
  struct Piece {
    Spot at;
    std::string raw;
  };
  bool display = false;
  std::vector<Piece> pieces;
};

/// The TeX between the dollar signs, its lines joined by "\n", and where a byte of it stands.
std::string tex_of(const Dollars& formula);
Spot place_in(const Dollars& formula, size_t tex_offset);

struct Scan {
  std::string tagged;       // the text with a tag in each possible address
  std::vector<Spot> links;  // by tag number: the '[', the '!' of an image or the '<' of an autolink
  std::vector<Dollars> formulas;  // by number of the formula's tags
  std::multimap<std::string, Spot, std::less<>> footnote_refs;  // label -> "[^label]" outside code
  std::map<std::string, Spot, std::less<>> footnotes;           // label -> "[^label]:" at the start of a line
};

/// `text` has "\n" line ends and none of the byte sequences below. Linear in its length.
///
/// A formula in a line opens with a $ after which no space stands; the next $ that is not escaped closes
/// it, unless a space stands before or a digit after it: "$5 and $6" are amounts. It holds no backtick and, in a table's row, no
/// bare |. $$ opens a formula that may go on over lines, up to the next $$; no empty line and no fence of code stands in it.
Scan scan_links(std::string_view text);

/// U+FDD0, a noncharacter: no text holds it. Tags end with a punctuation mark, as the bracket before them is one: emphasis
/// beside the tag is read as before.
inline constexpr std::string_view tag_open = "\xEF\xB7\x90";
inline constexpr std::string_view tag_close = "\xE2\xB8\xAD";

/// Tags of formulas: U+FDD1, its number, '.', the number of the line in it, U+FDD2.
inline constexpr std::string_view formula_open = "\xEF\xB7\x91";
inline constexpr std::string_view formula_close = "\xEF\xB7\x92";

/// One tag of a formula at `at`, where `formula_open` stands; `size` is 0 when it is none.
struct FormulaTag {
  size_t formula = 0, line = 0, size = 0;
};
FormulaTag formula_tag(std::string_view text, size_t at);
/// Puts formulas back as they were written.
void restore_formulas(std::string& text, const Scan& scan);

/// Takes all tags out of `text`; returns the number of the first one, or -1.
int strip_tags(std::string& text);

}  // namespace lk::book
