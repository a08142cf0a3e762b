#include "simt/ir.h"

namespace lk::simt {

bool is_compare(Op op) { return op >= Op::eq && op <= Op::ge; }
bool is_signed(Type t) { return t == Type::s8 || t == Type::s16 || t == Type::s32 || t == Type::s64; }
bool is_float(Type t) { return t >= Type::f16; }
bool is_barrier(Op op) { return op == Op::sync_block || op == Op::sync_block_count || op == Op::sync_block_and || op == Op::sync_block_or; }
bool is_control(Op op) { return op >= Op::if_ && op <= Op::trap; }

Use uses(Op op, Type) {
  switch (op) {
    case Op::nop: case Op::fence: case Op::sync_block: case Op::else_: case Op::end_if: case Op::loop: case Op::loop_next: case Op::loop_back: case Op::loop_end:
    case Op::break_: case Op::continue_: case Op::return_: case Op::frame: case Op::frame_end: case Op::exit: case Op::trap: case Op::count_: return {};
    case Op::constant: case Op::special: case Op::parameter: case Op::active_mask: return {false, false, false, true};
    case Op::move: case Op::convert: case Op::bits: case Op::neg: case Op::abs: case Op::not_: case Op::popc: case Op::clz: case Op::ffs: case Op::brev: case Op::is_nan:
    case Op::is_inf: case Op::sqrt: case Op::rsqrt: case Op::rcp: case Op::exp: case Op::exp2: case Op::exp10: case Op::expm1: case Op::log: case Op::log2: case Op::log10:
    case Op::log1p: case Op::sin: case Op::cos: case Op::tan: case Op::tanh: case Op::erf: case Op::floor: case Op::ceil: case Op::trunc: case Op::round: case Op::rint:
    case Op::exp_fast: case Op::log_fast: case Op::sin_fast: case Op::cos_fast: case Op::saturate: case Op::load: case Op::sync_block_count: case Op::sync_block_and:
    case Op::sync_block_or: return {true, false, false, true};
    case Op::fma: case Op::select: case Op::funnel_l: case Op::byte_perm: case Op::atomic_compare_swap: case Op::shuffle_down: case Op::shuffle_up: case Op::shuffle_xor:
    case Op::shuffle_index: case Op::matrix_multiply: return {true, true, true, true};
    case Op::store: case Op::matrix_store: return {true, true, false, false};
    case Op::ballot: case Op::any: case Op::all: case Op::match_any: case Op::reduce_add: case Op::reduce_min: case Op::reduce_max: case Op::reduce_and: case Op::reduce_or:
    case Op::reduce_xor: return {true, false, true, true};
    case Op::sync_warp: return {false, false, true, false};
    case Op::if_: case Op::loop_test: return {true, false, false, false};
    case Op::matrix_load: return {true, true, false, true};
    case Op::matrix_fill: return {true, false, false, true};
    default: return {true, true, false, true};
  }
}
Use uses(const Inst& i) { return uses(i.op, i.type); }

bool pure(const Inst& i) {
  if (i.op == Op::special) return i.imm != int(Special::clock);
  return i.op >= Op::move && i.op <= Op::saturate;
}

}  // namespace lk::simt
