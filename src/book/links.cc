#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "book/document.h"

namespace lk::book {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Browsers drop tabs and newlines anywhere in an address and control characters and spaces before it.
std::string without_controls(std::string_view url) {
  std::string out;
  for (const char c : url) {
    const auto u = static_cast<unsigned char>(c);
    if (u < 32 || u == 127 || (u == ' ' && out.empty())) continue;
    out += c;
  }
  return out;
}

// The scheme in lower case, or empty: letters, digits, '+', '.', '-' before the first ':'.
std::string scheme_of(std::string_view url) {
  std::string out;
  for (const char c : url) {
    if (c == ':') return out;
    const char l = lower(c);
    const bool letter = l >= 'a' && l <= 'z';
    if (!letter && (out.empty() || !((l >= '0' && l <= '9') || l == '+' || l == '.' || l == '-'))) return {};
    out += l;
  }
  return {};
}

Pairs parse_pairs(std::string_view query) {
  Pairs out;
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view part = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (part.empty()) continue;
    const size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
      out.emplace_back(url_decoded(part), std::string());
    } else {
      out.emplace_back(url_decoded(part.substr(0, equals)), url_decoded(part.substr(equals + 1)));
    }
  }
  return out;
}

}  // namespace

Target parse_target(std::string_view url) {
  Target target;
  target.raw = std::string(url);
  const std::string clean = without_controls(url);
  std::string scheme = scheme_of(clean);
  std::string_view rest = clean;
  if (scheme == "http" || scheme == "https" || scheme == "mailto") scheme.clear();
  if (!scheme.empty()) rest.remove_prefix(scheme.size() + 1);
  target.scheme = std::move(scheme);
  const size_t hash = rest.find('#');
  if (hash != std::string_view::npos) {
    target.fragment = url_decoded(rest.substr(hash + 1));
    rest = rest.substr(0, hash);
  }
  if (target.scheme.empty()) {
    target.id = std::string(rest);
    return target;
  }
  const size_t mark = rest.find('?');
  if (mark != std::string_view::npos) {
    target.query = parse_pairs(rest.substr(mark + 1));
    rest = rest.substr(0, mark);
  }
  target.id = url_decoded(rest);
  return target;
}

bool safe_address(std::string_view url) {
  for (const char c : url) {
    const auto u = static_cast<unsigned char>(c);
    if (u < 32 || u == 127 || c == '\\') return false;
  }
  if (url.empty() || url.front() == ' ' || url.substr(0, 2) == "//") return false;
  const size_t end = url.find_first_of("/?#");
  const size_t colon = url.find(':');
  if (colon == std::string_view::npos || colon > end) return true;
  const std::string scheme = scheme_of(url);
  return scheme == "http" || scheme == "https" || scheme == "mailto";
}

std::optional<ValueRef> value_ref(const Target& target) {
  const size_t dot = target.id.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == target.id.size()) return std::nullopt;
  ValueRef ref;
  ref.figure = target.id.substr(0, dot);
  ref.result = target.id.substr(dot + 1);
  for (const auto& pair : target.query) {
    if (pair.first == "device") {
      ref.device = pair.second;
    } else {
      ref.query.push_back(pair);
    }
  }
  return ref;
}

std::string_view uid(const Node& figure) {
  std::string_view anchor = figure.anchor;
  if (anchor.substr(0, 4) == "fig-") anchor.remove_prefix(4);
  return anchor;
}

void walk(const Node& node, const std::function<void(const Node&)>& visit) {
  visit(node);
  for (const Node& child : node.children) walk(child, visit);
}

std::string plain_text(const Node& node) {
  switch (node.kind) {
    case Kind::soft_break:
    case Kind::line_break:
      return " ";
    case Kind::text:
    case Kind::code_span:
    case Kind::code:
    case Kind::listing:
    case Kind::math:
    case Kind::formula:
      return node.text;
    case Kind::footnote_ref:
      return {};
    default:
      break;
  }
  std::string out;
  for (const Node& child : node.children) {
    const bool inline_child = child.kind >= Kind::text;
    std::string words = plain_text(child);
    if (!inline_child && !out.empty() && !words.empty()) out += ' ';
    out += words;
  }
  return out;
}

}  // namespace lk::book
