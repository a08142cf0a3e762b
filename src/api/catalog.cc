#include "api/catalog.h"

#include "figures/registry.h"

namespace lk::api {

Error unknown_figure(std::string_view id) {
  std::vector<std::string_view> ids;
  for (const plot::Figure* f : figures::all()) ids.push_back(f->id);
  const std::string near = closest(id, ids);
  return {{}, "unknown figure \"" + std::string(id) + '"', near.empty() ? "" : "did you mean \"" + near + "\"?"};
}

namespace {

using plot::Binder;

Result<book::Catalog::ValueText> value(const Result<Answer>& answer, std::string_view figure, std::string_view result) {
  if (!answer) return answer.error();
  std::vector<std::string_view> ids;
  std::string known = "it has";
  for (const plot::Named& named : answer->results) {
    if (named.id == result) {
      Parts p = parts(named.num);
      return book::Catalog::ValueText{std::move(p.digits), std::move(p.unit), std::string(name(named.num.how)), plain(named.num.v)};
    }
    ids.push_back(named.id);
    known += ' ' + named.id;
  }
  const std::string near = closest(result, ids);
  return Error{{}, "the figure " + std::string(figure) + " has no result \"" + std::string(result) + '"',
               near.empty() ? known : "did you mean \"" + near + "\"?"};
}

}  // namespace

book::Catalog catalog(const World& world, std::shared_ptr<Answers> answers) {
  const World* w = &world;
  if (!answers) answers = std::make_shared<Answers>();
  book::Catalog c;
  c.figures = [] {
    std::vector<std::string> ids;
    for (const plot::Figure* f : figures::all()) ids.emplace_back(f->id);
    return ids;
  };
  c.fields = [w, answers](std::string_view figure) {
    const auto answer = answers->of(*w, figure, {}, {});
    return *answer ? (*answer)->fields : std::vector<std::string>();
  };
  c.results = [w, answers](std::string_view figure) {
    std::vector<std::string> ids;
    if (const auto answer = answers->of(*w, figure, {}, {}); *answer)
      for (const plot::Named& named : (*answer)->results) ids.push_back(named.id);
    return ids;
  };
  c.title = [](std::string_view figure) {
    const plot::Figure* f = figures::find(figure);
    return f ? std::string(f->title) : std::string();
  };
  c.check = [w, answers](std::string_view id, const book::Pairs& query) -> std::vector<Error> {
    const plot::Figure* figure = figures::find(id);
    if (!figure) return {unknown_figure(id)};
    Binder binder(*w, query, {}, Binder::Mode::strict);
    figure->walk(binder, *w);
    binder.finish();
    if (!binder.problems().empty()) return binder.problems();
    // The fields are right; what remains is a fault of the figure itself.
    if (const auto answer = answers->of(*w, id, query, {}); !*answer) return {answer->error()};
    return {};
  };
  c.value = [w, answers](std::string_view figure, std::string_view result, const book::Pairs& query, std::string_view device) {
    return value(*answers->of(*w, figure, query, device), figure, result);
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
