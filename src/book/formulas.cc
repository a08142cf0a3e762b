#include "book/formulas.h"

#include <algorithm>

#include "math/tex.h"

namespace lk::book {
namespace {

Node formula(const Dollars& dollars, const SourceText& source, std::vector<Problem>& problems) {
  Node node;
  node.kind = Kind::math;
  node.at = source.at(dollars.pieces.front().at.line, dollars.pieces.front().at.column);
  node.level = dollars.display ? 1 : 0;
  node.text = tex_of(dollars);
  for (math::Fault& fault : math::to_mathml(node.text, dollars.display).faults) {
    const Spot spot = place_in(dollars, fault.at);
    problems.push_back({Severity::error, {source.at(spot.line, spot.column), std::move(fault.what), std::move(fault.hint)}});
  }
  const size_t from = std::min(node.text.find_first_not_of(" \n\t"), node.text.size());
  node.text = node.text.substr(from, node.text.find_last_not_of(" \n\t") + 1 - from);
  return node;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

void take_formulas(Node& node, const Scan& scan, const SourceText& source, std::vector<Problem>& problems) {
  std::vector<Node> out;
  for (Node& child : node.children) {
    if (child.kind != Kind::text) {
      out.push_back(std::move(child));
      continue;
    }
    std::string_view rest = child.text;
    while (!rest.empty()) {
      const size_t at = std::min(rest.find(formula_open), rest.size());
      if (at > 0) {
        Node words;
        words.kind = Kind::text;
        words.at = child.at;
        words.text = std::string(rest.substr(0, at));
        out.push_back(std::move(words));
      }
      if (at == rest.size()) break;
      const FormulaTag tag = formula_tag(rest, at);
      rest.remove_prefix(at + std::max(tag.size, formula_open.size()));
      if (tag.size == 0 || tag.formula >= scan.formulas.size()) continue;
      if (tag.line == 0) {
        out.push_back(formula(scan.formulas[tag.formula], source, problems));
      } else if (!out.empty() && out.back().kind == Kind::soft_break) {
        out.pop_back();  // each line of a formula has a tag: the first stands for all
      }
    }
  }
  node.children = std::move(out);
}

void stray_dollars(std::string_view words, int line, const SourceText& source, std::vector<Problem>& problems) {
  const auto report = [&](std::string_view where, std::string what, std::string hint) {
    const size_t found = source.text().find(where, source.line_start(line));
    problems.push_back({Severity::error, {found == std::string::npos ? source.at(line, 1) : source.at_byte(found), std::move(what), std::move(hint)}});
  };
  if (words.find("$$") != std::string_view::npos) {
    report("$$", "`$$` opens a formula that never closes", "close it with $$ before the next empty line, or write \\$\\$");
    return;
  }
  for (size_t i = words.find('\\'); i != std::string_view::npos; i = words.find('\\', i + 1)) {
    size_t end = i + 1;
    while (end < words.size() && is_letter(words[end])) ++end;
    if (end < i + 3) continue;
    const std::string command(words.substr(i, end - i));
    report(command, command + " outside of a formula", "a formula opens with $ before no space and closes in the same line with $ after none");
    return;
  }
}

}  // namespace lk::book
