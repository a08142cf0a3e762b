// From what a kernel did in the interpreter to the counters that its time is made of.
#pragma once
#include <optional>
#include <vector>

#include "gpu/kernel_time.h"
#include "gpu/occupancy.h"
#include "simt/run.h"

namespace lk::predict {

/// How many cycles of the special-function unit (16 lanes a cycle in each SM: two cycles a warp) one instruction keeps busy, in
/// units of one such operation: 1 for ex2, rcp, rsqrt and conversions between integers and floats; 2 to 3 where several are used,
/// as in a division. CUDA C++ Programming Guide, "Arithmetic Instructions", throughput table.
double special_operations(const simt::Instr& i);

struct Estimate {
  gpu::KernelCounters counters;
  int registers = 0;           // of a thread, that occupancy was computed with
  bool registers_known = false; // as the assembler printed them, not estimated
  gpu::Occupancy occupancy;
};

/// How often each instruction of the kernel is issued, in a GPU's instructions, over the whole launch. Inside a branch that became predicates a warp
/// issues all of them, also those that none of its lanes takes part in.
std::vector<double> issued(const simt::Program& program, const simt::Kernel& kernel, const simt::Profile& profile);

/// Counters of a whole launch from a profile, which may have sampled its blocks. `registers`: what the assembler printed for this
/// kernel, 0 when only the compiler's estimate is known. The device must have an SM table (gpu::sm_limits).
Estimate estimate(const simt::Program& program, const simt::Kernel& kernel, const simt::Extent& grid, const simt::Extent& block, uint32_t dynamic_shared,
                  const simt::Profile& profile, const gpu::SmLimits& limits, const gpu::Calibration& c, int registers, bool flushed);

}  // namespace lk::predict
