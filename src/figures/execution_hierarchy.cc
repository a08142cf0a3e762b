// One thread followed from the launch to its lane: the grid dealt out to the multiprocessors in waves, one multiprocessor's warp
// slots, one warp's lanes. All arithmetic is gpu::residency; here it is drawn.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "figures/registry.h"
#include "gpu/residency.h"

namespace lk::figures {
namespace {

using namespace plot;

constexpr int most_blocks = 1200;
constexpr int least_rows = 8;        // of the carpet of blocks, so that few resident blocks do not stand as towers
constexpr double wave_gap = 0.5;     // of a row, between two waves
constexpr double column_gap = 0.14;  // of a column, between two blocks
constexpr double row_gap = 0.16;
constexpr double slot_gap = 0.16;    // of a slot, between two warps
constexpr double block_gap = 0.5;    // of a slot, between two blocks
constexpr double strip = 0.34;       // height of the slots within their panel; two lines of words stand below

struct Params {
  const gpu::Device* device = nullptr;
  int blocks = 600, width = 512, height = 1, block = 305, thread = 77;

  void fields(Fields& f, const World&) {
    f.device(device, {"device", "Device", "whose multiprocessors run the grid"}, [](const gpu::Device& d) {
      return gpu::sm_limits(d.cc_major, d.cc_minor) && d.sms > 0 ? std::string() : std::string(gpu::why_no_limits(d.cc_major));
    });
    f.integer(blocks, {"blocks", "Blocks", "in the grid: the first number of the launch"}, Unit::blocks, 1, most_blocks);
    f.integer(width, {"width", "Block width", "threads of a block along x"}, Unit::threads, 1, gpu::most_threads_per_block);
    height = std::min(height, gpu::most_threads_per_block / width);
    f.integer(height, {"height", "Block height", "threads of a block along y; width times height is at most 1,024"}, Unit::threads, 1,
              std::max(1, std::min(32, gpu::most_threads_per_block / width)));
    block = std::min(block, blocks - 1);
    f.integer(block, {"block", "Block followed", "blockIdx.x of the thread that is followed"}, Unit::one, 0, blocks - 1);
    thread = std::min(thread, threads() - 1);
    f.integer(thread, {"thread", "Thread followed", "its number in the block, threadIdx.x + threadIdx.y × width"}, Unit::one, 0, threads() - 1);
  }

  int threads() const { return width * height; }

  struct Scene {
    gpu::SmLimits limits;
    gpu::Residency r;
    gpu::Whereabouts at;
    int sms = 0;
    int row_sm = 0, row_block = 0, row_warp = 0;
    int held = 0;               // blocks on the followed multiprocessor in this wave
    MarkRef drop, narrow_drop;  // the line from the followed block down its column
    MarkRef slot;               // the followed warp
  };

  View evaluate(const World&) const {
    View view;
    // A table without a usable device still gets an answer.
    const std::optional<gpu::SmLimits> limits = device == nullptr ? std::nullopt : gpu::sm_limits(device->cc_major, device->cc_minor);
    if (!limits || device->sms < 1) {
      view.summary = "No device of the table has known limits of warps and blocks, so no grid can be dealt out.";
      view.notices.push_back("Nothing is drawn without the limits of a multiprocessor.");
      return view;
    }
    Scene s;
    s.sms = device->sms;
    s.limits = *limits;
    s.r = gpu::residency(blocks, threads(), s.sms, s.limits);
    s.at = gpu::locate(s.r, s.sms, block, thread);
    for (int place = 0; place < s.r.resident; ++place) s.held += gpu::block_at(s.r, s.sms, s.at.wave, s.at.sm, place).has_value();
    table(view, s);
    view.panels.push_back(carpet(s, true));
    view.panels.push_back(carpet(s, false));
    view.panels.push_back(slots(s));
    view.panels.push_back(lanes(s));
    results(view, s);
    return view;
  }

  // Columns are multiprocessors, rows the places that each has for a block, bands the waves. Where columns are too narrow to
  // stand apart, a row is one bar.
  Panel carpet(Scene& s, bool wide) const {
    Panel panel;
    panel.when = wide ? When::wide : When::narrow;
    const std::string grid = text({static_cast<double>(blocks), Unit::blocks}) + " of " + text({static_cast<double>(threads()), Unit::threads});
    panel.title = wide ? "Grid: " + grid : grid;
    panel.note = digits(s.sms) + " multiprocessors" + (wide ? " of " + device->name : "");
    panel.lines = 8;
    panel.narrow_lines = 6;
    panel.x = {.lo = 0, .hi = static_cast<double>(s.sms), .scale = Scale::hidden};
    panel.y.scale = Scale::band;
    const auto bands = std::max<int64_t>(s.r.waves, (least_rows + s.r.resident - 1) / s.r.resident);
    for (int64_t w = 0; w < bands; ++w) panel.y.bands.push_back(w < s.r.waves ? "wave " + digits(static_cast<double>(w + 1)) : "");
    const double unit = 1 / (s.r.resident + wave_gap), sms = s.sms;
    const auto top = [&](int64_t wave, int place) { return static_cast<double>(wave) + (wave_gap / 2 + place) * unit; };
    auto& marks = panel.marks;
    const auto bar = [&](double x0, double x1, double y0, double y1, Fill fill, int row) -> Mark& {
      marks.push_back({.shape = Shape::bar, .role = Role::compute, .fill = fill, .at = {{x0, y0}, {x1, y1}}, .row = row});
      return marks.back();
    };
    const double gap_x = wide ? column_gap / 2 : 0, gap_y = row_gap * unit / 2;
    for (int64_t w = 0; w < s.r.waves; ++w) {
      const int row = 1 + static_cast<int>(w);
      for (int place = 0; place < s.r.resident; ++place) {
        const double y0 = top(w, place) + gap_y, y1 = top(w, place) + unit - gap_y;
        const int64_t first = w * s.r.wave + int64_t{place} * s.sms;
        const int64_t used = std::clamp<int64_t>(s.r.blocks - first, 0, s.sms);
        if (wide) {
          for (int64_t i = 0; i < used; ++i) {
            const auto x = static_cast<double>(i);
            const bool here = w == s.at.wave && i == s.at.sm;
            Mark& m = bar(x + gap_x, x + 1 - gap_x, y0, y1, here ? Fill::solid : Fill::pale, here ? s.row_sm : row);
            m.sets = "block=" + std::to_string(first + i);
            if (first + i == block) follow(m, s.row_block);
          }
        } else if (used > 0) {
          const auto x1 = static_cast<double>(used);
          marks.push_back({.shape = Shape::area, .role = Role::compute, .fill = Fill::pale, .at = {{0, y0}, {x1, y0}, {x1, y1}, {0, y1}}, .row = row});
        }
        if (used < s.sms) bar(static_cast<double>(used), sms, y0, y1, Fill::hatch, row);
      }
    }
    const double x = s.at.sm, y0 = top(s.at.wave, s.at.place) + gap_y, y1 = top(s.at.wave, s.at.place) + unit - gap_y;
    if (!wide) follow(bar(x, x + 1, y0, y1, Fill::solid, s.row_block), s.row_block);
    MarkRef& drop = wide ? s.drop : s.narrow_drop;
    drop = {wide ? 0 : 1, static_cast<int>(marks.size())};
    marks.push_back({.shape = Shape::line, .role = Role::accent, .at = {{x + 0.5, y1}, {x + 0.5, static_cast<double>(bands)}}, .row = s.row_sm});
    return panel;
  }

  static void follow(Mark& m, int row) {
    m.role = Role::accent;
    m.fill = Fill::solid;
    m.row = row;
  }

  Panel slots(Scene& s) const {
    constexpr int self = 2;
    Panel panel;
    panel.row = 1;
    panel.lines = 3;
    panel.x = {.lo = 0, .hi = static_cast<double>(s.limits.warps), .scale = Scale::hidden};
    panel.y.scale = Scale::hidden;
    auto& marks = panel.marks;
    double end = 0;
    for (int place = 0; place < s.r.resident; ++place) {
      const std::optional<int64_t> b = gpu::block_at(s.r, s.sms, s.at.wave, s.at.sm, place);
      if (!b) break;
      const bool own = *b == block;
      const double x0 = static_cast<double>(place) * s.r.warps, pitch = (s.r.warps - block_gap + slot_gap) / s.r.warps;
      for (int w = 0; w < s.r.warps; ++w) {
        const double from = x0 + (block_gap - slot_gap) / 2 + (w + slot_gap / 2 / pitch) * pitch, to = from + pitch - slot_gap;
        Mark m{.shape = Shape::bar, .role = Role::compute, .fill = own ? Fill::solid : Fill::pale, .at = {{from, 1 - strip}, {to, 1}}, .row = own ? s.row_block : s.row_sm};
        if (own) m.sets = "thread=" + std::to_string(std::min(w * gpu::warp_lanes + s.at.lane, threads() - 1));
        else m.sets = "block=" + std::to_string(*b);
        if (own && w == s.at.warp) {
          m.role = Role::accent;
          m.row = s.row_warp;
          s.slot = {self, static_cast<int>(marks.size())};
        }
        marks.push_back(std::move(m));
      }
      end = x0 + s.r.warps;
      marks.push_back({.shape = Shape::note, .role = own ? Role::accent : Role::muted, .at = {{x0 + s.r.warps / 2.0, 1 - strip}},
                       .row = own ? s.row_block : s.row_sm, .label = (s.r.warps >= 8 ? "block " : "") + digits(static_cast<double>(*b)), .side = Side::below,
                       .strong = own, .keep = own ? 90 : 20});
    }
    const double all = s.limits.warps;
    if (end < all) {
      marks.push_back({.shape = Shape::bar, .role = Role::compute, .fill = Fill::hatch, .at = {{end + block_gap / 2, 1 - strip}, {all, 1}}, .row = s.row_sm});
      marks.push_back({.shape = Shape::note, .role = Role::muted, .at = {{(end + all) / 2, 1 - strip}}, .row = s.row_sm,
                       .label = digits(all - end) + " empty", .side = Side::below, .keep = 30});
    }
    // On the side that the way from the warp to its lane leaves free.
    const double slot = s.at.place * s.r.warps + s.at.warp + 0.5;
    const bool right = slot / all + (s.at.lane + 0.5) / gpu::warp_lanes < 1;
    marks.push_back({.shape = Shape::note, .role = Role::muted, .at = {{right ? all : 0, 0.1}}, .row = s.row_sm,
                     .label = digits(all) + " warp slots of multiprocessor " + std::to_string(s.at.sm), .side = right ? Side::left : Side::right, .keep = 100});
    for (const MarkRef& from : {s.drop, s.narrow_drop})
      marks.push_back({.shape = Shape::link, .role = Role::accent, .row = s.row_warp, .strong = true, .from = from, .to = s.slot});
    return panel;
  }

  Panel lanes(Scene& s) const {
    constexpr int self = 3;
    Panel panel;
    panel.row = 2;
    panel.lines = 1;
    panel.x.scale = panel.y.scale = Scale::band;
    panel.y.labels = false;
    panel.y.bands = {""};
    const bool flat = height == 1;
    panel.keys = {{Role::compute, Fill::pale, "in use"}, {Role::compute, Fill::solid, "same multiprocessor, same block"}, {Role::compute, Fill::hatch, "empty"}};
    panel.x.label = flat ? "lanes of warp " + std::to_string(s.at.warp) + ", threadIdx.x below" : "lanes of warp " + std::to_string(s.at.warp) + ", threadIdx.x, y below";
    auto& marks = panel.marks;
    for (int l = 0; l < gpu::warp_lanes; ++l) {
      const int t = s.at.warp * gpu::warp_lanes + l;
      const bool used = t < threads();
      panel.x.bands.push_back(!used ? "" : flat ? digits(t) : std::to_string(t % width) + "," + std::to_string(t / width));
      Mark m{.shape = Shape::cell, .role = Role::compute, .fill = used ? Fill::pale : Fill::hatch, .at = {{static_cast<double>(l), 0}}, .row = s.row_warp};
      if (used) {
        m.label = std::to_string(l);
        m.sets = "thread=" + std::to_string(t);
      }
      if (l == s.at.lane) {
        m.role = Role::accent;
        m.fill = Fill::solid;
        m.strong = true;
        m.row = s.row_warp + 1;
      }
      marks.push_back(std::move(m));
    }
    // The warp opens into its lanes: two thin lines to its ends, one to the lane that is followed.
    for (const int l : {0, gpu::warp_lanes - 1})
      marks.push_back({.shape = Shape::link, .role = Role::faint, .row = s.row_warp, .dashed = true, .from = s.slot, .to = {self, l}});
    marks.push_back({.shape = Shape::link, .role = Role::accent, .row = s.row_warp + 1, .strong = true, .from = s.slot, .to = {self, s.at.lane}});
    return panel;
  }

  void table(View& view, Scene& s) const {
    view.columns = {{"level", "Level", Unit::one, How::computed, true},
                    {"number", "Followed", Unit::one, How::computed},
                    {"of", "Of", Unit::one, How::computed},
                    {"threads", "Threads", Unit::one, How::computed},
                    {"room", "Room for", Unit::one, How::computed},
                    {"share", "Used", Unit::percent, How::computed}};
    const auto row = [&](std::string level, Cell number, double of, double live, double room) {
      view.cells.emplace_back(std::move(level));
      view.cells.push_back(std::move(number));
      view.cells.emplace_back(of);
      view.cells.emplace_back(live);
      view.cells.emplace_back(room);
      view.cells.emplace_back(live / room);
      return static_cast<int>(view.rows()) - 1;
    };
    const double t = threads(), machine = static_cast<double>(s.sms) * s.limits.threads();
    row("grid", {}, 1, blocks * t, static_cast<double>(s.r.waves) * machine);
    for (int64_t w = 0; w < s.r.waves; ++w) {
      const bool followed = w == s.at.wave;
      const auto held = static_cast<double>(w + 1 == s.r.waves ? s.r.last : s.r.wave);
      row("wave " + digits(static_cast<double>(w + 1)), followed ? Cell(static_cast<double>(w + 1)) : Cell(), static_cast<double>(s.r.waves), held * t, machine);
    }
    s.row_sm = row("multiprocessor", static_cast<double>(s.at.sm), s.sms, s.held * t, s.limits.threads());
    s.row_block = row("block", static_cast<double>(block), blocks, t, static_cast<double>(s.r.warps) * gpu::warp_lanes);
    const double live = std::min(gpu::warp_lanes, threads() - s.at.warp * gpu::warp_lanes);
    s.row_warp = row("warp of the block", static_cast<double>(s.at.warp), s.r.warps, live, gpu::warp_lanes);
    row("thread of the block", static_cast<double>(thread), t, 1, 1);
  }

  void results(View& view, const Scene& s) const {
    const auto n = [](auto v, Unit unit = Unit::one) { return Num{static_cast<double>(v), unit}; };
    const double t = threads();
    view.out = {{"threads", n(t, Unit::threads)},
                {"total", n(blocks * t, Unit::threads)},
                {"warps", n(s.r.warps, Unit::warps)},
                {"idle_lanes", n(s.r.idle_lanes, Unit::lanes)},
                {"lane_use", n(t / (s.r.warps * gpu::warp_lanes), Unit::percent)},
                {"resident", n(s.r.resident, Unit::blocks)},
                {"resident_warps", n(s.r.resident * s.r.warps, Unit::warps)},
                {"warp_slots", n(s.limits.warps, Unit::warps)},
                {"occupancy", n(static_cast<double>(s.r.resident * s.r.warps) / s.limits.warps, Unit::percent)},
                {"sms", Num{static_cast<double>(s.sms), Unit::one, How::datasheet}},
                {"wave_blocks", n(s.r.wave, Unit::blocks)},
                {"waves", n(s.r.waves)},
                {"last", n(s.r.last, Unit::blocks)},
                {"idle_places", n(s.r.idle)},
                {"last_use", n(static_cast<double>(s.r.last) / static_cast<double>(s.r.wave), Unit::percent)},
                {"wave_use", n(blocks / static_cast<double>(s.r.waves * s.r.wave), Unit::percent)},
                {"busiest", n(s.r.busiest, Unit::blocks)},
                {"index", n(s.at.index)},
                {"warp", n(s.at.warp)},
                {"lane", n(s.at.lane)},
                {"wave", n(s.at.wave + 1)},
                {"sm", n(s.at.sm)}};
    const std::string who = height == 1 ? "Thread {thread} of block {block}, element {index} of the grid, is lane {lane} of warp {warp} on multiprocessor {sm}. "
                                        : "Thread {thread} of block {block}, threadIdx (" + std::to_string(thread % width) + ", " +
                                              std::to_string(thread / width) + "), is lane {lane} of warp {warp} on multiprocessor {sm}. ";
    const std::string fits = s.r.resident == 1 ? "fits" : "fit";
    view.summary = who + "On {device} {resident} " + fits + " into each multiprocessor and {wave_blocks} into a wave: " +
                   (s.r.waves == 1 ? "the grid takes one and fills {last_use} of its places." : "the grid takes {waves} waves, and the last fills {last_use} of its places.");
    view.provenance = {{How::computed, "Exact rules: warps of 32 threads in order, and the warps and blocks that a multiprocessor holds. Registers and shared memory can lower that."},
                       {How::illustrative, "Which multiprocessor gets a block is up to the hardware. Here each wave is dealt out in turn, and its blocks end together."}};
  }
};

}  // namespace

extern const plot::Figure execution_hierarchy = plot::figure<Params>(
    "execution_hierarchy", "One thread, from the grid to its lane", plot::Cost::instant, plot::Place::wide);

}  // namespace lk::figures
