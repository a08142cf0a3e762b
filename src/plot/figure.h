// The figure contract: one struct of parameters, one pure function. src/figures/NAME.cc + a line in figures.def is a figure.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plot/field.h"
#include "plot/view.h"

namespace lk::plot {

/// instant: runs while a slider moves; worker: too slow for that, runs in a worker.
enum class Cost : uint8_t { instant, worker };
/// beside: drawing in the text column, controls in the margin; wide: both columns, controls below.
enum class Place : uint8_t { beside, wide };

struct Figure {
  std::string_view id, title;
  Cost cost;
  Place place;
  void (*walk)(Fields&, const World&);
  View (*run)(Fields&, const World&);
  /// Kernels whose measurements it shows: the browser gets the rows of these. "*_step": every name that ends like that.
  std::span<const std::string_view> measured = {};
};

/// P has `void fields(Fields&, const World&)` and `View evaluate(const World&) const`, and an array `kernels` where it shows some.
template <class P>
constexpr Figure figure(std::string_view id, std::string_view title, Cost cost, Place place) {
  Figure out{id, title, cost, place,
             [](Fields& f, const World& w) {
               P p;
               p.fields(f, w);
             },
             [](Fields& f, const World& w) {
               P p;
               p.fields(f, w);
               return p.evaluate(w);
             }};
  if constexpr (requires { P::kernels; }) out.measured = P::kernels;
  return out;
}

/// A figure bound to values: what every door works with.
struct Evaluated {
  const Figure* figure = nullptr;
  std::vector<FieldSpec> specs;
  Values canonical;
  View view;
  std::vector<std::string> notices;  // of the binder and of the view
};

/// Binds, evaluates and checks the view's own consistency. Strict mode fails with the first problem.
/// `device` is the reader's, `pins` are the author's values (see Binder).
Result<Evaluated> evaluate(const Figure& figure, const World& world, const Values& values, std::string_view device, Binder::Mode mode,
                           const Values& pins = {});

/// What a figure's view gets wrong: cells that fill no rows, marks that name no row, numbers that are not finite, names that
/// nothing carries. Empty when it is consistent. evaluate() calls it; `specs` are the fields after the walk.
std::string inconsistency(const View& view, const std::vector<FieldSpec>& specs);

/// The summary with its names filled in. "{name}" is a result as text() prints it ("8 sectors") or a field as it is shown
/// ("BF16"); "{name|one|many}" is the number without its unit and the word that fits it ("1 lane", "4 lanes").
/// Segments that name a field are the reader's own (`yours`).
struct Segment {
  std::string text;
  bool yours = false;
  std::string name;  // field or result, empty for plain words
};
std::vector<Segment> summary(const Evaluated& evaluated);
std::string summary_text(const Evaluated& evaluated);

}  // namespace lk::plot
