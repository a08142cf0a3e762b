// Six kernels with one fault each, for the tools that look for such faults.
// Build and run:  nvcc -O3 -lineinfo -arch=native faulty.cu -o faulty && compute-sanitizer --tool memcheck ./faulty 1
// (2: --tool racecheck, 3: --tool initcheck, 4: --tool synccheck, 6: --tool memcheck, 7: --tool racecheck)
#include <cstdio>
#include <cstdlib>

// [memory]
__global__ void beyond_the_end(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * in[i];  // no guard: n need not be a multiple of the block
}
// [/memory]

// [race]
__global__ void no_barrier(const int* in, int* sums) {
  __shared__ int part[256];
  const unsigned t = threadIdx.x;
  part[t] = in[blockIdx.x * 256 + t];
  for (unsigned s = 128; s > 0; s /= 2) {
    // missing: __syncthreads()
    if (t < s) part[t] += part[t + s];
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}
// [/race]

// [init]
__global__ void count(const int* keys, int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bins[i] += keys[i];  // nobody has set bins to 0
}
// [/init]

// [barrier]
__global__ void some_wait(const int* in, int* out) {
  __shared__ int tile[64];
  const unsigned t = threadIdx.x;
  tile[t] = in[t];
  if (t < 48) __syncthreads();  // 16 lanes of the second warp go on
  out[t] = tile[63 - t];
}
// [/barrier]

// Not a fault on a GPU: the lanes that stay away have ended, and a barrier does not wait for those.
__global__ void some_leave(const int* in, int* out) {
  __shared__ int tile[64];
  const unsigned t = threadIdx.x;
  if (t < 48) {
    tile[t] = in[t];
    __syncthreads();
    out[t] = tile[47 - t];
  }
}

// [alignment]
__global__ void odd_quads(const float* in, float4* out) {
  const unsigned t = threadIdx.x;
  out[t] = *reinterpret_cast<const float4*>(in + 4 * t + 1);  // 16 bytes at an address that 16 does not divide
}
// [/alignment]

// [warp]
__global__ void no_syncwarp(const int* in, int* out) {
  __shared__ int tile[32];
  const unsigned t = threadIdx.x;
  tile[t] = in[t];
  out[t] = tile[31 - t];  // lanes of one warp need not advance together
}
// [/warp]

#ifndef LK_HARNESS
static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int main(int argc, char** argv) {
  const int which = argc > 1 ? std::atoi(argv[1]) : 0, n = 1000;
  int *a = nullptr, *b = nullptr;
  must(cudaMalloc(&a, 1024 * sizeof(int)), "a");
  must(cudaMalloc(&b, n * sizeof(int)), "b");
  must(cudaMemset(a, 1, 1024 * sizeof(int)), "set");
  if (which == 1) beyond_the_end<<<4, 256>>>(reinterpret_cast<float*>(a), reinterpret_cast<float*>(b), n);
  if (which == 2) no_barrier<<<4, 256>>>(a, b);
  if (which == 3) count<<<4, 256>>>(a, b, n);
  if (which == 4) some_wait<<<1, 64>>>(a, b);
  if (which == 5) some_leave<<<1, 64>>>(a, b);
  if (which == 6) odd_quads<<<1, 32>>>(reinterpret_cast<float*>(a), reinterpret_cast<float4*>(b));
  if (which == 7) no_syncwarp<<<1, 32>>>(a, b);
  must(cudaGetLastError(), "launch");
  must(cudaDeviceSynchronize(), "kernel");
  std::printf("kernel %d ended without an error\n", which);
  return 0;
}
#endif
