// Counting values into bins: all blocks in global memory, or each block in shared memory first.
// Build and run:  nvcc -O3 -arch=native histogram.cu -o histogram && ./histogram
#include <cstdio>
#include <cstdlib>

// [global]
__global__ void histogram_global(unsigned* counts, unsigned bins, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned hash = i * 2'654'435'761u;
    atomicAdd(&counts[hash % bins], 1u);
  }
}
// [/global]

// [privatized]
__global__ void histogram_privatized(unsigned* counts, unsigned bins, unsigned n) {
  extern __shared__ unsigned own[];
  for (unsigned b = threadIdx.x; b < bins; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned hash = i * 2'654'435'761u;
    atomicAdd(&own[hash % bins], 1u);
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < bins; b += blockDim.x)
    if (own[b] != 0) atomicAdd(&counts[b], own[b]);
}
// [/privatized]

#ifndef LK_HARNESS
static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int main() {
  const unsigned bins = 256, n = 1u << 24;
  unsigned *counts = nullptr, *want = static_cast<unsigned*>(std::calloc(bins, sizeof(unsigned)));
  must(cudaMallocManaged(&counts, bins * sizeof(unsigned)), "bins");
  for (unsigned i = 0; i < n; ++i) ++want[i * 2'654'435'761u % bins];
  for (int k = 0; k < 2; ++k) {
    must(cudaMemset(counts, 0, bins * sizeof(unsigned)), "clear");
    // [launch]
    if (k == 0) histogram_global<<<1056, 256>>>(counts, bins, n);
    else histogram_privatized<<<1056, 256, bins * sizeof(unsigned)>>>(counts, bins, n);
    // [/launch]
    must(cudaGetLastError(), "launch");
    must(cudaDeviceSynchronize(), "histogram");
    for (unsigned b = 0; b < bins; ++b)
      if (counts[b] != want[b]) {
        std::fprintf(stderr, "bin %u is wrong\n", b);
        return 1;
      }
    std::printf("%s: right\n", k == 0 ? "global" : "privatized");
  }
  return 0;
}
#endif
