// TeX formulas as MathML: the part of TeX's mathematics that a book of formulas needs, and an error for everything else.
//
// Known: letters, numbers, operators, ^ and _, \frac \sqrt \binom, big operators with limits, Greek, named functions, \text,
// \mathrm and its kin, accents, braces over and under, \left...\right and \big delimiters, the environments aligned, cases,
// matrix, pmatrix, bmatrix and vmatrix. Not known: macros, \color, anything that draws.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lk::math {

/// What is wrong with a formula: the byte where it is, what, and what to do about it.
struct Fault {
  size_t at = 0;
  std::string what, hint;
};

struct Formula {
  std::string mathml;         // a <math> element; what could not be read is left out
  std::vector<Fault> faults;  // in the order of the text; empty when all was understood
};

/// `tex` stands between the dollar signs. `display`: on a line of its own, limits above and below, large fractions. The element
/// keeps the TeX as an annotation, so that copied text, readers without MathML and tests have it; it needs no style attributes.
/// Deterministic; linear in the length of the text but for the search of near names in faults.
Formula to_mathml(std::string_view tex, bool display);

/// Arguments and groups nested deeper than this are a fault.
inline constexpr int deepest_group = 64;

}  // namespace lk::math
