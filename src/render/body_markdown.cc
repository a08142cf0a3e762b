// A tree of the book as Markdown that anyone's reader takes.
#include <algorithm>
#include <map>

#include "base/utf8.h"
#include "book/options.h"
#include "render/listing.h"
#include "render/markup.h"
#include "render/page_markdown.h"

namespace lk::render {
namespace {

using book::Kind;
using book::Node;

constexpr int deepest = 2 * book::max_depth;

bool alphanumeric(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80; }

// Words, with a backslash where Markdown would see more than words.
std::string words(std::string_view text, bool in_table) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char before = i > 0 ? text[i - 1] : ' ';
    const char after = i + 1 < text.size() ? text[i + 1] : ' ';
    bool escape = c == '`' || c == '[' || c == ']' || c == '*' || c == '$' || (c == '|' && in_table);
    escape = escape || (c == '\\' && !alphanumeric(after) && after != ' ');
    escape = escape || (c == '_' && !(alphanumeric(before) && alphanumeric(after)));
    escape = escape || (c == '<' && (alphanumeric(after) || after == '/' || after == '!' || after == '?'));
    escape = escape || (c == '&' && (alphanumeric(after) || after == '#'));
    escape = escape || (c == '~' && (after == '~' || before == '~'));
    if (escape) out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

// What would make a list, a heading or a rule of a paragraph that begins with it.
std::string block_start_escaped(std::string text) {
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const char first = text.empty() ? ' ' : text[0];
  if (first == '#' || first == '+' || first == '-' || first == '>' || first == '=' || first == '|') return "\\" + text;
  if (digits > 0 && digits < 10 && digits < text.size() && (text[digits] == '.' || text[digits] == ')')) text.insert(digits, "\\");
  return text;
}

std::string fence_of(std::string_view text) {
  size_t longest = 2, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(longest + 1, '`');
}

std::string indented(const std::string& text, const std::string& first, const std::string& rest) {
  std::string out = first;
  for (size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '\n' && i + 1 < text.size() && text[i + 1] != '\n') out += rest;
    if (text[i] == '\n' && i + 1 < text.size() && text[i + 1] == '\n' && rest[0] == '>') out += ">";
  }
  return out;
}

class Writer {
 public:
  Writer(const MarkdownContext& context, std::string_view url) : context_(context), url_(url) {}

  std::string blocks(const Node& node, int depth) {
    std::string out;
    Kind last = Kind::document;
    bool last_ordered = false;
    other_marks_ = false;
    for (const Node& child : node.children) {
      // A list after a list of its kind would be the same list.
      const bool list = child.kind == Kind::list || child.kind == Kind::sources;
      const bool again = list && (last == Kind::list || last == Kind::sources) && last_ordered == child.ordered;
      const bool marks = again && !other_marks_;
      other_marks_ = marks;
      std::string text = block(child, depth, marks);
      other_marks_ = marks;
      if (text.empty()) continue;
      last = child.kind;
      last_ordered = child.ordered;
      if (!out.empty()) out += "\n\n";
      out += text;
    }
    return out;
  }

  std::string inlines(const Node& node, int depth) {
    std::string out;
    for (const Node& child : node.children) {
      if (child.kind == Kind::text && (&child == &node.children.front() ? node.kind == Kind::paragraph : (&child - 1)->kind == Kind::line_break)) {
        out += block_start_escaped(inline_node(child, depth + 1));
      } else if (child.kind >= Kind::text) {
        out += inline_node(child, depth + 1);
      } else {
        out += (out.empty() ? "" : " ") + inlines(child, depth + 1);
      }
    }
    return out;
  }

 private:
  std::string block(const Node& node, int depth, bool other_marks) {
    if (depth > deepest) return {};
    switch (node.kind) {
      case Kind::paragraph: return inlines(node, depth);
      case Kind::heading: return std::string(static_cast<size_t>(std::clamp(node.level, 1, 6)), '#') + " " + inlines(node, depth);
      case Kind::list:
      case Kind::sources: return list(node, depth, other_marks);
      case Kind::quote: return indented(blocks(node, depth + 1), "> ", "> ");
      case Kind::code: return fenced(node.text, "");
      case Kind::listing: return listing(node);
      case Kind::table: return table(node, depth);
      case Kind::rule: return "---";
      case Kind::formula: return "$$\n" + node.text + "\n$$";
      case Kind::figure: return figure(node, depth);
      case Kind::stats: return stats(node, depth);
      case Kind::footnote: return indented(blocks(node, depth + 1), "[^" + node.number + "]: ", "    ");
      case Kind::document:
      case Kind::item:
      case Kind::table_row:
      case Kind::table_cell: return blocks(node, depth + 1);
      default: return inline_node(node, depth);
    }
  }

  std::string list(const Node& node, int depth, bool other_marks) {
    std::string out;
    int number = node.start;
    for (const Node& item : node.children) {
      std::string mark = node.ordered ? std::to_string(number++) + (other_marks ? ") " : ". ") : other_marks ? "* " : "- ";
      const std::string rest(mark.size(), ' ');
      if (!item.info.empty()) mark += item.info == "done" ? "[x] " : "[ ] ";
      std::string text = blocks(item, depth + 1);
      if (node.tight) {
        // Blocks of a tight list stand without empty lines, but for those that need one.
        const bool plain = std::all_of(item.children.begin(), item.children.end(), [](const Node& n) { return n.kind == Kind::paragraph || n.kind == Kind::list; });
        for (size_t at = plain ? text.find("\n\n") : std::string::npos; at != std::string::npos; at = text.find("\n\n", at + 1)) text.erase(at, 1);
      }
      if (!out.empty()) out += node.tight ? "\n" : "\n\n";
      out += indented(text, mark, rest);
    }
    return out;
  }

  static std::string fenced(std::string_view text, std::string_view language) {
    std::string body(text);
    if (!body.empty() && body.back() != '\n') body += '\n';
    const std::string fence = fence_of(body);
    return fence + std::string(language) + "\n" + body + fence;
  }

  std::string listing(const Node& node) {
    const std::map<std::string, std::string> options(node.options.begin(), node.options.end());
    const auto option = [&](const char* name) {
      const auto found = options.find(name);
      return found == options.end() ? std::string() : found->second;
    };
    std::string code = node.text;
    std::string head;
    const std::string file = option("file");
    for (const auto& [name, text] : context_.page.book.listings) {
      if (name != file || file.empty()) continue;
      const auto found = book::region(text, option("region"));
      if (!found) continue;
      code = found->text;
      head = "`" + file + "`";
      if (found->lines.empty()) continue;
      const int from = found->lines.front(), to = found->lines.back();
      head += from == to ? ", line " + std::to_string(from) : ", lines " + std::to_string(from) + "\u2013" + std::to_string(to);
    }
    if (const book::Source* source = context_.page.book.source(option("source"))) {
      head += (head.empty() ? "After " : ", after ") + link(words(source->title, false), source_address(*source));
    }
    if (!head.empty()) head += ":\n\n";
    std::string out = head + fenced(code, node.info == "text" ? "" : node.info);
    std::string below = option("caption");
    if (const std::string checked = option("checked"); !checked.empty()) below += (below.empty() ? "" : " ") + ("Checked with " + checked + ".");
    if (!below.empty()) out += "\n\n" + block_start_escaped(words(below, false));
    return out;
  }

  std::string table(const Node& node, int depth) {
    std::string out;
    in_table_ = true;
    for (const Node& row : node.children) {
      std::string line = "|", rule = "|";
      for (const Node& cell : row.children) {
        line += " " + inlines(cell, depth) + " |";
        rule += cell.align == "right" ? " --: |" : cell.align == "center" ? " :-: |" : cell.align == "left" ? " :-- |" : " --- |";
      }
      out += (out.empty() ? "" : "\n") + line;
      if (&row == &node.children.front()) out += "\n" + rule;
    }
    in_table_ = false;
    return out;
  }

  std::string figure(const Node& node, int depth) {
    const FigureText text = context_.figure ? context_.figure(node) : FigureText{};
    const std::string title = text.title.empty() ? node.target.id : text.title;
    std::string out = "**Figure" + (node.number.empty() ? "" : " " + node.number) + ". " + words(title, false) + ".** " + inlines(node, depth);
    if (!text.summary.empty()) out += "\n\n" + block_start_escaped(words(text.summary, false));
    if (!text.table.empty()) out += "\n\n" + text.table.substr(0, text.table.find_last_not_of('\n') + 1);
    return out + "\n\n" + link("Move the figure", site_address(std::string(url_) + "#" + node.anchor));
  }

  std::string stats(const Node& node, int depth) {
    std::string out;
    for (const Node& item : node.children) {
      if (item.children.size() != 2) continue;
      out += (out.empty() ? "- " : "\n- ") + inlines(item.children[0], depth) + ": " + inlines(item.children[1], depth);
    }
    return out;
  }

  std::string inline_node(const Node& node, int depth) {
    if (depth > deepest) return {};
    switch (node.kind) {
      case Kind::text: return words(node.text, in_table_);
      case Kind::soft_break: return " ";
      case Kind::line_break: return in_table_ ? " " : "\\\n";
      case Kind::code_span: return code_span(node.text);
      case Kind::math: return node.level == 1 ? "$$" + node.text + "$$" : "$" + node.text + "$";
      case Kind::emphasis: return wrapped("*", node, depth);
      case Kind::strong: return wrapped("**", node, depth);
      case Kind::strike: return wrapped("~~", node, depth);
      case Kind::footnote_ref: return "[^" + node.number + "]";
      case Kind::link:
        if (!node.target.scheme.empty() || !book::safe_address(node.target.raw)) break;
        return link(inlines(node, depth), node.target.raw.front() == '#' ? site_address(std::string(url_) + node.target.raw) : node.target.raw);
      case Kind::term:
        if (const book::Term* term = context_.page.book.term(node.target.id)) return link(inlines(node, depth), site_address("/chapters/glossary/#" + term->id));
        break;
      case Kind::source:
        if (const book::Source* source = context_.page.book.source(node.target.id)) return link(inlines(node, depth), source_address(*source));
        break;
      case Kind::section:
        if (const auto to = book::resolve(context_.page.book, node.target); to && to->written) return link(inlines(node, depth), site_address(to->url));
        break;
      case Kind::set: {
        const std::string& uid = node.target.id;
        return link(inlines(node, depth), site_address(std::string(url_) + "?" + query_text(node.target.query, url_encoded(uid) + ".") + "#fig-" + url_encoded(uid)));
      }
      default: break;
    }
    return inlines(node, depth);
  }

  std::string code_span(std::string text) const {
    if (in_table_) {
      for (size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, "\\");
    }
    size_t longest = 0, run = 0;
    for (const char c : text) {
      run = c == '`' ? run + 1 : 0;
      longest = std::max(longest, run);
    }
    const std::string fence(longest + 1, '`');
    const bool spaces = !text.empty() && (text.front() == '`' || text.back() == '`' || (text.front() == ' ' && text.back() == ' '));
    return fence + (spaces ? " " + text + " " : text) + fence;
  }

  std::string wrapped(std::string_view mark, const Node& node, int depth) {
    std::string inner = inlines(node, depth);
    if (inner.empty()) return inner;
    return std::string(mark) + inner + std::string(mark);
  }

  static std::string link(const std::string& text, const std::string& address) {
    std::string to;
    for (const char c : address) {
      const auto u = static_cast<unsigned char>(c);
      if (u <= 32 || u >= 127 || c == '<' || c == '>' || c == '(' || c == ')' || c == '\\') to += url_encoded(std::string_view(&c, 1));
      else to += c;
    }
    return "[" + text + "](" + to + ")";
  }

  std::string site_address(std::string_view path) const {
    if (path.substr(0, 1) == "/") path.remove_prefix(1);
    return context_.page.assets.origin + context_.page.assets.base + std::string(path);
  }

  std::string source_address(const book::Source& source) const {
    return !source.url.empty() && book::safe_address(source.url) ? source.url : site_address("/chapters/reading/#" + source.id);
  }

  const MarkdownContext& context_;
  std::string_view url_;
  bool in_table_ = false;
  bool other_marks_ = false;  // the list at hand follows another
};

}  // namespace

std::string body_markdown(const MarkdownContext& context, const Node& node, std::string_view url) { return Writer(context, url).blocks(node, 0); }

}  // namespace lk::render
