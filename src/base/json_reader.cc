#include "base/json.h"
#include "base/utf8.h"

namespace lk::json {
namespace {

std::string in_quotes(std::string_view key) { return '"' + std::string(key) + '"'; }

}  // namespace

Reader::Reader(const Value& value, std::string_view file, std::vector<Problem>& problems)
    : value_(value), file_(file), problems_(problems) {
  if (!value.is(Kind::object)) problem(value, "an object is wanted here, this is " + std::string(name(value.kind)));
}

void Reader::problem(const Value& at, std::string what, std::string hint) {
  problems_.push_back({Severity::error, {{file_, at.line, at.column}, std::move(what), std::move(hint)}});
}

const Value* Reader::value(std::string_view key) {
  asked_.emplace_back(key);
  return value_.find(key);
}

const Value* Reader::member(std::string_view key, Kind kind, bool required) {
  const Value* v = value(key);
  if (!v) {
    // What is no object has been reported once.
    if (required && value_.is(Kind::object)) problem(value_, "the member " + in_quotes(key) + " is missing");
    return nullptr;
  }
  if (!v->is(kind)) {
    problem(*v, in_quotes(key) + " must be " + std::string(name(kind)) + ", this is " + std::string(name(v->kind)));
    return nullptr;
  }
  return v;
}

// JSON can spell what no page may hold.
const std::string& Reader::sound(std::string_view key, const Value& v) {
  if (const size_t bad = first_control(v.string); bad < v.string.size())
    problem(v, in_quotes(key) + " holds " + control_name(v.string[bad]), "remove it");
  return v.string;
}

std::string Reader::text(std::string_view key, std::string_view fallback) {
  const Value* v = member(key, Kind::string, false);
  return v ? sound(key, *v) : std::string(fallback);
}

std::string Reader::text(std::string_view key) {
  const Value* v = member(key, Kind::string, true);
  if (!v) return {};
  if (v->string.find_first_not_of(" \t\r\n") == std::string::npos) problem(*v, in_quotes(key) + " is empty", "fill it in");
  return sound(key, *v);
}

double Reader::number(std::string_view key) {
  const Value* v = member(key, Kind::number, true);
  return v ? v->number : 0;
}

double Reader::number(std::string_view key, double fallback) {
  const Value* v = member(key, Kind::number, false);
  return v ? v->number : fallback;
}

namespace {

bool fits_int(const Value& v) { return v.integral && v.number >= -2147483648.0 && v.number <= 2147483647.0; }

}  // namespace

int Reader::integer(std::string_view key) {
  const Value* v = member(key, Kind::number, true);
  if (!v) return 0;
  if (!fits_int(*v)) {
    problem(*v, in_quotes(key) + " must be a whole number");
    return 0;
  }
  return static_cast<int>(v->number);
}

int Reader::integer(std::string_view key, int fallback) { return value_.find(key) ? integer(key) : fallback; }

bool Reader::boolean(std::string_view key, bool fallback) {
  const Value* v = member(key, Kind::boolean, false);
  return v ? v->boolean : fallback;
}

std::vector<std::string> Reader::texts(std::string_view key) {
  std::vector<std::string> out;
  for (const Value& v : array(key)) {
    if (v.is(Kind::string)) {
      out.push_back(sound(key, v));
    } else {
      problem(v, in_quotes(key) + " must hold strings only, this is " + std::string(name(v.kind)));
    }
  }
  return out;
}

const std::vector<Value>& Reader::array(std::string_view key, bool required) {
  static const std::vector<Value> none{};
  const Value* v = member(key, Kind::array, required);
  return v ? v->array : none;
}

const Value* Reader::object(std::string_view key, bool required) { return member(key, Kind::object, required); }

void Reader::done() {
  for (const auto& [key, v] : value_.object) {
    bool known = false;
    for (const std::string& name : asked_) known = known || name == key;
    if (known) continue;
    const std::string near = closest(key, asked_);
    problem(v, "unknown member " + in_quotes(key), near.empty() ? "" : "did you mean " + in_quotes(near) + "?");
  }
}

}  // namespace lk::json
