#include "gpu/targets.h"

#include <algorithm>

namespace lk::gpu {
namespace {

// "Family-Specific Compatibility" of the guide: most families have one member so far.
constexpr Capability families[][2] = {{{10, 0}, {10, 3}}, {{11, 0}, {11, 0}}, {{12, 0}, {12, 1}}};

bool digit(char c) { return c >= '0' && c <= '9'; }

bool of_family(Capability target, Capability gpu) {
  if (gpu < target) return false;
  for (const auto& family : families) {
    const auto in = [&](Capability c) { return std::find(std::begin(family), std::end(family), c) != std::end(family); };
    if (in(target) && in(gpu)) return true;
  }
  return false;
}

int rank(char features) { return features == 'a' ? 2 : features == 'f' ? 1 : 0; }

bool better(const Target& a, const Target& b) {
  if (a.ptx != b.ptx) return b.ptx;
  if (a.capability != b.capability) return a.capability > b.capability;
  return rank(a.features) > rank(b.features);
}

}  // namespace

std::string text(Capability c) { return std::to_string(c.major) + "." + std::to_string(c.minor); }

std::optional<Capability> capability_of(std::string_view text) {
  const size_t dot = text.find('.');
  if (dot == 0 || dot > 2 || text.size() != dot + 2 || !digit(text[dot + 1])) return {};
  Capability c{0, text[dot + 1] - '0'};
  for (size_t i = 0; i < dot; ++i) {
    if (!digit(text[i])) return {};
    c.major = c.major * 10 + (text[i] - '0');
  }
  return c;
}

std::string text(const Target& t) {
  std::string out = (t.ptx ? "compute_" : "sm_") + std::to_string(t.capability.major) + std::to_string(t.capability.minor);
  if (t.features != 0) out += t.features;
  return out;
}

std::optional<Target> target_of(std::string_view text) {
  Target t;
  t.ptx = text.starts_with("compute_");
  if (!t.ptx && !text.starts_with("sm_")) return {};
  text.remove_prefix(t.ptx ? 8 : 3);
  if (!text.empty() && (text.back() == 'a' || text.back() == 'f')) {
    t.features = text.back();
    text.remove_suffix(1);
  }
  if (text.size() < 2 || text.size() > 3 || !std::all_of(text.begin(), text.end(), digit)) return {};
  t.capability.minor = text.back() - '0';
  for (const char c : text.substr(0, text.size() - 1)) t.capability.major = t.capability.major * 10 + (c - '0');
  if (t.features == 'a' && t.capability.major < 9) return {};
  if (t.features == 'f' && !of_family(t.capability, t.capability)) return {};
  return t;
}

bool usable(const Target& image, Capability gpu) {
  if (image.features == 'a') return gpu == image.capability;
  if (image.features == 'f') return of_family(image.capability, gpu);
  if (image.ptx) return gpu >= image.capability;
  return gpu.major == image.capability.major && gpu.minor >= image.capability.minor;
}

Loaded load(std::span<const Target> images, Capability gpu) {
  const Target* best = nullptr;
  for (const Target& image : images)
    if (usable(image, gpu) && (best == nullptr || better(image, *best))) best = &image;
  if (best == nullptr) return {};
  return {best->ptx ? Fate::compiles : Fate::runs, best};
}

}  // namespace lk::gpu
