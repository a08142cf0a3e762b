#include "numerics/quantize.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lk::numerics {
namespace {

float amax_of(std::span<const float> x) {
  float most = 0;
  for (const float v : x)
    if (std::isfinite(v)) most = std::max(most, std::fabs(v));
  return most;
}

bool all_finite(std::span<const float> x) {
  return std::all_of(x.begin(), x.end(), [](float v) { return std::isfinite(v); });
}

template <class Each>
void for_groups(std::span<const float> x, size_t size, Quantized& q, const Each& each) {
  if (size == 0) size = std::max<size_t>(x.size(), 1);
  for (size_t first = 0; first < x.size(); first += size) {
    Group g;
    g.first = first;
    g.count = std::min(size, x.size() - first);
    const std::span<const float> part = x.subspan(first, g.count);
    g.amax = amax_of(part);
    each(g, part);
    q.groups.push_back(g);
  }
}

// The number that would follow the largest one is as far away again as a unit in the last place.
bool rounds_beyond(Format format, double value) {
  const double most = largest(format);
  const uint32_t code = encode(format, most);
  const double halfway = most + spacing(format, code) / 2, magnitude = std::fabs(value);
  return magnitude > halfway || (magnitude == halfway && (code & 1) != 0);
}

// `value` is the element after its scale was divided out.
void put(Quantized& q, Format format, double value, float scale) {
  if (rounds_beyond(format, value)) ++q.clipped;
  const uint32_t code = encode(format, value);
  q.codes.push_back(code);
  q.values.push_back(static_cast<float>(decode(format, code)) * scale);
}

double shared_bits(size_t scale_bits, size_t elements, size_t groups) {
  return elements == 0 ? 0 : static_cast<double>(scale_bits * groups) / static_cast<double>(elements);
}

}  // namespace

Quantized direct(Format format, std::span<const float> x) {
  Quantized q;
  for_groups(x, 0, q, [&](Group& g, std::span<const float> part) {
    g.scale_bits = __builtin_bit_cast(uint32_t, g.scale);
    for (const float v : part) put(q, format, v, 1);
  });
  q.bits = spec(format).bits();
  return q;
}

Quantized scaled(Format format, std::span<const float> x, size_t group) {
  Quantized q;
  for_groups(x, group, q, [&](Group& g, std::span<const float> part) {
    if (g.amax > 0) g.scale = g.amax / static_cast<float>(largest(format));
    if (g.scale == 0) g.scale = std::numeric_limits<float>::denorm_min();
    g.scale_bits = __builtin_bit_cast(uint32_t, g.scale);
    for (const float v : part) put(q, format, v / g.scale, g.scale);
  });
  q.bits = spec(format).bits() + shared_bits(32, x.size(), q.groups.size());
  return q;
}

Quantized mx(Format format, std::span<const float> x) {
  Quantized q;
  for_groups(x, mx_block, q, [&](Group& g, std::span<const float> part) {
    if (!all_finite(part)) {
      g.scale_bits = 0xFF;
      g.scale = std::numeric_limits<float>::quiet_NaN();
      for (size_t i = 0; i < part.size(); ++i) {
        q.codes.push_back(0);
        q.values.push_back(g.scale);
      }
      return;
    }
    // amax is exact in a double, and so is every quotient by a power of two.
    g.scale_bits = encode_scale(std::ldexp(static_cast<double>(g.amax), -emax(format)), Toward::down);
    const double scale = decode(Format::e8m0, g.scale_bits);
    g.scale = static_cast<float>(scale);
    for (const float v : part) put(q, format, v / scale, g.scale);
  });
  q.bits = spec(format).bits() + shared_bits(8, x.size(), q.groups.size());
  return q;
}

Quantized nvfp4(std::span<const float> x) {
  Quantized q;
  const auto six = static_cast<float>(largest(Format::e2m1)), most = static_cast<float>(largest(Format::e4m3));
  const float amax = amax_of(x);
  q.tensor_scale = amax > 0 ? std::max(amax / (six * most), std::numeric_limits<float>::denorm_min()) : 1;
  for_groups(x, nvfp4_block, q, [&](Group& g, std::span<const float> part) {
    g.scale_bits = encode(Format::e4m3, g.amax / six / q.tensor_scale);
    g.scale = static_cast<float>(decode(Format::e4m3, g.scale_bits));
    const float both = g.scale * q.tensor_scale;
    // A block far below the tensor's largest element has no scale left.
    for (const float v : part) put(q, Format::e2m1, both > 0 ? static_cast<double>(v / both) : 0, both);
  });
  q.bits = spec(Format::e2m1).bits() + shared_bits(8, x.size(), q.groups.size()) + shared_bits(32, x.size(), 1);
  return q;
}

Quantized integers(int bits, std::span<const float> x, size_t group) {
  Quantized q;
  bits = std::clamp(bits, 2, 16);
  const auto most = static_cast<float>((1 << (bits - 1)) - 1);
  for_groups(x, group, q, [&](Group& g, std::span<const float> part) {
    if (g.amax > 0) g.scale = std::max(g.amax / most, std::numeric_limits<float>::denorm_min());
    g.scale_bits = __builtin_bit_cast(uint32_t, g.scale);
    for (const float v : part) {
      const float steps = std::isnan(v) ? 0 : std::clamp(std::nearbyint(v / g.scale), -most, most);
      q.codes.push_back(static_cast<uint32_t>(static_cast<int32_t>(steps)));
      q.values.push_back(steps * g.scale);
    }
  });
  q.bits = bits + shared_bits(32, x.size(), q.groups.size());
  return q;
}

Errors errors(std::span<const float> x, std::span<const float> quantized) {
  Errors e;
  double noise = 0, signal = 0;
  size_t n = 0;
  for (size_t i = 0; i < x.size() && i < quantized.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(quantized[i])) continue;
    const double before = x[i], d = quantized[i] - before;
    noise += d * d;
    signal += before * before;
    e.largest = std::max(e.largest, std::fabs(d));
    e.zeroed += before != 0 && quantized[i] == 0;
    ++n;
  }
  if (n == 0) return e;
  e.rms = std::sqrt(noise / static_cast<double>(n));
  e.relative = signal > 0 ? std::sqrt(noise / signal) : 0;
  e.decibels = e.relative > 0 ? -20 * std::log10(e.relative) : 0;
  return e;
}

}  // namespace lk::numerics
