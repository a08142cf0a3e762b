#include <cstdio>
#include <fstream>
#include <iterator>

#include "base/json.h"
#include "cli/commands.h"
#include "cli/kit.h"
#include "site/live.h"
#include "predict/predict.h"
#include "site/content.h"

namespace lk::cli {
namespace {

int fail(int status, const Error& error) {
  std::fprintf(stderr, "lk: %s\n", text(error).c_str());
  return status;
}

int list(bool as_json, const predict::Setting& setting) {
  if (as_json) {
    json::Writer w;
    w.begin_array();
    for (const predict::Kernel* k : predict::kernels(setting)) {
      w.begin_object().field("name", k->name).field("family", k->family).field("doc", k->doc).field("library", k->library).key("parameters").begin_array();
      for (const predict::Parameter& p : k->parameters) {
        w.begin_object().field("name", p.name).field("doc", p.doc).field("least", p.least).field("most", p.most);
        if (p.value) w.field("default", *p.value);
        w.end_object();
      }
      w.end_array().end_object();
    }
    w.end_array();
    std::printf("%s\n", w.text().c_str());
    return ok;
  }
  for (const predict::Kernel* k : predict::kernels(setting)) {
    std::printf("%s: %s\n", k->name.c_str(), k->doc.c_str());
    for (const predict::Parameter& p : k->parameters) std::printf("  %-10s %s%s\n", p.name.c_str(), p.doc.c_str(), p.value ? " (optional)" : "");
  }
  return ok;
}

}  // namespace

int predict(const Predict& command) {
  if (!command.list && command.csv.empty() && command.kernel.empty())
    return fail(usage_error, {{}, "nothing to predict", "for example: lk predict gemm_bf16 m=4096 n=4096 k=4096; lk predict --list names the kernels"});
  std::vector<Problem> problems;
  const predict::Kit kit = load_kit(command.content, problems);
  if (site::has_errors(problems)) {
    std::fputs(site::problem_lines(problems).c_str(), stderr);
    return content_error;
  }
  const predict::Setting setting = kit.setting();
  if (command.list) return list(command.json, setting);
  const std::string device = command.device.empty() ? kit.devices.fallback : command.device;
  json::Writer w;
  if (command.csv.empty()) {
    std::string values;
    for (const std::string& v : command.values) values += v + ';';
    const auto answer = predict::predict(command.kernel, values, device, setting);
    if (!answer) return fail(usage_error, answer.error());
    if (command.json) {
      predict::write(w, *answer);
      std::printf("%s\n", w.text().c_str());
    } else {
      std::fputs(predict::text(*answer).c_str(), stdout);
    }
    return ok;
  }
  std::ifstream in(command.csv, std::ios::binary);
  if (!in) return fail(usage_error, {{command.csv, 0, 0}, "the file cannot be read", "its lines are kernel,name=value;name=value,microseconds"});
  const std::string csv{std::istreambuf_iterator<char>(in), {}};
  const predict::Report report = predict::predict_table(csv, command.csv, device, setting);
  if (command.json) {
    predict::write(w, report);
    std::printf("%s\n", w.text().c_str());
  } else {
    std::fputs(predict::text(report).c_str(), stdout);
  }
  size_t lost = 0;
  for (const predict::Row& row : report.rows) lost += !row.answered;
  if (lost == 0) return ok;
  std::fprintf(stderr, "lk: %zu of %zu lines could not be predicted\n", lost, report.rows.size());
  return content_error;
}

}  // namespace lk::cli
