// Transposing a matrix of n x n floats four ways: a plain copy to compare with, straight through, through shared memory, and
// through shared memory with a column of padding. Blocks of 32x8 threads move tiles of 32x32, four elements per thread.
// Build and run:  nvcc -O3 -arch=native transposes.cu -o transposes && ./transposes
#include <cstdio>
#include <cstdlib>

// [copy]
__global__ void transpose_copy(const float* in, float* out, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    out[(y + j) * n + x] = in[(y + j) * n + x];
}
// [/copy]

// [naive]
__global__ void transpose_naive(const float* in, float* out, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    out[x * n + y + j] = in[(y + j) * n + x];  // a warp writes 32 rows
}
// [/naive]

// [tiled]
__global__ void transpose_tiled(const float* in, float* out, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;  // the block's place in the result
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];  // one bank
}
// [/tiled]

// [padded]
__global__ void transpose_padded(const float* in, float* out, int n) {
  __shared__ float tile[32][33];  // a column that nobody reads
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];  // 32 banks
}
// [/padded]

#ifndef LK_HARNESS
static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int main() {
  const int n = 2048;
  const size_t bytes = size_t(n) * n * sizeof(float);
  float *in = nullptr, *out = nullptr;
  must(cudaMallocManaged(&in, bytes), "input");
  must(cudaMallocManaged(&out, bytes), "output");
  for (int i = 0; i < n * n; ++i) in[i] = float(i);  // below 2^24: every float differs
  const dim3 blocks(n / 32, n / 32), threads(32, 8);
  using Kernel = void (*)(const float*, float*, int);
  const Kernel kernels[] = {transpose_copy, transpose_naive, transpose_tiled, transpose_padded};
  const char* const names[] = {"copy", "naive", "tiled", "padded"};
  for (int k = 0; k < 4; ++k) {
    must(cudaMemset(out, 0, bytes), "clear");
    // [launch]
    kernels[k]<<<blocks, threads>>>(in, out, n);
    // [/launch]
    must(cudaGetLastError(), "launch");
    must(cudaDeviceSynchronize(), names[k]);
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x)
        if (out[size_t(y) * n + x] != (k == 0 ? in[size_t(y) * n + x] : in[size_t(x) * n + y])) {
          std::fprintf(stderr, "%s: row %d, column %d is wrong\n", names[k], y, x);
          return 1;
        }
    std::printf("%s: right\n", names[k]);
  }
  return 0;
}
#endif
