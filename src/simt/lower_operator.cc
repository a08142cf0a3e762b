#include <algorithm>

#include "simt/lower.h"

namespace lk::simt {

const CType* Lower::promoted(const CType* t) {
  if (t->k == Ty::enumeration) return promoted(t->of);
  if (t->k >= Ty::bool_ && t->k < Ty::int_) return types_.basic(Ty::int_);
  return t;
}

// The usual arithmetic conversions; nullptr where there is no common type.
const CType* Lower::common(const CType* a, const CType* b) {
  if (a == b && !is_integer(a)) return a;
  if (is_half(a) || is_half(b) || is_packed(a) || is_packed(b)) return nullptr;
  if (a->k == Ty::double_ || b->k == Ty::double_) return types_.basic(Ty::double_);
  if (a->k == Ty::float_ || b->k == Ty::float_) return types_.basic(Ty::float_);
  if (!is_integer(a) || !is_integer(b)) return nullptr;
  a = promoted(a);
  b = promoted(b);
  if (a == b) return a;
  const bool ua = is_unsigned(a), ub = is_unsigned(b);
  if (ua == ub) return rank(a) >= rank(b) ? a : b;
  const CType* u = ua ? a : b;
  const CType* s = ua ? b : a;
  if (rank(u) >= rank(s)) return u;
  if (s->size > u->size) return s;
  return types_.basic(s->k == Ty::long_ ? Ty::ulong : Ty::ullong);
}

Operand Lower::truth(const Value& v, const Span& at) {
  const Value p = convert(v, types_.basic(Ty::bool_), at, true);
  return p.bad() ? Operand{} : p.s;
}
Operand Lower::condition(const Expr* e) {
  const Value v = expr(e);
  if (v.bad()) return {};
  if (!is_scalar(rvalue(v).t)) {
    error(e->at, "a condition is a number or a pointer, not " + spelled(v.t));
    return {};
  }
  return truth(v, e->at);
}

bool Lower::has_effects(const Expr* e) {
  if (!e) return false;
  if (e->form == ExprForm::assign || e->form == ExprForm::postfix || e->form == ExprForm::call) return true;
  if (e->form == ExprForm::unary && (e->text == "++" || e->text == "--")) return true;
  if (has_effects(e->a) || has_effects(e->b) || has_effects(e->c)) return true;
  return std::any_of(e->list.begin(), e->list.end(), [&](const Expr* x) { return has_effects(x); });
}

// Few instructions that every lane may run without harm.
bool Lower::cheap(size_t from, size_t to) const {
  if (to - from > 12) return false;
  for (size_t k = from; k < to; ++k) {
    const Inst& i = body_.code[k];
    if (!pure(i) || i.op == Op::div || i.op == Op::rem || i.op == Op::pow || i.op == Op::fmod || i.op == Op::move) return false;
  }
  return true;
}

Operand Lower::offset_address(const Operand& base, const Operand& index, const CType* type, int64_t size) {
  const Type wide = is_unsigned(type) ? Type::u64 : Type::s64;
  Operand i = convert_scalar(index, type, types_.basic(wide == Type::u64 ? Ty::ulong : Ty::long_));
  return emit(Op::fma, Type::u64, i, Operand::known(uint64_t(size)), base);
}

Value Lower::pointer_arithmetic(std::string_view op, const Value& a, const Value& b, const Span& at) {
  if (op == "-" && a.t->k == Ty::pointer && b.t->k == Ty::pointer) {
    if (a.t->of != b.t->of) {
      error(at, "the difference of " + spelled(a.t) + " and " + spelled(b.t) + " has no meaning");
      return {};
    }
    if (a.s.k == Operand::cells && b.s.k == Operand::cells && a.s.var == b.s.var) return number(types_.basic(Ty::long_), uint64_t((a.s.offset - b.s.offset) / a.t->of->size));
    const Operand d = emit(Op::sub, Type::s64, a.s, b.s);
    return scalar_value(types_.basic(Ty::long_), divide(false, Type::s64, d, Operand::known(uint64_t(a.t->of->size))));
  }
  const bool swap = b.t->k == Ty::pointer;
  const Value& p = swap ? b : a;
  const Value& i = swap ? a : b;
  if ((op != "+" && op != "-") || (swap && op == "-") || !is_integer(i.t)) {
    error(at, "'" + std::string(op) + "' does not go with " + spelled(a.t) + " and " + spelled(b.t));
    return {};
  }
  if (p.t->of->k == Ty::void_ || p.t->of->size == 0) {
    error(at, "a " + spelled(p.t) + " cannot be moved", "cast it to a pointer to something that has a size");
    return {};
  }
  const int64_t size = p.t->of->size;
  Value out = p;
  if (p.s.k == Operand::cells) {
    if (!i.s.is_number()) {
      need_memory(p.s.var);
      return out;
    }
    const int64_t n = signed_value(machine_type(i.t), i.s.bits);
    out.s.offset += (op == "-" ? -n : n) * size;
    return out;
  }
  if (i.s.is_number()) {
    const int64_t n = signed_value(machine_type(i.t), i.s.bits) * size;
    out.s = emit(Op::add, Type::u64, p.s, Operand::known(uint64_t(op == "-" ? -n : n)));
    return out;
  }
  out.s = offset_address(p.s, i.s, i.t, op == "-" ? -size : size);
  return out;
}

Operand Lower::divide(bool remainder, Type t, const Operand& a, const Operand& b) {
  if (b.is_number() && b.bits != 0 && !(a.is_number())) {
    const int width = units(t) * 32;
    const int64_t sb = signed_value(t, b.bits);
    const uint64_t size = is_signed(t) && sb < 0 ? 0 - uint64_t(sb) : uint64_t(sb) & (width == 64 ? ~uint64_t{0} : 0xffffffffu);
    const bool power = (size & (size - 1)) == 0;
    if (power && !is_signed(t)) {
      if (remainder) return emit(Op::and_, t, a, Operand::known(size - 1));
      return emit(Op::shr, t, a, Operand::known(uint64_t(__builtin_ctzll(size))));
    }
    if (power && sb > 0) {
      const int k = __builtin_ctzll(size);
      if (k == 0) return remainder ? Operand::known(0) : a;
      // Toward zero: negative numbers get 2^k - 1 first.
      const Type u = width == 64 ? Type::u64 : Type::u32;
      const Operand sign = emit(Op::shr, t, a, Operand::known(uint64_t(width - 1)));
      const Operand extra = emit(Op::shr, u, sign, Operand::known(uint64_t(width - k)));
      const Operand sum = emit(Op::add, t, a, extra);
      if (!remainder) return emit(Op::shr, t, sum, Operand::known(uint64_t(k)));
      return emit(Op::sub, t, a, emit(Op::and_, t, sum, Operand::known(~(size - 1) & (width == 64 ? ~uint64_t{0} : 0xffffffffu))));
    }
  }
  return emit(remainder ? Op::rem : Op::div, t, a, b);
}

Value Lower::user_operator(std::string_view op, const std::vector<Value>& args, const Span& at, bool& found) {
  std::vector<FunctionDecl*> all;
  Value self = args[0];
  if (self.t->k == Ty::structure)
    for (FunctionDecl* m : self.t->s->decl->methods)
      if (m->name == op && m->result) all.push_back(m);
  Candidate c;
  if (!all.empty()) {
    const std::vector<Value> rest(args.begin() + 1, args.end());
    if (resolve_call(all, self.t->s->scope, rest, nullptr, at, op, c, true)) {
      found = true;
      if (!self.lvalue()) self = spill(self);
      return call_function(c, rest, at, &self);
    }
  }
  if (const auto f = unit_.functions.find(op); f != unit_.functions.end())
    if (resolve_call(f->second, &unit_scope_, args, nullptr, at, op, c, true)) {
      found = true;
      return call_function(c, args, at);
    }
  return {};
}

Value Lower::compare(std::string_view op, Value a, Value b, const Span& at) {
  const CType* boolean = types_.basic(Ty::bool_);
  const Op o = op == "==" ? Op::eq : op == "!=" ? Op::ne : op == "<" ? Op::lt : op == "<=" ? Op::le : op == ">" ? Op::gt : Op::ge;
  const bool pa = a.t->k == Ty::pointer || a.t->k == Ty::null_pointer, pb = b.t->k == Ty::pointer || b.t->k == Ty::null_pointer;
  if (pa || pb) {
    const CType* t = a.t->k == Ty::pointer ? a.t : b.t;
    if (a.t->k == Ty::pointer && b.t->k == Ty::pointer && a.t->of != b.t->of && a.t->of->k != Ty::void_ && b.t->of->k != Ty::void_) {
      error(at, "pointers of different types are compared", "cast one of them");
      return {};
    }
    if (t->k == Ty::null_pointer) return number(boolean, op == "==");
    if (a.t->k != Ty::pointer) a = convert(a, t, at);
    if (b.t->k != Ty::pointer) b = convert(b, t, at);
    if (a.bad() || b.bad()) return {};
    if (a.s.k == Operand::cells || b.s.k == Operand::cells) {
      if (a.s.k == b.s.k && a.s.var == b.s.var) return number(boolean, *fold(o, Type::s64, Type::s64, uint64_t(a.s.offset), uint64_t(b.s.offset), 0));
      if (op == "==" || op == "!=") return number(boolean, op == "!=");
    }
    return scalar_value(boolean, emit(o, Type::u64, a.s, b.s));
  }
  if (a.t->k == Ty::enumeration && a.t == b.t) return scalar_value(boolean, emit(o, machine_type(a.t), a.s, b.s));
  const CType* t = common(a.t, b.t);
  const bool scoped = (a.t->k == Ty::enumeration && a.t->e->scoped) || (b.t->k == Ty::enumeration && b.t->e->scoped);
  if (!t || is_packed(t) || scoped) {
    error(at, spelled(a.t) + " and " + spelled(b.t) + " cannot be compared", t && is_packed(t) ? "compare the halves" : "convert one of them");
    return {};
  }
  a = convert(a, t, at);
  b = convert(b, t, at);
  if (a.bad() || b.bad()) return {};
  return scalar_value(boolean, emit(o, machine_type(t), a.s, b.s));
}

Value Lower::arithmetic(std::string_view op, Value a, Value b, const Span& at) {
  const auto fail = [&](std::string hint) -> Value {
    error(at, "'" + std::string(op) + "' does not go with " + spelled(a.t) + " and " + spelled(b.t), std::move(hint));
    return {};
  };
  if (a.t->k == Ty::structure || b.t->k == Ty::structure) return fail("work on the members");
  if (a.t->k == Ty::pointer || b.t->k == Ty::pointer) return pointer_arithmetic(op, a, b, at);
  if ((a.t->k == Ty::enumeration && a.t->e->scoped) || (b.t->k == Ty::enumeration && b.t->e->scoped)) return fail("use static_cast<int>");
  if (op == "<<" || op == ">>") {
    if (!is_integer(a.t) || !is_integer(b.t)) return fail("shifts take whole numbers");
    const CType* t = promoted(a.t);
    a = convert(a, t, at);
    b = convert(b, promoted(b.t), at);
    if (a.bad() || b.bad()) return {};
    if (b.s.is_number()) {
      const int64_t n = signed_value(machine_type(b.t), b.s.bits);
      if (n < 0 || n >= t->size * 8) warning(at, "a shift by " + std::to_string(n) + " is undefined for " + spelled(t), "shift by less than its " + std::to_string(t->size * 8) + " bits");
    }
    const Operand n = convert_scalar(b.s, b.t, types_.basic(Ty::uint));
    return scalar_value(t, emit(op == "<<" ? Op::shl : Op::shr, machine_type(t), a.s, n));
  }
  const CType* t = common(a.t, b.t);
  if (!t) return fail(is_half(a.t) || is_half(b.t) ? "convert both to one type, for example by __half2float" : "");
  const bool floating = is_floating(t) || is_packed(t);
  if (!is_arithmetic(t) && !floating) return fail("");
  const bool bits = op == "&" || op == "|" || op == "^" || op == "%";
  if (floating && bits) return fail(op == "%" ? "use fmodf" : "use __float_as_uint for its bits");
  a = convert(a, t, at);
  b = convert(b, t, at);
  if (a.bad() || b.bad()) return {};
  const Type m = machine_type(t);
  if (op == "/" || op == "%") {
    if (!floating) {
      if (b.s.is_number() && b.s.bits == 0) warning(at, "this divides by zero");
      return scalar_value(t, divide(op == "%", m, a.s, b.s));
    }
    if (is_packed(t)) {
      const Type h = t->k == Ty::half2 ? Type::f16 : Type::bf16;
      return scalar_value(t, half_join(emit(Op::div, h, half_part(a.s, 0), half_part(b.s, 0)), emit(Op::div, h, half_part(a.s, 1), half_part(b.s, 1))));
    }
    return scalar_value(t, emit(Op::div, m, a.s, b.s));
  }
  const Op o = op == "+" ? Op::add : op == "-" ? Op::sub : op == "*" ? Op::mul : op == "&" ? Op::and_ : op == "|" ? Op::or_ : Op::xor_;
  return scalar_value(t, emit(o, m, a.s, b.s));
}

Value Lower::binary(const Expr* e) {
  const bool comparison = e->text == "==" || e->text == "!=" || e->text == "<" || e->text == "<=" || e->text == ">" || e->text == ">=";
  Value a = expr(e->a);
  if (!a.bad() && a.t->k != Ty::structure) {
    a = rvalue(a);
    // What follows may change the variable that this value is still held in.
    if (!a.bad() && a.s.k == Operand::reg && a.form == Form::scalar && has_effects(e->b)) a.s = materialize(a.s, machine_type(a.t));
  }
  Value b = expr(e->b);
  if (a.bad() || b.bad()) return {};
  const At here(*this, e->at, e->prelude);
  if (a.t->k == Ty::structure || b.t->k == Ty::structure || a.t->k == Ty::enumeration || b.t->k == Ty::enumeration) {
    bool found = false;
    const Value v = user_operator(e->text, {a, b}, e->operator_at, found);
    if (found) return v;
  }
  a = rvalue(a);
  b = rvalue(b);
  if (a.bad() || b.bad()) return {};
  if (comparison) {
    if (a.t->k == Ty::structure || b.t->k == Ty::structure) {
      error(e->operator_at, spelled(a.t) + " and " + spelled(b.t) + " cannot be compared", "compare the members");
      return {};
    }
    return compare(e->text, a, b, e->operator_at);
  }
  return arithmetic(e->text, a, b, e->operator_at);
}

Value Lower::logical(const Expr* e) {
  const CType* boolean = types_.basic(Ty::bool_);
  const bool both = e->text == "&&";
  Operand a = condition(e->a);
  if (a.k == Operand::none) {
    const size_t mark = journal_.size();
    expr(e->b);
    forget(mark);
    return {};
  }
  if (a.is_number()) {
    if ((a.bits != 0) != both) return number(boolean, !both);
    const Operand b = condition(e->b);
    return b.k == Operand::none ? Value{} : scalar_value(boolean, b);
  }
  if (has_effects(e->b)) a = materialize(a, Type::pred);
  const size_t from = body_.code.size(), mark = journal_.size();
  ++structure_;
  Operand b = condition(e->b);
  --structure_;
  if (b.k == Operand::none) return {};
  if (b.is_number() && body_.code.size() == from) return (b.bits != 0) == both ? scalar_value(boolean, a) : number(boolean, !both);
  if (cheap(from, body_.code.size()) && journal_.size() == mark) return scalar_value(boolean, emit(both ? Op::and_ : Op::or_, Type::pred, a, b));
  // The second operand runs only in the lanes that need it.
  const int t = new_reg(Type::pred);
  std::vector<Inst> second(body_.code.begin() + std::ptrdiff_t(from), body_.code.end());
  body_.code.resize(from);
  const Operand p = both ? a : emit(Op::not_, Type::pred, a);
  move_to(t, a, Type::pred);
  push(Op::if_, Type::pred, -1, p.r);
  body_.code.insert(body_.code.end(), second.begin(), second.end());
  move_to(t, b, Type::pred);
  push(Op::end_if, Type::s32);
  forget(mark);
  return scalar_value(boolean, Operand::of(t));
}

Value Lower::conditional(const Expr* e) {
  Operand p = condition(e->a);
  if (p.k == Operand::none) return {};
  if (p.is_number()) {
    // The type is that of both, whichever is taken.
    const Expr* other = p.bits ? e->c : e->b;
    Value taken = rvalue(expr(p.bits ? e->b : e->c));
    if (taken.bad() || !is_arithmetic(taken.t)) return taken;
    const size_t size = body_.code.size(), mark = journal_.size();
    const bool old = not_constant_, again = again_;
    const auto memory = memory_;
    const Value v = rvalue(expr(other));
    not_constant_ = old;
    if (!again && again_) memory_ = memory, again_ = false;
    body_.code.resize(size);
    end_branch(mark);
    if (v.bad() || !is_arithmetic(v.t)) return taken;
    const CType* t = common(taken.t, v.t);
    if (taken.t == v.t) t = taken.t;
    return t ? convert(taken, t, e->at) : taken;
  }
  if (has_effects(e->b) || has_effects(e->c)) p = materialize(p, Type::pred);
  ++structure_;
  const size_t from = body_.code.size(), mark = journal_.size();
  Value a = rvalue(expr(e->b));
  auto one = end_branch(mark);
  const size_t middle = body_.code.size();
  Value b = rvalue(expr(e->c));
  auto two = end_branch(mark);
  --structure_;
  if (a.bad() || b.bad()) return {};
  const CType* t = a.t == b.t ? a.t : nullptr;
  if (!t && is_arithmetic(a.t) && is_arithmetic(b.t)) t = common(a.t, b.t);
  if (!t && a.t->k == Ty::pointer && (b.t->k == Ty::null_pointer || b.literal_zero)) t = a.t;
  if (!t && b.t->k == Ty::pointer && (a.t->k == Ty::null_pointer || a.literal_zero)) t = b.t;
  if (!t && a.t->k == Ty::pointer && b.t->k == Ty::pointer && a.t->of == b.t->of) t = types_.pointer(a.t->of, a.t->quals | b.t->quals);
  if (!t && is_half(a.t) && is_arithmetic(b.t)) t = a.t;
  if (!t && is_half(b.t) && is_arithmetic(a.t)) t = b.t;
  if (!t) {
    error(e->at, "the two results of ? are " + spelled(a.t) + " and " + spelled(b.t), "convert them to one type");
    return {};
  }
  const size_t second = body_.code.size();
  a = convert(a, t, e->b->at);
  const size_t extra = body_.code.size() - second;
  std::rotate(body_.code.begin() + std::ptrdiff_t(middle), body_.code.begin() + std::ptrdiff_t(second), body_.code.end());
  b = convert(b, t, e->c->at);
  if (a.bad() || b.bad()) return {};
  Value out;
  out.t = t;
  const bool single = is_scalar(t);
  out.form = single ? Form::scalar : Form::aggregate;
  const std::vector<Operand> xs = single ? std::vector<Operand>{a.s} : a.parts, ys = single ? std::vector<Operand>{b.s} : b.parts;
  const std::vector<Part> own{{0, t}};
  const std::vector<Part>& parts = single ? own : types_.parts(t);
  if (t->k == Ty::void_) out.form = Form::scalar, out.s = Operand::known(0);
  for (const auto* list : {&xs, &ys})
    for (const Operand& o : *list)
      if (o.k == Operand::cells) need_memory(o.var);
  if (t->k != Ty::void_ && cheap(from, body_.code.size()) && one.empty() && two.empty()) {
    for (size_t k = 0; k < xs.size(); ++k) out.parts.push_back(emit(Op::select, machine_type(parts[k].type), xs[k], ys[k], p));
  } else {
    const size_t begin_b = middle + extra;
    std::vector<Inst> first(body_.code.begin() + std::ptrdiff_t(from), body_.code.begin() + std::ptrdiff_t(begin_b));
    std::vector<Inst> last(body_.code.begin() + std::ptrdiff_t(begin_b), body_.code.end());
    body_.code.resize(from);
    if (t->k != Ty::void_)
      for (size_t k = 0; k < xs.size(); ++k) out.parts.push_back(Operand::of(new_reg(machine_type(parts[k].type))));
    push(Op::if_, Type::pred, -1, p.r);
    body_.code.insert(body_.code.end(), first.begin(), first.end());
    for (size_t k = 0; k < out.parts.size(); ++k) move_to(out.parts[k].r, xs[k], machine_type(parts[k].type));
    push(Op::else_, Type::s32);
    body_.code.insert(body_.code.end(), last.begin(), last.end());
    for (size_t k = 0; k < out.parts.size(); ++k) move_to(out.parts[k].r, ys[k], machine_type(parts[k].type));
    push(Op::end_if, Type::s32);
  }
  merge(one, two);
  if (single && !out.parts.empty()) {
    out.s = out.parts[0];
    out.parts.clear();
    out.space = a.space == b.space ? a.space : Space::generic;
  }
  return out;
}

Value Lower::step(const Value& target, bool up, const Span& at) {
  const Value old = rvalue(target);
  if (old.bad()) return {};
  const Value one = old.t->k == Ty::pointer || is_integer(old.t) ? number(types_.basic(Ty::int_), 1) : number(types_.basic(Ty::float_), float_bits(1));
  if (!is_arithmetic(old.t) && old.t->k != Ty::pointer) {
    error(at, "this cannot be counted: " + spelled(old.t));
    return {};
  }
  return arithmetic(up ? "+" : "-", old, one, at);
}

Value Lower::unary(const Expr* e) {
  const std::string_view op = e->text;
  Value v = expr(e->a);
  if (v.bad()) return {};
  const At here(*this, e->at, e->prelude);
  if (op == "&") {
    if (!v.lvalue()) {
      error(e->at, "only a variable has an address");
      return {};
    }
    if (v.t->k == Ty::array) {
      Value p = address_of(v, e->at);
      p.t = types_.pointer(v.t, v.quals);
      return p;
    }
    return address_of(v, e->at);
  }
  if (op == "*") return v.t->k == Ty::structure ? (error(e->at, "'*' does not go with " + spelled(v.t)), Value{}) : dereference(rvalue(v), e->at);
  if (op == "++" || op == "--") {
    if (!v.lvalue()) {
      error(e->at, "only a variable can be counted");
      return {};
    }
    const Value next = step(v, op == "++", e->at);
    if (next.bad()) return {};
    store(v, convert(next, v.t, e->at, true), e->at);
    return v;
  }
  if (v.t->k == Ty::structure) {
    bool found = false;
    const Value out = user_operator(op, {v}, e->at, found);
    if (!found) error(e->at, "'" + std::string(op) + "' does not go with " + spelled(v.t));
    return out;
  }
  v = rvalue(v);
  if (v.bad()) return {};
  if (op == "!") {
    const Operand p = truth(v, e->at);
    return p.k == Operand::none ? Value{} : scalar_value(types_.basic(Ty::bool_), emit(Op::not_, Type::pred, p));
  }
  if (is_half(v.t) || is_packed(v.t)) {
    if (op == "-") return scalar_value(v.t, emit(Op::neg, machine_type(v.t), v.s));
    if (op == "+") return v;
  }
  if (op == "+" && v.t->k == Ty::pointer) return v;
  if (!is_arithmetic(v.t) || (op == "~" && !is_integer(v.t)) || (v.t->k == Ty::enumeration && v.t->e->scoped)) {
    error(e->at, "'" + std::string(op) + "' does not go with " + spelled(v.t));
    return {};
  }
  v = convert(v, promoted(v.t), e->at);
  if (op == "+") {
    v.literal_zero = false;
    return v;
  }
  return scalar_value(v.t, emit(op == "-" ? Op::neg : Op::not_, machine_type(v.t), v.s));
}

Value Lower::postfix(const Expr* e) {
  const Value v = expr(e->a);
  if (v.bad()) return {};
  if (!v.lvalue()) {
    error(e->at, "only a variable can be counted");
    return {};
  }
  Value old = rvalue(v);
  if (old.bad()) return {};
  if (old.s.k == Operand::reg) old.s = materialize(old.s, machine_type(old.t));
  const Value next = step(v, e->text == "++", e->at);
  if (next.bad()) return {};
  store(v, convert(next, v.t, e->at, true), e->at);
  return old;
}

Value Lower::assign(const Expr* e) {
  if (e->text == "=") {
    Value target, v;
    if (e->b->form == ExprForm::list) {
      target = expr(e->a);
      if (target.bad()) return {};
      v = construct_type(target.t, e->b->list, true, e->b->at);
    } else {
      v = rvalue(expr(e->b));
      if (!v.bad() && v.form == Form::scalar && v.s.k == Operand::reg && has_effects(e->a)) v.s = materialize(v.s, machine_type(v.t));
      target = expr(e->a);
    }
    if (v.bad() || target.bad()) return {};
    const At here(*this, e->at, e->prelude);
    if (!target.lvalue() || target.t->k == Ty::array || target.t->k == Ty::lambda) {
      error(e->operator_at, target.lvalue() ? "arrays cannot be assigned as a whole" : "only a variable can be assigned to", target.lvalue() ? "copy the elements in a loop" : "");
      return {};
    }
    store(target, v, e->operator_at);
    return target;
  }
  const std::string_view op = e->text.substr(0, e->text.size() - 1);
  Value b = expr(e->b);
  if (!b.bad() && b.t->k != Ty::structure) {
    b = rvalue(b);
    if (!b.bad() && b.form == Form::scalar && b.s.k == Operand::reg && has_effects(e->a)) b.s = materialize(b.s, machine_type(b.t));
  }
  const Value target = expr(e->a);
  if (b.bad() || target.bad()) return {};
  const At here(*this, e->at, e->prelude);
  if (target.t->k == Ty::structure) {
    bool found = false;
    const Value v = user_operator(e->text, {target, b}, e->operator_at, found);
    if (!found) {
      const Value sum = user_operator(op, {target, b}, e->operator_at, found);
      if (found && !sum.bad() && sum.t == target.t && target.t->s->decl->prelude) return store(target, sum, e->operator_at), target;
      error(e->operator_at, "'" + std::string(e->text) + "' does not go with " + spelled(target.t));
      return {};
    }
    return v;
  }
  if (!target.lvalue() || target.t->k == Ty::array) {
    error(e->operator_at, "only a variable can be assigned to");
    return {};
  }
  const Value a = rvalue(target);
  b = rvalue(b);
  if (a.bad() || b.bad()) return {};
  const Value v = is_half(a.t) && is_arithmetic(b.t) ? Value{} : arithmetic(op, a, b, e->operator_at);
  if (v.bad()) {
    if (is_half(a.t) && is_arithmetic(b.t)) error(e->operator_at, "'" + std::string(e->text) + "' does not go with " + spelled(a.t) + " and " + spelled(b.t), "convert the value to " + spelled(a.t));
    return {};
  }
  store(target, convert(v, target.t, e->operator_at, true), e->operator_at);
  return target;
}

}  // namespace lk::simt
