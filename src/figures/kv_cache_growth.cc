// What a decode step computes and reads with a KV cache and without one, what that costs as the sequence grows, and how many
// tokens fit beside the weights. All arithmetic is serving::transformer; here it is drawn.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "figures/registry.h"
#include "serving/transformer.h"

namespace lk::figures {
namespace {

using namespace plot;
using gpu::Type;

const std::array<Choice, 4> gpu_choices{{{"1", "1"}, {"2", "2"}, {"4", "4"}, {"8", "8"}}};
const std::array<Choice, 2> kv_choices{{{"bf16", "BF16"}, {"fp8", "FP8"}}};

constexpr double least_context = 100, most_context = 1e6;
// The same axes for every model and device, so that curves move and not the paper below them.
constexpr double least_time_shown = 1e-4, most_time_shown = 1e2;
constexpr int samples = 60;                     // of a curve
constexpr int prompt_shown = 3, steps_shown = 5;  // in the drawing of who computes what
constexpr std::array<double, 8> contexts_listed{256, 1024, 2048, 4096, 8192, 16384, 32768, 131072};

double peak(const gpu::Device& d, Type type) { return d.peak(type).value_or(d.peak(Type::bf16).value_or(0)); }

/// Adds a mark and gives it back for what few marks have.
Mark& add(Panel& panel, Shape shape, Role role, std::vector<Point> at, const char* label = "", Side side = Side::right, int keep = 0) {
  Mark& m = panel.marks.emplace_back();
  m.shape = shape;
  m.role = role;
  m.at = std::move(at);
  m.label = label;
  m.side = side;
  m.keep = keep;
  return m;
}

struct Params {
  static constexpr std::string_view kernels[] = {"*_step"};

  const gpu::Device* device = nullptr;
  int model = 0, gpus = 0, kv = 0;
  double context = 8192, batch = 32;
  bool cache = true;

  void fields(Fields& f, const World& world) {
    std::vector<Choice> models;
    for (const serving::Model& m : world.models.all) {
      if (m.id == world.models.fallback) model = static_cast<int>(models.size());
      models.push_back({m.id, m.name});
    }
    if (!models.empty()) f.choice(model, {"model", "Model", "whose sizes are counted"}, models);
    f.number(context, {"context", "Context", "tokens of each sequence that a step attends to, the new one included"}, Unit::tokens, least_context, most_context,
             0.02, Steps::log);
    f.number(batch, {"batch", "Batch", "sequences that take a step together"}, Unit::one, 1, 512, 0.30103, Steps::log);
    f.toggle(cache, {"cache", "Keep K and V", "off: every step computes those of the whole sequence again"});
    f.choice(kv, {"kv", "K and V stored in", "FP8 halves the bytes of the cache"}, kv_choices);
    f.choice(gpus, {"gpus", "GPUs", "that share weights, cache and work evenly; what they send each other is not counted"}, gpu_choices);
    f.device(device, {"device", "Device", "whose memory, bandwidth and arithmetic rate count"}, [](const gpu::Device& d) {
      if (!d.peak(Type::bf16)) return std::string("it has no BF16 arithmetic");
      return d.bandwidth.known() ? d.memory_bytes.missing() : d.bandwidth.missing();
    });
  }

  /// The machine and the two ways to take a step on it.
  struct Setting {
    const serving::Model& model;
    double batch, element, weight_peak, attention_peak, bandwidth, memory;
    serving::Step step(double at, bool cached) const {
      return cached ? serving::cached_step(model, batch, at, element) : serving::recomputed_step(model, batch, at);
    }
    double time(double at, bool cached) const { return serving::least_time(step(at, cached), weight_peak, attention_peak, bandwidth); }
  };

  View evaluate(const World& world) const {
    View view;
    if (device == nullptr || world.models.all.empty()) {
      view.summary = device == nullptr ? "No device has a BF16 rate, a bandwidth and a memory." : "The book has no table of models.";
      return view;
    }
    const serving::Model& m = world.models.all[static_cast<size_t>(model)];
    const double n = 1 << gpus, tokens = std::round(context), sequences = std::round(batch);
    const Setting s{m, sequences, gpu::bytes(kv == 0 ? Type::bf16 : Type::fp8), n * peak(*device, m.dtype), n * peak(*device, Type::bf16),
                    n * device->bandwidth.v, n * device->memory_bytes.v};
    const serving::Step with = s.step(tokens, true), without = s.step(tokens, false);
    const double times[] = {s.time(tokens, false), s.time(tokens, true)};
    const double per_token = serving::kv_elements(m) * s.element, weights = serving::weight_bytes(m);
    const double capacity = std::max(0.0, std::floor((s.memory - weights) / per_token));
    const double crossover = with.weight_bytes / (sequences * per_token), stored = cache ? with.kv_bytes : 0;

    const gpu::MeasuredSet* measured = gpus == 0 && kv == 0 ? world.measured_on(device->id) : nullptr;
    const bool points = table(view, s, tokens, measured);
    view.panels.push_back(steps());
    view.panels.push_back(curves(view, s, tokens, times, with.weight_bytes, crossover));
    view.panels.push_back(memory(s, weights, stored, capacity));

    const struct {
      const char* id;
      double v;
      Unit unit;
    } results[] = {
        {"bytes_per_token", per_token, Unit::bytes},
        {"kv_bytes", with.kv_bytes, Unit::bytes},
        {"sequence_bytes", with.kv_bytes / sequences, Unit::bytes},
        {"parameters", serving::parameters(m), Unit::one},
        {"weight_bytes", weights, Unit::bytes},
        {"weights_read", with.weight_bytes, Unit::bytes},
        {"bytes", (cache ? with : without).bytes(), Unit::bytes},
        {"kv_share", with.kv_bytes / with.bytes(), Unit::percent},
        {"flop", (cache ? with : without).flop(), Unit::flop},
        {"flop_with", with.flop(), Unit::flop},
        {"flop_without", without.flop(), Unit::flop},
        {"total_with", serving::cached_flop(m, tokens), Unit::flop},
        {"total_without", serving::recomputed_flop(m, tokens), Unit::flop},
        {"intensity", with.attention_flop / with.kv_bytes, Unit::flop_per_byte},
        {"crossover", std::round(crossover), Unit::tokens},
        {"step_time", times[cache ? 1 : 0], Unit::seconds},
        {"time_with", times[1], Unit::seconds},
        {"time_without", times[0], Unit::seconds},
        {"weights_time", with.weight_bytes / s.bandwidth, Unit::seconds},
        {"kv_time", with.kv_bytes / s.bandwidth, Unit::seconds},
        {"ratio", times[0] / times[1], Unit::one},
        {"tokens_per_s", sequences / times[cache ? 1 : 0], Unit::one},
        {"capacity", capacity, Unit::tokens},
        {"sequences", std::floor(capacity / tokens), Unit::one},
        {"bytes_with", with.bytes(), Unit::bytes},
    };
    for (const auto& r : results) view.out.push_back({r.id, {r.v, r.unit}});
    view.out.push_back({"memory", {s.memory, Unit::bytes, How::datasheet}});
    view.summary = cache ? "{batch|sequence|sequences} of {context}: a step reads {weights_read} of weights and {kv_bytes} of K and V, at least {step_time}. "
                           "Computing K and V again would take {time_without}."
                         : "{batch|sequence|sequences} of {context} without a cache: a step takes {flop}, at least {step_time}. With one it reads {bytes_with} "
                           "and takes {time_with}.";
    view.provenance = {{How::computed, "Operations and bytes from the model's sizes; no traffic of activations, no launches."},
                       {How::datasheet, "Rates and memory of the GPU."}};
    if (points) view.provenance.push_back({How::measured, "Points: one " + device->name + ", medians of 7 to 15 steps, random weights."});
    if (tokens > m.max_context) view.notices.push_back(m.name + " takes at most " + digits(m.max_context) + " tokens; beyond them only the arithmetic goes on.");
    if (weights + stored > s.memory)
      view.notices.push_back("This does not fit: weights and cache take " + text({weights + stored, Unit::bytes}) + ", the memory holds " + text({s.memory, Unit::bytes}) + ".");
    if (!device->peak(m.dtype))
      view.notices.push_back(device->name + " has no " + std::string(gpu::label(m.dtype)) + " arithmetic: counted at its BF16 rate.");
    return view;
  }

  Panel steps() const {
    Panel panel;
    constexpr int columns = prompt_shown + steps_shown;
    panel.title = "Whose K and V a step computes";
    panel.x = {.label = "token", .scale = Scale::band};
    panel.y = {.scale = Scale::band, .bands = {"prompt"}};
    panel.lines = 11;
    panel.narrow_lines = 8;
    panel.share = 0.8;
    int computed = 0, read = 0;
    for (int t = 0; t < columns; ++t) panel.x.bands.push_back(std::to_string(t + 1));
    for (int step = 0; step <= steps_shown; ++step) {
      if (step > 0) panel.y.bands.push_back("step " + std::to_string(step));
      for (int t = 0; t < prompt_shown + step; ++t) {
        const bool fresh = !cache || step == 0 || t == prompt_shown + step - 1;
        ++(fresh ? computed : read);
        add(panel, Shape::cell, fresh ? Role::compute : Role::memory, {{static_cast<double>(t), static_cast<double>(step)}}).fill = fresh ? Fill::solid : Fill::pale;
      }
    }
    panel.keys = {{Role::compute, Fill::solid, std::to_string(computed) + " computed"}};
    if (cache) panel.keys.push_back({Role::memory, Fill::pale, std::to_string(read) + " read back"});
    return panel;
  }

  Panel curves(const View& view, const Setting& s, double tokens, const double (&times)[2], double weights_read, double crossover) const {
    Panel panel;
    panel.title = "A step takes at least";
    panel.note = "K and V = weights at " + text({std::round(crossover), Unit::tokens});
    panel.x = {.label = "context", .unit = Unit::tokens, .lo = least_context, .hi = most_context, .scale = Scale::log};
    panel.y = {.unit = Unit::seconds, .lo = least_time_shown, .hi = most_time_shown, .scale = Scale::log};
    panel.lines = 12;
    panel.narrow_lines = 11;
    panel.share = 1.2;
    std::vector<Point> lines[2];
    for (int i = 0; i <= samples; ++i) {
      const double x = least_context * std::pow(most_context / least_context, static_cast<double>(i) / samples);
      for (const bool cached : {false, true})
        if (const double y = s.time(x, cached); y < most_time_shown) lines[cached].push_back({x, y});
    }
    const double weights_time = weights_read / s.bandwidth;
    std::vector<Point> saved = lines[0];
    saved.push_back({lines[1].back().x, std::max(lines[0].back().y, lines[1].back().y)});
    saved.insert(saved.end(), lines[1].rbegin(), lines[1].rend());
    add(panel, Shape::area, Role::compute, std::move(saved)).fill = Fill::wash;
    add(panel, Shape::line, Role::other, {{least_context, weights_time}, {most_context, weights_time}}, "reading the weights", Side::above, 60).dashed = true;
    // Reads of K and V are in proportion to the context: a straight line.
    const double slope = s.step(1, true).kv_bytes / s.bandwidth;
    const double from = std::max(least_context, least_time_shown / slope), to = std::min(most_context, most_time_shown / slope);
    // The label stands where the line keeps clear of the curve, or else where they have become one, and of the reader's line;
    // it needs a decade and a half.
    const bool below = crossover > 20 * from;
    double a = below ? from : crossover, b = below ? std::min(crossover, to) : to;
    if (tokens > a && tokens < b) (tokens / a > b / tokens ? b : a) = tokens;
    for (const auto& [x0, x1] : {std::pair{from, a}, {a, b}, {b, to}})
      if (x1 > x0) add(panel, Shape::line, Role::memory, {{x0, x0 * slope}, {x1, x1 * slope}}, x0 == a && b > 30 * a ? "reading K and V" : "", Side::along, 50).dashed = true;
    if (crossover > least_context && crossover < most_context)
      add(panel, Shape::line, Role::muted, {{crossover, weights_time}, {crossover, least_time_shown}}).dashed = true;
    for (const bool cached : {false, true}) {
      Mark& curve = add(panel, Shape::line, cached ? Role::memory : Role::compute, lines[cached], cached ? "with cache" : "without cache",
                        cached ? Side::above : Side::left, cached ? 95 : 90);
      curve.strong = cached == cache;
      curve.row = 0;
    }
    for (const size_t column : {6, 7}) {
      const char* label = "measured";
      for (size_t row = 1; row < view.rows(); ++row) {
        const Cell *cells = &view.cells[row * view.columns.size()], &cell = cells[column];
        if (cell.missing || cell.v >= most_time_shown) continue;
        add(panel, Shape::dot, Role::ink, {{cells->v, cell.v}}, label, Side::above, 20).row = static_cast<int>(row);
        label = "";
      }
    }
    const double mine = std::min(times[cache ? 1 : 0], most_time_shown), other = std::min(times[cache ? 0 : 1], most_time_shown);
    Mark& yours = add(panel, Shape::dot, Role::accent, {{tokens, mine}, {tokens, other}}, text({times[cache ? 1 : 0], Unit::seconds}).c_str(), Side::left, 100);
    yours.row = 0;
    yours.strong = true;
    yours.drags = "context";
    return panel;
  }

  Panel memory(const Setting& s, double weights, double stored, double capacity) const {
    Panel panel;
    panel.row = 1;
    panel.title = "Memory";
    panel.note = capacity > 0 ? text({capacity, Unit::tokens}) + " fit beside the weights" : "the weights do not fit";
    panel.x = {.unit = Unit::bytes, .lo = 0, .hi = s.memory};
    panel.y = {.lo = 0, .hi = 1, .scale = Scale::hidden};
    panel.lines = 1.5;
    const double w = std::min(weights, s.memory), k = std::min(stored, s.memory - w);
    const bool over = weights + stored > s.memory;
    const auto bar = [&](double from, double to, Role role, Fill fill, const char* label) {
      if (to <= from) return;
      Mark& m = add(panel, Shape::bar, role, {{from, 0}, {to, 1}}, label, Side::inside);
      m.fill = fill;
      m.row = 0;
    };
    bar(0, w, weights > s.memory ? Role::bad : Role::other, Fill::solid, "weights");
    bar(w, w + k, over ? Role::bad : Role::memory, Fill::solid, "K and V");
    bar(w + k, s.memory, Role::faint, Fill::outline, (text({s.memory - w - k, Unit::bytes}) + " free").c_str());
    panel.keys = {{weights > s.memory ? Role::bad : Role::other, Fill::solid, "weights " + text({weights, Unit::bytes})},
                  {over ? Role::bad : Role::memory, Fill::solid, "K and V " + text({stored, Unit::bytes})}};
    return panel;
  }

  /// Fills the table, the reader's context first; true when something was measured at this batch.
  bool table(View& view, const Setting& s, double tokens, const gpu::MeasuredSet* measured) const {
    view.columns = {{"context", "Context", Unit::tokens},
                    {"kv", "K and V", Unit::bytes},
                    {"flop_with", "Work with cache", Unit::flop},
                    {"flop_without", "Work without", Unit::flop},
                    {"time_with", "Time with cache", Unit::seconds},
                    {"time_without", "Time without", Unit::seconds},
                    {"measured_with", "Measured with", Unit::seconds, How::measured},
                    {"measured_without", "Measured without", Unit::seconds, How::measured}};
    bool any = false;
    const auto took = [&](double at, int cached) -> Cell {
      const gpu::MeasuredRow* row =
          measured ? measured->find(s.model.id + "_step", "cache=" + std::to_string(cached) + ";batch=" + plain(s.batch) + ";context=" + plain(at)) : nullptr;
      if (row == nullptr) return {};
      any = true;
      return row->seconds;
    };
    const auto add = [&](double at) {
      const serving::Step with = s.step(at, true);
      for (const double v : {at, with.kv_bytes, with.flop(), s.step(at, false).flop(), s.time(at, true), s.time(at, false)}) view.cells.emplace_back(v);
      view.cells.push_back(took(at, 1));
      view.cells.push_back(took(at, 0));
    };
    add(tokens);
    for (const double at : contexts_listed) add(at);
    return any;
  }
};

}  // namespace

extern const plot::Figure kv_cache_growth =
    plot::figure<Params>("kv_cache_growth", "What a step computes, reads and keeps", plot::Cost::instant, plot::Place::wide);

}  // namespace lk::figures
