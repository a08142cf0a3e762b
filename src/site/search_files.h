// The search's index and texts as assets.
#pragma once
#include "book/book.h"
#include "site/assets.h"

namespace lk::site {

/// Adds "search.bin" to the assets, and the texts that it names to the site, beside where it will lie. Scripts that mention
/// "search.bin" get its address.
void add_search(Assets& assets, Site& site, const book::Book& book);

}  // namespace lk::site
