// Strided reads: the same number of floats wanted, more and more of them fetched.
// Build and run:  nvcc -O3 -arch=native strided.cu -o strided && ./strided
#include <cstdio>
#include <cstdlib>

// [kernel]
__global__ void read_strided(
    const float* __restrict__ in, float* __restrict__ out,
    size_t n, size_t stride) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) out[i] = in[i * stride];  // 4 * stride bytes apart
}
// [/kernel]

__global__ void number(float* data, size_t count) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < count) data[i] = float(i % 65'521);  // 65,521 is prime: a wrong index shows
}

static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

#ifndef LK_HARNESS
int main() {
  const size_t n = size_t{1} << 24, widest = 32;
  const unsigned threads = 256, blocks = unsigned(n / threads);
  float *in = nullptr, *out = nullptr;
  must(cudaMalloc(&in, n * widest * sizeof(float)), "input");
  must(cudaMalloc(&out, n * sizeof(float)), "output");
  number<<<unsigned(n * widest / threads), threads>>>(in, n * widest);

  cudaEvent_t begin, end;
  must(cudaEventCreate(&begin), "event");
  must(cudaEventCreate(&end), "event");
  float* back = static_cast<float*>(std::malloc(n * sizeof(float)));
  std::printf("stride        us   wanted GB/s\n");
  for (size_t stride = 1; stride <= widest; stride *= 2) {
    float best = 1e30f;
    for (int round = 0; round < 10; ++round) {
      must(cudaEventRecord(begin), "record");
      // [launch]
      read_strided<<<blocks, threads>>>(in, out, n, stride);
      // [/launch]
      must(cudaGetLastError(), "launch");
      must(cudaEventRecord(end), "record");
      must(cudaEventSynchronize(end), "kernel");
      float ms = 0;
      must(cudaEventElapsedTime(&ms, begin, end), "time");
      if (ms < best) best = ms;
    }
    must(cudaMemcpy(back, out, n * sizeof(float), cudaMemcpyDeviceToHost), "copy back");
    for (size_t i = 0; i < n; ++i)
      if (back[i] != float((i * stride) % 65'521)) {
        std::fprintf(stderr, "stride %zu: element %zu is wrong\n", stride, i);
        return 1;
      }
    std::printf("%6zu %9.1f %13.0f\n", stride, best * 1e3, 8.0 * n / best * 1e-6);
  }
  return 0;
}
#endif
