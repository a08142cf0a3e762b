// A chapter file as a tree: CommonMark + GFM blocks and inlines, with the book's own constructs recognized. Every node has a place.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace lk::book {

enum class Kind : uint8_t {
  // blocks
  document, paragraph, heading, list, item, quote, code, table, table_row, table_cell, rule, footnote,
  // blocks of this book
  figure,    // a paragraph that holds only ![caption](figure:id?query); children: caption inlines
  listing,   // ```cuda file=vec_add.cu#region ... or any other fenced code; `info` has the language
  stats,     // ```stats
  sources,   // the list under a heading "Sources"
  // inlines
  text, soft_break, line_break, code_span, emphasis, strong, strike, link, image, footnote_ref,
  // inlines of this book: links by scheme; children: the link's text
  term, source, section, value, set,
};

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// "figure:roofline?device=h200#x" in parts. `scheme` is empty for ordinary addresses (http, https, mailto, #fragment).
struct Target {
  std::string scheme, id, fragment;
  Pairs query;  // decoded
  std::string raw;
};
Target parse_target(std::string_view url);

struct Node {
  Kind kind = Kind::document;
  Place at = {};               // line and column of its first byte in the file
  std::string text = {};       // text, code, code_span: the literal; heading: its plain text
  std::string info = {};       // code: the info string; listing: language
  std::string anchor = {};     // heading: unique id in the page; figure: "fig-roofline", "fig-roofline-2"
  std::string number = {};     // figure: "1.2"; footnote, footnote_ref: "1"
  int level = 0;               // heading 1-6; table_cell: 1 in the header row; table: number of columns
  bool ordered = false, tight = true;  // list
  int start = 1;               // ordered list
  std::string align = {};      // table_cell: "", "left", "right", "center"
  Target target = {};          // links and constructs
  std::string title = {};      // link title
  Pairs options = {};          // listing: file, region, caption, ...; from the info string
  std::vector<Node> children = {};
};

/// The words of a node without markup.
std::string plain_text(const Node& node);

/// Markdown to tree. `file` names the text in problems; `first_line` is added to line numbers (front matter above).
Node parse_markdown(std::string_view markdown, std::string_view file, int first_line, std::vector<Problem>& problems);

}  // namespace lk::book
