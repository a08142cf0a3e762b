// Where each panel stands at a given width: the second step of layout().
#pragma once
#include <vector>

#include "plot/labels.h"
#include "plot/ruler.h"
#include "plot/view.h"

namespace lk::plot {

/// A visible panel at its place.
struct Seat {
  int index = -1;
  const Panel* panel = nullptr;
  Box outer, plot;      // all of the panel; its plotting area
  Ruler x, y;           // on a ring: x gives the angle in radians, y the distance from the center
  AxisUnit x_unit, y_unit;
  std::vector<Tick> y_ticks;
  bool x_text = false;  // prints tick labels and axis label under its plotting area
  bool y_text = false;
  double header = 0, footer = 0, left = 0, right = 0, keys_top = 0;

  /// Data to pixels; outside values go to the nearest border.
  Point px(Point data) const;
  bool holds(Point data) const { return panel->x.turn ? y.holds(data.y) : x.holds(data.x) && y.holds(data.y); }
};

constexpr double tick_line = 24;   // under the plotting area
constexpr double label_line = 18;
constexpr double key_line = 22;
constexpr double key_swatch = 11, key_text = 17, key_gap = 18;

/// The height depends on `wide` and the view, not on the exact width.
std::vector<Seat> compose(const View& view, double width, bool wide, double& height);

}  // namespace lk::plot
