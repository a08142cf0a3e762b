// The glossary: every term with its sentence, where the book uses it and what belongs to it.
#include <algorithm>

#include "base/utf8.h"
#include "render/page_parts.h"
#include "render/page_uses.h"

namespace lk::render {

namespace {

char letter(const book::Term& term) {
  const char c = term.name.empty() ? '#' : term.name.front();
  if (c >= 'a' && c <= 'z') return static_cast<char>(c - 'a' + 'A');
  return c >= 'A' && c <= 'Z' ? c : '#';
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string letter_id(char c) { return "h-letter-" + (c == '#' ? std::string("other") : std::string(1, c)); }

// Other spellings of a name that a reader may look for; those that differ from it in an apostrophe alone say nothing.
std::string aliases(const book::Term& term) {
  const auto plain = [](std::string text) {
    for (size_t at = 0; (at = text.find("\xE2\x80\x99")) != std::string::npos;) text.replace(at, 3, "'");
    return lower(text);
  };
  std::string out;
  for (const std::string& alias : term.aliases)
    if (plain(alias) != plain(term.name)) out += (out.empty() ? "" : ", ") + html_escaped(alias);
  return out;
}

std::string term_html(const PageContext& context, const Uses& used, const book::Term& t) {
  const std::string id = html_escaped(t.id), name = html_escaped(t.name);
  std::string out = "<div data-entry><dt id=\"" + id + "\"><a href=\"#" + id + "\">" + name + "</a>";
  if (!t.unit.empty()) out += "<small>" + html_escaped(t.unit) + "</small>";
  if (const std::string also = aliases(t); !also.empty()) out += "<small>also: " + also + "</small>";
  out += "</dt><dd><p>" + inline_markdown(context, t.sentence) + "</p>" +
         (t.detail.empty() ? "" : block_markdown(context, t.detail)) + "</dd>";
  std::string see;
  const auto add = [&](std::string_view label, const std::string& links) {
    if (!links.empty()) see += "<p><b>" + std::string(label) + "</b> " + links + "</p>";
  };
  add("Used in", use_links(context, used, t.id));
  std::string related, sources;
  for (const std::string& other : t.see)
    if (const book::Term* o = context.book.term(other))
      related += (related.empty() ? "" : ", ") + ("<a href=\"#" + html_escaped(o->id) + "\">" + html_escaped(o->name) + "</a>");
  for (const std::string& other : t.sources)
    if (const book::Source* s = context.book.source(other))
      sources += (sources.empty() ? "" : "<br>") + ("<a href=\"" + html_escaped(url(context, "/chapters/reading/#" + s->id)) +
                                                    "\">" + html_escaped(s->title) + "</a>");
  add("Related", related);
  add("From", sources);
  if (!see.empty()) out += "<dd class=\"see\">" + see + "</dd>";
  return out + "</div>\n";
}

}  // namespace

std::string glossary_page(const PageContext& context) {
  std::vector<const book::Term*> terms;
  for (const book::Term& t : context.book.terms) terms.push_back(&t);
  std::stable_sort(terms.begin(), terms.end(), [](const auto* a, const auto* b) {
    return letter(*a) != letter(*b) ? letter(*a) < letter(*b) : lower(a->name) < lower(b->name);
  });
  const Uses used = uses(context.book, book::Kind::term);
  std::string present, list;
  for (const book::Term* t : terms) {
    const char c = letter(*t);
    if (present.find(c) == std::string::npos) {
      if (!present.empty()) list += "</dl></section>\n";
      present += c;
      list += "<section data-group aria-labelledby=\"" + letter_id(c) + "\"><h2 id=\"" + letter_id(c) + "\">" +
              std::string(1, c) + "</h2>\n<dl>\n";
    }
    list += term_html(context, used, *t);
  }
  if (!present.empty()) list += "</dl></section>\n";
  std::string az = "<nav class=\"az\" aria-label=\"Letters\">";
  for (char c = 'A'; c <= 'Z'; ++c) {
    const std::string name(1, c);
    az += present.find(c) != std::string::npos ? "<a href=\"#" + letter_id(c) + "\">" + name + "</a>"
                                               : "<span aria-hidden=\"true\">" + name + "</span>";
  }
  az += "</nav>\n";
  PageFrame frame;
  frame.title = "Glossary · " + context.book.title;
  frame.description = "The words of this book, each defined in one sentence.";
  frame.url = "/chapters/glossary/";
  frame.here = "glossary";
  frame.script = context.assets.main_script;
  frame.more_script = context.assets.lists_script;
  frame.more_style = context.assets.lists_style;
  frame.edit = "glossary.json";
  return shelled(context, frame,
                 "<div class=\"text\"><h1>Glossary</h1>\n<p class=\"lede\">Each word of the book that has a meaning of its own "
                 "here, in one sentence and then in more.</p></div>\n" +
                     filter_html("terms", "Filter the terms", count_text(static_cast<int>(terms.size()), "term"), {}) + az +
                     "<div class=\"gl\" data-list>\n" + list + "</div>\n");
}

}  // namespace lk::render
