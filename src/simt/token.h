// Tokens of CUDA C and the preprocessor that makes them.
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "simt/compile.h"

namespace lk::simt {

enum class Tok : uint8_t { end, name, integer, floating, character, string, punct, pragma };

struct Token {
  Tok kind = Tok::end;
  bool first = false;          // of its line
  bool spaced = false;         // white space before it
  bool prelude = false;        // stands in our own declarations, not in the reader's source
  std::string_view text;       // lives in the source or in Text::words
  Span at;                     // of a macro's tokens: where the macro is used
};

/// Errors and warnings found so far, at most 50 of each.
class Problems {
 public:
  explicit Problems(std::string file) : file_(std::move(file)) {}
  void error(const Span& at, std::string what, std::string hint = "") { add(Severity::error, at, std::move(what), std::move(hint)); }
  void warning(const Span& at, std::string what, std::string hint = "") { add(Severity::warning, at, std::move(what), std::move(hint)); }
  bool full() const { return errors_ >= 50; }
  int errors() const { return errors_; }
  std::vector<Problem> take() { return std::move(list_); }
  const std::vector<Problem>& list() const { return list_; }
  /// Forgets what was added after `size` problems were there.
  void back_to(size_t size);

 private:
  void add(Severity severity, const Span& at, std::string what, std::string hint);
  std::string file_;
  std::vector<Problem> list_;
  int errors_ = 0;
};

/// Storage for the text of tokens that macros make.
struct Words {
  std::deque<std::string> made;
  std::string_view keep(std::string text) { return made.emplace_back(std::move(text)); }
};

/// Splits a source text. Comments and line continuations are white space.
std::vector<Token> lex(std::string_view source, Problems& problems, bool prelude);

struct Macro {
  bool function = false, active = false, variadic = false;
  std::vector<std::string_view> parameters;
  std::vector<Token> body;
};
using Macros = std::unordered_map<std::string_view, Macro>;

/// Runs the directives and expands the macros. `macros` starts with those known before and ends with all.
std::vector<Token> preprocess(std::vector<Token> tokens, Macros& macros, Words& words, Problems& problems);

/// The value of an integer literal: its bits and how its suffix and size type it.
struct IntegerLiteral {
  uint64_t value = 0;
  bool is_unsigned = false;
  int longs = 0;               // 0 int, 1 long, 2 long long, already widened to fit the value
  bool bad = false;
};
IntegerLiteral integer_literal(std::string_view text);

/// A floating literal; `single` for a suffix f.
struct FloatingLiteral {
  double value = 0;
  bool single = false, bad = false;
};
FloatingLiteral floating_literal(std::string_view text);

}  // namespace lk::simt
