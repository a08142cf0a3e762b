#include "gpu/banks.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "base/random.h"

using namespace lk;
using gpu::BankUse;

namespace {

constexpr uint32_t everyone = ~0u;
using Addresses = std::array<uint64_t, 32>;

template <class F>
Addresses each(F address) {
  Addresses all{};
  for (unsigned lane = 0; lane < 32; ++lane) all[lane] = static_cast<uint64_t>(address(lane));
  return all;
}

// The rule by definition, with sets.
int by_sets(const Addresses& a, uint32_t active, int width, BankUse use) {
  int phases = width == 16 ? 4 : width == 8 ? 2 : 1;
  if (use == BankUse::load && phases > 1) {
    for (const unsigned distance : {1u, 2u}) {
      bool all = true;
      for (unsigned lane = 0; lane < 32; ++lane) {
        if ((active >> lane & 1) && (active >> (lane ^ distance) & 1)) all = all && a[lane] == a[lane ^ distance];
      }
      if (all) {
        phases /= 2;
        break;
      }
    }
  }
  int passes = 0;
  for (int phase = 0; phase < phases; ++phase) {
    std::map<uint64_t, std::multiset<uint64_t>> banks;
    for (int lane = phase * 32 / phases; lane < (phase + 1) * 32 / phases; ++lane) {
      if (!(active >> lane & 1)) continue;
      for (int byte = 0; byte < width; byte += 4) {
        const uint64_t word = (a[static_cast<size_t>(lane)] + static_cast<uint64_t>(byte)) >> 2;
        banks[word & 31].insert(word);
      }
    }
    size_t most = 0;
    for (const auto& [bank, words] : banks) {
      most = std::max(most, use == BankUse::atomic ? words.size() : std::set<uint64_t>(words.begin(), words.end()).size());
    }
    passes += static_cast<int>(most);
  }
  return passes;
}

}  // namespace

TEST_CASE("a stride of s words takes gcd(s, 32) passes") {
  for (int s = 0; s <= 128; ++s) {
    const auto a = each([&](unsigned lane) { return 256 + lane * static_cast<unsigned>(s) * 4; });
    const int expected = s == 0 ? 1 : std::gcd(s, 32);
    CHECK(gpu::wavefronts(a, everyone, 4, BankUse::load) == expected);
    CHECK(gpu::wavefronts(a, everyone, 4, BankUse::store) == expected);
    CHECK(gpu::wavefronts_strided(256, s * 4, 4, BankUse::load) == expected);
    CHECK(gpu::wavefronts_strided(256 + 128 * 128, -s * 4, 4, BankUse::load) == expected);
  }
}

TEST_CASE("the table of phases") {
  struct Row {
    Addresses addresses;
    int width;
    BankUse use;
    int passes;
  };
  const auto dense8 = each([](unsigned l) { return l * 8; }), dense16 = each([](unsigned l) { return l * 16; });
  const auto one = each([](unsigned) { return 64; });
  const auto pairs8 = each([](unsigned l) { return l / 2 * 8; }), pairs16 = each([](unsigned l) { return l / 2 * 16; });
  const auto twos16 = each([](unsigned l) { return (l & ~2u) * 16; });  // lane l and l^2 alike
  const auto fours8 = each([](unsigned l) { return l / 4 * 8; });
  const std::vector<Row> rows = {
      {dense8, 8, BankUse::load, 2},  {dense16, 16, BankUse::load, 4}, {one, 8, BankUse::load, 1},     {one, 16, BankUse::load, 2},
      {pairs8, 8, BankUse::load, 1},  {pairs16, 16, BankUse::load, 2}, {twos16, 16, BankUse::load, 4}, {fours8, 8, BankUse::load, 1},
      {one, 8, BankUse::store, 2},    {one, 16, BankUse::store, 4},    {pairs8, 8, BankUse::store, 2}, {dense16, 16, BankUse::store, 4},
      {one, 4, BankUse::atomic, 32},  {one, 4, BankUse::atomic_merged, 1},
      {each([](unsigned l) { return l % 4 * 4; }), 4, BankUse::atomic, 8},
      {each([](unsigned l) { return l % 4 * 4; }), 4, BankUse::atomic_merged, 1},
      {each([](unsigned l) { return l % 4 * 128; }), 4, BankUse::atomic_merged, 4},
      {each([](unsigned l) { return l; }), 1, BankUse::load, 1},
      {each([](unsigned l) { return l * 2; }), 2, BankUse::store, 1},
      {each([](unsigned l) { return l * 16; }), 8, BankUse::load, 4},
  };
  for (const auto& row : rows) {
    INFO("row " << &row - rows.data());
    CHECK(gpu::wavefronts(row.addresses, everyone, row.width, row.use) == row.passes);
    CHECK(by_sets(row.addresses, everyone, row.width, row.use) == row.passes);
  }
  // Half of the warp away: its phase takes nothing.
  CHECK(gpu::wavefronts(dense8, 0xFFFF, 8, BankUse::load) == 1);
  CHECK(gpu::wavefronts(dense16, 0xFF, 16, BankUse::store) == 1);
  CHECK(gpu::wavefronts(dense16, 0, 16, BankUse::store) == 0);
  CHECK(gpu::ideal_wavefronts(4) == 1);
  CHECK(gpu::ideal_wavefronts(512) == 4);
}

TEST_CASE("passes at random addresses, against the definition") {
  Random random(7);
  for (int trial = 0; trial < 4000; ++trial) {
    const int width = 1 << random.below(5);
    const auto use = static_cast<BankUse>(random.below(4));
    const uint32_t span = 1u << (2 + random.below(8));
    const uint32_t active = random.below(3) == 0 ? everyone : static_cast<uint32_t>(random.next());
    Addresses a{};
    const int shape = static_cast<int>(random.below(3));
    for (unsigned lane = 0; lane < 32; ++lane) a[lane] = static_cast<uint64_t>(width) * random.below(span);
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (shape == 1) a[lane] = a[lane & ~1u];
      if (shape == 2) a[lane] = a[lane & ~2u];
    }
    const int expected = by_sets(a, active, width, use);
    if (gpu::wavefronts(a, active, width, use) != expected) FAIL("trial " << trial << ", width " << width << ": expected " << expected);
    const int64_t stride = (static_cast<int64_t>(random.below(200)) - 100) * width;
    const auto exact = each([&](unsigned lane) { return (1 << 18) + static_cast<int64_t>(lane) * stride; });
    const int closed = gpu::wavefronts_strided(exact[0], stride, width, use);
    if (closed != 0 && closed != by_sets(exact, everyone, width, use)) FAIL("stride " << stride << ", width " << width << " gave " << closed);
  }
}
