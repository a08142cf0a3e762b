// The kit of predictions and runs, from the files of a content folder.
#pragma once
#include <string>
#include <vector>

#include "base/error.h"
#include "predict/kit.h"

namespace lk::cli {

predict::Kit load_kit(const std::string& content, std::vector<Problem>& problems);

}  // namespace lk::cli
