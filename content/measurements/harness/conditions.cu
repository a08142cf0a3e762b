// Measures what the conditions of the other measurements add: blocks that come and go, the lines that overwriting leaves
// behind in the L2, and the size of its fetches from memory. Writes "kernel,params,median_us" to standard output.
// Build and run:  nvcc -O3 -std=c++17 -arch=native conditions.cu -o conditions && ./conditions > results.csv
#define LK_HARNESS
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../../listings/strided.cu"
#include "../../listings/vec_add.cu"

namespace {

constexpr size_t flush_bytes = size_t{256} << 20;
constexpr unsigned threads = 256;
float *overwritten = nullptr, *only_read = nullptr, *in = nullptr, *in2 = nullptr, *out = nullptr;
cudaEvent_t begin_event, end_event;
int multiprocessors = 0;

__global__ void empty() {}

/// The copy of read_strided at stride 1 by threads that stay: one element at a time, then the next.
__global__ void copy_resident(const float* __restrict__ from, float* __restrict__ to, size_t n) {
#pragma unroll 1
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x) to[i] = from[i];
}

__global__ void read_all(const float4* __restrict__ from, size_t n4, float* result) {
  float sum = 0;
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n4; i += size_t{gridDim.x} * blockDim.x) {
    const float4 v = from[i];
    sum += (v.x + v.y) + (v.z + v.w);
  }
  if (sum == 1.2345f) *result = sum;
}

/// What the L2 holds when the clock starts: lines that were written and must go back to memory, or lines that were read.
enum class L2 { dirty, clean };

template <class Launch>
void row(const std::string& name, L2 l2, Launch launch) {
  for (int i = 0; i < 3; ++i) launch();
  std::vector<float> times;
  for (int i = 0; i < 15; ++i) {
    must(cudaMemsetAsync(overwritten, i, flush_bytes), "flush");
    if (l2 == L2::clean) read_all<<<multiprocessors * 8, threads>>>((const float4*)only_read, flush_bytes / 16, out);
    must(cudaEventRecord(begin_event), "record");
    launch();
    must(cudaEventRecord(end_event), "record");
    must(cudaEventSynchronize(end_event), "kernel");
    must(cudaGetLastError(), "launch");
    float ms = 0;
    must(cudaEventElapsedTime(&ms, begin_event, end_event), "time");
    times.push_back(ms * 1e3f);
  }
  std::nth_element(times.begin(), times.begin() + 7, times.end());
  std::printf("%s;l2=%s,%.3f\n", name.c_str(), l2 == L2::dirty ? "dirty" : "clean", times[7]);
}

void strided(const std::string& more, L2 l2, size_t stride) {
  const size_t n = size_t{1} << 24;
  row("read_strided,n=16777216;stride=" + std::to_string(stride) + more, l2, [=] { read_strided<<<unsigned(n / threads), threads>>>(in, out, n, stride); });
}

}  // namespace

int main() {
  must(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "multiprocessors");
  must(cudaMalloc(&overwritten, flush_bytes), "overwritten");
  must(cudaMalloc(&only_read, flush_bytes), "only_read");
  must(cudaMalloc(&in, (size_t{4} << 28)), "in");
  must(cudaMalloc(&in2, (size_t{4} << 28)), "in2");
  must(cudaMalloc(&out, (size_t{4} << 28)), "out");
  number<<<unsigned(flush_bytes / 4 / threads), threads>>>(only_read, flush_bytes / 4);
  number<<<(1u << 28) / threads, threads>>>(in, size_t{1} << 28);
  number<<<(1u << 28) / threads, threads>>>(in2, size_t{1} << 28);
  must(cudaEventCreate(&begin_event), "event");
  must(cudaEventCreate(&end_event), "event");

  std::printf("kernel,params,median_us\n");
  for (L2 l2 : {L2::dirty, L2::clean}) {
    for (int shift : {24, 28}) {
      const size_t n = size_t{1} << shift;
      const std::string params = "n=" + std::to_string(n);
      row("empty_grid," + params, l2, [=] { empty<<<unsigned(n / threads), threads>>>(); });
      row("copy_resident," + params, l2, [=] { copy_resident<<<multiprocessors * 8, threads>>>(in, out, n); });
    }
    for (size_t stride : {1, 8, 16}) strided("", l2, stride);
    row("vec_add,n=2097152", l2, [=] { vec_add<<<(1u << 21) / threads, threads>>>(in, in2, out, size_t{1} << 21); });
    row("read_all,bytes=134217728", l2, [=] { read_all<<<multiprocessors * 8, threads>>>((const float4*)in, (size_t{1} << 27) / 16, out); });
  }
  size_t found = 0;
  must(cudaDeviceGetLimit(&found, cudaLimitMaxL2FetchGranularity), "limit");
  std::fprintf(stderr, "L2 fetch granularity as found: %zu B\n", found);
  for (size_t fetch : {32, 64, 128}) {
    must(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, fetch), "limit");
    for (size_t stride : {8, 16}) strided(";fetch=" + std::to_string(fetch), L2::dirty, stride);
  }
  return 0;
}
