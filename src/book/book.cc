#include "book/book.h"

#include <algorithm>
#include <array>

namespace lk::book {
namespace {

std::string folded(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

template <class Items>
auto find_id(const Items& items, std::string_view id) -> decltype(items.data()) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.id == id; });
  return found == items.end() ? nullptr : &*found;
}

constexpr std::array<Page, 4> all_pages = {Page{"home", "Home", "/"}, Page{"glossary", "Glossary", "/chapters/glossary/"},
                                           Page{"reading", "Further reading", "/chapters/reading/"}, Page{"edit", "Edit", "/edit/"}};

// Spaces and no-break spaces are the same, at the ends none count.
std::string plain_spaces(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "\xC2\xA0") {
      out += ' ';
      ++i;
    } else {
      out += text[i];
    }
  }
  const size_t from = std::min(out.find_first_not_of(' '), out.size());
  out.erase(0, from);
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

}  // namespace

const Section* Book::section(std::string_view id) const { return find_id(sections, id); }
const Chapter* Book::chapter(std::string_view id) const { return find_id(chapters, id); }
const Source* Book::source(std::string_view id) const { return find_id(sources, id); }
const TextPage* Book::text_page(std::string_view id) const { return find_id(text_pages, id); }

const Term* Book::term(std::string_view id) const {
  if (const Term* exact = find_id(terms, id)) return exact;
  const std::string word = folded(id);
  for (const Term& term : terms) {
    if (folded(term.id) == word || folded(term.name) == word) return &term;
    if (std::any_of(term.aliases.begin(), term.aliases.end(), [&](const auto& alias) { return folded(alias) == word; })) return &term;
  }
  return nullptr;
}

std::span<const Page> pages() { return all_pages; }

std::optional<Destination> resolve(const Book& book, const Target& target) {
  Destination out;
  if (const Section* section = book.section(target.id)) {
    out = {section->url, section->title, section->number, section->written};
  } else if (const Chapter* chapter = book.chapter(target.id)) {
    out = {chapter->url, chapter->title, chapter->number, true};
  } else if (const TextPage* text = book.text_page(target.id)) {
    out = {text->url, text->title, {}, true};
  } else if (const Page* page = find_id(all_pages, target.id)) {
    out = {std::string(page->url), std::string(page->title), {}, true};
  } else {
    return std::nullopt;
  }
  if (!target.fragment.empty()) out.url += "#" + target.fragment;
  return out;
}

std::vector<const Term*> terms_used(const Book& book, const Node& tree) {
  std::vector<const Term*> out;
  walk(tree, [&](const Node& node) {
    if (node.kind != Kind::term) return;
    const Term* term = book.term(node.target.id);
    if (term != nullptr && std::find(out.begin(), out.end(), term) == out.end()) out.push_back(term);
  });
  return out;
}

int count_words(const Node& tree) {
  if (tree.kind == Kind::listing || tree.kind == Kind::code) return 0;
  if (tree.kind >= Kind::text || tree.kind == Kind::paragraph || tree.kind == Kind::heading || tree.kind == Kind::table_cell || tree.kind == Kind::figure) {
    const std::string words = plain_text(tree);
    int count = 0;
    bool inside = false;
    for (const char c : words) {
      const bool space = c == ' ' || c == '\n' || c == '\t';
      if (!space && !inside) ++count;
      inside = !space;
    }
    return count;
  }
  int count = 0;
  for (const Node& child : tree.children) count += count_words(child);
  return count;
}

std::optional<Shape> shape(std::string_view printed, const Catalog::ValueText& computed) {
  const std::string words = plain_spaces(printed);
  if (words == plain_spaces(computed.digits)) return Shape::digits;
  if (words == plain_spaces(shown(computed, Shape::full))) return Shape::full;
  return std::nullopt;
}

std::string shown(const Catalog::ValueText& value, Shape shape) {
  if (shape == Shape::digits || value.unit.empty()) return value.digits;
  return value.digits + (value.unit == "%" ? "" : "\xC2\xA0") + value.unit;
}

}  // namespace lk::book
