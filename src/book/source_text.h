// Markdown as it is read: clean bytes, and the places of its lines in the file.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace lk::book {

class SourceText {
 public:
  /// `first_line` lines of the file stand above the text.
  SourceText(std::string_view file, int first_line) : file_(file), first_line_(first_line) {}

  /// Takes the text. Line ends become "\n"; what no text may hold (bad UTF-8, NUL, a byte order mark, the noncharacter of the
  /// link tags) is reported once each and replaced byte by byte, so that columns stay.
  void clean(std::string_view markdown, std::vector<Problem>& problems);

  const std::string& text() const { return text_; }
  /// A line of the text, counted from 1; empty beyond the last.
  std::string_view line(int number) const;
  /// Byte offset of a line; numbers outside the text count as the nearest line in it.
  size_t line_start(int number) const;
  /// Place in the file of a line and column of the text.
  Place at(int line, int column) const;
  Place at_byte(size_t offset) const;

 private:
  void replace_invalid();

  std::string file_;
  int first_line_;
  std::string text_;
  std::vector<size_t> lines_;
};

}  // namespace lk::book
