#include "book/source_text.h"

#include <algorithm>

#include "base/utf8.h"
#include "book/scan.h"

namespace lk::book {

void SourceText::clean(std::string_view markdown, std::vector<Problem>& problems) {
  text_.reserve(markdown.size());
  for (size_t i = 0; i < markdown.size(); ++i) {
    if (markdown[i] == '\r') {
      if (i + 1 == markdown.size() || markdown[i + 1] != '\n') text_ += '\n';
    } else {
      text_ += markdown[i];
    }
  }
  for (size_t i = 0; i < text_.size(); ++i) {
    if (i == 0 || text_[i - 1] == '\n') lines_.push_back(i);
  }
  const auto report = [&](size_t offset, std::string what, std::string hint) {
    problems.push_back({Severity::error, {at_byte(offset), std::move(what), std::move(hint)}});
  };
  if (text_.compare(0, 3, "\xEF\xBB\xBF") == 0) {
    report(0, "a byte order mark", "save the file as UTF-8 without it");
    text_.replace(0, 3, "   ");
  }
  if (const size_t bad = first_invalid_utf8(text_); bad < text_.size()) {
    report(bad, "bytes that are no UTF-8", "save the file as UTF-8");
    replace_invalid();
  }
  if (const size_t bad = first_control(text_); bad < text_.size()) {
    report(bad, control_name(text_[bad]), "remove it");
    for (size_t i = bad; i < text_.size(); i += 1 + first_control(std::string_view(text_).substr(i + 1))) text_[i] = '?';
  }
  for (const auto& [sign, name] : {std::pair(tag_open, "U+FDD0"), std::pair(formula_open, "U+FDD1"), std::pair(formula_close, "U+FDD2")}) {
    size_t i = text_.find(sign);
    if (i != std::string::npos) report(i, std::string(name) + ", which is no character", "remove it");
    for (; i != std::string::npos; i = text_.find(sign, i)) text_.replace(i, sign.size(), "???");
  }
}

void SourceText::replace_invalid() {
  size_t i = 0;
  while (i < text_.size()) {
    const size_t from = i;
    const char32_t c = next_code_point(text_, i);
    if (c == 0xFFFD && i - from == 1) text_[from] = '?';
  }
}

std::string_view SourceText::line(int number) const {
  if (number < 1 || static_cast<size_t>(number) > lines_.size()) return {};
  const size_t from = lines_[static_cast<size_t>(number) - 1];
  return std::string_view(text_).substr(from, std::min(text_.find('\n', from), text_.size()) - from);
}

size_t SourceText::line_start(int number) const {
  if (lines_.empty()) return 0;
  return lines_[std::min(static_cast<size_t>(std::max(number, 1)), lines_.size()) - 1];
}

Place SourceText::at(int line, int column) const { return {file_, std::max(line, 1) + first_line_, std::max(column, 1)}; }

Place SourceText::at_byte(size_t offset) const {
  if (lines_.empty()) return at(1, 1);
  const auto after = std::upper_bound(lines_.begin(), lines_.end(), offset);
  return at(static_cast<int>(after - lines_.begin()), static_cast<int>(offset - *(after - 1)) + 1);
}

}  // namespace lk::book
