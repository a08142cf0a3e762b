// A small check that a text is one well-formed XML element; also lists its elements and attributes.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lk::test {

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  // direct character data
  std::string at(const std::string& attribute) const {
    const auto it = attributes.find(attribute);
    return it == attributes.end() ? "" : it->second;
  }
};

/// Fills `out` with all elements in document order; returns what is wrong, empty when nothing is.
inline std::string read_xml(std::string_view s, std::vector<Element>& out) {
  std::vector<size_t> open;
  size_t i = 0;
  const auto name_at = [&](size_t& at) {
    const size_t from = at;
    while (at < s.size() && (std::isalnum(static_cast<unsigned char>(s[at])) || s[at] == '-' || s[at] == ':' || s[at] == '_')) ++at;
    return std::string(s.substr(from, at - from));
  };
  const auto fail = [&](const std::string& what) { return what + " near '" + std::string(s.substr(i > 30 ? i - 30 : 0, 60)) + "'"; };
  const auto good_text = [](std::string_view t) -> bool {
    for (size_t k = 0; k < t.size(); ++k) {
      const auto c = static_cast<unsigned char>(t[k]);
      if (c < 0x20 && c != '\n' && c != '\t') return false;
      if (c == '<') return false;
      if (c != '&') continue;
      const size_t end = t.find(';', k);
      if (end == std::string_view::npos || end - k > 8 || end - k < 2) return false;
      const std::string_view entity = t.substr(k + 1, end - k - 1);
      if (entity[0] != '#' && entity != "amp" && entity != "lt" && entity != "gt" && entity != "quot" && entity != "apos") return false;
    }
    return true;
  };
  bool closed_root = false;
  while (i < s.size()) {
    if (s[i] != '<') {
      const size_t next = std::min(s.find('<', i), s.size());
      const std::string_view t = s.substr(i, next - i);
      if (open.empty()) return fail("text outside the element");
      if (!good_text(t)) return fail("bad text");
      out[open.back()].text += t;
      i = next;
      continue;
    }
    if (s.substr(i, 2) == "</") {
      i += 2;
      const std::string name = name_at(i);
      if (open.empty() || out[open.back()].name != name) return fail("an end tag without its start");
      if (i >= s.size() || s[i] != '>') return fail("an unfinished end tag");
      ++i;
      open.pop_back();
      closed_root = open.empty();
      continue;
    }
    if (closed_root) return fail("a second element");
    ++i;
    Element e;
    e.name = name_at(i);
    if (e.name.empty()) return fail("a tag without a name");
    for (;;) {
      const bool space = i < s.size() && s[i] == ' ';
      while (i < s.size() && s[i] == ' ') ++i;
      if (i >= s.size()) return fail("an unfinished tag");
      if (s[i] == '>' || s[i] == '/') break;
      if (!space) return fail("attributes that touch");
      const std::string attribute = name_at(i);
      if (attribute.empty() || s.substr(i, 2) != "=\"") return fail("a bad attribute");
      const size_t end = s.find('"', i + 2);
      if (end == std::string_view::npos) return fail("an unfinished attribute");
      const std::string_view value = s.substr(i + 2, end - i - 2);
      if (!good_text(value)) return fail("a bad value of " + attribute);
      if (!e.attributes.emplace(attribute, value).second) return fail("attribute " + attribute + " twice");
      i = end + 1;
    }
    const bool empty = s[i] == '/';
    if (empty) ++i;
    if (i >= s.size() || s[i] != '>') return fail("an unfinished tag");
    ++i;
    out.push_back(std::move(e));
    if (!empty) open.push_back(out.size() - 1);
    else if (open.empty()) closed_root = true;
  }
  if (!open.empty()) return "an element is not closed";
  return closed_root ? "" : "no element";
}

}  // namespace lk::test
