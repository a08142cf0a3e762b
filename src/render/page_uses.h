// Where the book uses its terms and sources; for the pages that list them.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "render/page.h"

namespace lk::render {

/// A page that links an entry, and where on it that first happens.
struct Use {
  std::string number, title;  // "1.2", "Compute-bound and memory-bound"; an overview has its chapter's
  std::string url;            // without the base, with the anchor of the heading above the first link
};
using Uses = std::map<std::string, std::vector<Use>>;  // by the entry's id

/// Of terms (book::Kind::term) or sources (book::Kind::source), in reading order: overviews and written sections.
Uses uses(const book::Book& book, book::Kind kind);

/// <a>1.2 Compute-bound and memory-bound</a><br>...: links to the pages, empty when nothing uses the entry.
std::string use_links(const PageContext& context, const Uses& used, const std::string& id);

}  // namespace lk::render
