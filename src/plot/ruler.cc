#include "plot/ruler.h"

#include <algorithm>
#include <cmath>

namespace lk::plot {
namespace {

constexpr double largest = 1e100;   // differences and ratios of larger numbers overflow
constexpr double smallest = 1e-100;
constexpr double far_away = 1e4;    // lengths of the axis

double tame(double v, double fallback) { return std::isfinite(v) ? std::clamp(v, -largest, largest) : fallback; }

// 1, 2, 5, 10, ... times a power of ten.
double round_step(double at_least) {
  const double power = std::pow(10, std::floor(std::log10(at_least)));
  for (const double m : {1.0, 2.0, 5.0, 10.0})
    if (m * power >= at_least * (1 - 1e-9)) return m * power;
  return 10 * power;
}

double power_of_two(double at_least) { return std::max(1.0, std::exp2(std::ceil(std::log2(at_least) - 1e-9))); }

void add(std::vector<Tick>& out, double value, const Ruler& ruler, const AxisUnit& unit, int significant) {
  out.push_back({value, ruler.px(value), digits(value / unit.divide, significant)});
}

void linear_ticks(std::vector<Tick>& out, const Axis& axis, const Ruler& ruler, const AxisUnit& unit, double count) {
  const double lo = std::min(ruler.lo(), ruler.hi()) / unit.divide, hi = std::max(ruler.lo(), ruler.hi()) / unit.divide;
  const bool binary = (axis.unit == Unit::bytes || axis.unit == Unit::binary_bytes) && hi - lo >= 4;
  const double step = binary ? power_of_two((hi - lo) / count) : round_step((hi - lo) / count);
  const double first = std::ceil(lo / step - 1e-6);
  const double magnitude = std::max({std::fabs(lo), std::fabs(hi), step});
  const int significant = std::clamp(static_cast<int>(std::ceil(std::log10(magnitude / step))) + 1, 3, 15);
  for (int i = 0; i < 64; ++i) {
    const double v = (first + i) * step;
    if (v > hi + step * 1e-6) break;
    add(out, v == 0 ? 0 : v * unit.divide, ruler, unit, significant);  // 0, never -0
  }
}

void log_ticks(std::vector<Tick>& out, const Ruler& ruler, const AxisUnit& unit, double count) {
  const double a = std::log10(std::min(ruler.lo(), ruler.hi()) / unit.divide);
  const double b = std::log10(std::max(ruler.lo(), ruler.hi()) / unit.divide);
  const int first = static_cast<int>(std::ceil(a - 1e-9)), last = static_cast<int>(std::floor(b + 1e-9));
  const int step = std::max(1, static_cast<int>(std::ceil((b - a) / std::max(count, 1.0))));
  if (last - first < 1) {  // within a decade: 1, 2, 5 of each
    for (int d = first - 1; d <= last; ++d)
      for (const double m : {1.0, 2.0, 5.0}) {
        const double v = m * std::pow(10, d);
        if (std::log10(v) >= a - 1e-9 && std::log10(v) <= b + 1e-9) add(out, v * unit.divide, ruler, unit, 3);
      }
    return;
  }
  for (int d = first; d <= last; ++d)
    if ((d - first) % step == 0) add(out, std::pow(10, d) * unit.divide, ruler, unit, 3);
}

}  // namespace

Ruler::Ruler(const Axis& axis, double start, double end) : start_(start), end_(end), lo_(0), hi_(1), scale_(axis.scale) {
  switch (scale_) {
    case Scale::band:
      hi_ = static_cast<double>(std::max<size_t>(1, axis.bands.size()));
      return;
    case Scale::log: {
      lo_ = tame(axis.lo, 0);
      hi_ = tame(axis.hi, 0);
      if (lo_ <= 0 && hi_ <= 0) lo_ = 1, hi_ = 10;
      if (lo_ <= 0) lo_ = hi_ / 1000;
      if (hi_ <= 0) hi_ = lo_ * 1000;
      lo_ = std::clamp(lo_, smallest, largest);
      hi_ = std::clamp(hi_, smallest, largest);
      if (std::fabs(std::log(hi_ / lo_)) < 1e-9) lo_ /= 3, hi_ *= 3;
      return;
    }
    case Scale::linear:
    case Scale::hidden:
      lo_ = tame(axis.lo, 0);
      hi_ = tame(axis.hi, 1);
      if (std::fabs(hi_ - lo_) <= 1e-12 * std::max(std::fabs(lo_), std::fabs(hi_))) {
        const double around = std::max(0.5, std::fabs(lo_) / 2);
        lo_ -= around;
        hi_ += around;
      }
      return;
  }
}

double Ruler::part(double value) const {
  if (std::isnan(value)) return 0;
  if (scale_ == Scale::log) {
    if (value <= 0) return hi_ > lo_ ? -1 : 2;
    value = std::clamp(value, smallest, largest);
    return std::log(value / lo_) / std::log(hi_ / lo_);
  }
  return (std::clamp(value, -largest, largest) - lo_) / (hi_ - lo_);
}

double Ruler::px(double value) const { return start_ + std::clamp(part(value), 0.0, 1.0) * (end_ - start_); }
double Ruler::loose(double value) const { return start_ + std::clamp(part(value), -far_away, 1 + far_away) * (end_ - start_); }

double Ruler::value(double px) const {
  const double t = end_ == start_ || std::isnan(px) ? 0 : std::clamp((px - start_) / (end_ - start_), 0.0, 1.0);
  if (scale_ == Scale::log) return lo_ * std::exp(t * std::log(hi_ / lo_));
  if (scale_ == Scale::band) return std::min(std::floor(t * hi_), hi_ - 1);
  return lo_ + t * (hi_ - lo_);
}

bool Ruler::holds(double value) const {
  const double t = part(value);
  return std::isfinite(value) && t >= -1e-9 && t <= 1 + 1e-9;
}

AxisUnit axis_unit(const Axis& axis, const Ruler& ruler) {
  if (axis.scale == Scale::band) return {1, std::string(scaled(axis.unit, 1).unit)};
  // A log axis spans many prefixes: the one in its middle keeps both ends readable.
  const double reference = axis.scale == Scale::log ? std::sqrt(ruler.lo()) * std::sqrt(ruler.hi())
                                                    : std::max(std::fabs(ruler.lo()), std::fabs(ruler.hi()));
  const Scaled s = scaled(axis.unit, reference);
  return {s.divide, std::string(s.unit)};
}

std::string axis_label(const Axis& axis, const AxisUnit& unit) {
  if (unit.name.empty()) return axis.label;
  return axis.label.empty() ? unit.name : axis.label + ", " + unit.name;
}

std::vector<Tick> ticks(const Axis& axis, const Ruler& ruler, const AxisUnit& unit, double spacing) {
  std::vector<Tick> out;
  const double count = std::max(2.0, std::floor(std::fabs(ruler.end() - ruler.start()) / spacing));
  switch (axis.scale) {
    case Scale::hidden: break;
    case Scale::band:
      for (size_t i = 0; i < axis.bands.size(); ++i) {
        const double center = static_cast<double>(i) + 0.5;
        out.push_back({center, ruler.px(center), axis.bands[i]});
      }
      break;
    case Scale::linear: linear_ticks(out, axis, ruler, unit, count); break;
    case Scale::log: log_ticks(out, ruler, unit, count); break;
  }
  return out;
}

}  // namespace lk::plot
