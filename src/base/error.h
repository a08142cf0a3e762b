// Errors are values with a place: what is wrong, where, and what to do about it. Nothing here prints or throws.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace lk {

/// A position in a source text. Lines and columns count from 1; 0 means unknown. Columns count bytes.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
};

/// One error: what is wrong and, in `hint`, what to do about it (may be empty).
struct Error {
  Place at;
  std::string what;
  std::string hint;
};

enum class Severity : uint8_t { error, warning };

/// What a check found. Problems are collected, never thrown.
struct Problem {
  Severity severity = Severity::error;
  Error error;
};

/// `file:line:column: error: what (hint)`; parts that are unknown are left out.
std::string text(const Error& error);
std::string text(const Problem& problem);

/// A value or the Error that stands in its place. Test it before reading.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() { return *std::get_if<0>(&state_); }
  const T& operator*() const { return *std::get_if<0>(&state_); }
  T* operator->() { return std::get_if<0>(&state_); }
  const T* operator->() const { return std::get_if<0>(&state_); }
  const Error& error() const { return *std::get_if<1>(&state_); }
  T value_or(T other) const { return *this ? **this : std::move(other); }

 private:
  std::variant<T, Error> state_;
};

/// "did you mean ...": the entry of `names` closest to `word`, empty when none is close.
template <class Names>
std::string closest(std::string_view word, const Names& names);

/// Edits between two words in bytes: a byte added, dropped or changed, or two neighbors swapped. Cut off above `limit`
/// (returns limit + 1).
int edit_distance(std::string_view a, std::string_view b, int limit);

template <class Names>
std::string closest(std::string_view word, const Names& names) {
  std::string best;
  int least = word.size() < 5 ? 2 : 3;
  for (const auto& name : names) {
    const int d = edit_distance(word, name, least);
    if (d < least) {
      least = d;
      best = std::string(name);
    }
  }
  return best;
}

}  // namespace lk
