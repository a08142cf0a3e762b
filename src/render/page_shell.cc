#include <algorithm>

#include "base/json.h"
#include "base/utf8.h"
#include "render/page_markdown.h"
#include "render/page_parts.h"

namespace lk::render {

namespace {

constexpr std::string_view brand_svg =
    "<svg viewBox=\"0 0 22 22\" fill=\"none\" aria-hidden=\"true\"><path d=\"M2 19.5 12 8h8.5\" "
    "stroke=\"currentColor\" stroke-width=\"2\"/>"
    "<circle cx=\"12\" cy=\"8\" r=\"3.2\" fill=\"var(--accent)\"/></svg>";
constexpr std::string_view contents_svg =
    "<svg viewBox=\"0 0 18 18\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.5\" aria-hidden=\"true\"><path "
    "d=\"M2 5h14M2 9h14M2 13h9\"/></svg>";
constexpr std::string_view search_svg =
    "<svg viewBox=\"0 0 18 18\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.5\" aria-hidden=\"true\"><circle "
    "cx=\"8\" cy=\"8\" r=\"5\"/><path d=\"m12 12 4 4\"/></svg>";
constexpr std::string_view theme_svg =
    "<svg viewBox=\"0 0 18 18\" aria-hidden=\"true\"><circle cx=\"9\" cy=\"9\" r=\"6.25\" fill=\"none\" "
    "stroke=\"currentColor\" stroke-width=\"1.5\"/>"
    "<path d=\"M9 2.75a6.25 6.25 0 0 1 0 12.5z\" fill=\"currentColor\"/></svg>";

std::string attribute(std::string_view name, std::string_view value) {
  return ' ' + std::string(name) + "=\"" + html_escaped(value) + '"';
}

// What the editor calls the page: the last part of its address.
std::string edit_id(std::string_view address) {
  if (address == "/") return "home";
  address.remove_suffix(1);
  return std::string(address.substr(address.rfind('/') + 1));
}

}  // namespace

std::string url(const PageContext& context, std::string_view address) {
  if (address.starts_with('/')) address.remove_prefix(1);
  return context.assets.base + std::string(address);
}

std::string minutes_text(int minutes) {
  return std::to_string(minutes) + " min";
}

std::string count_text(int n, std::string_view one) {
  return std::to_string(n) + ' ' + std::string(one) + (n == 1 ? "" : "s");
}

std::vector<std::string> extent(const book::Book& book, const book::Chapter& chapter) {
  int written = 0, minutes = 0;
  for (const int index : chapter.sections) {
    const book::Section& s = book.sections[static_cast<size_t>(index)];
    written += s.written ? 1 : 0;
    minutes += s.minutes;
  }
  const int all = static_cast<int>(chapter.sections.size());
  std::vector<std::string> out{count_text(all, "section")};
  if (written == 0 && all > 0) out.emplace_back("none written yet");
  if (written > 0 && written < all) out.push_back(std::to_string(written) + " written");
  if (minutes > 0) out.push_back(minutes_text(minutes));
  return out;
}

std::vector<const book::Node*> headings(const book::Node& body) {
  std::vector<const book::Node*> out;
  each(body, [&](const book::Node& n) {
    if (n.kind == book::Kind::heading && n.level == 2) out.push_back(&n);
  });
  return out;
}

const book::Section* first_written(const book::Book& book) {
  const auto it =
      std::find_if(book.sections.begin(), book.sections.end(), [](const book::Section& s) { return s.written; });
  return it == book.sections.end() ? nullptr : &*it;
}

std::string inline_markdown(const PageContext& context, std::string_view markdown) {
  std::vector<Problem> ignored;  // check() reads the same text with its place
  return inline_html(context, book::parse_markdown(markdown, {}, 0, ignored));
}

std::string block_markdown(const PageContext& context, std::string_view markdown) {
  std::vector<Problem> ignored;
  return blocks_html(context, book::parse_markdown(markdown, {}, 0, ignored));
}

std::string json_script(std::string_view id, std::string text) {
  // A JSON string may hold "</script>" once there is markup in it.
  for (size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return "<script type=\"application/json\" id=\"" + std::string(id) + "\">" + text + "</script>\n";
}

std::string terms_json(const PageContext& context) {
  json::Writer w;
  w.begin_object();
  for (const book::Term& t : context.book.terms) {
    w.key(t.id).begin_object().field("name", t.name);
    if (!t.unit.empty()) w.field("unit", t.unit);
    w.field("html", inline_markdown(context, t.sentence)).end_object();
  }
  return w.end_object().take();
}

std::string head_html(const PageContext& context, const PageFrame& frame) {
  const Assets& a = context.assets;
  std::string out =
      "<!doctype html>\n<html" + attribute("lang", context.book.language) + ">\n<head>\n<meta charset=\"utf-8\">\n";
  if (!a.csp.empty()) out += "<meta http-equiv=\"Content-Security-Policy\" content=\"" + a.csp + "\">\n";  // nothing in a policy needs an escape
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         html_escaped(frame.title) + "</title>\n";
  if (!frame.description.empty()) out += "<meta name=\"description\"" + attribute("content", frame.description) + ">\n";
  if (!frame.index) out += "<meta name=\"robots\" content=\"noindex\">\n";
  if (!a.origin.empty() && frame.index)
    out += "<link rel=\"canonical\"" + attribute("href", a.origin + url(context, frame.url)) + ">\n";
  out += "<meta name=\"theme-color\" content=\"#fcfcfa\" media=\"(prefers-color-scheme: light)\">\n";
  out += "<meta name=\"theme-color\" content=\"#131519\" media=\"(prefers-color-scheme: dark)\">\n";
  if (!a.theme_script.empty()) out += "<script>" + a.theme_script + "</script>\n";
  if (!a.critical_css.empty()) out += "<style>" + a.critical_css + "</style>\n";
  for (const std::string& font : a.preload_fonts)
    out += "<link rel=\"preload\" as=\"font\" type=\"font/woff2\" crossorigin" + attribute("href", font) + ">\n";
  if (frame.formulas && !a.math_font.empty()) out += "<link rel=\"preload\" as=\"font\" type=\"font/woff2\" crossorigin" + attribute("href", a.math_font) + ">\n";
  for (const std::string& style : {a.style, frame.more_style})
    if (!style.empty()) out += "<link rel=\"stylesheet\"" + attribute("href", style) + ">\n";
  if (!frame.edit.empty())
    out += "<link rel=\"alternate\" type=\"text/markdown\"" + attribute("href", url(context, markdown_address(frame.url))) + ">\n";
  if (!a.icon.empty()) out += "<link rel=\"icon\" type=\"image/svg+xml\"" + attribute("href", a.icon) + ">\n";
  if (!a.manifest.empty()) out += "<link rel=\"manifest\"" + attribute("href", a.manifest) + ">\n";
  for (const std::string& script : {frame.script, frame.more_script})
    if (!script.empty()) out += "<script type=\"module\"" + attribute("src", script) + "></script>\n";
  if (!a.live.empty())
    out += "<script defer" + attribute("src", url(context, "/-/live.js")) + attribute("data-version", a.live) +
           "></script>\n";
  out += "</head>\n<body" + (frame.body_class.empty() ? std::string() : attribute("class", frame.body_class)) + ">\n";
  return out;
}

std::string header_html(const PageContext& context, const PageFrame& frame, bool drawer) {
  std::string out = "<a class=\"skip\" href=\"#main\">Skip to text</a>\n<header class=\"head\">\n";
  if (drawer)
    out += "<a class=\"icon only-drawer\" id=\"drawer\" href=\"#contents\" aria-label=\"Contents\">" +
           std::string(contents_svg) + "</a>\n";
  out += "<a class=\"brand\"" + attribute("href", url(context, "/")) + ">" + std::string(brand_svg) + "<span>" +
         html_escaped(context.book.title) + "</span></a>\n";
  const auto entry = [&](std::string_view id, std::string_view address, std::string_view words) {
    out += "<a" + attribute("href", url(context, address));
    if (frame.here == id) out += frame.url == address ? " aria-current=\"page\"" : " aria-current=\"true\"";
    out += ">" + std::string(words) + "</a>";
  };
  out += "<nav aria-label=\"Site\">";
  entry("contents", "/", "Contents");
  if (const book::Section* s = frame.section ? frame.section : first_written(context.book))
    entry("read", s->url, "Read");
  entry("glossary", "/chapters/glossary/", "Glossary");
  entry("reading", "/chapters/reading/", "Further reading");
  out +=
      "</nav>\n<div class=\"head__r\">\n<button class=\"find\" id=\"find\" type=\"button\" aria-label=\"Search\">" +
      std::string(search_svg) +
      "<span>Search</span><kbd>/</kbd></button>\n<label class=\"pick\"><span>Device</span><select id=\"device\" "
      "aria-label=\"Device for every number in the book\" autocomplete=\"off\">";
  std::string family;
  for (const auto& d : context.catalog.devices()) {
    if (d.family != family) {
      if (!family.empty()) out += "</optgroup>";
      if (!d.family.empty()) out += "<optgroup" + attribute("label", d.family) + ">";
      family = d.family;
    }
    out += "<option" + attribute("value", d.id) + (d.id == context.catalog.default_device ? " selected>" : ">") +
           html_escaped(d.name) + "</option>";
  }
  if (!family.empty()) out += "</optgroup>";
  out +=
      "</select></label>\n<button class=\"icon\" id=\"theme\" type=\"button\" aria-label=\"Switch between light and "
      "dark\" title=\"Light or dark\">" +
      std::string(theme_svg) + "</button>\n</div>\n</header>\n";
  return out;
}

std::string contents_html(const PageContext& context, const PageFrame& frame) {
  const book::Book& book = context.book;
  std::string out = "<nav class=\"side\" id=\"contents\" aria-label=\"Contents\"><ol>\n";
  for (const book::Chapter& chapter : book.chapters) {
    out += "<li class=\"chap\"><a" + attribute("href", url(context, chapter.url));
    if (&chapter == frame.chapter && !frame.section) out += " aria-current=\"page\"";
    out += "><span class=\"n\">" + html_escaped(chapter.number) + "</span>" + html_escaped(chapter.title) + "</a>";
    // The sections of the reader's own chapter; every other chapter's page lists its own.
    const int first = chapter.sections.empty() ? 0 : book.sections[static_cast<size_t>(chapter.sections.front())].chapter;
    const bool open = !chapter.sections.empty() &&
                      (&chapter == frame.chapter || (frame.section && frame.section->chapter == first));
    out += open ? "<ol>\n" : "</li>\n";
    if (!open) continue;
    for (const int index : chapter.sections) {
      const book::Section& section = book.sections[static_cast<size_t>(index)];
      const std::string words = "<span class=\"n\">" + html_escaped(section.number) + "</span><span>" +
                                html_escaped(section.title) + "</span>";
      if (!section.written) {
        out += "<li><span class=\"todo\">" + words + "</span></li>\n";
        continue;
      }
      const bool current = &section == frame.section;
      out += "<li><a" + attribute("href", url(context, section.url)) + (current ? " aria-current=\"page\">" : ">") +
             words + "</a>";
      const auto parts = current ? headings(section.body) : std::vector<const book::Node*>{};
      if (!parts.empty()) {
        out += "<ol class=\"here\" aria-label=\"On this page\">";
        for (const book::Node* h : parts)
          out += "<li><a" + attribute("href", "#" + h->anchor) + ">" + html_escaped(h->text) + "</a></li>";
        out += "</ol>";
      }
      out += "</li>\n";
    }
    out += "</ol></li>\n";
  }
  const auto page = [&](std::string_view id, std::string_view address, std::string_view words) {
    out += "<li class=\"chap\"><a" + attribute("href", url(context, address)) +
           (frame.here == id ? " aria-current=\"page\">" : ">") + "<span class=\"n\"></span>" + std::string(words) +
           "</a></li>\n";
  };
  page("glossary", "/chapters/glossary/", "Glossary");
  page("reading", "/chapters/reading/", "Further reading");
  return out + "</ol><a class=\"side__close\" href=\"#main\">Close the contents</a></nav>\n";
}

std::string footer_html(const PageContext& context, const PageFrame& frame) {
  const book::Book& book = context.book;
  std::string out = "<footer class=\"foot\"><p>" + html_escaped(book.title) + "</p>";
  for (const book::TextPage& page : book.text_pages)
    if (page.footer) out += "<a" + attribute("href", url(context, page.url)) + (frame.here == page.id ? " aria-current=\"page\">" : ">") +
           html_escaped(page.title) + "</a>";
  // What a file of the content stands behind has a Markdown version.
  if (!frame.edit.empty()) out += "<a" + attribute("href", url(context, markdown_address(frame.url))) + ">View as Markdown</a><a" + attribute("href", url(context, "/edit/?section=" + edit_id(frame.url))) + ">Open in the editor</a>";
  if (!frame.edit.empty() && !book.edit_url.empty()) {
    const bool slash = book.edit_url.ends_with('/');
    out += "<a" + attribute("href", book.edit_url + (slash ? "" : "/") + frame.edit) + ">Edit this page</a>";
  }
  if (!book.repository.empty()) out += "<a" + attribute("href", book.repository) + ">Source</a>";
  return out +
         "<button class=\"tool\" id=\"keys\" type=\"button\" aria-haspopup=\"dialog\" aria-keyshortcuts=\"?\" hidden>Keys</button>"
         "<p id=\"offline\" role=\"status\"></p></footer>\n";
}

std::string end_html(const PageContext& context) {
  const std::string& page = context.assets.page_json;
  return (page.empty() ? std::string() : json_script("lk-page", page)) + "</body>\n</html>\n";
}

std::string shelled(const PageContext& context, const PageFrame& frame, std::string_view main) {
  if (context.assets.main_alone) return std::string(main);
  PageFrame with = frame;
  with.formulas = main.find("<math") != std::string_view::npos;
  std::string out = head_html(context, with) + header_html(context, frame, true);
  out += "<div class=\"shell\">\n" + contents_html(context, frame) +
         "<div>\n<main class=\"page\" id=\"main\" tabindex=\"-1\">\n";
  out += main;
  out += "</main>\n" + footer_html(context, frame) + "</div>\n</div>\n";
  return out + end_html(context);
}

}  // namespace lk::render
