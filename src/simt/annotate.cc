// Spaces of addresses, what is uniform, what each instruction costs on a GPU.
#include <algorithm>
#include <unordered_map>

#include "simt/ir.h"

namespace lk::simt {
namespace {

// Where a value points, joined over everything that is assigned to it. bit 0 global through a parameter, 1 shared, 2 local,
// 3 anything (loaded from memory, made from a number).
constexpr uint8_t in_global = 1, in_shared = 2, in_local = 4, anywhere = 8;

struct Origin {
  uint8_t where = 0;
  int parameter = -2;          // -2 none yet, -1 several
};

}  // namespace

void infer_spaces(Body& body, const std::vector<uint64_t>& constants, const std::vector<int>& read_only) {
  std::vector<Origin> of(body.regs.size());
  const auto join = [&](int d, const Origin& o) {
    Origin& x = of[size_t(d)];
    const Origin old = x;
    x.where |= o.where;
    if (o.parameter != -2) x.parameter = x.parameter == -2 || x.parameter == o.parameter ? o.parameter : -1;
    return x.where != old.where || x.parameter != old.parameter;
  };
  const auto wide = [&](int r) { return r >= 0 && units(body.regs[size_t(r)].type) == 2; };
  bool again = true;
  for (int round = 0; again && round < 16; ++round) {
    again = false;
    for (auto* list : {&body.entry, &body.code})
      for (const Inst& i : *list) {
        if (!uses(i).d || i.d < 0 || !wide(i.d)) continue;
        Origin o;
        switch (i.op) {
          case Op::constant: {
            const uint64_t v = constants[size_t(i.imm)];
            if (v >= local_window && v < local_window + (uint64_t{1} << 40)) o.where = in_local;
            else if (v >= shared_window && v < shared_window + (uint64_t{1} << 41)) o.where = in_shared;
            break;
          }
          case Op::parameter: o.where = in_global, o.parameter = int(i.imm); break;
          case Op::move: case Op::neg: again |= join(i.d, of[size_t(i.a)]); continue;
          case Op::add: case Op::sub: case Op::and_: case Op::or_:
            // Numbers that were added up have no origin of their own.
            again |= join(i.d, of[size_t(i.a)]);
            again |= join(i.d, of[size_t(i.b)]);
            continue;
          case Op::fma: again |= join(i.d, of[size_t(i.c)]); continue;
          case Op::select:
            again |= join(i.d, of[size_t(i.a)]);
            again |= join(i.d, of[size_t(i.b)]);
            continue;
          case Op::load: o.where = anywhere; o.parameter = -1; break;
          case Op::bits: o.where = anywhere; o.parameter = -1; break;
          default: continue;
        }
        again |= join(i.d, o);
      }
  }
  for (Inst& i : body.code) {
    if (i.op != Op::load && i.op != Op::store && !is_atomic(i.op)) continue;
    const Origin& o = of[size_t(i.a)];
    if (i.space == Space::generic && !again) {
      if (o.where == in_global) i.space = Space::global;
      else if (o.where == in_shared) i.space = Space::shared;
      else if (o.where == in_local) i.space = Space::local;
    }
    if (i.op == Op::load && o.where == in_global && o.parameter >= 0 && !again && std::find(read_only.begin(), read_only.end(), o.parameter) != read_only.end())
      i.flags |= flag_readonly;
    if (i.space == Space::shared || i.space == Space::local) i.flags &= uint8_t(~flag_readonly);
  }
}

namespace {
constexpr uint16_t one = 16;
uint16_t of(double n) { return uint16_t(n * 16 + 0.5); }

class Costs {
 public:
  Costs(Body& body, const std::vector<uint64_t>& constants) : body_(body), constants_(constants) {
    def_.assign(body.regs.size(), nullptr);
    defs_.assign(body.regs.size(), 0);
    uses_.assign(body.regs.size(), 0);
    for (auto* list : {&body.entry, &body.code})
      for (Inst& i : *list) {
        const Use u = uses(i);
        if (u.a) ++uses_[size_t(i.a)];
        if (u.b) ++uses_[size_t(i.b)];
        if (u.c) ++uses_[size_t(i.c)];
        if (u.d && i.d >= 0) {
          ++defs_[size_t(i.d)];
          def_[size_t(i.d)] = &i;
        }
      }
    shared_.assign(body.regs.size(), false);
  }

  void run() {
    for (const Inst& i : body_.code)
      if ((i.op == Op::load || i.op == Op::store || is_atomic(i.op)) && (i.space == Space::shared || i.space == Space::local)) shared_[size_t(i.a)] = true;
    // What is added to a shared address is 32 bits wide on a GPU.
    for (size_t k = body_.code.size(); k-- > 0;) {
      const Inst& i = body_.code[k];
      if ((i.op == Op::fma || i.op == Op::add || i.op == Op::move) && i.d >= 0 && shared_[size_t(i.d)]) {
        if (i.op == Op::fma) shared_[size_t(i.c)] = shared_[size_t(i.a)] = true;
        else shared_[size_t(i.a)] = true;
        if (i.op == Op::add) shared_[size_t(i.b)] = true;
      }
    }
    for (auto* list : {&body_.entry, &body_.code})
      for (Inst& i : *list) {
        if (i.flags & flag_folded && i.op != Op::parameter) {
          i.issued = 0;
          continue;
        }
        i.flags &= uint8_t(~flag_folded);
        i.issued = cost(i);
        if (i.issued == 0) i.flags |= flag_folded;
      }
    // Conversions that only widen an index are part of the multiplication that uses it.
    for (Inst& i : body_.code) {
      if (i.op != Op::fma || i.type != Type::u64 || !known(i.b)) continue;
      Inst* c = single(i.a);
      if (c && c->op == Op::convert && units(c->type) == 2 && units(c->from) == 1) c->issued = 0, c->flags |= flag_folded;
    }
    predicates();
    uniform();
    branches();
  }

 private:
  Inst* single(int r) const { return r >= 0 && defs_[size_t(r)] == 1 ? def_[size_t(r)] : nullptr; }
  bool known(int r) const {
    const Inst* i = single(r);
    return i && i->op == Op::constant;
  }
  uint64_t value(int r) const { return constants_[size_t(single(r)->imm)]; }

  bool widened(int r) const {
    const Inst* c = single(r);
    return c && c->op == Op::convert && units(c->type) == 2 && units(c->from) == 1;
  }

  bool parameter(int r) const {
    const Inst* p = single(r);
    return p && p->op == Op::parameter;
  }
  bool wide_product(int r) const {
    const Inst* m = single(r);
    return m && units(m->type) == 2 && m->op == Op::mul;
  }

  uint16_t cost(const Inst& i) const {
    const bool wide = units(i.type) == 2, real = is_float(i.type);
    const bool small_address = i.d >= 0 && uses(i).d && shared_[size_t(i.d)];
    switch (i.op) {
      case Op::nop: case Op::constant: case Op::bits: case Op::move: return 0;  // a copy is a name to the register allocator
      // Addresses and 64-bit bounds come through a load into a uniform register; 32-bit parameters are operands as they are.
      case Op::parameter: return wide ? one : 0;
      // With it go the two instructions that every kernel begins with: the stack pointer and the descriptor of global memory.
      case Op::exit: return 3 * one;
      case Op::special: return i.imm == int(Special::warp_size) ? 0 : one;
      case Op::convert: {
        if (!is_float(i.type) && !is_float(i.from)) {
          if (i.from == Type::pred) return one;
          if (units(i.type) == 2 && units(i.from) == 1) return is_signed(i.from) && !small_address ? one : 0;
          if (units(i.from) == 2 && bytes(i.type) == 4) return 0;
          return one;
        }
        return units(i.type) == 2 && units(i.from) == 2 && is_float(i.type) != is_float(i.from) ? one : one;
      }
      case Op::add: {
        if (!wide || real || small_address) return one;
        // A product of two words takes a sum along (IMAD.WIDE).
        for (const int r : {i.a, i.b}) {
          const Inst* m = single(r);
          if (m && m->op == Op::mul && uses_[size_t(r)] == 1 && widened(m->a) && widened(m->b)) return 0;
        }
        return 2 * one;
      }
      case Op::sub: return wide && !real && !small_address ? 2 * one : one;
      case Op::neg: return real ? 0 : wide ? 2 * one : one;
      case Op::abs: return real ? 0 : wide ? 3 * one : one;
      case Op::mul:
        if (!wide || real) return one;
        if (small_address || (widened(i.a) && widened(i.b))) return one;
        return known(i.b) && (value(i.b) & (value(i.b) - 1)) == 0 ? 2 * one : 4 * one;
      case Op::mul_hi: return wide ? 10 * one : one;
      case Op::fma: {
        if (!wide || real) return one;
        if (small_address) return one;
        const Inst* a = single(i.a);
        const bool narrow = a && a->op == Op::convert && units(a->from) == 1;
        // To a pointer that is itself a parameter plus a product, nvcc adds the two indices first and scales their sum: four instructions.
        const Inst* base = narrow ? single(i.c) : nullptr;
        if (base && base->op == Op::fma && base->type == Type::u64 && known(base->b) && wide_product(base->a) && parameter(base->c)) return 4 * one;
        if (known(i.b) && (narrow || (value(i.b) & (value(i.b) - 1)) != 0)) return narrow ? one : 3 * one;
        return known(i.b) ? 2 * one : 5 * one;
      }
      case Op::div:
        if (i.type == Type::f64) return 16 * one;
        if (real) return 10 * one;
        if (known(i.b)) return wide ? 8 * one : is_signed(i.type) ? 3 * one : 2 * one;
        return wide ? 65 * one : is_signed(i.type) ? 24 * one : 19 * one;
      case Op::rem:
        if (known(i.b)) return wide ? 10 * one : is_signed(i.type) ? 4 * one : 3 * one;
        return wide ? 65 * one : is_signed(i.type) ? 24 * one : 20 * one;
      case Op::min: case Op::max: return wide && !real ? 4 * one : wide ? 6 * one : one;
      case Op::and_: case Op::or_: case Op::xor_: case Op::not_:
        if (i.type == Type::pred) return i.op == Op::not_ ? 0 : one;
        return wide ? 2 * one : one;
      case Op::shl: case Op::shr: return wide && !small_address ? 2 * one : one;
      case Op::popc: return wide ? 3 * one : one;
      case Op::clz: return wide ? 5 * one : 2 * one;
      case Op::ffs: return wide ? 6 * one : 3 * one;
      case Op::brev: return wide ? 2 * one : one;
      case Op::eq: case Op::ne: case Op::lt: case Op::le: case Op::gt: case Op::ge: return wide && !real ? 2 * one : one;
      case Op::select: return wide ? 2 * one : one;
      case Op::is_nan: case Op::is_inf: return one;
      case Op::sqrt: return wide ? 14 * one : 8 * one;
      case Op::rsqrt: return wide ? 14 * one : 3 * one;
      case Op::rcp: return wide ? 8 * one : 6 * one;
      case Op::exp: return wide ? 24 * one : 8 * one;
      case Op::exp2: return wide ? 24 * one : 4 * one;
      case Op::exp10: return wide ? 24 * one : 9 * one;
      case Op::expm1: return wide ? 30 * one : 16 * one;
      case Op::log: return wide ? 40 * one : 17 * one;
      case Op::log2: return wide ? 42 * one : 4 * one;
      case Op::log10: return wide ? 42 * one : 18 * one;
      case Op::log1p: return wide ? 50 * one : 20 * one;
      case Op::sin: case Op::cos: return wide ? 45 * one : 22 * one;
      case Op::tan: return wide ? 60 * one : 32 * one;
      case Op::tanh: return wide ? 50 * one : 14 * one;
      case Op::pow: return wide ? 150 * one : 55 * one;
      case Op::erf: return wide ? 50 * one : 20 * one;
      case Op::round: return wide ? 6 * one : 4 * one;
      case Op::fmod: return 40 * one;
      case Op::copysign: return one;
      case Op::exp_fast: return 5 * one;
      case Op::log_fast: return 5 * one;
      case Op::sin_fast: case Op::cos_fast: return of(2);
      case Op::div_fast: return 5 * one;
      case Op::pow_fast: return 9 * one;
      case Op::if_: case Op::else_: case Op::end_if: case Op::loop: case Op::loop_next: case Op::loop_back: case Op::loop_end: case Op::frame: case Op::frame_end: return 0;
      default: return one;
    }
  }

  // a && b of two comparisons is one chain of them.
  void predicates() {
    for (Inst& i : body_.code) {
      if (i.type != Type::pred || (i.op != Op::and_ && i.op != Op::or_)) continue;
      for (const int r : {i.a, i.b}) {
        const Inst* c = single(r);
        if (c && uses_[size_t(r)] == 1 && is_compare(c->op)) {
          i.issued = 0;
          i.flags |= flag_folded;
          break;
        }
      }
    }
  }

  void uniform() {
    std::vector<bool> same(body_.regs.size(), false);
    for (auto* list : {&body_.entry, &body_.code})
      for (Inst& i : *list) {
        if (!uses(i).d || i.d < 0 || defs_[size_t(i.d)] != 1) continue;
        bool is = false;
        if (i.op == Op::constant || i.op == Op::parameter) is = true;
        else if (i.op == Op::special) is = (i.imm >= int(Special::block_x) && i.imm <= int(Special::grid_dim_z)) || i.imm == int(Special::warp_size);
        else if (pure(i) && i.op != Op::special) {
          const Use u = uses(i);
          is = (!u.a || same[size_t(i.a)]) && (!u.b || same[size_t(i.b)]) && (!u.c || same[size_t(i.c)]);
        }
        if (is) {
          same[size_t(i.d)] = true;
          i.flags |= flag_uniform;
        }
      }
  }

  // Small bodies are predicated; larger ones are jumped over.
  void branches() {
    std::vector<Inst>& code = body_.code;
    struct Open { size_t at; int cost; bool hard, leaves, otherwise; };
    std::vector<Open> open;
    for (size_t k = 0; k < code.size(); ++k) {
      Inst& i = code[k];
      if (i.op == Op::if_) {
        open.push_back({k, 0, false, false, false});
        continue;
      }
      if (i.op == Op::end_if && !open.empty()) {
        const Open o = open.back();
        open.pop_back();
        Inst& head = code[o.at];
        const bool only_leaves = o.leaves && !o.otherwise && o.cost <= 1;
        // Nothing follows: lanes that are not meant leave at once.
        const bool last = !o.otherwise && open.empty() && k + 1 < code.size() && code[k + 1].op == Op::exit;
        if (only_leaves || (last && (o.hard || o.cost > 7 * one))) {
          if (last) head.flags |= flag_branch;
          head.issued = one;
        } else if (o.hard || o.cost > 7 * one) {
          head.flags |= flag_branch;
          head.issued = head.flags & flag_uniform ? one : 2 * one;
          i.issued = head.flags & flag_uniform ? 0 : one;
          i.flags = uint8_t(i.issued ? i.flags & ~flag_folded : i.flags | flag_folded);
        }
        if (head.issued) head.flags &= uint8_t(~flag_folded);
        if (!open.empty()) {
          open.back().cost += o.cost + head.issued + i.issued;
          open.back().hard |= o.hard;
        }
        continue;
      }
      if (open.empty()) continue;
      Open& o = open.back();
      if (i.op == Op::else_) o.otherwise = true;
      else if (i.op == Op::return_ || i.op == Op::break_ || i.op == Op::continue_ || i.op == Op::trap) {
        // Alone in its if: the branch is the leaving itself.
        if (code[k - 1].op == Op::if_ && i.op != Op::trap) i.issued = 0, i.flags |= flag_folded, o.leaves = true;
        else o.hard = true, o.cost += i.issued;
      } else if (i.op == Op::loop || is_barrier(i.op)) {
        o.hard = true;
      } else {
        o.cost += i.issued;
      }
    }
  }

  Body& body_;
  const std::vector<uint64_t>& constants_;
  std::vector<Inst*> def_;
  std::vector<int> defs_, uses_;
  std::vector<bool> shared_;
};
}  // namespace

void annotate(Body& body, const std::vector<uint64_t>& constants) {
  Costs(body, constants).run();
  share_loop_costs(body);
}

}  // namespace lk::simt
