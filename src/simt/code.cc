#include "simt/code.h"

#include "simt/ir.h"

namespace lk::simt {

const Kernel* Program::find(std::string_view wanted) const {
  for (const Kernel& k : kernels)
    if (k.name == wanted) return &k;
  return nullptr;
}

std::string_view name(Op op) {
  static constexpr const char* names[] = {
      "nop", "move", "constant", "special", "parameter", "convert", "bits", "add", "sub", "mul", "mul_hi", "fma", "div", "rem", "neg", "abs", "min", "max",
      "and", "or", "xor", "not", "shl", "shr", "popc", "clz", "ffs", "brev", "funnel_l", "byte_perm", "eq", "ne", "lt", "le", "gt", "ge", "select", "is_nan", "is_inf",
      "sqrt", "rsqrt", "rcp", "exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "tanh", "pow", "erf", "floor", "ceil", "trunc",
      "round", "rint", "fmod", "copysign", "exp_fast", "log_fast", "sin_fast", "cos_fast", "div_fast", "pow_fast", "saturate", "load", "store", "atomic_add", "atomic_sub",
      "atomic_min", "atomic_max", "atomic_and", "atomic_or", "atomic_xor", "atomic_exchange", "atomic_compare_swap", "atomic_inc", "atomic_dec", "fence", "shuffle_down",
      "shuffle_up", "shuffle_xor", "shuffle_index", "ballot", "any", "all", "active_mask", "match_any", "reduce_add", "reduce_min", "reduce_max", "reduce_and", "reduce_or",
      "reduce_xor", "sync_warp", "sync_block", "sync_block_count", "sync_block_and", "sync_block_or", "if", "else", "end_if", "loop", "loop_test", "loop_next", "loop_back",
      "loop_end", "break", "continue", "return", "frame", "frame_end", "exit", "trap", "matrix_load", "matrix_store", "matrix_multiply", "matrix_fill"};
  static_assert(sizeof(names) / sizeof(names[0]) == size_t(Op::count_));
  return op < Op::count_ ? names[size_t(op)] : "unknown";
}

std::string_view name(Type type) {
  static constexpr const char* names[] = {"pred", "s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64", "f16", "bf16", "f16x2", "bf16x2", "f32", "f64"};
  return size_t(type) < 15 ? names[size_t(type)] : "unknown";
}

namespace {
// The units that a field of an instruction names: how many from the first one.
struct Widths { int d = 1, a = 1, b = 1, c = 1; };
Widths widths(const Instr& i) {
  const int w = units(i.type);
  Widths out{w, w, w, w};
  switch (i.op) {
    case Op::convert: case Op::bits: out.a = units(i.from); break;
    case Op::eq: case Op::ne: case Op::lt: case Op::le: case Op::gt: case Op::ge: case Op::is_nan: case Op::is_inf: out.d = 1; break;
    case Op::select: out.c = 1; break;
    case Op::shl: case Op::shr: out.b = 1; break;
    case Op::popc: case Op::clz: case Op::ffs: case Op::match_any: out.d = out.c = 1; break;
    case Op::load: out.a = 2, out.d = w * i.count; break;
    case Op::store: out.a = 2, out.b = w * i.count; break;
    case Op::matrix_load: case Op::matrix_store: out.a = 2, out.b = 1, out.d = w * i.count; break;
    case Op::sync_block_count: case Op::sync_block_and: case Op::sync_block_or: case Op::ballot: case Op::any: case Op::all: case Op::if_: case Op::loop_test: out = {1, 1, 1, 1}; break;
    default:
      if (is_atomic(i.op)) out.a = 2;
      else if (i.op >= Op::shuffle_down && i.op <= Op::sync_warp) out.b = out.c = 1;
  }
  return out;
}
}  // namespace

Result<bool> verify(const Program& p) {
  const auto wrong = [&](size_t at, const std::string& what) {
    Error e;
    e.at.file = p.file;
    if (at < p.code.size() && p.code[at].place < p.places.size()) {
      e.at.line = p.places[p.code[at].place].line;
      e.at.column = p.places[p.code[at].place].column;
    }
    e.what = "instruction " + std::to_string(at) + (at < p.code.size() ? " (" + std::string(name(p.code[at].op)) + ")" : "") + ": " + what;
    return Result<bool>(std::move(e));
  };
  for (size_t k = 0; k < p.places.size(); ++k)
    if (p.places[k].inlined >= int(k) || p.places[k].inlined < -1) return wrong(p.code.size(), "place " + std::to_string(k) + " is inlined at a later one");
  int last = 0;
  for (const Kernel& k : p.kernels) {
    if (k.begin != last || k.end <= k.begin || size_t(k.end) > p.code.size()) return wrong(size_t(k.begin), "kernel " + k.name + " does not follow the one before");
    last = k.end;
    if (k.units < 0 || k.units > 65535) return wrong(size_t(k.begin), "kernel " + k.name + " uses " + std::to_string(k.units) + " units");
    if (p.code[size_t(k.end) - 1].op != Op::exit) return wrong(size_t(k.end) - 1, "a kernel ends with exit");
    for (const Parameter& q : k.parameters)
      if (q.offset < 0 || q.offset + bytes(q.value) > k.parameter_bytes) return wrong(size_t(k.begin), "parameter " + q.name + " lies outside of the argument bytes");
    struct Open { Op op; int at, otherwise = -1, next = -1; };
    std::vector<Open> open;
    std::vector<std::pair<int, size_t>> leaving;  // instruction, nesting
    for (int n = k.begin; n < k.end; ++n) {
      const Instr& i = p.code[size_t(n)];
      const size_t at = size_t(n);
      if (i.op >= Op::count_ || size_t(i.type) > size_t(Type::f64) || size_t(i.from) > size_t(Type::f64)) return wrong(at, "its operation or type is unknown");
      if (i.place >= p.places.size()) return wrong(at, "its place is unknown");
      const Use u = uses(i.op, i.type);
      const Widths w = widths(i);
      if ((u.d && i.d + w.d > k.units) || (u.a && i.a + w.a > k.units) || (u.b && i.b + w.b > k.units) || (u.c && i.c + w.c > k.units))
        return wrong(at, "it names a unit beyond the kernel's " + std::to_string(k.units));
      if ((i.flags & flag_folded) && i.issued != 0) return wrong(at, "it is folded but costs something");
      if ((i.op == Op::load || i.op == Op::store) && i.count != 1 && i.count != 2 && i.count != 4) return wrong(at, "it moves " + std::to_string(i.count) + " values");
      const auto arrive = [&] {
        for (const auto& l : leaving)
          if (l.second == open.size() && p.code[size_t(l.first)].imm != n) return false;
        std::erase_if(leaving, [&](const auto& l) { return l.second == open.size(); });
        return true;
      };
      switch (i.op) {
        case Op::constant:
          if (i.imm < 0 || size_t(i.imm) >= p.constants.size()) return wrong(at, "its constant is unknown");
          break;
        case Op::special:
          if (i.imm < 0 || i.imm > int(Special::clock)) return wrong(at, "its special value is unknown");
          break;
        case Op::parameter:
          if (i.imm < 0 || i.imm + bytes(i.type) > k.parameter_bytes) return wrong(at, "it reads beyond the arguments");
          break;
        case Op::shuffle_down: case Op::shuffle_up: case Op::shuffle_xor: case Op::shuffle_index:
          if (i.imm < 1 || i.imm > lanes || (i.imm & (i.imm - 1))) return wrong(at, "its width is no power of two up to 32");
          if (units(i.type) != 1) return wrong(at, "shuffles move 32 bits");
          break;
        case Op::if_: case Op::loop: case Op::frame: open.push_back({i.op, n}); break;
        case Op::else_:
          if (open.empty() || open.back().op != Op::if_ || open.back().otherwise >= 0) return wrong(at, "no if is open");
          if (!arrive()) return wrong(at, "a lane that left does not arrive here");
          if (p.code[size_t(open.back().at)].imm != n) return wrong(size_t(open.back().at), "it does not lead to its else");
          open.back().otherwise = n;
          break;
        case Op::end_if: {
          if (open.empty() || open.back().op != Op::if_) return wrong(at, "no if is open");
          if (!arrive()) return wrong(at, "a lane that left does not arrive here");
          const int from = open.back().otherwise >= 0 ? open.back().otherwise : open.back().at;
          if (p.code[size_t(from)].imm != n) return wrong(size_t(from), "it does not lead to its end");
          open.pop_back();
          break;
        }
        case Op::loop_test:
          if (open.empty() || open.back().op != Op::loop) return wrong(at, "it stands outside of a loop or inside of an if");
          if (i.imm != p.code[size_t(open.back().at)].imm) return wrong(at, "it does not lead to the end of its loop");
          break;
        case Op::loop_next:
          if (open.empty() || open.back().op != Op::loop || open.back().next >= 0) return wrong(at, "no loop is open");
          if (!arrive()) return wrong(at, "a lane that left does not arrive here");
          open.back().next = n;
          break;
        case Op::loop_back:
          if (open.empty() || open.back().op != Op::loop || i.imm != open.back().at + 1) return wrong(at, "it does not lead to the beginning of its loop");
          break;
        case Op::loop_end:
          if (open.empty() || open.back().op != Op::loop) return wrong(at, "no loop is open");
          if (!arrive()) return wrong(at, "a lane that left does not arrive here");
          if (p.code[size_t(open.back().at)].imm != n) return wrong(size_t(open.back().at), "it does not name its end");
          open.pop_back();
          break;
        case Op::frame_end:
          if (open.empty() || open.back().op != Op::frame) return wrong(at, "no function is open");
          if (!arrive()) return wrong(at, "a lane that left does not arrive here");
          open.pop_back();
          break;
        case Op::break_: case Op::continue_: {
          bool loop = false;
          for (const Open& o : open) loop |= o.op == Op::loop;
          if (!loop) return wrong(at, "it stands outside of a loop");
          leaving.push_back({n, open.size()});
          break;
        }
        case Op::return_:
          if (!open.empty()) leaving.push_back({n, open.size()});
          break;
        case Op::exit:
          if (n != k.end - 1 || !open.empty()) return wrong(at, "it stands inside of something that is not closed");
          break;
        default: break;
      }
    }
  }
  if (size_t(last) != p.code.size()) return wrong(size_t(last), "it belongs to no kernel");
  return true;
}

std::string listing(const Program& p, const Kernel& k) {
  std::string out;
  int indent = 0;
  for (int n = k.begin; n < k.end; ++n) {
    const Instr& i = p.code[size_t(n)];
    if (i.op == Op::else_ || i.op == Op::end_if || i.op == Op::loop_end || i.op == Op::frame_end) --indent;
    std::string line = std::to_string(n);
    line.resize(6, ' ');
    line += std::string(size_t(std::max(0, indent) * 2), ' ') + std::string(name(i.op));
    const Use u = uses(i.op, i.type);
    if (u.d || u.a || i.op == Op::constant) line += "." + std::string(name(i.type));
    if (i.op == Op::convert || i.op == Op::bits) line += "." + std::string(name(i.from));
    if (i.op == Op::load || i.op == Op::store || is_atomic(i.op)) {
      static constexpr const char* spaces[] = {"generic", "global", "shared", "local"};
      line += std::string(".") + spaces[size_t(i.space) & 3];
      if (i.count > 1) line += ".v" + std::to_string(i.count);
    }
    const auto unit = [&](const char* lead, uint16_t r) { line += lead + ("r" + std::to_string(r)); };
    const char* lead = " ";
    if (u.d) unit(lead, i.d), lead = ", ";
    if (u.a) unit(lead, i.a), lead = ", ";
    if (u.b) unit(lead, i.b), lead = ", ";
    if (u.c) unit(lead, i.c), lead = ", ";
    if (i.op == Op::constant && size_t(i.imm) < p.constants.size()) line += lead + std::to_string(p.constants[size_t(i.imm)]);
    else if (i.imm != 0 || is_control(i.op)) {
      if (i.op != Op::end_if && i.op != Op::loop_next && i.op != Op::loop_end && i.op != Op::exit) line += std::string(lead) + "#" + std::to_string(i.imm);
    }
    if (i.flags & flag_uniform) line += " uniform";
    if (i.flags & flag_branch) line += " branch";
    if (i.flags & flag_readonly) line += " readonly";
    if (i.flags & flag_volatile) line += " volatile";
    if (i.flags & flag_unused) line += " unused";
    if (line.size() < 64) line.resize(64, ' ');
    line += " x" + std::to_string(i.issued / 16) + (i.issued % 16 ? "." + std::to_string(i.issued % 16 * 100 / 16) : "");
    if (i.place < p.places.size()) {
      int place = int(i.place);
      line += "  " + std::to_string(p.places[size_t(place)].line) + ":" + std::to_string(p.places[size_t(place)].column);
      for (int guard = 0; guard < 40 && (place = p.places[size_t(place)].inlined) >= 0; ++guard) line += " in " + std::to_string(p.places[size_t(place)].line) + ":" + std::to_string(p.places[size_t(place)].column);
    }
    out += line + "\n";
    if (i.op == Op::if_ || i.op == Op::else_ || i.op == Op::loop || i.op == Op::frame) ++indent;
  }
  return out;
}

}  // namespace lk::simt
