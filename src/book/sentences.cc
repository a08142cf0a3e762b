#include "book/sentences.h"

#include <algorithm>
#include <array>

namespace lk::book {
namespace {

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

}  // namespace

void flatten(const Node& node, Run& run) {
  if (node.kind == Kind::value) {
    const auto ref = value_ref(node.target);
    if (ref && ref->device.empty()) run.values.emplace_back(run.text.size(), &node);
  }
  if (node.kind == Kind::text || node.kind == Kind::code_span || node.kind == Kind::math) {
    run.text += node.text;
  } else if (node.kind == Kind::soft_break || node.kind == Kind::line_break) {
    run.text += ' ';
  }
  for (const Node& child : node.children) {
    if (child.kind < Kind::text && !run.text.empty()) run.text += ' ';
    flatten(child, run);
  }
}

std::vector<size_t> sentence_ends(std::string_view text) {
  static constexpr std::array<std::string_view, 8> abbreviations = {"e.g", "i.e", "vs", "cf", "fig", "approx", "ca", "no"};
  std::vector<size_t> out;
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != '.' && text[i] != '!' && text[i] != '?') continue;
    size_t next = i + 1;
    while (next < text.size() && (text[next] == ')' || text[next] == '"' || text[next] == '\'')) ++next;
    if (next >= text.size() || text[next] != ' ') continue;
    while (next < text.size() && text[next] == ' ') ++next;
    if (next < text.size() && text[next] >= 'a' && text[next] <= 'z') continue;
    const size_t space = text.rfind(' ', i);
    size_t from = space == std::string_view::npos ? 0 : space + 1;
    while (from < i && text[from] == '(') ++from;
    const std::string word = lowered(text.substr(from, i - from));
    if (text[i] == '.' && std::find(abbreviations.begin(), abbreviations.end(), word) != abbreviations.end()) continue;
    out.push_back(next);
  }
  out.push_back(text.size());
  return out;
}

}  // namespace lk::book
