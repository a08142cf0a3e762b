#include <limits>
#include <type_traits>

#include "simt/machine_alu.h"

namespace lk::simt {
namespace {

template <class T>
using Bits = std::make_unsigned_t<T>;
template <class T>
constexpr unsigned width = sizeof(T) * 8;

struct Add { template <class T> static T of(T a, T b) { return static_cast<T>(static_cast<Bits<T>>(a) + static_cast<Bits<T>>(b)); } };
struct Sub { template <class T> static T of(T a, T b) { return static_cast<T>(static_cast<Bits<T>>(a) - static_cast<Bits<T>>(b)); } };
struct Mul { template <class T> static T of(T a, T b) { return static_cast<T>(static_cast<Bits<T>>(a) * static_cast<Bits<T>>(b)); } };
struct Fma {
  template <class T> static T of(T a, T b, T c) { return static_cast<T>(static_cast<Bits<T>>(a) * static_cast<Bits<T>>(b) + static_cast<Bits<T>>(c)); }
};
struct MulHi {
  static int32_t of(int32_t a, int32_t b) { return static_cast<int32_t>(int64_t{a} * b >> 32); }
  static uint32_t of(uint32_t a, uint32_t b) { return static_cast<uint32_t>(uint64_t{a} * b >> 32); }
  static uint64_t of(uint64_t a, uint64_t b) {
    const uint64_t low = (a & 0xFFFFFFFF) * (b & 0xFFFFFFFF), one = (a >> 32) * (b & 0xFFFFFFFF) + (low >> 32);
    const uint64_t two = (a & 0xFFFFFFFF) * (b >> 32) + (one & 0xFFFFFFFF);
    return (a >> 32) * (b >> 32) + (one >> 32) + (two >> 32);
  }
  static int64_t of(int64_t a, int64_t b) {
    const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    return static_cast<int64_t>(of(x, y) - (a < 0 ? y : 0) - (b < 0 ? x : 0));
  }
};
// The quotient of the least number and -1 wraps to itself.
struct Div {
  template <class T> static T of(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return Sub::of(T{0}, a);
    return static_cast<T>(a / b);
  }
};
struct Rem {
  template <class T> static T of(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
    return static_cast<T>(a % b);
  }
};
struct Neg { template <class T> static T of(T a) { return Sub::of(T{0}, a); } };
struct Abs { template <class T> static T of(T a) { return a < 0 ? Sub::of(T{0}, a) : a; } };
struct Min { template <class T> static T of(T a, T b) { return a < b ? a : b; } };
struct Max { template <class T> static T of(T a, T b) { return a < b ? b : a; } };
struct And { template <class T> static T of(T a, T b) { return static_cast<T>(a & b); } };
struct Or { template <class T> static T of(T a, T b) { return static_cast<T>(a | b); } };
struct Xor { template <class T> static T of(T a, T b) { return static_cast<T>(a ^ b); } };
struct Not { template <class T> static T of(T a) { return static_cast<T>(~a); } };
struct NotPredicate { static uint32_t of(uint32_t a) { return a ^ 1; } };
struct Shl { template <class T> static T of(T a, uint32_t n) { return n >= width<T> ? T{0} : static_cast<T>(static_cast<Bits<T>>(a) << n); } };
struct Shr {
  template <class T> static T of(T a, uint32_t n) {
    if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> (n >= width<T> ? width<T> - 1 : n));
    return n >= width<T> ? T{0} : static_cast<T>(a >> n);
  }
};
struct Popc {
  static uint32_t of(uint32_t a) { return static_cast<uint32_t>(__builtin_popcount(a)); }
  static uint32_t of(uint64_t a) { return static_cast<uint32_t>(__builtin_popcountll(a)); }
};
struct Clz {
  static uint32_t of(uint32_t a) { return a == 0 ? 32 : static_cast<uint32_t>(__builtin_clz(a)); }
  static uint32_t of(uint64_t a) { return a == 0 ? 64 : static_cast<uint32_t>(__builtin_clzll(a)); }
};
struct Ffs {
  static uint32_t of(uint32_t a) { return a == 0 ? 0 : static_cast<uint32_t>(__builtin_ctz(a)) + 1; }
  static uint32_t of(uint64_t a) { return a == 0 ? 0 : static_cast<uint32_t>(__builtin_ctzll(a)) + 1; }
};
struct Brev {
  static uint32_t of(uint32_t a) {
    a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
    a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
    a = (a >> 4 & 0x0F0F0F0F) | (a & 0x0F0F0F0F) << 4;
    return __builtin_bswap32(a);
  }
  static uint64_t of(uint64_t a) { return uint64_t{of(static_cast<uint32_t>(a))} << 32 | of(static_cast<uint32_t>(a >> 32)); }
};
// PTX shf.l.wrap: the upper word of b:a shifted left by c modulo 32.
struct FunnelL {
  static uint32_t of(uint32_t a, uint32_t b, uint32_t c) {
    return static_cast<uint32_t>(((uint64_t{b} << 32 | a) << (c & 31)) >> 32);
  }
};
// PTX prmt in its default mode: each nibble of c chooses a byte of b:a, and its upper bit repeats that byte's sign.
struct BytePerm {
  static uint32_t of(uint32_t a, uint32_t b, uint32_t c) {
    const uint64_t both = uint64_t{b} << 32 | a;
    uint32_t out = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const uint32_t pick = c >> (4 * i) & 15, byte = static_cast<uint32_t>(both >> (8 * (pick & 7))) & 0xFF;
      out |= (pick & 8 ? (byte & 0x80 ? 0xFFu : 0u) : byte) << (8 * i);
    }
    return out;
  }
};
struct Eq { template <class T> static uint32_t of(T a, T b) { return a == b; } };
struct Ne { template <class T> static uint32_t of(T a, T b) { return a != b; } };
struct Lt { template <class T> static uint32_t of(T a, T b) { return a < b; } };
struct Le { template <class T> static uint32_t of(T a, T b) { return a <= b; } };
struct Select { template <class T> static T of(T a, T b, uint32_t c) { return c ? a : b; } };
struct Copy { template <class T> static T of(T a) { return a; } };

// gt and ge are lt and le with their operands exchanged.
template <class F, class T>
void exchanged(void* d, const void* a, const void* b, const void* c) { lanes2<F, uint32_t, T>(d, b, a, c); }

template <class T>
Alu arithmetic(Op op) {
  switch (op) {
    case Op::div: return lanes2<Div, T, T>;
    case Op::rem: return lanes2<Rem, T, T>;
    case Op::mul_hi: return lanes2<MulHi, T, T>;
    case Op::min: return lanes2<Min, T, T>;
    case Op::max: return lanes2<Max, T, T>;
    case Op::shr: return lanes2<Shr, T, T, uint32_t>;
    case Op::lt: return lanes2<Lt, uint32_t, T>;
    case Op::le: return lanes2<Le, uint32_t, T>;
    case Op::gt: return exchanged<Lt, T>;
    case Op::ge: return exchanged<Le, T>;
    default: return nullptr;
  }
}

// What does not ask for the sign.
template <class T>
Alu bitwise(Op op) {
  switch (op) {
    case Op::move: case Op::bits: return lanes1<Copy, T, T>;
    case Op::add: return lanes2<Add, T, T>;
    case Op::sub: return lanes2<Sub, T, T>;
    case Op::mul: return lanes2<Mul, T, T>;
    case Op::fma: return lanes3<Fma, T, T>;
    case Op::neg: return lanes1<Neg, T, T>;
    case Op::and_: return lanes2<And, T, T>;
    case Op::or_: return lanes2<Or, T, T>;
    case Op::xor_: return lanes2<Xor, T, T>;
    case Op::not_: return lanes1<Not, T, T>;
    case Op::shl: return lanes2<Shl, T, T, uint32_t>;
    case Op::popc: return lanes1<Popc, uint32_t, T>;
    case Op::clz: return lanes1<Clz, uint32_t, T>;
    case Op::ffs: return lanes1<Ffs, uint32_t, T>;
    case Op::brev: return lanes1<Brev, T, T>;
    case Op::eq: return lanes2<Eq, uint32_t, T>;
    case Op::ne: return lanes2<Ne, uint32_t, T>;
    case Op::select: return lanes3<Select, T, T, uint32_t>;
    default: return nullptr;
  }
}

}  // namespace

Alu find_integer(Op op, Type type) {
  if (op == Op::move || op == Op::bits || op == Op::select) return units(type) == 2 ? bitwise<uint64_t>(op) : bitwise<uint32_t>(op);
  switch (type) {
    case Type::pred:
      switch (op) {
        case Op::and_: case Op::or_: case Op::xor_: case Op::eq: case Op::ne: return bitwise<uint32_t>(op);
        case Op::not_: return lanes1<NotPredicate, uint32_t, uint32_t>;
        default: return nullptr;
      }
    case Type::s32: case Type::u32:
      if (op == Op::funnel_l) return lanes3<FunnelL, uint32_t, uint32_t>;
      if (op == Op::byte_perm) return lanes3<BytePerm, uint32_t, uint32_t>;
      if (op == Op::abs) return type == Type::s32 ? lanes1<Abs, int32_t, int32_t> : lanes1<Copy, uint32_t, uint32_t>;
      if (const Alu found = bitwise<uint32_t>(op)) return found;
      return type == Type::s32 ? arithmetic<int32_t>(op) : arithmetic<uint32_t>(op);
    case Type::s64: case Type::u64:
      if (op == Op::abs) return type == Type::s64 ? lanes1<Abs, int64_t, int64_t> : lanes1<Copy, uint64_t, uint64_t>;
      if (const Alu found = bitwise<uint64_t>(op)) return found;
      return type == Type::s64 ? arithmetic<int64_t>(op) : arithmetic<uint64_t>(op);
    default: return nullptr;
  }
}

}  // namespace lk::simt
