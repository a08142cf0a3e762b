#include <algorithm>

#include "simt/lower.h"

namespace lk::simt {

void Lower::need_memory(Var* v) {
  if (memory_.insert(v->key).second) again_ = true;
}

Cell* Lower::cell_at(Var& v, int64_t offset) {
  auto it = std::lower_bound(v.cells.begin(), v.cells.end(), offset, [](const Cell& c, int64_t at) { return c.part.offset < at; });
  return it != v.cells.end() && it->part.offset == offset ? &*it : nullptr;
}

// The scalar of type t at a place in a variable that lives in registers. Another type of the same size is a view of the same bits.
Operand Lower::load_cell(Var& v, int64_t offset, const CType* t, bool& ok) {
  Cell* c = cell_at(v, offset);
  if (!c || c->part.type->size != t->size) {
    ok = false;
    return Operand::known(0);
  }
  if (constant_serial_ >= 0 && v.serial < constant_serial_ && !v.is_constant && !(v.quals & q_const && c->known)) not_constant_ = true;
  Operand o;
  if (c->known) {
    o = c->value;
  } else {
    if (c->reg < 0) c->reg = new_reg(machine_type(c->part.type));
    o = Operand::of(c->reg);
  }
  if (c->part.type == t || (is_integer(c->part.type) && is_integer(t) && machine_type(c->part.type) == machine_type(t))) return o;
  const Type from = machine_type(c->part.type), to = machine_type(t);
  if (from == to || o.k == Operand::cells) return o;
  if (from == Type::pred || to == Type::pred || t->size < 4) {
    ok = false;  // narrow values are extended, so their bits differ
    return o;
  }
  return emit(Op::bits, to, o, {}, {}, from);
}

bool Lower::store_cell(Var& v, int64_t offset, const CType* t, const Operand& value) {
  Cell* c = cell_at(v, offset);
  if (!c || c->part.type->size != t->size) return false;
  const Type from = machine_type(t), to = machine_type(c->part.type);
  Operand o = value;
  if (from != to && o.k != Operand::cells) {
    if (from == Type::pred || to == Type::pred || t->size < 4) return false;
    o = emit(Op::bits, to, o, {}, {}, from);
  }
  if (c->reg < 0) c->reg = new_reg(to);
  if (o.k == Operand::reg) {
    if (o.r != c->reg) push(Op::move, to, c->reg, o.r);
    set_known(*c, false, {});
  } else {
    // Addresses of registers have no bits: the move would be for nobody.
    if (o.k == Operand::number) push(Op::move, to, c->reg, constant_reg(o.bits, to));
    set_known(*c, true, o);
  }
  return true;
}

void Lower::access_flags(Inst& i, const Value& v) {
  i.space = v.space;
  if (v.quals & q_volatile) i.flags |= flag_volatile;
  if (v.readonly) i.flags |= flag_readonly;
}

Operand Lower::load_memory(const Value& v, int64_t offset, const CType* t) {
  int64_t imm = v.offset + offset;
  Operand base = v.s;
  if (imm < INT32_MIN || imm > INT32_MAX) base = emit(Op::add, Type::u64, base, Operand::known(uint64_t(imm))), imm = 0;
  const int a = reg(base, Type::u64);
  const Type m = memory_type(t);
  const int d = new_reg(m);
  Inst& i = push(Op::load, m, d, a, -1, -1, imm);
  access_flags(i, v);
  if (machine_type(t) == Type::pred) return emit(Op::ne, Type::u32, Operand::of(d), Operand::known(0));
  return Operand::of(d);
}

void Lower::store_memory(const Value& v, int64_t offset, const CType* t, const Operand& o) {
  int64_t imm = v.offset + offset;
  Operand base = v.s;
  if (imm < INT32_MIN || imm > INT32_MAX) base = emit(Op::add, Type::u64, base, Operand::known(uint64_t(imm))), imm = 0;
  const int a = reg(base, Type::u64);
  const Type m = memory_type(t);
  Inst& i = push(Op::store, m, -1, a, reg(o, machine_type(t)), -1, imm);
  access_flags(i, v);
}

int Lower::vector_width(const CType* t) { return t->k == Ty::structure && t->s->vector ? int(t->s->fields.size()) : 0; }

Operand Lower::half_part(const Operand& packed, int which) {
  if (which == 0) return emit(Op::and_, Type::u32, packed, Operand::known(0xffff));
  return emit(Op::shr, Type::u32, packed, Operand::known(16));
}
Operand Lower::half_join(const Operand& low, const Operand& high) {
  return emit(Op::or_, Type::u32, low, emit(Op::shl, Type::u32, high, Operand::known(16)));
}

Value Lower::decay(Value v) {
  if (v.bad() || v.t->k != Ty::array) return v;
  return address_of(v, at_);
}

Value Lower::address_of(const Value& v, const Span& at) {
  const CType* of = v.t->k == Ty::array ? v.t->of : v.t;
  const CType* type = types_.pointer(of, v.quals);
  if (v.half >= 0) {
    error(at, "the address of half of a half2 cannot be taken");
    return {};
  }
  if (v.form == Form::cells) {
    Operand o;
    o.k = Operand::cells;
    o.var = v.var;
    o.offset = v.offset;
    return scalar_value(type, o);
  }
  if (v.form == Form::memory) {
    Value p = scalar_value(type, emit(Op::add, Type::u64, v.s, Operand::known(uint64_t(v.offset))));
    p.space = v.space;
    p.readonly = v.readonly;
    return p;
  }
  error(at, "this value has no address");
  return {};
}

Value Lower::dereference(const Value& p, const Span& at) {
  if (p.bad()) return {};
  if (p.t->k != Ty::pointer) {
    error(at, "only pointers can be dereferenced, not " + spelled(p.t));
    return {};
  }
  if (p.t->of->k == Ty::void_) {
    error(at, "a void* points to no value", "cast it to the type of what it points to");
    return {};
  }
  Value v;
  v.t = p.t->of;
  v.quals = p.t->quals;
  if (p.s.k == Operand::cells) {
    v.form = Form::cells;
    v.var = p.s.var;
    v.offset = p.s.offset;
    return v;
  }
  v.form = Form::memory;
  v.s = p.s;
  v.space = p.space;
  v.readonly = p.readonly;
  return v;
}

Value Lower::rvalue(Value v) {
  if (v.bad() || !v.lvalue()) return v;
  if (v.t->k == Ty::array) return decay(v);
  if (v.t->k == Ty::lambda) return v;
  if (v.half >= 0) {
    const int which = v.half;
    Value whole = v;
    whole.half = -1;
    whole.t = types_.basic(v.t->k == Ty::half ? Ty::half2 : Ty::bf162);
    whole = rvalue(whole);
    return whole.bad() ? whole : scalar_value(v.t, half_part(whole.s, which));
  }
  Value out;
  out.t = v.t;
  const bool single = is_scalar(v.t);
  const std::vector<Part> one{{0, v.t}};
  const std::vector<Part>& parts = single ? one : types_.parts(v.t);
  if (!single && parts.empty() && v.t->s && !v.t->s->fields.empty()) {
    error(at_, spelled(v.t) + " is too large to be copied as a value", "pass a pointer or a reference");
    return {};
  }
  std::vector<Operand> values;
  if (v.form == Form::cells) {
    bool ok = true;
    for (const Part& p : parts) values.push_back(load_cell(*v.var, v.offset + p.offset, p.type, ok));
    if (!ok) need_memory(v.var);
  } else {
    if (constant_serial_ >= 0) not_constant_ = true;
    if (const int n = vector_width(v.t); n > 0 && v.t->size <= 16) {
      int64_t imm = v.offset;
      Operand base = v.s;
      if (imm < INT32_MIN || imm > INT32_MAX) base = emit(Op::add, Type::u64, base, Operand::known(uint64_t(imm))), imm = 0;
      const int a = reg(base, Type::u64);
      const Type m = memory_type(parts[0].type);
      const int d = new_group(m, n);
      Inst& i = push(Op::load, m, d, a, -1, -1, imm);
      i.count = uint8_t(n);
      access_flags(i, v);
      for (int k = 0; k < n; ++k) values.push_back(Operand::of(d + k));
    } else {
      for (const Part& p : parts) values.push_back(load_memory(v, p.offset, p.type));
    }
  }
  if (single) {
    Value s = scalar_value(v.t, values[0]);
    // A const __restrict__ pointer is followed by read-only loads.
    if (v.t->k == Ty::pointer && v.form == Form::cells && v.var->restricted && v.t->quals & q_const) s.readonly = true;
    return s;
  }
  out.form = Form::aggregate;
  out.parts = std::move(values);
  return out;
}

void Lower::store_parts(const Value& target, const std::vector<Operand>& in) {
  const bool single = is_scalar(target.t);
  const std::vector<Part> one{{0, target.t}};
  const std::vector<Part>& parts = single ? one : types_.parts(target.t);
  if (target.form == Form::cells) {
    std::vector<Operand> values = in;
    // (a, b) = (b, a): a source that is overwritten before it is read goes through a copy.
    for (size_t k = 0; k < parts.size() && k < values.size(); ++k) {
      const Cell* c = cell_at(*target.var, target.offset + parts[k].offset);
      if (!c || c->reg < 0) continue;
      for (size_t j = k + 1; j < values.size(); ++j)
        if (values[j].k == Operand::reg && values[j].r == c->reg) values[j] = materialize(values[j], machine_type(parts[j].type));
    }
    bool ok = true;
    for (size_t k = 0; k < parts.size() && k < values.size(); ++k) ok &= store_cell(*target.var, target.offset + parts[k].offset, parts[k].type, values[k]);
    if (!ok) need_memory(target.var);
    return;
  }
  if (const int n = vector_width(target.t); n > 0 && target.t->size <= 16 && in.size() == size_t(n)) {
    const Type m = memory_type(parts[0].type);
    const int group = new_group(m, n);
    for (int k = 0; k < n; ++k) {
      const int a = reg(in[size_t(k)], m);
      Inst& mv = push(Op::move, m, group + k, a);
      mv.issued = 0;
      mv.flags |= flag_folded;
    }
    int64_t imm = target.offset;
    Operand base = target.s;
    if (imm < INT32_MIN || imm > INT32_MAX) base = emit(Op::add, Type::u64, base, Operand::known(uint64_t(imm))), imm = 0;
    const int a = reg(base, Type::u64);
    Inst& i = push(Op::store, m, -1, a, group, -1, imm);
    i.count = uint8_t(n);
    access_flags(i, target);
    return;
  }
  for (size_t k = 0; k < parts.size() && k < in.size(); ++k) store_memory(target, parts[k].offset, parts[k].type, in[k]);
}

void Lower::store(const Value& target, Value v, const Span& at) {
  if (target.bad() || v.bad()) return;
  if (target.quals & q_const) {
    error(at, "this is const and cannot be assigned to", "remove const where it is declared if it is meant to change");
    return;
  }
  if (constant_serial_ >= 0 && (target.form == Form::memory || target.var->serial < constant_serial_)) not_constant_ = true;
  if (target.half >= 0) {
    v = convert(v, target.t, at);
    if (v.bad()) return;
    Value whole = target;
    whole.half = -1;
    whole.t = types_.basic(target.t->k == Ty::half ? Ty::half2 : Ty::bf162);
    const Value old = rvalue(whole);
    const Operand low = target.half == 0 ? v.s : half_part(old.s, 0), high = target.half == 1 ? v.s : half_part(old.s, 1);
    store_parts(whole, {half_join(low, high)});
    return;
  }
  v = convert(v, target.t, at);
  if (v.bad()) return;
  if (is_scalar(target.t)) store_parts(target, {v.s});
  else store_parts(target, v.parts);
}

// A variable of its own for a value, so that it can be referred to.
Value Lower::spill(const Value& v) {
  Value value = rvalue(v);
  if (value.bad()) return {};
  static const char key = 0;
  Var* var = new_var("a temporary value", &key, value.t, 0);
  // Its key must differ from other temporaries' only in whether it needs memory: they share the answer.
  make_cells(*var);
  Value target = var_value(*var);
  store(target, value, at_);
  return target;
}

bool Lower::compatible_pointers(const CType* from, const CType* to, bool is_explicit) {
  if (is_explicit) return true;
  const bool quals = !(from->quals & ~to->quals);
  if (to->of->k == Ty::void_) return quals;
  return quals && from->of == to->of;
}

Operand Lower::convert_scalar(Operand o, const CType* from, const CType* to) {
  const Type a = machine_type(from), b = machine_type(to);
  if (a == b) return o;
  if (b == Type::pred) return emit(Op::ne, a, o, Operand::known(0));
  const bool fa = is_float(a), fb = is_float(b);
  if (o.k == Operand::cells) return o;
  if (!fa && !fb) {
    if (a == Type::pred) {
      if (o.is_number()) return o;
      return emit(Op::convert, b, o, {}, {}, Type::pred);
    }
    // Widening to 32 bits changes nothing: narrow integers are kept extended.
    const int wa = bytes(a), wb = bytes(b);
    if (wa < 4 && wb == 4) return o.is_number() ? o : Operand::of(o.r);
    if (wa == wb && wa >= 4) return o;
    return emit(Op::convert, b, o, {}, {}, a);
  }
  if (fa && !fb && bytes(b) < 4) {
    const Type wide = Type::s32;
    return emit(Op::convert, b, emit(Op::convert, wide, o, {}, {}, a), {}, {}, wide);
  }
  if (!fa && fb && bytes(a) < 4) {
    if (a == Type::pred) o = emit(Op::convert, Type::s32, o, {}, {}, Type::pred);
    return emit(Op::convert, b, o, {}, {}, is_signed(a) ? Type::s32 : a == Type::pred ? Type::s32 : Type::u32);
  }
  // Between the 16-bit formats by way of f32.
  if (bytes(a) == 2 && bytes(b) == 2) return emit(Op::convert, b, emit(Op::convert, Type::f32, o, {}, {}, a), {}, {}, Type::f32);
  return emit(Op::convert, b, o, {}, {}, a);
}

Value Lower::convert(Value v, const CType* to, const Span& at, bool is_explicit) {
  if (v.bad() || to->k == Ty::bad) return {};
  v = rvalue(std::move(v));
  if (v.bad()) return {};
  const CType* from = v.t;
  if (from == to) return v;
  const auto fail = [&](std::string hint) -> Value {
    error(at, spelled(from) + " cannot be turned into " + spelled(to), std::move(hint));
    return {};
  };
  if (to->k == Ty::void_) {
    Value out = scalar_value(to, Operand::known(0));
    return out;
  }
  if (to->k == Ty::pointer) {
    if (from->k == Ty::pointer) {
      if (!compatible_pointers(from, to, is_explicit)) {
        if (from->of == to->of) return fail("the target loses const");
        return fail("use reinterpret_cast if it is meant");
      }
      v.t = to;
      if (!(to->quals & q_const)) v.readonly = false;
      return v;
    }
    if (from->k == Ty::null_pointer || (is_integer(from) && v.literal_zero && v.s.is_number() && v.s.bits == 0)) return scalar_value(to, Operand::known(0));
    if (is_integer(from) && is_explicit) return scalar_value(to, convert_scalar(v.s, from, types_.basic(Ty::ulong)));
    return fail(is_integer(from) ? "a number is no address" : "");
  }
  if (from->k == Ty::pointer && is_explicit && is_integer(to) && to->size == 8) return scalar_value(to, v.s);
  if ((from->k == Ty::pointer || from->k == Ty::null_pointer) && to->k == Ty::bool_) {
    if (v.s.k == Operand::cells) return number(to, 1);
    return scalar_value(to, emit(Op::ne, Type::u64, v.s, Operand::known(0)));
  }
  if (!is_scalar(from) || !is_scalar(to) || from->k == Ty::pointer || from->k == Ty::null_pointer) {
    // A constructor that takes one value.
    if (to->k == Ty::structure && from->k != Ty::structure) {
      for (FunctionDecl* m : to->s->decl->methods)
        if (!m->result && m->parameters.size() >= 1) {
          Candidate c;
          if (resolve_call({m}, to->s->scope, {v}, nullptr, at, to->s->decl->name, c, true)) {
            Var* var = new_var("a value", m, to, 0);
            make_cells(*var);
            Value self = var_value(*var);
            call_function(c, {v}, at, &self);
            return rvalue(self);
          }
        }
    }
    return fail(to->k == Ty::structure ? "no constructor takes it" : "");
  }
  if (to->k == Ty::enumeration && !is_explicit) return fail("use static_cast");
  if (from->k == Ty::enumeration && from->e->scoped && !is_explicit) return fail("use static_cast");
  if (is_packed(from) || is_packed(to)) {
    if (to->k == Ty::half2 && (from->k == Ty::half)) return scalar_value(to, half_join(v.s, v.s));
    if (to->k == Ty::bf162 && (from->k == Ty::bf16)) return scalar_value(to, half_join(v.s, v.s));
    return fail("use the conversion functions (__half22float2 and kin)");
  }
  Value out = scalar_value(to, convert_scalar(v.s, from, to));
  return out;
}

}  // namespace lk::simt
