// Each kind of finding, provoked, and its absence in the repaired twin.
#include <catch2/catch_test_macros.hpp>

#include "support/kernels.h"

using namespace lk;
using namespace lk::simt;
using namespace lk::simt::test;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

int line_of(const Program& p, uint32_t place) { return p.places[place].line; }

}  // namespace

TEST_CASE("out of bounds: which element, how far, and the run stops") {
  for (const bool guarded : {false, true}) {
    Assembler a;
    const auto in = a.pointer("in", Type::f32, true), out = a.pointer("out");
    const auto n = a.scalar("n", Type::s32);
    const auto i = a.global_index();
    const auto body = [&] {
      a.line(7);
      const auto v = a.load(Type::f32, Space::global, a.address(in, i, 4));
      a.line(8);
      a.store(Type::f32, Space::global, a.address(out, i, 4), v);
    };
    if (guarded) {
      a.branch(a.op(Op::lt, Type::s32, i, n), body);
    } else {
      body();
    }
    const Program& program = a.finish();
    const auto o = run(program, launch({5}, {256}, {buffer("in", std::vector<float>(1024, 1)), buffer("out", std::vector<float>(1024))}, {number_argument(1024)}));
    REQUIRE(o.started);
    CHECK(o.profile.stopped == !guarded);
    if (guarded) {
      CHECK(o.profile.findings.empty());
      continue;
    }
    const Finding* f = o.find(Kind::out_of_bounds);
    REQUIRE(f != nullptr);
    CHECK(f->object == "in[1024]");
    CHECK(has(f->what, "in[1024], which is 4 bytes past the end of in (1,024 floats)"));
    CHECK(line_of(program, f->place) == 7);
    CHECK(f->block.x == 4);
    CHECK(f->thread.x == 0);
    CHECK(f->times == 32);
    CHECK(f->address == 4096);
    CHECK(!f->hint.empty());
    // What ran before counts; the store behind the bad load did not run.
    CHECK(o.sum(program, Op::store, &Counters::executed) == 32);
    CHECK(o.sum(program, Op::load, &Counters::executed) == 33);
    CHECK(o.sum(program, Op::load, &Counters::requests) == 33);
    CHECK(values<float>(o.buffers[1])[1023] == 1);
  }
}

TEST_CASE("addresses before a buffer, at null, in nobody's memory and in the wrong space") {
  struct Row {
    int64_t offset;
    Space space;
    const char* text;
  };
  for (const Row& r : {Row{-8, Space::global, "in[-2], 8 bytes before the start of in"}, {int64_t{1} << 50, Space::global, "belongs to no buffer"},
                       {-(int64_t{1} << 36), Space::global, "a null pointer"}, {0, Space::shared, "a pointer to shared memory that points elsewhere"},
                       {4096, Space::generic, "in[1024], which is 4 bytes past the end"}}) {
    Assembler a;
    const auto in = a.pointer("in");
    a.load(Type::f32, r.space, a.op(Op::add, Type::u64, in, a.constant(Type::u64, static_cast<uint64_t>(r.offset))));
    const auto o = run(a.finish(), launch({1}, {1}, {buffer("in", std::vector<float>(1024))}));
    REQUIRE(o.find(Kind::out_of_bounds) != nullptr);
    CHECK(has(o.find(Kind::out_of_bounds)->what, r.text));
    CHECK(o.profile.stopped);
  }
  // Shared memory and the thread's own arrays.
  for (const bool shared : {true, false}) {
    Assembler a;
    a.kernel().shared_bytes = a.kernel().local_bytes = 64;
    const auto i = a.special(Special::thread_x);
    a.store(Type::s32, Space::generic, a.address(shared ? a.shared_base() : a.local_base(), i, 4), i);
    const auto o = run(a.finish(), launch({1}, {32}, {}));
    const Finding* f = o.find(Kind::out_of_bounds);
    REQUIRE(f != nullptr);
    CHECK(f->thread.x == 16);
    CHECK(f->times == 16);
    CHECK(has(f->what, shared ? "at byte 64 of the block's shared memory, which has 64" : "at byte 64 of the thread's own array, which has 64"));
  }
}

TEST_CASE("misaligned vectors stop, aligned ones do not") {
  for (const int offset : {4, 8, 16}) {
    Assembler a;
    const auto in = a.pointer("in", Type::f32, true);
    a.load(Type::f32, Space::global, in, 4, offset);
    const auto o = run(a.finish(), launch({1}, {32}, {buffer("in", std::vector<float>(64))}));
    CHECK(o.profile.stopped == (offset != 16));
    CHECK(o.count(Kind::misaligned) == (offset != 16));
    if (const Finding* f = o.find(Kind::misaligned)) CHECK(has(f->what, "16 bytes at byte " + std::to_string(offset) + " of in, which is no multiple of 16"));
  }
}

TEST_CASE("reads of what nobody wrote: buffers, local arrays, shared memory") {
  for (const bool written : {false, true}) {
    Assembler a;
    const auto in = a.pointer("in");
    const auto i = a.special(Special::thread_x);
    if (written) a.store(Type::f32, Space::global, a.address(in, i, 4), a.number(1.0f));
    a.load(Type::f32, Space::global, a.address(in, i, 4));
    Buffer b = buffer("in", std::vector<float>(32));
    b.known.assign(128, 0);
    for (size_t k = 0; k < 80; ++k) b.known[k] = 1;
    const auto o = run(a.finish(), launch({1}, {32}, {b}));
    CHECK(o.count(Kind::uninitialized) == !written);
    CHECK(!o.profile.stopped);
    if (const Finding* f = o.find(Kind::uninitialized)) {
      CHECK(f->object == "in[20]");
      CHECK(f->times == 12);
    } else {
      CHECK(o.buffers[0].known == std::vector<uint8_t>(128, 1));
    }
  }
  for (const bool written : {false, true}) {
    Assembler a;
    a.kernel().local_bytes = 16;
    const auto base = a.local_base(), i = a.special(Special::thread_x);
    a.store(Type::s32, Space::local, base, i);
    if (written) a.store(Type::s32, Space::local, base, i, 1, 4);
    a.load(Type::s32, Space::local, base, 2);
    const auto o = run(a.finish(), launch({1}, {32}, {}));
    CHECK(o.count(Kind::uninitialized) == !written);
  }
  for (const bool written : {false, true}) {
    Assembler a;
    a.kernel().shared_bytes = 4 * 33 * 4;
    a.kernel().shared = {{"tile", 0, 4 * 33 * 4, Type::f32, {4, 33}}};
    const auto i = a.special(Special::thread_x), x = a.address(a.shared_base(), i, 4);
    const auto guarded = [&] { a.store(Type::s32, Space::shared, x, i, 1, 33 * 4); };
    if (written) {
      guarded();
    } else {
      a.branch(a.op(Op::lt, Type::s32, i, a.number(30)), guarded);
    }
    a.sync();
    a.line(9);
    a.load(Type::s32, Space::shared, x, 1, 33 * 4);
    const Program& program = a.finish();
    const auto o = run(program, launch({3}, {32}, {}));
    CHECK(o.count(Kind::unwritten_shared) == !written);
    if (const Finding* f = o.find(Kind::unwritten_shared)) {
      CHECK(f->object == "tile[1][30]");
      CHECK(f->times == 6);  // two threads of each block: what another block wrote does not count
      CHECK(line_of(program, f->place) == 9);
    }
  }
}

TEST_CASE("races in shared memory: both places, and none with the barrier") {
  // Each thread writes its word and reads that of the thread `distance` away.
  struct Row {
    int distance;
    Op sync;
    Kind kind;
    bool found;
  };
  for (const Row& r : {Row{32, Op::nop, Kind::shared_race, true}, {32, Op::sync_warp, Kind::shared_race, true}, {32, Op::sync_block, Kind::shared_race, false},
                       {1, Op::sync_block, Kind::missing_sync_warp, false}, {1, Op::nop, Kind::missing_sync_warp, true}, {0, Op::nop, Kind::missing_sync_warp, false}}) {
    Assembler a;
    a.kernel().shared_bytes = 256;
    a.kernel().shared = {{"s", 0, 256, Type::s32, {64}}};
    const auto i = a.special(Special::thread_x);
    const auto x = a.address(a.shared_base(), i, 4);
    const auto y = a.address(a.shared_base(), a.op(Op::xor_, Type::s32, i, a.number(r.distance)), 4);
    a.line(3);
    a.store(Type::s32, Space::shared, x, i);
    a.emit(r.sync, Type::s32, 0, 0, 0, a.number(-1));
    a.line(5);
    a.load(Type::s32, Space::shared, y);
    const Program& program = a.finish();
    for (uint64_t seed = 0; seed < 4; ++seed) {
      Options options;
      options.seed = seed;
      const auto o = run(program, launch({2}, {64}, {}), options);
      INFO("distance " << r.distance << ", sync " << static_cast<int>(r.sync) << ", seed " << seed);
      CHECK(o.count(Kind::shared_race) == (r.found && r.kind == Kind::shared_race ? 1 + (o.count(Kind::shared_race) == 2) : 0));
      CHECK((o.count(r.kind) > 0) == r.found);
      if (const Finding* f = o.find(r.kind)) {
        CHECK(f->has_other);
        const int here = line_of(program, f->place), there = line_of(program, f->other);
        CHECK(here + there == 8);
        CHECK((f->thread.x ^ f->other_thread.x) == static_cast<uint32_t>(r.distance));
        CHECK(has(f->what, "s["));
        CHECK(has(f->hint, r.kind == Kind::shared_race ? "__syncthreads()" : "__syncwarp()"));
      }
    }
  }
}

TEST_CASE("between the lanes of a warp __syncwarp orders; one instruction races with itself only when values differ") {
  for (const bool synced : {false, true}) {
    Assembler a;
    a.kernel().shared_bytes = 128;
    const auto i = a.special(Special::thread_x), all = a.number(-1);
    const auto x = a.address(a.shared_base(), i, 4), y = a.address(a.shared_base(), a.op(Op::xor_, Type::s32, i, a.number(1)), 4);
    a.store(Type::s32, Space::shared, x, i);
    if (synced) a.emit(Op::sync_warp, Type::s32, 0, 0, 0, all);
    const auto v = a.load(Type::s32, Space::shared, y);
    if (synced) a.emit(Op::sync_warp, Type::s32, 0, 0, 0, all);
    a.store(Type::s32, Space::shared, x, v);
    const auto o = run(a.finish(), launch({1}, {32}, {}));
    CHECK((o.count(Kind::missing_sync_warp) > 0) == !synced);
    CHECK(o.count(Kind::shared_race) == 0);
  }
  for (const bool same : {false, true}) {
    Assembler a;
    a.kernel().shared_bytes = 128;
    const auto i = a.special(Special::thread_x);
    a.store(Type::s32, Space::shared, a.shared_base(), same ? a.number(5) : i);
    const auto o = run(a.finish(), launch({1}, {32}, {}));
    CHECK(o.count(Kind::shared_race) == !same);
    if (const Finding* f = o.find(Kind::shared_race)) CHECK(has(f->what, "write different values"));
  }
  // Atomics do not race with each other; a plain read beside them does.
  for (const bool plain : {false, true}) {
    Assembler a;
    a.kernel().shared_bytes = 128;
    const auto i = a.special(Special::thread_x);
    a.branch(a.op(Op::eq, Type::s32, i, a.number(0)), [&] { a.store(Type::s32, Space::shared, a.shared_base(), a.number(0)); });
    a.sync();
    a.memory(Op::atomic_add, Type::s32, Space::shared, a.unit(), a.shared_base(), i);
    if (plain) a.load(Type::s32, Space::shared, a.shared_base());
    const auto o = run(a.finish(), launch({1}, {64}, {}));
    CHECK((o.count(Kind::shared_race) + o.count(Kind::missing_sync_warp) > 0) == plain);
  }
}

TEST_CASE("the tiled product without its first barrier races") {
  Assembler a;
  sgemm_tiled(a, false);
  const std::vector<float> ones(32 * 32, 1);
  const auto o = run(a.finish(), launch({1, 1}, {32, 32}, {buffer("A", ones), buffer("B", ones), buffer("C", ones)}, {number_argument(32)}));
  const Finding* f = o.find(Kind::shared_race);
  REQUIRE(f != nullptr);
  CHECK((has(f->object, "As[") || has(f->object, "Bs[")));
}

TEST_CASE("bytes side by side do not race, the same byte does") {
  for (const int shift : {0, 1}) {
    Assembler a;
    a.kernel().shared_bytes = 64;
    const auto i = a.special(Special::thread_x);
    a.store(Type::u8, Space::shared, a.address(a.shared_base(), a.op(Op::shr, Type::u32, i, a.number(shift)), 1), i);
    const auto o = run(a.finish(), launch({1}, {64}, {}));
    CHECK((o.count(Kind::shared_race) > 0) == (shift == 1));
  }
}

TEST_CASE("races in global memory, across blocks and inside one") {
  // Every thread writes its word; then reads that of its neighbor in the next block, or of the next warp.
  for (const int distance : {0, 32, 64}) {
    for (const bool fence : {false, true}) {
      Assembler a;
      const auto out = a.pointer("out", Type::s32);
      const auto i = a.global_index();
      a.store(Type::s32, Space::global, a.address(out, i, 4), i);
      if (fence) a.emit(Op::fence, Type::s32, 0, 0, 0, 0, 1);
      if (fence) a.sync();
      const auto other = a.op(Op::xor_, Type::s32, i, a.number(distance));
      const auto v = a.load(Type::s32, Space::global, a.address(out, other, 4));
      (void)v;
      const auto o = run(a.finish(), launch({2}, {64}, {buffer("out", std::vector<int>(128))}));
      CHECK((o.count(Kind::global_race) > 0) == (distance != 0 && !fence));
      if (const Finding* f = o.find(Kind::global_race)) {
        CHECK(has(f->object, "out["));
        CHECK(has(f->what, distance == 64 ? "of block 0" : "of the same block"));
      }
    }
  }
  // Two blocks write one word: a race only when the values differ; atomics never.
  for (const int how : {0, 1, 2}) {
    Assembler a;
    const auto out = a.pointer("out", Type::s32);
    const auto v = how == 0 ? a.number(1) : a.special(Special::block_x);
    if (how == 2) {
      a.memory(Op::atomic_add, Type::s32, Space::global, a.unit(), out, v);
    } else {
      a.store(Type::s32, Space::global, out, v);
    }
    const auto o = run(a.finish(), launch({2}, {1}, {buffer("out", std::vector<int>(1))}));
    CHECK(o.count(Kind::global_race) == (how == 1));
  }
}

TEST_CASE("barriers that not all threads reach") {
  // 0: all come. 1: half of a warp. 2: whole warps in different branches. 3: some returned. 4: all of a warp returned.
  for (int how = 0; how < 5; ++how) {
    Assembler a;
    const auto out = a.pointer("out", Type::s32);
    const auto i = a.special(Special::thread_x);
    const auto below = [&](int n) { return a.op(Op::lt, Type::s32, i, a.number(n)); };
    if (how == 0) a.sync();
    if (how == 1) a.branch(below(16), [&] { a.sync(); });
    if (how == 2) a.branch(below(32), [&] { a.sync(); }, [&] { a.sync(); });
    if (how >= 3) {
      a.branch(a.op(Op::ge, Type::s32, i, a.number(how == 3 ? 50 : 32)), [&] { a.emit(Op::return_); });
      a.sync();
    }
    a.store(Type::s32, Space::global, a.address(out, i, 4), i);
    const auto o = run(a.finish(), launch({1}, {64}, {buffer("out", std::vector<int>(64, -1))}));
    INFO("case " << how);
    CHECK((o.count(Kind::barrier_divergence) > 0) == (how != 0));
    CHECK(!o.profile.stopped);  // GPUs since Volta go on in these cases
    if (const Finding* f = o.find(Kind::barrier_divergence)) {
      CHECK(has(f->what, how == 1 ? "Only 16 of the 32 threads" : how == 2 ? "at another one" : how == 3 ? "14 threads of the block had returned" : "32 threads"));
      CHECK(f->has_other == (how == 2));
    }
    const auto v = values<int>(o.buffers[0]);
    CHECK(v[0] == 0);
    CHECK(v[63] == (how >= 3 ? -1 : 63));
  }
}

TEST_CASE("votes at barriers") {
  Assembler a;
  const auto out = a.pointer("out", Type::s32);
  const auto i = a.special(Special::thread_x);
  const auto p = a.op(Op::lt, Type::s32, i, a.number(40));
  const auto sum = a.op(Op::sync_block_count, Type::s32, p), both = a.op(Op::sync_block_and, Type::s32, p), any = a.op(Op::sync_block_or, Type::s32, p);
  const auto x = a.op(Op::fma, Type::s32, sum, a.number(100), a.op(Op::fma, Type::s32, both, a.number(10), any));
  a.store(Type::s32, Space::global, a.address(out, i, 4), x);
  const auto o = run(a.finish(), launch({1}, {96}, {buffer("out", std::vector<int>(96))}));
  CHECK(o.profile.findings.empty());
  CHECK(values<int>(o.buffers[0]) == std::vector<int>(96, 4001));
  CHECK(o.profile.phases == 4);
}

TEST_CASE("division by zero is found and goes on; only where a lane is active") {
  for (const bool guarded : {false, true}) {
    Assembler a;
    const auto out = a.pointer("out", Type::s32);
    const auto i = a.special(Special::thread_x);
    const auto quotient = a.number(7);
    const auto divide = [&] { a.emit(Op::div, Type::s32, quotient, a.number(100), i); };
    if (guarded) {
      a.branch(a.op(Op::ne, Type::s32, i, a.number(0)), divide);
    } else {
      divide();
    }
    a.store(Type::s32, Space::global, a.address(out, i, 4), quotient);
    const auto o = run(a.finish(), launch({1}, {32}, {buffer("out", std::vector<int>(32))}));
    CHECK(o.count(Kind::division_by_zero) == !guarded);
    const auto v = values<int>(o.buffers[0]);
    CHECK(v[0] == (guarded ? 7 : -1));
    CHECK(v[3] == 33);
    CHECK(!o.profile.stopped);
  }
}

TEST_CASE("a trap stops, and so does a loop without end") {
  {
    Assembler a;
    const auto i = a.special(Special::thread_x);
    a.branch(a.op(Op::eq, Type::s32, i, a.number(40)), [&] {
      a.line(12);
      a.emit(Op::trap);
    });
    const Program& program = a.finish();
    const auto o = run(program, launch({3}, {64}, {}));
    CHECK(o.profile.stopped);
    const Finding* f = o.find(Kind::trap);
    REQUIRE(f != nullptr);
    CHECK(f->thread.x == 40);
    CHECK(line_of(program, f->place) == 12);
  }
  {
    Assembler a;
    const auto yes = a.op(Op::eq, Type::s32, a.number(0), a.number(0));
    a.line(4);
    a.repeat([&] { return yes; }, [&] { a.emit(Op::nop); });
    const Program& program = a.finish();
    Options options;
    options.max_steps = 10000;
    const auto o = run(program, launch({1}, {32}, {}), options, 333);
    CHECK(o.profile.stopped);
    const Finding* f = o.find(Kind::runaway);
    REQUIRE(f != nullptr);
    CHECK(line_of(program, f->place) == 4);
    CHECK(o.profile.steps >= 10000);
    CHECK(o.profile.steps < 10100);
  }
}

TEST_CASE("one warp may wait for another of its block") {
  // Warp 1 sets a flag that warp 0 polls.
  Assembler a;
  a.kernel().shared_bytes = 8;
  const auto out = a.pointer("out", Type::s32);
  const auto i = a.special(Special::thread_x), flag = a.shared_base();
  a.branch(a.op(Op::eq, Type::s32, i, a.number(0)), [&] { a.store(Type::s32, Space::shared, flag, a.number(0)); });
  a.sync();
  a.branch(a.op(Op::lt, Type::s32, i, a.number(32)),
           [&] { a.repeat([&] { return a.op(Op::eq, Type::s32, a.load(Type::s32, Space::shared, flag, 1, 0, flag_volatile), a.number(0)); }, [] {}); },
           [&] { a.memory(Op::atomic_exchange, Type::s32, Space::shared, a.unit(), flag, a.number(1)); });
  a.store(Type::s32, Space::global, a.address(out, i, 4), i);
  const auto o = run(a.finish(), launch({1}, {64}, {buffer("out", std::vector<int>(64))}));
  CHECK(!o.profile.stopped);
  CHECK(values<int>(o.buffers[0])[5] == 5);
}

TEST_CASE("findings of one kind and line are counted, others limited") {
  Assembler a;
  const auto i = a.special(Special::thread_x);
  for (int k = 0; k < 10; ++k) a.op(Op::div, Type::s32, i, a.number(0));
  Options options;
  options.max_findings = 3;
  const auto o = run(a.finish(), launch({2}, {64}, {}), options);
  CHECK(o.profile.findings.size() == 3);
  CHECK(o.profile.findings[0].times == 128);
  CHECK(o.profile.unique_findings_dropped == 7);
}
