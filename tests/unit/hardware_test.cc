// The interpreter beside an H200: one launch of every kernel of kernels.json, counted by Nsight Compute (scripts/calibrate --count), and the
// verdicts of compute-sanitizer on kernels with a fault.
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "predict/estimate.h"
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
  for (size_t n = 0; n < p.code.size(); ++n) {
    const simt::Instr& i = compiled.program.code[static_cast<size_t>((*kernel)->begin) + n];
    const simt::Counters& x = p.code[n];
    const bool load = i.op == simt::Op::load, store = i.op == simt::Op::store;
    if (load) out.load_sectors += static_cast<double>(x.sectors);
    if (store) out.store_sectors += static_cast<double>(x.sectors);
    if (load) out.load_conflicts += static_cast<double>(x.wavefronts - x.ideal_wavefronts);
    if (store) out.store_conflicts += static_cast<double>(x.wavefronts - x.ideal_wavefronts);
    if (load && x.wavefronts > 0) out.shared_loads += static_cast<double>(x.requests);
    if (store && x.wavefronts > 0) out.shared_stores += static_cast<double>(x.requests);
  }
  for (const double n : predict::issued(compiled.program, **kernel, p)) out.instructions += n;
  out.read_bytes = 64.0 * static_cast<double>(p.dram_read_blocks);
  out.digest = digest_of((*machine)->buffers());
  return out;
}

std::vector<predict::LaunchCase> real_launches() {
  std::vector<Problem> problems;
  const auto root = json::parse(file_text("content/kernels.json"), "kernels.json");
  REQUIRE(root);
  std::vector<predict::LaunchCase> out = predict::load_launches(*root, "kernels.json", problems);
  REQUIRE(problems.empty());
  return out;
}

}  // namespace

TEST_CASE("hardware: every kernel touches the sectors and memory that an H200 counted, and leaves the same arrays", "[hardware]") {
  const std::vector<predict::LaunchCase> launches = real_launches();
  // What rounds in the last bit as the hardware's own functions do, which the interpreter does not imitate: exponentials and roots.
  const std::set<std::string> rounds = {"softmax_three_pass", "softmax_online", "rmsnorm", "attention_split", "attention_combine", "attention_small"};
  // nvcc makes one wide access of several narrow ones, which asks the banks otherwise.
  const std::set<std::string> merged = {"scan_tree"};
  double instructions = 0;
  const std::vector<Row> rows = counted();
  CHECK(rows.size() == launches.size());
  for (const Row& row : rows) {
    const auto c = std::find_if(launches.begin(), launches.end(), [&](const predict::LaunchCase& one) { return one.kernel.name == row.kernel; });
    REQUIRE(c != launches.end());
    const Ran r = run(*c, row.params);
    INFO(row.kernel << " " << row.params);
    CHECK(r.load_sectors == row.metric("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"));
    CHECK(r.store_sectors == row.metric("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"));
    if (rounds.count(row.kernel) == 0) CHECK(r.digest == row.digest);
    // Launch parameters and code come through DRAM too: a few KiB.
    const double read = row.metric("dram__bytes_read.sum");
    CHECK(r.read_bytes <= read);
    CHECK(r.read_bytes >= read * 0.97 - 12288);
    if (merged.count(row.kernel) == 0) CHECK(std::abs(r.load_conflicts - row.metric("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum")) <= 0.001 * r.shared_loads);
    instructions += std::abs(r.instructions / row.metric("smsp__inst_executed.sum") - 1);
    CHECK(std::abs(r.instructions / row.metric("smsp__inst_executed.sum") - 1) < 0.45);
  }
  CHECK(instructions / static_cast<double>(rows.size()) < 0.12);
}

TEST_CASE("hardware: what compute-sanitizer finds, the interpreter's checks find at the same lines", "[hardware]") {
  struct Faulty {
    std::string kernel, grid, block;
    std::vector<std::pair<std::string, std::string>> arguments;
    std::set<simt::Kind> kinds;
  };
  const Faulty all[] = {
      {"beyond_the_end", "4", "256", {{"in", "ones:1024"}, {"out", "nothing:1000"}, {"n", "1000"}}, {simt::Kind::out_of_bounds}},
      {"no_barrier", "4", "256", {{"in", "ones:1024"}, {"sums", "nothing:1000"}}, {simt::Kind::unwritten_shared, simt::Kind::shared_race, simt::Kind::missing_sync_warp}},
      {"count", "4", "256", {{"keys", "ones:1024"}, {"bins", "nothing:1000"}, {"n", "1000"}}, {simt::Kind::uninitialized}},
      {"some_wait", "1", "64", {{"in", "ones:1024"}, {"out", "nothing:1000"}}, {simt::Kind::barrier_divergence}},
      // The card waits for nobody who has ended; the programming guide does not allow it, and the interpreter keeps to the guide.
      {"some_leave", "1", "64", {{"in", "ones:1024"}, {"out", "nothing:1000"}}, {simt::Kind::barrier_divergence}},
      {"odd_quads", "1", "32", {{"in", "ones:1024"}, {"out", "nothing:250"}}, {simt::Kind::misaligned}},
      {"no_syncwarp", "1", "32", {{"in", "ones:1024"}, {"out", "nothing:1000"}}, {simt::Kind::missing_sync_warp}},
  };
  const auto root = json::parse(file_text("content/measurements/harness/sanitizer-h200.json"), "sanitizer");
  REQUIRE(root);
  simt::CompileOptions how;
  how.file = "faulty.cu";
  const simt::Compiled compiled = simt::compile(file_text("content/listings/faulty.cu"), how);
  for (const Faulty& f : all) {
    INFO(f.kernel);
    std::set<int> theirs, ours;
    for (const json::Value& row : root->find("rows")->array) {
      if (row.find("kernel")->string != f.kernel) continue;
      for (const json::Value& finding : row.find("findings")->array)
        for (const json::Value& line : finding.find("lines")->array) theirs.insert(static_cast<int>(line.number));
    }
    const auto kernel = predict::find_kernel(compiled.program, f.kernel);
    REQUIRE(kernel);
    predict::RunRequest request;
    request.grid = f.grid;
    request.block = f.block;
    request.arguments = f.arguments;
    auto launch = predict::make_launch(**kernel, request, [](const std::string& path) -> Result<std::string> { return Error{{}, path, ""}; });
    REQUIRE(launch);
    auto machine = simt::Run::start(compiled.program, **kernel, std::move(*launch), {});
    REQUIRE(machine);
    while ((*machine)->advance(1 << 20)) {}
    std::set<simt::Kind> kinds;
    for (const simt::Finding& one : (*machine)->profile().findings) {
      kinds.insert(one.kind);
      ours.insert(compiled.program.places[one.place].line);
      if (one.has_other) ours.insert(compiled.program.places[one.other].line);
    }
    CHECK(kinds == f.kinds);
    if (f.kernel == "some_leave") CHECK(theirs.empty());
    else CHECK(ours == theirs);
  }
}
