#include "book/scan.h"

#include <algorithm>
#include <unordered_map>

namespace lk::book {
namespace {

bool is_punctuation(char c) {
  const auto u = static_cast<unsigned char>(c);
  return (u >= 33 && u <= 47) || (u >= 58 && u <= 64) || (u >= 91 && u <= 96) || (u >= 123 && u <= 126);
}

bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) { out_.tagged.reserve(text.size() + text.size() / 16); }

  Scan run() {
    size_t begin = 0;
    while (begin < text_.size()) {
      const size_t end = segment_end(begin);
      segment(begin, end);
      begin = end;
    }
    out_.tagged += text_.substr(copied_);
    return std::move(out_);
  }

 private:
  // A segment reaches to the end of the next blank line ('>' of quotes are blank too): no inline crosses one.
  size_t segment_end(size_t at) const {
    while (at < text_.size()) {
      const size_t newline = text_.find('\n', at);
      const size_t stop = newline == std::string_view::npos ? text_.size() : newline;
      const bool blank = text_.substr(at, stop - at).find_first_not_of(" \t>") == std::string_view::npos;
      at = stop == text_.size() ? stop : stop + 1;
      if (blank) break;
    }
    return at;
  }

  void segment(size_t begin, size_t end) {
    ticks_.clear();
    for (size_t i = begin; i < end;) {
      if (text_[i] != '`') {
        ++i;
        continue;
      }
      const size_t from = i;
      while (i < end && text_[i] == '`') ++i;
      ticks_[i - from].push_back(from);
    }
    open_.clear();
    size_t i = begin;
    bool line_start = true;
    while (i < end) {
      if (line_start) {
        definition(i, end, false);
        line_start = false;
      }
      const char c = text_[i];
      if (c == '\n') {
        ++i;
        next_line(i);
        line_start = true;
      } else if (c == '\\' && i + 1 < end && is_punctuation(text_[i + 1])) {
        i += 2;
      } else if (c == '`') {
        i = code(i, end);
      } else if (c == '$') {
        i = formula(i, begin, end);
      } else if (c == '[') {
        open_.push_back(i > begin && text_[i - 1] == '!' && !escaped(i - 1, begin) ? i - 1 : i);
        if (i + 1 < end && text_[i + 1] == '^') footnote_ref(i, end);
        ++i;
      } else if (c == ']') {
        size_t from = i;
        if (!open_.empty()) {
          from = open_.back();
          open_.pop_back();
        }
        if (i + 1 < end && text_[i + 1] == '(') tag_address(i + 2, end, from);
        ++i;
      } else if (c == '<') {
        autolink(i, end);
        ++i;
      } else {
        ++i;
      }
    }
  }

  bool escaped(size_t at, size_t begin) const {
    size_t slashes = 0;
    while (at > begin + slashes && text_[at - slashes - 1] == '\\') ++slashes;
    return slashes % 2 == 1;
  }

  // Past a code span, or past the backticks when nothing closes them.
  size_t code(size_t at, size_t end) {
    size_t after = at;
    while (after < end && text_[after] == '`') ++after;
    const size_t length = after - at;
    const auto same = ticks_.find(length);
    if (same == ticks_.end()) return after;
    const auto close = std::lower_bound(same->second.begin(), same->second.end(), after);
    if (close == same->second.end()) return after;
    // Lines inside the span still count. Addresses inside it are tagged too: a heading or a table between the backticks ends
    // the paragraph, and then this is no code.
    std::vector<size_t> inside;
    for (size_t i = after; i < *close; ++i) {
      if (text_[i] == '\n') {
        next_line(i + 1);
        definition(i + 1, *close, true);
      }
      if (text_[i] == '<') autolink(i, *close);
      if (text_[i] == '[') inside.push_back(text_[i - 1] == '!' ? i - 1 : i);
      if (text_[i] != ']') continue;
      const size_t from = inside.empty() ? i : inside.back();
      if (!inside.empty()) inside.pop_back();
      if (i + 1 < *close && text_[i + 1] == '(') tag_address(i + 2, *close, from);
    }
    return *close + length;
  }

  // Past a formula that begins here, or past its dollar signs when there is none.
  size_t formula(size_t at, size_t begin, size_t end) {
    const bool display = at + 1 < end && text_[at + 1] == '$';
    const size_t from = at + (display ? 2 : 1);
    const size_t close = display ? display_end(from, end) : inline_end(from, begin, end);
    if (close == std::string_view::npos || at < copied_) return from;
    const size_t after = close + (display ? 2 : 1);
    out_.tagged += text_.substr(copied_, at - copied_);
    Dollars made;
    made.display = display;
    for (size_t line = at; line < after;) {
      const size_t stop = std::min(std::min(text_.find('\n', line), text_.size()), after);
      const std::string number = std::to_string(out_.formulas.size()) + "." + std::to_string(made.pieces.size());
      out_.tagged.append(formula_open).append(number).append(formula_close);
      made.pieces.push_back({spot(line), std::string(text_.substr(line, stop - line))});
      line = stop;
      if (line == after) break;
      next_line(++line);
      const size_t gap = line;
      while (line < after && (text_[line] == ' ' || text_[line] == '\t' || text_[line] == '>')) ++line;
      out_.tagged += '\n';
      out_.tagged += text_.substr(gap, line - gap);
    }
    out_.formulas.push_back(std::move(made));
    copied_ = after;
    return after;
  }

  size_t inline_end(size_t from, size_t begin, size_t end) const {
    constexpr auto none = std::string_view::npos;
    if (from >= end || text_[from] == ' ' || text_[from] == '\t' || text_[from] == '\n') return none;
    const size_t before = text_.rfind('\n', from);
    const size_t start = before == none || before < begin ? begin : before + 1;
    const size_t first = text_.find_first_not_of(" \t>", start);
    const bool row = first < end && text_[first] == '|';
    for (size_t i = from; i < end && text_[i] != '\n'; ++i) {
      const char c = text_[i];
      if (c == '`' || (row && c == '|')) return none;
      if (c == '\\') {
        ++i;
      } else if (c == '$') {
        const bool space = text_[i - 1] == ' ' || text_[i - 1] == '\t';
        const bool digit = i + 1 < end && text_[i + 1] >= '0' && text_[i + 1] <= '9';
        return i == from || space || digit ? none : i;
      }
    }
    return none;
  }

  size_t display_end(size_t from, size_t end) const {
    constexpr auto none = std::string_view::npos;
    bool blank = true;
    for (size_t i = from; i + 1 < end; ++i) {
      const char c = text_[i];
      if (c == '\n') {
        const size_t first = text_.find_first_not_of(" \t>", i + 1);
        if (first < end && (text_.substr(first, 3) == "```" || text_.substr(first, 3) == "~~~")) return none;
      } else if (c == '$' && text_[i + 1] == '$') {
        return blank ? none : i;
      } else if (c == '\\') {
        blank = false;
        if (text_[i + 1] != '\n') ++i;
      } else if (c != ' ' && c != '\t') {
        blank = false;
      }
    }
    return none;
  }

  // The address may stand in the next line, behind the '>' of a quote.
  void tag_address(size_t at, size_t end, size_t from) {
    while (at < end && (text_[at] == ' ' || text_[at] == '\t')) ++at;
    if (at < end && text_[at] == '\n') {
      ++at;
      while (at < end && (text_[at] == ' ' || text_[at] == '\t' || text_[at] == '>')) ++at;
    }
    if (at < end && text_[at] == '<') ++at;
    if (at < end && text_[at] != '\n') tag(at, from);
  }

  void autolink(size_t at, size_t end) {
    size_t i = at + 1;
    if (i >= end || !is_alpha(text_[i])) return;
    while (i < end && i - at < 34 && (is_alpha(text_[i]) || (text_[i] >= '0' && text_[i] <= '9') || text_[i] == '+' || text_[i] == '.' || text_[i] == '-')) ++i;
    if (i < end && text_[i] == ':' && i - at > 2) tag(i + 1, at);
  }

  // Past what makes lists and quotes.
  size_t containers(size_t at, size_t end) const {
    while (at < end) {
      size_t i = at;
      while (i < end && (text_[i] == ' ' || text_[i] == '\t' || text_[i] == '>')) ++i;
      size_t mark = i;
      while (mark < end && mark - i < 9 && text_[mark] >= '0' && text_[mark] <= '9') ++mark;
      const bool number = mark > i && mark < end && (text_[mark] == '.' || text_[mark] == ')');
      const bool bullet = mark == i && mark < end && (text_[mark] == '-' || text_[mark] == '+' || text_[mark] == '*');
      if ((number || bullet) && mark + 1 < end && (text_[mark + 1] == ' ' || text_[mark + 1] == '\t')) i = mark + 1;
      if (i == at) break;
      at = i;
    }
    return at;
  }

  // "[label]: address" and "[^label]:" at the start of a line; one may follow the other. In code, which may be none
  // after all, addresses are tagged and notes do not count.
  void definition(size_t at, size_t end, bool code) {
    while (true) {
      at = containers(at, end);
      if (at + 4 < end && text_[at] == '[' && text_[at + 2] == ']' && text_[at + 3] == ' ') {  // of a task list
        at += 3;
        continue;
      }
      if (at + 2 >= end || text_[at] != '[') return;
      size_t i = at + 1;
      while (i < end && i - at < 1000 && text_[i] != ']' && text_[i] != '\n') i += text_[i] == '\\' ? 2 : 1;
      if (i + 1 >= end || text_[i] != ']' || text_[i + 1] != ':') return;
      if (text_[at + 1] != '^') {
        tag_address(i + 2, end, at);
        return;
      }
      if (!code) out_.footnotes.emplace(std::string(text_.substr(at + 2, i - at - 2)), spot(at));
      at = i + 2;
    }
  }

  void footnote_ref(size_t at, size_t end) {
    size_t i = at + 2;
    while (i < end && i - at < 1000 && text_[i] != ']' && text_[i] != '\n' && text_[i] != '[') ++i;
    if (i >= end || text_[i] != ']' || i == at + 2) return;
    const std::string label(text_.substr(at + 2, i - at - 2));
    const auto own = out_.footnotes.find(label);
    const Spot here = spot(at);
    if (own != out_.footnotes.end() && own->second.line == here.line && own->second.column == here.column) return;
    out_.footnote_refs.emplace(label, here);
  }

  // Tags are asked for in rising order, but for a definition's, which the link scan of the same line may meet again.
  void tag(size_t at, size_t from) {
    if (at < copied_ || (at == copied_ && !out_.links.empty())) return;
    out_.tagged += text_.substr(copied_, at - copied_);
    copied_ = at;
    out_.tagged += tag_open;
    out_.tagged += std::to_string(out_.links.size());
    out_.tagged += tag_close;
    out_.links.push_back(spot(from));
  }

  void next_line(size_t start) { lines_.push_back(start); }

  Spot spot(size_t at) const {
    const auto after = std::upper_bound(lines_.begin(), lines_.end(), at);
    const auto line = after - lines_.begin();
    return {static_cast<int>(line), static_cast<int>(at - *(after - 1)) + 1};
  }

  std::string_view text_;
  Scan out_;
  size_t copied_ = 0;
  std::vector<size_t> lines_{0};
  std::vector<size_t> open_;
  std::unordered_map<size_t, std::vector<size_t>> ticks_;  // length of a run of backticks -> where such runs begin
};

}  // namespace

Scan scan_links(std::string_view text) { return Scanner(text).run(); }

std::string tex_of(const Dollars& formula) {
  const size_t mark = formula.display ? 2 : 1;
  std::string out;
  for (const Dollars::Piece& piece : formula.pieces) out += (out.empty() && &piece == &formula.pieces.front() ? "" : "\n") + piece.raw;
  return out.substr(mark, out.size() - 2 * mark);
}

Spot place_in(const Dollars& formula, size_t tex_offset) {
  size_t rest = tex_offset + (formula.display ? 2 : 1);
  for (const Dollars::Piece& piece : formula.pieces) {
    if (rest <= piece.raw.size()) return {piece.at.line, piece.at.column + static_cast<int>(rest)};
    rest -= piece.raw.size() + 1;
  }
  return formula.pieces.front().at;
}

FormulaTag formula_tag(std::string_view text, size_t at) {
  FormulaTag out;
  size_t i = at + formula_open.size();
  const auto number = [&] {
    size_t n = 0;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9' && n < 100000000) n = n * 10 + static_cast<size_t>(text[i++] - '0');
    return n;
  };
  out.formula = number();
  if (i < text.size() && text[i] == '.') ++i;
  out.line = number();
  if (text.substr(std::min(i, text.size()), formula_close.size()) != formula_close) return {};
  out.size = i + formula_close.size() - at;
  return out;
}

void restore_formulas(std::string& text, const Scan& scan) {
  size_t at = text.find(formula_open);
  if (at == std::string::npos) return;
  std::string out;
  size_t from = 0;
  while (at != std::string::npos) {
    out.append(text, from, at - from);
    const FormulaTag tag = formula_tag(text, at);
    if (tag.size > 0 && tag.formula < scan.formulas.size() && tag.line < scan.formulas[tag.formula].pieces.size()) out += scan.formulas[tag.formula].pieces[tag.line].raw;
    from = at + std::max(tag.size, formula_open.size());
    at = text.find(formula_open, from);
  }
  out.append(text, from, std::string::npos);
  text = std::move(out);
}

int strip_tags(std::string& text) {
  size_t at = text.find(tag_open);
  if (at == std::string::npos) return -1;
  int first = -1;
  std::string out;
  size_t from = 0;
  while (at != std::string::npos) {
    out.append(text, from, at - from);
    size_t i = at + tag_open.size();
    int number = 0;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9' && number < 100000000) number = number * 10 + (text[i++] - '0');
    if (first < 0) first = number;
    if (text.compare(i, tag_close.size(), tag_close) == 0) i += tag_close.size();
    from = i;
    at = text.find(tag_open, from);
  }
  out.append(text, from, std::string::npos);
  text = std::move(out);
  return first;
}

}  // namespace lk::book
