#include "simt/prelude.h"

namespace lk::simt {

std::string_view prelude() {
  return R"cuda(
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDA_ARCH__ 900
#define CUDART_VERSION 13000
#define __cplusplus 201703L
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define LONG_MAX 9223372036854775807l
#define LLONG_MAX 9223372036854775807ll
#define LLONG_MIN (-9223372036854775807ll - 1)
#define ULLONG_MAX 18446744073709551615ull
#define INT32_MAX 2147483647
#define INT32_MIN (-2147483647 - 1)
#define UINT32_MAX 4294967295u
#define INT64_MAX 9223372036854775807l
#define UINT64_MAX 18446744073709551615ul
#define SIZE_MAX 18446744073709551615ul
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-7f
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define INFINITY (__int_as_float(0x7f800000))
#define HUGE_VALF (__int_as_float(0x7f800000))
#define NAN (__int_as_float(0x7fffffff))
#define CUDART_INF_F (__int_as_float(0x7f800000))
#define CUDART_NAN_F (__int_as_float(0x7fffffff))
#define CUDART_PI_F 3.141592654f
#define M_PI 3.14159265358979323846
#define M_E 2.71828182845904523536
#define M_LN2 0.693147180559945309417
#define M_LOG2E 1.44269504088896340736
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.707106781186547524401
#define M_2_SQRTPI 1.12837916709551257390

typedef signed char int8_t; typedef unsigned char uint8_t; typedef short int16_t; typedef unsigned short uint16_t; typedef int int32_t;
typedef unsigned int uint32_t; typedef long int64_t; typedef unsigned long uint64_t; typedef unsigned long size_t; typedef long ptrdiff_t;
typedef unsigned long uintptr_t; typedef long intptr_t; typedef unsigned int uint; typedef unsigned short ushort; typedef unsigned long ulong; typedef long ssize_t;

#define LK_VECTORS(T, N, S1, S2, S4) \
  struct __align__(S2) N##2 { T x, y; }; struct N##3 { T x, y, z; }; struct __align__(S4) N##4 { T x, y, z, w; }; struct N##1 { T x; }; \
  __device__ N##1 make_##N##1(T x) { return N##1{x}; } __device__ N##2 make_##N##2(T x, T y) { return N##2{x, y}; } \
  __device__ N##3 make_##N##3(T x, T y, T z) { return N##3{x, y, z}; } __device__ N##4 make_##N##4(T x, T y, T z, T w) { return N##4{x, y, z, w}; }
LK_VECTORS(signed char, char, 1, 2, 4) LK_VECTORS(unsigned char, uchar, 1, 2, 4) LK_VECTORS(short, short, 2, 4, 8) LK_VECTORS(unsigned short, ushort, 2, 4, 8)
LK_VECTORS(int, int, 4, 8, 16) LK_VECTORS(unsigned int, uint, 4, 8, 16) LK_VECTORS(float, float, 4, 8, 16) LK_VECTORS(long long, longlong, 8, 16, 16)
LK_VECTORS(unsigned long long, ulonglong, 8, 16, 16) LK_VECTORS(double, double, 8, 16, 16) LK_VECTORS(long, long, 8, 16, 16) LK_VECTORS(unsigned long, ulong, 8, 16, 16)
#undef LK_VECTORS
struct dim3 { unsigned int x = 1, y = 1, z = 1; };

#define LK_F1(F) __device__ float F##f(float); __device__ double F(double); __device__ float F(float);
#define LK_F2(F) __device__ float F##f(float, float); __device__ double F(double, double); __device__ float F(float, float);
LK_F1(sqrt) LK_F1(rsqrt) LK_F1(exp) LK_F1(exp2) LK_F1(exp10) LK_F1(expm1) LK_F1(log) LK_F1(log2) LK_F1(log10) LK_F1(log1p) LK_F1(sin) LK_F1(cos) LK_F1(tan)
LK_F1(tanh) LK_F1(erf) LK_F1(floor) LK_F1(ceil) LK_F1(trunc) LK_F1(round) LK_F1(rint) LK_F1(nearbyint) LK_F1(fabs)
LK_F2(fmod) LK_F2(copysign) LK_F2(fmax) LK_F2(fmin) LK_F2(pow)
__device__ float pow(float a, int b) { return powf(a, float(b)); }
__device__ double pow(double a, int b) { return pow(a, double(b)); }
__device__ float fmaf(float, float, float); __device__ double fma(double, double, double); __device__ float fma(float, float, float);
__device__ float fdividef(float, float); __device__ float __fdividef(float, float);
__device__ float __expf(float); __device__ float __logf(float); __device__ float __sinf(float); __device__ float __cosf(float); __device__ float __powf(float, float);
__device__ float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
__device__ float __exp10f(float x) { return __expf(x * 2.302585093f); }
__device__ float __log2f(float x) { return log2f(x); }
__device__ float __log10f(float x) { return __logf(x) * 0.4342944819f; }
__device__ float __frcp_rn(float x); __device__ float __fsqrt_rn(float x); __device__ float __frsqrt_rn(float x); __device__ float __saturatef(float x);
__device__ float __fadd_rn(float, float); __device__ float __fsub_rn(float, float); __device__ float __fmul_rn(float, float); __device__ float __fdiv_rn(float, float);
__device__ float __fmaf_rn(float, float, float); __device__ double __dadd_rn(double, double); __device__ double __dmul_rn(double, double);
__device__ double __dsub_rn(double, double); __device__ double __ddiv_rn(double, double); __device__ double __dsqrt_rn(double); __device__ double __fma_rn(double, double, double);
__device__ void sincosf(float x, float* s, float* c) { *s = sinf(x); *c = cosf(x); }
__device__ void __sincosf(float x, float* s, float* c) { *s = __sinf(x); *c = __cosf(x); }
__device__ float hypotf(float x, float y) { return sqrtf(x * x + y * y); }
__device__ float fdimf(float x, float y) { return x > y ? x - y : 0.0f; }
__device__ bool isnan(float); __device__ bool isnan(double); __device__ bool isinf(float); __device__ bool isinf(double);
__device__ bool isfinite(float x) { return !isnan(x) && !isinf(x); }
__device__ bool isfinite(double x) { return !isnan(x) && !isinf(x); }
__device__ int __float_as_int(float); __device__ unsigned int __float_as_uint(float); __device__ float __int_as_float(int); __device__ float __uint_as_float(unsigned int);
__device__ long long __double_as_longlong(double); __device__ double __longlong_as_double(long long);
__device__ bool signbit(float x) { return __float_as_int(x) < 0; }
__device__ bool signbit(double x) { return __double_as_longlong(x) < 0; }
__device__ double __hiloint2double(int h, int l) { return __longlong_as_double((long long)(((unsigned long long)(unsigned)h << 32) | (unsigned)l)); }
__device__ int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
__device__ int __double2loint(double x) { return int(__double_as_longlong(x)); }
#define LK_FROM(R, N) __device__ R __float2##N##_rn(float); __device__ R __float2##N##_rz(float); __device__ R __float2##N##_rd(float); __device__ R __float2##N##_ru(float); \
  __device__ R __double2##N##_rn(double); __device__ R __double2##N##_rz(double); __device__ R __double2##N##_rd(double); __device__ R __double2##N##_ru(double);
LK_FROM(int, int) LK_FROM(unsigned int, uint) LK_FROM(long long, ll) LK_FROM(unsigned long long, ull)
__device__ float __int2float_rn(int x) { return float(x); }
__device__ float __uint2float_rn(unsigned int x) { return float(x); }
__device__ float __ll2float_rn(long long x) { return float(x); }
__device__ float __ull2float_rn(unsigned long long x) { return float(x); }
__device__ double __int2double_rn(int x) { return double(x); }
__device__ double __uint2double_rn(unsigned int x) { return double(x); }
__device__ float __double2float_rn(double x) { return float(x); }
__device__ long lrintf(float x) { return long(rintf(x)); }
__device__ long lroundf(float x) { return long(roundf(x)); }

#define LK_ORDER(T) __device__ T min(T, T); __device__ T max(T, T);
LK_ORDER(int) LK_ORDER(unsigned int) LK_ORDER(long) LK_ORDER(unsigned long) LK_ORDER(long long) LK_ORDER(unsigned long long) LK_ORDER(float) LK_ORDER(double)
#define LK_MIXED(A, B, T) __device__ T min(A a, B b) { return min(T(a), T(b)); } __device__ T max(A a, B b) { return max(T(a), T(b)); } \
  __device__ T min(B a, A b) { return min(T(a), T(b)); } __device__ T max(B a, A b) { return max(T(a), T(b)); }
LK_MIXED(int, unsigned int, unsigned int) LK_MIXED(long, unsigned long, unsigned long) LK_MIXED(long long, unsigned long long, unsigned long long) LK_MIXED(float, double, double)
LK_MIXED(int, long, long) LK_MIXED(unsigned int, unsigned long, unsigned long) LK_MIXED(int, unsigned long, unsigned long) LK_MIXED(int, long long, long long)
LK_MIXED(unsigned int, unsigned long long, unsigned long long)
#undef LK_MIXED
#undef LK_ORDER
template <class T> __device__ T min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> __device__ T max(const T& a, const T& b) { return a < b ? b : a; }
template <class T> __device__ void swap(T& a, T& b) { T c = a; a = b; b = c; }
template <class T> __device__ T clamp(const T& v, const T& a, const T& b) { return v < a ? a : b < v ? b : v; }
__device__ unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
__device__ unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
__device__ int abs(int); __device__ long abs(long); __device__ long long abs(long long); __device__ float abs(float); __device__ double abs(double);
__device__ long labs(long); __device__ long long llabs(long long);

__device__ int __popc(unsigned int); __device__ int __popcll(unsigned long long); __device__ int __clz(int); __device__ int __clzll(long long);
__device__ int __ffs(int); __device__ int __ffsll(long long); __device__ unsigned int __brev(unsigned int); __device__ unsigned long long __brevll(unsigned long long);
__device__ int __mulhi(int, int); __device__ unsigned int __umulhi(unsigned int, unsigned int); __device__ long long __mul64hi(long long, long long);
__device__ unsigned long long __umul64hi(unsigned long long, unsigned long long); __device__ unsigned int __byte_perm(unsigned int, unsigned int, unsigned int);
__device__ unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int n);
__device__ unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int n) { return (unsigned int)((((unsigned long long)hi << 32) | lo) >> (n & 31u)); }
__device__ int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
__device__ int __dp4a(int a, int b, int c) { for (int i = 0; i < 4; ++i) c += ((a << (24 - 8 * i)) >> 24) * ((b << (24 - 8 * i)) >> 24); return c; }
__device__ unsigned int __sad(int a, int b, unsigned int c) { return (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + c; }

__device__ void __syncthreads(); __device__ int __syncthreads_count(int); __device__ int __syncthreads_and(int); __device__ int __syncthreads_or(int);
__device__ void __syncwarp(unsigned int mask = 0xffffffffu);
__device__ void __threadfence(); __device__ void __threadfence_block(); __device__ void __threadfence_system();
__device__ unsigned int __ballot_sync(unsigned int mask, bool p); __device__ int __any_sync(unsigned int mask, bool p); __device__ int __all_sync(unsigned int mask, bool p);
__device__ unsigned int __activemask();
__device__ long clock();
__device__ long long clock64(); __device__ void __trap();
#define LK_SHUFFLE(T) __device__ T __shfl_sync(unsigned int mask, T v, int lane, int width = 32); __device__ T __shfl_up_sync(unsigned int mask, T v, unsigned int delta, int width = 32); \
  __device__ T __shfl_down_sync(unsigned int mask, T v, unsigned int delta, int width = 32); __device__ T __shfl_xor_sync(unsigned int mask, T v, int lanes, int width = 32);
LK_SHUFFLE(int) LK_SHUFFLE(unsigned int) LK_SHUFFLE(long) LK_SHUFFLE(unsigned long) LK_SHUFFLE(long long) LK_SHUFFLE(unsigned long long) LK_SHUFFLE(float) LK_SHUFFLE(double)
LK_SHUFFLE(__half) LK_SHUFFLE(__half2) LK_SHUFFLE(__nv_bfloat16) LK_SHUFFLE(__nv_bfloat162)
#undef LK_SHUFFLE
#define LK_MATCH(T) __device__ unsigned int __match_any_sync(unsigned int mask, T v);
LK_MATCH(int) LK_MATCH(unsigned int) LK_MATCH(long) LK_MATCH(unsigned long) LK_MATCH(long long) LK_MATCH(unsigned long long) LK_MATCH(float) LK_MATCH(double)
#undef LK_MATCH
#define LK_REDUCE(T) __device__ T __reduce_add_sync(unsigned int mask, T v); __device__ T __reduce_min_sync(unsigned int mask, T v); __device__ T __reduce_max_sync(unsigned int mask, T v);
LK_REDUCE(int) LK_REDUCE(unsigned int)
#undef LK_REDUCE
__device__ unsigned int __reduce_and_sync(unsigned int mask, unsigned int v); __device__ unsigned int __reduce_or_sync(unsigned int mask, unsigned int v);
__device__ unsigned int __reduce_xor_sync(unsigned int mask, unsigned int v);

#define LK_ATOMIC(F, T) __device__ T F(T* p, T v);
LK_ATOMIC(atomicAdd, int) LK_ATOMIC(atomicAdd, unsigned int) LK_ATOMIC(atomicAdd, unsigned long long) LK_ATOMIC(atomicAdd, float) LK_ATOMIC(atomicAdd, double)
LK_ATOMIC(atomicAdd, __half2) LK_ATOMIC(atomicAdd, __half) LK_ATOMIC(atomicAdd, __nv_bfloat162) LK_ATOMIC(atomicAdd, __nv_bfloat16)
LK_ATOMIC(atomicSub, int) LK_ATOMIC(atomicSub, unsigned int)
#define LK_ATOMICS(F) LK_ATOMIC(F, int) LK_ATOMIC(F, unsigned int) LK_ATOMIC(F, unsigned long long)
LK_ATOMICS(atomicAnd) LK_ATOMICS(atomicOr) LK_ATOMICS(atomicXor) LK_ATOMICS(atomicMin) LK_ATOMICS(atomicMax) LK_ATOMIC(atomicMin, long long) LK_ATOMIC(atomicMax, long long)
LK_ATOMICS(atomicExch) LK_ATOMIC(atomicExch, float)
LK_ATOMIC(atomicInc, unsigned int) LK_ATOMIC(atomicDec, unsigned int)
#undef LK_ATOMICS
#undef LK_ATOMIC
__device__ int atomicCAS(int* p, int expected, int v); __device__ unsigned int atomicCAS(unsigned int* p, unsigned int expected, unsigned int v);
__device__ unsigned long long atomicCAS(unsigned long long* p, unsigned long long expected, unsigned long long v);
#define LK_LOAD(F) template <class T> __device__ T F(const T* p);
LK_LOAD(__ldg) LK_LOAD(__ldcs) LK_LOAD(__ldca) LK_LOAD(__ldcg) LK_LOAD(__ldcv) LK_LOAD(__ldlu)
#define LK_STORE(F) template <class T> __device__ void F(T* p, T v);
LK_STORE(__stcs) LK_STORE(__stcg) LK_STORE(__stwb) LK_STORE(__stwt)
#undef LK_LOAD
#undef LK_STORE

#define LK_HALF(H, H2, A, B) \
  __device__ H __float2##A(float x) { return H(x); } __device__ H __float2##A##_rn(float x) { return H(x); } __device__ H __double2##A(double x) { return H(x); } \
  __device__ H __int2##A##_rn(int x) { return H(x); } __device__ H __uint2##A##_rn(unsigned int x) { return H(x); } \
  __device__ float __##B##2float(H x) { return float(x); } __device__ int __##B##2int_rn(H x) { return __float2int_rn(float(x)); } __device__ int __##B##2int_rz(H x) { return int(float(x)); } \
  __device__ float __low2float(H2 x) { return float(x.x); } __device__ float __high2float(H2 x) { return float(x.y); } \
  __device__ H __hadd(H a, H b) { return a + b; } __device__ H __hsub(H a, H b) { return a - b; } __device__ H __hmul(H a, H b) { return a * b; } __device__ H __hdiv(H a, H b) { return a / b; } \
  __device__ H __hneg(H a) { return -a; } __device__ H __habs(H a); __device__ H __hfma(H a, H b, H c); __device__ H __hmax(H a, H b); __device__ H __hmin(H a, H b); \
  __device__ H2 __hadd2(H2 a, H2 b) { return a + b; } __device__ H2 __hsub2(H2 a, H2 b) { return a - b; } __device__ H2 __hmul2(H2 a, H2 b) { return a * b; } \
  __device__ H2 __h2div(H2 a, H2 b) { return a / b; } __device__ H2 __hneg2(H2 a) { return -a; } __device__ H2 __hfma2(H2 a, H2 b, H2 c); __device__ H2 __hmax2(H2 a, H2 b); __device__ H2 __hmin2(H2 a, H2 b); \
  __device__ bool __heq(H a, H b) { return a == b; } __device__ bool __hne(H a, H b) { return a != b; } __device__ bool __hlt(H a, H b) { return a < b; } __device__ bool __hle(H a, H b) { return a <= b; } \
  __device__ bool __hgt(H a, H b) { return a > b; } __device__ bool __hge(H a, H b) { return a >= b; } __device__ bool __hisnan(H a) { return isnan(float(a)); } \
  __device__ H hexp(H x) { return H(expf(float(x))); } __device__ H hexp2(H x) { return H(exp2f(float(x))); } __device__ H hlog(H x) { return H(logf(float(x))); } __device__ H hlog2(H x) { return H(log2f(float(x))); } \
  __device__ H hsqrt(H x) { return H(sqrtf(float(x))); } __device__ H hrsqrt(H x) { return H(rsqrtf(float(x))); } __device__ H hrcp(H x) { return H(__frcp_rn(float(x))); } __device__ H htanh(H x) { return H(tanhf(float(x))); }
LK_HALF(__half, __half2, half, half) LK_HALF(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat16)
#undef LK_HALF
__device__ float __bfloat162float(__nv_bfloat16 x) { return float(x); }
__device__ __half __low2half(__half2 x) { return x.x; }
__device__ __half __high2half(__half2 x) { return x.y; }
__device__ __nv_bfloat16 __low2bfloat16(__nv_bfloat162 x) { return x.x; }
__device__ __nv_bfloat16 __high2bfloat16(__nv_bfloat162 x) { return x.y; }
__device__ __half2 __halves2half2(__half a, __half b); __device__ __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b);
__device__ __half2 make_half2(__half a, __half b) { return __halves2half2(a, b); }
__device__ __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __halves2bfloat162(a, b); }
__device__ __half2 __half2half2(__half a) { return __halves2half2(a, a); }
__device__ __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __halves2bfloat162(a, a); }
__device__ __half2 __float2half2_rn(float x) { return __half2half2(__half(x)); }
__device__ __nv_bfloat162 __float2bfloat162_rn(float x) { return __bfloat162bfloat162(__nv_bfloat16(x)); }
__device__ __half2 __floats2half2_rn(float a, float b) { return __halves2half2(__half(a), __half(b)); }
__device__ __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return __halves2bfloat162(__nv_bfloat16(a), __nv_bfloat16(b)); }
__device__ __half2 __float22half2_rn(float2 v) { return __floats2half2_rn(v.x, v.y); }
__device__ __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __floats2bfloat162_rn(v.x, v.y); }
__device__ float2 __half22float2(__half2 v) { return make_float2(float(v.x), float(v.y)); }
__device__ float2 __bfloat1622float2(__nv_bfloat162 v) { return make_float2(float(v.x), float(v.y)); }
__device__ unsigned short __half_as_ushort(__half); __device__ __half __ushort_as_half(unsigned short); __device__ unsigned short __bfloat16_as_ushort(__nv_bfloat16);
__device__ __nv_bfloat16 __ushort_as_bfloat16(unsigned short);

namespace cooperative_groups {
struct thread_block {
  __device__ void sync() const { __syncthreads(); }
  __device__ static unsigned int thread_rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
  __device__ static unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
  __device__ static unsigned int num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
};
__device__ thread_block this_thread_block() { return thread_block{}; }
template <unsigned int N> struct thread_block_tile {
  __device__ static unsigned int lane_lk() { return thread_block::thread_rank() % 32u; }
  __device__ static unsigned int mask_lk() { if constexpr (N == 32) return 0xffffffffu; else return ((1u << N) - 1u) << (lane_lk() & ~(N - 1u)); }
  __device__ static unsigned int thread_rank() { return thread_block::thread_rank() % N; }
  __device__ static unsigned int meta_group_rank() { return thread_block::thread_rank() / N; }
  __device__ static unsigned int meta_group_size() { return (thread_block::size() + N - 1u) / N; }
  __device__ static unsigned int size() { return N; }
  __device__ static unsigned int num_threads() { return N; }
  __device__ void sync() const { __syncwarp(mask_lk()); }
  template <class T> __device__ T shfl(T v, int lane) const { return __shfl_sync(mask_lk(), v, lane, int(N)); }
  template <class T> __device__ T shfl_down(T v, unsigned int n) const { return __shfl_down_sync(mask_lk(), v, n, int(N)); }
  template <class T> __device__ T shfl_up(T v, unsigned int n) const { return __shfl_up_sync(mask_lk(), v, n, int(N)); }
  template <class T> __device__ T shfl_xor(T v, unsigned int n) const { return __shfl_xor_sync(mask_lk(), v, int(n), int(N)); }
  __device__ int any(int p) const { return __any_sync(mask_lk(), p != 0); }
  __device__ int all(int p) const { return __all_sync(mask_lk(), p != 0); }
};
template <unsigned int N> __device__ thread_block_tile<N> tiled_partition(const thread_block& b) { return thread_block_tile<N>{}; }
__device__ void sync(const thread_block& b) { __syncthreads(); }
template <class T> struct plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <unsigned int N, class T, class F> __device__ T reduce(const thread_block_tile<N>& tile, T v, F f) {
  for (int n = int(N) / 2; n > 0; n /= 2) v = f(v, tile.shfl_xor(v, (unsigned int)n));
  return v;
}
}
)cuda";
}

namespace {
#define LK_ONE(NAME, OP) {NAME, Builtin::simple, Op::OP}, {NAME "f", Builtin::simple, Op::OP}
constexpr BuiltinRow rows[] = {
    LK_ONE("sqrt", sqrt), LK_ONE("rsqrt", rsqrt), LK_ONE("exp", exp), LK_ONE("exp2", exp2), LK_ONE("exp10", exp10), LK_ONE("expm1", expm1), LK_ONE("log", log),
    LK_ONE("log2", log2), LK_ONE("log10", log10), LK_ONE("log1p", log1p), LK_ONE("sin", sin), LK_ONE("cos", cos), LK_ONE("tan", tan), LK_ONE("tanh", tanh), LK_ONE("erf", erf),
    LK_ONE("floor", floor), LK_ONE("ceil", ceil), LK_ONE("trunc", trunc), LK_ONE("round", round), LK_ONE("rint", rint), LK_ONE("nearbyint", rint), LK_ONE("fabs", abs),
    LK_ONE("fmod", fmod), LK_ONE("copysign", copysign), LK_ONE("fmax", max), LK_ONE("fmin", min), LK_ONE("pow", pow), LK_ONE("fma", fma),
    {"fdividef", Builtin::simple, Op::div_fast}, {"__fdividef", Builtin::simple, Op::div_fast}, {"__expf", Builtin::simple, Op::exp_fast}, {"__logf", Builtin::simple, Op::log_fast},
    {"__sinf", Builtin::simple, Op::sin_fast}, {"__cosf", Builtin::simple, Op::cos_fast}, {"__powf", Builtin::simple, Op::pow_fast}, {"__frcp_rn", Builtin::simple, Op::rcp},
    {"__fsqrt_rn", Builtin::simple, Op::sqrt}, {"__frsqrt_rn", Builtin::simple, Op::rsqrt}, {"__saturatef", Builtin::simple, Op::saturate}, {"__dsqrt_rn", Builtin::simple, Op::sqrt},
    {"__fadd_rn", Builtin::exact, Op::add}, {"__fsub_rn", Builtin::exact, Op::sub}, {"__fmul_rn", Builtin::exact, Op::mul}, {"__fdiv_rn", Builtin::exact, Op::div},
    {"__dadd_rn", Builtin::exact, Op::add}, {"__dsub_rn", Builtin::exact, Op::sub}, {"__dmul_rn", Builtin::exact, Op::mul}, {"__ddiv_rn", Builtin::exact, Op::div},
    {"__fmaf_rn", Builtin::simple, Op::fma}, {"__fma_rn", Builtin::simple, Op::fma}, {"isnan", Builtin::simple, Op::is_nan}, {"isinf", Builtin::simple, Op::is_inf},
    {"min", Builtin::simple, Op::min}, {"max", Builtin::simple, Op::max}, {"abs", Builtin::simple, Op::abs}, {"labs", Builtin::simple, Op::abs}, {"llabs", Builtin::simple, Op::abs},
    {"__popc", Builtin::simple, Op::popc}, {"__popcll", Builtin::simple, Op::popc}, {"__clz", Builtin::simple, Op::clz}, {"__clzll", Builtin::simple, Op::clz},
    {"__ffs", Builtin::simple, Op::ffs}, {"__ffsll", Builtin::simple, Op::ffs}, {"__brev", Builtin::simple, Op::brev}, {"__brevll", Builtin::simple, Op::brev},
    {"__mulhi", Builtin::simple, Op::mul_hi}, {"__umulhi", Builtin::simple, Op::mul_hi}, {"__mul64hi", Builtin::simple, Op::mul_hi}, {"__umul64hi", Builtin::simple, Op::mul_hi},
    {"__byte_perm", Builtin::simple, Op::byte_perm}, {"__funnelshift_l", Builtin::simple, Op::funnel_l},
    {"__habs", Builtin::simple, Op::abs}, {"__hfma", Builtin::simple, Op::fma}, {"__hfma2", Builtin::simple, Op::fma}, {"__hmax", Builtin::simple, Op::max},
    {"__hmin", Builtin::simple, Op::min}, {"__hmax2", Builtin::simple, Op::max}, {"__hmin2", Builtin::simple, Op::min},
    {"__float_as_int", Builtin::bits, Op::bits}, {"__float_as_uint", Builtin::bits, Op::bits}, {"__int_as_float", Builtin::bits, Op::bits}, {"__uint_as_float", Builtin::bits, Op::bits},
    {"__double_as_longlong", Builtin::bits, Op::bits}, {"__longlong_as_double", Builtin::bits, Op::bits}, {"__half_as_ushort", Builtin::bits, Op::bits},
    {"__ushort_as_half", Builtin::bits, Op::bits}, {"__bfloat16_as_ushort", Builtin::bits, Op::bits}, {"__ushort_as_bfloat16", Builtin::bits, Op::bits},
#define LK_FROM(N) {"__float2" N "_rn", Builtin::convert_rn, Op::convert}, {"__float2" N "_rz", Builtin::convert_rz, Op::convert}, {"__float2" N "_rd", Builtin::convert_rd, Op::convert}, \
    {"__float2" N "_ru", Builtin::convert_ru, Op::convert}, {"__double2" N "_rn", Builtin::convert_rn, Op::convert}, {"__double2" N "_rz", Builtin::convert_rz, Op::convert}, \
    {"__double2" N "_rd", Builtin::convert_rd, Op::convert}, {"__double2" N "_ru", Builtin::convert_ru, Op::convert}
    LK_FROM("int"), LK_FROM("uint"), LK_FROM("ll"), LK_FROM("ull"),
    {"__shfl_sync", Builtin::shuffle, Op::shuffle_index}, {"__shfl_up_sync", Builtin::shuffle, Op::shuffle_up}, {"__shfl_down_sync", Builtin::shuffle, Op::shuffle_down},
    {"__shfl_xor_sync", Builtin::shuffle, Op::shuffle_xor}, {"__ballot_sync", Builtin::ballot, Op::ballot}, {"__any_sync", Builtin::vote, Op::any}, {"__all_sync", Builtin::vote, Op::all},
    {"__activemask", Builtin::active_mask, Op::active_mask}, {"__match_any_sync", Builtin::match_any, Op::match_any}, {"__reduce_add_sync", Builtin::reduce, Op::reduce_add},
    {"__reduce_min_sync", Builtin::reduce, Op::reduce_min}, {"__reduce_max_sync", Builtin::reduce, Op::reduce_max}, {"__reduce_and_sync", Builtin::reduce, Op::reduce_and},
    {"__reduce_or_sync", Builtin::reduce, Op::reduce_or}, {"__reduce_xor_sync", Builtin::reduce, Op::reduce_xor}, {"__syncthreads", Builtin::sync, Op::sync_block},
    {"__syncthreads_count", Builtin::sync_count, Op::sync_block_count}, {"__syncthreads_and", Builtin::sync_count, Op::sync_block_and},
    {"__syncthreads_or", Builtin::sync_count, Op::sync_block_or}, {"__syncwarp", Builtin::sync_warp, Op::sync_warp}, {"__threadfence_block", Builtin::fence, Op::fence, 0},
    {"__threadfence", Builtin::fence, Op::fence, 1}, {"__threadfence_system", Builtin::fence, Op::fence, 2}, {"clock", Builtin::clock, Op::special}, {"clock64", Builtin::clock64, Op::special},
    {"__trap", Builtin::trap, Op::trap}, {"atomicAdd", Builtin::atomic, Op::atomic_add}, {"atomicSub", Builtin::atomic, Op::atomic_sub}, {"atomicMin", Builtin::atomic, Op::atomic_min},
    {"atomicMax", Builtin::atomic, Op::atomic_max}, {"atomicAnd", Builtin::atomic, Op::atomic_and}, {"atomicOr", Builtin::atomic, Op::atomic_or}, {"atomicXor", Builtin::atomic, Op::atomic_xor},
    {"atomicExch", Builtin::atomic, Op::atomic_exchange}, {"atomicInc", Builtin::atomic, Op::atomic_inc}, {"atomicDec", Builtin::atomic, Op::atomic_dec},
    {"atomicCAS", Builtin::compare_swap, Op::atomic_compare_swap}, {"__ldg", Builtin::load, Op::load, 1}, {"__ldcs", Builtin::load, Op::load}, {"__ldca", Builtin::load, Op::load},
    {"__ldcg", Builtin::load, Op::load}, {"__ldcv", Builtin::load, Op::load, 2}, {"__ldlu", Builtin::load, Op::load}, {"__stcs", Builtin::store, Op::store}, {"__stcg", Builtin::store, Op::store},
    {"__stwb", Builtin::store, Op::store}, {"__stwt", Builtin::store, Op::store}, {"__halves2half2", Builtin::join, Op::or_}, {"__halves2bfloat162", Builtin::join, Op::or_},
};
}  // namespace

int find_builtin(std::string_view name) {
  for (size_t k = 0; k < std::size(rows); ++k)
    if (rows[k].name == name) return int(k);
  return -1;
}
const BuiltinRow& builtin_row(int index) { return rows[size_t(index)]; }

}  // namespace lk::simt
