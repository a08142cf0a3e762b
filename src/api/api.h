// One method table, many doors: a method name and JSON in, JSON out. The WASM bridge and the CLI (later HTTP and MCP) join
// per-folder spans, so that a module carries only what it uses.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json.h"
#include "plot/world.h"

namespace lk::api {

struct Context {
  World world;
};

struct Method {
  std::string_view name;   // "figure.render"
  std::string_view doc;    // one line, with an example of parameters
  /// Returns serialized JSON or an error whose `what` and `hint` a person can act on.
  Result<std::string> (*call)(const Context&, const json::Value& params);
};

using Methods = std::span<const Method>;

/// figure.list, figure.schema, figure.evaluate, figure.render, figure.drag
Methods figure_methods();

/// Request {"method": "...", "params": {...}} -> {"result": ...} or {"error": {"what", "hint", "line", "column"}}.
std::string call(std::span<const Methods> tables, const Context& context, std::string_view request);

/// Reads the world from one JSON document {"devices": <devices.json>, "measurements": {"h200": "<csv>"}}: what pages ship
/// to the browser, and what the loader makes of the content folder.
Result<World> load_world(std::string_view json);
/// Writes that document. `devices_json` is the text of devices.json, `measurements` pairs of device id and CSV text.
std::string write_world(std::string_view devices_json, const std::vector<std::pair<std::string, std::string>>& measurements);

}  // namespace lk::api
