// A matrix of 4-bit weights times a vector: one warp for each row, eight weights in a word, one scale for 128 weights.
// Build and run:  nvcc -O3 -arch=native int4_gemv.cu -o int4_gemv && ./int4_gemv
#include <cmath>
#include <cstdio>
#include <cstdlib>

// [kernel]
// grid: (rows / 4), 128 threads; columns are a multiple of 1,024
__global__ void int4_gemv(
    const unsigned* __restrict__ weights, const float* __restrict__ scales, const float* __restrict__ x,
    float* __restrict__ y, int columns) {
  const int lane = threadIdx.x % 32, row = blockIdx.x * 4 + threadIdx.x / 32;
  const int words = columns / 8, groups = columns / 128;
  float sum = 0;
  for (int i = lane; i < words / 4; i += 32) {  // four words, 32 weights, of one group
    const uint4 four = reinterpret_cast<const uint4*>(weights + size_t(row) * words)[i];
    const unsigned packed[4] = {four.x, four.y, four.z, four.w};
    float part = 0;
    for (int w = 0; w < 4; ++w)
      for (int k = 0; k < 8; ++k) {
        const int q = int(packed[w] >> (4 * k) & 15u) - 8;  // -8 to 7
        part += float(q) * x[i * 32 + w * 8 + k];
      }
    sum += part * scales[size_t(row) * groups + i / 4];  // the scale once for 32 products
  }
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (lane == 0) y[row] = sum;
}
// [/kernel]

#ifndef LK_HARNESS
static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int main() {
  const int rows = 64, columns = 2048, words = columns / 8, groups = columns / 128;
  unsigned* weights = nullptr;
  float *scales = nullptr, *x = nullptr, *y = nullptr;
  must(cudaMallocManaged(&weights, size_t(rows) * words * 4), "weights");
  must(cudaMallocManaged(&scales, size_t(rows) * groups * 4), "scales");
  must(cudaMallocManaged(&x, columns * 4), "x");
  must(cudaMallocManaged(&y, rows * 4), "y");
  for (int i = 0; i < rows * words; ++i) weights[i] = unsigned(i + 1) * 2'654'435'761u;
  for (int i = 0; i < rows * groups; ++i) scales[i] = 0.001f * float(1 + i % 7);
  for (int i = 0; i < columns; ++i) x[i] = float(i % 11 - 5) / 8;
  // [launch]
  int4_gemv<<<rows / 4, 128>>>(weights, scales, x, y, columns);
  // [/launch]
  must(cudaGetLastError(), "launch");
  must(cudaDeviceSynchronize(), "product");
  for (int row = 0; row < rows; ++row) {
    double want = 0;
    for (int c = 0; c < columns; ++c) {
      const unsigned word = weights[row * words + c / 8];
      want += (int(word >> (4 * (c % 8)) & 15u) - 8) * double(scales[row * groups + c / 128]) * x[c];
    }
    if (std::fabs(want - y[row]) > 1e-3) {
      std::fprintf(stderr, "row %d: %f, not %f\n", row, double(y[row]), want);
      return 1;
    }
  }
  std::printf("right\n");
  return 0;
}
#endif
