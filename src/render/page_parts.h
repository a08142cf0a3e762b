// What the pages are put together from; private to the page_*.cc files.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "render/page.h"

namespace lk::render {

/// What differs between the heads and frames of pages.
struct PageFrame {
  std::string title;  // of the document
  std::string description;
  std::string url;   // without base: "/chapters/foundations/"
  std::string here;  // what is current in the navigation: "contents", "read", "glossary", "reading", a text page's id or ""
  std::string body_class;                  // "", "embed", "lab"
  std::string script, more_script;         // urls of module scripts
  std::string more_style;                  // url of a style sheet of this page alone
  const book::Section* section = nullptr;  // current section, for the contents
  const book::Chapter* chapter = nullptr;  // current chapter
  std::string edit;                        // file of the content folder behind this page
  bool formulas = false;                   // the page holds some
  bool index = true;                       // false: search engines leave it out
};

/// The document up to and including <body>.
std::string head_html(const PageContext& context, const PageFrame& frame);
/// Skip link and header: brand, navigation, device picker, theme button. `drawer`: with the button that opens the
/// contents.
std::string header_html(const PageContext& context, const PageFrame& frame, bool drawer);
/// The chapters, and the sections of the current one; those that are not written yet are words, not links.
std::string contents_html(const PageContext& context, const PageFrame& frame);
std::string footer_html(const PageContext& context, const PageFrame& frame);
/// The data for scripts, and the end of the document.
std::string end_html(const PageContext& context);
/// A whole document: `main` between header, contents and footer.
std::string shelled(const PageContext& context, const PageFrame& frame, std::string_view main);

/// Address of a page of the book with the base path: url(context, "/chapters/a/") -> "/sub/chapters/a/".
std::string url(const PageContext& context, std::string_view address);
/// Markdown of an entry in a JSON file: as inlines, as blocks.
std::string inline_markdown(const PageContext& context, std::string_view markdown);
std::string block_markdown(const PageContext& context, std::string_view markdown);
/// <script type="application/json" id=...>
std::string json_script(std::string_view id, std::string json);
/// Headings of level 2 of a body.
std::vector<const book::Node*> headings(const book::Node& body);
/// The first section that is written, or nullptr.
const book::Section* first_written(const book::Book& book);
/// "14 min"
std::string minutes_text(int minutes);
/// A choice of the filter: `n` entries of this kind.
struct FilterKind {
  std::string id, name;
  int n = 0;
};
/// The filter above a list (web/lists.ts): shows once a script is at work. `all` says how many entries there are.
std::string filter_html(std::string_view what, std::string_view label, std::string_view all,
                        const std::vector<FilterKind>& kinds);
/// "1 section", "4 sections"
std::string count_text(int n, std::string_view one);
/// What a chapter holds, for people: "4 sections", "52 min"; "1 of 4 written" while some are missing.
std::vector<std::string> extent(const book::Book& book, const book::Chapter& chapter);
/// All chapters with their sections, then the glossary and the reading list: <ol class="toc">. `heading` is "h3" or "h2".
std::string toc_html(const PageContext& context, std::string_view heading);
/// Links to the pages before and after one, in the order of reading: each chapter's overview, then its written sections.
/// `section` is null on an overview.
std::string next_html(const PageContext& context, const book::Chapter& chapter, const book::Section* section);
/// Visits every node of a tree.
template <class Visit>
void each(const book::Node& node, const Visit& visit) {
  visit(node);
  for (const book::Node& child : node.children) each(child, visit);
}

}  // namespace lk::render
