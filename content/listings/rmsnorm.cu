// RMSNorm of each row: x / sqrt(mean(x * x) + eps) * weight. A block of 256 threads per row, four floats per load.
// Build and run:  nvcc -O3 -arch=native rmsnorm.cu -o rmsnorm && ./rmsnorm
#include <cmath>
#include <cstdio>
#include <cstdlib>

// [kernel]
__global__ void rmsnorm(
    const float4* __restrict__ in, const float4* __restrict__ weight,
    float4* __restrict__ out, int cols4, float eps) {
  __shared__ float sums[8];
  const float4* row = in + size_t(blockIdx.x) * cols4;
  float sum = 0;
  for (int c = threadIdx.x; c < cols4; c += 256) {
    const float4 x = row[c];
    sum += x.x * x.x + x.y * x.y + x.z * x.z + x.w * x.w;
  }
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0;
  for (int w = 0; w < 8; ++w) sum += sums[w];
  const float scale = rsqrtf(sum / float(4 * cols4) + eps);
  for (int c = threadIdx.x; c < cols4; c += 256) {
    const float4 x = row[c], g = weight[c];  // the second read hits the L1 or L2
    out[size_t(blockIdx.x) * cols4 + c] = make_float4(
        x.x * scale * g.x, x.y * scale * g.y,
        x.z * scale * g.z, x.w * scale * g.w);
  }
}
// [/kernel]

#ifndef LK_HARNESS
static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int main() {
  const int rows = 200, cols = 4096;
  float *in = nullptr, *weight = nullptr, *out = nullptr;
  must(cudaMallocManaged(&in, rows * cols * sizeof(float)), "input");
  must(cudaMallocManaged(&weight, cols * sizeof(float)), "weight");
  must(cudaMallocManaged(&out, rows * cols * sizeof(float)), "output");
  for (int i = 0; i < rows * cols; ++i) in[i] = float(int(unsigned(i) * 2'654'435'761u >> 20) - 2048) / 512;
  for (int c = 0; c < cols; ++c) weight[c] = 1 + float(c % 7) / 8;
  // [launch]
  rmsnorm<<<rows, 256>>>(reinterpret_cast<const float4*>(in), reinterpret_cast<const float4*>(weight), reinterpret_cast<float4*>(out), cols / 4, 1e-5f);
  // [/launch]
  must(cudaGetLastError(), "launch");
  must(cudaDeviceSynchronize(), "rmsnorm");
  for (int r = 0; r < rows; ++r) {
    double sum = 0;
    for (int c = 0; c < cols; ++c) sum += double(in[r * cols + c]) * in[r * cols + c];
    for (int c = 0; c < cols; ++c) {
      const double want = in[r * cols + c] / std::sqrt(sum / cols + 1e-5) * weight[c];
      if (!(std::fabs(out[r * cols + c] - want) <= 1e-5 * std::fabs(want) + 1e-7)) {
        std::fprintf(stderr, "row %d, column %d is wrong\n", r, c);
        return 1;
      }
    }
  }
  std::printf("right\n");
  return 0;
}
#endif
