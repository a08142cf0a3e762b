#include "numerics/format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lk::numerics {
namespace {

constexpr std::array<Spec, format_count> specs{{{Format::e4m3, "e4m3", "E4M3", 4, 3, 7, Specials::nan},
                                                {Format::e5m2, "e5m2", "E5M2", 5, 2, 15, Specials::ieee},
                                                {Format::e3m2, "e3m2", "E3M2", 3, 2, 3, Specials::none},
                                                {Format::e2m3, "e2m3", "E2M3", 2, 3, 1, Specials::none},
                                                {Format::e2m1, "e2m1", "E2M1", 2, 1, 1, Specials::none},
                                                {Format::e8m0, "e8m0", "E8M0", 8, 0, 127, Specials::nan, false},
                                                {Format::bf16, "bf16", "BF16", 8, 7, 127, Specials::ieee},
                                                {Format::fp16, "fp16", "FP16", 5, 10, 15, Specials::ieee},
                                                {Format::tf32, "tf32", "TF32", 8, 10, 127, Specials::ieee},
                                                {Format::fp32, "fp32", "FP32", 8, 23, 127, Specials::ieee}}};

constexpr int double_mantissa = 52, double_bias = 1023;

// Patterns without their sign.
constexpr uint32_t ones(const Spec& s) { return (1u << (s.exponent + s.mantissa)) - 1; }
constexpr uint32_t infinity_of(const Spec& s) { return ((1u << s.exponent) - 1) << s.mantissa; }
constexpr uint32_t largest_of(const Spec& s) {
  return s.specials == Specials::ieee ? infinity_of(s) - 1 : s.specials == Specials::nan ? ones(s) - 1 : ones(s);
}

uint32_t beyond(const Spec& s, Overflow overflow) {
  if (overflow == Overflow::saturate) return largest_of(s);
  return s.specials == Specials::ieee ? infinity_of(s) : s.specials == Specials::nan ? ones(s) : largest_of(s);
}

}  // namespace

const Spec& spec(Format format) { return specs[static_cast<size_t>(format)]; }

std::optional<Format> find_format(std::string_view id) {
  for (const Spec& s : specs)
    if (id == s.id) return s.format;
  return {};
}

Kind kind(Format format, uint32_t bits) {
  const Spec& s = spec(format);
  const uint32_t magnitude = bits & ones(s);
  if (magnitude > largest_of(s)) return s.specials == Specials::ieee && magnitude == infinity_of(s) ? Kind::infinity : Kind::nan;
  if (!s.sign || magnitude >> s.mantissa != 0) return Kind::normal;
  return magnitude == 0 ? Kind::zero : Kind::subnormal;
}

double decode(Format format, uint32_t bits) {
  const Spec& s = spec(format);
  const Kind k = kind(format, bits);
  const bool negative = (bits & s.sign_bit()) != 0;
  double magnitude = 0;
  if (k == Kind::nan) return std::numeric_limits<double>::quiet_NaN();
  if (k == Kind::infinity) {
    magnitude = std::numeric_limits<double>::infinity();
  } else {
    const uint32_t field = (bits & ones(s)) >> s.mantissa, fraction = bits & ((1u << s.mantissa) - 1);
    const bool normal = k == Kind::normal;
    const int exponent = (normal ? static_cast<int>(field) : 1) - s.bias - s.mantissa;
    magnitude = std::ldexp(static_cast<double>(fraction + (normal ? 1u << s.mantissa : 0)), exponent);
  }
  return negative ? -magnitude : magnitude;
}

uint32_t encode(Format format, double value, Overflow overflow) {
  const Spec& s = spec(format);
  if (!s.sign) return encode_scale(value, Toward::down, overflow);
  const auto raw = __builtin_bit_cast(uint64_t, value);
  if (std::isnan(value)) return s.specials == Specials::none ? largest_of(s) : ones(s);
  const uint32_t sign = raw >> 63 != 0 ? s.sign_bit() : 0;
  if (std::isinf(value)) return sign | beyond(s, overflow);
  const int field = static_cast<int>(raw >> double_mantissa & 0x7FF);
  if (field == 0) return sign;  // zero, and doubles far below every format
  const uint64_t significand = (raw & ((uint64_t{1} << double_mantissa) - 1)) | uint64_t{1} << double_mantissa;
  const int exponent = std::max(field - double_bias, 1 - s.bias);
  // Bits that the format has no room for; below the smallest normal number one more for each halving.
  const int dropped = double_mantissa - s.mantissa + exponent - (field - double_bias);
  if (dropped > double_mantissa + 1) return sign;  // less than half of the smallest number
  const uint64_t half = uint64_t{1} << (dropped - 1), rest = significand & (2 * half - 1);
  uint64_t kept = significand >> dropped;
  if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  // The leading one adds itself to the exponent's field, and so does a carry.
  const uint64_t magnitude = (static_cast<uint64_t>(exponent + s.bias - 1) << s.mantissa) + kept;
  return sign | (magnitude > largest_of(s) ? beyond(s, overflow) : static_cast<uint32_t>(magnitude));
}

uint8_t encode_scale(double value, Toward toward, Overflow overflow) {
  constexpr int bias = 127, nan = 0xFF, most = 0xFE;
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return nan;
  const int too_large = overflow == Overflow::saturate ? most : nan;
  if (std::isinf(value)) return static_cast<uint8_t>(too_large);
  if (!(magnitude > 0x1.0p-127)) return 0;
  int power = std::ilogb(magnitude);
  if (toward == Toward::up && std::ldexp(1.0, power) < magnitude) ++power;
  return static_cast<uint8_t>(power + bias > most ? too_large : power + bias);
}

double largest(Format format) { return decode(format, largest_of(spec(format))); }
double smallest_normal(Format format) { return spec(format).sign ? decode(format, 1u << spec(format).mantissa) : decode(format, 0); }
double smallest(Format format) { return decode(format, spec(format).sign ? 1 : 0); }
int emax(Format format) { return std::ilogb(largest(format)); }

uint64_t finite_patterns(Format format) {
  const Spec& s = spec(format);
  return (uint64_t{largest_of(s)} + 1) * (s.sign ? 2 : 1);
}

std::optional<uint32_t> next(Format format, uint32_t bits, bool up) {
  const Spec& s = spec(format);
  const bool negative = (bits & s.sign_bit()) != 0;
  const uint32_t magnitude = bits & ones(s);
  if (magnitude > largest_of(s)) return {};
  if (magnitude == 0 && s.sign) return up ? 1 : s.sign_bit() | 1;
  if (up != negative) {
    if (magnitude == largest_of(s)) return {};
    return (bits & s.sign_bit()) | (magnitude + 1);
  }
  if (magnitude == 0) return {};
  return (bits & s.sign_bit()) | (magnitude - 1);
}

double spacing(Format format, uint32_t bits) {
  const Spec& s = spec(format);
  const int field = static_cast<int>((bits & ones(s)) >> s.mantissa);
  return std::ldexp(1.0, (s.sign ? std::max(field, 1) : field) - s.bias - s.mantissa);
}

}  // namespace lk::numerics
