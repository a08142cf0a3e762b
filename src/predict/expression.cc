#include "predict/expression.h"

#include <algorithm>
#include <string>

namespace lk::predict {
namespace {

class Reader {
 public:
  Reader(std::string_view text, const Names& names) : text_(text), names_(names) {}

  Result<int64_t> all() {
    const int64_t v = sum();
    if (!failed_ && at_ != text_.size()) fail("\"" + std::string(text_.substr(at_)) + "\" is left over", "operators are + - * / %");
    if (failed_) return error_;
    return v;
  }

 private:
  void space() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    space();
    return true;
  }
  int64_t fail(std::string what, std::string hint) {
    if (!failed_) error_ = {{{}, 1, static_cast<int>(at_) + 1}, std::move(what), std::move(hint)};
    failed_ = true;
    at_ = text_.size();
    return 0;
  }
  int64_t checked(bool overflow, int64_t v) { return overflow ? fail("the result does not fit 64 bits", "use smaller sizes") : v; }

  int64_t sum() {
    int64_t v = product();
    while (!failed_) {
      bool over = false;
      if (take('+'))
        over = __builtin_add_overflow(v, product(), &v);
      else if (take('-'))
        over = __builtin_sub_overflow(v, product(), &v);
      else
        break;
      v = checked(over, v);
    }
    return v;
  }
  int64_t divide(int64_t a, int64_t b, bool rest) {
    if (failed_) return 0;
    if (b == 0) return fail("division by zero", "the sizes make the divisor zero");
    if (a == INT64_MIN && b == -1) return fail("the result does not fit 64 bits", "use smaller sizes");
    return rest ? a % b : a / b;
  }
  int64_t product() {
    int64_t v = unit();
    while (!failed_) {
      if (take('*')) {
        const bool over = __builtin_mul_overflow(v, unit(), &v);
        v = checked(over, v);
      } else if (take('/')) {
        v = divide(v, unit(), false);
      } else if (take('%')) {
        v = divide(v, unit(), true);
      } else {
        break;
      }
    }
    return v;
  }
  int64_t unit() {
    if (++depth_ > 64) return fail("nested too deeply", "at most 64 parentheses");
    const int64_t v = bare();
    --depth_;
    return v;
  }
  int64_t bare() {
    space();
    if (take('(')) {
      const int64_t v = sum();
      return take(')') || failed_ ? v : fail("a closing parenthesis is missing", "");
    }
    if (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') return number();
    return name();
  }
  int64_t number() {
    int64_t v = 0;
    bool over = false;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      over = over || __builtin_mul_overflow(v, int64_t{10}, &v) || __builtin_add_overflow(v, int64_t{text_[at_] - '0'}, &v);
      ++at_;
    }
    return checked(over, v);
  }
  int64_t name() {
    const size_t start = at_;
    const auto part = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9'); };
    while (at_ < text_.size() && part(text_[at_])) ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    if (word.empty()) return fail(at_ < text_.size() ? "\"" + std::string(text_.substr(at_, 1)) + "\" is no number or name" : "a number or name is missing", "");
    if ((word == "min" || word == "max" || word == "up") && take('(')) return call(word);
    for (const auto& [known, v] : names_)
      if (known == word) return v;
    std::vector<std::string> known;
    for (const auto& [one, v] : names_) known.push_back(one);
    const std::string near = closest(word, known);
    at_ = start;
    return fail("unknown name \"" + std::string(word) + '"', near.empty() ? "" : "did you mean " + near + "?");
  }
  int64_t call(std::string_view word) {
    std::vector<int64_t> values{sum()};
    while (!failed_ && take(',')) values.push_back(sum());
    if (failed_) return 0;
    if (!take(')')) return fail("a closing parenthesis is missing", "");
    if (word == "min") return *std::min_element(values.begin(), values.end());
    if (word == "max") return *std::max_element(values.begin(), values.end());
    if (values.size() != 2) return fail("up takes two numbers", "up(n, 256) is n / 256 rounded up");
    const int64_t whole = divide(values[0], values[1], false), rest = divide(values[0], values[1], true);
    return whole + (rest != 0 && (rest < 0) == (values[1] < 0) ? 1 : 0);
  }

  std::string_view text_;
  const Names& names_;
  size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
  Error error_;
};

}  // namespace

Result<int64_t> evaluate(std::string_view text, const Names& names) { return Reader(text, names).all(); }

}  // namespace lk::predict
