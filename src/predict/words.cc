// Predictions as text for people and as JSON for programs.
#include <cmath>
#include <cstdio>

#include "base/number.h"
#include "predict/predict.h"

namespace lk::predict {
namespace {

std::string time_text(double us) { return lk::text(Num{us * 1e-6, Unit::seconds}); }

std::string padded(std::string words, size_t width, bool right = false) {
  size_t shown = 0;  // characters, not bytes
  for (const char c : words) shown += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  const std::string space(shown < width ? width - shown : 0, ' ');
  return right ? space + words : words + space;
}

std::string fixed(double v, int decimals) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", decimals, v);
  return buffer;
}
std::string percent(double ratio, bool sign = false) { return (sign && ratio >= 0 ? "+" : "") + fixed(100 * ratio, 1) + '%'; }

std::string values_text(const Values& values) {
  std::string out;
  for (const auto& [name, v] : values) out += (out.empty() ? "" : ";") + name + '=' + plain(v);
  return out;
}

std::string calibration_text(const Answer& a) {
  return a.calibrated ? std::string() : "Not calibrated: the constants of the " + a.measured_on + ", scaled by the datasheet.\n";
}

}  // namespace

std::string text(const Answer& a) {
  const gpu::Prediction& p = a.prediction;
  std::string out = a.kernel ? a.kernel->name + " " + values_text(a.values) + ": " + time_text(p.us) + "\n" : "predicted time: " + time_text(p.us) + "\n";
  if (!p.how.empty()) out += "  " + p.how + "\n";
  const gpu::Term* limit = p.binding();
  for (const gpu::Term& t : p.terms) {
    if (t.us < 0.0005) continue;
    out += "  " + padded(t.name, 26) + padded(time_text(t.us), 10, true) + (&t == limit ? "  the limit" : "") + "\n";
  }
  out += "  " + padded("roofline, datasheet", 26) + padded(time_text(p.floor_us), 10, true) + "\n";
  out += "  " + padded("roofline, calibrated", 26) + padded(time_text(p.calibrated_floor_us), 10, true) + "\n";
  out += calibration_text(a);
  for (const std::string& why : p.outside) out += "Outside the calibrated range: " + why + ".\n";
  return out;
}

std::string text(const Report& r) {
  std::string out = padded("kernel", 26) + padded("parameters", 44) + padded("predicted us", 14, true) + padded("measured us", 14, true) + padded("off", 9, true) + "  limit\n";
  for (const Row& row : r.rows) {
    out += padded(row.kernel, 26) + padded(row.values, 44);
    if (!row.answered) {
      out += "  " + lk::text(row.error) + "\n";
      continue;
    }
    out += padded(fixed(row.answer.prediction.us, 3), 14, true);
    out += row.measured_us > 0 ? padded(fixed(row.measured_us, 3), 14, true) + padded(percent(row.off(), true), 9, true) : std::string(23, ' ');
    if (const gpu::Term* limit = row.answer.prediction.binding()) out += "  " + limit->name;
    out += "\n";
  }
  if (!r.rows.empty() && r.rows.front().answered) out += calibration_text(r.rows.front().answer);
  if (r.families.empty()) return out;
  out += "\n" + padded("absolute error", 26) + padded("rows", 6, true) + padded("mean", 9, true) + padded("median", 9, true) + padded("worst", 9, true) +
         padded("roofline, datasheet", 22, true) + padded("roofline, calibrated", 22, true) + "\n";
  for (const Summary& s : r.families)
    out += padded(s.family, 26) + padded(std::to_string(s.rows), 6, true) + padded(percent(s.mean), 9, true) + padded(percent(s.median), 9, true) +
           padded(percent(s.worst), 9, true) + padded(percent(s.datasheet_mean), 22, true) + padded(percent(s.calibrated_mean), 22, true) + "\n";
  return out;
}

void write(json::Writer& w, const Answer& a) {
  const gpu::Prediction& p = a.prediction;
  w.begin_object();
  if (a.kernel) {
    w.field("kernel", a.kernel->name).field("family", a.kernel->family).field("library", a.kernel->library).key("parameters").begin_object();
    for (const auto& [name, v] : a.values) w.field(name, v);
    w.end_object();
  }
  w.field("predicted_us", p.us);
  if (const gpu::Term* limit = p.binding()) w.field("binding", limit->name);
  w.key("terms").begin_array();
  for (const gpu::Term& t : p.terms) w.begin_object().field("name", t.name).field("us", t.us).field("can_bind", t.bound).end_object();
  w.end_array();
  w.field("roofline_datasheet_us", p.floor_us).field("roofline_calibrated_us", p.calibrated_floor_us);
  if (!p.how.empty()) w.field("how", p.how);
  w.field("calibrated", a.calibrated).field("constants_of", a.measured_on).field("inside_range", p.outside.empty());
  w.key("outside").begin_array();
  for (const std::string& why : p.outside) w.value(why);
  w.end_array().end_object();
}

void write(json::Writer& w, const Report& r) {
  w.begin_object().key("rows").begin_array();
  for (const Row& row : r.rows) {
    w.begin_object().field("line", row.line).field("kernel", row.kernel).field("params", row.values);
    if (row.answered) {
      w.field("predicted_us", row.answer.prediction.us);
      if (row.measured_us > 0) w.field("measured_us", row.measured_us).field("error", row.off());
      w.key("prediction");
      write(w, row.answer);
    } else {
      w.key("problem").begin_object().field("what", row.error.what).field("hint", row.error.hint).end_object();
    }
    w.end_object();
  }
  w.end_array().key("families").begin_array();
  for (const Summary& s : r.families) {
    w.begin_object().field("family", s.family).field("rows", s.rows).field("mean", s.mean).field("median", s.median).field("worst", s.worst);
    w.field("roofline_datasheet_mean", s.datasheet_mean).field("roofline_calibrated_mean", s.calibrated_mean).end_object();
  }
  w.end_array().end_object();
}

}  // namespace lk::predict
