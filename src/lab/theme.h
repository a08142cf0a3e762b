// The page's tokens as colors, and the lab's fonts: what drawing needs besides a frame. Lengths are device pixels unless they say otherwise.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "imgui.h"
#include "plot/view.h"

namespace lk::lab {

/// The tokens of the style sheet, by its names.
enum class Token : uint8_t {
  bg, surface, raised, rule, grid, ink, muted, faint, accent, accent_wash, on_accent, on_series, good, warn, bad,
  series_1, series_2, series_3, series_4, series_5, series_6, syn_key, syn_type, syn_num,
};
constexpr size_t token_count = 24;
/// "series-1"; the custom property is "--series-1".
std::string_view name(Token token);

/// One weight at a few sizes; sizes between are scaled from the nearest.
class Fonts {
 public:
  /// Adds faces to the context's atlas: LK Sans regular and semibold and LK Mono, TrueType data that must outlive it. Without
  /// data (a test without fonts, a failed download) Dear ImGui's own bitmap font stands in. Call again after the scale changed.
  void build(ImFontAtlas& atlas, std::string_view regular, std::string_view strong, std::string_view mono, float scale);
  /// The face for text of `px` CSS pixels.
  ImFont* face(double px, bool strong) const;
  /// The fixed-width face; without its data the regular one, which text.h then spaces evenly.
  ImFont* mono() const { return mono_ != nullptr ? mono_ : face(12, false); }
  /// Multiplies `px` (the em of CSS) to the line height that Dear ImGui calls the size of a font.
  double line() const { return line_; }

 private:
  struct Face {
    ImFont* font;
    float px;
    bool strong;
  };
  std::vector<Face> faces_;
  ImFont* mono_ = nullptr;
  double line_ = 1;
};

struct Theme {
  Theme();  // the light tokens
  std::array<ImU32, token_count> colors;
  float wash = 0.16F;  // opacity of a pale fill
  float scale = 1;     // device pixels per CSS pixel
  const Fonts* fonts = nullptr;

  ImU32 color(Token token) const { return colors[static_cast<size_t>(token)]; }
  /// Reads "bg=#FCFCFA;ink=#16181D;wash=.16"; unknown names and values that are no color are skipped.
  void set(std::string_view tokens);
  /// Fills and strokes of a role.
  ImU32 mark(plot::Role role) const;
  /// Words of a role: darker than its marks where small type needs it.
  ImU32 words(plot::Role role) const;
  /// Words that stand on a solid mark of a role.
  ImU32 words_on(plot::Role role) const;
  /// CSS pixels to device pixels.
  float px(double css) const { return static_cast<float>(css) * scale; }
};

/// `color` with its opacity multiplied.
ImU32 faded(ImU32 color, double opacity);

/// Makes Dear ImGui look like the book: thin rules, 4 px corners, 13 px type. Needs a current context.
void apply(const Theme& theme);

}  // namespace lk::lab
