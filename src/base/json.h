// JSON with places: every value knows its line and column, so that content errors can point at them.
// Reading goes through nlohmann's SAX interface; duplicate keys and nesting deeper than 64 are errors.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace lk::json {

enum class Kind : uint8_t { null, boolean, number, string, array, object };

struct Value {
  Kind kind = Kind::null;
  bool boolean = false;
  bool integral = false;  // number was written without fraction or exponent
  double number = 0;
  std::string string;
  std::vector<Value> array;
  std::vector<std::pair<std::string, Value>> object;  // in source order, keys unique
  int line = 0, column = 0;

  /// The member `key`, or nullptr when this is no object or has no such member.
  const Value* find(std::string_view key) const;
  bool is(Kind k) const { return kind == k; }
};

std::string_view name(Kind kind);  // "a number", "an object", ...

/// Reads one JSON document. `file` names it in errors. A UTF-8 byte order mark and invalid UTF-8 are errors.
Result<Value> parse(std::string_view text, std::string_view file = {});

/// Typed access that collects problems instead of failing: `Reader r(value, file, problems); r.text("title")`.
/// Each getter reports a missing or mistyped member at its place; `done()` reports members nobody asked for.
class Reader {
 public:
  Reader(const Value& value, std::string_view file, std::vector<Problem>& problems);
  std::string text(std::string_view key, std::string_view fallback);  // optional member
  std::string text(std::string_view key);                             // required member
  double number(std::string_view key);
  double number(std::string_view key, double fallback);
  int integer(std::string_view key);
  int integer(std::string_view key, int fallback);
  bool boolean(std::string_view key, bool fallback);
  std::vector<std::string> texts(std::string_view key);  // optional array of strings
  const Value* value(std::string_view key);              // optional member of any kind
  const std::vector<Value>& array(std::string_view key, bool required = false);
  const Value* object(std::string_view key, bool required = false);
  void done();
  void problem(const Value& at, std::string what, std::string hint = {});
  const Value& self() const { return value_; }

 private:
  const std::string& sound(std::string_view key, const Value& v);
  const Value* member(std::string_view key, Kind kind, bool required);
  const Value& value_;
  std::string file_;
  std::vector<Problem>& problems_;
  std::vector<std::string> asked_;
};

/// Streams JSON text: commas and escapes are its business, nesting the caller's.
/// Numbers are written with the fewest digits that read back the same; non-finite numbers as null.
class Writer {
 public:
  Writer& begin_object();
  Writer& end_object();
  Writer& begin_array();
  Writer& end_array();
  Writer& key(std::string_view name);
  Writer& value(std::string_view text);
  Writer& value(const char* text) { return value(std::string_view(text)); }
  Writer& value(double number);
  Writer& value(int number);
  Writer& value(unsigned number);
  Writer& value(const std::string& text) { return value(std::string_view(text)); }
  Writer& value(bool flag);
  Writer& null();
  Writer& raw(std::string_view json);  // an already serialized value
  template <class T>
  Writer& field(std::string_view name, const T& v) {
    return key(name).value(v);
  }
  const std::string& text() const { return out_; }
  std::string take() { return std::move(out_); }

 private:
  void comma();
  std::string out_;
  bool first_ = true;
};

/// `text` with JSON escapes and quotes. Also safe inside a <script> element: `<` is written \u003c.
/// Invalid UTF-8 becomes U+FFFD, so that what is written is always valid JSON.
std::string quoted(std::string_view text);

/// A parsed value written again, members in their order.
std::string dump(const Value& value);

}  // namespace lk::json
