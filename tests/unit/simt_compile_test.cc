#include "simt/compile.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <type_traits>

#include "base/random.h"
#include "support/simt_evaluator.h"

using namespace lk;
using namespace lk::simt;
using lk::test::Arguments;
using lk::test::Evaluator;

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#endif
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wfloat-equal"

static unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
static long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }

// Both compilers read the same text: g++ here, ours at run time. A long of CUDA has 64 bits; where that of this compiler has 32, its place is taken by
// long long, and the two count as one type.
#define __device__
constexpr bool long_long = sizeof(long) == sizeof(long long);
using word = std::conditional_t<long_long, unsigned long, unsigned long long>;
const char* const word_of = "typedef unsigned long word;\n";
#define LK_BOTH(NAME, ...) \
  static const char* const NAME = #__VA_ARGS__; \
  __VA_ARGS__

LK_BOTH(bits_of,
  __device__ inline unsigned long long tagged(bool x, int& tag) { tag = 1; return x; }
  __device__ inline unsigned long long tagged(char x, int& tag) { tag = 2; return (unsigned long long)x; }
  __device__ inline unsigned long long tagged(signed char x, int& tag) { tag = 3; return (unsigned long long)x; }
  __device__ inline unsigned long long tagged(unsigned char x, int& tag) { tag = 4; return (unsigned long long)x; }
  __device__ inline unsigned long long tagged(short x, int& tag) { tag = 5; return (unsigned long long)x; }
  __device__ inline unsigned long long tagged(unsigned short x, int& tag) { tag = 6; return (unsigned long long)x; }
  __device__ inline unsigned long long tagged(int x, int& tag) { tag = 7; return (unsigned long long)x; }
  __device__ inline unsigned long long tagged(unsigned int x, int& tag) { tag = 8; return x; }
  __device__ inline unsigned long long tagged(long x, int& tag) { tag = 9; return (unsigned long long)x; }
  __device__ inline unsigned long long tagged(unsigned long x, int& tag) { tag = 10; return x; }
  __device__ inline unsigned long long tagged(long long x, int& tag) { tag = 11; return (unsigned long long)x; }
  __device__ inline unsigned long long tagged(unsigned long long x, int& tag) { tag = 12; return x; }
  __device__ inline unsigned long long tagged(float x, int& tag) { tag = 13; return (unsigned long long)__float_as_uint(x); }
  __device__ inline unsigned long long tagged(double x, int& tag) { tag = 14; return (unsigned long long)__double_as_longlong(x); }
)

LK_BOTH(input,
  struct In {
    int a; int b; int w; unsigned int u; unsigned int v; short s; unsigned char c; signed char k; bool t;
    long long l; long long m; unsigned long long p; unsigned long long q; float f; float g; double d; double e; unsigned short h; word z;
  };
)

namespace {

struct Expression {
  const char* text;
  unsigned long long (*of)(const In&, int&);
};
#define LK_NAMES \
  [[maybe_unused]] int a = in.a, b = in.b, w = in.w; [[maybe_unused]] unsigned int u = in.u, v = in.v; [[maybe_unused]] short s = in.s; \
  [[maybe_unused]] unsigned char c = in.c; [[maybe_unused]] signed char k = in.k; [[maybe_unused]] bool t = in.t; [[maybe_unused]] long long l = in.l, m = in.m; \
  [[maybe_unused]] unsigned long long p = in.p, q = in.q; [[maybe_unused]] float f = in.f, g = in.g; [[maybe_unused]] double d = in.d, e = in.e; \
  [[maybe_unused]] unsigned short h = in.h; [[maybe_unused]] word z = in.z;
#define E(...) {#__VA_ARGS__, [](const In& in, int& tag) -> unsigned long long { LK_NAMES return tagged(__VA_ARGS__, tag); }},

const Expression expressions[] = {
    // Promotions and the usual arithmetic conversions.
    E(a + b) E(a - u) E(a * u) E(w ^ u) E(s + c) E(s * k) E(c - k) E(h * 2) E(-c) E(~c) E(~h) E(+s) E(!w) E(!f) E(!d) E(-u) E(~u) E(-f) E(a + l) E(u + l) E(a + p) E(u * p) E(z + a) E(z * u) E(z - l)
    E(l - m) E(p * q) E(p ^ l) E(~p) E(a + f) E(u + f) E(l * f) E(a + d) E(f + d) E(f * g) E(f - g) E(f / g) E(d * e) E(d / e) E(c + f) E(t + t) E(t + f) E(-t) E(a + t)
    E('a' + a) E(1u - 2) E(a & c) E(w | u) E(w & 0xff) E(p | 1) E(0x80000000 + a) E(0x7fffffff ^ w) E(0b1011 + a) E(1'000'000 + a) E(010 + a) E(0xffffffffffffffffull ^ p)
    // Division and remainder, also by constants.
    E(a / (b | 1)) E(a % (b | 1)) E(u / (v | 1)) E(u % (v | 1)) E(l / (m | 1)) E(l % (m | 1)) E(p / (q | 1)) E(p % (q | 1)) E(a / 2) E(a / 8) E(a % 8) E(a / -4) E(a % -4) E(a / 7) E(a % 7) E(w / 16)
    E(w % 16) E(w / 3) E(u / 8) E(u % 8) E(u / 10) E(u % 10) E(p / 32) E(p % 32) E(l / 64) E(l % 64) E(l / 1) E(l % 1) E(c / 3) E(k / 2) E(k % 2) E(u / (c | 1)) E(w / 2147483647) E(z / 3 + z % 3)
    // Shifts take the type of their left side alone.
    E(u << 3) E(u >> 5) E(w >> 3) E(u << (a & 31)) E(w >> (a & 31)) E(p << (a & 63)) E(p >> (u & 63)) E(l >> (a & 63)) E(c << 4) E(c >> 1) E(k >> 1) E(1u << (c & 31)) E(1ull << (u & 63)) E((a & 1023) << 4u) E(h >> 3ull)
    // Comparisons.
    E(a < b) E(w < u) E(u < w) E(w <= l) E(l < p) E(s > c) E(f < g) E(f <= g) E(f > g) E(f >= g) E(f == g) E(f != g) E(f == f) E(d < e) E(d != d) E(a == a) E(w == -1) E(u == -1) E(k < c) E(f < a) E(f < d) E(t == 1) E(t < w) E(w > 2147483647u) E(z > w)
    // Conversions.
    E((char)w) E((signed char)w) E((unsigned char)w) E((short)w) E((unsigned short)w) E((int)u) E((unsigned)w) E((long long)w) E((long long)u) E((unsigned long long)w) E((int)l) E((unsigned)p) E((bool)w) E((bool)f) E((bool)p)
    E((float)w) E((float)u) E((float)l) E((float)p) E((double)w) E((double)p) E((float)d) E((double)f) E((int)(a * 0.37f)) E((int)(a * -1.5)) E((unsigned)(c * 3.7f)) E((long long)(a * 1234.5)) E((unsigned long long)(u * 3.25)) E((char)(a & 63)) E((short)(a + 0.5f))
    E((unsigned char)(c * 0.5f)) E(int(f == f ? 3.9f : -3.9f)) E(static_cast<unsigned short>(w)) E(float(c)) E(float(k)) E(double(t)) E((word)w) E((char)300) E((int)3.99) E((unsigned char)-1) E((float)0.1) E(0.1f + 0.2) E((float)16777217) E((int)1e9f)
    // Short circuits and choices.
    E(a && b) E(a || b) E(w > 0 && 100 / (w > 0 ? w : 1) > 3) E(f && g) E(a ? b : c) E(t ? a : u) E(t ? f : a) E(t ? 1 : 2.5) E(t ? l : w) E(t ? c : k) E(a < b ? a : b) E(w < 0 ? -1 : w > 0) E((a, b)) E(t && a < b || f > g) E(!(a < b) && !t) E(w & 1 ? w | 2 : w & ~2)
    // Known at compile time.
    E(3 + 4 * 5) E(7 / 2) E(-7 / 2) E(-7 % 3) E(1.0f / 3) E(1 / 3.0) E(sizeof(a) * 2) E(sizeof(In)) E(sizeof(word)) E(true + true) E(5 > 3 ? 1u : -1) E((unsigned)-1 / 2) E(1 << 31 >> 31 == -1) E(0x1p-3f) E(1e-3) E(.5f) E(6.02e23f) E(2147483648) E(4294967296) E(0xffffffff) E('\n' + 0)
};

float some_float(Random& r) {
  switch (r.below(10)) {
    case 0: return std::numeric_limits<float>::quiet_NaN();
    case 1: return std::numeric_limits<float>::infinity();
    case 2: return 0;
    case 3: return -0.0f;
    case 4: return 1e-40f;
    case 5: return 3.4e38f;
    default: return float(r.unit() * 200 - 100);
  }
}

In some_input(Random& r) {
  const auto any = [&]() -> uint64_t {
    static const uint64_t ends[] = {0, 1, ~uint64_t{0}, uint64_t{1} << 31, (uint64_t{1} << 31) - 1, uint64_t{1} << 63, (uint64_t{1} << 63) - 1, 0xffffffffu, uint64_t{1} << 32, 255, 128, 32768};
    return r.below(3) == 0 ? ends[r.below(12)] : r.next();
  };
  In in{};
  in.a = int(r.below(60001)) - 30000;
  in.b = int(r.below(60001)) - 30000;
  in.w = int(any());
  if (in.w == std::numeric_limits<int>::min()) in.w = -7;  // its negative does not exist
  in.u = unsigned(any());
  in.v = unsigned(any());
  in.s = short(any());
  in.c = static_cast<unsigned char>(any());
  in.k = static_cast<signed char>(any());
  in.t = r.below(2) == 1;
  in.l = static_cast<long long>(any()) >> 20;
  in.m = static_cast<long long>(any()) >> 20;
  in.p = any();
  in.q = any();
  in.f = some_float(r);
  in.g = some_float(r);
  in.d = double(some_float(r)) * 1.0000001;
  in.e = double(some_float(r));
  in.h = static_cast<unsigned short>(any());
  in.z = any();
  return in;
}

bool same(uint64_t x, uint64_t y, int tag) {
  if (x == y) return true;
  if (tag == 13) return std::isnan(__builtin_bit_cast(float, unsigned(x))) && std::isnan(__builtin_bit_cast(float, unsigned(y)));
  if (tag == 14) return std::isnan(__builtin_bit_cast(double, x)) && std::isnan(__builtin_bit_cast(double, y));
  return false;
}

// The number of a type; those of long and long long are one where this compiler's long is shorter than CUDA's.
int kind(int tag) { return !long_long && (tag == 9 || tag == 10) ? tag + 2 : tag; }

std::string problems(const Compiled& c) {
  std::string s;
  for (const Problem& p : c.problems) s += text(p) + "\n";
  return s;
}

Compiled good(std::string_view source, const CompileOptions& options = {}) {
  Compiled c = compile(source, options);
  INFO(problems(c));
  bool errors = false;
  for (const Problem& p : c.problems) errors |= p.severity == Severity::error;
  REQUIRE(!errors);
  const auto v = verify(c.program);
  INFO((v ? "" : text(v.error())));
  REQUIRE(v);
  return c;
}

const std::string unpack =
    "int a = in.a, b = in.b, w = in.w; unsigned int u = in.u, v = in.v; short s = in.s; unsigned char c = in.c; signed char k = in.k; bool t = in.t; long long l = in.l, m = in.m; "
    "unsigned long long p = in.p, q = in.q; float f = in.f, g = in.g; double d = in.d, e = in.e; unsigned short h = in.h; word z = in.z;\n";

}  // namespace

TEST_CASE("simt: expressions have the type and the value that C++ gives them") {
  constexpr size_t n = std::size(expressions);
  std::string source = std::string(word_of) + bits_of + input + "\n__global__ void all(const In* ins, unsigned long long* out, int* tags) {\n const In in = ins[threadIdx.x];\n" + unpack;
  for (size_t i = 0; i < n; ++i) {
    const std::string at = "[threadIdx.x * " + std::to_string(n) + " + " + std::to_string(i) + "]";
    source += "{ int tag = 0; out" + at + " = tagged(" + expressions[i].text + ", tag); tags" + at + " = tag; }\n";
  }
  source += "}\n";
  const Compiled c = good(source);
  const Kernel* k = c.program.find("all");
  REQUIRE(k);
  Random random(11);
  for (int round = 0; round < 20; ++round) {
    Evaluator run;
    std::vector<In> ins;
    for (uint64_t lane = 0; lane < 32; ++lane) {
      ins.push_back(some_input(random));
      run.put(Evaluator::heap + lane * sizeof(In), ins.back());
    }
    const uint64_t out = Evaluator::heap + 8192, tags = out + 32 * n * 8;
    REQUIRE(run.block(c.program, *k, Arguments().add(Evaluator::heap).add(out).add(tags).bytes, 32));
    for (uint64_t lane = 0; lane < 32; ++lane)
      for (size_t i = 0; i < n; ++i) {
        int tag = 0;
        const uint64_t want = expressions[i].of(ins[lane], tag);
        const auto got = run.get<uint64_t>(out + (lane * n + i) * 8);
        const int got_tag = run.get<int>(tags + (lane * n + i) * 4);
        if (kind(got_tag) == kind(tag) && same(got, want, tag)) continue;
        INFO(expressions[i].text << " lane " << lane << ": " << got << " of type " << got_tag << ", not " << want << " of type " << tag);
        CHECK(false);
        return;
      }
  }
}

// Statements: each function is compiled by both and run over the same inputs.
LK_BOTH(functions,
  struct Pair { int x; int y; };
  struct Box { int v[4]; Pair p; };
  template <class T> __device__ inline T twice(T x) { return x + x; }
  template <int N> __device__ inline int power(int x) { if constexpr (N == 0) return 1; else return x * power<N - 1>(x) % 1000; }
  __device__ inline void swap_them(int& x, int& y) { int z = x; x = y; y = z; }
  __device__ inline void fill_in(int* out, int n, int v) { for (int i = 0; i < n; ++i) out[i] = v + i; }
  __device__ inline int early(int x) { if (x < 0) return -1; if (x % 3 == 0) { if (x % 2) return 5; return 6; } for (int i = 0; i < x % 7; ++i) { if (i == 4) return 40 + x % 5; } return x % 11; }
  __device__ inline Pair make(int x, int y) { Pair p = {x, y}; return p; }
  __device__ inline long long case_0(int a, int b, unsigned u) { long long r = 0; for (int i = 0; i < (a & 15); ++i) { if (i == 3) continue; if (i > 11) break; r += i * b; } return r; }
  __device__ inline long long case_1(int a, int b, unsigned u) { int x = a; int y = b; int n = 0; while (x > 0 && n < 20) { x = x / 2 - (y & 1); y ^= x; ++n; } return x * 1000ll + y + n; }
  __device__ inline long long case_2(int a, int b, unsigned u) { int r = 0; switch (u % 7) { case 0: r = 1; break; case 1: case 2: r = a; break; case 3: r = b; default: r += 10; break; case 5: return 77; case 6: if (a > 0) break; r = 9; } return r; }
  __device__ inline long long case_3(int a, int b, unsigned u) { int r = 0; int n = 0; do { r += n; if (n == (a & 7)) { ++n; continue; } if (n > (b & 15)) break; r ^= 5; } while (++n < 12); return r * 100 + n; }
  __device__ inline long long case_4(int a, int b, unsigned u) { int v[8]; for (int i = 0; i < 8; ++i) v[i] = a + i * b; int s = 0; for (int i = 0; i < 8; ++i) s += v[7 - i] * i; return s; }
  __device__ inline long long case_5(int a, int b, unsigned u) { int v[8] = {3, 1, 4, 1, 5}; v[u & 7] = a; v[(u >> 3) & 7] += b; int s = 0; for (int i = 0; i < 8; ++i) s = s * 3 + v[i]; return s + v[u & 3]; }
  __device__ inline long long case_6(int a, int b, unsigned u) { int x = a; int y = b; if (u & 1) swap_them(x, y); int* p = (u & 2) ? &x : &y; *p += 5; return x * 7ll - y; }
  __device__ inline long long case_7(int a, int b, unsigned u) { int r = 0; for (int i = 0; i < 3; ++i) for (int j = i; j < (b & 3) + 1; ++j) { if (j == 2) break; r += i * 10 + j + early(a + j); } return r + early(b) * 100; }
  __device__ inline long long case_8(int a, int b, unsigned u) { Box x = {{1, 2, 3, 4}, {a, b}}; Box y = x; y.v[2] = b; y.p = make(x.p.y, x.p.x); x.p.x = y.p.x; int i = u & 3; return y.v[i] * 3 + x.p.x + y.p.y * 5 + x.v[2]; }
  __device__ inline long long case_9(int a, int b, unsigned u) { int n = 0; bool p = (a > 0 && ++n > 0) || (b > 0 && (n += 10) > 0); bool q = a < b ? (n += 100, true) : (n += 1000, false); return n * 4 + p * 2 + q; }
  __device__ inline long long case_10(int a, int b, unsigned u) { auto add = [&](int k) { a += k; return a * 2; }; int r = add(3); r += add(b & 7); auto pure = [=](int k) { return k + b; }; return r + a + pure(r); }
  __device__ inline long long case_11(int a, int b, unsigned u) { int i = a & 3; int v[6] = {1, 2, 3, 4, 5, 6}; v[i++] = 9; int k = i++ + 2; v[--i] += k; int s = 0; for (int x = 0; x < 6; x++) s = s * 7 + v[x]; return s * 10 + i; }
  __device__ inline long long case_12(int a, int b, unsigned u) { unsigned x = u; int n = 0; for (; x; x &= x - 1) ++n; unsigned char c = 250; for (int i = 0; i < (a & 15); ++i) c++; short s = 32760; s += (a & 15); return n * 100000ll + c * 7 + s; }
  __device__ inline long long case_13(int a, int b, unsigned u) { return power<5>(a % 50) + twice(b) + (long long)twice((unsigned)a) + power<0>(a); }
  __device__ inline long long case_14(int a, int b, unsigned u) { int v[5]; fill_in(v, 5, a); int w[5]; fill_in(w, (u & 3) + 1, b); int s = 0; for (int i = 0; i <= int(u & 3); ++i) s += v[i] * w[i]; return s; }
  __device__ inline long long case_15(int a, int b, unsigned u) { int prev = 0; int r = 0; for (int i = 0; i < (a & 15); ++i) { if (i > 0) r += prev; if (i & 1) prev = b & (i + 1); } return r * 3 + prev; }
  __device__ inline long long case_16(int a, int b, unsigned u) { int x; if (a > b) x = 1; else if (a == b) x = 2; else { x = 3; for (int i = 0; i < 5; ++i) { if (((u >> i) & 1) == 0) continue; x += i; if (x > 8) break; } } return x; }
  __device__ inline long long case_17(int a, int b, unsigned u) { const int table[3][2] = {{1, 2}, {3, 4}, {5, 6}}; int s = 0; for (int i = 0; i < 3; ++i) for (int j = 0; j < 2; ++j) s += table[i][j] * (i + j + a); return s + table[u % 3][u & 1]; }
  __device__ inline long long case_18(int a, int b, unsigned u) { int r = 0; for (int i = 0; i < 6; ++i) { switch ((a + i) & 3) { case 0: continue; case 1: r += 1; break; case 2: if (b & 1) continue; r += 20; break; default: r += 300; } r += 5000; } return r; }
  __device__ inline long long case_19(int a, int b, unsigned u) { unsigned long long x = u; x = x << 20 | unsigned(a & 0xfffff); x *= 2654435761u; x ^= x >> 33; return (long long)(x % 1000003) - b; }
)

TEST_CASE("simt: statements do what C++ says") {
  using F = long long (*)(int, int, unsigned);
  const F all[] = {case_0, case_1, case_2, case_3, case_4, case_5, case_6, case_7, case_8, case_9, case_10, case_11, case_12, case_13, case_14, case_15, case_16, case_17, case_18, case_19};
  constexpr size_t n = std::size(all);
  for (size_t i = 0; i < n; ++i) {
    // Once on its own and once in a loop, where values are carried from turn to turn.
    const std::string call = "case_" + std::to_string(i) + "(a, b, u)";
    const Compiled c = good(std::string(functions) + "\n__global__ void once(const int* in, long long* out) {\n int a = in[threadIdx.x * 3], b = in[threadIdx.x * 3 + 1];\n"
                            " unsigned u = (unsigned)in[threadIdx.x * 3 + 2];\n out[threadIdx.x] = " + call + ";\n}\n"
                            "__global__ void looped(const int* in, long long* out) {\n int a = in[threadIdx.x * 3], b = in[threadIdx.x * 3 + 1];\n unsigned u = (unsigned)in[threadIdx.x * 3 + 2];\n"
                            " long long r = 0;\n for (int turn = 0; turn < (b & 3) + 1; ++turn) { if (a == 17) continue; r = r * 31 + " + call + "; a += 3; u = u * 5 + 1; }\n out[threadIdx.x] = r;\n}\n");
    Random random(i + 1);
    for (int round = 0; round < 8; ++round) {
      Evaluator run;
      int in[96];
      for (int k = 0; k < 96; ++k) in[k] = k % 3 == 2 ? int(random.next()) : int(random.below(2001)) - 1000;
      for (uint64_t k = 0; k < 96; ++k) run.put(Evaluator::heap + k * 4, in[k]);
      for (const char* kernel : {"once", "looped"}) {
        const uint64_t out = Evaluator::heap + 4096;
        INFO("case " << i << " " << kernel);
        const bool ran = run.block(c.program, *c.program.find(kernel), Arguments().add(Evaluator::heap).add(out).bytes, 32);
        INFO(run.failure);
        REQUIRE(ran);
        for (uint64_t lane = 0; lane < 32; ++lane) {
          int a = in[lane * 3];
          const int b = in[lane * 3 + 1];
          auto u = unsigned(in[lane * 3 + 2]);
          long long want = 0;
          if (std::string_view(kernel) == "once") {
            want = all[i](a, b, u);
          } else {
            uint64_t r = 0;
            for (int turn = 0; turn < (b & 3) + 1; ++turn) {
              if (a == 17) continue;
              r = r * 31 + uint64_t(all[i](a, b, u));
              a += 3;
              u = u * 5 + 1;
            }
            want = static_cast<long long>(r);
          }
          INFO("lane " << lane << ": a = " << in[lane * 3] << ", b = " << b << ", u = " << unsigned(in[lane * 3 + 2]));
          REQUIRE(run.get<long long>(out + lane * 8) == want);
        }
      }
    }
  }
}

TEST_CASE("simt: structs and templates outlive the kernel that used them first") {
  const Compiled c = good("struct Acc { float m; __device__ Acc(float a) : m(a) {} __device__ void add(float x) { m += x; } };\n"
                          "template <class T> struct Twice { T v; __device__ T get() const { return v + v; } };\n"
                          "__global__ void one(float* p) { float x = p[0]; Acc a(x); a.add(1); Twice<float> t{a.m}; p[0] = t.get(); }\n"
                          "__global__ void two(float* p) { Acc a(p[0]); a.add(2); Twice<float> t{a.m}; p[0] = t.get(); }\n");
  REQUIRE(c.program.kernels.size() == 2);
  Evaluator run;
  run.put(Evaluator::heap, 3.0f);
  REQUIRE(run.block(c.program, c.program.kernels[0], Arguments().add(Evaluator::heap).bytes, 1));
  REQUIRE(run.block(c.program, c.program.kernels[1], Arguments().add(Evaluator::heap).bytes, 1));
  CHECK(run.get<float>(Evaluator::heap) == 20.0f);
}
