#include "layout/layout.h"

#include <algorithm>

namespace lk::layout {
namespace {

void append(const Tuple& tuple, std::string& out) {
  if (tuple.leaf()) {
    out += std::to_string(tuple.value);
    return;
  }
  out += '(';
  for (size_t i = 0; i < tuple.items.size(); ++i) {
    if (i > 0) out += ',';
    append(tuple.items[i], out);
  }
  out += ')';
}

void leaves(const Tuple& shape, const Tuple& stride, std::vector<Mode>& out) {
  if (shape.leaf()) {
    out.push_back({shape.value, stride.value});
    return;
  }
  for (size_t i = 0; i < shape.items.size(); ++i) leaves(shape.items[i], stride.items[i], out);
}

Tuple compact(const Tuple& shape, int64_t& next) {
  if (shape.leaf()) {
    const int64_t own = next;
    next *= shape.value;
    return own;
  }
  std::vector<Tuple> items;
  for (const Tuple& item : shape.items) items.push_back(compact(item, next));
  return items;
}

Tuple coordinate(int64_t& rest, const Tuple& shape, bool last) {
  if (shape.leaf()) {
    const int64_t own = last ? rest : rest % shape.value;
    rest /= shape.value;
    return own;
  }
  std::vector<Tuple> items;
  for (size_t i = 0; i < shape.items.size(); ++i) items.push_back(coordinate(rest, shape.items[i], last && i + 1 == shape.items.size()));
  return items;
}

Layout of_modes(const std::vector<Mode>& modes) {
  if (modes.empty()) return {};
  if (modes.size() == 1) return {modes[0].size, modes[0].stride};
  std::vector<Tuple> shape, stride;
  for (const Mode& m : modes) {
    shape.emplace_back(m.size);
    stride.emplace_back(m.stride);
  }
  return {shape, stride};
}

}  // namespace

std::string text(const Tuple& tuple) {
  std::string out;
  append(tuple, out);
  return out;
}

std::string text(const Layout& layout) { return text(layout.shape) + ":" + text(layout.stride); }

std::string text(const Tiler& tiler) {
  if (!tiler.by_mode) return tiler.modes.empty() ? "" : text(tiler.modes[0]);
  std::string out = "<";
  for (const Layout& mode : tiler.modes) out += (out.size() > 1 ? "," : "") + text(mode);
  return out + ">";
}

int64_t size(const Tuple& shape) {
  if (shape.leaf()) return shape.value;
  int64_t product = 1;
  for (const Tuple& item : shape.items) product *= size(item);
  return product;
}

int64_t size(const Layout& layout) { return size(layout.shape); }

int64_t cosize(const Layout& layout) {
  int64_t last = 0;
  for (const Mode& m : flatten(layout)) last += (m.size - 1) * m.stride;
  return last + 1;
}

int rank(const Layout& layout) { return layout.shape.leaf() ? 1 : static_cast<int>(layout.shape.items.size()); }

Layout mode(const Layout& layout, int which) {
  if (layout.shape.leaf()) return layout;
  const auto i = static_cast<size_t>(which);
  return {layout.shape.items[i], layout.stride.items[i]};
}

Layout make_layout(std::span<const Layout> modes) {
  std::vector<Tuple> shape, stride;
  for (const Layout& m : modes) {
    shape.push_back(m.shape);
    stride.push_back(m.stride);
  }
  return {shape, stride};
}

std::vector<Mode> flatten(const Layout& layout) {
  std::vector<Mode> out;
  leaves(layout.shape, layout.stride, out);
  return out;
}

Layout column_major(const Tuple& shape) {
  int64_t next = 1;
  return {shape, compact(shape, next)};
}

int64_t offset(const Layout& layout, int64_t index) {
  const std::vector<Mode> modes = flatten(layout);
  int64_t sum = 0;
  for (size_t i = 0; i < modes.size(); ++i) {
    sum += (i + 1 == modes.size() ? index : index % modes[i].size) * modes[i].stride;
    index /= modes[i].size;
  }
  return sum;
}

Tuple idx2crd(int64_t index, const Tuple& shape) { return coordinate(index, shape, true); }

Result<int64_t> crd2num(const Tuple& crd, const Tuple& shape) {
  if (crd.leaf()) {
    if (crd.value < 0 || crd.value >= size(shape))
      return Error{{}, "the coordinate " + std::to_string(crd.value) + " is not within the shape " + text(shape), "use 0 to " + std::to_string(size(shape) - 1)};
    return crd.value;
  }
  if (shape.leaf() || shape.items.size() != crd.items.size())
    return Error{{}, "the coordinate " + text(crd) + " is not nested like the shape " + text(shape), "give one number for each mode, or one for all"};
  int64_t number = 0, step = 1;
  for (size_t i = 0; i < crd.items.size(); ++i) {
    const Result<int64_t> part = crd2num(crd.items[i], shape.items[i]);
    if (!part) return part.error();
    number += *part * step;
    step *= size(shape.items[i]);
  }
  return number;
}

Result<int64_t> crd2idx(const Tuple& crd, const Layout& layout) {
  const Result<int64_t> number = crd2num(crd, layout.shape);
  if (!number) return number.error();
  return offset(layout, *number);
}

bool compatible(const Tuple& a, const Tuple& b) {
  if (a.leaf()) return a.value == size(b);
  if (b.leaf() || a.items.size() != b.items.size()) return false;
  for (size_t i = 0; i < a.items.size(); ++i)
    if (!compatible(a.items[i], b.items[i])) return false;
  return true;
}

Layout coalesce(const Layout& layout) {
  std::vector<Mode> out;
  for (const Mode& m : flatten(layout)) {
    if (m.size == 1) continue;
    if (!out.empty() && m.stride == out.back().size * out.back().stride) out.back().size *= m.size;
    else out.push_back(m);
  }
  return of_modes(out);
}

Layout coalesce_modes(const Layout& layout) {
  if (layout.shape.leaf()) return coalesce(layout);
  std::vector<Layout> modes;
  for (int i = 0; i < rank(layout); ++i) modes.push_back(coalesce(mode(layout, i)));
  return make_layout(modes);
}

int64_t Swizzle::operator()(int64_t x) const {
  const int64_t mask = ((int64_t{1} << bits) - 1) << (base + std::max(shift, 0));
  return shift >= 0 ? x ^ ((x & mask) >> shift) : x ^ ((x & mask) << -shift);
}

std::string Swizzle::why_not() const {
  if (bits < 0 || base < 0 || bits > 16 || base > 16 || shift < -16 || shift > 16) return "its numbers are 0 to 16, the shift also negative";
  if (std::max(shift, -shift) < bits) return "a shift shorter than " + std::to_string(bits) + " bits would add bits to themselves";
  return {};
}

}  // namespace lk::layout
