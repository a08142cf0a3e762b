// The search's index and texts as assets.
#pragma once
#include "book/book.h"
#include "site/assets.h"

namespace lk::site {

/// Adds "search.bin" and the texts that it names. Scripts that mention "search.bin" get its address.
void add_search(Assets& assets, const book::Book& book);

}  // namespace lk::site
