#include "book/extent.h"

#include <algorithm>

namespace lk::book {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t'; }
bool is_end(char c) { return c == '\n' || c == '\r'; }
bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Offset of a line, counted from 1; text.size() beyond the last. A lone carriage return ends a line, as it does for the Markdown reader.
size_t line_start(std::string_view text, int line) {
  size_t at = 0;
  for (int n = 1; n < line && at < text.size(); ++n) {
    while (at < text.size() && !is_end(text[at])) ++at;
    if (at + 1 < text.size() && text[at] == '\r' && text[at + 1] == '\n') ++at;
    at = std::min(at + 1, text.size());
  }
  return at;
}

size_t line_end(std::string_view text, size_t from) { return std::min(text.find_first_of("\r\n", from), text.size()); }

size_t trimmed(std::string_view text, size_t from, size_t to) {
  while (to > from && is_space(text[to - 1])) --to;
  return to;
}

// The end of the lines that follow each other without an empty one.
size_t paragraph_end(std::string_view text, size_t from) {
  size_t end = line_end(text, from);
  while (end < text.size()) {
    const size_t next = end + (text.substr(end, 2) == "\r\n" ? 2 : 1), next_end = line_end(text, next);
    if (text.substr(next, next_end - next).find_first_not_of(" \t") == std::string_view::npos) break;
    end = next_end;
  }
  return end;
}

// Past the bracket that closes the one at `from`; npos when none does.
size_t closed(std::string_view text, size_t from, size_t to, char open, char close) {
  int depth = 0;
  for (size_t i = from; i < to; ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == open) {
      ++depth;
    } else if (text[i] == close && --depth == 0) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

// Past the next `mark` that no backslash stands before; npos when there is none.
size_t after(std::string_view text, size_t from, size_t to, std::string_view mark) {
  for (size_t i = from; i + mark.size() <= to; ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text.substr(i, mark.size()) == mark) {
      return i + mark.size();
    }
  }
  return std::string_view::npos;
}

size_t link_end(std::string_view text, size_t from, size_t to) {
  size_t end = closed(text, text[from] == '!' ? from + 1 : from, to, '[', ']');
  if (end >= to) return end;
  const size_t address = text[end] == '(' ? closed(text, end, to, '(', ')') : text[end] == '[' ? closed(text, end, to, '[', ']') : end;
  return address == std::string_view::npos ? end : address;
}

}  // namespace

Extent extent(std::string_view text, const Place& at) {
  if (at.line < 1) return {};
  const size_t line = line_start(text, at.line);
  if (line >= text.size()) return {text.size(), text.size()};
  const size_t end = line_end(text, line);
  size_t from = line;
  if (at.column < 1) {
    while (from < end && is_space(text[from])) ++from;
    return {from, trimmed(text, from, end)};
  }
  from = std::min(line + static_cast<size_t>(at.column) - 1, end);
  while (from > line && from < end && continues(text[from])) --from;
  if (from == end) return {from, from};
  const size_t paragraph = paragraph_end(text, from);
  const std::string_view rest = text.substr(from, end - from);
  size_t to = std::string_view::npos;
  if (rest[0] == '[' || rest.substr(0, 2) == "![") {
    to = link_end(text, from, paragraph);
  } else if (rest.substr(0, 2) == "$$") {
    to = after(text, from + 2, paragraph, "$$");
  } else if (rest[0] == '$') {
    to = after(text, from + 1, paragraph, "$");
  } else if (rest.substr(0, 3) == "```" || rest.substr(0, 3) == "~~~" || rest[0] == '#') {
    to = trimmed(text, from, end);
  } else if (rest[0] == '`') {
    const size_t run = rest.find_first_not_of('`');
    if (run != std::string_view::npos) to = text.substr(0, paragraph).find(rest.substr(0, run), from + run);
    if (to != std::string_view::npos) to += run;
  } else if (rest[0] == '"') {
    to = after(text, from + 1, end, "\"");
  } else if (rest[0] == '<') {
    to = after(text, from + 1, paragraph, ">");
  }
  if (to == std::string_view::npos) {
    to = from;
    while (to < end && !is_space(text[to])) ++to;
    if (to == from) to = trimmed(text, from, end);  // white space is what is wrong
  }
  if (to == from) ++to;
  return {from, to};
}

}  // namespace lk::book
