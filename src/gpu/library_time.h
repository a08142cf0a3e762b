// Times of library kernels: matrix products, attention and a layer made of them, from tiles and waves.
//
// A library cuts a product into tiles, one for each multiprocessor at a time; tiles come in waves, and the last wave costs a whole
// one. The models try the tile shapes that the library was seen to use and take the quickest, which is what its heuristics aim
// at. Constants: calibration.h.
#pragma once
#include <optional>

#include "gpu/calibration.h"
#include "gpu/prediction.h"

namespace lk::gpu {

/// C (m x n) = A (m x k) * B (k x n) in bf16, fp8 (bf16 output), tf32 or fp32, dense, inputs in DRAM.
struct Product {
  double m = 1, n = 1, k = 1;
  Type type = Type::bf16;
};
Prediction product_time(const Product& p, const Calibration& c);

/// Forward attention of a whole prompt, bf16: queries and keys of `seq` tokens, every head with K and V of its own.
enum class AttentionKernel : uint8_t { fused, flash2, unfused };
struct Attention {
  double batch = 1, heads = 1, seq = 1, dim = 128;
  bool causal = false;
  AttentionKernel kernel = AttentionKernel::fused;
};
Prediction attention_time(const Attention& a, const Calibration& c);

/// One query token for each of `batch` sequences of `seq` cached tokens, `kv_heads` heads of `dim` in K and V, bf16.
struct DecodeAttention {
  double batch = 1, kv_heads = 8, seq = 1, dim = 128;
};
Prediction decode_attention_time(const DecodeAttention& d, const Calibration& c);

/// Sizes of a decoder layer with grouped heads and a gated feed-forward network.
struct LayerSizes {
  double width = 4096, inner = 14336, heads = 32, kv_heads = 8, dim = 128;
};
/// A layer over one token for each of `batch` sequences with `seq` cached tokens, launched as one CUDA graph.
Prediction layer_decode_time(const LayerSizes& s, double batch, double seq, const Calibration& c);
/// A layer over one prompt of `tokens`, launched operation by operation from PyTorch, which bounds short prompts.
Prediction layer_prefill_time(const LayerSizes& s, double tokens, const Calibration& c);

}  // namespace lk::gpu
