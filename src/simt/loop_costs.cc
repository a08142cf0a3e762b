// What a loop costs once a GPU's compiler has unrolled it: nvcc repeats the body of a loop whose step is a known constant four times,
// a tiny one sixteen times, so that test, step and branch are paid once for all of those, and addresses that move by a constant become
// offsets in the instructions that use them. Seen in the machine code of the book's listings.
#include <algorithm>

#include "simt/ir.h"

namespace lk::simt {
namespace {

constexpr int times = 4, times_tiny = 16, tiny = 5;  // instructions of a tiny body

// How a value moves from one trip to the next.
enum class Move : uint8_t { other, still, constant, steady };  // still: not at all; steady: by what does not change in the loop

struct Loop {
  size_t begin = 0, test = 0, next = 0, end = 0;  // loop, loop_test, loop_next, loop_end
};

class LoopCosts {
 public:
  explicit LoopCosts(Body& body) : body_(body) {
    defs_.assign(body.regs.size(), 0);
    def_.assign(body.regs.size(), nullptr);
    for (auto* list : {&body.entry, &body.code})
      for (Inst& i : *list)
        if (uses(i).d && i.d >= 0) ++defs_[size_t(i.d)], def_[size_t(i.d)] = &i;
  }

  void run() {
    std::vector<Loop> open;
    std::vector<bool> plain;  // no loop, barrier or second way out inside
    for (size_t k = 0; k < body_.code.size(); ++k) {
      switch (const Inst& i = body_.code[k]; i.op) {
        case Op::loop:
          if (!plain.empty()) plain.back() = false;
          open.push_back({k, 0, 0, 0});
          plain.push_back(true);
          break;
        case Op::loop_test:
          if (!open.empty()) {
            if (open.back().test != 0) plain.back() = false;
            open.back().test = k;
          }
          break;
        case Op::loop_next:
          if (!open.empty()) open.back().next = k;
          break;
        case Op::loop_end: {
          if (open.empty()) break;
          Loop loop = open.back();
          loop.end = k;
          if (plain.back() && loop.test != 0 && loop.next != 0) share(loop);
          open.pop_back();
          plain.pop_back();
          break;
        }
        case Op::break_: case Op::continue_: case Op::return_:
          if (!plain.empty()) plain.back() = false;
          break;
        default:
          if (!plain.empty() && is_barrier(i.op)) plain.back() = false;
      }
    }
  }

 private:
  bool known(int r) const { return r >= 0 && defs_[size_t(r)] == 1 && def_[size_t(r)]->op == Op::constant; }

  bool inside(int r, const Loop& l) const {
    for (size_t k = l.begin; k < l.end; ++k)
      if (uses(body_.code[k]).d && body_.code[k].d == r) return true;
    return false;
  }

  Move of(int r) const { return r < 0 ? Move::still : move_[size_t(r)]; }

  Move result(const Inst& i) const {
    const Move a = of(i.a), b = of(i.b), c = of(i.c);
    const auto both = [](Move x, Move y) { return std::max(x, y); };
    switch (i.op) {
      case Op::move: case Op::convert: return is_float(i.type) || is_float(i.from) ? Move::other : a;
      case Op::add: case Op::sub:
        if (is_float(i.type) || a == Move::other || b == Move::other) return Move::other;
        return both(a, b);
      case Op::mul: case Op::shl:
        if (is_float(i.type) || a == Move::other || b == Move::other || (a != Move::still && b != Move::still)) return Move::other;
        if (a == Move::still && b == Move::still) return Move::still;
        return known(a == Move::still ? i.a : i.b) ? both(a, b) : Move::steady;
      case Op::fma:
        if (is_float(i.type) || a == Move::other || b == Move::other || c == Move::other || (a != Move::still && b != Move::still)) return Move::other;
        if (a == Move::still && b == Move::still) return c;
        return both(known(a == Move::still ? i.a : i.b) ? both(a, b) : Move::steady, c);
      default: return Move::other;
    }
  }

  void share(const Loop& l) {
    // The counter: one addition of a known constant between loop_next and loop_back, to what the test looks at.
    int counter = -1;
    for (size_t k = l.next; k < l.end; ++k) {
      const Inst& i = body_.code[k];
      if ((i.op == Op::add || i.op == Op::sub) && !is_float(i.type) && i.d == i.a && known(i.b)) {
        if (counter != -1) return;
        counter = i.d;
      }
    }
    if (counter < 0) return;
    move_.assign(body_.regs.size(), Move::other);
    for (size_t r = 0; r < body_.regs.size(); ++r)
      if (!inside(int(r), l)) move_[r] = Move::still;
    move_[size_t(counter)] = Move::constant;
    int body = 0;
    std::vector<size_t> chain;  // instructions that only follow the counter
    for (size_t k = l.begin + 1; k < l.end; ++k) {
      const Inst& i = body_.code[k];
      if (i.d >= 0 && uses(i).d && i.d != counter && defs_[size_t(i.d)] == 1) {
        const Move m = result(i);
        move_[size_t(i.d)] = m;
        if (m == Move::constant || m == Move::steady) chain.push_back(k);
      }
      if (k > l.test && k < l.next) body += (i.issued + 8) / 16;
    }
    // Whether all that use a value are addresses, or lead to one.
    std::vector<bool> address(body_.regs.size(), true);
    for (size_t k = l.end; k-- > l.begin;) {
      const Inst& i = body_.code[k];
      const Use u = uses(i);
      const bool memory = i.op == Op::load || i.op == Op::store || is_atomic(i.op);
      const bool leads = i.d >= 0 && u.d && (of(i.d) == Move::constant || of(i.d) == Move::steady) && address[size_t(i.d)];
      if (u.a && !memory && !leads) address[size_t(i.a)] = false;
      if (u.b && !leads) address[size_t(i.b)] = false;
      if (u.c && !leads) address[size_t(i.c)] = false;
    }
    int folded = 0;
    for (const size_t k : chain)
      if (address[size_t(body_.code[k].d)]) folded += body_.code[k].issued;
    const int factor = body - folded / 16 <= tiny ? times_tiny : times;
    for (const size_t k : chain) {
      Inst& i = body_.code[k];
      if (!address[size_t(i.d)] || i.issued == 0) continue;
      // A step that is not known takes an addition for each trip; the rest of the chain is the same for all.
      const bool pointer = units(i.type) == 2 && of(i.d) == Move::steady;
      lower(i, pointer ? 16 : i.issued / factor);
    }
    for (size_t k = l.begin + 1; k <= l.test; ++k) lower(body_.code[k], body_.code[k].issued / factor);
    for (size_t k = l.next; k < l.end; ++k) {
      Inst& i = body_.code[k];
      if (i.op == Op::loop_back) i.count = uint8_t(factor);
      else lower(i, i.issued / factor);
    }
  }

  static void lower(Inst& i, int to) {
    if (to >= i.issued) return;
    i.issued = uint16_t(to);
    if (to == 0) i.flags |= flag_folded;
  }

  Body& body_;
  std::vector<int> defs_;
  std::vector<Inst*> def_;
  std::vector<Move> move_;
};

}  // namespace

void share_loop_costs(Body& body) { LoopCosts(body).run(); }

}  // namespace lk::simt
