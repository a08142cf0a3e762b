// A chapter file as a tree: CommonMark + GFM blocks and inlines, with the book's own constructs recognized. Every node has a place.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
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
  stats,     // ```stats; children: items of two paragraphs, the label and the value
  sources,   // the list under a heading "Sources"
  formula,   // a paragraph that holds only $$...$$; `text` is the TeX
  // inlines
  text, soft_break, line_break, code_span, emphasis, strong, strike, link, image, footnote_ref,
  // inlines of this book: links by scheme; children: the link's text
  term, source, section, value, set,
  math,      // $...$: `text` is the TeX; level 1: $$...$$ among words
};

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// "figure:roofline?device=h200#x" in parts. `scheme` is empty for ordinary addresses (http, https, mailto, #fragment,
/// relative), in lower case for all others, known or not.
struct Target {
  std::string scheme, id, fragment;
  Pairs query;  // decoded
  std::string raw;
};
Target parse_target(std::string_view url);

/// Whether an address may stand in an href: http, https, mailto, "#...", "?..." and paths without a scheme. What browsers
/// strip or read differently (tabs, newlines, "//host", backslashes) does not get through.
bool safe_address(std::string_view url);

/// "value:roofline.ridge?device=a100_40gb&dtype=bf16" in parts; `device` is empty when the value follows the reader.
/// Empty when the target has no figure or no result.
struct ValueRef {
  std::string figure, result, device;
  Pairs query;  // without the device
};
std::optional<ValueRef> value_ref(const Target& target);

struct Node {
  Kind kind = Kind::document;
  /// First byte in the file. Exact for blocks and for links, images, formulas and constructs; other inlines carry their block's.
  Place at = {};
  std::string text = {};       // text, code, code_span, listing: the literal; math, formula: TeX; heading: its plain text
  std::string info = {};       // code: the info string; listing: language; item of a task list: "done" or "open"
  std::string anchor = {};     // heading: unique id in the page; figure: "fig-roofline", "fig-roofline-2"
  std::string number = {};     // figure: "1.2"; footnote, footnote_ref: "1"
  int level = 0;               // heading 1-6; table_cell: 1 in the header row; table: number of columns
  bool ordered = false, tight = true;  // list
  int start = 1;               // ordered list
  std::string align = {};      // table_cell: "", "left", "right", "center"
  Target target = {};          // links and constructs
  std::string title = {};      // link title
  Pairs options = {};          // listing: file, region, caption, source, hot, checked; from the info string
  std::vector<Node> children = {};
};

/// "roofline-2" of a figure's anchor "fig-roofline-2".
std::string_view uid(const Node& figure);

/// The words of a node without markup; breaks are spaces.
std::string plain_text(const Node& node);

/// Calls `visit` with the node and everything below it, in reading order.
void walk(const Node& node, const std::function<void(const Node&)>& visit);

/// Nesting deeper than this is an error and its content read as plain text, so that trees can be walked recursively.
inline constexpr int max_depth = 64;

/// Markdown to tree. `file` names the text in problems; `first_line` is added to line numbers (front matter above).
/// Problems found here: bad UTF-8, NUL bytes, raw HTML (comments are dropped), too deep nesting, broken info strings,
/// footnotes without text or without a reference, formulas that are no TeX or never close.
Node parse_markdown(std::string_view markdown, std::string_view file, int first_line, std::vector<Problem>& problems);

}  // namespace lk::book
