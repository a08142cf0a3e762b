#include "api/catalog.h"

#include <map>
#include <memory>

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

/// What a figure answers in a state: its fields and results, without its drawing.
struct Answer {
  std::vector<std::string> fields;
  std::vector<plot::Named> results;
};

/// A text asks for the same states again and again: for each device, when it is checked and when it is rendered.
class Answers {
 public:
  explicit Answers(const World& world) : world_(world) {}

  /// Valid until the next call.
  const Result<Answer>& of(std::string_view figure, const plot::Values& query, std::string_view device) {
    std::string key;
    (((key += figure) += '\n') += device) += '\n';
    for (const auto& [name, value] : query) (((key += name) += '=') += value) += '\n';
    const auto at = known_.find(key);
    if (at != known_.end()) return at->second;
    if (known_.size() >= most) known_.clear();
    return known_.emplace(std::move(key), ask(figure, query, device)).first->second;
  }

 private:
  Result<Answer> ask(std::string_view figure, const plot::Values& query, std::string_view device) const {
    auto evaluated = evaluate(world_, figure, query, device);
    if (!evaluated) return evaluated.error();
    Answer answer;
    for (const plot::FieldSpec& spec : evaluated->specs) answer.fields.push_back(spec.id);
    answer.results = std::move(evaluated->view.out);
    return answer;
  }

  static constexpr size_t most = 4096;
  const World& world_;
  std::map<std::string, Result<Answer>> known_;
};

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

book::Catalog catalog(const World& world) {
  const World* w = &world;
  const auto answers = std::make_shared<Answers>(world);
  book::Catalog c;
  c.figures = [] {
    std::vector<std::string> ids;
    for (const plot::Figure* f : figures::all()) ids.emplace_back(f->id);
    return ids;
  };
  c.fields = [answers](std::string_view figure) {
    const Result<Answer>& answer = answers->of(figure, {}, {});
    return answer ? answer->fields : std::vector<std::string>();
  };
  c.results = [answers](std::string_view figure) {
    std::vector<std::string> ids;
    if (const Result<Answer>& answer = answers->of(figure, {}, {}))
      for (const plot::Named& named : answer->results) ids.push_back(named.id);
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
    if (const Result<Answer>& answer = answers->of(id, query, {}); !answer) return {answer.error()};
    return {};
  };
  c.value = [answers](std::string_view figure, std::string_view result, const book::Pairs& query, std::string_view device) {
    return value(answers->of(figure, query, device), figure, result);
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
