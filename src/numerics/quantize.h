// Tensors in few bits: numbers, the scale that groups of them share, and what is lost. All casts saturate. Elements that are not
// finite count for no scale (but see mx()).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "numerics/format.h"

namespace lk::numerics {

constexpr size_t mx_block = 32, nvfp4_block = 16;

/// Elements that share a scale.
struct Group {
  size_t first = 0, count = 0;
  float amax = 0;        // largest magnitude among them
  float scale = 1;       // what their numbers are multiplied with
  uint32_t scale_bits = 0;  // as stored: E8M0 (MX), E4M3 (NVFP4), else the bits of the float
};

struct Quantized {
  std::vector<uint32_t> codes;  // integers: two's complement in 32 bits
  std::vector<float> values;    // what the codes and scales give back, in FP32 arithmetic
  std::vector<Group> groups;
  float tensor_scale = 1;       // NVFP4: on top of the scales of the groups
  double bits = 0;              // per element, scales included
  size_t clipped = 0;           // elements that round beyond the largest number and were cut off there
};

/// Cast as they are, without a scale.
Quantized direct(Format format, std::span<const float> x);

/// A float scale for each `group` elements (0: one for all): scale = amax / largest(format), codes = encode(x / scale).
/// A group of zeros has the scale 1. This is "current scaling" of NVIDIA's Transformer Engine.
Quantized scaled(Format format, std::span<const float> x, size_t group = 0);

/// Blocks of 32 with an E8M0 scale (OCP Microscaling Formats 1.0, section 6.3): the largest power of two that is not above amax,
/// divided by the one of the format, so the exponent is floor(log2(amax)) - emax(format); codes = encode(x / scale), saturating.
/// `format` is E4M3, E5M2, E3M2, E2M3 or E2M1. The specification leaves two cases open: here a block of zeros has the scale 2^-127,
/// and one with a NaN or an infinity the scale NaN, which makes all of it NaN.
Quantized mx(Format format, std::span<const float> x);

/// Blocks of 16 in E2M1 with an E4M3 scale and one float scale for all (NVIDIA, "Pretraining Large Language Models with NVFP4", 2025):
/// g = amax / (6 * 448), s = E4M3(amax of the block / 6 / g), codes = E2M1(x / (s * g)). Zeros: g = 1 and s = 0.
Quantized nvfp4(std::span<const float> x);

/// Integers of `bits` (2 to 16) symmetric about zero: scale = amax / (2^(bits-1) - 1), codes = x / scale to the nearest, halves to even.
/// The most negative code stays unused. A group of zeros has the scale 1. `group` as in scaled().
Quantized integers(int bits, std::span<const float> x, size_t group = 0);

/// What quantization did to x. Elements that are not finite are left out.
struct Errors {
  double rms = 0;       // root of the mean square of (x' - x)
  double relative = 0;  // rms over the rms of x; 0 when x is zero
  double largest = 0;   // |x' - x|
  double decibels = 0;  // signal to quantization noise, 20 log10(1 / relative); 0 when there is no error
  size_t zeroed = 0;    // not zero before, zero after
};
Errors errors(std::span<const float> x, std::span<const float> quantized);

}  // namespace lk::numerics
