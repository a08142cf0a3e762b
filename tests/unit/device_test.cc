#include "gpu/device.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>

#include "gpu/measured.h"
#include "gpu/roofline.h"

using namespace lk;

namespace {

constexpr const char* good = R"({
"default": "b",
"devices": [
{"id": "a", "name": "A 40", "vendor": "V", "year": "2020", "compute_capability": "8.0", "sms": 108,
 "clock_hz": {"v": 1.41e9, "sources": ["s"]},
 "memory_bytes": {"v": 4e10, "sources": ["s"]},
 "bandwidth": {"v": 1.555e12, "sources": ["s", "t"], "note": "n", "other": [{"v": 1.6e12, "source": "u"}]},
 "l2_bytes": {"v": 41943040, "sources": ["s"]},
 "peaks": {"bf16": {"v": 3.12e14, "sources": ["s"]}}},
{"id": "b", "name": "B", "vendor": "W", "year": "2024", "sms": 10,
 "clock_hz": {"v": 1e9, "sources": ["s"]},
 "memory_bytes": {"v": 1e11, "sources": ["s"]},
 "bandwidth": {"v": 4.8e12, "sources": ["s"]},
 "l2_bytes": {"v": 5e7, "sources": ["s"]},
 "peaks": {"bf16": {"v": 9.894e14, "sources": ["s"]}, "fp8": {"v": 1.9789e15, "sources": ["s"]}}}
]})";

gpu::Devices load(std::string text, std::vector<Problem>& problems) {
  const auto root = json::parse(text, "devices.json");
  REQUIRE(root);
  return gpu::load_devices(*root, "devices.json", problems);
}

std::string replaced(std::string s, std::string_view from, std::string_view to) {
  const size_t at = s.find(from);
  REQUIRE(at != std::string::npos);
  return s.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a device table loads") {
  std::vector<Problem> problems;
  const auto devices = load(good, problems);
  for (const auto& p : problems) UNSCOPED_INFO(text(p));
  REQUIRE(problems.empty());
  REQUIRE(devices.all.size() == 2);
  CHECK(devices.standard().id == "b");
  CHECK(devices.find("c") == nullptr);
  const gpu::Device& a = devices.all[0];
  CHECK((a.cc_major == 8 && a.cc_minor == 0));
  CHECK(a.sms == 108);
  CHECK(a.bandwidth.v == 1.555e12);
  CHECK(a.bandwidth.sources.size() == 2);
  CHECK(a.bandwidth.note == "n");
  REQUIRE(a.bandwidth.other.size() == 1);
  CHECK(a.bandwidth.other[0].source == "u");
  CHECK(a.peak(gpu::Type::bf16) == 3.12e14);
  CHECK_FALSE(a.peak(gpu::Type::fp8));
  CHECK(devices.all[1].cc_major == 0);
}

TEST_CASE("every fault of a device table is named at its place") {
  const struct {
    const char *from, *to;
    int line;
    const char* what;
  } cases[] = {
      {"\"bf16\"", "\"bf61\"", 9, "unknown element type \"bf61\""},
      {"\"id\": \"b\"", "\"id\": \"a\"", 10, "the device \"a\" occurs twice"},
      {"\"default\": \"b\"", "\"default\": \"bb\"", 2, "the default device \"bb\" is not in the table"},
      {"\"sms\": 108,", "", 4, "the member \"sms\" is missing"},
      {"\"sms\": 108,", "\"sms\": 0,", 4, "\"sms\" must be above zero"},
      {"\"sms\": 108,", "\"sms\": 10.5,", 4, "\"sms\" must be a whole number"},
      {"\"v\": 1.41e9", "\"v\": -1", 5, "\"clock_hz\" must be above zero"},
      {"\"v\": 1.41e9", "\"v\": \"x\"", 5, "\"v\" must be a number"},
      {"{\"v\": 1.41e9, \"sources\": [\"s\"]}", "7", 5, "an object is wanted here"},
      {"\"v\": 4e10, \"sources\": [\"s\"]", "\"v\": 4e10", 6, "\"memory_bytes\" names no source"},
      {"\"l2_bytes\"", "\"l2bytes\"", 4, "the member \"l2_bytes\" is missing"},
      {"\"l2_bytes\"", "\"l2bytes\"", 8, "unknown member \"l2bytes\""},
      {"\"8.0\"", "\"eight\"", 4, "no compute capability"},
      {"\"source\": \"u\"", "\"note\": \"u\"", 7, "the member \"source\" is missing"},
      {"{\"bf16\": {\"v\": 3.12e14, \"sources\": [\"s\"]}}", "{}", 9, "no peak rate"},
      {"\"name\": \"A 40\"", "\"name\": 4", 4, "\"name\" must be a string"},
  };
  for (const auto& c : cases) {
    INFO(c.from << " -> " << c.to);
    std::vector<Problem> problems;
    const auto devices = load(replaced(good, c.from, c.to), problems);
    bool found = false;
    for (const Problem& p : problems) {
      UNSCOPED_INFO(text(p));
      CHECK(p.error.at.file == "devices.json");
      CHECK(p.error.at.line > 0);
      found = found || (p.error.at.line == c.line && p.error.what.find(c.what) != std::string::npos);
    }
    CHECK(found);
    CHECK(devices.standard().id.size() == 1);  // the default stands whatever is wrong
  }
  std::vector<Problem> problems;
  load("{\"default\": \"x\", \"devices\": []}", problems);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].error.what.find("no device") != std::string::npos);
  problems.clear();
  load("[]", problems);
  CHECK(problems.size() == 1);
}

TEST_CASE("element types have names and sizes") {
  for (const char* id : {"fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "fp6", "fp4", "int8"}) {
    const auto type = gpu::type_of(id);
    REQUIRE(type);
    CHECK(gpu::id(*type) == id);
  }
  CHECK(gpu::bytes(gpu::Type::fp4) == 0.5);
  CHECK(gpu::bytes(gpu::Type::bf16) == 2);
  CHECK_FALSE(gpu::type_of("bf17"));
}

TEST_CASE("measurements load; what is malformed is named with its line") {
  std::vector<Problem> problems;
  const auto set = gpu::load_measured("kernel,params,median_us\r\ncopy,n=4096,3.5\nmm,m=1;n=2.5,10\n\nempty,,7\n", "h200", "m.csv", problems);
  for (const auto& p : problems) UNSCOPED_INFO(text(p));
  REQUIRE(problems.empty());
  REQUIRE(set.rows.size() == 3);
  CHECK(set.device == "h200");
  CHECK(std::fabs(set.rows[0].seconds - 3.5e-6) < 1e-18);
  CHECK(set.rows[1].param("n") == 2.5);
  CHECK_FALSE(set.rows[1].param("k"));
  REQUIRE(set.find("mm", "m=1;n=2.5"));
  CHECK(set.find("mm", "m=1;n=2.50") == set.find("mm", "m=1;n=2.5"));
  CHECK(set.find("mm", "n=2.5") == nullptr);
  CHECK(set.find("empty", "") != nullptr);

  const struct {
    const char* csv;
    int line;
    const char* what;
  } cases[] = {
      {"", 1, "empty"},
      {"kernel,params,us\n", 1, "first line"},
      {"kernel,params,median_us\na,n=1\n", 2, "three fields"},
      {"kernel,params,median_us\na,n=1,2,3\n", 2, "three fields"},
      {"kernel,params,median_us\n\n,n=1,2\n", 3, "three fields"},
      {"kernel,params,median_us\na,n,2\n", 2, "name=number"},
      {"kernel,params,median_us\na,n=x,2\n", 2, "name=number"},
      {"kernel,params,median_us\na,n=1,fast\n", 2, "no time"},
      {"kernel,params,median_us\na,n=1,-2\n", 2, "no time"},
      {"kernel,params,median_us\na,n=1,2\na,n=1,3\n", 3, "twice"},
  };
  for (const auto& c : cases) {
    problems.clear();
    gpu::load_measured(c.csv, "h200", "m.csv", problems);
    INFO(c.csv);
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].error.at.line == c.line);
    CHECK(problems[0].error.what.find(c.what) != std::string::npos);
  }
}

TEST_CASE("the roofline bends at the ridge") {
  CHECK(gpu::ridge(9.894e14, 4.8e12) == 206.125);
  CHECK(gpu::attainable(12, 9.894e14, 4.8e12) == 57.6e12);
  CHECK(gpu::attainable(1000, 9.894e14, 4.8e12) == 9.894e14);
  CHECK(gpu::attainable(gpu::ridge(1e15, 3e12), 1e15, 3e12) == 1e15);
  CHECK(gpu::attainable(0, 1e15, 3e12) == 0);
}
