#include "predict/launch.h"

#include <catch2/catch_test_macros.hpp>

#include "support/real_world.h"

using namespace lk;
using namespace lk::test;

namespace {
std::vector<predict::LaunchCase> load(const std::string& text, std::string& problems) {
  std::vector<Problem> found;
  const auto root = json::parse(text, "kernels.json");
  REQUIRE(root);
  auto out = predict::load_launches(*root, "kernels.json", found);
  for (const Problem& p : found) problems += lk::text(p) + "\n";
  return out;
}
std::string with(std::string_view more) {
  return R"j({"kernels": [{"name": "k", "example": "n=1024", "family": "f", "file": "k.cu", "doc": "d", "parameters": [{"name": "n", "doc": "floats"}], "grid": "up(n, 256)", "block": "256", "arguments": [{"array": "float", "count": "n"}])j" +
         std::string(more) + "}]}";
}
}  // namespace

TEST_CASE("the book's launches are sound, and name listings that exist") {
  std::string problems;
  const auto launches = load(file_text("content/kernels.json"), problems);
  CHECK(problems.empty());
  CHECK(launches.size() >= 9);
  for (const predict::LaunchCase& c : launches) {
    const std::string source = file_text("content/listings/" + c.file);
    INFO(c.kernel.name << " in " << c.file);
    CHECK(source.find(c.function.substr(0, c.function.find('<')) + "(") != std::string::npos);
  }
}

TEST_CASE("sizes of a launch follow its parameters") {
  std::string problems;
  const auto launches = load(with(R"(, "flop": "2 * n", "dynamic_shared": "4 * n")"), problems);
  REQUIRE(problems.empty());
  const auto s = predict::sizes(launches[0], {{"n", 1000}});
  REQUIRE(s);
  CHECK(s->grid.x == 4);
  CHECK(s->grid.y == 1);
  CHECK(s->block.x == 256);
  CHECK(s->dynamic_shared == 4000);
  CHECK(s->counts == std::vector<int64_t>{1000});
  CHECK(s->flop == 2000);
  const auto huge = predict::sizes(launches[0], {{"n", 1e18}});
  REQUIRE_FALSE(huge);
  CHECK(huge.error().what.find("would be") != std::string::npos);
}

TEST_CASE("a file of launches is checked with places") {
  const auto wrong = [](std::string_view more) {
    std::string problems;
    load(with(more), problems);
    return problems;
  };
  CHECK(wrong("").empty());
  CHECK(wrong(R"(, "flop": "2 * m")").find("unknown name \"m\"") != std::string::npos);
  CHECK(wrong(R"(, "flop": "2 * m")").starts_with("kernels.json:1:"));
  CHECK(wrong(R"(, "flops": "2")").find("flops") != std::string::npos);
  CHECK(wrong(R"(, "dynamic_shared": "0 - 1")").find("would be -1") != std::string::npos);
}
