// Transposing a square matrix of floats, four ways: a plain copy for comparison, straight through, by way of shared memory, and with
// one column of padding there.
// Build and run:  nvcc -O3 -arch=native transposes.cu -o transposes && ./transposes
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int tile = 32, rows = 8;  // a block of 32 x 8 threads moves a tile of 32 x 32 floats, four for each thread

// [copy]
__global__ void transpose_copy(const float* in, float* out, int n) {
  const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rows) out[(y + j) * n + x] = in[(y + j) * n + x];
}
// [/copy]

// [naive]
__global__ void transpose_naive(const float* in, float* out, int n) {
  const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rows) out[x * n + y + j] = in[(y + j) * n + x];  // a warp writes into 32 rows
}
// [/naive]

// [tiled]
__global__ void transpose_tiled(const float* in, float* out, int n) {
  __shared__ float block[tile][tile];
  int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rows) block[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * tile + threadIdx.x;
  y = blockIdx.x * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rows) out[(y + j) * n + x] = block[threadIdx.x][threadIdx.y + j];  // one bank for all 32 lanes
}
// [/tiled]

// [padded]
__global__ void transpose_padded(const float* in, float* out, int n) {
  __shared__ float block[tile][tile + 1];  // one float more in each row: columns lie in different banks
  int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rows) block[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * tile + threadIdx.x;
  y = blockIdx.x * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rows) out[(y + j) * n + x] = block[threadIdx.x][threadIdx.y + j];
}
// [/padded]

#ifndef LK_HARNESS
static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int main() {
  const int n = 1024;
  std::vector<float> numbers(size_t(n) * n), back(numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = float(i);
  float *in = nullptr, *out = nullptr;
  must(cudaMalloc(&in, numbers.size() * sizeof(float)), "input");
  must(cudaMalloc(&out, numbers.size() * sizeof(float)), "output");
  must(cudaMemcpy(in, numbers.data(), numbers.size() * sizeof(float), cudaMemcpyHostToDevice), "copy");

  struct {
    const char* name;
    void (*kernel)(const float*, float*, int);
    bool turns;
  } const ways[] = {{"copy", transpose_copy, false}, {"naive", transpose_naive, true}, {"tiled", transpose_tiled, true}, {"padded", transpose_padded, true}};
  for (const auto& way : ways) {
    must(cudaMemset(out, 0, numbers.size() * sizeof(float)), "clear");
    way.kernel<<<dim3(n / tile, n / tile), dim3(tile, rows)>>>(in, out, n);
    must(cudaGetLastError(), way.name);
    must(cudaMemcpy(back.data(), out, back.size() * sizeof(float), cudaMemcpyDeviceToHost), "copy back");
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        const float wanted = way.turns ? numbers[size_t(x) * n + y] : numbers[size_t(y) * n + x];
        if (back[size_t(y) * n + x] == wanted) continue;
        std::fprintf(stderr, "%s: row %d, column %d is wrong\n", way.name, y, x);
        return 1;
      }
    }
  }
  std::printf("all right\n");
  return 0;
}
#endif
