// Loads of neighboring words of shared memory become one load of two or four, where alignment is certain: what ptxas makes of them.
#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>

#include "simt/ir.h"

namespace lk::simt {
namespace {

class Merge {
 public:
  Merge(Body& body, const std::vector<uint64_t>& constants) : body_(body), constants_(constants) {
    defs_.assign(body.regs.size(), 0);
    def_.assign(body.regs.size(), nullptr);
    for (const auto* list : {&body.entry, &body.code})
      for (const Inst& i : *list)
        if (uses(i).d && i.d >= 0)
          for (int k = 0; k < std::max<int>(1, i.op == Op::load ? i.count : 1); ++k) {
            if (size_t(i.d + k) >= defs_.size()) break;
            ++defs_[size_t(i.d + k)];
            def_[size_t(i.d + k)] = &i;
            all_[i.d + k].push_back(&i);
          }
  }

  void run() {
    std::map<int, std::vector<size_t>> open;  // base -> loads of this stretch
    for (size_t k = 0; k < body_.code.size(); ++k) {
      const Inst& i = body_.code[k];
      const bool writes = (i.op == Op::store || is_atomic(i.op)) && i.space != Space::global;
      if (is_control(i.op) || is_barrier(i.op) || i.op == Op::fence || i.op == Op::sync_warp || writes) {
        close(open);
        open.clear();
      } else if (i.op == Op::load && i.space == Space::shared && i.count == 1 && bytes(i.type) == 4 && !(i.flags & flag_volatile) &&
                 defs_[size_t(i.a)] == 1 && defs_[size_t(i.d)] == 1) {
        open[i.a].push_back(k);
      }
    }
    close(open);
    if (renamed_.empty()) return;
    const auto name = [&](int& r) {
      if (const auto found = renamed_.find(r); found != renamed_.end()) r = found->second;
    };
    std::vector<Inst> code;
    for (size_t k = 0; k < body_.code.size(); ++k) {
      if (gone_.count(k)) continue;
      Inst i = body_.code[k];
      if (const auto found = wide_.find(k); found != wide_.end()) i = found->second;
      const Use u = uses(i);
      if (u.a) name(i.a);
      if (u.b) name(i.b);
      if (u.c) name(i.c);
      code.push_back(i);
    }
    body_.code = std::move(code);
  }

 private:
  // The largest power of two, up to 16, that certainly divides a value.
  uint64_t alignment(int r, int depth = 0) {
    if (r < 0 || depth > 12) return 1;
    const auto found = all_.find(r);
    if (found == all_.end() || found->second.size() > 4) return 1;
    // Of a value that a loop changes: what divides each of the values it is given, taking for granted that it divided the one before.
    if (std::find(open_.begin(), open_.end(), r) != open_.end()) return 16;
    open_.push_back(r);
    uint64_t out = 16;
    for (const Inst* i : found->second) out = std::min(out, given(*i, depth));
    open_.pop_back();
    return out;
  }
  uint64_t given(const Inst& i, int depth) {
    const auto of = [&](int x) { return alignment(x, depth + 1); };
    switch (i.op) {
      case Op::constant: {
        const uint64_t v = constants_[size_t(i.imm)];
        return v == 0 ? 16 : std::min<uint64_t>(16, uint64_t{1} << std::min(4, std::countr_zero(v)));
      }
      case Op::move: return of(i.a);
      case Op::convert: return is_float(i.type) || is_float(i.from) ? 1 : of(i.a);
      case Op::add: case Op::sub: return is_float(i.type) ? 1 : std::min(of(i.a), of(i.b));
      case Op::mul: return is_float(i.type) ? 1 : std::min<uint64_t>(16, of(i.a) * of(i.b));
      case Op::fma: return is_float(i.type) ? 1 : std::min(std::min<uint64_t>(16, of(i.a) * of(i.b)), of(i.c));
      case Op::shl: {
        const Inst* by = i.b >= 0 && defs_[size_t(i.b)] == 1 ? def_[size_t(i.b)] : nullptr;
        if (!by || by->op != Op::constant) return of(i.a);
        return std::min<uint64_t>(16, of(i.a) << std::min<uint64_t>(4, constants_[size_t(by->imm)]));
      }
      case Op::and_: return std::max(of(i.a), of(i.b));
      default: return 1;
    }
  }

  void close(std::map<int, std::vector<size_t>>& open) {
    for (auto& [base, loads] : open) {
      if (loads.size() < 2) continue;
      const uint64_t aligned = alignment(base);
      if (aligned < 8) continue;
      std::vector<size_t> sorted = loads;
      std::stable_sort(sorted.begin(), sorted.end(), [&](size_t x, size_t y) { return body_.code[x].imm < body_.code[y].imm; });
      for (size_t n = 0; n < sorted.size();) {
        size_t run = 1;
        while (run < 4 && n + run < sorted.size() && body_.code[sorted[n + run]].imm == body_.code[sorted[n]].imm + 4 * int64_t(run) &&
               body_.code[sorted[n + run]].type == body_.code[sorted[n]].type)
          ++run;
        const int64_t at = body_.code[sorted[n]].imm;
        const size_t take = run == 4 && aligned >= 16 && at % 16 == 0 ? 4 : run >= 2 && at % 8 == 0 ? 2 : 1;
        if (take > 1) join({sorted.begin() + std::ptrdiff_t(n), sorted.begin() + std::ptrdiff_t(n + take)});
        n += take;
      }
    }
  }

  void join(const std::vector<size_t>& loads) {
    const size_t first = *std::min_element(loads.begin(), loads.end());
    const int group = int(body_.regs.size());
    for (size_t k = 0; k < loads.size(); ++k) {
      Reg r;
      r.type = body_.code[loads[k]].type;
      r.group = k == 0 ? int(loads.size()) : 1;
      r.offset = int(k);
      body_.regs.push_back(r);
      renamed_[body_.code[loads[k]].d] = group + int(k);
      if (loads[k] != first) gone_[loads[k]] = true;
    }
    Inst wide = body_.code[loads.front()];
    wide.place = body_.code[first].place;
    wide.d = group;
    wide.count = uint8_t(loads.size());
    wide_[first] = wide;
  }

  Body& body_;
  const std::vector<uint64_t>& constants_;
  std::vector<int> defs_;
  std::vector<const Inst*> def_;
  std::unordered_map<int, std::vector<const Inst*>> all_;  // definitions of each register
  std::vector<int> open_;
  std::unordered_map<int, int> renamed_;
  std::unordered_map<size_t, bool> gone_;
  std::unordered_map<size_t, Inst> wide_;
};

}  // namespace

void merge_shared_loads(Body& body, const std::vector<uint64_t>& constants) { Merge(body, constants).run(); }

}  // namespace lk::simt
