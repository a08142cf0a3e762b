// C = A * B for square matrices of floats, from the plainest kernel to one whose threads compute 8 x 8 results each.
// Build and run:  nvcc -O3 -arch=native sgemm.cu -o sgemm && ./sgemm
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

// [naive]
__global__ void sgemm_naive(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];  // neighboring threads: neighboring rows
  c[row * n + col] = sum;
}
// [/naive]

// [coalesced]
__global__ void sgemm_coalesced(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];  // neighboring threads: neighboring columns
  c[row * n + col] = sum;
}
// [/coalesced]

// [shared]
constexpr int tile = 32;

__global__ void sgemm_shared(const float* a, const float* b, float* c, int n) {
  __shared__ float as[tile][tile], bs[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y, col = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += tile) {
    as[threadIdx.y][threadIdx.x] = a[row * n + k0 + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(k0 + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
// [/shared]

// [one]
// A block of 512 threads computes 64 x 64 results; each thread a column of eight.
__global__ void sgemm_1d(const float* a, const float* b, float* c, int n) {
  constexpr int size = 64, deep = 8, each = 8;
  __shared__ float as[size * deep], bs[deep * size];
  const int t = threadIdx.x, col = t % size, row = t / size * each;
  const int a_row = t / deep, a_col = t % deep, b_row = t / size, b_col = t % size;
  a += blockIdx.y * size * n;
  b += blockIdx.x * size;
  c += blockIdx.y * size * n + blockIdx.x * size;
  float sum[each] = {};
  for (int k0 = 0; k0 < n; k0 += deep) {
    as[a_row * deep + a_col] = a[a_row * n + k0 + a_col];
    bs[b_row * size + b_col] = b[(k0 + b_row) * n + b_col];
    __syncthreads();
    for (int k = 0; k < deep; ++k) {
      const float right = bs[k * size + col];
      for (int i = 0; i < each; ++i) sum[i] += as[(row + i) * deep + k] * right;
    }
    __syncthreads();
  }
  for (int i = 0; i < each; ++i) c[(row + i) * n + col] = sum[i];
}
// [/one]

// [two]
// A block computes size x size results, each thread 8 x 8 of them from eight numbers of A and eight of B in registers.
template <int size>
__global__ void sgemm_2d(const float* a, const float* b, float* c, int n) {
  constexpr int deep = 8, each = 8, threads = size * size / (each * each);
  __shared__ float as[size * deep], bs[deep * size];
  const int t = threadIdx.x, col = t % (size / each) * each, row = t / (size / each) * each;
  a += blockIdx.y * size * n;
  b += blockIdx.x * size;
  c += blockIdx.y * size * n + blockIdx.x * size;
  float sum[each][each] = {}, left[each], right[each];
  for (int k0 = 0; k0 < n; k0 += deep) {
    for (int i = t; i < size * deep; i += threads) as[i] = a[i / deep * n + k0 + i % deep];
    for (int i = t; i < deep * size; i += threads) bs[i] = b[(k0 + i / size) * n + i % size];
    __syncthreads();
    for (int k = 0; k < deep; ++k) {
      for (int i = 0; i < each; ++i) left[i] = as[(row + i) * deep + k];
      for (int j = 0; j < each; ++j) right[j] = bs[k * size + col + j];
      for (int i = 0; i < each; ++i)
        for (int j = 0; j < each; ++j) sum[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < each; ++i)
    for (int j = 0; j < each; ++j) c[(row + i) * n + col + j] = sum[i][j];
}
// [/two]

#ifndef LK_HARNESS
static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int main() {
  const int n = 256;
  std::vector<float> left(n * n), right(n * n), back(n * n);
  for (int i = 0; i < n * n; ++i) {
    left[i] = float(unsigned(i) * 2'654'435'761u >> 24);  // whole numbers: every sum is exact
    right[i] = float(unsigned(i) * 2'246'822'519u >> 24);
  }
  float *a = nullptr, *b = nullptr, *c = nullptr;
  const size_t bytes = left.size() * sizeof(float);
  must(cudaMalloc(&a, bytes), "a");
  must(cudaMalloc(&b, bytes), "b");
  must(cudaMalloc(&c, bytes), "c");
  must(cudaMemcpy(a, left.data(), bytes, cudaMemcpyHostToDevice), "copy");
  must(cudaMemcpy(b, right.data(), bytes, cudaMemcpyHostToDevice), "copy");
  for (int way = 0; way < 6; ++way) {
    must(cudaMemset(c, 0, bytes), "clear");
    switch (way) {
      case 0: sgemm_naive<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(a, b, c, n); break;
      case 1: sgemm_coalesced<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(a, b, c, n); break;
      case 2: sgemm_shared<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(a, b, c, n); break;
      case 3: sgemm_1d<<<dim3(n / 64, n / 64), 512>>>(a, b, c, n); break;
      case 4: sgemm_2d<64><<<dim3(n / 64, n / 64), 64>>>(a, b, c, n); break;
      default: sgemm_2d<128><<<dim3(n / 128, n / 128), 256>>>(a, b, c, n);
    }
    must(cudaGetLastError(), "launch");
    must(cudaMemcpy(back.data(), c, bytes, cudaMemcpyDeviceToHost), "copy back");
    for (int row = 0; row < n; ++row) {
      for (int col = 0; col < n; ++col) {
        double wanted = 0;
        for (int k = 0; k < n; ++k) wanted += double(left[row * n + k]) * right[k * n + col];
        if (back[row * n + col] == float(wanted)) continue;
        std::fprintf(stderr, "kernel %d: row %d, column %d is wrong\n", way, row, col);
        return 1;
      }
    }
  }
  std::printf("all right\n");
  return 0;
}
#endif
