// What one step of a decoder-only transformer costs: parameters, operations and bytes, counted from the model's sizes.
//
// A layer holds projections of queries, keys, values and outputs, a gated feed-forward network of three matrices, and two gains
// (Llama 2, arXiv 2307.09288, section 2.2; grouped heads: GQA, arXiv 2305.13245). A matrix-vector product performs two operations
// for each weight (Transformer Inference Arithmetic, "flops counting"). For each pair of a query and a key of one head, scores
// take two operations for each of the key's components and the weighted sum two for each of the value's.
#pragma once
#include "serving/model.h"

namespace lk::serving {

/// All parameters, embedding and gains included.
double parameters(const Model& m);
/// Weights that one token is multiplied with, the output head included: its own experts, no row of the embedding, no gains.
double active_weights(const Model& m);
/// Bytes that all parameters take, each in the model's published type.
double weight_bytes(const Model& m);
/// Bytes of weights that a step over `tokens` tokens reads. The embedding is a lookup and does not count unless it is the output
/// head too. Of the routed experts it counts those that are expected to be visited when tokens choose evenly and independently:
/// count * (1 - (1 - active/count)^tokens).
double weights_read(const Model& m, double tokens);

/// Numbers that the cache keeps for one token, over all layers: 2 * kv_heads * head_dim in each (Shazeer, arXiv 1911.02150,
/// for one key head; GQA for some), or kv + rope of a latent (DeepSeek-V2, table 1).
double kv_elements(const Model& m);

/// Operations and bytes of one step over a whole batch.
struct Step {
  double weight_flop = 0, attention_flop = 0;
  double weight_bytes = 0;
  double kv_bytes = 0;  // keys and values that cross the memory bus
  double flop() const { return weight_flop + attention_flop; }
  double bytes() const { return weight_bytes + kv_bytes; }
};

/// One token for each of `batch` sequences that attend to `context` tokens, the new one included: the K and V of the earlier
/// ones are read, those of the new one written. A latent is attended to as it is stored (DeepSeek-V2, section 2.1.2).
Step cached_step(const Model& m, double batch, double context, double bytes_per_element);
/// The same step when nothing was kept: every token of the prefix passes through every layer again, each attends to itself and
/// those before it, and the last one alone passes through the output head. K and V live only within their layer and do not count.
Step recomputed_step(const Model& m, double batch, double context);
/// The sum of cached_step() and of recomputed_step() over contexts 1 to `tokens`: operations that writing a sequence takes.
double cached_flop(const Model& m, double tokens);
double recomputed_flop(const Model& m, double tokens);

/// The least time of a step in seconds: products with weights and attention follow each other, and each takes the longer of its
/// time for arithmetic (at `weight_peak` and `attention_peak` FLOP/s) and its time for bytes (at `bandwidth` B/s).
double least_time(const Step& s, double weight_peak, double attention_peak, double bandwidth);

}  // namespace lk::serving
