#include <catch2/catch_test_macros.hpp>
#include <string>

#include "simt/compile.h"
#include "support/simt_evaluator.h"

using namespace lk;
using namespace lk::simt;
using lk::test::Arguments;
using lk::test::Evaluator;

namespace {

// Compiles `__global__ void k(long long* out) { <code> }` after `before` and gives out[0] of its run.
long long value_of(const std::string& expression, const std::string& before = "") {
  const Compiled c = compile(before + "\n__global__ void k(long long* out) { out[0] = " + expression + "; }\n");
  for (const Problem& p : c.problems) INFO(text(p));
  INFO(expression);
  if (c.program.kernels.empty()) {
    for (const Problem& p : c.problems) {
      INFO(text(p));
      CHECK(false);
    }
    return -999999;
  }
  const auto right = verify(c.program);
  REQUIRE(right);
  Evaluator run;
  REQUIRE(run.block(c.program, c.program.kernels[0], Arguments().add(Evaluator::heap).bytes, 1));
  return run.get<long long>(Evaluator::heap);
}

// The first problem, as "line:column: what".
std::string problem_of(const std::string& source) {
  const Compiled c = compile(source);
  if (c.problems.empty()) return "";
  const Error& e = c.problems[0].error;
  return std::to_string(e.at.line) + ":" + std::to_string(e.at.column) + ": " + e.what + (e.hint.empty() ? "" : " (" + e.hint + ")");
}

}  // namespace

TEST_CASE("simt: macros") {
  CHECK(value_of("A + B", "#define A 3\n#define B (A * 2)") == 9);
  CHECK(value_of("SQUARE(2 + 1)", "#define SQUARE(x) ((x) * (x))") == 9);
  CHECK(value_of("MAX(3, MAX(7, 5))", "#define MAX(a, b) ((a) > (b) ? (a) : (b))") == 7);
  CHECK(value_of("JOIN(1, 2)", "#define JOIN(a, b) a##b") == 12);
  CHECK(value_of("JOIN(va, lue)", "#define JOIN(a, b) a##b\nconstexpr int value = 5;") == 5);
  CHECK(value_of("SUM(1, 2, 3)", "#define FIRST(a, ...) a\n#define SUM(...) (FIRST(__VA_ARGS__) + 10)") == 11);
  CHECK(value_of("A", "#define A A_\nconstexpr int A_ = 4;") == 4);
  CHECK(value_of("A", "constexpr int A = 6;\n#define A A") == 6);
  CHECK(value_of("LONG", "#define LONG 1 + \\\n 2 /* and\n more */ + 3") == 6);
  CHECK(value_of("X", "#define X 1\n#undef X\n#define X 2") == 2);
  CHECK(value_of("F (3)", "#define F(x) x + 1") == 4);
}

TEST_CASE("simt: conditions") {
  CHECK(value_of("A", "#if 2 * 3 == 6 && !defined(NOTHING)\n#define A 1\n#else\n#define A 2\n#endif") == 1);
  CHECK(value_of("A", "#ifdef NOTHING\n#define A 1\n#elif defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900\n#define A 2\n#else\n#define A 3\n#endif") == 2);
  CHECK(value_of("A", "#ifndef NOTHING\n#if 0\n#define A 1\n#elif 1\n#define A 4\n#elif 1\n#define A 5\n#endif\n#endif") == 4);
  CHECK(value_of("A", "#if (1 ? 0 : 1) || UNKNOWN\n#define A 1\n#else\n#define A 2\n#endif") == 2);
  CompileOptions options;
  options.defines = {{"N", "7"}};
  const Compiled c = compile("__global__ void k(int* out) { static_assert(N == 7); out[0] = N; }", options);
  CHECK(c.problems.empty());
}

TEST_CASE("simt: literals") {
  CHECK(value_of("0x1F + 0b101 + 017 + 1'000") == 31 + 5 + 15 + 1000);
  CHECK(value_of("sizeof(1) * 1000 + sizeof(1l) * 100 + sizeof(1.0f) * 10 + sizeof(2147483648)") == 4848);
  CHECK(value_of("'A' + '\\n'") == 75);
  CHECK(value_of("0xffffffffffffffffull == ~0ull") == 1);
  CHECK(value_of("0x1.8p1f == 3.0f") == 1);
  CHECK(value_of("(long long)(1e3f + .5 + 2.)") == 1002);
}

TEST_CASE("simt: problems name their place and say what to do") {
  const struct {
    const char* source;
    const char* problem;
  } cases[] = {
      {"__global__ void k(float* p) {\n  p[0] = valeu;\n}", "2:10: 'valeu' is not declared"},
      {"__global__ void k(float* p, int count) {\n  p[0] = cuont;\n}", "2:10: 'cuont' is not declared (did you mean count?)"},
      {"__global__ void k(float* p) {\n  p[0] = 1\n}", "2:11: ';' is missing behind this statement (found '}')"},
      {"__global__ void k(floot* p) { }", "1:19: a type is expected, not 'floot' (did you mean float?)"},
      {"__global__ void k(const float* p) {\n  p[0] = 1;\n}", "2:8: this is const and cannot be assigned to (remove const where it is declared if it is meant to change)"},
      {"static float host(float x) { return x; }\n__global__ void k(float* p) { p[0] = host(1); }", "2:38: 'host' is a function of the host (line 1) (mark it __device__ to call it from a kernel)"},
      {"__device__ int f(int x) { return x ? f(x - 1) : 0; }\n__global__ void k(int* p) { p[0] = f(p[1]); }", "1:38: 'f' calls itself; recursion is not supported (write it as a loop)"},
      {"__global__ void k(int* p) { goto end; }", "1:29: goto is not supported (use a loop, break or continue)"},
      {"__global__ void k(int* p) { asm(\"\"); }", "1:29: inline PTX is not supported (use the intrinsic that stands for it)"},
      {"__global__ void k(int* p) {\n#if 1\n}", "2:1: this #if is not closed (add #endif)"},
      {"#include \"mine.h\"\n", "1:1: the header mine.h is not known (only CUDA's own and the standard headers are; paste what you need from yours)"},
      {"#include <cuda_fp61.h>\n", "1:1: the header cuda_fp61.h is not known (did you mean cuda_fp16.h?)"},
      {"__global__ void k(int* p) { p[0] = __shfl_down_sync(~0u, p[0], 1, p[1]); }", "1:36: the width of a shuffle must be known at compile time (make it a literal, a constexpr variable or a template parameter)"},
      {"__global__ void k(float* p) { p->x = 1; }", "1:34: float has no members"},
      {"__global__ void k(float4* p) { p[0].q = 1; }", "1:37: float4 has no member 'q' (did you mean x?)"},
      {"__global__ void k(int n) { float a[n]; }", "1:36: the extent of an array must be known at compile time (use a literal, a constexpr variable or a template parameter)"},
      {"__global__ void k(float* p) { int* q = p; }", "1:40: float* cannot be turned into int* (use reinterpret_cast if it is meant)"},
      {"__global__ void k(float* p) { p[0] = fmaf(1.0f, 2.0f); }", "1:38: 'fmaf' cannot be called like this: it takes 3 arguments, not 2"},
      {"__global__ int k() { return 1; }", "1:1: a kernel returns void (write results through a pointer)"},
      {"template <int N> __global__ void k(int* p) { static_assert(N > 3, \"too small\"); }\n", ""},
  };
  for (const auto& c : cases) {
    INFO(c.source);
    CHECK(problem_of(c.source) == c.problem);
  }
}

TEST_CASE("simt: all problems of one source are found") {
  const Compiled c = compile("__global__ void a(int* p) {\n  p[0] = one;\n  p[1] = 2 +;\n  p[2] = two;\n}\n__global__ void b(int* p) {\n  three(p);\n}\n");
  REQUIRE(c.problems.size() == 4);
  for (size_t k = 0; k < 4; ++k) CHECK(c.problems[k].error.at.line == (k < 3 ? int(k) + 2 : 7));
  CHECK(c.program.kernels.empty());
  std::string many = "__global__ void k(int* p) {\n";
  for (int i = 0; i < 200; ++i) many += "  p[0] = unknown_" + std::to_string(i) + ";\n";
  CHECK(compile(many + "}\n").problems.size() == 50);
}

TEST_CASE("simt: hostile sources end in a problem") {
  const auto times = [](const std::string& s, int n) {
    std::string out;
    for (int i = 0; i < n; ++i) out += s;
    return out;
  };
  const std::string head = "__global__ void k(int* p) { ";
  std::string doubling = "#define A0 p[0] = 1;\n";
  for (int i = 1; i < 40; ++i) doubling += "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) + " A" + std::to_string(i - 1) + "\n";
  const std::string sources[] = {
      head + "p[0] = " + times("(", 5000) + "1" + times(")", 5000) + "; }",
      head + "p[0] = " + times("-", 5000) + "1; }",
      head + "p[0] = 1" + times(" + p[1]", 5000) + "; }",
      head + times("{", 5000) + times("}", 5000) + " }",
      head + times("if (p[0]) ", 5000) + "p[0] = 1; }",
      head + times("for (;;) ", 3000) + "p[0] = 1; }",
      head + "int " + times("*", 100000) + " q; }",
      head + "int q" + times("[2]", 3000) + "; }",
      doubling + head + "A39 }",
      "template <int N> __device__ int f(int x) { return f<N + 1>(x) + f<N + 2>(x); }\n" + head + "p[0] = f<0>(1); }",
      "template <class T> struct S { S<S<T>> x; };\n" + head + "S<int> s; }",
      head + "\n#pragma unroll\nfor (int i = 0; i < 4000; ++i)\n#pragma unroll\nfor (int j = 0; j < 4000; ++j) p[i * j] = i; }",
      times("#if 1\n", 5000),
      head + "p[0] = \"" ,
      "/*",
      std::string(10'000'001, ' '),
      "struct S { S s; }; " + head + "S s; }",
      "enum E { a = b, b = a }; " + head + "p[0] = a; }",
      "constexpr int a = b; constexpr int b = a; " + head + "p[0] = a; }",
  };
  for (const std::string& s : sources) {
    INFO(s.substr(0, 100));
    CompileOptions options;
    options.max_instructions = 100'000;
    const Compiled c = compile(s, options);
    CHECK_FALSE(c.problems.empty());
    CHECK(c.program.kernels.empty());
  }
}
