#include "base/json.h"

// Nothing here may throw: the library's errors arrive through the SAX interface, and its DOM is not used.
#define JSON_NOEXCEPTION 1
#define JSON_NO_IO 1
#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/number.h"
#include "base/utf8.h"

namespace lk::json {
namespace {

constexpr size_t deepest = 64;

// Walks the text for the lexer and remembers how far it has come.
class Counting {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Counting(const char* at, const char** seen) : at_(at), seen_(seen) {}
  reference operator*() const { return *at_; }
  Counting& operator++() {
    ++at_;
    if (seen_) *seen_ = at_;
    return *this;
  }
  Counting operator++(int) {
    Counting before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Counting& other) const { return at_ == other.at_; }
  bool operator!=(const Counting& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** seen_;
};

struct Spot {
  int line = 1, column = 1;
};

bool is_gap(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == ':'; }

// Builds the tree from the library's events. The place of a value is found by walking from the end of the token before it.
class Builder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  Builder(std::string_view text, const char* const* seen) : text_(text), seen_(seen) {}

  bool null() {
    begin(Kind::null);
    return end_word();
  }
  bool boolean(bool flag) {
    begin(Kind::boolean).boolean = flag;
    return end_word();
  }
  bool number_integer(number_integer_t v) { return number(static_cast<double>(v)); }
  bool number_unsigned(number_unsigned_t v) { return number(static_cast<double>(v)); }
  bool number_float(number_float_t v, const string_t&) { return number(v); }
  bool string(string_t& s) {
    begin(Kind::string).string = std::move(s);
    return end_word();
  }
  bool binary(binary_t&) { return false; }  // no such thing in JSON text
  bool start_object(size_t) { return open(Kind::object); }
  bool start_array(size_t) { return open(Kind::array); }
  bool key(string_t& s) {
    skip_gap();
    stack_.back().keys.push_back(spot());
    stack_.back().value->object.emplace_back(std::move(s), Value{});
    return end_word();
  }
  bool end_array() {
    skip_gap();
    stack_.pop_back();
    return end_word();
  }
  bool end_object() {
    if (!keys_differ(stack_.back())) return false;
    return end_array();
  }
  template <class Exception>
  bool parse_error(size_t, const std::string&, const Exception& e) {
    syntax_error(e.id, e.what());
    return false;
  }

  Value take() { return std::move(root_); }
  Error take_error() { return std::move(error_); }

 private:
  struct Open {
    Value* value;
    std::vector<Spot> keys;  // where each key of an object stands
  };

  size_t seen() const { return static_cast<size_t>(*seen_ - text_.data()); }
  Spot spot() const { return {line_, static_cast<int>(at_ - line_start_) + 1}; }
  // Moves to the token after `at_`, at most to `limit`.
  void skip_gap_to(size_t limit) {
    while (at_ < limit && is_gap(text_[at_])) {
      if (text_[at_++] == '\n') {
        ++line_;
        line_start_ = at_;
      }
    }
  }
  void skip_gap() { skip_gap_to(text_.size()); }
  bool end_word() {
    at_ = seen();
    return true;
  }

  // A place for the next value in the innermost container.
  Value& begin(Kind kind) {
    skip_gap();
    Value* v = &root_;
    if (!stack_.empty()) {
      Value& parent = *stack_.back().value;
      if (parent.kind == Kind::array) {
        v = &parent.array.emplace_back();
      } else {
        v = &parent.object.back().second;
      }
    }
    v->kind = kind;
    v->line = spot().line;
    v->column = spot().column;
    return *v;
  }

  bool open(Kind kind) {
    Value& v = begin(kind);
    if (stack_.size() >= deepest) {
      fail({v.line, v.column}, "the JSON is nested too deeply", "at most 64 levels");
      return false;
    }
    stack_.push_back({&v, {}});
    return end_word();
  }

  bool number(double value) {
    Value& v = begin(Kind::number);
    v.number = value;
    v.integral = true;
    // The lexer may have read one character beyond the number, so its end is found by its grammar (RFC 8259, section 6).
    const auto here = [&] { return at_ < text_.size() ? text_[at_] : '\0'; };
    const auto digits = [&] {
      while (here() >= '0' && here() <= '9') ++at_;
    };
    if (here() == '-') ++at_;
    if (here() == '0') {
      ++at_;
    } else {
      digits();
    }
    if (here() == '.') {
      v.integral = false;
      ++at_;
      digits();
    }
    if (here() == 'e' || here() == 'E') {
      v.integral = false;
      ++at_;
      if (here() == '+' || here() == '-') ++at_;
      digits();
    }
    return true;
  }

  bool keys_differ(const Open& object) {
    const auto& members = object.value->object;
    std::vector<size_t> order(members.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      const int c = members[a].first.compare(members[b].first);
      return c != 0 ? c < 0 : a < b;
    });
    for (size_t i = 1; i < order.size(); ++i) {
      const size_t first = order[i - 1], second = order[i];
      if (members[first].first != members[second].first) continue;
      fail(object.keys[second], "the member \"" + members[second].first + "\" occurs twice, on lines " +
                                    std::to_string(object.keys[first].line) + " and " + std::to_string(object.keys[second].line),
           "keep one of them");
      return false;
    }
    return true;
  }

  void fail(Spot at, std::string what, std::string hint) {
    error_.at.line = at.line;
    error_.at.column = at.column;
    error_.what = std::move(what);
    error_.hint = std::move(hint);
  }

  // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while parsing value - unexpected ']'; expected ..."
  void syntax_error(int id, std::string_view message) {
    const size_t last = seen() == 0 ? 0 : seen() - 1;
    skip_gap_to(last);
    if (id == 406) {  // the library's "number overflow"
      fail(spot(), "the number is too large", "the largest is about 1.8e308");
      return;
    }
    std::string what, hint;
    if (const size_t dash = message.find(" - "); dash != std::string_view::npos) message.remove_prefix(dash + 3);
    if (const size_t wanted = message.find("; expected "); wanted != std::string_view::npos) {
      hint = message.substr(wanted + 2);
      message = message.substr(0, wanted);
    }
    // What was read last may break off inside a character, so it is left out.
    what = message.substr(0, message.find("; last read"));
    if (message.find("; last read") != std::string_view::npos) {
      // The lexer gave up inside a token: point at the character it stumbled over.
      at_ = std::max(at_, last);
    }
    fail(spot(), "this is no valid JSON: " + what, std::move(hint));
  }

  std::string_view text_;
  const char* const* seen_;
  size_t at_ = 0, line_start_ = 0;  // everything before `at_` has been read
  int line_ = 1;
  Value root_;
  std::vector<Open> stack_;
  Error error_;
};

Error at_byte(std::string_view text, size_t at, std::string what, std::string hint) {
  Error e;
  e.at.line = 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  const size_t line = text.substr(0, at).rfind('\n');
  e.at.column = static_cast<int>(line == std::string_view::npos ? at : at - line - 1) + 1;
  e.what = std::move(what);
  e.hint = std::move(hint);
  return e;
}

bool stands_as_it_is(unsigned char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\' && c != '<'; }

// Drawings are long texts: what needs no escape is copied in runs.
void quote(std::string_view text, std::string& out) {
  constexpr std::string_view hex = "0123456789abcdef";
  out += '"';
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    while (at < text.size() && stands_as_it_is(static_cast<unsigned char>(text[at]))) ++at;
    out += text.substr(begin, at - begin);
    if (at == text.size()) break;
    const auto c = static_cast<unsigned char>(text[at]);
    if (c >= 0x80) {
      const size_t first = at;
      if (next_code_point(text, at) == 0xFFFD) {
        out += "\uFFFD";
      } else {
        out += text.substr(first, at - first);
      }
      continue;
    }
    ++at;
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      out += "\\u00";
      out += hex[c >> 4];
      out += hex[c & 15u];
    }
  }
  out += '"';
}

void dump_to(const Value& value, Writer& out) {
  switch (value.kind) {
    case Kind::null: out.null(); break;
    case Kind::boolean: out.value(value.boolean); break;
    case Kind::number: out.value(value.number); break;
    case Kind::string: out.value(value.string); break;
    case Kind::array:
      out.begin_array();
      for (const Value& v : value.array) dump_to(v, out);
      out.end_array();
      break;
    case Kind::object:
      out.begin_object();
      for (const auto& [key, v] : value.object) {
        out.key(key);
        dump_to(v, out);
      }
      out.end_object();
      break;
  }
}

}  // namespace

const Value* Value::find(std::string_view key) const {
  for (const auto& member : object)
    if (member.first == key) return &member.second;
  return nullptr;
}

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::null: return "null";
    case Kind::boolean: return "true or false";
    case Kind::number: return "a number";
    case Kind::string: return "a string";
    case Kind::array: return "an array";
    case Kind::object: return "an object";
  }
  return "null";
}

Result<Value> parse(std::string_view text, std::string_view file) {
  const auto named = [&](Error e) {
    e.at.file = file;
    return e;
  };
  if (text.substr(0, 3) == "\xEF\xBB\xBF")
    return named(at_byte(text, 0, "the text starts with a byte order mark", "save it as UTF-8 without BOM"));
  if (const size_t bad = first_invalid_utf8(text); bad < text.size())
    return named(at_byte(text, bad, "this is no valid UTF-8", "save the text as UTF-8"));
  // The library takes a NUL for the end of the text.
  if (const size_t nul = text.find('\0'); nul != std::string_view::npos) return named(at_byte(text, nul, "a NUL byte", "remove it"));
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return named(at_byte(text, text.size(), "there is no JSON in the text", ""));

  const char* seen = text.data();
  Builder builder(text, &seen);
  const Counting begin(text.data(), &seen), end(text.data() + text.size(), nullptr);
  if (!nlohmann::json::sax_parse(begin, end, &builder)) return named(builder.take_error());
  return builder.take();
}

Writer& Writer::begin_object() {
  comma();
  out_ += '{';
  first_ = true;
  return *this;
}
Writer& Writer::end_object() {
  out_ += '}';
  first_ = false;
  return *this;
}
Writer& Writer::begin_array() {
  comma();
  out_ += '[';
  first_ = true;
  return *this;
}
Writer& Writer::end_array() {
  out_ += ']';
  first_ = false;
  return *this;
}
Writer& Writer::key(std::string_view name) {
  value(name);
  out_ += ':';
  first_ = true;  // no comma before the value
  return *this;
}
Writer& Writer::value(std::string_view text) {
  comma();
  quote(text, out_);
  return *this;
}
Writer& Writer::value(double number) {
  const std::string s = plain(number);  // empty when it is not finite
  return raw(s.empty() ? std::string_view("null") : s);
}
Writer& Writer::value(int number) { return raw(std::to_string(number)); }
Writer& Writer::value(unsigned number) { return raw(std::to_string(number)); }
Writer& Writer::value(bool flag) { return raw(flag ? "true" : "false"); }
Writer& Writer::null() { return raw("null"); }
Writer& Writer::raw(std::string_view json) {
  comma();
  out_ += json;
  return *this;
}
void Writer::comma() {
  if (!first_) out_ += ',';
  first_ = false;
}

std::string quoted(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8 + 2);
  quote(text, out);
  return out;
}

std::string dump(const Value& value) {
  Writer out;
  dump_to(value, out);
  return out.take();
}

}  // namespace lk::json
