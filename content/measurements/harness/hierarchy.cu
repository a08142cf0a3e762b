// Measures what section 1.1 talks about: waves, placement, divergence, idle lanes, barriers, latencies, the host's part.
// Writes "kernel,params,median_us" to the first file, "launch,blocks,block,sm,start_ns" to the second, the rest to standard output.
// Build:  nvcc -O3 -std=c++17 -arch=native hierarchy.cu -o hierarchy
// Run:    ./hierarchy results.csv placement.csv          about a quarter of a minute
#define LK_HARNESS
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "../../listings/vec_add.cu"

static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

#include "../../listings/vec_add_host.cu"

namespace {

FILE *csv = nullptr, *places = nullptr;
cudaEvent_t begin_event, end_event;
int sms = 0;

/// Median of 15 launches in microseconds, after three that do not count.
template <class Launch>
double median_us(Launch launch, int rounds = 15) {
  for (int i = 0; i < 3; ++i) launch();
  must(cudaDeviceSynchronize(), "warm-up");
  std::vector<float> times;
  for (int i = 0; i < rounds; ++i) {
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

template <class T>
std::string text(T v) { return std::to_string(v); }

/// Holds its block for a fixed time, whatever else the multiprocessor does.
__global__ void wait(long long clocks) {
  const long long from = clock64();
  while (clock64() - from < clocks) {
  }
}

/// Four chains of multiply-adds a thread: one warp in each scheduler nearly fills the FP32 lanes, more share them.
__global__ void multiply(float* out, int iters, float a, float b) {
  float w = threadIdx.x, x = w + 1, y = w + 2, z = w + 3;
  for (int i = 0; i < iters; ++i) {
    w = fmaf(w, a, b);
    x = fmaf(x, a, b);
    y = fmaf(y, a, b);
    z = fmaf(z, a, b);
  }
  if (w + x + y + z == 1.2345f) *out = w;
}

/// `ways` loops, of which each thread takes one: by its lane, so that a warp takes all, or by its warp.
__global__ void branch(float* out, int ways, int iters, int by_warp, float a, float b) {
  const int path = (by_warp ? threadIdx.x / 32 : threadIdx.x % 32) % ways;
  float w = threadIdx.x, x = w + 1, y = w + 2, z = w + 3;
  for (int way = 0; way < ways; ++way)
    if (path == way)
      for (int i = 0; i < iters; ++i) {
        w = fmaf(w, a, b);
        x = fmaf(x, a, b);
        y = fmaf(y, a, b);
        z = fmaf(z, a, b);
      }
  if (w + x + y + z == 1.2345f) *out = w;
}

__global__ void add_in_strides(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, size_t n) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x) c[i] = a[i] + b[i];
}

__global__ void where(int* sm, unsigned long long* start, long long clocks) {
  if (threadIdx.x == 0) {
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm[blockIdx.x]));
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start[blockIdx.x]));
  }
  const long long from = clock64();
  while (clock64() - from < clocks) {
  }
}

__global__ void barriers(long long* clocks, int rounds) {
  __syncthreads();
  const long long from = clock64();
  for (int i = 0; i < rounds; ++i) __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x == 0) *clocks = clock64() - from;
}

__global__ void grid_barriers(int rounds) {
  auto grid = cooperative_groups::this_grid();
  for (int i = 0; i < rounds; ++i) grid.sync();
}

enum class Space { shared, l1 };
constexpr int table_words = 1024;

/// One thread follows a chain of addresses, each of which the load before it brought.
template <Space space>
__global__ void chase(const uint64_t* table, uint64_t* out, int hops, long long* clocks) {
  __shared__ uint64_t copy[table_words];
  for (int i = 0; i < table_words; ++i) copy[i] = reinterpret_cast<uint64_t>(copy) + (table[i] - reinterpret_cast<uint64_t>(table));
  const char* near = reinterpret_cast<const char*>(copy);
  auto at = static_cast<uint32_t>(__cvta_generic_to_shared(near));
  uint64_t far = reinterpret_cast<uint64_t>(table);
  if (space == Space::shared)
    for (int i = 0; i < table_words; ++i) copy[i] = __cvta_generic_to_shared(reinterpret_cast<const void*>(copy[i]));
  for (int i = 0; i < table_words; ++i) asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(far));
  const long long from = clock64();
#pragma unroll 16
  for (int i = 0; i < hops; ++i) {
    if (space == Space::shared) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
    else asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(far));
  }
  *clocks = clock64() - from;
  *out = far + at;
}

__global__ void dependent(float* out, int iters, float a, float b, long long* clocks) {
  float v = threadIdx.x;
  const long long from = clock64();
#pragma unroll 64
  for (int i = 0; i < iters; ++i) v = fmaf(v, a, b);
  *clocks = clock64() - from;
  *out = v;
}

void properties() {
  cudaDeviceProp p;
  must(cudaGetDeviceProperties(&p, 0), "properties");
  sms = p.multiProcessorCount;
  std::printf("name %s\nmultiprocessors %d\nwarp %d\nthreads_per_block %d\nthreads_per_sm %d\nblocks_per_sm %d\ngrid %d %d %d\nblock %d %d %d\n", p.name, sms,
              p.warpSize, p.maxThreadsPerBlock, p.maxThreadsPerMultiProcessor, p.maxBlocksPerMultiProcessor, p.maxGridSize[0], p.maxGridSize[1],
              p.maxGridSize[2], p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2]);
}

void waves(float* out) {
  constexpr int threads = 512;
  int resident = 0;
  must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, wait, threads, 0), "occupancy");
  std::printf("resident wait %d\n", resident);
  must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, multiply, threads, 0), "occupancy");
  std::printf("resident multiply %d\n", resident);
  for (const int blocks : {1, 132, 133, 264, 396, 528, 529, 600, 660, 792, 1056, 1057, 1584, 1585, 5280, 5281}) {
    row("wait", "blocks=" + text(blocks) + ";threads=512;clocks=40000", median_us([=] { wait<<<blocks, threads>>>(40'000); }));
    row("multiply", "blocks=" + text(blocks) + ";threads=512;iters=4096", median_us([=] { multiply<<<blocks, threads>>>(out, 4096, 0.5f, 1.f); }));
  }
}

void placement() {
  constexpr int threads = 512, most = 4096;
  int* sm = nullptr;
  unsigned long long* start = nullptr;
  must(cudaMalloc(&sm, most * sizeof *sm), "sm");
  must(cudaMalloc(&start, most * sizeof *start), "start");
  std::vector<int> before;
  int launch = 0;
  for (const int blocks : {600, 600, 132, 264, 528}) {
    std::vector<int> at(static_cast<size_t>(blocks));
    std::vector<unsigned long long> from(static_cast<size_t>(blocks));
    for (int i = 0; i < 5; ++i) where<<<blocks, threads>>>(sm, start, 40'000);  // the last one counts
    must(cudaMemcpy(at.data(), sm, at.size() * sizeof *sm, cudaMemcpyDeviceToHost), "where");
    must(cudaMemcpy(from.data(), start, from.size() * sizeof *start, cudaMemcpyDeviceToHost), "start");
    const unsigned long long first = *std::min_element(from.begin(), from.end());
    std::vector<int> count(static_cast<size_t>(sms));
    for (const int s : at) ++count[static_cast<size_t>(s)];
    std::set<int> late;
    int later = 0;
    for (size_t b = 0; b < at.size(); ++b)
      if (from[b] - first > 10'000) ++later, late.insert(at[b]);
    ++launch;
    std::printf("placement launch %d blocks %d: the first %d on %zu multiprocessors, most on one %d, least %d, second wave %d on %zu, same as before %d\n",
                launch, blocks, std::min(blocks, sms), std::set<int>(at.begin(), at.begin() + std::min(blocks, sms)).size(),
                *std::max_element(count.begin(), count.end()), *std::min_element(count.begin(), count.end()), later, late.size(), at == before);
    for (size_t b = 0; b < at.size(); ++b) std::fprintf(places, "%d,%d,%zu,%d,%llu\n", launch, blocks, b, at[b], from[b] - first);
    before = at;
  }
}

void divergence(float* out) {
  for (const int by_warp : {0, 1})
    for (const int ways : {1, 2, 4, 8, 16, 32})
      row("branch", std::string("by=") + (by_warp ? "warp" : "lane") + ";ways=" + text(ways) + ";iters=2048",
          median_us([=] { branch<<<528, 1024>>>(out, ways, 2048, by_warp, 0.5f, 1.f); }));
}

void block_sizes(float* out) {
  constexpr int all = 132 * 2048 * 8;
  for (const int threads : {16, 32, 33, 48, 64, 65, 96, 100, 128, 256, 512, 1000, 1024}) {
    int resident = 0;
    must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, multiply, threads, 0), "occupancy");
    row("block_size", "threads=" + text(threads) + ";resident=" + text(resident) + ";iters=1024",
        median_us([=] { multiply<<<(all + threads - 1) / threads, threads>>>(out, 1024, 0.5f, 1.f); }));
  }
}

void launches_of_one_sum() {
  const size_t n = size_t{1} << 20;
  float *a, *b, *c;
  for (float** p : {&a, &b, &c}) must(cudaMalloc(p, n * sizeof(float)), "memory");
  must(cudaMemset(a, 1, n * sizeof(float)), "a");
  must(cudaMemset(b, 2, n * sizeof(float)), "b");
  for (const auto& [blocks, threads] : {std::pair{1, 1}, {1, 32}, {1, 256}, {1, 1024}, {132, 1024}, {264, 1024}, {4096, 256}})
    row("add_in_strides", "blocks=" + text(blocks) + ";threads=" + text(threads) + ";n=" + text(n),
        median_us([&, blocks = blocks, threads = threads] { add_in_strides<<<blocks, threads>>>(a, b, c, n); }, 5));
  for (float* p : {a, b, c}) must(cudaFree(p), "free");
}

void barriers_and_latencies(float* out) {
  long long* clocks = nullptr;
  uint64_t* next = nullptr;
  must(cudaMallocManaged(&clocks, sizeof *clocks), "clocks");
  must(cudaMallocManaged(&next, (table_words + 1) * sizeof *next), "next");
  for (const int threads : {32, 64, 128, 256, 512, 1024}) {
    barriers<<<1, threads>>>(clocks, 1000);
    barriers<<<1, threads>>>(clocks, 100'000);
    must(cudaDeviceSynchronize(), "barriers");
    std::printf("barrier threads %d clocks %.1f\n", threads, *clocks / 1e5);
  }
  for (const int blocks : {1, 132, 264}) {
    double us[2];
    for (int k = 0; k < 2; ++k) {
      int rounds = k == 0 ? 100 : 1100;
      void* args[] = {&rounds};
      us[k] = median_us([&] { must(cudaLaunchCooperativeKernel((void*)grid_barriers, dim3(blocks), dim3(1024), args, 0, nullptr), "cooperative launch"); });
    }
    std::printf("grid_barrier blocks %d us %.3f\n", blocks, (us[1] - us[0]) / 1000);
  }
  for (int i = 0; i < table_words; ++i) next[i] = reinterpret_cast<uint64_t>(next + (i + 33) % table_words);
  for (int k = 0; k < 2; ++k) {
    constexpr int hops = 1 << 16;
    if (k == 0) chase<Space::shared><<<1, 1>>>(next, next + table_words, hops, clocks);
    else chase<Space::l1><<<1, 1>>>(next, next + table_words, hops, clocks);
    must(cudaDeviceSynchronize(), "chase");
    std::printf("latency %s clocks %.1f\n", k == 0 ? "shared" : "l1", *clocks / double(hops));
  }
  dependent<<<1, 32>>>(out, 1 << 16, 0.5f, 1.f, clocks);
  must(cudaDeviceSynchronize(), "dependent");
  std::printf("latency multiply_add clocks %.2f\n", *clocks / 65536.0);
}

double host_us(const std::chrono::steady_clock::time_point& from) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - from).count();
}

template <class Work>
double host_median_us(Work work, int rounds = 9) {
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    const auto from = std::chrono::steady_clock::now();
    work();
    times.push_back(host_us(from));
  }
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  return times[static_cast<size_t>(rounds) / 2];
}

void host() {
  for (const size_t n : {size_t{1'000'000}, size_t{1} << 26}) {
    const size_t bytes = n * sizeof(float);
    const std::string size = "n=" + text(n);
    std::vector<float> a(n, 1.f), b(n, 2.f), c(n);
    float *da, *db, *dc, *pinned;
    for (float** p : {&da, &db, &dc}) must(cudaMalloc(p, bytes), "memory");
    must(cudaMallocHost(&pinned, bytes), "pinned");
    row("copy_to_device", size + ";host=pageable", host_median_us([&] { cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice), cudaDeviceSynchronize(); }));
    row("copy_to_device", size + ";host=pinned", host_median_us([&] { cudaMemcpy(db, pinned, bytes, cudaMemcpyHostToDevice), cudaDeviceSynchronize(); }));
    must(cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice), "b");
    row("vec_add", size, median_us([&] { vec_add<<<unsigned((n + 255) / 256), 256>>>(da, db, dc, n); }));
    row("copy_to_host", size + ";host=pageable", host_median_us([&] { cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost); }));
    row("copy_to_host", size + ";host=pinned", host_median_us([&] { cudaMemcpy(pinned, dc, bytes, cudaMemcpyDeviceToHost); }));
    row("add", size, host_median_us([&] { add(a, b, c); }));
    row("add_on_host", size, host_median_us([&] { for (size_t i = 0; i < n; ++i) c[i] = a[i] + b[i]; }));
    size_t wrong = 0;
    add(a, b, c);
    for (const float v : c) wrong += v != 3.f;
    std::printf("host n %zu wrong %zu\n", n, wrong);
    for (float* p : {da, db, dc}) must(cudaFree(p), "free");
    must(cudaFreeHost(pinned), "free pinned");
  }
  must(cudaDeviceSynchronize(), "before");
  std::vector<double> returned, done;
  for (int i = 0; i < 15; ++i) {
    const auto from = std::chrono::steady_clock::now();
    wait<<<1, 1>>>(20'000'000);
    returned.push_back(host_us(from));
    must(cudaDeviceSynchronize(), "wait");
    done.push_back(host_us(from));
  }
  std::sort(returned.begin(), returned.end());
  std::sort(done.begin(), done.end());
  std::printf("launch returns_us %.2f done_us %.0f\n", returned[7], done[7]);
}

__global__ void stray(float* at) { *at = 1; }

/// What the runtime says of a launch that cannot start and of one that fails while it runs. The last test: the context is lost.
void errors() {
  wait<<<1, 1025>>>(1);
  std::printf("error 1025 threads: %s\n", cudaGetErrorString(cudaGetLastError()));
  wait<<<0, 32>>>(1);
  std::printf("error 0 blocks: %s\n", cudaGetErrorString(cudaGetLastError()));
  stray<<<1, 1>>>(reinterpret_cast<float*>(8));
  std::printf("error stray address, launch: %s\n", cudaGetErrorString(cudaGetLastError()));
  std::printf("error stray address, synchronize: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  void* more = nullptr;
  std::printf("error afterwards, allocation: %s\n", cudaGetErrorString(cudaMalloc(&more, 4)));
}

}  // namespace

int main(int count, char** words) {
  if (count < 3 || !(csv = std::fopen(words[1], "w")) || !(places = std::fopen(words[2], "w"))) {
    std::fprintf(stderr, "usage: hierarchy results.csv placement.csv\n");
    return 1;
  }
  std::fprintf(csv, "kernel,params,median_us\n");
  std::fprintf(places, "launch,blocks,block,sm,start_ns\n");
  must(cudaEventCreate(&begin_event), "event");
  must(cudaEventCreate(&end_event), "event");
  float* out = nullptr;
  must(cudaMalloc(&out, sizeof *out), "out");
  properties();
  waves(out);
  placement();
  divergence(out);
  block_sizes(out);
  launches_of_one_sum();
  barriers_and_latencies(out);
  host();
  errors();
  return 0;
}
