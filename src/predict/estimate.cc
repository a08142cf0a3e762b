#include "predict/estimate.h"

#include <algorithm>
#include <cmath>

namespace lk::predict {
namespace {

using simt::Counters;
using simt::Instr;
using simt::Op;
using simt::Type;

bool integer(Type t) { return t <= Type::u64 && t != Type::pred; }
bool is_float(Type t) { return t == Type::f32 || t == Type::f64; }
bool small_float(Type t) { return t == Type::f16 || t == Type::bf16 || t == Type::f16x2 || t == Type::bf16x2; }

bool fp32_pipe(const Instr& i) {
  if (i.type != Type::f32 && !small_float(i.type)) return false;
  switch (i.op) {
    case Op::add: case Op::sub: case Op::mul: case Op::fma: case Op::neg: case Op::abs: case Op::saturate: return true;
    default: return false;
  }
}

bool multiplies_integers(const Instr& i) {
  return integer(i.type) && (i.op == Op::mul || i.op == Op::fma || i.op == Op::mul_hi);
}

bool loads(Op op) { return op == Op::load; }
bool is_atomic(Op op) { return op >= Op::atomic_add && op <= Op::atomic_dec; }

}  // namespace

double special_operations(const Instr& i) {
  switch (i.op) {
    case Op::exp: case Op::exp2: case Op::exp10: case Op::exp_fast: case Op::log: case Op::log2: case Op::log10: case Op::log_fast:
    case Op::sin_fast: case Op::cos_fast: case Op::rcp: case Op::rsqrt: case Op::sqrt: case Op::tanh:
      return 1;
    case Op::div_fast: case Op::expm1: case Op::log1p: case Op::erf: return 1;
    case Op::pow: case Op::pow_fast: return 2;
    case Op::div: return is_float(i.type) ? 1 : i.type == Type::s64 || i.type == Type::u64 ? 4 : 3;
    case Op::rem: return i.type == Type::s64 || i.type == Type::u64 ? 4 : 3;
    case Op::convert: return integer(i.type) != integer(i.from) && (is_float(i.type) || is_float(i.from)) ? 1 : 0;
    case Op::floor: case Op::ceil: case Op::trunc: case Op::round: case Op::rint: return 1;
    case Op::popc: case Op::clz: case Op::ffs: case Op::brev: return 1;
    default: return 0;
  }
}

std::vector<double> issued(const simt::Program& program, const simt::Kernel& kernel, const simt::Profile& profile) {
  std::vector<double> out;
  std::vector<double> heads;  // of the open branches: how often a warp came to it; negative: it jumps
  for (size_t n = 0; n < profile.code.size(); ++n) {
    const Instr& i = program.code[static_cast<size_t>(kernel.begin) + n];
    const auto executed = static_cast<double>(profile.code[n].executed);
    if (i.op == Op::end_if && !heads.empty()) heads.pop_back();
    const bool predicated = !heads.empty() && heads.back() >= 0;
    out.push_back((predicated ? heads.back() : executed) * i.issued / 16);
    if (i.op == Op::if_) heads.push_back(i.flags & simt::flag_branch ? -1 : predicated ? heads.back() : executed);
  }
  return out;
}

Estimate estimate(const simt::Program& program, const simt::Kernel& kernel, const simt::Extent& grid, const simt::Extent& block, uint32_t dynamic_shared,
                  const simt::Profile& profile, const gpu::SmLimits& limits, const gpu::Calibration& c, int registers, bool flushed) {
  Estimate out;
  out.registers_known = registers > 0;
  out.registers = registers > 0 ? registers : std::clamp(kernel.registers, 16, gpu::most_registers_per_thread);
  const int threads = static_cast<int>(block.size());
  out.occupancy = gpu::occupancy({threads, out.registers, kernel.shared_bytes + static_cast<int>(dynamic_shared)}, limits);

  gpu::KernelCounters& k = out.counters;
  k.grid = static_cast<double>(grid.size());
  k.warps = out.occupancy.block_warps;
  k.occupancy = out.occupancy.blocks;
  k.cold = flushed;
  const double blocks = std::max<double>(1, static_cast<double>(profile.blocks));

  const std::vector<double> all_issued = issued(program, kernel, profile);
  double stores = 0, atomic_accesses = 0, atomic_serial = 0, atomic_sectors = 0;
  for (size_t n = 0; n < profile.code.size(); ++n) {
    const Instr& i = program.code[static_cast<size_t>(kernel.begin) + n];
    const Counters& x = profile.code[n];
    const double executed = static_cast<double>(x.executed) / blocks;
    const double own = executed * i.issued / 16;
    k.instructions += all_issued[n] / blocks;
    if (fp32_pipe(i)) k.fp32 += own;
    if (multiplies_integers(i)) k.half_rate += own;
    k.special += executed * special_operations(i);
    if (i.op == Op::if_ && (i.flags & simt::flag_branch)) k.branches += executed;
    if (i.op == Op::loop_back) k.branches += executed / std::max<int>(1, i.count);
    k.flop += static_cast<double>(x.lanes) * (i.type == Type::f32 ? i.op == Op::fma ? 2 : fp32_pipe(i) ? 1 : 0 : 0);
    if (x.wavefronts > 0) k.lsu += static_cast<double>(x.wavefronts) / blocks;
    if (x.lines > 0) {
      const double lines = static_cast<double>(x.lines) / blocks, requests = static_cast<double>(x.requests) / blocks;
      k.lsu += loads(i.op) ? std::max(lines, c.kernel.load_floor * requests) : std::max(c.kernel.store_line * lines, c.kernel.load_floor * requests);
      if (is_atomic(i.op)) {
        atomic_accesses += static_cast<double>(x.requests);
        atomic_serial += static_cast<double>(x.atomic_same);
        atomic_sectors += static_cast<double>(x.sectors);
      } else if (i.op == Op::store) {
        stores += static_cast<double>(x.sectors);
        k.partial_sectors += static_cast<double>(x.partial_sectors);
      }
    }
  }
  k.written_sectors = std::max(0.0, stores - k.partial_sectors);
  k.arrivals = static_cast<double>(profile.barriers) / blocks;
  k.phased = profile.phases >= 2;
  k.trips = std::max(1.0, profile.trips);
  k.flight = std::max(1.0, profile.flight);
  k.read_sectors = static_cast<double>(profile.l2_read_sectors);
  k.read_lines = static_cast<double>(profile.l2_read_lines);
  constexpr double dram = gpu::dram_bytes;
  const double touched = static_cast<double>(profile.dram_read_blocks + profile.dram_write_blocks);
  k.read_bytes = dram * static_cast<double>(profile.dram_read_blocks);
  k.written_bytes = dram * static_cast<double>(profile.dram_write_blocks);
  if (profile.span_blocks > 0) k.use = std::clamp(touched / static_cast<double>(profile.span_blocks), 1e-3, 1.0);

  // Blocks of a wave advance in step: what none of them has touched yet comes from DRAM for all that ask for it, however many share it. If each
  // block of memory is touched by `sharers` blocks of threads, chosen at random, a wave leaves (1 - its share of the grid)^sharers untouched.
  const double wave = std::min(k.grid, static_cast<double>(c.sms) * std::max(1, k.occupancy));
  const double waves = std::max(1.0, std::ceil(k.grid / c.sms) / std::max(1, k.occupancy));
  const double sharers = touched > 0 ? std::max(1.0, profile.own_blocks * k.grid / touched) : 1;
  const double left = std::pow(1 - wave / k.grid, sharers);
  const double of_wave = touched * (1 - left);  // distinct, 64 B each
  // What a wave touches between two visits of its data decides whether the second visit still finds it in the L2.
  const double missing = gpu::missing(dram * of_wave, c);
  const double fresh = waves > 1 && of_wave > 0 ? std::min(1.0, touched * left / ((waves - 1) * of_wave)) : 0;
  const simt::Latency& l = profile.latency;
  const double again = missing * (l.memory - l.first_touches);
  const double first_wave = l.first_touches + again, later = l.cache + std::max(fresh, missing) * (l.first_touches - l.cache) + again;
  k.latency = (first_wave + (waves - 1) * later) / waves;
  if (const double rest = k.read_sectors * gpu::sector_bytes - k.read_bytes; rest > 0 && k.read_bytes > 0) k.read_bytes += rest * missing;
  if (atomic_accesses > 0)
    k.atomic_us = gpu::atomic_time(atomic_accesses, atomic_serial / atomic_accesses, atomic_sectors / atomic_accesses,
                                   static_cast<double>(profile.dram_write_blocks) / 2, c);
  return out;
}

}  // namespace lk::predict
