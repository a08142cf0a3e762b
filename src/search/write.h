// Corpus to files.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "search/corpus.h"

namespace lk::search {

struct Files {
  std::string index;
  std::vector<std::string> texts;  // one for each page; empty for a page without texts
};

/// `name_of` names the file of a page's texts ("text-3.0a1b2c3d.bin"); it is called once for each page that
/// has some, in order.
/// The same corpus and names give the same bytes.
Files write(const Corpus& corpus, const std::function<std::string(size_t page, const std::string& bytes)>& name_of);

/// A whole index in memory with all its texts, ready for queries.
Index index_of(const Corpus& corpus);

}  // namespace lk::search
