#include "base/utf8.h"
#include "render/page_parts.h"

namespace lk::render {

namespace {

const book::Section* neighbor(const book::Book& book, const book::Section& section, int step) {
  for (auto i = &section - book.sections.data() + step; i >= 0 && i < static_cast<std::ptrdiff_t>(book.sections.size());
       i += step)
    if (book.sections[static_cast<size_t>(i)].written) return &book.sections[static_cast<size_t>(i)];
  return nullptr;
}

std::string next_html(const PageContext& context, const book::Section& section) {
  const book::Section* before = neighbor(context.book, section, -1);
  const book::Section* after = neighbor(context.book, section, 1);
  if (!before && !after) return {};
  const auto link = [&](const book::Section& s, std::string_view rel, std::string_view words) {
    return "<a rel=\"" + std::string(rel) + "\" href=\"" + html_escaped(url(context, s.url)) + "\">" +
           std::string(words) + "<b>" + html_escaped(s.number + ' ' + s.title) + "</b></a>";
  };
  return "<nav class=\"next\" aria-label=\"Next and previous\">" +
         (before ? link(*before, "prev", "Previous") : std::string()) +
         (after ? link(*after, "next", "Next") : std::string()) + "</nav>\n";
}

std::string count(int n, std::string_view one) {
  return std::to_string(n) + ' ' + std::string(one) + (n == 1 ? "" : "s");
}

std::string meta_html(const book::Section& section) {
  int figures = 0;
  each(section.body, [&](const book::Node& n) { figures += n.kind == book::Kind::figure ? 1 : 0; });
  std::string out = "<div class=\"meta\"><span>" + html_escaped(section.number) + "</span>";
  if (section.minutes > 0) out += "<span>" + minutes_text(section.minutes) + "</span>";
  if (figures > 0) out += "<span>" + count(figures, "figure") + "</span>";
  return out + "</div>\n";
}

}  // namespace

std::string section_page(const PageContext& context, const book::Section& section) {
  const book::Chapter& chapter = context.book.chapters[static_cast<size_t>(section.chapter)];
  std::string main = "<article>\n<header class=\"text\"><nav aria-label=\"Breadcrumb\"><p class=\"crumb\"><a href=\"" +
                     html_escaped(url(context, chapter.url)) + "\">" +
                     html_escaped(chapter.number + ' ' + chapter.title) + "</a></p></nav>\n<h1>" +
                     html_escaped(section.title) + "</h1>\n";
  if (!section.lede.empty()) main += "<p class=\"lede\">" + inline_markdown(context, section.lede) + "</p>\n";
  main += meta_html(section);
  if (const auto parts = headings(section.body); !parts.empty()) {
    main += "<details class=\"inpage\"><summary>On this page</summary><nav aria-label=\"On this page\"><ol>";
    for (const book::Node* h : parts)
      main += "<li><a href=\"#" + html_escaped(h->anchor) + "\">" + html_escaped(h->text) + "</a></li>";
    main += "</ol></nav></details>";
  }
  main += "</header>\n" + body_html(context, section.body) + next_html(context, section) + "</article>\n";

  PageFrame frame;
  frame.title = section.title + " · " + chapter.title;
  frame.description = section.summary;
  frame.url = section.url;
  frame.here = "read";
  frame.script = context.assets.main_script;
  frame.section = &section;
  frame.chapter = &chapter;
  frame.edit = section.file;
  return shelled(context, frame, main);
}

std::string chapter_page(const PageContext& context, const book::Chapter& chapter) {
  std::string main = "<article>\n<header class=\"text\"><p class=\"crumb\">Chapter " + html_escaped(chapter.number) +
                     "</p>\n<h1>" + html_escaped(chapter.title) + "</h1>\n";
  if (!chapter.summary.empty()) main += "<p class=\"lede\">" + inline_markdown(context, chapter.summary) + "</p>\n";
  main += "</header>\n<ol class=\"overview text\">\n";
  for (const int index : chapter.sections) {
    const book::Section& s = context.book.sections[static_cast<size_t>(index)];
    const std::string words = "<span class=\"n\">" + html_escaped(s.number) + "</span> " + html_escaped(s.title);
    main += "<li><h2>";
    main += s.written ? "<a href=\"" + html_escaped(url(context, s.url)) + "\">" + words + "</a>"
                      : "<span class=\"todo\">" + words + "</span>";
    main += "</h2>";
    if (!s.summary.empty()) main += "<p>" + inline_markdown(context, s.summary) + "</p>";
    main += s.written ? (s.minutes > 0 ? "<p class=\"note\">" + minutes_text(s.minutes) + "</p>" : std::string())
                      : std::string("<p class=\"note\">Not written yet</p>");
    main += "</li>\n";
  }
  main += "</ol>\n</article>\n";

  PageFrame frame;
  frame.title = chapter.title + " · " + context.book.title;
  frame.description = chapter.summary;
  frame.url = chapter.url;
  frame.here = "read";
  frame.script = context.assets.main_script;
  frame.chapter = &chapter;
  frame.edit = "book.json";
  return shelled(context, frame, main);
}

}  // namespace lk::render
