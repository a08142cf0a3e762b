// Numbers, units and how both become text. This is the only place that turns a quantity into words.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lk {

/// SI base of a quantity. Rates and times pick a prefix when printed; counts and ratios do not.
enum class Unit : uint8_t {
  one,             // plain number
  percent,         // a ratio, 0.125 prints "12.5%"
  bytes,           // 1,024 B while exact and below 1e6, then kB, MB, GB
  binary_bytes,    // B, KiB, MiB, GiB
  bytes_per_s,     // GB/s, TB/s
  flop,            // FLOP, GFLOP, TFLOP
  flop_per_s,      // TFLOP/s
  flop_per_byte,   // FLOP/B
  seconds,         // ns, us (with the micro sign), ms, s
  hertz,           // MHz, GHz
  watts,
  bits,
  elements,        // "2 elements", "1 element"
  threads,
  warps,
  lanes,
  sectors,
  tokens,
  blocks,
  steps,
};

/// How a number was obtained; every figure prints it.
enum class How : uint8_t { computed, datasheet, published, measured, illustrative };

std::string_view name(How how);

struct Num {
  double v = 0;
  Unit unit = Unit::one;
  How how = How::computed;
};

/// Three significant digits ("4.8", "57.6", "206", "0.0833"); whole numbers in full with thousands separators ("4,096").
/// Halves round away from zero, judged by the decimal digits people see (1.555 gives "1.56"). From 1e15 on and below 1e-4
/// a power of ten is written ("8.33e-5"). Minus is U+2212. Non-finite values print as "not available".
std::string digits(double v, int significant = 3);

/// Digits and unit: "4.80 TB/s" prints "4.8 TB/s"; "1 sector", "8 sectors"; "12.5%". The space is U+00A0.
std::string text(const Num& n);

/// The same in two parts, for stat rows and axes: {"4.8", "TB/s"}.
struct Parts {
  std::string digits, unit;
};
Parts parts(const Num& n);

/// The unit alone as an axis label shows it when values are divided by `scale(unit, largest)`.
struct Scaled {
  double divide;      // divide values by this
  std::string_view unit;  // and label them so, "" for plain numbers
};
Scaled scaled(Unit unit, double largest);

/// A number as it stands in links, JSON and the command line: fewest digits that read back the same ("0.1", "1e+20").
std::string plain(double v);

/// Reads what plain() writes, what digits() prints and what a person types: "1.5", "1,5" (decimal comma), "1 000", "1e3",
/// "4,096", "1,000.5", "1.000,5". Empty when it is no finite number.
/// One comma is a thousands separator only where digits() would put it (one to three digits that are not zero before it and
/// exactly three behind: "4,096"), else the decimal sign; "0,125" is an eighth. One point is always the decimal sign.
/// When both occur, the last one is the decimal sign. Groups of three may be parted by spaces or apostrophes.
std::optional<double> read_number(std::string_view text);

}  // namespace lk
