// The book's CUDA listings compile, where a compiler for them is at hand.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "scratch.h"

extern char** environ;

namespace lk {
namespace {

namespace fs = std::filesystem;

/// In PATH, else where CUDA puts it; empty when it is in neither.
std::string nvcc() {
  std::vector<fs::path> folders;
  std::string path = std::getenv("PATH") ? std::getenv("PATH") : "";
  for (size_t from = 0; from <= path.size();) {
    const size_t to = std::min(path.find(':', from), path.size());
    if (to > from) folders.emplace_back(path.substr(from, to - from));
    from = to + 1;
  }
  if (const char* home = std::getenv("CUDA_HOME")) folders.push_back(fs::path(home) / "bin");
  folders.emplace_back("/usr/local/cuda/bin");
  std::error_code ignored;
  for (const fs::path& folder : folders)
    if (fs::exists(folder / "nvcc", ignored)) return (folder / "nvcc").string();
  return {};
}

/// Exit status; what the program says goes to `log`.
int run(std::vector<std::string> words, const fs::path& log) {
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t pid = -1;
  const int failed = posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  REQUIRE(failed == 0);
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("every CUDA listing compiles without a warning") {
  const std::string compiler = nvcc();
  if (compiler.empty()) SKIP("nvcc is neither in PATH, nor in $CUDA_HOME/bin, nor in /usr/local/cuda/bin");
  const test::Scratch scratch;
  std::vector<fs::path> listings;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(LK_SOURCE_DIR) / "content/listings"))
    if (entry.path().extension() == ".cu") listings.push_back(entry.path());
  std::sort(listings.begin(), listings.end());
  CHECK(listings.size() >= 3);
  for (const fs::path& listing : listings) {
    INFO(listing.filename());
    const fs::path log = scratch.path / "log";
    const int status = run({compiler, "-O1", "-std=c++17", "-arch=sm_90", "-Werror", "all-warnings", "-c", listing.string(), "-o", (scratch.path / "out.o").string()}, log);
    INFO(slurp(log));
    CHECK(status == 0);
  }
}

}  // namespace lk
