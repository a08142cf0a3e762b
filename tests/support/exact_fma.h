// The fused multiply-add, rounded once. Emscripten's library rounds that of floats twice, so there it is computed in its long double (binary128).
#pragma once
#include <cmath>
#include <cstring>

namespace lk::test {

inline double exact_fma(double a, double b, double c) { return std::fma(a, b, c); }
#if defined(__EMSCRIPTEN__)
inline float exact_fma(float a, float b, float c) {
  const long double product = static_cast<long double>(a) * b, sum = product + c;  // a product of floats has 48 bits of 113
  const long double part = sum - product, error = (product - (sum - part)) + (c - part);
  if (!std::isfinite(sum) || error == 0) return static_cast<float>(sum);
  unsigned long long last;
  std::memcpy(&last, &sum, sizeof last);
  if (last & 1) return static_cast<float>(sum);  // to odd: then the second rounding does no harm
  return static_cast<float>(std::nextafter(sum, error > 0 ? HUGE_VALL : -HUGE_VALL));
}
#else
inline float exact_fma(float a, float b, float c) { return std::fma(a, b, c); }
#endif

}  // namespace lk::test
