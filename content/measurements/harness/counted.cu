// The four transposes and two reductions once each, for a profiler to count (section 3.4).
// Build and run:  nvcc -O3 -std=c++17 -lineinfo -arch=native counted.cu -o counted && ncu --clock-control none ./counted
#define LK_HARNESS
#include <cstdio>
#include <cstdlib>

#include "../../listings/reductions.cu"
#include "../../listings/transposes.cu"

static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int main() {
  const int n = 1024;
  float *in, *out;
  int *numbers, *sums;
  must(cudaMalloc(&in, n * n * 4), "in"), must(cudaMalloc(&out, n * n * 4), "out");
  must(cudaMalloc(&numbers, n * n * 4), "numbers"), must(cudaMalloc(&sums, n * n / 256 * 4), "sums");
  must(cudaMemset(in, 1, n * n * 4), "in"), must(cudaMemset(numbers, 1, n * n * 4), "numbers");
  const dim3 blocks(n / 32, n / 32), threads(32, 8);
  transpose_copy<<<blocks, threads>>>(in, out, n);
  transpose_naive<<<blocks, threads>>>(in, out, n);
  transpose_tiled<<<blocks, threads>>>(in, out, n);
  transpose_padded<<<blocks, threads>>>(in, out, n);
  reduce_1<<<n * n / 256, 256>>>(numbers, sums, n * n);
  reduce_2<<<n * n / 256, 256>>>(numbers, sums, n * n);
  reduce_3<<<n * n / 256, 256>>>(numbers, sums, n * n);
  must(cudaGetLastError(), "launch");
  must(cudaDeviceSynchronize(), "kernels");
  std::printf("done\n");
  return 0;
}
