// Corpus to files.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "search/corpus.h"

namespace lk::search {

/// The index. `keep` takes the file of a page's texts and names it ("text-3.0a1b2c3d.bin"); it is called once for each page that
/// has some, in order.
/// The same corpus and names give the same bytes.
std::string write(const Corpus& corpus, const std::function<std::string(size_t page, std::string bytes)>& keep);

/// A whole index in memory with all its texts, ready for queries.
Index index_of(const Corpus& corpus);

}  // namespace lk::search
