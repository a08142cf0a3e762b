// Vector addition once more, one step to a line, in five ways of telling the compiler what it may do.
// See the machine code:  nvcc -O3 -arch=sm_90 -lineinfo -cubin vec_add_variants.cu && cuobjdump -sass vec_add_variants.cubin
// Build and run:         nvcc -O3 -arch=native vec_add_variants.cu -o variants && ./variants
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

// [plain]
__global__ void add_plain(
    const float* a,
    const float* b,
    float* c,
    size_t n) {
  const size_t i = threadIdx.x +
      size_t{blockDim.x} * blockIdx.x;
  if (i >= n) return;
  const float x = a[i];
  const float y = b[i];
  c[i] = x + y;
}
// [/plain]

// [restrict]
__global__ void add_restrict(
    const float* __restrict__ a,
    const float* __restrict__ b,
    float* __restrict__ c,
    size_t n) {
  const size_t i = threadIdx.x +
      size_t{blockDim.x} * blockIdx.x;
  if (i >= n) return;
  const float x = a[i];
  const float y = b[i];
  c[i] = x + y;
}
// [/restrict]

// [float4]
// n is a multiple of 4
__global__ void add_float4(
    const float4* __restrict__ a,
    const float4* __restrict__ b,
    float4* __restrict__ c,
    size_t n) {
  const size_t i = threadIdx.x +
      size_t{blockDim.x} * blockIdx.x;
  if (i >= n / 4) return;
  const float4 x = a[i];
  const float4 y = b[i];
  c[i] = {x.x + y.x, x.y + y.y,
          x.z + y.z, x.w + y.w};
}
// [/float4]

// [unrolled]
// n is a multiple of 4
__global__ void add_unrolled(
    const float* a,
    const float* b,
    float* c,
    size_t n) {
  size_t i = threadIdx.x +
      size_t{blockDim.x} * blockIdx.x;
  if (i >= n / 4) return;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const float x = a[i];
    const float y = b[i];
    c[i] = x + y;
    i += n / 4;
  }
}
// [/unrolled]

// [unrolled_restrict]
// n is a multiple of 4
__global__ void add_unrolled_restrict(
    const float* __restrict__ a,
    const float* __restrict__ b,
    float* __restrict__ c,
    size_t n) {
  size_t i = threadIdx.x +
      size_t{blockDim.x} * blockIdx.x;
  if (i >= n / 4) return;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const float x = a[i];
    const float y = b[i];
    c[i] = x + y;
    i += n / 4;
  }
}
// [/unrolled_restrict]

static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

__global__ void fill(float* data, size_t n, unsigned factor) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) data[i] = float(unsigned(i) * factor >> 12);  // whole numbers below 2^20: sums are exact
}

__global__ void count_wrong(const float* a, const float* b, const float* c, size_t n, unsigned long long* wrong) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n && c[i] != a[i] + b[i]) atomicAdd(wrong, 1ull);
}

int main() {
  const size_t n = size_t{1} << 28;
  const unsigned threads = 256;
  float *a = nullptr, *b = nullptr, *c = nullptr;
  unsigned long long* wrong = nullptr;
  must(cudaMalloc(&a, n * sizeof(float)), "a");
  must(cudaMalloc(&b, n * sizeof(float)), "b");
  must(cudaMalloc(&c, n * sizeof(float)), "c");
  must(cudaMallocManaged(&wrong, sizeof(*wrong)), "wrong");
  *wrong = 0;
  fill<<<unsigned(n / threads), threads>>>(a, n, 2'654'435'761u);
  fill<<<unsigned(n / threads), threads>>>(b, n, 2'246'822'519u);
  must(cudaGetLastError(), "launch of fill");
  must(cudaDeviceSynchronize(), "fill");

  cudaEvent_t begin, end;
  must(cudaEventCreate(&begin), "event");
  must(cudaEventCreate(&end), "event");
  const auto time = [&](const char* name, auto launch) {
    must(cudaMemset(c, 0, n * sizeof(float)), "clear");
    std::vector<float> ms;
    for (int round = 0; round < 15; ++round) {
      must(cudaEventRecord(begin), "record");
      launch();
      must(cudaGetLastError(), "launch");
      must(cudaEventRecord(end), "record");
      must(cudaEventSynchronize(end), name);
      ms.emplace_back();
      must(cudaEventElapsedTime(&ms.back(), begin, end), "time");
    }
    count_wrong<<<unsigned(n / threads), threads>>>(a, b, c, n, wrong);
    must(cudaDeviceSynchronize(), "check");
    if (*wrong != 0) {
      std::fprintf(stderr, "%s: %llu sums are wrong\n", name, *wrong);
      std::exit(1);
    }
    std::sort(ms.begin(), ms.end());
    std::printf("%s,n=%zu,%.1f\n", name, n, ms[ms.size() / 2] * 1e3);
  };
  std::printf("kernel,params,median_us\n");
  const unsigned all = unsigned(n / threads), quarter = unsigned(n / 4 / threads);
  time("add_plain", [&] { add_plain<<<all, threads>>>(a, b, c, n); });
  time("add_restrict", [&] { add_restrict<<<all, threads>>>(a, b, c, n); });
  time("add_unrolled", [&] { add_unrolled<<<quarter, threads>>>(a, b, c, n); });
  time("add_unrolled_restrict", [&] { add_unrolled_restrict<<<quarter, threads>>>(a, b, c, n); });
  const auto *a4 = reinterpret_cast<const float4*>(a), *b4 = reinterpret_cast<const float4*>(b);
  time("add_float4", [&] { add_float4<<<quarter, threads>>>(a4, b4, reinterpret_cast<float4*>(c), n); });
  return 0;
}
