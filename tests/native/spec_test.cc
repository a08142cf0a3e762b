// Every example of the specifications that come with cmark-gfm's sources, through our parser and writer and through cmark-gfm
// itself with the same options. They may differ only where the book means to, and each such reason is named here.
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>
#include <cmark-gfm.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <map>
#include <memory>
#include <set>

#include "base/utf8.h"
#include "render/page.h"
#include "stand_in.h"

namespace lk {
namespace {

struct Example {
  int number = 0;
  std::string markdown;
};

/// Lines between "```...``` example" and "."; tabs are written as arrows.
std::vector<Example> examples(const std::string& text) {
  const std::string fence(32, '`');
  std::vector<Example> out;
  bool inside = false, expected = false;
  int number = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line.starts_with(fence + " example")) {
      inside = true;
      expected = false;
      out.push_back({++number, {}});
    } else if (line == fence) {
      inside = false;
    } else if (inside && line == ".") {
      expected = true;
    } else if (inside && !expected) {
      for (size_t arrow; (arrow = line.find("\u2192")) != std::string::npos;) line.replace(arrow, 3, "\t");
      out.back().markdown += line + "\n";
    }
  }
  return out;
}

/// What the book does differently, and how often it came up.
std::map<std::string, int> reasons;

std::string words_below(cmark_node* node) {
  std::string out;
  std::unique_ptr<cmark_iter, void (*)(cmark_iter*)> iter(cmark_iter_new(node), cmark_iter_free);
  for (auto event = cmark_iter_next(iter.get()); event != CMARK_EVENT_DONE; event = cmark_iter_next(iter.get())) {
    if (event != CMARK_EVENT_ENTER) continue;
    cmark_node* at = cmark_iter_get_node(iter.get());
    const char* literal = cmark_node_get_literal(at);
    if (cmark_node_get_type(at) == CMARK_NODE_SOFTBREAK || cmark_node_get_type(at) == CMARK_NODE_LINEBREAK) out += ' ';
    else if (literal != nullptr && cmark_node_get_type(at) != CMARK_NODE_HTML_INLINE) out += literal;
  }
  return out;
}

/// Puts `with` (may be null) or the children of `node` in its place.
void replace(cmark_node* node, cmark_node* with) {
  if (with != nullptr) {
    cmark_node_insert_before(node, with);
  } else {
    while (cmark_node* child = cmark_node_first_child(node)) {
      cmark_node_unlink(child);
      cmark_node_insert_before(node, child);
    }
  }
  cmark_node_unlink(node);
  cmark_node_free(node);
}

/// cmark-gfm's HTML without what the book refuses: raw HTML, images, addresses that may not be linked to. `html`: whether
/// there was raw HTML.
std::string reference(const std::string& markdown, bool& html) {
  cmark_gfm_core_extensions_ensure_registered();
  const int options = CMARK_OPT_FOOTNOTES | CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE;
  std::unique_ptr<cmark_parser, void (*)(cmark_parser*)> parser(cmark_parser_new(options), cmark_parser_free);
  for (const char* name : {"table", "strikethrough", "tasklist"})
    cmark_parser_attach_syntax_extension(parser.get(), cmark_find_syntax_extension(name));
  cmark_parser_feed(parser.get(), markdown.data(), markdown.size());
  std::unique_ptr<cmark_node, void (*)(cmark_node*)> root(cmark_parser_finish(parser.get()), cmark_node_free);
  std::vector<cmark_node*> all;
  {
    std::unique_ptr<cmark_iter, void (*)(cmark_iter*)> iter(cmark_iter_new(root.get()), cmark_iter_free);
    for (auto event = cmark_iter_next(iter.get()); event != CMARK_EVENT_DONE; event = cmark_iter_next(iter.get())) {
      const auto type = cmark_node_get_type(cmark_iter_get_node(iter.get()));
      const bool leaf = type == CMARK_NODE_HTML_BLOCK || type == CMARK_NODE_HTML_INLINE;
      const bool inner = type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE || type == CMARK_NODE_PARAGRAPH;
      if ((leaf && event == CMARK_EVENT_ENTER) || (inner && event == CMARK_EVENT_EXIT)) all.push_back(cmark_iter_get_node(iter.get()));
    }
  }
  html = false;
  for (cmark_node* node : all) {
    switch (cmark_node_get_type(node)) {
      case CMARK_NODE_IMAGE: {
        cmark_node* text = cmark_node_new(CMARK_NODE_TEXT);
        cmark_node_set_literal(text, words_below(node).c_str());
        replace(node, text);
        ++reasons["images are their words: the book has figures"];
        break;
      }
      case CMARK_NODE_LINK: {
        const std::string url = cmark_node_get_url(node);
        if (book::safe_address(url) && book::parse_target(url).scheme.empty()) break;
        replace(node, nullptr);
        ++reasons["addresses that a page must not link to are words"];
        break;
      }
      case CMARK_NODE_HTML_BLOCK:
      case CMARK_NODE_HTML_INLINE:
        html = true;
        replace(node, nullptr);
        break;
      default: {
        const bool empty = words_below(node).find_first_not_of(' ') == std::string::npos;
        if (empty && html) replace(node, nullptr);
      }
    }
  }
  if (html) ++reasons["raw HTML is refused, and comments are dropped"];
  std::unique_ptr<char, void (*)(void*)> out(cmark_render_html(root.get(), options | CMARK_OPT_UNSAFE, nullptr), std::free);
  return out.get();
}

std::string unescaped(std::string_view text) {
  static const std::pair<std::string_view, std::string_view> names[] = {{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}};
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const auto* name = std::find_if(std::begin(names), std::end(names), [&](const auto& n) { return text.substr(i, n.first.size()) == n.first; });
    if (name != std::end(names)) {
      out += name->second;
      i += name->first.size();
    } else {
      out += text[i++];
    }
  }
  return out;
}

/// HTML with only what the specifications speak of: elements, addresses, titles, words. Both sides go through it.
class Normal {
 public:
  explicit Normal(std::string_view html) : html_(html) {}

  std::string run() {
    while (at_ < html_.size()) {
      if (html_[at_] == '<') {
        tag();
      } else {
        const size_t end = std::min(html_.find('<', at_), html_.size());
        if (skip_ == 0) text(unescaped(html_.substr(at_, end - at_)));
        at_ = end;
      }
    }
    trim();
    return out_;
  }

 private:
  void trim() {
    while (!out_.empty() && out_.back() == ' ') out_.pop_back();
  }
  void text(const std::string& words) {
    if (pre_) {
      out_ += words;
      return;
    }
    for (const char c : words) {
      const bool space = c == ' ' || c == '\n' || c == '\t';
      if (space && (fresh_ || out_.ends_with(' '))) continue;
      out_ += space ? ' ' : c;
      fresh_ = false;
    }
  }
  std::string attribute(std::string_view tag, std::string_view name) const {
    for (const char quote : {'"', '\''}) {
      const std::string open = " " + std::string(name) + "=" + quote;
      const size_t from = tag.find(open);
      if (from == std::string_view::npos) continue;
      const size_t end = tag.find(quote, from + open.size());
      return unescaped(tag.substr(from + open.size(), end - from - open.size()));
    }
    return {};
  }
  void block(const std::string& mark) {
    trim();
    out_ += mark;
    fresh_ = true;
  }

  void tag() {
    const size_t end = html_.find('>', at_);
    const std::string_view tag = html_.substr(at_, end - at_ + 1);
    at_ = end + 1;
    const bool closes = tag[1] == '/';
    const size_t from = closes ? 2 : 1;
    const std::string name(tag.substr(from, tag.find_first_of(" />", from) - from));
    const std::string css = attribute(tag, "class");
    if (skip_ > 0) {
      if (name != skipped_) return;
      skip_ += closes ? -1 : 1;
      return;
    }
    const bool hidden = css == "hash" || css == "list__head" || css == "list__cap" || css == "sn" || css == "footnotes" || css == "footnote-backref" || name == "caption" || attribute(tag, "aria-hidden") == "true";
    if (!closes && (hidden || css == "ref" || css == "footnote-ref")) {
      if (css == "ref" || css == "footnote-ref") text("[note]");
      skip_ = 1;
      skipped_ = name;
      return;
    }
    if (name == "span" && css == "vh") {
      const std::string_view rest = html_.substr(at_);
      text(rest.starts_with("done:") ? "[x]" : rest.starts_with("to do:") ? "[ ]" : "");
      skip_ = 1;
      skipped_ = name;
      return;
    }
    if (name == "input") return text(tag.find("checked") != std::string_view::npos ? "[x]" : "[ ]");
    if (name == "span" || name == "div" || name == "thead" || name == "tbody" || name == "section" || (name == "p" && css == "notes")) return;
    if (name == "pre") {
      pre_ = !closes;
      if (closes) out_.erase(out_.find_last_not_of('\n') + 1);
      return block(closes ? "</pre>" : "<pre>");
    }
    if (name == "code" && pre_) return;
    if (name == "a") {
      if (closes) {
        out_ += "</a>";
      } else {
        out_ += "<a " + url_decoded(attribute(tag, "href")) + "|" + attribute(tag, "title") + ">";
        fresh_ = false;
      }
      return;
    }
    if (name == "td" || name == "th") {
      const std::string align = css == "num" || attribute(tag, "align") == "right" ? "right" : css == "mid" || attribute(tag, "align") == "center" ? "center" : "";
      if (!closes) {
        block("<cell " + align + ">");
        cell_ = out_.size();
        return;
      }
      trim();
      const std::string words = out_.substr(cell_);
      if (words == "-" || words == "\u2013" || words == "\u2014") out_.resize(cell_);
      return block("</cell>");
    }
    static const std::set<std::string> inlines = {"em", "strong", "code", "del"};
    std::string mark = closes ? "</" + name : "<" + name;
    if (const std::string start = attribute(tag, "start"); name == "ol" && !start.empty()) mark += " " + start;
    mark += ">";
    if (inlines.count(name) == 0) return block(mark);
    out_ += mark;
    fresh_ = false;
  }

  std::string_view html_;
  std::string out_;
  size_t at_ = 0, cell_ = 0;
  int skip_ = 0;
  std::string skipped_;
  bool pre_ = false, fresh_ = true;
};

/// Without links whose words are their address.
std::string without_bare_links(std::string text) {
  for (size_t at = text.find("<a "); at != std::string::npos; at = text.find("<a ", at + 1)) {
    const size_t bar = text.find("|>", at), close = text.find("</a>", at);
    if (bar == std::string::npos || close == std::string::npos || bar > close) continue;
    const std::string address = text.substr(at + 3, bar - at - 3);
    const std::string words = text.substr(bar + 2, close - bar - 2);
    if (url_decoded(words) == address) text.replace(at, close + 4 - at, words);
  }
  return text;
}

std::string ours(const std::string& markdown, std::vector<Problem>& problems) {
  static const book::Book book;
  static const book::Catalog catalog;
  static const render::Assets assets;
  return render::blocks_html({book, catalog, assets, {}}, book::parse_markdown(markdown, "spec", 0, problems));
}

TEST_CASE("every example of the specifications reads as cmark-gfm reads it") {
  reasons.clear();
  int same = 0, all = 0;
  for (const char* name : {"spec.txt", "extensions.txt", "regression.txt"}) {
    const auto list = examples(test::read(std::string(LK_DEPS) + "/cmark-gfm/test/" + name));
    REQUIRE(list.size() >= 25);
    int here = 0;
    for (const Example& example : list) {
      INFO(name << " " << example.number << ":\n" << example.markdown);
      bool html = false;
      const std::string want = Normal(reference(example.markdown, html)).run();
      std::vector<Problem> problems;
      const std::string got = Normal(ours(example.markdown, problems)).run();
      const bool refused = std::any_of(problems.begin(), problems.end(), [](const Problem& p) { return p.error.what.starts_with("raw HTML"); });
      const bool comments = example.markdown.find("<!--") != std::string::npos;
      // The address that a link lacks is tagged before cmark reads it, and a tag is no name of an element.
      if (html && !refused && (example.markdown.find("](<") != std::string::npos || example.markdown.find("]: <") != std::string::npos)) {
        ++reasons["what stands for an address in angle brackets and is none stays as words"];
        CHECK(got.find("(<") + got.find(": <") != 2 * std::string::npos);
        ++here;
        continue;
      }
      CHECK((html && !comments ? refused : true));
      CHECK((refused ? html : true));
      if (got != want && without_bare_links(got) == without_bare_links(want)) {
        ++reasons["bare addresses are links"];
        ++here;
        continue;
      }
      CHECK(got == want);
      here += got == want ? 1 : 0;
    }
    std::printf("  %s: %d of %zu examples agree\n", name, here, list.size());
    same += here;
    all += static_cast<int>(list.size());
  }
  for (const auto& [reason, count] : reasons) std::printf("  %4d times: %s\n", count, reason.c_str());
  CHECK(same == all);
  CHECK(all >= 700);
}

}  // namespace
}  // namespace lk
