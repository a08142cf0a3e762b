// Layouts as text.
#include <algorithm>
#include <optional>

#include "layout/layout.h"

namespace lk::layout {
namespace {

constexpr int64_t most_number = (int64_t{1} << 31) - 1;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<Layout> layout() {
    Layout out;
    if (!tuple(out.shape, 0, true)) return *error_;
    if (const std::optional<Error> large = too_large(out.shape)) return *large;
    if (!take(':')) {
      out = column_major(out.shape);
    } else {
      const size_t at = skip();
      if (!tuple(out.stride, 0, false)) return *error_;
      if (!alike(out.shape, out.stride)) return fault(at, "the stride " + text(out.stride) + " is not nested like the shape " + text(out.shape),
                                                      "give one stride for each size: (4,8):(1,4)");
    }
    return checked(out);
  }

  /// As a tiler an integer n is n:1, a layout with all its strides.
  Result<Tiler> tiler() {
    Tiler out;
    if (!take('<')) {
      const Result<Layout> one = layout();
      if (!one) return one.error();
      out.modes.push_back(*one);
      return out;
    }
    out.by_mode = true;
    do {
      const Result<Layout> one = layout();
      if (!one) return one.error();
      out.modes.push_back(*one);
    } while (take(','));
    if (!take('>')) return fault(skip(), "a “>” is missing", "write layouts by mode as <3:3,8:1>");
    return out;
  }

  std::optional<Error> rest() {
    const size_t at = skip();
    if (at == text_.size()) return {};
    return fault(at, "“" + std::string(text_.substr(at, 1)) + "” follows where the layout has ended", "write it as (4,8):(8,1)");
  }

 private:
  size_t skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    return at_;
  }

  bool take(char c) {
    if (skip() == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  static Error fault(size_t at, std::string what, std::string hint) { return {{"layout", 1, static_cast<int>(at) + 1}, std::move(what), std::move(hint)}; }
  bool fail(size_t at, std::string what, std::string hint) {
    error_ = fault(at, std::move(what), std::move(hint));
    return false;
  }

  bool tuple(Tuple& out, int depth, bool of_sizes) {
    const size_t at = skip();
    if (!take('(')) return number(out, of_sizes);
    if (depth == most_depth) return fail(at, "tuples are nested more than " + std::to_string(most_depth) + " deep", "flatten some of them");
    do {
      Tuple item;
      if (!tuple(item, depth + 1, of_sizes)) return false;
      out.items.push_back(std::move(item));
    } while (take(','));
    if (!take(')')) return fail(skip(), "a “)” or a “,” is missing", "close each “(” that was opened");
    return true;
  }

  bool number(Tuple& out, bool of_sizes) {
    const size_t at = skip();
    const bool negative = take('-');
    int64_t v = 0;
    const size_t first = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9' && v <= most_number) v = v * 10 + (text_[at_++] - '0');
    if (at_ == first) return fail(at, of_sizes ? "a size or a “(” is missing" : "a stride or a “(” is missing", "write it as (4,8):(8,1)");
    if (v > most_number) return fail(at, "the number is too large", "use at most " + std::to_string(most_number));
    if (of_sizes && (negative || v == 0)) return fail(at, "a size is less than 1", "sizes count elements: use 1 or more");
    if (negative && v > 0) return fail(at, "a stride is negative", "layouts here go forward: use 0 or more");
    if (++leaves_ > 4 * most_leaves) return fail(at, "there are too many numbers", "use at most " + std::to_string(most_leaves) + " sizes");
    out.value = v;
    return true;
  }

  static bool alike(const Tuple& a, const Tuple& b) {
    if (a.items.size() != b.items.size()) return false;
    for (size_t i = 0; i < a.items.size(); ++i)
      if (!alike(a.items[i], b.items[i])) return false;
    return true;
  }

  static std::optional<Error> too_large(const Tuple& shape) {
    const std::vector<Mode> modes = flatten({shape, shape});
    if (modes.size() > most_leaves) return fault(0, "the layout has more than " + std::to_string(most_leaves) + " sizes", "use fewer");
    int64_t size = 1;
    for (const Mode& m : modes) {
      if (size > most_size / m.size) return fault(0, "the layout has more than " + std::to_string(most_size) + " elements", "use smaller sizes");
      size *= m.size;
    }
    return {};
  }

  static Result<Layout> checked(const Layout& out) {
    int64_t last = 0;
    for (const Mode& m : flatten(out)) {
      last += (m.size - 1) * m.stride;  // at most 2^62 on top of 2^53
      if (last >= most_offset) return fault(0, "the layout's offsets go beyond 2^53", "use smaller strides");
    }
    return out;
  }

  std::string_view text_;
  size_t at_ = 0;
  int leaves_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<Layout> parse(std::string_view text) {
  Reader reader(text);
  const Result<Layout> out = reader.layout();
  if (!out) return out.error();
  if (const std::optional<Error> rest = reader.rest()) return *rest;
  return *out;
}

Result<Tiler> parse_tiler(std::string_view text) {
  Reader reader(text);
  const Result<Tiler> out = reader.tiler();
  if (!out) return out.error();
  if (const std::optional<Error> rest = reader.rest()) return *rest;
  return *out;
}

}  // namespace lk::layout
