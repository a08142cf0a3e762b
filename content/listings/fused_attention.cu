// Fused causal attention of one head: a block keeps 32 queries, walks the keys in tiles of 32 and never writes the scores.
// Build and run:  nvcc -O3 -arch=native fused_attention.cu -o fused_attention && ./fused_attention
#include <cmath>
#include <cstdio>
#include <cstdlib>

// [kernel]
constexpr int head_dim = 64;

// grid: (length / 32, heads); 128 threads: four share a query, each with eight of a tile's keys and 16 of the elements
__global__ void __launch_bounds__(128) attention_fused(
    const float* __restrict__ Q, const float* __restrict__ K, const float* __restrict__ V,
    float* __restrict__ O, int length) {
  __shared__ float q[32][head_dim + 1], k[32][head_dim + 1], v[32][head_dim];
  __shared__ float p[32][33];
  const int t = threadIdx.x, row = t / 4, part = t % 4;
  const int first = blockIdx.x * 32;
  const size_t base = size_t(blockIdx.y) * length * head_dim;
  for (int i = t; i < 32 * head_dim; i += 128)
    q[i / head_dim][i % head_dim] = Q[base + size_t(first) * head_dim + i];
  float out[16] = {}, most = -INFINITY, sum = 0;
  for (int tile = 0; tile <= first; tile += 32) {
    __syncthreads();  // everyone is done with the tile before
    for (int i = t; i < 32 * head_dim; i += 128) {
      k[i / head_dim][i % head_dim] = K[base + size_t(tile) * head_dim + i];
      v[i / head_dim][i % head_dim] = V[base + size_t(tile) * head_dim + i];
    }
    __syncthreads();
    float score[8] = {};
    for (int d = 0; d < head_dim; ++d)
      for (int j = 0; j < 8; ++j) score[j] += q[row][d] * k[part * 8 + j][d];
    float top = most;
    for (int j = 0; j < 8; ++j) {
      score[j] = tile + part * 8 + j <= first + row ? score[j] * 0.125f : -INFINITY;
      top = fmaxf(top, score[j]);
    }
    top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, 1));
    top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, 2));
    float added = 0;
    for (int j = 0; j < 8; ++j) {
      const float e = __expf(score[j] - top);
      p[row][part * 8 + j] = e;
      added += e;
    }
    added += __shfl_xor_sync(0xffffffff, added, 1);
    added += __shfl_xor_sync(0xffffffff, added, 2);
    const float keep = __expf(most - top);
    sum = sum * keep + added;
    most = top;
    __syncwarp();  // the four threads of a row are in one warp
    for (int d = 0; d < 16; ++d) out[d] *= keep;
    for (int j = 0; j < 32; ++j)
      for (int d = 0; d < 16; ++d) out[d] += p[row][j] * v[j][part * 16 + d];
    __syncwarp();
  }
  for (int d = 0; d < 16; ++d)
    O[base + size_t(first + row) * head_dim + part * 16 + d] = out[d] / sum;
}
// [/kernel]

#ifndef LK_HARNESS
static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int main() {
  const int heads = 4, length = 256;
  const size_t n = size_t(heads) * length * head_dim;
  float *q = nullptr, *k = nullptr, *v = nullptr, *out = nullptr;
  must(cudaMallocManaged(&q, n * sizeof(float)), "Q");
  must(cudaMallocManaged(&k, n * sizeof(float)), "K");
  must(cudaMallocManaged(&v, n * sizeof(float)), "V");
  must(cudaMallocManaged(&out, n * sizeof(float)), "O");
  const auto some = [](size_t i) { return float(int(unsigned(i) * 2'654'435'761u >> 20) - 2048) / 1024; };
  for (size_t i = 0; i < n; ++i) q[i] = some(i), k[i] = some(i + 99), v[i] = some(7 * i + 3);
  // [launch]
  attention_fused<<<dim3(length / 32, heads), 128>>>(q, k, v, out, length);
  // [/launch]
  must(cudaGetLastError(), "launch");
  must(cudaDeviceSynchronize(), "attention");
  double* score = static_cast<double*>(std::malloc(length * sizeof(double)));
  for (int h = 0; h < heads; ++h)
    for (int i = 0; i < length; ++i) {
      const size_t base = size_t(h) * length * head_dim;
      double most = -1e30, sum = 0;
      for (int j = 0; j <= i; ++j) {
        score[j] = 0;
        for (int d = 0; d < head_dim; ++d) score[j] += double(q[base + size_t(i) * head_dim + d]) * k[base + size_t(j) * head_dim + d];
        score[j] *= 0.125;
        most = std::fmax(most, score[j]);
      }
      for (int j = 0; j <= i; ++j) sum += score[j] = std::exp(score[j] - most);
      for (int d = 0; d < head_dim; ++d) {
        double want = 0;
        for (int j = 0; j <= i; ++j) want += score[j] / sum * v[base + size_t(j) * head_dim + d];
        if (!(std::fabs(out[base + size_t(i) * head_dim + d] - want) <= 1e-4)) {
          std::fprintf(stderr, "head %d, query %d, element %d is wrong\n", h, i, d);
          return 1;
        }
      }
    }
  std::printf("right\n");
  return 0;
}
#endif
