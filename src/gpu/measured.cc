#include "gpu/measured.h"

#include <cmath>

#include "base/number.h"

namespace lk::gpu {
namespace {

using Params = std::vector<std::pair<std::string, double>>;

// The part of `rest` before `mark`, which is taken off `rest`.
std::string_view cut(std::string_view& rest, char mark) {
  const size_t at = rest.find(mark);
  const std::string_view part = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + 1);
  return part;
}

// "m=1;n=8192" -> pairs; empty optional when a part is no name=number.
std::optional<Params> read_params(std::string_view text) {
  Params out;
  while (!text.empty()) {
    const std::string_view part = cut(text, ';');
    const size_t equals = part.find('=');
    if (equals == 0 || equals == std::string_view::npos) return {};
    const auto v = read_number(part.substr(equals + 1));
    if (!v) return {};
    out.emplace_back(part.substr(0, equals), *v);
  }
  return out;
}

}  // namespace

std::optional<double> MeasuredRow::param(std::string_view name) const {
  for (const auto& [key, v] : params)
    if (key == name) return v;
  return {};
}

const MeasuredRow* MeasuredSet::find(std::string_view kernel, std::string_view params) const {
  const auto wanted = read_params(params);
  if (!wanted) return nullptr;
  for (const MeasuredRow& row : rows)
    if (row.kernel == kernel && row.params == *wanted) return &row;
  return nullptr;
}

MeasuredSet load_measured(std::string_view csv, std::string_view device, std::string_view file, std::vector<Problem>& problems) {
  MeasuredSet set;
  set.device = device;
  int line = 0;
  const auto problem = [&](size_t column, std::string what, std::string hint) {
    problems.push_back({Severity::error, {{std::string(file), line, static_cast<int>(column) + 1}, std::move(what), std::move(hint)}});
  };
  bool header = false;
  while (!csv.empty()) {
    ++line;
    std::string_view text = cut(csv, '\n');
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    if (text.empty()) continue;
    if (!header) {
      header = true;
      if (text != "kernel,params,median_us") problem(0, "the first line must be kernel,params,median_us", "");
      continue;
    }
    std::string_view rest = text;
    MeasuredRow row;
    row.kernel = cut(rest, ',');
    const size_t params_at = row.kernel.size() + 1;
    const std::string_view params = cut(rest, ',');
    const size_t time_at = params_at + params.size() + 1;
    if (row.kernel.empty() || rest.empty() || rest.find(',') != std::string_view::npos) {
      problem(0, "a line has three fields: kernel,params,median_us", "for example copy_scalar,n=4096,3.552");
      continue;
    }
    auto read = read_params(params);
    if (!read) {
      problem(params_at, "\"" + std::string(params) + "\" is no list of name=number", "for example m=1;n=8192");
      continue;
    }
    const auto us = read_number(rest);
    if (!us || *us <= 0) {
      problem(time_at, "\"" + std::string(rest) + "\" is no time in microseconds", "");
      continue;
    }
    row.params = *std::move(read);
    row.seconds = *us / 1e6;
    if (set.find(row.kernel, params)) {
      problem(0, "this kernel and these parameters occur twice", "keep one line");
      continue;
    }
    set.rows.push_back(std::move(row));
  }
  if (!header) {
    line = 1;
    problem(0, "the file is empty", "the first line must be kernel,params,median_us");
  }
  return set;
}

}  // namespace lk::gpu
