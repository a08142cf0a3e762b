// Measures what section 1.2 talks about: streaming, strides, intensity, bytes in flight, latency, launches.
// Writes "kernel,params,median_us" to the file named by the first argument, other findings to standard output.
// Build:  nvcc -O3 -std=c++17 -arch=native bounds.cu -o bounds
// Run:    ./bounds results.csv            everything, about half a minute
//         ./bounds counters               one launch per access pattern, for a profiler
#define LK_HARNESS
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "../../listings/strided.cu"
#include "../../listings/vec_add.cu"

namespace {

FILE* csv = nullptr;
float* flush_buffer = nullptr;
constexpr size_t flush_bytes = size_t{256} << 20;
cudaEvent_t begin_event, end_event;
int multiprocessors = 0;

enum class Cache { cold, warm };

/// Keeps the device busy for a while, so that what follows is queued before it starts and no gap of the host is timed.
__global__ void busy(long long clocks) {
  const long long from = clock64();
  while (clock64() - from < clocks) {
  }
}

/// Median over `rounds` launches in microseconds. Before a cold one 256 MiB are overwritten, before a warm one the
/// same work runs once.
template <class Launch>
double median_us(Launch launch, Cache cache = Cache::cold, int rounds = 15) {
  for (int i = 0; i < 3; ++i) launch();
  must(cudaDeviceSynchronize(), "warm-up");
  std::vector<float> times;
  for (int i = 0; i < rounds; ++i) {
    if (cache == Cache::cold) must(cudaMemsetAsync(flush_buffer, i, flush_bytes), "flush");
    if (cache == Cache::warm) busy<<<1, 1>>>(200'000), launch();
    must(cudaEventRecord(begin_event), "record");
    launch();
    must(cudaEventRecord(end_event), "record");
    must(cudaEventSynchronize(end_event), "kernel");
    must(cudaGetLastError(), "launch");
    float ms = 0;
    must(cudaEventElapsedTime(&ms, begin_event, end_event), "time");
    times.push_back(ms * 1e3f);
  }
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  return times[rounds / 2];
}

void row(const char* kernel, const std::string& params, double us) {
  std::fprintf(csv, "%s,%s,%.3f\n", kernel, params.c_str(), us);
  std::fflush(csv);
}

std::string text(double v) { return std::to_string((long long)v); }

__global__ void empty() {}

/// Each element: one load, `Fmas` dependent fused multiply-adds, one store. Four independent chains a thread.
template <int Fmas>
__global__ void fma_stream(const float4* __restrict__ in, float4* __restrict__ out, size_t n4, float a, float b) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n4; i += size_t{gridDim.x} * blockDim.x) {
    float4 v = in[i];
#pragma unroll
    for (int k = 0; k < Fmas; ++k) {
      v.x = fmaf(v.x, a, b);
      v.y = fmaf(v.y, a, b);
      v.z = fmaf(v.z, a, b);
      v.w = fmaf(v.w, a, b);
    }
    out[i] = v;
  }
}

/// Reads n4 vectors with `Loads` of them in flight per thread; writes only what keeps the compiler honest.
template <int Loads>
__global__ void read_in_flight(const float4* __restrict__ in, float* __restrict__ out, size_t n4) {
  float sum = 0;
  const size_t width = size_t{gridDim.x} * blockDim.x;
  size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  for (; i + (Loads - 1) * width < n4; i += Loads * width) {
    float4 v[Loads];
#pragma unroll
    for (int k = 0; k < Loads; ++k) v[k] = in[i + k * width];
#pragma unroll
    for (int k = 0; k < Loads; ++k) sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
  }
  if (sum == 1.2345f) *out = sum;
}

__global__ void chase(const uint32_t* __restrict__ next, uint32_t* out, int hops, long long* clocks) {
  uint32_t at = 0;
  const long long from = clock64();
  for (int i = 0; i < hops; ++i) at = __ldcg(next + at);
  *clocks = clock64() - from;
  *out = at;
}

void properties() {
  cudaDeviceProp p;
  must(cudaGetDeviceProperties(&p, 0), "properties");
  int clock_khz = 0, memory_khz = 0, driver = 0, runtime = 0;
  must(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0), "clock");
  must(cudaDeviceGetAttribute(&memory_khz, cudaDevAttrMemoryClockRate, 0), "memory clock");
  must(cudaDriverGetVersion(&driver), "driver");
  must(cudaRuntimeGetVersion(&runtime), "runtime");
  multiprocessors = p.multiProcessorCount;
  std::printf("name %s\ncompute_capability %d.%d\nmultiprocessors %d\nclock_khz %d\nmemory_clock_khz %d\nmemory_bus_bits %d\n"
              "memory_bytes %zu\nl2_bytes %d\nregisters_per_sm %d\nthreads_per_sm %d\nshared_per_sm %zu\nshared_per_block_optin %zu\n"
              "cuda_driver %d\ncuda_runtime %d\n",
              p.name, p.major, p.minor, p.multiProcessorCount, clock_khz, memory_khz, p.memoryBusWidth, p.totalGlobalMem, p.l2CacheSize,
              p.regsPerMultiprocessor, p.maxThreadsPerMultiProcessor, p.sharedMemPerMultiprocessor, p.sharedMemPerBlockOptin, driver, runtime);
  std::printf("peak_bandwidth_gb_s %.1f  (bus x memory clock x 2 transfers)\n", p.memoryBusWidth / 8.0 * memory_khz * 2.0 * 1e-6);
}

constexpr unsigned threads = 256;

void streaming(float* a, float* b, float* c) {
  row("empty", "blocks=1", median_us([] { empty<<<1, 32>>>(); }));
  for (int shift : {12, 16, 18, 20, 21, 22, 23, 24, 26, 28}) {
    const size_t n = size_t{1} << shift;
    auto add = [=] { vec_add<<<unsigned((n + threads - 1) / threads), threads>>>(a, b, c, n); };
    row("vec_add", "n=" + text(n), median_us(add));
    row("vec_add_warm", "n=" + text(n), median_us(add, Cache::warm));
  }
  for (int n : {1000, 100000}) {  // sizes that fill no whole block
    auto add = [=] { vec_add<<<(n + threads - 1) / threads, threads>>>(a, b, c, size_t(n)); };
    row("vec_add", "n=" + text(n), median_us(add));
  }
  for (int bytes_shift : {26, 28, 30}) {
    const size_t bytes = size_t{1} << bytes_shift;
    row("device_copy", "bytes=" + text(bytes), median_us([=] { cudaMemcpyAsync(b, a, bytes, cudaMemcpyDeviceToDevice); }));
  }
}

void access_patterns(float* in, float* out) {
  const size_t n = size_t{1} << 24;
  for (size_t stride : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 64})
    row("read_strided", "n=" + text(n) + ";stride=" + text(stride),
        median_us([=] { read_strided<<<unsigned(n / threads), threads>>>(in, out, n, stride); }));
  const size_t m = size_t{1} << 26;
  for (size_t offset : {0, 1, 2, 4, 8, 12, 16, 24, 32})
    row("read_offset", "n=" + text(m) + ";offset=" + text(offset),
        median_us([=] { read_strided<<<unsigned(m / threads), threads>>>(in + offset, out, m, 1); }));
}

template <int Fmas>
void intensity_point(const float* in, float* out) {
  const size_t n = size_t{1} << 28;
  row("fma_stream", "n=" + text(n) + ";fmas=" + text(Fmas), median_us([=] {
        fma_stream<Fmas><<<multiprocessors * 8, threads>>>((const float4*)in, (float4*)out, n / 4, 0.999f, 0.001f);
      }));
}

template <int Loads>
void in_flight(const float* in, float* out) {
  const size_t n = size_t{1} << 28;
  for (int per_sm : {64, 128, 256, 512, 1024, 2048}) {
    const int block = std::min(per_sm, 512);
    const int blocks = multiprocessors * (per_sm / block);
    row("read_in_flight", "n=" + text(n) + ";threads_per_sm=" + text(per_sm) + ";loads=" + text(Loads),
        median_us([=] { read_in_flight<Loads><<<blocks, block>>>((const float4*)in, out, n / 4); }, Cache::cold, 7));
  }
}

void latency(uint32_t* next) {
  uint32_t* out = nullptr;
  long long *clocks = nullptr, host = 0;
  must(cudaMalloc(&out, 4), "out");
  must(cudaMalloc(&clocks, 8), "clocks");
  struct Case {
    size_t bytes;
    Cache cache;
  };
  for (const Case& c : {Case{size_t{4} << 20, Cache::warm}, Case{size_t{16} << 20, Cache::warm}, Case{size_t{64} << 20, Cache::cold},
                        Case{size_t{1} << 30, Cache::cold}}) {
    const size_t bytes = c.bytes;
    const uint32_t count = uint32_t(bytes / 128);  // one element per line, one cycle through all of them
    std::vector<uint32_t> order(count), table(bytes / 4, 0);
    for (uint32_t i = 0; i < count; ++i) order[i] = i;
    uint64_t state = 88172645463325252ull;
    for (uint32_t i = count - 1; i > 0; --i) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      std::swap(order[i], order[state % (i + 1)]);
    }
    for (uint32_t i = 0; i < count; ++i) table[size_t{order[i]} * 32] = order[(i + 1) % count] * 32;
    must(cudaMemcpy(next, table.data(), bytes, cudaMemcpyHostToDevice), "table");
    const int hops = int(std::min<uint32_t>(count, 1u << 16));
    double ns = 0;
    for (int round = 0; round < 3; ++round) {
      if (c.cache == Cache::cold) must(cudaMemset(flush_buffer, round, flush_bytes), "flush");
      must(cudaEventRecord(begin_event), "record");
      chase<<<1, 1>>>(next, out, hops, clocks);
      must(cudaEventRecord(end_event), "record");
      must(cudaEventSynchronize(end_event), "chase");
      float ms = 0;
      must(cudaEventElapsedTime(&ms, begin_event, end_event), "time");
      ns = ms * 1e6 / hops;
    }
    must(cudaMemcpy(&host, clocks, 8, cudaMemcpyDeviceToHost), "clocks");
    std::printf("latency %s table_bytes %zu ns_per_load %.1f clocks_per_load %.1f\n", c.cache == Cache::cold ? "memory" : "l2", bytes, ns, double(host) / hops);
  }
}

void launches() {
  cudaStream_t stream;
  must(cudaStreamCreate(&stream), "stream");
  const int count = 1000;
  auto timed = [&](auto body) {
    body();
    must(cudaStreamSynchronize(stream), "warm-up");
    must(cudaEventRecord(begin_event, stream), "record");
    body();
    must(cudaEventRecord(end_event, stream), "record");
    must(cudaEventSynchronize(end_event), "launches");
    float ms = 0;
    must(cudaEventElapsedTime(&ms, begin_event, end_event), "time");
    return ms * 1e3 / count;
  };
  std::printf("launch stream_us %.3f\n", timed([&] { for (int i = 0; i < count; ++i) empty<<<1, 32, 0, stream>>>(); }));
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
  for (int i = 0; i < count; ++i) empty<<<1, 32, 0, stream>>>();
  must(cudaStreamEndCapture(stream, &graph), "capture");
  must(cudaGraphInstantiate(&ready, graph, 0), "graph");
  std::printf("launch graph_node_us %.3f\n", timed([&] { must(cudaGraphLaunch(ready, stream), "graph"); }));
}

int wrong(const float* in, float* out, float* a, float* b, float* c) {
  int bad = 0;
  const size_t n = 100'000;
  std::vector<float> x(n), y(n), z(n);
  for (size_t stride : {1, 2, 5, 8, 33}) {
    must(cudaMemset(out, 0xff, n * 4), "poison");
    read_strided<<<unsigned((n + threads - 1) / threads), threads>>>(in, out, n, stride);
    must(cudaMemcpy(z.data(), out, n * 4, cudaMemcpyDeviceToHost), "back");
    for (size_t i = 0; i < n; ++i) bad += z[i] != float((i * stride) % 65'521);
  }
  must(cudaMemset(c, 0xff, n * 4), "poison");
  vec_add<<<unsigned((n + threads - 1) / threads), threads>>>(a, b, c, n);
  must(cudaMemcpy(x.data(), a, n * 4, cudaMemcpyDeviceToHost), "back");
  must(cudaMemcpy(y.data(), b, n * 4, cudaMemcpyDeviceToHost), "back");
  must(cudaMemcpy(z.data(), c, n * 4, cudaMemcpyDeviceToHost), "back");
  for (size_t i = 0; i < n; ++i) bad += z[i] != x[i] + y[i];
  std::printf("wrong_elements %d\n", bad);
  return bad;
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    std::fprintf(stderr, "usage: bounds RESULTS.csv | counters\n");
    return 2;
  }
  const size_t big = size_t{1} << 30;  // floats: 4 GiB
  float *in = nullptr, *out = nullptr, *a = nullptr, *b = nullptr, *c = nullptr;
  const size_t n = size_t{1} << 28;
  must(cudaMalloc(&in, (big + 64) * 4), "in");
  must(cudaMalloc(&out, n * 4), "out");
  must(cudaMalloc(&a, n * 4), "a");
  must(cudaMalloc(&b, n * 4), "b");
  must(cudaMalloc(&c, n * 4), "c");
  must(cudaMalloc(&flush_buffer, flush_bytes), "flush");
  number<<<unsigned((big + 64 + threads - 1) / threads), threads>>>(in, big + 64);
  number<<<unsigned(n / threads), threads>>>(a, n);
  number<<<unsigned(n / threads), threads>>>(b, n);
  must(cudaDeviceSynchronize(), "fill");
  must(cudaEventCreate(&begin_event), "event");
  must(cudaEventCreate(&end_event), "event");

  if (std::strcmp(words[1], "counters") == 0) {
    const size_t m = size_t{1} << 22;
    for (size_t stride : {1, 2, 3, 4, 8, 16, 32}) read_strided<<<unsigned(m / threads), threads>>>(in, out, m, stride);
    for (size_t offset : {1, 8, 16}) read_strided<<<unsigned(m / threads), threads>>>(in + offset, out, m, 1);
    must(cudaDeviceSynchronize(), "counters");
    return 0;
  }

  csv = std::fopen(words[1], "w");
  if (!csv) return 1;
  std::fprintf(csv, "kernel,params,median_us\n");
  properties();
  if (wrong(in, out, a, b, c)) return 1;
  streaming(a, b, c);
  access_patterns(in, out);
  intensity_point<1>(a, c), intensity_point<2>(a, c), intensity_point<4>(a, c), intensity_point<8>(a, c);
  intensity_point<16>(a, c), intensity_point<24>(a, c), intensity_point<32>(a, c), intensity_point<40>(a, c);
  intensity_point<48>(a, c), intensity_point<56>(a, c), intensity_point<64>(a, c), intensity_point<80>(a, c);
  intensity_point<96>(a, c), intensity_point<128>(a, c), intensity_point<256>(a, c), intensity_point<512>(a, c);
  in_flight<1>(a, out), in_flight<2>(a, out), in_flight<4>(a, out), in_flight<8>(a, out);
  latency((uint32_t*)in);
  launches();
  std::fclose(csv);
  std::printf("done\n");
  return 0;
}
