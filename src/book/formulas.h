// From the tags of formulas back to formulas, and what dollar signs got wrong.
#pragma once
#include <string_view>
#include <vector>

#include "book/document.h"
#include "book/scan.h"
#include "book/source_text.h"

namespace lk::book {

/// Cuts the texts among `node`'s children at the tags of formulas and puts nodes of kind math there, each at its place. TeX that
/// cannot be read is a problem.
void take_formulas(Node& node, const Scan& scan, const SourceText& source, std::vector<Problem>& problems);

/// Dollar signs in words that were meant to be a formula's: $$ that never closes, commands of TeX beside a $. `line` is the
/// block's first in the text.
void stray_dollars(std::string_view words, int line, const SourceText& source, std::vector<Problem>& problems);

}  // namespace lk::book
