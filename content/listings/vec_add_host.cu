// A whole program around one launch: memory on the device, copies there and back, every status looked at.
// Build and run:  nvcc -O3 -arch=native vec_add_host.cu -o vec_add_host && ./vec_add_host
#include <cstdio>
#include <cstdlib>
#include <vector>

#ifndef LK_HARNESS
__global__ void vec_add(
    const float* __restrict__ a, const float* __restrict__ b,
    float* __restrict__ c, size_t n) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}
#endif

// [host]
using Vector = std::vector<float>;

static void add(const Vector& a, const Vector& b, Vector& c) {
  const size_t n = a.size(), bytes = n * sizeof(float);
  if (n == 0) return;  // a grid of no blocks is an error

  float *da, *db, *dc;  // addresses on the device
  must(cudaMalloc(&da, bytes), "memory for a");
  must(cudaMalloc(&db, bytes), "memory for b");
  must(cudaMalloc(&dc, bytes), "memory for c");
  must(cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice), "a");
  must(cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice), "b");

  const unsigned threads = 256;
  const unsigned blocks = unsigned((n + threads - 1) / threads);
  vec_add<<<blocks, threads>>>(da, db, dc, n);
  must(cudaGetLastError(), "launch");        // could it start?
  must(cudaDeviceSynchronize(), "vec_add");  // did it end well?

  must(cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost), "c");
  must(cudaFree(da), "free a");
  must(cudaFree(db), "free b");
  must(cudaFree(dc), "free c");
}
// [/host]

#ifndef LK_HARNESS
int main() {
  const size_t n = 1'000'000;
  Vector a(n), b(n), c(n);
  for (size_t i = 0; i < n; ++i) {
    a[i] = float(i * 7 % 65'521);  // whole numbers: sums are exact
    b[i] = float(i * 11 % 65'521);
  }
  add(a, b, c);
  for (size_t i = 0; i < n; ++i)
    if (c[i] != a[i] + b[i]) {
      std::fprintf(stderr, "element %zu is %g, not %g\n", i, c[i], a[i] + b[i]);
      return 1;
    }
  std::printf("%zu sums are right\n", n);
  return 0;
}
#endif
