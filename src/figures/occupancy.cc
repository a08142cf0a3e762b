// What a block takes of a multiprocessor, and which of its resources runs out first. All arithmetic is gpu::occupancy; here it is drawn.
#include "gpu/occupancy.h"

#include <algorithm>
#include <array>
#include <initializer_list>
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

constexpr double top = 0.5, bottom = 0.92;  // of a strip within its band; its words stand above
constexpr double block_gap = 0.00125;       // of the strip's length, on both sides of a block
constexpr double beyond = 1.15;             // where the block that does not fit is cut off

/// What a curve moves. Between two steps nothing changes.
struct Curve {
  Resource resource;
  std::string_view field, label;
  Unit unit;
  int gpu::KernelUse::*value;
  int step, most;  // most 0: what a block can have on this device
};
constexpr Curve curves[] = {
    {Resource::warps, "threads", "threads per block", Unit::one, &gpu::KernelUse::threads, gpu::warp_lanes, gpu::most_threads_per_block},
    {Resource::registers, "registers", "registers per thread", Unit::one, &gpu::KernelUse::registers, 8, 256},
    {Resource::shared, "shared", "shared memory per block", Unit::binary_bytes, &gpu::KernelUse::shared, 128, 0}};

struct Params {
  const gpu::Device* device = nullptr;
  int threads = 256, registers = 48, shared = 16 * kib, carve_out = 0;

  void fields(Fields& f, const World&) {
    f.device(device, {"device", "Device", "whose multiprocessor holds the blocks"}, [](const gpu::Device& d) {
      return gpu::sm_limits(d.cc_major, d.cc_minor) ? std::string() : std::string(gpu::why_no_limits(d.cc_major));
    });
    const int most = limits() ? limits()->shared_per_block() : 48 * kib;
    f.integer(threads, {"threads", "Threads per block", "the second number of the launch"}, Unit::one, 1, gpu::most_threads_per_block);
    f.integer(registers, {"registers", "Registers per thread", "as the compiler reports them with -Xptxas -v"}, Unit::one, 1, gpu::most_registers_per_thread);
    shared = std::min(shared, most);
    f.integer(shared, {"shared", "Shared memory per block", "static and dynamic; above 48 KiB the kernel has to opt in"}, Unit::binary_bytes, 0, most, 128);
    f.choice(carve_out, {"carve_out", "Carve-out", "shared memory that the kernel prefers to have set aside from the L1 cache"}, carve_outs);
  }

  std::optional<gpu::SmLimits> limits() const {
    return device == nullptr ? std::nullopt : gpu::sm_limits(device->cc_major, device->cc_minor);
  }
  gpu::KernelUse use() const { return {threads, registers, shared, percents[static_cast<size_t>(carve_out)]}; }

  struct Scene {
    gpu::SmLimits limits;
    gpu::KernelUse use;
    gpu::Occupancy o;
    double part(int warps) const { return static_cast<double>(warps) / limits.warps; }
    double part(const gpu::KernelUse& u) const { return part(gpu::occupancy(u, limits).warps); }
  };

  View evaluate(const World&) const {
    View view;
    // A table without a usable device still gets an answer.
    if (!limits()) {
      view.notices.push_back(view.summary = "Nothing is drawn: no device has a multiprocessor whose limits are known.");
      return view;
    }
    const Scene s{*limits(), use(), gpu::occupancy(use(), *limits())};
    view.panels.push_back(strips(s));
    for (const Curve& c : curves) view.panels.push_back(curve(s, c));
    table(view, s);
    results(view, s);
    return view;
  }

  static Mark& add(Panel& panel, Shape shape, Role role, std::initializer_list<Point> at, int row = -1) {
    Mark& m = panel.marks.emplace_back();
    m.shape = shape;
    m.role = role;
    m.at = at;
    m.row = row;
    return m;
  }

  // A bar for each resource, filled block by block, and the next block where it does not fit.
  Panel strips(const Scene& s) const {
    Panel panel;
    panel.title = "One multiprocessor of " + device->name;
    panel.note = "lets in";
    panel.lines = 25.0 / 3;  // 200 px
    panel.x.hi = beyond;
    panel.x.scale = Scale::hidden;
    panel.y.scale = Scale::band;
    panel.y.labels = false;
    for (const Resource r : all) {
      const auto i = static_cast<double>(r);
      const int row = static_cast<int>(r);
      panel.y.bands.emplace_back();
      const gpu::Share& share = s.o.share(r);
      const bool limit = s.o.limited_by(r);
      const Role role = r >= Resource::registers ? Role::on_chip : Role::compute;
      const double each = static_cast<double>(share.each) / share.of;
      const auto bar = [&](double from, double to, Role color, Fill fill) -> Mark& {
        Mark& m = add(panel, Shape::bar, color, {{from, i + top}, {to, i + bottom}}, row);
        m.fill = fill;
        return m;
      };
      bar(0, 1, Role::faint, Fill::wash);
      for (int block = 0; block < s.o.blocks; ++block) bar(block * each + block_gap, (block + 1) * each - block_gap, role, Fill::solid);
      if (r == Resource::registers && s.o.stranded > 0) bar(1 - static_cast<double>(s.o.stranded) / share.of, 1, role, Fill::hatch);
      if (limit) {
        const double from = s.o.blocks * each;
        Mark& m = bar(from + block_gap, std::min(from + each - block_gap, beyond), Role::accent, Fill::outline);
        m.dashed = m.strong = true;
      }
      add(panel, Shape::line, Role::axis, {{1, i + top}, {1, i + 1}});
      const Unit unit = r == Resource::shared ? Unit::binary_bytes : Unit::one;
      for (const bool right : {false, true}) {
        Mark& m = add(panel, Shape::note, limit ? Role::accent : Role::ink, {{right ? beyond : 0, i + top}}, row);
        m.label = right ? text({static_cast<double>(share.blocks), Unit::blocks})
                        : std::string(gpu::name(r)) + ": " + text({static_cast<double>(share.each) * s.o.blocks, unit}) + " of " + text({static_cast<double>(share.of), unit});
        m.side = Side::above;
        m.strong = limit;
        m.keep = 100;
      }
    }
    panel.keys = {{Role::accent, Fill::outline, "the next block, which does not fit"}, {Role::on_chip, Fill::hatch, "too few in each quarter for another warp"}};
    return panel;
  }

  Panel curve(const Scene& s, const Curve& c) const {
    const int row = static_cast<int>(c.resource);
    Panel panel;
    panel.row = 1;
    panel.lines = 5;
    panel.x.label = c.label;
    panel.x.unit = c.unit;
    const int most = c.most > 0 ? c.most : s.limits.shared_per_block();
    panel.x.hi = most;
    panel.y.label = "occupancy";
    panel.y.unit = Unit::percent;
    panel.y.hi = 1.25;  // room for a label above 100%
    std::vector<Point> at;
    gpu::KernelUse u = s.use;
    // No shared memory at all is a step of its own.
    for (int v = c.resource == Resource::shared ? 0 : c.step; v - c.step < most; v += c.step) {
      u.*c.value = std::min(v, most);
      const double y = s.part(u), from = std::max(0, v - c.step), to = u.*c.value;
      if (at.empty() || at.back().y != y) {
        at.push_back({from, y});
        at.push_back({to, y});
      }
      at.back().x = to;
    }
    add(panel, Shape::line, c.resource == Resource::warps ? Role::compute : Role::on_chip, {}, row).at = std::move(at);
    if (const std::optional<gpu::KernelUse> next = gpu::next_step(s.use, s.limits, c.resource)) {
      Mark& m = add(panel, Shape::dot, Role::ink, {{static_cast<double>((*next).*c.value), s.part(*next)}}, row);
      m.fill = Fill::outline;
      m.label = text({s.part(*next), Unit::percent});
      m.detail = "at " + text(exact(c, *next));
      m.side = Side::above;
      m.keep = 20;
    }
    add(panel, Shape::dot, Role::accent, {{static_cast<double>(s.use.*c.value), s.part(s.o.warps)}}, row).drags = c.field;
    return panel;
  }

  // Bytes in full: rounded they may be more than fits.
  static Num exact(const Curve& c, const gpu::KernelUse& u) { return {static_cast<double>(u.*c.value), c.unit == Unit::binary_bytes ? Unit::bytes : c.unit}; }

  void table(View& view, const Scene& s) const {
    constexpr const char* columns[][2] = {{"resource", "Resource"}, {"each", "A block takes"}, {"taken", "Taken"}, {"of", "Of"}, {"blocks", "Lets in"}};
    for (const auto& [id, label] : columns) {
      Column& column = view.columns.emplace_back();
      column.id = id;
      column.label = label;
      column.text = view.columns.size() == 1;
    }
    for (const Resource r : all) {
      const gpu::Share& share = s.o.share(r);
      view.cells.emplace_back(std::string(gpu::name(r)) + (r == Resource::shared ? ", bytes" : ""));
      for (const int v : {share.each, share.each * s.o.blocks, share.of, share.blocks}) view.cells.emplace_back(static_cast<double>(v));
    }
  }

  void results(View& view, const Scene& s) const {
    const gpu::Occupancy& o = s.o;
    // The first of the limits of which a change alone helps.
    const Curve* moved = nullptr;
    std::optional<gpu::KernelUse> next;
    std::string names;
    for (const Resource r : all) {
      if (!o.limited_by(r)) continue;
      names += (names.empty() ? "" : " and ") + std::string(gpu::name(r));
      if (next) continue;
      next = gpu::next_step(s.use, s.limits, r);
      moved = &curves[r == Resource::shared ? 2 : r == Resource::registers ? 1 : 0];
    }
    const auto blocks = [&](Resource r) { return static_cast<double>(o.share(r).blocks); };
    const struct {
      const char* id;
      double v;
      Unit unit;
    } numbers[] = {{"occupancy", s.part(o.warps), Unit::percent},
                   {"next_occupancy", next ? s.part(*next) : s.part(o.warps), Unit::percent},
                   {"warps", static_cast<double>(o.warps), Unit::warps},
                   {"warp_slots", static_cast<double>(s.limits.warps), Unit::one},
                   {"blocks", static_cast<double>(o.blocks), Unit::blocks},
                   {"by_warps", blocks(Resource::warps), Unit::blocks},
                   {"by_registers", blocks(Resource::registers), Unit::blocks},
                   {"by_shared", blocks(Resource::shared), Unit::blocks},
                   {"most_shared", static_cast<double>(s.limits.shared_per_block()), Unit::binary_bytes}};
    for (const auto& number : numbers) {
      Named& out = view.out.emplace_back();
      out.id = number.id;
      out.num = {number.v, number.unit};
    }
    if (o.warps == s.limits.warps) {
      view.summary = "{blocks} of {threads|thread|threads} fill all {warp_slots} warp slots of a multiprocessor of {device}: an occupancy of {occupancy}.";
    } else if (o.blocks == 0) {
      view.summary = "A block of {threads|thread|threads} with {registers} registers each cannot be launched on {device}.";
    } else {
      names[0] = static_cast<char>(names[0] - 'a' + 'A');
      view.summary = names + (names == "Shared memory" ? " lets" : " let") + " {blocks} into a multiprocessor of {device}: {warps} of {warp_slots}, an occupancy of {occupancy}.";
    }
    if (next) {
      Named& out = view.out.emplace_back();
      out.id = "next";
      out.num = exact(*moved, *next);
      view.summary += " The next step is {next_occupancy}, with ";
      if (moved->resource != Resource::warps) view.summary += "at most ";
      view.summary += "{next} ";
      if (moved->resource == Resource::shared) view.summary += "of ";
      view.summary.append(moved->label).append(".");
    } else if (o.warps < s.limits.warps) {
      view.summary += " No change of one number alone raises it.";
    }
    view.provenance = {{How::computed, "Exact rules, those of NVIDIA’s cuda_occupancy.h."}};
    if (s.limits.reserved > 0) view.provenance[0].detail += " The system takes 1 KiB of shared memory for each block.";
  }
};

}  // namespace

extern const plot::Figure occupancy = plot::figure<Params>("occupancy", "What limits the warps of a multiprocessor", plot::Cost::instant, plot::Place::wide);

}  // namespace lk::figures
