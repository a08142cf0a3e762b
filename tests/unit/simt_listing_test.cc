#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

#include "simt/compile.h"
#include "support/simt_evaluator.h"

using namespace lk;
using namespace lk::simt;
using lk::test::Arguments;
using lk::test::Evaluator;

namespace {

std::string read_file(const std::string& name) {
  std::ifstream in(std::string(LK_SOURCE_DIR) + "/content/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

Compiled listing_of(const std::string& name) {
  const std::string source = read_file("listings/" + name);
  INFO(name);
  REQUIRE_FALSE(source.empty());
  CompileOptions options;
  options.file = name;
  Compiled c = compile(source, options);
  std::string found;
  for (const Problem& p : c.problems) found += text(p) + "\n";
  INFO(found);
  REQUIRE(c.problems.empty());
  const auto right = verify(c.program);
  REQUIRE(right);
  for (const Kernel& k : c.program.kernels) CHECK(!listing(c.program, k).empty());
  return c;
}

}  // namespace

TEST_CASE("simt: every listing compiles") {
  for (const char* name : {"vec_add.cu", "vec_add_host.cu", "vec_add_variants.cu", "strided.cu", "spills.cu", "transposes.cu", "reductions.cu", "scans.cu", "softmax.cu", "rmsnorm.cu", "sgemm.cu",
                           "histogram.cu", "decode_attention.cu", "fused_attention.cu"})
    listing_of(name);
}

// The harness includes listings and uses PTX in places: the first are put where they are included, the second must be named.
TEST_CASE("simt: the kernels of the harness") {
  for (const std::string name : {"bounds.cu", "conditions.cu", "first_launch.cu", "hierarchy.cu"}) {
    std::string source = read_file("measurements/harness/" + name);
    REQUIRE_FALSE(source.empty());
    for (size_t at; (at = source.find("#include \"../../listings/")) != std::string::npos;) {
      const size_t begin = at + 25, end = source.find('"', begin);
      source.replace(at, end + 1 - at, read_file("listings/" + source.substr(begin, end - begin)));
    }
    CompileOptions options;
    options.file = name;
    if (name == "bounds.cu") options.instances = {"fma_stream<16>", "read_in_flight<8>"};
    const Compiled c = compile(source, options);
    std::string other;
    int ptx = 0;
    for (const Problem& p : c.problems) {
      if (p.error.what.find("PTX") != std::string::npos || p.error.what.find("this_grid") != std::string::npos) ++ptx;
      else other += text(p) + "\n";
    }
    INFO(other);
    CHECK(other.empty());
    CHECK((ptx > 0) == (name == "hierarchy.cu"));
    CHECK(c.program.kernels.empty() == (name == "hierarchy.cu"));
    const auto right = verify(c.program);
    CHECK(right);
  }
}

TEST_CASE("simt: reductions and scans of the listings give the right sums") {
  const Compiled reductions = listing_of("reductions.cu"), scans = listing_of("scans.cu");
  for (int k = 1; k <= 7; ++k) {
    Evaluator run;
    int want = 0;
    const unsigned n = k < 4 ? 250 : 500;
    for (unsigned i = 0; i < n; ++i) {
      run.put(Evaluator::heap + i * 4, int(i * 37 % 101) - 40);
      want += int(i * 37 % 101) - 40;
    }
    const std::string name = "reduce_" + std::to_string(k);
    INFO(name);
    const bool ran = run.block(reductions.program, *reductions.program.find(name), Arguments().add(Evaluator::heap).add(Evaluator::heap + 4096).add(n).bytes, 256);
    INFO(run.failure);
    REQUIRE(ran);
    CHECK(run.get<int>(Evaluator::heap + 4096) == want);
  }
  for (const char* name : {"scan_doubling", "scan_tree", "scan_shuffles"}) {
    Evaluator run;
    for (unsigned i = 0; i < 256; ++i) run.put(Evaluator::heap + i * 4, int(i * 37 % 101) - 40);
    INFO(name);
    REQUIRE(run.block(scans.program, *scans.program.find(name), Arguments().add(Evaluator::heap).add(Evaluator::heap + 4096).bytes, 256));
    int sum = 0;
    bool right = true;
    for (unsigned i = 0; i < 256; ++i) right &= run.get<int>(Evaluator::heap + 4096 + i * 4) == (sum += int(i * 37 % 101) - 40);
    CHECK(right);
  }
}

TEST_CASE("simt: softmax and RMSNorm of the listings") {
  const Compiled softmax = listing_of("softmax.cu"), norm = listing_of("rmsnorm.cu");
  const int cols = 700;
  for (const char* name : {"softmax_three_pass", "softmax_online"}) {
    Evaluator run;
    double sum = 0;
    const auto x = [](int c) { return float(c * 37 % 101) / 10 - 5; };
    for (int c = 0; c < cols; ++c) run.put(Evaluator::heap + unsigned(c) * 4, x(c)), sum += std::exp(double(x(c)));
    INFO(name);
    REQUIRE(run.block(softmax.program, *softmax.program.find(name), Arguments().add(Evaluator::heap).add(Evaluator::heap + 8192).add(cols).bytes, 256));
    double worst = 0;
    for (int c = 0; c < cols; ++c) worst = std::fmax(worst, std::fabs(double(run.get<float>(Evaluator::heap + 8192 + unsigned(c) * 4)) * sum / std::exp(double(x(c))) - 1));
    CHECK(worst < 1e-5);
  }
  Evaluator run;
  double sum = 0;
  const auto x = [](int c) { return float(c * 37 % 101) / 10 - 5; };
  for (int c = 0; c < 512; ++c) {
    run.put(Evaluator::heap + unsigned(c) * 4, x(c));
    run.put(Evaluator::heap + 4096 + unsigned(c) * 4, 1 + float(c % 3));
    sum += double(x(c)) * double(x(c));
  }
  REQUIRE(run.block(norm.program, *norm.program.find("rmsnorm"), Arguments().add(Evaluator::heap).add(Evaluator::heap + 4096).add(Evaluator::heap + 8192).add(128).add(1e-5f).bytes, 256));
  double worst = 0;
  for (int c = 0; c < 512; ++c)
    worst = std::fmax(worst, std::fabs(double(run.get<float>(Evaluator::heap + 8192 + unsigned(c) * 4)) - double(x(c)) / std::sqrt(sum / 512 + 1e-5) * (1 + c % 3)));
  CHECK(worst < 1e-5);
}

TEST_CASE("simt: the matrix products of the listings agree") {
  const Compiled c = listing_of("sgemm.cu");
  const int n = 128;
  const uint64_t a = Evaluator::heap, b = a + n * n * 4, out = b + n * n * 4;
  const struct { const char* name; uint32_t threads; } cases[] = {{"sgemm_2d_128", 256}, {"sgemm_vectorized", 256}, {"sgemm_warptiled", 256}};
  for (const auto& x : cases) {
    Evaluator run;
    for (unsigned i = 0; i < unsigned(n * n); ++i) {
      run.put(a + i * 4, float(int(i * 7 % 11) - 5));
      run.put(b + i * 4, float(int(i * 5 % 13) - 6));
    }
    INFO(x.name);
    const bool ran = run.block(c.program, *c.program.find(x.name), Arguments().add(a).add(b).add(out).add(n).bytes, x.threads);
    INFO(run.failure);
    REQUIRE(ran);
    bool right = true;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        float want = 0;
        for (int k = 0; k < n; ++k) want += float((i * n + k) * 7 % 11 - 5) * float((k * n + j) * 5 % 13 - 6);
        right &= run.get<float>(out + uint64_t(i * n + j) * 4) == want;
      }
    CHECK(right);
  }
}

TEST_CASE("simt: a transposed tile, with and without padding") {
  const Compiled c = listing_of("transposes.cu");
  // The blocks of these are 32 x 8 threads; the plain copy and one row of blocks are enough for the compiler.
  const Kernel* k = c.program.find("transpose_padded");
  REQUIRE(k);
  CHECK(k->shared_bytes == 32 * 33 * 4);
  REQUIRE(k->shared.size() == 1);
  CHECK(k->shared[0].extents == std::vector<int>{32, 33});
  CHECK(k->local_bytes == 0);
}
