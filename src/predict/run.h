// A kernel compiled, run in the interpreter and judged: what `lk run` prints and the page's sheet shows.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "predict/launch.h"
#include "predict/predict.h"
#include "predict/request.h"
#include "simt/compile.h"
#include "simt/run.h"

namespace lk::predict {

/// One run from source text to answer, in slices: compile and check at start, then advance until done.
class KernelRun {
 public:
  struct Options {
    std::string file = "kernel.cu", device;       // the device's id; empty: the table's default
    std::vector<std::pair<std::string, std::string>> defines;
    simt::Options machine;
    std::vector<std::string> print;               // names of arrays whose first values are part of the answer
    size_t print_count = 16;
    bool flushed = true;     // the time is that of a launch after the caches were flushed
    int registers = 0;       // of a thread, where the assembler's number is known; 0: the compiler's estimate
  };
  /// Errors of the request; errors of the source are in problems() of a run that is done at once.
  static Result<std::unique_ptr<KernelRun>> start(std::string_view source, const RunRequest& request, const Options& options, const Setting& setting, const ReadFile& read);

  bool advance(uint64_t steps);  // false when the launch has ended
  double progress() const;       // 0 to 1
  bool compiled() const { return kernel_ != nullptr; }
  const std::vector<Problem>& problems() const { return compiled_.problems; }
  const simt::Program& program() const { return compiled_.program; }
  const simt::Kernel& kernel() const { return *kernel_; }
  const simt::Profile& profile() const { return run_->profile(); }
  /// The predicted time; empty when the device has no rules or the run was stopped.
  const std::optional<Answer>& answer();
  const std::vector<std::string>& notes() const { return notes_; }  // what the answer rests on, sentence by sentence

  std::string text();            // for a terminal
  void write(json::Writer& w);   // {"problems", "findings", "totals", "lines", "prediction", "arrays", ...}

 private:
  KernelRun(const Setting& setting, Options options) : setting_(setting), options_(std::move(options)) {}
  Setting setting_;
  Options options_;
  simt::Compiled compiled_;
  const simt::Kernel* kernel_ = nullptr;
  simt::Extent grid_, block_;
  uint32_t dynamic_shared_ = 0;
  std::unique_ptr<simt::Run> run_;
  std::optional<Answer> answer_;
  bool answered_ = false;
  std::vector<std::string> notes_;
};

/// A run as JSON: {"source", "file"?, "kernel"?, "grid"?, "block"?, "dynamic_shared"?, "arguments": {name: text}, "device"?,
/// "print"?: [names], "seed"?, "sampled_blocks"?, "flushed"?, "registers"?}.
struct Wish {
  std::string source;
  RunRequest request;
  KernelRun::Options options;
};
Result<Wish> read_run(std::string_view json);

/// How the book launches a kernel of a listing, for a page: {"kernel", "file", "function", "source", "values", "grid", "block", "dynamic_shared",
/// "arguments": [{"name", "type", "pointer", "text"}], "flushed", "registers", "measured_us"?} at its example's sizes, or at `values`.
Result<std::string> launch_json(std::string_view file, std::string_view kernel, std::string_view values, std::string_view device, const Setting& setting);

/// {"kernel", "values", "device"?} -> the answer of predict() as JSON.
Result<std::string> predict_json(std::string_view json, const Setting& setting);

/// The launch of an entry of kernels.json with its arrays, filled as the harness of the measurements fills them: the n-th argument by seed n.
Result<simt::Launch> launch_of(const LaunchCase& c, const Sizes& shape, const simt::Kernel& kernel);

/// Predicts one of the book's kernels from its listing: compiled, sampled blocks run, counters turned into time.
/// `source`: the text of its listing.
Result<gpu::Prediction> predict_listing(const LaunchCase& c, const Values& values, std::string_view source, const gpu::Device& device, const gpu::Calibration& calibration);

}  // namespace lk::predict
