#include "cli/kit.h"

#include "site/content.h"

namespace lk::cli {

predict::Kit load_kit(const std::string& content, std::vector<Problem>& problems) {
  std::vector<Problem> found;
  predict::Kit kit = predict::load_kit(site::kit_files(content, found), found);
  for (Problem& p : found) {
    if (!p.error.at.file.empty() && !p.error.at.file.starts_with(content)) p.error.at.file = content + "/" + p.error.at.file;
    problems.push_back(std::move(p));
  }
  return kit;
}

}  // namespace lk::cli
