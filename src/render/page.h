// Pages: the shell (header, contents, footer) and the body of a section, as HTML. Needs no JavaScript to read.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "book/book.h"

namespace lk::render {

/// Addresses of built assets, already hashed and with the site's base path: what a page links to. Empty: there is none.
struct Assets {
  std::string base = "/";    // "/", "/sub/path/"
  std::string origin;        // "https://example.org", may be empty
  std::string style;         // url of the rest of the CSS
  std::string critical_css;  // inlined
  std::string theme_script;  // inlined before first paint; its hash stands in the CSP
  std::string main_script;   // urls, type=module
  std::string lab_script, lab_style, embed_script;
  std::string lists_script, lists_style;  // of the glossary and the reading list
  std::string home_style;
  std::string help_script;  // of the page for wrong addresses and of the one about privacy
  std::string page_json;  // content of <script id="lk-page">: what the scripts need to know
  std::vector<std::string> preload_fonts;
  std::string math_font;  // for pages with formulas
  std::string csp;  // content of the meta tag
  std::string icon, manifest;
  std::string live;  // not empty: the pages reload by themselves; names this build
  std::string edit_script, edit_style, preview_script, preview_style;  // of the editor and of the page that it frames
  bool main_alone = false;  // pages are what stands in their <main>: what the editor's preview shows
};

struct PageContext {
  const book::Book& book;
  const book::Catalog& catalog;
  const Assets& assets;
  /// HTML of a placed figure: node of kind figure, its uid and caption.
  std::function<std::string(const book::Node&, std::string_view uid, std::string_view caption_html)> figure;
};

std::string home_page(const PageContext& context);
std::string section_page(const PageContext& context, const book::Section& section);
std::string chapter_page(const PageContext& context, const book::Chapter& chapter);
std::string text_page(const PageContext& context, const book::TextPage& page);
std::string glossary_page(const PageContext& context);
std::string reading_page(const PageContext& context);
std::string not_found_page(const PageContext& context);
/// /embed/<id>/ : the figure alone, made to be framed. /lab/figure/<id>/ : a canvas for the ImGui lab; `back` is the
/// address of the figure in the text, empty when no text shows it.
std::string embed_page(const PageContext& context, std::string_view figure_id, std::string_view figure_html);
std::string lab_page(const PageContext& context, std::string_view figure_id, std::string_view title,
                     std::string_view back);
/// /edit/: a script fills it with a text and its preview; the policy of its assets lets it frame a page. /edit/preview/: the page that it frames for that.
std::string edit_page(const PageContext& context);
std::string edit_preview_page(const PageContext& context);
/// {"warp": {"name": "Warp", "html": "Thirty-two threads ...", "unit": ...}}: what pages show where a term is pointed at.
std::string terms_json(const PageContext& context);
/// A page that sends its reader on to `to` (an address of the book, without the base).
std::string redirect_page(const PageContext& context, std::string_view to);

/// Body HTML of a Markdown tree (src/render/body.cc): runs of text in <div class="text">, figures and stats between
/// them. Nothing of a tree reaches an href but what book::safe_address lets through. Markup beyond plain Markdown:
///   value    <data class="value" value="206.125" data-all="206  1,234" data-w="1,234">206</data>
///            data-all: the texts of the devices in the order of the picker, a space between, empty for one that cannot have the number, nothing
///            behind the last that can;
///            data-w: the widest text of any device, for `content: attr(data-w)` in an ::after of no height (only when
///            it is wider than what is shown); pinned values, and those that no device changes: class "value
///            value--pinned", no data-all
///   address  class "again" on links whose address paper has spelled out already, or spells out in the list of sources
///   note     <a class="ref" href="#sn-1" id="ref-1">1</a> ... at the end of its block <span class="sn" role="note"
///   id="sn-1"> table    <div class="scroll" tabindex="0" role="region" aria-label="..."><table> listing  <div
///   class="list"><div class="list__head">...<pre><code><span data-n="12" class="hot">, <p class="list__cap"> section
///   that is not written yet: <span class="unwritten" title="Not written yet">
std::string body_html(const PageContext& context, const book::Node& node);
/// The same blocks without <div class="text">: details of glossary entries, notes of the reading list.
std::string blocks_html(const PageContext& context, const book::Node& node);
/// Inlines alone: a caption, a glossary sentence. Paragraphs are joined by a space.
std::string inline_html(const PageContext& context, const book::Node& node);

}  // namespace lk::render
