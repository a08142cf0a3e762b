// C = A * B for matrices of n x n floats, from one thread per element in the wrong order to tiles that warps share. n is a
// multiple of 128. Measured: see the times of sgemm_naive and its siblings.
// Build and run:  nvcc -O3 -arch=native sgemm.cu -o sgemm && ./sgemm
#include <cstdio>
#include <cstdlib>

// [naive]
__global__ void sgemm_naive(const float* A, const float* B, float* C, int n) {
  const int row = blockIdx.x * 32 + threadIdx.x;  // neighbors: different rows
  const int col = blockIdx.y * 32 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += A[row * n + k] * B[k * n + col];
  C[row * n + col] = sum;
}
// [/naive]

// [coalesced]
__global__ void sgemm_coalesced(const float* A, const float* B, float* C, int n) {
  const int row = blockIdx.y * 32 + threadIdx.y;
  const int col = blockIdx.x * 32 + threadIdx.x;  // neighbors: the next column
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += A[row * n + k] * B[k * n + col];
  C[row * n + col] = sum;
}
// [/coalesced]

// [shared]
__global__ void sgemm_shared(const float* A, const float* B, float* C, int n) {
  __shared__ float a[32][32], b[32][32];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 32 + y, col = blockIdx.x * 32 + x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += 32) {
    a[y][x] = A[row * n + k0 + x];
    b[y][x] = B[(k0 + y) * n + col];
    __syncthreads();
    for (int k = 0; k < 32; ++k) sum += a[y][k] * b[k][x];
    __syncthreads();
  }
  C[row * n + col] = sum;
}
// [/shared]

// [one_d]
// 64 x 64 of C per block of 512 threads, a column of eight per thread
__global__ void sgemm_1d(const float* A, const float* B, float* C, int n) {
  __shared__ float a[64][8], b[8][64];
  const int t = threadIdx.x, col = t % 64, row8 = t / 64 * 8;
  A += blockIdx.y * 64 * n;
  B += blockIdx.x * 64;
  float sums[8] = {};
  for (int k0 = 0; k0 < n; k0 += 8) {
    a[t / 8][t % 8] = A[t / 8 * n + k0 + t % 8];
    b[t / 64][col] = B[(k0 + t / 64) * n + col];
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
      const float x = b[k][col];  // read once, used eight times
      for (int i = 0; i < 8; ++i) sums[i] += a[row8 + i][k] * x;
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    C[(blockIdx.y * 64 + row8 + i) * n + blockIdx.x * 64 + col] = sums[i];
}
// [/one_d]

// [two_d]
// Tile x Tile of C per block, 8 x 8 of it per thread
template <int Tile>
__device__ __forceinline__ void tile_2d(const float* A, const float* B, float* C, int n) {
  constexpr int threads = Tile * Tile / 64;
  __shared__ float a[Tile][8], b[8][Tile];
  const int t = threadIdx.x, col8 = t % (Tile / 8) * 8, row8 = t / (Tile / 8) * 8;
  A += blockIdx.y * Tile * n;
  B += blockIdx.x * Tile;
  float sums[8][8] = {};
  for (int k0 = 0; k0 < n; k0 += 8) {
    for (int i = t; i < Tile * 8; i += threads) {
      a[i / 8][i % 8] = A[i / 8 * n + k0 + i % 8];
      b[i / Tile][i % Tile] = B[(k0 + i / Tile) * n + i % Tile];
    }
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
      float x[8], y[8];
      for (int i = 0; i < 8; ++i) x[i] = a[row8 + i][k];
      for (int j = 0; j < 8; ++j) y[j] = b[k][col8 + j];
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) sums[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      C[(blockIdx.y * Tile + row8 + i) * n + blockIdx.x * Tile + col8 + j] = sums[i][j];
}

__global__ void __launch_bounds__(64) sgemm_2d_64(const float* A, const float* B, float* C, int n) {
  tile_2d<64>(A, B, C, n);
}
__global__ void __launch_bounds__(256) sgemm_2d_128(const float* A, const float* B, float* C, int n) {
  tile_2d<128>(A, B, C, n);
}
// [/two_d]

// [vectorized]
// As 2d_128, but four floats per access, and the tile of A transposed so that its reads are vectors too
__global__ void __launch_bounds__(256)
sgemm_vectorized(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int n) {
  __shared__ __align__(16) float a[8][128];
  __shared__ __align__(16) float b[8][128];
  const int t = threadIdx.x, col8 = t % 16 * 8, row8 = t / 16 * 8;
  A += blockIdx.y * 128 * n;
  B += blockIdx.x * 128;
  float sums[8][8] = {};
  for (int k0 = 0; k0 < n; k0 += 8) {
    const float4 v = *reinterpret_cast<const float4*>(&A[t / 2 * n + k0 + t % 2 * 4]);
    const int k4 = t % 2 * 4;
    a[k4][t / 2] = v.x;
    a[k4 + 1][t / 2] = v.y;
    a[k4 + 2][t / 2] = v.z;
    a[k4 + 3][t / 2] = v.w;
    *reinterpret_cast<float4*>(&b[t / 32][t % 32 * 4]) =
        *reinterpret_cast<const float4*>(&B[(k0 + t / 32) * n + t % 32 * 4]);
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
      float x[8], y[8];
      for (int i = 0; i < 8; i += 4) {
        const float4 p = *reinterpret_cast<const float4*>(&a[k][row8 + i]);
        const float4 q = *reinterpret_cast<const float4*>(&b[k][col8 + i]);
        x[i] = p.x, x[i + 1] = p.y, x[i + 2] = p.z, x[i + 3] = p.w;
        y[i] = q.x, y[i + 1] = q.y, y[i + 2] = q.z, y[i + 3] = q.w;
      }
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) sums[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; j += 4)
      *reinterpret_cast<float4*>(&C[(blockIdx.y * 128 + row8 + i) * n + blockIdx.x * 128 + col8 + j]) =
          make_float4(sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]);
}
// [/vectorized]

// [warptiled]
// 128 x 128 per block of 256 threads; each warp owns 32 x 64 of it and each lane four 4 x 4 pieces, so that the lanes of a
// warp read few rows and columns
__global__ void __launch_bounds__(256)
sgemm_warptiled(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int n) {
  __shared__ __align__(16) float a[8][128];
  __shared__ __align__(16) float b[8][128];
  const int t = threadIdx.x, warp = t / 32, lane = t % 32;
  const int row = warp / 2 * 32 + lane / 8 * 4, col = warp % 2 * 64 + lane % 8 * 4;
  A += blockIdx.y * 128 * n;
  B += blockIdx.x * 128;
  float sums[2][2][4][4] = {};
  for (int k0 = 0; k0 < n; k0 += 8) {
    const float4 v = *reinterpret_cast<const float4*>(&A[t / 2 * n + k0 + t % 2 * 4]);
    const int k4 = t % 2 * 4;
    a[k4][t / 2] = v.x;
    a[k4 + 1][t / 2] = v.y;
    a[k4 + 2][t / 2] = v.z;
    a[k4 + 3][t / 2] = v.w;
    *reinterpret_cast<float4*>(&b[t / 32][t % 32 * 4]) =
        *reinterpret_cast<const float4*>(&B[(k0 + t / 32) * n + t % 32 * 4]);
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
      float x[2][4], y[2][4];
      for (int p = 0; p < 2; ++p) {
        *reinterpret_cast<float4*>(x[p]) = *reinterpret_cast<const float4*>(&a[k][row + p * 16]);
        *reinterpret_cast<float4*>(y[p]) = *reinterpret_cast<const float4*>(&b[k][col + p * 32]);
      }
      for (int p = 0; p < 2; ++p)
        for (int q = 0; q < 2; ++q)
          for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) sums[p][q][i][j] += x[p][i] * y[q][j];
    }
    __syncthreads();
  }
  C += (blockIdx.y * 128 + row) * n + blockIdx.x * 128 + col;
  for (int p = 0; p < 2; ++p)
    for (int q = 0; q < 2; ++q)
      for (int i = 0; i < 4; ++i)
        *reinterpret_cast<float4*>(&C[(p * 16 + i) * n + q * 32]) =
            make_float4(sums[p][q][i][0], sums[p][q][i][1], sums[p][q][i][2], sums[p][q][i][3]);
}
// [/warptiled]

#ifndef LK_HARNESS
static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int main() {
  const int n = 512;
  float *a = nullptr, *b = nullptr, *c = nullptr;
  must(cudaMallocManaged(&a, n * n * sizeof(float)), "A");
  must(cudaMallocManaged(&b, n * n * sizeof(float)), "B");
  must(cudaMallocManaged(&c, n * n * sizeof(float)), "C");
  for (int i = 0; i < n * n; ++i) {
    a[i] = float(int(unsigned(i) * 2'654'435'761u >> 29) - 3);  // small whole numbers: sums are exact
    b[i] = float(int(unsigned(i) * 2'246'822'519u >> 29) - 4);
  }
  float* want = static_cast<float*>(std::calloc(size_t(n) * n, sizeof(float)));
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) want[i * n + j] += a[i * n + k] * b[k * n + j];
  struct Case {
    const char* name;
    void (*kernel)(const float*, const float*, float*, int);
    int tile;
    dim3 threads;
  };
  const Case cases[] = {
      {"naive", sgemm_naive, 32, dim3(32, 32)}, {"coalesced", sgemm_coalesced, 32, dim3(32, 32)}, {"shared", sgemm_shared, 32, dim3(32, 32)},
      {"1d", sgemm_1d, 64, dim3(512)}, {"2d_64", sgemm_2d_64, 64, dim3(64)}, {"2d_128", sgemm_2d_128, 128, dim3(256)},
      {"vectorized", sgemm_vectorized, 128, dim3(256)}, {"warptiled", sgemm_warptiled, 128, dim3(256)}};
  for (const Case& x : cases) {
    must(cudaMemset(c, 0, n * n * sizeof(float)), "clear");
    // [launch]
    x.kernel<<<dim3(n / x.tile, n / x.tile), x.threads>>>(a, b, c, n);
    // [/launch]
    must(cudaGetLastError(), "launch");
    must(cudaDeviceSynchronize(), x.name);
    for (int i = 0; i < n * n; ++i)
      if (c[i] != want[i]) {
        std::fprintf(stderr, "%s: row %d, column %d is wrong\n", x.name, i / n, i % n);
        return 1;
      }
    std::printf("%s: right\n", x.name);
  }
  return 0;
}
#endif
