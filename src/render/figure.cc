#include "render/figure.h"

#include "base/utf8.h"
#include "render/svg.h"

namespace lk::render {
namespace {

// 12 px line drawings: an equals sign, a sheet, an open book, a stopwatch, a pencil.
std::string_view icon_path(How how) {
  switch (how) {
    case How::computed: return "M2 4.3h8M2 7.7h8";
    case How::datasheet: return "M2.5 1.5h4.6L9.5 4v6.5h-7zM4.3 6h3.4M4.3 8.3h3.4";
    case How::published: return "M6 3C4.6 2 3 1.9 1.5 2.4v7C3 8.9 4.6 9 6 10c1.4-1 3-1.1 4.5-.6v-7C9 1.9 7.4 2 6 3zv7";
    case How::measured: return "M6 2.6a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM6 6.6V4.4M4.6 1h2.8";
    case How::illustrative: return "M2 10l.7-2.7L8.2 1.8l2 2-5.5 5.5z";
  }
  return "";
}

std::string attribute(std::string_view name, std::string_view value) {
  std::string out(" ");
  out.append(name).append("=\"").append(html_escaped(value)).append("\"");
  return out;
}

std::string button(std::string_view tool, std::string_view words, std::string_view more = {}) {
  std::string out = "<button class=\"tool\" type=\"button\" data-tool=\"";
  out.append(tool).append("\"").append(more).append(" hidden>").append(words).append("</button>");
  return out;
}

std::string drawings(const plot::Evaluated& figure, std::string_view uid) {
  const std::string alt = plot::summary_text(figure);
  std::string out;
  for (const int width : {920, 632, 350}) {
    if (width == 920 && figure.figure->place == plot::Place::beside) continue;
    const std::string css_class = 'w' + std::to_string(width);
    out += svg(figure.view, plot::layout(figure.view, width), alt, std::string(uid) + '-' + css_class, css_class) + '\n';
  }
  return out;
}

std::string tools(const plot::Evaluated& figure, const FigureHtml& about) {
  std::string out = "<div class=\"fig__tools\">\n";
  if (!figure.view.columns.empty()) {
    out += "<details><summary class=\"tool\">Data</summary><div class=\"data-scroll\" tabindex=\"0\" role=\"region\"";
    out += attribute("aria-label", "Data: " + std::string(figure.figure->title)) + ">\n" + table_html(figure) + "\n</div></details>\n";
  }
  out += button("link", "Copy link") + '\n';
  if (!about.embed_url.empty()) out += button("embed", "Embed", " aria-expanded=\"false\"" + attribute("data-url", about.embed_url)) + '\n';
  out += button("reset", "Reset") + '\n';
  if (!about.lab_url.empty()) out += "<a class=\"tool\"" + attribute("href", about.lab_url) + ">Open in lab</a>\n";
  return out + "</div>\n";
}

}  // namespace

std::string summary_html(const plot::Evaluated& figure) {
  std::string out;
  for (const plot::Segment& segment : plot::summary(figure)) {
    const std::string words = html_escaped(segment.text);
    out += segment.yours ? "<b>" + words + "</b>" : words;
  }
  return out;
}

std::string provenance_html(const plot::Evaluated& figure) {
  std::string out = "<div class=\"provs\">";
  for (const plot::Provenance& p : figure.view.provenance) {
    out += "<details class=\"prov\"><summary><svg viewBox=\"0 0 12 12\" aria-hidden=\"true\"><path d=\"";
    out.append(icon_path(p.how)).append("\"/></svg>").append(name(p.how)).append("</summary><span class=\"prov__why\">");
    out += html_escaped(p.detail) + "</span></details>";
  }
  return out + "</div>";
}

std::string figure_html(const plot::Evaluated& figure, const FigureHtml& about) {
  const plot::Figure& f = *figure.figure;
  const bool beside = f.place == plot::Place::beside;
  const std::string heading_id = "h-" + about.uid;
  std::string out = "<figure class=\"fig fig--";
  out += beside ? "beside\"" : "wide\"";
  out += attribute("id", "fig-" + about.uid) + attribute("data-figure", f.id) + attribute("data-uid", about.uid);
  if (!about.pins.empty()) out += attribute("data-pins", about.pins);
  out += attribute("data-place", beside ? "beside" : "wide") + attribute("data-cost", f.cost == plot::Cost::instant ? "instant" : "worker");
  if (!about.module.empty()) out += attribute("data-module", about.module);
  out += attribute("aria-labelledby", heading_id) + " tabindex=\"-1\">\n";

  // Alone in an embed the figure's title is the page's.
  const std::string heading = about.number.empty() ? "h2" : "h3";
  out += "<div class=\"fig__head\"><" + heading + attribute("id", heading_id) + '>';
  if (!about.number.empty()) out += "<span class=\"n\">Figure " + html_escaped(about.number) + "</span> ";
  out += html_escaped(f.title) + "</" + heading + '>' + provenance_html(figure) + "</div>\n";

  out += "<div class=\"fig__body\"><div class=\"fig__draw\">\n" + drawings(figure, about.uid) + "</div>\n";
  out += "<output class=\"fig__live\" aria-live=\"polite\">" + summary_html(figure) + "</output>\n" + controls_html(figure, about.uid, about.picker) + "</div>\n";
  if (!figure.notices.empty()) {
    out += "<p class=\"fig__note\" role=\"status\">";
    for (size_t i = 0; i < figure.notices.size(); ++i) out += (i > 0 ? " " : "") + html_escaped(figure.notices[i]);
    out += "</p>\n";
  }
  // A figure's caption is its last element; the style sheet shows it above the tools.
  out += tools(figure, about);
  if (!about.caption_html.empty()) out += "<figcaption>" + about.caption_html + "</figcaption>\n";
  return out + "</figure>\n";
}

}  // namespace lk::render
