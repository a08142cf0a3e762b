// The number formats against CUDA's own headers, whose host paths compile with any compiler: every pattern, and floats over their
// whole range with all halfway points. Only where a CUDA toolkit is installed.
#include <catch2/catch_test_macros.hpp>

#if __has_include(<cuda_fp4.h>)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <cmath>
#include <limits>
#include <vector>

#include "numerics/format.h"

using namespace lk::numerics;

namespace {

float as_float(__half_raw raw) { return __half2float(__half(raw)); }
float as_float(__nv_bfloat16_raw raw) { return __bfloat162float(__nv_bfloat16(raw)); }

double cuda_decode(Format format, uint32_t bits) {
  const auto byte = static_cast<unsigned char>(bits);
  switch (format) {
    case Format::e4m3: return as_float(__nv_cvt_fp8_to_halfraw(byte, __NV_E4M3));
    case Format::e5m2: return as_float(__nv_cvt_fp8_to_halfraw(byte, __NV_E5M2));
    case Format::e3m2: return as_float(__nv_cvt_fp6_to_halfraw(byte, __NV_E3M2));
    case Format::e2m3: return as_float(__nv_cvt_fp6_to_halfraw(byte, __NV_E2M3));
    case Format::e2m1: return as_float(__nv_cvt_fp4_to_halfraw(byte, __NV_E2M1));
    case Format::e8m0: return as_float(__nv_cvt_e8m0_to_bf16raw(byte));
    case Format::bf16: {
      __nv_bfloat16_raw raw;
      raw.x = static_cast<unsigned short>(bits);
      return as_float(raw);
    }
    case Format::fp16: {
      __half_raw raw;
      raw.x = static_cast<unsigned short>(bits);
      return as_float(raw);
    }
    default: return std::numeric_limits<double>::quiet_NaN();
  }
}

template <class T>
uint32_t cuda_encode(Format format, T x, bool saturate) {
  const __nv_saturation_t s = saturate ? __NV_SATFINITE : __NV_NOSAT;
  constexpr bool is_float = sizeof(T) == 4;
  const auto fp8 = [&](__nv_fp8_interpretation_t to) { return is_float ? __nv_cvt_float_to_fp8(static_cast<float>(x), s, to) : __nv_cvt_double_to_fp8(x, s, to); };
  const auto fp6 = [&](__nv_fp6_interpretation_t to) {
    return is_float ? __nv_cvt_float_to_fp6(static_cast<float>(x), to, cudaRoundNearest) : __nv_cvt_double_to_fp6(x, to, cudaRoundNearest);
  };
  switch (format) {
    case Format::e4m3: return fp8(__NV_E4M3);
    case Format::e5m2: return fp8(__NV_E5M2);
    case Format::e3m2: return fp6(__NV_E3M2);
    case Format::e2m3: return fp6(__NV_E2M3);
    case Format::e2m1:
      return is_float ? __nv_cvt_float_to_fp4(static_cast<float>(x), __NV_E2M1, cudaRoundNearest) : __nv_cvt_double_to_fp4(x, __NV_E2M1, cudaRoundNearest);
    case Format::bf16: return __nv_bfloat16_raw(is_float ? __float2bfloat16_rn(static_cast<float>(x)) : __double2bfloat16(x)).x;
    case Format::fp16: return __half_raw(is_float ? __float2half_rn(static_cast<float>(x)) : __double2half(x)).x;
    default: return 0;
  }
}

constexpr Format nearest[] = {Format::e4m3, Format::e5m2, Format::e3m2, Format::e2m3, Format::e2m1, Format::bf16, Format::fp16};
bool saturates(Format f) { return f != Format::bf16 && f != Format::fp16; }
bool overflows(Format f) { return f != Format::e3m2 && f != Format::e2m3 && f != Format::e2m1; }

size_t wrong = 0;

template <class T>
void compare(Format format, T x) {
  for (const bool saturate : {false, true}) {
    if (saturate ? !saturates(format) : !overflows(format)) continue;
    const uint32_t ours = encode(format, x, saturate ? Overflow::saturate : Overflow::special), theirs = cuda_encode(format, x, saturate);
    // A NaN has many patterns in E5M2, and may keep its sign.
    const bool same = ours == theirs || (std::isnan(x) && kind(format, ours) == Kind::nan && kind(format, theirs) == Kind::nan);
    if (!same && ++wrong <= 5) UNSCOPED_INFO(spec(format).id << " of " << x << ": " << ours << ", CUDA's is " << theirs << (saturate ? ", saturating" : ""));
  }
}

}  // namespace

TEST_CASE("formats: every pattern means what CUDA's headers say", "[cuda]") {
  for (const Format format : {Format::e4m3, Format::e5m2, Format::e3m2, Format::e2m3, Format::e2m1, Format::e8m0, Format::bf16, Format::fp16}) {
    size_t differ = 0;
    for (uint32_t bits = 0; bits <= spec(format).patterns_end(); ++bits) {
      const double ours = decode(format, bits), theirs = cuda_decode(format, bits);
      const bool same = std::isnan(ours) ? std::isnan(theirs) : ours == theirs && std::signbit(ours) == std::signbit(theirs);
      differ += !same;
    }
    INFO(spec(format).id);
    CHECK(differ == 0);
  }
}

TEST_CASE("formats: floats become the patterns that CUDA's headers make of them", "[cuda]") {
  wrong = 0;
  for (const Format format : nearest) {
    for (uint64_t bits = 0; bits <= 0xFFFFFFFFu; bits += 2039) compare(format, __builtin_bit_cast(float, static_cast<uint32_t>(bits)));
    for (const float x : {0.0f, -0.0f, std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::max()}) {
      compare(format, x);
      compare(format, static_cast<double>(x));
    }
    // Every number, every point halfway to the next, and their neighbors; beyond the largest one as well.
    for (uint32_t bits = 0; bits <= spec(format).patterns_end(); ++bits) {
      const Kind k = kind(format, bits);
      if (k == Kind::nan || k == Kind::infinity) continue;
      const double x = decode(format, bits), middle = x + std::copysign(spacing(format, bits) / 2, x);
      for (const double v : {x, middle}) {
        const auto f = static_cast<float>(v);
        for (const float near : {f, std::nextafter(f, -1e38f), std::nextafter(f, 1e38f)}) compare(format, near);
        for (const double near : {v, std::nextafter(v, -1e300), std::nextafter(v, 1e300)}) compare(format, near);
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("formats: E8M0 scales are those of CUDA's headers", "[cuda]") {
  size_t differ = 0;
  const auto check = [&](float x) {
    for (const bool saturate : {false, true})
      for (const bool up : {false, true}) {
        const uint32_t ours = encode_scale(x, up ? Toward::up : Toward::down, saturate ? Overflow::saturate : Overflow::special);
        const uint32_t theirs = __nv_cvt_float_to_e8m0(x, saturate ? __NV_SATFINITE : __NV_NOSAT, up ? cudaRoundPosInf : cudaRoundZero);
        if (ours != theirs && ++differ <= 5) UNSCOPED_INFO(x << ": " << ours << ", CUDA's is " << theirs << (up ? ", up" : ", down") << (saturate ? ", saturating" : ""));
      }
  };
  for (uint64_t bits = 0; bits <= 0xFFFFFFFFu; bits += 4093) check(__builtin_bit_cast(float, static_cast<uint32_t>(bits)));
  for (int power = -149; power <= 127; ++power)
    for (const float x : {std::ldexp(1.0f, power), std::nextafter(std::ldexp(1.0f, power), 0.0f), std::nextafter(std::ldexp(1.0f, power), 3e38f)}) {
      check(x);
      check(-x);
    }
  check(0);
  CHECK(differ == 0);
}

#else

TEST_CASE("formats against CUDA's headers", "[cuda]") { SKIP("no CUDA toolkit of 12.8 or later on this machine"); }

#endif
