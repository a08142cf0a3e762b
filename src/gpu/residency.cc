#include "gpu/residency.h"

#include <algorithm>

namespace lk::gpu {
namespace {

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

}  // namespace

Residency residency(int64_t blocks, int threads, int sms, const SmLimits& limits) {
  Residency r;
  r.blocks = blocks;
  r.threads = threads;
  r.warps = static_cast<int>(ceil_div(threads, warp_lanes));
  r.idle_lanes = r.warps * warp_lanes - threads;
  const int by_warps = limits.warps / r.warps;
  r.limit = by_warps <= limits.blocks ? Resource::warps : Resource::blocks;
  r.resident = std::min(by_warps, limits.blocks);
  r.wave = int64_t{r.resident} * sms;
  r.waves = ceil_div(blocks, r.wave);
  r.last = blocks - (r.waves - 1) * r.wave;
  r.idle = r.wave - r.last;
  r.busiest = ceil_div(blocks, sms);
  return r;
}

Whereabouts locate(const Residency& r, int sms, int64_t block, int thread) {
  Whereabouts w;
  w.index = block * r.threads + thread;
  w.warp = thread / warp_lanes;
  w.lane = thread % warp_lanes;
  w.wave = block / r.wave;
  const int64_t turn = block % r.wave;
  w.sm = static_cast<int>(turn % sms);
  w.place = static_cast<int>(turn / sms);
  return w;
}

std::optional<int64_t> block_at(const Residency& r, int sms, int64_t wave, int sm, int place) {
  const int64_t block = wave * r.wave + int64_t{place} * sms + sm;
  if (place < 0 || place >= r.resident || block >= r.blocks) return std::nullopt;
  return block;
}

}  // namespace lk::gpu
