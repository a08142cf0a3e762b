// Which pieces of memory one warp instruction touches. Exact rules, no calibration.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lk::gpu {

constexpr int warp_lanes = 32;
constexpr int sector_bytes = 32;  // granule between L1 and L2
constexpr int line_bytes = 128;   // L1/L2 cache line, four sectors
constexpr int dram_bytes = 64;    // granule that an H200's DRAM traffic behaves as (measured)

/// One warp-wide access: a byte address for each active lane, `width` bytes each (1, 2, 4, 8 or 16).
struct WarpAccess {
  std::vector<uint64_t> addresses;  // of the active lanes only
  int width = 4;
};

struct Transactions {
  std::vector<uint64_t> sectors;  // distinct sector numbers (address / 32), ascending
  int lines = 0;                  // distinct 128 B lines
  int dram_blocks = 0;            // distinct 64 B blocks
  int64_t asked = 0;              // bytes the lanes asked for: active lanes * width
  int64_t used = 0;               // distinct bytes among them
  int64_t fetched = 0;            // sectors * 32
  int ideal_sectors = 0;          // ceil(asked / 32), if every byte of every sector were wanted
  double efficiency = 0;          // used / fetched; 0 when no lane is active
};

/// Sectors = distinct address >> 5 over the bytes of the active lanes (CUDA C++ Best Practices Guide, "Coalesced
/// Access to Global Memory": compute capability 6.0 and later). An element that straddles a border touches both sides.
Transactions transactions(const WarpAccess& access);

/// Addresses of a warp whose lane l reads element `offset_bytes + l * stride * width`, lanes 0 .. active-1.
WarpAccess strided(int stride, int offset_bytes, int width, int active_lanes = warp_lanes);

}  // namespace lk::gpu
