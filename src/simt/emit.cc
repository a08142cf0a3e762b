#include <algorithm>

#include "simt/lower.h"

namespace lk::simt {

// The finished kernel: optimized, with registers given out and jumps resolved.
bool Lower::emit_kernel(Kernel& k, const Span& at) {
  k.dynamic_offset = (k.shared_bytes + 15) / 16 * 16;
  for (SharedVariable& v : k.shared)
    if (v.offset < 0) v.offset = k.dynamic_offset;
  // Dynamic shared memory begins behind the static variables, which are all known by now.
  constexpr uint64_t dynamic = shared_window + (uint64_t{1} << 40), half = uint64_t{1} << 39;
  for (Inst& i : body_.entry) {
    if (i.op != Op::constant || units(i.type) != 2) continue;
    const uint64_t v = program_.constants[size_t(i.imm)];
    if (v < dynamic - half || v >= dynamic + half) continue;
    i.imm = int64_t(program_.constants.size());
    program_.constants.push_back(v - dynamic + shared_window + uint64_t(k.dynamic_offset));
  }
  std::vector<int> read_only;
  for (const Parameter& p : k.parameters)
    if (p.pointer && p.constant && p.restricted) read_only.push_back(p.offset);
  infer_spaces(body_, program_.constants, read_only);
  optimize(body_, program_.constants, true);
  infer_spaces(body_, program_.constants, read_only);
  merge_shared_loads(body_, program_.constants);
  annotate(body_, program_.constants);
  const Allocation given = allocate(body_);
  if (given.units >= 65535) {
    error(at, "this kernel needs more than 65,535 registers", "unroll less: put #pragma unroll 1 before the outer loops");
    return false;
  }
  if (body_.entry.size() + body_.code.size() > options_.max_instructions) {
    error(at, "this kernel has more than " + std::to_string(options_.max_instructions) + " instructions", "put #pragma unroll 1 before the outer loops");
    return false;
  }
  k.units = given.units;
  k.registers = given.registers;
  k.begin = int(program_.code.size());
  const auto add = [&](const Inst& i) {
    Instr o;
    o.op = i.op;
    o.type = i.type;
    o.from = i.from;
    o.space = i.space;
    o.flags = i.flags;
    o.count = i.count;
    o.issued = i.issued;
    const Use u = uses(i);
    const auto unit = [&](int r) { return uint16_t(r < 0 ? 0 : given.unit[size_t(r)]); };
    if (u.d) o.d = unit(i.d);
    if (u.a) o.a = unit(i.a);
    if (u.b) o.b = unit(i.b);
    if (u.c) o.c = unit(i.c);
    o.imm = int32_t(i.imm);
    o.place = i.place;
    program_.code.push_back(o);
  };
  for (const Inst& i : body_.entry) add(i);
  for (const Inst& i : body_.code) add(i);
  k.end = int(program_.code.size());
  // Jumps: each opening knows where it closes; what leaves goes to the nearest place that restores a mask.
  struct Open { int at, otherwise = -1; std::vector<int> leaving; };
  std::vector<Open> open;
  for (int n = k.begin; n < k.end; ++n) {
    Instr& i = program_.code[size_t(n)];
    const auto arrive = [&] {
      for (const int l : open.back().leaving) program_.code[size_t(l)].imm = n;
      open.back().leaving.clear();
    };
    switch (i.op) {
      case Op::if_: case Op::loop: case Op::frame: open.push_back({n, -1, {}}); break;
      case Op::else_:
        arrive();
        program_.code[size_t(open.back().at)].imm = n;
        open.back().otherwise = n;
        break;
      case Op::end_if:
        arrive();
        program_.code[size_t(open.back().otherwise >= 0 ? open.back().otherwise : open.back().at)].imm = n;
        open.pop_back();
        break;
      case Op::loop_test: case Op::break_: case Op::continue_: case Op::return_:
        if (i.op == Op::loop_test) break;
        if (!open.empty()) open.back().leaving.push_back(n);
        else i.imm = k.end - 1;
        break;
      case Op::loop_next: arrive(); break;
      case Op::loop_back: i.imm = open.back().at + 1; break;
      case Op::loop_end: {
        arrive();
        const int begin = open.back().at;
        program_.code[size_t(begin)].imm = n;
        int depth = 0;
        for (int m = begin + 1; m < n; ++m) {
          Instr& t = program_.code[size_t(m)];
          if (t.op == Op::loop) ++depth;
          if (t.op == Op::loop_end) --depth;
          if (depth == 0 && t.op == Op::loop_test) t.imm = n;
        }
        open.pop_back();
        break;
      }
      case Op::frame_end:
        arrive();
        program_.code[size_t(open.back().at)].imm = n;
        open.pop_back();
        break;
      default: break;
    }
  }
  program_.kernels.push_back(k);
  return true;
}

}  // namespace lk::simt
