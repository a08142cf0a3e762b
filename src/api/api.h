// One method table, many doors: a method name and JSON in, JSON out. The WASM bridge and the CLI (later HTTP and MCP) join
// per-folder spans, so that a module carries only what it uses.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "plot/world.h"

namespace lk::search {
class Index;
}

namespace lk::api {

class Author;

struct Context {
  World world;
  const search::Index* search = nullptr;  // what search_methods() ask; it must outlive the calls
  Author* author = nullptr;               // the same for author_methods()
};

struct Method {
  std::string_view name;   // "figure.render"
  std::string_view doc;    // one line, with an example of parameters
  /// Returns serialized JSON or an error whose `what` and `hint` a person can act on.
  Result<std::string> (*call)(const Context&, const json::Value& params);
};

using Methods = std::span<const Method>;

/// figure.list, figure.schema, figure.evaluate, figure.render, figure.drag. A figure's values come as `"values": {"name": text,
/// number or boolean}` or as `"query": "a=1&b=2"`; `"pins"` is a query of the author's values, `"device"` the reader's device,
/// `"mode"` "lenient" (the default: out-of-range values move to the nearest usable one and leave a notice) or "strict".
Methods figure_methods();

/// search.query {"query": text, "limit": 1 to 50 (10), "snippets": boolean (true)}, search.start {}: search_json.h says what they return.
Methods search_methods();

/// author.outline, author.preview, author.check: author.h says what they take and return.
Methods author_methods();

/// Request {"method": "...", "params": {...}} -> {"result": ...} or {"error": {"what", "hint", "line", "column"}}.
std::string call(std::span<const Methods> tables, const Context& context, std::string_view request);

/// The texts of the files of content/ that figures look at: devices.json, measurements/<device>.csv as pairs of device id and
/// CSV text, models.json, compiled.json, predictions/<device>.csv. An empty text is none.
using Measurements = std::vector<std::pair<std::string, std::string>>;
struct WorldFiles {
  std::string_view devices;
  Measurements measurements;
  std::string_view models = {}, compiled = {};
  Measurements predictions = {};
};
/// all: everything. figures: of the devices only what figures compute with (gpu::write_bare), and no notes on models, since every
/// page loads it.
enum class Detail : uint8_t { all, figures };
/// One JSON document of them, without white space: what pages ship to the browser.
/// {"devices": <devices.json> or "bare_devices": <gpu::write_bare>, "models": <models.json>, "measurements": {"h200": "<csv>"},
/// "compiled": <compiled.json>, "predictions": {"h200": "<csv>"}}
std::string write_world(const WorldFiles& files, Detail detail = Detail::all);
/// A member that few figures look at, and who reads it: a reader's module holds the code for those of its own figures.
struct WorldTable {
  std::string_view key;
  void (*load)(World&, const json::Value&, std::vector<Problem>&);
};
extern const WorldTable compiled_table, predictions_table;
std::span<const WorldTable> every_table();
/// Reads such a document. The first problem fails it, a member that no table names is one.
Result<World> load_world(std::string_view json, std::span<const WorldTable> tables = every_table());
/// Reads the files, collecting every problem with its place in "devices.json", "models.json", "compiled.json" or
/// "measurements/h200.csv". On errors the world holds what could be read: do not evaluate figures with it.
World load_world(const WorldFiles& files, std::vector<Problem>& problems);

}  // namespace lk::api
