#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <vector>

#include "gpu/library_parts.h"

namespace lk::gpu {
namespace {

constexpr double tile_rows = 128;  // queries of a tile, and keys that it takes at a time
constexpr double scheduled_heads = 64;  // list scheduling of more heads than this settles into a steady state

double efficiency(const Attention& a, const LibraryConstants& l) {
  if (a.kernel == AttentionKernel::flash2) return a.dim >= 128 ? l.flash_128 : l.flash_64;
  return a.dim >= 128 ? l.fused_128 : l.fused_64;
}

/// Cycles until the last of `jobs`, taken in order by the first of `servers` that is free, is done.
double list_schedule(const std::vector<double>& jobs, size_t copies, size_t servers) {
  std::priority_queue<double, std::vector<double>, std::greater<>> free;
  double last = 0;
  for (size_t copy = 0; copy < copies; ++copy) {
    for (const double job : jobs) {
      double at = 0;
      if (free.size() == servers) {
        at = free.top();
        free.pop();
      }
      free.push(at + job);
      last = std::max(last, at + job);
    }
  }
  return last;
}

/// Q K^T (columns = seq, depth = dim) or P V (columns = dim, depth = seq) for all heads.
Kernel score_product(const Attention& a, double columns, double depth, double scores, const Calibration& c) {
  const LibraryConstants& l = c.library;
  const double m = columns >= 128 ? 256 : 128, n = columns >= 128 ? 128 : 64;
  const double waves = std::ceil(a.batch * a.heads * std::ceil(a.seq / m) * std::ceil(columns / n) / c.sms);
  const double rate = c.peak_per_cycle[static_cast<size_t>(Type::bf16)] * l.efficiency_bf16;
  Kernel k;
  k.flop = 2 * a.batch * a.heads * a.seq * columns * depth;
  k.arithmetic = waves * (2 * m * n * depth / rate + l.wave) / c.clock;
  k.memory = scores / l.bandwidth;
  k.bytes = scores;
  k.us = l.gemm_fill + blend(k.arithmetic, k.memory);
  return k;
}

Prediction unfused(const Attention& a, const Calibration& c) {
  const LibraryConstants& l = c.library;
  const double elements = a.batch * a.heads * a.seq * a.seq, scores = 2 * elements;
  Kernel softmax;
  softmax.memory = 2 * scores / l.bandwidth;
  softmax.arithmetic = elements / l.softmax;
  softmax.bytes = 2 * scores;
  softmax.us = l.elementwise_fill + blend(softmax.arithmetic, softmax.memory);
  Prediction out = in_sequence({{"Q times K", score_product(a, a.seq, a.dim, scores, c)},
                                {"scale", elementwise(elements, 1, true, c)},
                                {"softmax", softmax},
                                {"P times V", score_product(a, a.dim, a.seq, scores, c)}},
                               Type::bf16, 4, c);
  if (const double host = 4 * l.host - l.host_hidden; host > out.us) {
    out.us = host;
    out.terms.push_back({"launches from the host", host});
  }
  return out;
}

}  // namespace

Kernel prefill_attention(const Attention& a, const Calibration& c) {
  const LibraryConstants& l = c.library;
  const double rows = std::ceil(a.seq / tile_rows), heads = a.batch * a.heads;
  const double block = 4 * tile_rows * tile_rows * a.dim / (c.peak_per_cycle[static_cast<size_t>(Type::bf16)] * efficiency(a, l));
  Kernel k;
  double cycles = 0;
  if (a.causal) {
    // Row i of tiles meets i + 1 blocks of keys; the masked one on the diagonal costs extra. Rows are unequal, so they are scheduled.
    std::vector<double> jobs;
    double sum = 0;
    for (double i = 0; i < rows; ++i) jobs.push_back((i + 1 + l.attention_mask) * block + l.attention_wave), sum += jobs.back();
    const double some = std::min(heads, scheduled_heads);
    cycles = list_schedule(jobs, static_cast<size_t>(some), static_cast<size_t>(c.sms)) + sum * (heads - some) / c.sms;
    k.flop = 2 * heads * a.seq * (a.seq + 1) * a.dim;
  } else {
    cycles = std::ceil(heads * rows / c.sms) * (rows * block + l.attention_wave);
    k.flop = 4 * heads * a.seq * a.seq * a.dim;
  }
  k.bytes = 8 * heads * a.seq * a.dim;  // Q, K, V and the output
  k.arithmetic = cycles / c.clock;
  k.memory = k.bytes / l.bandwidth;
  k.us = k.arithmetic + l.attention_fill;
  // With few tiles it cuts the keys into parts for more SMs, and adds the parts up in a second kernel.
  const bool split = a.kernel == AttentionKernel::flash2 && heads * std::ceil(a.seq / 64) < 0.8 * 2 * c.sms && heads * rows < c.sms;
  if (split) k.us += l.gap + l.attention_split + 16 * heads * a.seq * a.dim / l.bandwidth;
  k.how = std::to_string(static_cast<long long>(heads * rows)) + " tiles of 128 queries" + (split ? ", keys in parts" : "");
  return k;
}

bool splits_decode(const DecodeAttention& d, const Calibration& c) { return d.batch * d.kv_heads < 0.9 * c.sms; }

Kernel decode_attention(const DecodeAttention& d, const Calibration& c, ColdReads& reads) {
  Kernel k;
  k.bytes = 4 * d.batch * d.kv_heads * d.seq * d.dim;
  k.memory = reads.us(k.bytes);
  const bool split = splits_decode(d, c);
  k.us = c.library.decode + k.memory + (split ? c.library.decode_split : 0);
  k.how = split ? "keys in parts for all multiprocessors, then one kernel that adds them up" : "one block for each sequence and KV head";
  return k;
}

Prediction attention_time(const Attention& a, const Calibration& c) {
  if (a.kernel == AttentionKernel::unfused) return unfused(a, c);
  return in_sequence({{"attention", prefill_attention(a, c)}}, Type::bf16, 0, c);
}

Prediction decode_attention_time(const DecodeAttention& d, const Calibration& c) {
  ColdReads reads(c);
  return in_sequence({{"attention over the cache", decode_attention(d, c, reads)}}, Type::bf16, 0, c);
}

}  // namespace lk::gpu
