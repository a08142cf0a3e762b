// Everything that predictions and runs need, as one value: devices, constants, measured rows, launches and listings.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "predict/predict.h"

namespace lk::predict {

/// The texts of the files it comes from: file names without their folders, or device ids, and what they hold.
struct KitFiles {
  using Texts = std::vector<std::pair<std::string, std::string>>;
  std::string devices;    // devices.json
  std::string launches;   // kernels.json
  Texts calibrations;     // "h200.json"
  Texts measurements;     // "h200"; CSV
  Texts listings;         // "vec_add.cu"
};

struct Kit {
  gpu::Devices devices;
  std::vector<gpu::Calibration> calibrations;
  std::vector<gpu::MeasuredSet> measured;
  std::vector<LaunchCase> launches;
  std::vector<std::pair<std::string, std::string>> sources;
  Setting setting() const { return {devices, calibrations, measured, launches, sources}; }
};

/// Problems carry places in "devices.json", "kernels.json", "calibrations/...", "measurements/...".
Kit load_kit(const KitFiles& files, std::vector<Problem>& problems);

/// One JSON document of the files, for a browser, with the listings that kernels.json names; and back.
std::string write_kit(const KitFiles& files);
Result<Kit> read_kit(std::string_view json);

}  // namespace lk::predict
