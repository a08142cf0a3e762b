#include <algorithm>
#include <map>
#include <queue>

#include "simt/ir.h"

namespace lk::simt {
namespace {
struct Interval {
  int first = -1, last = -1;   // positions of the first and the last mention
  int live_end = -1;           // without the caution for lanes that skipped a definition
  int write = -1;              // position of the first definition
  bool read_first = false;
};
}  // namespace

// A register is live from its first to its last mention. A loop that a value enters or leaves holds it from end to end; so
// does one that may carry it from turn to turn. Two values never share units in one instruction.
Allocation allocate(const Body& body) {
  const size_t n = body.regs.size();
  std::vector<const Inst*> code;
  for (const Inst& i : body.entry) code.push_back(&i);
  const int entry = int(code.size());
  for (const Inst& i : body.code) code.push_back(&i);
  std::vector<Interval> live(n);
  // Loops, and regions that not every lane passes: the arms of an if, a loop's body up to loop_next, an inlined function.
  struct Loop { int begin, end, up; };
  std::vector<Loop> loops;
  std::vector<int> loop_at(code.size(), -1), region_end(code.size(), int(code.size()));
  {
    std::vector<int> open;
    std::vector<std::pair<int, int>> regions;  // begin, end
    std::vector<int> starts;
    for (int k = 0; k < int(code.size()); ++k) {
      const Op op = code[size_t(k)]->op;
      const auto close = [&] {
        if (starts.empty()) return;
        regions.push_back({starts.back(), k});
        starts.pop_back();
      };
      if (op == Op::loop) {
        loops.push_back({k, k, open.empty() ? -1 : open.back()});
        open.push_back(int(loops.size()) - 1);
      }
      loop_at[size_t(k)] = open.empty() ? -1 : open.back();
      if (op == Op::else_ || op == Op::end_if || op == Op::loop_next || op == Op::loop_end || op == Op::frame_end) close();
      if (op == Op::loop_end && !open.empty()) {
        loops[size_t(open.back())].end = k;
        open.pop_back();
      }
      if (op == Op::if_ || op == Op::else_ || op == Op::loop || op == Op::loop_next || op == Op::frame) starts.push_back(k);
    }
    // Inner regions were closed first, so they are written last where they are smaller.
    std::sort(regions.begin(), regions.end(), [](const auto& a, const auto& b) { return a.first != b.first ? a.first < b.first : a.second > b.second; });
    std::vector<int> stack;
    size_t next = 0;
    for (int k = 0; k < int(code.size()); ++k) {
      while (next < regions.size() && regions[next].first < k) {
        if (regions[next].second >= k) stack.push_back(regions[next].second);
        ++next;
      }
      while (!stack.empty() && stack.back() < k) stack.pop_back();
      if (!stack.empty()) region_end[size_t(k)] = stack.back();
    }
  }
  const auto mention = [&](int r, int k, bool write) {
    const size_t leader = size_t(r - body.regs[size_t(r)].offset);
    Interval& i = live[leader];
    if (i.first < 0) {
      i.first = k;
      i.read_first = !write;
    }
    if (write && i.write < 0) i.write = k;
    i.last = k;
  };
  for (int k = 0; k < int(code.size()); ++k) {
    const Inst& i = *code[size_t(k)];
    const Use u = uses(i);
    if (u.a && i.a >= 0) mention(i.a, k, false);
    if (u.b && i.b >= 0) mention(i.b, k, false);
    if (u.c && i.c >= 0) mention(i.c, k, false);
    if (u.d && i.d >= 0) mention(i.d, k, true);
  }
  const auto outermost = [&](int loop) {
    while (loop >= 0 && loops[size_t(loop)].up >= 0) loop = loops[size_t(loop)].up;
    return loop;
  };
  std::vector<size_t> order;
  for (size_t r = 0; r < n; ++r) {
    Interval& i = live[r];
    if (i.first < 0) continue;
    order.push_back(r);
    // The loops of both ends up to the one that they share.
    const auto chain = [&](int loop) {
      std::vector<int> c;
      for (; loop >= 0; loop = loops[size_t(loop)].up) c.push_back(loop);
      return c;
    };
    std::vector<int> a = chain(loop_at[size_t(i.first)]), b = chain(loop_at[size_t(i.last)]);
    while (!a.empty() && !b.empty() && a.back() == b.back()) {
      a.pop_back();
      b.pop_back();
    }
    int common = a.empty() ? loop_at[size_t(i.first)] : loops[size_t(a.back())].up;
    if (!a.empty()) i.first = std::min(i.first, loops[size_t(a.back())].begin);
    if (!b.empty()) i.last = std::max(i.last, loops[size_t(b.back())].end);
    i.live_end = i.last;
    const bool partial = i.write >= 0 && i.last > region_end[size_t(i.write)];
    if (common >= 0 && (i.read_first || partial)) {
      const Loop& l = loops[size_t(outermost(common))];
      i.first = std::min(i.first, l.begin);
      i.last = std::max(i.last, l.end);
      if (i.read_first) i.live_end = i.last;
    }
  }
  std::sort(order.begin(), order.end(), [&](size_t x, size_t y) { return live[x].first != live[y].first ? live[x].first < live[y].first : x < y; });
  Allocation out;
  out.unit.assign(n, -1);
  std::map<int, std::vector<int>> free;
  using Ending = std::pair<int, size_t>;
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> active;
  for (const size_t r : order) {
    const int size = units(body.regs[r].type) * body.regs[r].group;
    while (!active.empty() && active.top().first < live[r].first) {
      const size_t done = active.top().second;
      active.pop();
      free[units(body.regs[done].type) * body.regs[done].group].push_back(out.unit[done]);
    }
    std::vector<int>& pool = free[size];
    if (pool.empty()) {
      out.unit[r] = out.units;
      out.units += size;
    } else {
      out.unit[r] = pool.back();
      pool.pop_back();
    }
    for (int k = 1; k < body.regs[r].group; ++k) out.unit[r + size_t(k)] = out.unit[r] + k * units(body.regs[r].type);
    active.push({live[r].last, r});
  }
  // Registers of a GPU: the most 32-bit values alive at once, without what lies in constant memory, in immediate operands or in
  // predicates; addresses of shared memory count one. The hardware keeps a few more for itself.
  std::vector<int> change(code.size() + 2, 0);
  std::vector<bool> none(n, false);
  for (const Inst& i : body.entry)
    if (i.op == Op::constant || i.op == Op::parameter || (i.op == Op::special && i.flags & flag_folded)) none[size_t(i.d)] = true;
  for (const Inst& i : body.code)
    if (i.flags & flag_folded && i.d >= 0 && uses(i).d && i.op != Op::move) none[size_t(i.d)] = true;
  for (const size_t r : order) {
    if (none[r] || body.regs[r].type == Type::pred) continue;
    int begin = live[r].first;
    if (begin < entry) begin = entry;
    const int size = units(body.regs[r].type) * body.regs[r].group;
    change[size_t(begin)] += size;
    change[size_t(std::max(begin, live[r].live_end))] -= size;
  }
  int now = 0, most = 0;
  for (const int c : change) most = std::max(most, now += c);
  out.registers = std::clamp(most + 6, 8, 255);
  return out;
}

}  // namespace lk::simt
