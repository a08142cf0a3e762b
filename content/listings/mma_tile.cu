// One warp on the tensor cores: D (16 x 8, FP32) = A (16 x k, BF16, by rows) times B (k x 8, BF16, by columns).
// Build and run (compute capability 8.0 or later):  nvcc -O3 -arch=native mma_tile.cu -o mma_tile && ./mma_tile
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_bf16.h>

// [kernel]
// 16 x 8 x 16: a warp's 32 lanes hold A in four registers each, B in two, the sums in four.
__device__ __forceinline__ void mma(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// A word is a pair of neighbors along k. Four lanes share a row of A, a column of B and two rows of D.
__global__ void one_tile(const unsigned* A, const unsigned* B, float* D, int k) {
  const int line = threadIdx.x / 4, pair = threadIdx.x % 4, words = k / 2;
  const unsigned *upper = A + line * words, *lower = upper + 8 * words, *column = B + line * words;
  float d[4] = {};
  for (int at = pair; at < words; at += 8) {
    const unsigned a[4] = {upper[at], lower[at], upper[at + 4], lower[at + 4]};
    const unsigned b[2] = {column[at], column[at + 4]};
    mma(d, a, b);
  }
  float* out = D + line * 8 + pair * 2;
  out[0] = d[0], out[1] = d[1];    // row `line`
  out[64] = d[2], out[65] = d[3];  // row `line` + 8
}
// [/kernel]

#ifndef LK_HARNESS
static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int main() {
  const int k = 128;
  __nv_bfloat16 *A = nullptr, *B = nullptr;
  float* D = nullptr;
  must(cudaMallocManaged(&A, 16 * k * sizeof *A), "A");
  must(cudaMallocManaged(&B, 8 * k * sizeof *B), "B");
  must(cudaMallocManaged(&D, 16 * 8 * sizeof *D), "D");
  // Multiples of 1/8 below 16: BF16 holds them exactly, and so does FP32 each sum of their products.
  const auto some = [](int i) { return float(int(unsigned(i) * 2'654'435'761u >> 24) - 128) / 8; };
  for (int i = 0; i < 16 * k; ++i) A[i] = __float2bfloat16(some(i));
  for (int i = 0; i < 8 * k; ++i) B[i] = __float2bfloat16(some(i + 9999));
  // [launch]
  one_tile<<<1, 32>>>(reinterpret_cast<unsigned*>(A), reinterpret_cast<unsigned*>(B), D, k);
  // [/launch]
  must(cudaGetLastError(), "launch");
  must(cudaDeviceSynchronize(), "product");
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      double want = 0;
      for (int i = 0; i < k; ++i) want += double(some(row * k + i)) * some(column * k + i + 9999);
      if (D[row * 8 + column] != want) {
        std::fprintf(stderr, "row %d, column %d: %g, not %g\n", row, column, D[row * 8 + column], want);
        return 1;
      }
    }
  std::printf("right\n");
  return 0;
}
#endif
