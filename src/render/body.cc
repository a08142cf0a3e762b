// A Markdown tree as HTML. Everything that comes from the tree is escaped here; addresses pass book::safe_address.
#include <algorithm>
#include <map>
#include <set>

#include "base/json.h"
#include "base/utf8.h"
#include "math/tex.h"
#include "render/listing.h"
#include "render/markup.h"
#include "render/page.h"

namespace lk::render {
namespace {

using book::Kind;
using book::Node;

// The parser makes no deeper trees; a tree from elsewhere is cut off here.
constexpr int deepest = 2 * book::max_depth;

bool missing(const Node& cell) {
  const std::string words = book::plain_text(cell);
  return words.find_first_not_of(' ') == std::string::npos || words == "-" || words == "\xE2\x80\x93" || words == "\xE2\x80\x94";
}

class Body {
 public:
  explicit Body(const PageContext& context) : context_(context) {}

  std::string document(const Node& root, bool wrapped) {
    for (const Node& child : root.children) {
      if (child.kind == Kind::footnote) notes_[child.number] = &child;
      if (child.kind != Kind::sources) continue;
      book::walk(child, [&](const Node& node) {
        if (const book::Source* source = node.kind == Kind::source ? context_.book.source(node.target.id) : nullptr) listed_.insert(source->url);
      });
    }
    bool open = false;
    for (const Node& child : root.children) {
      if (child.kind == Kind::footnote) continue;
      const bool outside = child.kind == Kind::figure || child.kind == Kind::stats;
      if (wrapped && open == outside) {
        out_ += outside ? "</div>\n" : "<div class=\"text\">\n";
        open = !outside;
      }
      block(child, 0);
    }
    if (open) out_ += "</div>\n";
    return std::move(out_);
  }

  std::string inlines_of(const Node& node) {
    for (const Node& child : node.children) {
      if (child.kind >= Kind::text) {
        inline_node(child, 0);
      } else if (child.kind != Kind::footnote) {
        if (!out_.empty()) out_ += ' ';
        out_ += inlines_only(child, 0);
      }
    }
    return std::move(out_);
  }

 private:
  void blocks(const Node& node, int depth) {
    for (const Node& child : node.children) block(child, depth);
  }

  void block(const Node& node, int depth) {
    if (depth > deepest) return;
    switch (node.kind) {
      case Kind::paragraph:
        out_ += "<p>";
        inlines(node, depth);
        out_ += notes();
        out_ += "</p>\n";
        return;
      case Kind::heading:
        heading(node, depth);
        return;
      case Kind::list:
      case Kind::sources:
        list(node, depth);
        return;
      case Kind::item:
        item(node, false, depth);
        return;
      case Kind::quote:
        out_ += "<blockquote>\n";
        blocks(node, depth + 1);
        out_ += "</blockquote>\n";
        return;
      case Kind::code: {
        Node plain;
        plain.kind = Kind::listing;
        plain.text = node.text;
        out_ += listing_html(context_, plain) + "\n";
        return;
      }
      case Kind::listing:
        out_ += listing_html(context_, node) + "\n";
        return;
      case Kind::table:
        table(node, depth);
        return;
      case Kind::formula:
        out_ += "<div class=\"formula\" tabindex=\"0\" role=\"group\" aria-label=\"Formula\">" + math::to_mathml(node.text, true).mathml + "</div>\n";
        return;
      case Kind::rule:
        out_ += "<hr>\n";
        return;
      case Kind::figure:
        figure(node, depth);
        return;
      case Kind::stats:
        stats(node, depth);
        return;
      case Kind::document:
      case Kind::table_row:
      case Kind::table_cell:
        blocks(node, depth + 1);
        return;
      case Kind::footnote:
        return;
      default:
        inline_node(node, depth);
    }
  }

  void inlines(const Node& node, int depth) {
    for (const Node& child : node.children) {
      if (child.kind >= Kind::text) inline_node(child, depth + 1);
    }
  }

  // The inlines below a block of any kind.
  std::string inlines_only(const Node& node, int depth) {
    if (depth > deepest) return {};
    std::string kept = std::move(out_);
    out_.clear();
    for (const Node& child : node.children) {
      if (child.kind >= Kind::text) {
        inline_node(child, depth + 1);
      } else {
        if (!out_.empty()) out_ += ' ';
        out_ += inlines_only(child, depth + 1);
      }
    }
    std::swap(kept, out_);
    return kept;
  }

  void wrap(std::string_view tag, const Node& node, int depth) {
    out_.append("<").append(tag).append(">");
    inlines(node, depth);
    out_.append("</").append(tag).append(">");
  }

  void inline_node(const Node& node, int depth) {
    if (depth > deepest) return;
    switch (node.kind) {
      case Kind::text:
        out_ += html_escaped(node.text);
        return;
      case Kind::soft_break:
        out_ += "\n";
        return;
      case Kind::line_break:
        out_ += "<br>\n";
        return;
      case Kind::code_span:
        out_ += "<code>" + html_escaped(node.text) + "</code>";
        return;
      case Kind::math:
        out_ += math::to_mathml(node.text, node.level == 1).mathml;
        return;
      case Kind::emphasis:
        wrap("em", node, depth);
        return;
      case Kind::strong:
        wrap("strong", node, depth);
        return;
      case Kind::strike:
        wrap("del", node, depth);
        return;
      case Kind::footnote_ref:
        reference(node);
        return;
      case Kind::link:
        link(node, depth);
        return;
      case Kind::image:
        out_ += html_escaped(book::plain_text(node));
        return;
      case Kind::term:
        if (const book::Term* term = context_.book.term(node.target.id)) {
          anchor(node, depth, " class=\"term\" href=\"" + site_href(context_, "/chapters/glossary/#" + term->id) + "\"");
          return;
        }
        break;
      case Kind::source:
        if (const book::Source* source = context_.book.source(node.target.id)) {
          // In the list of sources the words around the link say the same.
          const std::string title = in_sources_ ? "" : " title=\"" + source_title(*source) + "\"";
          anchor(node, depth, std::string(again(source->url) ? " class=\"src again\"" : " class=\"src\"") + " href=\"" + source_href(context_, *source) + "\"" + title);
          return;
        }
        break;
      case Kind::section:
        section(node, depth);
        return;
      case Kind::value:
        value(node, depth, false);
        return;
      case Kind::set: {
        const std::string& uid = node.target.id;
        const std::string query = query_text(node.target.query, url_encoded(uid) + ".");
        anchor(node, depth, " class=\"set\" href=\"?" + html_escaped(query) + "#fig-" + html_escaped(url_encoded(uid)) + "\"" + attribute("data-set", uid + "?" + query_text(node.target.query, "")));
        return;
      }
      default:
        break;
    }
    inlines(node, depth);
  }

  void anchor(const Node& node, int depth, std::string_view attributes) {
    out_.append("<a").append(attributes).append(">");
    inlines(node, depth);
    out_ += "</a>";
  }

  void link(const Node& node, int depth) {
    if (!node.target.scheme.empty() || !book::safe_address(node.target.raw)) {
      inlines(node, depth);
      return;
    }
    anchor(node, depth, (again(node.target.raw) ? " class=\"again\" href=\"" : " href=\"") + address(node.target.raw) + "\"" + (node.title.empty() ? "" : attribute("title", node.title)));
  }

  // Paper spells an address out once: in the list of sources, or where it stands first.
  bool again(const std::string& url) {
    if (url.substr(0, 4) != "http") return false;
    return (!in_sources_ && listed_.count(url) != 0) || !spelled_.insert(url).second;
  }

  void section(const Node& node, int depth) {
    const auto to = book::resolve(context_.book, node.target);
    if (!to) {
      inlines(node, depth);
    } else if (!to->written) {
      out_ += "<span class=\"unwritten\" title=\"Not written yet\">";
      inlines(node, depth);
      out_ += "</span>";
    } else {
      const std::string title = to->number.empty() ? to->title : to->number + " " + to->title;
      anchor(node, depth, " href=\"" + site_href(context_, to->url) + "\"" + attribute("title", title));
    }
  }

  // Returns the unit when it is left out: `split` leaves it to the caller, as long as it is the same on every device.
  std::string value(const Node& node, int depth, bool split) {
    const auto ref = book::value_ref(node.target);
    const auto& catalog = context_.catalog;
    const auto compute = [&](std::string_view device) { return catalog.value(ref->figure, ref->result, ref->query, device); };
    if (!ref || !catalog.value) {
      inlines(node, depth);
      return {};
    }
    const auto computed = compute(ref->device);
    if (!computed) {
      inlines(node, depth);
      return {};
    }
    book::Shape shape = book::shape(book::plain_text(node), *computed).value_or(book::Shape::digits);
    split = split && shape == book::Shape::full && !computed->unit.empty();
    std::string name = ref->device;
    std::vector<Result<book::Catalog::ValueText>> others;
    for (const auto& device : catalog.devices ? catalog.devices() : std::vector<book::Catalog::DeviceName>()) {
      if (device.id == ref->device) name = device.name;
      if (ref->device.empty()) others.push_back(compute(device.id));
    }
    for (const auto& other : others) split = split && (!other || other->unit == computed->unit);
    if (split) shape = book::Shape::digits;
    const std::string text = book::shown(*computed, shape);
    // In the order of the picker. A device that cannot have the number has none here either; the page names the book's instead.
    std::vector<std::string> texts;
    std::string widest = text;
    bool same = true;
    size_t last = 0;
    for (const auto& other : others) {
      const std::string words = other ? book::shown(*other, shape) : std::string();
      same = same && (!other || words == text);
      if (letters(words) > letters(widest)) widest = words;
      texts.push_back(words);
      if (other) last = texts.size();
    }
    texts.resize(last);
    std::string all;
    for (size_t k = 0; k < texts.size(); ++k) all += (k == 0 ? "" : " ") + texts[k];
    const bool follows = ref->device.empty() && !same;
    const std::string title = computed->how + (follows ? "; follows the device you choose" : name.empty() ? "" : "; for the " + name);
    out_ += follows ? "<data class=\"value\"" : "<data class=\"value value--pinned\"";
    if (follows) {
      out_ += attribute("data-all", all);
      if (widest != text) out_ += attribute("data-w", widest);
    }
    out_ += attribute("value", computed->plain.empty() ? computed->digits : six_digits(computed->plain)) + attribute("title", title) + ">" + html_escaped(text) + "</data>";
    return split ? computed->unit : std::string();
  }

  void reference(const Node& node) {
    const std::string number = html_escaped(node.number);
    const bool first = referred_.insert(node.number).second;
    if (first && notes_.count(node.number) != 0) pending_.push_back(node.number);
    out_ += "<a class=\"ref\" href=\"#sn-" + number + "\"" + (first ? " id=\"ref-" + number + "\"" : "") + " role=\"doc-noteref\" aria-label=\"Note " + number + "\">" + number + "</a>";
  }

  // Notes referred to since the last block, each once. A note may refer to others.
  std::string notes() {
    std::string text;
    while (!pending_.empty()) {
      const std::vector<std::string> now = std::move(pending_);
      pending_.clear();
      for (const std::string& number : now) {
        text += "<span class=\"sn\" role=\"note\" id=\"sn-" + html_escaped(number) + "\"><b>" + html_escaped(number) + "</b> " + inlines_only(*notes_[number], 0) + "</span>";
      }
    }
    return text;
  }

  void notes_after_block() {
    const std::string text = notes();
    if (!text.empty()) out_ += "<p class=\"notes\">" + text + "</p>\n";
  }

  void heading(const Node& node, int depth) {
    const std::string level = std::to_string(std::clamp(node.level, 1, 6));
    const std::string id = html_escaped(node.anchor);
    out_ += "<h" + level + " id=\"" + id + "\">";
    inlines(node, depth);
    out_ += " <a class=\"hash\" href=\"#" + id + "\"" + attribute("aria-label", "Link to " + node.text) + ">#</a></h" + level + ">\n";
    notes_after_block();
  }

  void list(const Node& node, int depth) {
    const std::string tag = node.ordered ? "ol" : "ul";
    out_ += "<" + tag;
    if (node.kind == Kind::sources) out_ += " class=\"sources\"";
    if (node.ordered && node.start != 1) out_ += " start=\"" + std::to_string(node.start) + "\"";
    out_ += ">\n";
    in_sources_ = node.kind == Kind::sources;
    for (const Node& child : node.children) item(child, node.tight, depth + 1);
    in_sources_ = false;
    out_ += "</" + tag + ">\n";
  }

  void item(const Node& node, bool tight, int depth) {
    if (depth > deepest) return;
    out_ += node.info.empty() ? "<li>" : "<li class=\"task\">";
    if (!node.info.empty()) {
      const bool done = node.info == "done";
      out_ += std::string("<span aria-hidden=\"true\">") + (done ? "\xE2\x98\x91" : "\xE2\x98\x90") + "</span><span class=\"vh\">" + (done ? "done:" : "to do:") + "</span> ";
    }
    for (const Node& child : node.children) {
      if (tight && child.kind == Kind::paragraph) {
        inlines(child, depth);
        out_ += notes();
      } else {
        block(child, depth + 1);
      }
    }
    out_ += "</li>\n";
  }

  void table(const Node& node, int depth) {
    const std::string label = "Table " + std::to_string(++tables_);
    const std::string id = "lk-table-" + std::to_string(tables_);
    out_ += "<div class=\"scroll\" tabindex=\"0\" role=\"region\"" + attribute("aria-labelledby", id) + "><table><caption class=\"vh\"" + attribute("id", id) + ">" +
            html_escaped(label) + "</caption>\n";
    bool head = false;
    bool body = false;
    for (const Node& row : node.children) {
      const bool header = !row.children.empty() && row.children.front().level == 1;
      if (header && !head) out_ += "<thead>\n";
      if (!header && !body) out_ += head ? "</thead><tbody>\n" : "<tbody>\n";
      head = head || header;
      body = body || !header;
      out_ += "<tr>";
      for (const Node& one : row.children) cell(one, header ? "col" : &one == &row.children.front() ? "row" : "", depth);
      out_ += "</tr>\n";
    }
    out_ += body ? "</tbody>" : head ? "</thead>" : "";
    out_ += "</table></div>\n";
    notes_after_block();
  }

  /// `heads`: "col" or "row" for a cell that names its column or row, else empty.
  void cell(const Node& node, std::string_view heads, int depth) {
    const std::string css = node.align == "right" ? " class=\"num\"" : node.align == "center" ? " class=\"mid\"" : "";
    if (missing(node)) {
      // An empty corner above row names is no missing value.
      out_ += heads == "col" ? "<td" + css + "></td>" : "<td" + css + "><span aria-hidden=\"true\">\xE2\x80\x94</span><span class=\"vh\">not available</span></td>";
      return;
    }
    out_ += (heads.empty() ? std::string("<td") : "<th scope=\"" + std::string(heads) + "\"") + css + ">";
    inlines(node, depth);
    out_ += heads.empty() ? "</td>" : "</th>";
  }

  void figure(const Node& node, int depth) {
    const std::string caption = inlines_only(node, depth);
    if (context_.figure) out_ += context_.figure(node, book::uid(node), caption);
    out_ += "\n";
    notes_after_block();
  }

  void stats(const Node& node, int depth) {
    out_ += "<dl class=\"stats text\">";
    for (const Node& item : node.children) {
      if (item.children.size() != 2) continue;
      out_ += "<div><dt>" + inlines_only(item.children[0], depth) + "</dt><dd>" + stat(item.children[1], depth) + "</dd></div>";
    }
    out_ += "</dl>\n";
  }

  // "[206](value:...) FLOP/B", "[206 FLOP/B](value:...)" and "132 SMs": what follows the first word or construct is the unit,
  // set small.
  std::string stat(const Node& side, int depth) {
    std::string first;
    std::string rest;
    for (const Node& child : side.children) {
      if (child.kind == Kind::text) {
        const size_t from = std::min(child.text.find_first_not_of(' '), child.text.size());
        const size_t space = first.empty() ? std::min(child.text.find(' ', from), child.text.size()) : from;
        if (first.empty()) first += html_escaped(std::string_view(child.text).substr(from, space - from));
        const size_t unit = std::min(child.text.find_first_not_of(' ', space), child.text.size());
        rest += html_escaped(std::string_view(child.text).substr(unit));
        continue;
      }
      std::string kept = std::move(out_);
      out_.clear();
      std::string unit;
      if (child.kind == Kind::value && first.empty()) {
        unit = html_escaped(value(child, depth, true));
      } else {
        inline_node(child, depth);
      }
      (first.empty() ? first : rest) += out_;
      rest += unit;
      out_ = std::move(kept);
    }
    return first + (rest.empty() ? "" : "<small>" + rest + "</small>");
  }

  const PageContext& context_;
  std::string out_;
  std::map<std::string, const Node*> notes_;
  std::set<std::string> referred_;
  std::set<std::string> listed_, spelled_;  // addresses in the list of sources, and those that paper has shown
  std::vector<std::string> pending_;
  int tables_ = 0;
  bool in_sources_ = false;
};

}  // namespace

std::string body_html(const PageContext& context, const Node& node) { return Body(context).document(node, true); }

std::string blocks_html(const PageContext& context, const Node& node) { return Body(context).document(node, false); }

std::string inline_html(const PageContext& context, const Node& node) { return Body(context).inlines_of(node); }

}  // namespace lk::render
