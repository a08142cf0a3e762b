// The device table and measurements of the book itself, for tests of figures.
#pragma once
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "gpu/device.h"
#include "gpu/measured.h"
#include "plot/world.h"

namespace lk::test {

inline std::string file_text(const std::string& path) {
  std::ifstream in(std::string(LK_SOURCE_DIR) + "/" + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline const World& real_world() {
  static const World world = [] {
    World w;
    std::vector<Problem> problems;
    const Result<json::Value> table = json::parse(file_text("content/devices.json"), "content/devices.json");
    REQUIRE(table);
    w.devices = gpu::load_devices(*table, "content/devices.json", problems);
    const Result<json::Value> models = json::parse(file_text("content/models.json"), "content/models.json");
    REQUIRE(models);
    w.models = serving::load_models(*models, "content/models.json", problems);
    w.measured.push_back(gpu::load_measured(file_text("content/measurements/h200.csv"), "h200", "content/measurements/h200.csv", problems));
    const Result<json::Value> compiled = json::parse(file_text("content/compiled.json"), "content/compiled.json");
    REQUIRE(compiled);
    w.compiled = gpu::load_compiled(*compiled, "content/compiled.json", problems);
    w.predicted.push_back(gpu::load_predicted(file_text("content/predictions/h200.csv"), "h200", "content/predictions/h200.csv", problems));
    for (const Problem& p : problems) FAIL(text(p));
    return w;
  }();
  return world;
}

}  // namespace lk::test
