#include "api/api.h"

namespace lk::api {
namespace {

std::string failure(const Error& error) {
  json::Writer w;
  w.begin_object().key("error").begin_object().field("what", error.what).field("hint", error.hint);
  w.field("line", error.at.line).field("column", error.at.column).end_object().end_object();
  return w.take();
}

Error at(const json::Value& value, std::string what, std::string hint) {
  return {{{}, value.line, value.column}, std::move(what), std::move(hint)};
}

Result<std::string> answer(std::span<const Methods> tables, const Context& context, std::string_view request) {
  const auto root = json::parse(request);
  if (!root) return root.error();
  if (!root->is(json::Kind::object))
    return at(*root, "a request is an object, this is " + std::string(json::name(root->kind)), R"(for example {"method": "figure.list"})");
  for (const auto& [key, value] : root->object)
    if (key != "method" && key != "params") return at(value, "unknown member \"" + key + '"', "a request has method and params");
  const json::Value* name = root->find("method");
  if (!name) return at(*root, "the request names no method", R"(for example {"method": "figure.list"})");
  if (!name->is(json::Kind::string)) return at(*name, "\"method\" must be a string, this is " + std::string(json::name(name->kind)), "");

  static const json::Value no_params = [] {
    json::Value v;
    v.kind = json::Kind::object;
    return v;
  }();
  const json::Value* params = root->find("params");
  if (!params) params = &no_params;
  if (!params->is(json::Kind::object))
    return at(*params, "\"params\" must be an object, this is " + std::string(json::name(params->kind)), "");

  std::vector<std::string_view> names;
  for (const Methods& table : tables) {
    for (const Method& method : table) {
      if (method.name == name->string) return method.call(context, *params);
      names.push_back(method.name);
    }
  }
  const std::string near = closest(name->string, names);
  std::string known = "known:";
  for (const std::string_view n : names) known += ' ' + std::string(n);
  const std::string shown = name->string.size() <= 60 ? " \"" + name->string + '"' : std::string();
  return at(*name, "unknown method" + shown, near.empty() ? known : "did you mean \"" + near + "\"?");
}

}  // namespace

std::string call(std::span<const Methods> tables, const Context& context, std::string_view request) {
  const auto result = answer(tables, context, request);
  if (!result) return failure(result.error());
  std::string out;
  out.reserve(result->size() + 16);
  out += "{\"result\":";
  out += *result;
  out += '}';
  return out;
}

}  // namespace lk::api
