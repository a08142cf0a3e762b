// Pages outside of the outline: text pages, not found, redirects, a figure to be framed, a figure in the lab.
#include "base/utf8.h"
#include "render/page_parts.h"

namespace lk::render {

std::string not_found_page(const PageContext& context) {
  PageFrame frame;
  frame.title = "Nothing here · " + context.book.title;
  frame.url = "/404.html";
  frame.script = context.assets.main_script;
  frame.index = false;
  const std::string main =
      "<div class=\"text\"><h1>Nothing here</h1>\n<p class=\"lede\">No page of this book has this address. It may have been "
      "cut short, or typed by hand.</p>\n<p id=\"near\" hidden></p>\n<p><span class=\"needs-js\">Press <kbd>/</kbd> to search the book. </span>Look for a word in the <a href=\"" +
      html_escaped(url(context, "/chapters/glossary/")) + "\">glossary</a>, for a paper in the <a href=\"" +
      html_escaped(url(context, "/chapters/reading/")) +
      "\">reading list</a>, or for a section below. Sections without a link are not written yet.</p></div>\n" +
      toc_html(context, "h2");
  frame.more_style = context.assets.home_style;
  frame.more_script = context.assets.help_script;
  return shelled(context, frame, main);
}

std::string text_page(const PageContext& context, const book::TextPage& page) {
  PageFrame frame;
  frame.title = page.title + " · " + context.book.title;
  frame.description = page.summary;
  frame.url = page.url;
  frame.here = page.id;
  frame.script = context.assets.main_script;
  frame.edit = page.file;
  std::string main = "<article>\n<header class=\"text\"><h1>" + html_escaped(page.title) + "</h1>\n";
  if (!page.lede.empty()) main += "<p class=\"lede\">" + inline_markdown(context, page.lede) + "</p>\n";
  main += "</header>\n" + body_html(context, page.body);
  if (page.id == "privacy") {
    frame.more_script = context.assets.help_script;
    main +=
        "<p class=\"text needs-js\">Or remove what this book keeps, and nothing else:</p>\n<p class=\"text needs-js\"><button "
        "class=\"btn\" id=\"erase\" type=\"button\">Remove everything that this book keeps here</button></p>\n<p class=\"text "
        "needs-js note\" id=\"erased\" role=\"status\"></p>\n";
  }
  return shelled(context, frame, main + "</article>\n");
}

std::string redirect_page(const PageContext& context, std::string_view to) {
  const std::string target = html_escaped(url(context, to));
  std::string out =
      "<!doctype html>\n<html lang=\"" + html_escaped(context.book.language) +
      "\">\n<head>\n<meta charset=\"utf-8\">\n<title>Moved</title>\n<meta name=\"robots\" content=\"noindex\">\n";
  out += "<meta http-equiv=\"refresh\" content=\"0; url=" + target + "\">\n";
  if (!context.assets.origin.empty())
    out += "<link rel=\"canonical\" href=\"" + html_escaped(context.assets.origin) + target + "\">\n";
  return out + "</head>\n<body>\n<p>This page has moved to <a href=\"" + target + "\">" + target +
         "</a>.</p>\n</body>\n</html>\n";
}

std::string embed_page(const PageContext& context, std::string_view figure_id, std::string_view figure_html) {
  const std::string address = "/embed/" + std::string(figure_id) + "/";
  PageFrame frame;
  frame.title = context.catalog.title(figure_id) + " · " + context.book.title;
  frame.url = address;
  frame.body_class = "embed";
  frame.script = context.assets.embed_script;
  frame.index = false;
  std::string out = head_html(context, frame);
  out += "<main id=\"main\">\n<h1 class=\"vh\">A figure of " + html_escaped(context.book.title) + "</h1>\n" +
         std::string(figure_html) + "<p class=\"from\"><a href=\"" + html_escaped(url(context, "/")) +
         "\" target=\"_top\">" + html_escaped(context.book.title) + "</a></p>\n</main>\n";
  return out + end_html(context);
}

std::string lab_page(const PageContext& context, std::string_view figure_id, std::string_view title,
                     std::string_view back) {
  const std::string id = html_escaped(figure_id), words = html_escaped(title),
                    embed = html_escaped(url(context, "/embed/" + std::string(figure_id) + "/"));
  PageFrame frame;
  frame.title = std::string(title) + " · Lab";
  frame.description = "The figure “" + std::string(title) + "” in the lab.";
  frame.url = "/lab/figure/" + std::string(figure_id) + "/";
  frame.script = context.assets.main_script;
  frame.more_script = context.assets.lab_script;
  frame.more_style = context.assets.lab_style;
  std::string out = head_html(context, frame) + header_html(context, frame, false);
  out +=
      "<main class=\"lab\" id=\"main\" tabindex=\"-1\">\n<div class=\"lab__bar\"><h1>Lab<span class=\"vh\">: " + words +
      "</span></h1>";
  if (!back.empty())
    out += "<a data-lab-back=\"" + id + "\" href=\"" + html_escaped(url(context, back)) + "\">In the book</a>";
  out += "</div>\n<div data-lab=\"" + id + "\" data-uid=\"" + id + "\" data-title=\"" + words +
         "\"><p class=\"lab__wait\">The lab draws with JavaScript and WebGL 2. <a href=\"" + embed +
         "\">The figure with its data</a> needs neither.</p></div>\n</main>\n";
  return out + end_html(context);
}

}  // namespace lk::render
