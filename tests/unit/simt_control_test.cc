// Random structured programs: a warp with its masks against one thread after another. And mutated programs, which must not crash.
#include <catch2/catch_test_macros.hpp>

#include "base/random.h"
#include "support/assemble.h"
#include "support/kernels.h"

using namespace lk;
using namespace lk::simt;
using namespace lk::simt::test;

namespace {

constexpr int variables = 6;

class Writer {
 public:
  Writer(Assembler& a, uint64_t seed) : a_(a), random_(seed) {
    out_ = a.pointer("out", Type::s32);
    const auto i = a.global_index();
    for (int k = 0; k < variables; ++k) {
      v_.push_back(a.unit());
      a.emit(Op::fma, Type::s32, v_.back(), i, a.number(k * 2 + 1), a.number(k * 77));
    }
    one_ = a.number(1);
    seven_ = a.number(7);
    const bool framed = random_.below(2) == 0;
    if (framed) a.emit(Op::frame);
    block(5);
    if (framed) a.emit(Op::frame_end);
    for (int k = 0; k < variables; ++k)
      a.store(Type::s32, Space::global, a.address(out_, a.op(Op::fma, Type::s32, i, a.number(variables), a.number(k)), 4), v_[static_cast<size_t>(k)]);
  }

 private:
  uint16_t any() { return v_[random_.below(variables)]; }
  uint16_t question() {
    const auto low = a_.op(Op::and_, Type::s32, any(), seven_);
    return a_.op(random_.below(2) ? Op::lt : Op::eq, Type::s32, low, a_.number(static_cast<int>(random_.below(8))));
  }

  void block(int depth) {
    const uint32_t n = 1 + random_.below(4);
    for (uint32_t k = 0; k < n; ++k) statement(depth);
  }

  void statement(int depth) {
    const uint32_t what = random_.below(depth > 0 ? 10 : 3);
    if (what < 3) {
      const Op ops[] = {Op::add, Op::xor_, Op::mul, Op::sub, Op::shr};
      const Op op = ops[random_.below(5)];
      const auto d = any(), x = any();
      a_.emit(op, Type::s32, d, x, op == Op::shr ? one_ : any());
    } else if (what < 6) {
      const bool has_else = random_.below(2) == 0;
      a_.emit(Op::if_, Type::pred, 0, question());
      block(depth - 1);
      if (has_else) {
        a_.emit(Op::else_);
        block(depth - 1);
      }
      a_.emit(Op::end_if);
    } else if (what < 8) {
      // At most eight trips, as many as a variable says when the loop is reached.
      const auto i = a_.unit(), end = a_.unit();
      a_.emit(Op::and_, Type::s32, end, any(), seven_);
      a_.emit(Op::sub, Type::s32, i, i, i);
      const bool at_end = random_.below(3) == 0;
      ++loops_;
      a_.emit(Op::loop);
      if (!at_end) a_.emit(Op::loop_test, Type::pred, 0, a_.op(Op::lt, Type::s32, i, end));
      block(depth - 1);
      a_.emit(Op::loop_next);
      a_.emit(Op::add, Type::s32, i, i, one_);
      if (at_end) a_.emit(Op::loop_test, Type::pred, 0, a_.op(Op::lt, Type::s32, i, end));
      a_.emit(Op::loop_back);
      a_.emit(Op::loop_end);
      --loops_;
    } else if (what == 8 && loops_ > 0) {
      a_.emit(Op::if_, Type::pred, 0, question());
      block(depth - 1);
      a_.emit(random_.below(2) ? Op::break_ : Op::continue_);
      a_.emit(Op::end_if);
    } else {
      const int loops = loops_;
      const bool whole = random_.below(2) == 0;
      if (whole) {
        a_.emit(Op::frame);
        loops_ = 0;
        block(depth - 1);
      }
      a_.emit(Op::if_, Type::pred, 0, question());
      block(depth - 1);
      a_.emit(Op::return_);
      a_.emit(Op::end_if);
      if (whole) {
        block(depth - 1);
        a_.emit(Op::frame_end);
        loops_ = loops;
      }
    }
  }

  Assembler& a_;
  Random random_;
  uint16_t out_ = 0, one_ = 0, seven_ = 0;
  std::vector<uint16_t> v_;
  int loops_ = 0;
};

// One thread by itself, branch by branch.
void one_thread(const Program& p, uint32_t block, uint32_t thread, uint32_t block_size, std::vector<int>& out, std::vector<uint64_t>& lanes) {
  std::vector<uint64_t> r(static_cast<size_t>(p.kernels[0].units));
  const auto& code = p.code;
  const auto skip = [&](size_t at, Op begin, Op end, Op other) {
    // The join of the construct that instruction `at` stands in or opens.
    int depth = 0;
    for (size_t k = at + 1;; ++k) {
      const Op op = code[k].op;
      if (depth == 0 && (op == end || op == other)) return k;
      depth += op == begin;
      depth -= op == end;
    }
  };
  for (size_t pc = 0; code[pc].op != Op::exit;) {
    const Instr& i = code[pc];
    lanes[pc] += 1;
    const auto a = static_cast<int32_t>(r[i.a]), b = static_cast<int32_t>(r[i.b]);
    const auto set = [&](int64_t v) { r[i.d] = static_cast<uint32_t>(v); };
    size_t next = pc + 1;
    switch (i.op) {
      case Op::parameter: r[i.d] = 0; break;
      case Op::constant: r[i.d] = p.constants[static_cast<size_t>(i.imm)]; break;
      case Op::special: {
        const auto s = static_cast<Special>(i.imm);
        set(s == Special::block_x ? block : s == Special::block_dim_x ? block_size : thread);
        break;
      }
      case Op::convert: r[i.d] = static_cast<uint64_t>(int64_t{a}); break;
      case Op::fma:
        if (i.type == Type::u64) r[i.d] = r[i.a] * r[i.b] + r[i.c];
        else set(static_cast<int64_t>(static_cast<uint32_t>(r[i.a]) * static_cast<uint32_t>(r[i.b]) + static_cast<uint32_t>(r[i.c])));
        break;
      case Op::add: set(int64_t{a} + b); break;
      case Op::sub: set(int64_t{a} - b); break;
      case Op::mul: set(static_cast<int64_t>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b))); break;
      case Op::xor_: set(a ^ b); break;
      case Op::and_: set(a & b); break;
      case Op::shr: set(a >> b); break;
      case Op::lt: r[i.d] = a < b; break;
      case Op::eq: r[i.d] = a == b; break;
      case Op::store: out[r[i.a] / 4] = b; break;
      case Op::if_: if (!r[i.a]) next = skip(pc, Op::if_, Op::end_if, Op::else_) + 1; break;
      case Op::else_: next = skip(pc, Op::if_, Op::end_if, Op::end_if) + 1; break;
      case Op::loop_test: if (!r[i.a]) next = skip(pc, Op::loop, Op::loop_end, Op::loop_end) + 1; break;
      case Op::break_: next = skip(pc, Op::loop, Op::loop_end, Op::loop_end) + 1; break;
      case Op::continue_: next = skip(pc, Op::loop, Op::loop_end, Op::loop_next) + 1; break;
      case Op::return_: {
        int depth = 0;
        for (next = pc + 1; code[next].op != Op::exit; ++next) {
          if (code[next].op == Op::frame_end && depth-- == 0) break;
          depth += code[next].op == Op::frame;
        }
        break;
      }
      case Op::loop_back: {
        int depth = 0;
        for (next = pc - 1;; --next) {
          depth += code[next].op == Op::loop_end;
          if (code[next].op == Op::loop && depth-- == 0) break;
        }
        ++next;
        break;
      }
      default: break;
    }
    pc = next;
  }
}

}  // namespace

TEST_CASE("masks of structured control flow, against one thread after another") {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    Assembler a;
    Writer writer(a, seed);
    const Program& program = a.finish();
    const uint32_t blocks = 2, size = 45;
    std::vector<int> expected(size_t{blocks} * size * variables, -7);
    std::vector<uint64_t> counted(program.code.size());
    for (uint32_t b = 0; b < blocks; ++b)
      for (uint32_t t = 0; t < size; ++t) one_thread(program, b, t, size, expected, counted);
    const auto o = run(program, launch({blocks}, {size}, {buffer("out", std::vector<int>(expected.size(), -7))}), {}, 1 + seed * 13);
    REQUIRE(o.started);
    REQUIRE(o.profile.findings.empty());
    if (values<int>(o.buffers[0]) != expected) FAIL("seed " << seed);
    // And each thread ran what it should, no more: all but control, which a warp passes through with its own rules.
    for (size_t k = 0; k < counted.size(); ++k) {
      const Op op = program.code[k].op;
      const bool control = op >= Op::if_ && op <= Op::exit;
      if (!control && o.profile.code[k].lanes != counted[k]) FAIL("seed " << seed << ", instruction " << k << ": " << o.profile.code[k].lanes << " lanes, not " << counted[k]);
    }
  }
}

TEST_CASE("programs with wrong bits are refused or run to an end") {
  Random random(99);
  int started = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    Assembler a;
    const bool product = trial % 2 == 0;
    if (product) {
      sgemm_tiled(a);
    } else {
      Writer writer(a, static_cast<uint64_t>(trial));
    }
    Program program = a.finish();
    const uint32_t changes = 1 + random.below(4);
    for (uint32_t k = 0; k < changes; ++k) {
      Instr& i = program.code[random.below(static_cast<uint32_t>(program.code.size()))];
      const auto r = static_cast<uint32_t>(random.next());
      switch (random.below(10)) {
        case 0: i.op = static_cast<Op>(r % (static_cast<uint32_t>(Op::count_) + 2)); break;
        case 1: i.type = static_cast<Type>(r % 16); break;
        case 2: i.from = static_cast<Type>(r % 16); break;
        case 3: i.space = static_cast<Space>(r % 5); break;
        case 4: i.d = static_cast<uint16_t>(r % 100); break;
        case 5: i.a = static_cast<uint16_t>(r % 100); break;
        case 6: i.b = static_cast<uint16_t>(r); break;
        case 7: i.imm = static_cast<int32_t>(r); break;
        case 8: i.count = static_cast<uint8_t>(r); break;
        default: i = program.code[r % program.code.size()]; break;
      }
    }
    Options options;
    options.max_steps = 20000;
    options.seed = static_cast<uint64_t>(trial % 3);
    const std::vector<float> some(32 * 32, 1.5f);
    const auto l = product ? launch({1}, {32, 2}, {buffer("A", some), buffer("B", some), buffer("C", some)}, {number_argument(32)}) : launch({1}, {50}, {buffer("out", some)});
    const auto o = run(program, l, options, 5000);
    started += o.started;
    if (!o.started) CHECK(!o.error.what.empty());
    for (const Finding& f : o.profile.findings) CHECK(!f.what.empty());
  }
  CHECK(started > 300);
}
