#include "predict/predict.h"

#include <algorithm>
#include <cmath>

#include "base/number.h"
#include "gpu/occupancy.h"
#include "predict/run.h"

namespace lk::predict {
namespace {

Error wrong(std::string what, std::string hint) { return {{}, std::move(what), std::move(hint)}; }

Result<gpu::Prediction> from_listing(const Kernel& kernel, const Values& values, const gpu::Device& device, const gpu::Calibration& c, const Setting& s) {
  for (const LaunchCase& one : s.launches) {
    if (&one.kernel != &kernel) continue;
    for (const auto& [file, text] : s.sources)
      if (file == one.file) return predict_listing(one, values, text, device, c);
    return wrong("the listing " + one.file + " of " + kernel.name + " is not there", "kernels.json names a file of listings/");
  }
  return wrong("the kernel " + kernel.name + " has no launch", "add it to kernels.json");
}

const gpu::MeasuredSet* rows_of(std::string_view device, const Setting& s) {
  for (const gpu::MeasuredSet& set : s.measured)
    if (set.device == device) return &set;
  return nullptr;
}

// "a;b;c,12.5" and "kernel,a=1;b=2,12.5": fields after the kernel are name=value or, last, the measured time.
void read_line(std::string_view line, Row& row) {
  const size_t comma = line.find(',');
  row.kernel = line.substr(0, comma);
  while (!row.kernel.empty() && row.kernel.back() == ' ') row.kernel.pop_back();
  std::string_view rest = comma == std::string_view::npos ? std::string_view() : line.substr(comma + 1);
  while (!rest.empty()) {
    const size_t end = rest.find(',');
    const std::string_view field = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (field.find_first_not_of(" \t") == std::string_view::npos) continue;
    if (field.find('=') != std::string_view::npos) {
      row.values += (row.values.empty() ? "" : ";") + std::string(field);
      continue;
    }
    const auto v = read_number(field.substr(field.find_first_not_of(" \t")));
    if (!v || !std::isfinite(*v) || *v <= 0 || row.measured_us > 0) {
      row.error = wrong("\"" + std::string(field) + "\" is no time", "a line is kernel,name=value;name=value,microseconds; the last is optional");
      return;
    }
    row.measured_us = *v;
  }
}

Summary summary(std::string family, const std::vector<const Row*>& rows) {
  Summary out{std::move(family), static_cast<int>(rows.size())};
  std::vector<double> off;
  for (const Row* row : rows) {
    off.push_back(std::abs(row->off()));
    const auto& p = row->answer.prediction;
    out.datasheet_mean += std::abs(p.floor_us / row->measured_us - 1) / out.rows;
    out.calibrated_mean += std::abs(p.calibrated_floor_us / row->measured_us - 1) / out.rows;
  }
  std::sort(off.begin(), off.end());
  for (const double x : off) out.mean += x / out.rows;
  out.median = (off[(off.size() - 1) / 2] + off[off.size() / 2]) / 2;
  out.worst = off.back();
  return out;
}

}  // namespace

Result<gpu::Calibration> calibration_for(std::string_view device, const Setting& s) {
  const gpu::Device* d = s.devices.find(device);
  if (!d) {
    std::vector<std::string> ids;
    std::string list;
    for (const gpu::Device& one : s.devices.all) ids.push_back(one.id), list += (list.empty() ? "" : ", ") + one.id;
    const std::string near = closest(device, ids);
    return wrong("unknown device \"" + std::string(device) + '"', near.empty() ? "devices are " + list : "did you mean " + near + "?");
  }
  for (const gpu::Calibration& c : s.calibrations)
    if (c.device == device) return c;
  if (s.calibrations.empty()) return wrong("no device is calibrated", "add content/calibrations/<device>.json");
  if (d->vendor != "NVIDIA") return wrong("kernels of this table do not run on the " + d->name, "choose a device of NVIDIA");
  if (!gpu::sm_limits(d->cc_major, d->cc_minor) || !d->l2_bytes.known() || !d->clock_hz.known())
    return wrong("the models say nothing about the " + d->name, std::string(gpu::why_no_limits(d->cc_major)) + "; choose a newer device of NVIDIA");
  return gpu::carried_to(*d, s.calibrations.front(), s.devices);
}

std::vector<const Kernel*> kernels(const Setting& setting) {
  std::vector<const Kernel*> out;
  for (const LaunchCase& c : setting.launches) out.push_back(&c.kernel);
  for (const Kernel& k : library_kernels()) out.push_back(&k);
  return out;
}

Result<Answer> predict(std::string_view kernel, std::string_view values, std::string_view device, const Setting& setting) {
  const Kernel* found = nullptr;
  std::vector<std::string> names;
  for (const Kernel* k : kernels(setting)) {
    names.push_back(k->name);
    if (k->name == kernel) found = k;
  }
  if (!found) {
    const std::string near = closest(kernel, names);
    return wrong("unknown kernel \"" + std::string(kernel) + '"', near.empty() ? "lk predict --list names them" : "did you mean " + near + "?");
  }
  const auto c = calibration_for(device, setting);
  if (!c) return c.error();
  auto read = read_values(*found, values);
  if (!read) return read.error();
  Answer out{found, std::move(*read), {}, !c->carried_over(), c->measured_on};
  if (found->library) {
    out.prediction = predict_library(*found, out.values, *c);
  } else {
    auto prediction = from_listing(*found, out.values, *setting.devices.find(device), *c, setting);
    if (!prediction) return prediction.error();
    out.prediction = std::move(*prediction);
  }
  out.prediction.outside = outside(*found, out.values, rows_of(c->measured_on, setting));
  return out;
}

Report predict_table(std::string_view csv, std::string_view file, std::string_view device, const Setting& setting) {
  Report report;
  int line = 0;
  while (!csv.empty()) {
    ++line;
    const size_t end = csv.find('\n');
    std::string_view text = csv.substr(0, end);
    csv = end == std::string_view::npos ? std::string_view() : csv.substr(end + 1);
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    if (text.find_first_not_of(" \t") == std::string_view::npos || text.front() == '#' || text.starts_with("kernel,params")) continue;
    Row row;
    row.line = line;
    read_line(text, row);
    if (row.error.what.empty()) {
      if (auto answer = predict(row.kernel, row.values, device, setting)) {
        row.answer = std::move(*answer);
        row.answered = true;
      } else {
        row.error = answer.error();
      }
    }
    if (!row.answered) row.error.at = {std::string(file), line, 1};
    report.rows.push_back(std::move(row));
  }
  std::vector<std::pair<std::string, std::vector<const Row*>>> groups;
  const auto group = [&](const std::string& name) -> std::vector<const Row*>& {
    for (auto& [key, rows] : groups)
      if (key == name) return rows;
    return groups.emplace_back(name, std::vector<const Row*>{}).second;
  };
  std::vector<const Row*> hand, library, layers, all;
  for (const Row& row : report.rows) {
    if (!row.answered || row.measured_us <= 0) continue;
    const Kernel& k = *row.answer.kernel;
    group(k.family).push_back(&row);
    (k.family == "layer" ? layers : k.library ? library : hand).push_back(&row);
    all.push_back(&row);
  }
  for (const auto& [name, rows] : groups) report.families.push_back(summary(name, rows));
  if (!hand.empty()) report.families.push_back(summary("hand-written", hand));
  if (!library.empty()) report.families.push_back(summary("library", library));
  if (!layers.empty()) report.families.push_back(summary("layers", layers));
  if (!all.empty()) report.families.push_back(summary("all", all));
  return report;
}

}  // namespace lk::predict
