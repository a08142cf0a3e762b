// A predicted time, and what it is made of: every model of time answers in this form.
#pragma once
#include <string>
#include <vector>

namespace lk::gpu {

/// A part of a time. Parts of one Prediction overlap, so they do not add up to it; the largest that is `bound` names the limit.
struct Term {
  std::string name;    // "memory traffic"
  double us = 0;
  bool bound = true;   // may be the limit; a fixed share of every launch is none
};

struct Prediction {
  double us = 0;                     // microseconds
  std::vector<Term> terms;
  double floor_us = 0;               // what the datasheet's roofline alone would say
  double calibrated_floor_us = 0;    // the same roofline with rates that were measured, and the time of an empty launch
  std::string how;                   // what was chosen on the way: "tiles of 128 x 256, 2 waves"
  std::vector<std::string> outside;  // why this lies outside what the constants were fitted on; empty inside
  /// The largest term that can be the limit; nullptr when there is none.
  const Term* binding() const;
};

}  // namespace lk::gpu
