#include "search/stem.h"

#include <libstemmer.h>

#include <algorithm>

namespace lk::search {

Stemmer::Stemmer() : stemmer_(sb_stemmer_new("english", "UTF_8")) {}

Stemmer::~Stemmer() {
  if (stemmer_ != nullptr) sb_stemmer_delete(stemmer_);
}

std::string_view Stemmer::stem(std::string_view word) const {
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  if (stemmer_ == nullptr || word.size() < 3 || !std::all_of(word.begin(), word.end(), letter)) return word;
  const sb_symbol* stem =
      sb_stemmer_stem(stemmer_, reinterpret_cast<const sb_symbol*>(word.data()), static_cast<int>(word.size()));
  if (stem == nullptr) return word;  // no memory: the word finds itself
  return {reinterpret_cast<const char*>(stem), static_cast<size_t>(sb_stemmer_length(stemmer_))};
}

}  // namespace lk::search
