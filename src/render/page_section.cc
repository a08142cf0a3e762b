#include <algorithm>

#include "base/utf8.h"
#include "render/page_parts.h"

namespace lk::render {

namespace {

// A page of the outline; `section` is null for the overview of `chapter`.
struct Stop {
  const book::Chapter* chapter;
  const book::Section* section;
};

std::vector<Stop> stops(const book::Book& book) {
  std::vector<Stop> out;
  for (const book::Chapter& chapter : book.chapters) {
    out.push_back({&chapter, nullptr});
    for (const int index : chapter.sections)
      if (const book::Section& s = book.sections[static_cast<size_t>(index)]; s.written) out.push_back({&chapter, &s});
  }
  return out;
}

std::string meta_html(const book::Section& section) {
  int figures = 0;
  each(section.body, [&](const book::Node& n) { figures += n.kind == book::Kind::figure ? 1 : 0; });
  std::string out = "<div class=\"meta\"><span>" + html_escaped(section.number) + "</span>";
  if (section.minutes > 0) out += "<span>" + minutes_text(section.minutes) + "</span>";
  if (figures > 0) out += "<span>" + count_text(figures, "figure") + "</span>";
  return out + "</div>\n";
}

}  // namespace

std::string next_html(const PageContext& context, const book::Chapter& chapter, const book::Section* section) {
  const std::vector<Stop> all = stops(context.book);
  const auto here = std::find_if(all.begin(), all.end(), [&](const Stop& s) { return s.chapter == &chapter && s.section == section; });
  if (here == all.end() || all.size() == 1) return {};
  const auto link = [&](const Stop& s, std::string_view rel, std::string_view words) {
    const std::string& address = s.section ? s.section->url : s.chapter->url;
    const std::string title = s.section ? s.section->number + ' ' + s.section->title
                                        : "Chapter " + s.chapter->number + ": " + s.chapter->title;
    return "<a rel=\"" + std::string(rel) + "\" href=\"" + html_escaped(url(context, address)) + "\">" +
           std::string(words) + "<b>" + html_escaped(title) + "</b></a>";
  };
  return "<nav class=\"next\" aria-label=\"Next and previous\">" +
         (here == all.begin() ? std::string() : link(*(here - 1), "prev", "Previous")) +
         (here + 1 == all.end() ? std::string() : link(*(here + 1), "next", "Next")) + "</nav>\n";
}

std::string section_page(const PageContext& context, const book::Section& section) {
  const book::Chapter& chapter = context.book.chapters[static_cast<size_t>(section.chapter)];
  std::string main = "<article data-section=\"" + html_escaped(section.number) +
                     "\">\n<header class=\"text\"><nav aria-label=\"Breadcrumb\"><p class=\"crumb\"><a href=\"" +
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
  main += "</header>\n" + body_html(context, section.body) + next_html(context, chapter, &section) + "</article>\n";

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
  const std::string& lede = chapter.lede.empty() ? chapter.summary : chapter.lede;
  if (!lede.empty()) main += "<p class=\"lede\">" + inline_markdown(context, lede) + "</p>\n";
  main += "<div class=\"meta\">";
  for (const std::string& words : extent(context.book, chapter)) main += "<span>" + words + "</span>";
  main += "</div>\n</header>\n" + body_html(context, chapter.body);
  if (!chapter.sections.empty()) main += "<h2 class=\"text\" id=\"h-sections\">Sections</h2>\n";
  main += "<ol class=\"overview text\">\n";
  for (const int index : chapter.sections) {
    const book::Section& s = context.book.sections[static_cast<size_t>(index)];
    const std::string words = "<span class=\"n\">" + html_escaped(s.number) + "</span> " + html_escaped(s.title);
    main += "<li><h3>";
    main += s.written ? "<a href=\"" + html_escaped(url(context, s.url)) + "\">" + words + "</a>"
                      : "<span class=\"todo\">" + words + "</span>";
    main += "</h3>";
    if (!s.summary.empty()) main += "<p>" + inline_markdown(context, s.summary) + "</p>";
    main += s.written ? (s.minutes > 0 ? "<p class=\"note\">" + minutes_text(s.minutes) + "</p>" : std::string())
                      : std::string("<p class=\"note\">Not written yet</p>");
    main += "</li>\n";
  }
  main += "</ol>\n" + next_html(context, chapter, nullptr) + "</article>\n";

  PageFrame frame;
  frame.title = chapter.title + " · " + context.book.title;
  frame.description = chapter.summary;
  frame.url = chapter.url;
  frame.here = "read";
  frame.script = context.assets.main_script;
  frame.chapter = &chapter;
  frame.edit = chapter.written ? chapter.file : "book.json";
  return shelled(context, frame, main);
}

}  // namespace lk::render
