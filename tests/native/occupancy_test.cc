// The occupancy rules against NVIDIA's own header, where a CUDA toolkit has it. A program that includes it is compiled when the
// test runs, answers a sweep, and its answers are compared with ours.
#include "gpu/occupancy.h"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "scratch.h"

namespace lk::gpu {
namespace {

namespace fs = std::filesystem;

fs::path header() {
  std::vector<fs::path> homes;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* home = std::getenv(variable)) homes.emplace_back(home);
  homes.emplace_back("/usr/local/cuda");
  homes.emplace_back("/usr");
  std::error_code ignored;
  for (const fs::path& home : homes)
    if (fs::exists(home / "include/cuda_occupancy.h", ignored)) return home / "include/cuda_occupancy.h";
  return {};
}

// One line of input: capability, limits, threads, registers, shared bytes, carve-out. One of output: five counts of blocks, the
// carve-out's users in bytes, or the header's error.
constexpr const char* program = R"(
#include <cuda_occupancy.h>
#include <cstdio>
int main() {
  int in[10];
  while (std::scanf("%d %d %d %d %d %d %d %d %d %d", in, in + 1, in + 2, in + 3, in + 4, in + 5, in + 6, in + 7, in + 8, in + 9) == 10) {
    cudaOccDeviceProp device;
    device.computeMajor = in[0];
    device.computeMinor = in[1];
    device.maxThreadsPerMultiprocessor = in[2];
    device.maxThreadsPerBlock = 1024;
    device.regsPerBlock = device.regsPerMultiprocessor = 65536;
    device.warpSize = 32;
    device.numSms = 1;
    device.sharedMemPerBlock = 49152;
    device.sharedMemPerMultiprocessor = in[3];
    device.sharedMemPerBlockOptin = in[4];
    device.reservedSharedMemPerBlock = in[5];
    cudaOccFuncAttributes kernel;
    kernel.maxThreadsPerBlock = 1024;
    kernel.numRegs = in[7];
    kernel.maxDynamicSharedSizeBytes = in[8];
    kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    kernel.numBlockBarriers = 1;
    cudaOccDeviceState state;
    state.carveoutConfig = in[9];
    cudaOccResult result;
    const int error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state, in[6], in[8]);
    if (error) std::printf("error %d\n", error);
    else std::printf("%d %d %d %d %d %d %d\n", result.activeBlocksPerMultiprocessor, result.blockLimitWarps, result.blockLimitBlocks,
                     result.blockLimitRegs, result.blockLimitSharedMem, result.allocatedRegistersPerBlock, (int)result.allocatedSharedMemPerBlock);
  }
}
)";

}  // namespace

TEST_CASE("occupancy is what cuda_occupancy.h says, over a sweep of every compute capability") {
  const fs::path oracle = header();
  if (oracle.empty()) SKIP("cuda_occupancy.h is neither in $CUDA_HOME/include nor in /usr/local/cuda/include nor in /usr/include");
  const test::Scratch scratch;
  const std::string base = scratch.path.string();
  std::ofstream(base + "/oracle.cc") << program;
  const std::string compile = "c++ -std=c++17 -O1 -w -isystem '" + oracle.parent_path().string() + "' -o " + base + "/oracle " + base + "/oracle.cc > " + base + "/log 2>&1";
  if (std::system(compile.c_str()) != 0) {
    std::ifstream log(base + "/log");
    FAIL("the program that includes " << oracle.string() << " does not compile:\n" << std::string(std::istreambuf_iterator<char>(log), {}));
  }

  struct Asked {
    int major, minor;
    KernelUse use;
  };
  std::vector<Asked> asked;
  std::ofstream in(base + "/in");
  for (int major = 7; major <= 12; ++major)
    for (int minor = 0; minor <= 9; ++minor) {
      const std::optional<SmLimits> limits = sm_limits(major, minor);
      if (!limits) continue;
      const auto ask = [&](const KernelUse& use) {
        asked.push_back({major, minor, use});
        in << major << ' ' << minor << ' ' << limits->threads() << ' ' << limits->shared_kib * 1024 << ' ' << limits->shared_per_block() << ' '
           << limits->reserved << ' ' << use.threads << ' ' << use.registers << ' ' << use.shared << ' ' << (use.carve_out == 100 ? -1 : use.carve_out) << '\n';
      };
      const int most = limits->shared_per_block();
      // Every warp count with every number of registers; every shared size at the borders of its unit; every carve-out.
      for (int threads = 1; threads <= 1024; threads += 31)
        for (int registers = 1; registers <= 255; ++registers) ask({threads, registers, 0, 100});
      for (int threads = 32; threads <= 1024; threads += 32)
        for (int registers = 8; registers <= 248; registers += 16)
          for (int shared = 0; shared <= most; shared += 4093) ask({threads, registers, shared, 100});
      for (int shared = 0; shared <= most + 256; shared += 64)
        for (const int off : {0, 1}) ask({64, 32, shared + off, 100});
      for (int percent = 0; percent <= 99; ++percent)
        for (int shared = 0; shared <= most; shared += 2011) ask({128, 32, shared, percent});
    }
  in.close();
  REQUIRE(std::system((base + "/oracle < " + base + "/in > " + base + "/out").c_str()) == 0);

  std::ifstream out(base + "/out");
  size_t answers = 0, wrong = 0;
  std::vector<int> capabilities;
  for (std::string line; std::getline(out, line); ++answers) {
    REQUIRE(answers < asked.size());
    const Asked& a = asked[answers];
    const Occupancy o = occupancy(a.use, *sm_limits(a.major, a.minor));
    const int shared_blocks = o.share(Resource::shared).each == 0 ? 2147483647 : o.share(Resource::shared).blocks;
    std::string ours = std::to_string(o.blocks);
    for (const int v : {o.share(Resource::warps).blocks, o.share(Resource::blocks).blocks, o.share(Resource::registers).blocks, shared_blocks,
                        o.share(Resource::registers).each, o.share(Resource::shared).each})
      ours += " " + std::to_string(v);
    if (capabilities.empty() || capabilities.back() != a.major * 10 + a.minor) capabilities.push_back(a.major * 10 + a.minor);
    if (line == ours || ++wrong > 5) continue;
    UNSCOPED_INFO(a.major << "." << a.minor << ", " << a.use.threads << " threads, " << a.use.registers << " registers, " << a.use.shared << " B, carve-out "
                          << a.use.carve_out << "%: the header says " << line << ", occupancy() " << ours);
  }
  CHECK(wrong == 0);
  CHECK(answers == asked.size());
  CHECK(answers > 300000);
  CHECK(capabilities == std::vector{70, 75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121});
}

}  // namespace lk::gpu
