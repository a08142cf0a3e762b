#include "simt/lower.h"

#include <algorithm>
#include <array>

namespace lk::simt {

Lower::Lower(Unit& unit, Problems& problems, Program& program, const CompileOptions& options)
    : unit_(unit), problems_(problems), program_(program), options_(options) {
  scope_ = &unit_scope_;
  for (const EnumDecl& e : unit_.enum_store)
    if (!e.scoped)
      for (size_t i = 0; i < e.items.size(); ++i) enumerators_[e.items[i].name] = {&e, i};
}

void Lower::error(const Span& at, std::string what, std::string hint) {
  problems_.error(in_prelude_ ? at_ : at, std::move(what), std::move(hint));
}
void Lower::warning(const Span& at, std::string what, std::string hint) {
  if (!in_prelude_) problems_.warning(at, std::move(what), std::move(hint));
}

int Lower::new_group(Type t, int n) {
  const int first = int(body_.regs.size());
  for (int i = 0; i < n; ++i) body_.regs.push_back({t, i == 0 ? n : 1, i});
  return first;
}

int Lower::constant_reg(uint64_t bits, Type t) {
  const auto key = std::make_pair(units(t), bits);
  if (const auto f = constant_regs_.find(key); f != constant_regs_.end()) return f->second;
  const auto [slot, fresh] = constants_.try_emplace(bits, int(program_.constants.size()));
  if (fresh) program_.constants.push_back(bits);
  Inst i;
  i.op = Op::constant;
  i.type = i.from = units(t) == 2 ? Type::u64 : Type::u32;
  i.imm = slot->second;
  i.issued = 0;
  i.flags = flag_folded | flag_uniform;
  i.d = new_reg(i.type);
  i.place = 0;
  body_.entry.push_back(i);
  constant_regs_[key] = i.d;
  return i.d;
}

int Lower::reg(const Operand& o, Type t) {
  if (o.k == Operand::reg) return o.r;
  if (o.k == Operand::cells) need_memory(o.var);
  return constant_reg(o.k == Operand::number ? o.bits : 0, t);
}

Operand Lower::special(Special s) {
  const auto [slot, fresh] = specials_.try_emplace(int(s), -1);
  if (fresh) {
    Inst i;
    i.op = Op::special;
    i.type = i.from = Type::u32;
    i.imm = int(s);
    i.d = new_reg(Type::u32);
    i.place = place();
    slot->second = i.d;
    body_.entry.push_back(i);
  }
  return Operand::of(slot->second);
}

uint32_t Lower::place() {
  const std::array<int, 5> key{at_.line, at_.column, at_.end_line, at_.end_column, inlined_};
  const auto [slot, fresh] = places_.try_emplace(key, uint32_t(program_.places.size()));
  if (fresh) {
    Span s = at_;
    s.inlined = inlined_;
    program_.places.push_back(s);
  }
  return slot->second;
}

Inst& Lower::push(Op op, Type t, int d, int a, int b, int c, int64_t imm) {
  Inst& i = body_.code.emplace_back();
  i.op = op;
  i.type = i.from = t;
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = c;
  i.imm = imm;
  i.place = place();
  ++emitted_;
  return i;
}

bool Lower::too_much(const Span& at) {
  if (stopped_) return true;
  const uint64_t limit = options_.max_instructions;
  if (body_.code.size() > limit || emitted_ > 8 * limit + 100'000) {
    error(at, "this kernel has more than " + std::to_string(limit) + " instructions once loops are unrolled and functions are inlined",
          "put #pragma unroll 1 before the outer loops");
    stopped_ = true;
  } else if (depth_ > max_depth) {
    error(at, "this is nested too deeply once functions are inlined", "split it up");
    stopped_ = true;
  } else if (calls_ > 200'000) {
    error(at, "more than 200,000 calls are inlined here", "put #pragma unroll 1 before the outer loops");
    stopped_ = true;
  }
  return stopped_;
}

Operand Lower::emit(Op op, Type t, Operand a, Operand b, Operand c, Type from) {
  const bool has_from = op == Op::convert || op == Op::bits;
  if (!has_from) from = t;
  const Use use = uses(op, t);
  const bool shift = op == Op::shl || op == Op::shr;
  if ((!use.a || a.is_number()) && (!use.b || b.is_number()) && (!use.c || c.is_number()))
    if (const auto v = fold(op, t, from, a.bits, b.bits, c.bits)) return Operand::known(*v);
  const bool integer = !is_float(t);
  const uint64_t ones = units(t) == 2 ? ~uint64_t{0} : t == Type::pred ? 1 : 0xffffffffu;
  // What costs nothing needs no instruction.
  if (integer) {
    const bool an = a.is_number(), bn = b.is_number();
    if (op == Op::add && an && !bn) std::swap(a, b);
    else if ((op == Op::mul || op == Op::and_ || op == Op::or_ || op == Op::xor_) && an && !bn) std::swap(a, b);
    if (b.is_number()) {
      if (b.bits == 0 && (op == Op::add || op == Op::sub || op == Op::or_ || op == Op::xor_ || shift)) return a;
      if (b.bits == 0 && (op == Op::mul || op == Op::and_)) return Operand::known(0);
      if (b.bits == 1 && (op == Op::mul || op == Op::div)) return a;
      if (b.bits == ones && op == Op::and_) return a;
      if (b.bits == ones && op == Op::or_) return b;
    }
    if (op == Op::fma && b.is_number()) {
      if (b.bits == 1) return emit(Op::add, t, a, c);
      if (b.bits == 0) return c;
    }
    if (op == Op::fma && c.is_number() && c.bits == 0) return emit(Op::mul, t, a, b);
    if (a.k == Operand::reg && b.k == Operand::reg && a.r == b.r) {
      if (op == Op::sub || op == Op::xor_) return Operand::known(0);
      if (op == Op::and_ || op == Op::or_ || op == Op::min || op == Op::max) return a;
    }
  }
  if (op == Op::select) {
    if (c.is_number()) return c.bits & 1 ? a : b;
    if (a.same(b)) return a;
    if (t == Type::pred && a.is_number() && b.is_number()) return a.bits ? c : emit(Op::not_, Type::pred, c);
  }
  const Type result = is_compare(op) || op == Op::is_nan || op == Op::is_inf ? Type::pred : op == Op::popc || op == Op::clz || op == Op::ffs ? Type::u32 : t;
  const int ra = use.a ? reg(a, from) : -1;
  const int rb = use.b ? reg(b, shift ? Type::u32 : t) : -1;
  const int rc = use.c ? reg(c, op == Op::select ? Type::pred : t) : -1;
  const int d = new_reg(result);
  Inst& i = push(op, t, d, ra, rb, rc);
  i.from = from;
  return Operand::of(d);
}

void Lower::move_to(int d, const Operand& o, Type t) {
  if (o.k == Operand::reg && o.r == d) return;
  const int a = reg(o, t);
  push(Op::move, t, d, a);
}

Operand Lower::materialize(const Operand& o, Type t) {
  const int d = new_reg(t);
  move_to(d, o, t);
  return Operand::of(d);
}

void Lower::set_known(Cell& c, bool known, const Operand& v) {
  journal_.push_back({&c, c.known, c.value});
  c.known = known;
  c.value = v;
}

// Cells that changed since `mark` are not known from here on.
void Lower::forget(size_t mark) {
  const size_t end = journal_.size();
  for (size_t k = mark; k < end; ++k)
    if (journal_[k].cell->known) set_known(*journal_[k].cell, false, {});
}

void Lower::forget_key(const void* key) {
  for (Var* v : live_)
    if (v->key == key)
      for (Cell& c : v->cells)
        if (c.known) set_known(c, false, {});
}

std::vector<std::pair<Cell*, Lower::Change>> Lower::end_branch(size_t mark) {
  std::vector<std::pair<Cell*, Change>> after;
  std::set<Cell*> seen;
  for (size_t k = mark; k < journal_.size(); ++k) {
    Cell* c = journal_[k].cell;
    if (seen.insert(c).second) after.push_back({c, {c, c->known, c->value}});
  }
  for (size_t k = journal_.size(); k-- > mark;) {
    journal_[k].cell->known = journal_[k].known;
    journal_[k].cell->value = journal_[k].value;
  }
  journal_.resize(mark);
  return after;
}

void Lower::merge(std::vector<std::pair<Cell*, Change>>& one, std::vector<std::pair<Cell*, Change>>& two) {
  std::map<Cell*, std::pair<const Change*, const Change*>> all;
  for (const auto& c : one) all[c.first].first = &c.second;
  for (const auto& c : two) all[c.first].second = &c.second;
  std::vector<std::pair<Cell*, std::pair<const Change*, const Change*>>> ordered;
  for (const auto& c : one) ordered.push_back({c.first, all[c.first]});
  for (const auto& c : two)
    if (!all[c.first].first) ordered.push_back({c.first, all[c.first]});
  for (const auto& [cell, changes] : ordered) {
    const Change before{cell, cell->known, cell->value};
    const Change& x = changes.first ? *changes.first : before;
    const Change& y = changes.second ? *changes.second : before;
    const bool same = x.known && y.known && x.value.same(y.value);
    set_known(*cell, same, same ? x.value : Operand{});
  }
}

Scope* Lower::new_scope(Scope* parent) {
  Scope& s = scopes_.emplace_back();
  s.parent = parent;
  return &s;
}

void Lower::check_assertions() {
  for (const Stmt* s : unit_.assertions) statement(s, false);
}

bool Lower::kernel(FunctionDecl* f, const std::vector<TemplateArgument>& arguments, const std::string& name) {
  const size_t problems = problems_.list().size();
  const int errors = problems_.errors();
  Kernel k;
  for (int attempt = 0;; ++attempt) {
    problems_.back_to(problems);
    body_ = {};
    vars_.clear();
    live_.clear();
    loops_.clear();
    journal_.clear();
    constant_regs_.clear();
    specials_.clear();
    shared_.clear();
    globals_.clear();
    local_at_.clear();
    structure_ = depth_ = calls_ = inline_depth_ = serial_ = 0;
    dead_ = again_ = in_prelude_ = stopped_ = false;
    local_bytes_ = 0;
    inlined_ = -1;
    at_ = f->at;
    k = {};
    k.name = name;
    k.at = f->at;
    kernel_ = &k;
    place();
    Scope* outer = new_scope(&unit_scope_);
    scope_ = outer;
    if (!bind_templates(f->templates, arguments, &unit_scope_, outer, f->at)) return false;
    if (f->max_threads) k.max_threads = int(constant(f->max_threads, outer, "the number of threads").value_or(0));
    if (f->min_blocks) k.min_blocks = int(constant(f->min_blocks, outer, "the number of blocks").value_or(0));
    Scope* inner = scope_ = new_scope(outer);
    int64_t at = 0;
    for (const VarDecl* p : f->parameters) {
      const Typed t = resolve(p->type, outer);
      if (t.t->k == Ty::bad) continue;
      const CType* type = t.t->k == Ty::array ? types_.pointer(t.t->of, t.quals) : t.t;
      if (t.reference) {
        error(p->at, "a kernel's parameter cannot be a reference", "pass a pointer or a value");
        continue;
      }
      at = (at + type->align - 1) / type->align * type->align;
      Parameter out;
      out.name = p->name;
      out.type = spelled(type, t.quals & q_const);
      out.value = is_scalar(type) ? memory_type(type) : Type::u64;
      out.pointer = type->k == Ty::pointer;
      if (out.pointer) {
        out.constant = type->quals & q_const;
        out.restricted = t.restricted;
        const CType* e = type->of;
        while (e->k == Ty::array) e = e->of;
        const auto& parts = e->k == Ty::structure ? types_.parts(e) : std::vector<Part>{};
        out.element_count = parts.empty() ? 1 : int(parts.size());
        out.element = e->k == Ty::structure ? (parts.empty() ? Type::u8 : memory_type(parts[0].type)) : e->k == Ty::void_ ? Type::u8 : memory_type(e);
      }
      out.offset = int(at);
      k.parameters.push_back(out);
      Var* v = new_var(p->name, p, type, t.quals);
      v->restricted = t.restricted;
      make_cells(*v);
      for (Cell& c : v->cells) {
        Inst i;
        i.op = Op::parameter;
        i.type = i.from = memory_type(c.part.type);
        i.imm = at + c.part.offset;
        i.flags = flag_folded | flag_uniform;
        i.issued = 0;
        i.d = new_reg(machine_type(c.part.type));
        i.place = place();
        body_.entry.push_back(i);
        c.reg = i.d;
        c.known = false;
      }
      if (v->where == Var::in_memory) {
        // Its address is taken: it is copied to local memory first.
        Value target = var_value(*v);
        for (const Part& part : types_.parts(type)) {
          Inst i;
          i.op = Op::parameter;
          i.type = i.from = memory_type(part.type);
          i.imm = at + part.offset;
          i.flags = flag_folded | flag_uniform;
          i.issued = 0;
          i.d = new_reg(machine_type(part.type));
          i.place = place();
          body_.entry.push_back(i);
          store_memory(target, part.offset, part.type, Operand::of(i.d));
        }
      }
      at += type->size;
      if (!p->name.empty()) inner->names.push_back({p->name, {Symbol::variable, v, type, 0, t.quals}});
    }
    k.parameter_bytes = int(at);
    if (at > 32764) error(f->at, "the parameters of this kernel take " + std::to_string(at) + " bytes", "32,764 fit; pass a pointer");
    Frame frame;
    frame.f = f;
    frame.result_type = types_.basic(Ty::void_);
    frame.scope = inner;
    frame_ = &frame;
    block(f->body, true);
    frame_ = nullptr;
    at_ = f->at;
    push(Op::exit, Type::s32);
    if (!again_ || attempt >= 60 || stopped_) break;
  }
  kernel_ = nullptr;
  scope_ = &unit_scope_;
  if (again_ && !stopped_) error(f->at, "this kernel is too intricate for the compiler", "split it into smaller functions");
  if (problems_.errors() > errors) return false;
  k.local_bytes = int((local_bytes_ + 15) / 16 * 16);
  // Dynamic shared memory begins behind the static part.
  if (k.shared_bytes > 48 * 1024) {
    error(f->at, "this kernel declares " + std::to_string(k.shared_bytes) + " bytes of static shared memory; 49,152 are the most", "use extern __shared__ and give the size at the launch");
    return false;
  }
  return emit_kernel(k, f->at);
}

}  // namespace lk::simt
