// The only file that sees cmark-gfm. It converts cmark's tree to ours and gives the nodes their exact places.
#include "book/document.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>
#include <cmark-gfm.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>

#include "base/utf8.h"
#include "book/bare_links.h"
#include "book/formulas.h"
#include "book/options.h"
#include "book/leftovers.h"
#include "book/scan.h"
#include "book/source_text.h"

namespace lk::book {
namespace {

struct FreeParser {
  void operator()(cmark_parser* p) const { cmark_parser_free(p); }
};
struct FreeNode {
  void operator()(cmark_node* n) const { cmark_node_free(n); }
};

std::string literal(const char* text) { return text == nullptr ? std::string() : std::string(text); }

// Types of extensions get their numbers when the extensions are registered, so names are what can be compared.
enum class Extra { none, table, row, header_row, cell, strike };
Extra extra(cmark_node* node) {
  const std::string_view name = cmark_node_get_type_string(node);
  if (name == "table") return Extra::table;
  if (name == "table_row") return Extra::row;
  if (name == "table_header") return Extra::header_row;
  if (name == "table_cell") return Extra::cell;
  if (name == "strikethrough") return Extra::strike;
  return Extra::none;
}

bool is_comment(std::string_view html) {
  // One comment or several, with nothing between them.
  bool any = false;
  while (true) {
    const size_t start = html.find_first_not_of(" \t\n");
    if (start == std::string_view::npos) return any;
    html.remove_prefix(start);
    if (html.substr(0, 4) != "<!--") return false;
    const size_t end = html.find("-->", 4);
    if (end == std::string_view::npos) return false;
    html.remove_prefix(end + 3);
    any = true;
  }
}

Kind scheme_kind(const std::string& scheme) {
  if (scheme == "term") return Kind::term;
  if (scheme == "source") return Kind::source;
  if (scheme == "section") return Kind::section;
  if (scheme == "value") return Kind::value;
  if (scheme == "set") return Kind::set;
  return Kind::link;
}

class Builder {
 public:
  Builder(std::string_view file, int first_line, std::vector<Problem>& problems)
      : file_(file), first_line_(first_line), problems_(problems), source_(file, first_line) {}

  Node build(std::string_view markdown) {
    source_.clean(markdown, problems_);
    scan_ = scan_links(source_.text());
    static const bool registered = (cmark_gfm_core_extensions_ensure_registered(), true);
    (void)registered;
    std::unique_ptr<cmark_parser, FreeParser> parser(cmark_parser_new(CMARK_OPT_FOOTNOTES | CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE));
    for (const char* name : {"table", "strikethrough", "tasklist"}) {
      if (auto* extension = cmark_find_syntax_extension(name)) cmark_parser_attach_syntax_extension(parser.get(), extension);
    }
    cmark_parser_feed(parser.get(), scan_.tagged.data(), scan_.tagged.size());
    std::unique_ptr<cmark_node, FreeNode> root(cmark_parser_finish(parser.get()));
    Node document;
    document.kind = Kind::document;
    document.at = at(1, 1);
    if (root) children(root.get(), document, 0);
    for (const auto& [label, spot] : scan_.footnotes) {
      if (scan_.footnote_refs.count(label) == 0 && used_notes_.count(label) == 0) {
        warn(at(spot.line, spot.column), "footnote [^" + label + "] is never referred to", "refer to it or remove it");
      }
    }
    return document;
  }

 private:
  void report(Place place, std::string what, std::string hint) {
    problems_.push_back({Severity::error, {std::move(place), std::move(what), std::move(hint)}});
  }
  void warn(Place place, std::string what, std::string hint) {
    problems_.push_back({Severity::warning, {std::move(place), std::move(what), std::move(hint)}});
  }

  Place at(int line, int column) const { return source_.at(line, column); }
  Place at(const Spot& spot) const { return source_.at(spot.line, spot.column); }

  std::string stripped(const char* text) const {
    std::string out = literal(text);
    strip_tags(out);
    restore_formulas(out, scan_);
    return out;
  }

  void children(cmark_node* parent, Node& node, int depth) {
    bool after_sources = false;
    for (cmark_node* child = cmark_node_first_child(parent); child != nullptr; child = cmark_node_next(child)) {
      const size_t before = node.children.size();
      convert(child, node, depth);
      if (node.children.size() <= before) continue;
      Node& made = node.children.back();
      if (after_sources && made.kind == Kind::list) made.kind = Kind::sources;
      after_sources = made.kind == Kind::heading && made.text == "Sources";
    }
    // cmark splits text at every character that could have meant something; it is whole again only now.
    bool addresses = false;
    bool formulas = false;
    for (Node& child : node.children) {
      if (child.kind != Kind::text) continue;
      for (Leftover& left : leftovers(child.text, scan_, used_notes_)) report(at(left.at), std::move(left.what), std::move(left.hint));
      strip_tags(child.text);
      formulas = formulas || child.text.find(formula_open) != std::string::npos;
      if (child.text.find('$') != std::string::npos) stray_dollars(child.text, node.at.line - first_line_, source_, problems_);
      addresses = addresses || child.text.find("http") != std::string::npos;
    }
    if (formulas) take_formulas(node, scan_, source_, problems_);
    if (addresses && links_ == 0) link_addresses(node);
    // A long book is held as trees: no room beyond what stands there.
    if (node.children.capacity() > node.children.size())
      node.children = std::vector<Node>(std::make_move_iterator(node.children.begin()), std::make_move_iterator(node.children.end()));
  }

  Node make(Kind kind, cmark_node* from) const {
    Node node;
    node.kind = kind;
    node.at = at(cmark_node_get_start_line(from), cmark_node_get_start_column(from));
    return node;
  }

  void add_text(Node& parent, std::string_view text) const {
    if (text.empty()) return;
    if (!parent.children.empty() && parent.children.back().kind == Kind::text) {
      parent.children.back().text += text;
      return;
    }
    Node node;
    node.kind = Kind::text;
    node.at = parent.at;
    node.text = std::string(text);
    parent.children.push_back(std::move(node));
  }

  void add(Node node, cmark_node* from, Node& parent, int depth) {
    children(from, node, depth + 1);
    parent.children.push_back(std::move(node));
  }

  void add_inline(Kind kind, cmark_node* from, Node& parent, int depth) {
    Node node;
    node.kind = kind;
    node.at = parent.at;
    add(std::move(node), from, parent, depth);
  }

  void convert(cmark_node* from, Node& parent, int depth) {
    if (depth >= max_depth) {
      too_deep(from, parent);
      return;
    }
    switch (cmark_node_get_type(from)) {
      case CMARK_NODE_TEXT:
        add_text(parent, literal(cmark_node_get_literal(from)));
        return;
      case CMARK_NODE_SOFTBREAK:
      case CMARK_NODE_LINEBREAK: {
        Node node;
        node.kind = cmark_node_get_type(from) == CMARK_NODE_SOFTBREAK ? Kind::soft_break : Kind::line_break;
        node.at = parent.at;
        parent.children.push_back(std::move(node));
        return;
      }
      case CMARK_NODE_CODE: {
        Node node;
        node.kind = Kind::code_span;
        node.at = parent.at;
        node.text = stripped(cmark_node_get_literal(from));
        parent.children.push_back(std::move(node));
        return;
      }
      case CMARK_NODE_HTML_INLINE:
        html(from, parent);
        return;
      case CMARK_NODE_HTML_BLOCK: {
        Node place = make(Kind::paragraph, from);
        html(from, place);
        return;
      }
      case CMARK_NODE_EMPH:
        add_inline(Kind::emphasis, from, parent, depth);
        return;
      case CMARK_NODE_STRONG:
        add_inline(Kind::strong, from, parent, depth);
        return;
      case CMARK_NODE_LINK:
      case CMARK_NODE_IMAGE:
        link(from, parent, depth);
        return;
      case CMARK_NODE_FOOTNOTE_REFERENCE: {
        Node node;
        node.kind = Kind::footnote_ref;
        node.at = parent.at;
        node.number = literal(cmark_node_get_literal(from));
        parent.children.push_back(std::move(node));
        return;
      }
      case CMARK_NODE_FOOTNOTE_DEFINITION: {
        Node node = make(Kind::footnote, from);
        node.number = std::to_string(++notes_);
        add(std::move(node), from, parent, depth);
        return;
      }
      case CMARK_NODE_PARAGRAPH:
        paragraph(from, parent, depth);
        return;
      case CMARK_NODE_HEADING:
        heading(from, parent, depth);
        return;
      case CMARK_NODE_LIST: {
        Node node = make(Kind::list, from);
        node.ordered = cmark_node_get_list_type(from) == CMARK_ORDERED_LIST;
        node.tight = cmark_node_get_list_tight(from) != 0;
        node.start = node.ordered ? cmark_node_get_list_start(from) : 1;
        add(std::move(node), from, parent, depth);
        return;
      }
      case CMARK_NODE_ITEM: {
        Node node = make(Kind::item, from);
        if (std::string_view(cmark_node_get_type_string(from)) == "tasklist") {
          node.info = cmark_gfm_extensions_get_tasklist_item_checked(from) ? "done" : "open";
        }
        add(std::move(node), from, parent, depth);
        return;
      }
      case CMARK_NODE_BLOCK_QUOTE:
        add(make(Kind::quote, from), from, parent, depth);
        return;
      case CMARK_NODE_THEMATIC_BREAK:
        parent.children.push_back(make(Kind::rule, from));
        return;
      case CMARK_NODE_CODE_BLOCK:
        code(from, parent);
        return;
      default:
        extension(from, parent, depth);
    }
  }

  void extension(cmark_node* from, Node& parent, int depth) {
    switch (extra(from)) {
      case Extra::table: {
        Node node = make(Kind::table, from);
        node.level = cmark_gfm_extensions_get_table_columns(from);
        add(std::move(node), from, parent, depth);
        return;
      }
      case Extra::row:
      case Extra::header_row: {
        Node row = make(Kind::table_row, from);
        children(from, row, depth + 1);
        const uint8_t* alignments = cmark_gfm_extensions_get_table_alignments(cmark_node_parent(from));
        for (size_t i = 0; i < row.children.size(); ++i) {
          Node& cell = row.children[i];
          cell.level = extra(from) == Extra::header_row ? 1 : 0;
          if (alignments == nullptr || static_cast<int>(i) >= parent.level) continue;
          cell.align = alignments[i] == 'l' ? "left" : alignments[i] == 'r' ? "right" : alignments[i] == 'c' ? "center" : "";
        }
        parent.children.push_back(std::move(row));
        return;
      }
      case Extra::cell:
        add(make(Kind::table_cell, from), from, parent, depth);
        return;
      case Extra::strike:
        add_inline(Kind::strike, from, parent, depth);
        return;
      case Extra::none:
        add_inline(Kind::paragraph, from, parent, depth);
    }
  }

  void too_deep(cmark_node* from, Node& parent) {
    if (!deep_) report(parent.at, "nested deeper than " + std::to_string(max_depth) + " levels", "make it flatter");
    deep_ = true;
    std::string words;
    cmark_iter* iter = cmark_iter_new(from);
    for (auto event = cmark_iter_next(iter); event != CMARK_EVENT_DONE; event = cmark_iter_next(iter)) {
      if (event == CMARK_EVENT_ENTER) words += stripped(cmark_node_get_literal(cmark_iter_get_node(iter)));
    }
    cmark_iter_free(iter);
    add_text(parent, words);
  }

  void html(cmark_node* from, const Node& parent) {
    const std::string text = stripped(cmark_node_get_literal(from));
    if (is_comment(text)) return;
    const std::string first = text.substr(0, text.find('\n'));
    const size_t found = source_.text().find(first, source_.line_start(parent.at.line - first_line_));
    report(found == std::string::npos ? parent.at : source_.at_byte(found), "raw HTML: " + (first.size() > 40 ? first.substr(0, 40) + "..." : first),
           "write Markdown; put code between backticks");
  }

  void link(cmark_node* from, Node& parent, int depth) {
    const bool image = cmark_node_get_type(from) == CMARK_NODE_IMAGE;
    std::string url = literal(cmark_node_get_url(from));
    const int tag = strip_tags(url);
    restore_formulas(url, scan_);
    Node node;
    node.target = parse_target(url);
    node.kind = image ? Kind::image : scheme_kind(node.target.scheme);
    node.at = tag >= 0 && static_cast<size_t>(tag) < scan_.links.size() ? at(scan_.links[static_cast<size_t>(tag)]) : parent.at;
    node.title = stripped(cmark_node_get_title(from));
    links_ += image ? 0 : 1;  // no link inside a link
    add(std::move(node), from, parent, depth);
    links_ -= image ? 0 : 1;
  }

  void paragraph(cmark_node* from, Node& parent, int depth) {
    Node node = make(Kind::paragraph, from);
    children(from, node, depth + 1);
    // A paragraph of comments is none.
    while (!node.children.empty() && blank(node.children.back())) node.children.pop_back();
    while (!node.children.empty() && blank(node.children.front())) node.children.erase(node.children.begin());
    if (node.children.empty()) return;
    Node& only = node.children.front();
    if (node.children.size() == 1 && only.kind == Kind::image && only.target.scheme == "figure") {
      Node figure = std::move(only);
      figure.kind = Kind::figure;
      const int instance = ++figures_[figure.target.id];
      figure.anchor = "fig-" + figure.target.id + (instance > 1 ? "-" + std::to_string(instance) : "");
      parent.children.push_back(std::move(figure));
      return;
    }
    if (node.children.size() == 1 && only.kind == Kind::math && only.level == 1) {
      only.kind = Kind::formula;
      only.level = 0;
      parent.children.push_back(Node(std::move(only)));
      return;
    }
    parent.children.push_back(std::move(node));
  }

  static bool blank(const Node& node) {
    return node.kind == Kind::soft_break || (node.kind == Kind::text && node.text.find_first_not_of(' ') == std::string::npos);
  }

  void heading(cmark_node* from, Node& parent, int depth) {
    Node node = make(Kind::heading, from);
    node.level = cmark_node_get_heading_level(from);
    children(from, node, depth + 1);
    while (!node.children.empty() && blank(node.children.back())) node.children.pop_back();
    if (!node.children.empty() && node.children.back().kind == Kind::text) {
      std::string& last = node.children.back().text;
      last.erase(last.find_last_not_of(' ') + 1);
    }
    node.text = plain_text(node);
    std::string base = slug(node.text);
    std::string anchor = base;
    for (int n = ++anchors_[base]; n > 1 && !taken_.insert(anchor = base + "-" + std::to_string(n)).second;) n = ++anchors_[base];
    taken_.insert(anchor);
    node.anchor = std::move(anchor);
    parent.children.push_back(std::move(node));
  }

  void code(cmark_node* from, Node& parent) {
    int length = 0, offset = 0;
    char character = 0;
    const bool fenced = cmark_node_get_fenced(from, &length, &offset, &character) != 0;
    Node node = make(fenced ? Kind::listing : Kind::code, from);
    node.text = stripped(cmark_node_get_literal(from));
    if (!fenced) {
      parent.children.push_back(std::move(node));
      return;
    }
    const std::string info = stripped(cmark_node_get_fence_info(from));
    const int info_line = cmark_node_get_start_line(from);
    const size_t found = info.empty() ? std::string::npos : source_.line(info_line).find(info);
    Place place = node.at;
    if (found != std::string::npos) place = at(info_line, static_cast<int>(found) + 1);
    parse_info(info, place, node, problems_);
    if (node.info == "stats") {
      stats(node, info_line);
    }
    parent.children.push_back(std::move(node));
  }

  // "label | value" lines: each part is a line of Markdown at its own place.
  void stats(Node& node, int fence_line) {
    node.kind = Kind::stats;
    std::string_view rest = node.text;
    for (int number = fence_line + 1; !rest.empty(); ++number) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view row = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (row.find_first_not_of(" \t") == std::string_view::npos) continue;
      const std::string_view whole = source_.line(number);
      const size_t indent = whole.size() >= row.size() ? whole.size() - row.size() : 0;
      Node item;
      item.kind = Kind::item;
      item.at = at(number, static_cast<int>(indent + row.find_first_not_of(" \t")) + 1);
      size_t bar = row.find('|');
      if (bar == std::string_view::npos) {
        report(item.at, "a line of stats without '|'", "write: label | value");
        continue;
      }
      item.children.push_back(part(row, 0, bar, number, indent));
      item.children.push_back(part(row, bar + 1, row.size(), number, indent));
      for (const Node& side : item.children) {
        if (plain_text(side).empty()) report(item.at, "a line of stats with an empty side", "write: label | value");
      }
      node.children.push_back(std::move(item));
    }
    if (node.children.empty()) report(node.at, "empty stats", "write lines of: label | value");
    node.text.clear();
  }

  Node part(std::string_view row, size_t from, size_t to, int number, size_t indent) {
    while (from < to && (row[from] == ' ' || row[from] == '\t')) ++from;
    std::vector<Problem> found;
    // Markdown that is one paragraph whatever it begins with: "132 SMs" must not become a list.
    Builder inner(file_, first_line_ + number - 1, found);
    Node tree = inner.build(std::string("\\ ") + std::string(row.substr(from, to - from)));
    Node out;
    out.kind = Kind::paragraph;
    if (!tree.children.empty()) out.children = std::move(tree.children.front().children);
    if (!out.children.empty() && out.children.front().kind == Kind::text) {
      std::string& first = out.children.front().text;
      first.erase(0, first.compare(0, 2, "\\ ") == 0 ? 2 : 1);  // the space is gone when nothing follows
      if (first.empty()) out.children.erase(out.children.begin());
    }
    const int shift = static_cast<int>(indent + from) - 2;
    shift_places(out, shift);
    out.at = at(number, static_cast<int>(indent + from) + 1);
    for (Problem& problem : found) {
      problem.error.at.column += shift;
      problems_.push_back(std::move(problem));
    }
    return out;
  }

  static void shift_places(Node& node, int columns) {
    for (Node& child : node.children) {
      child.at.column = std::max(child.at.column + columns, 1);
      shift_places(child, columns);
    }
  }

  std::string file_;
  int first_line_;
  std::vector<Problem>& problems_;
  SourceText source_;
  Scan scan_;
  std::map<std::string, int> figures_, anchors_;
  std::set<std::string> taken_, used_notes_;
  int notes_ = 0;
  int links_ = 0;  // links around the node at hand
  bool deep_ = false;
};

}  // namespace

Node parse_markdown(std::string_view markdown, std::string_view file, int first_line, std::vector<Problem>& problems) {
  return Builder(file, first_line, problems).build(markdown);
}

}  // namespace lk::book
