// Times of named kernels, one at a time or a table of them beside what was measured.
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "predict/kernel.h"
#include "predict/launch.h"

namespace lk::predict {

/// What predictions are made from. Views: the tables must outlive it.
struct Setting {
  const gpu::Devices& devices;
  std::span<const gpu::Calibration> calibrations;  // at least one
  std::span<const gpu::MeasuredSet> measured;
  std::span<const LaunchCase> launches = {};       // kernels of the book
  std::span<const std::pair<std::string, std::string>> sources = {};  // their listings: file name, text
};

/// The constants for a device: its own, or another's carried over. Unknown devices and those of other vendors are Errors.
Result<gpu::Calibration> calibration_for(std::string_view device, const Setting& setting);

struct Answer {
  const Kernel* kernel = nullptr;  // nullptr: of no name, a run's own source
  Values values;
  gpu::Prediction prediction;
  bool calibrated = true;   // false: constants carried over from another device
  std::string measured_on;  // where they were measured
};

/// `device` is an id of the table; `values` as read_values takes them. Unknown names are Errors with a hint.
Result<Answer> predict(std::string_view kernel, std::string_view values, std::string_view device, const Setting& setting);

/// All kernels that can be predicted: the book's, then the library's.
std::vector<const Kernel*> kernels(const Setting& setting);

/// A line of a table "kernel,params[,median_us]".
struct Row {
  int line = 0;
  std::string kernel, values;
  double measured_us = 0;  // 0: none given
  Answer answer;
  Error error;             // set when there is no answer
  bool answered = false;
  double off() const { return answer.prediction.us / measured_us - 1; }
};

/// Errors of a family of kernels over its rows that have a measured time.
struct Summary {
  std::string family;
  int rows = 0;
  double mean = 0, median = 0, worst = 0;             // absolute, of the model
  double datasheet_mean = 0, calibrated_mean = 0;     // of the two rooflines on the same rows
};

struct Report {
  std::vector<Row> rows;
  std::vector<Summary> families;  // in order of appearance; then "hand-written", "library", "layers", "all", those that occur
};

/// Reads and predicts a table. A first line "kernel,params,median_us" (or without the last) is a header; lines that begin with #
/// are comments. A line that cannot be read or predicted is a Row with its error, never a lost line.
Report predict_table(std::string_view csv, std::string_view file, std::string_view device, const Setting& setting);

/// Words for readers: the time, its parts, the limit, both rooflines, what is outside the range.
std::string text(const Answer& answer);
std::string text(const Report& report);
void write(json::Writer& w, const Answer& answer);
void write(json::Writer& w, const Report& report);

}  // namespace lk::predict
