// Committed measurements: content/measurements/*.csv with the columns kernel,params,median_us.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace lk::gpu {

struct MeasuredRow {
  std::string kernel;
  std::vector<std::pair<std::string, double>> params;  // in file order
  double seconds = 0;                                  // median
  std::optional<double> param(std::string_view name) const;
};

struct MeasuredSet {
  std::string device;  // device id
  std::vector<MeasuredRow> rows;
  const MeasuredRow* find(std::string_view kernel, std::string_view params) const;  // params as written, "m=1;n=8192;k=28672"
};

/// Reads one CSV; malformed lines are problems with their line number.
MeasuredSet load_measured(std::string_view csv, std::string_view device, std::string_view file, std::vector<Problem>& problems);

}  // namespace lk::gpu
