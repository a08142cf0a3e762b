// The built front end, fonts and modules: content-hashed names, references between them rewritten to those names.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "site/site.h"

namespace lk::site {

/// The files of a folder (not of its subfolders) whose names end in one of `endings`: name -> bytes.
std::map<std::string, std::string> read_folder(const std::string& folder, const std::vector<std::string_view>& endings);

/// "main.js" with its hash: "main.0a1b2c3d.js".
std::string named(const std::string& name, const std::string& hash);

/// What goes into pages and what goes into assets/. Names are those of the build ("main.js"); "main.js" becomes
/// "assets/main.<hash>.js", and so does its name in every script and style sheet that mentions it as a whole: after a
/// quote, a slash or an opening parenthesis, before a quote, a closing parenthesis, '?' or '#'.
class Assets {
 public:
  /// `base` prefixes addresses. Files that nobody asks for or mentions are left out.
  Assets(std::map<std::string, std::string> files, std::string base);

  /// One more file.
  void add(const std::string& name, std::string bytes) { files_[name] = std::move(bytes); }
  /// Hashes `name` and all it mentions into the site; its address ("/assets/main.0a1b2c3d4e.js"), empty when there is
  /// no such file.
  std::string address(std::string_view name);
  /// Text that goes into a page, its mentions rewritten to addresses. Empty when there is no such file.
  std::string inlined(std::string_view name);
  bool has(std::string_view name) const { return files_.count(std::string(name)) != 0; }
  /// The bytes as they are.
  std::string_view raw(std::string_view name) const;
  /// Files of assets/ so far.
  void add_to(Site& site) const;
  /// Circles of mentions, which no hash can name.
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::string hashed(const std::string& name);  // "main.0a1b2c3d4e.js"
  std::string rewritten(std::string_view text, std::string_view prefix, std::string_view self);
  std::map<std::string, std::string> files_;
  std::map<std::string, std::string> done_;   // name -> hashed name; empty while at work
  std::map<std::string, std::string> bytes_;  // hashed name -> bytes
  std::string base_;
  std::vector<Problem> problems_;
};

}  // namespace lk::site
