#include "gpu/residency.h"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/random.h"
#include "support/real_world.h"

using namespace lk;
using namespace lk::gpu;

namespace {

constexpr SmLimits h200{64, 32};

// The rule by definition: blocks enter one after the other wherever warp slots and block slots are free, in turn; when nothing
// fits any more, all of them end together and the next wave begins.
struct Dealt {
  struct Place {
    int64_t wave;
    int sm, place;
    bool operator==(const Place&) const = default;
  };
  std::vector<Place> places;  // by block
  int64_t waves = 0;
};

Dealt deal(int64_t blocks, int threads, int sms, const SmLimits& limits) {
  int warps = 0;
  for (int t = 0; t < threads; t += warp_lanes) ++warps;
  Dealt out;
  std::vector<int> held(static_cast<size_t>(sms)), used(static_cast<size_t>(sms));
  int next = 0;
  for (int64_t b = 0; b < blocks; ++b) {
    if (out.waves == 0 || held[static_cast<size_t>(next)] + 1 > limits.blocks || used[static_cast<size_t>(next)] + warps > limits.warps) {
      ++out.waves;
      held.assign(held.size(), 0);
      used.assign(used.size(), 0);
      next = 0;
    }
    out.places.push_back({out.waves - 1, next, held[static_cast<size_t>(next)]++});
    used[static_cast<size_t>(next)] += warps;
    next = (next + 1) % sms;
  }
  return out;
}

}  // namespace

TEST_CASE("a launch divides as a count by hand says") {
  const Residency r = residency(600, 512, 132, h200);
  CHECK(r.warps == 16);
  CHECK(r.idle_lanes == 0);
  CHECK(r.resident == 4);
  CHECK(r.limit == Resource::warps);
  CHECK(r.wave == 528);
  CHECK(r.waves == 2);
  CHECK(r.last == 72);
  CHECK(r.idle == 456);
  CHECK(r.busiest == 5);
  const Residency full = residency(528, 512, 132, h200);
  CHECK(full.waves == 1);
  CHECK(full.last == 528);
  CHECK(full.idle == 0);
  const Residency small = residency(3907, 32, 132, h200);
  CHECK(small.resident == 32);  // block slots, not the 64 that the warps would allow
  CHECK(small.limit == Resource::blocks);
  CHECK(residency(1, 33, 132, h200).idle_lanes == 31);
  CHECK(residency(1, 65, 132, h200).resident == 21);
  CHECK(residency(1, 1024, 84, {48, 16}).resident == 1);
}

TEST_CASE("places are those of blocks dealt out one by one") {
  Random random(11);
  for (int i = 0; i < 200; ++i) {
    const SmLimits limits = random.below(2) ? h200 : SmLimits{48, 24};
    const int threads = 1 + static_cast<int>(random.below(1024)), sms = 1 + static_cast<int>(random.below(150));
    const int64_t blocks = 1 + random.below(3000);
    INFO(blocks << " blocks of " << threads << " on " << sms);
    const Residency r = residency(blocks, threads, sms, limits);
    const Dealt dealt = deal(blocks, threads, sms, limits);
    CHECK(r.waves == dealt.waves);
    int64_t last = 0;
    std::map<int, int64_t> per_sm;
    bool same = true;
    for (int64_t b = 0; b < blocks; ++b) {
      const Dealt::Place& d = dealt.places[static_cast<size_t>(b)];
      const Whereabouts w = locate(r, sms, b, 0);
      same = same && d == Dealt::Place{w.wave, w.sm, w.place} && block_at(r, sms, d.wave, d.sm, d.place) == b;
      last += d.wave + 1 == dealt.waves;
      ++per_sm[d.sm];
    }
    CHECK(same);
    CHECK(r.last == last);
    CHECK(r.idle == r.wave - last);
    // Dealing cannot give the fullest multiprocessor fewer than this.
    int64_t most = 0;
    for (const auto& [sm, count] : per_sm) most = std::max(most, count);
    CHECK(most >= r.busiest);
    CHECK(!block_at(r, sms, r.waves - 1, sms - 1, r.resident));
  }
}

TEST_CASE("threads have one index, one warp and one lane each, in order") {
  const Residency r = residency(5, 100, 4, h200);
  std::set<int64_t> indices;
  for (int b = 0; b < 5; ++b)
    for (int t = 0; t < 100; ++t) {
      const Whereabouts w = locate(r, 4, b, t);
      indices.insert(w.index);
      CHECK((w.warp * 32 + w.lane == t && w.lane < 32));
    }
  CHECK(indices.size() == 500);
  CHECK(*indices.rbegin() == 499);
}

TEST_CASE("the limits of every device of the book are known") {
  for (const Device& device : test::real_world().devices.all) {
    INFO(device.id);
    if (device.cc_major >= 7) CHECK(sm_limits(device.cc_major, device.cc_minor));
  }
  CHECK(sm_limits(9, 0)->threads() == 2048);
  CHECK(sm_limits(12, 0)->threads() == 1536);
  CHECK(!sm_limits(0, 0));
}
