#include <algorithm>

#include "simt/lower.h"

namespace lk::simt {

void Lower::statement(const Stmt* s, bool tail) {
  if (!s) return;
  const Deeper deeper(*this);
  if (dead_ || too_much(s->at) || problems_.full()) return;
  const At here(*this, s->at, s->prelude);
  switch (s->form) {
    case StmtForm::empty: break;
    case StmtForm::expression: expr(s->a); break;
    case StmtForm::declaration:
      for (const VarDecl* d : s->variables) declaration(d);
      break;
    case StmtForm::block: block(s, tail); break;
    case StmtForm::if_: if_statement(s, tail); break;
    case StmtForm::for_:
    case StmtForm::while_:
    case StmtForm::do_: loop_statement(s); break;
    case StmtForm::switch_: switch_statement(s); break;
    case StmtForm::case_:
    case StmtForm::default_: error(s->at, "case and default stand directly in the braces of a switch", "move it out of the inner statement"); break;
    case StmtForm::break_:
      if (loops_.size() <= frame_->loops) return error(s->at, "break stands outside of a loop or switch");
      push(Op::break_, Type::s32);
      dead_ = true;
      break;
    case StmtForm::continue_:
      jump_continue(s->at);
      break;
    case StmtForm::return_: return_statement(s, tail); break;
    case StmtForm::alias: {
      const Typed t = resolve(s->type, scope_);
      if (t.t->k != Ty::bad) scope_->names.push_back({s->name, {Symbol::type, nullptr, t.t, 0, t.quals}});
      break;
    }
    case StmtForm::assertion: {
      if (!s->a) break;
      const Value v = constant_value(s->a, scope_, "what static_assert checks", types_.basic(Ty::bool_));
      if (!v.bad() && !v.s.bits)
        error(s->at, "static_assert failed" + (s->b && s->b->form == ExprForm::text ? ": " + std::string(s->b->text.substr(1, s->b->text.size() - 2)) : ""));
      break;
    }
  }
}

void Lower::jump_continue(const Span& at) {
  if (loops_.size() <= frame_->loops) return error(at, "continue stands outside of a loop");
  Loop& l = loops_.back();
  if (l.is_switch) {
    // Out of the switch first; behind it the loop goes on.
    bool any = false;
    for (size_t k = frame_->loops; k < loops_.size(); ++k) any |= !loops_[k].is_switch;
    if (!any) return error(at, "continue stands outside of a loop");
    push(Op::move, Type::pred, l.flag, constant_reg(1, Type::pred));
    l.continued = true;
    push(Op::break_, Type::s32);
  } else {
    l.continued = true;
    push(Op::continue_, Type::s32);
  }
  dead_ = true;
}

void Lower::block(const Stmt* s, bool tail) {
  if (!s) return;
  Scope* const outer = scope_;
  const size_t live = live_.size();
  scope_ = new_scope(outer);
  for (size_t k = 0; k < s->list.size() && !dead_; ++k) statement(s->list[k], tail && k + 1 == s->list.size());
  scope_ = outer;
  live_.resize(live);
}

void Lower::if_statement(const Stmt* s, bool tail) {
  Scope* const outer = scope_;
  const size_t live = live_.size();
  scope_ = new_scope(outer);
  if (s->init) statement(s->init, false);
  Operand p;
  if (s->is_constexpr) {
    const Value v = constant_value(s->a, scope_, "the condition of if constexpr", types_.basic(Ty::bool_));
    if (!v.bad()) p = v.s;
  } else {
    p = condition(s->a);
  }
  if (p.is_number()) {
    const Stmt* taken = p.bits ? s->body : s->otherwise;
    if (taken) statement(taken, tail);
  } else if (p.k == Operand::reg) {
    push(Op::if_, Type::pred, -1, p.r);
    ++structure_;
    const size_t mark = journal_.size();
    if (s->body) statement(s->body, tail);
    auto one = end_branch(mark);
    const bool dead = dead_;
    dead_ = false;
    std::vector<std::pair<Cell*, Change>> two;
    if (s->otherwise) {
      push(Op::else_, Type::s32);
      statement(s->otherwise, tail);
      two = end_branch(mark);
    }
    merge(one, two);
    dead_ = dead && dead_;
    push(Op::end_if, Type::s32);
    --structure_;
  }
  scope_ = outer;
  live_.resize(live);
}

void Lower::learn(std::set<const void*>& keys, size_t mark, int serial) {
  for (size_t k = mark; k < journal_.size(); ++k) {
    const Var* v = journal_[k].cell->owner;
    if (v->serial < serial && keys.insert(v->key).second) again_ = true;
  }
}

int Lower::weight(const Expr* e) {
  if (!e) return 0;
  int w = 1 + weight(e->a) + weight(e->b) + weight(e->c);
  for (const Expr* x : e->list) w += weight(x);
  return std::min(w, 1 << 20);
}
int Lower::weight(const Stmt* s) {
  if (!s) return 0;
  const auto [slot, fresh] = weights_.try_emplace(s, 0);
  if (!fresh) return slot->second;
  int w = weight(s->a) + weight(s->b) + weight(s->init) + weight(s->otherwise);
  const bool loop = s->form == StmtForm::for_ || s->form == StmtForm::while_ || s->form == StmtForm::do_;
  int turns = loop ? 8 : 1;
  if (s->form == StmtForm::for_ && s->a && s->a->form == ExprForm::binary && s->a->b && s->a->b->form == ExprForm::integer) {
    // for (i = 0; i < 4; ...) as it is usually written
    turns = int(std::min<uint64_t>(integer_literal(s->a->b->text).value, 1000));
    if (s->b && s->b->form == ExprForm::assign && s->b->b->form == ExprForm::integer) turns = turns / std::max(1, int(std::min<uint64_t>(integer_literal(s->b->b->text).value, 1000))) + 1;
  }
  w += std::max(1, turns) * std::min(weight(s->body), 1 << 17);
  for (const Stmt* x : s->list) w += weight(x);
  for (const VarDecl* v : s->variables) w += 1 + weight(v->init);
  return weights_[s] = std::min(w, 1 << 20);
}

// Does a statement leave or continue the loop that it stands in?
bool Lower::breaks(const Stmt* s, bool in_switch) {
  if (!s) return false;
  switch (s->form) {
    case StmtForm::break_: return !in_switch;
    case StmtForm::continue_: return true;
    case StmtForm::for_: case StmtForm::while_: case StmtForm::do_: return false;
    case StmtForm::switch_: return breaks(s->body, true);
    default: break;
  }
  if (breaks(s->body, in_switch) || breaks(s->otherwise, in_switch)) return true;
  return std::any_of(s->list.begin(), s->list.end(), [&](const Stmt* x) { return breaks(x, in_switch); });
}

namespace {
bool mentions(const Expr* e, const std::set<std::string_view>& names) {
  if (!e) return false;
  if (e->form == ExprForm::name && names.count(e->text) != 0) return true;
  if (mentions(e->a, names) || mentions(e->b, names) || mentions(e->c, names)) return true;
  return std::any_of(e->list.begin(), e->list.end(), [&](const Expr* x) { return mentions(x, names); });
}
// Variables that begin as something of `names`.
void derive(const Stmt* s, std::set<std::string_view>& names) {
  if (!s) return;
  for (const VarDecl* v : s->variables)
    if (mentions(v->init, names)) names.insert(v->name);
  for (const Stmt* x : {s->init, s->body, s->otherwise}) derive(x, names);
  for (const Stmt* x : s->list) derive(x, names);
}
}  // namespace

// Is an array in registers indexed by one of `names`?
bool Lower::indexes_registers(const Expr* e, const std::set<std::string_view>& names) {
  if (!e) return false;
  if (e->form == ExprForm::subscript) {
    const Expr* root = e;
    bool by = false;
    for (; root->form == ExprForm::subscript || root->form == ExprForm::member; root = root->a) by = by || (root->form == ExprForm::subscript && mentions(root->b, names));
    if (by && root->form == ExprForm::name)
      if (const Symbol* s = find(root->text, scope_); !s || (s->kind == Symbol::variable && s->var && (s->var->type->k == Ty::array || s->var->where == Var::alias) && s->var->where != Var::in_memory))
        return true;
  }
  if (indexes_registers(e->a, names) || indexes_registers(e->b, names) || indexes_registers(e->c, names)) return true;
  return std::any_of(e->list.begin(), e->list.end(), [&](const Expr* x) { return indexes_registers(x, names); });
}
bool Lower::indexes_registers(const Stmt* s, const std::set<std::string_view>& names) {
  if (!s) return false;
  if (indexes_registers(s->a, names) || indexes_registers(s->b, names) || indexes_registers(s->body, names) || indexes_registers(s->otherwise, names) || indexes_registers(s->init, names)) return true;
  for (const VarDecl* v : s->variables)
    if (indexes_registers(v->init, names)) return true;
  return std::any_of(s->list.begin(), s->list.end(), [&](const Stmt* x) { return indexes_registers(x, names); });
}

// Unrolls a loop in full when it counts over known values. Its first part has been walked.
bool Lower::unroll(const Stmt* s) {
  if (s->form != StmtForm::for_ || !s->a || !s->b || !s->body || s->unroll == 1 || breaks(s->body, false)) return false;
  const bool asked = s->unroll != 0;
  if (s->unroll == 2) {
    const auto n = constant(s->unroll_count, scope_, "the count of #pragma unroll");
    if (!n || *n == 1) return false;
  }
  // The variable that counts.
  const Expr* step = s->b;
  if (step->form != ExprForm::assign && step->form != ExprForm::unary && step->form != ExprForm::postfix) return false;
  if (!step->a || step->a->form != ExprForm::name) return false;
  const Symbol* symbol = find(step->a->text, scope_);
  if (!symbol || symbol->kind != Symbol::variable || symbol->var->where != Var::in_cells || symbol->var->cells.size() != 1) return false;
  Var& counter = *symbol->var;
  Cell& cell = counter.cells[0];
  if (!cell.known || !cell.value.is_number()) return false;
  // Counts the trips with what the body does not change.
  const int64_t most = asked ? 4096 : 512;
  std::set<const void*>& body_keys = assigned_[s->body];
  if (body_keys.count(counter.key)) return false;
  const size_t mark = journal_.size(), size = body_.code.size();
  const int problems = problems_.errors();
  for (const void* key : body_keys) forget_key(key);
  int64_t trips = 0;
  bool known = true;
  for (;;) {
    const Operand p = condition(s->a);
    if (!p.is_number()) known = false;
    if (!known || !p.bits || trips > most) break;
    ++trips;
    expr(step);
    if (!cell.known || !cell.value.is_number()) known = false;
  }
  body_.code.resize(size);
  end_branch(mark);
  if (!known || trips > most || problems_.errors() > problems) return false;
  const int64_t total = trips * std::max(1, weight(s->body));
  if (!asked) {
    std::set<std::string_view> names{counter.name};
    derive(s->body, names);
    const bool arrays = indexes_registers(s->body, names);
    if (total > (arrays ? 400'000 : 2'500)) return false;
  }
  for (int64_t k = 0; k < trips && !stopped_ && !dead_; ++k) {
    const size_t begin = journal_.size();
    const int serial = serial_;
    statement(s->body, false);
    learn(body_keys, begin, serial);
    if (dead_) break;
    if (!cell.known || !cell.value.is_number()) {
      if (body_keys.insert(counter.key).second) again_ = true;
      break;
    }
    expr(step);
  }
  return true;
}

void Lower::loop_statement(const Stmt* s) {
  Scope* const outer = scope_;
  const size_t live = live_.size();
  scope_ = new_scope(outer);
  if (s->init) statement(s->init, false);
  const int serial = serial_;
  if (!unroll(s) && s->body) {
    std::set<const void*>& keys = assigned_[s];
    for (const void* key : keys) forget_key(key);
    const size_t size = body_.code.size(), mark = journal_.size();
    push(Op::loop, Type::s32);
    ++structure_;
    loops_.push_back({});
    bool never = false;
    const auto test = [&] {
      if (!s->a) return;
      const Operand p = condition(s->a);
      if (p.is_number()) never = !p.bits;
      if (p.k == Operand::reg || (never && s->form == StmtForm::do_)) push(Op::loop_test, Type::pred, -1, reg(p, Type::pred));
    };
    if (s->form != StmtForm::do_) test();
    if (never && s->form != StmtForm::do_) {
      body_.code.resize(size);
      loops_.pop_back();
      --structure_;
    } else {
      statement(s->body, false);
      dead_ = false;
      if (loops_.back().continued) forget(mark);
      loops_.pop_back();
      push(Op::loop_next, Type::s32);
      if (s->form == StmtForm::do_) test();
      if (s->b) expr(s->b);
      push(Op::loop_back, Type::s32);
      push(Op::loop_end, Type::s32);
      --structure_;
      learn(keys, mark, serial);
      forget(mark);
    }
  }
  scope_ = outer;
  live_.resize(live);
}

void Lower::switch_statement(const Stmt* s) {
  Value v = rvalue(expr(s->a));
  if (v.bad()) return;
  if (!is_integer(v.t)) return error(s->at, "switch takes a whole number, not " + spelled(v.t));
  const CType* type = v.t->k == Ty::enumeration ? v.t : promoted(v.t);
  v = convert(v, type, s->at);
  if (!s->body || s->body->form != StmtForm::block) return error(s->at, "the body of a switch stands in braces");
  struct Group { std::vector<uint64_t> values; bool otherwise = false, ends = false; std::vector<const Stmt*> list; };
  std::vector<Group> groups;
  std::set<uint64_t> seen;
  bool label = false, simple = true;
  for (const Stmt* x : s->body->list) {
    if (x->form == StmtForm::case_ || x->form == StmtForm::default_) {
      if (!label) groups.emplace_back();
      label = true;
      if (x->form == StmtForm::default_) groups.back().otherwise = true;
      if (x->form == StmtForm::case_ && x->a) {
        const Value c = constant_value(x->a, scope_, "the value of case", type);
        if (c.bad()) continue;
        if (!seen.insert(c.s.bits).second) error(x->at, "this case stands twice in the switch");
        groups.back().values.push_back(c.s.bits);
      }
      continue;
    }
    label = false;
    if (groups.empty()) return error(x->at, "this statement stands before the first case");
    Group& g = groups.back();
    if (g.ends) continue;  // behind a break
    if (x->form == StmtForm::break_ || x->form == StmtForm::return_ || x->form == StmtForm::continue_) g.ends = true;
    if (x->form != StmtForm::break_) g.list.push_back(x);
    else if (!g.ends) simple = false;
    // A case in braces that ends in break.
    if (x->form == StmtForm::block && !x->list.empty() && x->list.back()->form == StmtForm::break_) {
      bool inner = false;
      for (size_t k = 0; k + 1 < x->list.size(); ++k) inner |= breaks(x->list[k], false);
      if (!inner) {
        g.ends = true;
        g.list.pop_back();
        Stmt& copy = unit_.stmts.emplace_back(*x);
        copy.list.pop_back();
        g.list.push_back(&copy);
        continue;
      }
    }
    if (x->form != StmtForm::break_ && x->form != StmtForm::continue_ && breaks(x, false)) simple = false;
  }
  for (size_t k = 0; k + 1 < groups.size(); ++k) simple &= groups[k].ends || groups[k].list.empty();
  // Labels without statements of their own belong to what follows.
  for (size_t k = groups.size(); k-- > 0;)
    if (k + 1 < groups.size() && groups[k].list.empty() && !groups[k].ends) simple = false;
  Scope* const outer = scope_;
  const size_t live = live_.size();
  scope_ = new_scope(outer);
  const Type t = machine_type(type);
  const auto match = [&](const Group& g) {
    Operand p = Operand::known(0);
    for (const uint64_t c : g.values) p = emit(Op::or_, Type::pred, p, emit(Op::eq, t, v.s, Operand::known(c)));
    return p;
  };
  if (simple) {
    std::vector<const Group*> order;
    const Group* otherwise = nullptr;
    for (const Group& g : groups)
      if (g.otherwise) otherwise = &g;
      else order.push_back(&g);
    int open = 0;
    const size_t mark = journal_.size();
    std::vector<std::vector<std::pair<Cell*, Change>>> branches;
    bool all_dead = true, decided = false;
    for (const Group* g : order) {
      const Operand p = match(*g);
      if (p.is_number() && !p.bits) continue;
      if (p.k == Operand::reg) {
        push(Op::if_, Type::pred, -1, p.r);
        ++structure_;
      }
      for (const Stmt* x : g->list) statement(x, false);
      branches.push_back(end_branch(mark));
      all_dead &= dead_;
      dead_ = false;
      if (p.is_number()) {
        decided = true;
        break;
      }
      push(Op::else_, Type::s32);
      ++open;
    }
    if (!decided) {
      if (otherwise)
        for (const Stmt* x : otherwise->list) statement(x, false);
      branches.push_back(end_branch(mark));
      all_dead &= dead_;
      dead_ = false;
    }
    for (size_t k = 1; k < branches.size(); ++k) {
      merge(branches[0], branches[k]);
      branches[0] = end_branch(mark);
    }
    for (auto& change : branches[0]) set_known(*change.first, change.second.known, change.second.value);
    for (; open > 0; --open) {
      push(Op::end_if, Type::s32);
      --structure_;
    }
    dead_ = all_dead;
  } else {
    const int flag = new_reg(Type::pred), on = new_reg(Type::pred);
    push(Op::move, Type::pred, flag, constant_reg(0, Type::pred));
    push(Op::move, Type::pred, on, constant_reg(0, Type::pred));
    Operand any = Operand::known(0);
    for (const Group& g : groups) any = emit(Op::or_, Type::pred, any, match(g));
    const size_t mark = journal_.size();
    push(Op::loop, Type::s32).flags |= flag_unrolled;
    ++structure_;
    loops_.push_back({true, false, flag});
    for (const Group& g : groups) {
      Operand p = match(g);
      if (g.otherwise) p = emit(Op::or_, Type::pred, p, emit(Op::not_, Type::pred, any));
      move_to(on, emit(Op::or_, Type::pred, Operand::of(on), p), Type::pred);
      push(Op::if_, Type::pred, -1, on);
      ++structure_;
      const size_t begin = journal_.size();
      for (const Stmt* x : g.list) statement(x, false);
      if (g.ends && !dead_) push(Op::break_, Type::s32);
      dead_ = false;
      auto one = end_branch(begin);
      std::vector<std::pair<Cell*, Change>> none;
      merge(one, none);
      push(Op::end_if, Type::s32);
      --structure_;
    }
    const bool continued = loops_.back().continued;
    loops_.pop_back();
    push(Op::loop_end, Type::s32).flags |= flag_unrolled;
    --structure_;
    forget(mark);
    if (continued) {
      push(Op::if_, Type::pred, -1, flag);
      ++structure_;
      jump_continue(s->at);
      dead_ = false;
      push(Op::end_if, Type::s32);
      --structure_;
    }
  }
  scope_ = outer;
  live_.resize(live);
}

void Lower::return_statement(const Stmt* s, bool tail) {
  Frame& f = *frame_;
  if (s->a) {
    if (f.result_type && f.result_type->k == Ty::void_ && !f.deduced) {
      const Value v = expr(s->a);
      if (!v.bad() && v.t->k != Ty::void_) error(s->at, f.up ? "this function returns void" : "a kernel returns void", "write results through a pointer");
    } else if (f.result_reference) {
      const Value v = s->a->form == ExprForm::list ? Value{} : expr(s->a);
      if (!v.bad() && !v.lvalue()) error(s->at, "this is a value, not something that can be referred to", "return it by value");
      if (f.returned) error(s->at, "functions that return a reference can have only one return here", "return by value or through a pointer");
      f.reference = v;
    } else {
      Value v;
      if (s->a->form == ExprForm::list && f.result_type) {
        v = construct_type(f.result_type, s->a->list, true, s->a->at);
      } else {
        v = rvalue(expr(s->a));
        if (!v.bad() && !f.result_type) f.result_type = v.t, f.deduced = true;
      }
      if (!v.bad()) v = convert(v, f.result_type, s->a->at);
      if (!v.bad()) {
        if (v.t->k == Ty::lambda) {
          error(s->at, "lambdas cannot be returned");
        } else if (!f.returned && structure_ == f.structure && !f.result && v.form == Form::scalar && v.s.k != Operand::reg) {
          f.reference = v;  // known: no variable is needed
        } else {
          if (!f.result) {
            f.result = new_var("a result", f.f, f.result_type, 0);
            make_cells(*f.result);
          }
          store(var_value(*f.result), v, s->at);
        }
      }
    }
  } else if (f.result_type && f.result_type->k != Ty::void_) {
    error(s->at, "this return needs a value of type " + spelled(f.result_type));
  } else if (!f.result_type) {
    f.result_type = types_.basic(Ty::void_);
    f.deduced = true;
  }
  f.returned = true;
  if (structure_ != f.structure && !tail) {
    push(Op::return_, Type::s32);
    f.used = true;
  }
  dead_ = true;
}

}  // namespace lk::simt
