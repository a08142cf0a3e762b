// The sum of an array of integers, seven times, each step removing what slowed the one before. Every block writes one partial sum.
// Build and run:  nvcc -O3 -arch=native reductions.cu -o reductions && ./reductions
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int threads = 256;

// [modulo]
__global__ void reduce_1(const int* in, int* out) {
  __shared__ int part[threads];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = in[i];
  __syncthreads();
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    if (t % (2 * step) == 0) part[t] += part[t + step];  // every second thread of a warp idles, then three of four ...
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
// [/modulo]

// [strided]
__global__ void reduce_2(const int* in, int* out) {
  __shared__ int part[threads];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = in[i];
  __syncthreads();
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    const unsigned at = 2 * step * t;  // whole warps work, but their words share banks
    if (at < blockDim.x) part[at] += part[at + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
// [/strided]

// [sequential]
__global__ void reduce_3(const int* in, int* out) {
  __shared__ int part[threads];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = in[i];
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];  // neighboring threads, neighboring words
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
// [/sequential]

// [first]
__global__ void reduce_4(const int* in, int* out) {
  __shared__ int part[threads];
  const unsigned t = threadIdx.x, i = blockIdx.x * (2 * blockDim.x) + t;
  part[t] = in[i] + in[i + blockDim.x];  // no thread idles in the first round
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
// [/first]

// [shuffle]
__device__ int warp_sum(int sum) {
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
  return sum;
}

__global__ void reduce_5(const int* in, int* out) {
  __shared__ int part[threads];
  const unsigned t = threadIdx.x, i = blockIdx.x * (2 * blockDim.x) + t;
  part[t] = in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 32; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  if (t < 32) {  // one warp is left: it needs no barrier of the block
    const int sum = warp_sum(part[t] + part[t + 32]);
    if (t == 0) out[blockIdx.x] = sum;
  }
}
// [/shuffle]

// [unrolled]
__device__ void block_sum(int* part, int* out) {
  const unsigned t = threadIdx.x;
  if (t < 128) part[t] += part[t + 128];
  __syncthreads();
  if (t < 64) part[t] += part[t + 64];
  __syncthreads();
  if (t < 32) {
    const int sum = warp_sum(part[t] + part[t + 32]);
    if (t == 0) out[blockIdx.x] = sum;
  }
}

__global__ void reduce_6(const int* in, int* out) {
  __shared__ int part[threads];
  const unsigned t = threadIdx.x, i = blockIdx.x * (2 * threads) + t;
  part[t] = in[i] + in[i + threads];
  __syncthreads();
  block_sum(part, out);
}
// [/unrolled]

// [grid]
__global__ void reduce_7(const int* in, int* out, unsigned n) {
  __shared__ int part[threads];
  int sum = 0;
  for (unsigned i = blockIdx.x * (2 * threads) + threadIdx.x; i < n; i += 2 * threads * gridDim.x) sum += in[i] + in[i + threads];
  part[threadIdx.x] = sum;
  __syncthreads();
  block_sum(part, out);
}
// [/grid]

#ifndef LK_HARNESS
static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int main() {
  const unsigned n = 1u << 22;
  std::vector<int> numbers(n);
  long long wanted = 0;
  for (unsigned i = 0; i < n; ++i) wanted += numbers[i] = int((i * 2'654'435'761u) >> 24);
  int *in = nullptr, *out = nullptr;
  must(cudaMalloc(&in, n * sizeof(int)), "input");
  must(cudaMalloc(&out, n / threads * sizeof(int)), "output");
  must(cudaMemcpy(in, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice), "copy");

  void (*const kernels[])(const int*, int*) = {reduce_1, reduce_2, reduce_3, reduce_4, reduce_5, reduce_6};
  for (int k = 1; k <= 7; ++k) {
    const unsigned blocks = k <= 3 ? n / threads : k <= 6 ? n / (2 * threads) : 132 * 8;
    if (k < 7)
      kernels[k - 1]<<<blocks, threads>>>(in, out);
    else
      reduce_7<<<blocks, threads>>>(in, out, n);
    must(cudaGetLastError(), "launch");
    std::vector<int> parts(blocks);
    must(cudaMemcpy(parts.data(), out, blocks * sizeof(int), cudaMemcpyDeviceToHost), "copy back");
    long long sum = 0;
    for (const int part : parts) sum += part;
    if (sum != wanted) {
      std::fprintf(stderr, "reduce_%d: %lld instead of %lld\n", k, sum, wanted);
      return 1;
    }
  }
  std::printf("all right\n");
  return 0;
}
#endif
