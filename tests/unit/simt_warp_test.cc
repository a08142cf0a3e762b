// What the lanes of a warp do together.
#include <catch2/catch_test_macros.hpp>

#include "support/assemble.h"

using namespace lk;
using namespace lk::simt;
using namespace lk::simt::test;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("shuffles: sources, widths, absent lanes and masks") {
  const auto shuffled = [](Op op, int b, int width, uint32_t mask, int first_lane, int last_lane, Outcome& outcome) {
    Assembler a;
    const auto out = a.pointer("out", Type::s32);
    const auto i = a.special(Special::thread_x);
    const auto inside = a.op(Op::and_, Type::pred, a.op(Op::ge, Type::s32, i, a.number(first_lane)), a.op(Op::le, Type::s32, i, a.number(last_lane)));
    a.branch(inside, [&] {
      const auto v = a.op(op, Type::s32, a.op(Op::add, Type::s32, i, a.number(100)), a.number(b), a.number(static_cast<int>(mask)), width);
      a.store(Type::s32, Space::global, a.address(out, i, 4), v);
    });
    outcome = run(a.finish(), launch({1}, {32}, {buffer("out", std::vector<int>(32, -1))}));
    return values<int>(outcome.buffers[0]);
  };
  Outcome o;
  for (const int width : {32, 16, 8, 4, 2, 1}) {
    for (int b = 0; b < 32; b += 3) {
      for (const Op op : {Op::shuffle_down, Op::shuffle_up, Op::shuffle_xor, Op::shuffle_index}) {
        const auto v = shuffled(op, b, width, ~0u, 0, 31, o);
        for (int lane = 0; lane < 32; ++lane) {
          // CUDA's guide: lanes read within their segment of `width`, otherwise keep their own.
          const int first = lane / width * width;
          int source = op == Op::shuffle_down ? lane + b : op == Op::shuffle_up ? lane - b : op == Op::shuffle_xor ? (lane ^ b) : first + b % width;
          if (op == Op::shuffle_down && source >= first + width) source = lane;
          if (op == Op::shuffle_up && source < first) source = lane;
          if (op == Op::shuffle_xor && source >= first + width) source = lane;
          REQUIRE(v[static_cast<size_t>(lane)] == 100 + source);
        }
        CHECK(o.profile.findings.empty());
      }
    }
  }
  shuffled(Op::shuffle_down, 1, 32, 0x0000FFFF, 0, 15, o);
  CHECK(o.count(Kind::absent_lane) == 1);  // lane 15 reads lane 16
  CHECK(has(o.find(Kind::absent_lane)->what, "Lane 15 takes the value of lane 16"));
  shuffled(Op::shuffle_down, 1, 16, 0x0000FFFF, 0, 15, o);
  CHECK(o.count(Kind::absent_lane) == 0);
  shuffled(Op::shuffle_xor, 1, 32, ~0u, 0, 15, o);
  REQUIRE(o.count(Kind::absent_lane) == 1);
  CHECK(has(o.find(Kind::absent_lane)->what, "The mask names 16 lanes that do not take part, such as lane 16, which is in another branch."));
  shuffled(Op::shuffle_xor, 1, 32, 0x0000000F, 0, 15, o);
  REQUIRE(o.count(Kind::absent_lane) == 1);
  CHECK(has(o.find(Kind::absent_lane)->what, "not in its own mask"));
  shuffled(Op::shuffle_xor, 1, 32, 0x0000FFFF, 0, 15, o);
  CHECK(o.count(Kind::absent_lane) == 0);
}

TEST_CASE("votes, matches and reductions of a warp") {
  Assembler a;
  const auto out = a.pointer("out", Type::u32);
  const auto i = a.special(Special::thread_x), mask = a.number(-1);
  const auto p = a.op(Op::lt, Type::s32, i, a.number(5));
  const auto at = [&](int k) { return a.address(out, a.op(Op::add, Type::s32, i, a.number(k * 32)), 4); };
  int slot = 0;
  const auto keep = [&](uint16_t v) { a.store(Type::u32, Space::global, at(slot++), v); };
  keep(a.op(Op::ballot, Type::u32, p, 0, mask));
  keep(a.op(Op::any, Type::u32, p, 0, mask));
  keep(a.op(Op::all, Type::u32, p, 0, mask));
  keep(a.op(Op::active_mask, Type::u32));
  keep(a.op(Op::match_any, Type::u32, a.op(Op::and_, Type::s32, i, a.number(1)), 0, mask));
  const auto x = a.op(Op::sub, Type::s32, i, a.number(7));
  keep(a.op(Op::reduce_add, Type::s32, x, 0, mask));
  keep(a.op(Op::reduce_min, Type::s32, x, 0, mask));
  keep(a.op(Op::reduce_max, Type::u32, x, 0, mask));
  keep(a.op(Op::reduce_xor, Type::u32, i, 0, mask));
  const auto o = run(a.finish(), launch({1}, {32}, {buffer("out", std::vector<uint32_t>(32 * 9))}));
  CHECK(o.profile.findings.empty());
  const auto v = values<uint32_t>(o.buffers[0]);
  const uint32_t want[] = {31, 1, 0, ~0u, 0, 496 - 224, static_cast<uint32_t>(-7), static_cast<uint32_t>(-1), 0};
  for (size_t k = 0; k < 9; ++k)
    for (size_t lane = 0; lane < 32; ++lane) CHECK(v[k * 32 + lane] == (k == 4 ? (lane % 2 ? 0xAAAAAAAA : 0x55555555) : want[k]));
}
