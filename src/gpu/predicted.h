// Committed predictions: content/predictions/<device>.csv, measured times beside predicted ones, a row for each row of
// content/measurements/<device>.csv that has a model. Written and checked by content/measurements/harness/predictions.py.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace lk::gpu {

struct PredictedRow {
  std::string kernel, params;          // as in the measurements: "sgemm_1d", "n=512"
  std::string family, group;           // "sgemm"; "hand-written", "library" or "layers"
  double measured = 0;                 // seconds, median
  double predicted = 0;                // by the model
  double datasheet = 0, calibrated = 0;  // by a roofline from the datasheet, and from measured rates
  std::string limit;                   // the term that rules the prediction
  /// Measured again: that many launches, their median and the bounds of the middle half. Extremes where every sample was kept.
  int launches = 0;
  double again = 0, low = 0, high = 0, least = 0, most = 0;
};

struct PredictedSet {
  std::string device;  // device id
  std::vector<PredictedRow> rows;
};

/// Reads one CSV; malformed lines are problems with their line number.
PredictedSet load_predicted(std::string_view csv, std::string_view device, std::string_view file, std::vector<Problem>& problems);

}  // namespace lk::gpu
