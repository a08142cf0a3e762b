// The roofline model of a device (Williams, Waterman, Patterson, CACM 52(4), 2009): two roofs from its datasheet, the reader's
// intensity, and kernels timed on that very device.
#include "gpu/roofline.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/few.h"
#include "figures/registry.h"

namespace lk::figures {
namespace {

using namespace plot;
using gpu::Type;

constexpr std::array offered{Type::fp64, Type::fp32, Type::tf32, Type::bf16, Type::fp16, Type::fp8, Type::fp4};
constexpr int standard_type = 3;  // bf16

constexpr double least_intensity = 0.05, most_intensity = 10000;
// The same axes for nearly every device and type, so that roofs move and not the paper below them. Small devices begin lower,
// and a peak that would touch the top gets room above it.
double least_rate(double bandwidth) {
  const double start = least_intensity * bandwidth;
  return start >= 5e10 ? 5e10 : start >= 1e10 ? 1e10 : 2e9;
}
double most_rate(double peak) { return peak <= 1.1e16 ? 1.2e16 : 2.4e16; }

/// A kernel of the measurements as a point: its work and the bytes it cannot avoid, counted from its sizes.
struct Point {
  std::string kernel, label;
  double flop = 0, bytes = 0, seconds = 0;
  int keep = 0;
  double intensity() const { return flop / bytes; }
  double rate() const { return flop / seconds; }
};

struct Wanted {
  Type type;
  std::string_view kernel, params, name, label;  // name: in the table; label: in the drawing
  int keep;
};

constexpr Wanted wanted[] = {
    {Type::fp32, "vec_add", "n=268435456", "vector add, 2²⁸ elements", "vector add", 30},
    {Type::fp32, "sgemm_coalesced", "n=2048", "matrix multiply, coalesced, 2,048", "coalesced matmul", 10},
    {Type::fp32, "sgemm_2d_128", "n=2048", "matrix multiply, 128 × 128 tiles, 2,048", "tiled matmul", 20},
    {Type::fp32, "gemm_fp32", "m=4096;n=4096;k=4096", "library matrix multiply, 4,096", "library matmul", 15},
    {Type::tf32, "gemm_tf32", "m=1024;n=1024;k=1024", "matrix multiply, 1,024", "matmul, n = 1,024", 20},
    {Type::tf32, "gemm_tf32", "m=4096;n=4096;k=4096", "matrix multiply, 4,096", "n = 4,096", 30},
    {Type::bf16, "gemm_bf16", "m=1;n=8192;k=28672", "matrix multiply, 1 row", "matmul, 1 row", 24},
    {Type::bf16, "attention_decode", "batch=32;heads=32;kv_heads=8;seq=2048;dim=128", "decode attention, batch 32", "decode attention", 26},
    {Type::bf16, "gemm_bf16", "m=32;n=8192;k=28672", "matrix multiply, 32 rows", "32 rows", 22},
    {Type::bf16, "gemm_bf16", "m=128;n=4096;k=14336", "matrix multiply, 128 rows", "128 rows", 20},
    {Type::bf16, "gemm_bf16", "m=1024;n=8192;k=8192", "matrix multiply, 1,024 rows", "1,024 rows", 21},
    {Type::bf16, "gemm_bf16", "m=8192;n=8192;k=8192", "matrix multiply, 8,192 rows", "8,192 rows", 28},
    {Type::fp8, "gemm_fp8", "m=16;n=4096;k=4096", "matrix multiply, 16 rows", "matmul, 16 rows", 20},
    {Type::fp8, "gemm_fp8", "m=64;n=8192;k=8192", "matrix multiply, 64 rows", "64 rows", 24},
    {Type::fp8, "gemm_fp8", "m=256;n=4096;k=4096", "matrix multiply, 256 rows", "256 rows", 18},
    {Type::fp8, "gemm_fp8", "m=6144;n=6144;k=6144", "matrix multiply, 6,144 rows", "6,144 rows", 28},
};

/// FLOP and compulsory bytes: every operand once, every result once.
///   vec_add           n additions; two arrays read, one written, 4 B elements
///   gemm, sgemm       2mnk; m x k, k x n and m x n elements; the FP8 library call writes BF16
///   attention_decode  4 FLOP for each head, cached position and component (scores, then the weighted sum); K and V of the
///                     key heads once, one query and one output vector a head, 2 B elements
std::optional<Point> count(const Wanted& w, const gpu::MeasuredRow& row) {
  const auto p = [&](std::string_view name) { return row.param(name).value_or(0); };
  Point out{std::string(w.name), std::string(w.label), 0, 0, row.seconds, w.keep};
  if (w.kernel == "vec_add") {
    out.flop = p("n");
    out.bytes = 3 * 4 * p("n");
  } else if (w.kernel == "attention_decode") {
    out.flop = 4 * p("batch") * p("heads") * p("seq") * p("dim");
    out.bytes = 2 * (2 * p("batch") * p("kv_heads") * p("seq") * p("dim") + 2 * p("batch") * p("heads") * p("dim"));
  } else {
    const double n = p("n"), m = row.param("m").value_or(n), k = row.param("k").value_or(n);
    const double in = w.type == Type::fp8 ? 1 : w.type == Type::bf16 ? 2 : 4, result = w.type == Type::fp8 ? 2 : in;
    out.flop = 2 * m * n * k;
    out.bytes = in * (m * k + k * n) + result * m * n;
  }
  if (!(out.flop > 0) || !(out.bytes > 0) || !(out.seconds > 0)) return std::nullopt;
  return out;
}

std::vector<Point> measured_points(const gpu::MeasuredSet* set, Type type) {
  std::vector<Point> out;
  if (set == nullptr) return out;
  for (const Wanted& w : wanted) {
    if (w.type != type) continue;
    const gpu::MeasuredRow* row = set->find(w.kernel, w.params);
    if (row == nullptr) continue;
    if (const std::optional<Point> point = count(w, *row)) out.push_back(*point);
  }
  sort_few(out, [](const Point& a, const Point& b) { return a.intensity() < b.intensity(); });
  return out;
}

struct Params {
  static constexpr std::string_view kernels[] = {"vec_add", "sgemm_coalesced", "sgemm_2d_128", "gemm_fp32", "gemm_tf32", "gemm_bf16", "gemm_fp8", "attention_decode"};

  const gpu::Device* device = nullptr;
  std::vector<Type> types;
  int type = 0;
  double intensity = 12;
  bool points = true;

  void fields(Fields& f, const World& world) {
    f.device(device, {"device", "Device", "whose datasheet gives the roofs"}, [](const gpu::Device& d) {
      const bool any = std::any_of(offered.begin(), offered.end(), [&](Type t) { return d.peak(t).has_value(); });
      if (!any) return std::string("none of its peak rates is known");
      return d.bandwidth.missing();
    });
    std::vector<Choice> choices;
    for (const Type t : offered) {
      const bool somewhere = std::any_of(world.devices.all.begin(), world.devices.all.end(), [&](const gpu::Device& d) { return d.peak(t).has_value(); });
      if (!somewhere) continue;
      if (t == offered[standard_type]) type = static_cast<int>(types.size());
      types.push_back(t);
      Choice c{gpu::id(t), gpu::label(t)};
      if (device != nullptr && !device->peak(t)) c.why_not = device->name + " has no " + std::string(gpu::label(t)) + " arithmetic";
      choices.push_back(std::move(c));
    }
    f.choice(type, {"dtype", "Data type", "of the arithmetic; dense rates"}, choices);
    f.number(intensity, {"intensity", "Arithmetic intensity", "floating-point operations for each byte of memory traffic"}, Unit::flop_per_byte,
             least_intensity, most_intensity, 0.01, Steps::log);
    f.toggle(points, {"points", "Measured points", "kernels timed on this device in this data type"});
  }

  View evaluate(const World& world) const {
    View view;
    if (device == nullptr || types.empty()) {
      view.notices.push_back("No device has a peak rate and a bandwidth.");
      return view;
    }
    const Type dtype = types[static_cast<size_t>(type)];
    const double peak = device->peak(dtype).value_or(0), bandwidth = device->bandwidth.v;
    const double ridge = gpu::ridge(peak, bandwidth), reached = gpu::attainable(intensity, peak, bandwidth);
    const std::vector<Point> measured = measured_points(world.measured_on(device->id), dtype);
    const std::string type_name(gpu::label(dtype));

    Panel panel;
    const double floor = least_rate(bandwidth);
    panel.x = {.label = "arithmetic intensity", .unit = Unit::flop_per_byte, .lo = least_intensity, .hi = most_intensity, .scale = Scale::log};
    panel.y = {.unit = Unit::flop_per_s, .lo = floor, .hi = most_rate(peak), .scale = Scale::log};
    panel.lines = 15;
    panel.narrow_lines = 11;
    auto& marks = panel.marks;
    marks.push_back({.shape = Shape::area, .role = Role::memory, .fill = Fill::wash,
                     .at = {{least_intensity, floor}, {least_intensity, least_intensity * bandwidth}, {ridge, peak}, {ridge, floor}}});
    marks.push_back({.shape = Shape::area, .role = Role::compute, .fill = Fill::wash,
                     .at = {{ridge, floor}, {ridge, peak}, {most_intensity, peak}, {most_intensity, floor}}});
    marks.push_back({.shape = Shape::line, .role = Role::axis, .at = {{ridge, peak}, {ridge, floor}}, .dashed = true});
    marks.push_back({.shape = Shape::line, .role = Role::memory, .at = {{least_intensity, least_intensity * bandwidth}, {ridge, peak}}, .row = 0,
                     .label = text({bandwidth, Unit::bytes_per_s}) + " memory", .side = Side::along, .strong = true, .keep = 90});
    marks.push_back({.shape = Shape::line, .role = Role::compute, .at = {{ridge, peak}, {most_intensity, peak}}, .row = 0,
                     .label = text({peak, Unit::flop_per_s}) + " " + type_name, .side = Side::above, .strong = true, .keep = 95});
    marks.push_back({.shape = Shape::note, .role = Role::muted, .at = {{ridge, peak}}, .row = 0, .label = "ridge " + digits(ridge), .side = Side::left, .keep = 80});
    const double low = floor * 1.6;
    marks.push_back({.shape = Shape::note, .role = Role::muted, .at = {{ridge, low}}, .label = "memory-bound", .side = Side::left, .keep = 12});
    marks.push_back({.shape = Shape::note, .role = Role::muted, .at = {{ridge, low}}, .label = "compute-bound", .side = Side::right, .keep = 12});

    view.columns = {{"kernel", "Kernel", Unit::one, How::computed, true},
                    {"intensity", "Intensity", Unit::flop_per_byte, How::computed},
                    {"measured", "Measured", Unit::flop_per_s, How::measured},
                    {"roof", "Roof", Unit::flop_per_s, How::datasheet},
                    {"share", "Share of roof", Unit::percent, How::measured}};
    const auto row = [&](Cell kernel, double at, Cell rate, Cell share) {
      view.cells.push_back(std::move(kernel));
      view.cells.emplace_back(at);
      view.cells.push_back(std::move(rate));
      view.cells.emplace_back(gpu::attainable(at, peak, bandwidth));
      view.cells.push_back(std::move(share));
      return static_cast<int>(view.rows()) - 1;
    };
    row("where the roofs meet", ridge, {}, {});
    row("your intensity", intensity, {}, {});
    if (points) {
      for (const Point& p : measured) {
        const double roof = gpu::attainable(p.intensity(), peak, bandwidth), share = p.rate() / roof;
        const int r = row(p.kernel, p.intensity(), p.rate(), share);
        marks.push_back({.shape = Shape::dot, .role = Role::ink, .at = {{p.intensity(), p.rate()}, {p.intensity(), roof}}, .row = r,
                         .label = p.label, .detail = digits(share * 100, 2) + "%",
                         .side = p.intensity() < 0.9 * ridge ? Side::right : Side::below, .keep = p.keep});
      }
      if (measured.empty()) view.notices.push_back(nothing_measured(world, type_name));
    }
    marks.push_back({.shape = Shape::dot, .role = Role::accent, .at = {{intensity, reached}}, .label = text({reached, Unit::flop_per_s}),
                     .side = Side::left, .strong = true, .keep = 100, .drags = "intensity"});
    view.panels.push_back(std::move(panel));

    view.out = {{"ridge", {ridge, Unit::flop_per_byte, How::datasheet}},
                {"attainable", {reached, Unit::flop_per_s, How::datasheet}},
                {"peak", {peak, Unit::flop_per_s, How::datasheet}},
                {"bandwidth", {bandwidth, Unit::bytes_per_s, How::datasheet}},
                {"share", {reached / peak, Unit::percent, How::datasheet}},
                {"sms", {static_cast<double>(device->sms), Unit::one, How::datasheet}}};
    view.summary = intensity < ridge ? "At {intensity} on {device}, memory is the limit: at most {attainable}, {share} of the {dtype} peak."
                                     : "At {intensity} on {device}, arithmetic is the limit: at most {attainable}, the whole {dtype} peak.";
    view.provenance = {{How::datasheet, "Roofs: the vendor's numbers, dense rates."}};
    if (points && !measured.empty())
      view.provenance.push_back({How::measured, "Points: medians of 7 to 15 launches on one " + device->name + ", caches flushed before each."});
    return view;
  }

  std::string nothing_measured(const World& world, const std::string& type_name) const {
    if (world.measured_on(device->id) != nullptr) return "No points: no " + type_name + " kernel has been timed on " + device->name + ".";
    std::string where;
    for (const gpu::MeasuredSet& set : world.measured) {
      const gpu::Device* d = world.devices.find(set.device);
      if (d != nullptr) where += (where.empty() ? "" : ", ") + d->name;
    }
    if (where.empty()) return "No points: no device has measurements.";
    return "No points: kernels have been timed on " + where + ", not on " + device->name + ".";
  }
};

}  // namespace

extern const plot::Figure roofline =
    plot::figure<Params>("roofline", "Where a kernel lands on the roofline", plot::Cost::instant, plot::Place::beside);

}  // namespace lk::figures
