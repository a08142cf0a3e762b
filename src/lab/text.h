// Words on a draw list: placed at fractions of a pixel, turned, haloed, wrapped, with tabular digits as the font has them.
#pragma once
#include <string_view>
#include <vector>

#include "lab/theme.h"
#include "plot/frame.h"

namespace lk::lab {

struct Words {
  double px = 13;  // CSS pixels
  bool strong = false;
  ImU32 color = IM_COL32_WHITE;
  plot::Prim::Anchor anchor = plot::Prim::start;
  double angle = 0;  // degrees, clockwise, around the point
  bool mono = false;  // the fixed-width face
};

/// Width in device pixels.
float width(const Theme& theme, std::string_view text, double px, bool strong = false, bool mono = false);

/// Draws with the baseline at `at` (device pixels); returns the width.
float write(ImDrawList* list, const Theme& theme, ImVec2 at, std::string_view text, const Words& words);

/// A run of words in one color and weight; runs of a paragraph follow each other without a gap.
struct Run {
  std::string_view text;
  ImU32 color;
  bool strong = false;
};

/// Breaks runs at spaces into lines of `wrap` device pixels; `line` is the distance of baselines in CSS pixels.
/// With `list` it draws from the top left corner `at`; either way it returns the height in device pixels.
float flow(ImDrawList* list, const Theme& theme, ImVec2 at, const std::vector<Run>& runs, double px, double line, float wrap);

}  // namespace lk::lab
