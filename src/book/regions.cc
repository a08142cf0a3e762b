#include <algorithm>

#include "book/book.h"

namespace lk::book {
namespace {

struct Mark {
  std::string_view name;
  bool closes = false;
};

// A line that holds only "// [name]", "// [/name]", "# [name]" or "# [/name]".
std::optional<Mark> mark(std::string_view line) {
  const auto trim = [&line] {
    const size_t from = line.find_first_not_of(" \t");
    line.remove_prefix(std::min(from, line.size()));
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  };
  trim();
  if (line.substr(0, 2) == "//") {
    line.remove_prefix(2);
  } else if (line.substr(0, 1) == "#") {
    line.remove_prefix(1);
  } else {
    return std::nullopt;
  }
  trim();
  if (line.size() < 3 || line.front() != '[' || line.back() != ']') return std::nullopt;
  line = line.substr(1, line.size() - 2);
  Mark out;
  if (line.front() == '/') {
    out.closes = true;
    line.remove_prefix(1);
  }
  const bool plain = !line.empty() && std::all_of(line.begin(), line.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  if (!plain) return std::nullopt;
  out.name = line;
  return out;
}

template <class Each>
void each_line(std::string_view text, Each each) {
  for (int number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    each(line, number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

std::optional<Region> region(std::string_view listing, std::string_view name) {
  std::vector<std::string_view> kept;
  Region out;
  bool inside = name.empty();
  int opened = 0;
  each_line(listing, [&](std::string_view line, int number) {
    if (const auto found = mark(line)) {
      if (found->name != name) return;
      opened += found->closes ? 0 : 1;
      inside = !found->closes;
    } else if (inside) {
      kept.push_back(line);
      out.lines.push_back(number);
    }
  });
  if (!name.empty() && (opened != 1 || inside)) return std::nullopt;
  const auto blank = [](std::string_view line) { return line.find_first_not_of(" \t") == std::string_view::npos; };
  size_t front = 0;
  size_t back = kept.size();
  while (front < back && blank(kept[front])) ++front;
  while (back > front && blank(kept[back - 1])) --back;
  size_t indent = std::string_view::npos;
  for (size_t i = front; i < back; ++i) {
    if (!blank(kept[i])) indent = std::min(indent, kept[i].find_first_not_of(" \t"));
  }
  for (size_t i = front; i < back; ++i) {
    out.text += blank(kept[i]) ? std::string_view() : kept[i].substr(indent);
    out.text += '\n';
  }
  out.lines.erase(out.lines.begin() + static_cast<std::ptrdiff_t>(back), out.lines.end());
  out.lines.erase(out.lines.begin(), out.lines.begin() + static_cast<std::ptrdiff_t>(front));
  out.first_line = out.lines.empty() ? 1 : out.lines.front();
  return out;
}

std::vector<std::string> regions(std::string_view listing) {
  std::vector<std::string> out;
  each_line(listing, [&](std::string_view line, int) {
    const auto found = mark(line);
    if (found && !found->closes && std::find(out.begin(), out.end(), found->name) == out.end()) out.emplace_back(found->name);
  });
  return out;
}

}  // namespace lk::book
