// What figures answer in the states that a text asks for: their fields and results, without their drawings. A text asks for the same states again and
// again, for each device, when it is checked and when it is rendered, and a writer's next build asks for nearly all of them once more.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "plot/figure.h"
#include "plot/world.h"

namespace lk::api {

struct Answer {
  std::vector<std::string> fields;
  std::vector<plot::Named> results;
};

/// Several threads may ask at once.
class Answers {
 public:
  /// Forgets everything unless `mark` is the last one: it stands for the tables that figures look at.
  void of_world(std::string mark);
  /// `query` is checked strictly; `device` may be empty.
  std::shared_ptr<const Result<Answer>> of(const World& world, std::string_view figure, const plot::Values& query, std::string_view device);

 private:
  std::mutex mutex_;
  std::string mark_;
  std::map<std::string, std::shared_ptr<const Result<Answer>>> known_;
};

}  // namespace lk::api
