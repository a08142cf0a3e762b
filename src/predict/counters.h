// What the interpreter counts, with the definition that readers see and the Nsight Compute metric that it stands for.
#pragma once
#include <span>
#include <string_view>

#include "simt/run.h"

namespace lk::predict {

struct Counter {
  std::string_view id, title, definition;
  std::string_view ncu;  // metric of Nsight Compute; empty where it has none
  double (*value)(const simt::Counters& sum);
  bool ratio = false;    // a share from 0 to 1, not a sum
};

/// In the order in which they are shown. `sum` of a line or of a kernel is the sum over its instructions.
std::span<const Counter> counters();

/// The sum over the instructions of a kernel that stand on source line `line`, or over all when it is 0.
simt::Counters sum(const simt::Program& program, const simt::Kernel& kernel, const simt::Profile& profile, int line);

}  // namespace lk::predict
