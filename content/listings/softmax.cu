// Softmax of each row of a matrix: three passes over the row, or two with a running maximum. A block of 256 threads per row.
// Build and run:  nvcc -O3 -arch=native softmax.cu -o softmax && ./softmax
#include <cmath>
#include <cstdio>
#include <cstdlib>

// [block]
__device__ __forceinline__ float block_max(float v) {
  __shared__ float best[8];
  for (int offset = 16; offset > 0; offset /= 2)
    v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, offset));
  if (threadIdx.x % 32 == 0) best[threadIdx.x / 32] = v;
  __syncthreads();
  v = best[threadIdx.x % 8];
  for (int offset = 4; offset > 0; offset /= 2)
    v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, offset));
  return v;
}

__device__ __forceinline__ float block_sum(float v) {
  __shared__ float sums[8];
  for (int offset = 16; offset > 0; offset /= 2)
    v += __shfl_xor_sync(0xffffffff, v, offset);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = v;
  __syncthreads();
  v = sums[threadIdx.x % 8];
  for (int offset = 4; offset > 0; offset /= 2)
    v += __shfl_xor_sync(0xffffffff, v, offset);
  return v;
}
// [/block]

// [three_pass]
__global__ void softmax_three_pass(
    const float* __restrict__ in, float* __restrict__ out, int cols) {
  const float* row = in + size_t(blockIdx.x) * cols;
  float* result = out + size_t(blockIdx.x) * cols;
  float most = -INFINITY;
  for (int c = threadIdx.x; c < cols; c += 256) most = fmaxf(most, row[c]);
  most = block_max(most);
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 256) sum += __expf(row[c] - most);
  sum = block_sum(sum);
  const float scale = 1 / sum;
  for (int c = threadIdx.x; c < cols; c += 256)
    result[c] = __expf(row[c] - most) * scale;
}
// [/three_pass]

// [online]
__global__ void softmax_online(
    const float* __restrict__ in, float* __restrict__ out, int cols) {
  const float* row = in + size_t(blockIdx.x) * cols;
  float* result = out + size_t(blockIdx.x) * cols;
  float most = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < cols; c += 256) {
    const float x = row[c];
    if (x > most) {  // the sum so far was taken against a smaller maximum
      sum *= __expf(most - x);
      most = x;
    }
    sum += __expf(x - most);
  }
  const float all = block_max(most);
  sum = block_sum(sum == 0 ? 0.0f : sum * __expf(most - all));
  const float scale = 1 / sum;
  for (int c = threadIdx.x; c < cols; c += 256)
    result[c] = __expf(row[c] - all) * scale;
}
// [/online]

#ifndef LK_HARNESS
static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int main() {
  const int rows = 300, cols = 1000;
  float *in = nullptr, *out = nullptr;
  must(cudaMallocManaged(&in, rows * cols * sizeof(float)), "input");
  must(cudaMallocManaged(&out, rows * cols * sizeof(float)), "output");
  for (int i = 0; i < rows * cols; ++i) in[i] = float(int(unsigned(i) * 2'654'435'761u >> 20) - 2048) / 256;
  for (int k = 0; k < 2; ++k) {
    must(cudaMemset(out, 0, rows * cols * sizeof(float)), "clear");
    // [launch]
    if (k == 0) softmax_three_pass<<<rows, 256>>>(in, out, cols);
    else softmax_online<<<rows, 256>>>(in, out, cols);
    // [/launch]
    must(cudaGetLastError(), "launch");
    must(cudaDeviceSynchronize(), "softmax");
    for (int r = 0; r < rows; ++r) {
      double most = -1e30, sum = 0;
      for (int c = 0; c < cols; ++c) most = std::fmax(most, double(in[r * cols + c]));
      for (int c = 0; c < cols; ++c) sum += std::exp(in[r * cols + c] - most);
      for (int c = 0; c < cols; ++c) {
        const double want = std::exp(in[r * cols + c] - most) / sum;
        if (!(std::fabs(out[r * cols + c] - want) <= 1e-5 * want + 1e-9)) {
          std::fprintf(stderr, "row %d, column %d is wrong\n", r, c);
          return 1;
        }
      }
    }
    std::printf("%s: right\n", k == 0 ? "three passes" : "online");
  }
  return 0;
}
#endif
