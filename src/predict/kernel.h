// Kernels by name with their parameters: what `lk predict` knows, and what measured tables name in their first column.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "gpu/calibration.h"
#include "gpu/measured.h"
#include "gpu/prediction.h"

namespace lk::predict {

/// Parameters in the order in which they were written: name, value.
using Values = std::vector<std::pair<std::string, double>>;

struct Parameter {
  std::string name, doc;
  double least = 1, most = 1e9;
  std::optional<double> value = {};  // when it may be left out
  bool whole = true;
};

/// A kernel that can be predicted.
struct Kernel {
  std::string name, family, doc;
  bool library = false;  // a vendor's kernel, by tiles and waves; otherwise one of the book's, by its counters
  std::vector<Parameter> parameters;
};

/// The values of a kernel's parameters in its own order, checked: unknown and repeated names, missing ones, fractions, limits.
/// `text` is "m=1;n=8192" (also with spaces or commas between).
Result<Values> read_values(const Kernel& kernel, std::string_view text);
double value(const Values& values, std::string_view name);

/// Library kernels: names as in the measured tables.
const std::vector<Kernel>& library_kernels();
/// `values` as read_values gives them.
gpu::Prediction predict_library(const Kernel& kernel, const Values& values, const gpu::Calibration& c);

/// What of `values` lies outside the rows of `kernel` that the constants were fitted on, one sentence for each parameter.
std::vector<std::string> outside(const Kernel& kernel, const Values& values, const gpu::MeasuredSet* rows);

}  // namespace lk::predict
