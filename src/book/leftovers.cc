#include "book/leftovers.h"

#include <array>

namespace lk::book {
namespace {

constexpr std::array<std::string_view, 6> schemes{"term:", "figure:", "source:", "section:", "value:", "set:"};

void unread_notes(const std::string& words, const Scan& scan, std::set<std::string>& seen, std::vector<Leftover>& out) {
  for (size_t i = words.find("[^"); i != std::string::npos; i = words.find("[^", i + 2)) {
    const size_t end = words.find(']', i);
    if (end == std::string::npos || end == i + 2) continue;
    const std::string label = words.substr(i + 2, end - i - 2);
    const auto place = scan.footnote_refs.find(label);
    if (place == scan.footnote_refs.end() || !seen.insert(label).second) continue;
    std::vector<std::string> names;
    for (const auto& [name, spot] : scan.footnotes) names.push_back(name);
    const std::string near = closest(label, names);
    out.push_back({place->second, "footnote [^" + label + "] has no text",
                   near == label  ? "its text stands in code or a comment: does one before it never close?"
                   : near.empty() ? "write a line that begins with [^" + label + "]:"
                                  : "did you mean [^" + near + "]?"});
  }
}

// Each possible address carries a tag; one that is still in the words stood in no link.
void unread_links(std::string_view words, const Scan& scan, std::vector<Leftover>& out) {
  for (size_t i = words.find(tag_open); i != std::string_view::npos; i = words.find(tag_open, i)) {
    std::string tag;
    const size_t close = words.find(tag_close, i);
    if (close == std::string_view::npos) return;
    tag = std::string(words.substr(i, close + tag_close.size() - i));
    const int number = strip_tags(tag);
    i = close + tag_close.size();
    std::string_view rest = words.substr(i);
    if (rest.substr(0, 1) == "<") rest.remove_prefix(1);
    while (rest.substr(0, 1) == " ") rest.remove_prefix(1);
    for (const std::string_view scheme : schemes) {
      if (rest.substr(0, scheme.size()) != scheme) continue;
      if (number < 0 || static_cast<size_t>(number) >= scan.links.size()) continue;
      out.push_back({scan.links[static_cast<size_t>(number)], "`" + std::string(scheme) + "` stands in words, not in a link",
                     "an address holds no spaces, and its brackets and parentheses close: [words](" + std::string(scheme) + "name)"});
    }
  }
}

}  // namespace

std::vector<Leftover> leftovers(std::string_view words, const Scan& scan, std::set<std::string>& seen) {
  std::vector<Leftover> out;
  unread_links(words, scan, out);
  std::string plain(words);
  strip_tags(plain);
  unread_notes(plain, scan, seen, out);
  return out;
}

}  // namespace lk::book
