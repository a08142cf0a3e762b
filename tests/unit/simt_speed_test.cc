// Thread instructions a second, printed on request: lk_tests "[speed]". Figures need a quiet machine, so nothing is demanded but results.
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <ctime>

#include "support/kernels.h"

using namespace lk;
using namespace lk::simt;
using namespace lk::simt::test;

namespace {

Outcome timed(const char* what, const Program& program, const Launch& launch, const Options& options) {
  const std::clock_t begin = std::clock();  // of this process: others may be busy
  const Outcome out = run(program, launch, options, uint64_t{1} << 40);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  uint64_t lanes_run = 0;
  for (const Counters& c : out.profile.code) lanes_run += c.lanes;
  std::printf("%-28s %6.3f G thread instructions/s (%.0f M in %.2f s)\n", what, static_cast<double>(lanes_run) / seconds / 1e9,
              static_cast<double>(lanes_run) / 1e6, seconds);
  return out;
}

}  // namespace

TEST_CASE("speed of the machine", "[.speed]") {
  {
    Assembler a("sgemm");
    sgemm_tiled(a);
    const Program& program = a.finish();
    const int n = 512;
    const std::vector<float> ones(static_cast<size_t>(n) * n, 1.0f), none(static_cast<size_t>(n) * n);
    const auto l = launch({static_cast<uint32_t>(n) / 32, static_cast<uint32_t>(n) / 32}, {32, 32}, {buffer("A", ones), buffer("B", ones), buffer("C", none)},
                          {number_argument(n)});
    for (const bool checks : {true, false}) {
      Options options;
      options.checks = checks;
      const auto out = timed(checks ? "sgemm, shared memory" : "sgemm, without checks", program, l, options);
      CHECK(out.profile.findings.empty());
      CHECK(values<float>(out.buffers[2])[777] == static_cast<float>(n));
    }
  }
  for (const bool fused : {true, false}) {
    Assembler a("chain");
    arithmetic(a, fused);
    const Program& program = a.finish();
    const auto l = launch({64}, {256}, {buffer("out", std::vector<float>(64 * 256))}, {number_argument(2048)});
    const auto out = timed(fused ? "fused multiply-adds" : "plain arithmetic", program, l, {});
    CHECK(out.profile.findings.empty());
  }
  {
    Assembler a("copy");
    const auto x = a.pointer("in", Type::f32, true), y = a.pointer("out");
    const auto i = a.global_index();
    a.store(Type::f32, Space::global, a.address(y, i, 4), a.load(Type::f32, Space::global, a.address(x, i, 4)));
    const Program& program = a.finish();
    const size_t n = 1 << 22;
    const auto out = timed("copy", program, launch({n / 256}, {256}, {buffer("in", std::vector<float>(n, 2)), buffer("out", std::vector<float>(n))}), {});
    CHECK(out.profile.findings.empty());
    CHECK(values<float>(out.buffers[1])[n - 1] == 2);
  }
}
