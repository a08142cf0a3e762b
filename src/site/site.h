// A rendered site as a plain value: what is served lies in memory, what is written goes to the disk file by file.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lk::site {

struct File {
  std::string path;  // relative: "chapters/foundations/index.html"
  std::string bytes;  // empty when a sink took them
  std::string hash;   // SHA-256 in hex
  size_t size = 0;
};

/// Takes the bytes of a file, so that the site need not hold them. Several threads may call it at once.
using Sink = std::function<void(const std::string& path, std::string_view bytes)>;

struct Site {
  std::string base = "/";   // where it is mounted: "/", "/sub/path/"
  std::string version;      // hash over all paths and hashes
  std::vector<File> files;  // sorted by path
  Sink sink;                // may be empty

  /// The file as the site keeps it, its bytes given to the sink if there is one. Threads may call it at once.
  File taken(std::string path, std::string bytes) const;
  void add(std::string path, std::string bytes);
  const File* find(std::string_view path) const;
  /// Sorts the files and computes the version. Call it once, when all are there.
  void finish();
};

/// The address of a file on the site: "index.html" files go by their folder ("/chapters/foundations/").
std::string address(std::string_view base, std::string_view path);

}  // namespace lk::site
