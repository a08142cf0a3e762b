#include "predict/predict.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "gpu/kernel_time.h"
#include "gpu/library_time.h"
#include "support/real_world.h"

using namespace lk;
using namespace lk::test;

namespace {

struct Real {
  World world = real_world();
  std::vector<gpu::Calibration> calibrations;
  std::vector<Problem> problems;
  Real() {
    const auto root = json::parse(file_text("content/calibrations/h200.json"), "calibrations/h200.json");
    REQUIRE(root);
    calibrations.push_back(gpu::load_calibration(*root, world.devices, "calibrations/h200.json", problems));
    REQUIRE(problems.empty());
  }
  predict::Setting setting() const { return {world.devices, calibrations, world.measured}; }
  double us(std::string_view kernel, std::string_view values, std::string_view device = "h200") const {
    const auto answer = predict::predict(kernel, values, device, setting());
    INFO(kernel << " " << values << " " << (answer ? "" : answer.error().what));
    REQUIRE(answer);
    return answer->prediction.us;
  }
  std::string error(std::string_view kernel, std::string_view values, std::string_view device = "h200") const {
    const auto answer = predict::predict(kernel, values, device, setting());
    return answer ? "none" : answer.error().what + " (" + answer.error().hint + ")";
  }
};

const predict::Summary* find(const predict::Report& r, std::string_view family) {
  for (const predict::Summary& s : r.families)
    if (s.family == family) return &s;
  return nullptr;
}

predict::Report table(const Real& real, const std::string& file) {
  return predict::predict_table(file_text(file), file, "h200", real.setting());
}

}  // namespace

TEST_CASE("predictions of library kernels keep their bars on the rows that were fitted") {
  const Real real;
  const predict::Report r = table(real, "content/measurements/h200.csv");
  const predict::Summary *library = find(r, "library"), *layers = find(r, "layers");
  REQUIRE(library);
  REQUIRE(layers);
  CHECK(library->rows >= 46);
  CHECK(library->mean < 0.055);
  CHECK(library->worst < 0.30);
  CHECK(layers->mean < 0.04);
  // The model is worth its constants only if plain rooflines are far worse on the same rows.
  CHECK(library->datasheet_mean > 5 * library->mean);
  CHECK(library->calibrated_mean > 5 * library->mean);
}

TEST_CASE("a prediction is no quicker than the datasheet allows, and more work never takes less") {
  const Real real;
  for (const char* type : {"bf16", "fp8", "tf32", "fp32"}) {
    const std::string kernel = std::string("gemm_") + type;
    for (const int m : {1, 16, 130, 1024, 5000}) {
      double before = 0;
      for (const int k : {512, 1024, 2048, 4096, 8192, 16384}) {
        const std::string values = "m=" + std::to_string(m) + ";n=4096;k=" + std::to_string(k);
        const auto answer = predict::predict(kernel, values, "h200", real.setting());
        REQUIRE(answer);
        INFO(kernel << " " << values);
        CHECK(answer->prediction.us > answer->prediction.floor_us);
        CHECK(answer->prediction.us >= before);
        CHECK(answer->prediction.binding() != nullptr);
        before = answer->prediction.us;
      }
    }
  }
  CHECK(real.us("attention_fused", "batch=1;heads=32;seq=4096;dim=128;causal=1") < 0.7 * real.us("attention_fused", "batch=1;heads=32;seq=4096;dim=128"));
  CHECK(real.us("attention_standard", "batch=1;heads=32;seq=4096;dim=128") > 3 * real.us("attention_fused", "batch=1;heads=32;seq=4096;dim=128"));
}

TEST_CASE("rows that break the alignment to sixteen bytes cost what they cost on the device") {
  const Real real;
  const double whole = real.us("gemm_bf16", "m=4096;n=4096;k=4096"), four = real.us("gemm_bf16", "m=4092;n=4092;k=4092"), odd = real.us("gemm_bf16", "m=4097;n=4097;k=4097");
  CHECK(four / whole > 2.5);  // measured: 554 against 178 us
  CHECK(odd / four > 1.8);    // 1,273 us
  CHECK(odd / four < 2.6);
}

TEST_CASE("devices nobody measured are said to be so, and scale with their datasheets") {
  const Real real;
  const auto b200 = predict::predict("gemm_bf16", "m=8192;n=8192;k=8192", "b200", real.setting());
  REQUIRE(b200);
  CHECK_FALSE(b200->calibrated);
  CHECK(b200->measured_on == "h200");
  CHECK(predict::text(*b200).find("Not calibrated") != std::string::npos);
  CHECK(b200->prediction.us < real.us("gemm_bf16", "m=8192;n=8192;k=8192"));
  const double h100 = real.us("attention_decode", "batch=32;kv_heads=8;seq=16384;dim=128", "h100_sxm"), h200 = real.us("attention_decode", "batch=32;kv_heads=8;seq=16384;dim=128");
  CHECK(h100 / h200 > 1.35);  // 3.35 against 4.8 TB/s
  CHECK(h100 / h200 < 1.5);
}

TEST_CASE("what lies outside the measured range is named") {
  const Real real;
  const auto inside = predict::predict("gemm_bf16", "m=8192;n=8192;k=8192", "h200", real.setting());
  REQUIRE(inside);
  CHECK(inside->prediction.outside.empty());
  const auto outside = predict::predict("gemm_bf16", "m=65536;n=8192;k=8192", "h200", real.setting());
  REQUIRE(outside);
  REQUIRE(outside->prediction.outside.size() == 1);
  CHECK(outside->prediction.outside[0] == "m=65536: measured from 1 to 8192");
}

TEST_CASE("wrong requests say what, and what to do") {
  const Real real;
  CHECK(real.error("gemm_bf61", "m=1;n=1;k=1") == "unknown kernel \"gemm_bf61\" (did you mean gemm_bf16?)");
  CHECK(real.error("gemm_bf16", "m=1;n=1") == "gemm_bf16: k is missing (columns of the first operand)");
  CHECK(real.error("gemm_bf16", "m=1;n=1;k=1;k=2") == "gemm_bf16: k is given twice (once is enough)");
  CHECK(real.error("gemm_bf16", "m=1;n=1;kk=1") == "gemm_bf16 has no parameter \"kk\" (did you mean k?)");
  CHECK(real.error("gemm_bf16", "m=0;n=1;k=1") == "gemm_bf16: m=0 is out of range (from 1 to 1000000)");
  CHECK(real.error("gemm_bf16", "m=1.5;n=1;k=1") == "gemm_bf16: m=1.5 is not whole (rows of the first operand and of the result)");
  CHECK(real.error("gemm_bf16", "m=nan;n=1;k=1").find("is no number") != std::string::npos);
  CHECK(real.error("gemm_bf16", "m").find("is no name=value") != std::string::npos);
  CHECK(real.error("gemm_bf16", "m=1;n=1;k=1", "h2000") == "unknown device \"h2000\" (did you mean h200?)");
}

TEST_CASE("a table answers every line") {
  const Real real;
  const std::string csv =
      "kernel,params,median_us\n# a comment\n\ngemm_bf16,m=512;n=512;k=512,7.008\ngemm_bf16,m=512;n=512;k=512\r\nnothing,n=1,2\ngemm_bf16,m=512;n=512;k=512,fast\ngemm_bf16,m=512,n=512,k=512,7\n";
  const predict::Report r = predict::predict_table(csv, "t.csv", "h200", real.setting());
  REQUIRE(r.rows.size() == 5);
  CHECK(r.rows[0].answered);
  CHECK(r.rows[0].measured_us == 7.008);
  CHECK(r.rows[1].answered);
  CHECK(r.rows[1].measured_us == 0);
  CHECK(text(r.rows[2].error).starts_with("t.csv:6:1: error: unknown kernel \"nothing\""));
  CHECK(text(r.rows[3].error).starts_with("t.csv:7:1: error: \"fast\" is no time"));
  CHECK(r.rows[4].answered);
  REQUIRE(find(r, "all"));
  CHECK(find(r, "all")->rows == 2);
}

TEST_CASE("a calibration file is checked with places") {
  const Real real;
  const std::string whole = file_text("content/calibrations/h200.json");
  const auto problems_of = [&](std::string text) {
    std::vector<Problem> problems;
    const auto root = json::parse(text, "c.json");
    REQUIRE(root);
    gpu::load_calibration(*root, real.world.devices, "c.json", problems);
    std::string out;
    for (const Problem& p : problems) out += lk::text(p) + "\n";
    return out;
  };
  const auto changed = [&](std::string_view from, std::string_view to) {
    std::string text = whole;
    const size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
  };
  CHECK(problems_of(whole).empty());
  CHECK(problems_of(changed("\"ramp\"", "\"romp\"")).find("ramp") != std::string::npos);
  CHECK(problems_of(changed("\"measured\"", "\"guessed\"")).find("\"guessed\" is no way to find a constant") != std::string::npos);
  CHECK(problems_of(changed("\"h200\"", "\"h2\"")).find("not in the device table") != std::string::npos);
  CHECK(problems_of(changed("\"lines\": 2", "\"lines\": 1")).find("lines must grow") != std::string::npos);
}

TEST_CASE("terms of a kernel's time blend: the largest rules, equals add up to less than twice") {
  const Real real;
  const gpu::Calibration& c = real.calibrations.front();
  gpu::KernelCounters k;
  k.grid = 132 * 64, k.warps = 8, k.occupancy = 8, k.cold = false;
  const double empty = gpu::kernel_time(k, c).us;
  CHECK(empty > c.kernel.launch_warm);
  k.read_bytes = 1e9;
  const double memory = gpu::kernel_time(k, c).us - empty;
  CHECK(std::abs(memory - 1e9 / c.kernel.bandwidth) < 0.05 * memory);
  // As much issue time again: the two overlap, but not fully.
  k.instructions = 4 * (1e9 / c.kernel.bandwidth) * c.clock / 64;
  const gpu::Prediction both = gpu::kernel_time(k, c);
  CHECK(both.us - empty > 1.1 * memory);
  CHECK(both.us - empty < 1.5 * memory);
  // Far more of one than of the other: the other hides.
  k.instructions *= 10;
  const gpu::Prediction issue = gpu::kernel_time(k, c);
  REQUIRE(issue.binding());
  CHECK(issue.binding()->name == "instructions");
  CHECK(std::abs((issue.us - empty) / (10 * memory) - 1) < 0.03);
  k.grid = 1e15;
  CHECK(std::isfinite(gpu::kernel_time(k, c).us));
}

TEST_CASE("atomics on one address serialize, spread ones do not") {
  const Real real;
  const gpu::Calibration& c = real.calibrations.front();
  const double one = gpu::atomic_time(1e6, 32, 1, 1, c), spread = gpu::atomic_time(1e6, 32, 32, 1 << 16, c);
  CHECK(one > 10 * spread);
  double before = 1e30;
  for (double lines = 1; lines < 1e5; lines *= 1.7) {
    const double t = gpu::atomic_time(1e6, 32, 4, lines, c);
    CHECK(t <= before * 1.0001);
    before = t;
  }
  CHECK(gpu::atomic_time(0, 0, 0, 0, c) == 0);
}
