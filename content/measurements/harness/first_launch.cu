// How long a program's first launch of a kernel takes, and whether it runs at all: the driver loads machine code that fits, or
// compiles the embedded PTX, or refuses. Prints "small,MS" and "large,MS", or the runtime's error and its name.
// Build and run:  nvcc -O3 -std=c++17 -gencode arch=compute_80,code=compute_80 first_launch.cu -o first_launch && ./first_launch
#include <chrono>
#include <cstdio>

__global__ void small(float* data) { data[threadIdx.x] += 1; }

// Some thousands of instructions: 64 chains, unrolled.
__global__ void large(float* data) {
  float v[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) v[i] = data[i * 32 + threadIdx.x];
#pragma unroll
  for (int round = 0; round < 64; ++round)
#pragma unroll
    for (int i = 0; i < 64; ++i) v[i] = v[i] * v[(i + round) % 64] + float(round);
#pragma unroll
  for (int i = 0; i < 64; ++i) data[i * 32 + threadIdx.x] = v[i];
}

static bool failed(cudaError_t status) {
  if (status == cudaSuccess) return false;
  std::printf("error,%d,%s,%s\n", int(status), cudaGetErrorName(status), cudaGetErrorString(status));
  return true;
}

int main() {
  float* data = nullptr;
  if (failed(cudaMalloc(&data, 64 * 32 * sizeof(float)))) return 2;
  if (failed(cudaMemset(data, 0, 64 * 32 * sizeof(float))) || failed(cudaDeviceSynchronize())) return 2;
  const auto time = [&](const char* name, void (*kernel)(float*)) {
    const auto begin = std::chrono::steady_clock::now();
    kernel<<<1, 32>>>(data);
    if (failed(cudaGetLastError()) || failed(cudaDeviceSynchronize())) return false;
    std::printf("%s,%.2f\n", name, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    return true;
  };
  return time("small", small) && time("large", large) ? 0 : 1;
}
