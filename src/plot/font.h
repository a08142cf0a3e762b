// Advance widths of the book's interface font (Inter), so that layout knows how wide words are without a renderer.
#pragma once
#include <string_view>

namespace lk::plot {

/// Width in px of `text` at `size` px, weight 400 or 600 (`strong`), tabular digits.
double text_width(std::string_view text, double size, bool strong = false);

/// The same for the fixed-width face (JetBrains Mono), whose letters all advance by `mono_advance` em.
constexpr double mono_advance = 0.6;
double mono_width(std::string_view text, double size);

}  // namespace lk::plot
