// Launches and programs that are refused, with a reason.
#include <catch2/catch_test_macros.hpp>

#include "support/assemble.h"

using namespace lk;
using namespace lk::simt;
using namespace lk::simt::test;

TEST_CASE("launches that cannot be") {
  const auto simple = [](auto change, auto in_kernel) {
    Assembler a("kernel");
    const auto out = a.pointer("out");
    a.scalar("n", Type::s32);
    (void)out;
    in_kernel(a);
    const Program& program = a.finish();
    Launch l = launch({1}, {32}, {buffer("out", std::vector<float>(32))}, {number_argument(1)});
    change(l);
    return run(program, l);
  };
  const auto nothing = [](Assembler&) {};
  const auto keep = [](Launch&) {};
  CHECK(simple(keep, nothing).started);
  const std::vector<std::function<void(Launch&)>> wrong = {
      [](Launch& l) { l.grid.x = 0; },
      [](Launch& l) { l.block.y = 0; },
      [](Launch& l) { l.block.x = 1025; },
      [](Launch& l) { l.block = {32, 33, 1}; },
      [](Launch& l) { l.block.z = 65; l.block.x = 1; },
      [](Launch& l) { l.block = {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}; },
      [](Launch& l) { l.grid.x = 0x80000000; },
      [](Launch& l) { l.grid.y = 65536; },
      [](Launch& l) { l.arguments.pop_back(); },
      [](Launch& l) { l.arguments.push_back({}); },
      [](Launch& l) { l.arguments[0].buffer = 1; },
      [](Launch& l) { l.arguments[0].offset = 129; },
      [](Launch& l) { l.arguments[1].buffer = 0; },
      [](Launch& l) { l.dynamic_shared = 16; },
      [](Launch& l) { l.buffers[0].known.assign(3, 1); },
  };
  for (size_t k = 0; k < wrong.size(); ++k) {
    INFO("case " << k);
    const auto o = simple(wrong[k], nothing);
    CHECK(!o.started);
    CHECK(!o.error.what.empty());
    CHECK(!o.error.hint.empty());
  }
  const std::vector<std::function<void(Assembler&)>> odd = {
      [](Assembler& a) { a.kernel().shared_bytes = 300000; },
      [](Assembler& a) { a.kernel().shared_bytes = -1; },
      [](Assembler& a) { a.kernel().max_threads = 16; },
      [](Assembler& a) { a.kernel().local_bytes = 1 << 30; },
      [](Assembler& a) { a.emit(Op::add, Type::s32, 60000, 0, 0); },
      [](Assembler& a) { a.emit(Op::add, Type::f64, static_cast<uint16_t>(a.kernel().units - 1), 0, 0); },
      [](Assembler& a) { a.emit(Op::constant, Type::s32, 0, 0, 0, 0, 99); },
      [](Assembler& a) { a.emit(Op::parameter, Type::u64, 0, 0, 0, 0, 8); },
      [](Assembler& a) { a.emit(Op::end_if); },
      [](Assembler& a) { a.emit(Op::if_); },
      [](Assembler& a) { a.emit(Op::else_); },
      [](Assembler& a) { a.emit(Op::break_); },
      [](Assembler& a) { a.emit(Op::loop); a.emit(Op::end_if); },
      [](Assembler& a) { a.emit(Op::exit); },
      [](Assembler& a) { a.emit(Op::count_); },
      [](Assembler& a) { a.emit(Op::sqrt, Type::s32); },
      [](Assembler& a) { a.memory(Op::load, Type::f32, Space::global, 0, 0, 0, 3); },
      [](Assembler& a) { a.memory(Op::load, Type::f64, Space::global, 0, 0, 0, 4); },
      [](Assembler& a) { a.memory(Op::atomic_min, Type::f32, Space::global, 0, 0, 0); },
      [](Assembler& a) { a.emit(Op::shuffle_down, Type::s32, 0, 0, 0, 0, 5); },
      [](Assembler& a) { a.emit(Op::special, Type::u32, 0, 0, 0, 0, 77); },
  };
  for (size_t k = 0; k < odd.size(); ++k) {
    INFO("kernel " << k);
    const auto o = simple(keep, odd[k]);
    CHECK(!o.started);
    CHECK(!o.error.what.empty());
    CHECK(!o.error.hint.empty());
  }
  // As large as it gets: it starts, and the budget ends it.
  Assembler a;
  a.emit(Op::nop);
  Options options;
  options.max_steps = 1000;
  const auto o = run(a.finish(), launch({0x7FFFFFFF, 65535, 65535}, {32}, {}), options);
  CHECK(o.started);
  CHECK(o.profile.stopped);
}
