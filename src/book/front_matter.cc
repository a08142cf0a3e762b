#include "book/front_matter.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/utf8.h"

namespace lk::book {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t from = text.find_first_not_of(" \t\r");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

struct Entry {
  std::string key, value;
  Place key_at, value_at;
};

}  // namespace

FrontMatter read_front_matter(std::string_view text, std::string_view file, std::vector<Problem>& problems) {
  FrontMatter out;
  const auto place = [&](int line, size_t column) { return Place{std::string(file), line, static_cast<int>(column) + 1}; };
  const auto report = [&](Place at, std::string what, std::string hint) {
    problems.push_back({Severity::error, {std::move(at), std::move(what), std::move(hint)}});
  };
  const std::string_view example = "begin the file with --- , title: ..., lede: ... and ---";
  if (trimmed(text.substr(0, text.find('\n'))) != "---") {
    report(place(1, 0), "front matter is missing", std::string(example));
    return out;
  }
  const size_t before = problems.size();
  std::vector<Entry> entries;
  bool closed = false;
  size_t at = std::min(text.find('\n') + 1, text.size());
  int line = 1;
  while (at < text.size()) {
    ++line;
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view row = text.substr(at, end - at);
    at = std::min(end + 1, text.size());
    if (trimmed(row) == "---") {
      closed = true;
      break;
    }
    if (const size_t bad = first_invalid_utf8(row); bad < row.size()) report(place(line, bad), "bytes that are no UTF-8", "save the file as UTF-8");
    if (const size_t bad = first_control(row); bad < row.size()) report(place(line, bad), control_name(row[bad]), "remove it");
    if (trimmed(row).empty()) continue;
    if (row.front() == ' ' || row.front() == '\t') {
      if (entries.empty()) {
        report(place(line, 0), "an indented line that continues nothing", std::string(example));
      } else {
        entries.back().value += " " + std::string(trimmed(row));
      }
      continue;
    }
    const size_t colon = row.find(':');
    if (colon == std::string_view::npos) {
      report(place(line, 0), "a line of front matter without ':'", "write key: value");
      continue;
    }
    Entry entry;
    entry.key = std::string(trimmed(row.substr(0, colon)));
    entry.value = std::string(trimmed(row.substr(colon + 1)));
    entry.key_at = place(line, 0);
    entry.value_at = place(line, std::min(std::max(row.find_first_not_of(" \t", colon + 1), colon + 1), row.size()));
    entries.push_back(std::move(entry));
  }
  if (!closed) {
    problems.resize(before);  // of lines that were no front matter
    report(place(1, 0), "front matter never closes", "end it with a line ---");
    out.body = text.size();
    out.lines = line;
    return out;
  }
  out.body = at;
  out.lines = line;
  static constexpr std::array<std::string_view, 3> keys = {"title", "lede", "sources"};
  std::set<std::string> seen;
  for (Entry& entry : entries) {
    if (std::find(keys.begin(), keys.end(), entry.key) == keys.end()) {
      const std::string near = closest(entry.key, keys);
      report(entry.key_at, "unknown key `" + entry.key + "` in front matter", near.empty() ? "keys are title, lede and sources" : "did you mean `" + near + "`?");
      continue;
    }
    if (!seen.insert(entry.key).second) {
      report(entry.key_at, "key `" + entry.key + "` stands twice", "remove one");
      continue;
    }
    std::string& value = entry.value;
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
    if (value.empty()) {
      report(entry.key_at, "`" + entry.key + "` is empty", "write key: value");
    } else if (entry.key == "title") {
      out.title = value;
      out.title_at = entry.value_at;
    } else if (entry.key == "lede") {
      out.lede = value;
      out.lede_at = entry.value_at;
    } else if (value == "none") {
      out.sources = false;
    } else {
      report(entry.value_at, "`sources: " + value + "`", "only `sources: none` means something; sources stand under a heading Sources");
    }
  }
  for (const std::string_view key : {"title", "lede"}) {
    if (seen.count(std::string(key)) == 0) report(place(1, 0), "front matter has no `" + std::string(key) + "`", "add " + std::string(key) + ": ...");
  }
  return out;
}

}  // namespace lk::book
