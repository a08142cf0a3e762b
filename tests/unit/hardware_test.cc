// The interpreter beside an H200: one launch of every kernel of kernels.json, counted by Nsight Compute (scripts/calibrate --count), and the
// verdicts of compute-sanitizer on kernels with a fault.
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "predict/counters.h"
#include "predict/kit.h"
#include "predict/run.h"
#include "simt/fill.h"
#include "support/real_world.h"

using namespace lk;
using test::file_text;

namespace {

struct Row {
  std::string kernel, params, digest;
  std::map<std::string, double> metrics;
  double metric(const std::string& name) const {
    const auto at = metrics.find(name);
    REQUIRE(at != metrics.end());
    return at->second;
  }
};

std::vector<Row> counted() {
  const auto root = json::parse(file_text("content/measurements/harness/counters-listings-h200.json"), "counters");
  REQUIRE(root);
  std::vector<Row> out;
  for (const json::Value& one : root->find("rows")->array) {
    Row row{one.find("kernel")->string, one.find("params")->string, one.find("digest")->string, {}};
    for (const auto& [name, value] : one.find("metrics")->object) row.metrics[name] = value.number;
    out.push_back(std::move(row));
  }
  return out;
}

struct Ran {
  double load_sectors = 0, store_sectors = 0, load_conflicts = 0, store_conflicts = 0, instructions = 0, read_bytes = 0, shared_loads = 0, shared_stores = 0;
  std::string digest;
};

std::string digest_of(std::span<const simt::Buffer> buffers) {
  uint64_t hash = 14695981039346656037ull;
  for (const simt::Buffer& b : buffers)
    for (const uint8_t byte : b.bytes) hash = (hash ^ byte) * 1099511628211ull;
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

Ran run(const predict::LaunchCase& c, const std::string& params) {
  const auto values = predict::read_values(c.kernel, params);
  REQUIRE(values);
  const auto shape = predict::sizes(c, *values);
  REQUIRE(shape);
  simt::CompileOptions how;
  how.file = c.file;
  if (c.function.find('<') != std::string::npos) how.instances.push_back(c.function);
  const simt::Compiled compiled = simt::compile(file_text("content/listings/" + c.file), how);
  const auto kernel = predict::find_kernel(compiled.program, c.function);
  REQUIRE(kernel);
  auto launch = predict::launch_of(c, *shape, **kernel);
  REQUIRE(launch);
  for (simt::Buffer& b : launch->buffers) {
    b.bytes.resize(b.size);
    simt::fill(b.bytes, b.fill, b.element, 0, b.seed);
  }
  simt::Options options;
  options.checks = false;
  options.latency = false;
  auto machine = simt::Run::start(compiled.program, **kernel, std::move(*launch), options);
  REQUIRE(machine);
  while ((*machine)->advance(1 << 22)) {}
  const simt::Profile& p = (*machine)->profile();
  REQUIRE_FALSE(p.stopped);
  Ran out;
  std::vector<double> heads;
  for (size_t n = 0; n < p.code.size(); ++n) {
    const simt::Instr& i = compiled.program.code[static_cast<size_t>((*kernel)->begin) + n];
    const simt::Counters& x = p.code[n];
    if (i.op == simt::Op::end_if && !heads.empty()) heads.pop_back();
    const bool predicated = !heads.empty() && heads.back() >= 0;
    out.instructions += (predicated ? heads.back() : static_cast<double>(x.executed)) * i.issued / 16;
    if (i.op == simt::Op::if_) heads.push_back(i.flags & simt::flag_branch ? -1 : predicated ? heads.back() : static_cast<double>(x.executed));
    const bool load = i.op == simt::Op::load, store = i.op == simt::Op::store;
    if (load) out.load_sectors += static_cast<double>(x.sectors);
    if (store) out.store_sectors += static_cast<double>(x.sectors);
    if (load) out.load_conflicts += static_cast<double>(x.wavefronts - x.ideal_wavefronts);
    if (store) out.store_conflicts += static_cast<double>(x.wavefronts - x.ideal_wavefronts);
    if (load && x.wavefronts > 0) out.shared_loads += static_cast<double>(x.requests);
    if (store && x.wavefronts > 0) out.shared_stores += static_cast<double>(x.requests);
  }
  out.read_bytes = 64.0 * static_cast<double>(p.dram_read_blocks);
  out.digest = digest_of((*machine)->buffers());
  return out;
}

predict::Kit real_kit() {
  std::vector<Problem> problems;
  predict::KitFiles files;
  files.devices = file_text("content/devices.json");
  files.launches = file_text("content/kernels.json");
  predict::Kit kit;
  const auto root = json::parse(files.launches, "kernels.json");
  REQUIRE(root);
  kit.launches = predict::load_launches(*root, "kernels.json", problems);
  REQUIRE(problems.empty());
  return kit;
}

}  // namespace

TEST_CASE("hardware: explore", "[hardware]") {
  const predict::Kit kit = real_kit();
  for (const Row& row : counted()) {
    const auto c = std::find_if(kit.launches.begin(), kit.launches.end(), [&](const predict::LaunchCase& one) { return one.kernel.name == row.kernel; });
    REQUIRE(c != kit.launches.end());
    const Ran r = run(*c, row.params);
    const auto show = [&](const char* what, double ours, double theirs) {
      if (ours != theirs) std::printf("  %s %.0f vs %.0f (%.2f%%)", what, ours, theirs, 100 * (ours / theirs - 1));
    };
    std::printf("%s %s%s", row.kernel.c_str(), row.params.c_str(), r.digest == row.digest ? " same" : " OTHER");
    show("ld", r.load_sectors, row.metric("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"));
    show("st", r.store_sectors, row.metric("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"));
    show("cld", r.load_conflicts, row.metric("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"));
    show("cst", r.store_conflicts, row.metric("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"));
    show("sld", r.shared_loads, row.metric("smsp__inst_executed_op_shared_ld.sum"));
    show("sst", r.shared_stores, row.metric("smsp__inst_executed_op_shared_st.sum"));
    show("dram", r.read_bytes, row.metric("dram__bytes_read.sum"));
    show("inst", r.instructions, row.metric("smsp__inst_executed.sum"));
    std::printf("\n");
  }
}
