#include "numerics/format.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"

using namespace lk;
using namespace lk::numerics;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

std::vector<Format> formats() {
  std::vector<Format> all;
  for (size_t i = 0; i < format_count; ++i) all.push_back(static_cast<Format>(i));
  return all;
}

bool same(double a, double b) { return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b)); }

/// The finite numbers of a format below 2^20 patterns, ascending, without the negative zero.
struct Known {
  double value;
  uint32_t bits;
};
std::vector<Known> numbers(Format format) {
  std::vector<Known> out;
  for (uint32_t bits = 0; bits <= spec(format).patterns_end(); ++bits) {
    const Kind k = kind(format, bits);
    if (k == Kind::nan || k == Kind::infinity || (k == Kind::zero && bits != 0)) continue;
    out.push_back({decode(format, bits), bits});
  }
  std::sort(out.begin(), out.end(), [](const Known& a, const Known& b) { return a.value < b.value; });
  return out;
}

/// Nearest to x by looking at both neighbors; of two equally near ones the pattern that ends in 0.
uint32_t nearest(const std::vector<Known>& all, double x) {
  const auto above = std::lower_bound(all.begin(), all.end(), x, [](const Known& k, double v) { return k.value < v; });
  if (above == all.end()) return all.back().bits;
  if (above == all.begin() || above->value == x) return above->bits;
  const Known& below = *(above - 1);
  // Values and their differences are exact: they have far fewer bits than a double.
  const double up = above->value - x, down = x - below.value;
  if (up != down) return up < down ? above->bits : below.bits;
  return (above->bits & 1) == 0 ? above->bits : below.bits;
}

}  // namespace

TEST_CASE("formats: the limits that their definitions print") {
  struct Row {
    Format format;
    int bits;
    double largest, normal, smallest;
    int emax;
    uint64_t finite;
  };
  const Row rows[] = {{Format::e4m3, 8, 448, 0x1p-6, 0x1p-9, 8, 254},
                      {Format::e5m2, 8, 57344, 0x1p-14, 0x1p-16, 15, 248},
                      {Format::e3m2, 6, 28, 0x1p-2, 0x1p-4, 4, 64},
                      {Format::e2m3, 6, 7.5, 1, 0.125, 2, 64},
                      {Format::e2m1, 4, 6, 1, 0.5, 2, 16},
                      {Format::e8m0, 8, 0x1p127, 0x1p-127, 0x1p-127, 127, 255},
                      {Format::bf16, 16, 0x1.FEp127, 0x1p-126, 0x1p-133, 127, 65280},
                      {Format::fp16, 16, 65504, 0x1p-14, 0x1p-24, 15, 63488},
                      {Format::tf32, 19, 0x1.FFCp127, 0x1p-126, 0x1p-136, 127, 522240},
                      {Format::fp32, 32, std::numeric_limits<float>::max(), 0x1p-126, 0x1p-149, 127, 4278190080u}};
  CHECK(std::size(rows) == format_count);
  for (const Row& r : rows) {
    INFO(spec(r.format).id);
    CHECK(spec(r.format).bits() == r.bits);
    CHECK(largest(r.format) == r.largest);
    CHECK(smallest_normal(r.format) == r.normal);
    CHECK(smallest(r.format) == r.smallest);
    CHECK(emax(r.format) == r.emax);
    CHECK(finite_patterns(r.format) == r.finite);
    CHECK(find_format(spec(r.format).id) == r.format);
  }
  CHECK_FALSE(find_format("e4m4"));
}

TEST_CASE("formats: whole tables of the small ones") {
  const double e2m1[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (uint32_t bits = 0; bits < 8; ++bits) {
    CHECK(same(decode(Format::e2m1, bits), e2m1[bits]));
    CHECK(same(decode(Format::e2m1, bits | 8), -e2m1[bits]));
  }
  for (uint32_t bits = 0; bits < 32; ++bits) {
    const double e2m3 = bits < 8 ? bits / 8.0 : (8 + bits % 8) / 8.0 * std::pow(2.0, bits / 8 - 1.0);
    const double e3m2 = bits < 4 ? bits / 16.0 : (4 + bits % 4) / 16.0 * std::pow(2.0, bits / 4 - 1.0);
    CHECK(decode(Format::e2m3, bits) == e2m3);
    CHECK(decode(Format::e3m2, bits) == e3m2);
    CHECK(decode(Format::e2m3, bits | 32) == -e2m3);
    CHECK(decode(Format::e3m2, bits | 32) == -e3m2);
  }
}

TEST_CASE("formats: what stands for infinity and for what is no number") {
  CHECK(kind(Format::e4m3, 0x7E) == Kind::normal);
  CHECK(kind(Format::e4m3, 0x7F) == Kind::nan);
  CHECK(kind(Format::e4m3, 0xFF) == Kind::nan);
  CHECK(kind(Format::e5m2, 0x7B) == Kind::normal);
  CHECK(kind(Format::e5m2, 0x7C) == Kind::infinity);
  CHECK(decode(Format::e5m2, 0xFC) == -inf);
  for (const uint32_t bits : {0x7D, 0x7E, 0x7F, 0xFD, 0xFE, 0xFF}) CHECK(kind(Format::e5m2, bits) == Kind::nan);
  CHECK(kind(Format::e8m0, 0xFF) == Kind::nan);
  CHECK(kind(Format::e8m0, 0) == Kind::normal);
  CHECK(decode(Format::bf16, 0x7F80) == inf);
  CHECK(kind(Format::bf16, 0x7F81) == Kind::nan);
  CHECK(decode(Format::fp16, 0xFC00) == -inf);
  for (const Format f : {Format::e3m2, Format::e2m3, Format::e2m1})
    for (uint32_t bits = 0; bits <= spec(f).patterns_end(); ++bits) CHECK(std::isfinite(decode(f, bits)));

  struct Row {
    Format format;
    uint32_t no_number, above, below;  // special
    uint32_t most;               // saturated
  };
  const Row rows[] = {{Format::e4m3, 0x7F, 0x7F, 0xFF, 0x7E},         {Format::e5m2, 0x7F, 0x7C, 0xFC, 0x7B},
                      {Format::e3m2, 0x1F, 0x1F, 0x3F, 0x1F},         {Format::e2m3, 0x1F, 0x1F, 0x3F, 0x1F},
                      {Format::e2m1, 0x7, 0x7, 0xF, 0x7},             {Format::bf16, 0x7FFF, 0x7F80, 0xFF80, 0x7F7F},
                      {Format::fp16, 0x7FFF, 0x7C00, 0xFC00, 0x7BFF}, {Format::tf32, 0x3FFFF, 0x3FC00, 0x7FC00, 0x3FBFF}};
  for (const Row& r : rows) {
    INFO(spec(r.format).id);
    for (const double far : {1e300, inf}) {
      CHECK(encode(r.format, far, Overflow::special) == r.above);
      CHECK(encode(r.format, -far, Overflow::special) == r.below);
      CHECK(encode(r.format, far) == r.most);
      CHECK(encode(r.format, -far) == (r.most | spec(r.format).sign_bit()));
    }
    for (const Overflow o : {Overflow::saturate, Overflow::special})
      for (const double x : {no_number, -no_number}) CHECK(encode(r.format, x, o) == r.no_number);
  }
}

TEST_CASE("formats: where overflow begins") {
  // Halfway to the number that would come next: to even, which is down only in E4M3.
  CHECK(encode(Format::e4m3, 464, Overflow::special) == 0x7E);
  CHECK(encode(Format::e4m3, std::nextafter(464, 500), Overflow::special) == 0x7F);
  CHECK(encode(Format::e5m2, 61440, Overflow::special) == 0x7C);
  CHECK(encode(Format::e5m2, std::nextafter(61440, 0), Overflow::special) == 0x7B);
  CHECK(encode(Format::fp16, 65520, Overflow::special) == 0x7C00);
  CHECK(encode(Format::fp16, std::nextafter(65520, 0), Overflow::special) == 0x7BFF);
}

TEST_CASE("formats: every pattern comes back, and so does every halfway point, rounded to even") {
  for (const Format format : formats()) {
    if (format == Format::fp32 || format == Format::e8m0) continue;
    INFO(spec(format).id);
    const std::vector<Known> all = numbers(format);
    CHECK(all.size() == finite_patterns(format) - 1);
    size_t wrong = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      wrong += encode(format, all[i].value) != all[i].bits;
      if (i == 0) continue;
      const double a = all[i - 1].value, b = all[i].value, middle = a + (b - a) / 2;
      for (const double x : {middle, std::nextafter(middle, a), std::nextafter(middle, b)}) {
        const uint32_t got = encode(format, x), want = nearest(all, x);
        // A negative value that rounds to zero keeps its sign.
        wrong += got != (x < 0 && want == 0 ? spec(format).sign_bit() : want);
      }
    }
    CHECK(wrong == 0);
  }
  CHECK(encode(Format::e4m3, 0.0) == 0);
  CHECK(encode(Format::e4m3, -0.0) == 0x80);
}

TEST_CASE("formats: any value goes to the nearest number") {
  Random random(11);
  for (const Format format : formats()) {
    if (format == Format::fp32 || format == Format::e8m0) continue;
    INFO(spec(format).id);
    const std::vector<Known> all = numbers(format);
    const int from = std::ilogb(smallest(format)) - 3, to = emax(format) + 2;
    size_t wrong = 0;
    for (int i = 0; i < 20000; ++i) {
      const int e = from + static_cast<int>(random.below(static_cast<uint32_t>(to - from)));
      const double x = std::ldexp(1 + random.unit(), e) * (random.below(2) == 0 ? 1 : -1);
      const uint32_t want = nearest(all, x);
      wrong += encode(format, x) != (x < 0 && want == 0 ? spec(format).sign_bit() : want);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("formats: FP32 is the machine's float") {
  Random random(5);
  size_t wrong = 0;
  for (int i = 0; i < 200000; ++i) {
    const auto bits = static_cast<uint32_t>(random.next());
    const float f = __builtin_bit_cast(float, bits);
    wrong += !same(decode(Format::fp32, bits), f);
    const double x = __builtin_bit_cast(double, random.next());
    if (std::isnan(x)) continue;
    wrong += encode(Format::fp32, x, Overflow::special) != __builtin_bit_cast(uint32_t, static_cast<float>(x));
    const double near = static_cast<double>(f) * (1 + (random.unit() - 0.5) * 1e-7);
    if (!std::isnan(near)) wrong += encode(Format::fp32, near, Overflow::special) != __builtin_bit_cast(uint32_t, static_cast<float>(near));
  }
  CHECK(wrong == 0);
}

TEST_CASE("formats: E8M0 rounds to a power of two on the side that is asked for") {
  for (uint32_t bits = 0; bits < 255; ++bits) {
    const double power = decode(Format::e8m0, bits);
    CHECK(power == std::ldexp(1.0, static_cast<int>(bits) - 127));
    for (const Toward t : {Toward::down, Toward::up}) {
      CHECK(encode_scale(power, t) == bits);
      CHECK(encode_scale(-power, t) == bits);
    }
    const double above = std::nextafter(power, inf);
    CHECK(encode_scale(above, Toward::down) == bits);
    CHECK(encode_scale(above, Toward::up) == std::min<uint32_t>(bits + 1, 254));
    CHECK(encode_scale(above, Toward::up, Overflow::special) == bits + 1);
  }
  for (const double x : {0.0, 1e-300, 0x1p-128}) CHECK(encode_scale(x, Toward::up) == 0);
  CHECK(encode_scale(inf, Toward::down) == 254);
  CHECK(encode_scale(inf, Toward::down, Overflow::special) == 255);
  CHECK(encode_scale(no_number, Toward::down) == 255);
}

TEST_CASE("formats: neighbors and spacing") {
  for (const Format format : formats()) {
    if (spec(format).bits() > 16) continue;
    INFO(spec(format).id);
    size_t wrong = 0;
    const std::vector<Known> all = numbers(format);
    for (size_t i = 0; i < all.size(); ++i) {
      const std::optional<uint32_t> up = next(format, all[i].bits, true), down = next(format, all[i].bits, false);
      wrong += up.has_value() != (i + 1 < all.size()) || down.has_value() != (i > 0);
      if (up) wrong += decode(format, *up) != all[i + 1].value;
      if (down) wrong += decode(format, *down) != all[i - 1].value;
      // From every number the next one outward is one spacing away.
      const std::optional<uint32_t> out = all[i].value >= 0 ? up : down;
      if (out) wrong += std::fabs(decode(format, *out) - all[i].value) != spacing(format, all[i].bits);
    }
    CHECK(wrong == 0);
    if (spec(format).sign) CHECK(decode(format, *next(format, spec(format).sign_bit(), true)) == smallest(format));
  }
  CHECK_FALSE(next(Format::e4m3, 0x7F, true));
  CHECK_FALSE(next(Format::e5m2, 0x7C, false));
}
