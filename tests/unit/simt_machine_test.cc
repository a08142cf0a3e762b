#include <catch2/catch_test_macros.hpp>

#include "support/assemble.h"

using namespace lk;
using namespace lk::simt;
using namespace lk::simt::test;

TEST_CASE("vec_add: values, counters, and the guard of the last block") {
  Assembler a("vec_add");
  const auto x = a.pointer("a", Type::f32, true), y = a.pointer("b", Type::f32, true), z = a.pointer("c");
  const auto n = a.scalar("n", Type::s32);
  const auto i = a.global_index();
  a.branch(a.op(Op::lt, Type::s32, i, n), [&] {
    const auto sum = a.op(Op::add, Type::f32, a.load(Type::f32, Space::global, a.address(x, i, 4)), a.load(Type::f32, Space::global, a.address(y, i, 4)));
    a.store(Type::f32, Space::global, a.address(z, i, 4), sum);
  });
  const Program& program = a.finish();
  const int count = 1000;
  std::vector<float> left(count), right(count);
  for (int k = 0; k < count; ++k) {
    left[static_cast<size_t>(k)] = static_cast<float>(k) * 0.5f;
    right[static_cast<size_t>(k)] = 1.0f / static_cast<float>(k + 1);
  }
  const auto out = run(program, launch({4}, {256}, {buffer("a", left), buffer("b", right), buffer("c", std::vector<float>(count))}, {number_argument(count)}));
  REQUIRE(out.started);
  CHECK(out.profile.findings.empty());
  const auto c = values<float>(out.buffers[2]);
  for (size_t k = 0; k < c.size(); ++k) REQUIRE(c[k] == left[k] + right[k]);
  // 31 whole warps and one of 8 lanes.
  CHECK(out.sum(program, Op::load, &Counters::executed) == 64);
  CHECK(out.sum(program, Op::load, &Counters::lanes) == 2000);
  CHECK(out.sum(program, Op::load, &Counters::requests) == 64);
  CHECK(out.sum(program, Op::load, &Counters::sectors) == 2 * 125);
  CHECK(out.sum(program, Op::load, &Counters::lines) == 64);
  CHECK(out.sum(program, Op::store, &Counters::sectors) == 125);
  CHECK(out.sum(program, Op::store, &Counters::partial_sectors) == 0);
  CHECK(out.sum(program, Op::store, &Counters::bytes) == 4000);
  CHECK(out.sum(program, Op::if_, &Counters::diverged) == 1);
  CHECK(out.profile.dram_read_blocks == 126);  // 2 * 4,000 bytes: 62.5 blocks each
  CHECK(out.profile.dram_write_blocks == 63);
  CHECK(out.profile.span_blocks == 3 * 63);
  CHECK(out.profile.l2_read_sectors == 250);
  CHECK(out.profile.blocks_run == 4);
  CHECK(out.profile.warps == 32);
}
