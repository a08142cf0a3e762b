#include "gpu/kernel_time.h"

#include <algorithm>
#include <cmath>

namespace lk::gpu {
namespace {

template <size_t N>
double norm(const double (&terms)[N], double p) {
  double most = 0, sum = 0;
  for (const double t : terms) most = std::max(most, t);
  if (most <= 0) return 0;
  for (const double t : terms) sum += std::pow(t / most, p);  // scaled: powers of microseconds of huge launches overflow
  return most * std::pow(sum, 1 / p);
}

/// The datasheet's roofline and the same with measured rates.
void floors(Prediction& out, const KernelCounters& k, const Calibration& c) {
  const double bytes = k.read_bytes + k.written_bytes;
  const double peak = c.peak_per_cycle[static_cast<size_t>(Type::fp32)] * c.sms * c.clock;
  const double arithmetic = peak > 0 ? k.flop / peak : 0;
  out.floor_us = std::max(bytes / c.datasheet_bandwidth, arithmetic);
  out.calibrated_floor_us = (k.cold ? c.kernel.launch_cold : c.kernel.launch_warm) + std::max(bytes / c.kernel.bandwidth, arithmetic);
}

}  // namespace

const Term* Prediction::binding() const {
  const Term* best = nullptr;
  for (const Term& t : terms)
    if (t.bound && t.us > 0 && (!best || t.us > best->us)) best = &t;
  return best;
}

double missing(double bytes, const Calibration& c) {
  return std::clamp((bytes - c.kernel.resident) / c.kernel.resident_ramp, 0.0, 1.0);
}

double atomic_time(double accesses, double serial, double sectors, double lines, const Calibration& c) {
  if (accesses <= 0 || c.atomic_slices.empty()) return 0;
  lines = std::max(1.0, lines);
  double busy = c.atomic_slices.back().second;
  for (size_t i = 0; i < c.atomic_slices.size(); ++i) {
    const auto& [x1, y1] = c.atomic_slices[i];
    if (lines > x1) continue;
    busy = y1;
    if (i > 0) {  // between two entries: a straight line in logarithms
      const auto& [x0, y0] = c.atomic_slices[i - 1];
      busy = y0 * std::pow(y1 / y0, std::log(lines / x0) / std::log(x1 / x0));
    }
    break;
  }
  return accesses * std::max(serial / (c.kernel.atomic_lanes * busy), sectors / c.kernel.atomic_sectors);
}

Prediction kernel_time(const KernelCounters& k, const Calibration& c) {
  const KernelConstants& r = c.kernel;
  const double occupancy = std::max(1, k.occupancy);
  const double busiest = std::ceil(k.grid / c.sms);  // blocks on the fullest SM
  const double waves = std::max(1.0, busiest / occupancy);
  const double first = std::min(k.grid, occupancy * c.sms);

  // Within the fullest SM, cycles. Four schedulers issue one instruction each.
  const double pipe = std::max({(k.instructions + r.branch * k.branches) / 4, k.fp32 / 4, k.half_rate / 2, r.barrier_arrival * k.arrivals});
  // Between two barriers a block cannot hide its own work behind its own waiting; long loops inside a phase let it.
  const double own = k.phased ? std::max(pipe, k.lsu) / std::max(1.0, k.trips / 8) : 0;
  const double issue = busiest * pipe / c.clock, special = busiest * 2 * k.special / c.clock, lsu = busiest * k.lsu / c.clock;
  const double latency = waves * (k.latency + own) / c.clock;
  const double sm = norm({issue, special, lsu, latency}, r.inner_norm);

  const double dispatch = k.grid * r.dispatch;
  const double l2 = std::max(k.read_sectors / r.l2_sectors, k.read_lines / r.l2_lines) + k.written_sectors / r.l2_full + k.partial_sectors / r.l2_partial;

  double dram = 0, fill = r.ramp * first * r.dispatch;
  if (const double all = k.read_bytes + k.written_bytes; all > 0) {
    const double written = k.written_bytes - r.absorbed * (1 - std::exp(-k.written_bytes / r.absorbed));
    const double burst = std::min(k.read_bytes, first * k.warps * line_bytes * k.flight);  // first loads of the first wave: nothing hides them
    const double read = k.read_bytes - burst;
    const double mix = 2 * std::min(read, written) / std::max(1.0, read + written);
    dram = (read + written) / r.bandwidth * (1 + r.turnaround * mix) * (1 + r.activation * (1 / k.use - 1));
    if (k.cold) dram += r.dirty * (1 - std::exp(-all / r.dirty_bytes)) * std::max(0.0, 1 - k.written_bytes / r.dirty_writes);
    fill += r.fill * r.dram_latency / c.clock + burst / r.bandwidth;
  }

  Prediction out;
  const double launch = (k.cold ? r.launch_cold : r.launch_warm) + r.prologue;
  out.us = launch + fill + norm({sm, dispatch, l2, dram, k.atomic_us}, r.outer_norm);
  out.terms = {{"launch", launch, false},   {"first loads", fill, false},      {"instructions", issue}, {"special functions", special},
               {"load and store unit", lsu}, {"latency", latency},             {"dispatch of blocks", dispatch}, {"L2 cache", l2},
               {"memory traffic", dram},     {"atomics", k.atomic_us}};
  floors(out, k, c);
  return out;
}

}  // namespace lk::gpu
