#include "simt/fill.h"

#include <algorithm>
#include <cstring>

namespace lk::simt {
namespace {

double value(Fill kind, bool real, uint64_t i, uint64_t seed) {
  switch (kind) {
    case Fill::ones: return 1;
    case Fill::iota: return static_cast<double>(i);
    case Fill::random: {
      const uint32_t bits = scramble(i + (seed << 40));
      return real ? static_cast<double>(bits >> 8) * 0x1p-24 : static_cast<double>(bits & 255);
    }
    default: return 0;
  }
}

template <class T>
void put(uint8_t* at, T v) {
  std::memcpy(at, &v, sizeof v);
}

// Values here are small and not negative: no rounding to even is needed beyond the sixteen bits that are kept.
uint16_t half_bits(float v) {
  uint32_t bits;
  std::memcpy(&bits, &v, 4);
  const int exponent = static_cast<int>(bits >> 23) - 127;
  if (v == 0 || exponent < -24) return 0;
  if (exponent > 15) return 0x7bff;
  const uint32_t mantissa = (bits & 0x7fffff) | 0x800000;
  const int shift = exponent < -14 ? 13 + (-14 - exponent) : 13;
  uint32_t rounded = mantissa >> shift;
  const uint32_t rest = mantissa & ((1u << shift) - 1), middle = 1u << (shift - 1);
  if (rest > middle || (rest == middle && (rounded & 1))) ++rounded;
  return static_cast<uint16_t>(exponent < -14 ? rounded : rounded + (static_cast<uint32_t>(exponent + 14) << 10));
}
uint16_t bfloat_bits(float v) {
  uint32_t bits;
  std::memcpy(&bits, &v, 4);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

}  // namespace

std::string_view name(Fill fill) {
  constexpr const char* names[] = {"nothing", "zeros", "ones", "iota", "random"};
  return names[static_cast<size_t>(fill)];
}

uint32_t scramble(uint64_t position) {
  uint32_t x = static_cast<uint32_t>(position ^ (position >> 32)) * 0x9E3779B1u + 0x85EBCA77u;
  x ^= x >> 16;
  x *= 0x21F0AAADu;
  x ^= x >> 15;
  x *= 0x735A2D97u;
  return x ^ (x >> 15);
}

void fill(std::span<uint8_t> out, Fill kind, Type element, uint64_t first, uint64_t seed) {
  if (kind == Fill::nothing || kind == Fill::zeros) {
    std::fill(out.begin(), out.end(), uint8_t{0});
    return;
  }
  const size_t size = static_cast<size_t>(bytes(element));
  for (size_t at = 0; at + size <= out.size(); at += size) {
    const uint64_t i = first + at / size;
    uint8_t* to = out.data() + at;
    switch (element) {
      case Type::f64: put(to, value(kind, true, i, seed)); break;
      case Type::f32: put(to, static_cast<float>(value(kind, true, i, seed))); break;
      case Type::f16: case Type::f16x2: case Type::bf16: case Type::bf16x2: {
        const bool pair = element == Type::f16x2 || element == Type::bf16x2;
        for (uint64_t half = 0; half < (pair ? 2u : 1u); ++half) {
          const float v = static_cast<float>(value(kind, true, pair ? 2 * i + half : i, seed));
          put(to + 2 * half, element == Type::f16 || element == Type::f16x2 ? half_bits(v) : bfloat_bits(v));
        }
        break;
      }
      case Type::s64: case Type::u64: put(to, static_cast<uint64_t>(value(kind, false, i, seed))); break;
      case Type::s16: case Type::u16: put(to, static_cast<uint16_t>(static_cast<uint64_t>(value(kind, false, i, seed)))); break;
      case Type::s8: case Type::u8: case Type::pred: put(to, static_cast<uint8_t>(static_cast<uint64_t>(value(kind, false, i, seed)))); break;
      default: put(to, static_cast<uint32_t>(static_cast<uint64_t>(value(kind, false, i, seed)))); break;
    }
  }
}

}  // namespace lk::simt
