// One value in every number format: its bits, the numbers around it, and what each format makes of it. All arithmetic is
// numerics::format; here it is drawn.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "figures/registry.h"
#include "numerics/format.h"

namespace lk::figures {
namespace {

using namespace plot;
using namespace numerics;

constexpr Format shown[] = {Format::e2m1, Format::e2m3, Format::e3m2, Format::e4m3, Format::e5m2, Format::e8m0, Format::fp16, Format::bf16, Format::tf32, Format::fp32};
const std::array<Choice, std::size(shown)> formats{{{"e2m1", "E2M1 (FP4)"}, {"e2m3", "E2M3 (FP6)"}, {"e3m2", "E3M2 (FP6)"}, {"e4m3", "E4M3 (FP8)"},
                                                   {"e5m2", "E5M2 (FP8)"}, {"e8m0", "E8M0 (scale)"}, {"fp16", "FP16"}, {"bf16", "BF16"}, {"tf32", "TF32"},
                                                   {"fp32", "FP32"}}};
const std::array<Choice, 2> beyond{{{"saturate", "Largest number"}, {"special", "Infinity or NaN"}}};

constexpr double least_value = 1e-8, most_value = 1e6;
constexpr int most_window = 24, least_window = 8;  // numbers on the line
constexpr double line_low = 1e-10, line_high = 1e8, error_low = 1e-9, error_high = 10;
constexpr double top = 0.2, bottom = 0.8;        // of a bar within its band

std::string minus(std::string text) {
  for (size_t at = 0; (at = text.find('-', at)) != std::string::npos; at += 3) text.replace(at, 1, "\u2212");
  return text;
}
/// As few digits as say exactly which number it is.
std::string exact(double v) {
  if (std::isnan(v)) return "NaN";
  if (std::isinf(v)) return v > 0 ? "infinity" : minus("-infinity");
  return minus(std::signbit(v) && v == 0 ? "-0" : plain(v));
}
/// The same, shortened where that takes many digits.
std::string brief(double v) {
  const std::string all = exact(v);
  return all.size() > 11 || std::fabs(v) >= 1e4 ? digits(v, 6) : all;
}
std::string power_of_two(int power) {
  constexpr const char* small[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = power < 0 ? "2⁻" : "2";
  for (const char c : std::to_string(std::abs(power))) out += small[c - '0'];
  return out;
}
std::string hex(uint32_t bits, int digits_of) {
  std::string out;
  for (int i = (digits_of + 3) / 4 - 1; i >= 0; --i) out += "0123456789abcdef"[bits >> (4 * i) & 15];
  return out;
}

struct Params {
  int format = 3, overflow = 0;
  double value = 0.1;
  bool negative = false;
  std::string bits;

  void fields(Fields& f, const World&) {
    f.choice(format, {"format", "Format", "whose bits and numbers are drawn"}, formats);
    f.number(value, {"value", "Value", "the magnitude that is rounded; drag it along the line or type it"}, Unit::one, least_value, most_value, 0.01, Steps::log);
    f.toggle(negative, {"negative", "Negative"});
    f.choice(overflow, {"beyond", "Beyond the largest", "what becomes of a value that rounds above the largest number"}, beyond);
    f.text(bits, {"bits", "Pattern", "in hexadecimal; when given it is decoded and the value rests. Clicking a bit flips it"}, 10);
  }

  Format chosen() const { return shown[static_cast<size_t>(format)]; }

  struct Scene {
    const Spec& s;
    uint32_t pattern;
    double given, result;
    bool from_bits;
    Kind kind;
  };

  /// The pattern that was typed; nothing without one.
  std::optional<uint32_t> typed(std::vector<std::string>& notices) const {
    std::string_view text = bits;
    if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
    if (bits.empty()) return {};
    uint64_t v = 0;
    for (const char c : text) {
      const char low = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
      const int digit = low >= '0' && low <= '9' ? low - '0' : low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
      if (digit < 0) {
        notices.push_back("The pattern “" + bits + "” is not hexadecimal, so the value is shown. Use 0 to 9 and a to f: 7e.");
        return {};
      }
      v = v * 16 + static_cast<uint64_t>(digit);
    }
    const Spec& s = spec(chosen());
    if (text.empty() || v > s.patterns_end()) {
      notices.push_back(std::string(s.name) + " has " + std::to_string(s.bits()) + " bits, too few for the pattern " + bits + ", so the value is shown.");
      return {};
    }
    notices.push_back("The pattern " + hex(static_cast<uint32_t>(v), s.bits()) + " is shown. Clear it to follow the value again.");
    return static_cast<uint32_t>(v);
  }

  View evaluate(const World&) const {
    View view;
    const Spec& s = spec(chosen());
    const std::optional<uint32_t> own = typed(view.notices);
    const double given = own ? decode(chosen(), *own) : negative ? -value : value;
    const uint32_t pattern = own ? *own : encode(chosen(), given, rule());
    const Scene scene{s, pattern, given, decode(chosen(), pattern), own.has_value(), kind(chosen(), pattern)};
    if (!s.sign && given < 0) view.notices.push_back("E8M0 has no sign: the scale of the magnitude is shown.");
    if (!s.sign && !own) view.notices.push_back("E8M0 holds powers of two only, and a scale is rounded down to one.");
    view.panels.push_back(bit_row(scene));
    view.panels.push_back(number_line(scene));
    view.panels.push_back(ranges(scene));
    view.panels.push_back(errors(scene));
    table(view, scene);
    results(view, scene);
    return view;
  }

  Overflow rule() const { return overflow == 0 ? Overflow::saturate : Overflow::special; }

  /// What brings a pattern about: its value where that can be typed, else the pattern itself.
  std::string link(uint32_t pattern) const {
    const double v = decode(chosen(), pattern), magnitude = std::fabs(v);
    if (!std::isfinite(v) || magnitude < least_value || magnitude > most_value) return "bits=" + hex(pattern, spec(chosen()).bits());
    return "value=" + plain(magnitude) + "&negative=" + (v < 0 ? "on" : "off") + "&bits=";
  }

  Panel bit_row(const Scene& c) const {
    Panel panel;
    panel.title = std::string(c.s.name) + ", pattern 0x" + hex(c.pattern, c.s.bits());
    panel.note = formula(c);
    panel.lines = 1.5;
    panel.x.scale = panel.y.scale = Scale::band;
    panel.y.labels = false;
    panel.y.bands = {""};
    const int n = c.s.bits();
    const bool weights = n <= 8;
    for (int i = 0; i < n; ++i) {
      const int at = n - 1 - i;
      const bool on = (c.pattern >> at & 1) != 0, sign = c.s.sign && i == 0, exponent = !sign && at >= c.s.mantissa;
      panel.x.bands.push_back(!weights ? "" : sign ? "sign" : exponent ? std::to_string(1 << (at - c.s.mantissa)) : "1/" + std::to_string(1 << (c.s.mantissa - at)));
      Mark& m = panel.marks.emplace_back();
      m.shape = Shape::cell;
      m.role = sign ? Role::other : exponent ? Role::compute : Role::memory;
      m.fill = on ? Fill::solid : Fill::pale;
      m.at = {{static_cast<double>(i), 0}};  // of no row: under the pointer the colors of the fields stay
      m.label = on ? "1" : "0";
      m.strong = on;
      m.sets = link(c.pattern ^ (1u << at));
    }
    panel.keys = {{Role::other, Fill::solid, "sign"}, {Role::compute, Fill::solid, "exponent"}, {Role::memory, Fill::solid, "fraction"}};
    return panel;
  }

  static std::string formula(const Scene& c) {
    const std::string sign = std::signbit(c.result) ? "\u2212" : "";
    if (c.kind == Kind::nan) return "not a number";
    if (c.kind == Kind::infinity) return sign + "infinity";
    if (c.kind == Kind::zero) return sign + "zero";
    // Both are exact: a power of two times a few bits.
    const double magnitude = std::fabs(c.result);
    const int power = c.kind == Kind::subnormal ? 1 - c.s.bias : std::ilogb(magnitude);
    return sign + digits(std::ldexp(magnitude, -power), 5) + " × " + power_of_two(power) + (c.kind == Kind::subnormal ? ", subnormal" : "");
  }

  /// The numbers around the magnitude, as patterns without their sign, and where they stand.
  Panel number_line(const Scene& c) const {
    Panel panel;
    panel.row = 1;
    panel.title = "Its neighbors";
    panel.lines = 4;
    panel.x.label = "magnitude";
    panel.x.grid = false;
    panel.y.scale = Scale::hidden;
    const Format f = chosen();
    const double magnitude = std::isfinite(c.given) ? std::fabs(c.given) : largest(f);
    const uint32_t end = encode(f, HUGE_VAL), at = std::min(encode(f, magnitude), end);
    // Three powers of two; it moves by one, so that it rests while the value is dragged.
    const int window = c.s.mantissa == 0 ? 4 : std::clamp(3 << std::min(c.s.mantissa, 4), least_window, most_window), window_step = std::max(1, window / 3);
    const auto first = static_cast<uint32_t>(std::clamp<int64_t>(int64_t{at} / window_step * window_step - window_step, 0, std::max<int64_t>(0, int64_t{end} - window + 1)));
    const uint32_t last = std::min<uint32_t>(first + window, end);
    panel.x.lo = decode(f, first);
    panel.x.hi = decode(f, last);
    // What lies beyond the largest number, with the value in it.
    if (last == end) panel.x.hi = std::max(panel.x.hi + (panel.x.hi - panel.x.lo) * 0.12, magnitude * 1.02);
    const double reader = std::clamp(magnitude, panel.x.lo, panel.x.hi);
    // What is rounded to the same number: up to halfway on both sides.
    if (std::isfinite(c.result) && c.s.sign) {
      const double below = at == 0 ? 0 : (decode(f, at - 1) + decode(f, at)) / 2, above = at == end ? panel.x.hi : (decode(f, at) + decode(f, at + 1)) / 2;
      Mark& m = panel.marks.emplace_back();
      m.role = Role::memory;
      m.fill = Fill::wash;
      m.at = {{std::clamp(below, panel.x.lo, panel.x.hi), 0}, {std::clamp(above, panel.x.lo, panel.x.hi), 0.75}};
    }
    for (uint32_t p = first; p <= last; ++p) {
      Mark& m = panel.marks.emplace_back();
      const double x = decode(f, p);
      const bool hit = p == at && std::isfinite(c.result);
      m.shape = Shape::line;
      m.role = hit ? Role::ink : kind(f, p) == Kind::subnormal || kind(f, p) == Kind::zero ? Role::faint : Role::memory;
      m.strong = hit;
      m.at = {{x, 0}, {x, kind(f, p) == Kind::normal && (p & ((1u << c.s.mantissa) - 1)) == 0 ? 0.5 : 0.34}};
      if (hit) {
        Mark& dot = panel.marks.emplace_back();
        dot.shape = Shape::dot;
        dot.role = Role::ink;
        dot.at = {{x, 0.6}};
        dot.row = format;
        dot.label = brief(x);
        dot.side = x > (panel.x.lo + panel.x.hi) / 2 ? Side::left : Side::right;
        dot.keep = 90;
      }
    }
    Mark& m = panel.marks.emplace_back();
    m.shape = Shape::dot;
    m.role = Role::accent;
    m.at = {{reader, 0.9}};
    m.row = format;
    if (!c.from_bits) m.drags = "value";
    return panel;
  }

  Panel ranges(const Scene& c) const {
    Panel panel;
    panel.row = 2;
    panel.share = 1.2;
    panel.title = "What each can hold";
    panel.lines = 10;
    panel.x = {.label = "magnitude", .lo = line_low, .hi = line_high, .scale = Scale::log};
    panel.y.scale = Scale::band;
    for (size_t i = 0; i < std::size(shown); ++i) {
      const Format f = shown[i];
      const auto y = static_cast<double>(i);
      panel.y.bands.emplace_back(spec(f).name);
      const auto bar = [&](double from, double to, Fill fill) {
        Mark& m = panel.marks.emplace_back();
        m.role = Role::memory;
        m.fill = fill;
        m.at = {{from, y + top}, {to, y + bottom}};
        m.row = static_cast<int>(i);
        m.sets = "format=" + std::string(spec(f).id) + "&bits=";
      };
      const auto within = [](double v) { return std::clamp(v, line_low, line_high); };
      if (smallest(f) < smallest_normal(f) && smallest_normal(f) > line_low) bar(within(smallest(f)), smallest_normal(f), Fill::hatch);
      bar(within(smallest_normal(f)), within(largest(f)), static_cast<int>(i) == format ? Fill::solid : Fill::pale);
      Mark& m = panel.marks.back();
      m.label = largest(f) > line_high ? digits(smallest(f), 2) + " to " + digits(largest(f), 2) : digits(largest(f));
      m.side = largest(f) > line_high ? Side::inside : Side::right;
      if (const double over = decode(f, encode(f, HUGE_VAL, rule())); !std::isfinite(over)) m.label += std::isnan(over) ? ", then NaN" : ", then ∞";
      m.keep = 10;
    }
    if (const double magnitude = std::fabs(c.given); std::isfinite(magnitude) && magnitude > 0) {
      Mark& m = panel.marks.emplace_back();
      m.shape = Shape::line;
      m.role = Role::accent;
      m.at = {{magnitude, 0}, {magnitude, static_cast<double>(std::size(shown))}};
      m.row = format;
    }
    panel.keys = {{Role::memory, Fill::solid, "normal"}, {Role::memory, Fill::hatch, "subnormal"}};
    return panel;
  }

  /// What is lost of the value, as a share of it: 1 when it becomes zero.
  static std::optional<double> relative(double given, double result) {
    if (!std::isfinite(given) || given == 0 || !std::isfinite(result)) return {};
    return std::fabs(result - given) / std::fabs(given);
  }

  double made(Format f, double given) const { return decode(f, encode(f, given, rule())); }

  Panel errors(const Scene& c) const {
    Panel panel;
    panel.row = 2;
    panel.title = "What is lost";
    panel.lines = 10;
    panel.x = {.label = "error", .unit = Unit::percent, .lo = error_low, .hi = error_high, .scale = Scale::log};
    panel.y.scale = Scale::band;
    for (size_t i = 0; i < std::size(shown); ++i) {
      const Spec& s = spec(shown[i]);
      panel.y.bands.emplace_back(s.name);
      const double result = made(shown[i], s.sign ? c.given : std::fabs(c.given)), y = static_cast<double>(i) + 0.5;
      const std::optional<double> lost = relative(s.sign ? c.given : std::fabs(c.given), result);
      Mark& m = panel.marks.emplace_back();
      m.row = static_cast<int>(i);
      m.role = static_cast<int>(i) == format ? Role::ink : Role::memory;
      if (!lost || *lost == 0) {
        m.shape = Shape::note;
        m.at = {{error_low, y}};
        m.label = lost ? "exact" : brief(result);
        m.role = Role::muted;
        m.keep = 100;
        continue;
      }
      const double x = std::clamp(*lost, error_low, error_high);
      m.shape = Shape::bar;
      m.fill = static_cast<int>(i) == format ? Fill::solid : Fill::pale;
      m.at = {{error_low, y - 0.5 + top}, {x, y - 0.5 + bottom}};
      m.label = text({*lost, Unit::percent});
      m.side = x > 1e-3 ? Side::inside : Side::right;
      if (m.side == Side::inside && m.fill == Fill::pale) m.role = Role::memory;
      m.keep = 20;
    }
    return panel;
  }

  void table(View& view, const Scene& c) const {
    constexpr struct {
      const char *id, *label;
      Unit unit = Unit::one;
      bool words = false;
    } heads[] = {{"format", "Format", Unit::one, true}, {"pattern", "Pattern", Unit::one, true}, {"value", "Becomes", Unit::one, true}, {"error", "Error", Unit::percent}, 
                 {"smallest", "Smallest"}, {"normal", "Smallest normal"}, {"largest", "Largest"}, {"beyond", "Beyond", Unit::one, true}};
    for (const auto& head : heads) {
      Column& column = view.columns.emplace_back();
      column.id = head.id;
      column.label = head.label;
      column.unit = head.unit;
      column.text = head.words;
    }
    for (size_t i = 0; i < std::size(shown); ++i) {
      const Format f = shown[i];
      const Spec& s = spec(f);
      const bool own = static_cast<int>(i) == format;
      const double given = s.sign ? c.given : std::fabs(c.given);
      const uint32_t pattern = own ? c.pattern : encode(f, given, rule());
      const std::optional<double> lost = relative(given, decode(f, pattern));
      view.cells.emplace_back(s.name);
      view.cells.emplace_back(hex(pattern, s.bits()));
      view.cells.emplace_back(brief(decode(f, pattern)));
      view.cells.push_back(lost ? Cell(*lost) : Cell());
      view.cells.emplace_back(smallest(f));
      view.cells.emplace_back(smallest_normal(f));
      view.cells.emplace_back(largest(f));
      view.cells.emplace_back(brief(decode(f, encode(f, HUGE_VAL, rule()))));
    }
  }

  void results(View& view, const Scene& c) const {
    const auto add = [&](const char* id, double v, Unit unit = Unit::one) {
      Named& out = view.out.emplace_back();
      out.id = id;
      out.num = {v, unit};
    };
    const Format f = chosen();
    add("largest", largest(f));
    add("smallest_normal", smallest_normal(f));
    add("smallest", smallest(f));
    add("numbers", static_cast<double>(finite_patterns(f) - (c.s.sign ? 1 : 0)));
    if (!std::isfinite(c.result)) {
      const std::string what = c.kind == Kind::nan ? "NaN" : c.result > 0 ? "infinity" : "minus infinity";
      view.summary = c.from_bits ? "In {format} the pattern " + hex(c.pattern, c.s.bits()) + " is " + what + "; the largest number is {largest}."
                                 : "In {format}, {value} is beyond the largest number, {largest}, and becomes " + what + ".";
    } else {
      add("result", c.result);
      add("spacing", spacing(f, c.pattern));
      const std::optional<uint32_t> up = next(f, c.pattern, true), down = next(f, c.pattern, false);
      if (up) add("above", decode(f, *up));
      if (down) add("below", decode(f, *down));
      const double given = c.s.sign ? c.given : std::fabs(c.given);
      const std::optional<double> lost = relative(given, c.result);
      if (lost) add("error", *lost, Unit::percent);
      const std::string becomes = brief(c.result);
      const std::string neighbors = up && down ? " Its neighbors are " + brief(decode(f, *down)) + " and " + brief(decode(f, *up)) + "." : up ? " Above it stands " + brief(decode(f, *up)) + "." : down ? " Below it stands " + brief(decode(f, *down)) + "." : "";
      if (c.from_bits) view.summary = "In {format} the pattern " + hex(c.pattern, c.s.bits()) + " is " + becomes + "." + neighbors;
      else if (std::fabs(given) > largest(f) && overflow == 0) view.summary = "In {format}, {value} is cut off at the largest number, " + becomes + ": an error of {error}.";
      else if (c.result == 0) view.summary = "In {format}, {value} becomes zero: half of the smallest number, {smallest}, is more.";
      else if (lost && *lost > 0) view.summary = "In {format}, " + std::string(given < 0 ? "\u2212" : "") + "{value} becomes " + becomes + ", an error of {error}." + neighbors;
      else view.summary = "{format} holds " + brief(given) + " exactly." + neighbors;
    }
    view.provenance = {{How::computed, "Exact rules, round to nearest even, as in CUDA’s cuda_fp4.h, cuda_fp6.h, cuda_fp8.h, cuda_bf16.h and cuda_fp16.h. TF32 is rounded the same way here."}};
  }
};

}  // namespace

extern const plot::Figure float_formats = plot::figure<Params>("float_formats", "One value in ten number formats", plot::Cost::instant, plot::Place::wide);

}  // namespace lk::figures
