// Small kernels that each lean on one part of a GPU: streams of memory, banks, branches, arithmetic, atomics.
// Build and run:  nvcc -O3 -arch=native probes.cu -o probes && ./probes
#include <cstdio>
#include <cstdlib>
#include <vector>

// [copy]
__global__ void copy_scalar(const float* __restrict__ in, float* __restrict__ out, size_t n) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) out[i] = in[i];
}

__global__ void copy_vec4(const float4* in, float4* out, size_t n4) {
  const size_t step = size_t{gridDim.x} * blockDim.x;
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n4; i += step) out[i] = in[i];
}
// [/copy]

// [offset]
__global__ void read_offset(const float* __restrict__ in, float* __restrict__ out, size_t n, size_t offset) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) out[i] = in[i + offset];  // a warp's 128 bytes no longer begin on a line
}
// [/offset]

// [banks]
// Each thread reads word lane * stride of shared memory iters times; volatile keeps every one of the reads.
__global__ void shared_stride(float* out, int stride, int iters) {
  __shared__ float words[32 * 33 + 32];
  for (int i = threadIdx.x; i < 32 * 33 + 32; i += blockDim.x) words[i] = float(i);
  __syncthreads();
  const volatile float* word = words + threadIdx.x % 32 * stride;
  float sum = 0;
  for (int k = 0; k < iters; ++k) sum += *word;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// [/banks]

// [branch]
// Lane l runs loop l % ways of `ways`, every loop with a factor of its own.
__global__ void divergent_branch(float* out, int ways, int iters) {
  const int mine = int(threadIdx.x % 32) % ways;
  float x = float(threadIdx.x) * 1e-3f;
  for (int way = 0; way < ways; ++way) {
    if (way == mine) {
      const float factor = 1.0f + float(way) * 1e-7f;
      for (int k = 0; k < iters; ++k) x = fmaf(x, factor, 1e-6f);
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
// [/branch]

// [chain]
__global__ void fma_chain(float* out, int iters) {
  float a = float(threadIdx.x), b = a + 1, c = a + 2, d = a + 3;
  for (int k = 0; k < iters; ++k) {  // four chains that do not wait for each other
    a = fmaf(a, 0.999f, 0.5f);
    b = fmaf(b, 0.999f, 0.5f);
    c = fmaf(c, 0.999f, 0.5f);
    d = fmaf(d, 0.999f, 0.5f);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;
}
// [/chain]

// [hash]
__global__ void histogram_global(unsigned* counts, size_t n, size_t bins) {
  const size_t step = size_t{gridDim.x} * blockDim.x;
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += step)
    atomicAdd(&counts[((i * 2'654'435'761ull) >> 7) % bins], 1u);
}
// [/hash]

#ifndef LK_HARNESS
static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

template <class T>
static T* device(const std::vector<T>& host) {
  T* p = nullptr;
  must(cudaMalloc(&p, host.size() * sizeof(T)), "memory");
  must(cudaMemcpy(p, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "copy");
  return p;
}

template <class T>
static std::vector<T> host(const T* p, size_t n) {
  std::vector<T> out(n);
  must(cudaMemcpy(out.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost), "copy back");
  return out;
}

static void expect(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "%s is wrong\n", what);
  std::exit(1);
}

int main() {
  const size_t n = size_t{1} << 20, offset = 5;
  std::vector<float> numbers(n + offset);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = float(i % 65'521);
  const float* in = device(numbers);
  float* out = device(std::vector<float>(n, -1));
  const unsigned blocks = unsigned(n / 256);

  copy_scalar<<<blocks, 256>>>(in, out, n);
  expect(host(out, n)[n - 1] == numbers[n - 1], "copy_scalar");
  must(cudaMemset(out, 0, n * sizeof(float)), "clear");
  copy_vec4<<<64, 256>>>(reinterpret_cast<const float4*>(in), reinterpret_cast<float4*>(out), n / 4);
  const std::vector<float> copied = host(out, n);
  for (size_t i = 0; i < n; ++i) expect(copied[i] == numbers[i], "copy_vec4");
  read_offset<<<blocks, 256>>>(in, out, n, offset);
  const std::vector<float> moved = host(out, n);
  for (size_t i = 0; i < n; ++i) expect(moved[i] == numbers[i + offset], "read_offset");

  shared_stride<<<132, 256>>>(out, 8, 1000);
  const std::vector<float> words = host(out, 132 * 256);
  for (size_t i = 0; i < words.size(); ++i) expect(words[i] == 1000 * float(i % 32 * 8), "shared_stride");

  divergent_branch<<<528, 256>>>(out, 4, 100);
  const std::vector<float> grown = host(out, 256);
  for (size_t i = 0; i < grown.size(); ++i) expect(grown[i] > 0.99e-4f && grown[i] < 1, "divergent_branch");

  fma_chain<<<132, 1024>>>(out, 40'000);
  expect(host(out, 1)[0] > 1999 && host(out, 1)[0] < 2001, "fma_chain");  // each chain tends to 500

  const size_t bins = 256;
  unsigned* counts = device(std::vector<unsigned>(bins, 0));
  histogram_global<<<1056, 256>>>(counts, n, bins);
  std::vector<unsigned> wanted(bins, 0);
  for (size_t i = 0; i < n; ++i) ++wanted[((i * 2'654'435'761ull) >> 7) % bins];
  expect(host(counts, bins) == wanted, "histogram_global");
  must(cudaDeviceSynchronize(), "kernels");
  std::printf("all right\n");
  return 0;
}
#endif
