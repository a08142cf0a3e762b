// What a figure may look at besides its parameters: data tables, passed in. No files, no clock, no globals.
#pragma once
#include <string>
#include <vector>

#include "gpu/compiled.h"
#include "gpu/device.h"
#include "gpu/measured.h"
#include "gpu/predicted.h"
#include "serving/model.h"

namespace lk {

struct World {
  gpu::Devices devices;
  std::vector<gpu::MeasuredSet> measured;
  serving::Models models;
  gpu::Compiled compiled;  // empty where the content has none
  std::vector<gpu::PredictedSet> predicted;
  const gpu::MeasuredSet* measured_on(std::string_view device) const {
    for (const auto& set : measured)
      if (set.device == device) return &set;
    return nullptr;
  }
};

}  // namespace lk
