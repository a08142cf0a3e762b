#include "site/worlds.h"

#include <algorithm>

#include "api/api.h"
#include "figures/registry.h"

namespace lk::site {

namespace {

bool shown(std::string_view kernel, std::string_view module) {
  const auto wants = [kernel](std::string_view name) { return name.starts_with('*') ? kernel.ends_with(name.substr(1)) : kernel == name; };
  for (const plot::Figure* figure : figures::all())
    if (figures::module_of(*figure) == module && std::any_of(figure->measured.begin(), figure->measured.end(), wants)) return true;
  return false;
}

/// The heading and the rows of kernels that the module's figures show.
std::string rows_shown(std::string_view csv, std::string_view module) {
  std::string out;
  for (bool heading = true; !csv.empty(); heading = false) {
    const std::string_view line = csv.substr(0, csv.find('\n'));
    csv.remove_prefix(std::min(line.size() + 1, csv.size()));
    if (heading || shown(line.substr(0, line.find(',')), module)) (out += line) += '\n';
  }
  return out;
}

}  // namespace

std::string module_world(const book::Book& book, std::string_view module) {
  api::Measurements measured = book.measurements;
  for (auto& [device, csv] : measured) csv = rows_shown(csv, module);
  return api::write_world({book.devices_json, measured, module == "serving" ? std::string_view(book.models_json) : std::string_view(),
                           module == "code" ? std::string_view(book.compiled_json) : std::string_view(),
                           module == "timing" ? book.predictions : api::Measurements()},
                          api::Detail::figures);
}

}  // namespace lk::site
