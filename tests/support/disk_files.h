// Content folders of the tests: files on disk, with a second folder for what the first lacks.
#pragma once
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "book/book.h"

namespace lk::test {

inline std::optional<std::string> read_file(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

inline book::Files disk_files(const std::vector<std::filesystem::path>& folders) {
  book::Files files;
  files.read = [folders](std::string_view path) -> std::optional<std::string> {
    for (const auto& folder : folders) {
      if (auto text = read_file(folder / path)) return text;
    }
    return std::nullopt;
  };
  files.list = [folders](std::string_view path) {
    std::set<std::string> names;
    for (const auto& folder : folders) {
      std::error_code error;
      for (std::filesystem::directory_iterator i(folder / path, error), end; !error && i != end; i.increment(error)) names.insert(i->path().filename().string());
    }
    return std::vector<std::string>(names.begin(), names.end());
  };
  return files;
}

}  // namespace lk::test
