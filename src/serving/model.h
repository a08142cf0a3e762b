// The table of models: content/models.json as values. Sizes as the models' own configuration files and reports print them.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "gpu/device.h"

namespace lk::serving {

/// A mixture of experts in place of the feed-forward network of every layer but the first `dense_layers`.
struct Experts {
  int count = 0, active = 0;  // routed experts, and how many of them a token visits
  int shared = 0;             // experts that every token visits
  int ffn = 0;                // inner width of one expert
  int dense_layers = 0;       // these keep a feed-forward network of width Model::ffn
  bool bias = false;          // the router adds a number to each expert's score
};

/// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1): K and V of all heads come from one vector.
struct Latent {
  int query = 0;  // width to which queries are compressed
  int kv = 0;     // width of the cached vector
  int rope = 0;   // width of the cached key that carries the position, one for all heads
};

struct Model {
  std::string id, name;  // "llama3_8b", "Llama 3.1 8B"
  int layers = 0, hidden = 0, heads = 0, kv_heads = 0;
  int head_dim = 0;      // of a key (without its position part) and of a value
  int ffn = 0, vocab = 0;
  bool tied = false;     // the output head is the embedding table
  bool qk_norm = false;  // queries and keys are normalized by a gain of head_dim each
  std::optional<Experts> experts;
  std::optional<Latent> latent;
  gpu::Type dtype = gpu::Type::bf16;  // in which the weights are published
  double max_context = 0;             // tokens
  double parameters = 0;              // as published; the parts add up to it within half a percent
};

struct Models {
  std::vector<Model> all;
  std::string fallback;  // id of the model that figures start with
  const Model* find(std::string_view id) const;
};

/// Loads models.json; problems carry places in `file`. On any error the result is what could be read.
Models load_models(const json::Value& root, std::string_view file, std::vector<Problem>& problems);

}  // namespace lk::serving
