// The coalescing rule against the hardware: sectors and DRAM bytes per load instruction that a profiler counted on an H200.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "gpu/transactions.h"

using namespace lk;

TEST_CASE("Sectors and DRAM blocks agree with the counters of an H200") {
  std::ifstream in(std::string(LK_SOURCE_DIR) + "/content/measurements/harness/counters-h200.csv");
  std::string line;
  REQUIRE(std::getline(in, line));
  REQUIRE(line == "stride,offset,requests,sectors_per_request,dram_bytes_read_per_request");
  int rows = 0;
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    std::vector<double> v;
    for (std::string cell; std::getline(cells, cell, ',');) v.push_back(std::stod(cell));
    REQUIRE(v.size() == 5);
    INFO("stride " << v[0] << ", offset " << v[1]);
    const gpu::Transactions t = gpu::transactions(gpu::strided(static_cast<int>(v[0]), static_cast<int>(v[1]) * 4, 4));
    CHECK(static_cast<double>(t.sectors.size()) == v[3]);
    // Neighboring warps share the block at a shifted border, and a cache keeps it: only aligned loads are charged in full.
    if (v[1] == 0) CHECK(std::abs(t.dram_blocks * gpu::dram_bytes - v[4]) < 0.01 * v[4]);
    ++rows;
  }
  CHECK(rows == 10);
}
