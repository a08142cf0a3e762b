#include "site/search_files.h"

#include "api/corpus.h"
#include "search/write.h"

namespace lk::site {

void add_search(Assets& assets, const book::Book& book) {
  const auto add_text = [&](size_t page, const std::string& bytes) {
    const std::string name = "text-" + std::to_string(page) + ".bin";
    assets.add(name, bytes);
    const std::string address = assets.address(name);
    return address.substr(address.rfind('/') + 1);  // it lies beside the index
  };
  search::Files files = search::write(api::corpus(book), add_text);
  assets.add("search.bin", std::move(files.index));
}

}  // namespace lk::site
