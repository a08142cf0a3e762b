// f16 (IEEE binary16) and bf16 (the upper half of a binary32), converted exactly and rounded to nearest even. A NaN becomes 0x7FFF, as
// cuda_fp16.h and cuda_bf16.h make it.
#pragma once
#include <cstdint>

namespace lk::simt {

inline uint32_t float_bits(float x) { return __builtin_bit_cast(uint32_t, x); }
inline float bits_float(uint32_t x) { return __builtin_bit_cast(float, x); }
inline uint64_t double_bits(double x) { return __builtin_bit_cast(uint64_t, x); }
inline double bits_double(uint64_t x) { return __builtin_bit_cast(double, x); }

/// The float nearest to x, but with its last bit set when x is none: rounding that again to a narrower format gives what rounding x would
/// have given (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008).
inline float round_to_odd(double x) {
  const float f = static_cast<float>(x);
  const double back = static_cast<double>(f);
  if (back == x || x != x) return f;
  uint32_t bits = float_bits(f);
  if ((back > x) == (x > 0)) --bits;  // away from zero: back to the neighbor below
  return bits_float(bits | 1);
}

struct F16 {
  static float wide(uint32_t half) {
    const uint32_t rest = half & 0x7FFF, sign = (half & 0x8000) << 16;
    const uint32_t normal = float_bits(bits_float(rest << 13) * 0x1p112f);
    return bits_float((rest >= 0x7C00 ? rest << 13 | 0x7F800000 : normal) | sign);
  }
  static uint32_t narrow(float x) {
    const uint32_t bits = float_bits(x), rest = bits & 0x7FFFFFFF, sign = bits >> 16 & 0x8000;
    const uint32_t small = float_bits(bits_float(rest) + 0.5f) - 0x3F000000;  // the last bit of 0.5 is that of the subnormals
    const uint32_t normal = (rest + 0xFFF + (rest >> 13 & 1) - 0x38000000) >> 13;
    const uint32_t value = rest >= 0x47800000 ? 0x7C00 : rest < 0x38800000 ? small : normal;
    return rest > 0x7F800000 ? 0x7FFF : value | sign;
  }
};

struct BF16 {
  static float wide(uint32_t half) { return bits_float(half << 16); }
  static uint32_t narrow(float x) {
    const uint32_t bits = float_bits(x);
    return (bits & 0x7FFFFFFF) > 0x7F800000 ? 0x7FFF : (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
  }
};

/// a * b + c for values whose product a double holds exactly (floats and narrower), rounded to odd: see round_to_odd.
inline double fma_to_odd(double a, double b, double c) {
  const double product = a * b, sum = product + c;
  const double part = sum - product, error = (product - (sum - part)) + (c - part);
  const uint64_t bits = double_bits(sum);
  if (error == 0 || error != error || (bits & 1)) return sum;
  return bits_double((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

}  // namespace lk::simt
