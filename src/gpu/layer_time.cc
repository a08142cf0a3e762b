#include <algorithm>
#include <cmath>

#include "gpu/library_parts.h"

namespace lk::gpu {
namespace {

constexpr double eager_operations = 13.5;  // that PyTorch launches for one layer of a prompt, counted in a profile

using Kernels = std::vector<std::pair<std::string, Kernel>>;

/// The products and elementwise kernels around attention, in the order in which they run.
Kernels around(const LayerSizes& s, double tokens, const std::pair<std::string, Kernel>& attention, ColdReads& reads, const Calibration& c,
               const Kernel& projected) {
  // For one token the halves of the gate's output are contiguous.
  const bool contiguous = tokens == 1;
  const Kernel out = product({tokens, s.width, s.heads * s.dim, Type::bf16}, c, reads);
  const Kernel add = elementwise(tokens * s.width, 2, true, c);
  const Kernel up = product({tokens, 2 * s.inner, s.width, Type::bf16}, c, reads);
  const Kernel gate = elementwise(tokens * s.inner, 1, contiguous, c), times = elementwise(tokens * s.inner, 2, contiguous, c);
  const Kernel down = product({tokens, s.width, s.inner, Type::bf16}, c, reads);
  return {{"Q, K and V", projected}, attention, {"attention output", out}, {"first sum", add}, {"gate and up", up},
          {"gate", gate},            {"product with the gate", times},     {"down", down},     {"second sum", add}};
}

Kernel project(const LayerSizes& s, double tokens, ColdReads& reads, const Calibration& c) {
  return product({tokens, (s.heads + 2 * s.kv_heads) * s.dim, s.width, Type::bf16}, c, reads);
}

}  // namespace

Kernel elementwise(double elements, int reads, bool contiguous, const Calibration& c) {
  Kernel k;
  k.bytes = 2 * elements * (reads + 1);
  k.memory = k.bytes / c.library.bandwidth;
  k.arithmetic = contiguous ? 0 : elements / c.library.elementwise;
  k.us = c.library.elementwise_fill + (contiguous ? k.memory : k.arithmetic);
  return k;
}

Prediction in_sequence(const std::vector<std::pair<std::string, Kernel>>& kernels, Type type, double gaps, const Calibration& c) {
  const LibraryConstants& l = c.library;
  Prediction out;
  const double launches = l.launch + l.gap * gaps;
  double arithmetic = 0, memory = 0, measured = 0;
  const double peak = peak_per_us(type, c);
  out.us = launches;
  for (const auto& [name, k] : kernels) {
    out.us += k.us;
    arithmetic += k.arithmetic;
    memory += k.memory;
    const double compute = peak > 0 ? k.flop / peak : 0;
    out.floor_us += std::max(compute, k.bytes / c.datasheet_bandwidth);
    measured += std::max(compute / l.efficiency_bf16, k.bytes / l.bandwidth);
    if (!k.how.empty()) out.how += (out.how.empty() ? "" : "; ") + (kernels.size() > 1 ? name + ": " : "") + k.how;
  }
  out.calibrated_floor_us = measured + launches;
  out.terms = {{"launch", launches, false}, {"arithmetic", arithmetic}, {"memory traffic", memory}};
  if (kernels.size() > 1)
    for (const auto& [name, k] : kernels) out.terms.push_back({name, k.us, false});
  return out;
}

Prediction layer_decode_time(const LayerSizes& s, double batch, double seq, const Calibration& c) {
  ColdReads reads(c);
  const Kernel projected = project(s, batch, reads, c);
  const DecodeAttention d{batch, s.kv_heads, seq, s.dim};
  const Kernel attention = decode_attention(d, c, reads);
  return in_sequence(around(s, batch, {"attention", attention}, reads, c, projected), Type::bf16, 9 + (splits_decode(d, c) ? 1 : 0), c);
}

Prediction layer_prefill_time(const LayerSizes& s, double tokens, const Calibration& c) {
  ColdReads reads(c);
  const Kernel projected = project(s, tokens, reads, c);
  const Kernel attention = prefill_attention({1, s.heads, tokens, s.dim, true, AttentionKernel::fused}, c);
  Prediction out = in_sequence(around(s, tokens, {"attention", attention}, reads, c, projected), Type::bf16, 11, c);
  if (const double host = eager_operations * c.library.host - c.library.host_hidden; host > out.us) {
    out.us = host;
    out.terms.push_back({"launches from the host", host});
  }
  return out;
}

}  // namespace lk::gpu
