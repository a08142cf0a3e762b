#include "site/content.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "api/api.h"
#include "api/catalog.h"
#include "base/json.h"

namespace lk::site {

namespace fs = std::filesystem;

namespace {

std::optional<std::string> read(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

book::Files files_in(const fs::path& folder) {
  book::Files files;
  files.read = [folder](std::string_view path) { return read(folder / path); };
  files.list = [folder](std::string_view path) {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder / path, error)) {
      std::string name = entry.path().filename().string();
      // Editors leave hidden files and backups beside what they edit.
      if ((entry.is_regular_file(error) || entry.is_directory(error)) && !name.starts_with('.') && !name.ends_with('~'))
        names.push_back(std::move(name));
    }
    std::sort(names.begin(), names.end());
    return names;
  };
  return files;
}

bool missing(const std::string& folder, Content& content) {
  std::error_code error;
  if (fs::is_regular_file(fs::path(folder) / "book.json", error)) return false;
  const bool there = fs::is_directory(folder, error);
  content.problems.push_back({Severity::error,
                              {{folder, 0, 0},
                               there ? "the folder holds no book.json" : "there is no such folder",
                               "run lk where the book's content folder is, or name that folder with --content"}});
  return true;
}

void name_files(const std::string& folder, std::vector<Problem>& problems) {
  for (Problem& p : problems)
    p.error.at.file = p.error.at.file.empty() ? folder : (fs::path(folder) / p.error.at.file).string();
}

}  // namespace

std::string problems_json(const std::vector<Problem>& problems) {
  json::Writer w;
  w.begin_object().key("problems").begin_array();
  for (const Problem& p : problems)
    w.begin_object()
        .field("severity", p.severity == Severity::error ? "error" : "warning")
        .field("file", p.error.at.file)
        .field("line", p.error.at.line)
        .field("column", p.error.at.column)
        .field("what", p.error.what)
        .field("hint", p.error.hint)
        .end_object();
  return w.end_array().end_object().take() + "\n";
}

std::string variants_text(const Content& content, const std::string& folder) {
  std::string out;
  for (const book::Variant& v : book::variants(content.book, api::catalog(content.world, content.answers))) {
    out += (fs::path(folder) / v.at.file).string() + ":" + std::to_string(v.at.line) + ":" + std::to_string(v.at.column) + ":\n";
    for (const auto& one : v.texts) {
      std::string devices;
      for (const std::string& id : one.devices) devices += (devices.empty() ? "" : ", ") + id;
      out += "  " + (v.texts.size() == 1 ? std::string("every device") : devices) + ": " + one.text + "\n";
    }
  }
  return out;
}

std::string variants_json(const Content& content, const std::string& folder) {
  json::Writer w;
  w.begin_object().key("variants").begin_array();
  for (const book::Variant& v : book::variants(content.book, api::catalog(content.world, content.answers))) {
    w.begin_object().field("file", (fs::path(folder) / v.at.file).string()).field("line", v.at.line).field("column", v.at.column);
    w.key("texts").begin_array();
    for (const auto& one : v.texts) {
      w.begin_object().key("devices").begin_array();
      for (const std::string& id : one.devices) w.value(id);
      w.end_array().field("text", one.text).end_object();
    }
    w.end_array().end_object();
  }
  return w.end_array().end_object().take() + "\n";
}

Content load_content(const std::string& folder, std::shared_ptr<api::Answers> answers) {
  Content content;
  if (missing(folder, content)) return content;
  book::Files files = files_in(folder);
  files.read = [&content, on_disk = std::move(files.read)](std::string_view path) {
    auto bytes = on_disk(path);
    if (bytes) content.files.insert_or_assign(std::string(path), *bytes);
    return bytes;
  };
  static_cast<api::Content&>(content) = api::read_content(files, std::move(answers));
  api::check_content(content);
  name_files(folder, content.problems);
  return content;
}

predict::KitFiles kit_files(const std::string& folder, std::vector<Problem>& problems) {
  predict::KitFiles out;
  const book::Files files = files_in(folder);
  const auto text_of = [&](const std::string& path) {
    auto text = files.read(path);
    if (!text) problems.push_back({Severity::error, {{folder + "/" + path, 0, 0}, "the file is missing", "predictions need it"}});
    return text.value_or(std::string());
  };
  const auto texts = [&](const std::string& under, std::string_view ending, bool whole_names) {
    predict::KitFiles::Texts list;
    for (const std::string& name : files.list(under))
      if (name.ends_with(ending)) list.emplace_back(whole_names ? name : name.substr(0, name.size() - ending.size()), text_of(under + "/" + name));
    return list;
  };
  out.devices = text_of("devices.json");
  out.launches = text_of("kernels.json");
  out.calibrations = texts("calibrations", ".json", true);
  out.measurements = texts("measurements", ".csv", false);
  out.listings = texts("listings", ".cu", true);
  return out;
}

Content load_world(const std::string& folder) {
  Content content;
  if (missing(folder, content)) return content;
  const book::Files files = files_in(folder);
  if (const auto devices = files.read("devices.json")) {
    const auto tables = [&](const std::string& under, std::vector<std::pair<std::string, std::string>>& out) {
      for (const std::string& name : files.list(under))
        if (name.ends_with(".csv")) out.emplace_back(name.substr(0, name.size() - 4), files.read(under + "/" + name).value_or(std::string()));
    };
    tables("measurements", content.book.measurements);
    tables("predictions", content.book.predictions);
    const std::string models = files.read("models.json").value_or(std::string()), compiled = files.read("compiled.json").value_or(std::string());
    content.world = api::load_world({*devices, content.book.measurements, models, compiled, content.book.predictions}, content.problems);
  } else {
    content.problems.push_back(
        {Severity::error, {{"devices.json", 0, 0}, "the file is missing", "figures need its table of devices"}});
  }
  name_files(folder, content.problems);
  sort_problems(content.problems);
  content.usable = !has_errors(content.problems);
  return content;
}

}  // namespace lk::site
