// What readers of other devices read.
#include <algorithm>

#include "book/book.h"
#include "book/sentences.h"

namespace lk::book {
namespace {

std::string trimmed(std::string text) {
  text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

class Collector {
 public:
  explicit Collector(const Catalog& catalog) : catalog_(catalog) {}

  void block(const Node& node) {
    switch (node.kind) {
      case Kind::stats:
        for (const Node& item : node.children) row(item);
        return;
      case Kind::table_row:
        row(node);
        return;
      case Kind::paragraph:
      case Kind::heading:
      case Kind::figure: {
        Run run;
        flatten(node, run);
        size_t from = 0;
        for (const size_t end : sentence_ends(run.text)) {
          sentence(run, from, end);
          from = end;
        }
        return;
      }
      default:
        for (const Node& child : node.children) block(child);
    }
  }

  std::vector<Variant> found;

 private:
  // Cells side by side, and the two sides of a stat, make sense together.
  void row(const Node& node) {
    Run run;
    for (const Node& cell : node.children) {
      run.text += run.text.empty() ? "" : " | ";
      flatten(cell, run);
    }
    sentence(run, 0, run.text.size());
  }

  void sentence(const Run& run, size_t from, size_t end) {
    Variant variant;
    for (const auto& device : catalog_.devices ? catalog_.devices() : std::vector<Catalog::DeviceName>()) {
      std::string text;
      size_t at = from;
      for (const auto& [offset, value] : run.values) {
        if (offset < from || offset >= end) continue;
        const std::string printed = plain_text(*value);
        if (variant.texts.empty() && text.empty()) variant.at = value->at;
        text += run.text.substr(at, offset - at) + words(*value, printed, device.id);
        at = offset + printed.size();
      }
      if (at == from) return;
      text = trimmed(text + run.text.substr(at, end - at));
      const auto same = std::find_if(variant.texts.begin(), variant.texts.end(), [&](const Variant::Text& t) { return t.text == text; });
      if (same == variant.texts.end()) variant.texts.push_back({{device.id}, text});
      else same->devices.push_back(device.id);
    }
    if (!variant.texts.empty()) found.push_back(std::move(variant));
  }

  std::string words(const Node& value, const std::string& printed, const std::string& device) const {
    const auto ref = value_ref(value.target);
    const auto here = ref && catalog_.value ? catalog_.value(ref->figure, ref->result, ref->query, {}) : Result<Catalog::ValueText>(Error{});
    if (!here) return printed;
    const Shape form = shape(printed, *here).value_or(Shape::digits);
    if (const auto there = catalog_.value(ref->figure, ref->result, ref->query, device)) return shown(*there, form);
    // As pages show it: the book's device stands in, and is named where the number is not the same everywhere.
    bool same = true;
    std::string book;
    const std::string own = shown(*here, form);
    for (const auto& one : catalog_.devices()) {
      if (one.id == catalog_.default_device) book = one.name;
      const auto other = catalog_.value(ref->figure, ref->result, ref->query, one.id);
      same = same && (!other || shown(*other, form) == own);
    }
    return same ? own : own + " (" + book + ")";
  }

  const Catalog& catalog_;
};

}  // namespace

std::vector<Variant> variants(const Book& book, const Catalog& catalog) {
  Collector all(catalog);
  all.block(book.home);
  for (const Chapter& chapter : book.chapters) all.block(chapter.body);
  for (const Section& section : book.sections) all.block(section.body);
  for (const TextPage& page : book.text_pages) all.block(page.body);
  for (const Term& term : book.terms) {
    for (const std::string& text : {term.sentence, term.detail}) {
      std::vector<Problem> ignored;
      const size_t from = all.found.size();
      all.block(parse_markdown(text, term.at.file, 0, ignored));
      for (size_t i = from; i < all.found.size(); ++i) all.found[i].at = term.at;
    }
  }
  return std::move(all.found);
}

}  // namespace lk::book
