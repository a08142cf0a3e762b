// Every operation on every type it has, against plain C++ over extremes and random values, with all lanes and with some.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <optional>

#include "base/random.h"
#include "simt/fold.h"
#include "simt/half.h"
#include "simt/machine_alu.h"
#include "support/assemble.h"
#include "support/exact_fma.h"

using namespace lk;
using namespace lk::simt;
using namespace lk::simt::test;

namespace {

__extension__ using Wide = __int128;
using Bits = std::vector<uint64_t>;

bool is_float(Type t) { return t >= Type::f16; }
bool is_signed(Type t) { return t == Type::s8 || t == Type::s16 || t == Type::s32 || t == Type::s64; }
int width(Type t) { return t == Type::pred ? 1 : bytes(t) * 8; }

// The value of a register that holds an integer, and a register for a value.
Wide read(Type t, uint64_t r) {
  if (t == Type::s64) return static_cast<int64_t>(r);
  if (t == Type::u64) return r;
  return is_signed(t) ? Wide{static_cast<int32_t>(static_cast<uint32_t>(r))} : Wide{static_cast<uint32_t>(r)};
}
uint64_t wrap(Type t, Wide v) {
  auto bits = static_cast<uint64_t>(v);
  if (width(t) == 64) return bits;
  bits &= (uint64_t{1} << width(t)) - 1;
  if (is_signed(t) && (bits >> (width(t) - 1) & 1)) bits |= ~uint64_t{0} << width(t);
  return bits & 0xFFFFFFFF;
}
double real(Type t, uint64_t r) {
  switch (t) {
    case Type::f64: return __builtin_bit_cast(double, r);
    case Type::f16: return F16::wide(static_cast<uint32_t>(r));
    case Type::bf16: return BF16::wide(static_cast<uint32_t>(r));
    default: return __builtin_bit_cast(float, static_cast<uint32_t>(r));
  }
}
uint64_t real_bits(Type t, double v) {
  switch (t) {
    case Type::f64: return __builtin_bit_cast(uint64_t, v);
    case Type::f16: return F16::narrow(round_to_odd(v));
    case Type::bf16: return BF16::narrow(round_to_odd(v));
    default: return __builtin_bit_cast(uint32_t, static_cast<float>(v));
  }
}

// Runs d = op(a, b, c) for each triple; `some`: only in threads whose number has an odd number of set bits, others keep `before`.
Bits evaluate(Instr instr, const Bits& a, const Bits& b, const Bits& c, bool some, uint64_t before) {
  const auto result_units = (instr.op >= Op::eq && instr.op <= Op::ge) || instr.op == Op::is_nan || instr.op == Op::is_inf || instr.op == Op::popc ||
                                    instr.op == Op::clz || instr.op == Op::ffs
                                ? 1 : units(instr.type);
  const bool converts = instr.op == Op::convert || instr.op == Op::bits;
  Assembler as;
  const auto raw = [&](uint16_t address, bool wide) {
    // Registers as they are: the low word, or both.
    return as.load(wide ? Type::u64 : Type::u32, Space::global, address);
  };
  const auto pa = as.pointer("a", Type::u64, true), pb = as.pointer("b", Type::u64, true), pc = as.pointer("c", Type::u64, true), out = as.pointer("out", Type::u64);
  const auto i = as.global_index();
  const bool wide_a = units(converts ? instr.from : instr.type) == 2, wide = units(instr.type) == 2;
  const bool shift = instr.op == Op::shl || instr.op == Op::shr;
  instr.a = raw(as.address(pa, i, 8), wide_a);
  instr.b = raw(as.address(pb, i, 8), wide && !shift);
  instr.c = raw(as.address(pc, i, 8), wide && instr.op != Op::select);
  instr.d = as.constant(result_units == 2 ? Type::u64 : Type::u32, before);
  const auto act = [&] { as.emit(instr); };
  if (some) {
    const auto odd = as.op(Op::and_, Type::u32, as.op(Op::popc, Type::u32, i), as.number(1));
    as.branch(as.op(Op::eq, Type::u32, odd, as.number(1)), act);
  } else {
    act();
  }
  as.store(result_units == 2 ? Type::u64 : Type::u32, Space::global, as.address(out, i, 8), instr.d);
  const Program& program = as.finish();
  const auto n = static_cast<uint32_t>(a.size());
  REQUIRE(n % 64 == 0);
  Options options;
  options.checks = false;
  const auto o = run(program, launch({n / 64}, {64}, {buffer("a", a), buffer("b", b), buffer("c", c), buffer("out", Bits(n))}), options);
  if (!o.started) FAIL(o.error.what);
  return values<uint64_t>(o.buffers[3]);
}

void check(const Instr& instr, const Bits& a, const Bits& b, const Bits& c, const std::function<std::optional<uint64_t>(uint64_t, uint64_t, uint64_t)>& reference,
           bool real_result = false) {
  for (const bool some : {false, true}) {
    const uint64_t before = 0x0123456789ABCDEF & (units(instr.type) == 2 ? ~uint64_t{0} : 0xFFFFFFFF);
    const Bits out = evaluate(instr, a, b, c, some, before);
    for (size_t k = 0; k < out.size(); ++k) {
      const auto want = reference(a[k], b[k], c[k]);
      if (!want) continue;
      const bool active = !some || __builtin_popcountll(k) % 2 == 1;
      const bool one = (instr.op >= Op::eq && instr.op <= Op::ge) || instr.op == Op::is_nan || instr.op == Op::is_inf || instr.op == Op::popc || instr.op == Op::clz ||
                       instr.op == Op::ffs;
      const uint64_t kept = one ? before & 0xFFFFFFFF : before;
      const bool both_nan = active && real_result && std::isnan(real(instr.type, *want)) && std::isnan(real(instr.type, out[k]));
      if (!both_nan && out[k] != (active ? *want : kept))
        FAIL("op " << static_cast<int>(instr.op) << " type " << static_cast<int>(instr.type) << " from " << static_cast<int>(instr.from) << (some ? " some" : " all")
                   << ": " << std::hex << a[k] << ", " << b[k] << ", " << c[k] << " gave " << out[k] << ", not " << *want);
    }
  }
}

constexpr size_t count = 1024;

Bits integers(Type t, uint64_t seed) {
  Random random(seed);
  Bits v;
  const int w = width(t);
  const std::vector<Wide> corners = {0, 1, 2, 3, 31, 32, 33, 63, 64, -1, -2, (Wide{1} << (w - 1)) - 1, Wide{1} << (w - 1), (Wide{1} << (w - 1)) + 1, (Wide{1} << w) - 1, 7};
  for (size_t k = 0; k < count; ++k) {
    const uint64_t r = random.next();
    v.push_back(wrap(t, random.below(3) == 0 ? corners[random.below(static_cast<uint32_t>(corners.size()))] : Wide{static_cast<int64_t>(r >> random.below(64))}));
  }
  return v;
}

Bits reals(Type t, uint64_t seed) {
  Random random(seed);
  Bits v;
  const double corners[] = {0.0, -0.0, 1, -1, 0.5, 1.5, 2.5, -2.5, 3, 65504, 65520, 1e-8, 5.9604644775390625e-8, 1e30, -1e30, 1e-40, 1e38, 3.4e38, 1e300, 1e-310,
                            HUGE_VAL, -HUGE_VAL, std::nan(""), 2147483648.0, -2147483648.0, 4294967296.0, 9223372036854775808.0, 18446744073709551616.0, 127.9, -128.9, 255.9, 256};
  for (size_t k = 0; k < count; ++k) {
    if (random.below(3) == 0) {
      v.push_back(real_bits(t, corners[random.below(sizeof corners / sizeof *corners)]));
    } else if (random.below(2) == 0) {
      v.push_back(real_bits(t, std::ldexp(random.unit() * 2 - 1, static_cast<int>(random.below(40)) - 20)));
    } else {
      v.push_back(random.next() & (t == Type::f64 ? ~uint64_t{0} : t == Type::f32 ? 0xFFFFFFFF : 0xFFFF));
    }
  }
  return v;
}

Instr make(Op op, Type type) {
  Instr i;
  i.op = op;
  i.type = i.from = type;
  return i;
}

}  // namespace

TEST_CASE("integers, against 128-bit arithmetic") {
  const Type types[] = {Type::s8, Type::u8, Type::s16, Type::u16, Type::s32, Type::u32, Type::s64, Type::u64};
  for (const Type t : types) {
    const Bits a = integers(t, 1), b = integers(t, 2), c = integers(t, 3);
    const auto two = [&](Op op, auto f) {
      check(make(op, t), a, b, c, [&](uint64_t x, uint64_t y, uint64_t) -> std::optional<uint64_t> { return wrap(t, f(read(t, x), read(t, y))); });
    };
    two(Op::add, [](Wide x, Wide y) { return x + y; });
    two(Op::sub, [](Wide x, Wide y) { return x - y; });
    two(Op::mul, [&](Wide x, Wide y) { return static_cast<Wide>(static_cast<uint64_t>(x) * static_cast<uint64_t>(y)); });
    two(Op::div, [](Wide x, Wide y) { return y == 0 ? -1 : x / y; });
    two(Op::rem, [](Wide x, Wide y) { return y == 0 ? -1 : x % y; });
    two(Op::min, [](Wide x, Wide y) { return x < y ? x : y; });
    two(Op::max, [](Wide x, Wide y) { return x < y ? y : x; });
    two(Op::and_, [](Wide x, Wide y) { return x & y; });
    two(Op::or_, [](Wide x, Wide y) { return x | y; });
    two(Op::xor_, [](Wide x, Wide y) { return x ^ y; });
    two(Op::neg, [](Wide x, Wide) { return -x; });
    two(Op::abs, [](Wide x, Wide) { return x < 0 ? -x : x; });
    two(Op::not_, [](Wide x, Wide) { return ~x; });
    two(Op::move, [](Wide x, Wide) { return x; });
    check(make(Op::fma, t), a, b, c, [&](uint64_t x, uint64_t y, uint64_t z) -> std::optional<uint64_t> {
      return wrap(t, static_cast<Wide>(static_cast<uint64_t>(read(t, x)) * static_cast<uint64_t>(read(t, y)) + static_cast<uint64_t>(read(t, z))));
    });
    Bits shifts(count);
    for (size_t k = 0; k < count; ++k) shifts[k] = k * 7 % 70;
    shifts[5] = 0xFFFFFFFF;
    const int w = width(t);
    check(make(Op::shl, t), a, shifts, c, [&](uint64_t x, uint64_t n, uint64_t) -> std::optional<uint64_t> {
      return n >= static_cast<uint64_t>(w) ? 0 : wrap(t, static_cast<Wide>(static_cast<uint64_t>(read(t, x)) << n));
    });
    check(make(Op::shr, t), a, shifts, c, [&](uint64_t x, uint64_t n, uint64_t) -> std::optional<uint64_t> {
      return wrap(t, read(t, x) >> (n > 100 ? 100 : n));
    });
    const auto compare = [&](Op op, auto f) {
      check(make(op, t), a, b, c, [&](uint64_t x, uint64_t y, uint64_t) -> std::optional<uint64_t> { return f(read(t, x), read(t, y)); });
    };
    compare(Op::eq, [](Wide x, Wide y) { return x == y; });
    compare(Op::ne, [](Wide x, Wide y) { return x != y; });
    compare(Op::lt, [](Wide x, Wide y) { return x < y; });
    compare(Op::le, [](Wide x, Wide y) { return x <= y; });
    compare(Op::gt, [](Wide x, Wide y) { return x > y; });
    compare(Op::ge, [](Wide x, Wide y) { return x >= y; });
    Bits preds(count);
    for (size_t k = 0; k < count; ++k) preds[k] = k / 3 % 2;
    check(make(Op::select, t), a, b, preds, [&](uint64_t x, uint64_t y, uint64_t p) -> std::optional<uint64_t> { return p ? x : y; });
    if (w < 32) continue;
    two(Op::mul_hi, [&](Wide x, Wide y) {
      if (w == 32) return x * y >> 32;
      // 64 bits: the product of magnitudes as four partial products of 32 bits.
      return t == Type::s64 ? x * y >> 64 : static_cast<Wide>(__extension__ static_cast<unsigned __int128>(x) * __extension__ static_cast<unsigned __int128>(y) >> 64);
    });
    const auto bits = [&](Op op, auto f) {
      check(make(op, t), a, b, c, [&](uint64_t x, uint64_t, uint64_t) -> std::optional<uint64_t> { return f(x); });
    };
    bits(Op::popc, [&](uint64_t x) { uint64_t n = 0; for (int k = 0; k < w; ++k) n += x >> k & 1; return n; });
    bits(Op::clz, [&](uint64_t x) { uint64_t n = 0; for (int k = w - 1; k >= 0 && !(x >> k & 1); --k) ++n; return n; });
    bits(Op::ffs, [&](uint64_t x) { for (int k = 0; k < w; ++k) if (x >> k & 1) return static_cast<uint64_t>(k) + 1; return uint64_t{0}; });
    bits(Op::brev, [&](uint64_t x) { uint64_t n = 0; for (int k = 0; k < w; ++k) n |= (x >> k & 1) << (w - 1 - k); return n; });
    if (w == 32) {
      check(make(Op::funnel_l, t), a, b, c, [&](uint64_t x, uint64_t y, uint64_t n) -> std::optional<uint64_t> { return (y << 32 | x) << (n & 31) >> 32; });
      check(make(Op::byte_perm, t), a, b, c, [&](uint64_t x, uint64_t y, uint64_t s) -> std::optional<uint64_t> {
        uint64_t r = 0;
        for (int k = 0; k < 4; ++k) {
          const uint64_t pick = s >> (4 * k) & 15;
          uint64_t byte = (pick & 4 ? y : x) >> (8 * (pick & 3)) & 255;
          if (pick & 8) byte = byte >= 128 ? 255 : 0;
          r |= byte << (8 * k);
        }
        return r;
      });
    }
  }
}

TEST_CASE("floats and halves") {
  for (const Type t : {Type::f16, Type::bf16, Type::f32, Type::f64}) {
    const Bits a = reals(t, 11), b = reals(t, 12), c = reals(t, 13);
    const auto two = [&](Op op, auto f) {
      check(make(op, t), a, b, c, [&](uint64_t x, uint64_t y, uint64_t) -> std::optional<uint64_t> {
        // f32: in float; f64: in double; halves: a double holds the exact sum, difference or product, and rounds a quotient harmlessly.
        if (t == Type::f32) return __builtin_bit_cast(uint32_t, static_cast<float>(f(static_cast<float>(real(t, x)), static_cast<float>(real(t, y)))));
        return real_bits(t, f(real(t, x), real(t, y)));
      }, true);
    };
    two(Op::add, [](auto x, auto y) { return x + y; });
    two(Op::sub, [](auto x, auto y) { return x - y; });
    two(Op::mul, [](auto x, auto y) { return x * y; });
    two(Op::div, [](auto x, auto y) { return x / y; });
    two(Op::neg, [](auto x, auto) { return -x; });
    two(Op::abs, [](auto x, auto) { return std::fabs(x); });
    two(Op::sqrt, [](auto x, auto) { return std::sqrt(x); });
    two(Op::floor, [](auto x, auto) { return std::floor(x); });
    two(Op::ceil, [](auto x, auto) { return std::ceil(x); });
    two(Op::trunc, [](auto x, auto) { return std::trunc(x); });
    two(Op::round, [](auto x, auto) { return std::round(x); });
    two(Op::rint, [](auto x, auto) { return std::nearbyint(x); });
    two(Op::fmod, [](auto x, auto y) { return std::fmod(x, y); });
    two(Op::copysign, [](auto x, auto y) { return std::copysign(x, y); });
    two(Op::min, [](auto x, auto y) { return std::isnan(x) ? y : std::isnan(y) ? x : x == y ? (std::signbit(x) ? x : y) : std::fmin(x, y); });
    two(Op::max, [](auto x, auto y) { return std::isnan(x) ? y : std::isnan(y) ? x : x == y ? (std::signbit(x) ? y : x) : std::fmax(x, y); });
    two(Op::saturate, [](auto x, auto) { return x > 0 ? (x < 1 ? x : decltype(x){1}) : decltype(x){0}; });
    check(make(Op::fma, t), a, b, c, [&](uint64_t x, uint64_t y, uint64_t z) -> std::optional<uint64_t> {
      const double p = real(t, x), q = real(t, y), r = real(t, z);
      if (t == Type::f64) return real_bits(t, std::fma(p, q, r));
      if (t == Type::f32) return __builtin_bit_cast(uint32_t, lk::test::exact_fma(static_cast<float>(p), static_cast<float>(q), static_cast<float>(r)));
      // long double holds what matters: products have 22 bits, and 64 are enough to round right after a sum unless it is far off.
      const long double exact = static_cast<long double>(p) * static_cast<long double>(q) + static_cast<long double>(r);
      if (std::isfinite(exact) && exact != 0 && r != 0 && p * q != 0 && std::abs(std::ilogb(p * q) - std::ilogb(r)) > 38) return std::nullopt;
      double d = static_cast<double>(exact);
      if (std::isfinite(d) && static_cast<long double>(d) != exact) {
        // To odd once more.
        if ((static_cast<long double>(d) > exact) == (exact > 0)) d = std::nextafter(d, 0.0);
        d = __builtin_bit_cast(double, __builtin_bit_cast(uint64_t, d) | 1);
      }
      return real_bits(t, d);
    }, true);
    const auto compare = [&](Op op, auto f) {
      check(make(op, t), a, b, c, [&](uint64_t x, uint64_t y, uint64_t) -> std::optional<uint64_t> { return f(real(t, x), real(t, y)); });
    };
    compare(Op::eq, [](double x, double y) { return x == y; });
    compare(Op::ne, [](double x, double y) { return x != y; });
    compare(Op::lt, [](double x, double y) { return x < y; });
    compare(Op::le, [](double x, double y) { return x <= y; });
    compare(Op::gt, [](double x, double y) { return x > y; });
    compare(Op::ge, [](double x, double y) { return x >= y; });
    compare(Op::is_nan, [](double x, double) { return std::isnan(x); });
    compare(Op::is_inf, [](double x, double) { return std::isinf(x); });
    const auto function = [&](Op op, auto f) {
      check(make(op, t), a, b, c, [&](uint64_t x, uint64_t y, uint64_t) -> std::optional<uint64_t> {
        // Halves take the float's result, which is rounded already.
        const double v = f(real(t, x), real(t, y));
        return t == Type::f64 ? real_bits(t, v) : real_bits(t, static_cast<double>(static_cast<float>(v)));
      }, true);
    };
    function(Op::rcp, [](double x, double) { return 1 / x; });
    function(Op::rsqrt, [](double x, double) { return 1 / std::sqrt(x); });
    function(Op::exp, [](double x, double) { return std::exp(x); });
    function(Op::exp2, [](double x, double) { return std::exp2(x); });
    function(Op::exp10, [](double x, double) { return std::pow(10.0, x); });
    function(Op::expm1, [](double x, double) { return std::expm1(x); });
    function(Op::log, [](double x, double) { return std::log(x); });
    function(Op::log2, [](double x, double) { return std::log2(x); });
    function(Op::log10, [](double x, double) { return std::log10(x); });
    function(Op::log1p, [](double x, double) { return std::log1p(x); });
    function(Op::sin, [](double x, double) { return std::sin(x); });
    function(Op::cos, [](double x, double) { return std::cos(x); });
    function(Op::tan, [](double x, double) { return std::tan(x); });
    function(Op::tanh, [](double x, double) { return std::tanh(x); });
    function(Op::erf, [](double x, double) { return std::erf(x); });
    function(Op::pow, [](double x, double y) { return std::pow(x, y); });
  }
}

TEST_CASE("the fused multiply-add of floats rounds once") {
  // Where rounding twice goes wrong, and everywhere else, against the library's.
  Random random(5);
  for (int round = 0; round < 20000; ++round) {
    float x[32], y[32], z[32], d[32];
    for (int i = 0; i < 32; ++i) {
      x[i] = bits_float(static_cast<uint32_t>(random.next()));
      y[i] = bits_float(static_cast<uint32_t>(random.next()));
      z[i] = bits_float(static_cast<uint32_t>(random.next()));
      const uint32_t shape = random.below(4);
      if (shape == 0) {
        x[i] = static_cast<float>(random.below(1 << 24) | 1);
        y[i] = static_cast<float>(random.below(1 << 24) | 1);
        z[i] = std::ldexp(static_cast<float>(random.below(1 << 24)), static_cast<int>(random.below(60)) - 5);
      } else if (shape == 1) {
        // A tie that a tiny addend decides.
        x[i] = 1 + std::ldexp(1.0f, -12);
        y[i] = 1 + std::ldexp(1.0f, -12);
        z[i] = std::ldexp(random.below(2) ? 1.0f : -1.0f, -static_cast<int>(30 + random.below(60)));
      } else if (shape == 2) {
        x[i] = std::ldexp(static_cast<float>(random.unit()), -70);
        y[i] = std::ldexp(static_cast<float>(random.unit()), -70);
        z[i] = std::ldexp(static_cast<float>(random.unit()), -140);
      }
    }
    fma_f32_portable(d, x, y, z);
    for (int i = 0; i < 32; ++i) {
      const float want = lk::test::exact_fma(x[i], y[i], z[i]);
      if (float_bits(want) != float_bits(d[i]) && !(want != want && d[i] != d[i])) FAIL(std::hexfloat << x[i] << " * " << y[i] << " + " << z[i] << " gave " << d[i] << ", not " << want);
    }
  }
}

TEST_CASE("conversions") {
  const Type types[] = {Type::pred, Type::s8, Type::u8, Type::s16, Type::u16, Type::s32, Type::u32, Type::s64, Type::u64, Type::f16, Type::bf16, Type::f32, Type::f64};
  for (const Type from : types) {
    Bits a = is_float(from) ? reals(from, 21) : integers(from, 22);
    if (from == Type::pred) for (uint64_t& v : a) v &= 1;
    for (const Type to : types) {
      Instr i = make(Op::convert, to);
      i.from = from;
      check(i, a, a, a, [&](uint64_t x, uint64_t, uint64_t) -> std::optional<uint64_t> {
        if (to == Type::pred) return is_float(from) ? real(from, x) != 0 : read(from, x) != 0;
        if (is_float(to)) {
          if (is_float(from)) return real_bits(to, real(from, x));
          const Wide v = read(from, x);
          if (to == Type::f64) return real_bits(to, is_signed(from) ? static_cast<double>(static_cast<int64_t>(v)) : static_cast<double>(static_cast<uint64_t>(v)));
          if (to == Type::f32)
            return __builtin_bit_cast(uint32_t, is_signed(from) ? static_cast<float>(static_cast<int64_t>(v)) : static_cast<float>(static_cast<uint64_t>(v)));
          // A half of a large integer: the nearer of the two halves beside it, by exact differences; ties to even.
          const double d = static_cast<double>(v < 0 ? -v : v);
          if (to == Type::f16 && d >= 65520) return v < 0 ? 0xFC00 : 0x7C00;
          if (d <= (to == Type::f16 ? 2048 : 256)) return real_bits(to, v < 0 ? -d : d);
          uint64_t low = real_bits(to, d);
          const auto exact = [&](uint64_t h) { return static_cast<Wide>(real(to, h)); };
          while (exact(low) > (v < 0 ? -v : v)) --low;
          while (exact(low + 1) <= (v < 0 ? -v : v)) ++low;
          const Wide size = v < 0 ? -v : v, below = size - exact(low), above = exact(low + 1) - size;
          const uint64_t nearest = below < above || (below == above && low % 2 == 0) ? low : low + 1;
          return nearest | (v < 0 ? 0x8000 : 0);
        }
        if (!is_float(from)) return wrap(to, read(from, x));
        const double v = real(from, x);
        if (std::isnan(v)) return 0;
        const Wide least = is_signed(to) ? -(Wide{1} << (width(to) - 1)) : Wide{0}, most = (Wide{1} << (is_signed(to) ? width(to) - 1 : width(to))) - 1;
        if (v >= 1e30 || v <= -1e30) return wrap(to, v > 0 ? most : least);
        const Wide whole = static_cast<Wide>(std::trunc(v));
        return wrap(to, whole < least ? least : whole > most ? most : whole);
      }, is_float(to));
    }
  }
}

TEST_CASE("all 65,536 halves there and back, and each rounding border") {
  for (uint32_t h = 0; h < 65536; ++h) {
    const float f = F16::wide(h), g = BF16::wide(h);
    const uint32_t exponent = h >> 10 & 31, fraction = h & 1023;
    if (exponent != 31) {
      const double value = std::ldexp(exponent == 0 ? fraction : fraction + 1024.0, static_cast<int>(exponent == 0 ? 1 : exponent) - 25) * (h & 0x8000 ? -1 : 1);
      REQUIRE(static_cast<double>(f) == value);
      REQUIRE(std::signbit(f) == (h >= 0x8000));
      REQUIRE(F16::narrow(f) == h);
      // Half way to the next one: to the even of the two; a bit more or less: to the nearer.
      if ((h & 0x7FFF) < 0x7BFF) {
        const float next = F16::wide(h + 1), middle = static_cast<float>((static_cast<double>(f) + static_cast<double>(next)) / 2);
        REQUIRE(F16::narrow(middle) == (h % 2 == 0 ? h : h + 1));
        REQUIRE(F16::narrow(std::nextafter(middle, f)) == h);
        REQUIRE(F16::narrow(std::nextafter(middle, next)) == h + 1);
      }
    } else {
      REQUIRE((fraction == 0 ? std::isinf(f) : std::isnan(f)));
      REQUIRE(F16::narrow(f) == (fraction == 0 ? h : 0x7FFF));
    }
    REQUIRE(float_bits(g) == h << 16);
    if (!std::isnan(g)) {
      REQUIRE(BF16::narrow(g) == h);
      if ((h & 0x7FFF) < 0x7F7F) {
        REQUIRE(BF16::narrow(bits_float(h << 16 | 0x8000)) == (h % 2 == 0 ? h : h + 1));
        REQUIRE(BF16::narrow(bits_float(h << 16 | 0x7FFF)) == h);
        REQUIRE(BF16::narrow(bits_float(h << 16 | 0x8001)) == h + 1);
      }
    } else {
      REQUIRE(BF16::narrow(g) == 0x7FFF);
    }
  }
}

TEST_CASE("functions of floats give the same bits in every build") {
  // A sum over a grid of arguments, as it came out natively; the WebAssembly build computes it too.
  uint64_t sum = 0;
  for (const Op op : {Op::exp, Op::exp2, Op::exp10, Op::expm1, Op::log, Op::log2, Op::log10, Op::log1p, Op::sin, Op::cos, Op::tan, Op::tanh, Op::erf, Op::rsqrt, Op::pow,
                      Op::exp_fast, Op::log_fast, Op::div_fast, Op::pow_fast, Op::sin_fast, Op::cos_fast}) {
    const Alu f = find_function(op, Type::f32);
    REQUIRE(f != nullptr);
    for (int block = 0; block < 500; ++block) {
      float x[32], y[32], d[32];
      for (int i = 0; i < 32; ++i) {
        const int k = block * 32 + i;
        x[i] = static_cast<float>(k - 8000) / 256.0f + 0.001f;
        if (op == Op::log || op == Op::log2 || op == Op::log10 || op == Op::log1p || op == Op::rsqrt || op == Op::pow || op == Op::log_fast || op == Op::pow_fast)
          x[i] = std::fabs(x[i]);
        y[i] = static_cast<float>(k % 17) - 7.5f;
      }
      f(d, x, y, x);
      for (int i = 0; i < 32; ++i) {
        REQUIRE(d[i] == d[i]);
        sum = (sum ^ float_bits(d[i])) * 0x100000001B3u;
      }
    }
  }
  CHECK(sum == 0x1E72770BF7A1EFA1u);
}

TEST_CASE("what the compiler folds is what the machine gives") {
  const Type types[] = {Type::s32, Type::u32, Type::s64, Type::u64, Type::f16, Type::bf16, Type::f32, Type::f64};
  const Op ops[] = {Op::add, Op::sub, Op::mul, Op::mul_hi, Op::fma, Op::div, Op::rem, Op::neg, Op::abs, Op::min, Op::max, Op::and_, Op::or_, Op::xor_, Op::not_, Op::shl, Op::shr,
                    Op::popc, Op::clz, Op::ffs, Op::eq, Op::ne, Op::lt, Op::le, Op::gt, Op::ge, Op::sqrt, Op::floor, Op::ceil, Op::trunc, Op::rint, Op::round};
  size_t folded = 0;
  const auto like = [&](const Instr& i, const Bits& a, const Bits& b, const Bits& c) {
    // Only what folds at all: other operations may not exist on the type.
    bool any = false;
    for (size_t k = 0; k < 8; ++k) any |= fold(i.op, i.type, i.from, a[k], b[k], c[k]).has_value();
    if (!any) return;
    ++folded;
    check(i, a, b, c, [&](uint64_t x, uint64_t y, uint64_t z) { return fold(i.op, i.type, i.from, x, y, z); }, is_float(i.type));
  };
  for (const Type t : types) {
    const auto values = [&](uint64_t seed) { return is_float(t) ? reals(t, seed) : integers(t, seed); };
    const Bits a = values(31), b = values(32), c = values(33);
    Bits counts = integers(Type::u32, 34);
    for (uint64_t& v : counts) v &= 127;
    for (const Op op : ops) like(make(op, t), a, op == Op::shl || op == Op::shr ? counts : b, c);
    for (const Type to : types) {
      Instr i = make(Op::convert, to);
      i.from = t;
      like(i, a, b, c);
    }
  }
  CHECK(folded > 150);
}
