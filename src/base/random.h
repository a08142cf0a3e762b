// Deterministic random numbers: the same seed gives the same sequence on every platform (integer arithmetic only).
#pragma once
#include <cstdint>

namespace lk {

/// SplitMix64 (Steele, Lea, Flood 2014): 64-bit state, full period, good enough for figures and tests.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, 1), 53 bits.
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  /// Uniform in [0, n); n > 0.
  uint32_t below(uint32_t n) { return static_cast<uint32_t>((static_cast<uint64_t>(next() >> 32) * n) >> 32); }

 private:
  uint64_t state_;
};

}  // namespace lk
