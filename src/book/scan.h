// Where links begin in Markdown source. cmark's own positions of inlines drift in wrapped paragraphs, lists and quotes; so
// every possible link address gets a tag before cmark reads the text, and the tag comes back with the link.
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

struct Scan {
  std::string tagged;       // the text with a tag in each possible address
  std::vector<Spot> links;  // by tag number: the '[', the '!' of an image or the '<' of an autolink
  std::multimap<std::string, Spot, std::less<>> footnote_refs;  // label -> "[^label]" outside code
  std::map<std::string, Spot, std::less<>> footnotes;           // label -> "[^label]:" at the start of a line
};

/// `text` has "\n" line ends and no byte sequence of `tag_open`. Linear in its length.
Scan scan_links(std::string_view text);

/// U+FDD0, a noncharacter: no text holds it. Tags end with a punctuation mark, as the bracket before them is one: emphasis
/// beside the tag is read as before.
inline constexpr std::string_view tag_open = "\xEF\xB7\x90";
inline constexpr std::string_view tag_close = "\xE2\xB8\xAD";

/// Takes all tags out of `text`; returns the number of the first one, or -1.
int strip_tags(std::string& text);

}  // namespace lk::book
