#include "api/corpus.h"

#include "figures/registry.h"

namespace lk::api {

search::Corpus corpus(const book::Book& book) {
  return search::corpus(book, [](std::string_view id) {
    const plot::Figure* figure = figures::find(id);
    return figure ? std::string(figure->title) : std::string();
  });
}

}  // namespace lk::api
