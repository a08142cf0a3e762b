#include "simt/decode.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace lk::simt {
namespace {

bool half(Type type) { return type == Type::f16 || type == Type::bf16 || type == Type::f16x2 || type == Type::bf16x2; }
bool narrow_integer(Type type) { return type == Type::s8 || type == Type::u8 || type == Type::s16 || type == Type::u16; }
bool is_signed(Type type) { return type == Type::s8 || type == Type::s16; }
bool comparison(Op op) { return (op >= Op::eq && op <= Op::ge) || op == Op::is_nan || op == Op::is_inf; }
bool computes(Op op) { return (op >= Op::move && op <= Op::saturate); }
bool reads_one(Op op) {
  return op == Op::move || op == Op::convert || op == Op::bits || op == Op::neg || op == Op::abs || op == Op::not_ ||
         (op >= Op::popc && op <= Op::brev) || op == Op::is_nan || op == Op::is_inf ||
         (op >= Op::sqrt && op <= Op::rint && op != Op::pow) || op == Op::exp_fast || op == Op::log_fast || op == Op::sin_fast ||
         op == Op::cos_fast || op == Op::saturate;
}
bool reads_three(Op op) { return op == Op::fma || op == Op::select || op == Op::funnel_l || op == Op::byte_perm; }

uint32_t result_units(const Instr& i) {
  if (comparison(i.op) || i.op == Op::popc || i.op == Op::clz || i.op == Op::ffs) return 1;
  return static_cast<uint32_t>(units(i.type));
}

class Decoder {
 public:
  Decoder(const Program& program, const Kernel& kernel, const std::vector<uint8_t>& parameters)
      : program_(program), kernel_(kernel), parameters_(parameters) {}

  Result<Decoded> run() {
    if (kernel_.begin < 0 || kernel_.end <= kernel_.begin || static_cast<size_t>(kernel_.end) > program_.code.size())
      return Error{{}, "the kernel " + kernel_.name + " has no code", "compile it again"};
    if (kernel_.units < 0 || kernel_.units > 65535) return Error{{}, "the kernel " + kernel_.name + " has no register units", "compile it again"};
    out_.instructions = program_.code.data() + kernel_.begin;
    count_ = static_cast<uint32_t>(kernel_.end - kernel_.begin);
    scratch_ = static_cast<uint32_t>(kernel_.units);
    out_.units = scratch_ + 2 + fragment_units;
    if (!nest()) return failure_;
    begins_.assign(count_ + 1, 0);
    for (at_ = 0; at_ < count_; ++at_) {
      if (!emit(out_.instructions[at_])) return failure_;
    }
    if (out_.instructions[count_ - 1].op != Op::exit) {
      at_ = count_ - 1;
      fail("the code does not end with exit", "");
      return failure_;
    }
    for (Micro& m : out_.code)
      if (m.act >= Act::if_ && m.act <= Act::frame_end) m.target = begins_[m.target];
    return std::move(out_);
  }

 private:
  bool fail(std::string what, std::string hint) {
    failure_ = Error{{program_.file, 0, 0}, "instruction " + std::to_string(at_) + " of " + kernel_.name + ": " + what,
                     hint.empty() ? "compile the program again" : std::move(hint)};
    const Instr& i = program_.code[static_cast<size_t>(kernel_.begin) + at_];
    if (i.place < program_.places.size()) {
      failure_.at.line = program_.places[i.place].line;
      failure_.at.column = program_.places[i.place].column;
    }
    return false;
  }

  // Partners and the next join of each instruction, from the end: the stack holds the joins that are still to come.
  bool nest() {
    struct Open {
      Op closed_by;
      uint32_t join, end;
    };
    joins_.assign(count_, count_ - 1);
    partners_.assign(count_, count_ - 1);
    std::vector<Open> open;
    std::vector<uint32_t> loop_ends;
    size_t deepest = 0;
    for (uint32_t i = count_; i-- > 0;) {
      at_ = i;
      const Op op = out_.instructions[i].op;
      const auto close = [&](Op by) { return !open.empty() && open.back().closed_by == by; };
      joins_[i] = open.empty() ? count_ - 1 : open.back().join;
      switch (op) {
        case Op::end_if: case Op::loop_end: case Op::frame_end:
          open.push_back({op, i, i});
          break;
        case Op::else_: case Op::loop_next:
          if (!close(op == Op::else_ ? Op::end_if : Op::loop_end) || open.back().join != open.back().end)
            return fail("else_ or loop_next stands outside of what it belongs to", "");
          open.back().join = i;
          break;
        case Op::if_: case Op::loop: case Op::frame:
          if (!close(op == Op::if_ ? Op::end_if : op == Op::loop ? Op::loop_end : Op::frame_end))
            return fail("an if_, a loop or a frame that is never closed", "");
          partners_[i] = op == Op::if_ ? open.back().join : open.back().end;
          open.pop_back();
          joins_[i] = open.empty() ? count_ - 1 : open.back().join;
          break;
        case Op::loop_test: case Op::loop_back: case Op::break_: case Op::continue_: {
          const auto inner = std::find_if(open.rbegin(), open.rend(), [](const Open& o) { return o.closed_by == Op::loop_end; });
          if (inner == open.rend()) return fail("control of a loop stands outside of a loop", "");
          if ((op == Op::loop_test || op == Op::loop_back) && inner != open.rbegin())
            return fail("loop_test or loop_back stands inside another construct of its loop", "");
          partners_[i] = inner->end;
          break;
        }
        default: break;
      }
      deepest = std::max(deepest, open.size());
    }
    if (!open.empty()) {
      at_ = open.back().end;
      return fail("an end_if, loop_end or frame_end that closes nothing", "");
    }
    out_.depth = static_cast<int>(deepest);
    return true;
  }

  void segment() {
    if (in_segment_) return;
    in_segment_ = true;
    Micro m;
    m.act = Act::segment;
    m.at = at_;
    m.value = out_.segments.size();
    out_.code.push_back(m);
    out_.segments.push_back({first_, first_});
  }

  // Joins restore a mask and belong to the straight code that follows them.
  static bool join(Op op) {
    return op == Op::else_ || op == Op::end_if || op == Op::loop_next || op == Op::loop_end || op == Op::frame_end;
  }
  static bool ends(Op op) {
    return op == Op::if_ || op == Op::loop || op == Op::loop_test || op == Op::loop_back || op == Op::break_ || op == Op::continue_ ||
           op == Op::return_ || op == Op::exit || op == Op::trap || (op >= Op::sync_block && op <= Op::sync_block_or);
  }

  bool emit(const Instr& i) {
    if (i.op >= Op::count_ || i.type > Type::f64 || i.from > Type::f64 || i.space > Space::local)
      return fail("it is none that the machine knows", "");
    const Operands o = operands(i);
    for (const Operand& x : {o.d, o.a, o.b, o.c})
      if (x.count > 0 && x.unit + x.count > scratch_)
        return fail("register unit " + std::to_string(x.unit + x.count - 1) + " of " + std::to_string(scratch_), "");
    if (join(i.op)) {
      if (in_segment_) close_segment();
      begins_[at_] = static_cast<uint32_t>(out_.code.size());
    } else {
      segment();
    }
    Micro m;
    m.at = at_;
    m.d = o.d.unit * lanes;
    m.a = o.a.unit * lanes;
    m.b = o.b.unit * lanes;
    m.c = o.c.unit * lanes;
    m.target = joins_[at_];
    m.blended = static_cast<uint8_t>(o.d.count);
    const bool done = computes(i.op) ? compute(i, m, o) : other(i, m);
    if (!done) return false;
    if (!join(i.op)) out_.segments.back().end = at_ + 1;
    if (ends(i.op)) {
      close_segment();
      if (i.op == Op::loop) begins_after_ = true;
    }
    if (begins_after_) {
      begins_[at_] = static_cast<uint32_t>(out_.code.size());  // loop_back comes back behind loop
      begins_after_ = false;
    }
    return true;
  }

  void close_segment() {
    in_segment_ = false;
    first_ = join(out_.instructions[at_].op) ? at_ : at_ + 1;
  }

  void push(const Micro& m) { out_.code.push_back(m); }

  bool no_such() {
    return fail("this operation does not exist for values of its type", "use another type there, such as float or int");
  }

  bool compute(const Instr& i, Micro m, const Operands& o) {
    switch (i.op) {
      case Op::constant:
        if (i.imm < 0 || static_cast<size_t>(i.imm) >= program_.constants.size()) return fail("there is no constant " + std::to_string(i.imm), "");
        m.act = Act::broadcast;
        m.value = program_.constants[static_cast<size_t>(i.imm)];
        push(m);
        return true;
      case Op::special:
        if (i.imm < 0 || i.imm > static_cast<int>(Special::clock)) return fail("there is no special register " + std::to_string(i.imm), "");
        m.act = Act::special;
        m.value = static_cast<uint64_t>(i.imm);
        push(m);
        return true;
      case Op::parameter: {
        const auto size = static_cast<size_t>(bytes(i.type));
        if (i.imm < 0 || static_cast<size_t>(i.imm) + size > parameters_.size())
          return fail("there is no parameter at byte " + std::to_string(i.imm), "");
        uint64_t bits = 0;
        std::memcpy(&bits, parameters_.data() + i.imm, size);
        if (is_signed(i.type)) bits = static_cast<uint64_t>(static_cast<int64_t>(bits << (64 - 8 * size)) >> (64 - 8 * size));
        m.act = Act::broadcast;
        m.value = bits;
        push(m);
        return true;
      }
      default: break;
    }
    m.act = Act::alu;
    Alu wrap = nullptr;
    const bool copies = i.op == Op::move || i.op == Op::bits || i.op == Op::select;
    if (i.op == Op::convert) {
      m.f = find_convert(i.type, i.from);
    } else if (i.op == Op::bits) {
      if (bytes(i.type) != bytes(i.from)) return fail("the same bits as another type, but of another size", "");
      m.f = find_integer(Op::move, i.type);
      // A narrow integer lies extended, a half with nothing above it.
      if (bytes(i.type) < 4) wrap = find_convert(is_signed(i.type) ? i.type : bytes(i.type) == 1 ? Type::u8 : Type::u16, Type::u32);
    } else if (half(i.type) && !copies) {
      const bool pair = i.type == Type::f16x2 || i.type == Type::bf16x2;
      m.value = static_cast<uint64_t>(i.type);
      if (comparison(i.op)) {
        if (pair) return no_such();
        m.act = Act::half_compare;
      } else {
        m.act = i.op == Op::fma ? Act::fma_half : Act::half;
      }
      m.f = find_float(i.op, Type::f32);
      if (m.f == nullptr) m.f = find_function(i.op, Type::f32);
    } else if (narrow_integer(i.type) && !copies) {
      if (i.op == Op::mul_hi || (i.op >= Op::popc && i.op <= Op::byte_perm)) return no_such();
      m.f = find_integer(i.op, is_signed(i.type) ? Type::s32 : Type::u32);
      if (!comparison(i.op)) wrap = find_convert(i.type, is_signed(i.type) ? Type::s32 : Type::u32);
      if (i.op == Op::div || i.op == Op::rem) m.act = Act::divide;
    } else {
      m.f = find_integer(i.op, i.type);
      if (m.f == nullptr) m.f = find_float(i.op, i.type);
      if (m.f == nullptr) m.f = find_function(i.op, i.type);
      if ((i.op == Op::div || i.op == Op::rem) && i.type != Type::f32 && i.type != Type::f64) m.act = Act::divide;
    }
    if (m.f == nullptr) return no_such();
    m.value = m.act == Act::divide ? static_cast<uint64_t>(units(i.type)) : m.value;
    // A result that overlaps a source in part goes through units of our own.
    bool apart = true;
    for (const Operand& x : {o.a, o.b, o.c}) {
      const bool overlap = x.count > 0 && o.d.unit < x.unit + x.count && x.unit < o.d.unit + o.d.count;
      if (overlap && (x.unit != o.d.unit || x.count != o.d.count)) apart = false;
    }
    if (apart) {
      push(m);
    } else {
      Micro copy = m;
      m.d = scratch_ * lanes;
      push(m);
      copy.act = Act::alu;
      copy.extra = true;
      copy.a = m.d;
      copy.f = find_integer(Op::move, o.d.count == 2 ? Type::u64 : Type::u32);
      push(copy);
    }
    if (wrap != nullptr) {
      Micro again = m;
      again.act = Act::alu;
      again.extra = true;
      again.d = again.a = o.d.unit * lanes;
      again.f = wrap;
      push(again);
    }
    return true;
  }

  bool other(const Instr& i, Micro m) {
    switch (i.op) {
      case Op::nop: return true;
      case Op::fence:
        m.act = Act::fence;
        out_.device_fence = out_.device_fence || i.imm > 0;
        break;
      case Op::shuffle_down: case Op::shuffle_up: case Op::shuffle_xor: case Op::shuffle_index:
        if (i.imm < 1 || i.imm > 32 || (i.imm & (i.imm - 1)) != 0)
          return fail("a shuffle's width is " + std::to_string(i.imm), "the width is a power of two, 1 to 32");
        m.act = Act::shuffle;
        break;
      case Op::ballot: case Op::any: case Op::all: case Op::active_mask: m.act = Act::vote; break;
      case Op::match_any: m.act = Act::match; break;
      case Op::reduce_add: case Op::reduce_min: case Op::reduce_max: case Op::reduce_and: case Op::reduce_or: case Op::reduce_xor:
        if (i.type != Type::s32 && i.type != Type::u32) return no_such();
        m.act = Act::reduce;
        break;
      case Op::sync_warp: m.act = Act::sync_warp; break;
      case Op::sync_block: m.act = Act::sync_block; break;
      case Op::sync_block_count: case Op::sync_block_and: case Op::sync_block_or: m.act = Act::sync_block_vote; break;
      case Op::if_: m.act = Act::if_; m.target = partners_[at_]; break;
      case Op::else_: m.act = Act::else_; break;
      case Op::end_if: m.act = Act::end_if; break;
      case Op::loop: m.act = Act::loop; break;
      case Op::loop_test: m.act = Act::loop_test; m.target = partners_[at_]; break;
      case Op::loop_next: m.act = Act::loop_next; break;
      case Op::loop_back: m.act = Act::loop_back; m.target = loop_of(partners_[at_]); break;
      case Op::loop_end: m.act = Act::loop_end; break;
      case Op::break_: m.act = Act::leave_loop; break;
      case Op::continue_: m.act = Act::next_trip; break;
      case Op::return_: m.act = Act::return_; break;
      case Op::frame: m.act = Act::frame; break;
      case Op::frame_end: m.act = Act::frame_end; break;
      case Op::exit:
        if (at_ != count_ - 1) return fail("exit stands before the end", "");
        begins_[at_] = static_cast<uint32_t>(out_.code.size());
        m.act = Act::exit;
        break;
      case Op::trap: m.act = Act::trap; break;
      case Op::matrix_fill: m.act = Act::matrix_fill; break;
      case Op::matrix_load: case Op::matrix_store:
        if (i.type != Type::f16 && i.type != Type::bf16 && i.type != Type::f32) return no_such();
        m.act = Act::matrix_memory;
        m.value = (scratch_ + 2) * lanes;
        break;
      case Op::matrix_multiply:
        if ((i.type != Type::f16 && i.type != Type::f32) || (i.from != Type::f16 && i.from != Type::bf16)) return no_such();
        m.act = Act::matrix_multiply;
        break;
      default: return memory(i, m);
    }
    push(m);
    return true;
  }

  bool memory(const Instr& i, Micro m) {
    if (!is_memory(i.op)) return fail("it is none that the machine knows", "");
    const int width = i.count * bytes(i.type);
    if (i.count < 1 || width > 16 || (width & (width - 1)) != 0)
      return fail("an access of " + std::to_string(width) + " bytes", "a thread reads or writes 1, 2, 4, 8 or 16 bytes at a time");
    if (is_atomic(i.op)) {
      const bool number = i.type == Type::f32 || i.type == Type::f64 || half(i.type);
      const bool wide = i.type == Type::s32 || i.type == Type::u32 || i.type == Type::s64 || i.type == Type::u64;
      const bool fits = i.op == Op::atomic_add || i.op == Op::atomic_sub ? number || wide
                        : i.op == Op::atomic_exchange ? i.type == Type::f32 || wide
                        : i.op == Op::atomic_compare_swap ? wide || i.type == Type::u16
                        : i.op == Op::atomic_inc || i.op == Op::atomic_dec ? i.type == Type::u32 : wide;
      if (!fits || i.count != 1) return no_such();
    }
    m.act = Act::memory;
    if (i.space == Space::shared || i.space == Space::generic) out_.shared_granule = std::min(out_.shared_granule, width);
    if (i.space == Space::global || i.space == Space::generic) {
      out_.global_granule = std::min(out_.global_granule, width);
      out_.stores = out_.stores || i.op != Op::load;
    }
    push(m);
    return true;
  }

  // The `loop` that a loop_end closes: the last before it whose partner that is.
  uint32_t loop_of(uint32_t end) const {
    for (uint32_t i = end; i-- > 0;)
      if (out_.instructions[i].op == Op::loop && partners_[i] == end) return i;
    return 0;
  }

  const Program& program_;
  const Kernel& kernel_;
  const std::vector<uint8_t>& parameters_;
  Decoded out_;
  Error failure_;
  std::vector<uint32_t> joins_, partners_, begins_;
  uint32_t count_ = 0, at_ = 0, scratch_ = 0, first_ = 0;
  bool in_segment_ = false, begins_after_ = false;
};

}  // namespace

Result<Decoded> decode(const Program& program, const Kernel& kernel, const std::vector<uint8_t>& parameters) {
  return Decoder(program, kernel, parameters).run();
}

bool is_atomic(Op op) { return op >= Op::atomic_add && op <= Op::atomic_dec; }
bool is_memory(Op op) { return op == Op::load || op == Op::store || is_atomic(op); }
bool is_shuffle(Op op) { return op >= Op::shuffle_down && op <= Op::shuffle_index; }

Operands operands(const Instr& i) {
  Operands o;
  const auto unit_count = static_cast<uint32_t>(units(i.type));
  const auto set = [](Operand& x, uint16_t unit, uint32_t count) { x = {unit, count}; };
  switch (i.op) {
    case Op::constant: case Op::parameter: set(o.d, i.d, unit_count); return o;
    case Op::special: set(o.d, i.d, 1); return o;
    case Op::convert: case Op::bits:
      set(o.d, i.d, unit_count);
      set(o.a, i.a, static_cast<uint32_t>(units(i.from)));
      return o;
    case Op::load:
      set(o.d, i.d, unit_count * i.count);
      set(o.a, i.a, 2);
      return o;
    case Op::store:
      set(o.a, i.a, 2);
      set(o.b, i.b, unit_count * i.count);
      return o;
    case Op::ballot: case Op::any: case Op::all:
      set(o.d, i.d, 1);
      set(o.a, i.a, 1);
      set(o.c, i.c, 1);
      return o;
    case Op::active_mask: set(o.d, i.d, 1); return o;
    case Op::match_any:
      set(o.d, i.d, 1);
      set(o.a, i.a, unit_count);
      set(o.c, i.c, 1);
      return o;
    case Op::sync_warp: set(o.c, i.c, 1); return o;
    case Op::sync_block_count: case Op::sync_block_and: case Op::sync_block_or:
      set(o.d, i.d, 1);
      set(o.a, i.a, 1);
      return o;
    case Op::if_: case Op::loop_test: set(o.a, i.a, 1); return o;
    case Op::matrix_fill:
      set(o.d, i.d, fragment_units);
      set(o.a, i.a, 1);
      return o;
    case Op::matrix_load:
      set(o.d, i.d, fragment_units);
      set(o.a, i.a, 2);
      set(o.b, i.b, 1);
      return o;
    case Op::matrix_store:
      set(o.d, i.d, 0);
      set(o.a, i.a, 2);
      set(o.b, i.b, 1);
      set(o.c, i.d, fragment_units);  // it reads d
      return o;
    case Op::matrix_multiply:
      set(o.d, i.d, fragment_units);
      set(o.a, i.a, fragment_units);
      set(o.b, i.b, fragment_units);
      set(o.c, i.c, fragment_units);
      return o;
    default: break;
  }
  if (is_atomic(i.op)) {
    set(o.d, i.d, i.flags & flag_unused ? 0 : unit_count);
    set(o.a, i.a, 2);
    set(o.b, i.b, unit_count);
    if (i.op == Op::atomic_compare_swap) set(o.c, i.c, unit_count);
  } else if (is_shuffle(i.op)) {
    set(o.d, i.d, unit_count);
    set(o.a, i.a, unit_count);
    set(o.b, i.b, 1);
    set(o.c, i.c, 1);
  } else if (i.op >= Op::reduce_add && i.op <= Op::reduce_xor) {
    set(o.d, i.d, unit_count);
    set(o.a, i.a, unit_count);
    set(o.c, i.c, 1);
  } else if (computes(i.op)) {
    set(o.d, i.d, result_units(i));
    set(o.a, i.a, unit_count);
    if (!reads_one(i.op)) set(o.b, i.b, i.op == Op::shl || i.op == Op::shr ? 1 : unit_count);
    if (reads_three(i.op)) set(o.c, i.c, i.op == Op::select ? 1 : unit_count);
  }
  return o;
}

}  // namespace lk::simt
