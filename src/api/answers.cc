#include "api/answers.h"

#include "api/catalog.h"
#include "figures/registry.h"

namespace lk::api {
namespace {

constexpr size_t most = 32768;

Result<Answer> ask(const World& world, std::string_view id, const plot::Values& query, std::string_view device) {
  const plot::Figure* figure = figures::find(id);
  if (!figure) return unknown_figure(id);
  auto evaluated = plot::evaluate(*figure, world, query, device, plot::Binder::Mode::strict);
  if (!evaluated) return evaluated.error();
  Answer answer;
  for (const plot::FieldSpec& spec : evaluated->specs) answer.fields.push_back(spec.id);
  answer.results = std::move(evaluated->view.out);
  return answer;
}

}  // namespace

void Answers::of_world(std::string mark) {
  const std::lock_guard lock(mutex_);
  if (mark == mark_) return;
  known_.clear();
  mark_ = std::move(mark);
}

std::shared_ptr<const Result<Answer>> Answers::of(const World& world, std::string_view figure, const plot::Values& query, std::string_view device) {
  std::string key;
  (((key += figure) += '\n') += device) += '\n';
  for (const auto& [name, value] : query) (((key += name) += '=') += value) += '\n';
  {
    const std::lock_guard lock(mutex_);
    if (const auto at = known_.find(key); at != known_.end()) return at->second;
  }
  auto answer = std::make_shared<const Result<Answer>>(ask(world, figure, query, device));
  const std::lock_guard lock(mutex_);
  if (known_.size() >= most) known_.clear();
  return known_.emplace(std::move(key), std::move(answer)).first->second;
}

}  // namespace lk::api
