// Functions over the 32 lanes of a warp: what the machine calls for everything that computes. Each reads whole units and writes whole units;
// the machine blends the result where lanes are inactive. Operands are either the very same unit as the result or do not overlap it.
#pragma once
#include <cstdint>

#include "simt/code.h"
#include "simt/half.h"

// A loop over the lanes whose turns do not depend on each other.
#if defined(__clang__)
#define LK_LANES _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < lanes; ++i)
#else
#define LK_LANES _Pragma("GCC ivdep") for (int i = 0; i < lanes; ++i)
#endif

namespace lk::simt {

using Alu = void (*)(void* d, const void* a, const void* b, const void* c);

/// The function for an operation on values of one type; nullptr if there is none. Narrow integers and halves have none of their own:
/// the machine goes through s32, u32 and f32.
Alu find_integer(Op op, Type type);
Alu find_float(Op op, Type type);    // f32, f64
Alu find_function(Op op, Type type); // sqrt and what follows it
Alu find_convert(Type to, Type from);

/// The fused multiply-add of floats where the processor has none: for tests, which compare it with the processor's.
void fma_f32_portable(void* d, const void* a, const void* b, const void* c);
/// a * b + c of halves, each lane rounded once.
void fma_f16(void* d, const void* a, const void* b, const void* c);
void fma_bf16(void* d, const void* a, const void* b, const void* c);
/// Halves to floats and back: 32 lanes; `upper` is the other half of a pair.
void widen(float* d, const uint32_t* a, bool bf16, bool upper);
void narrow(uint32_t* d, const float* a, bool bf16);

/// Bit i: lane i of a predicate.
uint32_t predicate_bits(const uint32_t* predicate);

template <class F, class D, class A>
void lanes1(void* d, const void* a, const void*, const void*) {
  auto* to = static_cast<D*>(d);
  const auto* x = static_cast<const A*>(a);
  LK_LANES to[i] = static_cast<D>(F::of(x[i]));
}
template <class F, class D, class A, class B = A>
void lanes2(void* d, const void* a, const void* b, const void*) {
  auto* to = static_cast<D*>(d);
  const auto* x = static_cast<const A*>(a);
  const auto* y = static_cast<const B*>(b);
  LK_LANES to[i] = static_cast<D>(F::of(x[i], y[i]));
}
template <class F, class D, class A, class C = A>
void lanes3(void* d, const void* a, const void* b, const void* c) {
  auto* to = static_cast<D*>(d);
  const auto* x = static_cast<const A*>(a);
  const auto* y = static_cast<const A*>(b);
  const auto* z = static_cast<const C*>(c);
  LK_LANES to[i] = static_cast<D>(F::of(x[i], y[i], z[i]));
}

}  // namespace lk::simt
