#include <algorithm>
#include <cstdlib>
#include <unordered_map>
#include <unordered_set>

#include "simt/ir.h"

namespace lk::simt {
namespace {

// What an instruction computes: equal keys give equal values.
struct Key {
  uint64_t words[6] = {};
  bool operator==(const Key& o) const { return std::equal(words, words + 6, o.words); }
};
struct KeyHash {
  size_t operator()(const Key& k) const {
    uint64_t h = 0x9e3779b97f4a7c15u;
    for (const uint64_t w : k.words) h = (h ^ w) * 0xff51afd7ed558ccdu, h ^= h >> 32;
    return size_t(h);
  }
};

class Optimizer {
 public:
  Optimizer(Body& body, bool contract) : body_(body), contract_(contract) {}

  void run() {
    std::erase_if(body_.code, [](const Inst& i) { return i.op == Op::nop; });
    count();
    forward();
    sweep();
    hoist();
    count();
    overwritten();
    count();
    retarget();
    sweep();
  }

 private:
  size_t regs() const { return body_.regs.size(); }

  template <class F> static void each_source(const Inst& i, F f) {
    const Use u = uses(i);
    if (u.a) f(i.a);
    if (u.b) {
      f(i.b);
      if (i.op == Op::store) for (int k = 1; k < i.count; ++k) f(i.b + k);
    }
    if (u.c) f(i.c);
  }
  template <class F> static void each_result(const Inst& i, F f) {
    if (!uses(i).d || i.d < 0) return;
    const int n = i.op == Op::load ? i.count : 1;
    for (int k = 0; k < n; ++k) f(i.d + k);
  }

  void count() {
    defs_.assign(regs(), 0);
    uses_.assign(regs(), 0);
    for (auto* list : {&body_.entry, &body_.code})
      for (const Inst& i : *list) {
        each_source(i, [&](int r) { ++uses_[size_t(r)]; });
        each_result(i, [&](int r) { ++defs_[size_t(r)]; });
      }
  }

  // --- one walk forward: copies, common subexpressions, fma, addresses ---

  struct Def { int index = -1; uint32_t va = 0, vb = 0, vc = 0, vd = 0; };
  struct Copy { int source = -1; uint32_t vs = 0, vd = 0; };
  struct Value { int d; uint32_t vd; };
  struct Level { size_t undo_keys, undo_copies; bool is_loop = false, continued = false; };

  void grow() {
    if (version_.size() < regs()) {
      version_.resize(regs() + regs() / 2 + 64, 0);
      def_.resize(version_.size());
      copy_.resize(version_.size());
      defs_.resize(version_.size(), 0);
      uses_.resize(version_.size(), 0);
    }
  }
  uint32_t version(int r) const { return version_[size_t(r)]; }

  void forward() {
    grow();
    version_.assign(version_.size(), 0);
    std::vector<Inst> in = std::move(body_.code);
    out_ = &body_.code;
    out_->clear();
    out_->reserve(in.size() + in.size() / 4);
    for (Inst& i : body_.entry) {
      entry_values_.push_back(i);
      each_result(i, [&](int r) {
        version_[size_t(r)] = ++clock_;
        def_[size_t(r)] = {-1 - int(entry_values_.size()), 0, 0, 0, clock_};
      });
    }
    // What each loop writes, so that nothing from before it is taken for it.
    std::vector<std::vector<int>> writes(in.size());
    std::vector<uint8_t> stores(in.size(), 0);
    {
      std::vector<size_t> open;
      for (size_t k = 0; k < in.size(); ++k) {
        if (in[k].op == Op::loop) open.push_back(k);
        for (const size_t l : open) {
          each_result(in[k], [&](int r) { writes[l].push_back(r); });
          stores[l] |= touched(in[k]);
        }
        if (in[k].op == Op::loop_end) open.pop_back();
      }
    }
    for (size_t k = 0; k < in.size(); ++k) {
      Inst& i = in[k];
      switch (i.op) {
        case Op::else_: pop(); push(); break;
        case Op::end_if: pop(); break;
        case Op::loop_next:
          if (levels_.back().continued) flush(levels_.back());
          break;
        case Op::loop_end: pop(); break;
        case Op::frame_end: pop(); break;
        case Op::continue_:
          for (size_t l = levels_.size(); l-- > 0;)
            if (levels_[l].is_loop) {
              levels_[l].continued = true;
              break;
            }
          break;
        case Op::loop:
          push();
          levels_.back().is_loop = true;
          for (const int r : writes[k]) version_[size_t(r)] = ++clock_;
          clobber(stores[k]);
          break;
        default: break;
      }
      rewrite(i);
      emit(i);
      if (i.op == Op::if_ || i.op == Op::frame) push();
    }
  }

  // 1: shared memory, 2: the rest; what an instruction may have changed when it is done.
  static uint8_t touched(const Inst& i) {
    if (i.op == Op::store || is_atomic(i.op)) return i.space == Space::shared ? 1 : i.space == Space::generic ? 3 : 2;
    if (is_barrier(i.op) || i.op == Op::fence || i.op == Op::sync_warp) return 3;
    return 0;
  }
  void clobber(uint8_t what) {
    if (what & 1) ++epoch_[0];
    if (what & 2) ++epoch_[1];
  }

  void push() { levels_.push_back({key_undo_.size(), copy_undo_.size()}); }
  void flush(const Level& l) {
    while (key_undo_.size() > l.undo_keys) {
      auto& [key, old] = key_undo_.back();
      if (old.d < 0) values_.erase(key);
      else values_[key] = old;
      key_undo_.pop_back();
    }
    while (copy_undo_.size() > l.undo_copies) {
      copy_[size_t(copy_undo_.back().first)] = copy_undo_.back().second;
      copy_undo_.pop_back();
    }
  }
  void pop() {
    if (levels_.empty()) return;
    flush(levels_.back());
    levels_.pop_back();
  }

  int resolve(int r) const {
    for (int k = 0; k < 8 && r >= 0; ++k) {
      const Copy& c = copy_[size_t(r)];
      if (c.source < 0 || c.vd != version(r) || c.vs != version(c.source)) break;
      r = c.source;
    }
    return r;
  }
  void rewrite(Inst& i) {
    const Use u = uses(i);
    if (u.a && i.a >= 0) i.a = resolve(i.a);
    if (u.b && i.b >= 0 && !(i.op == Op::store && i.count > 1)) i.b = resolve(i.b);
    if (u.c && i.c >= 0) i.c = resolve(i.c);
  }

  // The instruction that made r's present value, or nullptr.
  const Inst* made(int r) const {
    const Def& d = def_[size_t(r)];
    if (d.index == -1 || d.vd != version(r)) return nullptr;
    const Inst* i = d.index < 0 ? &entry_values_[size_t(-2 - d.index)] : &(*out_)[size_t(d.index)];
    if (d.index >= 0) {
      const Use u = uses(*i);
      if ((u.a && version(i->a) != d.va) || (u.b && version(i->b) != d.vb) || (u.c && version(i->c) != d.vc)) return nullptr;
    }
    return i;
  }
  bool constant(int r, uint64_t& bits) const {
    const Inst* i = made(r);
    if (!i || i->op != Op::constant) return false;
    bits = (*constants_)[size_t(i->imm)];
    return true;
  }

  bool key_of(const Inst& i, Key& key) const {
    const bool load = i.op == Op::load && i.count == 1 && !(i.flags & flag_volatile);
    if ((!pure(i) || i.op == Op::move) && !load) return false;
    const Use u = uses(i);
    key.words[0] = uint64_t(i.op) | uint64_t(i.type) << 8 | uint64_t(i.from) << 16 | uint64_t(i.space) << 24 | uint64_t(i.exact) << 32;
    key.words[1] = uint64_t(i.imm);
    key.words[2] = u.a ? uint64_t(uint32_t(i.a)) << 32 | version(i.a) : 0;
    key.words[3] = u.b ? uint64_t(uint32_t(i.b)) << 32 | version(i.b) : 0;
    key.words[4] = u.c ? uint64_t(uint32_t(i.c)) << 32 | version(i.c) : 0;
    if (load && !(i.flags & flag_readonly))
      key.words[5] = i.space == Space::shared ? epoch_[0] : i.space == Space::generic ? uint64_t{epoch_[0]} << 32 | epoch_[1] : epoch_[1];
    // a + b is b + a
    if ((i.op == Op::add || i.op == Op::mul || i.op == Op::and_ || i.op == Op::or_ || i.op == Op::xor_ || i.op == Op::eq || i.op == Op::ne) && key.words[2] > key.words[3])
      std::swap(key.words[2], key.words[3]);
    return true;
  }

  // Appends an instruction, or notes that its value is already there. Gives the register that holds the result.
  int emit(Inst i) {
    grow();
    if (contract_) fuse(i);
    if (i.op == Op::load || i.op == Op::store || is_atomic(i.op)) fold_address(i);
    Key key;
    const bool keyed = key_of(i, key);
    if (keyed) {
      if (const auto f = values_.find(key); f != values_.end() && f->second.vd == version(f->second.d)) {
        const int source = f->second.d;
        if (source == i.d) return i.d;
        Inst m;
        m.op = Op::move;
        m.type = m.from = body_.regs[size_t(i.d)].type;
        m.d = i.d;
        m.a = source;
        m.place = i.place;
        return emit_move(m);
      }
    }
    if (i.op == Op::move) return emit_move(i);
    Def def;
    const Use u = uses(i);
    if (u.a) def.va = version(i.a);
    if (u.b) def.vb = version(i.b);
    if (u.c) def.vc = version(i.c);
    def.index = int(out_->size());
    out_->push_back(i);
    clobber(touched(i));
    each_result(i, [&](int r) { version_[size_t(r)] = ++clock_; });
    if (u.d && i.d >= 0 && i.count == 1) {
      def.vd = version(i.d);
      def_[size_t(i.d)] = def;
    }
    if (keyed) {
      const auto f = values_.find(key);
      key_undo_.push_back({key, f == values_.end() ? Value{-1, 0} : f->second});
      values_[key] = {i.d, version(i.d)};
    }
    return i.d;
  }

  int emit_move(const Inst& m) {
    if (m.a == m.d) return m.d;
    out_->push_back(m);
    version_[size_t(m.d)] = ++clock_;
    copy_undo_.push_back({m.d, copy_[size_t(m.d)]});
    copy_[size_t(m.d)] = {m.a, version(m.a), version(m.d)};
    def_[size_t(m.d)] = {};
    return m.d;
  }

  // a * b + c in one instruction, as the compilers do by default.
  void fuse(Inst& i) {
    if ((i.op != Op::add && i.op != Op::sub) || i.exact) return;
    const bool real = is_float(i.type), whole = i.type == Type::s32 || i.type == Type::u32;
    if (!real && !whole) return;
    for (int side = 0; side < 2; ++side) {
      const int product = side == 0 ? i.a : i.b, other = side == 0 ? i.b : i.a;
      if (product == other) return;
      const Inst* m = made(product);
      if (!m || m->op != Op::mul || m->exact) continue;
      if (real ? m->type != i.type : units(m->type) != 1 || is_float(m->type) || m->type == Type::pred) continue;
      if (uses_[size_t(product)] != 1 || defs_[size_t(product)] != 1) continue;
      if (whole && i.op == Op::sub) continue;
      Inst f = i;
      f.op = Op::fma;
      f.a = m->a;
      f.b = m->b;
      f.c = other;
      if (i.op == Op::sub) {
        // a*b - c and c - a*b: the sign of an operand is free on a GPU.
        Inst n = i;
        n.op = Op::neg;
        n.b = n.c = -1;
        n.a = side == 0 ? other : f.a;
        n.d = fresh(i.type);
        n.issued = 0;
        n.flags |= flag_folded;
        const int r = resolve(emit(n));
        if (side == 0) f.c = r;
        else f.a = r;
      }
      i = f;
      return;
    }
  }

  int fresh(Type t) {
    body_.regs.push_back({t, 1, 0});
    grow();
    defs_[regs() - 1] = 1;
    return int(regs()) - 1;
  }

  // The largest value that an unsigned 32-bit register can have, as far as it is known.
  uint64_t most(int r, int depth = 0) const {
    const uint64_t all = 0xffffffffu;
    const Inst* i = depth < 6 ? made(r) : nullptr;
    if (!i) return all;
    uint64_t c = 0;
    switch (i->op) {
      case Op::constant: return constant(r, c) ? c : all;
      case Op::special: return i->imm <= 1 ? 1023 : i->imm == 2 ? 63 : i->imm == 3 ? 0x7ffffffe : i->imm <= 5 ? 65534 : i->imm <= 8 ? 1024 : i->imm == 9 ? 0x7fffffff : i->imm <= 11 ? 65535 : i->imm <= 13 ? 32 : all;
      case Op::and_: return std::min(most(i->a, depth + 1), most(i->b, depth + 1));
      case Op::shr: return !is_signed(i->type) && constant(i->b, c) && c < 32 ? most(i->a, depth + 1) >> c : all;
      case Op::rem: return !is_signed(i->type) && constant(i->b, c) && c > 0 ? c - 1 : all;
      case Op::add: return std::min(all, most(i->a, depth + 1) + most(i->b, depth + 1));
      case Op::mul: return std::min(all, most(i->a, depth + 1) * most(i->b, depth + 1));
      case Op::shl: return constant(i->b, c) && c < 32 ? std::min(all, most(i->a, depth + 1) << c) : all;
      case Op::fma: return std::min(all, most(i->a, depth + 1) * most(i->b, depth + 1) + most(i->c, depth + 1));
      default: return all;
    }
  }
  // Does this sum or product of 32-bit numbers stay in range, so that it may be widened part by part? Signed ones that are
  // widened with their sign must; the others do when their operands are small.
  bool no_wrap(const Inst& i, bool sign) const {
    if (i.type == Type::s32 && sign) return true;
    if (i.type != Type::u32 && i.type != Type::s32) return false;
    const uint64_t limit = sign || i.type == Type::s32 ? 0x7fffffffu : 0xffffffffu;
    const uint64_t a = most(i.a), b = most(i.b);
    if (a > limit || b > limit) return false;
    if (i.op == Op::add) return a + b <= limit;
    if (i.op == Op::fma) return b < (uint64_t{1} << 31) && a * b + most(i.c) <= limit;
    return false;
  }
  static int64_t times(int64_t a, int64_t b) { return int64_t(uint64_t(a) * uint64_t(b)); }
  static int64_t plus(int64_t a, int64_t b) { return int64_t(uint64_t(a) + uint64_t(b)); }

  // Splits a known part off an index: r = result + part.
  int strip(int r, int64_t& part, bool sign, int depth) {
    if (depth > 5) return r;
    const Inst* found = made(r);
    if (!found) return r;
    const Inst i = *found;
    const bool wide = i.type == Type::s64 || i.type == Type::u64;
    uint64_t c = 0;
    const auto value = [&] { return wide ? int64_t(c) : i.type == Type::u32 ? int64_t(c) : int64_t(int32_t(c)); };
    if (i.op == Op::convert && (i.type == Type::s64 || i.type == Type::u64) && (i.from == Type::s32 || i.from == Type::u32)) {
      if ((i.from == Type::s32) != (i.type == Type::s64)) return r;
      int64_t inner = 0;
      const int x = strip(i.a, inner, i.from == Type::s32, depth + 1);
      if (x == i.a || inner == 0) return r;
      Inst n = i;
      n.a = x;
      n.d = fresh(i.type);
      part = plus(part, inner);
      return resolve(emit(n));
    }
    if ((i.op == Op::add || i.op == Op::sub) && (wide || no_wrap(i, sign))) {
      if (constant(i.b, c) && (i.op == Op::add || i.type != Type::u32)) {
        int64_t v = value();
        if (i.op == Op::sub) v = times(v, -1);
        if (!wide && !sign && int32_t(c) < 0) return r;
        part = plus(part, v);
        return strip(i.a, part, sign, depth + 1);
      }
      int64_t left = 0, right = 0;
      const int a = strip(i.a, left, sign, depth + 1);
      const int b = i.op == Op::add ? strip(i.b, right, sign, depth + 1) : i.b;
      if (left == 0 && right == 0) return r;
      Inst n = i;
      n.a = a;
      n.b = b;
      n.d = fresh(i.type);
      part = plus(part, plus(left, right));
      return resolve(emit(n));
    }
    if (i.op == Op::fma && !is_float(i.type) && (wide || no_wrap(i, sign))) {
      int64_t left = 0, right = 0;
      if (constant(i.c, c) && c != 0 && std::abs(value()) < 1 << 20 && (wide || sign || int32_t(c) >= 0)) {
        Inst n = i;
        n.op = Op::mul;
        n.c = -1;
        n.d = fresh(i.type);
        part = plus(part, value());
        const int x = resolve(emit(n));
        return strip(x, part, sign, depth + 1);
      }
      const int z = strip(i.c, right, sign, depth + 1);
      int x = i.a;
      if (constant(i.b, c)) {
        x = strip(i.a, left, sign, depth + 1);
        left = times(left, value());
      }
      if (left == 0 && right == 0) return r;
      Inst n = i;
      n.a = left ? x : i.a;
      n.c = z;
      n.d = fresh(i.type);
      part = plus(part, plus(left, right));
      return resolve(emit(n));
    }
    if ((i.op == Op::mul || i.op == Op::shl) && !is_float(i.type) && (wide || (i.type == Type::s32 && sign))) {
      if (!constant(i.b, c)) return r;
      int64_t inner = 0;
      const int x = strip(i.a, inner, sign, depth + 1);
      if (inner == 0) return r;
      Inst n = i;
      n.a = x;
      n.d = fresh(i.type);
      part = plus(part, i.op == Op::mul ? times(inner, value()) : times(inner, int64_t{1} << (c & 31)));
      return resolve(emit(n));
    }
    return r;
  }

  void fold_address(Inst& i) {
    int64_t part = 0;
    uint64_t c = 0;
    if (constant(i.a, c)) return;
    const int base = strip(i.a, part, true, 0);
    const int64_t imm = plus(i.imm, part);
    if (base == i.a || imm < -(1 << 23) || imm >= (1 << 23)) return;
    i.a = base;
    i.imm = imm;
  }

  // --- what nobody reads ---

  void sweep() {
    count();
    for (bool again = true; again;) {
      again = false;
      for (auto* list : {&body_.code, &body_.entry}) {
        for (size_t k = list->size(); k-- > 0;) {
          Inst& i = (*list)[k];
          if (i.op == Op::nop) continue;
          const bool plain_load = i.op == Op::load && !(i.flags & flag_volatile);
          if (!pure(i) && !plain_load) continue;
          bool used = false;
          each_result(i, [&](int r) { used |= uses_[size_t(r)] > 0; });
          // A variable that only feeds itself is read by nobody.
          if (used && !plain_load && uses_[size_t(i.d)] == self_uses(i) && defs_[size_t(i.d)] == 1) used = false;
          if (used && !(i.op == Op::move && i.a == i.d)) continue;
          each_source(i, [&](int r) { --uses_[size_t(r)]; });
          each_result(i, [&](int r) { --defs_[size_t(r)]; });
          i.op = Op::nop;
          again = true;
        }
        std::erase_if(*list, [](const Inst& i) { return i.op == Op::nop; });
      }
    }
    for (Inst& i : body_.code)
      if (is_atomic(i.op) && uses_[size_t(i.d)] == 0) i.flags |= flag_unused;
  }
  static int self_uses(const Inst& i) {
    int n = 0;
    each_source(i, [&](int r) { n += r == i.d; });
    return n;
  }

  // --- what a loop computes again and again ---

  void hoist() {
    // Inner loops first: what they give up may leave the outer ones too.
    for (int round = 0; round < 4; ++round) {
      std::vector<Inst>& code = body_.code;
      count();
      const size_t n = code.size();
      struct Span { size_t begin, end; };
      std::vector<Span> loops;
      std::vector<size_t> open;
      for (size_t k = 0; k < n; ++k) {
        if (code[k].op == Op::loop) open.push_back(k);
        if (code[k].op == Op::loop_end) {
          loops.push_back({open.back(), k});
          open.pop_back();
        }
      }
      // Where each register is written: the innermost loops that contain it are found by position.
      std::vector<std::vector<size_t>> at(regs());
      for (size_t k = 0; k < n; ++k) each_result(code[k], [&](int r) { at[size_t(r)].push_back(k); });
      std::vector<size_t> target(n, SIZE_MAX);
      bool any = false;
      for (const Span& l : loops) {
        std::unordered_set<int> moved;
        int depth = 0;
        for (size_t k = l.begin + 1; k < l.end; ++k) {
          const Inst& i = code[k];
          if (i.op == Op::if_ || i.op == Op::loop || i.op == Op::frame) ++depth;
          if (i.op == Op::end_if || i.op == Op::loop_end || i.op == Op::frame_end) --depth;
          if (depth > 0 || target[k] != SIZE_MAX || !pure(i) || i.op == Op::div || i.op == Op::rem || i.op == Op::move || defs_[size_t(i.d)] != 1) continue;
          bool stays = false;
          each_source(i, [&](int r) {
            if (moved.count(r)) return;
            for (const size_t p : at[size_t(r)]) stays |= p > l.begin && p < l.end;
          });
          if (stays) continue;
          // Its value may not be read before it is made (from the turn before).
          target[k] = l.begin;
          moved.insert(i.d);
          any = true;
        }
      }
      if (!any) break;
      std::vector<std::vector<size_t>> before(n);
      for (size_t k = 0; k < n; ++k)
        if (target[k] != SIZE_MAX) before[target[k]].push_back(k);
      std::vector<Inst> out;
      out.reserve(n);
      for (size_t k = 0; k < n; ++k) {
        for (const size_t b : before[k]) out.push_back(code[b]);
        if (target[k] == SIZE_MAX) out.push_back(code[k]);
      }
      code = std::move(out);
    }
  }

  // --- what is written again before anyone reads it, under the same mask ---

  void overwritten() {
    std::vector<Inst>& code = body_.code;
    std::vector<int> next_write(regs(), -1), next_read(regs(), -1);
    int block = int(code.size());
    for (size_t k = code.size(); k-- > 0;) {
      Inst& i = code[k];
      if (is_control(i.op)) {
        block = int(k);
        continue_block(i, next_read, int(k));
        continue;
      }
      if (i.op == Op::move && next_write[size_t(i.d)] >= 0 && next_write[size_t(i.d)] < block && !(next_read[size_t(i.d)] >= 0 && next_read[size_t(i.d)] <= next_write[size_t(i.d)])) {
        i.op = Op::nop;
        continue;
      }
      each_result(i, [&](int r) { next_write[size_t(r)] = int(k); });
      each_source(i, [&](int r) { next_read[size_t(r)] = int(k); });
    }
    std::erase_if(code, [](const Inst& i) { return i.op == Op::nop; });
  }
  static void continue_block(const Inst& i, std::vector<int>& next_read, int k) {
    each_source(i, [&](int r) { next_read[size_t(r)] = k; });
  }

  // --- t = ...; x = t  becomes  x = ... ---

  void retarget() {
    std::vector<Inst>& code = body_.code;
    std::vector<int> def_at(regs(), -1), touched_at(regs(), -1);
    int block = 0;
    for (size_t k = 0; k < code.size(); ++k) {
      Inst& i = code[k];
      if (is_control(i.op)) block = int(k);
      if (i.op == Op::move && i.a >= 0 && i.d >= 0 && defs_[size_t(i.a)] == 1 && uses_[size_t(i.a)] == 1) {
        const int j = def_at[size_t(i.a)];
        const bool group = body_.regs[size_t(i.a)].group > 1 || body_.regs[size_t(i.a)].offset > 0;
        if (j >= block && j >= 0 && !group && touched_at[size_t(i.d)] <= j && code[size_t(j)].count == 1 &&
            units(body_.regs[size_t(i.d)].type) == units(body_.regs[size_t(i.a)].type)) {
          code[size_t(j)].d = i.d;
          defs_[size_t(i.a)] = 0;
          uses_[size_t(i.a)] = 0;
          def_at[size_t(i.d)] = j;
          touched_at[size_t(i.d)] = int(k);
          i.op = Op::nop;
          continue;
        }
      }
      each_source(i, [&](int r) { touched_at[size_t(r)] = int(k); });
      each_result(i, [&](int r) {
        touched_at[size_t(r)] = int(k);
        def_at[size_t(r)] = int(k);
      });
    }
    std::erase_if(code, [](const Inst& i) { return i.op == Op::nop; });
  }

  Body& body_;
  bool contract_;
  std::vector<Inst>* out_ = nullptr;
  std::vector<Inst> entry_values_;
  std::vector<int> defs_, uses_;
  std::vector<uint32_t> version_;
  std::vector<Def> def_;
  std::vector<Copy> copy_;
  uint32_t clock_ = 0, epoch_[2] = {0, 0};
  std::unordered_map<Key, Value, KeyHash> values_;
  std::vector<std::pair<Key, Value>> key_undo_;
  std::vector<std::pair<int, Copy>> copy_undo_;
  std::vector<Level> levels_;

 public:
  const std::vector<uint64_t>* constants_ = nullptr;
};

}  // namespace

void optimize(Body& body, const std::vector<uint64_t>& constants, bool contract) {
  Optimizer o(body, contract);
  o.constants_ = &constants;
  o.run();
}

}  // namespace lk::simt
