#include <algorithm>
#include <cstdio>

#include "api/api.h"
#include "base/json.h"
#include "cli/commands.h"
#include "site/content.h"
#include "site/live.h"
#include "site/standalone.h"

namespace lk::cli {

namespace {

/// One method of the table, as every door calls it.
class Door {
 public:
  explicit Door(const std::string& folder) : content_(site::load_world(folder)), context_{content_.world} {}
  bool usable() const {
    if (!content_.usable) std::fputs(site::problem_lines(content_.problems).c_str(), stderr);
    return content_.usable;
  }
  Result<json::Value> call(std::string_view method, const std::string& params) const {
    const api::Methods tables[] = {api::figure_methods()};
    json::Writer w;
    w.begin_object().field("method", method).key("params").raw(params).end_object();
    auto answer = json::parse(api::call(tables, context_, w.text()));
    if (!answer) return answer.error();
    if (const json::Value* error = answer->find("error")) {
      const auto part = [&](std::string_view name) {
        const json::Value* v = error->find(name);
        return v && v->is(json::Kind::string) ? v->string : std::string();
      };
      return Error{{}, part("what"), part("hint")};
    }
    const json::Value* result = answer->find("result");
    return result ? *result : json::Value{};
  }

 private:
  site::Content content_;
  api::Context context_;
};

int fail(const Error& error) {
  std::fprintf(stderr, "lk: %s\n", text(error).c_str());
  return usage_error;
}

std::string string_of(const json::Value& value, std::string_view key) {
  const json::Value* v = value.find(key);
  return v && v->is(json::Kind::string) ? v->string : std::string();
}

void put(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace

int figures(const Figures& command) {
  const Door door(command.content);
  if (!door.usable()) return content_error;
  const auto list = door.call("figure.list", "{}");
  if (!list) return fail(list.error());
  if (!command.json) {
    size_t width = 0;
    for (const json::Value& f : list->array) width = std::max(width, string_of(f, "id").size());
    for (const json::Value& f : list->array) {
      std::string id = string_of(f, "id");
      id.resize(width + 2, ' ');
      put(id + string_of(f, "title") + '\n');
    }
    return ok;
  }
  json::Writer w;
  w.begin_array();
  for (const json::Value& f : list->array) {
    const auto schema = door.call("figure.schema", "{\"id\":" + json::quoted(string_of(f, "id")) + "}");
    if (!schema) return fail(schema.error());
    w.raw(json::dump(*schema));
  }
  put(w.end_array().take() + '\n');
  return ok;
}

int figure(const Figure& command) {
  const Door door(command.content);
  if (!door.usable()) return content_error;
  json::Writer w;
  w.begin_object().field("id", command.id).field("mode", "strict").key("values").begin_object();
  std::vector<std::string> names;
  for (const std::string& pair : command.values) {
    const size_t equals = pair.find('=');
    if (equals == 0 || equals == std::string::npos)
      return fail({{}, "\"" + pair + "\" is no parameter", "write name=value, for example intensity=12"});
    const std::string name = pair.substr(0, equals);
    if (std::find(names.begin(), names.end(), name) != names.end())
      return fail({{}, "parameter \"" + name + "\" stands twice", "remove one"});
    names.push_back(name);
    w.field(name, pair.substr(equals + 1));
  }
  w.end_object();
  if (!command.device.empty()) w.field("device", command.device);
  if (command.format == "svg") w.field("width", command.width);
  if (command.format == "md") w.field("markdown", true);
  const auto answer = door.call(command.format == "svg" ? "figure.render" : "figure.evaluate", w.end_object().take());
  if (!answer) return fail(answer.error());
  std::string shown = command.format == "json"  ? json::dump(*answer)
                      : command.format == "svg" ? site::standalone_svg(string_of(*answer, "svg"))
                                                : string_of(*answer, "markdown");
  if (!shown.ends_with('\n')) shown += '\n';
  put(shown);
  return ok;
}

}  // namespace lk::cli
