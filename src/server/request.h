// What a request asks for and what the answer looks like, without sockets: the part that tests can hold in their hands.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "server/server.h"

namespace lk::server {

struct Request {
  std::string_view method;  // "GET"
  std::string_view target;  // as sent: "/chapters/?a=1"
  std::string_view if_none_match;
};

struct Answer {
  int status = 200;
  std::string headers;                      // "Name: value\r\n" each, without Content-Length, Connection and Date
  std::shared_ptr<const std::string> body;  // may be null
};

/// The path of a target without its query, percent escapes decoded. Empty when it is malformed, holds control
/// characters or a backslash, or a segment that is empty or starts with a dot.
std::optional<std::string> safe_path(std::string_view target);

/// By the ending of the path: "text/html; charset=utf-8".
std::string_view media_type(std::string_view path);

Answer answer(const Request& request, const Options& options, const Get& get);

/// Script and style of live reload, served as files so that the policy of the pages holds.
std::string_view live_script();
std::string_view live_style();

}  // namespace lk::server
