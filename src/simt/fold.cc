#include "simt/fold.h"

#include <cmath>
#include <cstring>

#include "simt/ir.h"

namespace lk::simt {

namespace {
// Rounds a double to a format of `mantissa` stored bits whose exponents reach from `least` (of normal numbers) to `most`.
uint16_t narrow(double v, int mantissa, int least, int most) {
  const uint16_t sign = std::signbit(v) ? 0x8000 : 0;
  if (std::isnan(v)) return 0x7fff;
  const auto infinity = uint16_t(sign | (((most - least + 2) << mantissa)));
  double x = std::fabs(v);
  if (std::isinf(x)) return infinity;
  if (x == 0) return sign;
  int e = 0;
  std::frexp(x, &e);
  e = std::max(e - 1, least);
  const double scaled = std::ldexp(x, mantissa - e);  // exact
  const double rounded = std::nearbyint(scaled);
  auto m = int64_t(rounded);
  if (m >> (mantissa + 1)) m >>= 1, ++e;
  if (e > most) return infinity;
  const bool normal = m >> mantissa;
  return uint16_t(sign | ((normal ? e - least + 1 : 0) << mantissa) | (m & ((1 << mantissa) - 1)));
}
double widen(uint16_t bits, int mantissa, int least, int most) {
  const int e = (bits & 0x7fff) >> mantissa, m = bits & ((1 << mantissa) - 1);
  double v = 0;
  if (e == most - least + 2) v = m ? std::nan("") : HUGE_VAL;
  else v = e ? std::ldexp(m + (1 << mantissa), e - 1 + least - mantissa) : std::ldexp(m, least - mantissa);
  return bits & 0x8000 ? -v : v;
}
int width(Type t) { return units(t) == 2 ? 64 : 32; }
}  // namespace

uint16_t half_bits(double v) { return narrow(v, 10, -14, 15); }
double half_value(uint16_t b) { return widen(b, 10, -14, 15); }
uint16_t bf16_bits(double v) { return narrow(v, 7, -126, 127); }
double bf16_value(uint16_t b) { return widen(b, 7, -126, 127); }

uint64_t integer_bits(Type type, uint64_t v) {
  switch (type) {
    case Type::pred: return v & 1;
    case Type::s8: return uint32_t(int32_t(int8_t(v)));
    case Type::u8: return uint8_t(v);
    case Type::s16: return uint32_t(int32_t(int16_t(v)));
    case Type::u16: return uint16_t(v);
    case Type::s64: case Type::u64: return v;
    default: return uint32_t(v);
  }
}

int64_t signed_value(Type type, uint64_t bits) {
  return type == Type::s64 || type == Type::u64 ? int64_t(bits) : is_signed(type) ? int64_t(int32_t(bits)) : int64_t(uint32_t(bits));
}

namespace {
std::optional<uint64_t> fold_convert(Type type, Type from, uint64_t a) {
  if (is_float(from)) {
    double v = 0;
    switch (from) {
      case Type::f32: v = double(bits_float(uint32_t(a))); break;
      case Type::f64: v = bits_double(a); break;
      case Type::f16: v = half_value(uint16_t(a)); break;
      case Type::bf16: v = bf16_value(uint16_t(a)); break;
      default: return {};
    }
    switch (type) {
      case Type::f32: return float_bits(float(v));
      case Type::f64: return double_bits(v);
      case Type::f16: return half_bits(v);
      case Type::bf16: return bf16_bits(v);
      case Type::s32: return std::isnan(v) ? 0 : v <= -2147483648.0 ? 0x80000000u : v >= 2147483647.0 ? 0x7fffffffu : uint32_t(int32_t(v));
      case Type::u32: return std::isnan(v) || v <= 0 ? 0 : v >= 4294967295.0 ? 0xffffffffu : uint32_t(v);
      case Type::s64: return std::isnan(v) ? 0 : v <= -9223372036854775808.0 ? uint64_t{1} << 63 : v >= 9223372036854775808.0 ? ~uint64_t{0} >> 1 : uint64_t(int64_t(v));
      case Type::u64: return std::isnan(v) ? 0 : v <= 0 ? 0 : v >= 18446744073709551616.0 ? ~uint64_t{0} : uint64_t(v);
      default: return {};
    }
  }
  if (is_float(type)) {
    const int64_t s = signed_value(from, a);
    const bool plus = from == Type::u64;
    switch (type) {
      case Type::f32: return float_bits(plus ? float(a) : float(s));
      case Type::f64: return double_bits(plus ? double(a) : double(s));
      case Type::f16: return half_bits(plus ? double(a) : double(s));
      case Type::bf16: if (std::abs(double(s)) > 1e15) return {}; return bf16_bits(plus ? double(a) : double(s));
      default: return {};
    }
  }
  return integer_bits(type, uint64_t(signed_value(from, a)));
}

// Not std::fma: some C libraries round that of floats twice.
float fused(float a, float b, float c) { return static_cast<float>(fma_to_odd(a, b, c)); }
double fused(double a, double b, double c) { return std::fma(a, b, c); }

template <class T>
std::optional<T> arithmetic(Op op, T a, T b, T c) {
  switch (op) {
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::div: return a / b;
    case Op::neg: return -a;
    case Op::abs: return std::fabs(a);
    case Op::fma: return fused(a, b, c);
    case Op::sqrt: return std::sqrt(a);
    case Op::floor: return std::floor(a);
    case Op::ceil: return std::ceil(a);
    case Op::trunc: return std::trunc(a);
    case Op::rint: return std::nearbyint(a);
    case Op::round: return std::round(a);
    case Op::min: return std::isnan(a) ? b : std::isnan(b) ? a : a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
    case Op::max: return std::isnan(a) ? b : std::isnan(b) ? a : a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
    default: return {};
  }
}
template <class T>
std::optional<uint64_t> compare(Op op, T a, T b) {
  switch (op) {
    case Op::eq: return a == b;
    case Op::ne: return !(a == b);
    case Op::lt: return a < b;
    case Op::le: return a <= b;
    case Op::gt: return a > b;
    case Op::ge: return a >= b;
    default: return {};
  }
}

std::optional<uint64_t> fold_integer(Op op, Type t, uint64_t a, uint64_t b, uint64_t c) {
  const bool sign = is_signed(t);
  const int w = width(t);
  const int64_t sa = signed_value(t, a), sb = signed_value(t, b);
  const uint64_t mask = w == 64 ? ~uint64_t{0} : 0xffffffffu;
  switch (op) {
    case Op::add: return (a + b) & mask;
    case Op::sub: return (a - b) & mask;
    case Op::mul: return (a * b) & mask;
    case Op::fma: return (a * b + c) & mask;
    case Op::neg: return (0 - a) & mask;
    case Op::abs: return sign && sa < 0 ? (0 - a) & mask : a;
    case Op::div:
    case Op::rem: {
      if (b == 0) return {};
      if (!sign) return op == Op::div ? a / b : a % b;
      if (sb == -1) return op == Op::div ? (0 - a) & mask : 0;
      return uint64_t(op == Op::div ? sa / sb : sa % sb) & mask;
    }
    case Op::mul_hi: {
      if (w == 32) return sign ? uint64_t((sa * sb) >> 32) & mask : (a * b) >> 32;
      const uint64_t al = uint32_t(a), ah = a >> 32, bl = uint32_t(b), bh = b >> 32;
      const uint64_t mid = ah * bl + ((al * bl) >> 32), low = al * bh + uint32_t(mid);
      uint64_t high = ah * bh + (mid >> 32) + (low >> 32);
      if (sign) high -= (sa < 0 ? b : 0) + (sb < 0 ? a : 0);
      return high;
    }
    case Op::min: return sign ? (sa < sb ? a : b) : (a < b ? a : b);
    case Op::max: return sign ? (sa > sb ? a : b) : (a > b ? a : b);
    case Op::and_: return a & b;
    case Op::or_: return a | b;
    case Op::xor_: return a ^ b;
    case Op::not_: return t == Type::pred ? a ^ 1 : ~a & mask;
    case Op::shl: return b >= uint64_t(w) ? 0 : (a << b) & mask;
    case Op::shr:
      if (sign) return uint64_t(sa >> (b >= uint64_t(w) ? uint64_t(w - 1) : b)) & mask;
      return b >= uint64_t(w) ? 0 : a >> b;
    case Op::popc: return uint64_t(__builtin_popcountll(a));
    case Op::clz: return a == 0 ? uint64_t(w) : uint64_t(__builtin_clzll(a) - (64 - w));
    case Op::ffs: return uint64_t(__builtin_ffsll(int64_t(a)));
    default: return {};
  }
}
}  // namespace

std::optional<uint64_t> fold(Op op, Type type, Type from, uint64_t a, uint64_t b, uint64_t c) {
  if (op == Op::move) return a;
  if (op == Op::bits) return type == Type::pred ? a & 1 : a;
  if (op == Op::convert) return fold_convert(type, from, a);
  if (op == Op::select) return c & 1 ? a : b;
  if (is_compare(op)) {
    switch (type) {
      case Type::f32: return compare(op, bits_float(uint32_t(a)), bits_float(uint32_t(b)));
      case Type::f64: return compare(op, bits_double(a), bits_double(b));
      case Type::f16: return compare(op, half_value(uint16_t(a)), half_value(uint16_t(b)));
      case Type::bf16: return compare(op, bf16_value(uint16_t(a)), bf16_value(uint16_t(b)));
      case Type::f16x2: case Type::bf16x2: return {};
      default: return is_signed(type) ? compare(op, signed_value(type, a), signed_value(type, b)) : compare(op, a, b);
    }
  }
  if (op == Op::is_nan && type == Type::f32) return std::isnan(bits_float(uint32_t(a)));
  if (op == Op::is_nan && type == Type::f64) return std::isnan(bits_double(a));
  switch (type) {
    case Type::f32:
      if (const auto v = arithmetic(op, bits_float(uint32_t(a)), bits_float(uint32_t(b)), bits_float(uint32_t(c)))) return float_bits(*v);
      return {};
    case Type::f64:
      if (const auto v = arithmetic(op, bits_double(a), bits_double(b), bits_double(c))) return double_bits(*v);
      return {};
    case Type::f16: case Type::bf16: case Type::f16x2: case Type::bf16x2: return {};
    default: return fold_integer(op, type, a, b, c);
  }
}

}  // namespace lk::simt
