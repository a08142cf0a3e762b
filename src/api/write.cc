#include "api/write.h"

#include <cmath>

namespace lk::api {
namespace {

using plot::FieldKind;
using plot::FieldSpec;

std::string_view kind_name(FieldKind kind) {
  switch (kind) {
    case FieldKind::number: return "number";
    case FieldKind::integer: return "integer";
    case FieldKind::choice: return "choice";
    case FieldKind::toggle: return "toggle";
    case FieldKind::text: return "text";
    case FieldKind::device: return "device";
  }
  return "text";
}

std::string_view name_of(plot::Scale scale) {
  switch (scale) {
    case plot::Scale::linear: return "linear";
    case plot::Scale::log: return "log";
    case plot::Scale::band: return "band";
    case plot::Scale::hidden: return "hidden";
  }
  return "linear";
}

std::string_view name_of(plot::Shape shape) {
  constexpr std::string_view names[] = {"bar", "line", "area", "dot", "arrow", "note", "cell", "code", "link"};
  return names[static_cast<size_t>(shape)];
}

std::string_view name_of(plot::Role role) {
  constexpr std::string_view names[] = {"ink",    "muted",   "faint", "grid",  "axis", "memory", "compute", "network",
                                        "on_chip", "host", "other", "good", "warn", "bad",    "accent"};
  return names[static_cast<size_t>(role)];
}

std::string_view name_of(plot::Fill fill) {
  constexpr std::string_view names[] = {"solid", "pale", "outline", "hatch", "wash"};
  return names[static_cast<size_t>(fill)];
}

void write_axis(json::Writer& w, const plot::Axis& axis) {
  w.begin_object().field("label", axis.label).field("unit", unit_name(axis.unit)).field("scale", name_of(axis.scale));
  if (axis.scale == plot::Scale::band) {
    w.key("bands").begin_array();
    for (const std::string& band : axis.bands) w.value(band);
    w.end_array();
  } else {
    w.field("lo", axis.lo).field("hi", axis.hi);
  }
  w.end_object();
}

void write_mark(json::Writer& w, const plot::Mark& mark) {
  w.begin_object().field("shape", name_of(mark.shape)).field("role", name_of(mark.role)).field("fill", name_of(mark.fill));
  w.key("at").begin_array();
  for (const plot::Point& p : mark.at) w.begin_array().value(p.x).value(p.y).end_array();
  w.end_array();
  if (mark.row >= 0) w.field("row", mark.row);
  if (!mark.label.empty()) w.field("label", mark.label);
  if (!mark.detail.empty()) w.field("detail", mark.detail);
  if (!mark.drags.empty()) w.field("drags", mark.drags);
  if (!mark.sets.empty()) w.field("sets", mark.sets);
  if (mark.shape == plot::Shape::link) {
    w.key("from").begin_array().value(mark.from.panel).value(mark.from.mark).end_array();
    w.key("to").begin_array().value(mark.to.panel).value(mark.to.mark).end_array();
  }
  w.end_object();
}

// What a field may be, for a program that fills it in.
void write_property(json::Writer& w, const FieldSpec& spec) {
  const double fallback = read_number(spec.fallback).value_or(0);
  w.begin_object().field("title", spec.label);
  if (!spec.doc.empty()) w.field("description", spec.doc);
  switch (spec.kind) {
    case FieldKind::number:
      w.field("type", "number").field("minimum", spec.lo).field("maximum", spec.hi).field("default", fallback);
      break;
    case FieldKind::integer:
      w.field("type", "integer").field("minimum", spec.lo).field("maximum", spec.hi).field("default", fallback);
      if (spec.step > 1 && std::fmod(spec.lo, spec.step) == 0) w.field("multipleOf", spec.step);
      break;
    case FieldKind::toggle: w.field("type", "boolean").field("default", spec.fallback == "on"); break;
    case FieldKind::text: w.field("type", "string").field("maxLength", static_cast<int>(spec.max_bytes)).field("default", spec.fallback); break;
    case FieldKind::choice:
    case FieldKind::device:
      w.field("type", "string").key("enum").begin_array();
      for (const FieldSpec::Option& o : spec.options)
        if (o.why_not.empty()) w.value(o.id);
      w.end_array().field("default", spec.fallback);
      break;
  }
  if (const std::string unit = unit_name(spec.unit); !unit.empty()) w.field("unit", unit);
  w.end_object();
}

}  // namespace

std::string unit_name(Unit unit) { return parts({2, unit}).unit; }

void write_fields(json::Writer& w, const std::vector<FieldSpec>& specs, Fields which) {
  const bool whole = which == Fields::whole;
  w.begin_array();
  for (const FieldSpec& spec : specs) {
    w.begin_object().field("id", spec.id).field("label", spec.label);
    if (which != Fields::moved) w.field("doc", spec.doc);
    w.field("kind", kind_name(spec.kind));
    if (spec.kind == FieldKind::number || spec.kind == FieldKind::integer) {
      // As it stands behind the current value: "element", "elements".
      w.field("unit", parts({read_number(spec.value).value_or(0), spec.unit}).unit).field("lo", spec.lo).field("hi", spec.hi).field("step", spec.step);
      w.field("steps", spec.steps == plot::Steps::log ? "log" : "linear");
      w.field("positions", spec.positions()).field("position", spec.position());
    }
    if (spec.kind == FieldKind::text) w.field("max_bytes", static_cast<int>(spec.max_bytes));
    if (!spec.options.empty()) {
      w.key(whole ? "options" : "unavailable").begin_array();
      for (const FieldSpec::Option& o : spec.options) {
        if (!whole && o.why_not.empty()) continue;
        w.begin_object().field("id", o.id).field("label", o.label);
        if (!o.why_not.empty()) w.field("why_not", o.why_not);
        w.end_object();
      }
      w.end_array();
    }
    w.field("fallback", spec.fallback).field("value", spec.value).field("shown", spec.shown).field("changed", spec.changed).end_object();
  }
  w.end_array();
}

void write_results(json::Writer& w, const plot::View& view) {
  w.begin_array();
  for (const plot::Named& named : view.out) {
    w.begin_object().field("id", named.id).field("v", named.num.v).field("unit", unit_name(named.num.unit));
    w.field("how", name(named.num.how)).field("text", text(named.num)).end_object();
  }
  w.end_array();
}

void write_columns(json::Writer& w, const plot::View& view) {
  w.begin_array();
  for (const plot::Column& column : view.columns) {
    w.begin_object().field("id", column.id).field("label", column.label).field("unit", unit_name(column.unit));
    w.field("how", name(column.how)).field("text", column.text).end_object();
  }
  w.end_array();
}

void write_rows(json::Writer& w, const plot::View& view) {
  w.begin_array();
  for (size_t row = 0; row < view.rows(); ++row) {
    w.begin_array();
    for (size_t i = 0; i < view.columns.size(); ++i) {
      const plot::Cell& cell = view.cells[row * view.columns.size() + i];
      if (cell.missing) {
        w.null();
      } else if (view.columns[i].text) {
        w.value(cell.text);
      } else {
        w.value(cell.v);
      }
    }
    w.end_array();
  }
  w.end_array();
}

void write_panels(json::Writer& w, const plot::View& view) {
  w.begin_array();
  for (const plot::Panel& panel : view.panels) {
    w.begin_object().field("title", panel.title).field("note", panel.note);
    w.key("x");
    write_axis(w, panel.x);
    w.key("y");
    write_axis(w, panel.y);
    w.key("marks").begin_array();
    for (const plot::Mark& mark : panel.marks) write_mark(w, mark);
    w.end_array().end_object();
  }
  w.end_array();
}

void write_provenance(json::Writer& w, const plot::View& view) {
  w.begin_array();
  for (const plot::Provenance& p : view.provenance) w.begin_object().field("how", name(p.how)).field("detail", p.detail).end_object();
  w.end_array();
}

void write_notices(json::Writer& w, const std::vector<std::string>& notices) {
  w.begin_array();
  for (const std::string& notice : notices) w.value(notice);
  w.end_array();
}

void write_schema(json::Writer& w, const std::vector<FieldSpec>& specs) {
  w.begin_object().field("$schema", "https://json-schema.org/draft/2020-12/schema").field("type", "object");
  w.key("properties").begin_object();
  for (const FieldSpec& spec : specs) {
    w.key(spec.id);
    write_property(w, spec);
  }
  w.end_object().field("additionalProperties", false).end_object();
}

}  // namespace lk::api
