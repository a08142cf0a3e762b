#include <cstdio>

// [kernel]
__global__ void add(const float* a, float* b) {
  // [body]
  b[0] += a[0];
  // [/body]
}
// [/kernel]

int main() {}
