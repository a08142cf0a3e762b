// A content folder of the disk as a map, for books in memory.
#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "support/disk_files.h"

namespace lk::test {

using MemoryFiles = std::map<std::string, std::string, std::less<>>;

/// All files of the folders; the first that has a path wins.
inline MemoryFiles memory_files(const std::vector<std::filesystem::path>& folders) {
  MemoryFiles out;
  for (const auto& folder : folders)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.is_regular_file()) out.emplace(std::filesystem::relative(entry.path(), folder).generic_string(), *read_file(entry.path()));
  return out;
}

}  // namespace lk::test
