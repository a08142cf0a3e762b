// How long one warp's chain of dependences is. Instructions start when their operands are ready, in any order within a batch: a compiler
// unrolls loops by four (tiny ones by sixteen) and moves the loads of a batch up to its beginning. A batch ends at a barrier, at the border of
// an unrolled stretch, and for loads at a store that may write what they read.
#include <algorithm>

#include "simt/machine.h"

namespace lk::simt {
void Machine::trace(const Micro& m, Warp& warp, uint32_t) {
  if (m.extra) return;
  const Instr& i = code_.instructions[m.at];
  const Operands o = operands(i);
  Trace& t = traces_[warp.number];
  const bool memory = is_memory(i.op) || i.op == Op::matrix_load || i.op == Op::matrix_store;
  const bool global = memory && access_lines_ > 0, reads = i.op == Op::load || i.op == Op::matrix_load;
  bool waits = false;
  for (const Operand& x : {o.a, o.b, o.c})
    for (uint32_t k = x.unit; k < x.unit + x.count; ++k) waits = waits || t.from_memory[k];
  for (size_t n = 0; n < cases; ++n) {
    std::vector<float>& ready = t.ready[n];
    double start = t.floor[n];
    for (const Operand& x : {o.a, o.b, o.c})
      for (uint32_t k = x.unit; k < x.unit + x.count; ++k) start = std::max(start, static_cast<double>(ready[k]));
    if (global && reads && !(i.flags & flag_readonly)) start = std::max(start, t.memory_floor[n]);
    if (n == first_in_memory && waits && t.first_use == 0) {
      t.first_use = std::max(start, 1.0);
      for (const auto& [at, lines] : t.loads)
        if (at < t.first_use) t.flight += lines;
      t.loads.clear();
    }
    double latency = 0;
    if (i.flags & flag_folded) {
      latency = 0;
    } else if (memory) {
      latency = reads || o.d.count > 0 ? static_cast<double>(access_latency_[n]) : 0;
      if (n == first_in_memory && global && reads) {
        if (t.first_use == 0) t.loads.emplace_back(start, access_lines_);
        else if (start < t.first_use) t.flight += access_lines_;
      }
      if (global && !reads) t.memory_floor[n] = std::max(t.memory_floor[n], start);
    } else if (m.act == Act::shuffle || m.act == Act::vote || m.act == Act::match || m.act == Act::reduce) {
      latency = cycles_shuffle;
    } else if (m.act == Act::if_ || m.act == Act::loop_test) {
      // What follows a branch waits for it.
      if (m.act == Act::loop_test || i.flags & flag_branch) t.floor[n] = start;
    } else {
      latency = static_cast<double>(cycles_alu) * std::max(1.0, static_cast<double>(i.issued) / 16);
    }
    t.latest[n] = std::max(t.latest[n], start);
    for (uint32_t k = o.d.unit; k < o.d.unit + o.d.count; ++k) ready[k] = static_cast<float>(start + latency);
    t.end[n] = std::max(t.end[n], start + latency);
  }
  for (uint32_t k = o.d.unit; k < o.d.unit + o.d.count; ++k) t.from_memory[k] = global && reads;
}

void Machine::trace_loop(const Micro& m, const Warp& warp) {
  const Instr& i = code_.instructions[m.at];
  if (i.flags & flag_unrolled) return;
  Trace& t = traces_[warp.number];
  ++t.trips;
  if (++t.turns[m.at] % std::max<uint32_t>(1, i.count) != 0) return;
  for (size_t n = 0; n < cases; ++n) t.floor[n] = std::max(t.floor[n], t.latest[n]);
}

void Machine::trace_barrier() {
  if (!tracing_) return;
  for (size_t n = 0; n < cases; ++n) {
    double last = 0;
    for (const Warp& warp : all_warps_)
      if (warp.waiting) last = std::max(last, std::max(traces_[warp.number].latest[n], traces_[warp.number].floor[n]));
    last += 13 + 2.0 * static_cast<double>(warps_);
    for (const Warp& warp : all_warps_) {
      if (!warp.waiting) continue;
      Trace& t = traces_[warp.number];
      t.floor[n] = t.latest[n] = last;
      t.end[n] = std::max(t.end[n], last);
    }
  }
  for (const Warp& warp : all_warps_) {
    if (!warp.waiting) continue;
    Trace& t = traces_[warp.number];
    t.most_trips = std::max(t.most_trips, t.trips);
    t.trips = 0;
  }
}

}  // namespace lk::simt
