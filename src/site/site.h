// A rendered site as a plain value: every file in memory, before anything is written or served.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lk::site {

struct File {
  std::string path;  // relative: "chapters/foundations/index.html"
  std::string bytes;
  std::string hash;  // SHA-256 in hex
};

struct Site {
  std::string base = "/";   // where it is mounted: "/", "/sub/path/"
  std::string version;      // hash over all paths and hashes
  std::vector<File> files;  // sorted by path

  void add(std::string path, std::string bytes);
  const File* find(std::string_view path) const;
  /// Sorts the files and computes the version. Call it once, when all are there.
  void finish();
};

/// The address of a file on the site: "index.html" files go by their folder ("/chapters/foundations/").
std::string address(std::string_view base, std::string_view path);

}  // namespace lk::site
