// Pages as GitHub's Markdown, for programs and for people who read with other tools: links are whole addresses of the site,
// values are text, listings stand in full, a figure is its title, caption, sentence and table with a link to the moving one.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "render/page.h"

namespace lk::render {

/// A figure in words.
struct FigureText {
  std::string title, summary, table;  // the table in Markdown, may be empty
};

struct MarkdownContext {
  const PageContext& page;
  /// A placed figure (kind figure), with the author's values.
  std::function<FigureText(const book::Node&)> figure;
};

/// Where a page's Markdown stands: "/chapters/a/b/" -> "/chapters/a/b.md", "/" -> "/index.md". Without the base.
std::string markdown_address(std::string_view page_url);

/// A whole document: title as its heading, where it comes from, lede and body. `number` may be empty; `url` is the page's.
std::string document_markdown(const MarkdownContext& context, std::string_view number, std::string_view title, std::string_view lede,
                              const book::Node& body, std::string_view url);
std::string home_markdown(const MarkdownContext& context);
std::string section_markdown(const MarkdownContext& context, const book::Section& section);
std::string chapter_markdown(const MarkdownContext& context, const book::Chapter& chapter);
std::string text_markdown(const MarkdownContext& context, const book::TextPage& page);
std::string glossary_markdown(const MarkdownContext& context);
std::string reading_markdown(const MarkdownContext& context);
/// /llms.txt: what the book is, and every page's Markdown with a line about it (https://llmstxt.org).
std::string llms_text(const MarkdownContext& context);

/// Blocks alone; `url` is that of the page they stand on. Reads back as the same words: whatever Markdown could take for markup
/// is escaped.
std::string body_markdown(const MarkdownContext& context, const book::Node& node, std::string_view url);

}  // namespace lk::render
