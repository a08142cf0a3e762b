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

Sourced read_sourced(const json::Value& value, std::string_view name, std::string_view file, std::vector<Problem>& problems) {
  Sourced s;
  json::Reader r(value, file, problems);
  if (!value.is(json::Kind::object)) return s;
  s.v = r.number("v");
  if (const json::Value* v = value.find("v"); v && v->is(json::Kind::number)) check_positive(r, *v, name, s.v);
  s.sources = r.texts("sources");
  if (s.sources.empty())
    r.problem(value, '"' + std::string(name) + "\" names no source", "add \"sources\": [\"id of content/reading.json\"]");
  s.note = r.text("note", "");
  for (const json::Value& item : r.array("other")) {
    json::Reader o(item, file, problems);
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

Sourced member(json::Reader& r, std::string_view key, std::string_view file, std::vector<Problem>& problems) {
  if (const json::Value* v = r.value(key)) return read_sourced(*v, key, file, problems);
  r.problem(r.self(), "the member \"" + std::string(key) + "\" is missing");
  return {};
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

std::vector<Peak> read_peaks(json::Reader& r, std::string_view file, std::vector<Problem>& problems) {
  std::vector<Peak> peaks;
  const json::Value* table = r.object("peaks", true);
  if (!table) return peaks;
  for (const auto& [key, value] : table->object) {
    if (const auto type = type_of(key)) {
      peaks.push_back({*type, read_sourced(value, key, file, problems)});
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

Device read_device(const json::Value& item, std::string_view file, std::vector<Problem>& problems) {
  Device d;
  json::Reader r(item, file, problems);
  if (!item.is(json::Kind::object)) return d;
  d.id = r.text("id");
  d.name = r.text("name");
  d.vendor = r.text("vendor");
  d.year = r.text("year");
  if (const std::string cc = r.text("compute_capability", ""); !cc.empty() && !read_capability(cc, d.cc_major, d.cc_minor))
    r.problem(*item.find("compute_capability"), "\"" + cc + "\" is no compute capability", "write it as \"9.0\"");
  d.sms = r.integer("sms");
  if (const json::Value* v = item.find("sms"); v && v->is(json::Kind::number) && v->integral) check_positive(r, *v, "sms", d.sms);
  d.clock_hz = member(r, "clock_hz", file, problems);
  d.memory_bytes = member(r, "memory_bytes", file, problems);
  d.bandwidth = member(r, "bandwidth", file, problems);
  d.l2_bytes = member(r, "l2_bytes", file, problems);
  d.peaks = read_peaks(r, file, problems);
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

Devices load_devices(const json::Value& root, std::string_view file, std::vector<Problem>& problems) {
  Devices devices;
  json::Reader r(root, file, problems);
  devices.fallback = r.text("default");
  std::vector<std::string> ids;
  for (const json::Value& item : r.array("devices", true)) {
    Device d = read_device(item, file, problems);
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

}  // namespace lk::gpu
