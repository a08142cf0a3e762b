// Bare addresses in running text: https://example.org/x becomes a link. cmark-gfm's own extension reads outside its buffers
// and swallows code spans that touch an address, so the book does without it.
#pragma once
#include <string_view>
#include <vector>

#include "book/document.h"

namespace lk::book {

struct TextPart {
  std::string_view text;
  bool address = false;
};

/// Cuts `text` at addresses that begin with http:// or https://. Punctuation that ends a sentence and a closing parenthesis
/// that nothing opens stay outside. Linear time.
std::vector<TextPart> bare_links(std::string_view text);

/// Puts links where addresses stand in the texts among `node`'s children.
void link_addresses(Node& node);

}  // namespace lk::book
