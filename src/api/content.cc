#include "api/content.h"

#include <algorithm>
#include <tuple>

#include "api/api.h"
#include "api/catalog.h"

namespace lk::api {

bool has_errors(const std::vector<Problem>& problems) {
  return std::any_of(problems.begin(), problems.end(), [](const Problem& p) { return p.severity == Severity::error; });
}

void sort_problems(std::vector<Problem>& problems) {
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.error.at.file, a.error.at.line, a.error.at.column) < std::tie(b.error.at.file, b.error.at.line, b.error.at.column);
  });
}

Content read_content(const book::Files& files, std::shared_ptr<Answers> answers) {
  Content content;
  content.answers = answers ? std::move(answers) : std::make_shared<Answers>();
  content.book = book::load(files, content.problems);
  const size_t before = content.problems.size();
  if (files.read("devices.json")) {  // reported otherwise
    const book::Book& book = content.book;
    content.world = load_world({book.devices_json, book.measurements, book.models_json, book.compiled_json, book.predictions}, content.problems);
  }
  std::string tables = content.book.devices_json + content.book.models_json + content.book.compiled_json;
  for (const auto* texts : {&content.book.measurements, &content.book.predictions})
    for (const auto& [device, text] : *texts) tables += device + '\n' + text;
  content.answers->of_world(std::move(tables));
  const std::vector<Problem> found(content.problems.begin() + static_cast<std::ptrdiff_t>(before), content.problems.end());
  content.sound = !content.world.devices.all.empty() && !has_errors(found);
  return content;
}

void check_content(Content& content) {
  // Checks evaluate figures, which need a sound world, and look names up in files that could be read.
  if (content.sound && content.book.whole) book::check(content.book, catalog(content.world, content.answers), content.problems);
  sort_problems(content.problems);
  content.usable = !has_errors(content.problems);
}

}  // namespace lk::api
