#include "site/assets.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "site/sha256.h"

namespace lk::site {

namespace fs = std::filesystem;

namespace {

bool is_text(std::string_view name) {
  return name.ends_with(".js") || name.ends_with(".mjs") || name.ends_with(".css");
}
bool opens(char c) {
  return c == '"' || c == '\'' || c == '`' || c == '/' || c == '(';
}
bool closes(char c) {
  return c == '"' || c == '\'' || c == '`' || c == ')' || c == '?' || c == '#';
}

}  // namespace

std::map<std::string, std::string> read_folder(const std::string& folder,
                                               const std::vector<std::string_view>& endings) {
  std::map<std::string, std::string> out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.') || !entry.is_regular_file(error)) continue;
    if (std::none_of(endings.begin(), endings.end(), [&](std::string_view e) { return name.ends_with(e); })) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    out[name] = std::move(bytes).str();
  }
  return out;
}

std::string named(const std::string& name, const std::string& hash) {
  const size_t dot = name.rfind('.');
  return name.substr(0, dot) + '.' + hash.substr(0, 8) + name.substr(dot);
}

Assets::Assets(std::map<std::string, std::string> files, std::string base)
    : files_(std::move(files)), base_(std::move(base)) {}

std::string_view Assets::raw(std::string_view name) const {
  const auto it = files_.find(std::string(name));
  return it == files_.end() ? std::string_view{} : std::string_view(it->second);
}

std::string Assets::hashed(const std::string& name) {
  if (const auto it = done_.find(name); it != done_.end()) {
    if (it->second.empty())
      problems_.push_back({Severity::error,
                           {{name, 0, 0},
                            "assets mention each other in a circle, so neither can be named by its content",
                            "let the page hand over one of the addresses"}});
    return it->second;
  }
  done_[name] = {};
  const std::string& bytes = files_.at(name);
  std::string text = is_text(name) ? rewritten(bytes, "", name) : bytes;
  std::string full = named(name, sha256_hex(text));
  bytes_[full] = std::move(text);
  return done_[name] = full;
}

std::string Assets::rewritten(std::string_view text, std::string_view prefix, std::string_view self) {
  std::string out;
  size_t from = 0;
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    if (!opens(text[i])) continue;
    const size_t end = text.find_first_of("\"'`)?#/( \n", i + 1);
    if (end == std::string_view::npos || !closes(text[end])) continue;
    const std::string name(text.substr(i + 1, end - i - 1));
    if (name == self || files_.count(name) == 0) continue;
    // "./name" and "/anything/name" keep what stands before; a bare name gets the prefix.
    out.append(text.substr(from, i + 1 - from));
    if (text[i] != '/') out += prefix;
    out += hashed(name);
    from = end;
    i = end - 1;
  }
  out.append(text.substr(from));
  return out;
}

std::string Assets::address(std::string_view name) {
  return has(name) ? base_ + "assets/" + hashed(std::string(name)) : std::string();
}

std::string Assets::inlined(std::string_view name) {
  // A style sheet and scripts made from files end with a line end, which would count for the policy's hash all the
  // same.
  std::string text = rewritten(raw(name), base_ + "assets/", name);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

void Assets::add_to(Site& site) const {
  for (const auto& [name, bytes] : bytes_) site.add("assets/" + name, bytes);
}

}  // namespace lk::site
