#include "gpu/device.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lk::gpu {
namespace {

struct TypeInfo {
  Type type;
  std::string_view id, label;
  double bytes;
};
constexpr std::array types{
    TypeInfo{Type::fp64, "fp64", "FP64", 8}, TypeInfo{Type::fp32, "fp32", "FP32", 4}, TypeInfo{Type::tf32, "tf32", "TF32", 4},
    TypeInfo{Type::fp16, "fp16", "FP16", 2}, TypeInfo{Type::bf16, "bf16", "BF16", 2}, TypeInfo{Type::fp8, "fp8", "FP8", 1},
    TypeInfo{Type::fp6, "fp6", "FP6", 0.75}, TypeInfo{Type::fp4, "fp4", "FP4", 0.5},  TypeInfo{Type::int8, "int8", "INT8", 1},
};
const TypeInfo& info(Type type) { return types[static_cast<size_t>(type)]; }

void check_positive(json::Reader& r, const json::Value& at, std::string_view what, double v) {
  if (!(v > 0)) r.problem(at, '"' + std::string(what) + "\" must be above zero");
}

// How a table is written: for people, each number an object with its sources; or bare, for pages.
enum class Form : uint8_t { full, bare };

struct Source {
  std::string_view file;
  std::vector<Problem>& problems;
  Form form;
};

void want_sources(json::Reader& r, const json::Value& at, std::string_view name, const std::vector<std::string>& sources) {
  if (sources.empty()) r.problem(at, '"' + std::string(name) + "\" names no source", "add \"sources\": [\"id of content/reading.json\"]");
}

std::string read_absent(json::Reader& r, const json::Value& value) {
  const json::Value* absent = value.find("absent");
  if (!absent) return {};
  if (value.find("v")) r.problem(*absent, "a number cannot be there and absent", "remove \"v\" or \"absent\"");
  return r.text("absent");
}

Sourced read_sourced(const json::Value& value, std::string_view name, const Source& from, std::string* label = nullptr) {
  Sourced s;
  if (from.form == Form::bare && value.is(json::Kind::number)) {
    s.v = value.number;
    return s;
  }
  json::Reader r(value, from.file, from.problems);
  if (!value.is(json::Kind::object)) return s;
  s.absent = read_absent(r, value);
  s.note = r.text("note", "");
  s.sources = r.texts("sources");
  if (s.absent.empty()) {
    if (label) *label = r.text("name");
    s.v = r.number("v");
    if (const json::Value* v = value.find("v"); v && v->is(json::Kind::number)) check_positive(r, *v, name, s.v);
    if (from.form == Form::full) want_sources(r, value, name, s.sources);
  }
  for (const json::Value& item : r.array("other")) {
    json::Reader o(item, from.file, from.problems);
    Sourced::Other other;
    other.v = o.number("v");
    other.source = o.text("source");
    other.note = o.text("note", "");
    o.done();
    s.other.push_back(std::move(other));
  }
  r.done();
  return s;
}

Sourced member(json::Reader& r, std::string_view key, const Source& from) {
  if (const json::Value* v = r.value(key)) return read_sourced(*v, key, from);
  r.problem(r.self(), "the member \"" + std::string(key) + "\" is missing",
            from.form == Form::full ? "a device that has none says so: {\"absent\": \"the reason\"}" : "");
  return {};
}

// Members that a table may leave out.
Sourced optional_member(json::Reader& r, std::string_view key, const Source& from, std::string* label = nullptr) {
  if (const json::Value* v = r.value(key)) return read_sourced(*v, key, from, label);
  Sourced s;
  s.absent = "the table does not say";
  return s;
}

Named read_process(json::Reader& r, const Source& from) {
  Named p;
  const json::Value* value = r.object("process");
  if (!value) {
    p.absent = "the table does not say";
    return p;
  }
  json::Reader n(*value, from.file, from.problems);
  p.absent = read_absent(n, *value);
  if (p.absent.empty()) p.name = n.text("name");
  p.sources = n.texts("sources");
  p.note = n.text("note", "");
  if (p.absent.empty()) want_sources(n, *value, "process", p.sources);
  n.done();
  return p;
}

// "9.0" -> 9, 0; other vendors leave it out.
bool read_capability(std::string_view text, int& major, int& minor) {
  const size_t dot = text.find('.');
  if (dot == std::string_view::npos || dot == 0 || dot > 2 || text.size() != dot + 2) return false;
  for (size_t i = 0; i < text.size(); ++i)
    if (i != dot && !(text[i] >= '0' && text[i] <= '9')) return false;
  major = 0;
  for (size_t i = 0; i < dot; ++i) major = major * 10 + (text[i] - '0');
  minor = text[dot + 1] - '0';
  return true;
}

std::vector<Peak> read_peaks(json::Reader& r, const Source& from) {
  std::vector<Peak> peaks;
  const json::Value* table = r.object("peaks", true);
  if (!table) return peaks;
  for (const auto& [key, value] : table->object) {
    if (const auto type = type_of(key)) {
      peaks.push_back({*type, read_sourced(value, key, from)});
      continue;
    }
    std::vector<std::string_view> ids;
    for (const TypeInfo& t : types) ids.push_back(t.id);
    const std::string near = closest(key, ids);
    r.problem(value, "unknown element type \"" + key + '"',
              near.empty() ? "known: fp64 fp32 tf32 fp16 bf16 fp8 fp6 fp4 int8" : "did you mean \"" + near + "\"?");
  }
  if (peaks.empty()) r.problem(*table, "no peak rate is given", "at least one element type needs a peak in FLOP/s");
  return peaks;
}

// A whole number, or an object with its sources.
void read_cores(json::Reader& r, const json::Value& item, Device& d, const Source& from) {
  const json::Value* value = item.find("sms");
  if (value && value->is(json::Kind::object)) {
    r.value("sms");
    d.cores = read_sourced(*value, "sms", from);
    if (d.cores.v != std::floor(d.cores.v) || d.cores.v > 1e6) r.problem(*value, "\"sms\" must be a whole number");
    else d.sms = static_cast<int>(d.cores.v);
    return;
  }
  d.sms = r.integer("sms");
  if (value && value->is(json::Kind::number) && value->integral) check_positive(r, *value, "sms", d.sms);
  d.cores.v = d.sms;
}

Device read_device(const json::Value& item, const Source& from) {
  Device d;
  json::Reader r(item, from.file, from.problems);
  if (!item.is(json::Kind::object)) return d;
  const bool full = from.form == Form::full;
  d.id = r.text("id");
  d.name = r.text("name");
  if (full) {
    d.vendor = r.text("vendor");
    d.year = r.text("year");
    d.architecture = r.text("architecture", "");
    d.core = r.text("core", d.core);
  }
  d.family = r.text("family", d.vendor);
  if (const std::string cc = r.text("compute_capability", ""); !cc.empty() && !read_capability(cc, d.cc_major, d.cc_minor))
    r.problem(*item.find("compute_capability"), "\"" + cc + "\" is no compute capability", "write it as \"9.0\"");
  read_cores(r, item, d, from);
  d.memory_bytes = member(r, "memory_bytes", from);
  d.bandwidth = member(r, "bandwidth", from);
  if (full) {
    d.clock_hz = member(r, "clock_hz", from);
    d.l2_bytes = member(r, "l2_bytes", from);
    d.link.total = optional_member(r, "link", from, &d.link.name);
    d.power = optional_member(r, "power", from);
    d.dies = optional_member(r, "dies", from);
    d.transistors = optional_member(r, "transistors", from);
    d.process = read_process(r, from);
  }
  d.peaks = read_peaks(r, from);
  r.done();
  return d;
}

}  // namespace

std::string_view id(Type type) { return info(type).id; }
std::string_view label(Type type) { return info(type).label; }
double bytes(Type type) { return info(type).bytes; }

std::optional<Type> type_of(std::string_view id) {
  for (const TypeInfo& t : types)
    if (t.id == id) return t.type;
  return {};
}

std::optional<double> Device::peak(Type type) const {
  for (const Peak& p : peaks)
    if (p.type == type) return p.flops.v;
  return {};
}

const Device* Devices::find(std::string_view id) const {
  for (const Device& d : all)
    if (d.id == id) return &d;
  return nullptr;
}

namespace {

// Devices of a family stand together, so that a list can head them.
void check_families(json::Reader& r, const json::Value& root, const Devices& devices) {
  for (size_t i = 1; i < devices.all.size(); ++i) {
    const std::string& family = devices.all[i].family;
    if (family == devices.all[i - 1].family) continue;
    for (size_t k = 0; k + 1 < i; ++k)
      if (devices.all[k].family == family) {
        r.problem(*root.find("devices"), '"' + devices.all[i].id + "\" stands apart from the others of \"" + family + '"', "move it next to \"" + devices.all[k].id + '"');
        break;
      }
  }
}

Devices load(const json::Value& root, const Source& from) {
  Devices devices;
  json::Reader r(root, from.file, from.problems);
  devices.fallback = r.text("default");
  std::vector<std::string> ids;
  for (const json::Value& item : r.array("devices", true)) {
    Device d = read_device(item, from);
    if (d.id.empty()) continue;
    if (devices.find(d.id)) {
      const json::Value* at = item.find("id");
      r.problem(at ? *at : item, "the device \"" + d.id + "\" occurs twice", "ids must differ");
      continue;
    }
    ids.push_back(d.id);
    devices.all.push_back(std::move(d));
  }
  r.done();
  check_families(r, root, devices);
  if (devices.all.empty()) {
    if (const json::Value* list = root.find("devices"); list && list->is(json::Kind::array))
      r.problem(*list, "the table holds no device", "add at least one");
    return devices;
  }
  if (!devices.find(devices.fallback)) {
    if (const json::Value* v = root.find("default"); v && v->is(json::Kind::string)) {
      const std::string near = closest(devices.fallback, ids);
      r.problem(*v, "the default device \"" + devices.fallback + "\" is not in the table",
                near.empty() ? "" : "did you mean \"" + near + "\"?");
    }
    devices.fallback = devices.all.front().id;  // so that standard() holds all the same
  }
  return devices;
}

void write_bare(json::Writer& w, std::string_view key, const Sourced& s) {
  w.key(key);
  if (s.known()) w.value(s.v);
  else w.begin_object().field("absent", s.missing()).end_object();
}

}  // namespace

Devices load_devices(const json::Value& root, std::string_view file, std::vector<Problem>& problems) {
  return load(root, {file, problems, Form::full});
}

Devices load_bare(const json::Value& root, std::string_view file, std::vector<Problem>& problems) {
  return load(root, {file, problems, Form::bare});
}

std::string write_bare(const Devices& devices) {
  json::Writer w;
  w.begin_object().field("default", devices.fallback).key("devices").begin_array();
  for (const Device& d : devices.all) {
    w.begin_object().field("id", d.id).field("name", d.name).field("family", d.family);
    if (d.cc_major > 0) w.field("compute_capability", std::to_string(d.cc_major) + '.' + std::to_string(d.cc_minor));
    w.field("sms", d.sms);
    write_bare(w, "memory_bytes", d.memory_bytes);
    write_bare(w, "bandwidth", d.bandwidth);
    w.key("peaks").begin_object();
    for (const Peak& p : d.peaks) write_bare(w, id(p.type), p.flops);
    w.end_object().end_object();
  }
  w.end_array().end_object();
  return w.take();
}

}  // namespace lk::gpu
