// Inclusive prefix sums of one block's 256 values three ways: doubling steps in shared memory, a tree up and down, and shuffles.
// Build and run:  nvcc -O3 -arch=native scans.cu -o scans && ./scans
#include <cstdio>
#include <cstdlib>

// [doubling]
__global__ void scan_doubling(const int* in, int* out) {
  __shared__ int sums[2][256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  int from = 0;
  sums[0][t] = in[i];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    sums[1 - from][t] = sums[from][t] + (t >= d ? sums[from][t - d] : 0);
    from = 1 - from;
    __syncthreads();
  }
  out[i] = sums[from][t];
}
// [/doubling]

// [tree]
__global__ void scan_tree(const int* in, int* out) {
  __shared__ int sums[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  const int own = in[i];
  sums[t] = own;
  for (int d = 1; d < 256; d *= 2) {  // up: sums of 2, 4, 8 ... neighbors
    __syncthreads();
    const int k = (t + 1) * 2 * d - 1;
    if (k < 256) sums[k] += sums[k - d];
  }
  __syncthreads();
  if (t == 0) sums[255] = 0;
  for (int d = 128; d > 0; d /= 2) {  // down: what stands before each of them
    __syncthreads();
    const int k = (t + 1) * 2 * d - 1;
    if (k < 256) {
      const int left = sums[k - d];
      sums[k - d] = sums[k];
      sums[k] += left;
    }
  }
  __syncthreads();
  out[i] = sums[t] + own;
}
// [/tree]

// [shuffles]
__global__ void scan_shuffles(const int* in, int* out) {
  __shared__ int totals[8];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32, i = blockIdx.x * 256 + t;
  int sum = in[i];
  for (int d = 1; d < 32; d *= 2) {
    const int left = __shfl_up_sync(0xffffffff, sum, d);
    if (lane >= d) sum += left;
  }
  if (lane == 31) totals[warp] = sum;
  __syncthreads();
  int before = 0;
  for (int w = 0; w < 8; ++w)
    if (w < warp) before += totals[w];
  out[i] = sum + before;
}
// [/shuffles]

#ifndef LK_HARNESS
static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int main() {
  const int blocks = 1000, n = blocks * 256;
  int *in = nullptr, *out = nullptr;
  must(cudaMallocManaged(&in, n * sizeof(int)), "input");
  must(cudaMallocManaged(&out, n * sizeof(int)), "output");
  for (int i = 0; i < n; ++i) in[i] = int(unsigned(i) * 2'654'435'761u >> 22) - 500;
  using Kernel = void (*)(const int*, int*);
  const Kernel kernels[] = {scan_doubling, scan_tree, scan_shuffles};
  const char* const names[] = {"doubling", "tree", "shuffles"};
  for (int k = 0; k < 3; ++k) {
    // [launch]
    kernels[k]<<<blocks, 256>>>(in, out);
    // [/launch]
    must(cudaGetLastError(), "launch");
    must(cudaDeviceSynchronize(), names[k]);
    for (int i = 0, sum = 0; i < n; ++i) {
      sum = (i % 256 == 0 ? 0 : sum) + in[i];
      if (out[i] != sum) {
        std::fprintf(stderr, "%s: element %d is wrong\n", names[k], i);
        return 1;
      }
    }
    std::printf("%s: right\n", names[k]);
  }
  return 0;
}
#endif
