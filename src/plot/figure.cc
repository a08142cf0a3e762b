#include "plot/figure.h"

#include <algorithm>
#include <cmath>

namespace lk::plot {
namespace {

constexpr std::string_view no_break_space = "\u00A0";

const FieldSpec* field_of(const std::vector<FieldSpec>& specs, std::string_view id) {
  for (const FieldSpec& spec : specs)
    if (spec.id == id) return &spec;
  return nullptr;
}

// One piece of a summary template: plain words, or the inside of a pair of braces.
struct Piece {
  std::string_view words;  // plain words when `name` is empty
  std::string_view name, one, many;
  bool broken = false;  // a brace without its partner
};

Piece next_piece(std::string_view& rest) {
  Piece piece;
  const size_t open = rest.find_first_of("{}");
  if (open != 0) {
    piece.words = rest.substr(0, open);
    rest.remove_prefix(piece.words.size());
    return piece;
  }
  const size_t close = rest.find('}');
  if (rest[0] == '}' || close == std::string_view::npos) {
    piece.broken = true;
    rest = {};
    return piece;
  }
  std::string_view inside = rest.substr(1, close - 1);
  rest.remove_prefix(close + 1);
  const size_t first = inside.find('|');
  piece.name = inside.substr(0, first);
  piece.broken = piece.name.empty() || piece.name.find('{') != std::string_view::npos;
  if (first == std::string_view::npos) return piece;
  inside.remove_prefix(first + 1);
  const size_t second = inside.find('|');
  piece.one = inside.substr(0, second);
  piece.many = second == std::string_view::npos ? std::string_view() : inside.substr(second + 1);
  piece.broken = piece.broken || piece.one.empty() || piece.many.empty();
  return piece;
}

std::string counted(double v, const Piece& piece) {
  const std::string d = digits(v);
  return d + std::string(no_break_space) + std::string(d == "1" ? piece.one : piece.many);
}

std::string quoted(std::string_view s) { return '"' + std::string(s) + '"'; }

std::string check_axis(const Axis& axis, std::string_view which) {
  const std::string start = "the " + std::string(which) + " axis ";
  if (axis.scale == Scale::band) return axis.bands.empty() ? start + "has no bands" : "";
  if (!std::isfinite(axis.lo) || !std::isfinite(axis.hi) || !(axis.lo < axis.hi)) return start + "has no range";
  if (axis.scale == Scale::log && !(axis.lo > 0)) return start + "is logarithmic and starts at zero or below";
  return {};
}

// How many points a shape takes: at least, at most.
std::pair<size_t, size_t> points_of(Shape shape) {
  constexpr size_t any = static_cast<size_t>(-1);
  switch (shape) {
    case Shape::bar: return {2, 2};
    case Shape::line: return {2, any};
    case Shape::area: return {3, any};
    case Shape::dot: return {1, 2};
    case Shape::arrow: return {2, 2};
    case Shape::note: return {1, 1};
    case Shape::cell: return {1, 1};
    case Shape::code: return {1, 1};
    case Shape::link: return {0, 0};
  }
  return {0, any};
}

bool exists(const View& view, MarkRef ref) {
  return ref.panel >= 0 && static_cast<size_t>(ref.panel) < view.panels.size() && ref.mark >= 0 &&
         static_cast<size_t>(ref.mark) < view.panels[static_cast<size_t>(ref.panel)].marks.size();
}

std::string check_mark(const View& view, const Panel& panel, const Mark& mark, const std::vector<FieldSpec>& specs) {
  const auto [least, most] = points_of(mark.shape);
  if (mark.at.size() < least || mark.at.size() > most) return "has " + std::to_string(mark.at.size()) + " points";
  for (const Point& p : mark.at) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) return "stands at a number that is not finite";
    if ((panel.x.scale == Scale::log && !(p.x > 0)) || (panel.y.scale == Scale::log && !(p.y > 0)))
      return "stands at zero or below on a logarithmic axis";
  }
  if (mark.row < -1 || mark.row >= static_cast<int>(view.rows())) return "shows row " + std::to_string(mark.row) + ", which does not exist";
  if (mark.shape == Shape::link && (!exists(view, mark.from) || !exists(view, mark.to))) return "joins marks that do not exist";
  if (!mark.drags.empty()) {
    const FieldSpec* spec = field_of(specs, mark.drags);
    if (!spec || (spec->kind != FieldKind::number && spec->kind != FieldKind::integer))
      return "drags " + quoted(mark.drags) + ", which is no number field";
  }
  if (!mark.sets.empty() && !field_of(specs, std::string_view(mark.sets).substr(0, mark.sets.find('='))))
    return "sets " + quoted(mark.sets) + ", which names no field";
  return {};
}

std::string check_panels(const View& view, const std::vector<FieldSpec>& specs) {
  for (size_t p = 0; p < view.panels.size(); ++p) {
    const Panel& panel = view.panels[p];
    const std::string start = "panel " + std::to_string(p) + ": ";
    if (std::string e = check_axis(panel.x, "x"); !e.empty()) return start + e;
    if (std::string e = check_axis(panel.y, "y"); !e.empty()) return start + e;
    if (!(panel.lines > 0) || !(panel.share > 0)) return start + "its size is not above zero";
    if (panel.shares_x >= static_cast<int>(p)) return start + "shares the x axis of a panel that is not above it";
    for (size_t m = 0; m < panel.marks.size(); ++m) {
      if (std::string e = check_mark(view, panel, panel.marks[m], specs); !e.empty()) return start + "mark " + std::to_string(m) + ' ' + e;
    }
  }
  return {};
}

std::string check_table(const View& view) {
  if (view.columns.empty() ? !view.cells.empty() : view.cells.size() % view.columns.size() != 0)
    return std::to_string(view.cells.size()) + " cells do not fill rows of " + std::to_string(view.columns.size()) + " columns";
  for (size_t i = 0; i < view.columns.size(); ++i) {
    for (size_t j = 0; j < i; ++j)
      if (view.columns[i].id == view.columns[j].id) return "two columns are called " + quoted(view.columns[i].id);
    if (view.columns[i].id.empty() || view.columns[i].label.empty()) return "column " + std::to_string(i) + " has no name";
  }
  for (size_t i = 0; i < view.cells.size(); ++i) {
    const Cell& cell = view.cells[i];
    const Column& column = view.columns[i % view.columns.size()];
    if (!cell.missing && !column.text && !std::isfinite(cell.v)) return "a number of column " + quoted(column.id) + " is not finite";
    if (!cell.missing && !column.text && !cell.text.empty()) return "column " + quoted(column.id) + " holds words among its numbers";
  }
  return {};
}

std::string check_names(const View& view, const std::vector<FieldSpec>& specs) {
  for (size_t i = 0; i < view.out.size(); ++i) {
    const Named& named = view.out[i];
    if (!std::isfinite(named.num.v)) return "the result " + quoted(named.id) + " is not finite";
    if (view.find(named.id) != &named.num) return "two results are called " + quoted(named.id);
    if (field_of(specs, named.id)) return quoted(named.id) + " names a field and a result";
  }
  std::string_view rest = view.summary;
  if (rest.empty()) return "it has no summary";
  while (!rest.empty()) {
    const Piece piece = next_piece(rest);
    if (piece.broken) return "the summary's braces do not match";
    if (!piece.name.empty() && !view.find(piece.name) && !field_of(specs, piece.name))
      return "the summary names " + quoted(piece.name) + ", which is neither a result nor a field";
  }
  return {};
}

}  // namespace

std::string inconsistency(const View& view, const std::vector<FieldSpec>& specs) {
  for (size_t i = 0; i < specs.size(); ++i)
    if (field_of(specs, specs[i].id) != &specs[i]) return "two fields are called " + quoted(specs[i].id);
  std::string e = check_table(view);
  if (e.empty()) e = check_panels(view, specs);
  if (e.empty()) e = check_names(view, specs);
  return e;
}

Result<Evaluated> evaluate(const Figure& figure, const World& world, const Values& values, std::string_view device, Binder::Mode mode,
                           const Values& pins) {
  if (world.devices.all.empty()) return Error{{}, "no device table is loaded", "load the world first"};
  Binder binder(world, values, device, mode, pins);
  Evaluated out;
  out.figure = &figure;
  out.view = figure.run(binder, world);
  binder.finish();
  if (!binder.problems().empty()) return binder.problems().front();
  if (std::string wrong = inconsistency(out.view, binder.specs()); !wrong.empty())
    return Error{{}, "the figure " + std::string(figure.id) + " contradicts itself: " + wrong, "this is a fault of the figure's code"};
  out.specs = binder.specs();
  out.canonical = binder.canonical();
  out.notices = binder.notices();
  out.notices.insert(out.notices.end(), out.view.notices.begin(), out.view.notices.end());
  return out;
}

std::vector<Segment> summary(const Evaluated& evaluated) {
  std::vector<Segment> out;
  std::string_view rest = evaluated.view.summary;
  while (!rest.empty()) {
    const Piece piece = next_piece(rest);
    if (piece.broken) break;
    Segment segment;
    segment.name = piece.name;
    if (piece.name.empty()) {
      segment.text = piece.words;
    } else if (const Num* num = evaluated.view.find(piece.name)) {
      segment.text = piece.one.empty() ? text(*num) : counted(num->v, piece);
    } else if (const FieldSpec* spec = field_of(evaluated.specs, piece.name)) {
      segment.yours = true;
      const auto v = piece.one.empty() ? std::optional<double>() : read_number(spec->value);
      segment.text = v ? counted(*v, piece) : spec->shown;
    }
    out.push_back(std::move(segment));
  }
  return out;
}

std::string summary_text(const Evaluated& evaluated) {
  std::string out;
  for (const Segment& segment : summary(evaluated)) out += segment.text;
  return out;
}

}  // namespace lk::plot
