// Answers of a search as JSON, for the method table and for the search module, which goes without a JSON parser.
//   {"results": [{"url", "title", "kind", "number", "page", "score", "marked": segments, "snippet": segments,
//                 "headings": [{"url", "marked"}]}],
//    "corrected": [{"typed", "read"}], "suggestions": [{"url", "title"}], "missing": [{"page", "file"}], "cut": boolean}
// kind: term, section, heading, figure, source, page. Addresses begin with '/' and lack the site's base. Segments are
// [{"text", "mark": true}], in order, together the text; "mark" only where the query matches. "missing": pages whose texts would
// add snippets or decide about a quoted phrase, with their files. "cut": only the first 24 words of the query count.
#pragma once
#include <string>
#include <string_view>

#include "base/error.h"
#include "search/query.h"

namespace lk::api {

Result<std::string> search_json(const search::Index& index, std::string_view query, const search::Options& options);

/// Glossary entries for someone who has not typed yet: [{"url", "title"}].
std::string start_json(const search::Index& index);

}  // namespace lk::api
