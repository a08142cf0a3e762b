#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "simt/machine.h"

namespace lk::simt {
namespace {

// The lanes take turns from the first to the last, so sums of floats come out the same every time.
template <class T, class R>
void lane_by_lane(const Request& r, Warp& warp, uint8_t* memory) {
  const Op op = r.instr->op;
  auto* d = reinterpret_cast<R*>(warp.units + r.micro->d);
  const auto* b = reinterpret_cast<const R*>(warp.units + r.micro->b);
  const auto* c = reinterpret_cast<const R*>(warp.units + r.micro->c);
  const bool unused = r.instr->flags & flag_unused;
  for (uint32_t rest = r.active; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    T old;
    std::memcpy(&old, memory + r.at[i], sizeof old);
    const T x = static_cast<T>(b[i]);
    T now = old;
    if constexpr (std::is_floating_point_v<T>) {
      if (op == Op::atomic_add) now = old + x;
      if (op == Op::atomic_sub) now = old - x;
      if (op == Op::atomic_exchange) now = x;
    } else {
      using U = std::make_unsigned_t<T>;
      switch (op) {
        case Op::atomic_add: now = static_cast<T>(static_cast<U>(old) + static_cast<U>(x)); break;
        case Op::atomic_sub: now = static_cast<T>(static_cast<U>(old) - static_cast<U>(x)); break;
        case Op::atomic_min: now = x < old ? x : old; break;
        case Op::atomic_max: now = old < x ? x : old; break;
        case Op::atomic_and: now = static_cast<T>(old & x); break;
        case Op::atomic_or: now = static_cast<T>(old | x); break;
        case Op::atomic_xor: now = static_cast<T>(old ^ x); break;
        case Op::atomic_exchange: now = x; break;
        case Op::atomic_compare_swap: now = old == x ? static_cast<T>(c[i]) : old; break;
        case Op::atomic_inc: now = old >= x ? T{0} : static_cast<T>(old + 1); break;
        case Op::atomic_dec: now = old == 0 || old > x ? x : static_cast<T>(old - 1); break;
        default: break;
      }
    }
    std::memcpy(memory + r.at[i], &now, sizeof now);
    if (!unused) d[i] = static_cast<R>(old);
  }
}

template <class H>
void add_halves(const Request& r, Warp& warp, uint8_t* memory, bool pair) {
  uint32_t* d = warp.units + r.micro->d;
  const uint32_t* b = warp.units + r.micro->b;
  const bool minus = r.instr->op == Op::atomic_sub;
  for (uint32_t rest = r.active; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    uint32_t old = 0, now = 0;
    std::memcpy(&old, memory + r.at[i], pair ? 4 : 2);
    for (unsigned shift = 0; shift < (pair ? 32u : 16u); shift += 16) {
      const float x = H::wide(old >> shift & 0xFFFF), y = H::wide(b[i] >> shift & 0xFFFF);
      now |= H::narrow(minus ? x - y : x + y) << shift;
    }
    std::memcpy(memory + r.at[i], &now, pair ? 4 : 2);
    if (!(r.instr->flags & flag_unused)) d[i] = old;
  }
}

}  // namespace

void Machine::atomic(const Request& r, Warp& warp, uint8_t* memory) {
  switch (r.instr->type) {
    case Type::s32: return lane_by_lane<int32_t, int32_t>(r, warp, memory);
    case Type::u32: return lane_by_lane<uint32_t, uint32_t>(r, warp, memory);
    case Type::s64: return lane_by_lane<int64_t, int64_t>(r, warp, memory);
    case Type::u64: return lane_by_lane<uint64_t, uint64_t>(r, warp, memory);
    case Type::u16: return lane_by_lane<uint16_t, uint32_t>(r, warp, memory);
    case Type::f32: return lane_by_lane<float, float>(r, warp, memory);
    case Type::f64: return lane_by_lane<double, double>(r, warp, memory);
    case Type::f16: return add_halves<F16>(r, warp, memory, false);
    case Type::bf16: return add_halves<BF16>(r, warp, memory, false);
    case Type::f16x2: return add_halves<F16>(r, warp, memory, true);
    case Type::bf16x2: return add_halves<BF16>(r, warp, memory, true);
    default: return;
  }
}

}  // namespace lk::simt
