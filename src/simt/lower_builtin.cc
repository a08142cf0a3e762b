#include <cmath>

#include "simt/lower.h"
#include "simt/prelude.h"

namespace lk::simt {

// Calls that are no functions: assert, printf, numeric_limits.
Value Lower::special_call(const Expr* e, bool& done) {
  const Expr* f = e->a;
  if (f->form != ExprForm::name) return {};
  const CType* nothing = types_.basic(Ty::void_);
  if (f->type && f->type->name == "numeric_limits") {
    done = true;
    if (f->type->arguments.size() != 1 || !f->type->arguments[0].type) {
      error(f->at, "numeric_limits needs a type");
      return {};
    }
    const CType* t = resolve(f->type->arguments[0].type, scope_).t;
    if (t->k == Ty::bad) return {};
    const std::string_view n = f->text;
    const Type m = machine_type(t);
    if (t->k == Ty::float_) {
      if (n == "max") return number(t, 0x7f7fffff);
      if (n == "min") return number(t, 0x00800000);
      if (n == "lowest") return number(t, 0xff7fffff);
      if (n == "infinity") return number(t, 0x7f800000);
      if (n == "quiet_NaN") return number(t, 0x7fffffff);
      if (n == "epsilon") return number(t, 0x34000000);
    } else if (t->k == Ty::double_) {
      if (n == "max") return number(t, 0x7fefffffffffffff);
      if (n == "min") return number(t, 0x0010000000000000);
      if (n == "lowest") return number(t, 0xffefffffffffffff);
      if (n == "infinity") return number(t, 0x7ff0000000000000);
      if (n == "quiet_NaN") return number(t, 0x7fffffffffffffff);
      if (n == "epsilon") return number(t, double_bits(2.220446049250313e-16));
    } else if (is_integer(t)) {
      const int bits = int(t->size) * 8 - !is_unsigned(t);
      const uint64_t most = t->k == Ty::bool_ ? 1 : bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
      if (n == "max") return number(t, integer_bits(m, most));
      if (n == "min" || n == "lowest") return number(t, is_unsigned(t) ? 0 : integer_bits(m, ~most));
    }
    error(f->at, "numeric_limits<" + spelled(t) + ">::" + std::string(n) + " is not known", "max, min, lowest, infinity, quiet_NaN and epsilon are");
    return {};
  }
  if (!f->qualifier.empty() && f->qualifier != "std") return {};
  if (f->text == "printf" && unit_.functions.find("printf") == unit_.functions.end()) {
    done = true;
    warning(e->at, "printf is ignored: what it would print does not appear", "write values to memory to see them");
    return number(nothing, 0);
  }
  if (f->text == "assert" && unit_.functions.find("assert") == unit_.functions.end()) {
    done = true;
    if (e->list.size() != 1) {
      error(e->at, "assert takes one condition");
      return {};
    }
    const Operand p = condition(e->list[0]);
    if (p.k == Operand::none) return {};
    if (p.is_number() && p.bits) return number(nothing, 0);
    if (p.is_number()) {
      push(Op::trap, Type::s32).imm = int64_t(place());
      return number(nothing, 0);
    }
    const Operand bad = emit(Op::not_, Type::pred, p);
    push(Op::if_, Type::pred, -1, bad.r);
    push(Op::trap, Type::s32).imm = int64_t(place());
    push(Op::end_if, Type::s32);
    return number(nothing, 0);
  }
  return {};
}

Operand Lower::shuffle(Op op, const Operand& mask, const Operand& v, const CType* t, const Operand& lane, const Operand& width) {
  const Type m = machine_type(t);
  if (units(m) == 2) {
    // Two halves of 32 bits; taking a register pair apart costs nothing.
    const auto free_of = [&](size_t from) {
      for (size_t k = from; k < body_.code.size(); ++k) body_.code[k].issued = 0, body_.code[k].flags |= flag_folded;
    };
    size_t mark = body_.code.size();
    const Operand bits = m == Type::f64 ? emit(Op::bits, Type::u64, v, {}, {}, Type::f64) : v;
    Operand low = emit(Op::convert, Type::u32, bits, {}, {}, Type::u64);
    Operand high = emit(Op::convert, Type::u32, emit(Op::shr, Type::u64, bits, Operand::known(32)), {}, {}, Type::u64);
    free_of(mark);
    const CType* word = types_.basic(Ty::uint);
    low = shuffle(op, mask, low, word, lane, width);
    high = shuffle(op, mask, high, word, lane, width);
    mark = body_.code.size();
    const Operand wide = emit(Op::shl, Type::u64, emit(Op::convert, Type::u64, high, {}, {}, Type::u32), Operand::known(32));
    Operand whole = emit(Op::or_, Type::u64, wide, emit(Op::convert, Type::u64, low, {}, {}, Type::u32));
    if (m == Type::f64) whole = emit(Op::bits, Type::f64, whole, {}, {}, Type::u64);
    free_of(mark);
    return whole;
  }
  const int a = reg(v, m), b = reg(lane, Type::u32), c = reg(mask, Type::u32);
  const int d = new_reg(m);
  push(op, m, d, a, b, c, int64_t(width.bits));
  return Operand::of(d);
}

Value Lower::atomic(Op op, const Candidate& c, std::vector<Value>& args, const Span& at) {
  const Value p = convert(args[0], c.types[0], at);
  const Value v = convert(args[1], c.types[1], at);
  if (p.bad() || v.bad()) return {};
  const CType* t = p.t->of;
  const Type m = machine_type(t);
  const int a = reg(p.s, Type::u64), b = reg(v.s, m);
  int third = -1;
  if (op == Op::atomic_compare_swap) {
    const Value w = convert(args[2], c.types[2], at);
    if (w.bad()) return {};
    third = reg(w.s, m);
  }
  const int d = new_reg(m);
  push(op, m, d, a, b, third).space = p.space;
  return scalar_value(t, Operand::of(d));
}

Value Lower::builtin(Candidate& c, std::vector<Value> args, const Span& at) {
  const BuiltinRow& row = builtin_row(c.f->builtin);
  const CType* nothing = types_.basic(Ty::void_);
  // Defaults of the last parameters.
  for (size_t k = args.size(); k < c.f->parameters.size(); ++k) args.push_back(expr(c.f->parameters[k]->init));
  const CType* result = c.f->result ? resolve(c.f->result, c.scope).t : nothing;
  if (row.kind != Builtin::simple && row.kind != Builtin::exact && row.kind != Builtin::bits && row.kind < Builtin::shuffle) {
    // Conversions with a rounding mode.
    const Value v = convert(args[0], c.types[0], at);
    if (v.bad()) return {};
    const Type m = machine_type(v.t);
    const Op rounding = row.kind == Builtin::convert_rn ? Op::rint : row.kind == Builtin::convert_rd ? Op::floor : Op::ceil;
    const size_t size = body_.code.size();
    const Operand whole = row.kind == Builtin::convert_rz ? v.s : emit(rounding, m, v.s);
    for (size_t k = size; k < body_.code.size(); ++k) body_.code[k].issued = 0, body_.code[k].flags |= flag_folded;  // one F2I does both
    return scalar_value(result, emit(Op::convert, machine_type(result), whole, {}, {}, m));
  }
  switch (row.kind) {
    case Builtin::simple:
    case Builtin::exact: {
      std::vector<Operand> o(3);
      for (size_t k = 0; k < args.size() && k < 3; ++k) {
        const Value v = convert(args[k], c.types[k], at);
        if (v.bad()) return {};
        o[k] = v.s;
      }
      const Type m = machine_type(c.types[0]);
      const size_t size = body_.code.size();
      Operand d;
      if (row.op == Op::is_nan || row.op == Op::is_inf) {
        d = emit(row.op, m, o[0]);
      } else if (row.op == Op::exp_fast || row.op == Op::log_fast || row.op == Op::sin_fast || row.op == Op::cos_fast) {
        d = emit(row.op, m, o[0]);
      } else {
        d = emit(row.op, m, o[0], o[1], o[2]);
      }
      if (row.kind == Builtin::exact)
        for (size_t k = size; k < body_.code.size(); ++k) body_.code[k].exact = true;
      return scalar_value(result, d);
    }
    case Builtin::bits: {
      const Value v = convert(args[0], c.types[0], at);
      if (v.bad()) return {};
      const Type from = machine_type(v.t), to = machine_type(result);
      return scalar_value(result, from == to ? v.s : emit(Op::bits, to, v.s, {}, {}, from));
    }
    case Builtin::join: {
      const Value a = convert(args[0], c.types[0], at), b = convert(args[1], c.types[1], at);
      if (a.bad() || b.bad()) return {};
      return scalar_value(result, half_join(a.s, b.s));
    }
    case Builtin::shuffle: {
      const Value mask = convert(args[0], c.types[0], at), v = convert(args[1], c.types[1], at), lane = convert(args[2], c.types[2], at), width = convert(args[3], c.types[3], at);
      if (mask.bad() || v.bad() || lane.bad() || width.bad()) return {};
      if (!width.s.is_number()) {
        error(at, "the width of a shuffle must be known at compile time", "make it a literal, a constexpr variable or a template parameter");
        return {};
      }
      const uint64_t w = width.s.bits;
      if (w == 0 || w > 32 || (w & (w - 1))) {
        error(at, "the width of a shuffle is 1, 2, 4, 8, 16 or 32");
        return {};
      }
      return scalar_value(v.t, shuffle(row.op, mask.s, v.s, v.t, lane.s, width.s));
    }
    case Builtin::ballot:
    case Builtin::vote: {
      const Value mask = convert(args[0], c.types[0], at);
      const Operand p = truth(args[1], at);
      if (mask.bad() || p.k == Operand::none) return {};
      const int a = reg(p, Type::pred), m = reg(mask.s, Type::u32);
      const Type t = row.kind == Builtin::ballot ? Type::u32 : Type::pred;
      const int d = new_reg(t);
      push(row.op, t, d, a, -1, m);
      if (row.kind == Builtin::ballot) return scalar_value(result, Operand::of(d));
      return convert(scalar_value(types_.basic(Ty::bool_), Operand::of(d)), result, at);
    }
    case Builtin::active_mask: {
      const int d = new_reg(Type::u32);
      push(row.op, Type::u32, d);
      return scalar_value(result, Operand::of(d));
    }
    case Builtin::match_any:
    case Builtin::reduce: {
      const Value mask = convert(args[0], c.types[0], at), v = convert(args[1], c.types[1], at);
      if (mask.bad() || v.bad()) return {};
      Type m = machine_type(v.t);
      Operand o = v.s;
      if (is_float(m)) {
        const Type whole = units(m) == 2 ? Type::u64 : Type::u32;
        o = emit(Op::bits, whole, o, {}, {}, m);
        m = whole;
      }
      const int a = reg(o, m), k = reg(mask.s, Type::u32);
      const int d = new_reg(row.kind == Builtin::reduce ? m : Type::u32);
      push(row.op, m, d, a, -1, k);
      return scalar_value(result, Operand::of(d));
    }
    case Builtin::sync: push(Op::sync_block, Type::s32); return number(nothing, 0);
    case Builtin::sync_count: {
      const Operand p = truth(args[0], at);
      if (p.k == Operand::none) return {};
      const int a = reg(p, Type::pred), d = new_reg(Type::s32);
      push(row.op, Type::s32, d, a);
      return scalar_value(result, Operand::of(d));
    }
    case Builtin::sync_warp: {
      const Value mask = convert(args[0], c.types[0], at);
      if (mask.bad()) return {};
      const int m = reg(mask.s, Type::u32);
      push(Op::sync_warp, Type::s32, -1, -1, -1, m);
      return number(nothing, 0);
    }
    case Builtin::fence: push(Op::fence, Type::s32).imm = row.extra; return number(nothing, 0);
    case Builtin::atomic:
    case Builtin::compare_swap: return atomic(row.op, c, args, at);
    case Builtin::load: {
      const Value p = convert(args[0], c.types[0], at);
      if (p.bad()) return {};
      Value v = dereference(p, at);
      if (row.extra == 1) v.readonly = true;
      if (row.extra == 2) v.quals |= q_volatile;
      return rvalue(v);
    }
    case Builtin::store: {
      const Value p = convert(args[0], c.types[0], at);
      if (p.bad()) return {};
      store(dereference(p, at), args[1], at);
      return number(nothing, 0);
    }
    case Builtin::clock:
    case Builtin::clock64: {
      const int d = new_reg(Type::u32);
      Inst& i = push(Op::special, Type::u32, d);
      i.imm = int(Special::clock);
      i.flags |= flag_volatile;
      return scalar_value(result, emit(Op::convert, machine_type(result), Operand::of(d), {}, {}, Type::u32));
    }
    case Builtin::trap: push(Op::trap, Type::s32).imm = int64_t(place()); return number(nothing, 0);
    default: break;
  }
  error(at, "'" + std::string(c.f->name) + "' is not supported");
  return {};
}

}  // namespace lk::simt
