#include "api/api.h"

namespace lk::api {
namespace {

void load_devices(World& world, const json::Value& root, std::string_view file, std::vector<Problem>& problems) {
  world.devices = gpu::load_devices(root, file, problems);
}

void load_measured(World& world, const std::string& device, std::string_view csv, std::string_view file, std::vector<Problem>& problems) {
  if (!world.devices.find(device)) {
    problems.push_back({Severity::error,
                        {{std::string(file), 0, 0},
                         "there are measurements of \"" + device + "\", which is not in the device table",
                         "name the file after a device of devices.json"}});
    return;
  }
  world.measured.push_back(gpu::load_measured(csv, device, file, problems));
}

const Error* first_error(const std::vector<Problem>& problems) {
  for (const Problem& p : problems)
    if (p.severity == Severity::error) return &p.error;
  return nullptr;
}

}  // namespace

Result<World> load_world(std::string_view json) {
  const auto root = json::parse(json);
  if (!root) return root.error();
  World world;
  std::vector<Problem> problems;
  json::Reader r(*root, {}, problems);
  if (const json::Value* devices = r.object("devices", true)) load_devices(world, *devices, {}, problems);
  if (const json::Value* sets = r.object("measurements")) {
    for (const auto& [device, csv] : sets->object) {
      if (csv.is(json::Kind::string)) {
        load_measured(world, device, csv.string, "measurements of " + device, problems);
      } else {
        r.problem(csv, "the measurements of \"" + device + "\" must be CSV text, this is " + std::string(json::name(csv.kind)));
      }
    }
  }
  if (const json::Value* compiled = r.object("compiled")) world.compiled = gpu::load_compiled(*compiled, "compiled listings", problems);
  r.done();
  if (const Error* e = first_error(problems)) return *e;
  return world;
}

World load_world(std::string_view devices_json, const Measurements& measurements, std::vector<Problem>& problems,
                 std::string_view compiled_json) {
  World world;
  const auto root = json::parse(devices_json, "devices.json");
  if (root) {
    load_devices(world, *root, "devices.json", problems);
  } else {
    problems.push_back({Severity::error, root.error()});
  }
  for (const auto& [device, csv] : measurements) {
    // Without a device table every device would be reported as unknown.
    if (!world.devices.all.empty()) load_measured(world, device, csv, "measurements/" + device + ".csv", problems);
  }
  if (!compiled_json.empty()) {
    if (const auto compiled = json::parse(compiled_json, "compiled.json")) {
      world.compiled = gpu::load_compiled(*compiled, "compiled.json", problems);
    } else {
      problems.push_back({Severity::error, compiled.error()});
    }
  }
  return world;
}

std::string write_world(std::string_view devices_json, const Measurements& measurements, std::string_view compiled_json) {
  json::Writer w;
  w.begin_object().key("devices");
  if (const auto devices = json::parse(devices_json)) {
    w.raw(json::dump(*devices));
  } else {
    w.null();  // load_world() names it
  }
  w.key("measurements").begin_object();
  for (const auto& [device, csv] : measurements) w.field(device, csv);
  w.end_object();
  if (const auto compiled = json::parse(compiled_json); !compiled_json.empty() && compiled) w.key("compiled").raw(json::dump(*compiled));
  w.end_object();
  return w.take();
}

}  // namespace lk::api
