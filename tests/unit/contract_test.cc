// What every figure owes: each parameter changes the view or says why not; numbers are finite, marks stay inside, labels do
// not collide, and the height depends on the composition alone.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>
#include <set>

#include "base/random.h"
#include "figures/registry.h"
#include "plot/frame.h"
#include "render/svg.h"
#include "support/frame_faults.h"
#include "support/label_faults.h"
#include "support/real_world.h"
#include "support/view_text.h"
#include "support/xml.h"

using namespace lk;
using namespace lk::plot;
using namespace lk::test;

namespace {

constexpr double widths[] = {280, 350, 632, 920};

Evaluated with(const Figure& figure, const Values& values, std::string_view device = {}) {
  Result<Evaluated> e = evaluate(figure, real_world(), values, device, Binder::Mode::lenient);
  if (!e) FAIL(figure.id << "?" << write_query(values) << ": " << text(e.error()));
  return *e;
}

/// Values worth trying: both ends, the default, some between; every choice that is not disabled.
std::vector<std::string> values_of(const FieldSpec& spec) {
  std::vector<std::string> out;
  switch (spec.kind) {
    case FieldKind::toggle: return {"on", "off"};
    case FieldKind::text: return {"", "a", "some words, longer than most"};
    case FieldKind::choice:
    case FieldKind::device:
      for (const FieldSpec::Option& option : spec.options)
        if (option.why_not.empty()) out.push_back(option.id);
      return out;
    case FieldKind::integer:
    case FieldKind::number: break;
  }
  out.push_back(spec.fallback);
  const double step = spec.step > 0 ? spec.step : 1;
  if (spec.kind == FieldKind::integer && (spec.hi - spec.lo) / step <= 64) {
    for (double v = spec.lo; v <= spec.hi; v += step) out.push_back(plain(v));
    return out;
  }
  for (int i = 0; i <= 12; ++i) {
    const double t = i / 12.0;
    double v = spec.steps == Steps::log ? spec.lo * std::pow(spec.hi / spec.lo, t) : spec.lo + t * (spec.hi - spec.lo);
    if (i > 0 && i < 12) v = std::clamp(std::round(v / step) * step, spec.lo, spec.hi);
    out.push_back(plain(v));
  }
  return out;
}

void check_frames(const Evaluated& e, std::map<bool, double>& heights) {
  for (const double w : widths) {
    INFO("width " << w);
    const Frame frame = layout(e.view, w);
    CHECK(joined(faults(frame)) == "");
    CHECK(joined(label_faults(e.view, frame)) == "");
    const auto [it, first] = heights.emplace(frame.wide, frame.height);
    CHECK(it->second == frame.height);
    std::vector<Element> elements;
    CHECK(read_xml(render::svg(e.view, frame, summary_text(e), "f", ""), elements) == "");
  }
}

void check_view(const Evaluated& e) {
  CHECK(!summary_text(e).empty());
  CHECK(summary_text(e).find_first_of("{}") == std::string::npos);
  CHECK(!e.view.provenance.empty());
  CHECK(e.view.rows() > 0);
  for (const Named& n : e.view.out) CHECK(std::isfinite(n.num.v));
  for (const Panel& p : e.view.panels) {
    // A unit or a name on every axis that prints numbers.
    for (const Axis* a : {&p.x, &p.y})
      if (a->scale == Scale::linear || a->scale == Scale::log) CHECK((!a->label.empty() || a->unit != Unit::one));
    for (const Mark& m : p.marks) {
      const bool of_the_reader = !m.drags.empty() || m.role == Role::accent;
      if (!m.drags.empty()) CHECK(of_the_reader);
      CHECK(m.row < static_cast<int>(e.view.rows()));
    }
  }
}

}  // namespace

TEST_CASE("the list of figures has no duplicates and every figure has a title") {
  std::set<std::string_view> ids;
  CHECK(figures::all().size() >= 2);
  for (const Figure* figure : figures::all()) {
    CHECK(ids.insert(figure->id).second);
    CHECK(!figure->title.empty());
    CHECK(figures::find(figure->id) == figure);
  }
  CHECK(figures::find("nothing") == nullptr);
}

TEST_CASE("every parameter of every figure, over its range") {
  for (const Figure* figure : figures::all()) {
    std::map<bool, double> heights;
    for (const gpu::Device& device : real_world().devices.all) {
      const Evaluated base = with(*figure, {}, device.id);
      const std::string before = view_text(base.view, 12);
      for (const FieldSpec& spec : base.specs) {
        INFO(figure->id << " on " << device.id << ", field " << spec.id);
        CHECK(!spec.label.empty());
        const std::vector<std::string> tried = values_of(spec);
        CHECK((tried.size() >= 2 || spec.options.size() >= 2));
        for (const FieldSpec::Option& option : spec.options)
          if (!option.why_not.empty()) CHECK(option.why_not.size() > 10);  // a reason, in words
        for (const std::string& value : tried) {
          INFO("value " << value);
          const Evaluated e = with(*figure, {{spec.id, value}}, device.id);
          check_view(e);
          check_frames(e, heights);
          if (value == spec.value || value == spec.fallback) continue;
          const bool changed = view_text(e.view, 12) != before;
          const bool explained = e.notices != base.notices || !e.notices.empty();
          CHECK((changed || explained));
        }
      }
    }
  }
}

TEST_CASE("any mixture of parameters is drawn without a fault") {
  Random random(7);
  for (const Figure* figure : figures::all()) {
    std::map<bool, double> heights;
    for (int i = 0; i < 150; ++i) {
      const std::string device = real_world().devices.all[random.below(static_cast<uint32_t>(real_world().devices.all.size()))].id;
      Values values;
      for (const FieldSpec& spec : with(*figure, {}, device).specs) {
        const std::vector<std::string> all = values_of(spec);
        if (!all.empty()) values.emplace_back(spec.id, all[random.below(static_cast<uint32_t>(all.size()))]);
      }
      INFO(figure->id << "?" << write_query(values) << " on " << device);
      const Evaluated e = with(*figure, values);
      check_view(e);
      check_frames(e, heights);
    }
  }
}

TEST_CASE("every label names its own dot, apart from its neighbors and with its detail, wherever the reader's dot stands") {
  const Figure& roofline = *figures::find("roofline");
  for (const char* dtype : {"bf16", "fp32", "tf32", "fp8"})
    for (int i = 0; i <= 240; ++i) {
      const std::string intensity = plain(std::round(0.05 * std::pow(2e5, i / 240.0) * 100) / 100);
      const Evaluated e = with(roofline, {{"dtype", dtype}, {"intensity", intensity}}, "h200");
      for (const double w : widths) {
        INFO(dtype << " at " << intensity << ", width " << w);
        CHECK(joined(label_faults(e.view, layout(e.view, w))) == "");
      }
    }
}

TEST_CASE("the same values give the same view") {
  for (const Figure* figure : figures::all()) CHECK(view_text(with(*figure, {}), 17) == view_text(with(*figure, {}), 17));
}
