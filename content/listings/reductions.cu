// Summing n ints seven ways, each step removing what slowed the one before. Blocks of 256 threads; each leaves one sum.
// Build and run:  nvcc -O3 -arch=native reductions.cu -o reductions && ./reductions
#include <cstdio>
#include <cstdlib>

// [modulo]
__global__ void reduce_1(const int* in, int* out, unsigned n) {
  __shared__ int sums[256];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0) sums[t] += sums[t + s];  // every second, fourth ... thread
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
// [/modulo]

// [strided]
__global__ void reduce_2(const int* in, int* out, unsigned n) {
  __shared__ int sums[256];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    const unsigned k = 2 * s * t;  // the first threads work, on strided words
    if (k < blockDim.x) sums[k] += sums[k + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
// [/strided]

// [sequential]
__global__ void reduce_3(const int* in, int* out, unsigned n) {
  __shared__ int sums[256];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s) sums[t] += sums[t + s];  // neighbors read neighbors
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
// [/sequential]

// [first_add]
__global__ void reduce_4(const int* in, int* out, unsigned n) {
  __shared__ int sums[256];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
  int sum = i < n ? in[i] : 0;
  if (i + blockDim.x < n) sum += in[i + blockDim.x];  // no thread only loads
  sums[t] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
// [/first_add]

// [last_warp]
__device__ __forceinline__ int warp_sum(int v) {
  for (int offset = 16; offset > 0; offset /= 2)
    v += __shfl_down_sync(0xffffffff, v, offset);
  return v;
}

__global__ void reduce_5(const int* in, int* out, unsigned n) {
  __shared__ int sums[256];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
  int sum = i < n ? in[i] : 0;
  if (i + blockDim.x < n) sum += in[i + blockDim.x];
  sums[t] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 32; s /= 2) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t < 32) {  // one warp is left: no barrier, no shared memory
    sum = warp_sum(sums[t] + sums[t + 32]);
    if (t == 0) out[blockIdx.x] = sum;
  }
}
// [/last_warp]

// [unrolled]
template <unsigned Threads>
__device__ __forceinline__ void block_sum(int sum, int* out) {
  __shared__ int sums[Threads];
  const unsigned t = threadIdx.x;
  sums[t] = sum;
  __syncthreads();
#pragma unroll
  for (unsigned s = Threads / 2; s > 32; s /= 2) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t < 32) {
    sum = warp_sum(sums[t] + sums[t + 32]);
    if (t == 0) out[blockIdx.x] = sum;
  }
}

__global__ void reduce_6(const int* in, int* out, unsigned n) {
  const unsigned i = blockIdx.x * 512 + threadIdx.x;
  int sum = i < n ? in[i] : 0;
  if (i + 256 < n) sum += in[i + 256];
  block_sum<256>(sum, out);
}
// [/unrolled]

// [grid_stride]
__global__ void reduce_7(const int* in, int* out, unsigned n) {
  int sum = 0;
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    sum += in[i];
  block_sum<256>(sum, out);
}
// [/grid_stride]

#ifndef LK_HARNESS
static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int main() {
  const unsigned n = (1u << 22) + 77;
  int *in = nullptr, *out = nullptr;
  must(cudaMallocManaged(&in, n * sizeof(int)), "input");
  must(cudaMallocManaged(&out, (n / 256 + 1) * sizeof(int)), "sums");
  int want = 0;
  for (unsigned i = 0; i < n; ++i) want += in[i] = int(i * 2'654'435'761u >> 24) - 100;
  using Kernel = void (*)(const int*, int*, unsigned);
  const Kernel kernels[] = {reduce_1, reduce_2, reduce_3, reduce_4, reduce_5, reduce_6, reduce_7};
  for (int k = 0; k < 7; ++k) {
    const unsigned each = k < 3 ? 256 : 512;
    unsigned blocks = (n + each - 1) / each;
    if (k == 6) blocks = blocks < 132 * 8 ? blocks : 132 * 8;
    // [launch]
    kernels[k]<<<blocks, 256>>>(in, out, n);
    // [/launch]
    must(cudaGetLastError(), "launch");
    must(cudaDeviceSynchronize(), "sum");
    int sum = 0;
    for (unsigned b = 0; b < blocks; ++b) sum += out[b];
    if (sum != want) {
      std::fprintf(stderr, "reduce_%d: %d instead of %d\n", k + 1, sum, want);
      return 1;
    }
    std::printf("reduce_%d: right\n", k + 1);
  }
  return 0;
}
#endif
