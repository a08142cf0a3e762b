// Sums one array per GPU with NCCL, looks at every element of every result, and takes the time.
// One process drives all the GPUs, 4 unless another number is given.
// Build and run:  nvcc -O3 -std=c++17 nccl_all_reduce.cpp -lnccl -o nccl_all_reduce && ./nccl_all_reduce 4
#include <cuda_runtime.h>
#include <nccl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

static void must(ncclResult_t status, const char* what) {
  if (status == ncclSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, ncclGetErrorString(status));
  std::exit(1);
}

struct Gpu {
  int device;
  ncclComm_t comm;
  cudaStream_t stream;
  cudaEvent_t begin, end;
  float *in, *out;
};

static std::vector<Gpu> open_gpus(int count, size_t most) {
  std::vector<int> devices(count);
  std::vector<ncclComm_t> comms(count);
  for (int r = 0; r < count; ++r) devices[r] = r;
  must(ncclCommInitAll(comms.data(), count, devices.data()), "communicators");
  std::vector<Gpu> gpus(count);
  for (int r = 0; r < count; ++r) {
    Gpu& g = gpus[r];
    g.device = r;
    g.comm = comms[r];
    must(cudaSetDevice(r), "device");
    must(cudaStreamCreate(&g.stream), "stream");
    must(cudaEventCreate(&g.begin), "event");
    must(cudaEventCreate(&g.end), "event");
    must(cudaMalloc(&g.in, most * sizeof(float)), "memory for in");
    must(cudaMalloc(&g.out, most * sizeof(float)), "memory for out");
  }
  return gpus;
}

// [all_reduce]
// Every GPU ends up with the sum of all the `in`.
static void all_reduce(std::vector<Gpu>& gpus, size_t n) {
  must(ncclGroupStart(), "group");
  for (Gpu& g : gpus)
    must(ncclAllReduce(g.in, g.out, n, ncclFloat, ncclSum,
                       g.comm, g.stream), "all-reduce");
  must(ncclGroupEnd(), "group");  // queued on every stream
}

static void wait(std::vector<Gpu>& gpus) {
  for (Gpu& g : gpus) {
    must(cudaSetDevice(g.device), "device");
    must(cudaStreamSynchronize(g.stream), "wait");  // done
  }
}

// Microseconds of one call: the slowest GPU's, over `rounds`.
static double time_of(std::vector<Gpu>& gpus, size_t n,
                      int rounds) {
  for (int i = 0; i < 5; ++i) all_reduce(gpus, n);
  wait(gpus);
  for (Gpu& g : gpus)
    must(cudaEventRecord(g.begin, g.stream), "begin");
  for (int i = 0; i < rounds; ++i) all_reduce(gpus, n);
  for (Gpu& g : gpus)
    must(cudaEventRecord(g.end, g.stream), "end");
  wait(gpus);
  float slowest = 0;
  for (Gpu& g : gpus) {
    float ms = 0;
    must(cudaEventElapsedTime(&ms, g.begin, g.end), "time");
    slowest = std::max(slowest, ms);
  }
  return slowest * 1000.0 / rounds;
}
// [/all_reduce]

// Whole numbers below 2^24: their sums are exact in every order.
static float value(size_t i, int rank) { return float((i * 7 + size_t(rank) * 13) % 1021); }

static void fill(std::vector<Gpu>& gpus, size_t n) {
  std::vector<float> numbers(n);
  for (Gpu& g : gpus) {
    for (size_t i = 0; i < n; ++i) numbers[i] = value(i, g.device);
    must(cudaSetDevice(g.device), "device");
    must(cudaMemcpy(g.in, numbers.data(), n * sizeof(float), cudaMemcpyHostToDevice), "in");
    must(cudaMemset(g.out, 255, n * sizeof(float)), "out");  // not a number
    must(cudaDeviceSynchronize(), "inputs");
  }
}

static size_t wrong_elements(std::vector<Gpu>& gpus, size_t n) {
  std::vector<float> numbers(n);
  size_t wrong = 0;
  for (Gpu& g : gpus) {
    must(cudaSetDevice(g.device), "device");
    must(cudaMemcpy(numbers.data(), g.out, n * sizeof(float), cudaMemcpyDeviceToHost), "out");
    for (size_t i = 0; i < n; ++i) {
      float sum = 0;
      for (size_t rank = 0; rank < gpus.size(); ++rank) sum += value(i, int(rank));
      if (!(numbers[i] == sum)) ++wrong;
    }
  }
  return wrong;
}

int main(int count, char** words) {
  const int wanted = count > 1 ? std::atoi(words[1]) : 4;
  int present = 0;
  must(cudaGetDeviceCount(&present), "number of GPUs");
  if (wanted < 2 || wanted > present) {
    std::fprintf(stderr, "%d GPUs wanted, from 2 to the %d of this machine\n", wanted, present);
    return 2;
  }
  const std::vector<size_t> sizes = {2048, 4096, 131'072, 1'048'576, 33'554'432};  // 8 KiB to 128 MiB
  std::vector<Gpu> gpus = open_gpus(wanted, sizes.back());
  std::printf("      bytes     us   S/t GB/s   bus GB/s  wrong\n");
  size_t all_wrong = 0;
  for (const size_t n : sizes) {
    fill(gpus, n);
    all_reduce(gpus, n);
    wait(gpus);
    const size_t wrong = wrong_elements(gpus, n);
    all_wrong += wrong;
    const double us = time_of(gpus, n, 50), bytes = double(n * sizeof(float)), rate = bytes / us / 1000;
    std::printf("%11.0f %6.1f %10.1f %10.1f %6zu\n", bytes, us, rate, rate * 2 * (wanted - 1) / wanted, wrong);
  }
  for (Gpu& g : gpus) {
    must(cudaSetDevice(g.device), "device");
    must(cudaFree(g.in), "free");
    must(cudaFree(g.out), "free");
    must(cudaEventDestroy(g.begin), "event");
    must(cudaEventDestroy(g.end), "event");
    must(cudaStreamDestroy(g.stream), "stream");
    must(ncclCommDestroy(g.comm), "communicator");
  }
  std::puts(all_wrong ? "WRONG" : "right");
  return all_wrong ? 1 : 0;
}
