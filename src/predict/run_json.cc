#include <algorithm>

#include "base/number.h"
#include "predict/run.h"

namespace lk::predict {
namespace {

const Error* first_error(const std::vector<Problem>& problems) {
  for (const Problem& p : problems)
    if (p.severity == Severity::error) return &p.error;
  return nullptr;
}

std::string extent_text(const simt::Extent& e) {
  std::string out = std::to_string(e.x);
  if (e.y > 1 || e.z > 1) out += "," + std::to_string(e.y);
  if (e.z > 1) out += "," + std::to_string(e.z);
  return out;
}

}  // namespace

Result<Wish> read_run(std::string_view text) {
  const auto root = json::parse(text);
  if (!root) return root.error();
  std::vector<Problem> problems;
  json::Reader r(*root, {}, problems);
  Wish out;
  out.source = r.text("source");
  out.options.file = r.text("file", out.options.file);
  out.options.device = r.text("device", "");
  out.options.print = r.texts("print");
  out.options.machine.seed = static_cast<uint64_t>(std::max(0, r.integer("seed", 0)));
  out.options.machine.sampled_blocks = static_cast<uint64_t>(std::max(0, r.integer("sampled_blocks", 0)));
  out.options.flushed = r.boolean("flushed", true);
  out.options.registers = std::clamp(r.integer("registers", 0), 0, 255);
  out.request.kernel = r.text("kernel", "");
  out.request.grid = r.text("grid", out.request.grid);
  out.request.block = r.text("block", out.request.block);
  out.request.dynamic_shared = r.text("dynamic_shared", out.request.dynamic_shared);
  if (const json::Value* arguments = r.object("arguments")) {
    for (const auto& [name, value] : arguments->object) {
      if (value.is(json::Kind::string))
        out.request.arguments.emplace_back(name, value.string);
      else
        r.problem(value, "the argument \"" + name + "\" must be text", "for example \"random:1024\" or \"1024\"");
    }
  }
  r.done();
  if (const Error* e = first_error(problems)) return *e;
  return out;
}

Result<std::string> launch_json(std::string_view file, std::string_view kernel, std::string_view values, std::string_view device, const Setting& setting) {
  const LaunchCase* found = nullptr;
  for (const LaunchCase& c : setting.launches)
    if (c.file == file && std::string_view(c.function).substr(0, c.function.find('<')) == kernel && !found) found = &c;
  if (!found) return Error{{}, "the book does not say how to launch " + std::string(kernel) + " of " + std::string(file), "kernels.json would"};
  std::string_view source;
  for (const auto& [file, text] : setting.sources)
    if (file == found->file) source = text;
  const auto read = read_values(found->kernel, values.empty() ? std::string_view(found->example) : values);
  if (!read) return read.error();
  const auto shape = sizes(*found, *read);
  if (!shape) return shape.error();
  simt::CompileOptions how;
  how.file = found->file;
  if (found->function.find('<') != std::string::npos) how.instances.push_back(found->function);
  const simt::Compiled compiled = simt::compile(source, how);
  if (const Error* e = first_error(compiled.problems)) return *e;
  const auto entry = find_kernel(compiled.program, found->function);
  if (!entry) return entry.error();
  json::Writer w;
  w.begin_object().field("kernel", found->kernel.name).field("file", found->file).field("function", found->function).field("source", source);
  std::string words;
  for (const auto& [name, v] : *read) words += (words.empty() ? "" : ";") + name + '=' + plain(v);
  w.field("values", words).field("grid", extent_text(shape->grid)).field("block", extent_text(shape->block)).field("dynamic_shared", std::to_string(shape->dynamic_shared));
  w.key("arguments").begin_array();
  for (size_t i = 0; i < found->arguments.size() && i < (*entry)->parameters.size(); ++i) {
    const simt::Parameter& p = (*entry)->parameters[i];
    const std::string count = std::to_string(shape->counts[i]);
    w.begin_object().field("name", p.name).field("type", p.type).field("pointer", p.pointer);
    w.field("text", p.pointer ? std::string(simt::name(found->arguments[i].fill)) + ':' + count : count).end_object();
  }
  w.end_array().field("flushed", found->flushed).field("registers", found->registers);
  for (const gpu::MeasuredSet& set : setting.measured)
    if (set.device == device)
      if (const gpu::MeasuredRow* row = set.find(found->kernel.name, words)) w.field("measured_us", row->seconds * 1e6);
  w.end_object();
  return w.text();
}

Result<std::string> predict_json(std::string_view text, const Setting& setting) {
  const auto root = json::parse(text);
  if (!root) return root.error();
  std::vector<Problem> problems;
  json::Reader r(*root, {}, problems);
  const std::string kernel = r.text("kernel"), values = r.text("values", ""), device = r.text("device", setting.devices.fallback);
  r.done();
  if (const Error* e = first_error(problems)) return *e;
  const auto answer = predict(kernel, values, device, setting);
  if (!answer) return answer.error();
  json::Writer w;
  write(w, *answer);
  return w.text();
}

}  // namespace lk::predict
