// content/ on the disk: loaded, checked, with the world that its figures look at.
#pragma once
#include <string>
#include <vector>

#include "base/error.h"
#include "book/book.h"
#include "plot/world.h"
#include "predict/kit.h"

namespace lk::site {

struct Content {
  book::Book book;
  World world;
  std::vector<Problem> problems;  // places name files as seen from here: "content/chapters/..."
  bool usable = false;            // no errors: the book can be rendered
};

/// Loads the folder and checks everything in it.
Content load_content(const std::string& folder);

/// Only what figures need: devices and measurements.
Content load_world(const std::string& folder);

/// The texts that predictions and runs of kernels need; files that cannot be read are problems.
predict::KitFiles kit_files(const std::string& folder, std::vector<Problem>& problems);

bool has_errors(const std::vector<Problem>& problems);
/// {"problems": [{"severity", "file", "line", "column", "what", "hint"}]}
std::string problems_json(const std::vector<Problem>& problems);
/// Every sentence with values that follow the reader's device, as the readers of each device see it: as text, places first;
/// as JSON, {"variants": [{"file", "line", "column", "texts": [{"devices": [...], "text"}]}]}.
std::string variants_text(const Content& content, const std::string& folder);
std::string variants_json(const Content& content, const std::string& folder);
/// By file, line and column.
void sort_problems(std::vector<Problem>& problems);

}  // namespace lk::site
