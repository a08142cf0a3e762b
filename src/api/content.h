// The files of content/ -> a book, its world and everything that is wrong with them. Where the files come from is the caller's.
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "api/answers.h"
#include "base/error.h"
#include "book/book.h"
#include "plot/world.h"

namespace lk::api {

struct Content {
  book::Book book;
  World world;
  std::shared_ptr<Answers> answers;  // of figures in that world
  std::vector<Problem> problems;  // places name files as seen from the content folder
  bool sound = false;             // figures can be evaluated: the tables that they look at have no errors
  bool usable = false;            // no errors at all: the book can be published
};

/// Reads every file, reporting what is wrong in each. `usable` waits for check_content().
/// `answers` may be those of an earlier reading; what they hold of other tables is forgotten.
Content read_content(const book::Files& files, std::shared_ptr<Answers> answers = {});
/// Adds what only shows across files (links, values, unused entries), in the order of files, lines and columns.
/// Runs once on what read_content() gave.
void check_content(Content& content);

bool has_errors(const std::vector<Problem>& problems);
/// By file, line and column.
void sort_problems(std::vector<Problem>& problems);

}  // namespace lk::api
