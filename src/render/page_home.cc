#include "base/utf8.h"
#include "render/page_parts.h"

namespace lk::render {

std::string toc_html(const PageContext& context, std::string_view heading) {
  const book::Book& book = context.book;
  std::string out = "<ol class=\"toc\">\n";
  const auto head = [&](std::string_view number, std::string_view address, std::string_view title,
                        const std::vector<std::string>& about) {
    out += "<li><" + std::string(heading) + "><span>" + html_escaped(number) + "</span><a href=\"" +
           html_escaped(url(context, address)) + "\">" + html_escaped(title) + "</a></" + std::string(heading) + "><p>";
    for (size_t i = 0; i < about.size(); ++i) out += (i == 0 ? "" : " · ") + about[i];
    out += "</p>";
  };
  const auto link = [&](std::string_view number, std::string_view address, std::string_view title, int minutes) {
    out += "<li><a href=\"" + html_escaped(url(context, address)) + "\"><span>" + html_escaped(number) + "</span>" +
           html_escaped(title) + (minutes > 0 ? "<small>" + minutes_text(minutes) + "</small>" : "") + "</a></li>";
  };
  for (const book::Chapter& chapter : book.chapters) {
    head(chapter.number, chapter.url, chapter.title, extent(book, chapter));
    if (!chapter.sections.empty()) out += "<ol>";
    for (const int index : chapter.sections) {
      const book::Section& s = book.sections[static_cast<size_t>(index)];
      if (s.written)
        link(s.number, s.url, s.title, s.minutes);
      else
        out += "<li><span class=\"todo\"><span>" + html_escaped(s.number) + "</span>" + html_escaped(s.title) +
               "</span></li>";
    }
    out += chapter.sections.empty() ? "</li>\n" : "</ol></li>\n";
  }
  head("A", "/chapters/glossary/", "Glossary", {count_text(static_cast<int>(book.terms.size()), "term")});
  out += "</li>\n";
  head("B", "/chapters/reading/", "Further reading", {count_text(static_cast<int>(book.sources.size()), "source")});
  if (!book.groups.empty()) out += "<ol>";
  for (size_t i = 0; i < book.groups.size(); ++i) {
    const book::Group& group = book.groups[i];
    if (i > 0 && book.groups[i - 1].part == group.part) continue;
    link("B." + std::to_string(group.part + 1), "/chapters/reading/#" + group.id,
         book.parts[static_cast<size_t>(group.part)], 0);
  }
  return out + (book.groups.empty() ? "" : "</ol>") + "</li>\n</ol>\n";
}

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
    go += "<a class=\"btn btn--go\" id=\"go\" href=\"" + html_escaped(url(context, s->url)) + "\">Start with " +
          html_escaped(s->number) + "</a>";
  go += "<a class=\"btn\" href=\"#contents\">Contents</a><p class=\"go__at\" id=\"go-at\">No account, no tracking.</p></div>\n";
  if (own_heading)
    main += body_html(context, book.home) + go;
  else
    main += go + body_html(context, book.home);
  main +=
      "<h2 id=\"contents\">Contents</h2>\n<p class=\"progress\"><span id=\"progress\">Sections that you have read to the "
      "end get a mark here.</span> What you read is known to this browser alone. <button class=\"tool\" id=\"forget\" "
      "type=\"button\" hidden>Remove the marks</button></p>\n" +
      toc_html(context, "h3");

  if (context.assets.main_alone) return main;
  PageFrame frame;
  frame.title = book.title;
  frame.description = book.description;
  frame.url = "/";
  frame.here = "contents";
  frame.script = context.assets.main_script;
  frame.more_style = context.assets.home_style;
  frame.edit = "home.md";
  std::string out = head_html(context, frame) + header_html(context, frame, true);
  out += "<main class=\"home\" id=\"main\" tabindex=\"-1\">\n" + main + "</main>\n" + footer_html(context, frame);
  return out + end_html(context);
}

}  // namespace lk::render
