// The glossary and the reading list: entries of content files, with links back to where the book uses them.
#include <algorithm>
#include <array>
#include <map>

#include "base/utf8.h"
#include "render/page_parts.h"

namespace lk::render {

namespace {

using Uses = std::map<std::string, std::vector<const book::Section*>>;

/// Which sections link each term or source, in reading order.
Uses uses(const book::Book& book, book::Kind kind) {
  Uses out;
  for (const book::Section& section : book.sections)
    each(section.body, [&](const book::Node& n) {
      if (n.kind != kind) return;
      std::string id = n.target.id;
      if (kind == book::Kind::term) {
        const book::Term* t = book.term(id);
        if (!t) return;
        id = t->id;
      }
      auto& list = out[id];
      if (list.empty() || list.back() != &section) list.push_back(&section);
    });
  return out;
}

std::string section_links(const PageContext& context, const Uses& used, const std::string& id) {
  std::string out;
  if (const auto it = used.find(id); it != used.end())
    for (const book::Section* s : it->second)
      out += (out.empty() ? "" : ", ") +
             ("<a href=\"" + html_escaped(url(context, s->url)) + "\">Section " + html_escaped(s->number) + "</a>");
  return out;
}

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

std::string joined(const std::vector<std::string>& list) {
  std::string out;
  for (const std::string& one : list) out += (out.empty() ? "" : ", ") + one;
  return out;
}

std::string term_html(const PageContext& context, const Uses& used, const book::Term& t) {
  std::string out = "<div><dt id=\"" + html_escaped(t.id) + "\">" + html_escaped(t.name);
  if (!t.unit.empty()) out += "<small>" + html_escaped(t.unit) + "</small>";
  if (!t.aliases.empty()) out += "<small>also: " + html_escaped(joined(t.aliases)) + "</small>";
  out += "</dt>";
  std::vector<std::string> see;
  if (std::string links = section_links(context, used, t.id); !links.empty()) see.push_back(std::move(links));
  for (const std::string& id : t.see)
    if (const book::Term* other = context.book.term(id))
      see.push_back("<a href=\"#" + html_escaped(other->id) + "\">" + html_escaped(other->name) + "</a>");
  for (const std::string& id : t.sources)
    if (const book::Source* s = context.book.source(id))
      see.push_back("<a href=\"" + html_escaped(url(context, "/chapters/reading/#" + s->id)) + "\">" +
                    html_escaped(s->title) + "</a>");
  out += "<dd><p>" + inline_markdown(context, t.sentence) + "</p>" +
         (t.detail.empty() ? "" : block_markdown(context, t.detail)) + "</dd>";
  if (!see.empty()) {
    out += "<dd class=\"see\">";
    for (size_t i = 0; i < see.size(); ++i) out += (i == 0 ? "" : "<br>") + see[i];
    out += "</dd>";
  }
  return out + "</div>\n";
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kinds{{
    {"paper", "Papers"},
    {"documentation", "Documentation"},
    {"datasheet", "Datasheets"},
    {"repository", "Code"},
    {"post", "Posts"},
    {"talk", "Talks"},
    {"book", "Books"},
}};

std::string source_html(const PageContext& context, const Uses& used, const book::Source& s) {
  std::string out = "<li class=\"entry\" id=\"" + html_escaped(s.id) + "\">";
  out += s.url.empty() ? html_escaped(s.title)
                       : "<a href=\"" + html_escaped(s.url) + "\">" + html_escaped(s.title) + "</a>";
  std::string from = s.authors;
  for (const std::string& part : {s.venue, s.year})
    if (!part.empty()) from += (from.empty() ? "" : ", ") + part;
  if (!from.empty()) out += "<small>" + html_escaped(from) + "</small>";
  if (!s.note.empty()) out += block_markdown(context, s.note);
  if (const std::string links = section_links(context, used, s.id); !links.empty())
    out += "<small>Cited in " + links + "</small>";
  return out + "</li>\n";
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
      if (!present.empty()) list += "</dl>\n";
      present += c;
      list += "<h2 id=\"letter-" + (c == '#' ? std::string("other") : std::string(1, c)) + "\">" + std::string(1, c) +
              "</h2>\n<dl>\n";
    }
    list += term_html(context, used, *t);
  }
  if (!present.empty()) list += "</dl>\n";
  std::string az = "<nav class=\"az text\" aria-label=\"Letters\">";
  for (char c = 'A'; c <= 'Z'; ++c) {
    const std::string name(1, c);
    az += present.find(c) != std::string::npos ? "<a href=\"#letter-" + name + "\">" + name + "</a>"
                                               : "<span aria-hidden=\"true\">" + name + "</span>";
  }
  az += "</nav>\n";
  PageFrame frame;
  frame.title = "Glossary · " + context.book.title;
  frame.description = "The words of this book, each defined in one sentence.";
  frame.url = "/chapters/glossary/";
  frame.here = "glossary";
  frame.script = context.assets.main_script;
  frame.edit = "glossary.json";
  return shelled(context, frame,
                 "<div class=\"text\"><h1>Glossary</h1></div>\n" + az + "<div class=\"gl\">\n" + list + "</div>\n");
}

std::string reading_page(const PageContext& context) {
  const Uses used = uses(context.book, book::Kind::source);
  std::string main = "<div class=\"text\"><h1>Further reading</h1>\n";
  for (const auto& [kind, title] : kinds) {
    std::string list;
    for (const book::Source& s : context.book.sources)
      if (s.kind == kind) list += source_html(context, used, s);
    if (!list.empty())
      main += "<h2 id=\"kind-" + std::string(kind) + "\">" + std::string(title) + "</h2>\n<ul class=\"reading\">\n" +
              list + "</ul>\n";
  }
  std::string other;
  for (const book::Source& s : context.book.sources)
    if (std::none_of(kinds.begin(), kinds.end(), [&](const auto& k) { return k.first == s.kind; }))
      other += source_html(context, used, s);
  if (!other.empty()) main += "<h2 id=\"kind-other\">Other</h2>\n<ul class=\"reading\">\n" + other + "</ul>\n";
  PageFrame frame;
  frame.title = "Further reading · " + context.book.title;
  frame.description =
      "The sources of this book: papers, documentation, datasheets and code, each with what to take from it.";
  frame.url = "/chapters/reading/";
  frame.here = "reading";
  frame.script = context.assets.main_script;
  frame.edit = "reading.json";
  return shelled(context, frame, main + "</div>\n");
}

}  // namespace lk::render
