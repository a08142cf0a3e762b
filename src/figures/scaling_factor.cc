// A tensor of 8 rows cast to few bits: where its magnitudes lie and where the format's window stands, with no scale, one for all, one for
// each row, MX blocks and NVFP4. The arithmetic is numerics::quantize; here it is drawn.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "figures/registry.h"
#include "numerics/quantize.h"

namespace lk::figures {
namespace {

using namespace plot;
using namespace numerics;

constexpr size_t rows = 8, columns = 32, elements = rows * columns;
constexpr double low = 1e-12, high = 1e6, error_low = 1e-4, error_high = 1;
constexpr double top = 0.12, bottom = 0.88;  // of a window within its band

struct Kind {
  const char *id, *label, *name;
  Format format;  // of floating-point elements
  int integer;    // bits of integers, else 0
};
constexpr Kind kinds[] = {{"e4m3", "E4M3 (FP8)", "E4M3", Format::e4m3, 0}, {"e5m2", "E5M2 (FP8)", "E5M2", Format::e5m2, 0},
                          {"e3m2", "E3M2 (FP6)", "E3M2", Format::e3m2, 0}, {"e2m3", "E2M3 (FP6)", "E2M3", Format::e2m3, 0},
                          {"e2m1", "E2M1 (FP4)", "E2M1", Format::e2m1, 0}, {"int8", "INT8", "INT8", Format::e4m3, 8},
                          {"int4", "INT4", "INT4", Format::e4m3, 4}};
const std::array<Choice, 3> distributions{{{"weights", "Weights: a bell curve"}, {"activations", "Activations: two columns stand out"},
                                           {"gradients", "Gradients: many powers of two"}}};
enum class Scaling : uint8_t { none, tensor, row, mx, nvfp4 };
constexpr size_t scalings = 5;
constexpr const char* ids[scalings] = {"none", "tensor", "row", "mx", "nvfp4"};
constexpr const char* labels[scalings] = {"None", "One for the tensor", "One for each row", "MX: 32, power of two", "NVFP4: 16, E4M3"};
constexpr const char* brief[scalings] = {"none", "tensor", "row", "MX", "NVFP4"};

std::string why_not(const Kind& kind, Scaling s) {
  if (kind.integer != 0 && s == Scaling::none) return "integers have no range of their own: they need a scale";
  if (kind.integer != 0 && s >= Scaling::mx) return "these blocks hold floating-point elements";
  if (s == Scaling::nvfp4 && kind.format != Format::e2m1) return "NVFP4 holds E2M1 elements only";
  return {};
}

/// A bell curve of standard deviation 1: the sum of twelve uniform numbers, which is the same on every machine.
double bell(Random& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += random.unit();
  return sum;
}

struct Params {
  int kind = 0, distribution = 0, scaling = 0, row = 2, seed = 1;
  double size = 0.002;

  void fields(Fields& f, const World&) {
    std::vector<Choice> choices;
    for (const Kind& k : kinds) choices.push_back({k.id, k.label});
    f.choice(kind, {"format", "Format", "what each element is cast to"}, choices);
    choices.clear();
    if (!why_not(chosen(), Scaling::none).empty()) scaling = static_cast<int>(Scaling::tensor);
    for (size_t i = 0; i < scalings; ++i) choices.push_back({ids[i], labels[i], why_not(chosen(), static_cast<Scaling>(i))});
    f.choice(scaling, {"scale", "Scale", "which elements share a factor that is divided out before the cast"}, choices);
    f.choice(distribution, {"data", "Data", "how the magnitudes of the tensor spread"}, distributions);
    f.number(size, {"size", "Typical magnitude", "of an element; without a scale it decides what is lost"}, Unit::one, 1e-7, 1e3, 0.02, Steps::log);
    f.integer(row, {"row", "Row shown", "whose elements are drawn one by one"}, Unit::one, 0, static_cast<int>(rows) - 1);
    f.integer(seed, {"seed", "Seed", "another tensor of the same kind"}, Unit::one, 1, 20);
  }

  const Kind& chosen() const { return kinds[static_cast<size_t>(kind)]; }

  std::vector<float> tensor() const {
    Random random(static_cast<uint64_t>(seed) * 1000 + static_cast<uint64_t>(distribution));
    std::vector<float> x;
    for (size_t i = 0; i < elements; ++i) {
      double v = bell(random) * (1 + 0.25 * static_cast<double>(i / columns));
      const double wide = bell(random) * 3.5;
      if (distribution == 1 && (i % columns == 5 || i % columns == 22)) v *= 60;
      if (distribution == 2) v = std::ldexp(v * (1 + wide - std::floor(wide)), static_cast<int>(std::floor(wide)));
      x.push_back(static_cast<float>(v * size));
    }
    return x;
  }

  static Quantized quantized(const Kind& k, Scaling s, std::span<const float> x) {
    const size_t group = s == Scaling::row ? columns : 0;
    if (k.integer != 0) return integers(k.integer, x, group);
    switch (s) {
      case Scaling::none: return direct(k.format, x);
      case Scaling::mx: return mx(k.format, x);
      case Scaling::nvfp4: return nvfp4(x);
      default: return scaled(k.format, x, group);
    }
  }

  struct Scene {
    std::vector<float> x;
    Quantized q;
    double smallest, largest;  // of the elements before they are scaled
    std::vector<Errors> by_row;
    Errors all;
  };

  View evaluate(const World&) const {
    View view;
    Scene c;
    c.x = tensor();
    const Kind& k = chosen();
    c.q = quantized(k, static_cast<Scaling>(scaling), c.x);
    c.smallest = k.integer != 0 ? 1 : smallest(k.format);
    c.largest = k.integer != 0 ? (1 << (k.integer - 1)) - 1 : largest(k.format);
    for (size_t r = 0; r < rows; ++r) c.by_row.push_back(errors(part(c.x, r), part(c.q.values, r)));
    c.all = errors(c.x, c.q.values);
    view.panels.push_back(windows(c));
    view.panels.push_back(one_row(c));
    view.panels.push_back(compared(c));
    table(view, c);
    results(view, c);
    return view;
  }

  static std::span<const float> part(const std::vector<float>& x, size_t r) { return std::span(x).subspan(r * columns, columns); }

  static double factor(const Quantized& q, const Group& g) { return static_cast<double>(g.scale) * q.tensor_scale; }

  // Each row's magnitudes on one scale, and the window from the smallest to the largest number that its scale leaves to the format.
  Panel windows(const Scene& c) const {
    Panel panel;
    panel.title = std::string("The window of ") + chosen().name;
    panel.note = "8 rows of 32";
    panel.lines = 8;
    panel.x = {.label = "magnitude", .lo = low, .hi = high, .scale = Scale::log};
    panel.y.scale = Scale::band;
    for (size_t r = 0; r < rows; ++r) panel.y.bands.push_back("row " + std::to_string(r));
    for (const Group& g : c.q.groups) {
      const double s = factor(c.q, g);
      if (!(s > 0)) continue;
      // A group is some rows, or a part of one.
      const double y0 = static_cast<double>(g.first) / columns, y1 = static_cast<double>(g.first + g.count) / columns;
      for (double y = y0; y < y1; ++y) {
        const double end = std::min(y + 1, y1), from = std::floor(y), t = y - from, e = end - from;
        Mark& m = panel.marks.emplace_back();
        m.role = Role::compute;
        m.fill = Fill::pale;
        m.at = {{std::clamp(c.smallest * s, low, high), from + top + t * (bottom - top)}, {std::clamp(c.largest * s, low, high), from + top + e * (bottom - top)}};
        m.row = static_cast<int>(from);
        m.sets = "row=" + std::to_string(static_cast<int>(from));
      }
    }
    for (size_t i = 0; i < elements; ++i) {
      const double v = std::fabs(c.x[i]);
      if (!(v > 0)) continue;
      const size_t r = i / columns;
      Mark& m = panel.marks.emplace_back();
      m.shape = Shape::line;
      const double at = std::clamp(v, low, high), y = static_cast<double>(r), half = static_cast<double>(i % columns) / columns;
      // Blocks of 16 have windows of half the height, and so have their elements.
      const bool halves = c.q.groups.size() > rows;
      const double y0 = halves && half >= 0.5 ? 0.5 : 0.2, y1 = halves && half < 0.5 ? 0.5 : 0.8;
      m.at = {{at, y + y0}, {at, y + y1}};
      m.row = static_cast<int>(r);
      m.role = c.q.values[i] == 0 ? Role::warn : cut_off(c, i) ? Role::bad : static_cast<int>(r) == row ? Role::ink : Role::memory;
    }
    panel.keys = {{Role::compute, Fill::pale, "window"}, {Role::memory, Fill::solid, "kept"}, {Role::warn, Fill::solid, "becomes zero"}, {Role::bad, Fill::solid, "cut off"}};
    return panel;
  }

  static bool cut_off(const Scene& c, size_t i) {
    for (const Group& g : c.q.groups)
      if (i >= g.first && i < g.first + g.count) {
        const double most = c.largest * factor(c.q, g);
        return std::fabs(c.x[i]) > most * 1.0001 && std::fabs(c.q.values[i]) >= most * 0.9999;
      }
    return false;
  }

  Panel one_row(const Scene& c) const {
    Panel panel;
    panel.row = 1;
    panel.share = 1.3;
    panel.title = "Row " + std::to_string(row) + ", before and after";
    panel.lines = 6;
    panel.x = {.lo = 0, .hi = columns, .scale = Scale::hidden};
    panel.y = {.label = "share of its largest", .lo = -1.25, .hi = 1.25};
    const auto r = static_cast<size_t>(row);
    const std::span<const float> x = part(c.x, r), y = part(c.q.values, r);
    double most = 0;
    for (const float v : x) most = std::max(most, static_cast<double>(std::fabs(v)));
    for (size_t i = 0; i < columns; ++i) {
      const auto at = static_cast<double>(i);
      Mark& m = panel.marks.emplace_back();
      m.role = Role::memory;
      m.fill = Fill::pale;
      m.at = {{at + 0.15, 0}, {at + 0.85, most > 0 ? x[i] / most : 0}};
      m.row = row;
    }
    for (size_t i = 0; i < columns; ++i) {
      const double at = static_cast<double>(i), after = most > 0 ? std::clamp(y[i] / most, -1.25, 1.25) : 0;
      Mark& m = panel.marks.emplace_back();
      m.shape = Shape::line;
      m.strong = true;
      m.role = y[i] == 0 && x[i] != 0 ? Role::warn : Role::ink;
      m.at = {{at + 0.05, after}, {at + 0.95, after}};
      m.row = row;
    }
    panel.keys = {{Role::memory, Fill::pale, "before"}, {Role::ink, Fill::solid, "after"}};
    return panel;
  }

  Panel compared(const Scene& c) const {
    Panel panel;
    panel.row = 1;
    panel.title = "All scales";
    panel.lines = 6;
    panel.x = {.label = "error, root mean square", .unit = Unit::percent, .lo = error_low, .hi = error_high, .scale = Scale::log};
    panel.y.scale = Scale::band;
    for (size_t i = 0; i < scalings; ++i) {
      const auto s = static_cast<Scaling>(i);
      panel.y.bands.emplace_back(brief[i]);
      const auto y = static_cast<double>(i);
      Mark& m = panel.marks.emplace_back();
      const bool own = static_cast<int>(i) == scaling;
      if (!why_not(chosen(), s).empty()) {
        m.shape = Shape::note;
        m.role = Role::muted;
        m.at = {{error_low, y + 0.5}};
        m.label = s == Scaling::nvfp4 ? "E2M1 only" : s == Scaling::none ? "needs a scale" : "no integers";
        m.keep = 100;
        continue;
      }
      const Errors e = own ? c.all : errors(c.x, quantized(chosen(), s, c.x).values);
      m.role = own ? Role::ink : Role::compute;
      m.fill = own ? Fill::solid : Fill::pale;
      m.at = {{error_low, y + 0.2}, {std::clamp(e.relative, error_low, error_high), y + 0.8}};
      m.label = text({e.relative, Unit::percent});
      m.side = e.relative > 0.01 ? Side::inside : Side::right;
      m.sets = std::string("scale=") + ids[i];
      m.keep = 30;
    }
    return panel;
  }

  void table(View& view, const Scene& c) const {
    constexpr struct {
      const char *id, *label;
      Unit unit = Unit::one;
      bool words = false;
    } heads[] = {{"row", "Row"}, {"amax", "Largest magnitude"}, {"scale", "Scale", Unit::one, true}, {"zeroed", "Become zero"}, 
                 {"error", "Error", Unit::percent}, {"snr", "Signal to noise, dB"}};
    for (const auto& head : heads) {
      Column& column = view.columns.emplace_back();
      column.id = head.id;
      column.label = head.label;
      column.unit = head.unit;
      column.text = head.words;
    }
    for (size_t r = 0; r < rows; ++r) {
      float amax = 0;
      for (const float v : part(c.x, r)) amax = std::max(amax, std::fabs(v));
      std::string scale;
      for (const Group& g : c.q.groups)
        if (g.first < (r + 1) * columns && g.first + g.count > r * columns) scale += (scale.empty() ? "" : ", ") + digits(factor(c.q, g));
      view.cells.emplace_back(static_cast<double>(r));
      view.cells.emplace_back(static_cast<double>(amax));
      view.cells.emplace_back(scaling == 0 ? std::string("none") : scale);
      view.cells.emplace_back(static_cast<double>(c.by_row[r].zeroed));
      view.cells.emplace_back(c.by_row[r].relative);
      view.cells.emplace_back(c.by_row[r].decibels);
    }
  }

  void results(View& view, const Scene& c) const {
    size_t clipped = 0;
    for (size_t i = 0; i < elements; ++i) clipped += cut_off(c, i);
    const auto add = [&](const char* id, double v, Unit unit = Unit::one) {
      Named& out = view.out.emplace_back();
      out.id = id;
      out.num = {v, unit};
    };
    add("elements", elements, Unit::elements);
    add("zeroed", static_cast<double>(c.all.zeroed));
    add("clipped", static_cast<double>(clipped));
    add("error", c.all.relative, Unit::percent);
    add("decibels", c.all.decibels);
    add("bits", c.q.bits, Unit::bits);
    add("scales", scaling == 0 ? 0 : static_cast<double>(c.q.groups.size()));
    constexpr const char* how[scalings] = {"without a scale", "with one scale for the tensor", "with a scale for each row", "in MX blocks of 32 with a power of two each",
                                       "in NVFP4 blocks of 16 with an E4M3 scale each"};
    view.summary = std::string("Cast to ") + chosen().name + " " + how[static_cast<size_t>(scaling)] + ", {zeroed} of {elements} " +
                   (c.all.zeroed == 1 ? "becomes zero" : "become zero") + " and {clipped} " + (clipped == 1 ? "is" : "are") + " cut off: an error of {error}, at {bits} per element.";
    view.provenance = {{How::computed, "Real rounding of a seeded tensor. Scales by NVIDIA’s current scaling (largest magnitude over largest number), OCP’s Microscaling Formats 1.0 and NVIDIA’s NVFP4."}};
  }
};

}  // namespace

extern const plot::Figure scaling_factor = plot::figure<Params>("scaling_factor", "A scale before the cast", plot::Cost::instant, plot::Place::wide);

}  // namespace lk::figures
