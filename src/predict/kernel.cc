#include "predict/kernel.h"

#include <algorithm>
#include <cmath>

#include "base/number.h"

namespace lk::predict {
namespace {

constexpr std::string_view between = "; ,\t";

std::string list_of(const Kernel& kernel) {
  std::string out;
  for (const Parameter& p : kernel.parameters) out += (out.empty() ? "" : ", ") + p.name;
  return out;
}

Error wrong(std::string what, std::string hint) { return {{}, std::move(what), std::move(hint)}; }

const Parameter* find(const Kernel& kernel, std::string_view name) {
  for (const Parameter& p : kernel.parameters)
    if (p.name == name) return &p;
  return nullptr;
}

Result<double> read_value(const Kernel& kernel, const Parameter& p, std::string_view text) {
  const auto v = read_number(text);
  const std::string name = kernel.name + ": " + p.name;
  if (!v || !std::isfinite(*v)) return wrong(name + "=" + std::string(text) + " is no number", p.doc);
  if (p.whole && *v != std::floor(*v)) return wrong(name + "=" + std::string(text) + " is not whole", p.doc);
  if (*v < p.least || *v > p.most)
    return wrong(name + "=" + std::string(text) + " is out of range", "from " + plain(p.least) + " to " + plain(p.most));
  return *v;
}

}  // namespace

double value(const Values& values, std::string_view name) {
  for (const auto& [key, v] : values)
    if (key == name) return v;
  return 0;
}

Result<Values> read_values(const Kernel& kernel, std::string_view text) {
  Values given;
  while (true) {
    const size_t start = text.find_first_not_of(between);
    if (start == std::string_view::npos) break;
    text.remove_prefix(start);
    const std::string_view part = text.substr(0, text.find_first_of(between));
    text.remove_prefix(part.size());
    const size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return wrong(kernel.name + ": \"" + std::string(part) + "\" is no name=value", "parameters are " + list_of(kernel));
    const std::string_view name = part.substr(0, equals);
    const Parameter* p = find(kernel, name);
    if (!p) {
      std::vector<std::string> names;
      for (const Parameter& q : kernel.parameters) names.push_back(q.name);
      const std::string near = closest(name, names);
      return wrong(kernel.name + " has no parameter \"" + std::string(name) + '"', near.empty() ? "parameters are " + list_of(kernel) : "did you mean " + near + "?");
    }
    for (const auto& [key, v] : given)
      if (key == name) return wrong(kernel.name + ": " + key + " is given twice", "once is enough");
    const auto v = read_value(kernel, *p, part.substr(equals + 1));
    if (!v) return v.error();
    given.emplace_back(p->name, *v);
  }
  Values out;
  for (const Parameter& p : kernel.parameters) {
    const auto at = std::find_if(given.begin(), given.end(), [&](const auto& pair) { return pair.first == p.name; });
    if (at == given.end() && !p.value) return wrong(kernel.name + ": " + p.name + " is missing", p.doc);
    out.emplace_back(p.name, at == given.end() ? *p.value : at->second);
  }
  return out;
}

std::vector<std::string> outside(const Kernel& kernel, const Values& values, const gpu::MeasuredSet* rows) {
  std::vector<std::string> out;
  bool any = false;
  for (const auto& [name, v] : values) {
    double least = INFINITY, most = -INFINITY;
    if (rows) {
      for (const gpu::MeasuredRow& row : rows->rows) {
        if (row.kernel != kernel.name) continue;
        any = true;
        const auto of_row = row.param(name);
        const Parameter* p = find(kernel, name);
        const double x = of_row ? *of_row : p && p->value ? *p->value : NAN;
        if (std::isnan(x)) continue;
        least = std::min(least, x);
        most = std::max(most, x);
      }
    }
    if (least > most || (v >= least && v <= most)) continue;
    out.push_back(least == most ? name + "=" + plain(v) + ": measured at " + plain(least) + " only"
                                : name + "=" + plain(v) + ": measured from " + plain(least) + " to " + plain(most));
  }
  if (!any) out.push_back("no measurements of this kernel");
  return out;
}

}  // namespace lk::predict
