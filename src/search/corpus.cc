#include "search/corpus.h"

#include <algorithm>
#include <map>

namespace lk::search {
namespace {

using book::Node;

std::string plain_markdown(std::string_view markdown) {
  std::vector<Problem> ignored;  // check() reads the same text with its place
  return book::plain_text(book::parse_markdown(markdown, {}, 0, ignored));
}

void append(std::string& text, std::string_view block) {
  if (block.empty()) return;
  if (!text.empty()) text += '\n';
  text += block;
}

std::string joined(const std::vector<std::string>& list, std::string_view between) {
  std::string out;
  for (const std::string& one : list)
    if (!one.empty()) out += (out.empty() ? "" : std::string(between)) + one;
  return out;
}

std::string_view option(const Node& node, std::string_view name) {
  for (const auto& [key, value] : node.options)
    if (key == name) return value;
  return {};
}

std::string code_of(const book::Book& book, const Node& listing) {
  const std::string_view file = option(listing, "file");
  if (file.empty()) return listing.text;
  for (const auto& [name, text] : book.listings) {
    if (name != file) continue;
    const auto region = book::region(text, option(listing, "region"));
    return region ? region->text : std::string();
  }
  return {};
}

// Cuts a page's body at its headings of level 2 and 3; `whole` leaves it in one piece.
class Cutter {
 public:
  Cutter(const book::Book& book, const std::function<std::string(std::string_view)>& figure_title, CorpusPage& page)
      : book_(book), figure_title_(figure_title), page_(page) {}

  void body(const Node& document, bool whole = false) {
    for (const Node& block : document.children) {
      if (!whole && block.kind == book::Kind::heading && block.level <= 3 && !block.anchor.empty()) {
        CorpusEntry entry;
        entry.kind = Kind::heading;
        entry.title = block.text;
        entry.anchor = block.anchor;
        entry.fields = {{Field::title, block.text}};
        prose_ = block.text == "Sources" ? Field::reference : Field::text;
        now_ = page_.entries.size();
        page_.entries.push_back(std::move(entry));
      } else {
        add(block);
      }
    }
  }

 private:
  CorpusEntry& now() { return page_.entries[now_]; }

  void add(const Node& block) {
    switch (block.kind) {
      case book::Kind::figure: return figure(block);
      case book::Kind::listing:
      case book::Kind::code: {
        const std::string code = code_of(book_, block);
        const std::string_view caption = option(block, "caption");
        now().fields.emplace_back(Field::code, code);
        if (!caption.empty()) now().fields.emplace_back(Field::text, caption);
        append(now().text, caption);
        append(now().text, code);
        return;
      }
      case book::Kind::list:
      case book::Kind::sources:
      case book::Kind::item:
      case book::Kind::quote:
      case book::Kind::footnote:
      case book::Kind::stats:
      case book::Kind::table:
        for (const Node& child : block.children) add(child);
        return;
      case book::Kind::rule: return;
      case book::Kind::table_row: {
        std::vector<std::string> cells;
        for (const Node& cell : block.children) cells.push_back(book::plain_text(cell));
        return prose(joined(cells, ", "));
      }
      default: return prose(book::plain_text(block));
    }
  }

  void prose(std::string text) {
    if (text.empty()) return;
    append(now().text, text);
    now().fields.emplace_back(prose_, std::move(text));
  }

  void figure(const Node& block) {
    CorpusEntry entry;
    const std::string caption = book::plain_text(block);
    entry.kind = Kind::figure;
    entry.title = figure_title_ ? figure_title_(block.target.id) : std::string();
    if (entry.title.empty()) entry.title = block.target.id;
    entry.anchor = block.anchor;
    entry.number = block.number;
    entry.extra = caption;
    entry.fields = {{Field::title, entry.title}, {Field::title, "figure " + block.number}, {Field::caption, caption}};
    entry.text = caption;
    append(now().text, caption);
    now().fields.emplace_back(Field::text, caption);
    page_.entries.push_back(std::move(entry));
  }

  const book::Book& book_;
  const std::function<std::string(std::string_view)>& figure_title_;
  CorpusPage& page_;
  size_t now_ = 0;  // the entry that text goes to
  Field prose_ = Field::text;
};

CorpusPage page_of(std::string url, std::string title, std::string number, Kind kind, std::string_view lede) {
  CorpusPage page{std::move(url), std::move(title), std::move(number), {}};
  CorpusEntry whole;
  whole.kind = kind;
  whole.title = page.title;
  whole.fields = {{Field::title, page.title}, {Field::lede, std::string(lede)}};
  whole.text = std::string(lede);
  page.entries.push_back(std::move(whole));
  return page;
}

CorpusPage glossary(const book::Book& book) {
  std::map<std::string, int> uses;
  const auto count = [&](const Node& node) {
    if (node.kind != book::Kind::term) return;
    if (const book::Term* term = book.term(node.target.id)) ++uses[term->id];
  };
  for (const book::Chapter& chapter : book.chapters) book::walk(chapter.body, count);
  for (const book::Section& section : book.sections) book::walk(section.body, count);
  CorpusPage page = page_of("/chapters/glossary/", "Glossary", {}, Kind::page, {});
  for (const book::Term& term : book.terms) {
    CorpusEntry entry;
    const std::string detail = plain_markdown(term.detail);
    entry.kind = Kind::term;
    entry.title = term.name;
    entry.anchor = term.id;
    entry.extra = plain_markdown(term.sentence);
    entry.fields = {{Field::name, term.name}, {Field::note, entry.extra}, {Field::note, detail}};
    for (const std::string& alias : term.aliases) entry.fields.emplace_back(Field::name, alias);
    entry.text = entry.extra;
    append(entry.text, detail);
    entry.names = term.aliases;
    entry.names.insert(entry.names.begin(), {term.name, term.id});
    entry.uses = uses[term.id];
    page.entries.push_back(std::move(entry));
  }
  return page;
}

CorpusPage reading(const book::Book& book) {
  CorpusPage page = page_of("/chapters/reading/", "Further reading", {}, Kind::page, {});
  for (const book::Group& group : book.groups) {
    CorpusEntry entry;
    const std::string note = plain_markdown(group.note);
    entry.kind = Kind::heading;
    entry.title = group.title;
    entry.anchor = group.id;
    entry.fields = {{Field::title, group.title}};
    entry.text = note;
    page.entries.push_back(std::move(entry));
  }
  for (const book::Source& source : book.sources) {
    CorpusEntry entry;
    const std::string note = plain_markdown(source.note);
    entry.kind = Kind::source;
    entry.title = source.title;
    entry.anchor = source.id;
    // A result has room for one name; the others are found all the same.
    const size_t comma = source.authors.find(',');
    const bool many = comma != std::string::npos && source.authors.find(',', comma + 1) != std::string::npos;
    entry.extra = joined({many ? source.authors.substr(0, comma) + " and others" : source.authors, source.year}, ", ");
    // Its note is found in the texts; 140 notes among the postings would be a tenth of the index.
    entry.fields = {{Field::title, source.title}, {Field::note, source.authors}};
    entry.text = note;
    page.entries.push_back(std::move(entry));
  }
  return page;
}

}  // namespace

Corpus corpus(const book::Book& book, const std::function<std::string(std::string_view)>& figure_title) {
  Corpus out;
  for (const book::Section& section : book.sections) {
    if (!section.written) continue;
    out.push_back(page_of(section.url, section.title, section.number, Kind::section, section.lede));
    out.back().entries.front().fields.emplace_back(Field::note, section.summary);
    Cutter(book, figure_title, out.back()).body(section.body);
    // The title of the page helps every part of it a little.
    for (CorpusEntry& entry : out.back().entries)
      if (entry.kind == Kind::heading) entry.fields.emplace_back(Field::page_title, section.title);
  }
  for (const book::Chapter& chapter : book.chapters) {
    std::string sections;
    for (const int index : chapter.sections) append(sections, book.sections[static_cast<size_t>(index)].title);
    out.push_back(page_of(chapter.url, chapter.title, chapter.number, Kind::page, chapter.summary));
    out.back().entries.front().fields.emplace_back(Field::note, sections);
    out.back().entries.front().extra = std::exchange(out.back().entries.front().text, {});
    // All overviews have the same headings.
    Cutter(book, figure_title, out.back()).body(chapter.body, true);
  }
  for (const book::TextPage& page : book.text_pages) {
    out.push_back(page_of(page.url, page.title, {}, Kind::page, page.lede));
    out.back().entries.front().extra = page.summary;
    Cutter(book, figure_title, out.back()).body(page.body);
  }
  out.push_back(page_of("/", book.title, {}, Kind::page, book.description));
  out.back().entries.front().extra = book.description;
  Cutter(book, figure_title, out.back()).body(book.home);
  out.push_back(glossary(book));
  out.push_back(reading(book));
  return out;
}

}  // namespace lk::search
