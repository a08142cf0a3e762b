// The plainest way to run bytecode: one lane after the other, one warp after the other up to each barrier. It knows no counters
// and no checks; it exists to prove what the compiler makes.
#pragma once
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "simt/code.h"
#include "support/exact_fma.h"

namespace lk::test {
using namespace lk::simt;

class Evaluator {
 public:
  static constexpr uint64_t heap = 0x10000;  // where memory begins
  std::vector<uint8_t> memory = std::vector<uint8_t>(1 << 20);
  std::string failure;

  template <class T> T get(uint64_t address) { T v; std::memcpy(&v, at(address, sizeof v), sizeof v); return v; }
  template <class T> void put(uint64_t address, T v) { std::memcpy(at(address, sizeof v), &v, sizeof v); }

  /// Runs one block of `threads` (a row). False when something was wrong: see failure.
  bool block(const Program& p, const Kernel& k, const std::vector<uint8_t>& arguments, uint32_t threads, uint32_t block_x = 0, uint32_t grid_x = 1, uint32_t dynamic = 0) {
    p_ = &p;
    k_ = &k;
    arguments_ = arguments;
    threads_ = threads;
    block_ = block_x;
    grid_ = grid_x;
    shared_.assign(size_t(k.dynamic_offset) + dynamic + 16, 0);
    std::vector<Warp> warps((threads + 31) / 32);
    for (size_t w = 0; w < warps.size(); ++w) {
      Warp& x = warps[w];
      x.id = uint32_t(w);
      x.pc = k.begin;
      x.active = threads - w * 32 >= 32 ? ~0u : (1u << (threads - w * 32)) - 1;
      x.units.assign(size_t(k.units) * 128 + 256, 0xcd);
      x.local.assign(size_t(k.local_bytes + 16) * 32, 0);
    }
    for (int guard = 0; guard < 100000; ++guard) {
      bool all = true;
      for (Warp& w : warps) {
        if (!w.done) run(w);
        all &= w.done;
        if (!failure.empty()) return false;
      }
      if (all) return true;
      // Everyone that is not done waits at a barrier.
      for (Warp& w : warps) w.waiting = false;
    }
    failure = "it does not end";
    return false;
  }

 private:
  struct Level { Op op; uint32_t saved, left = 0, skipped = 0, otherwise = 0; bool frame_returned = false; uint32_t returned = 0; };
  struct Warp {
    uint32_t id = 0, active = 0;
    int pc = 0;
    bool done = false, waiting = false;
    std::vector<uint8_t> units, local;
    std::vector<Level> stack;
    uint32_t returned = 0;
  };

  uint8_t* at(uint64_t address, size_t size) {
    static uint8_t nowhere[64];
    if (address >= local_window && address - local_window + size <= size_t(k_ ? k_->local_bytes : 0)) return now_->local.data() + size_t(lane_) * size_t(k_->local_bytes + 16) + (address - local_window);
    if (address >= shared_window && address - shared_window + size <= shared_.size()) return shared_.data() + (address - shared_window);
    if (address >= heap && address - heap + size <= memory.size()) return memory.data() + (address - heap);
    failure = "an access to " + std::to_string(address);
    return nowhere;
  }

  uint64_t read(const Warp& w, uint16_t unit, Type t, int lane) const {
    if (units(t) == 2) {
      uint64_t v;
      std::memcpy(&v, &w.units[size_t(unit) * 128 + size_t(lane) * 8], 8);
      return v;
    }
    uint32_t v;
    std::memcpy(&v, &w.units[size_t(unit) * 128 + size_t(lane) * 4], 4);
    return v;
  }
  void write(Warp& w, uint16_t unit, Type t, int lane, uint64_t v) {
    if (units(t) == 2) std::memcpy(&w.units[size_t(unit) * 128 + size_t(lane) * 8], &v, 8);
    else {
      const auto x = uint32_t(v);
      std::memcpy(&w.units[size_t(unit) * 128 + size_t(lane) * 4], &x, 4);
    }
  }

  template <class T> static T as(uint64_t b) { T v; std::memcpy(&v, &b, sizeof v); return v; }
  template <class T> static uint64_t bits(T v) { uint64_t b = 0; std::memcpy(&b, &v, sizeof v); return b; }

  template <class T> static uint64_t real(Op op, uint64_t a, uint64_t b, uint64_t c, std::string& failure) {
    const T x = as<T>(a), y = as<T>(b), z = as<T>(c);
    switch (op) {
      case Op::add: return bits<T>(x + y);
      case Op::sub: return bits<T>(x - y);
      case Op::mul: return bits<T>(x * y);
      case Op::div: case Op::div_fast: return bits<T>(x / y);
      case Op::fma: return bits<T>(exact_fma(x, y, z));
      case Op::neg: return bits<T>(-x);
      case Op::abs: return bits<T>(std::fabs(x));
      case Op::min: return bits<T>(std::fmin(x, y));
      case Op::max: return bits<T>(std::fmax(x, y));
      case Op::sqrt: return bits<T>(std::sqrt(x));
      case Op::rsqrt: return bits<T>(1 / std::sqrt(x));
      case Op::exp: case Op::exp_fast: return bits<T>(std::exp(x));
      case Op::exp2: return bits<T>(std::exp2(x));
      case Op::log: case Op::log_fast: return bits<T>(std::log(x));
      case Op::tanh: return bits<T>(std::tanh(x));
      case Op::floor: return bits<T>(std::floor(x));
      case Op::ceil: return bits<T>(std::ceil(x));
      case Op::trunc: return bits<T>(std::trunc(x));
      case Op::rint: return bits<T>(std::nearbyint(x));
      case Op::fmod: return bits<T>(std::fmod(x, y));
      case Op::copysign: return bits<T>(std::copysign(x, y));
      case Op::eq: return x == y;
      case Op::ne: return x != y;
      case Op::lt: return x < y;
      case Op::le: return x <= y;
      case Op::gt: return x > y;
      case Op::ge: return x >= y;
      case Op::is_nan: return std::isnan(x);
      case Op::is_inf: return std::isinf(x);
      default: failure = "no real " + std::string(name(op)); return 0;
    }
  }
  template <class T, class U> static uint64_t whole(Op op, uint64_t a, uint64_t b, uint64_t c, std::string& failure) {
    const U ux = U(a), uy = U(b);
    const T x = T(ux), y = T(uy);
    constexpr int width = sizeof(T) * 8;
    switch (op) {
      case Op::add: return U(ux + uy);
      case Op::sub: return U(ux - uy);
      case Op::mul: return U(ux * uy);
      case Op::fma: return U(ux * uy + U(c));
      case Op::neg: return U(0 - ux);
      case Op::abs: return U(x < 0 ? 0 - ux : ux);
      case Op::div: return y == 0 ? ~U(0) : std::is_signed_v<T> && y == T(-1) ? U(0 - ux) : U(x / y);
      case Op::rem: return y == 0 ? ~U(0) : std::is_signed_v<T> && y == T(-1) ? 0 : U(x % y);
      case Op::min: return U(x < y ? x : y);
      case Op::max: return U(x > y ? x : y);
      case Op::mul_hi: return width == 32 ? (std::is_signed_v<T> ? uint32_t((int64_t(x) * int64_t(y)) >> 32) : uint32_t((uint64_t(ux) * uint64_t(uy)) >> 32)) : 0;
      case Op::and_: return ux & uy;
      case Op::or_: return ux | uy;
      case Op::xor_: return ux ^ uy;
      case Op::not_: return U(~ux);
      case Op::shl: return uint32_t(b) >= width ? 0 : U(ux << uint32_t(b));
      case Op::shr: return uint32_t(b) >= width ? U(x < 0 ? -1 : 0) : U(x >> uint32_t(b));
      case Op::popc: return uint64_t(__builtin_popcountll(ux));
      case Op::clz: return ux == 0 ? width : uint64_t(__builtin_clzll(ux) - (64 - width));
      case Op::ffs: return uint64_t(__builtin_ffsll(int64_t(ux)));
      case Op::eq: return x == y;
      case Op::ne: return x != y;
      case Op::lt: return x < y;
      case Op::le: return x <= y;
      case Op::gt: return x > y;
      case Op::ge: return x >= y;
      default: failure = "no whole " + std::string(name(op)); return 0;
    }
  }
  static uint64_t compute(Op op, Type t, uint64_t a, uint64_t b, uint64_t c, std::string& failure) {
    switch (t) {
      case Type::f32: return real<float>(op, a, b, c, failure);
      case Type::f64: return real<double>(op, a, b, c, failure);
      case Type::s64: return whole<int64_t, uint64_t>(op, a, b, c, failure);
      case Type::u64: return whole<uint64_t, uint64_t>(op, a, b, c, failure);
      case Type::pred: return op == Op::not_ ? !a : whole<uint32_t, uint32_t>(op, a, b, c, failure) & 1;
      case Type::s32: case Type::s8: case Type::s16: return whole<int32_t, uint32_t>(op, a, b, c, failure);
      case Type::u32: case Type::u8: case Type::u16: return whole<uint32_t, uint32_t>(op, a, b, c, failure);
      default: failure = "no arithmetic of " + std::string(name(t)); return 0;
    }
  }
  template <class F> static uint64_t from_real(Type to, F v) {
    const auto clamp = [&](double least, double most, auto convert) { return std::isnan(v) ? 0 : v <= least ? convert(least) : v >= most ? ~uint64_t{0} : convert(double(v)); };
    switch (to) {
      case Type::f32: return bits<float>(float(v));
      case Type::f64: return bits<double>(double(v));
      case Type::s32: return v >= F(2147483648.0) ? 0x7fffffffu : clamp(-2147483648.0, 4e18, [](double x) { return uint64_t(uint32_t(int32_t(x))); });
      case Type::u32: return v >= F(4294967296.0) ? 0xffffffffu : clamp(0, 4e18, [](double x) { return uint64_t(uint32_t(x)); });
      case Type::s64: return v >= F(9223372036854775808.0) ? 0x7fffffffffffffffu : clamp(-9223372036854775808.0, 1e300, [](double x) { return uint64_t(int64_t(x)); });
      case Type::u64: return clamp(0, 18446744073709551616.0, [](double x) { return uint64_t(x); });
      default: return 0;
    }
  }
  static uint64_t convert(Type to, Type from, uint64_t a) {
    if (from == Type::f32) return from_real(to, as<float>(a));
    if (from == Type::f64) return from_real(to, as<double>(a));
    const int64_t s = from == Type::s64 || from == Type::u64 ? int64_t(a) : from == Type::s32 || from == Type::s16 || from == Type::s8 ? int64_t(int32_t(a)) : int64_t(uint32_t(a));
    switch (to) {
      case Type::f32: return bits<float>(from == Type::u64 ? float(uint64_t(s)) : float(s));
      case Type::f64: return bits<double>(from == Type::u64 ? double(uint64_t(s)) : double(s));
      case Type::s8: return uint32_t(int32_t(int8_t(s)));
      case Type::u8: return uint8_t(s);
      case Type::s16: return uint32_t(int32_t(int16_t(s)));
      case Type::u16: return uint16_t(s);
      case Type::pred: return s != 0;
      case Type::s64: case Type::u64: return uint64_t(s);
      default: return uint32_t(s);
    }
  }

  uint64_t special(const Warp& w, int which, int lane) const {
    switch (Special(which)) {
      case Special::thread_x: return w.id * 32 + uint32_t(lane);
      case Special::block_x: return block_;
      case Special::block_dim_x: return threads_;
      case Special::grid_dim_x: return grid_;
      case Special::block_dim_y: case Special::block_dim_z: case Special::grid_dim_y: case Special::grid_dim_z: return 1;
      case Special::lane: return uint32_t(lane);
      case Special::warp_size: return 32;
      default: return 0;
    }
  }

  void run(Warp& w) {
    now_ = &w;
    for (uint64_t steps = 0; failure.empty(); ++steps) {
      if (steps > 20'000'000) failure = "it does not end";
      const Instr& i = p_->code[size_t(w.pc)];
      int next = w.pc + 1;
      const auto outside = [&](uint32_t mask) {  // without those that left, skipped or returned meanwhile
        for (const Level& l : w.stack) mask &= ~(l.op == Op::loop ? l.left | l.skipped : 0u);
        return mask & ~w.returned;
      };
      const auto pred = [&](uint16_t unit) {
        uint32_t m = 0;
        for (int l = 0; l < 32; ++l)
          if (w.active >> l & 1 && read(w, unit, Type::pred, l)) m |= 1u << l;
        return m;
      };
      switch (i.op) {
        case Op::if_: {
          const uint32_t m = pred(i.a);
          w.stack.push_back({Op::if_, w.active, 0, 0, w.active & ~m});
          w.active = m;
          break;
        }
        case Op::else_: w.active = outside(w.stack.back().otherwise); break;
        case Op::end_if: {
          const uint32_t saved = w.stack.back().saved;
          w.stack.pop_back();
          w.active = outside(saved);
          break;
        }
        case Op::loop: w.stack.push_back({Op::loop, w.active}); break;
        case Op::loop_test: {
          const uint32_t m = pred(i.a);
          w.stack.back().left |= w.active & ~m;
          w.active = m;
          if (m == 0) next = i.imm;
          break;
        }
        case Op::loop_next: w.stack.back().skipped = 0; w.active = outside(w.stack.back().saved); break;
        case Op::loop_back: if (w.active) next = i.imm; break;
        case Op::loop_end: {
          const uint32_t saved = w.stack.back().saved;
          w.stack.pop_back();
          w.active = outside(saved);
          break;
        }
        case Op::break_: case Op::continue_:
          for (size_t s = w.stack.size(); s-- > 0;)
            if (w.stack[s].op == Op::loop) {
              (i.op == Op::break_ ? w.stack[s].left : w.stack[s].skipped) |= w.active;
              break;
            }
          if (w.active) next = i.imm;
          w.active = 0;
          break;
        case Op::return_:
          w.returned |= w.active;
          if (w.active) next = i.imm;
          w.active = 0;
          break;
        case Op::frame: w.stack.push_back({Op::frame, w.active, 0, 0, 0, false, w.returned}); break;
        case Op::frame_end: {
          w.returned = w.stack.back().returned;
          const uint32_t saved = w.stack.back().saved;
          w.stack.pop_back();
          w.active = outside(saved);
          break;
        }
        case Op::exit: w.done = true; return;
        case Op::trap: if (w.active) failure = "trap"; break;
        case Op::nop: case Op::fence: case Op::sync_warp: break;
        case Op::sync_block: w.pc = next; return;
        default: lanes_of(w, i); break;
      }
      w.pc = next;
    }
  }

  void lanes_of(Warp& w, const Instr& i) {
    const bool shuffle = i.op >= Op::shuffle_down && i.op <= Op::shuffle_index;
    std::vector<uint64_t> all(32);
    uint32_t ballot = 0;
    if (shuffle) for (int l = 0; l < 32; ++l) all[size_t(l)] = read(w, i.a, i.type, l);
    if (i.op == Op::ballot || i.op == Op::any || i.op == Op::all)
      for (int l = 0; l < 32; ++l) ballot |= uint32_t(w.active >> l & 1 && read(w, i.a, Type::pred, l)) << l;
    for (int l = 0; l < 32; ++l) {
      if (!(w.active >> l & 1)) continue;
      lane_ = l;
      switch (i.op) {
        case Op::move: write(w, i.d, i.type, l, read(w, i.a, i.type, l)); break;
        case Op::constant: write(w, i.d, i.type, l, p_->constants[size_t(i.imm)]); break;
        case Op::special: write(w, i.d, i.type, l, special(w, i.imm, l)); break;
        case Op::parameter: {
          uint64_t v = 0;
          std::memcpy(&v, arguments_.data() + i.imm, size_t(bytes(i.type)));
          if (bytes(i.type) < 4) v = convert(i.type, i.type == Type::s8 || i.type == Type::s16 ? Type::s32 : Type::u32, v);
          write(w, i.d, i.type, l, v);
          break;
        }
        case Op::convert: write(w, i.d, i.type, l, convert(i.type, i.from, read(w, i.a, i.from, l))); break;
        case Op::bits: write(w, i.d, i.type, l, read(w, i.a, i.from, l)); break;
        case Op::select: write(w, i.d, i.type, l, read(w, i.c, Type::pred, l) ? read(w, i.a, i.type, l) : read(w, i.b, i.type, l)); break;
        case Op::load:
          for (int k = 0; k < i.count; ++k) {
            const uint64_t address = read(w, i.a, Type::u64, l) + uint64_t(int64_t(i.imm)) + uint64_t(k * bytes(i.type));
            if (k == 0 && address % uint64_t(i.count * bytes(i.type))) failure = "misaligned";
            uint64_t v = 0;
            std::memcpy(&v, at(address, size_t(bytes(i.type))), size_t(bytes(i.type)));
            if (i.type == Type::s8) v = uint32_t(int32_t(int8_t(v)));
            if (i.type == Type::s16) v = uint32_t(int32_t(int16_t(v)));
            write(w, uint16_t(i.d + k * units(i.type)), i.type, l, v);
          }
          break;
        case Op::store:
          for (int k = 0; k < i.count; ++k) {
            const uint64_t address = read(w, i.a, Type::u64, l) + uint64_t(int64_t(i.imm)) + uint64_t(k * bytes(i.type));
            const uint64_t v = read(w, uint16_t(i.b + k * units(i.type)), i.type, l);
            std::memcpy(at(address, size_t(bytes(i.type))), &v, size_t(bytes(i.type)));
          }
          break;
        case Op::ballot: write(w, i.d, Type::u32, l, ballot); break;
        case Op::any: write(w, i.d, Type::u32, l, ballot != 0); break;
        case Op::all: write(w, i.d, Type::u32, l, ballot == w.active); break;
        case Op::active_mask: write(w, i.d, Type::u32, l, w.active); break;
        default:
          if (shuffle) {
            const int width = i.imm, b = int(uint32_t(read(w, i.b, Type::u32, l))), base = l & ~(width - 1);
            int from = i.op == Op::shuffle_down ? l + b : i.op == Op::shuffle_up ? l - b : i.op == Op::shuffle_xor ? l ^ b : base + (b & (width - 1));
            if (from < base || from >= base + width) from = l;
            write(w, i.d, i.type, l, all[size_t(from)]);
          } else if (i.op >= Op::atomic_add && i.op <= Op::atomic_dec) {
            const uint64_t address = read(w, i.a, Type::u64, l) + uint64_t(int64_t(i.imm));
            uint64_t old = 0;
            std::memcpy(&old, at(address, size_t(bytes(i.type))), size_t(bytes(i.type)));
            const uint64_t b = read(w, i.b, i.type, l);
            uint64_t v = b;
            if (i.op == Op::atomic_compare_swap) v = old == b ? read(w, i.c, i.type, l) : old;
            else if (i.op != Op::atomic_exchange) v = compute(Op(int(Op::add) + (i.op == Op::atomic_sub)), i.type, old, b, 0, failure);
            if (i.op == Op::atomic_max) v = compute(Op::max, i.type, old, b, 0, failure);
            if (i.op == Op::atomic_min) v = compute(Op::min, i.type, old, b, 0, failure);
            std::memcpy(at(address, size_t(bytes(i.type))), &v, size_t(bytes(i.type)));
            write(w, i.d, i.type, l, old);
          } else {
            const bool shift = i.op == Op::shl || i.op == Op::shr;
            const bool small = (i.op >= Op::eq && i.op <= Op::ge) || i.op == Op::is_nan || i.op == Op::is_inf || i.op == Op::popc || i.op == Op::clz || i.op == Op::ffs;
            const uint64_t v = compute(i.op, i.type, read(w, i.a, i.type, l), read(w, i.b, shift ? Type::u32 : i.type, l), read(w, i.c, i.type, l), failure);
            write(w, i.d, small ? Type::u32 : i.type, l, v);
          }
      }
    }
  }

  const Program* p_ = nullptr;
  const Kernel* k_ = nullptr;
  std::vector<uint8_t> arguments_, shared_;
  uint32_t threads_ = 0, block_ = 0, grid_ = 1;
  Warp* now_ = nullptr;
  int lane_ = 0;
};

/// Bytes of a kernel's arguments.
struct Arguments {
  std::vector<uint8_t> bytes;
  template <class T> Arguments& add(T v) {
    while (bytes.size() % sizeof v) bytes.push_back(0);
    const auto* p = reinterpret_cast<const uint8_t*>(&v);
    bytes.insert(bytes.end(), p, p + sizeof v);
    return *this;
  }
};

}  // namespace lk::test
