#include "gpu/occupancy.h"

#include <algorithm>

namespace lk::gpu {
namespace {

constexpr int quarters = 4;
constexpr int register_unit = 256;
constexpr int kib = 1024;

struct Row {
  int8_t major, minor;
  int8_t warps, blocks;
  int16_t shared_kib;
};
constexpr Row rows[] = {
    {7, 0, 64, 32, 96},  {7, 5, 32, 16, 64},   {8, 0, 64, 32, 164},  {8, 6, 48, 16, 100},  {8, 7, 48, 16, 164}, {8, 9, 48, 24, 100},
    {9, 0, 64, 32, 228}, {10, 0, 64, 32, 228}, {10, 3, 64, 32, 228}, {11, 0, 48, 24, 228}, {12, 0, 48, 24, 100}, {12, 1, 48, 24, 100},
};

// Below the largest. Each capability offers those of the list that lie between its least and its largest.
constexpr int16_t carve_outs[] = {0, 8, 16, 32, 64, 100, 132, 164, 196};

int divide_up(int a, int b) { return (a + b - 1) / b; }
int round_up(int a, int unit) { return divide_up(a, unit) * unit; }

// Bytes, the next size that is no smaller than `least`.
int carve_out(int least, const SmLimits& limits) {
  for (const int size : carve_outs)
    if (size >= limits.least_kib && size < limits.shared_kib && size * kib >= least) return size * kib;
  return limits.shared_kib * kib;
}

}  // namespace

std::optional<SmLimits> sm_limits(int cc_major, int cc_minor) {
  for (const Row& row : rows) {
    if (row.major != cc_major || row.minor != cc_minor) continue;
    const bool old = cc_major < 8;
    return SmLimits{row.warps, row.blocks, row.shared_kib, cc_major == 7 && cc_minor == 5 ? 32 : 0, old ? 256 : 128, old ? 0 : kib};
  }
  return std::nullopt;
}

std::string_view why_no_limits(int cc_major) {
  if (cc_major <= 0) return "it has no compute capability, and these are NVIDIA's rules";
  return cc_major < 7 ? "its multiprocessors are older than compute capability 7.0, where the rules begin" : "the limits of its multiprocessors are not known";
}

std::string_view name(Resource resource) {
  constexpr std::string_view names[] = {"warp slots", "block slots", "registers", "shared memory"};
  return names[static_cast<size_t>(resource)];
}

Occupancy occupancy(const KernelUse& use, const SmLimits& limits) {
  Occupancy out;
  const int warps = out.block_warps = divide_up(use.threads, warp_lanes);
  const int per_warp = round_up(use.registers * warp_lanes, register_unit);
  const int per_quarter = registers_per_sm / quarters / per_warp;
  const int bytes = round_up(use.shared + limits.reserved, limits.shared_unit), most = limits.shared_kib * kib;
  const int preferred = carve_out(static_cast<int>(int64_t{most} * use.carve_out / 100), limits);
  const int shared = std::max(preferred, carve_out(bytes, limits));
  out.shares = {Share{limits.warps, warps, limits.warps / warps}, Share{limits.blocks, 1, limits.blocks},
                Share{registers_per_sm, per_warp * warps, quarters * per_quarter / warps},
                Share{shared, bytes, bytes == 0 ? limits.blocks : bytes > most ? 0 : shared / bytes}};
  out.stranded = registers_per_sm - quarters * per_quarter * per_warp;
  out.blocks = out.shares[0].blocks;
  for (size_t i = 1; i < resource_count; ++i)
    if (out.shares[i].blocks < out.blocks) {
      out.blocks = out.shares[i].blocks;
      out.limit = static_cast<Resource>(i);
    }
  out.warps = out.blocks * warps;
  return out;
}

std::optional<KernelUse> next_step(const KernelUse& use, const SmLimits& limits, Resource change) {
  const Occupancy now = occupancy(use, limits);
  const int shared = now.share(Resource::shared).each - limits.reserved;
  for (int i = 1; i <= limits.shared_kib * kib / limits.shared_unit; ++i) {
    KernelUse next = use;
    if (change == Resource::registers) next.registers -= i;
    else if (change == Resource::shared) next.shared = shared - i * limits.shared_unit;
    else next.threads = warp_lanes * (now.block_warps + (i % 2 == 1 ? (i + 1) / 2 : -i / 2));
    const bool possible = next.registers >= 1 && next.shared >= 0 && next.threads >= 1 && next.threads <= most_threads_per_block;
    if (possible && occupancy(next, limits).warps > now.warps) return next;
  }
  return std::nullopt;
}

}  // namespace lk::gpu
