// How many blocks of a kernel one multiprocessor holds: NVIDIA's occupancy rules, exactly, for compute capabilities 7.0 to 12.1.
// Sources: CUDA Programming Guide, "Compute Capabilities" (limits, shared-memory sizes), and cuda_occupancy.h of the CUDA toolkit
// (units of allocation, checks of a launch); the native tests compare with the latter where a toolkit is installed.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "gpu/transactions.h"

namespace lk::gpu {

constexpr int most_threads_per_block = 1024;
constexpr int most_registers_per_thread = 255;  // that a program can use
constexpr int registers_per_sm = 65536;         // 32 bits each, from 7.0 on; as many for a block

/// What one multiprocessor has of everything that blocks share.
struct SmLimits {
  int warps = 0, blocks = 0;
  int shared_kib = 0;            // the most that can be set aside for shared memory; the rest of that array is the L1 cache
  int least_kib = 0;             // the least
  int shared_unit = 0;           // bytes: shared memory is given out in multiples of this
  int reserved = 0;              // bytes of shared memory that the system takes for each block
  int threads() const { return warps * warp_lanes; }
  /// The most that a block can ask for, in bytes. Above 48 KiB the kernel must opt in (cudaFuncSetAttribute).
  int shared_per_block() const { return shared_kib * 1024 - reserved; }
};

/// Empty for compute capabilities that the table does not hold and for devices of other vendors.
std::optional<SmLimits> sm_limits(int cc_major, int cc_minor);
/// Why, in words that stand behind the device's name; for those that have none.
std::string_view why_no_limits(int cc_major);

/// What a kernel asks for. `carve_out`: percent of the largest shared memory that it prefers
/// (cudaFuncAttributePreferredSharedMemoryCarveout), 0 .. 100. The hardware offers a few sizes; it takes the next that is no
/// smaller, and a larger one when a single block needs it. Without a preference NVIDIA's calculator assumes the largest.
struct KernelUse {
  int threads = 1;    // per block, 1 .. 1,024
  int registers = 1;  // per thread, 1 .. 255
  int shared = 0;     // bytes per block, static and dynamic, >= 0
  int carve_out = 100;
};

enum class Resource : uint8_t { warps, blocks, registers, shared };
constexpr size_t resource_count = 4;
std::string_view name(Resource resource);  // "warp slots"

/// Where one resource stands: `of` there are, each block takes `each`, and so it lets in `blocks`.
struct Share {
  int of = 0, each = 0, blocks = 0;
};

/// With W = ceil(threads / 32) warps in a block, each resource lets in
///   warps      floor(warp slots / W)
///   blocks     the block slots
///   registers  floor(4 * floor(16,384 / R) / W): a warp takes R = 32 * registers, rounded up to 256, in one of four quarters of
///              the register file
///   shared     floor(carve-out / S), where a block takes S, its bytes and the reserved ones, rounded up to the unit. None if S is
///              more than there is, and as many as block slots if S is 0.
/// and the fewest of the four are resident. With 0 the kernel cannot be launched.
struct Occupancy {
  int block_warps = 0;
  std::array<Share, resource_count> shares{};
  int blocks = 0, warps = 0;         // resident
  Resource limit = Resource::warps;  // the first of those that let in the fewest
  int stranded = 0;                  // registers: what is left of the quarters when they hold as many warps as they can
  const Share& share(Resource r) const { return shares[static_cast<size_t>(r)]; }
  bool limited_by(Resource r) const { return share(r).blocks == blocks; }
};
Occupancy occupancy(const KernelUse& use, const SmLimits& limits);

/// The nearest value of one quantity that raises the resident warps, all else as it is. registers: fewer; shared: fewer bytes, as
/// many as the unit lets a block have; warps and blocks: another number of whole warps in the block (of two equally far the
/// larger). Empty where no value does.
std::optional<KernelUse> next_step(const KernelUse& use, const SmLimits& limits, Resource change);

}  // namespace lk::gpu
