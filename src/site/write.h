// A site onto the disk, whole or not at all. A build that fails or is killed, at any moment, leaves the previous site
// as it was; what it left behind is cleared by the next one.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "site/site.h"

namespace lk::site {

/// The file in a written site that says so: what it was built with and, a line each, the hash and path of every file.
constexpr std::string_view marker = ".learn-kernels-site";

/// A folder that becomes a site: files go into a new folder beside `out`, which is flushed to the disk and then exchanged in
/// one step. An existing folder is replaced only when it is empty or holds the marker.
class Folder {
 public:
  static Result<std::unique_ptr<Folder>> open(const std::string& out);
  /// Removes what was not finished.
  virtual ~Folder() = default;
  /// Writes a file. Threads may call it at once. finish() tells what went wrong.
  virtual void put(const std::string& path, std::string_view bytes) = 0;
  /// Puts the site in place, its files having been put. Call it once.
  virtual std::optional<Error> finish(const Site& site) = 0;
};

/// Writes a site that holds its files.
std::optional<Error> write(const Site& site, const std::string& out);

/// What the marker of a folder says; an error when it is no site.
struct Written {
  std::string base, version;
  std::vector<std::pair<std::string, std::string>> files;  // path, hash
};
Result<Written> read_marker(const std::string& folder);

/// Compares every file with the marker: what is missing, changed or too much. Empty: the site is whole.
std::vector<std::string> differences(const std::string& folder);

/// The file at `path` (no "..") in a folder, never outside of it: links that lead out are not followed.
std::optional<File> read_file(const std::string& folder, std::string_view path);

}  // namespace lk::site
