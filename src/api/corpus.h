// What a search can find in a book, with the titles that its figures have.
#pragma once
#include "search/corpus.h"

namespace lk::api {

search::Corpus corpus(const book::Book& book);

}  // namespace lk::api
