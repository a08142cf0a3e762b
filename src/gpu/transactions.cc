#include "gpu/transactions.h"

#include <algorithm>
#include <limits>

#include "base/few.h"

namespace lk::gpu {
namespace {

// Last byte of an element; at the very top of the address space it ends there instead of wrapping.
uint64_t last_byte(uint64_t address, int width) {
  const uint64_t more = static_cast<uint64_t>(width) - 1;
  return address > std::numeric_limits<uint64_t>::max() - more ? std::numeric_limits<uint64_t>::max() : address + more;
}

// Distinct blocks of `size` bytes that elements at `sorted` addresses touch, ascending.
std::vector<uint64_t> blocks(const std::vector<uint64_t>& sorted, int width, int size) {
  const auto granule = static_cast<uint64_t>(size);
  std::vector<uint64_t> out;
  for (const uint64_t address : sorted) {
    const uint64_t last = last_byte(address, width) / granule;
    for (uint64_t block = address / granule; block <= last; ++block)
      if (out.empty() || out.back() < block) out.push_back(block);
  }
  return out;
}

}  // namespace

Transactions transactions(const WarpAccess& access) {
  Transactions t;
  if (access.width <= 0) return t;
  std::vector<uint64_t> sorted = access.addresses;
  sort_few(sorted, [](uint64_t a, uint64_t b) { return a < b; });
  t.sectors = blocks(sorted, access.width, sector_bytes);
  t.lines = static_cast<int>(blocks(sorted, access.width, line_bytes).size());
  t.dram_blocks = static_cast<int>(blocks(sorted, access.width, dram_bytes).size());
  t.asked = static_cast<int64_t>(sorted.size()) * access.width;
  t.fetched = static_cast<int64_t>(t.sectors.size()) * sector_bytes;
  t.ideal_sectors = static_cast<int>((t.asked + sector_bytes - 1) / sector_bytes);
  bool any = false;
  uint64_t covered = 0;  // last byte counted so far
  for (const uint64_t address : sorted) {
    const uint64_t last = last_byte(address, access.width);
    if (!any || address > covered) {
      t.used += static_cast<int64_t>(last - address) + 1;
    } else if (last > covered) {
      t.used += static_cast<int64_t>(last - covered);
    }
    covered = any ? std::max(covered, last) : last;
    any = true;
  }
  if (t.fetched > 0) t.efficiency = static_cast<double>(t.used) / static_cast<double>(t.fetched);
  return t;
}

WarpAccess strided(int stride, int offset_bytes, int width, int active_lanes) {
  WarpAccess access;
  access.width = width;
  const int lanes = std::clamp(active_lanes, 0, warp_lanes);
  access.addresses.reserve(static_cast<size_t>(lanes));
  for (int lane = 0; lane < lanes; ++lane) {
    const int64_t at = int64_t{offset_bytes} + int64_t{lane} * stride * width;
    access.addresses.push_back(static_cast<uint64_t>(at));
  }
  return access;
}

}  // namespace lk::gpu
