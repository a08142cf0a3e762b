// A book in memory while somebody writes it: files put in, pages and problems out. What the editor's module and its tests use.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/api.h"
#include "api/content.h"

namespace lk::api {

class Author {
 public:
  /// `base` is where the site is mounted: what the links of previews begin with.
  explicit Author(std::string base) : base_(std::move(base)) {}

  /// A file of the content folder, new or in place of the one before: put("chapters/1-foundations/the-kv-cache.md", bytes).
  void put(std::string path, std::string bytes);
  /// False when there was no such file.
  bool remove(std::string_view path);
  void clear();

  /// The main part of the page that a file is behind, as `lk build` writes it: what stands inside <main>. Errors: a file without a page
  /// of its own, a book without an outline, tables that never could be read.
  struct Page {
    std::string file, url, title, html;  // url without the base
  };
  Result<Page> page(std::string_view file);

  /// Every problem, as `lk check` lists them. Kept until a file changes.
  const std::vector<Problem>& problems();
  /// Bytes of a file, nothing when there is none.
  std::optional<std::string_view> file(std::string_view path) const;
  const book::Book& book();
  /// Its world is that of the tables as they are or, while those have errors, as they last had none; has_world(): there is such a world.
  const Context& context();
  bool has_world();

 private:
  void read();
  std::map<std::string, std::string, std::less<>> files_;
  std::string base_;
  std::optional<Content> content_;  // none: a file has changed since
  bool checked_ = false;
  Context context_;
  bool has_world_ = false;
};

/// The files of a map as a folder: names of files and folders, without those that editors leave behind.
book::Files files_in(const std::map<std::string, std::string, std::less<>>& files);

/// One call of the editor, {"method", "params"}; answered as call() of api.h does. Besides figure_methods(), once there are tables to evaluate
/// figures with:
///   author.outline {}              {"title", "entries": [{"kind": "home" | "chapter" | "section" | "page" | "glossary" | "reading", "file",
///                                  "number", "title", "url", "written"}]} in the order of the book
///   author.preview {"file": path}  {"file", "url", "title", "html"}
///   author.check {}                {"problems": [{"severity", "file", "line", "column", "what", "hint", "from", "to"}]}; from and to count
///                                  UTF-16 units of the file's text: what to underline, nothing when they are equal
std::string call(Author& author, std::string_view request);

}  // namespace lk::api
