#include "gpu/occupancy.h"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <utility>

#include "base/random.h"
#include "support/real_world.h"

using namespace lk;
using namespace lk::gpu;

namespace {

constexpr std::pair<int, int> capabilities[] = {{7, 0}, {7, 5}, {8, 0}, {8, 6}, {8, 7}, {8, 9}, {9, 0}, {10, 0}, {10, 3}, {11, 0}, {12, 0}, {12, 1}};

KernelUse any_use(Random& random, const SmLimits& limits) {
  const auto below = [&](int n) { return static_cast<int>(random.below(static_cast<uint32_t>(n))); };
  return {1 + below(1024), 1 + below(255), below(limits.shared_per_block() + 1) / (1 + below(8)), below(101)};
}

// The rule by definition: blocks enter as long as all they need is free. Warps of a block may go to whichever quarter of the
// register file still has room.
int held(const KernelUse& use, const SmLimits& limits, int carve_out) {
  const int warps = (use.threads + 31) / 32;
  int per_warp = 0, bytes = 0;
  while (per_warp < use.registers * 32) per_warp += 256;
  while (bytes < use.shared + limits.reserved) bytes += limits.shared_unit;
  std::array<int, 4> free{16384, 16384, 16384, 16384};
  int blocks = 0, slots = limits.warps, shared = carve_out;
  for (; blocks < limits.blocks && slots >= warps && shared >= bytes; ++blocks) {
    for (int w = 0; w < warps; ++w) {
      const auto room = std::max_element(free.begin(), free.end());
      if (*room < per_warp) return blocks;
      *room -= per_warp;
    }
    slots -= warps;
    shared -= bytes;
  }
  return blocks;
}

}  // namespace

TEST_CASE("blocks that NVIDIA's calculator lets in") {
  struct Case {
    KernelUse use;
    int blocks[6];  // on 7.0, 8.0, 8.6, 8.9, 9.0, 12.0
  };
  const Case cases[] = {{{256, 33, 0}, {6, 6, 6, 6, 6, 6}},
                        {{128, 168, 49152}, {2, 3, 2, 2, 3, 2}},
                        {{64, 16, 1024}, {32, 32, 16, 24, 32, 24}},
                        {{128, 32, 16384}, {6, 9, 5, 5, 13, 5}}};
  const std::pair<int, int> on[] = {{7, 0}, {8, 0}, {8, 6}, {8, 9}, {9, 0}, {12, 0}};
  for (const Case& c : cases)
    for (size_t i = 0; i < std::size(on); ++i) {
      INFO(c.use.threads << " threads, " << c.use.registers << " registers, " << c.use.shared << " B on " << on[i].first << "." << on[i].second);
      CHECK(occupancy(c.use, *sm_limits(on[i].first, on[i].second)).blocks == c.blocks[i]);
    }
}

TEST_CASE("the first resource to run out is named") {
  const SmLimits h200 = *sm_limits(9, 0);
  CHECK(occupancy({1024, 32, 0}, h200).limit == Resource::warps);
  CHECK(occupancy({1024, 32, 0}, h200).warps == 64);
  CHECK(occupancy({32, 32, 0}, h200).limit == Resource::blocks);
  CHECK(occupancy({256, 48, 16384}, h200).limit == Resource::registers);
  CHECK(occupancy({256, 40, 100 * 1024}, h200).limit == Resource::shared);
  // 12 warps of 5,632 registers would fit into 65,536, but a quarter holds only two of them.
  const Occupancy quarters = occupancy({96, 176, 0}, h200);
  CHECK(quarters.blocks == 2);
  CHECK(quarters.stranded == 4 * (16384 - 2 * 5632));
  // 1,024 threads of 65 registers: refused, as is more shared memory than there is.
  CHECK(occupancy({1024, 64, 0}, h200).blocks == 1);
  CHECK(occupancy({1024, 65, 0}, h200).blocks == 0);
  CHECK(occupancy({32, 32, 227 * 1024}, h200).blocks == 1);
  CHECK(occupancy({32, 32, 227 * 1024 + 1}, h200).blocks == 0);
}

TEST_CASE("the carve-out is the next size that the hardware offers") {
  const auto size = [](int major, int minor, int percent, int bytes) {
    return occupancy({32, 32, bytes, percent}, *sm_limits(major, minor)).share(Resource::shared).of / 1024;
  };
  CHECK(size(9, 0, 100, 0) == 228);
  CHECK(size(9, 0, 50, 0) == 132);  // of 114
  CHECK(size(9, 0, 0, 0) == 8);     // the reserved kibibyte
  CHECK(size(9, 0, 0, 150 * 1024) == 164);
  CHECK(size(8, 6, 65, 0) == 100);
  CHECK(size(7, 5, 0, 0) == 32);
  CHECK(size(7, 0, 0, 0) == 0);
  CHECK(size(7, 0, 70, 0) == 96);
}

TEST_CASE("as many blocks are resident as enter one by one") {
  Random random(5);
  for (const auto& [major, minor] : capabilities) {
    const SmLimits limits = *sm_limits(major, minor);
    for (int i = 0; i < 2000; ++i) {
      const KernelUse use = any_use(random, limits);
      INFO(major << "." << minor << ": " << use.threads << " threads, " << use.registers << " registers, " << use.shared << " B, " << use.carve_out << "%");
      const Occupancy o = occupancy(use, limits);
      REQUIRE(o.blocks == held(use, limits, o.share(Resource::shared).of));
      REQUIRE(o.limited_by(o.limit));
      // What is resident fits into what there is.
      for (const Share& share : o.shares) REQUIRE(share.each * o.blocks <= share.of);
    }
  }
}

TEST_CASE("the next step is the nearest that holds more warps") {
  Random random(6);
  const SmLimits limits = *sm_limits(9, 0);
  int found = 0;
  for (int i = 0; i < 400; ++i) {
    const KernelUse use = any_use(random, limits);
    const int now = occupancy(use, limits).warps;
    const auto warps = [&](KernelUse u) { return occupancy(u, limits).warps; };
    int registers = use.registers;
    while (registers > 0 && warps({use.threads, registers, use.shared, use.carve_out}) <= now) --registers;
    const auto by_registers = next_step(use, limits, Resource::registers);
    REQUIRE((by_registers ? by_registers->registers : 0) == registers);
    int shared = use.shared;
    while (shared >= 0 && warps({use.threads, use.registers, shared, use.carve_out}) <= now) --shared;
    const auto by_shared = next_step(use, limits, Resource::shared);
    REQUIRE((by_shared ? by_shared->shared : -1) == shared);
    int nearest = 0;
    for (int t = 1024; t >= 32; t -= 32) {
      const auto away = [&](int threads) { return std::abs(threads / 32 - (use.threads + 31) / 32); };
      if (warps({t, use.registers, use.shared, use.carve_out}) > now && (nearest == 0 || away(t) < away(nearest))) nearest = t;
    }
    const auto by_threads = next_step(use, limits, Resource::warps);
    REQUIRE((by_threads ? by_threads->threads : 0) == nearest);
    found += by_registers.has_value() + by_shared.has_value() + by_threads.has_value();
  }
  CHECK(found > 100);
}

TEST_CASE("the limits of every device of the book are known, and of no others") {
  for (const Device& device : test::real_world().devices.all)
    if (device.cc_major >= 7) CHECK(sm_limits(device.cc_major, device.cc_minor));
  CHECK(!sm_limits(0, 0));
  CHECK(!sm_limits(6, 0));
  CHECK(!sm_limits(13, 0));
  CHECK(sm_limits(9, 0)->shared_per_block() == 227 * 1024);
  CHECK(sm_limits(8, 6)->shared_per_block() == 99 * 1024);
  CHECK(sm_limits(7, 0)->shared_per_block() == 96 * 1024);
}
