#include "gpu/device.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>

#include "gpu/measured.h"
#include "gpu/roofline.h"
#include "support/real_world.h"

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

TEST_CASE("what a device lacks is absent with its reason, and links, power and processes are optional") {
  const std::string text = replaced(replaced(replaced(good, "\"sms\": 108", "\"sms\": {\"v\": 108, \"sources\": [\"s\"], \"other\": [{\"v\": 128, \"source\": \"u\"}]}"),
                                             "\"l2_bytes\": {\"v\": 41943040, \"sources\": [\"s\"]}", "\"l2_bytes\": {\"absent\": \"it has no cache\"}"),
                                    "\"peaks\"", "\"family\": \"V old\", \"core\": \"unit\", \"link\": {\"name\": \"L\", \"v\": 6e11, \"sources\": [\"s\"]}, "
                                                 "\"power\": {\"absent\": \"nobody says\"}, \"process\": {\"name\": \"P 4\", \"sources\": [\"s\"]}, \"peaks\"");
  std::vector<Problem> problems;
  const auto devices = load(text, problems);
  for (const auto& p : problems) UNSCOPED_INFO(lk::text(p));
  REQUIRE(problems.empty());
  const gpu::Device &a = devices.all[0], &b = devices.all[1];
  CHECK((a.sms == 108 && a.cores.v == 108 && a.cores.other.size() == 1 && a.core == "unit"));
  CHECK_FALSE(a.l2_bytes.known());
  CHECK(a.l2_bytes.missing() == "it has no cache");
  CHECK(a.bandwidth.missing().empty());
  CHECK((a.link.name == "L" && a.link.per_direction() == 3e11));
  CHECK(a.power.missing() == "nobody says");
  CHECK(a.process.name == "P 4");
  CHECK((a.family == "V old" && b.family == "W"));
  CHECK_FALSE(b.link.total.known());
  CHECK_FALSE(b.link.total.missing().empty());

  const struct {
    const char *from, *to, *what;
  } cases[] = {
      {"{\"absent\": \"it has no cache\"}", "{\"absent\": \"it has no cache\", \"v\": 3}", "cannot be there and absent"},
      {"{\"absent\": \"it has no cache\"}", "{\"absent\": \" \"}", "\"absent\" is empty"},
      {"{\"v\": 108, ", "{\"v\": 10.5, ", "\"sms\" must be a whole number"},
      {"{\"name\": \"L\", ", "{", "the member \"name\" is missing"},
      {"{\"name\": \"P 4\", \"sources\": [\"s\"]}", "{\"name\": \"P 4\"}", "\"process\" names no source"},
  };
  for (const auto& c : cases) {
    problems.clear();
    load(replaced(text, c.from, c.to), problems);
    INFO(c.from << " -> " << c.to);
    REQUIRE_FALSE(problems.empty());
    CHECK(problems[0].error.what.find(c.what) != std::string::npos);
    CHECK(problems[0].error.at.line > 0);
  }
  // Families stand together.
  problems.clear();
  const std::string third = R"(, {"id": "c", "name": "C", "vendor": "V", "family": "V old", "year": "2020", "sms": 1, "clock_hz": {"v": 1, "sources": ["s"]},
 "memory_bytes": {"v": 1, "sources": ["s"]}, "bandwidth": {"v": 1, "sources": ["s"]}, "l2_bytes": {"v": 1, "sources": ["s"]}, "peaks": {"bf16": {"v": 1, "sources": ["s"]}}}
]})";
  load(replaced(text, "\n]}", third), problems);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].error.what.find("\"c\" stands apart") != std::string::npos);
}

TEST_CASE("the table for pages keeps the numbers that figures compute with, and nothing else") {
  std::vector<Problem> problems;
  const gpu::Devices& full = test::real_world().devices;
  const std::string written = gpu::write_bare(full);
  for (const char* word : {"sources", "note", "other", "power", "process", "nvidia-", "TSMC", "vendor"}) CHECK(written.find(word) == std::string::npos);
  const auto root = json::parse(written);
  REQUIRE(root);
  const gpu::Devices bare = gpu::load_bare(*root, {}, problems);
  for (const auto& p : problems) UNSCOPED_INFO(text(p));
  REQUIRE(problems.empty());
  REQUIRE(bare.all.size() == full.all.size());
  CHECK(bare.fallback == full.fallback);
  for (size_t i = 0; i < full.all.size(); ++i) {
    const gpu::Device &a = full.all[i], &b = bare.all[i];
    INFO(a.id);
    CHECK((a.id == b.id && a.name == b.name && a.family == b.family && a.sms == b.sms && a.cc_major == b.cc_major && a.cc_minor == b.cc_minor));
    for (gpu::Sourced gpu::Device::*m : {&gpu::Device::memory_bytes, &gpu::Device::bandwidth}) {
      CHECK((a.*m).v == (b.*m).v);
      CHECK((a.*m).missing() == (b.*m).missing());
    }
    REQUIRE(a.peaks.size() == b.peaks.size());
    for (const gpu::Peak& p : a.peaks) CHECK(b.peak(p.type) == p.flops.v);
  }
  // Bare numbers are for pages only.
  problems.clear();
  gpu::load_devices(*root, {}, problems);
  CHECK_FALSE(problems.empty());
}

TEST_CASE("every device of the book says where each number comes from, or why there is none") {
  const gpu::Devices& devices = test::real_world().devices;
  CHECK(devices.all.size() >= 19);
  for (const gpu::Device& d : devices.all) {
    INFO(d.id);
    CHECK_FALSE(d.architecture.empty());
    CHECK_FALSE(d.cores.sources.empty());
    CHECK(d.year.size() == 4);
    const gpu::Sourced* all[] = {&d.cores, &d.clock_hz, &d.memory_bytes, &d.bandwidth, &d.l2_bytes, &d.link.total, &d.power, &d.dies, &d.transistors};
    for (const gpu::Sourced* s : all) CHECK((s->known() ? !s->sources.empty() : s->absent != "the table does not say"));
    CHECK(d.link.total.known() == !d.link.name.empty());
    CHECK((d.process.name.empty() ? d.process.absent != "the table does not say" : !d.process.sources.empty()));
    CHECK((d.vendor == "NVIDIA") == (d.cc_major > 0));
    // A unit does a power of two operations in a cycle, or three quarters of one; vendors quote matrix units at clocks of their own.
    if (!d.clock_hz.known() || d.vendor != "NVIDIA") continue;
    const double lanes = *d.peak(gpu::Type::fp32) / d.clock_hz.v / d.sms / 2;
    CHECK((std::fabs(lanes / 128 - 1) < 0.03 || std::fabs(lanes / 64 - 1) < 0.03 || std::fabs(lanes / 32 - 1) < 0.03 || std::fabs(lanes / 8 - 1) < 0.03));
    for (const gpu::Peak& p : d.peaks) {
      if (p.type == gpu::Type::fp32 || p.type == gpu::Type::fp64) continue;
      const double power = std::log2(p.flops.v / d.clock_hz.v / d.sms);
      INFO(gpu::id(p.type));
      // The B300's INT8 and FP4 are what a board of eight prints, in a digit or two.
      if (d.id == "b300" && (p.type == gpu::Type::int8 || p.type == gpu::Type::fp4)) continue;
      CHECK(std::fabs(power - std::round(power)) < 0.18);
    }
  }
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
