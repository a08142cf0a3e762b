#include "base/error.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "base/utf8.h"

namespace lk {
namespace {

std::string with_severity(const Error& error, std::string_view severity) {
  std::string out;
  if (!error.at.file.empty()) {
    out += error.at.file;
    out += ':';
  }
  if (error.at.line > 0) {
    out += std::to_string(error.at.line);
    out += ':';
    if (error.at.column > 0) {
      out += std::to_string(error.at.column);
      out += ':';
    }
  }
  if (!out.empty()) out += ' ';
  out += severity;
  out += ": ";
  out += error.what;
  if (!error.hint.empty()) {
    out += " (";
    out += error.hint;
    out += ')';
  }
  return one_line(out);  // names of files and what authors typed may hold anything
}

}  // namespace

std::string text(const Error& error) { return with_severity(error, "error"); }

std::string text(const Problem& problem) {
  return with_severity(problem.error, problem.severity == Severity::error ? "error" : "warning");
}

int edit_distance(std::string_view a, std::string_view b, int limit) {
  const int la = static_cast<int>(a.size());
  const int lb = static_cast<int>(b.size());
  if (std::abs(la - lb) > limit) return limit + 1;
  std::vector<int> row(static_cast<size_t>(lb) + 1), last = row, before;  // of this byte of `a`, the one before, two before
  for (int j = 0; j <= lb; ++j) row[static_cast<size_t>(j)] = j;
  for (int i = 1; i <= la; ++i) {
    before = std::exchange(last, row);
    row[0] = i;
    int least = row[0];
    for (int j = 1; j <= lb; ++j) {
      const auto k = static_cast<size_t>(j);
      const auto n = static_cast<size_t>(i);
      const int change = a[n - 1] == b[k - 1] ? 0 : 1;
      row[k] = std::min({last[k] + 1, row[k - 1] + 1, last[k - 1] + change});
      if (i > 1 && j > 1 && a[n - 1] == b[k - 2] && a[n - 2] == b[k - 1]) row[k] = std::min(row[k], before[k - 2] + 1);
      least = std::min(least, row[k]);
    }
    if (least > limit) return limit + 1;
  }
  return std::min(row[static_cast<size_t>(lb)], limit + 1);
}

}  // namespace lk
