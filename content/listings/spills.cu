// One kernel, compiled twice: with as many registers as it wants, and with 32, so that two blocks of 1,024 threads fit.
// See the report:  nvcc -O3 -std=c++17 -arch=sm_90 -Xptxas -v -c spills.cu

// [kernels]
constexpr int held = 48;  // values that each thread keeps at once

__device__ __forceinline__ void reverse(const float* in, float* out) {
  float v[held];  // in and out may be one array: read all, then write
  for (int i = 0; i < held; ++i) v[i] = in[i * 1024 + threadIdx.x];
  for (int i = 0; i < held; ++i)
    out[i * 1024 + threadIdx.x] = v[held - 1 - i];
}

__global__ void as_it_wants(const float* in, float* out) {
  reverse(in, out);
}

__global__ void __launch_bounds__(1024, 2)
two_blocks(const float* in, float* out) {
  reverse(in, out);
}
// [/kernels]
