// tests/books: every book has exactly the problems that are written down in it (tests/books/README.md).
#include <catch2/catch_all.hpp>

#include <algorithm>

#include "support/disk_files.h"
#include "support/fake_catalog.h"

using namespace lk;
namespace fs = std::filesystem;

namespace {

const fs::path books = fs::path(LK_SOURCE_DIR) / "tests" / "books";

// "file:line:column: error: first words" of the comments in a Markdown file.
void inline_expectations(const std::string& file, const std::string& text, std::vector<std::string>& out) {
  std::stringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    for (const std::string kind : {"error", "warning"}) {
      const std::string open = "<!-- " + kind + " ";
      for (size_t at = line.find(open); at != std::string::npos; at = line.find(open, at + 1)) {
        const size_t column = at + open.size();
        const size_t colon = line.find(": ", column);
        const size_t close = line.find(" -->", column);
        REQUIRE(colon < close);
        out.push_back(file + ":" + std::to_string(number) + ":" + line.substr(column, colon - column) + ": " + kind + ": " + line.substr(colon + 2, close - colon - 2));
      }
    }
  }
}

std::vector<std::string> expectations(const fs::path& folder) {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string text = *test::read_file(entry.path());
    if (entry.path().extension() == ".md") inline_expectations(fs::relative(entry.path(), folder).generic_string(), text, out);
    if (entry.path().filename() == "expected.txt") {
      std::stringstream lines(text);
      for (std::string line; std::getline(lines, line);) out.push_back(line);
    }
  }
  return out;
}

}  // namespace

TEST_CASE("books with faults have exactly these", "[check]") {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(books)) {
    if (!entry.is_directory()) continue;
    ++count;
    INFO(entry.path().filename().string());
    std::vector<Problem> problems;
    const book::Book book = book::load(test::disk_files({entry.path(), books / "base"}), problems);
    book::check(book, test::fake_catalog(), problems);
    std::vector<std::string> want = expectations(entry.path());
    CHECK((want.empty() == (entry.path().filename() == "base")));
    for (const Problem& problem : problems) {
      const std::string found = text(problem);
      // No-break spaces of values are written as spaces.
      std::string plain;
      for (size_t i = 0; i < found.size(); ++i) {
        const bool gap = found.compare(i, 2, "\xC2\xA0") == 0;
        plain += gap ? ' ' : found[i];
        i += gap ? 1 : 0;
      }
      const auto match = std::find_if(want.begin(), want.end(), [&](const std::string& w) { return plain.compare(0, w.size(), w) == 0; });
      if (match == want.end()) {
        FAIL_CHECK("unexpected: " << plain);
      } else {
        want.erase(match);
      }
    }
    for (const std::string& w : want) FAIL_CHECK("missing: " << w);
  }
  CHECK(count >= 8);
}

TEST_CASE("sentences that follow the device, for every device", "[check]") {
  std::vector<Problem> problems;
  book::Book book;
  book.home = book::parse_markdown(
      "One. The ridge is at [206](value:roofline.ridge) FLOP/B, $x$. It moves [4](value:memory_transactions.sectors).\n\n"
      "| a | b |\n|---|---|\n| [4.8 TB/s](value:roofline.bandwidth) | [1](value:roofline.ridge?device=b200) |\n\n```stats\nridge | [206](value:roofline.ridge?dtype=fp8)\n```\n",
      "home.md", 0, problems);
  const auto found = book::variants(book, test::fake_catalog());
  std::vector<std::string> lines;
  for (const auto& v : found) {
    for (const auto& t : v.texts) {
      std::string line = std::to_string(v.at.line) + ":" + std::to_string(v.at.column);
      for (const auto& id : t.devices) line += " " + id;
      lines.push_back(line + ": " + t.text);
    }
  }
  const std::string gap = "\u00a0";
  CHECK(lines == std::vector<std::string>{
                     "1:22 a100_40gb: The ridge is at 201 FLOP/B, x.", "1:22 h200: The ridge is at 206 FLOP/B, x.", "1:22 b200: The ridge is at 281 FLOP/B, x.",
                     "1:22 tiny: The ridge is at 2,000 FLOP/B, x.", "1:72 a100_40gb h200 b200 tiny: It moves 4.",
                     "5:3 a100_40gb: 1.56" + gap + "TB/s | 1", "5:3 h200: 4.8" + gap + "TB/s | 1", "5:3 b200: 8" + gap + "TB/s | 1", "5:3 tiny: 500" + gap + "GB/s | 1",
                     "8:9 a100_40gb tiny: ridge | 412 (H200 SXM)", "8:9 h200: ridge | 412", "8:9 b200: ridge | 563"});
}

TEST_CASE("problems of a page come in the order of its text", "[check]") {
  for (const auto& entry : fs::directory_iterator(books)) {
    if (!entry.is_directory()) continue;
    std::vector<Problem> ignored, problems;
    const book::Book book = book::load(test::disk_files({entry.path(), books / "base"}), ignored);
    book::check(book, test::fake_catalog(), problems);
    for (size_t i = 1; i < problems.size(); ++i) {
      const Place& a = problems[i - 1].error.at;
      const Place& b = problems[i].error.at;
      if (a.file != b.file || a.file.find(".md") == std::string::npos) continue;
      INFO(text(problems[i - 1]) << "\n" << text(problems[i]));
      CHECK(std::pair(a.line, a.column) <= std::pair(b.line, b.column));
    }
  }
}
