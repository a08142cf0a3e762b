#include <algorithm>

#include "simt/lower.h"

namespace lk::simt {

std::vector<Value> Lower::arguments(const std::vector<Expr*>& list) {
  std::vector<Value> out;
  for (size_t k = 0; k < list.size(); ++k) {
    Value v = list[k]->form == ExprForm::list ? Value{} : expr(list[k]);
    if (list[k]->form == ExprForm::list) error(list[k]->at, "a list in braces cannot be an argument here", "name the type before it");
    if (!v.bad() && v.t->k == Ty::void_) {
      error(list[k]->at, "this gives no value");
      v = {};
    }
    out.push_back(std::move(v));
  }
  // An argument that stands in a variable which a later one changes keeps its own value.
  for (size_t k = 0; k + 1 < out.size(); ++k) {
    bool later = false;
    for (size_t j = k + 1; j < list.size(); ++j) later |= list[j]->form == ExprForm::postfix || list[j]->form == ExprForm::assign;
    if (later && out[k].form == Form::scalar && out[k].s.k == Operand::reg && is_scalar(out[k].t)) out[k].s = materialize(out[k].s, machine_type(out[k].t));
  }
  return out;
}

int Lower::conversion_rank(const Value& v, const CType* to, uint8_t quals, int reference) {
  if (v.bad()) return 0;
  const CType* from = v.t;
  if (reference == 1) return v.lvalue() && from == to && v.half < 0 && !(v.quals & ~quals & q_const) ? 0 : from == to && from->k == Ty::lambda ? 0 : -1;
  if (from == to) return reference == 2 && !(v.quals & q_const) && v.lvalue() ? 0 : 0;
  if (from->k == Ty::array) {
    if (to->k != Ty::pointer) return to->k == Ty::bool_ ? 3 : -1;
    if (to->of == from->of) return (v.quals & ~to->quals & q_const) ? -1 : (to->quals & q_const) && !(v.quals & q_const) ? 1 : 0;
    return to->of->k == Ty::void_ ? 2 : -1;
  }
  if (to->k == Ty::pointer) {
    if (from->k == Ty::null_pointer || (is_integer(from) && v.literal_zero && v.s.is_number() && v.form == Form::scalar)) return 2;
    if (from->k != Ty::pointer || (from->quals & ~to->quals & q_const)) return -1;
    if (from->of == to->of) return 1;
    return to->of->k == Ty::void_ ? 2 : -1;
  }
  if (from->k == Ty::pointer) return to->k == Ty::bool_ ? 3 : -1;
  if (is_arithmetic(from) && is_arithmetic(to)) {
    if (from->k == Ty::enumeration && from->e->scoped) return -1;
    if (to->k == Ty::enumeration) return -1;
    if (is_integer(from) && to == promoted(from)) return 1;
    if (from->k == Ty::float_ && to->k == Ty::double_) return 1;
    return 2;
  }
  if ((is_half(from) && is_arithmetic(to)) || (is_arithmetic(from) && is_half(to))) return to->k == Ty::float_ || from->k == Ty::float_ ? 3 : 4;
  if (to->k == Ty::half2 && from->k == Ty::half) return 4;
  if (to->k == Ty::bf162 && from->k == Ty::bf16) return 4;
  if (to->k == Ty::structure && from->k != Ty::structure && is_scalar(from)) {
    for (const FunctionDecl* m : to->s->decl->methods)
      if (!m->result && m->parameters.size() == 1) return 5;
  }
  return -1;
}

bool Lower::deduce(const TypeNode* n, const CType* t, FunctionDecl* f, Scope* into, Scope* outer) {
  const auto is_parameter = [&](std::string_view name, bool type) {
    for (const TemplateParameter& p : f->templates)
      if (p.name == name && (p.type == nullptr) == type) return true;
    return false;
  };
  const auto bind = [&](std::string_view name, const Symbol& s) {
    for (const auto& x : into->names)
      if (x.first == name) return s.kind == Symbol::type ? x.second.t == s.t : x.second.bits == s.bits;
    into->names.push_back({name, s});
    return true;
  };
  switch (n->form) {
    case TypeForm::reference: return deduce(n->of, t, f, into, outer);
    case TypeForm::pointer: {
      if (t->k == Ty::array) t = types_.pointer(t->of, 0);
      if (t->k != Ty::pointer) return true;
      if (n->of->form == TypeForm::named && is_parameter(n->of->name, true))
        return bind(n->of->name, {Symbol::type, nullptr, t->of, 0, uint8_t(t->quals & ~((n->of->is_const ? q_const : 0) | (n->of->is_volatile ? q_volatile : 0)))});
      return deduce(n->of, t->of, f, into, outer);
    }
    case TypeForm::array:
      if (t->k != Ty::array) return true;
      if (n->extent && n->extent->form == ExprForm::name && is_parameter(n->extent->text, false) &&
          !bind(n->extent->text, {Symbol::constant, nullptr, types_.basic(Ty::int_), uint64_t(t->n), 0}))
        return false;
      return deduce(n->of, t->of, f, into, outer);
    case TypeForm::named: {
      if (!n->has_arguments && n->qualifier.empty() && is_parameter(n->name, true)) return bind(n->name, {Symbol::type, nullptr, t, 0, 0});
      if (!n->has_arguments || t->k != Ty::structure || t->s->decl->name != n->name) return true;
      const auto& parameters = t->s->decl->templates;
      for (size_t k = 0; k < n->arguments.size() && k < parameters.size(); ++k) {
        const Symbol* s = nullptr;
        for (const auto& x : t->s->scope->names)
          if (x.first == parameters[k].name) s = &x.second;
        if (!s) continue;
        const TemplateArgument& a = n->arguments[k];
        if (a.type && s->kind == Symbol::type && !deduce(a.type, s->t, f, into, outer)) return false;
        if (a.value && a.value->form == ExprForm::name && is_parameter(a.value->text, false) && !bind(a.value->text, *s)) return false;
      }
      return true;
    }
    default: return true;
  }
}

bool Lower::viable(FunctionDecl* f, Scope* outer, const std::vector<Value>& args, const std::vector<TemplateArgument>* explicit_arguments, Candidate& out, std::string& why) {
  size_t least = 0;
  while (least < f->parameters.size() && !f->parameters[least]->init) ++least;
  if (args.size() < least || args.size() > f->parameters.size()) {
    why = "it takes " + std::to_string(f->parameters.size()) + (f->parameters.size() == 1 ? " argument, not " : " arguments, not ") + std::to_string(args.size());
    return false;
  }
  const size_t problems = problems_.list().size();
  const bool again = again_;
  out.f = f;
  out.scope = f->is_template ? new_scope(outer) : outer;
  if (explicit_arguments && !explicit_arguments->empty() && !f->is_template) {
    why = "it is no template";
    return false;
  }
  if (f->is_template) {
    const std::vector<TemplateArgument> none;
    const std::vector<TemplateArgument>& given = explicit_arguments ? *explicit_arguments : none;
    if (given.size() > f->templates.size()) {
      why = "it has " + std::to_string(f->templates.size()) + " template parameters";
      return false;
    }
    // Those that are named, then those that follow from the arguments, then the defaults.
    const std::vector<TemplateParameter> named(f->templates.begin(), f->templates.begin() + std::ptrdiff_t(given.size()));
    bool good = bind_templates(named, given, scope_, out.scope, at_);
    if (good)
      for (size_t k = 0; k < args.size(); ++k) {
        if (args[k].bad()) continue;
        const TypeNode* n = f->parameters[k]->type;
        const CType* t = args[k].t;
        if (n->form != TypeForm::reference && t->k == Ty::array) t = types_.pointer(t->of, args[k].quals);
        if (!deduce(n, t, f, out.scope, outer)) {
          why = "its template parameters do not follow from the arguments";
          return false;
        }
      }
    std::vector<TemplateParameter> rest;
    for (const TemplateParameter& p : f->templates) {
      bool bound = false;
      for (const auto& x : out.scope->names) bound |= x.first == p.name;
      if (!bound && !(p.type ? p.default_value != nullptr : p.default_type != nullptr)) {
        why = "template parameter '" + std::string(p.name) + "' does not follow from the arguments";
        good = false;
        break;
      }
      if (!bound) rest.push_back(p);
    }
    if (good && !rest.empty()) good = bind_templates(rest, {}, out.scope, out.scope, at_);
    if (!good) {
      if (problems_.list().size() > problems && why.empty()) why = problems_.list().back().error.what;
      problems_.back_to(problems);
      again_ = again;
      return false;
    }
  }
  for (size_t k = 0; k < f->parameters.size(); ++k) {
    const Typed t = resolve(f->parameters[k]->type, out.scope, k < args.size() ? (args[k].t && args[k].t->k == Ty::array && f->parameters[k]->type->form != TypeForm::reference ? types_.pointer(args[k].t->of, args[k].quals) : args[k].t) : nullptr);
    if (t.t->k == Ty::bad) {
      if (problems_.list().size() > problems) why = problems_.list().back().error.what;
      if (f->is_template) problems_.back_to(problems);
      return false;
    }
    const CType* type = t.t->k == Ty::array && !t.reference ? types_.pointer(t.t->of, t.quals) : t.t;
    out.types.push_back(type);
    uint8_t quals = t.quals;
    int reference = t.reference;
    // T& and auto& take over const; T&& takes everything.
    if (reference == 1 && k < args.size() && args[k].t == type) {
      const TypeNode* n = f->parameters[k]->type;
      const TypeNode* core = n->of;
      const bool open = core && (core->form == TypeForm::automatic || (f->is_template && core->form == TypeForm::named));
      if (open) quals |= args[k].quals & q_const;
      if (open && !args[k].lvalue()) reference = 2, quals |= q_const;
    }
    out.quals.push_back(quals);
    out.refs.push_back(uint8_t(reference));
  }
  for (size_t k = 0; k < args.size(); ++k)
    if (conversion_rank(args[k], out.types[k], out.quals[k], out.refs[k]) < 0) {
      why = "argument " + std::to_string(k + 1) + " is " + spelled(args[k].t, args[k].quals) + ", but " + spelled(out.types[k], out.quals[k]) + (out.refs[k] ? "&" : "") + " is needed";
      return false;
    }
  return true;
}

bool Lower::resolve_call(const std::vector<FunctionDecl*>& all, Scope* outer, const std::vector<Value>& args, const std::vector<TemplateArgument>* explicit_arguments,
                         const Span& at, std::string_view name, Candidate& out, bool quiet) {
  std::vector<Candidate> good;
  std::string why;
  for (FunctionDecl* f : all) {
    Candidate c;
    std::string reason;
    Scope* scope = f->owner ? outer : &unit_scope_;
    if (viable(f, scope, args, explicit_arguments, c, reason)) good.push_back(std::move(c));
    else why = reason;
  }
  if (good.empty()) {
    if (!quiet) {
      if (all.size() == 1) {
        error(at, "'" + std::string(name) + "' cannot be called like this: " + why, all[0]->prelude || !all[0]->at.line ? "" : "it is declared in line " + std::to_string(all[0]->at.line));
      } else {
        std::string types;
        for (const Value& v : args) types += (types.empty() ? "" : ", ") + (v.bad() ? std::string("?") : spelled(v.t, v.quals));
        error(at, "no '" + std::string(name) + "' takes (" + types + ")", "there are " + std::to_string(all.size()) + " of that name");
      }
    }
    return false;
  }
  const auto structure_of = [](const FunctionDecl* f) {
    int n = 0;
    for (const VarDecl* p : f->parameters)
      for (const TypeNode* t = p->type; t; t = t->of) n += t->form != TypeForm::reference || t->is_const ? 1 + int(t->arguments.size()) : 1;
    return n;
  };
  const auto better = [&](const Candidate& x, const Candidate& y) {
    bool any = false;
    for (size_t k = 0; k < args.size(); ++k) {
      const int rx = conversion_rank(args[k], x.types[k], x.quals[k], x.refs[k]), ry = conversion_rank(args[k], y.types[k], y.quals[k], y.refs[k]);
      if (rx > ry) return false;
      any |= rx < ry;
    }
    if (any) return true;
    if (x.f->is_template != y.f->is_template) return !x.f->is_template;
    if (x.f->is_template && structure_of(x.f) != structure_of(y.f)) return structure_of(x.f) > structure_of(y.f);
    // A reference that may change binds to a variable before a const one does.
    for (size_t k = 0; k < args.size(); ++k)
      if (x.refs[k] && y.refs[k] && x.refs[k] != y.refs[k]) return x.refs[k] < y.refs[k];
    if (x.f->is_const != y.f->is_const) return !x.f->is_const;
    return false;
  };
  std::vector<size_t> best;
  for (size_t i = 0; i < good.size(); ++i) {
    bool wins = true;
    for (size_t j = 0; j < good.size() && wins; ++j) wins = i == j || better(good[i], good[j]);
    if (wins) best.push_back(i);
  }
  if (best.empty() && good.size() > 1 && std::all_of(good.begin(), good.end(), [](const Candidate& c) { return c.f->prelude; })) {
    // exp(1) and kin: whole numbers take the double version.
    for (size_t i = 0; i < good.size() && best.empty(); ++i)
      if (!good[i].types.empty() && good[i].types[0]->k == Ty::double_) best.push_back(i);
    if (best.empty()) best.push_back(0);
  }
  if (best.empty()) {
    if (!quiet) error(at, "this call of '" + std::string(name) + "' is ambiguous", "convert the arguments to the parameter types of the one that is meant");
    return false;
  }
  out = std::move(good[best[0]]);
  return true;
}

Value Lower::call(const Expr* e) {
  bool done = false;
  Value special = special_call(e, done);
  if (done) return special;
  const Expr* callee = e->a;
  if (callee->form == ExprForm::name) {
    // A lambda or an object with operator().
    if (const Symbol* s = find(callee->text, scope_); s && callee->qualifier.empty() && s->kind == Symbol::variable) {
      if (!s->var) return {};
      const Value f = var_value(*s->var);
      const std::vector<Value> args = arguments(e->list);
      if (std::any_of(args.begin(), args.end(), [](const Value& v) { return v.bad(); })) return {};
      if (f.t->k == Ty::lambda) return call_lambda(f, args, e->at);
      if (f.t->k == Ty::structure) {
        std::vector<Value> all{f};
        all.insert(all.end(), args.begin(), args.end());
        bool found = false;
        const Value v = user_operator("()", all, e->at, found);
        if (found) return v;
      }
      error(callee->at, "'" + std::string(callee->text) + "' is a " + spelled(f.t) + ", not a function");
      return {};
    }
    // A method of the struct that we are in, or a static one of another.
    StructInfo* owner = nullptr;
    Var* self = nullptr;
    if (callee->qualifier.empty() && !callee->type) {
      for (Scope* s = scope_; s && !owner; s = s->parent)
        if (s->self && var_value(*s->self).t->k == Ty::structure) owner = var_value(*s->self).t->s, self = s->self;
        else if (s->owner) owner = s->owner;
    } else {
      const CType* t = callee->type ? resolve(callee->type, scope_).t : nullptr;
      if (const Symbol* s = find(callee->qualifier, scope_); !t && s && s->kind == Symbol::type) t = s->t;
      if (const auto f = unit_.structs.find(callee->qualifier); !t && f != unit_.structs.end() && !f->second->is_template) t = struct_type(f->second, nullptr, scope_, callee->at);
      if (t && t->k == Ty::structure) owner = t->s;
    }
    std::vector<FunctionDecl*> methods;
    if (owner)
      for (FunctionDecl* m : owner->decl->methods)
        if (m->name == callee->text && m->result) methods.push_back(m);
    const auto found = unit_.functions.find(callee->text);
    if (methods.empty() && found == unit_.functions.end()) {
      const std::vector<Value> args = arguments(e->list);  // for their own errors
      unknown_name(callee->text, callee->at, true);
      return {};
    }
    const std::vector<Value> args = arguments(e->list);
    if (std::any_of(args.begin(), args.end(), [](const Value& v) { return v.bad(); })) return {};
    const At here(*this, e->at, e->prelude);
    Candidate c;
    if (!resolve_call(methods.empty() ? found->second : methods, methods.empty() ? &unit_scope_ : owner->scope, args, callee->has_arguments ? &callee->arguments : nullptr, callee->at,
                      callee->text, c))
      return {};
    if (!methods.empty() && !c.f->is_static) {
      if (!self) {
        error(callee->at, "this method needs an object");
        return {};
      }
      Value object = var_value(*self);
      return call_function(c, args, e->at, &object);
    }
    return call_function(c, args, e->at);
  }
  if (callee->form == ExprForm::member) {
    Value object = expr(callee->a);
    if (!object.bad() && callee->arrow) object = dereference(rvalue(object), callee->at);
    const std::vector<Value> args = arguments(e->list);
    if (object.bad() || std::any_of(args.begin(), args.end(), [](const Value& v) { return v.bad(); })) return {};
    const At here(*this, e->at, e->prelude);
    std::vector<FunctionDecl*> methods;
    if (object.t->k == Ty::structure)
      for (FunctionDecl* m : object.t->s->decl->methods)
        if (m->name == callee->text && m->result && !(object.quals & q_const && !m->is_const && !m->is_static)) methods.push_back(m);
    if (methods.empty()) {
      if (object.t->k == Ty::structure)
        for (const FunctionDecl* m : object.t->s->decl->methods)
          if (m->name == callee->text) {
            error(callee->operator_at, "the object is const, but method '" + std::string(callee->text) + "' is not", "add const behind its parameters");
            return {};
          }
      const Value f = field(object, callee->text, callee->operator_at);
      if (!f.bad()) error(callee->operator_at, "'" + std::string(callee->text) + "' is no method");
      return {};
    }
    Candidate c;
    if (!resolve_call(methods, object.t->s->scope, args, callee->has_arguments ? &callee->arguments : nullptr, callee->operator_at, callee->text, c)) return {};
    if (!object.lvalue()) object = spill(object);
    return call_function(c, args, e->at, &object);
  }
  const Value f = expr(callee);
  const std::vector<Value> args = arguments(e->list);
  if (f.bad()) return {};
  if (f.t->k == Ty::lambda) return call_lambda(f, args, e->at);
  if (f.t->k == Ty::structure) {
    std::vector<Value> all{f};
    all.insert(all.end(), args.begin(), args.end());
    bool found = false;
    const Value v = user_operator("()", all, e->at, found);
    if (found) return v;
  }
  error(callee->at, "only functions can be called");
  return {};
}

Value Lower::call_lambda(const Value& f, const std::vector<Value>& args, const Span& at) {
  Candidate c;
  std::string why;
  FunctionDecl* decl = const_cast<FunctionDecl*>(f.t->lambda);
  if (!viable(decl, f.scope ? f.scope : &unit_scope_, args, nullptr, c, why)) {
    error(at, "this lambda cannot be called like this: " + why, decl->at.line ? "it is in line " + std::to_string(decl->at.line) : "");
    return {};
  }
  return inline_body(c, args, at, nullptr, c.scope);
}

Value Lower::call_function(Candidate& c, const std::vector<Value>& args, const Span& at, Value* self) {
  FunctionDecl* f = c.f;
  if (f->builtin >= 0) return builtin(c, args, at);
  if (f->is_global) {
    error(at, "a kernel cannot be called like a function", "launches from kernels are not supported; make it a __device__ function");
    return {};
  }
  if (!f->is_device && !f->is_constexpr && !f->owner && !f->prelude) {
    error(at, "'" + std::string(f->name) + "' is a function of the host", "mark it __device__ to call it from a kernel");
    return {};
  }
  if (!f->body) {
    error(at, "'" + std::string(f->name) + "' is declared but not defined", "add its body to this source");
    return {};
  }
  return inline_body(c, args, at, self, c.scope);
}

Value Lower::inline_body(Candidate& c, const std::vector<Value>& args, const Span& at, Value* self, Scope* parent) {
  FunctionDecl* f = c.f;
  ++calls_;
  if (too_much(at)) return {};
  bool known = args.empty() ? false : true, active = false;
  for (const Value& v : args) known &= v.form == Form::scalar && v.s.is_number();
  for (const Frame* up = frame_; up; up = up->up) active |= up->f == f;
  if ((active && !known && !f->is_template && !f->prelude) || inline_depth_ >= 32) {
    error(at, active ? "'" + std::string(f->name) + "' calls itself; recursion is not supported" : "functions are inlined more than 32 deep here", active ? "write it as a loop" : "");
    return {};
  }
  Frame frame;
  frame.f = f;
  frame.up = frame_;
  if (f->result) {
    const TypeNode* core = f->result;
    while (core->of) core = core->of;
    if (core->form != TypeForm::automatic) {
      const Typed t = resolve(f->result, parent);
      if (t.t->k == Ty::bad) return {};
      frame.result_type = t.t;
      frame.result_reference = t.reference != 0;
    } else if (f->result->form == TypeForm::reference) {
      frame.result_reference = true;
    }
  } else if (self) {
    frame.result_type = types_.basic(Ty::void_);
  }
  Scope* inner = new_scope(parent);
  const size_t live = live_.size();
  if (self) {
    Var* v = new_var("*this", f, self->t, self->quals);
    v->where = Var::alias;
    v->place = *self;
    if (f->is_const) v->place.quals |= q_const;
    inner->self = v;
  }
  Scope* const old_scope = scope_;
  // Defaults are evaluated where they stand.
  std::vector<Value> all = args;
  for (size_t k = args.size(); k < f->parameters.size(); ++k) {
    scope_ = inner;
    if (f->parameters[k]->init->form == ExprForm::list) all.push_back(construct_type(c.types[k], f->parameters[k]->init->list, true, at));
    else all.push_back(expr(f->parameters[k]->init));
    scope_ = old_scope;
    if (all.back().bad()) return {};
  }
  for (size_t k = 0; k < all.size(); ++k) {
    const VarDecl* p = f->parameters[k];
    const CType* t = c.types[k];
    Var* v = nullptr;
    if (t->k == Ty::lambda) {
      v = new_var(p->name, p, t, q_const);
      v->where = Var::alias;
      v->place = all[k];
    } else if (c.refs[k]) {
      Value target = all[k];
      if (!target.lvalue() || target.t != t || target.half >= 0) target = spill(convert(target, t, at));
      if (target.bad()) return {};
      v = new_var(p->name, p, t, c.quals[k]);
      v->where = Var::alias;
      v->place = target;
      v->place.quals |= c.quals[k];
    } else {
      Value value = convert(all[k], t, at);
      if (value.bad()) return {};
      v = new_var(p->name, p, t, c.quals[k]);
      const TypeNode* n = p->type;
      v->restricted = (n->form == TypeForm::pointer && n->is_restrict) || value.readonly;
      make_cells(*v);
      Value target = var_value(*v);
      target.quals &= uint8_t(~q_const);
      store(target, value, at);
    }
    if (!p->name.empty()) inner->names.push_back({p->name, {Symbol::variable, v, t, 0, c.quals[k]}});
  }
  const int old_inlined = inlined_;
  const bool old_prelude = in_prelude_, old_dead = dead_;
  const Span old_at = at_;
  if (f->prelude) in_prelude_ = true;
  else if (!in_prelude_) inlined_ = int(place());
  ++inline_depth_;
  frame.structure = structure_;
  frame.loops = loops_.size();
  frame.journal = journal_.size();
  frame.scope = inner;
  Frame* const old_frame = frame_;
  frame_ = &frame;
  scope_ = inner;
  dead_ = false;
  const size_t opening = body_.code.size();
  push(Op::frame, Type::s32);
  if (!f->result && self && self->t->k == Ty::structure && f->name == self->t->s->decl->name) {
    // A constructor: members first, in their own order.
    StructInfo* info = self->t->s;
    for (size_t k = 0; k < info->fields.size(); ++k) {
      const Value member = sub(*self, info->fields[k].offset, info->fields[k].type);
      const FunctionDecl::Initializer* given = nullptr;
      for (const auto& i : f->initializers)
        if (i.name == info->fields[k].name) given = &i;
      if (given) {
        if (is_scalar(member.t) && given->list->list.size() == 1) initialize_at(member, given->list->list[0]);
        else if (given->list->list.size() == 1 && given->list->list[0]->form != ExprForm::list && member.t->k == Ty::structure) store(member, expr(given->list->list[0]), given->at);
        else initialize_at(member, given->list);
      } else if (k < info->decl->fields.size() && info->decl->fields[k]->init) {
        initialize_at(member, info->decl->fields[k]->init);
      }
    }
    for (const auto& i : f->initializers)
      if (std::none_of(info->fields.begin(), info->fields.end(), [&](const Field& x) { return x.name == i.name; })) error(i.at, info->name + " has no member '" + std::string(i.name) + "'");
  }
  block(f->body, true);
  if (frame.used) {
    push(Op::frame_end, Type::s32);
    forget(frame.journal);
  } else {
    body_.code[opening].op = Op::nop;
  }
  frame_ = old_frame;
  scope_ = old_scope;
  dead_ = old_dead;
  --inline_depth_;
  in_prelude_ = old_prelude;
  inlined_ = old_inlined;
  at_ = old_at;
  live_.resize(std::min(live, live_.size()));
  if (frame.result_reference) return frame.reference;
  if (!frame.result_type || frame.result_type->k == Ty::void_) return number(types_.basic(Ty::void_), 0);
  if (frame.result) return rvalue(var_value(*frame.result));
  if (!frame.reference.bad()) return frame.reference;
  if (!f->prelude && problems_.errors() == 0 && !again_) warning(f->at, "'" + std::string(f->name) + "' can end without returning a value");
  if (is_scalar(frame.result_type)) return number(frame.result_type, 0);
  Var* var = new_var("a value", f, frame.result_type, 0);
  make_cells(*var);
  return rvalue(var_value(*var));
}

}  // namespace lk::simt
