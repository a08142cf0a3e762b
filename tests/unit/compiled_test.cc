// content/compiled.json: what is loaded, what is refused, and that it is what the compiler makes of the listings.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "api/api.h"
#include "gpu/compiled.h"
#include "support/real_world.h"

using namespace lk;
using namespace lk::test;

namespace {

const std::string sound = R"({"compiler": "c", "flags": "f", "variants": [{"id": "v", "label": "V", "file": "l.cu", "region": "r",
  "source": "void f() {\n  g();\n}",
  "ptx": [{"for": ["compute_80", "compute_90"], "code": "0 .reg .b32 %r<2>;\n2 call g;\n0 $L:\n3 ret;"}],
  "sass": [{"for": ["sm_80"], "ptx": 0, "registers": 8, "code": "2 CALL g;\n3 EXIT;"}]}]})";

std::vector<Problem> problems_of(const std::string& from, const std::string& to) {
  std::string text = sound;
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  std::vector<Problem> problems;
  const auto root = json::parse(text, "compiled.json");
  REQUIRE(root);
  gpu::load_compiled(*root, "compiled.json", problems);
  return problems;
}

}  // namespace

TEST_CASE("compiled listings load with their line tables") {
  std::vector<Problem> problems;
  const auto root = json::parse(sound, "compiled.json");
  REQUIRE(root);
  const gpu::Compiled c = gpu::load_compiled(*root, "compiled.json", problems);
  CHECK(problems.empty());
  REQUIRE(c.variants.size() == 1);
  const gpu::Variant& v = c.variants[0];
  CHECK(v.source_lines().size() == 3);
  const gpu::Code* ptx = v.ptx_for(*gpu::target_of("compute_90"));
  REQUIRE(ptx != nullptr);
  CHECK(ptx == v.ptx_for(*gpu::target_of("compute_80")));
  CHECK(v.ptx_for(*gpu::target_of("compute_100")) == nullptr);
  CHECK(ptx->lines().size() == 4);
  CHECK(ptx->instructions() == 2);  // neither the declaration nor the label
  CHECK(ptx->instructions(2) == 1);
  CHECK(ptx->instructions(1) == 0);
  const gpu::Code* sass = v.sass_for({8, 0}, *ptx);
  REQUIRE(sass != nullptr);
  CHECK(sass->registers == 8);
  CHECK(v.sass_for({9, 0}, *ptx) == nullptr);
}

TEST_CASE("what is wrong in compiled listings is named with its place") {
  CHECK(problems_of("\"V\"", "\"W\"").empty());
  const std::pair<std::string, std::string> wrong[] = {
      {"\"compute_80\"", "\"sm_80\""}, {"\"sm_80\"]", "\"compute_80\"]"}, {"2 CALL g;", "4 CALL g;"}, {"2 CALL g;", "CALL g;"},
      {"2 CALL g;", "x CALL g;"},      {"\"ptx\": 0", "\"ptx\": 1"},      {"\"registers\": 8", "\"registers\": \"8\""}, {"\"id\": \"v\", ", ""}};
  for (const auto& [from, to] : wrong) {
    INFO(from << " -> " << to);
    const auto problems = problems_of(from, to);
    REQUIRE_FALSE(problems.empty());
    CHECK(problems[0].error.at.file == "compiled.json");
    CHECK(problems[0].error.at.line > 0);
  }
}

TEST_CASE("compiled listings travel in the world, and a broken one fails it") {
  const std::string devices = file_text("content/devices.json");
  const auto world = api::load_world(api::write_world({devices, {}, {}, sound}));
  REQUIRE(world);
  CHECK(world->compiled.variants.size() == 1);
  CHECK(api::load_world(api::write_world({devices, {}}))->compiled.empty());
  CHECK_FALSE(api::load_world(api::write_world({devices, {}, {}, "{\"compiler\": 3}"})));
  std::vector<Problem> problems;
  api::load_world({devices, {}, {}, "{"}, problems);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].error.at.file == "compiled.json");
}

TEST_CASE("the stored code is complete: every variant, every GPU that the rules let run it") {
  const gpu::Compiled& compiled = real_world().compiled;
  CHECK(compiled.variants.size() == 5);
  for (const gpu::Variant& v : compiled.variants) {
    INFO(v.id);
    const std::string listing = file_text("content/listings/" + v.file);
    CHECK(listing.find("// [" + v.region + "]\n" + v.source + "\n// [/" + v.region + "]") != std::string::npos);
    for (const char* name : {"compute_80", "compute_90", "compute_100"}) {
      const gpu::Code* ptx = v.ptx_for(*gpu::target_of(name));
      REQUIRE(ptx != nullptr);
      for (const char* gpu : {"8.0", "8.6", "8.9", "9.0", "10.0", "10.3", "12.0"}) {
        INFO(name << " on " << gpu);
        if (!usable(*gpu::target_of(name), *gpu::capability_of(gpu))) continue;
        const gpu::Code* sass = v.sass_for(*gpu::capability_of(gpu), *ptx);
        REQUIRE(sass != nullptr);
        CHECK(sass->registers > 0);
        CHECK(sass->instructions() > 10);
        bool leaves = false;
        for (const gpu::CodeLine& l : sass->lines()) leaves = leaves || l.text.find("EXIT") != std::string_view::npos;
        CHECK(leaves);
      }
    }
  }
}
