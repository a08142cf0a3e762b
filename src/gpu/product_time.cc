#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "gpu/library_parts.h"

namespace lk::gpu {
namespace {

struct Tile {
  int m, n;
};
/// What the names of kernels show that the library launched on an H200: one side is one of a few sizes, the other any multiple of
/// eight. Registers bound the area, for accumulators fill them; FP8 kernels stay smaller. Each is tried in both directions.
constexpr int sides[] = {64, 128, 192};
constexpr Tile large[] = {{256, 8},   {256, 16},  {256, 32},  {256, 64}, {256, 96},  {256, 128}, {256, 144},
                          {256, 160}, {256, 176}, {256, 192}, {320, 64}, {320, 128}, {384, 64},  {384, 128}};
constexpr int step = 8, longest = 256;
constexpr int most_area = 128 * 256, most_fp8_area = 96 * 256;
constexpr Tile tiles_tf32[] = {{64, 64}, {64, 128}, {64, 256}, {128, 128}, {128, 256}};
constexpr Tile tiles_fp32[] = {{64, 64}, {128, 64}, {128, 128}, {256, 128}};
constexpr std::array splits{1, 2, 3, 4, 6, 8};
constexpr double least_split_depth = 512;  // a shorter piece of k does not pay for adding up

std::vector<Tile> shapes(Type type) {
  if (type == Type::tf32) return {std::begin(tiles_tf32), std::end(tiles_tf32)};
  if (type == Type::fp32) return {std::begin(tiles_fp32), std::end(tiles_fp32)};
  std::vector<Tile> out;
  for (const int m : sides)
    for (int n = step; n <= longest; n += step)
      if (m * n <= (type == Type::fp8 ? most_fp8_area : most_area)) out.push_back({m, n});
  if (type != Type::fp8) out.insert(out.end(), std::begin(large), std::end(large));
  return out;
}

double efficiency(Type type, const LibraryConstants& l) {
  switch (type) {
    case Type::fp8: return l.efficiency_fp8;
    case Type::tf32: return l.efficiency_tf32;
    case Type::fp32: return l.efficiency_fp32;
    default: return l.efficiency_bf16;
  }
}

double output_bytes(Type type) { return bytes(type) < 2 ? 2 : bytes(type); }

/// The largest power of two that divides the bytes of a row.
double alignment(double elements, double size) {
  double row = elements * size, power = 1;
  while (power < 16 && std::fmod(row, power * 2) == 0) power *= 2;
  return power;
}

struct Plan {
  double us = 0, arithmetic = 0;
  int m = 0, n = 0, split = 1;
  double waves = 0;
};

Plan plan(const Product& p, Tile tile, int split, double memory, const Calibration& c) {
  const LibraryConstants& l = c.library;
  const double peak = c.peak_per_cycle[static_cast<size_t>(p.type)], in = bytes(p.type);
  const double count = std::ceil(p.m / tile.m) * std::ceil(p.n / tile.n) * split, depth = std::ceil(p.k / split);
  const double waves = std::ceil(count / c.sms);
  // The matrix unit works on 64 rows at a time, whatever the tile has.
  double work = 2.0 * std::max({64, tile.m, tile.n}) * std::min(tile.m, tile.n) * depth / (peak * efficiency(p.type, l));
  double load = (tile.m + tile.n) * depth * in / l.l2_bytes;
  if (p.type == Type::fp32) {
    // A thread has 8 x 8 results: a small tile alone in its SM has too few warps to hide latencies.
    if (tile.m * tile.n / 2048 * std::min(waves, 4.0) < 8) work *= l.few_warps;
    load = 0;  // far from the limit of the L2
  }
  const double cycles = std::pow(std::pow(work, 8) + std::pow(load, 8), 0.125) + l.wave;
  Plan out{0, waves * cycles / c.clock, tile.m, tile.n, split, waves};
  out.us = blend(out.arithmetic, memory);
  if (split > 1) out.us += l.split + 4.0 * split * p.m * p.n / l.bandwidth;
  return out;
}

}  // namespace

double blend(double a, double b) { return std::cbrt(a * a * a + b * b * b); }

double ColdReads::us(double bytes) {
  const LibraryConstants& l = c_.library;
  const double before = read_;
  read_ += bytes;
  return bytes / l.bandwidth + l.dirty * (std::exp(-before / l.dirty_bytes) - std::exp(-read_ / l.dirty_bytes));
}

double peak_per_us(Type type, const Calibration& c) { return c.peak_per_cycle[static_cast<size_t>(type)] * c.sms * c.clock; }

Kernel product(const Product& p, const Calibration& c, ColdReads& reads) {
  const LibraryConstants& l = c.library;
  const double in = bytes(p.type), out = output_bytes(p.type);
  Kernel k;
  k.flop = 2 * p.m * p.n * p.k;
  k.bytes = in * (p.m * p.k + p.n * p.k) + out * p.m * p.n;
  k.memory = reads.us(in * (p.m * p.k + p.n * p.k)) + l.output_share * out * p.m * p.n / l.bandwidth;

  // Rows that are not aligned to 16 bytes cannot be copied by the tensor memory accelerator: an older kernel with narrow loads runs.
  const double align = std::min(alignment(p.k, in), alignment(p.n, out));
  if (align < 16 && (p.type == Type::bf16 || p.type == Type::fp16 || p.type == Type::tf32)) {
    const double waves = std::ceil(std::ceil(p.m / 128) * std::ceil(p.n / 256) / c.sms);
    const double rate = c.peak_per_cycle[static_cast<size_t>(p.type)] * l.unaligned * (align >= 4 ? 1 : 0.5);
    k.arithmetic = waves * 2 * 128 * 256 * p.k / rate / c.clock;
    k.us = l.gemm_fill + blend(k.arithmetic, k.memory);
    k.how = "rows aligned to " + std::to_string(static_cast<int>(align)) + " bytes: the kernel without bulk copies, tiles of 128 x 256";
    return k;
  }
  Plan best;
  for (const Tile tile : shapes(p.type)) {
    for (const Tile way : {tile, Tile{tile.n, tile.m}}) {
      if (bytes(p.type) >= 4 && way.m < 64) continue;
      for (const int split : splits) {
        const double count = std::ceil(p.m / way.m) * std::ceil(p.n / way.n);
        if (split > 1 && (bytes(p.type) != 2 || std::floor(p.k / split) < least_split_depth || count * split > c.sms)) continue;
        const Plan next = plan(p, way, split, k.memory, c);
        if (best.m == 0 || next.us < best.us) best = next;
      }
    }
  }
  k.arithmetic = best.arithmetic;
  k.us = l.gemm_fill + best.us;
  k.how = "tiles of " + std::to_string(best.m) + " x " + std::to_string(best.n) + (best.split > 1 ? ", k in " + std::to_string(best.split) + " pieces" : "") +
          ", " + std::to_string(static_cast<long long>(best.waves)) + (best.waves == 1 ? " wave" : " waves");
  return k;
}

Prediction product_time(const Product& p, const Calibration& c) {
  ColdReads reads(c);
  return in_sequence({{"matrix product", product(p, c, reads)}}, p.type, 0, c);
}

}  // namespace lk::gpu
