#include "predict/run.h"

#include <algorithm>

#include "base/number.h"
#include "predict/counters.h"
#include "predict/estimate.h"

namespace lk::predict {
namespace {

constexpr uint64_t sampled_blocks = 6;         // of one of the book's launches: their blocks do the same, but for the last
constexpr uint64_t slice = uint64_t{1} << 22;  // warp instructions between two looks at the step budget

Error wrong(std::string what, std::string hint) { return {{}, std::move(what), std::move(hint)}; }

void write_place(json::Writer& w, std::string_view key, const simt::Span& at) {
  w.key(key).begin_object().field("line", at.line).field("column", at.column).field("end_line", at.end_line).field("end_column", at.end_column).end_object();
}

void write_extent(json::Writer& w, std::string_view key, const simt::Extent& e) {
  w.key(key).begin_array().value(static_cast<double>(e.x)).value(static_cast<double>(e.y)).value(static_cast<double>(e.z)).end_array();
}

std::string extent_text(const simt::Extent& e) {
  std::string out = std::to_string(e.x);
  if (e.y > 1 || e.z > 1) out += "," + std::to_string(e.y);
  if (e.z > 1) out += "," + std::to_string(e.z);
  return out;
}

std::string position_text(const simt::Extent& e) { return "(" + std::to_string(e.x) + "," + std::to_string(e.y) + "," + std::to_string(e.z) + ")"; }

void write_counters(json::Writer& w, const simt::Counters& sum) {
  w.begin_object();
  for (const Counter& c : counters()) w.field(c.id, c.value(sum));
  w.end_object();
}

std::string where(const simt::Program& p, uint32_t place) {
  const simt::Span& at = p.places[place];
  return p.file + ':' + std::to_string(at.line) + ':' + std::to_string(at.column);
}

}  // namespace

Result<std::unique_ptr<KernelRun>> KernelRun::start(std::string_view source, const RunRequest& request, const Options& options, const Setting& setting, const ReadFile& read) {
  std::unique_ptr<KernelRun> out(new KernelRun(setting, options));
  if (out->options_.device.empty()) out->options_.device = setting.devices.fallback;
  simt::CompileOptions how;
  how.file = options.file;
  how.defines = options.defines;
  if (request.kernel.find('<') != std::string::npos) how.instances.push_back(request.kernel);
  out->compiled_ = simt::compile(source, how);
  for (const Problem& p : out->compiled_.problems)
    if (p.severity == Severity::error) return out;
  const auto kernel = find_kernel(out->compiled_.program, request.kernel);
  if (!kernel) return kernel.error();
  auto launch = make_launch(**kernel, request, read);
  if (!launch) return launch.error();
  out->grid_ = launch->grid;
  out->block_ = launch->block;
  out->dynamic_shared_ = launch->dynamic_shared;
  auto run = simt::Run::start(out->compiled_.program, **kernel, std::move(*launch), options.machine);
  if (!run) return run.error();
  out->run_ = std::move(*run);
  out->kernel_ = *kernel;
  return out;
}

bool KernelRun::advance(uint64_t steps) { return run_ && run_->advance(steps); }
double KernelRun::progress() const { return run_ ? run_->progress() : 1; }

const std::optional<Answer>& KernelRun::answer() {
  if (answered_ || !run_) return answer_;
  answered_ = true;
  const gpu::Device* device = setting_.devices.find(options_.device);
  const auto calibration = calibration_for(options_.device, setting_);
  const auto limits = device ? gpu::sm_limits(device->cc_major, device->cc_minor) : std::nullopt;
  if (!calibration || !limits) {
    notes_.push_back("No time: " + (calibration ? "the rules of this device's multiprocessors are not known" : calibration.error().what) + ".");
    return answer_;
  }
  if (run_->profile().stopped) {
    notes_.push_back("No time: the run was stopped.");
    return answer_;
  }
  const Estimate e = estimate(compiled_.program, *kernel_, grid_, block_, dynamic_shared_, run_->profile(), *limits, *calibration, options_.registers, options_.flushed);
  if (e.occupancy.blocks == 0) {
    notes_.push_back("No time: a block asks for more than one multiprocessor of the " + device->name + " has.");
    return answer_;
  }
  Answer a;
  a.prediction = gpu::kernel_time(e.counters, *calibration);
  a.calibrated = !calibration->carried_over();
  a.measured_on = calibration->measured_on;
  notes_.push_back("Registers: " + std::to_string(e.registers) + " for each thread" + (e.registers_known ? "" : ", an estimate") + "; " + std::to_string(e.occupancy.blocks) + " blocks fit one multiprocessor.");
  const simt::Profile& p = run_->profile();
  if (p.blocks_run < p.blocks)
    notes_.push_back("Counted over " + std::to_string(p.blocks_run) + " of " + std::to_string(p.blocks) + " blocks and scaled.");
  answer_ = std::move(a);
  return answer_;
}

std::string KernelRun::text() {
  std::string out;
  for (const Problem& p : problems()) out += lk::text(p) + "\n";
  if (!compiled()) return out;
  const simt::Profile& p = profile();
  out += kernel_->name + ": grid " + extent_text(grid_) + ", block " + extent_text(block_) + ", " + std::to_string(p.warps) + " warps\n";
  const simt::Counters total = sum(compiled_.program, *kernel_, p, 0);
  for (const Counter& c : counters()) {
    const double v = c.value(total);
    if (v == 0) continue;
    const std::string shown = c.ratio ? lk::text(Num{v, Unit::percent}) : digits(v, 6);
    out += "  " + std::string(c.title) + std::string(26 - std::min<size_t>(25, c.title.size()), ' ') + shown + "\n";
  }
  for (const simt::Finding& f : p.findings) {
    out += where(compiled_.program, f.place) + ": " + std::string(simt::name(f.kind)) + ": " + f.what;
    if (f.has_other) out += " (the other access: " + where(compiled_.program, f.other) + ", thread " + position_text(f.other_thread) + ")";
    out += " [block " + position_text(f.block) + ", thread " + position_text(f.thread) + (f.times > 1 ? ", " + std::to_string(f.times) + " times" : "") + "]";
    if (!f.hint.empty()) out += " (" + f.hint + ")";
    out += "\n";
  }
  if (p.findings.empty()) out += "Checks: nothing found.\n";
  if (answer()) out += lk::predict::text(*answer());
  for (const std::string& note : notes_) out += note + "\n";
  for (const std::string& name : options_.print) {
    for (size_t i = 0; i < run_->buffers().size(); ++i) {
      if (run_->buffers()[i].name != name) continue;
      const auto parameter = std::find_if(kernel_->parameters.begin(), kernel_->parameters.end(), [&](const simt::Parameter& one) { return one.name == name; });
      out += name + " =";
      for (const std::string& v : element_texts(run_->buffers()[i], parameter->element, 0, options_.print_count)) out += " " + v;
      out += "\n";
    }
  }
  return out;
}

void KernelRun::write(json::Writer& w) {
  w.begin_object().key("problems").begin_array();
  for (const Problem& p : problems()) {
    w.begin_object().field("severity", p.severity == Severity::error ? "error" : "warning").field("line", p.error.at.line).field("column", p.error.at.column);
    w.field("what", p.error.what).field("hint", p.error.hint).end_object();
  }
  w.end_array();
  if (!compiled()) {
    w.end_object();
    return;
  }
  const simt::Profile& p = profile();
  w.field("kernel", kernel_->name).field("device", options_.device).field("stopped", p.stopped);
  write_extent(w, "grid", grid_);
  write_extent(w, "block", block_);
  w.field("blocks", static_cast<double>(p.blocks)).field("blocks_run", static_cast<double>(p.blocks_run)).field("steps", static_cast<double>(p.steps));
  w.key("findings").begin_array();
  for (const simt::Finding& f : p.findings) {
    w.begin_object().field("kind", simt::name(f.kind)).field("what", f.what).field("hint", f.hint).field("object", f.object).field("times", static_cast<double>(f.times));
    write_place(w, "at", compiled_.program.places[f.place]);
    if (f.has_other) write_place(w, "other", compiled_.program.places[f.other]);
    write_extent(w, "block", f.block);
    write_extent(w, "thread", f.thread);
    if (f.has_other) write_extent(w, "other_thread", f.other_thread);
    w.end_object();
  }
  w.end_array().key("counters").begin_array();
  for (const Counter& c : counters()) {
    w.begin_object().field("id", c.id).field("title", c.title).field("definition", c.definition).field("ncu", c.ncu).field("ratio", c.ratio).end_object();
  }
  w.end_array().key("totals");
  write_counters(w, sum(compiled_.program, *kernel_, p, 0));
  std::vector<int> lines;
  for (int i = kernel_->begin; i < kernel_->end; ++i) {
    const int line = compiled_.program.places[compiled_.program.code[static_cast<size_t>(i)].place].line;
    if (line > 0 && p.code[static_cast<size_t>(i - kernel_->begin)].executed > 0) lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  w.key("lines").begin_array();
  for (const int line : lines) {
    w.begin_object().field("line", line).key("counters");
    write_counters(w, sum(compiled_.program, *kernel_, p, line));
    w.end_object();
  }
  w.end_array();
  if (answer()) {
    w.key("prediction");
    predict::write(w, *answer());
  }
  w.key("notes").begin_array();
  for (const std::string& note : notes_) w.value(note);
  w.end_array().key("arrays").begin_object();
  for (const std::string& name : options_.print) {
    for (size_t i = 0; i < run_->buffers().size(); ++i) {
      if (run_->buffers()[i].name != name) continue;
      const auto parameter = std::find_if(kernel_->parameters.begin(), kernel_->parameters.end(), [&](const simt::Parameter& one) { return one.name == name; });
      w.key(name).begin_array();
      for (const std::string& v : element_texts(run_->buffers()[i], parameter->element, 0, options_.print_count)) w.value(v);
      w.end_array();
    }
  }
  w.end_object().end_object();
}

Result<simt::Launch> launch_of(const LaunchCase& c, const Sizes& shape, const simt::Kernel& kernel) {
  simt::Launch launch;
  launch.grid = shape.grid;
  launch.block = shape.block;
  launch.dynamic_shared = shape.dynamic_shared;
  if (kernel.parameters.size() != c.arguments.size())
    return wrong(c.kernel.name + ": kernels.json gives " + std::to_string(c.arguments.size()) + " arguments, the listing takes " + std::to_string(kernel.parameters.size()), "make them the same");
  for (size_t i = 0; i < c.arguments.size(); ++i) {
    const simt::Parameter& p = kernel.parameters[i];
    simt::Argument a;
    if (p.pointer) {
      a.buffer = static_cast<int>(launch.buffers.size());
      simt::Buffer b;
      b.name = p.name;
      b.fill = c.arguments[i].fill;
      b.element = p.element;
      b.seed = i + 1;
      b.size = static_cast<uint64_t>(shape.counts[i]) * static_cast<uint64_t>(simt::bytes(p.element) * p.element_count);
      launch.buffers.push_back(std::move(b));
    } else {
      a.bits = static_cast<uint64_t>(shape.counts[i]);
    }
    launch.arguments.push_back(a);
  }
  return launch;
}

Result<gpu::Prediction> predict_listing(const LaunchCase& c, const Values& values, std::string_view source, const gpu::Device& device, const gpu::Calibration& calibration) {
  const auto limits = gpu::sm_limits(device.cc_major, device.cc_minor);
  if (!limits) return wrong("the rules of the multiprocessors of the " + device.name + " are not known", "choose a device of compute capability 7.0 or later");
  auto shape = sizes(c, values);
  if (!shape) return shape.error();
  simt::CompileOptions how;
  how.file = c.file;
  if (c.function.find('<') != std::string::npos) how.instances.push_back(c.function);
  const simt::Compiled compiled = simt::compile(source, how);
  for (const Problem& p : compiled.problems)
    if (p.severity == Severity::error) return p.error;
  const auto kernel = find_kernel(compiled.program, c.function);
  if (!kernel) return kernel.error();
  auto launch = launch_of(c, *shape, **kernel);
  if (!launch) return launch.error();
  simt::Options options;
  options.sampled_blocks = sampled_blocks;
  options.checks = false;
  auto run = simt::Run::start(compiled.program, **kernel, std::move(*launch), options);
  if (!run) return run.error();
  while ((*run)->advance(slice)) {}
  const simt::Profile& profile = (*run)->profile();
  if (profile.stopped && !profile.findings.empty()) return wrong(c.kernel.name + " stopped: " + profile.findings.front().what, profile.findings.front().hint);
  Estimate e = estimate(compiled.program, **kernel, shape->grid, shape->block, shape->dynamic_shared, profile, *limits, calibration, c.registers, c.flushed);
  if (e.occupancy.blocks == 0) return wrong("a block of " + c.kernel.name + " asks for more than one multiprocessor of the " + device.name + " has", "choose another device or smaller blocks");
  if (shape->flop > 0) e.counters.flop = shape->flop;
  gpu::Prediction out = gpu::kernel_time(e.counters, calibration);
  out.how = std::to_string(e.occupancy.blocks) + " blocks of " + std::to_string(e.registers) + " registers a thread in each multiprocessor";
  return out;
}

}  // namespace lk::predict
