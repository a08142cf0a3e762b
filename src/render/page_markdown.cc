#include "render/page_markdown.h"

#include <algorithm>

#include "base/utf8.h"
#include "render/page_parts.h"

namespace lk::render {
namespace {

std::string whole(const MarkdownContext& context, std::string_view address) { return context.page.assets.origin + url(context.page, address); }

book::Node tree(std::string_view markdown) {
  std::vector<Problem> ignored;  // check() reads the same text with its place
  return book::parse_markdown(markdown, {}, 0, ignored);
}

std::string plain(const MarkdownContext& context, std::string_view text, std::string_view page) { return body_markdown(context, tree(text), page); }

// Words in a heading or a link: as they would be written.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_[]<&$").find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string out;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    if (!out.empty()) out += between;
    out += part;
  }
  return out;
}

std::string link(std::string_view words, const std::string& address) { return "[" + escaped(words) + "](" + address + ")"; }

}  // namespace

std::string markdown_address(std::string_view page_url) {
  if (page_url == "/") return "/index.md";
  return std::string(page_url.substr(0, page_url.find_last_not_of('/') + 1)) + ".md";
}

std::string document_markdown(const MarkdownContext& context, std::string_view number, std::string_view title, std::string_view lede, const book::Node& body,
                              std::string_view page) {
  std::string out = "# " + (number.empty() ? std::string() : std::string(number) + " ") + escaped(title);
  out += "\n\nFrom " + link(context.page.book.title, whole(context, "/")) + ": <" + whole(context, page) + ">";
  if (whole(context, page).front() == '/') out.replace(out.rfind(": <"), std::string::npos, ": " + link(page, whole(context, page)));
  if (!lede.empty()) out += "\n\n*" + escaped(lede) + "*";
  const std::string text = body_markdown(context, body, page);
  return out + (text.empty() ? "" : "\n\n" + text) + "\n";
}

std::string section_markdown(const MarkdownContext& context, const book::Section& section) {
  return document_markdown(context, section.number, section.title, section.lede, section.body, section.url);
}

std::string text_markdown(const MarkdownContext& context, const book::TextPage& page) {
  return document_markdown(context, "", page.title, page.lede, page.body, page.url);
}

std::string home_markdown(const MarkdownContext& context) {
  const book::Book& book = context.page.book;
  std::string out = document_markdown(context, "", book.title, book.tagline.empty() ? book.description : book.tagline, book.home, "/") + "\n## Contents\n\n";
  for (const book::Chapter& chapter : book.chapters) {
    out += "- " + link(chapter.number + " " + chapter.title, whole(context, chapter.url)) + "\n";
    for (const int index : chapter.sections) {
      const book::Section& s = book.sections[static_cast<size_t>(index)];
      const std::string name = s.number + " " + s.title;
      out += "  - " + (s.written ? link(name, whole(context, s.url)) : escaped(name) + " (not written yet)") + "\n";
    }
  }
  return out;
}

std::string chapter_markdown(const MarkdownContext& context, const book::Chapter& chapter) {
  const std::string& lede = chapter.lede.empty() ? chapter.summary : chapter.lede;
  std::string out = document_markdown(context, chapter.number, chapter.title, lede, chapter.body, chapter.url) + "\n## Sections\n\n";
  for (const int index : chapter.sections) {
    const book::Section& s = context.page.book.sections[static_cast<size_t>(index)];
    const std::string name = s.number + " " + s.title;
    out += "- " + (s.written ? link(name, whole(context, s.url)) : escaped(name) + " (not written yet)");
    out += (s.summary.empty() ? "" : ": " + plain(context, s.summary, chapter.url)) + "\n";
  }
  return out;
}

std::string glossary_markdown(const MarkdownContext& context) {
  const std::string_view page = "/chapters/glossary/";
  const book::Book& book = context.page.book;
  std::vector<const book::Term*> terms;
  for (const book::Term& t : book.terms) terms.push_back(&t);
  const auto lower = [](std::string text) {
    for (char& c : text)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
  };
  std::stable_sort(terms.begin(), terms.end(), [&](const book::Term* a, const book::Term* b) { return lower(a->name) < lower(b->name); });
  std::string out = document_markdown(context, "", "Glossary", "", {}, page);
  for (const book::Term* t : terms) {
    out += "\n## " + escaped(t->name) + "\n\n";
    const std::string more = joined({t->unit.empty() ? "" : "unit: " + escaped(t->unit), t->aliases.empty() ? "" : "also: " + escaped(joined(t->aliases, ", "))}, "; ");
    if (!more.empty()) out += "(" + more + ")\n\n";
    out += plain(context, t->sentence, page) + "\n";
    if (!t->detail.empty()) out += "\n" + plain(context, t->detail, page) + "\n";
    std::vector<std::string> see;
    for (const std::string& id : t->see)
      if (const book::Term* other = book.term(id)) see.push_back(link(other->name, whole(context, std::string(page) + "#" + other->id)));
    for (const std::string& id : t->sources)
      if (const book::Source* s = book.source(id)) see.push_back(link(s->title, whole(context, "/chapters/reading/#" + s->id)));
    if (!see.empty()) out += "\nSee " + joined(see, ", ") + ".\n";
  }
  return out;
}

std::string reading_markdown(const MarkdownContext& context) {
  const std::string_view page = "/chapters/reading/";
  std::string out = document_markdown(context, "", "Further reading", "", {}, page) + "\n";
  for (const book::Source& s : context.page.book.sources) {
    out += "- " + (s.url.empty() ? escaped(s.title) : link(s.title, s.url));
    const std::string from = joined({s.authors, s.venue, s.year}, ", ");
    if (!from.empty()) out += ". " + escaped(from);
    if (out.back() != '.') out += ".";
    if (!s.note.empty()) {
      std::string note = plain(context, s.note, page);
      for (size_t at = note.find('\n'); at != std::string::npos; at = note.find('\n', at + 3)) note.insert(at + 1, "  ");
      out += " " + note;
    }
    out += "\n";
  }
  return out;
}

std::string llms_text(const MarkdownContext& context) {
  const book::Book& book = context.page.book;
  const auto entry = [&](std::string_view title, std::string_view page, std::string_view about) {
    return "- " + link(title, whole(context, markdown_address(page))) + (about.empty() ? "" : ": " + std::string(about)) + "\n";
  };
  std::string out = "# " + escaped(book.title) + "\n";
  if (!book.description.empty()) out += "\n> " + escaped(book.description) + "\n";
  out += "\nEvery page of the book as Markdown. Numbers in the text are those of one device; the pages themselves follow the reader's.\n\n## Pages\n\n";
  out += entry("Home and contents", "/", book.tagline);
  out += entry("Glossary", "/chapters/glossary/", "the book's terms, each defined in one sentence");
  out += entry("Further reading", "/chapters/reading/", "the sources, each with what to take from it");
  for (const book::TextPage& page : book.text_pages) out += entry(page.title, page.url, page.summary);
  for (const book::Chapter& chapter : book.chapters) {
    out += "\n## " + escaped(chapter.number + " " + chapter.title) + "\n\n" + entry("Overview", chapter.url, chapter.summary);
    for (const int index : chapter.sections) {
      const book::Section& s = book.sections[static_cast<size_t>(index)];
      if (s.written) out += entry(s.number + " " + s.title, s.url, s.summary);
    }
  }
  return out;
}

}  // namespace lk::render
