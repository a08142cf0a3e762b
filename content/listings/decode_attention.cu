// Attention of one query against a long cache: each block takes a part of the keys and values, a second kernel combines the parts.
// Build and run:  nvcc -O3 -arch=native decode_attention.cu -o decode_attention && ./decode_attention
#include <cmath>
#include <cstdio>
#include <cstdlib>

// [split]
constexpr int dim = 128;       // of a head
constexpr int split_warps = 4;

// grid: (splits, heads); a warp takes every fourth key of its block's part, four elements of the head per lane
__global__ void __launch_bounds__(32 * split_warps) attention_split(
    const float* __restrict__ query, const float* __restrict__ keys, const float* __restrict__ values,
    float* __restrict__ parts, float2* __restrict__ states, int length) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int split = blockIdx.x, head = blockIdx.y;
  const int each = (length + gridDim.x - 1) / gridDim.x;
  const int begin = split * each, end = min(begin + each, length);
  const size_t base = size_t(head) * length * dim;
  const float4 q = reinterpret_cast<const float4*>(query + head * dim)[lane];
  float most = -INFINITY, sum = 0;
  float4 out = make_float4(0, 0, 0, 0);
  for (int i = begin + warp; i < end; i += split_warps) {
    const float4 k = reinterpret_cast<const float4*>(keys + base + size_t(i) * dim)[lane];
    float score = q.x * k.x + q.y * k.y + q.z * k.z + q.w * k.w;
    for (int offset = 16; offset > 0; offset /= 2)
      score += __shfl_xor_sync(0xffffffff, score, offset);
    score *= 0.08838834764f;  // 1 / sqrt(128)
    const float top = fmaxf(most, score);
    const float keep = __expf(most - top), p = __expf(score - top);
    const float4 v = reinterpret_cast<const float4*>(values + base + size_t(i) * dim)[lane];
    out.x = out.x * keep + p * v.x;
    out.y = out.y * keep + p * v.y;
    out.z = out.z * keep + p * v.z;
    out.w = out.w * keep + p * v.w;
    sum = sum * keep + p;
    most = top;
  }
  __shared__ float4 outs[split_warps][32];
  __shared__ float2 own[split_warps];
  outs[warp][lane] = out;
  if (lane == 0) own[warp] = make_float2(most, sum);
  __syncthreads();
  if (warp != 0) return;
  for (int w = 1; w < split_warps; ++w) {
    const float2 other = own[w];
    const float top = fmaxf(most, other.x);
    if (top == -INFINITY) continue;  // neither had a key
    const float keep = __expf(most - top), add = __expf(other.x - top);
    const float4 o = outs[w][lane];
    out.x = out.x * keep + o.x * add;
    out.y = out.y * keep + o.y * add;
    out.z = out.z * keep + o.z * add;
    out.w = out.w * keep + o.w * add;
    sum = sum * keep + other.y * add;
    most = top;
  }
  const int part = head * gridDim.x + split;
  reinterpret_cast<float4*>(parts + size_t(part) * dim)[lane] = out;
  if (lane == 0) states[part] = make_float2(most, sum);
}
// [/split]

// [combine]
// grid: heads; one thread per element of the head
__global__ void __launch_bounds__(dim) attention_combine(
    const float* __restrict__ parts, const float2* __restrict__ states, float* __restrict__ out, int splits) {
  const int head = blockIdx.x, d = threadIdx.x;
  float most = -INFINITY;
  for (int s = 0; s < splits; ++s) most = fmaxf(most, states[head * splits + s].x);
  float sum = 0, value = 0;
  for (int s = 0; s < splits; ++s) {
    const float2 state = states[head * splits + s];
    const float scale = __expf(state.x - most);
    sum += state.y * scale;
    value += parts[size_t(head * splits + s) * dim + d] * scale;
  }
  out[head * dim + d] = value / sum;
}
// [/combine]

#ifndef LK_HARNESS
static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int main() {
  const int heads = 8, length = 1500, splits = 12;
  const size_t n = size_t(heads) * length * dim;
  float *query = nullptr, *keys = nullptr, *values = nullptr, *parts = nullptr, *out = nullptr;
  float2* states = nullptr;
  must(cudaMallocManaged(&query, heads * dim * sizeof(float)), "query");
  must(cudaMallocManaged(&keys, n * sizeof(float)), "keys");
  must(cudaMallocManaged(&values, n * sizeof(float)), "values");
  must(cudaMallocManaged(&parts, heads * splits * dim * sizeof(float)), "parts");
  must(cudaMallocManaged(&states, heads * splits * sizeof(float2)), "states");
  must(cudaMallocManaged(&out, heads * dim * sizeof(float)), "output");
  const auto some = [](size_t i) { return float(int(unsigned(i) * 2'654'435'761u >> 20) - 2048) / 2048; };
  for (int i = 0; i < heads * dim; ++i) query[i] = 4 * some(i);
  for (size_t i = 0; i < n; ++i) keys[i] = some(i + 77), values[i] = some(3 * i + 5);
  // [launch]
  attention_split<<<dim3(splits, heads), 32 * split_warps>>>(query, keys, values, parts, states, length);
  attention_combine<<<heads, dim>>>(parts, states, out, splits);
  // [/launch]
  must(cudaGetLastError(), "launch");
  must(cudaDeviceSynchronize(), "attention");
  double* score = static_cast<double*>(std::malloc(length * sizeof(double)));
  for (int h = 0; h < heads; ++h) {
    double most = -1e30, sum = 0;
    for (int i = 0; i < length; ++i) {
      score[i] = 0;
      for (int d = 0; d < dim; ++d) score[i] += double(query[h * dim + d]) * keys[(size_t(h) * length + i) * dim + d];
      score[i] /= std::sqrt(double(dim));
      most = std::fmax(most, score[i]);
    }
    for (int i = 0; i < length; ++i) sum += score[i] = std::exp(score[i] - most);
    for (int d = 0; d < dim; ++d) {
      double want = 0;
      for (int i = 0; i < length; ++i) want += score[i] / sum * values[(size_t(h) * length + i) * dim + d];
      if (!(std::fabs(out[h * dim + d] - want) <= 1e-4)) {
        std::fprintf(stderr, "head %d, element %d is wrong\n", h, d);
        return 1;
      }
    }
  }
  std::printf("right\n");
  return 0;
}
#endif
