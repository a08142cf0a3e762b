// What a clock says of one kernel, by how it is read: the pitfalls of section 3.4.
// Build and run:  nvcc -O3 -std=c++17 -arch=native timing.cu -o timing && ./timing results.csv
#define LK_HARNESS
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../../listings/vec_add.cu"

static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

__global__ void fill(float* data, size_t n, unsigned factor) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) data[i] = float(unsigned(i) * factor >> 12);
}

using Clock = std::chrono::steady_clock;
static double since(Clock::time_point begin) { return std::chrono::duration<double, std::micro>(Clock::now() - begin).count(); }

int main(int, char** argv) {
  std::FILE* csv = std::fopen(argv[1], "w");
  std::fprintf(csv, "kernel,params,median_us,least_us,most_us\n");
  const size_t most = size_t{1} << 28;
  float *a, *b, *c;
  char* other;
  must(cudaMalloc(&a, most * 4), "a"), must(cudaMalloc(&b, most * 4), "b"), must(cudaMalloc(&c, most * 4), "c"), must(cudaMalloc(&other, 256 << 20), "flush");
  cudaEvent_t e0, e1;
  must(cudaEventCreate(&e0), "event"), must(cudaEventCreate(&e1), "event");
  const auto begin = Clock::now();
  vec_add<<<1, 256>>>(a, b, c, 256);
  must(cudaDeviceSynchronize(), "first");
  std::fprintf(csv, "vec_add_first,n=256,%.3f,,\n", since(begin));
  fill<<<unsigned(most / 256), 256>>>(a, most, 2'654'435'761u);
  fill<<<unsigned(most / 256), 256>>>(b, most, 2'246'822'519u);
  must(cudaDeviceSynchronize(), "fill");

  for (int bits : {12, 16, 20, 22, 24, 28}) {
    const size_t n = size_t{1} << bits;
    const unsigned blocks = unsigned((n + 255) / 256);
    const auto launch = [&] { vec_add<<<blocks, 256>>>(a, b, c, n); };
    const auto report = [&](const char* name, std::vector<double> t) {
      std::sort(t.begin(), t.end());
      std::fprintf(csv, "%s,n=%zu,%.3f,%.3f,%.3f\n", name, n, t[t.size() / 2], t.front(), t.back());
    };
    const auto flush = [&](int r) { must(cudaMemset(other, r & 1, 256 << 20), "flush"); };
    std::vector<double> t;
    const int rounds = 101;
    for (int r = 0; r < rounds; ++r) {  // the call alone
      must(cudaDeviceSynchronize(), "quiet");
      const auto from = Clock::now();
      launch();
      t.push_back(since(from));
    }
    report("host_no_wait", t), t.clear();
    for (int r = 0; r < rounds; ++r) {
      must(cudaDeviceSynchronize(), "quiet");
      const auto from = Clock::now();
      launch();
      must(cudaDeviceSynchronize(), "wait");
      t.push_back(since(from));
    }
    report("host_and_wait", t), t.clear();
    for (int r = 0; r < rounds; ++r) {
      must(cudaEventRecord(e0), "e0"), launch(), must(cudaEventRecord(e1), "e1"), must(cudaEventSynchronize(e1), "e1");
      float ms;
      must(cudaEventElapsedTime(&ms, e0, e1), "time"), t.push_back(ms * 1e3);
    }
    report("events_warm", t), t.clear();
    for (int r = 0; r < rounds; ++r) {
      flush(r);
      must(cudaEventRecord(e0), "e0"), launch(), must(cudaEventRecord(e1), "e1"), must(cudaEventSynchronize(e1), "e1");
      float ms;
      must(cudaEventElapsedTime(&ms, e0, e1), "time"), t.push_back(ms * 1e3);
    }
    report("events_flushed", t), t.clear();
    for (int r = 0; r < 21; ++r) {
      must(cudaEventRecord(e0), "e0");
      for (int k = 0; k < 100; ++k) launch();
      must(cudaEventRecord(e1), "e1"), must(cudaEventSynchronize(e1), "e1");
      float ms;
      must(cudaEventElapsedTime(&ms, e0, e1), "time"), t.push_back(ms * 10);
    }
    report("hundred_in_a_row", t), t.clear();
    // As many arrays as it takes to be four times the L2, used in turn.
    const size_t sets = std::max<size_t>(1, std::min<size_t>(most / n, (size_t{240} << 20) / (12 * n) + 1));
    for (int r = 0; r < 21; ++r) {
      must(cudaEventRecord(e0), "e0");
      for (size_t k = 0; k < 100; ++k) vec_add<<<blocks, 256>>>(a + k % sets * n, b + k % sets * n, c + k % sets * n, n);
      must(cudaEventRecord(e1), "e1"), must(cudaEventSynchronize(e1), "e1");
      float ms;
      must(cudaEventElapsedTime(&ms, e0, e1), "time"), t.push_back(ms * 10);
    }
    report("hundred_rotated", t), t.clear();
  }
  std::fclose(csv);
  return 0;
}
