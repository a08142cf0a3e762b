// How far predicted times are from measured ones: every row that was measured, by the model and by two rooflines, and one row in
// full. The times are committed (gpu::PredictedSet), for kernels run too long in the interpreter to predict them while one looks.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "base/few.h"
#include "figures/registry.h"

namespace lk::figures {
namespace {

using namespace plot;
using gpu::PredictedRow;

constexpr double micro = 1e6;
// The same axes whatever is chosen, so that dots move and not the paper. Only datasheet rooflines go far below a launch.
constexpr double least_us = 2, most_us = 1e5, least_floor_us = 0.004;
constexpr double most_off = 0.5;  // either way; rooflines down to all of it
constexpr double narrow_band = 0.1, wide_band = 0.3, worth_a_reason = 0.25;
constexpr size_t command_width = 34, command_lines = 4;
constexpr int labels = 4;  // of the worst rows

const std::array<Choice, 3> models{{{"ours", "The book’s model"}, {"datasheet", "Datasheet roofline"}, {"calibrated", "Calibrated roofline"}}};
const std::array<Choice, 2> takes{{{"first", "The rows of the fit"}, {"again", "Measured again"}}};
constexpr std::array<std::string_view, 4> groups{"all", "hand-written", "library", "layers"};

double by(const PredictedRow& r, int model) { return model == 0 ? r.predicted : model == 1 ? r.datasheet : r.calibrated; }
std::string signed_percent(double v) { return (v > 0 ? "+" : "") + text({v, Unit::percent}); }

/// "sgemm_1d n=512": how a row is typed.
std::string typed(const PredictedRow& r) {
  std::string out = r.kernel + ' ' + r.params;
  std::replace(out.begin(), out.end(), ';', ' ');
  return out;
}

/// A command in lines that fit the narrowest drawing, broken between words.
std::vector<std::string> folded(const std::string& command) {
  std::vector<std::string> out{""};
  for (size_t at = 0; at < command.size();) {
    // An option stays with its value.
    const size_t end = std::min(command.find(' ', command[at] == '-' ? command.find(' ', at) + 1 : at), command.size());
    const std::string word = command.substr(at, end - at);
    if (out.back().size() + word.size() + 3 > command_width) {
      out.back() += " \\";
      out.push_back("  " + word);
    } else {
      out.back() += (out.back().empty() ? "" : " ") + word;
    }
    at = end + 1;
  }
  return out;
}

Mark& add(Panel& panel, Shape shape, Role role, std::vector<Point> at) {
  Mark& m = panel.marks.emplace_back();
  m.shape = shape;
  m.role = role;
  m.at = std::move(at);
  return m;
}

struct Params {
  const gpu::PredictedSet* set = nullptr;
  std::vector<std::string_view> families;  // offered, the groups first
  std::vector<const PredictedRow*> rows;   // of the chosen family, worst first
  int family = 0, model = 0, take = 0, row = 1;

  void fields(Fields& f, const World& world) {
    if (world.predicted.empty()) return;
    set = &world.predicted.front();
    families.assign(groups.begin(), groups.end());
    for (const PredictedRow& r : set->rows)
      if (std::find(families.begin(), families.end(), r.family) == families.end()) families.push_back(r.family);
    std::vector<Choice> choices;
    for (const std::string_view name : families) choices.push_back({name, name == "all" ? "All" : name});
    f.choice(family, {"family", "Kernels", "a group or a family of them; others turn pale"}, choices);
    f.choice(model, {"model", "Predicted by", "the model of this book, or a roofline: the larger of the times that arithmetic and memory need"}, models);
    f.choice(take, {"against", "Measured", "the times that constants were fitted on, or those of later runs by other programs"}, takes);
    for (const PredictedRow& r : set->rows)
      if (chosen(r)) rows.push_back(&r);
    sort_few(rows, [this](const PredictedRow* a, const PredictedRow* b) { return std::fabs(off(*a)) > std::fabs(off(*b)); });
    f.integer(row, {"row", "Row", "counted from the worst"}, Unit::one, 1, std::max(2, static_cast<int>(rows.size())));
  }

  bool chosen(const PredictedRow& r) const {
    const std::string_view name = families[static_cast<size_t>(family)];
    return family == 0 || r.group == name || r.family == name;
  }
  double measured(const PredictedRow& r) const { return take == 1 && r.launches > 0 ? r.again : r.measured; }
  double off(const PredictedRow& r, int which) const { return by(r, which) / measured(r) - 1; }
  double off(const PredictedRow& r) const { return off(r, model); }
  double mean(int which) const {
    double sum = 0;
    for (const PredictedRow* r : rows) sum += std::fabs(off(*r, which));
    return sum / static_cast<double>(rows.size());
  }
  const PredictedRow& followed() const { return *rows[std::min(rows.size(), static_cast<size_t>(row)) - 1]; }

  View evaluate(const World& world) const {
    View view;
    view.wide_from = 900;
    if (rows.empty()) {
      view.notices.push_back("Nothing is shown: no predictions have been committed beside measurements.");
      view.summary = "There is nothing to compare.";
      view.panels.push_back(times());
      return view;
    }
    const gpu::Device* device = world.devices.find(set->device);
    const std::string name = device != nullptr ? device->name : set->device;
    view.panels.push_back(times());
    view.panels.push_back(errors());
    view.panels.push_back(one());
    view.panels.push_back(command());
    table(view);
    results(view);
    const std::string whose = model == 0 ? "the model is" : model == 1 ? "the datasheet’s roofline is" : "the calibrated roofline is";
    view.summary = "Over {count|row|rows} " + whose + " off by {mean} on average, {median} in the median and {worst} at worst. " + followed().kernel + " with " +
                   written(followed()) + " took {measured} and is predicted to take {predicted}; the model names " + followed().limit + " as its limit." +
                   (followed().launches > 0 ? " Of " + std::to_string(followed().launches) + " later launches the middle half took {low} to {high}." : "");
    for (const PredictedRow* r : rows)
      if (std::fabs(off(*r)) > (model == 0 || off(*r) > 0 ? most_off : 1)) {
        view.notices.push_back("Rows off by more than " + text({most_off, Unit::percent}) + " stand at the edge.");
        break;
      }
    if (model == 1)
      for (const PredictedRow* r : rows)
        if (by(*r, model) * micro < least_floor_us) {
          view.notices.push_back("Rows below " + text({least_floor_us / micro, Unit::seconds}) + " stand at the lower edge.");
          break;
        }
    view.provenance = {{How::measured, take == 0 ? "One " + name + ", medians of 7 to 15 launches. The model’s constants were fitted on these rows."
                                                 : "One " + name + ", medians of 21 or 30 launches; no constant was fitted on these runs."},
                       {How::computed, "Model and calibrated roofline: lk predict, from counters of the interpreter or from tiles and waves."},
                       {How::datasheet, "Datasheet roofline: FLOP and compulsory bytes over the vendor’s rates."}};
    return view;
  }

  static std::string written(const PredictedRow& r) {
    std::string out;
    for (const char c : r.params) out += c == ';' ? std::string(", ") : c == '=' ? std::string(" = ") : std::string(1, c);
    return out;
  }

  /// A dot for each row, pale first: those that are not chosen lead to their family.
  template <class Place>
  void dots(Panel& panel, const Place& place, bool named) const {
    if (rows.empty()) return;
    for (const PredictedRow& r : set->rows) {
      if (chosen(r)) continue;
      Mark& m = add(panel, Shape::dot, Role::faint, {place(r)});
      m.fill = Fill::outline;
      m.sets = "family=" + r.family;
    }
    for (size_t i = rows.size(); i-- > 0;) {
      if (rows[i] == &followed()) continue;
      Mark& m = add(panel, Shape::dot, Role::ink, {place(*rows[i])});
      m.fill = Fill::outline;
      m.row = static_cast<int>(i);
      m.sets = "row=" + std::to_string(i + 1);
      if (named && i < labels) {
        m.label = rows[i]->kernel;
        m.keep = 20 - static_cast<int>(i);
      }
    }
    Mark& m = add(panel, Shape::dot, Role::accent, {place(followed())});
    m.row = std::min(row, static_cast<int>(rows.size())) - 1;
    m.strong = true;
    if (!named) return;
    m.label = followed().kernel;
    m.side = Side::left;
    m.keep = 100;
  }

  Panel times() const {
    Panel panel;
    const double floor = model == 1 ? least_floor_us : least_us;
    panel.title = "Every row";
    panel.x = {.label = "measured, µs", .lo = least_us, .hi = most_us, .scale = Scale::log};
    panel.y = {.label = "predicted, µs", .lo = floor, .hi = most_us, .scale = Scale::log};
    panel.lines = 15;
    panel.narrow_lines = 13;
    for (const double width : {wide_band, narrow_band}) {
      const double up = 1 + width, down = 1 - width;
      add(panel, Shape::area, width == narrow_band ? Role::good : Role::muted, {{least_us, least_us * up}, {most_us / up, most_us}, {most_us, most_us}, {most_us, most_us * down}, {least_us / down, least_us}, {least_us, least_us}}).fill =
          Fill::wash;
    }
    add(panel, Shape::line, Role::muted, {{least_us, least_us}, {most_us, most_us}}).dashed = true;
    dots(panel, [this, floor](const PredictedRow& r) { return Point{measured(r) * micro, std::max(by(r, model) * micro, floor)}; }, true);
    panel.keys = {{Role::good, Fill::wash, "off by at most 10%"}, {Role::muted, Fill::wash, "at most 30%"}};
    return panel;
  }

  Panel errors() const {
    Panel panel;
    panel.title = "Off by";
    panel.note = std::to_string(rows.size()) + (rows.size() == 1 ? " row" : " rows");
    const double lo = model == 0 ? -most_off : -1;
    panel.x = {.unit = Unit::percent, .lo = lo, .hi = most_off};
    panel.y.scale = Scale::band;
    for (size_t i = groups.size(); i < families.size(); ++i) panel.y.bands.emplace_back(families[i]);
    const auto bands = static_cast<double>(panel.y.bands.size());
    panel.lines = 15;
    panel.narrow_lines = 15;
    for (const double width : {wide_band, narrow_band}) add(panel, Shape::bar, width == narrow_band ? Role::good : Role::muted, {{-width, 0}, {width, bands}}).fill = Fill::wash;
    add(panel, Shape::line, Role::muted, {{0, 0}, {0, bands}}).dashed = true;
    dots(panel, [this, lo](const PredictedRow& r) { return Point{std::clamp(off(r), lo, most_off), band(r) + 0.5}; }, false);
    return panel;
  }
  double band(const PredictedRow& r) const {
    return static_cast<double>(std::find(families.begin(), families.end(), r.family) - families.begin()) - static_cast<double>(groups.size());
  }

  Panel one() const {
    Panel panel;
    const PredictedRow& r = followed();
    const struct {
      const char* name;
      double seconds;
      bool was_measured, is_chosen;
    } bars[] = {{"measured", r.measured, true, take == 0 || r.launches == 0},
                {"again", r.again, true, take == 1 && r.launches > 0},
                {"model", r.predicted, false, model == 0},
                {"datasheet", r.datasheet, false, model == 1},
                {"calibrated", r.calibrated, false, model == 2}};
    double longest = 0;
    for (const auto& bar : bars) longest = std::max(longest, bar.seconds * micro);
    panel.row = 1;
    panel.title = r.kernel;
    panel.note = "limit: " + r.limit;
    panel.x = {.label = "µs", .lo = 0, .hi = longest * 1.9};
    panel.y = {.scale = Scale::band};
    panel.lines = 6;
    for (const auto& bar : bars) {
      const auto y = static_cast<double>(panel.y.bands.size());
      panel.y.bands.emplace_back(bar.name);
      Mark& m = add(panel, Shape::bar, bar.was_measured ? Role::ink : Role::compute, {{0, y + 0.2}, {bar.seconds * micro, y + 0.8}});
      m.fill = bar.is_chosen ? Fill::solid : Fill::pale;
      m.label = bar.seconds > 0 ? text({bar.seconds, Unit::seconds}) : "not yet";
      if (!bar.was_measured) m.detail = signed_percent(bar.seconds / measured(r) - 1);
      if (bar.name == bars[1].name && r.launches > 0) m.detail = std::to_string(r.launches) + " launches";
      m.row = row - 1;
      m.keep = 50;
    }
    // All samples of a row stand between the ends of this line, or half of them where not all were kept.
    if (r.launches > 0)
      add(panel, Shape::line, Role::ink, {{(r.least > 0 ? r.least : r.low) * micro, 1.92}, {(r.most > 0 ? r.most : r.high) * micro, 1.92}}).strong = true;
    return panel;
  }

  Panel command() const {
    Panel panel;
    panel.row = 1;
    panel.title = "Command";
    panel.x = {.scale = Scale::hidden, .labels = false, .grid = false};
    panel.y = {.scale = Scale::band, .bands = std::vector<std::string>(command_lines), .labels = false, .grid = false};
    panel.lines = command_lines * 0.8;
    double y = 0;
    for (const std::string& line : folded("lk predict " + typed(followed()) + " --device " + set->device)) {
      Mark& m = add(panel, Shape::code, Role::ink, {{0, y++}});
      m.label = line;
      m.row = row - 1;
    }
    return panel;
  }

  void table(View& view) const {
    constexpr struct {
      const char *id, *label;
      Unit unit = Unit::one;
      How how = How::computed;
      bool words = false;
    } heads[] = {{"kernel", "Kernel and parameters", Unit::one, How::computed, true},
                 {"measured", "Measured", Unit::seconds, How::measured},
                 {"again", "Measured again", Unit::seconds, How::measured},
                 {"ours", "Model", Unit::seconds},
                 {"datasheet", "Datasheet roofline", Unit::seconds, How::datasheet},
                 {"calibrated", "Calibrated roofline", Unit::seconds},
                 {"off", "Off", Unit::percent},
                 {"limit", "Limit", Unit::one, How::computed, true}};
    for (const auto& head : heads) {
      Column& column = view.columns.emplace_back();
      column.id = head.id;
      column.label = head.label;
      column.unit = head.unit;
      column.how = head.how;
      column.text = head.words;
    }
    for (const PredictedRow* r : rows) {
      view.cells.emplace_back(typed(*r));
      view.cells.emplace_back(r->measured);
      view.cells.push_back(r->launches > 0 ? Cell(r->again) : Cell());
      for (const double v : {r->predicted, r->datasheet, r->calibrated, off(*r)}) view.cells.emplace_back(v);
      view.cells.emplace_back(r->limit);
    }
  }

  void results(View& view) const {
    const PredictedRow& r = followed();
    const auto put = [&](const char* id, double v, Unit unit, How how) {
      Named& out = view.out.emplace_back();
      out.id = id;
      out.num = {v, unit, how};
    };
    const auto share = [&](const char* id, double v) { put(id, v, Unit::percent, How::computed); };
    const size_t n = rows.size();
    double close = 0, far = 0;
    for (const PredictedRow* one : rows) {
      close += std::fabs(off(*one)) <= narrow_band;
      far += std::fabs(off(*one)) > worth_a_reason;
    }
    put("count", static_cast<double>(n), Unit::one, How::computed);
    share("mean", mean(model));
    share("median", (std::fabs(off(*rows[(n - 1) / 2])) + std::fabs(off(*rows[n / 2]))) / 2);
    share("worst", std::fabs(off(*rows[0])));
    share("ours_mean", mean(0));
    share("datasheet_mean", mean(1));
    share("calibrated_mean", mean(2));
    share("within_10", close / static_cast<double>(n));
    put("over_25", far, Unit::one, How::computed);
    put("measured", measured(r), Unit::seconds, How::measured);
    put("predicted", by(r, model), Unit::seconds, model == 1 ? How::datasheet : How::computed);
    share("off", off(r));
    put("first", r.measured, Unit::seconds, How::measured);
    if (r.launches > 0) {
      put("launches", r.launches, Unit::one, How::measured);
      put("again", r.again, Unit::seconds, How::measured);
      put("low", r.low, Unit::seconds, How::measured);
      put("high", r.high, Unit::seconds, How::measured);
    }
    if (r.least > 0) {
      put("least", r.least, Unit::seconds, How::measured);
      put("most", r.most, Unit::seconds, How::measured);
    }
  }
};

}  // namespace

extern const plot::Figure model_error = plot::figure<Params>("model_error", "Predicted beside measured", plot::Cost::instant, plot::Place::wide);

}  // namespace lk::figures
