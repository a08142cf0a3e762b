#include <limits>
#include <type_traits>

#include "simt/machine_alu.h"

namespace lk::simt {
namespace {

// How a type lies in a lane (Register) and what it means (Value).
template <class T> struct Plain {
  using Value = T;
  using Register = std::conditional_t<sizeof(T) == 8, T, std::conditional_t<std::is_same_v<T, float>, float, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>>>;
  static T read(Register r) { return static_cast<T>(r); }
  static Register write(T v) { return v; }
};
template <class H> struct Half {
  using Value = float;
  using Register = uint32_t;
  static float read(uint32_t r) { return H::wide(r & 0xFFFF); }
  static uint32_t write(float v) { return H::narrow(v); }
};
struct Pred {
  using Value = uint8_t;
  using Register = uint32_t;
  static uint8_t read(uint32_t r) { return r != 0; }
};

// 64-bit integers as doubles rounded to odd, so that rounding on to a half is right.
template <class T>
double odd_double(T v) {
  const auto d = static_cast<double>(v);
  const uint64_t size = std::is_signed_v<T> && v < 0 ? 0 - static_cast<uint64_t>(v) : static_cast<uint64_t>(v);
  if (size >> 53 == 0) return d;
  int shift = 0;
  uint64_t top = size;
  uint64_t lost = 0;
  for (; top >> 53 != 0; ++shift) {
    lost |= top & 1;
    top >>= 1;
  }
  const double magnitude = static_cast<double>(top | lost) * static_cast<double>(uint64_t{1} << shift);
  return std::is_signed_v<T> && v < 0 ? -magnitude : magnitude;
}

// Toward zero; beyond the range its end, a NaN 0, as PTX's cvt.rzi.
template <class To, class From>
To saturating(From v) {
  constexpr To least = std::numeric_limits<To>::min(), most = std::numeric_limits<To>::max();
  // The first number beyond the range is a power of two, exact in either type.
  constexpr From end = static_cast<From>(uint64_t{1} << (std::numeric_limits<To>::digits - 1)) * 2;
  if (v != v) return 0;
  if (v >= end) return most;
  if (v <= (std::is_signed_v<To> ? -end : From{0})) return least;
  return static_cast<To>(v);
}

template <class To, class From>
struct Convert {
  static typename To::Register of(typename From::Register r) {
    using Value = typename From::Value;
    const Value v = From::read(r);
    if constexpr (std::is_same_v<To, Pred>) {
      return v != 0;
    } else if constexpr (std::is_same_v<To, Half<F16>> || std::is_same_v<To, Half<BF16>>) {
      if constexpr (std::is_same_v<Value, float>) return To::write(v);
      else if constexpr (std::is_same_v<Value, double>) return To::write(round_to_odd(v));
      else return To::write(round_to_odd(odd_double(v)));
    } else if constexpr (std::is_floating_point_v<Value> && std::is_integral_v<typename To::Value>) {
      return To::write(saturating<typename To::Value>(v));
    } else {
      return To::write(static_cast<typename To::Value>(v));
    }
  }
};

template <class To, class From>
Alu convert() { return lanes1<Convert<To, From>, typename To::Register, typename From::Register>; }

template <class To>
Alu convert_from(Type from) {
  switch (from) {
    case Type::pred: return convert<To, Pred>();
    // A narrow integer lies extended, so it reads as a wide one.
    case Type::s8: case Type::s16: case Type::s32: return convert<To, Plain<int32_t>>();
    case Type::u8: case Type::u16: case Type::u32: return convert<To, Plain<uint32_t>>();
    case Type::s64: return convert<To, Plain<int64_t>>();
    case Type::u64: return convert<To, Plain<uint64_t>>();
    case Type::f16: return convert<To, Half<F16>>();
    case Type::bf16: return convert<To, Half<BF16>>();
    case Type::f32: return convert<To, Plain<float>>();
    case Type::f64: return convert<To, Plain<double>>();
    default: return nullptr;
  }
}

}  // namespace

Alu find_convert(Type to, Type from) {
  switch (to) {
    case Type::pred: return convert_from<Pred>(from);
    case Type::s8: return convert_from<Plain<int8_t>>(from);
    case Type::u8: return convert_from<Plain<uint8_t>>(from);
    case Type::s16: return convert_from<Plain<int16_t>>(from);
    case Type::u16: return convert_from<Plain<uint16_t>>(from);
    case Type::s32: return convert_from<Plain<int32_t>>(from);
    case Type::u32: return convert_from<Plain<uint32_t>>(from);
    case Type::s64: return convert_from<Plain<int64_t>>(from);
    case Type::u64: return convert_from<Plain<uint64_t>>(from);
    case Type::f16: return convert_from<Half<F16>>(from);
    case Type::bf16: return convert_from<Half<BF16>>(from);
    case Type::f32: return convert_from<Plain<float>>(from);
    case Type::f64: return convert_from<Plain<double>>(from);
    default: return nullptr;
  }
}

}  // namespace lk::simt
