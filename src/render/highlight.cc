#include "render/highlight.h"

#include <algorithm>
#include <span>

#include "base/utf8.h"

namespace lk::render {
namespace {

using Words = std::span<const std::string_view>;

// Sorted, for binary search.
constexpr std::string_view c_words[] = {
    "__constant__", "__device__", "__forceinline__", "__global__", "__grid_constant__", "__host__", "__launch_bounds__", "__noinline__",
    "__restrict__", "__shared__", "alignas", "alignof", "asm", "auto", "break", "case", "catch", "class", "const", "const_cast", "constexpr",
    "continue", "default", "delete", "do", "else", "enum", "explicit", "extern", "false", "for", "friend", "goto", "if", "inline", "namespace",
    "new", "noexcept", "nullptr", "operator", "private", "protected", "public", "reinterpret_cast", "return", "sizeof", "static",
    "static_assert", "static_cast", "struct", "switch", "template", "this", "throw", "true", "try", "typedef", "typename", "union", "using",
    "virtual", "void", "volatile", "while"};
constexpr std::string_view c_types[] = {
    "__half", "__half2", "__nv_bfloat16", "__nv_bfloat162", "__nv_fp8_e4m3", "__nv_fp8_e5m2", "bool", "char", "dim3", "double", "float",
    "float2", "float3", "float4", "half", "half2", "int", "int16_t", "int2", "int32_t", "int4", "int64_t", "int8_t", "long", "short", "signed",
    "size_t", "uint16_t", "uint2", "uint32_t", "uint4", "uint64_t", "uint8_t", "unsigned"};
constexpr std::string_view python_words[] = {
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
    "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield"};
constexpr std::string_view python_types[] = {"bool", "bytes", "constexpr", "dict", "float", "int", "list", "set", "str", "tuple"};
constexpr std::string_view ptx_types[] = {".b128", ".b16", ".b32", ".b64", ".b8", ".bf16", ".bf16x2", ".f16", ".f16x2", ".f32", ".f64", ".pred",
                                          ".s16", ".s32", ".s64", ".s8", ".tf32", ".u16", ".u32", ".u64", ".u8"};
constexpr std::string_view mlir_words[] = {"attributes", "else", "false", "func", "loc", "module", "return", "to", "true", "unit"};
constexpr std::string_view mlir_types[] = {"bf16", "f16", "f32", "f64", "f8E4M3FN", "f8E5M2", "i1", "i16", "i32", "i64", "i8", "index", "memref", "tensor", "vector"};
constexpr std::string_view json_words[] = {"false", "null", "true"};
constexpr std::string_view sh_words[] = {"case", "do", "done", "elif", "else", "esac", "exit", "export", "fi", "for", "function", "if", "in", "local", "return", "set", "then", "while"};

bool has(Words words, std::string_view word) { return std::binary_search(words.begin(), words.end(), word); }

struct Language {
  Words words = {}, types = {};
  std::string_view line_comment = {};
  bool block_comments = false, triple_quotes = false, preprocessor = false, decorators = false, single_quotes = true;
  bool dotted = false;      // '.', '%', '$', '@', '!' belong to words
  bool leading = false;     // the first word of a line, but for a predicate, is its instruction
};

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80; }
bool digit(char c) { return c >= '0' && c <= '9'; }

const Language* language_of(std::string_view name) {
  static constexpr Language c_like{.words = c_words, .types = c_types, .line_comment = "//", .block_comments = true, .preprocessor = true};
  static constexpr Language python{.words = python_words, .types = python_types, .line_comment = "#", .triple_quotes = true, .decorators = true};
  static constexpr Language ptx{.types = ptx_types, .line_comment = "//", .block_comments = true, .single_quotes = false, .dotted = true};
  static constexpr Language sass{.line_comment = "//", .block_comments = true, .single_quotes = false, .dotted = true, .leading = true};
  static constexpr Language mlir{.words = mlir_words, .types = mlir_types, .line_comment = "//", .single_quotes = false, .dotted = true};
  static constexpr Language json{.words = json_words, .single_quotes = false};
  static constexpr Language sh{.words = sh_words, .line_comment = "#"};
  if (name == "cuda" || name == "cpp" || name == "c") return &c_like;
  if (name == "python") return &python;
  if (name == "ptx") return &ptx;
  if (name == "sass") return &sass;
  if (name == "mlir") return &mlir;
  if (name == "json") return &json;
  if (name == "sh" || name == "console") return &sh;
  return nullptr;
}

class Lexer {
 public:
  Lexer(std::string_view code, const Language* language) : code_(code), language_(language) {}

  std::vector<std::string> run() {
    lines_.emplace_back();
    if (language_ == nullptr) {
      emit(code_, "");
    } else {
      while (at_ < code_.size()) token();
    }
    if (!code_.empty() && code_.back() == '\n') lines_.pop_back();
    return std::move(lines_);
  }

 private:
  bool starts(std::string_view text) const { return !text.empty() && code_.substr(at_, text.size()) == text; }

  void take(size_t end, std::string_view css) {
    emit(code_.substr(at_, end - at_), css);
    at_ = end;
  }

  // A token may cross lines: its span ends and begins again.
  void emit(std::string_view text, std::string_view css) {
    while (true) {
      const size_t end = std::min(text.find('\n'), text.size());
      std::string_view part = text.substr(0, end);
      if (!part.empty() && part.back() == '\r') part.remove_suffix(1);
      if (!part.empty()) {
        std::string& line = lines_.back();
        if (!css.empty()) line.append("<span class=\"").append(css).append("\">");
        line += html_escaped(part);
        if (!css.empty()) line += "</span>";
      }
      if (end == text.size()) return;
      lines_.emplace_back();
      text.remove_prefix(end + 1);
    }
  }

  size_t line_end() const { return std::min(code_.find('\n', at_), code_.size()); }

  void token() {
    const char c = code_[at_];
    const Language& l = *language_;
    if (starts(l.line_comment)) return take(line_end(), "co");
    if (l.block_comments && starts("/*")) {
      const size_t close = code_.find("*/", at_ + 2);
      return take(close == std::string_view::npos ? code_.size() : close + 2, "co");
    }
    if (l.triple_quotes && (starts("\"\"\"") || starts("'''"))) {
      const size_t close = code_.find(code_.substr(at_, 3), at_ + 3);
      return take(close == std::string_view::npos ? code_.size() : close + 3, "st");
    }
    if (c == '"' || (c == '\'' && l.single_quotes)) return take(string_end(c), "st");
    if (l.preprocessor && c == '#' && line_is_blank_before()) {
      size_t end = at_ + 1;
      while (end < code_.size() && (code_[end] == ' ' || letter(code_[end]))) ++end;
      while (end > at_ + 1 && code_[end - 1] == ' ') --end;
      return take(end, "k");
    }
    if (digit(c)) return take(number_end(), "nu");
    if (l.decorators && c == '@' && line_is_blank_before()) {
      size_t end = at_ + 1;
      while (end < code_.size() && (letter(code_[end]) || digit(code_[end]) || code_[end] == '.')) ++end;
      return take(end, "k");
    }
    if (letter(c) || (l.dotted && word_mark(c))) return word();
    size_t end = at_ + 1;
    while (end < code_.size() && plain(code_[end])) ++end;
    take(end, "");
  }

  static bool word_mark(char c) { return c == '.' || c == '%' || c == '$' || c == '@' || c == '!'; }
  // Characters that begin no token in any language.
  static bool plain(char c) { return c == ' ' || c == '(' || c == ')' || c == ',' || c == ';' || c == '=' || c == '+' || c == '\n'; }

  bool line_is_blank_before() const {
    size_t i = at_;
    while (i > 0 && (code_[i - 1] == ' ' || code_[i - 1] == '\t')) --i;
    return i == 0 || code_[i - 1] == '\n';
  }

  // Nothing stands before it in its line, or "@P0", "@!UP1".
  bool leads() const {
    const size_t end = code_.rfind('\n', at_), begin = end == std::string_view::npos ? 0 : end + 1;
    std::string_view before = code_.substr(begin, at_ - begin);
    before.remove_prefix(std::min(before.find_first_not_of(" \t"), before.size()));
    before.remove_suffix(before.size() - std::min(before.find_last_not_of(" \t") + 1, before.size()));
    return before.empty() || (before.front() == '@' && before.find(' ') == std::string_view::npos);
  }

  size_t string_end(char quote) const {
    size_t i = at_ + 1;
    while (i < code_.size() && code_[i] != quote && code_[i] != '\n') i += code_[i] == '\\' && i + 1 < code_.size() && code_[i + 1] != '\n' ? 2 : 1;
    return i < code_.size() && code_[i] == quote ? i + 1 : i;
  }

  size_t number_end() const {
    size_t i = at_;
    while (i < code_.size()) {
      const char c = code_[i];
      const bool sign = (c == '+' || c == '-') && i > at_ && (code_[i - 1] == 'e' || code_[i - 1] == 'E') && !(code_[at_] == '0' && at_ + 1 < code_.size() && (code_[at_ + 1] == 'x' || code_[at_ + 1] == 'X'));
      const bool separator = c == '\'' && language_->preprocessor && i + 1 < code_.size() && digit(code_[i + 1]);
      if (!digit(c) && !letter(c) && c != '.' && !sign && !separator) break;
      ++i;
    }
    return i;
  }

  void word() {
    size_t end = at_ + 1;
    while (end < code_.size() && (letter(code_[end]) || digit(code_[end]) || (language_->dotted && (code_[end] == '.' || code_[end] == '$')))) ++end;
    const std::string_view text = code_.substr(at_, end - at_);
    std::string_view css;
    if (language_->leading) {
      if (letter(text.front()) && leads()) css = "k";
    } else if (has(language_->types, text)) {
      css = "ty";
    } else if (has(language_->words, text)) {
      css = "k";
    } else if (language_->dotted) {
      // A directive (".reg"), an instruction or operation ("ld.global.f32", "tt.load"); registers and names stay plain.
      const bool sigil = text.front() == '%' || text.front() == '$' || text.front() == '@';
      if (text.front() == '!') {
        css = "ty";
      } else if (!sigil && text.size() > 1 && text.find('.') != std::string_view::npos) {
        css = "k";
      }
    }
    take(end, css);
  }

  std::string_view code_;
  const Language* language_;
  size_t at_ = 0;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> highlighted(std::string_view code, std::string_view language) { return Lexer(code, language_of(language)).run(); }

}  // namespace lk::render
