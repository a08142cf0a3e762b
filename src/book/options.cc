#include "book/options.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lk::book {
namespace {

constexpr std::array<std::string_view, 13> languages = {"cuda", "cpp", "c", "ptx", "sass", "python", "mlir", "json", "sh", "console", "text", "stats", ""};
constexpr std::array<std::string_view, 5> known_options = {"file", "caption", "source", "hot", "checked"};

Place moved(const Place& place, size_t columns) {
  Place out = place;
  out.column += static_cast<int>(columns);
  return out;
}

}  // namespace

void parse_info(std::string_view info, const Place& place, Node& listing, std::vector<Problem>& problems) {
  const auto report = [&](size_t at, std::string what, std::string hint) {
    problems.push_back({Severity::error, {moved(place, at), std::move(what), std::move(hint)}});
  };
  size_t i = std::min(info.find(' '), info.size());
  listing.info = std::string(info.substr(0, i));
  if (std::find(languages.begin(), languages.end(), listing.info) == languages.end()) {
    const std::string near = closest(listing.info, languages);
    report(0, "unknown language `" + listing.info + "`", near.empty() ? "use cuda, cpp, ptx, sass, python, mlir, json, sh, console or text" : "did you mean `" + near + "`?");
  }
  while (i < info.size()) {
    if (info[i] == ' ' || info[i] == '\t') {
      ++i;
      continue;
    }
    const size_t start = i;
    const size_t equals = info.find_first_of("= ", i);
    if (equals == std::string_view::npos || info[equals] == ' ') {
      const size_t end = std::min(equals, info.size());
      report(start, "`" + std::string(info.substr(start, end - start)) + "` in a listing's first line is no option", "write name=value");
      i = end;
      continue;
    }
    std::string name(info.substr(start, equals - start));
    std::string value;
    i = equals + 1;
    if (i < info.size() && info[i] == '"') {
      const size_t close = info.find('"', i + 1);
      if (close == std::string_view::npos) {
        report(i, "a quote that never closes", "end it with \"");
        value = std::string(info.substr(i + 1));
        i = info.size();
      } else {
        value = std::string(info.substr(i + 1, close - i - 1));
        i = close + 1;
      }
    } else {
      const size_t end = std::min(info.find(' ', i), info.size());
      value = std::string(info.substr(i, end - i));
      i = end;
    }
    if (std::find(known_options.begin(), known_options.end(), name) == known_options.end()) {
      const std::string near = closest(name, known_options);
      report(start, "unknown option `" + name + "` of a listing", near.empty() ? "options are file, caption, source and hot" : "did you mean `" + near + "`?");
      continue;
    }
    const auto same = [&](const auto& pair) { return pair.first == name; };
    if (std::any_of(listing.options.begin(), listing.options.end(), same)) {
      report(start, "option `" + name + "` stands twice", "remove one");
      continue;
    }
    if (name == "hot" && line_list(value).empty()) {
      report(start, "`" + value + "` is no list of lines", "write hot=16 or hot=16,18-20");
      continue;
    }
    if (name == "file") {
      const size_t hash = value.find('#');
      if (hash != std::string::npos) {
        listing.options.emplace_back("region", value.substr(hash + 1));
        value.resize(hash);
      }
    }
    listing.options.emplace_back(std::move(name), std::move(value));
  }
}

std::vector<int> line_list(std::string_view text) {
  std::vector<int> out;
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    int from = 0;
    const char* stop = part.data() + part.size();
    auto read = std::from_chars(part.data(), stop, from);
    if (read.ec != std::errc()) return {};
    int to = from;
    if (read.ptr != stop) {
      if (*read.ptr != '-') return {};
      read = std::from_chars(read.ptr + 1, stop, to);
      if (read.ec != std::errc() || read.ptr != stop) return {};
    }
    if (from < 1 || to < from || to - from > 10000) return {};
    for (int n = from; n <= to; ++n) out.push_back(n);
  }
  return out;
}

}  // namespace lk::book
