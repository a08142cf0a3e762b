#include "site/search_files.h"

#include "api/corpus.h"
#include "search/write.h"
#include "site/sha256.h"

namespace lk::site {

void add_search(Assets& assets, Site& site, const book::Book& book) {
  const auto keep = [&](size_t page, std::string bytes) {
    std::string name = named("text-" + std::to_string(page) + ".bin", sha256_hex(bytes));
    site.add("assets/" + name, std::move(bytes));
    return name;
  };
  assets.add("search.bin", search::write(api::corpus(book), keep));
}

}  // namespace lk::site
