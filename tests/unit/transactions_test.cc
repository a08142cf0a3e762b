#include "gpu/transactions.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <set>

#include "base/random.h"

using namespace lk;
using gpu::strided;
using gpu::transactions;

namespace {

// The rule by definition: every byte of every active lane, in sets.
void check_by_bytes(const gpu::WarpAccess& access) {
  std::set<uint64_t> bytes, sectors, lines, blocks;
  for (const uint64_t address : access.addresses) {
    for (int i = 0; i < access.width; ++i) {
      const uint64_t byte = address + static_cast<uint64_t>(i);
      bytes.insert(byte);
      sectors.insert(byte >> 5);
      blocks.insert(byte >> 6);
      lines.insert(byte >> 7);
    }
  }
  const auto t = transactions(access);
  const bool same = t.sectors == std::vector<uint64_t>(sectors.begin(), sectors.end()) && t.lines == static_cast<int>(lines.size()) &&
                    t.dram_blocks == static_cast<int>(blocks.size()) && t.used == static_cast<int64_t>(bytes.size()) &&
                    t.asked == static_cast<int64_t>(access.addresses.size()) * access.width &&
                    t.fetched == static_cast<int64_t>(sectors.size()) * 32 && t.ideal_sectors == (t.asked + 31) / 32 &&
                    t.efficiency == (t.fetched == 0 ? 0 : static_cast<double>(t.used) / static_cast<double>(t.fetched));
  if (!same) FAIL("width " << access.width << ", " << access.addresses.size() << " lanes, first at " << (access.addresses.empty() ? 0 : access.addresses[0]));
}

}  // namespace

TEST_CASE("the cases every book shows") {
  CHECK(transactions(strided(1, 0, 4)).sectors.size() == 4);
  CHECK(transactions(strided(1, 0, 4)).efficiency == 1);
  CHECK(transactions(strided(1, 0, 4)).lines == 1);
  CHECK(transactions(strided(1, 4, 4)).sectors.size() == 5);
  CHECK(transactions(strided(1, 4, 4)).efficiency == 0.8);
  CHECK(transactions(strided(1, 4, 4)).lines == 2);
  CHECK(transactions(strided(2, 0, 4)).sectors.size() == 8);
  CHECK(transactions(strided(2, 0, 4)).efficiency == 0.5);
  CHECK(transactions(strided(2, 0, 4)).dram_blocks == 4);
  for (int stride = 8; stride <= 64; ++stride) {
    CHECK(transactions(strided(stride, 0, 4)).sectors.size() == 32);
    CHECK(transactions(strided(stride, 0, 4)).efficiency == 0.125);
  }
  CHECK(transactions(strided(16, 0, 4)).dram_blocks == 32);
  CHECK(transactions(strided(8, 0, 4)).dram_blocks == 16);
  CHECK(transactions(strided(1, 0, 8)).sectors.size() == 8);    // double
  CHECK(transactions(strided(1, 0, 16)).sectors.size() == 16);  // float4
  CHECK(transactions(strided(1, 0, 16)).lines == 4);
  CHECK(transactions(strided(2, 0, 16)).efficiency == 0.5);
  CHECK(transactions(strided(1, 0, 1)).sectors.size() == 1);
  CHECK(transactions(strided(0, 0, 4)).sectors.size() == 1);  // all lanes read one word
  CHECK(transactions(strided(0, 0, 4)).used == 4);
  CHECK(transactions(strided(0, 0, 4)).asked == 128);
}

TEST_CASE("partial warps and odd widths") {
  CHECK(transactions(strided(1, 0, 4, 8)).sectors.size() == 1);
  CHECK(transactions(strided(1, 0, 4, 9)).sectors.size() == 2);
  CHECK(transactions(strided(1, 0, 4, 9)).ideal_sectors == 2);
  CHECK(strided(1, 0, 4, 99).addresses.size() == 32);
  CHECK(strided(1, 0, 4, -1).addresses.empty());
  const auto none = transactions(strided(1, 0, 4, 0));
  CHECK(none.sectors.empty());
  CHECK(none.efficiency == 0);
  CHECK(none.ideal_sectors == 0);
  CHECK(transactions({{0, 4}, 0}).sectors.empty());
  // A double at byte 28 straddles two sectors.
  CHECK(transactions({{28}, 8}).sectors == std::vector<uint64_t>{0, 1});
  CHECK(transactions({{124}, 8}).lines == 2);
}

TEST_CASE("every stride, offset, width and number of lanes agrees with counting bytes") {
  for (const int width : {1, 2, 4, 8, 16})
    for (int stride = 0; stride <= 33; ++stride)
      for (int offset = 0; offset <= 130; ++offset)
        for (const int lanes : {0, 1, 2, 7, 31, 32}) check_by_bytes(strided(stride, offset, width, lanes));
  SUCCEED();
}

TEST_CASE("scattered, repeated and overlapping addresses agree with counting bytes") {
  Random random(9);
  for (int i = 0; i < 5000; ++i) {
    gpu::WarpAccess access;
    access.width = 1 << random.below(5);
    const uint32_t range = 1u << random.below(12);
    for (uint32_t n = random.below(33); n > 0; --n) access.addresses.push_back(random.below(range + 1));
    check_by_bytes(access);
  }
  SUCCEED();
}

TEST_CASE("the ends of the address space are no trap") {
  constexpr uint64_t top = std::numeric_limits<uint64_t>::max();
  const auto t = transactions({{top, top - 3, 0}, 16});
  CHECK(t.sectors.size() == 2);
  CHECK(t.used == 4 + 16);
  CHECK(transactions(strided(-1, 0, 4)).sectors.size() == 5);
}
