#include "api/catalog.h"

#include "figures/registry.h"

namespace lk::api {
namespace {

using plot::Binder;

Error unknown_figure(std::string_view id) {
  std::vector<std::string_view> ids;
  for (const plot::Figure* f : figures::all()) ids.push_back(f->id);
  const std::string near = closest(id, ids);
  return {{}, "unknown figure \"" + std::string(id) + '"', near.empty() ? "" : "did you mean \"" + near + "\"?"};
}

Result<plot::Evaluated> evaluate(const World& world, std::string_view id, const plot::Values& query, std::string_view device) {
  const plot::Figure* figure = figures::find(id);
  if (!figure) return unknown_figure(id);
  return plot::evaluate(*figure, world, query, device, Binder::Mode::strict);
}

Result<book::Catalog::ValueText> value(const World& world, std::string_view figure, std::string_view result, const plot::Values& query,
                                       std::string_view device) {
  const auto evaluated = evaluate(world, figure, query, device);
  if (!evaluated) return evaluated.error();
  if (const Num* num = evaluated->view.find(result)) {
    Parts p = parts(*num);
    return book::Catalog::ValueText{std::move(p.digits), std::move(p.unit), std::string(name(num->how)), plain(num->v)};
  }
  std::vector<std::string_view> ids;
  std::string known = "it has";
  for (const plot::Named& named : evaluated->view.out) {
    ids.push_back(named.id);
    known += ' ' + named.id;
  }
  const std::string near = closest(result, ids);
  return Error{{}, "the figure " + std::string(figure) + " has no result \"" + std::string(result) + '"',
               near.empty() ? known : "did you mean \"" + near + "\"?"};
}

}  // namespace

book::Catalog catalog(const World& world) {
  const World* w = &world;
  book::Catalog c;
  c.figures = [] {
    std::vector<std::string> ids;
    for (const plot::Figure* f : figures::all()) ids.emplace_back(f->id);
    return ids;
  };
  c.fields = [w](std::string_view figure) {
    std::vector<std::string> ids;
    if (const auto e = evaluate(*w, figure, {}, {}))
      for (const plot::FieldSpec& spec : e->specs) ids.push_back(spec.id);
    return ids;
  };
  c.results = [w](std::string_view figure) {
    std::vector<std::string> ids;
    if (const auto e = evaluate(*w, figure, {}, {}))
      for (const plot::Named& named : e->view.out) ids.push_back(named.id);
    return ids;
  };
  c.title = [](std::string_view figure) {
    const plot::Figure* f = figures::find(figure);
    return f ? std::string(f->title) : std::string();
  };
  c.check = [w](std::string_view id, const book::Pairs& query) -> std::vector<Error> {
    const plot::Figure* figure = figures::find(id);
    if (!figure) return {unknown_figure(id)};
    Binder binder(*w, query, {}, Binder::Mode::strict);
    figure->walk(binder, *w);
    binder.finish();
    if (!binder.problems().empty()) return binder.problems();
    // The fields are right; what remains is a fault of the figure itself.
    if (const auto e = evaluate(*w, id, query, {}); !e) return {e.error()};
    return {};
  };
  c.value = [w](std::string_view figure, std::string_view result, const book::Pairs& query, std::string_view device) {
    return value(*w, figure, result, query, device);
  };
  c.devices = [w] {
    std::vector<book::Catalog::DeviceName> names;
    for (const gpu::Device& d : w->devices.all) names.push_back({d.id, d.name, d.family});
    return names;
  };
  c.default_device = world.devices.fallback;
  return c;
}

}  // namespace lk::api
