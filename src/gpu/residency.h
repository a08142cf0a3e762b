// How a launch divides into blocks, warps and waves, as far as the number of blocks and warps limits it. Exact rules.
#pragma once
#include <cstdint>
#include <optional>

#include "gpu/occupancy.h"

namespace lk::gpu {

/// Which part of a launch of `blocks` blocks is where. Registers and shared memory can only lower `resident`; they are not
/// counted here. A block needs all of its warps at once, and lanes that its last warp does not use stay empty:
///   warps per block = ceil(threads / 32),  resident = min(block slots, floor(warp slots / warps per block))
///   wave = the blocks that all multiprocessors hold together,  waves = ceil(blocks / wave)
struct Residency {
  int64_t blocks = 0;
  int threads = 0, warps = 0;  // per block
  int idle_lanes = 0;          // in the last warp of each block
  int resident = 0;            // blocks that one multiprocessor holds
  Resource limit = Resource::warps;
  int64_t wave = 0;            // resident * multiprocessors
  int64_t waves = 0;
  int64_t last = 0;            // blocks in the last wave, 1 .. wave
  int64_t idle = 0;            // places for a block that the last wave leaves empty
  int64_t busiest = 0;         // ceil(blocks / multiprocessors): some multiprocessor runs at least so many, now or later
};

/// blocks >= 1, threads 1 .. 1,024, sms >= 1.
Residency residency(int64_t blocks, int threads, int sms, const SmLimits& limits);

/// Where thread `thread` of block `block` is. Warps take the threads of a block in order, x first, then y, then z (CUDA
/// Programming Guide, "Thread Hierarchy"). Which multiprocessor a block gets is up to the hardware; here the places of a wave are
/// dealt out in turn, which agrees with it only in how many blocks each multiprocessor of a full wave holds.
struct Whereabouts {
  int64_t index = 0;  // block * threads + thread
  int warp = 0, lane = 0;
  int64_t wave = 0;
  int sm = 0, place = 0;  // place: among the blocks that this multiprocessor holds
};
Whereabouts locate(const Residency& residency, int sms, int64_t block, int thread);

/// The block at `place` of multiprocessor `sm` in a wave; empty where the last wave leaves the place empty.
std::optional<int64_t> block_at(const Residency& residency, int sms, int64_t wave, int sm, int place);

}  // namespace lk::gpu
