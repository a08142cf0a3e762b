#include <algorithm>
#include <array>

#include "simt/token.h"

namespace lk::simt {
namespace {

constexpr size_t max_tokens = 4'000'000;
constexpr int max_depth = 100;

constexpr const char* known_headers[] = {
    "cuda_runtime.h", "cuda.h", "cuda_fp16.h", "cuda_bf16.h", "cooperative_groups.h", "device_launch_parameters.h", "math_constants.h", "mma.h",
    "stdint.h", "stdio.h", "stdlib.h", "math.h", "float.h", "limits.h", "assert.h", "string.h", "stddef.h", "cuda_pipeline.h",
    "algorithm", "array", "cassert", "cfloat", "chrono", "climits", "cmath", "cstddef", "cstdint", "cstdio", "cstdlib", "cstring", "fstream",
    "functional", "initializer_list", "iomanip", "iostream", "limits", "map", "memory", "numeric", "random", "set", "sstream", "string",
    "string_view", "thread", "tuple", "type_traits", "unordered_map", "utility", "vector", "cuda/std/cmath", "cuda/std/cstdint", "cuda/std/limits",
    "cuda/std/type_traits", "cuda/std/utility", "cooperative_groups/reduce.h", "nvtx3/nvToolsExt.h"};

class Preprocessor {
 public:
  Preprocessor(std::vector<Token> in, Macros& macros, Words& words, Problems& problems)
      : in_(std::move(in)), macros_(macros), words_(words), problems_(problems) {}

  std::vector<Token> run() {
    while (in_[at_].kind != Tok::end && !stopped_) {
      const Token& t = in_[at_];
      if (t.first && t.text == "#" && t.kind == Tok::punct) {
        directive();
      } else if (skipping()) {
        ++at_;
      } else {
        const size_t end = next_directive();
        std::vector<Token> part(in_.begin() + std::ptrdiff_t(at_), in_.begin() + std::ptrdiff_t(end));
        at_ = end;
        expand(part, out_, 0);
      }
    }
    if (!open_.empty()) problems_.error(open_.back().at, "this #if is not closed", "add #endif");
    out_.push_back(in_.back());
    out_.back().kind = Tok::end;
    return std::move(out_);
  }

 private:
  struct Open { bool taken, now, outer, otherwise; Span at; };

  bool skipping() const { return !open_.empty() && !open_.back().now; }
  size_t next_directive() const {
    size_t k = at_;
    while (in_[k].kind != Tok::end && !(in_[k].first && in_[k].text == "#" && in_[k].kind == Tok::punct)) ++k;
    return k;
  }

  void directive() {
    const Token hash = in_[at_++];
    std::vector<Token> line;
    while (in_[at_].kind != Tok::end && !in_[at_].first) line.push_back(in_[at_++]);
    if (line.empty()) return;
    const std::string_view word = line[0].text;
    std::vector<Token> rest(line.begin() + 1, line.end());
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      if (open_.size() >= 256) return problems_.error(hash.at, "#if is nested more than 256 deep", "simplify the conditions"), void(stopped_ = true);
      bool value = false;
      if (!skipping()) {
        if (word == "if") value = condition(rest, hash.at);
        else if (rest.empty() || rest[0].kind != Tok::name) problems_.error(hash.at, "#" + std::string(word) + " needs a name");
        else value = (macros_.count(rest[0].text) != 0) == (word == "ifdef");
      }
      open_.push_back({value, value && !skipping(), !skipping(), false, hash.at});
    } else if (word == "elif" || word == "else") {
      if (open_.empty() || open_.back().otherwise) return problems_.error(hash.at, "#" + std::string(word) + " without #if");
      Open& o = open_.back();
      o.otherwise = word == "else";
      if (!o.outer) return;
      const bool value = !o.taken && (word == "else" || condition(rest, hash.at));
      o.now = value;
      o.taken |= value;
    } else if (word == "endif") {
      if (open_.empty()) return problems_.error(hash.at, "#endif without #if");
      open_.pop_back();
    } else if (skipping()) {
      return;
    } else if (word == "define") {
      define(rest, hash);
    } else if (word == "undef") {
      if (rest.empty() || rest[0].kind != Tok::name) return problems_.error(hash.at, "#undef needs a name");
      macros_.erase(rest[0].text);
    } else if (word == "include") {
      include(rest, hash);
    } else if (word == "pragma") {
      pragma(rest, hash);
    } else if (word == "error") {
      problems_.error(hash.at, "#error: " + joined(rest));
    } else if (word == "warning") {
      problems_.warning(hash.at, "#warning: " + joined(rest));
    } else if (word != "line") {
      problems_.error(line[0].at, "unknown directive #" + std::string(word), "known are define, undef, if, ifdef, ifndef, elif, else, endif, include, pragma and error");
    }
  }

  static std::string joined(const std::vector<Token>& tokens) {
    std::string s;
    for (const Token& t : tokens) s += (s.empty() || !t.spaced ? "" : " ") + std::string(t.text);
    return s;
  }

  void include(const std::vector<Token>& rest, const Token& hash) {
    std::string name = joined(rest);
    std::erase(name, ' ');
    if (name.size() >= 2) name = name.substr(1, name.size() - 2);
    for (const char* known : known_headers)
      if (name == known) return;
    const std::string near = closest(name, known_headers);
    problems_.error(hash.at, "the header " + name + " is not known", near.empty() ? "only CUDA's own and the standard headers are; paste what you need from yours" : "did you mean " + near + "?");
  }

  void pragma(const std::vector<Token>& rest, const Token& hash) {
    if (rest.empty() || rest[0].text == "once" || rest[0].text == "nv_diag_suppress" || rest[0].text == "diag_suppress" || rest[0].text == "nv_diagnostic") return;
    if (rest[0].text != "unroll" && rest[0].text != "nounroll")
      return problems_.warning(rest[0].at, "#pragma " + std::string(rest[0].text) + " has no effect here", "known are unroll and nounroll");
    Token t = hash;
    t.kind = Tok::pragma;
    t.text = rest[0].text;
    t.at.end_line = rest.back().at.end_line;
    t.at.end_column = rest.back().at.end_column;
    out_.push_back(t);
    // The count is an expression up to the end of the line: it is handed on in parentheses.
    std::vector<Token> count(rest.begin() + 1, rest.end());
    Token paren = t;
    paren.kind = Tok::punct;
    paren.text = "(";
    if (!count.empty() && count[0].text != "(") out_.push_back(paren);
    expand(count, out_, 0);
    paren.text = ")";
    if (!count.empty() && count[0].text != "(") out_.push_back(paren);
  }

  void define(const std::vector<Token>& rest, const Token& hash) {
    if (rest.empty() || rest[0].kind != Tok::name) return problems_.error(hash.at, "#define needs a name");
    Macro m;
    size_t k = 1;
    if (k < rest.size() && rest[k].text == "(" && !rest[k].spaced) {
      m.function = true;
      for (++k; k < rest.size() && rest[k].text != ")"; ++k) {
        if (rest[k].text == ",") continue;
        if (rest[k].text == "...") m.variadic = true, m.parameters.push_back("__VA_ARGS__");
        else if (rest[k].kind == Tok::name) m.parameters.push_back(rest[k].text);
        else return problems_.error(rest[k].at, "a macro's parameters are names");
      }
      if (k >= rest.size()) return problems_.error(hash.at, "the parameters of this macro are not closed", "add )");
      ++k;
    }
    m.body.assign(rest.begin() + std::ptrdiff_t(k), rest.end());
    macros_[rest[0].text] = std::move(m);
  }

  void push(std::vector<Token>& out, const Token& t) {
    if (++made_ > max_tokens && !stopped_) {
      problems_.error(t.at, "the macros expand to more than 4,000,000 tokens", "look for a macro that doubles itself");
      stopped_ = true;
    }
    if (!stopped_) out.push_back(t);
  }

  void expand(const std::vector<Token>& in, std::vector<Token>& out, int depth) {
    if (depth > max_depth) {
      if (!in.empty()) problems_.error(in[0].at, "macros are nested more than 100 deep", "simplify them");
      stopped_ = true;
    }
    for (size_t k = 0; k < in.size() && !stopped_; ++k) {
      const Token& t = in[k];
      const auto found = t.kind == Tok::name ? macros_.find(t.text) : macros_.end();
      if (found == macros_.end() || found->second.active) {
        push(out, t);
        continue;
      }
      Macro& m = found->second;
      std::vector<Token> body;
      Span at = t.at;
      if (m.function) {
        if (k + 1 >= in.size() || in[k + 1].text != "(" || in[k + 1].kind != Tok::punct) {
          push(out, t);
          continue;
        }
        std::vector<std::vector<Token>> arguments(1);
        int level = 0;
        size_t j = k + 1;
        for (; j < in.size(); ++j) {
          const std::string_view s = in[j].kind == Tok::punct ? in[j].text : std::string_view();
          if (s == "(" && level++ == 0) continue;
          if (s == ")" && --level == 0) break;
          if (s == "," && level == 1 && !(m.variadic && arguments.size() == m.parameters.size())) arguments.emplace_back();
          else arguments.back().push_back(in[j]);
        }
        if (j >= in.size()) {
          problems_.error(t.at, "the call of macro " + std::string(t.text) + " is not closed", "add )");
          return;
        }
        at.end_line = in[j].at.end_line;
        at.end_column = in[j].at.end_column;
        if (m.parameters.empty() && arguments.size() == 1 && arguments[0].empty()) arguments.clear();
        if (m.variadic && arguments.size() + 1 == m.parameters.size()) arguments.emplace_back();
        if (arguments.size() != m.parameters.size()) {
          problems_.error(t.at, "macro " + std::string(t.text) + " takes " + std::to_string(m.parameters.size()) + " arguments, not " + std::to_string(arguments.size()));
          k = j;
          continue;
        }
        substitute(m, arguments, body, depth);
        k = j;
      } else {
        substitute(m, {}, body, depth);
      }
      for (Token& b : body) b.at = at, b.first = false, b.prelude = t.prelude;
      m.active = true;
      expand(body, out, depth + 1);
      macros_[found->first].active = false;
    }
  }

  static size_t parameter(const Macro& m, const Token& t) {
    if (t.kind != Tok::name) return m.parameters.size();
    return size_t(std::find(m.parameters.begin(), m.parameters.end(), t.text) - m.parameters.begin());
  }

  void substitute(const Macro& m, const std::vector<std::vector<Token>>& arguments, std::vector<Token>& out, int depth) {
    for (size_t k = 0; k < m.body.size() && !stopped_; ++k) {
      const Token& t = m.body[k];
      if (m.function && t.text == "#" && k + 1 < m.body.size() && parameter(m, m.body[k + 1]) < m.parameters.size()) {
        Token s = t;
        s.kind = Tok::string;
        s.text = words_.keep("\"" + joined(arguments[parameter(m, m.body[k + 1])]) + "\"");
        push(out, s);
        ++k;
        continue;
      }
      if (t.text == "##" && !out.empty() && k + 1 < m.body.size()) {
        std::vector<Token> right{m.body[k + 1]};
        if (const size_t p = parameter(m, right[0]); p < m.parameters.size()) right = arguments[p];
        ++k;
        if (right.empty()) continue;
        Problems ignored("");
        const std::string_view text = words_.keep(std::string(out.back().text) + std::string(right[0].text));
        const std::vector<Token> glued = lex(text, ignored, t.prelude);
        if (glued.size() != 2) {
          problems_.error(t.at, "## makes no token of " + std::string(text));
          continue;
        }
        out.back().kind = glued[0].kind;
        out.back().text = glued[0].text;
        for (size_t j = 1; j < right.size(); ++j) push(out, right[j]);
        continue;
      }
      const size_t p = parameter(m, t);
      if (p < m.parameters.size()) {
        const bool glued = k + 1 < m.body.size() && m.body[k + 1].text == "##";
        if (glued) for (const Token& a : arguments[p]) push(out, a);
        else expand(arguments[p], out, depth + 1);
      } else {
        push(out, t);
      }
    }
  }

  // --- #if ---

  bool condition(const std::vector<Token>& tokens, const Span& at) {
    std::vector<Token> ready;
    for (size_t k = 0; k < tokens.size(); ++k) {
      if (tokens[k].text != "defined") {
        ready.push_back(tokens[k]);
        continue;
      }
      const bool paren = k + 1 < tokens.size() && tokens[k + 1].text == "(";
      k += paren ? 2 : 1;
      Token t = tokens[std::min(k, tokens.size() - 1)];
      t.text = k < tokens.size() && macros_.count(t.text) ? "1" : "0";
      t.kind = Tok::integer;
      ready.push_back(t);
      if (paren) ++k;
    }
    condition_.clear();
    expand(ready, condition_, 0);
    position_ = 0;
    bad_ = false;
    const int64_t v = binary(0, 0);
    if (bad_ || position_ != condition_.size() || condition_.empty()) {
      problems_.error(at, "this condition cannot be read", "#if takes whole numbers, defined(NAME) and operators");
      return false;
    }
    return v != 0;
  }
  std::string_view look() const { return position_ < condition_.size() ? condition_[position_].text : std::string_view(); }
  static int level(std::string_view op) {
    static constexpr std::array<std::pair<const char*, int>, 18> levels{{{"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4}, {"&", 5}, {"==", 6}, {"!=", 6}, {"<", 7},
        {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}}};
    for (const auto& l : levels)
      if (op == l.first) return l.second;
    return 0;
  }
  int64_t binary(int least, int depth) {
    int64_t a = unary(depth);
    while (level(look()) > least) {
      const std::string_view op = look();
      ++position_;
      const int64_t b = binary(level(op), depth + 1);
      const auto ua = uint64_t(a), ub = uint64_t(b);
      if (op == "||") a = a || b;
      else if (op == "&&") a = a && b;
      else if (op == "|") a |= b;
      else if (op == "^") a ^= b;
      else if (op == "&") a &= b;
      else if (op == "==") a = a == b;
      else if (op == "!=") a = a != b;
      else if (op == "<") a = a < b;
      else if (op == ">") a = a > b;
      else if (op == "<=") a = a <= b;
      else if (op == ">=") a = a >= b;
      else if (op == "<<") a = b < 0 || b > 63 ? 0 : int64_t(ua << ub);
      else if (op == ">>") a = b < 0 || b > 63 ? 0 : a >> b;
      else if (op == "+") a = int64_t(ua + ub);
      else if (op == "-") a = int64_t(ua - ub);
      else if (op == "*") a = int64_t(ua * ub);
      else if (b == 0 || (b == -1 && a == INT64_MIN)) bad_ = true;
      else if (op == "/") a /= b;
      else a %= b;
    }
    if (least == 0 && look() == "?") {
      ++position_;
      const int64_t x = binary(0, depth + 1);
      if (look() != ":") bad_ = true;
      ++position_;
      const int64_t y = binary(0, depth + 1);
      a = a ? x : y;
    }
    return a;
  }
  int64_t unary(int depth) {
    if (depth > 200 || position_ >= condition_.size()) return bad_ = true, 0;
    const Token& t = condition_[position_++];
    if (t.text == "!") return !unary(depth + 1);
    if (t.text == "-") return int64_t(0 - uint64_t(unary(depth + 1)));
    if (t.text == "+") return unary(depth + 1);
    if (t.text == "~") return ~unary(depth + 1);
    if (t.text == "(") {
      const int64_t v = binary(0, depth + 1);
      if (look() != ")") bad_ = true;
      ++position_;
      return v;
    }
    if (t.kind == Tok::integer) {
      const IntegerLiteral i = integer_literal(t.text);
      bad_ |= i.bad;
      return int64_t(i.value);
    }
    if (t.text == "true") return 1;
    if (t.kind != Tok::name) bad_ = true;
    return 0;  // a name that is no macro
  }

  std::vector<Token> in_, out_, condition_;
  size_t at_ = 0, position_ = 0, made_ = 0;
  bool bad_ = false, stopped_ = false;
  std::vector<Open> open_;
  Macros& macros_;
  Words& words_;
  Problems& problems_;
};

}  // namespace

std::vector<Token> preprocess(std::vector<Token> tokens, Macros& macros, Words& words, Problems& problems) {
  return Preprocessor(std::move(tokens), macros, words, problems).run();
}

}  // namespace lk::simt
