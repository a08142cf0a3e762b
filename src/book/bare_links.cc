#include "book/bare_links.h"

namespace lk::book {
namespace {

bool alphanumeric(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Length of the address that begins the text, 0 when there is none.
size_t address_length(std::string_view text) {
  const size_t scheme = text.substr(0, 8) == "https://" ? 8 : text.substr(0, 7) == "http://" ? 7 : 0;
  if (scheme == 0 || scheme == text.size() || !alphanumeric(text[scheme])) return 0;
  size_t end = text.find_first_of(" \t\n<>\"`", scheme);
  if (end == std::string_view::npos) end = text.size();
  int open = 0;
  for (size_t i = scheme; i < end; ++i) open += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
  while (end > scheme) {
    const char last = text[end - 1];
    if (last == ')' && open < 0) {
      ++open;
    } else if (std::string_view("?!.,:;*_~'").find(last) == std::string_view::npos) {
      break;
    }
    --end;
  }
  return end;
}

}  // namespace

std::vector<TextPart> bare_links(std::string_view text) {
  std::vector<TextPart> out;
  size_t from = 0;
  for (size_t at = text.find("http"); at != std::string_view::npos; at = text.find("http", at)) {
    const size_t length = at > 0 && alphanumeric(text[at - 1]) ? 0 : address_length(text.substr(at));
    if (length == 0) {
      at += 4;
      continue;
    }
    if (at > from) out.push_back({text.substr(from, at - from), false});
    out.push_back({text.substr(at, length), true});
    at += length;
    from = at;
  }
  if (from < text.size()) out.push_back({text.substr(from), false});
  return out;
}

void link_addresses(Node& node) {
  std::vector<Node> out;
  for (Node& child : node.children) {
    if (child.kind != Kind::text) {
      out.push_back(std::move(child));
      continue;
    }
    for (const TextPart& part : bare_links(child.text)) {
      Node text;
      text.kind = Kind::text;
      text.at = child.at;
      text.text = std::string(part.text);
      if (!part.address) {
        out.push_back(std::move(text));
        continue;
      }
      Node link;
      link.kind = Kind::link;
      link.at = child.at;
      link.target = parse_target(part.text);
      link.children.push_back(std::move(text));
      out.push_back(std::move(link));
    }
  }
  node.children = std::move(out);
}

}  // namespace lk::book
