// What the models of library kernels share. Private to src/gpu.
#pragma once
#include <string>

#include "gpu/library_time.h"

namespace lk::gpu {

/// Reads from DRAM since the caches were flushed. A flush leaves changed lines in the L2, which are written back as new lines come.
class ColdReads {
 public:
  explicit ColdReads(const Calibration& c) : c_(c) {}
  double us(double bytes);  // of the next `bytes`

 private:
  const Calibration& c_;
  double read_ = 0;
};

/// (a^3 + b^3)^(1/3): arithmetic and memory traffic overlap, but not fully.
double blend(double a, double b);

/// A kernel without its launch: what it takes between two others of one stream.
struct Kernel {
  double us = 0, arithmetic = 0, memory = 0;
  double flop = 0, bytes = 0;      // least of both
  std::string how;
};
Kernel product(const Product& p, const Calibration& c, ColdReads& reads);
Kernel prefill_attention(const Attention& a, const Calibration& c);
Kernel decode_attention(const DecodeAttention& d, const Calibration& c, ColdReads& reads);
/// `reads` operands of `elements` bf16 numbers each and one result; slower where operands are halves of longer rows.
Kernel elementwise(double elements, int reads, bool contiguous, const Calibration& c);

bool splits_decode(const DecodeAttention& d, const Calibration& c);
double peak_per_us(Type type, const Calibration& c);  // FLOP per microsecond, dense, at full clock

/// The sum of kernels with their launches, terms and rooflines.
Prediction in_sequence(const std::vector<std::pair<std::string, Kernel>>& kernels, Type type, double gaps, const Calibration& c);

}  // namespace lk::gpu
