// What a block takes of a multiprocessor, and which of its resources runs out first. All arithmetic is gpu::occupancy; here it is drawn.
#include "gpu/occupancy.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "figures/registry.h"

namespace lk::figures {
namespace {

using namespace plot;
using gpu::Resource;

constexpr std::array all{Resource::warps, Resource::blocks, Resource::registers, Resource::shared};
constexpr std::array<int, 3> percents{100, 50, 0};
const std::array<Choice, 3> carve_outs{{{"largest", "Largest"}, {"half", "Half"}, {"smallest", "Smallest"}}};
constexpr int kib = 1024;

constexpr double top = 0.5, bottom = 0.92;// of a strip within its band; its words stand above
constexpr double block_gap = 0.0016;         // of the strip's length, on both sides of a block
constexpr double warp_gap = 0.0008;          // and of a warp
constexpr double beyond = 1.1;               // where the block that does not fit is cut off

/// One of the three curves: what it moves, over which values.
struct Curve {
  Resource resource;
  std::string_view field, label;
  Unit unit;
  int gpu::KernelUse::*value;
  int step, most;
};

struct Params {
  const gpu::Device* device = nullptr;
  int threads = 256, registers = 48, shared = 16 * kib, carve_out = 0;

  void fields(Fields& f, const World&) {
    f.device(device, {"device", "Device", "whose multiprocessor holds the blocks"}, [](const gpu::Device& d) {
      return gpu::sm_limits(d.cc_major, d.cc_minor) ? std::string() : "the limits of its multiprocessors are not known";
    });
    const int most = limits() ? limits()->shared_per_block() : 48 * kib;
    f.integer(threads, {"threads", "Threads per block", "the second number of the launch"}, Unit::threads, 1, gpu::most_threads_per_block);
    f.integer(registers, {"registers", "Registers per thread", "as the compiler reports them with -Xptxas -v"}, Unit::one, 1, gpu::most_registers_per_thread);
    shared = std::min(shared, most);
    f.integer(shared, {"shared", "Shared memory per block", "static and dynamic; above 48 KiB the kernel has to opt in"}, Unit::binary_bytes, 0, most, 128);
    f.choice(carve_out, {"carve_out", "Carve-out", "how much of the L1 cache the kernel prefers to have set aside as shared memory"}, carve_outs);
  }

  std::optional<gpu::SmLimits> limits() const {
    return device == nullptr ? std::nullopt : gpu::sm_limits(device->cc_major, device->cc_minor);
  }
  gpu::KernelUse use() const { return {threads, registers, shared, percents[static_cast<size_t>(carve_out)]}; }

  struct Scene {
    gpu::SmLimits limits;
    gpu::KernelUse use;
    gpu::Occupancy o;
    std::array<Curve, 3> curves;
    const Curve& curve_of(Resource r) const { return curves[r == Resource::shared ? 2 : r == Resource::registers ? 1 : 0]; }
    double part(int warps) const { return static_cast<double>(warps) / limits.warps; }
    double part(const gpu::KernelUse& u) const { return part(gpu::occupancy(u, limits).warps); }
  };

  View evaluate(const World&) const {
    View view;
    // A table without a usable device still gets an answer.
    if (!limits()) {
      view.summary = "No device of the table has a multiprocessor whose limits are known.";
      view.notices.push_back("Nothing is drawn without the limits of a multiprocessor.");
      return view;
    }
    const gpu::SmLimits l = *limits();
    const Scene s{l, use(), gpu::occupancy(use(), l),
                  {{{Resource::warps, "threads", "threads per block", Unit::one, &gpu::KernelUse::threads, gpu::warp_lanes, gpu::most_threads_per_block},
                    {Resource::registers, "registers", "registers per thread", Unit::one, &gpu::KernelUse::registers, 8, 256},
                    {Resource::shared, "shared", "shared memory per block", Unit::binary_bytes, &gpu::KernelUse::shared, l.shared_unit, l.shared_per_block()}}}};
    view.panels.push_back(strips(s));
    for (const Curve& c : s.curves) view.panels.push_back(curve(s, c));
    table(view, s);
    results(view, s);
    return view;
  }

  // A bar for each resource, filled block by block, and the next block where it does not fit.
  Panel strips(const Scene& s) const {
    Panel panel;
    panel.title = "One multiprocessor of " + device->name;
    panel.note = "lets in";
    panel.lines = 8.5;
    panel.x = {.lo = 0, .hi = beyond, .scale = Scale::hidden};
    panel.y.scale = Scale::band;
    panel.y.labels = false;
    for (const Resource r : all) {
      const auto i = static_cast<double>(r);
      const int row = static_cast<int>(r);
      panel.y.bands.emplace_back(gpu::name(r));
      const gpu::Share& share = s.o.share(r);
      const bool limit = s.o.limited_by(r);
      const Role role = r == Resource::registers || r == Resource::shared ? Role::on_chip : Role::compute;
      const double each = static_cast<double>(share.each) / share.of;
      const auto bar = [&](double from, double to, Role color, Fill fill) -> Mark& {
        panel.marks.push_back({.shape = Shape::bar, .role = color, .fill = fill, .at = {{from, i + top}, {to, i + bottom}}, .row = row});
        return panel.marks.back();
      };
      bar(0, 1, Role::faint, Fill::wash);
      for (int b = 0; b < s.o.blocks; ++b) {
        const double from = b * each + block_gap, width = each - 2 * block_gap;
        const int parts = r == Resource::warps ? s.o.block_warps : 1;
        for (int w = 0; w < parts; ++w) bar(from + width * w / parts + (w > 0 ? warp_gap : 0), from + width * (w + 1) / parts - (w + 1 < parts ? warp_gap : 0), role, Fill::solid);
      }
      if (r == Resource::registers && s.o.stranded > 0) bar(1 - static_cast<double>(s.o.stranded) / share.of, 1, role, Fill::hatch);
      if (limit) {
        const double from = s.o.blocks * each;
        Mark& m = bar(from + block_gap, std::min(from + each - block_gap, beyond), Role::accent, Fill::outline);
        m.dashed = m.strong = true;
      }
      const auto note = [&](double x, std::string label) {
        panel.marks.push_back({.shape = Shape::note, .role = limit ? Role::accent : Role::ink, .at = {{x, i + top}}, .row = row, .label = std::move(label),
                               .side = Side::above, .strong = limit, .keep = 100});
      };
      panel.marks.push_back({.shape = Shape::line, .role = Role::axis, .at = {{1, i + top}, {1, i + 1}}});
      const Unit unit = r == Resource::shared ? Unit::binary_bytes : Unit::one;
      const Num taken{static_cast<double>(share.each) * s.o.blocks, unit}, of{static_cast<double>(share.of), unit};
      note(0, std::string(gpu::name(r)) + ": " + text(taken) + " of " + text(of));
      note(beyond, text({static_cast<double>(share.blocks), Unit::blocks}));
    }
    panel.keys = {{Role::accent, Fill::outline, "the next block, which does not fit"}, {Role::on_chip, Fill::hatch, "too few in each quarter for another warp"}};
    return panel;
  }

  Panel curve(const Scene& s, const Curve& c) const {
    Panel panel;
    panel.row = 1;
    panel.lines = 5;
    panel.x = {.label = std::string(c.label), .unit = c.unit, .lo = 0, .hi = static_cast<double>(c.most)};
    panel.y = {.label = "occupancy", .unit = Unit::percent, .lo = 0, .hi = 1.15};
    const int row = static_cast<int>(c.resource);
    const Role role = c.resource == Resource::warps ? Role::compute : Role::on_chip;
    std::vector<Point> at;
    gpu::KernelUse u = s.use;
    // From step to step nothing changes; no shared memory at all is a step of its own.
    for (int v = c.resource == Resource::shared ? 0 : c.step; v - c.step < c.most; v += c.step) {
      u.*c.value = std::min(v, c.most);
      const double y = s.part(u), from = std::max(0, v - c.step), to = u.*c.value;
      if (!at.empty() && at.back().y == y) {
        at.back().x = to;
      } else {
        at.push_back({from, y});
        at.push_back({to, y});
      }
    }
    std::vector<Point> below = at;
    below.push_back({at.back().x, 0});
    below.push_back({0, 0});
    panel.marks.push_back({.shape = Shape::area, .role = role, .fill = Fill::wash, .at = std::move(below), .row = row});
    panel.marks.push_back({.shape = Shape::line, .role = role, .at = std::move(at), .row = row});
    if (const std::optional<gpu::KernelUse> next = gpu::next_step(s.use, s.limits, c.resource))
      panel.marks.push_back({.shape = Shape::dot, .role = Role::ink, .fill = Fill::outline, .at = {{static_cast<double>((*next).*c.value), s.part(*next)}}, .row = row,
                             .label = text({s.part(*next), Unit::percent}), .detail = "at " + text(exact(c, *next)), .side = Side::above, .keep = 20});
    panel.marks.push_back({.shape = Shape::dot, .role = Role::accent, .at = {{static_cast<double>(s.use.*c.value), s.part(s.o.warps)}}, .row = row, .drags = std::string(c.field)});
    return panel;
  }

  // Bytes in full: rounded they may be more than fits.
  static Num exact(const Curve& c, const gpu::KernelUse& u) { return {static_cast<double>(u.*c.value), c.unit == Unit::binary_bytes ? Unit::bytes : c.unit}; }

  void table(View& view, const Scene& s) const {
    view.columns = {{"resource", "Resource", Unit::one, How::computed, true},
                    {"each", "A block takes", Unit::one, How::computed},
                    {"taken", "All resident blocks take", Unit::one, How::computed},
                    {"of", "Of", Unit::one, How::computed},
                    {"blocks", "Lets in", Unit::blocks, How::computed},
                    {"next", "Next step", Unit::one, How::computed, true}};
    for (const Resource r : all) {
      const gpu::Share& share = s.o.share(r);
      view.cells.emplace_back(std::string(gpu::name(r)) + (r == Resource::shared ? ", bytes" : ""));
      view.cells.emplace_back(static_cast<double>(share.each));
      view.cells.emplace_back(static_cast<double>(share.each) * s.o.blocks);
      view.cells.emplace_back(static_cast<double>(share.of));
      view.cells.emplace_back(static_cast<double>(share.blocks));
      const Curve& c = s.curve_of(r);
      const std::optional<gpu::KernelUse> next = r == Resource::blocks ? std::nullopt : gpu::next_step(s.use, s.limits, r);
      view.cells.push_back(next ? Cell(text({s.part(*next), Unit::percent}) + " at " + text(exact(c, *next)) + (r == Resource::shared ? " per block" : " " + std::string(c.label))) : Cell());
    }
  }

  void results(View& view, const Scene& s) const {
    const auto n = [](double v, Unit unit = Unit::one) { return Num{v, unit}; };
    const gpu::Occupancy& o = s.o;
    view.out = {{"occupancy", n(s.part(o.warps), Unit::percent)},
                {"warps", n(o.warps, Unit::warps)},
                {"blocks", n(o.blocks, Unit::blocks)},
                {"warp_slots", n(s.limits.warps)},
                {"block_slots", n(s.limits.blocks)},
                {"resident_threads", n(o.blocks * static_cast<double>(threads), Unit::threads)},
                {"by_warps", n(o.share(Resource::warps).blocks, Unit::blocks)},
                {"by_registers", n(o.share(Resource::registers).blocks, Unit::blocks)},
                {"by_shared", n(o.share(Resource::shared).blocks, Unit::blocks)},
                {"block_registers", n(o.share(Resource::registers).each)},
                {"block_shared", n(o.share(Resource::shared).each, Unit::binary_bytes)},
                {"shared_memory", n(o.share(Resource::shared).of, Unit::binary_bytes)},
                {"most_shared", n(s.limits.shared_per_block(), Unit::binary_bytes)}};
    // The first of the limits of which a change alone helps.
    const Curve* moved = nullptr;
    std::optional<gpu::KernelUse> next;
    std::string names;
    for (const Resource r : all) {
      if (!o.limited_by(r)) continue;
      names += (names.empty() ? "" : " and ") + std::string(gpu::name(r));
      if (next) continue;
      next = gpu::next_step(s.use, s.limits, r);
      moved = &s.curve_of(r);
    }
    view.out.push_back({"next_occupancy", n(next ? s.part(*next) : s.part(o.warps), Unit::percent)});
    const std::string which = names.find(" and ") != std::string::npos || names.back() == 's' ? " let " : " lets ";
    if (o.warps == s.limits.warps) {
      view.summary = "On {device}, {blocks} of {threads} fill all {warp_slots} warp slots of a multiprocessor: an occupancy of {occupancy}.";
    } else if (o.blocks == 0) {
      view.summary = "A block of {threads} with {registers} registers each does not fit into a multiprocessor of {device}: it cannot be launched.";
    } else {
      names[0] = static_cast<char>(names[0] - 'a' + 'A');
      view.summary = names + which + "{blocks} into a multiprocessor of {device}: {warps} of {warp_slots}, an occupancy of {occupancy}.";
    }
    if (next) {
      view.out.push_back({"next", exact(*moved, *next)});
      view.summary += " The next step is {next_occupancy}, with " + std::string(moved->resource == Resource::warps ? "" : "at most ") +
                      (moved->resource == Resource::shared ? "{next} of " : "{next} ") + std::string(moved->label) + ".";
    } else if (o.warps < s.limits.warps) {
      view.summary += " No change of one number alone raises it.";
    }
    view.provenance = {{How::computed, "NVIDIA’s rules for occupancy: registers in units of 256 for each warp, shared memory in units of " + std::to_string(s.limits.shared_unit) + " B" +
                                           (s.limits.reserved > 0 ? " with 1 KiB reserved for each block." : ".")}};
  }
};

}  // namespace

extern const plot::Figure occupancy = plot::figure<Params>("occupancy", "What limits the warps of a multiprocessor", plot::Cost::instant, plot::Place::wide);

}  // namespace lk::figures
