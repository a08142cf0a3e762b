#include "api/author.h"

#include <algorithm>
#include <array>
#include <set>

#include "api/catalog.h"
#include "api/placed.h"
#include "base/utf8.h"
#include "book/extent.h"
#include "figures/registry.h"
#include "render/page.h"

namespace lk::api {
namespace {

std::string figure_or_why(const World& world, const book::Node& node, const FigurePlace& place) {
  const auto words = [](const Error& e) {
    return "<div class=\"text\"><p class=\"fig__note fig__note--error\">This figure cannot be drawn: " + html_escaped(e.what) + (e.hint.empty() ? "" : " (" + html_escaped(e.hint) + ")") + "</p></div>\n";
  };
  const plot::Figure* figure = figures::find(node.target.id);
  if (figure == nullptr) return words({{}, "there is no figure \"" + node.target.id + '"', {}});
  const auto html = placed_figure(world, *figure, node.target.query, place);
  return html ? *html : words(html.error());
}

}  // namespace

book::Files files_in(const std::map<std::string, std::string, std::less<>>& files) {
  book::Files out;
  out.read = [&files](std::string_view path) -> std::optional<std::string> {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  };
  out.list = [&files](std::string_view folder) {
    const std::string start = folder.empty() ? std::string() : std::string(folder) + '/';
    std::set<std::string> names;
    for (auto i = files.lower_bound(start); i != files.end() && i->first.compare(0, start.size(), start) == 0; ++i) {
      const std::string_view rest = std::string_view(i->first).substr(start.size());
      const std::string_view name = rest.substr(0, rest.find('/'));
      if (!name.empty() && name.front() != '.' && name.back() != '~') names.emplace(name);
    }
    return std::vector<std::string>(names.begin(), names.end());
  };
  return out;
}

void Author::put(std::string path, std::string bytes) {
  files_.insert_or_assign(std::move(path), std::move(bytes));
  content_.reset();
}

bool Author::remove(std::string_view path) {
  const auto found = files_.find(path);
  if (found == files_.end()) return false;
  files_.erase(found);
  content_.reset();
  return true;
}

void Author::clear() {
  files_.clear();
  content_.reset();
  context_ = {};
  has_world_ = false;
}

std::optional<std::string_view> Author::file(std::string_view path) const {
  const auto found = files_.find(path);
  return found == files_.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

void Author::read() {
  context_.author = this;
  if (content_) return;
  content_ = read_content(files_in(files_));
  checked_ = false;
  if (!content_->sound) return;
  context_.world = content_->world;
  has_world_ = true;
}

const std::vector<Problem>& Author::problems() {
  read();
  if (!checked_) check_content(*content_);
  checked_ = true;
  return content_->problems;
}

const book::Book& Author::book() {
  read();
  return content_->book;
}

const Context& Author::context() {
  read();
  return context_;
}

bool Author::has_world() {
  read();
  return has_world_;
}

Result<Author::Page> Author::page(std::string_view file) {
  read();
  if (!has_world_) return Error{{}, "there is no preview while the tables of devices and measurements have errors", "the problems say which"};
  const book::Book& book = content_->book;
  const World& world = context_.world;
  render::Assets assets;
  assets.base = base_;
  assets.main_alone = true;
  const book::Catalog names = catalog(world);
  const render::PageContext pages{book, names, assets, [&](const book::Node& node, std::string_view uid, std::string_view caption) {
                                    return figure_or_why(world, node, {uid, node.number, caption, base_});
                                  }};
  Page out;
  out.file = std::string(file);
  const auto is = [&](std::string_view url, std::string_view title, std::string html) {
    out.url = std::string(url);
    out.title = std::string(title);
    out.html = std::move(html);
    return out;
  };
  if (file == "home.md") return is("/", book.title, render::home_page(pages));
  if (file == "glossary.json") return is("/chapters/glossary/", "Glossary", render::glossary_page(pages));
  if (file == "reading.json") return is("/chapters/reading/", "Further reading", render::reading_page(pages));
  for (const book::Chapter& chapter : book.chapters)
    if (chapter.file == file) return is(chapter.url, chapter.title, render::chapter_page(pages, chapter));
  for (const book::Section& section : book.sections)
    if (section.file == file) return is(section.url, section.title, render::section_page(pages, section));
  for (const book::TextPage& page : book.text_pages)
    if (page.file == file) return is(page.url, page.title, render::text_page(pages, page));
  return Error{{}, "no page of the book shows this file alone", "its problems are listed all the same"};
}

namespace {

std::optional<Error> nothing_else(const json::Value& params) {
  std::vector<Problem> problems;
  json::Reader(params, {}, problems).done();
  return problems.empty() ? std::nullopt : std::optional(problems.front().error);
}

Error no_author() { return {{}, "there is no book to edit here", "put its files first"}; }

Result<std::string> outline(const Context& context, const json::Value& params) {
  if (auto error = nothing_else(params)) return *std::move(error);
  if (context.author == nullptr) return no_author();
  const book::Book& book = context.author->book();
  json::Writer w;
  w.begin_object().field("title", book.title).key("entries").begin_array();
  const auto entry = [&](std::string_view kind, std::string_view file, std::string_view number, std::string_view title, std::string_view url, bool written) {
    if (file.empty()) return;  // reported: no file can be named so
    w.begin_object().field("kind", kind).field("file", file).field("number", number).field("title", title).field("url", url);
    w.field("written", written).end_object();
  };
  const auto there = [&](std::string_view file) { return context.author->file(file).has_value(); };
  entry("home", "home.md", "", "Home", "/", there("home.md"));
  for (const book::Chapter& chapter : book.chapters) {
    entry("chapter", chapter.file, chapter.number, chapter.title, chapter.url, there(chapter.file));
    for (const int index : chapter.sections) {
      const book::Section& s = book.sections[static_cast<size_t>(index)];
      entry("section", s.file, s.number, s.title, s.url, there(s.file));
    }
  }
  entry("glossary", "glossary.json", "A", "Glossary", "/chapters/glossary/", there("glossary.json"));
  entry("reading", "reading.json", "B", "Further reading", "/chapters/reading/", there("reading.json"));
  for (const book::TextPage& page : book.text_pages) entry("page", page.file, "", page.title, page.url, there(page.file));
  return w.end_array().end_object().take();
}

Result<std::string> preview(const Context& context, const json::Value& params) {
  std::vector<Problem> problems;
  json::Reader reader(params, {}, problems);
  const std::string file = reader.text("file");
  reader.done();
  if (!problems.empty()) return problems.front().error;
  if (context.author == nullptr) return no_author();
  const auto page = context.author->page(file);
  if (!page) return page.error();
  json::Writer w;
  w.begin_object().field("file", page->file).field("url", page->url).field("title", page->title).field("html", page->html).end_object();
  return w.take();
}

// UTF-16 units of a text up to a byte; what is no UTF-8 counts as a browser reads it, one unit a byte.
class Units {
 public:
  explicit Units(std::string_view text) : text_(text) {}
  int at(size_t byte) {
    if (byte < byte_) byte_ = 0, units_ = 0;
    while (byte_ < byte && byte_ < text_.size()) units_ += next_code_point(text_, byte_) > 0xFFFF ? 2 : 1;
    return units_;
  }

 private:
  std::string_view text_;
  size_t byte_ = 0;
  int units_ = 0;
};

Result<std::string> check(const Context& context, const json::Value& params) {
  if (auto error = nothing_else(params)) return *std::move(error);
  if (context.author == nullptr) return no_author();
  json::Writer w;
  w.begin_object().key("problems").begin_array();
  for (const Problem& p : context.author->problems()) {
    const Place& at = p.error.at;
    w.begin_object().field("severity", p.severity == Severity::error ? "error" : "warning").field("file", at.file).field("line", at.line);
    w.field("column", at.column).field("what", p.error.what).field("hint", p.error.hint);
    const std::string_view text = context.author->file(at.file).value_or(std::string_view());
    const book::Extent marked = book::extent(text, at);
    Units units(text);
    const int from = units.at(marked.from);
    w.field("from", from).field("to", units.at(marked.to)).end_object();
  }
  return w.end_array().end_object().take();
}

constexpr Method methods[] = {
    {"author.outline", "What the book is made of: {}", outline},
    {"author.preview", R"(A page as it will be: {"file": "home.md"})", preview},
    {"author.check", "Every problem of the content: {}", check},
};

}  // namespace

Methods author_methods() { return methods; }

std::string call(Author& author, std::string_view request) {
  const std::array tables{author_methods(), figure_methods()};
  // Without tables no figure can be evaluated.
  return call(std::span(tables).first(author.has_world() ? 2 : 1), author.context(), request);
}

}  // namespace lk::api
