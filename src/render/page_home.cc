#include "base/utf8.h"
#include "render/page_parts.h"

namespace lk::render {

namespace {

std::string toc_html(const PageContext& context) {
  const book::Book& book = context.book;
  std::string out = "<h2 id=\"contents\">Contents</h2>\n<ol class=\"toc\">\n";
  for (const book::Chapter& chapter : book.chapters) {
    int minutes = 0;
    for (const int index : chapter.sections) minutes += book.sections[static_cast<size_t>(index)].minutes;
    out += "<li><h3><span>" + html_escaped(chapter.number) + "</span><a href=\"" +
           html_escaped(url(context, chapter.url)) + "\">" + html_escaped(chapter.title) + "</a>";
    if (minutes > 0) out += "<small class=\"num\">" + minutes_text(minutes) + "</small>";
    out += "</h3><ol>";
    for (const int index : chapter.sections) {
      const book::Section& s = book.sections[static_cast<size_t>(index)];
      const std::string words = "<span>" + html_escaped(s.number) + "</span>" + html_escaped(s.title);
      out += s.written ? "<li><a href=\"" + html_escaped(url(context, s.url)) + "\">" + words + "</a></li>"
                       : "<li><span class=\"todo\">" + words + "</span></li>";
    }
    out += "</ol></li>\n";
  }
  return out + "</ol>\n";
}

}  // namespace

std::string home_page(const PageContext& context) {
  const book::Book& book = context.book;
  // The page's heading is the tagline unless home.md brings its own.
  const bool own_heading = !book.home.children.empty() && book.home.children.front().kind == book::Kind::heading &&
                           book.home.children.front().level == 1;
  std::string main;
  if (!own_heading) {
    main += "<h1>" + html_escaped(book.tagline.empty() ? book.title : book.tagline) + "</h1>\n";
    if (!book.description.empty()) main += "<p class=\"lede\">" + html_escaped(book.description) + "</p>\n";
  }
  std::string go = "<div class=\"go\">";
  if (const book::Section* s = first_written(book))
    go += "<a class=\"btn btn--go\" href=\"" + html_escaped(url(context, s->url)) + "\">Read " +
          html_escaped(s->number) + "</a>";
  go += "<a class=\"btn\" href=\"#contents\">Contents</a></div>\n";
  if (own_heading)
    main += body_html(context, book.home) + go;
  else
    main += go + body_html(context, book.home);
  main += toc_html(context);

  PageFrame frame;
  frame.title = book.title;
  frame.description = book.description;
  frame.url = "/";
  frame.here = "contents";
  frame.script = context.assets.main_script;
  frame.edit = "home.md";
  std::string out = head_html(context, frame) + header_html(context, frame, true);
  out += "<main class=\"home\" id=\"main\" tabindex=\"-1\">\n" + main + "</main>\n" + footer_html(context, frame);
  return out + end_html(context);
}

}  // namespace lk::render
