// Which GPU runs what it was compiled for: every case that the CUDA Programming Guide names, and those around them.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "gpu/targets.h"
#include "support/real_world.h"

using namespace lk::gpu;

namespace {

bool runs_on(std::string_view image, std::string_view gpu) {
  const auto target = target_of(image);
  const auto capability = capability_of(gpu);
  REQUIRE(target);
  REQUIRE(capability);
  return usable(*target, *capability);
}

std::vector<Target> images(std::initializer_list<std::string_view> names) {
  std::vector<Target> out;
  for (const std::string_view name : names) out.push_back(*target_of(name));
  return out;
}

std::string loaded(std::initializer_list<std::string_view> names, std::string_view gpu) {
  const std::vector<Target> all = images(names);
  const Loaded l = load(all, *capability_of(gpu));
  if (l.fate == Fate::fails) return l.image == nullptr ? "fails" : "fails with an image";
  return (l.fate == Fate::runs ? "runs " : "compiles ") + text(*l.image);
}

}  // namespace

TEST_CASE("names of targets and capabilities read back") {
  for (const char* name : {"sm_80", "sm_90a", "sm_100f", "sm_121a", "compute_75", "compute_90a", "compute_103f"}) {
    INFO(name);
    REQUIRE(target_of(name));
    CHECK(text(*target_of(name)) == name);
  }
  // a came with 9.0, f with 10.0.
  for (const char* name : {"", "sm", "sm_", "sm_9", "sm_1000", "sm_9x", "80", "compute80", "sm_80a", "sm_90f", "sm_100b", "sm_-80", "sm_90 "}) {
    INFO(name);
    CHECK_FALSE(target_of(name));
  }
  for (const char* name : {"8.0", "10.3", "12.1"}) CHECK(text(*capability_of(name)) == name);
  for (const char* name : {"", "9", "9.", ".0", "9.00", "x.0", "9.x", "100.0"}) CHECK_FALSE(capability_of(name));
  CHECK(*capability_of("8.9") < *capability_of("9.0"));
  CHECK(*capability_of("9.0") < *capability_of("10.0"));
}

TEST_CASE("machine code runs within its major version, upward") {
  CHECK(runs_on("sm_80", "8.0"));
  CHECK(runs_on("sm_80", "8.6"));
  CHECK(runs_on("sm_80", "8.9"));
  CHECK(runs_on("sm_86", "8.9"));
  CHECK_FALSE(runs_on("sm_86", "8.0"));
  CHECK_FALSE(runs_on("sm_89", "8.6"));
  CHECK_FALSE(runs_on("sm_86", "9.0"));
  CHECK_FALSE(runs_on("sm_80", "9.0"));
  CHECK_FALSE(runs_on("sm_80", "12.0"));
  CHECK_FALSE(runs_on("sm_90", "8.9"));
  CHECK_FALSE(runs_on("sm_90", "10.0"));
  CHECK(runs_on("sm_100", "10.3"));
  CHECK_FALSE(runs_on("sm_100", "12.0"));
  CHECK_FALSE(runs_on("sm_103", "10.0"));
  CHECK(runs_on("sm_120", "12.1"));
}

TEST_CASE("PTX is compiled for its own and every later capability") {
  for (const char* gpu : {"8.0", "8.6", "8.9", "9.0", "10.0", "10.3", "12.0", "12.1"}) CHECK(runs_on("compute_80", gpu));
  CHECK_FALSE(runs_on("compute_80", "7.5"));
  CHECK_FALSE(runs_on("compute_90", "8.9"));
  CHECK(runs_on("compute_90", "10.0"));
  CHECK(runs_on("compute_100", "12.0"));
}

TEST_CASE("architecture-specific code runs on that one capability, PTX too") {
  for (const char* image : {"sm_90a", "compute_90a"}) {
    INFO(image);
    CHECK(runs_on(image, "9.0"));
    for (const char* gpu : {"8.0", "8.9", "10.0", "10.3", "12.0"}) CHECK_FALSE(runs_on(image, gpu));
  }
  for (const char* image : {"sm_100a", "compute_100a"}) {
    CHECK(runs_on(image, "10.0"));
    CHECK_FALSE(runs_on(image, "10.3"));
    CHECK_FALSE(runs_on(image, "9.0"));
  }
}

TEST_CASE("family-specific code runs on the members that the guide lists") {
  struct Row {
    const char* target;
    std::vector<const char*> gpus;
  };
  const Row table[] = {{"100f", {"10.0", "10.3"}}, {"103f", {"10.3"}}, {"110f", {"11.0"}}, {"120f", {"12.0", "12.1"}}, {"121f", {"12.1"}}};
  for (const Row& row : table)
    for (const char* kind : {"sm_", "compute_"})
      for (const char* gpu : {"8.0", "8.9", "9.0", "10.0", "10.3", "11.0", "12.0", "12.1"}) {
        INFO(kind << row.target << " on " << gpu);
        bool listed = false;
        for (const char* member : row.gpus) listed = listed || std::string(member) == gpu;
        CHECK(runs_on(std::string(kind) + row.target, gpu) == listed);
      }
}

TEST_CASE("programs on an H200 did what the rules say") {
  const std::string table = lk::test::file_text("content/measurements/harness/targets-h200.csv");
  int rows = 0;
  size_t at = table.find('\n') + 1;
  while (at < table.size()) {
    const size_t end = table.find('\n', at);
    const std::string row = table.substr(at, end - at);
    at = end + 1;
    const size_t first = row.find(','), second = row.find(',', first + 1);
    if (row.substr(first + 1, second - first - 1) != "off") continue;
    INFO(row);
    std::vector<Target> all;
    std::string names = row.substr(0, first) + "+";
    for (size_t plus; (plus = names.find('+')) != std::string::npos; names.erase(0, plus + 1)) {
      REQUIRE(target_of(names.substr(0, plus)));
      all.push_back(*target_of(names.substr(0, plus)));
    }
    // Refused, or the first launch took the time of a compiler, or not.
    const Fate fate = load(all, {9, 0}).fate;
    const size_t small = row.find("small,");
    CHECK((fate == Fate::fails) == (row.find("error,209") != std::string::npos));
    CHECK((small == std::string::npos) == (fate == Fate::fails));
    if (small != std::string::npos) CHECK((std::stod(row.substr(small + 6)) > 50) == (fate == Fate::compiles));
    ++rows;
  }
  CHECK(rows == 60);
}

TEST_CASE("a program's best image is loaded, machine code before PTX") {
  CHECK(loaded({"sm_90", "compute_90"}, "9.0") == "runs sm_90");
  CHECK(loaded({"compute_90", "sm_90"}, "9.0") == "runs sm_90");
  CHECK(loaded({"sm_90", "compute_90"}, "10.0") == "compiles compute_90");
  CHECK(loaded({"sm_90", "compute_90"}, "8.0") == "fails");
  CHECK(loaded({"sm_80", "sm_86", "compute_80"}, "8.9") == "runs sm_86");
  CHECK(loaded({"sm_80", "compute_86"}, "8.9") == "runs sm_80");
  CHECK(loaded({"compute_80", "compute_90"}, "12.0") == "compiles compute_90");
  CHECK(loaded({"sm_90", "sm_90a"}, "9.0") == "runs sm_90a");
  CHECK(loaded({"sm_100f", "sm_100"}, "10.3") == "runs sm_100f");
  CHECK(loaded({"compute_90a", "compute_80"}, "10.0") == "compiles compute_80");
  CHECK(loaded({}, "9.0") == "fails");
}
