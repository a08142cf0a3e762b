#include "render/page_uses.h"

#include "base/utf8.h"
#include "render/page_parts.h"

namespace lk::render {

namespace {

void collect(const book::Book& book, book::Kind kind, const book::Node& body, const Use& page, Uses& out) {
  std::string anchor;
  each(body, [&](const book::Node& n) {
    if (n.kind == book::Kind::heading) anchor = n.anchor;
    if (n.kind != kind) return;
    std::string id = n.target.id;
    if (kind == book::Kind::term) {
      const book::Term* term = book.term(id);
      if (!term) return;
      id = term->id;
    }
    auto& list = out[id];
    if (!list.empty() && list.back().number == page.number) return;
    list.push_back({page.number, page.title, anchor.empty() ? page.url : page.url + '#' + anchor});
  });
}

}  // namespace

Uses uses(const book::Book& book, book::Kind kind) {
  Uses out;
  for (const book::Chapter& chapter : book.chapters) {
    collect(book, kind, chapter.body, {chapter.number, chapter.title, chapter.url}, out);
    for (const int index : chapter.sections) {
      const book::Section& s = book.sections[static_cast<size_t>(index)];
      collect(book, kind, s.body, {s.number, s.title, s.url}, out);
    }
  }
  return out;
}

std::string use_links(const PageContext& context, const Uses& used, const std::string& id) {
  std::string out;
  if (const auto it = used.find(id); it != used.end())
    for (const Use& use : it->second)
      out += (out.empty() ? "" : "<br>") + ("<a href=\"" + html_escaped(url(context, use.url)) + "\">" +
                                            html_escaped(use.number + ' ' + use.title) + "</a>");
  return out;
}

std::string filter_html(std::string_view what, std::string_view label, std::string_view all,
                        const std::vector<FilterKind>& kinds) {
  std::string out = "<div class=\"sift\" role=\"search\" aria-label=\"" + std::string(label) + "\" data-sift=\"" +
                    std::string(what) + "\"><label class=\"vh\" for=\"sift\">" + std::string(label) +
                    "</label><input id=\"sift\" type=\"search\" placeholder=\"" + std::string(label) +
                    "\" autocomplete=\"off\" spellcheck=\"false\"><output id=\"sift-count\" for=\"sift\">" + std::string(all) +
                    "</output>\n";
  if (kinds.size() > 1) {
    out += "<fieldset class=\"kinds\"><legend class=\"vh\">Kind</legend><label><input type=\"radio\" name=\"kind\" value=\"\" "
           "checked><span>All</span></label>";
    for (const FilterKind& kind : kinds)
      out += "<label><input type=\"radio\" name=\"kind\" value=\"" + html_escaped(kind.id) + "\"><span>" +
             html_escaped(kind.name) + "<small>" + std::to_string(kind.n) + "</small></span></label>";
    out += "</fieldset>\n";
  }
  return out + "</div>\n<p class=\"none\" id=\"sift-none\" hidden></p>\n";
}

}  // namespace lk::render
