#include "api/api.h"

#include <algorithm>

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

// Remarks are for people.
void drop_notes(json::Value& value) {
  for (json::Value& item : value.array) drop_notes(item);
  value.object.erase(std::remove_if(value.object.begin(), value.object.end(), [](const auto& member) { return member.first == "note"; }), value.object.end());
  for (auto& [key, member] : value.object) drop_notes(member);
}

const Error* first_error(const std::vector<Problem>& problems) {
  for (const Problem& p : problems)
    if (p.severity == Severity::error) return &p.error;
  return nullptr;
}

}  // namespace

void load_compiled(World& world, const json::Value& value, std::vector<Problem>& problems) {
  world.compiled = gpu::load_compiled(value, "compiled listings", problems);
}

void load_predictions(World& world, const json::Value& sets, std::vector<Problem>& problems) {
  for (const auto& [device, csv] : sets.object) world.predicted.push_back(gpu::load_predicted(csv.string, device, "predictions of " + device, problems));
}

const WorldTable compiled_table{"compiled", load_compiled}, predictions_table{"predictions", load_predictions};

std::span<const WorldTable> every_table() {
  static const WorldTable all[] = {compiled_table, predictions_table};
  return all;
}

Result<World> load_world(std::string_view json, std::span<const WorldTable> tables) {
  const auto root = json::parse(json);
  if (!root) return root.error();
  World world;
  std::vector<Problem> problems;
  json::Reader r(*root, {}, problems);
  if (const json::Value* bare = r.object("bare_devices")) world.devices = gpu::load_bare(*bare, {}, problems);
  else if (const json::Value* devices = r.object("devices", true)) load_devices(world, *devices, {}, problems);
  if (const json::Value* models = r.object("models")) world.models = serving::load_models(*models, {}, problems);
  if (const json::Value* sets = r.object("measurements")) {
    for (const auto& [device, csv] : sets->object) {
      if (csv.is(json::Kind::string)) {
        load_measured(world, device, csv.string, "measurements of " + device, problems);
      } else {
        r.problem(csv, "the measurements of \"" + device + "\" must be CSV text, this is " + std::string(json::name(csv.kind)));
      }
    }
  }
  for (const WorldTable& table : tables)
    if (const json::Value* value = r.object(table.key)) table.load(world, *value, problems);
  r.done();
  if (const Error* e = first_error(problems)) return *e;
  return world;
}

World load_world(const WorldFiles& files, std::vector<Problem>& problems) {
  World world;
  const auto root = json::parse(files.devices, "devices.json");
  if (root) {
    load_devices(world, *root, "devices.json", problems);
  } else {
    problems.push_back({Severity::error, root.error()});
  }
  if (!files.models.empty()) {
    const auto models = json::parse(files.models, "models.json");
    if (models) {
      world.models = serving::load_models(*models, "models.json", problems);
    } else {
      problems.push_back({Severity::error, models.error()});
    }
  }
  for (const auto& [device, csv] : files.measurements) {
    // Without a device table every device would be reported as unknown.
    if (!world.devices.all.empty()) load_measured(world, device, csv, "measurements/" + device + ".csv", problems);
  }
  if (!files.compiled.empty()) {
    if (const auto compiled = json::parse(files.compiled, "compiled.json")) {
      world.compiled = gpu::load_compiled(*compiled, "compiled.json", problems);
    } else {
      problems.push_back({Severity::error, compiled.error()});
    }
  }
  for (const auto& [device, csv] : files.predictions) world.predicted.push_back(gpu::load_predicted(csv, device, "predictions/" + device + ".csv", problems));
  return world;
}

std::string write_world(const WorldFiles& files, Detail detail) {
  json::Writer w;
  const auto put = [&](std::string_view key, std::string_view text) {
    w.key(key);
    if (auto value = json::parse(text)) {
      if (detail == Detail::figures && key == "models") drop_notes(*value);
      w.raw(json::dump(*value));
    } else {
      w.null();  // load_world() names it
    }
  };
  w.begin_object();
  const auto table = detail == Detail::figures ? json::parse(files.devices) : Result<json::Value>(Error{});
  if (table) {
    std::vector<Problem> known;  // the content's check has told them
    w.key("bare_devices").raw(gpu::write_bare(gpu::load_devices(*table, {}, known)));
  } else {
    put("devices", files.devices);
  }
  if (!files.models.empty()) put("models", files.models);
  w.key("measurements").begin_object();
  for (const auto& [device, csv] : files.measurements) w.field(device, csv);
  w.end_object();
  if (!files.compiled.empty()) put("compiled", files.compiled);
  if (!files.predictions.empty()) {
    w.key("predictions").begin_object();
    for (const auto& [device, csv] : files.predictions) w.field(device, csv);
    w.end_object();
  }
  w.end_object();
  return w.take();
}

}  // namespace lk::api
