// Kernels by hand for tests of the machine.
#pragma once
#include "support/assemble.h"

namespace lk::simt::test {

/// C = A * B, n x n floats, n a multiple of 32, blocks of 32 x 32: a tile of each in shared memory, the loop over it unrolled.
inline void sgemm_tiled(Assembler& a, bool barriers = true) {
  const auto A = a.pointer("A", Type::f32, true), B = a.pointer("B", Type::f32, true), C = a.pointer("C");
  const auto n = a.scalar("n", Type::s32);
  a.kernel().shared_bytes = 2 * 32 * 32 * 4;
  a.kernel().shared = {{"As", 0, 4096, Type::f32, {32, 32}}, {"Bs", 4096, 4096, Type::f32, {32, 32}}};
  const auto tx = a.special(Special::thread_x), ty = a.special(Special::thread_y);
  const auto tile = a.number(32), one = a.number(1), zero = a.number(0);
  const auto row = a.op(Op::fma, Type::s32, a.special(Special::block_y), tile, ty);
  const auto column = a.op(Op::fma, Type::s32, a.special(Special::block_x), tile, tx);
  const auto tiles = a.op(Op::div, Type::s32, n, tile);
  const auto base = a.shared_base();
  const auto As_row = a.address(base, ty, 128), Bs_column = a.address(base, tx, 4);
  const auto slot = a.address(base, a.op(Op::fma, Type::s32, ty, tile, tx), 4);
  const auto sum = a.number(0.0f);
  const auto t = a.unit();
  a.loop(t, zero, tiles, one, [&] {
    const auto k = a.op(Op::mul, Type::s32, t, tile);
    const auto from_a = a.load(Type::f32, Space::global, a.address(A, a.op(Op::fma, Type::s32, row, n, a.op(Op::add, Type::s32, k, tx)), 4), 1, 0, flag_readonly);
    const auto from_b = a.load(Type::f32, Space::global, a.address(B, a.op(Op::fma, Type::s32, a.op(Op::add, Type::s32, k, ty), n, column), 4), 1, 0, flag_readonly);
    a.store(Type::f32, Space::shared, slot, from_a);
    a.store(Type::f32, Space::shared, slot, from_b, 1, 4096);
    if (barriers) a.sync();
    const auto x = a.unit(Type::f32), y = a.unit(Type::f32);
    for (int i = 0; i < 32; ++i) {
      a.memory(Op::load, Type::f32, Space::shared, x, As_row, 0, 1, i * 4);
      a.memory(Op::load, Type::f32, Space::shared, y, Bs_column, 0, 1, 4096 + i * 128);
      a.emit(Op::fma, Type::f32, sum, x, y, sum);
    }
    a.sync();
  });
  a.store(Type::f32, Space::global, a.address(C, a.op(Op::fma, Type::s32, row, n, column), 4), sum);
}

/// A chain of fused multiply-adds in a loop, or of multiplications, additions and integer steps: nothing but arithmetic.
inline void arithmetic(Assembler& a, bool fused) {
  const auto out = a.pointer("out");
  const auto trips = a.scalar("trips", Type::s32);
  const auto i = a.global_index();
  const auto x = a.convert(Type::f32, Type::s32, i), m = a.number(0.999f), c = a.number(0.25f);
  const auto y = a.number(1);
  const auto t = a.unit();
  a.loop(t, a.number(0), trips, a.number(1), [&] {
    for (int k = 0; k < 32; ++k) {
      if (fused) {
        a.emit(Op::fma, Type::f32, x, x, m, c);
      } else {
        a.emit(k % 2 ? Op::add : Op::mul, Type::f32, x, x, k % 2 ? c : m);
        a.emit(Op::xor_, Type::s32, y, y, i);
        a.emit(Op::add, Type::s32, y, y, i);
      }
    }
  });
  a.store(Type::f32, Space::global, a.address(out, i, 4), x);
}

}  // namespace lk::simt::test
