// A token mask on the logits: one bit for each token of the vocabulary, set where the token may follow.
// A row of blocks for each sequence, a thread for each token.

// [kernel]
__global__ void mask_logits(float* logits, const unsigned* mask, int vocabulary, int words) {
  int token = blockIdx.x * blockDim.x + threadIdx.x;
  if (token >= vocabulary) return;
  unsigned word = mask[blockIdx.y * words + token / 32];  // one word for a warp: a broadcast
  if (word >> (token % 32) & 1u) return;                  // may follow: its logit is not touched
  logits[(long long)blockIdx.y * vocabulary + token] = -INFINITY;
}
// [/kernel]

#ifndef LK_HARNESS
#include <cmath>
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

int main() {
  const int batch = 64, vocabulary = 128256, words = (vocabulary + 31) / 32;
  std::vector<float> logits(static_cast<size_t>(batch) * vocabulary, 1.0f);
  std::vector<unsigned> mask(static_cast<size_t>(batch) * words, 0u);
  for (size_t i = 0; i < mask.size(); ++i) mask[i] = i % 7 == 0 ? 0x8421u : i % 3 == 0 ? 0xffffffffu : 0u;
  float* device_logits;
  unsigned* device_mask;
  cudaMalloc(&device_logits, logits.size() * sizeof(float));
  cudaMalloc(&device_mask, mask.size() * sizeof(unsigned));
  cudaMemcpy(device_logits, logits.data(), logits.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(device_mask, mask.data(), mask.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
  mask_logits<<<dim3((vocabulary + 255) / 256, batch), 256>>>(device_logits, device_mask, vocabulary, words);
  if (cudaError_t status = cudaDeviceSynchronize(); status != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(status));
    return 1;
  }
  cudaMemcpy(logits.data(), device_logits, logits.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (size_t i = 0; i < logits.size(); ++i) {
    const size_t row = i / vocabulary, token = i % vocabulary;
    const bool allowed = mask[row * words + token / 32] >> (token % 32) & 1u;
    if (allowed ? logits[i] != 1.0f : !(std::isinf(logits[i]) && logits[i] < 0)) {
      std::printf("wrong at %zu\n", i);
      return 1;
    }
  }
  std::printf("masked %d rows of %d\n", batch, vocabulary);
  return 0;
}
#endif
