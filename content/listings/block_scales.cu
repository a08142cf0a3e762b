// Scales of a block-scaled operand, from rows to the tiles of 128 x 4 that Blackwell's matrix units take. A scale has one byte, four are a word.
// Build and run:  nvcc -O3 -arch=native block_scales.cu -o block_scales && ./block_scales
#include <cstdio>
#include <cstdlib>

// [kernel]
// Where the word with scales 4 * word to 4 * word + 3 of a row goes. A tile is 128 words; tiles follow each other along k.
__device__ __forceinline__ size_t place(int row, int word, int words) {
  const size_t tile = size_t(row / 128) * words + word;
  return tile * 128 + row % 32 * 4 + row % 128 / 32;
}

// grid: (words of a row, rows / 128 rounded up), 128 threads; rows that do not exist get zeros
__global__ void tile_scales(
    const unsigned* __restrict__ in, unsigned* __restrict__ out, int rows, int words) {
  const int row = blockIdx.y * 128 + threadIdx.x, word = blockIdx.x;
  unsigned four = 0;
  if (row < rows) four = in[size_t(row) * words + word];
  out[place(row, word, words)] = four;
}
// [/kernel]

#ifndef LK_HARNESS
static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int main() {
  const int rows = 300, k = 1024, words = k / 16 / 4;  // one scale for 16 elements
  const int tall = (rows + 127) / 128;
  unsigned *in = nullptr, *out = nullptr;
  must(cudaMallocManaged(&in, size_t(rows) * words * 4), "input");
  must(cudaMallocManaged(&out, size_t(tall) * words * 512), "output");
  for (int i = 0; i < rows * words; ++i) in[i] = unsigned(i + 1) * 2'654'435'761u;
  // [launch]
  tile_scales<<<dim3(words, tall), 128>>>(in, out, rows, words);
  // [/launch]
  must(cudaGetLastError(), "launch");
  must(cudaDeviceSynchronize(), "tiles");
  // Byte by byte, the other way round: which scale does each byte of the tiles hold?
  const auto* from = reinterpret_cast<const unsigned char*>(in);
  const auto* to = reinterpret_cast<const unsigned char*>(out);
  for (int tile = 0; tile < tall * words; ++tile)
    for (int at = 0; at < 512; ++at) {
      const int row = tile / words * 128 + at % 16 / 4 * 32 + at / 16, scale = tile % words * 4 + at % 4;
      const int want = row < rows ? from[size_t(row) * words * 4 + scale] : 0;
      if (to[size_t(tile) * 512 + at] != want) {
        std::fprintf(stderr, "tile %d, byte %d is wrong\n", tile, at);
        return 1;
      }
    }
  std::printf("right\n");
  return 0;
}
#endif
