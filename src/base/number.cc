#include "base/number.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <span>

namespace lk {
namespace {

constexpr std::string_view minus = "\u2212";
constexpr std::string_view no_break_space = "\u00A0";
constexpr std::string_view not_available = "not available";

struct Step {
  double factor;
  std::string_view unit;
};

constexpr Step byte_steps[] = {{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}, {1e15, "PB"}};
constexpr Step binary_steps[] = {{1, "B"}, {0x1p10, "KiB"}, {0x1p20, "MiB"}, {0x1p30, "GiB"}, {0x1p40, "TiB"}};
constexpr Step byte_rate_steps[] = {{1, "B/s"}, {1e3, "kB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}, {1e12, "TB/s"}};
constexpr Step flop_steps[] = {{1, "FLOP"}, {1e6, "MFLOP"}, {1e9, "GFLOP"}, {1e12, "TFLOP"}, {1e15, "PFLOP"}};
// Datasheets and figures compare rates in TFLOP/s ("1,979 TFLOP/s" beside "989 TFLOP/s"): the next prefix waits for 1e16.
constexpr Step flop_rate_steps[] = {{1, "FLOP/s"}, {1e6, "MFLOP/s"}, {1e9, "GFLOP/s"}, {1e12, "TFLOP/s"}, {1e16, "PFLOP/s"}};
constexpr Step second_steps[] = {{1e-9, "ns"}, {1e-6, "\u00B5s"}, {1e-3, "ms"}, {1, "s"}};
constexpr Step hertz_steps[] = {{1, "Hz"}, {1e3, "kHz"}, {1e6, "MHz"}, {1e9, "GHz"}};

std::span<const Step> steps_of(Unit unit) {
  switch (unit) {
    case Unit::bytes: return byte_steps;
    case Unit::binary_bytes: return binary_steps;
    case Unit::bytes_per_s: return byte_rate_steps;
    case Unit::flop: return flop_steps;
    case Unit::flop_per_s: return flop_rate_steps;
    case Unit::seconds: return second_steps;
    case Unit::hertz: return hertz_steps;
    default: return {};
  }
}

// The unit of a quantity without prefixes: {one, many}.
struct Words {
  std::string_view one, many;
};
Words words_of(Unit unit) {
  switch (unit) {
    case Unit::percent: return {"%", "%"};
    case Unit::flop_per_byte: return {"FLOP/B", "FLOP/B"};
    case Unit::watts: return {"W", "W"};
    case Unit::bits: return {"bit", "bits"};
    case Unit::elements: return {"element", "elements"};
    case Unit::threads: return {"thread", "threads"};
    case Unit::warps: return {"warp", "warps"};
    case Unit::lanes: return {"lane", "lanes"};
    case Unit::sectors: return {"sector", "sectors"};
    case Unit::tokens: return {"token", "tokens"};
    case Unit::blocks: return {"block", "blocks"};
    case Unit::steps: return {"step", "steps"};
    default: return {"", ""};
  }
}

// What a step's value is divided by: 1e16 FLOP/s are 10 PFLOP/s.
double divisor(const Step& step) { return step.factor == 1e16 ? 1e15 : step.factor; }

bool whole(double v) { return std::fabs(v - std::round(v)) <= 1e-9 * std::fabs(v); }

// Decimal digits of a positive number, rounded: value = 0.d1d2d3... * 10^exponent.
struct Decimal {
  std::string digits;  // `significant` of them, the first not '0'
  int exponent = 0;
};

Decimal decimal(double v, int significant) {
  // Fifteen digits first: they are those that people see and type (DBL_DIG), free of the binary tail.
  std::array<char, 40> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.14e", v);
  const std::string_view all(buffer.data());
  const size_t e = all.find('e');
  Decimal out;
  out.digits = all[0];
  out.digits += all.substr(2, e - 2);
  out.exponent = std::atoi(buffer.data() + e + 1) + 1;
  if (significant >= 15) return out;
  const auto keep = static_cast<size_t>(significant);
  const bool up = out.digits[keep] >= '5';
  out.digits.resize(keep);
  if (!up) return out;
  size_t i = keep;
  while (i > 0 && out.digits[i - 1] == '9') out.digits[--i] = '0';
  if (i > 0) {
    ++out.digits[i - 1];
  } else {
    out.digits.insert(out.digits.begin(), '1');
    out.digits.resize(keep);
    ++out.exponent;
  }
  return out;
}

// The value that digits() shows, as a number: decides which prefix a quantity takes.
double rounded(double v, int significant) {
  if (v == 0 || whole(v)) return std::round(v);
  const Decimal d = decimal(v, significant);
  return std::strtod(("0." + d.digits + "e" + std::to_string(d.exponent)).c_str(), nullptr);
}

std::string grouped(std::string_view whole_digits) {
  std::string out;
  for (size_t i = 0; i < whole_digits.size(); ++i) {
    if (i > 0 && (whole_digits.size() - i) % 3 == 0) out += ',';
    out += whole_digits[i];
  }
  return out;
}

void drop_trailing_zeros(std::string& s) {
  while (!s.empty() && s.back() == '0') s.pop_back();
}

size_t step_for(std::span<const Step> steps, double magnitude) {
  size_t i = 0;
  while (i + 1 < steps.size() && magnitude >= steps[i + 1].factor) ++i;
  if (i + 1 < steps.size()) {
    // 999.6 GB/s shows as 1 TB/s, not as 1,000 GB/s. Between 1000 and 1023 KiB all four digits show.
    const double here = magnitude / divisor(steps[i]);
    const double next = std::round(steps[i + 1].factor / divisor(steps[i]));
    if (rounded(here, here >= 1000 ? 4 : 3) >= next) ++i;
  }
  return i;
}

// Whole counts below a million stand in full: "1,024 B", "16,384 FLOP".
bool in_full(Unit unit, double v) {
  return (unit == Unit::bytes || unit == Unit::flop) && std::fabs(v) < 1e6 && whole(v);
}

}  // namespace

std::string_view name(How how) {
  switch (how) {
    case How::computed: return "computed";
    case How::datasheet: return "datasheet";
    case How::published: return "published";
    case How::measured: return "measured";
    case How::illustrative: return "illustrative";
  }
  return "computed";
}

std::string digits(double v, int significant) {
  if (!std::isfinite(v)) return std::string(not_available);
  if (v == 0) return "0";
  if (significant < 1) significant = 1;
  if (significant > 15) significant = 15;
  std::string out;
  if (v < 0) out = minus;
  const double magnitude = std::fabs(v);
  if (magnitude < 1e15 && whole(magnitude)) {
    return out + grouped(std::to_string(static_cast<int64_t>(std::round(magnitude))));
  }
  Decimal d = decimal(magnitude, significant);
  if (magnitude >= 1e15 || d.exponent < -3) {
    std::string tail = d.digits.substr(1);
    drop_trailing_zeros(tail);
    out += d.digits[0];
    if (!tail.empty()) out += '.' + tail;
    return out + 'e' + std::to_string(d.exponent - 1);
  }
  if (d.exponent <= 0) {
    drop_trailing_zeros(d.digits);
    return out + "0." + std::string(static_cast<size_t>(-d.exponent), '0') + d.digits;
  }
  const auto point = static_cast<size_t>(d.exponent);
  if (d.digits.size() <= point) {
    d.digits.append(point - d.digits.size(), '0');
    return out + grouped(d.digits);
  }
  std::string tail = d.digits.substr(point);
  drop_trailing_zeros(tail);
  out += grouped(std::string_view(d.digits).substr(0, point));
  if (!tail.empty()) out += '.' + tail;
  return out;
}

Parts parts(const Num& n) {
  if (!std::isfinite(n.v)) return {std::string(not_available), ""};
  const std::span<const Step> steps = steps_of(n.unit);
  if (!steps.empty()) {
    size_t i = 0;
    if (n.v == 0) {
      while (steps[i].factor < 1) ++i;  // "0 s", not "0 ns"
    } else if (!in_full(n.unit, n.v)) {
      i = step_for(steps, std::fabs(n.v));
    }
    const double shown = n.v / divisor(steps[i]);
    const int significant = n.unit == Unit::binary_bytes && std::fabs(shown) >= 1000 ? 4 : 3;
    return {digits(shown, significant), std::string(steps[i].unit)};
  }
  const std::string d = digits(n.unit == Unit::percent ? n.v * 100 : n.v);
  const Words words = words_of(n.unit);
  return {d, std::string(d == "1" ? words.one : words.many)};
}

std::string text(const Num& n) {
  Parts p = parts(n);
  if (p.unit.empty()) return p.digits;
  if (n.unit != Unit::percent) p.digits += no_break_space;
  return p.digits + p.unit;
}

Scaled scaled(Unit unit, double largest) {
  if (unit == Unit::percent) return {0.01, "%"};
  const std::span<const Step> steps = steps_of(unit);
  if (steps.empty()) return {1, words_of(unit).many};
  const double magnitude = std::fabs(largest);
  if (!std::isfinite(largest) || magnitude == 0) {
    for (const Step& step : steps)
      if (step.factor == 1) return {1, step.unit};
  }
  if (in_full(unit, largest)) return {1, steps[0].unit};
  const Step& step = steps[step_for(steps, magnitude)];
  return {divisor(step), step.unit};
}

std::string plain(double v) {
  if (v == 0 || !std::isfinite(v)) return v == 0 ? "0" : "";
  if (std::fabs(v) < 1e15 && v == std::round(v)) return std::to_string(static_cast<int64_t>(v));
  std::array<char, 40> buffer{};
  // Up to fifteen digits "%.15g" prints the shortest form; subnormal numbers have fewer digits to give.
  const bool subnormal = std::fabs(v) < 0x1p-1022;
  for (int precision = subnormal ? 1 : 15; precision < 17; ++precision) {
    std::snprintf(buffer.data(), buffer.size(), "%.*g", precision, v);
    if (std::strtod(buffer.data(), nullptr) == v) return buffer.data();
  }
  std::snprintf(buffer.data(), buffer.size(), "%.17g", v);
  return buffer.data();
}

}  // namespace lk
