// The reading list: sources under the headings of their groups, each described once.
#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "render/page_parts.h"
#include "render/page_uses.h"

namespace lk::render {

namespace {

struct KindName {
  std::string_view id, one, many;
};

constexpr std::array<KindName, 7> kinds{{
    {"paper", "Paper", "Papers"},
    {"documentation", "Documentation", "Docs"},
    {"datasheet", "Datasheet", "Datasheets"},
    {"repository", "Code", "Code"},
    {"post", "Post", "Posts"},
    {"talk", "Talk", "Talks"},
    {"book", "Book", "Books"},
}};

std::string_view kind_name(std::string_view id) {
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const KindName& k) { return k.id == id; });
  return found == kinds.end() ? std::string_view("Other") : found->one;
}

class Reading {
 public:
  explicit Reading(const PageContext& context) : context_(context), used_(uses(context.book, book::Kind::source)) {}

  std::string html() {
    const book::Book& book = context_.book;
    std::string out, index;
    int part = -1;
    for (const book::Group& group : book.groups) {
      if (group.part != part) {
        if (part >= 0) out += "</section>\n", index += "</li>\n";
        part = group.part;
        const std::string number = "B." + std::to_string(part + 1), title = html_escaped(book.parts[static_cast<size_t>(part)]);
        // A part of one group that has its name needs no second heading.
        alone_ = group.title == book.parts[static_cast<size_t>(part)];
        out += "<section class=\"part\" data-group><h2" + (alone_ ? " id=\"" + html_escaped(group.id) + "\">" : std::string(">")) + number +
               " " + title + "</h2>\n";
        index += "<li><span>" + number + "</span>" + (alone_ ? std::string() : "<b>" + title + "</b> ");
      } else {
        index += ", ";
      }
      const std::string id = html_escaped(group.id), title = html_escaped(group.title);
      index += "<a href=\"#" + id + "\">" + title + "</a>";
      // A part of one group has its heading in the part's.
      const std::string_view tag = alone_ ? "div" : "section";
      out += "<" + std::string(tag) + " data-group>" + (alone_ ? std::string() : "<h3 id=\"" + id + "\">" + title + "</h3>\n");
      alone_ = false;
      if (!group.note.empty()) out += "<p class=\"about\">" + inline_markdown(context_, group.note) + "</p>\n";
      out += list(group) + "</" + std::string(tag) + ">\n";
    }
    if (part >= 0) out += "</section>\n", index += "</li>\n";
    out += others();
    std::string main = "<div class=\"text\"><h1>Further reading</h1>\n<p class=\"lede\">Where the book has its facts from, and "
                       "where to go on. Each entry says what you get from it, how long it takes and what to read "
                       "before.</p></div>\n";
    if (!index.empty()) main += "<nav class=\"parts text\" aria-label=\"Parts of the list\"><ol>" + index + "</ol></nav>\n";
    return main + filter() + "<div class=\"text\" data-list>\n" + out + "</div>\n";
  }

 private:
  std::string list(const book::Group& group) {
    std::string out = "<ul class=\"reading\">\n";
    for (const std::string& id : group.sources) {
      const book::Source* s = context_.book.source(id);
      if (!s) continue;
      const auto [first, fresh] = described_.emplace(id, &group);
      out += fresh ? entry(*s) : again(*s, *first->second);
    }
    return out + "</ul>\n";
  }

  static std::string linked(const book::Source& s) {
    return s.url.empty() ? "<b>" + html_escaped(s.title) + "</b>"
                         : "<a href=\"" + html_escaped(s.url) + "\">" + html_escaped(s.title) + "</a>";
  }

  static std::string from(const book::Source& s) {
    std::string out = std::string(kind_name(s.kind));
    for (const std::string& part : {s.authors, s.venue})
      if (!part.empty()) out += " · " + html_escaped(part);
    // Many venues name the year.
    if (!s.year.empty() && s.venue.find(s.year) == std::string::npos) out += " · " + html_escaped(s.year);
    return "<small>" + out + "</small>";
  }

  std::string entry(const book::Source& s) const {
    std::string out = "<li data-entry data-kind=\"" + html_escaped(s.kind) + "\" id=\"" + html_escaped(s.id) + "\">" + linked(s) + from(s);
    if (!s.note.empty()) out += block_markdown(context_, s.note);
    if (const std::string links = use_links(context_, used_, s.id); !links.empty())
      out += "<small class=\"cited\">Cited in " + links + "</small>";
    return out + "</li>\n";
  }

  static std::string again(const book::Source& s, const book::Group& group) {
    return "<li data-entry=\"again\" data-kind=\"" + html_escaped(s.kind) + "\">" + linked(s) + from(s) +
           "<p>Described under <a href=\"#" + html_escaped(s.id) + "\">" + html_escaped(group.title) + "</a>.</p></li>\n";
  }

  // Sources that the text cites and no group lists.
  std::string others() const {
    std::string out;
    for (const book::Source& s : context_.book.sources)
      if (described_.count(s.id) == 0) out += entry(s);
    if (out.empty()) return out;
    const bool alone = context_.book.groups.empty();
    return "<section class=\"part\" data-group>" + std::string(alone ? "<h2 id=\"h-others\">Sources</h2>\n" : "<h2 id=\"h-others\">Also cited</h2>\n") +
           "<ul class=\"reading\">\n" + out + "</ul></section>\n";
  }

  std::string filter() const {
    std::vector<FilterKind> options;
    for (const KindName& kind : kinds) {
      const auto n = std::count_if(context_.book.sources.begin(), context_.book.sources.end(), [&](const book::Source& s) { return s.kind == kind.id; });
      if (n > 0) options.push_back({std::string(kind.id), std::string(kind.many), static_cast<int>(n)});
    }
    return filter_html("sources", "Filter the sources", count_text(static_cast<int>(context_.book.sources.size()), "source"), options);
  }

  const PageContext& context_;
  Uses used_;
  bool alone_ = false;
  std::map<std::string, const book::Group*> described_;
};

}  // namespace

std::string reading_page(const PageContext& context) {
  PageFrame frame;
  frame.title = "Further reading · " + context.book.title;
  frame.description =
      "The sources of this book and where to go on: papers, documentation, code and posts, each with what to take from it.";
  frame.url = "/chapters/reading/";
  frame.here = "reading";
  frame.script = context.assets.main_script;
  frame.more_script = context.assets.lists_script;
  frame.more_style = context.assets.lists_style;
  frame.edit = "reading.json";
  return shelled(context, frame, Reading(context).html());
}

}  // namespace lk::render
