#include <algorithm>

#include "simt/lower.h"

namespace lk::simt {

Var* Lower::new_var(std::string_view name, const void* key, const CType* t, uint8_t quals) {
  Var& v = vars_.emplace_back();
  v.name = name;
  v.key = key;
  v.type = t;
  v.quals = quals;
  v.serial = serial_++;
  live_.push_back(&v);
  return &v;
}

// Gives a variable its place: registers, or local memory when that was found to be needed.
void Lower::make_cells(Var& v) {
  const bool single = is_scalar(v.type);
  const std::vector<Part>* parts = single ? nullptr : &types_.parts(v.type);
  const bool large = parts && parts->empty() && v.type->size > 0 && !(v.type->k == Ty::structure && v.type->s->fields.empty());
  if (memory_.count(v.key) || large) {
    const auto [slot, fresh] = local_at_.try_emplace(v.key, 0);
    if (fresh || std::string_view(v.name) == "a temporary value") {
      const int64_t align = std::max(v.type->align, 4);
      slot->second = (local_bytes_ + align - 1) / align * align;
      local_bytes_ = slot->second + v.type->size;
    }
    if (local_bytes_ > 512 * 1024) {
      error(at_, "a thread's local memory would be more than 512 KiB", "use shared or global memory");
      local_bytes_ = 0;
      stopped_ = true;
    }
    v.where = Var::in_memory;
    v.place.t = v.type;
    v.place.form = Form::memory;
    v.place.s = Operand::known(local_window + uint64_t(slot->second));
    v.place.space = Space::local;
    v.place.quals = v.quals;
    return;
  }
  v.where = Var::in_cells;
  if (single) v.cells.push_back({{0, v.type}, -1, &v, false, {}});
  else
    for (const Part& p : *parts) v.cells.push_back({p, -1, &v, false, {}});
}

Value Lower::var_value(Var& v) {
  if (v.where != Var::in_cells) return v.place;
  Value out;
  out.t = v.type;
  out.form = Form::cells;
  out.var = &v;
  out.quals = v.quals;
  return out;
}

Value Lower::sub(const Value& v, int64_t offset, const CType* t) {
  Value out = v;
  out.t = t;
  out.offset += offset;
  return out;
}

void Lower::zero(const Value& target) {
  const std::vector<Part> one{{0, target.t}};
  const std::vector<Part>& parts = is_scalar(target.t) ? one : types_.parts(target.t);
  for (const Part& p : parts) store_parts(sub(target, p.offset, p.type), {Operand::known(0)});
}

void Lower::initialize_at(Value target, const Expr* init) {
  target.quals &= uint8_t(~q_const);
  if (init->form == ExprForm::list) {
    if (target.t->k == Ty::structure && !init->list.empty()) {
      for (const FunctionDecl* m : target.t->s->decl->methods)
        if (!m->result && m->name == target.t->s->decl->name) {
          store(target, construct_type(target.t, init->list, true, init->at), init->at);
          return;
        }
    }
    size_t next = 0;
    initialize_list(target, init->list, next, true, init->at);
    return;
  }
  if (target.t->k == Ty::array) {
    if (init->form == ExprForm::text && target.t->of->size == 1) {
      error(init->at, "strings are not supported in kernels", "list the characters");
      return;
    }
    error(init->at, "an array is initialized with a list", "write {...}");
    return;
  }
  store(target, expr(init), init->at);
}

void Lower::initialize_list(const Value& target, const std::vector<Expr*>& list, size_t& next, bool braced, const Span& at) {
  const CType* t = target.t;
  const Deeper deeper(*this);
  if (too_much(at)) return;
  if (is_scalar(t)) {
    if (list.size() > 1 && braced) return error(list[1]->at, "there are more values than " + spelled(t) + " takes");
    if (next < list.size()) initialize_at(target, list[next++]);
    else zero(target);
    return;
  }
  // One value of the very type.
  if (braced && t->k == Ty::structure && list.size() == 1 && list[0]->form != ExprForm::list) {
    const size_t size = body_.code.size();
    const Value v = expr(list[0]);
    if (!v.bad() && v.t == t) {
      next = 1;
      return store(target, v, at);
    }
    body_.code.resize(size);  // it is walked again as the first member
  }
  const int64_t n = t->k == Ty::array ? t->n : int64_t(t->s->fields.size());
  for (int64_t k = 0; k < n; ++k) {
    const CType* et = t->k == Ty::array ? t->of : t->s->fields[size_t(k)].type;
    const Value element = sub(target, t->k == Ty::array ? k * et->size : t->s->fields[size_t(k)].offset, et);
    if (next >= list.size()) {
      if (t->k == Ty::structure && k < int64_t(t->s->decl->fields.size()) && t->s->decl->fields[size_t(k)]->init) {
        Scope* const old = scope_;
        scope_ = t->s->scope;
        initialize_at(element, t->s->decl->fields[size_t(k)]->init);
        scope_ = old;
      } else {
        zero(element);
      }
      continue;
    }
    const Expr* e = list[next];
    if (e->form == ExprForm::list) {
      ++next;
      initialize_at(element, e);
    } else if (is_scalar(et)) {
      ++next;
      initialize_at(element, e);
    } else {
      const Value v = expr(e);
      if (v.bad()) {
        ++next;
      } else if (rvalue(v).t == et || et->k == Ty::structure) {
        ++next;
        Value open = element;
        open.quals &= uint8_t(~q_const);
        store(open, v, e->at);
      } else {
        initialize_list(element, list, next, false, at);  // its braces were left out
      }
    }
    if (stopped_) return;
  }
  if (braced && next < list.size()) error(list[next]->at, "there are more values than " + spelled(t) + " takes", std::to_string(n) + " fit");
}

void Lower::shared_variable(const VarDecl* d, const Typed& t) {
  Var*& slot = shared_[{d, t.t}];
  if (slot) return;
  if (!kernel_) return error(d->at, "shared memory belongs to a kernel");
  if (d->init) error(d->at, "shared memory cannot be initialized where it is declared", "let threads write it, then __syncthreads()");
  SharedVariable out;
  out.name = d->name;
  const CType* element = t.t;
  int64_t count = 1;
  for (; element->k == Ty::array; element = element->of) {
    out.extents.push_back(int(element->n));
    count *= element->n;
  }
  const auto& parts = types_.parts(element);
  out.element = element->k == Ty::structure ? (parts.empty() ? Type::u8 : memory_type(parts[0].type)) : memory_type(element);
  const int align = std::max({t.t->align, element->align, 1});
  Var* v = new_var(d->name, d, t.t, t.quals);
  live_.pop_back();
  slot = v;
  v->where = Var::in_memory;
  v->place.t = t.t;
  v->place.form = Form::memory;
  v->place.space = Space::shared;
  v->place.quals = t.quals;
  if (d->is_extern) {
    // All extern arrays begin at the same place. It is known once the static ones are: see emit_kernel.
    kernel_->dynamic_shared = true;
    out.size = 0;
    out.offset = -1;
    v->place.s = Operand::known(shared_window + (uint64_t{1} << 40));
  } else {
    if (count == 0) {
      error(d->at, "a shared array needs its extents", "write extern __shared__ for one whose size the launch gives");
      count = 1;
    }
    const int64_t at = (kernel_->shared_bytes + align - 1) / align * align;
    out.offset = int(at);
    out.size = int(t.t->size);
    if (at + t.t->size > (1 << 20)) {
      error(d->at, "this takes " + std::to_string(at + t.t->size) + " bytes of shared memory; 49,152 can be static", "make it smaller");
    } else {
      kernel_->shared_bytes = int(at + t.t->size);
    }
    v->place.s = Operand::known(shared_window + uint64_t(at));
  }
  kernel_->shared.push_back(out);
}

void Lower::declaration(const VarDecl* d) {
  const At here(*this, d->at, false);
  if (d->is_shared || (d->is_extern && d->type->form == TypeForm::array)) {
    const Typed t = resolve(d->type, scope_);
    if (t.t->k == Ty::bad) return;
    shared_variable(d, t);
    if (Var* v = shared_[{d, t.t}]) scope_->names.push_back({d->name, {Symbol::variable, v, t.t, 0, t.quals}});
    return;
  }
  if (d->is_static && !d->is_constexpr && !d->type->is_const)
    return error(d->at, "static variables are not supported in kernels", "use shared or global memory");
  const TypeNode* core = d->type;
  while (core->of && (core->form == TypeForm::reference || core->form == TypeForm::pointer)) core = core->of;
  const bool automatic = core->form == TypeForm::automatic;
  // A name that is declared but fails still is known, so that one error does not become many.
  const auto give_up = [&] { scope_->names.push_back({d->name, {Symbol::variable, nullptr, nullptr, 0, 0}}); };
  Value init;
  const Expr* source = d->init;
  if (source && d->parenthesized && source->list.size() == 1) source = source->list[0];
  Typed t{types_.basic(Ty::bad), 0, 0, false};
  if (automatic) {
    if (!source) {
      error(d->at, "auto needs a value", "write auto x = ...");
      return give_up();
    }
    if (source->form == ExprForm::list && source->list.size() == 1) source = source->list[0];
    if (source->form == ExprForm::list) {
      error(source->at, "auto cannot be deduced from a list", "name the type");
      return give_up();
    }
    init = expr(source);
    if (init.bad()) return give_up();
    if (d->type->form != TypeForm::reference) init = rvalue(init);
    if (init.bad()) return give_up();
    if (init.t->k == Ty::void_) {
      error(source->at, "this gives no value");
      return give_up();
    }
    if (init.t->k == Ty::lambda) {
      Var* v = new_var(d->name, d, init.t, q_const);
      v->where = Var::alias;
      v->place = init;
      scope_->names.push_back({d->name, {Symbol::variable, v, init.t, 0, q_const}});
      return;
    }
    t = resolve(d->type, scope_, init.t);
    if (t.reference && init.lvalue()) t.quals |= init.quals;
  } else {
    t = resolve(d->type, scope_);
  }
  if (t.t->k == Ty::bad) return give_up();
  if (t.t->k == Ty::void_) {
    error(d->at, "a variable cannot be void");
    return give_up();
  }
  if (t.reference) {
    if (!source) {
      error(d->at, "a reference needs something to refer to");
      return give_up();
    }
    if (init.bad()) init = source->form == ExprForm::list && source->list.size() == 1 ? expr(source->list[0]) : source->form == ExprForm::list ? Value{} : expr(source);
    if (init.bad()) return give_up();
    const bool is_const = t.quals & q_const;
    if (!init.lvalue() || init.half >= 0 || init.t != t.t) {
      if (!is_const) {
        error(d->at, init.lvalue() ? "a reference to " + spelled(t.t) + " cannot refer to " + spelled(init.t) : "a reference that is not const needs a variable",
              "write const " + spelled(t.t) + "&, or copy the value");
        return give_up();
      }
      init = spill(convert(init, t.t, d->at));
      if (init.bad()) return give_up();
    } else if ((init.quals & ~t.quals) & q_const) {
      error(d->at, "this reference would drop const", "make it a reference to const");
    }
    Var* v = new_var(d->name, d, t.t, t.quals);
    v->where = Var::alias;
    v->place = init;
    v->place.quals |= t.quals;
    scope_->names.push_back({d->name, {Symbol::variable, v, t.t, 0, t.quals}});
    return;
  }
  // int a[] = {1, 2, 3}
  if (t.t->k == Ty::array && t.t->n == 0) {
    if (!d->init || d->init->form != ExprForm::list) {
      error(d->at, "this array needs its extent");
      return give_up();
    }
    t.t = types_.array(t.t->of, std::max<int64_t>(1, int64_t(d->init->list.size())));
  }
  Var* v = new_var(d->name, d, t.t, t.quals | (d->is_constexpr ? q_const : 0));
  v->restricted = t.restricted;
  make_cells(*v);
  const Value target = var_value(*v);
  if (!init.bad()) {
    Value open = target;
    open.quals &= uint8_t(~q_const);
    store(open, init, source->at);
  } else if (d->parenthesized && t.t->k == Ty::structure) {
    Value made = construct_type(t.t, d->init->list, false, d->at);
    Value open = target;
    open.quals &= uint8_t(~q_const);
    store(open, made, d->at);
  } else if (source) {
    // The variable's own name is not visible in what it is initialized with, but a list may be walked part by part.
    initialize_at(target, source);
  } else if (t.t->k == Ty::structure) {
    // A default constructor or members with values.
    bool made = false;
    for (FunctionDecl* m : t.t->s->decl->methods)
      if (!m->result && m->parameters.empty() && m->body) {
        Candidate c;
        c.f = m;
        c.scope = t.t->s->scope;
        Value self = target;
        self.quals &= uint8_t(~q_const);
        call_function(c, {}, d->at, &self);
        made = true;
      }
    if (!made)
      for (size_t k = 0; k < t.t->s->fields.size() && k < t.t->s->decl->fields.size(); ++k)
        if (t.t->s->decl->fields[k]->init) {
          Scope* const old = scope_;
          scope_ = t.t->s->scope;
          initialize_at(sub(target, t.t->s->fields[k].offset, t.t->s->fields[k].type), t.t->s->decl->fields[k]->init);
          scope_ = old;
        }
  } else if (t.quals & q_const) {
    error(d->at, "a const variable needs a value");
  }
  if (d->is_constexpr || t.quals & q_const) {
    v->is_constant = v->where == Var::in_cells && !v->cells.empty() && std::all_of(v->cells.begin(), v->cells.end(), [](const Cell& c) { return c.known && c.value.is_number(); });
    if (d->is_constexpr && !v->is_constant && v->where == Var::in_cells && problems_.errors() == 0 && !again_)
      error(d->at, "'" + std::string(d->name) + "' is constexpr, but its value is not known at compile time", "make it const");
  }
  scope_->names.push_back({d->name, {Symbol::variable, v, t.t, 0, v->quals}});
}

}  // namespace lk::simt
