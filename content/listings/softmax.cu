// Softmax of each row of a matrix, one block for a row: in three passes, and in two with a maximum and a sum that are kept together.
// Build and run:  nvcc -O3 -arch=native softmax.cu -o softmax && ./softmax
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int threads = 256, warps = threads / 32;

// [three]
__device__ float block_max(float x, float* part) {
  for (int step = 16; step > 0; step /= 2) x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, step));
  __syncthreads();  // the parts of the call before have been read
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = x;
  __syncthreads();
  x = part[0];
  for (int w = 1; w < warps; ++w) x = fmaxf(x, part[w]);
  return x;
}

__device__ float block_sum(float x, float* part) {
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(0xffffffffu, x, step);
  __syncthreads();
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = x;
  __syncthreads();
  x = part[0];
  for (int w = 1; w < warps; ++w) x += part[w];
  return x;
}

__global__ void softmax_three_pass(const float* in, float* out, int cols) {
  __shared__ float part[warps];
  const float* row = in + blockIdx.x * size_t(cols);
  float* result = out + blockIdx.x * size_t(cols);
  float largest = -FLT_MAX;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) largest = fmaxf(largest, row[i]);
  largest = block_max(largest, part);
  float sum = 0;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) sum += __expf(row[i] - largest);
  sum = block_sum(sum, part);
  const float scale = 1.0f / sum;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) result[i] = __expf(row[i] - largest) * scale;
}
// [/three]

// [online]
struct Running {
  float largest, sum;  // sum of exp(x - largest) over the numbers so far
};

__device__ Running join(Running a, Running b) {
  const float largest = fmaxf(a.largest, b.largest);
  return {largest, a.sum * __expf(a.largest - largest) + b.sum * __expf(b.largest - largest)};
}

__global__ void softmax_online(const float* in, float* out, int cols) {
  __shared__ Running part[warps];
  const float* row = in + blockIdx.x * size_t(cols);
  float* result = out + blockIdx.x * size_t(cols);
  Running mine{-FLT_MAX, 0};
  for (int i = threadIdx.x; i < cols; i += blockDim.x) {
    const float x = row[i], largest = fmaxf(mine.largest, x);
    mine.sum = mine.sum * __expf(mine.largest - largest) + __expf(x - largest);
    mine.largest = largest;
  }
  for (int step = 16; step > 0; step /= 2) {
    const Running other{__shfl_xor_sync(0xffffffffu, mine.largest, step), __shfl_xor_sync(0xffffffffu, mine.sum, step)};
    mine = join(mine, other);
  }
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = mine;
  __syncthreads();
  Running all = part[0];
  for (int w = 1; w < warps; ++w) all = join(all, part[w]);
  const float scale = 1.0f / all.sum;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) result[i] = __expf(row[i] - all.largest) * scale;
}
// [/online]

#ifndef LK_HARNESS
static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int main() {
  const int rows = 64, cols = 5000;
  std::vector<float> numbers(size_t(rows) * cols), back(numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = float(unsigned(i) * 2'654'435'761u >> 8) * 0x1p-20f - 8.0f;
  float *in = nullptr, *out = nullptr;
  must(cudaMalloc(&in, numbers.size() * sizeof(float)), "input");
  must(cudaMalloc(&out, numbers.size() * sizeof(float)), "output");
  must(cudaMemcpy(in, numbers.data(), numbers.size() * sizeof(float), cudaMemcpyHostToDevice), "copy");
  for (const bool online : {false, true}) {
    if (online)
      softmax_online<<<rows, threads>>>(in, out, cols);
    else
      softmax_three_pass<<<rows, threads>>>(in, out, cols);
    must(cudaGetLastError(), "launch");
    must(cudaMemcpy(back.data(), out, back.size() * sizeof(float), cudaMemcpyDeviceToHost), "copy back");
    for (int r = 0; r < rows; ++r) {
      double largest = -1e30, sum = 0;
      for (int c = 0; c < cols; ++c) largest = std::fmax(largest, numbers[size_t(r) * cols + c]);
      for (int c = 0; c < cols; ++c) sum += std::exp(numbers[size_t(r) * cols + c] - largest);
      for (int c = 0; c < cols; ++c) {
        const double wanted = std::exp(numbers[size_t(r) * cols + c] - largest) / sum, got = back[size_t(r) * cols + c];
        if (std::fabs(got - wanted) <= 2e-5 * wanted + 1e-12) continue;
        std::fprintf(stderr, "%s: row %d, column %d: %g instead of %g\n", online ? "online" : "three passes", r, c, got, wanted);
        return 1;
      }
    }
  }
  std::printf("all right\n");
  return 0;
}
#endif
