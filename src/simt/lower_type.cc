#include <algorithm>

#include "simt/lower.h"

namespace lk::simt {
namespace {
Ty basic_name(std::string_view s) {
  static const std::unordered_map<std::string_view, Ty> names{{"void", Ty::void_}, {"bool", Ty::bool_}, {"char", Ty::char_}, {"signed char", Ty::schar},
      {"unsigned char", Ty::uchar}, {"short", Ty::short_}, {"unsigned short", Ty::ushort}, {"int", Ty::int_}, {"unsigned int", Ty::uint}, {"long", Ty::long_},
      {"unsigned long", Ty::ulong}, {"long long", Ty::llong}, {"unsigned long long", Ty::ullong}, {"float", Ty::float_}, {"double", Ty::double_},
      {"half", Ty::half}, {"__half", Ty::half}, {"half2", Ty::half2}, {"__half2", Ty::half2}, {"__nv_bfloat16", Ty::bf16}, {"nv_bfloat16", Ty::bf16},
      {"__nv_bfloat162", Ty::bf162}, {"nv_bfloat162", Ty::bf162}};
  const auto f = names.find(s);
  return f == names.end() ? Ty::bad : f->second;
}
}  // namespace

const Symbol* Lower::find(std::string_view name, Scope* scope) {
  for (Scope* s = scope; s; s = s->parent)
    for (size_t k = s->names.size(); k-- > 0;)
      if (s->names[k].first == name) return &s->names[k].second;
  return nullptr;
}

Lower::Typed Lower::resolve(const TypeNode* n, Scope* scope, const CType* deduce) {
  const Typed nothing{types_.basic(Ty::bad), 0, 0, false};
  const uint8_t quals = uint8_t((n->is_const ? q_const : 0) | (n->is_volatile ? q_volatile : 0));
  const Deeper deeper(*this);
  if (too_much(n->at)) return nothing;
  switch (n->form) {
    case TypeForm::builtin: return {types_.basic(basic_name(n->name)), quals, 0, false};
    case TypeForm::automatic: return {deduce ? deduce : types_.basic(Ty::bad), quals, 0, false};
    case TypeForm::pointer: {
      const Typed of = resolve(n->of, scope, deduce && deduce->k == Ty::pointer ? deduce->of : nullptr);
      if (of.t->k == Ty::bad) return nothing;
      const uint8_t pointee = uint8_t(of.quals | (deduce && deduce->k == Ty::pointer && n->of->form == TypeForm::automatic ? deduce->quals : 0));
      return {types_.pointer(of.t, pointee), quals, 0, n->is_restrict};
    }
    case TypeForm::reference: {
      Typed of = resolve(n->of, scope, deduce);
      of.reference = of.quals & q_const ? 2 : 1;
      of.restricted = n->is_restrict;
      return of;
    }
    case TypeForm::array: {
      const Typed of = resolve(n->of, scope, nullptr);
      if (of.t->k == Ty::bad) return nothing;
      int64_t count = 0;
      if (n->extent) {
        const auto c = constant(n->extent, scope, "the extent of an array");
        if (!c) return nothing;
        if (*c <= 0 || *c > (int64_t{1} << 31) || of.t->size * *c > (int64_t{1} << 31)) {
          error(n->extent->at, "an array cannot have " + std::to_string(*c) + " elements", "arrays have at least one element and less than 2 GiB");
          return nothing;
        }
        count = *c;
      }
      return {types_.array(of.t, count), of.quals, 0, false};
    }
    case TypeForm::structure: return {struct_type(n->structure, nullptr, scope, n->at), quals, 0, false};
    case TypeForm::enumeration: return {enum_type(n->enumeration, scope), quals, 0, false};
    case TypeForm::of_expression: {
      const size_t size = body_.code.size(), journal = journal_.size();
      const Value v = n->extent ? expr(n->extent) : Value{};
      body_.code.resize(size);
      forget(journal);
      return {v.t ? v.t : types_.basic(Ty::bad), quals, 0, false};
    }
    case TypeForm::named: break;
  }
  // A name: of a template parameter or alias here, then of the unit.
  if (!n->qualifier.empty()) {
    // Struct::alias
    const Symbol* q = find(n->qualifier, scope);
    StructInfo* info = q && q->kind == Symbol::type && q->t->k == Ty::structure ? q->t->s : nullptr;
    if (!info)
      if (const auto f = unit_.structs.find(n->qualifier); f != unit_.structs.end() && !f->second->is_template) info = struct_type(f->second, nullptr, scope, n->at)->s;
    if (info && info->scope)
      if (const Symbol* s = find(n->name, info->scope); s && s->kind == Symbol::type) return {s->t, quals, 0, false};
  }
  if (const Symbol* s = find(n->name, scope); s && s->kind == Symbol::type) return {s->t, uint8_t(quals | s->quals), 0, false};
  if (const Ty k = basic_name(n->name); k != Ty::bad && !n->has_arguments) return {types_.basic(k), quals, 0, false};
  if (const auto f = unit_.aliases.find(n->name); f != unit_.aliases.end()) {
    Typed t = resolve(f->second, &unit_scope_);
    t.quals |= quals;
    return t;
  }
  if (const auto f = unit_.alias_templates.find(n->name); f != unit_.alias_templates.end()) {
    Scope* inner = new_scope(&unit_scope_);
    if (!bind_templates(f->second.templates, n->arguments, scope, inner, n->at)) return nothing;
    Typed t = resolve(f->second.type, inner);
    t.quals |= quals;
    return t;
  }
  if (const auto f = unit_.structs.find(n->name); f != unit_.structs.end()) return {struct_type(f->second, &n->arguments, scope, n->at), quals, 0, false};
  if (const auto f = unit_.enums.find(n->name); f != unit_.enums.end()) return {enum_type(f->second, scope), quals, 0, false};
  if (const auto f = unit_.unusable.find(n->name); f != unit_.unusable.end()) {
    error(n->at, "'" + std::string(n->name) + "' cannot be used in a kernel: " + f->second.what, f->second.at.line ? "see line " + std::to_string(f->second.at.line) : "");
    return nothing;
  }
  error(n->at, "'" + std::string(n->name) + "' is not a type that is known here");
  return nothing;
}

std::string Lower::arguments_text(const std::vector<TemplateParameter>& parameters, const Scope* scope) {
  std::string s = "<";
  for (const TemplateParameter& p : parameters)
    for (const auto& n : scope->names)
      if (n.first == p.name) {
        if (s.size() > 1) s += ", ";
        if (n.second.kind == Symbol::type) s += spelled(n.second.t);
        else if (n.second.t->k == Ty::bool_) s += n.second.bits ? "true" : "false";
        else s += std::to_string(signed_value(machine_type(n.second.t), n.second.bits));
        break;
      }
  return s + ">";
}

bool Lower::bind_templates(const std::vector<TemplateParameter>& parameters, const std::vector<TemplateArgument>& arguments, Scope* from, Scope* into, const Span& at) {
  if (arguments.size() > parameters.size()) {
    error(at, "there are " + std::to_string(arguments.size()) + " template arguments for " + std::to_string(parameters.size()) + " parameters");
    return false;
  }
  for (size_t k = 0; k < parameters.size(); ++k) {
    const TemplateParameter& p = parameters[k];
    bool bound = false;
    for (const auto& n : into->names) bound |= n.first == p.name && !p.name.empty();
    if (bound && k >= arguments.size()) continue;
    const TypeNode* type = k < arguments.size() ? arguments[k].type : p.default_type;
    const Expr* value = k < arguments.size() ? arguments[k].value : p.default_value;
    Scope* scope = k < arguments.size() ? from : into;
    if (!p.type) {
      if (!type && value && value->form == ExprForm::name) {
        // A name that the parser took for a value.
        if (const Symbol* s = find(value->text, scope); s && s->kind == Symbol::type) {
          into->names.push_back({p.name, {Symbol::type, nullptr, s->t, 0, s->quals}});
          continue;
        }
      }
      if (!type) {
        error(value ? value->at : at, "template parameter '" + std::string(p.name) + "' needs a type", value ? "a value was given" : "name it in <...>");
        return false;
      }
      const Typed t = resolve(type, scope);
      if (t.t->k == Ty::bad) return false;
      into->names.push_back({p.name, {Symbol::type, nullptr, t.t, 0, t.quals}});
    } else {
      if (!value) {
        error(type ? type->at : at, "template parameter '" + std::string(p.name) + "' needs a value", type ? "a type was given" : "name it in <...>");
        return false;
      }
      const Typed t = resolve(p.type, into);
      const CType* to = t.t->k == Ty::bad ? nullptr : t.t;
      const Value v = constant_value(value, scope, "a template argument", to);
      if (v.bad()) return false;
      into->names.push_back({p.name, {Symbol::constant, nullptr, v.t, v.s.bits, 0}});
    }
  }
  return true;
}

Value Lower::constant_value(const Expr* e, Scope* scope, const char* what, const CType* to) {
  Scope* const old_scope = scope_;
  const int old_serial = constant_serial_;
  const bool old_not = not_constant_, old_dead = dead_;
  const size_t size = body_.code.size(), journal = journal_.size();
  const int errors = problems_.errors();
  scope_ = scope;
  constant_serial_ = serial_;
  not_constant_ = false;
  dead_ = false;
  Value v = rvalue(expr(e));
  if (!v.bad() && to) v = convert(v, to, e->at);
  bool good = !v.bad() && v.form == Form::scalar && v.s.is_number() && !not_constant_;
  // Code that was left behind would mean that something happens at run time.
  body_.code.resize(size);
  forget(journal);
  scope_ = old_scope;
  constant_serial_ = old_serial;
  not_constant_ = old_not;
  dead_ = old_dead;
  if (!good) {
    if (problems_.errors() == errors && !again_)
      error(e->at, std::string(what) + " must be known at compile time", "use a literal, a constexpr variable or a template parameter");
    return {};
  }
  return v;
}

std::optional<int64_t> Lower::constant(const Expr* e, Scope* scope, const char* what) {
  const Value v = constant_value(e, scope, what);
  if (v.bad()) return {};
  if (!is_integer(v.t)) {
    error(e->at, std::string(what) + " must be a whole number, not " + spelled(v.t));
    return {};
  }
  return signed_value(machine_type(v.t), v.s.bits);
}

const CType* Lower::struct_type(StructDecl* d, const std::vector<TemplateArgument>* arguments, Scope* scope, const Span& at) {
  const CType* const bad = types_.basic(Ty::bad);
  if (!d->defined) {
    error(at, "struct '" + std::string(d->name) + "' is declared but not defined");
    return bad;
  }
  Scope* inner = new_scope(&unit_scope_);
  std::string key = std::string(d->name) + "@" + std::to_string(reinterpret_cast<uintptr_t>(d));
  std::string text(d->name);
  if (d->is_template) {
    static const std::vector<TemplateArgument> none;
    // Inside itself a template's bare name means the current arguments.
    if (!arguments || arguments->empty())
      for (Scope* s = scope; s; s = s->parent)
        if (s->owner && s->owner->decl == d) {
          for (const auto& [k, t] : struct_types_)
            if (t->s == s->owner) return t;
        }
    if (!bind_templates(d->templates, arguments ? *arguments : none, scope, inner, at)) return bad;
    text += arguments_text(d->templates, inner);
    key += text;
  } else if (scope != &unit_scope_ && kernel_) {
    inner->parent = scope;  // a local struct may use local constants
  }
  if (const auto f = struct_types_.find(key); f != struct_types_.end()) return f->second;
  if (struct_types_.size() > 2000) {
    error(at, "more than 2,000 structs are made from templates here");
    stopped_ = true;
    return bad;
  }
  StructInfo* info = types_.new_info();
  CType* t = types_.structure(info);
  info->decl = d;
  info->scope = inner;
  info->name = text;
  inner->owner = info;
  struct_types_[key] = t;
  inner->names.push_back({d->name, {Symbol::type, nullptr, t, 0, 0}});
  for (const auto& [name, type] : d->aliases) inner->names.push_back({name, {Symbol::type, nullptr, resolve(type, inner).t, 0, 0}});
  for (const VarDecl* c : d->constants) {
    const Typed ct = resolve(c->type, inner);
    if (!c->init) {
      error(c->at, "a static member needs a value here", "write static constexpr ... = ...");
      continue;
    }
    const Expr* init = c->init->form == ExprForm::list && c->init->list.size() == 1 ? c->init->list[0] : c->init;
    const Value v = constant_value(init, inner, "a static member", ct.t->k == Ty::bad ? nullptr : ct.t);
    if (!v.bad()) inner->names.push_back({c->name, {Symbol::constant, nullptr, v.t, v.s.bits, 0}});
  }
  int64_t offset = 0;
  int align = 1;
  bool scalars = true;
  for (const VarDecl* f : d->fields) {
    const Typed ft = resolve(f->type, inner);
    if (ft.t->k == Ty::bad) continue;
    if (ft.t == t || ft.t->size == 0) {
      error(f->at, "member '" + std::string(f->name) + "' has no size yet", ft.t->k == Ty::array ? "give its extent" : "point to it instead");
      continue;
    }
    if (ft.reference) {
      error(f->at, "members that are references are not supported", "make it a pointer");
      continue;
    }
    offset = (offset + ft.t->align - 1) / ft.t->align * ft.t->align;
    info->fields.push_back({f->name, ft.t, ft.quals, offset});
    offset += ft.t->size;
    align = std::max(align, ft.t->align);
    scalars &= is_scalar(ft.t) && ft.t == info->fields[0].type;
  }
  if (d->align)
    if (const auto a = constant(d->align, inner, "an alignment")) {
      if (*a <= 0 || *a > 256 || (*a & (*a - 1))) error(d->align->at, "an alignment is a power of two up to 256");
      else align = std::max(align, int(*a));
    }
  t->align = align;
  t->size = std::max<int64_t>(1, (offset + align - 1) / align * align);
  const int64_t n = int64_t(info->fields.size());
  info->vector = scalars && n >= 2 && n <= 4 && n != 3 && t->size == offset && align == t->size && t->size <= 16;
  return t;
}

const CType* Lower::enum_type(EnumDecl* e, Scope* scope) {
  const CType* underlying = types_.basic(e->scoped ? Ty::int_ : Ty::uint);
  if (e->underlying) {
    underlying = resolve(e->underlying, scope).t;
  } else if (!e->scoped) {
    // unsigned unless a value is negative, as the compilers do
    for (const auto& i : e->items)
      if (i.value && i.value->form == ExprForm::unary && i.value->text == "-") underlying = types_.basic(Ty::int_);
  }
  return types_.enumeration(e, underlying);
}

const Symbol* Lower::enumerator(const EnumDecl* e, std::string_view name) {
  auto [slot, fresh] = enums_.try_emplace(e);
  if (fresh) {
    const CType* t = enum_type(const_cast<EnumDecl*>(e), &unit_scope_);
    Scope* inner = new_scope(&unit_scope_);
    int64_t next = 0;
    std::vector<Symbol> values;
    for (const auto& i : e->items) {
      if (i.value) next = constant(i.value, inner, "the value of an enumerator").value_or(0);
      values.push_back({Symbol::constant, nullptr, t, integer_bits(machine_type(t), uint64_t(next)), 0});
      inner->names.push_back({i.name, {Symbol::constant, nullptr, types_.basic(Ty::llong), uint64_t(next), 0}});
      ++next;
    }
    enums_[e] = std::move(values);
  }
  const std::vector<Symbol>& values = enums_[e];
  for (size_t i = 0; i < e->items.size() && i < values.size(); ++i)
    if (e->items[i].name == name) return &values[i];
  return nullptr;
}

const Symbol* Lower::enumerator(std::string_view name) {
  const auto f = enumerators_.find(name);
  return f == enumerators_.end() ? nullptr : enumerator(f->second.first, name);
}

// A variable of the unit: a constant, an array of constants, or shared memory.
const Symbol* Lower::global(std::string_view name, const Span& at) {
  const auto found = unit_.variables.find(name);
  if (found == unit_.variables.end()) return nullptr;
  if (const auto f = globals_.find(name); f != globals_.end()) return &f->second;
  const VarDecl* d = found->second;
  if (!in_progress_.insert(name).second) {
    error(at, "'" + std::string(name) + "' is defined by itself");
    return nullptr;
  }
  struct Leave { std::set<std::string_view>& s; std::string_view n; ~Leave() { s.erase(n); } } leave{in_progress_, name};
  Typed t = resolve(d->type, &unit_scope_);
  Symbol s;
  s.kind = Symbol::variable;
  s.quals = uint8_t(t.quals | q_const);
  if (d->is_shared) {
    if (t.t->k == Ty::bad) return nullptr;
    shared_variable(d, t);
    s.var = shared_[{d, t.t}];
    if (!s.var) return nullptr;
    s.quals = t.quals;
    return &(globals_[name] = s);
  }
  if (!d->init) {
    error(at, "'" + std::string(name) + "' has no value here", "initialize it where it is declared, or pass a pointer: copies from the host are not followed");
    return nullptr;
  }
  if (!d->is_constexpr && !d->is_constant && !(t.quals & q_const)) {
    error(at, "'" + std::string(name) + "' is a variable of the host", "make it constexpr or pass it as an argument");
    return nullptr;
  }
  const Expr* init = d->init->form == ExprForm::list && d->init->list.size() == 1 ? d->init->list[0] : d->init;
  if (t.t->k == Ty::bad || is_scalar(t.t)) {
    const Value v = constant_value(init, &unit_scope_, "this variable", t.t->k == Ty::bad ? nullptr : t.t);
    if (v.bad()) return nullptr;
    s.kind = Symbol::constant;
    s.t = v.t;
    s.bits = v.s.bits;
    return &(globals_[name] = s);
  }
  // Its parts are computed aside, then written once at the kernel's beginning when it needs memory.
  const bool memory = memory_.count(d) != 0;
  if (memory) memory_.erase(d);
  const size_t size = body_.code.size();
  Scope* const old = scope_;
  scope_ = &unit_scope_;
  Var* v = new_var(name, d, t.t, s.quals);
  live_.pop_back();
  if (t.t->k == Ty::array && t.t->n == 0 && d->init->form == ExprForm::list) v->type = t.t = types_.array(t.t->of, int64_t(d->init->list.size()));
  make_cells(*v);
  const size_t journal = journal_.size();
  initialize_at(var_value(*v), d->init);
  body_.code.resize(size);
  journal_.resize(journal);  // never assigned again
  scope_ = old;
  if (v->where == Var::in_memory) return error(d->at, "this array is too large for a constant here", "pass a pointer"), nullptr;
  for (const Cell& c : v->cells)
    if (!c.known || !c.value.is_number()) {
      error(d->at, "'" + std::string(name) + "' must be known at compile time");
      return nullptr;
    }
  if (memory) {
    memory_.insert(d);
    const int64_t base = (local_bytes_ + 15) / 16 * 16;
    local_bytes_ = base + t.t->size;
    for (const Cell& c : v->cells) {
      const int address = constant_reg(local_window + uint64_t(base), Type::u64);
      Inst i;
      i.op = Op::store;
      i.type = i.from = memory_type(c.part.type);
      i.space = Space::local;
      i.a = address;
      i.b = constant_reg(c.value.bits, machine_type(c.part.type));
      i.imm = c.part.offset;
      i.issued = 0;
      i.flags = flag_folded;
      i.place = place();
      body_.entry.push_back(i);
    }
    v->cells.clear();
    v->where = Var::in_memory;
    v->place.t = t.t;
    v->place.form = Form::memory;
    v->place.s = Operand::known(local_window + uint64_t(base));
    v->place.space = Space::local;
    v->place.quals = s.quals;
  }
  s.var = v;
  return &(globals_[name] = s);
}

}  // namespace lk::simt
