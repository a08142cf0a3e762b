// Vector addition: one addition for every twelve bytes.
// Build and run:  nvcc -O3 -arch=native vec_add.cu -o vec_add && ./vec_add
#include <cstdio>
#include <cstdlib>

// [kernel]
__global__ void vec_add(
    const float* __restrict__ a, const float* __restrict__ b,
    float* __restrict__ c, size_t n) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];  // 8 B read, 4 B written
}
// [/kernel]

#ifndef LK_HARNESS
static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

__global__ void fill(float* data, size_t n, unsigned factor) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) data[i] = float(unsigned(i) * factor >> 12);  // whole numbers below 2^20: sums are exact
}

int main() {
  const size_t n = size_t{1} << 28;
  const unsigned threads = 256, blocks = unsigned(n / threads);
  float *a = nullptr, *b = nullptr, *c = nullptr;
  must(cudaMalloc(&a, n * sizeof(float)), "a");
  must(cudaMalloc(&b, n * sizeof(float)), "b");
  must(cudaMalloc(&c, n * sizeof(float)), "c");
  fill<<<blocks, threads>>>(a, n, 2'654'435'761u);
  fill<<<blocks, threads>>>(b, n, 2'246'822'519u);

  cudaEvent_t begin, end;
  must(cudaEventCreate(&begin), "event");
  must(cudaEventCreate(&end), "event");
  float best = 1e30f;
  for (int round = 0; round < 10; ++round) {
    must(cudaEventRecord(begin), "record");
    // [launch]
    vec_add<<<blocks, threads>>>(a, b, c, n);
    // [/launch]
    must(cudaGetLastError(), "launch");
    must(cudaEventRecord(end), "record");
    must(cudaEventSynchronize(end), "kernel");
    float ms = 0;
    must(cudaEventElapsedTime(&ms, begin, end), "time");
    if (ms < best) best = ms;
  }

  float* back = static_cast<float*>(std::malloc(n * sizeof(float)));
  must(cudaMemcpy(back, c, n * sizeof(float), cudaMemcpyDeviceToHost), "copy back");
  for (size_t i = 0; i < n; ++i) {
    const float x = float(unsigned(i) * 2'654'435'761u >> 12), y = float(unsigned(i) * 2'246'822'519u >> 12);
    if (back[i] != x + y) {
      std::fprintf(stderr, "element %zu is wrong\n", i);
      return 1;
    }
  }
  std::printf("%zu sums in %.1f us: %.0f GB/s, %.0f GFLOP/s\n", n, best * 1e3, 12.0 * n / best * 1e-6, n / best * 1e-6);
  return 0;
}
#endif
