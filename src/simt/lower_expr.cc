#include <algorithm>

#include "simt/lower.h"

namespace lk::simt {

Value Lower::expr(const Expr* e) {
  const Deeper deeper(*this);
  if (too_much(e->at)) return {};
  const At here(*this, e->at, e->prelude);
  return expr_inner(e);
}

Value Lower::expr_inner(const Expr* e) {
  switch (e->form) {
    case ExprForm::bad: return {};
    case ExprForm::integer: case ExprForm::floating: case ExprForm::boolean: case ExprForm::null_pointer: case ExprForm::text: case ExprForm::character: return literal(e);
    case ExprForm::name: return name(e);
    case ExprForm::unary: return unary(e);
    case ExprForm::postfix: return postfix(e);
    case ExprForm::binary: return e->text == "&&" || e->text == "||" ? logical(e) : binary(e);
    case ExprForm::assign: return assign(e);
    case ExprForm::conditional: return conditional(e);
    case ExprForm::comma: expr(e->a); return expr(e->b);
    case ExprForm::call: return call(e);
    case ExprForm::subscript: return subscript(e);
    case ExprForm::member: return member(e);
    case ExprForm::cast: return cast(e);
    case ExprForm::construct: return construct(e);
    case ExprForm::list: error(e->at, "a list in braces stands where a value is expected", "name the type before it"); return {};
    case ExprForm::size_of_type:
    case ExprForm::size_of: {
      const CType* t = nullptr;
      if (e->type) {
        t = resolve(e->type, scope_).t;
      } else {
        const size_t size = body_.code.size(), mark = journal_.size();
        const bool old = not_constant_;
        const Value v = expr(e->a);
        not_constant_ = old;
        body_.code.resize(size);
        end_branch(mark);
        t = v.t;
      }
      if (!t || t->k == Ty::bad) return {};
      return number(types_.basic(Ty::ulong), uint64_t(e->text == "alignof" ? t->align : t->size));
    }
    case ExprForm::lambda: {
      Value v;
      v.t = types_.lambda(e->lambda);
      v.form = Form::scalar;
      v.scope = scope_;
      FunctionDecl& f = *e->lambda;
      if (f.capture_values || !f.captures.empty()) {
        // What is captured by value is copied now.
        Scope* copies = new_scope(scope_);
        for (const auto& c : f.captures) {
          if (c.reference && !c.init) continue;
          const Symbol* s = c.init ? nullptr : find(c.name, scope_);
          if (!c.init && (!s || s->kind != Symbol::variable || !s->var)) {
            if (!s) unknown_name(c.name, c.at, false);
            continue;
          }
          const Value from = rvalue(c.init ? expr(c.init) : var_value(*s->var));
          if (from.bad()) continue;
          Var* copy = new_var(c.name, &c, from.t, 0);
          make_cells(*copy);
          store(var_value(*copy), from, c.at);
          copies->names.push_back({c.name, {Symbol::variable, copy, from.t, 0, 0}});
        }
        if (f.capture_values) {
          for (Scope* s = scope_; s && s != &unit_scope_ && !(frame_ && s == frame_->scope->parent); s = s->parent)
            for (const auto& n : s->names) {
              if (n.second.kind != Symbol::variable || !n.second.var || n.second.var->where != Var::in_cells || find(n.first, copies) != &n.second) continue;
              const Value from = rvalue(var_value(*n.second.var));
              if (from.bad() || n.second.var->type->k == Ty::array) continue;
              Var* copy = new_var(n.first, n.second.var->key, from.t, q_const);
              copy->key = e;
              make_cells(*copy);
              Value open = var_value(*copy);
              open.quals = 0;
              store(open, from, e->at);
              copies->names.push_back({n.first, {Symbol::variable, copy, from.t, 0, q_const}});
            }
        }
        v.scope = copies;
      }
      return v;
    }
  }
  return {};
}

Value Lower::literal(const Expr* e) {
  switch (e->form) {
    case ExprForm::integer: {
      const IntegerLiteral i = integer_literal(e->text);
      if (i.bad) {
        error(e->at, "'" + std::string(e->text) + "' is no whole number that fits 64 bits", "digits may be grouped by '; suffixes are u, l and ll");
        return {};
      }
      const Ty k = i.longs == 0 ? (i.is_unsigned ? Ty::uint : Ty::int_) : i.longs == 1 ? (i.is_unsigned ? Ty::ulong : Ty::long_) : (i.is_unsigned ? Ty::ullong : Ty::llong);
      Value v = number(types_.basic(k), i.value);
      v.literal_zero = i.value == 0;
      return v;
    }
    case ExprForm::floating: {
      const FloatingLiteral f = floating_literal(e->text);
      if (f.bad) {
        error(e->at, "'" + std::string(e->text) + "' is no number");
        return {};
      }
      if (f.single) return number(types_.basic(Ty::float_), float_bits(float(f.value)));
      return number(types_.basic(Ty::double_), double_bits(f.value));
    }
    case ExprForm::boolean: return number(types_.basic(Ty::bool_), e->text == "true");
    case ExprForm::null_pointer: return number(types_.basic(Ty::null_pointer), 0);
    case ExprForm::character: {
      const std::string_view s = e->text.substr(1, e->text.size() < 2 ? 0 : e->text.size() - 2);
      int c = s.empty() ? 0 : s[0];
      if (s.size() == 2 && s[0] == '\\') {
        const std::string_view from = "ntr0\\'\"a", to("\n\t\r\0\\'\"\a", 8);
        const size_t k = from.find(s[1]);
        if (k == std::string_view::npos) error(e->at, "this escape is not known");
        else c = to[k];
      } else if (s.size() != 1) {
        error(e->at, "a character literal holds one character");
      }
      return number(types_.basic(Ty::char_), uint32_t(c));
    }
    default: break;
  }
  error(e->at, "strings are not supported in kernels", "numbers and arrays of numbers are");
  return {};
}

Value Lower::special_variable(std::string_view n, const Span&) {
  int first = -1;
  if (n == "threadIdx") first = int(Special::thread_x);
  else if (n == "blockIdx") first = int(Special::block_x);
  else if (n == "blockDim") first = int(Special::block_dim_x);
  else if (n == "gridDim") first = int(Special::grid_dim_x);
  if (n == "warpSize") return number(types_.basic(Ty::int_), 32);
  if (first < 0) return {};
  const auto f = unit_.structs.find(n == "threadIdx" || n == "blockIdx" ? "uint3" : "dim3");
  if (f == unit_.structs.end()) return {};
  not_constant_ |= constant_serial_ >= 0;
  Value v;
  v.t = struct_type(f->second, nullptr, &unit_scope_, at_);
  v.form = Form::aggregate;
  for (int k = 0; k < 3; ++k) v.parts.push_back(special(Special(first + k)));
  return v;
}

Value Lower::field(const Value& v, std::string_view n, const Span& at) {
  if (is_packed(v.t) && (n == "x" || n == "y")) {
    const CType* half = types_.basic(v.t->k == Ty::half2 ? Ty::half : Ty::bf16);
    const int which = n == "y";
    if (v.lvalue()) {
      Value out = v;
      out.t = half;
      out.half = which;
      return out;
    }
    return scalar_value(half, half_part(v.s, which));
  }
  if (v.t->k != Ty::structure) {
    error(at, spelled(v.t) + " has no members", v.t->k == Ty::pointer ? "write -> for what it points to" : "");
    return {};
  }
  for (const Field& f : v.t->s->fields)
    if (f.name == n) {
      if (v.lvalue()) {
        Value out = sub(v, f.offset, f.type);
        out.quals |= f.quals;
        return out;
      }
      Value out;
      out.t = f.type;
      const auto& parts = types_.parts(v.t);
      for (size_t k = 0; k < parts.size() && k < v.parts.size(); ++k)
        if (parts[k].offset >= f.offset && parts[k].offset < f.offset + f.type->size) out.parts.push_back(v.parts[k]);
      if (is_scalar(f.type)) return scalar_value(f.type, out.parts.empty() ? Operand::known(0) : out.parts[0]);
      out.form = Form::aggregate;
      if (f.type->k == Ty::array) return spill(out);
      return out;
    }
  if (v.t->s->scope)
    for (const auto& c : v.t->s->scope->names)
      if (c.first == n && c.second.kind == Symbol::constant) return number(c.second.t, c.second.bits);
  std::vector<std::string_view> names;
  for (const Field& f : v.t->s->fields) names.push_back(f.name);
  for (const FunctionDecl* m : v.t->s->decl->methods) names.push_back(m->name);
  const std::string near = closest(n, names);
  error(at, v.t->s->name + " has no member '" + std::string(n) + "'", near.empty() ? "" : "did you mean " + near + "?");
  return {};
}

void Lower::unknown_name(std::string_view n, const Span& at, bool function) {
  const std::string text = "'" + std::string(n) + "'";
  if (const auto f = unit_.host_functions.find(n); f != unit_.host_functions.end())
    return error(at, text + " is a function of the host (line " + std::to_string(f->second.line) + ")", "mark it __device__ to call it from a kernel");
  if (const auto f = unit_.host_variables.find(n); f != unit_.host_variables.end())
    return error(at, text + " is a variable of the host (line " + std::to_string(f->second.line) + ")", "make it constexpr or pass it as an argument");
  if (const auto f = unit_.unusable.find(n); f != unit_.unusable.end()) return error(at, text + " cannot be used in a kernel: " + f->second.what, f->second.hint);
  std::vector<std::string> names;
  for (Scope* s = scope_; s; s = s->parent)
    for (const auto& x : s->names) names.emplace_back(x.first);
  for (const auto& x : unit_.functions) names.emplace_back(x.first);
  for (const auto& x : unit_.variables) names.emplace_back(x.first);
  for (const char* x : {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"}) names.emplace_back(x);
  const std::string near = closest(n, names);
  error(at, text + (function ? " is not a function that kernels can call" : " is not declared"), near.empty() ? "" : "did you mean " + near + "?");
}

Value Lower::name(const Expr* e) {
  // Type::value
  if (e->type || !e->qualifier.empty()) {
    const CType* t = nullptr;
    if (e->type) {
      if (e->type->name == "numeric_limits") {
        error(e->at, "numeric_limits gives values by calls", "write max(), min(), lowest(), infinity() or epsilon()");
        return {};
      }
      t = resolve(e->type, scope_).t;
      if (t->k == Ty::bad) return {};
    } else if (const Symbol* s = find(e->qualifier, scope_); s && s->kind == Symbol::type) {
      t = s->t;
    } else if (const auto f = unit_.enums.find(e->qualifier); f != unit_.enums.end()) {
      t = enum_type(f->second, scope_);
    } else if (const auto g = unit_.structs.find(e->qualifier); g != unit_.structs.end() && !g->second->is_template) {
      t = struct_type(g->second, nullptr, scope_, e->at);
    }
    if (t && t->k == Ty::enumeration) {
      if (const Symbol* s = enumerator(t->e, e->text)) return number(s->t, s->bits);
      std::vector<std::string_view> names;
      for (const auto& i : t->e->items) names.push_back(i.name);
      const std::string near = closest(e->text, names);
      error(e->at, spelled(t) + " has no value '" + std::string(e->text) + "'", near.empty() ? "" : "did you mean " + near + "?");
      return {};
    }
    if (t && t->k == Ty::structure) {
      for (const auto& c : t->s->scope->names)
        if (c.first == e->text && c.second.kind == Symbol::constant) return number(c.second.t, c.second.bits);
      error(e->at, spelled(t) + " has no static member '" + std::string(e->text) + "'");
      return {};
    }
  }
  for (Scope* s = scope_; s; s = s->parent) {
    for (size_t k = s->names.size(); k-- > 0;) {
      if (s->names[k].first != e->text) continue;
      const Symbol& symbol = s->names[k].second;
      if (symbol.kind == Symbol::constant) return number(symbol.t, symbol.bits);
      if (symbol.kind == Symbol::type) {
        error(e->at, "'" + std::string(e->text) + "' is a type, not a value");
        return {};
      }
      if (!symbol.var) return {};  // its declaration had an error
      return var_value(*symbol.var);
    }
    if (s->self) {
      const Value self = var_value(*s->self);
      if (self.t->k == Ty::structure)
        for (const Field& f : self.t->s->fields)
          if (f.name == e->text) return field(self, e->text, e->at);
    }
  }
  if (e->text == "this") {
    for (Scope* s = scope_; s; s = s->parent)
      if (s->self) return address_of(var_value(*s->self), e->at);
  }
  if (Value v = special_variable(e->text, e->at); !v.bad()) return v;
  if (const Symbol* s = global(e->text, e->at)) {
    if (s->kind == Symbol::constant) return number(s->t, s->bits);
    return var_value(*s->var);
  }
  if (unit_.variables.count(e->text)) return {};
  if (const Symbol* s = enumerator(e->text)) return number(s->t, s->bits);
  if (unit_.functions.count(e->text)) {
    error(e->at, "'" + std::string(e->text) + "' is a function", "call it with (...); function pointers are not supported");
    return {};
  }
  unknown_name(e->text, e->at, false);
  return {};
}

Value Lower::subscript(const Expr* e) {
  Value a = expr(e->a);
  Value i = rvalue(expr(e->b));
  if (a.bad() || i.bad()) return {};
  const At here(*this, e->at, e->prelude);
  if (a.t->k == Ty::structure) {
    bool found = false;
    const Value v = user_operator("[]", {a, i}, e->at, found);
    if (!found) error(e->at, spelled(a.t) + " cannot be indexed");
    return v;
  }
  if (a.t->k != Ty::array) a = rvalue(a);
  if (a.bad()) return {};
  if (is_integer(a.t) && i.t->k == Ty::pointer) std::swap(a, i);
  if (!is_integer(i.t) || (i.t->k == Ty::enumeration && i.t->e->scoped)) {
    error(e->b->at, "an index is a whole number, not " + spelled(i.t));
    return {};
  }
  if (a.t->k == Ty::array) {
    const CType* of = a.t->of;
    if (i.s.is_number()) {
      const int64_t at = signed_value(machine_type(i.t), i.s.bits);
      const bool inside = (at >= 0 && at < a.t->n) || a.t->n == 0;
      if (!inside && a.form == Form::cells) need_memory(a.var);
      return inside || a.form == Form::memory ? sub(a, at * of->size, of) : sub(a, 0, of);
    }
    if (a.form == Form::cells) {
      need_memory(a.var);
      return sub(a, 0, of);
    }
    Value out = sub(a, 0, of);
    out.s = offset_address(a.s, i.s, i.t, of->size);
    return out;
  }
  if (a.t->k != Ty::pointer) {
    error(e->at, spelled(a.t) + " cannot be indexed", "only arrays and pointers can");
    return {};
  }
  const Value p = pointer_arithmetic("+", a, i, e->at);
  if (p.bad()) return {};
  Value out = dereference(a, e->at);
  if (out.bad()) return {};
  // A known index goes into the access itself.
  if (i.s.is_number() && out.form == Form::memory) return sub(out, signed_value(machine_type(i.t), i.s.bits) * out.t->size, out.t);
  return dereference(p, e->at);
}

Value Lower::member(const Expr* e) {
  if (e->a->form == ExprForm::name && !e->arrow && !find(e->a->text, scope_)) {
    // threadIdx.x alone needs no threadIdx.y.
    const std::string_view n = e->a->text, m = e->text;
    const int k = m == "x" ? 0 : m == "y" ? 1 : m == "z" ? 2 : -1;
    int first = -1;
    if (n == "threadIdx") first = int(Special::thread_x);
    else if (n == "blockIdx") first = int(Special::block_x);
    else if (n == "blockDim") first = int(Special::block_dim_x);
    else if (n == "gridDim") first = int(Special::grid_dim_x);
    if (first >= 0 && k >= 0) {
      not_constant_ |= constant_serial_ >= 0;
      return scalar_value(types_.basic(Ty::uint), special(Special(first + k)));
    }
  }
  Value v = expr(e->a);
  if (v.bad()) return {};
  if (e->arrow) {
    v = dereference(rvalue(v), e->at);
    if (v.bad()) return {};
  }
  return field(v, e->text, e->operator_at);
}

Value Lower::cast(const Expr* e) {
  const Typed t = resolve(e->type, scope_);
  Value v = expr(e->a);
  if (t.t->k == Ty::bad || v.bad()) return {};
  const bool reinterpret = e->text == "reinterpret_cast";
  if (t.reference) {
    if (!v.lvalue()) {
      if (t.quals & q_const) v = spill(v);
      else {
        error(e->at, "a value cannot be referred to", "name it first");
        return {};
      }
    }
    if (v.t != t.t && e->text == "static_cast") {
      error(e->at, "static_cast cannot turn " + spelled(v.t) + " into a reference to " + spelled(t.t), "use reinterpret_cast if it is meant");
      return {};
    }
    v.t = t.t;
    v.quals = e->text == "const_cast" ? t.quals : uint8_t(v.quals | t.quals);
    return v;
  }
  v = rvalue(v);
  if (v.bad()) return {};
  if (reinterpret && !(v.t->k == Ty::pointer || t.t->k == Ty::pointer || v.t == t.t)) {
    error(e->at, "reinterpret_cast cannot turn " + spelled(v.t) + " into " + spelled(t.t),
          is_scalar(v.t) && is_scalar(t.t) ? "use static_cast for the value, __float_as_int and kin for the bits" : "");
    return {};
  }
  if (e->text == "static_cast" && v.t->k == Ty::pointer && t.t->k == Ty::pointer && v.t != t.t && v.t->of->k != Ty::void_ && t.t->of->k != Ty::void_ && v.t->of != t.t->of) {
    error(e->at, "static_cast cannot turn " + spelled(v.t) + " into " + spelled(t.t), "use reinterpret_cast if it is meant");
    return {};
  }
  if (t.t->k == Ty::pointer && v.t->k == Ty::pointer && (v.t->quals & ~t.t->quals & q_const) && (reinterpret || e->text == "static_cast")) {
    error(e->at, "this cast drops const", "keep const in the target type");
    return {};
  }
  return convert(v, t.t, e->at, true);
}

Value Lower::construct(const Expr* e) {
  const Typed t = resolve(e->type, scope_);
  if (t.t->k == Ty::bad) return {};
  return construct_type(t.t, e->list, e->braced, e->at);
}

Value Lower::construct_type(const CType* t, const std::vector<Expr*>& list, bool braced, const Span& at) {
  if (is_scalar(t)) {
    if (list.empty()) return number(t, 0);
    if (list.size() > 1) {
      error(at, spelled(t) + " takes one value");
      return {};
    }
    return convert(list[0]->form == ExprForm::list ? Value{} : expr(list[0]), t, at, !braced);
  }
  if (t->k == Ty::void_) {
    for (const Expr* x : list) expr(x);
    return number(t, 0);
  }
  static const char key = 0;
  if (t->k == Ty::structure) {
    std::vector<FunctionDecl*> constructors;
    for (FunctionDecl* m : t->s->decl->methods)
      if (!m->result && m->name == t->s->decl->name) constructors.push_back(m);
    bool simple = false;
    if (list.size() == 1 && list[0]->form != ExprForm::list && !constructors.empty()) {
      // A copy?
      const size_t size = body_.code.size(), mark = journal_.size();
      const Value v = expr(list[0]);
      if (!v.bad() && v.t == t) return rvalue(v);
      body_.code.resize(size);
      end_branch(mark);
    }
    if (!constructors.empty() && !simple) {
      const std::vector<Value> args = arguments(list);
      for (const Value& v : args)
        if (v.bad()) return {};
      Candidate c;
      if (!resolve_call(constructors, t->s->scope, args, nullptr, at, t->s->decl->name, c)) return {};
      Var* var = new_var("a value", t, t, 0);
      make_cells(*var);
      Value self = var_value(*var);
      call_function(c, args, at, &self);
      return rvalue(self);
    }
  }
  Var* var = new_var("a value", &key, t, 0);
  make_cells(*var);
  Value target = var_value(*var);
  size_t next = 0;
  if (!braced && list.size() == 1 && list[0]->form != ExprForm::list) {
    const Value v = expr(list[0]);
    if (v.bad()) return {};
    if (v.t == t) return rvalue(v);
    if (t->k != Ty::structure || !t->s->decl->prelude) {
      error(at, spelled(v.t) + " cannot be turned into " + spelled(t), "give its members in braces");
      return {};
    }
  } else if (!braced && !list.empty() && !(t->k == Ty::structure && t->s->decl->prelude)) {
    error(at, spelled(t) + " has no constructor", "give its members in braces");
    return {};
  }
  initialize_list(target, list, next, true, at);
  return t->k == Ty::array ? target : rvalue(target);
}

}  // namespace lk::simt
