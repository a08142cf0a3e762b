#include "plot/font.h"

#include <algorithm>
#include <iterator>

#include "base/utf8.h"
#include "widths.inc"

namespace lk::plot {
namespace {

// A fallback font draws what the subset lacks: most letters fit this, East Asian ones take a square.
constexpr short unknown = 680;
constexpr short square = 1000;
constexpr char32_t first_square = 0x2E80;

const FontWidth* find(char32_t c) {
  const auto it = std::lower_bound(std::begin(kFontWidths), std::end(kFontWidths), c,
                                   [](const FontWidth& w, char32_t code) { return w.code_point < code; });
  return it != std::end(kFontWidths) && it->code_point == c ? it : nullptr;
}

}  // namespace

double text_width(std::string_view text, double size, bool strong) {
  double sum = 0;
  for (size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    const FontWidth* w = find(c);
    sum += w == nullptr ? (c >= first_square ? square : unknown) : strong ? w->strong : w->regular;
  }
  return sum * size / 1000;
}

double mono_width(std::string_view text, double size) {
  size_t letters = 0;
  for (size_t at = 0; at < text.size(); ++letters) next_code_point(text, at);
  return static_cast<double>(letters) * mono_advance * size;
}

}  // namespace lk::plot
