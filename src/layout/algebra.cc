// Composition, complement, divisions and products.
#include <algorithm>
#include <optional>

#include "base/few.h"
#include "layout/layout.h"

namespace lk::layout {
namespace {

std::string number(int64_t v) { return std::to_string(v); }
std::string text(const Mode& m) { return number(m.size) + ":" + number(m.stride); }

Error refused(std::string what, std::string hint) { return {{}, std::move(what), std::move(hint)}; }

Layout of_modes(const std::vector<Mode>& modes) {
  std::vector<Layout> parts;
  for (const Mode& m : modes) parts.push_back({m.size, m.stride});
  return parts.empty() ? Layout{} : parts.size() == 1 ? parts[0] : make_layout(parts);
}

/// Products and sums of what may come from other operations.
std::optional<int64_t> times(int64_t a, int64_t b) {
  int64_t out = 0;
  if (__builtin_mul_overflow(a, b, &out) || out >= most_offset) return {};
  return out;
}

Error too_large() { return refused("the result reaches beyond 2^53 elements", "use smaller sizes or strides"); }

/// Sizes and offsets within the limits.
Result<Layout> checked(Layout layout) {
  int64_t elements = 1, last = 0;
  for (const Mode& m : flatten(layout)) {
    const std::optional<int64_t> all = times(elements, m.size), reach = times(m.size - 1, m.stride);
    if (!all || !reach || (last += *reach) >= most_offset) return too_large();
    elements = *all;
  }
  return layout;
}

class Composer {
 public:
  explicit Composer(const Layout& a) : a_(flatten(coalesce(a))), reach_(a_.size(), 0) {}

  Result<Layout> with(const Layout& b) {
    if (b.shape.leaf()) return leaf({b.shape.value, b.stride.value});
    std::vector<Layout> modes;
    for (int i = 0; i < rank(b); ++i) {
      const Result<Layout> part = with(mode(b, i));
      if (!part) return part.error();
      modes.push_back(*part);
    }
    return make_layout(modes);
  }

 private:
  Result<Layout> leaf(const Mode& b) {
    int64_t rest = b.size, stride = b.stride;
    if (rest == 1) return Layout{};
    if (stride == 0) return Layout{rest, 0};
    std::vector<Mode> out;
    for (size_t i = 0; rest > 1; ++i) {
      const auto [size, own] = a_[i];
      const std::optional<int64_t> step = times(stride, own), span = times(rest - 1, stride);
      if (!step || !span) return too_large();
      const bool last = i + 1 == a_.size();
      if (last || *span < size) {
        out.push_back({rest, *step});
        reach_[i] += *span;
        rest = 1;
      } else if (stride % size == 0) {
        stride /= size;
        continue;
      } else if (size % stride == 0) {
        const int64_t n = size / stride;
        if (rest % n != 0)
          return refused(text(b) + " cannot be taken of " + text_of_a() + ": it goes beyond the mode " + text(a_[i]) + ", takes " + number(n) +
                             " of each of its runs, and its " + number(rest) + " elements are no multiple of that",
                         "make the size of B a multiple, or small enough to end within the mode");
        out.push_back({n, *step});
        reach_[i] += (n - 1) * stride;
        rest /= n;
        stride = 1;
      } else {
        return refused(text(b) + " cannot be taken of " + text_of_a() + ": neither of the stride " + number(stride) + " and the size " + number(size) +
                           " divides the other",
                       "make one a multiple of the other");
      }
      if (!last && reach_[i] >= size)
        return refused("the modes of B together step out of the mode " + text(a_[i]) + " of A: their sum carries into the next mode, which no strides express",
                       "use modes of B that do not add up beyond a size of A");
    }
    return of_modes(out);
  }

  std::string text_of_a() const { return layout::text(of_modes(a_)); }

  std::vector<Mode> a_;
  std::vector<int64_t> reach_;  // largest coordinate in each mode of A that the leaves so far add up to
};

Result<Layout> divide_one(const Layout& a, const Layout& b) {
  const Result<Layout> rest = complement(b, size(a));
  if (!rest) return rest.error();
  const Layout both[] = {b, *rest};
  return composition(a, make_layout(both));
}

Result<Layout> multiply_one(const Layout& a, const Layout& b) {
  const std::optional<int64_t> target = times(size(a), cosize(b));
  if (!target) return too_large();
  const Result<Layout> free = complement(a, *target);
  if (!free) return free.error();
  const Result<Layout> repeated = composition(*free, b);
  if (!repeated) return repeated.error();
  const Layout both[] = {a, *repeated};
  return checked(make_layout(both));
}

/// f for each mode of `a` that the tiler names; further modes stay.
template <class F>
Result<Layout> by_mode(const Layout& a, const Tiler& b, const F& f) {
  if (!b.by_mode) return b.modes.empty() ? Result<Layout>(a) : f(a, b.modes[0]);
  if (b.modes.size() > static_cast<size_t>(rank(a)))
    return refused("the tiler has " + number(static_cast<int64_t>(b.modes.size())) + " modes and the layout " + layout::text(a) + " has " + number(rank(a)),
                   "give at most one tile for each mode");
  std::vector<Layout> modes;
  for (int i = 0; i < rank(a); ++i) {
    if (static_cast<size_t>(i) >= b.modes.size()) {
      modes.push_back(mode(a, i));
      continue;
    }
    const Result<Layout> part = f(mode(a, i), b.modes[static_cast<size_t>(i)]);
    if (!part) return part.error();
    modes.push_back(*part);
  }
  return make_layout(modes);
}

}  // namespace

Result<Layout> composition(const Layout& a, const Layout& b) {
  const Result<Layout> out = Composer(a).with(b);
  if (!out) return out.error();
  return checked(*out);
}

Result<Layout> composition(const Layout& a, const Tiler& b) {
  return by_mode(a, b, [](const Layout& x, const Layout& y) { return composition(x, y); });
}

Result<Layout> complement(const Layout& a, int64_t target) {
  if (target < 1) return refused("nothing complements a layout within " + number(target) + " offsets", "use 1 or more");
  std::vector<Mode> modes = flatten(a), out;
  std::erase_if(modes, [](const Mode& m) { return m.size == 1 || m.stride == 0; });
  sort_few(modes, [](const Mode& x, const Mode& y) { return x.stride < y.stride; });
  int64_t current = 1;
  for (const Mode& m : modes) {
    if (m.stride < current)
      return refused(layout::text(a) + " has no complement: its modes overlap, as " + text(m) + " begins again before the offset " + number(current),
                     "use strides that step over what the modes before them cover");
    if (m.stride % current != 0)
      return refused(layout::text(a) + " has no complement: the stride " + number(m.stride) + " is no multiple of the " + number(current) +
                         " offsets that the modes before it span, so copies of them do not fill the hole",
                     "use a stride that is a multiple");
    out.push_back({m.stride / current, current});
    const std::optional<int64_t> next = times(m.size, m.stride);
    if (!next) return too_large();
    current = *next;
  }
  out.push_back({(target + current - 1) / current, current});
  return checked(coalesce(of_modes(out)));
}

Result<Layout> logical_divide(const Layout& a, const Tiler& b) { return by_mode(a, b, divide_one); }
Result<Layout> logical_product(const Layout& a, const Tiler& b) { return by_mode(a, b, multiply_one); }

Result<Layout> zipped_divide(const Layout& a, const Tiler& b) {
  const Result<Layout> divided = logical_divide(a, b);
  if (!divided || !b.by_mode) return divided;
  std::vector<Layout> tiles, rests;
  for (int i = 0; i < rank(*divided); ++i) {
    const Layout part = mode(*divided, i);
    if (static_cast<size_t>(i) < b.modes.size()) tiles.push_back(mode(part, 0)), rests.push_back(mode(part, 1));
    else rests.push_back(part);
  }
  const Layout both[] = {make_layout(tiles), make_layout(rests)};
  return make_layout(both);
}

Result<Layout> tiled_divide(const Layout& a, const Tiler& b) {
  const Result<Layout> zipped = zipped_divide(a, b);
  if (!zipped) return zipped;
  std::vector<Layout> modes{mode(*zipped, 0)};
  const Layout rests = mode(*zipped, 1);
  for (int i = 0; i < rank(rests); ++i) modes.push_back(mode(rests, i));
  return make_layout(modes);
}

}  // namespace lk::layout
