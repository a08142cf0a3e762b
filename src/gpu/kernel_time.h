// The time of any kernel from what it does: counts of instructions, of memory pieces and of waiting, blended.
//
// Three kinds of work overlap within one SM: issuing instructions, its load and store unit, and waiting for dependences. Four
// overlap on the chip: the SMs, dispatch of blocks, the L2 and DRAM. Overlap is never complete, so terms blend as
// (sum of t^p)^(1/p), which is the largest term when one rules and up to 2^(1/p) of it when two are equal. The same norm with
// p = 3 fits achieved bandwidth against bytes in flight better than min(peak, Little's law). Constants: calibration.h.
#pragma once
#include <cstdint>

#include "gpu/calibration.h"
#include "gpu/prediction.h"
#include "gpu/transactions.h"

namespace lk::gpu {

/// One launch. Counts are of warp instructions; `per block` means the mean over blocks.
struct KernelCounters {
  double grid = 1;               // blocks
  int warps = 1;                 // of a block
  int occupancy = 1;             // blocks that one SM holds
  bool cold = true;              // the caches were flushed just before
  // Per block.
  double instructions = 0, branches = 0;  // issued by a warp at least once for each path it takes; branches among them
  double fp32 = 0, half_rate = 0, special = 0;  // FP32 arithmetic, integer work at half rate, special functions
  double lsu = 0;                // SM cycles: shared wavefronts, max(128 B lines, load_floor) of each global load, max(store_line * lines, load_floor) of each store
  double arrivals = 0;           // of warps at barriers
  double latency = 0;            // cycles of one warp's longest chain of dependences, barriers included
  bool phased = false;           // barriers split the block into phases, whose
  double trips = 1;              // loops run this often
  // Whole launch.
  double read_sectors = 0, read_lines = 0;         // L2 reads, after the L1
  double written_sectors = 0, partial_sectors = 0; // L2 writes: sectors written whole by one warp access, and in part
  double read_bytes = 0, written_bytes = 0;        // DRAM, in 64 B blocks
  double use = 1;                // touched 64 B blocks / blocks in the span of addresses
  double flight = 1;             // 128 B lines that a warp has in flight at its first access
  double atomic_us = 0;          // atomic_time() below
  double flop = 0;               // for rooflines
};

Prediction kernel_time(const KernelCounters& k, const Calibration& c);

/// How long the L2 takes for `accesses` warp-wide atomics, microseconds. `serial`: mean over accesses of the sum over touched
/// sectors of the most lanes on one address; `sectors`: mean of touched sectors; `lines`: distinct 128 B lines of the launch.
double atomic_time(double accesses, double serial, double sectors, double lines, const Calibration& c);

/// Share of re-reads that miss the L2 when `bytes` were touched in between, 0 to 1.
double missing(double bytes, const Calibration& c);

}  // namespace lk::gpu
