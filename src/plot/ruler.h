// From data units to pixels and back along one axis, for any axis: the first step of layout().
#pragma once
#include <string>
#include <vector>

#include "plot/view.h"

namespace lk::plot {

/// An axis made usable (finite, never empty, positive when logarithmic) between two pixels.
class Ruler {
 public:
  Ruler() : Ruler(Axis{}, 0, 1) {}
  /// `start` is the pixel of the axis's lower end (bands: of the first band's near edge), `end` of the other.
  Ruler(const Axis& axis, double start, double end);

  /// Always finite and between start and end: values outside the axis go to its nearer end, NaN to `start`.
  double px(double value) const;
  /// The same without the clamp, yet finite: for clipping.
  double loose(double value) const;
  double value(double px) const;
  bool holds(double value) const;
  double start() const { return start_; }
  double end() const { return end_; }
  double lo() const { return lo_; }
  double hi() const { return hi_; }
  Scale scale() const { return scale_; }

 private:
  double part(double value) const;  // 0 at the lower end, 1 at the upper
  double start_, end_, lo_, hi_;
  Scale scale_;
};

struct Tick {
  double value = 0, px = 0;
  std::string text;
};

/// What an axis's numbers are divided by, and the unit that then stands on its label.
struct AxisUnit {
  double divide = 1;
  std::string name;
};
AxisUnit axis_unit(const Axis& axis, const Ruler& ruler);
/// "arithmetic intensity, FLOP/B"
std::string axis_label(const Axis& axis, const AxisUnit& unit);

/// Round values (1, 2, 5; powers of two for bytes), decades on log axes, band centers; about `spacing` px apart.
/// Labels are not thinned out here.
std::vector<Tick> ticks(const Axis& axis, const Ruler& ruler, const AxisUnit& unit, double spacing);

}  // namespace lk::plot
