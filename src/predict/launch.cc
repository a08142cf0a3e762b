#include "predict/launch.h"

#include <algorithm>

#include "predict/expression.h"

namespace lk::predict {
namespace {

constexpr std::pair<std::string_view, Fill> fills[] = {
    {"nothing", Fill::nothing}, {"zeros", Fill::zeros}, {"ones", Fill::ones}, {"iota", Fill::iota}, {"random", Fill::random}};

// An expression or a list of up to three: x, y and z.
std::array<std::string, 3> read_extent(json::Reader& r, std::string_view key) {
  std::array<std::string, 3> out;
  const json::Value* v = r.value(key);
  if (v && v->is(json::Kind::string)) {
    out[0] = v->string;
  } else if (v && v->is(json::Kind::array) && !v->array.empty() && v->array.size() <= 3) {
    for (size_t i = 0; i < v->array.size(); ++i) out[i] = v->array[i].string;
  } else {
    r.problem(v ? *v : r.self(), '"' + std::string(key) + "\" must be an expression or up to three of them", "for example \"up(n, 256)\" or [\"n / 32\", \"n / 32\"]");
  }
  return out;
}

Parameter read_parameter(const json::Value& item, std::string_view file, std::vector<Problem>& problems) {
  json::Reader r(item, file, problems);
  Parameter p;
  p.name = r.text("name");
  p.doc = r.text("doc");
  p.least = r.number("least", 1);
  p.most = r.number("most", 1e9);
  if (item.find("default")) p.value = r.number("default");
  r.done();
  if (!(p.least <= p.most)) r.problem(item, "\"least\" is above \"most\"", "no value would do");
  return p;
}

LaunchArgument read_argument(const json::Value& item, std::string_view file, std::vector<Problem>& problems) {
  json::Reader r(item, file, problems);
  LaunchArgument a;
  a.array = r.text("array", "");
  if (a.array.empty()) {
    a.value = r.text("value");
  } else {
    a.count = r.text("count");
    const std::string fill = r.text("fill", "nothing");
    const auto* found = std::find_if(std::begin(fills), std::end(fills), [&](const auto& f) { return f.first == fill; });
    if (found == std::end(fills))
      r.problem(item, "unknown fill \"" + fill + '"', "known: nothing, zeros, ones, iota, random");
    else
      a.fill = found->second;
  }
  r.done();
  return a;
}

Names names_of(const Values& values) {
  Names out;
  for (const auto& [name, v] : values) out.emplace_back(name, static_cast<int64_t>(v));
  return out;
}

}  // namespace

std::vector<LaunchCase> load_launches(const json::Value& root, std::string_view file, std::vector<Problem>& problems) {
  std::vector<LaunchCase> out;
  json::Reader top(root, file, problems);
  for (const json::Value& item : top.array("kernels", true)) {
    json::Reader r(item, file, problems);
    LaunchCase c;
    c.kernel.name = r.text("name");
    c.kernel.family = r.text("family");
    c.kernel.doc = r.text("doc");
    c.file = r.text("file");
    c.function = r.text("function", c.kernel.name);
    for (const json::Value& p : r.array("parameters", true)) c.kernel.parameters.push_back(read_parameter(p, file, problems));
    c.grid = read_extent(r, "grid");
    c.block = read_extent(r, "block");
    c.dynamic_shared = r.text("dynamic_shared", "");
    for (const json::Value& a : r.array("arguments", true)) c.arguments.push_back(read_argument(a, file, problems));
    c.flushed = r.boolean("flushed", true);
    c.flop = r.text("flop", "");
    c.example = r.text("example");
    c.registers = r.integer("registers", 0);
    r.done();
    for (const LaunchCase& before : out)
      if (before.kernel.name == c.kernel.name) r.problem(item, "the kernel \"" + c.kernel.name + "\" occurs twice", "names must differ");
    if (const auto read = read_values(c.kernel, c.example); !read) r.problem(item, "the example: " + read.error().what, read.error().hint);
    Values least;
    for (const Parameter& p : c.kernel.parameters) least.emplace_back(p.name, p.least);
    if (const auto tried = sizes(c, least); !tried) r.problem(item, c.kernel.name + ": " + tried.error().what, tried.error().hint);
    out.push_back(std::move(c));
  }
  top.done();
  return out;
}

Result<Sizes> sizes(const LaunchCase& c, const Values& values) {
  const Names names = names_of(values);
  Error wrong;
  const auto number = [&](const std::string& text, std::string_view what, int64_t least, int64_t most) -> int64_t {
    if (text.empty()) return std::max<int64_t>(least, least == 0 ? 0 : 1);
    const auto v = evaluate(text, names);
    if (v && *v >= least && *v <= most) return *v;
    if (wrong.what.empty())
      wrong = v ? Error{{}, std::string(what) + " would be " + std::to_string(*v), "it goes from " + std::to_string(least) + " to " + std::to_string(most)}
                : Error{{}, std::string(what) + " \"" + text + "\": " + v.error().what, v.error().hint};
    return least;
  };
  Sizes out;
  out.grid = {static_cast<uint32_t>(number(c.grid[0], "the grid", 1, 0x7fffffff)), static_cast<uint32_t>(number(c.grid[1], "the grid's y", 1, 65535)),
              static_cast<uint32_t>(number(c.grid[2], "the grid's z", 1, 65535))};
  out.block = {static_cast<uint32_t>(number(c.block[0], "the block", 1, 1024)), static_cast<uint32_t>(number(c.block[1], "the block's y", 1, 1024)),
               static_cast<uint32_t>(number(c.block[2], "the block's z", 1, 64))};
  out.dynamic_shared = static_cast<uint32_t>(number(c.dynamic_shared, "dynamic shared memory", 0, 1 << 20));
  for (const LaunchArgument& a : c.arguments)
    out.counts.push_back(a.array.empty() ? number(a.value, "an argument", INT64_MIN / 2, INT64_MAX / 2) : number(a.count, "the length of an array", 0, int64_t{1} << 40));
  out.flop = static_cast<double>(number(c.flop, "the operations", 0, INT64_MAX));
  if (!wrong.what.empty()) return wrong;
  return out;
}

}  // namespace lk::predict
