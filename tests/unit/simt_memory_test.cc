#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <set>

#include "base/random.h"
#include "gpu/banks.h"
#include "gpu/transactions.h"
#include "support/kernels.h"

using namespace lk;
using namespace lk::simt;
using namespace lk::simt::test;

namespace {

// Each thread reads the float (or vector of `count`) at byte indices[thread] of `in` and writes it where places[thread] says.
struct Moved {
  const Counters load, store;
  Outcome outcome;
};
Moved move_elements(Type type, int count, const std::vector<uint64_t>& from, const std::vector<uint64_t>& to, const std::vector<uint8_t>& bytes_in, bool some = false) {
  Assembler a;
  const auto in = a.pointer("in", type, true), out = a.pointer("out", type), p = a.pointer("from", Type::u64, true), q = a.pointer("to", Type::u64, true);
  const auto i = a.global_index();
  const auto act = [&] {
    const auto x = a.op(Op::add, Type::u64, in, a.load(Type::u64, Space::global, a.address(p, i, 8)));
    const auto y = a.op(Op::add, Type::u64, out, a.load(Type::u64, Space::global, a.address(q, i, 8)));
    const auto v = a.load(type, Space::global, x, count);
    a.store(type, Space::global, y, v, count);
  };
  if (some) {
    a.branch(a.op(Op::ne, Type::u32, a.op(Op::rem, Type::u32, i, a.number(3)), a.number(0)), act);
  } else {
    act();
  }
  const Program& program = a.finish();
  Buffer data;
  data.name = "in";
  data.bytes = bytes_in;
  Buffer result = data;
  result.name = "out";
  std::fill(result.bytes.begin(), result.bytes.end(), uint8_t{0xEE});
  Options options;
  options.checks = false;
  auto o = run(program, launch({1}, {static_cast<uint32_t>(from.size())}, {data, result, buffer("from", from), buffer("to", to)}), options);
  REQUIRE(o.started);
  Counters load, store;
  for (size_t k = 0; k < o.profile.code.size(); ++k) {
    const Instr& instr = program.code[k];
    if (instr.op == Op::load && (instr.type != Type::u64 || instr.count != 1)) load = o.profile.code[k];
    if (instr.op == Op::store) store = o.profile.code[k];
  }
  return {load, store, std::move(o)};
}

}  // namespace

TEST_CASE("global accesses of every width and shape move the right bytes and count what the rules say") {
  Random random(3);
  struct Shape {
    Type type;
    int count;
  };
  for (const Shape s : {Shape{Type::u8, 1}, {Type::s8, 1}, {Type::u16, 1}, {Type::s16, 1}, {Type::f32, 1}, {Type::f32, 2}, {Type::f32, 4}, {Type::f64, 1}, {Type::f64, 2},
                        {Type::u8, 4}, {Type::f16, 8}}) {
    const int width = bytes(s.type) * s.count;
    for (int trial = 0; trial < 60; ++trial) {
      const int stride = static_cast<int>(random.below(40)) - 8, shape = trial % 5;
      std::vector<uint8_t> data(16384);
      for (auto& b : data) b = static_cast<uint8_t>(random.next());
      std::vector<uint64_t> from, to;
      for (int lane = 0; lane < 32; ++lane) {
        const int64_t element = shape == 0   ? 300 + lane
                                : shape == 1 ? 500 + lane * stride
                                : shape == 2 ? static_cast<int64_t>(random.below(1000))
                                : shape == 3 ? 40 + lane / 5 * 3
                                             : 64 - lane;
        from.push_back(static_cast<uint64_t>(element * width) % (data.size() - 16) / static_cast<uint64_t>(width) * static_cast<uint64_t>(width));
        to.push_back(from.back());
      }
      const bool some = trial % 2 == 1;
      const auto m = move_elements(s.type, s.count, from, to, data, some);
      gpu::WarpAccess access;
      access.width = width;
      std::vector<uint8_t> expected(data.size(), 0xEE);
      std::set<uint64_t> written;
      for (size_t lane = 0; lane < 32; ++lane) {
        if (some && lane % 3 == 0) continue;
        access.addresses.push_back(from[lane]);
        for (uint64_t k = 0; k < static_cast<uint64_t>(width); ++k) {
          expected[to[lane] + k] = data[from[lane] + k];
          written.insert(to[lane] + k);
        }
      }
      const auto t = gpu::transactions(access);
      int partial = 0;
      for (const uint64_t sector : t.sectors) {
        for (uint64_t k = 0; k < 32; ++k) {
          if (!written.count(sector * 32 + k)) {
            ++partial;
            break;
          }
        }
      }
      INFO("type " << static_cast<int>(s.type) << " x " << s.count << ", shape " << shape << ", stride " << stride << ", trial " << trial);
      REQUIRE(m.outcome.buffers[1].bytes == expected);
      CHECK(m.load.requests == 1);
      CHECK(m.load.sectors == t.sectors.size());
      CHECK(m.load.lines == static_cast<uint64_t>(t.lines));
      CHECK(m.load.ideal_sectors == static_cast<uint64_t>(t.ideal_sectors));
      CHECK(m.load.bytes == static_cast<uint64_t>(t.asked));
      CHECK(m.store.sectors == t.sectors.size());
      CHECK(m.store.partial_sectors == static_cast<uint64_t>(partial));
      CHECK(m.outcome.profile.dram_write_blocks == static_cast<uint64_t>(t.dram_blocks));
    }
  }
}

TEST_CASE("shared accesses: passes through the banks, whatever the shape") {
  Random random(9);
  for (const int count : {1, 2, 4}) {
    for (int trial = 0; trial < 60; ++trial) {
      Assembler a;
      const auto p = a.pointer("at", Type::s32, true), out = a.pointer("out");
      a.kernel().shared_bytes = 32768;
      const auto i = a.special(Special::thread_x);
      const auto x = a.address(a.shared_base(), a.load(Type::s32, Space::global, a.address(p, i, 4)), 4 * count);
      const auto packed = a.unit(Type::f32, count);
      for (int k = 0; k < count; ++k) a.emit(Op::convert, Type::s32, static_cast<uint16_t>(packed + k), i);
      a.store(Type::f32, Space::shared, x, packed, count);
      const auto back = a.load(Type::f32, Space::shared, x, count);
      a.store(Type::f32, Space::global, a.address(out, i, 4), back);
      const Program& program = a.finish();
      std::vector<int> at(32);
      std::array<uint64_t, 32> addresses{};
      const int stride = static_cast<int>(random.below(40));
      for (int lane = 0; lane < 32; ++lane) {
        at[static_cast<size_t>(lane)] = trial % 3 == 0 ? lane * stride : trial % 3 == 1 ? static_cast<int>(random.below(200)) : (lane ^ 5) / 2;
        addresses[static_cast<size_t>(lane)] = static_cast<uint64_t>(at[static_cast<size_t>(lane)]) * 4 * static_cast<uint64_t>(count);
      }
      Options options;
      options.checks = false;
      const auto o = run(program, launch({2}, {32}, {buffer("at", at), buffer("out", std::vector<int>(32))}), options);
      REQUIRE(o.started);
      for (size_t k = 0; k < o.profile.code.size(); ++k) {
        const Instr& instr = program.code[k];
        if (instr.space != Space::shared) continue;
        const auto use = instr.op == Op::load ? gpu::BankUse::load : gpu::BankUse::store;
        const auto passes = static_cast<uint64_t>(gpu::wavefronts(addresses, ~0u, 4 * count, use));
        CHECK(o.profile.code[k].wavefronts == 2 * passes);
        CHECK(o.profile.code[k].ideal_wavefronts == 2 * std::min<uint64_t>(passes, static_cast<uint64_t>(count)));
      }
      // Of the lanes that write one place the last stays.
      const auto result = values<int>(o.buffers[1]);
      for (size_t lane = 0; lane < 32; ++lane) {
        size_t last = lane;
        for (size_t other = 0; other < 32; ++other)
          if (at[other] == at[lane]) last = std::max(last, other);
        REQUIRE(result[lane] == static_cast<int>(last));
      }
    }
  }
}

TEST_CASE("atomics on global and shared memory") {
  for (const bool shared : {false, true}) {
    for (const bool unused : {false, true}) {
      Assembler a;
      const auto out = a.pointer("out", Type::s32), old = a.pointer("old", Type::s32);
      a.kernel().shared_bytes = 16;
      const auto i = a.special(Special::thread_x);
      const auto slot = a.op(Op::and_, Type::s32, i, a.number(3));
      const auto x = a.address(shared ? a.shared_base() : out, slot, 4);
      if (shared) {
        a.branch(a.op(Op::lt, Type::s32, i, a.number(4)), [&] { a.store(Type::s32, Space::shared, a.address(a.shared_base(), i, 4), a.number(0)); });
        a.sync();
      }
      const auto d = a.unit();
      a.memory(Op::atomic_add, Type::s32, shared ? Space::shared : Space::global, d, x, a.number(1), 1, 0, static_cast<uint8_t>(unused ? flag_unused : 0));
      a.sync();
      if (!unused) a.store(Type::s32, Space::global, a.address(old, i, 4), d);
      if (shared) {
        a.branch(a.op(Op::lt, Type::s32, i, a.number(4)), [&] {
          a.store(Type::s32, Space::global, a.address(out, i, 4), a.load(Type::s32, Space::shared, a.address(a.shared_base(), i, 4)));
        });
      }
      const Program& program = a.finish();
      const auto o = run(program, launch({1}, {64}, {buffer("out", std::vector<int>(4)), buffer("old", std::vector<int>(64, -1))}));
      CHECK(o.profile.findings.empty());
      CHECK(values<int>(o.buffers[0]) == std::vector<int>{16, 16, 16, 16});
      if (!unused) {
        const auto before = values<int>(o.buffers[1]);
        for (int k = 0; k < 64; ++k) CHECK(before[static_cast<size_t>(k)] == k / 4);
      }
      CHECK(o.sum(program, Op::atomic_add, &Counters::atomic_same) == (shared ? 2 * 8 : 2 * 8));
      if (shared) CHECK(o.sum(program, Op::atomic_add, &Counters::wavefronts) == (unused ? 2 : 16));
    }
  }
}

TEST_CASE("each atomic operation, in the order of the lanes") {
  struct Row {
    Op op;
    Type type;
    uint32_t begin, end;
  };
  // 32 lanes with operand lane + 1 on one word.
  const Row rows[] = {{Op::atomic_add, Type::u32, 5, 5 + 528},       {Op::atomic_sub, Type::s32, 1000, 1000 - 528}, {Op::atomic_min, Type::s32, 20, 1},
                      {Op::atomic_max, Type::u32, 20, 32},           {Op::atomic_and, Type::u32, ~0u, 0},            {Op::atomic_or, Type::u32, 0, 63},
                      {Op::atomic_xor, Type::u32, 0, 32},            {Op::atomic_exchange, Type::u32, 9, 32},        {Op::atomic_inc, Type::u32, 0, 32},
                      {Op::atomic_dec, Type::u32, 0, 1}};
  for (const Row& r : rows) {
    Assembler a;
    const auto out = a.pointer("out", Type::u32);
    const auto operand = a.op(Op::add, Type::u32, a.special(Special::thread_x), a.number(1));
    a.memory(r.op, r.type, Space::global, a.unit(), out, operand);
    const auto o = run(a.finish(), launch({1}, {32}, {buffer("out", std::vector<uint32_t>{r.begin})}));
    REQUIRE(o.started);
    uint32_t want = r.begin;
    for (uint32_t b = 1; b <= 32; ++b) {
      switch (r.op) {
        case Op::atomic_inc: want = want >= b ? 0 : want + 1; break;
        case Op::atomic_dec: want = want == 0 || want > b ? b : want - 1; break;
        default: want = r.end;
      }
    }
    CHECK(values<uint32_t>(o.buffers[0])[0] == want);
  }
  // A lock-free maximum of floats by compare-and-swap, as kernels write it.
  Assembler a;
  const auto out = a.pointer("out", Type::f32);
  const auto mine = a.convert(Type::f32, Type::s32, a.special(Special::thread_x));
  const auto seen = a.load(Type::u32, Space::global, out);
  const auto swapped = a.unit();
  a.emit(Op::move, Type::u32, swapped, seen);
  a.repeat([&] { return a.op(Op::gt, Type::f32, mine, seen); },
           [&] {
             a.memory(Op::atomic_compare_swap, Type::u32, Space::global, swapped, out, seen, 1, 0, 0, mine);
             a.branch(a.op(Op::eq, Type::u32, swapped, seen), [&] { a.emit(Op::break_); });
             a.emit(Op::move, Type::u32, seen, swapped);
           });
  const auto o = run(a.finish(), launch({3}, {100}, {buffer("out", std::vector<float>{-1})}));
  REQUIRE(o.started);
  CHECK(values<float>(o.buffers[0])[0] == 99);
}

TEST_CASE("local memory lies side by side for the lanes") {
  Assembler a;
  const auto out = a.pointer("out", Type::s32);
  a.kernel().local_bytes = 64;
  const auto i = a.special(Special::thread_x), k = a.unit();
  const auto base = a.local_base();
  a.loop(k, a.number(0), a.number(16), a.number(1), [&] { a.store(Type::s32, Space::local, a.address(base, k, 4), a.op(Op::mul, Type::s32, k, i)); });
  a.store(Type::s32, Space::global, a.address(out, i, 4), a.load(Type::s32, Space::generic, a.address(base, a.op(Op::rem, Type::s32, i, a.number(16)), 4)));
  const Program& program = a.finish();
  const auto o = run(program, launch({1}, {64}, {buffer("out", std::vector<int>(64))}));
  REQUIRE(o.started);
  CHECK(o.profile.findings.empty());
  const auto v = values<int>(o.buffers[0]);
  for (int t = 0; t < 64; ++t) CHECK(v[static_cast<size_t>(t)] == t % 16 * t);
  for (size_t n = 0; n < o.profile.code.size(); ++n) {
    const Instr& instr = program.code[n];
    if (instr.op == Op::store && instr.space == Space::local) {
      CHECK(o.profile.code[n].sectors == 2 * 16 * 4);  // one line for a warp
      CHECK(o.profile.code[n].lines == 2 * 16);
    }
    if (instr.op == Op::load && instr.space == Space::generic) CHECK(o.profile.code[n].lines == 2 * 16);
  }
}

TEST_CASE("tiled SGEMM: exact sums, wavefronts, sectors, phases and chain") {
  Assembler a("sgemm");
  sgemm_tiled(a);
  const Program& program = a.finish();
  const int n = 64;
  std::vector<float> A(n * n), B(n * n);
  for (size_t k = 0; k < A.size(); ++k) {
    A[k] = static_cast<float>(k % 7) - 3;
    B[k] = static_cast<float>(k % 5) - 2;
  }
  const auto l = launch({2, 2}, {32, 32}, {buffer("A", A), buffer("B", B), buffer("C", std::vector<float>(n * n))}, {number_argument(n)});
  const auto o = run(program, l);
  REQUIRE(o.started);
  CHECK(o.profile.findings.empty());
  const auto C = values<float>(o.buffers[2]);
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += A[static_cast<size_t>(row * n + k)] * B[static_cast<size_t>(k * n + column)];
      REQUIRE(C[static_cast<size_t>(row * n + column)] == sum);
    }
  }
  // 4 blocks, 2 tiles, 32 warps: 2 stores and 64 loads of shared memory, all without conflicts.
  uint64_t passes = 0, ideal = 0;
  for (const Counters& c : o.profile.code) {
    passes += c.wavefronts;
    ideal += c.ideal_wavefronts;
  }
  CHECK(passes == 4 * 2 * 32 * 66);
  CHECK(ideal == passes);
  CHECK(o.profile.barriers == 4 * 2 * 32 * 2);
  CHECK(o.profile.phases == 5);
  CHECK(o.profile.dram_read_blocks == 2 * n * n * 4 / 64);
  CHECK(o.profile.l2_read_sectors == 4 * 2 * 2 * 32 * 4);
  // Two trips of a global load, two barriers of 32 warps and 32 dependent multiply-adds each: no less, and not twice as much.
  const double least = 2 * (283 + 2 * 77 + 29 + 32 * 4.5);
  CHECK(o.profile.latency.cache > least);
  CHECK(o.profile.latency.cache < 2 * least);
  // Each block comes to other rows and columns: all loads are first touches, at 796 cycles.
  CHECK(o.profile.latency.first_touches == o.profile.latency.cache + 2 * (796 - 283));
  CHECK(o.profile.latency.memory == o.profile.latency.first_touches);
  CHECK(o.profile.flight == 2);

  SECTION("the order of warps and blocks changes nothing") {
    for (uint64_t seed = 1; seed < 5; ++seed) {
      Options options;
      options.seed = seed;
      const auto other = run(program, l, options, 1000 * seed);
      CHECK(other.buffers[2].bytes == o.buffers[2].bytes);
      CHECK(other.profile.findings.empty());
      for (size_t k = 0; k < o.profile.code.size(); ++k) {
        CHECK(other.profile.code[k].executed == o.profile.code[k].executed);
        CHECK(other.profile.code[k].sectors == o.profile.code[k].sectors);
      }
    }
  }
  SECTION("slices change nothing") {
    for (const uint64_t slice : {uint64_t{1}, uint64_t{777}}) {
      const auto other = run(program, l, {}, slice);
      CHECK(other.buffers[2].bytes == o.buffers[2].bytes);
      CHECK(other.profile.steps == o.profile.steps);
      CHECK(other.profile.latency.first_touches == o.profile.latency.first_touches);
    }
  }
  SECTION("sampled blocks, scaled") {
    for (const uint64_t blocks : {uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{400}}) {
      Options options;
      options.sampled_blocks = blocks;
      const auto other = run(program, l, options);
      CHECK(other.profile.blocks_run == std::min<uint64_t>(blocks, 4));
      CHECK(other.profile.barriers == o.profile.barriers);
      CHECK(other.profile.l2_read_sectors == o.profile.l2_read_sectors);
      for (size_t k = 0; k < o.profile.code.size(); ++k) {
        CHECK(other.profile.code[k].executed == o.profile.code[k].executed);
        CHECK(other.profile.code[k].lanes == o.profile.code[k].lanes);
        CHECK(other.profile.code[k].sectors == o.profile.code[k].sectors);
        CHECK(other.profile.code[k].wavefronts == o.profile.code[k].wavefronts);
      }
    }
  }
}

TEST_CASE("fragments of matrices, both layouts") {
  for (const bool column : {false, true}) {
    Assembler a;
    const auto A = a.pointer("A", Type::f16, true), B = a.pointer("B", Type::f16, true), C = a.pointer("C");
    const auto pitch = a.number(16);
    const auto fa = a.unit(Type::f16, 8), fb = a.unit(Type::f16, 8), fc = a.unit(Type::f32, 8);
    a.emit(Op::matrix_fill, Type::f32, fc, a.number(1.0f));
    const auto load = [&](uint16_t d, uint16_t p) {
      Instr i;
      i.op = Op::matrix_load;
      i.type = Type::f16;
      i.space = Space::global;
      i.d = d;
      i.a = p;
      i.b = pitch;
      i.imm = column;
      i.count = 8;
      a.emit(i);
    };
    load(fa, A);
    load(fb, B);
    Instr multiply;
    multiply.op = Op::matrix_multiply;
    multiply.type = Type::f32;
    multiply.from = Type::f16;
    multiply.d = multiply.c = fc;
    multiply.a = fa;
    multiply.b = fb;
    a.emit(multiply);
    Instr store;
    store.op = Op::matrix_store;
    store.type = Type::f32;
    store.space = Space::global;
    store.a = C;
    store.d = fc;
    store.b = pitch;
    store.imm = column;
    a.emit(store);
    std::vector<uint16_t> x(256), y(256);
    for (uint32_t k = 0; k < 256; ++k) {
      x[k] = static_cast<uint16_t>(k % 2 == 0 ? 0x3C00 : 0x4000 + k % 5);  // 1, or a little more than 2
      y[k] = static_cast<uint16_t>(k % 3 == 0 ? 0xBC00 : 0x3800);          // -1, 0.5
    }
    const Program& program = a.finish();
    const auto o = run(program, launch({1}, {32}, {buffer("A", x), buffer("B", y), buffer("C", std::vector<float>(256))}));
    REQUIRE(o.started);
    CHECK(o.profile.findings.empty());
    const auto half = [](uint16_t h) { return h == 0x3C00 ? 1.0 : h == 0xBC00 ? -1.0 : h == 0x3800 ? 0.5 : 2 + (h & 1023) / 512.0; };
    const auto c = values<float>(o.buffers[2]);
    const auto at = [&](size_t r, size_t k) { return column ? k * 16 + r : r * 16 + k; };
    for (size_t r = 0; r < 16; ++r) {
      for (size_t k = 0; k < 16; ++k) {
        double sum = 1;
        for (size_t j = 0; j < 16; ++j) sum += half(x[at(r, j)]) * half(y[at(j, k)]);
        REQUIRE(c[at(r, k)] == static_cast<float>(sum));
      }
    }
    CHECK(o.sum(program, Op::matrix_load, &Counters::sectors) == 32);
  }
}

TEST_CASE("a buffer made page by page gives what one made as a whole gives") {
  // Each thread reads at a stride, adds to what it finds at another, and writes side by side; some accesses cross pages.
  for (const int stride : {1, 3, 4096, 65536 / 4, -5}) {
    Assembler a;
    const auto in = a.pointer("in", Type::f32, true), out = a.pointer("out");
    const auto n = a.scalar("n", Type::s32);
    const auto i = a.global_index();
    const auto far = a.op(Op::rem, Type::s32, a.op(Op::abs, Type::s32, a.op(Op::mul, Type::s32, i, a.number(stride))), n);
    const auto sum = a.op(Op::add, Type::f32, a.load(Type::f32, Space::global, a.address(in, far, 4)), a.load(Type::f32, Space::global, a.address(out, i, 4)));
    a.store(Type::f32, Space::global, a.address(out, i, 4), sum);
    a.memory(Op::atomic_add, Type::f32, Space::global, a.unit(), in, sum, 1, 16 * 4, flag_unused);
    a.store(Type::f32, Space::global, a.address(in, i, 4), a.load(Type::f32, Space::global, a.address(out, i, 4)), 1, 1 << 20);
    const Program& program = a.finish();
    const uint64_t bytes_in = 1 << 22, count = bytes_in / 4;
    Buffer whole;
    whole.name = "in";
    whole.bytes.resize(bytes_in);
    fill(whole.bytes, Fill::random, Type::f32, 0, 5);
    Buffer paged;
    paged.name = "in";
    paged.size = bytes_in;
    paged.fill = Fill::random;
    paged.seed = 5;
    const uint32_t blocks = 640;
    const auto result = buffer("out", std::vector<float>(size_t{blocks} * 64, 0.5f));
    const auto one = run(program, launch({blocks}, {64}, {whole, result}, {number_argument(count)}));
    const auto two = run(program, launch({blocks}, {64}, {paged, result}, {number_argument(count)}));
    REQUIRE(one.started);
    REQUIRE(two.started);
    CHECK(!one.profile.stopped);
    CHECK(one.buffers[1].bytes == two.buffers[1].bytes);
    CHECK(one.profile.dram_read_blocks == two.profile.dram_read_blocks);
    CHECK(one.profile.findings.size() == two.profile.findings.size());
  }
}
