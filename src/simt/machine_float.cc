#include <cmath>
#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__SSE2__)
#include <immintrin.h>
#endif

#include "simt/machine_alu.h"

namespace lk::simt {
namespace {

struct Add { template <class T> static T of(T a, T b) { return a + b; } };
struct Sub { template <class T> static T of(T a, T b) { return a - b; } };
struct Mul { template <class T> static T of(T a, T b) { return a * b; } };
struct Div { template <class T> static T of(T a, T b) { return a / b; } };
// As PTX: a NaN gives way to a number, and -0 is less than 0.
struct Min {
  static float of(float a, float b) {
    const float least = a < b ? a : a > b ? b : bits_float(float_bits(a) | float_bits(b));
    return a != a ? b : b != b ? a : least;
  }
  static double of(double a, double b) {
    const double least = a < b ? a : a > b ? b : bits_double(double_bits(a) | double_bits(b));
    return a != a ? b : b != b ? a : least;
  }
};
struct Max {
  static float of(float a, float b) {
    const float most = a > b ? a : a < b ? b : bits_float(float_bits(a) & float_bits(b));
    return a != a ? b : b != b ? a : most;
  }
  static double of(double a, double b) {
    const double most = a > b ? a : a < b ? b : bits_double(double_bits(a) & double_bits(b));
    return a != a ? b : b != b ? a : most;
  }
};
struct Neg {
  static float of(float a) { return bits_float(float_bits(a) ^ 0x80000000); }
  static double of(double a) { return bits_double(double_bits(a) ^ uint64_t{1} << 63); }
};
struct Abs {
  static float of(float a) { return bits_float(float_bits(a) & 0x7FFFFFFF); }
  static double of(double a) { return bits_double(double_bits(a) & ~(uint64_t{1} << 63)); }
};
struct Eq { template <class T> static uint32_t of(T a, T b) { return a == b; } };
struct Ne { template <class T> static uint32_t of(T a, T b) { return a != b; } };
struct Lt { template <class T> static uint32_t of(T a, T b) { return a < b; } };
struct Le { template <class T> static uint32_t of(T a, T b) { return a <= b; } };
struct Gt { template <class T> static uint32_t of(T a, T b) { return a > b; } };
struct Ge { template <class T> static uint32_t of(T a, T b) { return a >= b; } };
struct IsNan { template <class T> static uint32_t of(T a) { return a != a; } };
struct IsInf {
  static uint32_t of(float a) { return (float_bits(a) & 0x7FFFFFFF) == 0x7F800000; }
  static uint32_t of(double a) { return (double_bits(a) & ~(uint64_t{1} << 63)) == uint64_t{0x7FF} << 52; }
};
struct Fma {
  static float of(float a, float b, float c) { return static_cast<float>(fma_to_odd(a, b, c)); }
  static double of(double a, double b, double c) { return std::fma(a, b, c); }
};

template <class T>
Alu arithmetic(Op op) {
  switch (op) {
    case Op::add: return lanes2<Add, T, T>;
    case Op::sub: return lanes2<Sub, T, T>;
    case Op::mul: return lanes2<Mul, T, T>;
    case Op::div: return lanes2<Div, T, T>;
    case Op::min: return lanes2<Min, T, T>;
    case Op::max: return lanes2<Max, T, T>;
    case Op::neg: return lanes1<Neg, T, T>;
    case Op::abs: return lanes1<Abs, T, T>;
    case Op::eq: return lanes2<Eq, uint32_t, T>;
    case Op::ne: return lanes2<Ne, uint32_t, T>;
    case Op::lt: return lanes2<Lt, uint32_t, T>;
    case Op::le: return lanes2<Le, uint32_t, T>;
    case Op::gt: return lanes2<Gt, uint32_t, T>;
    case Op::ge: return lanes2<Ge, uint32_t, T>;
    case Op::is_nan: return lanes1<IsNan, uint32_t, T>;
    case Op::is_inf: return lanes1<IsInf, uint32_t, T>;
    default: return nullptr;
  }
}

// The fused multiply-add of floats: the product is exact in a double, so only the sum is rounded, and rounding it again to a float goes wrong
// only where that double lies half way between two floats (last 29 bits 1000...) or the result has fewer bits than usual (below 2^-126; a
// sum so small that it becomes 0 is exact). Such lanes, rare as they are, send all of them through a sum that is rounded to odd.
constexpr int32_t tail = 0x1FFFFFFF, half_way = 0x10000000;

void repair(float* d, const float* a, const float* b, const float* c) {
  LK_LANES d[i] = Fma::of(a[i], b[i], c[i]);
}

#if defined(__wasm_simd128__)
void fma_f32(void* d, const void* a, const void* b, const void* c) {
  const auto *x = static_cast<const float*>(a), *y = static_cast<const float*>(b), *z = static_cast<const float*>(c);
  alignas(16) float out[lanes];
  v128_t odd = wasm_i32x4_splat(0);
  const v128_t tails = wasm_i32x4_splat(tail), middle = wasm_i32x4_splat(half_way), least = wasm_f32x4_splat(0x1p-126f), zero = wasm_f32x4_splat(0);
  const auto sum = [](v128_t p, v128_t q, v128_t r) {
    return wasm_f64x2_add(wasm_f64x2_mul(wasm_f64x2_promote_low_f32x4(p), wasm_f64x2_promote_low_f32x4(q)), wasm_f64x2_promote_low_f32x4(r));
  };
  for (int i = 0; i < lanes; i += 4) {
    const v128_t p = wasm_v128_load(x + i), q = wasm_v128_load(y + i), r = wasm_v128_load(z + i);
    const v128_t low = sum(p, q, r);
    const v128_t high = sum(wasm_i64x2_shuffle(p, p, 1, 1), wasm_i64x2_shuffle(q, q, 1, 1), wasm_i64x2_shuffle(r, r, 1, 1));
    const v128_t result = wasm_i64x2_shuffle(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high), 0, 2);
    const v128_t small = wasm_v128_and(wasm_f32x4_lt(wasm_f32x4_abs(result), least), wasm_f32x4_ne(result, zero));
    const v128_t lower = wasm_i32x4_shuffle(low, high, 0, 2, 4, 6);
    odd = wasm_v128_or(odd, wasm_v128_or(small, wasm_i32x4_eq(wasm_v128_and(lower, tails), middle)));
    wasm_v128_store(out + i, result);
  }
  if (wasm_v128_any_true(odd)) return repair(static_cast<float*>(d), x, y, z);
  __builtin_memcpy(d, out, sizeof out);
}
#elif defined(__SSE2__)
void fma_f32(void* d, const void* a, const void* b, const void* c) {
  const auto *x = static_cast<const float*>(a), *y = static_cast<const float*>(b), *z = static_cast<const float*>(c);
  alignas(16) float out[lanes];
  __m128i odd = _mm_setzero_si128();
  const __m128i tails = _mm_set1_epi32(tail), middle = _mm_set1_epi32(half_way);
  const __m128 least = _mm_set1_ps(0x1p-126f), zero = _mm_setzero_ps(), sign = _mm_set1_ps(-0.0f);
  const auto sum = [](__m128 p, __m128 q, __m128 r) {
    return _mm_add_pd(_mm_mul_pd(_mm_cvtps_pd(p), _mm_cvtps_pd(q)), _mm_cvtps_pd(r));
  };
  for (int i = 0; i < lanes; i += 4) {
    const __m128 p = _mm_loadu_ps(x + i), q = _mm_loadu_ps(y + i), r = _mm_loadu_ps(z + i);
    const __m128d low = sum(p, q, r), high = sum(_mm_movehl_ps(p, p), _mm_movehl_ps(q, q), _mm_movehl_ps(r, r));
    const __m128 result = _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
    const __m128 small = _mm_and_ps(_mm_cmplt_ps(_mm_andnot_ps(sign, result), least), _mm_cmpneq_ps(result, zero));
    const __m128i lower = _mm_castps_si128(_mm_shuffle_ps(_mm_castpd_ps(low), _mm_castpd_ps(high), _MM_SHUFFLE(2, 0, 2, 0)));
    odd = _mm_or_si128(odd, _mm_or_si128(_mm_castps_si128(small), _mm_cmpeq_epi32(_mm_and_si128(lower, tails), middle)));
    _mm_store_ps(out + i, result);
  }
  if (_mm_movemask_epi8(odd)) return repair(static_cast<float*>(d), x, y, z);
  __builtin_memcpy(d, out, sizeof out);
}
// The same result from the processor's own instruction, where it has one.
__attribute__((target("avx,fma"))) void fma_hardware(void* d, const void* a, const void* b, const void* c) {
  const auto *x = static_cast<const float*>(a), *y = static_cast<const float*>(b), *z = static_cast<const float*>(c);
  auto* to = static_cast<float*>(d);
  for (int i = 0; i < lanes; i += 8) _mm256_storeu_ps(to + i, _mm256_fmadd_ps(_mm256_loadu_ps(x + i), _mm256_loadu_ps(y + i), _mm256_loadu_ps(z + i)));
}
#else
void fma_f32(void* d, const void* a, const void* b, const void* c) {
  repair(static_cast<float*>(d), static_cast<const float*>(a), static_cast<const float*>(b), static_cast<const float*>(c));
}
#endif

template <class H>
void fma_half(void* d, const void* a, const void* b, const void* c) {
  auto* to = static_cast<uint32_t*>(d);
  const auto *x = static_cast<const uint32_t*>(a), *y = static_cast<const uint32_t*>(b), *z = static_cast<const uint32_t*>(c);
  for (int i = 0; i < lanes; ++i) to[i] = H::narrow(round_to_odd(fma_to_odd(H::wide(x[i] & 0xFFFF), H::wide(y[i] & 0xFFFF), H::wide(z[i] & 0xFFFF))));
}

}  // namespace

Alu find_float(Op op, Type type) {
  if (type == Type::f64) return op == Op::fma ? lanes3<Fma, double, double> : arithmetic<double>(op);
  if (type != Type::f32) return nullptr;
  if (op != Op::fma) return arithmetic<float>(op);
#if defined(__SSE2__) && !defined(__wasm_simd128__)
  if (__builtin_cpu_supports("fma")) return fma_hardware;
#endif
  return fma_f32;
}

void fma_f32_portable(void* d, const void* a, const void* b, const void* c) { fma_f32(d, a, b, c); }
void fma_f16(void* d, const void* a, const void* b, const void* c) { fma_half<F16>(d, a, b, c); }
void fma_bf16(void* d, const void* a, const void* b, const void* c) { fma_half<BF16>(d, a, b, c); }

void widen(float* d, const uint32_t* a, bool bf16, bool upper) {
  const unsigned shift = upper ? 16 : 0;
  if (bf16) {
    LK_LANES d[i] = BF16::wide(a[i] >> shift & 0xFFFF);
  } else {
    LK_LANES d[i] = F16::wide(a[i] >> shift & 0xFFFF);
  }
}

void narrow(uint32_t* d, const float* a, bool bf16) {
  if (bf16) {
    LK_LANES d[i] = BF16::narrow(a[i]);
  } else {
    LK_LANES d[i] = F16::narrow(a[i]);
  }
}

uint32_t predicate_bits(const uint32_t* predicate) {
  uint32_t bits = 0;
#if defined(__wasm_simd128__)
  const v128_t zero = wasm_i32x4_splat(0);
  for (unsigned i = 0; i < lanes; i += 4) bits |= static_cast<uint32_t>(wasm_i32x4_bitmask(wasm_i32x4_ne(wasm_v128_load(predicate + i), zero))) << i;
#elif defined(__SSE2__)
  const auto load = [&](unsigned i) {
    return _mm_cmpeq_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(predicate + i)), _mm_setzero_si128());
  };
  for (unsigned i = 0; i < lanes; i += 16) {
    const __m128i sixteen = _mm_packs_epi16(_mm_packs_epi32(load(i), load(i + 4)), _mm_packs_epi32(load(i + 8), load(i + 12)));
    bits |= (static_cast<uint32_t>(_mm_movemask_epi8(sixteen)) ^ 0xFFFF) << i;
  }
#else
  for (unsigned i = 0; i < lanes; ++i) bits |= uint32_t{predicate[i] != 0} << i;
#endif
  return bits;
}

}  // namespace lk::simt
