#include "numerics/quantize.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "base/random.h"

using namespace lk;
using namespace lk::numerics;

namespace {

constexpr Format mx_formats[] = {Format::e4m3, Format::e5m2, Format::e3m2, Format::e2m3, Format::e2m1};

/// Magnitudes over many binades, a few zeros among them.
std::vector<float> spread(uint64_t seed, size_t n, int from, int to) {
  Random random(seed);
  std::vector<float> x;
  for (size_t i = 0; i < n; ++i) {
    const int e = from + static_cast<int>(random.below(static_cast<uint32_t>(to - from)));
    const double v = std::ldexp(1 + random.unit(), e) * (random.below(2) == 0 ? 1 : -1);
    x.push_back(random.below(16) == 0 ? 0.0f : static_cast<float>(v));
  }
  return x;
}

}  // namespace

TEST_CASE("quantize: a block of MXFP4 by hand") {
  // amax 10: floor(log2 10) - 2 = 1, scale 2.
  const std::vector<float> x{10, -5, 3, 0.4f, 0.5f, 1, 13, 0};
  const Quantized q = mx(Format::e2m1, std::span(x).first(6));
  REQUIRE(q.groups.size() == 1);
  CHECK(q.groups[0].scale == 2);
  CHECK(q.groups[0].scale_bits == 128);
  CHECK(q.values == std::vector<float>{8, -4, 3, 0, 0, 1});  // 10/2 = 5, a tie between 4 and 6; 0.5/2 is a tie between 0 and 0.5
  // amax 13: the same scale, and 6.5 goes to 6. With 15 it is cut off: 7.5 would round to 8.
  CHECK(mx(Format::e2m1, x).values[6] == 12);
  CHECK(mx(Format::e2m1, x).clipped == 0);
  const std::vector<float> cut{15};
  CHECK(mx(Format::e2m1, cut).values[0] == 12);
  CHECK(mx(Format::e2m1, cut).clipped == 1);
}

TEST_CASE("quantize: the shared exponent is floor(log2 amax) - emax, and the elements are the nearest") {
  for (const Format format : mx_formats) {
    INFO(spec(format).id);
    const std::vector<float> x = spread(3, 32 * 200 + 7, -40, 40);
    const Quantized q = mx(format, x);
    CHECK(q.groups.size() == 201);
    CHECK(q.codes.size() == x.size());
    size_t wrong = 0;
    for (const Group& g : q.groups) {
      CHECK(g.count == (g.first + 32 <= x.size() ? 32 : 7));
      float amax = 0;
      for (size_t i = 0; i < g.count; ++i) amax = std::max(amax, std::fabs(x[g.first + i]));
      int power = 0;  // by halving and doubling
      float p = 1;
      while (p * 2 <= amax) p *= 2, ++power;
      while (p > amax) p /= 2, --power;
      wrong += static_cast<int>(g.scale_bits) - 127 != power - emax(format);
      wrong += g.scale != std::ldexp(1.0f, power - emax(format));
      for (size_t i = g.first; i < g.first + g.count; ++i) {
        wrong += q.codes[i] != encode(format, static_cast<double>(x[i]) / g.scale);
        wrong += q.values[i] != static_cast<float>(decode(format, q.codes[i]) * g.scale);
        // No element loses more than a spacing of its own, or what is above the largest number.
        const double most = largest(format) * g.scale;
        if (std::fabs(x[i]) <= most) wrong += std::fabs(q.values[i] - x[i]) > spacing(format, q.codes[i]) * g.scale;
      }
    }
    CHECK(wrong == 0);
    CHECK(q.bits == spec(format).bits() + 8.0 * 201 / static_cast<double>(x.size()));
  }
}

TEST_CASE("quantize: MX at the ends of its scale, with zeros and without numbers") {
  const std::vector<float> zeros(32, 0.0f);
  CHECK(mx(Format::e4m3, zeros).groups[0].scale_bits == 0);
  CHECK(mx(Format::e4m3, zeros).values == zeros);
  std::vector<float> tiny(32, 0.0f);
  tiny[3] = 0x1p-126f;
  CHECK(mx(Format::e5m2, tiny).groups[0].scale_bits == 0);  // -126 - 15 is below E8M0
  CHECK(mx(Format::e5m2, tiny).values[3] == tiny[3]);
  std::vector<float> x(64, 1.0f);
  x[5] = std::numeric_limits<float>::infinity();
  const Quantized q = mx(Format::e4m3, x);
  CHECK(q.groups[0].scale_bits == 0xFF);
  CHECK(std::isnan(q.values[0]));
  CHECK(q.values[32] == 1);  // the other block stays
  CHECK(mx(Format::e4m3, {}).codes.empty());
}

TEST_CASE("quantize: NVFP4 by hand and by its formulas") {
  // Tensor amax 2688 = 6 * 448: g = 1. The second block's amax 7 asks for a scale of 7/6, E4M3 gives 1.125.
  std::vector<float> x(32, 0.0f);
  x[0] = 2688;
  x[1] = 448;
  x[16] = 7;
  x[17] = 1;
  const Quantized q = nvfp4(x);
  CHECK(q.tensor_scale == 1);
  CHECK(q.groups[0].scale == 448);
  CHECK(q.groups[1].scale == 1.125f);
  CHECK(q.values[0] == 2688);
  CHECK(q.values[1] == 448);
  CHECK(q.values[16] == 6.75f);
  CHECK(q.values[17] == 1.125f);
  CHECK(q.bits == 4 + 8 / 16.0 + 1);

  const std::vector<float> y = spread(9, 16 * 300, -12, 6);
  const Quantized r = nvfp4(y);
  float amax = 0;
  for (const float v : y) amax = std::max(amax, std::fabs(v));
  const float g = amax / (6.0f * 448.0f);
  CHECK(r.tensor_scale == g);
  size_t wrong = 0;
  for (const Group& group : r.groups) {
    const uint32_t s = encode(Format::e4m3, group.amax / 6.0f / g);
    wrong += group.scale_bits != s || group.count != 16;
    const float both = static_cast<float>(decode(Format::e4m3, s)) * g;
    for (size_t i = group.first; i < group.first + group.count; ++i)
      wrong += r.codes[i] != (both > 0 ? encode(Format::e2m1, y[i] / both) : 0u) ||
               r.values[i] != static_cast<float>(decode(Format::e2m1, r.codes[i])) * both;
  }
  CHECK(wrong == 0);
  const std::vector<float> zeros(20, 0.0f);
  CHECK(nvfp4(zeros).values == zeros);
  // A block so far below the largest element that its scale rounds to zero.
  std::vector<float> lost(32, 1e-4f);
  lost[0] = 2688;
  CHECK(nvfp4(lost).values[20] == 0);
  CHECK(errors(lost, nvfp4(lost).values).zeroed == 31);
}

TEST_CASE("quantize: a scale for all, for rows, for none") {
  const std::vector<float> x{1e-3f, -2e-3f, 3e-3f, 4e-3f, 1000, 100, 10, 1};
  const Quantized none = direct(Format::e4m3, x);
  CHECK(none.clipped == 1);
  CHECK(none.values[4] == 448);
  CHECK(none.values[0] == 0x1p-9f);  // 0.001 lies above the middle between 0 and 2^-9
  const Quantized all = scaled(Format::e4m3, x);
  CHECK(all.groups.size() == 1);
  CHECK(all.groups[0].scale == 1000.0f / 448);
  CHECK(all.clipped == 0);
  CHECK(all.values[4] == 448 * (1000.0f / 448));
  CHECK(errors(x, all.values).zeroed == 2);  // below half of 2^-9 after the division
  const Quantized rows = scaled(Format::e4m3, x, 4);
  CHECK(rows.groups.size() == 2);
  CHECK(rows.groups[0].scale == 4e-3f / 448);
  CHECK(rows.groups[1].scale == 1000.0f / 448);
  CHECK(errors(x, rows.values).zeroed == 0);
  for (size_t i = 0; i < 4; ++i) CHECK(std::fabs(rows.values[i] - x[i]) <= std::fabs(x[i]) / 16);
  CHECK(std::equal(rows.values.begin() + 4, rows.values.end(), all.values.begin() + 4));
  CHECK(scaled(Format::e4m3, std::vector<float>(4, 0.0f)).values == std::vector<float>(4, 0.0f));
  CHECK(all.bits == 8 + 32 / 8.0);
}

TEST_CASE("quantize: symmetric integers") {
  const std::vector<float> x{127, -127, 63.5f, 64.5f, -0.5f, 1.5f, 0};
  const Quantized q = integers(8, x);
  CHECK(q.groups[0].scale == 1);
  std::vector<int> codes;
  for (const uint32_t c : q.codes) codes.push_back(static_cast<int32_t>(c));
  CHECK(codes == std::vector<int>{127, -127, 64, 64, 0, 2, 0});
  const Quantized four = integers(4, x);
  CHECK(four.groups[0].scale == 127.0f / 7);
  CHECK(static_cast<int32_t>(four.codes[0]) == 7);
  CHECK(static_cast<int32_t>(four.codes[1]) == -7);
  for (int bits = 2; bits <= 16; ++bits) {
    const std::vector<float> y = spread(static_cast<uint64_t>(bits), 500, -6, 3);
    const Quantized r = integers(bits, y, 50);
    CHECK(r.groups.size() == 10);
    size_t wrong = 0;
    for (const Group& g : r.groups)
      for (size_t i = g.first; i < g.first + g.count; ++i) {
        const int32_t most = (1 << (bits - 1)) - 1, code = static_cast<int32_t>(r.codes[i]);
        wrong += code > most || code < -most;
        wrong += std::fabs(r.values[i] - y[i]) > g.scale * 0.50001f;
      }
    CHECK(wrong == 0);
  }
}

TEST_CASE("quantize: what is lost, as numbers") {
  const std::vector<float> x{3, 4, 0, 1}, y{3, 3, 0, 0};
  const Errors e = errors(x, y);
  CHECK(e.rms == std::sqrt(2 / 4.0));
  CHECK(e.relative == std::sqrt(2 / 26.0));
  CHECK(e.largest == 1);
  CHECK(e.zeroed == 1);
  CHECK(std::fabs(e.decibels - 10 * std::log10(13.0)) < 1e-12);
  CHECK(errors(x, x).decibels == 0);
  CHECK(errors({}, {}).rms == 0);
}
