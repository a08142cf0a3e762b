// Library kernels by name. Their models are in gpu/library_time.h; what they do is said in measurements/.
#include <algorithm>

#include "gpu/library_time.h"
#include "predict/kernel.h"

namespace lk::predict {
namespace {

using gpu::Calibration;
using gpu::Prediction;
using Model = Prediction (*)(const Values&, const Calibration&);

struct Entry {
  Kernel kernel;
  Model model;
};

Parameter size(std::string name, std::string doc, double most = 1e6) { return {std::move(name), std::move(doc), 1, most, {}, true}; }

std::vector<Parameter> product_parameters() {
  return {size("m", "rows of the first operand and of the result"), size("n", "columns of the result"), size("k", "columns of the first operand")};
}

template <gpu::Type type>
Prediction product(const Values& v, const Calibration& c) {
  return gpu::product_time({value(v, "m"), value(v, "n"), value(v, "k"), type}, c);
}

std::vector<Parameter> attention_parameters() {
  return {size("batch", "sequences", 65536), size("heads", "heads of each, every one with keys and values of its own", 65536),
          size("seq", "tokens of each sequence", 1 << 20), size("dim", "numbers in a head", 256),
          {"causal", "1: each token sees itself and those before it; 0: all", 0, 1, 0.0, true}};
}

template <gpu::AttentionKernel kernel>
Prediction attention(const Values& v, const Calibration& c) {
  return gpu::attention_time({value(v, "batch"), value(v, "heads"), value(v, "seq"), value(v, "dim"), value(v, "causal") == 1, kernel}, c);
}

Prediction decode(const Values& v, const Calibration& c) {
  return gpu::decode_attention_time({value(v, "batch"), value(v, "kv_heads"), value(v, "seq"), value(v, "dim")}, c);
}
Prediction layer_decode(const Values& v, const Calibration& c) { return gpu::layer_decode_time({}, value(v, "batch"), value(v, "seq"), c); }
Prediction layer_prefill(const Values& v, const Calibration& c) { return gpu::layer_prefill_time({}, value(v, "tokens"), c); }

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      {{"gemm_bf16", "gemm_bf16", "matrix product of the vendor's library, second operand stored n x k", true, product_parameters()}, product<gpu::Type::bf16>},
      {{"gemm_fp8", "gemm_fp8", "the same in E4M3 with a BF16 result", true, product_parameters()}, product<gpu::Type::fp8>},
      {{"gemm_tf32", "gemm_tf32", "the same in TF32", true, product_parameters()}, product<gpu::Type::tf32>},
      {{"gemm_fp32", "gemm_fp32", "the same in FP32, on the CUDA cores", true, product_parameters()}, product<gpu::Type::fp32>},
      {{"attention_flash2", "attention", "forward attention of whole prompts, BF16, FlashAttention-2", true, attention_parameters()},
       attention<gpu::AttentionKernel::flash2>},
      {{"attention_fused", "attention", "forward attention of whole prompts, BF16, the vendor's fused kernel", true, attention_parameters()},
       attention<gpu::AttentionKernel::fused>},
      {{"attention_standard", "attention_standard", "product, scale, softmax, product as kernels of their own", true, attention_parameters()},
       attention<gpu::AttentionKernel::unfused>},
      {{"attention_decode", "attention_decode", "one query token for each sequence, grouped heads, BF16", true,
        {size("batch", "sequences", 65536), {"heads", "query heads", 1, 65536, 32.0, true}, size("kv_heads", "heads of keys and values", 65536),
         size("seq", "cached tokens of each", 1 << 24), size("dim", "numbers in a head", 1024)}},
       decode},
      {{"llama3_8b_layer_decode", "layer", "one layer of Llama 3 8B, a token for each sequence, one CUDA graph", true,
        {size("batch", "sequences", 65536), size("seq", "cached tokens of each", 1 << 24)}},
       layer_decode},
      {{"llama3_8b_layer_prefill", "layer", "the same layer over one prompt, launched from PyTorch", true, {size("tokens", "of the prompt", 1 << 20)}},
       layer_prefill},
  };
  return all;
}

}  // namespace

const std::vector<Kernel>& library_kernels() {
  static const std::vector<Kernel> all = [] {
    std::vector<Kernel> list;
    for (const Entry& e : entries()) list.push_back(e.kernel);
    return list;
  }();
  return all;
}

Prediction predict_library(const Kernel& kernel, const Values& values, const Calibration& c) {
  for (const Entry& e : entries())
    if (e.kernel.name == kernel.name) return e.model(values, c);
  return {};
}

}  // namespace lk::predict
