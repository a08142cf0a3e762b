#include "serving/transformer.h"

#include <algorithm>
#include <cmath>

namespace lk::serving {
namespace {

// Weights by what a step does with them; each number is a sum over the layers.
struct Parts {
  double attention = 0, dense = 0, routed = 0, gains = 0;  // routed: all experts that tokens choose from
  double table = 0;                                        // the embedding, or the output head
};

Parts parts(const Model& m) {
  const double h = m.hidden, layers = m.layers, width = static_cast<double>(m.heads) * m.head_dim;
  Parts p;
  double attention = 2 * h * width + 2 * h * m.kv_heads * m.head_dim, gains = 2 * h + (m.qk_norm ? 2 * m.head_dim : 0);
  if (m.latent) {
    const Latent& l = *m.latent;
    attention = h * l.query + l.query * (width + m.heads * l.rope) + h * (l.kv + l.rope) + 2 * l.kv * width + width * h;
    gains += l.query + l.kv;
  }
  p.attention = layers * attention;
  p.gains = layers * gains + h;
  const double sparse = m.experts ? layers - m.experts->dense_layers : 0;
  p.dense = (layers - sparse) * 3 * h * m.ffn;
  if (m.experts) {
    const Experts& e = *m.experts;
    p.dense += sparse * (3 * h * e.ffn * e.shared + h * e.count);
    p.routed = sparse * 3 * h * e.ffn * e.count;
    p.gains += e.bias ? sparse * e.count : 0;
  }
  p.table = static_cast<double>(m.vocab) * h;
  return p;
}

// Of the routed experts' weights: what one token is multiplied with, and what several read.
double chosen(const Model& m) { return m.experts ? static_cast<double>(m.experts->active) / m.experts->count : 0; }
double visited(const Model& m, double tokens) { return 1 - std::pow(1 - chosen(m), tokens); }

double layer_weights(const Model& m) {
  const Parts p = parts(m);
  return p.attention + p.dense + p.routed * chosen(m);
}

// Operations for one pair of a query and a key, over all heads and layers. As stored, a latent is key and value of every head.
double pair_flop(const Model& m, bool stored) {
  const double heads = static_cast<double>(m.layers) * m.heads;
  if (!m.latent) return 4 * heads * m.head_dim;
  return 2 * heads * (stored ? 2 * m.latent->kv + m.latent->rope : 2 * m.head_dim + m.latent->rope);
}

}  // namespace

double parameters(const Model& m) {
  const Parts p = parts(m);
  return p.attention + p.dense + p.routed + p.gains + p.table * (m.tied ? 1 : 2);
}

double active_weights(const Model& m) { return layer_weights(m) + parts(m).table; }

double weight_bytes(const Model& m) { return parameters(m) * gpu::bytes(m.dtype); }

double weights_read(const Model& m, double tokens) {
  const Parts p = parts(m);
  return (p.attention + p.dense + p.routed * visited(m, tokens) + p.gains + p.table) * gpu::bytes(m.dtype);
}

double kv_elements(const Model& m) {
  const double layers = m.layers;
  return m.latent ? layers * (m.latent->kv + m.latent->rope) : 2 * layers * m.kv_heads * m.head_dim;
}

Step cached_step(const Model& m, double batch, double context, double bytes_per_element) {
  return {2 * batch * active_weights(m), batch * context * pair_flop(m, true), weights_read(m, batch), batch * context * kv_elements(m) * bytes_per_element};
}

Step recomputed_step(const Model& m, double batch, double context) {
  return {2 * batch * (context * layer_weights(m) + parts(m).table), batch * context * (context + 1) / 2 * pair_flop(m, false),
          weights_read(m, batch * context), 0};
}

double cached_flop(const Model& m, double tokens) {
  return 2 * tokens * active_weights(m) + tokens * (tokens + 1) / 2 * pair_flop(m, true);
}

double recomputed_flop(const Model& m, double tokens) {
  return tokens * (tokens + 1) * layer_weights(m) + 2 * tokens * parts(m).table + tokens * (tokens + 1) * (tokens + 2) / 6 * pair_flop(m, false);
}

double least_time(const Step& s, double weight_peak, double attention_peak, double bandwidth) {
  return std::max(s.weight_flop / weight_peak, s.weight_bytes / bandwidth) + std::max(s.attention_flop / attention_peak, s.kv_bytes / bandwidth);
}

}  // namespace lk::serving
