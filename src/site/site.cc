#include "site/site.h"

#include <algorithm>

#include "site/sha256.h"

namespace lk::site {

File Site::taken(std::string path, std::string bytes) const {
  File file{std::move(path), {}, sha256_hex(bytes), bytes.size()};
  if (sink)
    sink(file.path, bytes);
  else
    file.bytes = std::move(bytes);
  return file;
}

void Site::add(std::string path, std::string bytes) {
  files.push_back(taken(std::move(path), std::move(bytes)));
}

const File* Site::find(std::string_view path) const {
  const auto it =
      std::lower_bound(files.begin(), files.end(), path, [](const File& f, std::string_view p) { return f.path < p; });
  return it != files.end() && it->path == path ? &*it : nullptr;
}

void Site::finish() {
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.path < b.path; });
  std::string all;
  for (const File& f : files) all += f.hash + ' ' + f.path + '\n';
  version = sha256_hex(all).substr(0, 16);
}

std::string address(std::string_view base, std::string_view path) {
  if (path == "index.html") return std::string(base);
  if (path.ends_with("/index.html")) path.remove_suffix(std::string_view("index.html").size());
  return std::string(base) + std::string(path);
}

}  // namespace lk::site
