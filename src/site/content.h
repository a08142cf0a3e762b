// content/ on the disk: loaded, checked, with the world that its figures look at.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "api/content.h"
#include "predict/kit.h"

namespace lk::site {

using api::has_errors;
using api::sort_problems;

/// Places of its problems name files as seen from here: "content/chapters/...".
struct Content : api::Content {
  std::map<std::string, std::string> files;  // all that was read, by path in the folder
};

/// Loads the folder and checks everything in it.
/// `answers`: see api::read_content.
Content load_content(const std::string& folder, std::shared_ptr<api::Answers> answers = {});

/// Only what figures need: devices and measurements.
Content load_world(const std::string& folder);

/// The texts that predictions and runs of kernels need; files that cannot be read are problems.
predict::KitFiles kit_files(const std::string& folder, std::vector<Problem>& problems);

/// {"problems": [{"severity", "file", "line", "column", "what", "hint"}]}
std::string problems_json(const std::vector<Problem>& problems);
/// Every sentence with values that follow the reader's device, as the readers of each device see it: as text, places first;
/// as JSON, {"variants": [{"file", "line", "column", "texts": [{"devices": [...], "text"}]}]}.
std::string variants_text(const Content& content, const std::string& folder);
std::string variants_json(const Content& content, const std::string& folder);

}  // namespace lk::site
