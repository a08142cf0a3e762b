// The HTTP door: files by path over one event-driven thread, so that a slow or half-open client never delays another.
// GET and HEAD, conditional requests, redirects to the trailing slash, a content security policy per page, and
// server-sent events for live reload. Where files come from is the caller's business.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace lk::server {

struct File {
  std::shared_ptr<const std::string> bytes;
  std::string hash;  // of the bytes, in hex: the entity tag
};

/// The file at `path`, relative and decoded ("chapters/foundations/index.html"): it has no empty segments and none that
/// starts with a dot. Called on the server's thread.
using Get = std::function<std::optional<File>(std::string_view path)>;

struct Options {
  std::string host = "127.0.0.1";
  unsigned short port = 8080;  // 0: any free port
  std::string base = "/";      // where the site is mounted: "/", "/sub/path/"
  bool events = false;         // serve <base>-/events, <base>-/live.js and <base>-/live.css
  bool signals = false;        // run() ends on SIGINT and SIGTERM
  double idle_seconds = 20;    // for a whole request head to arrive, and between requests
  double write_seconds = 120;  // for an answer to be taken
};

class Server {
 public:
  /// Listens, or says why it cannot and what to do (the port is taken, the address is not this machine's).
  static Result<std::unique_ptr<Server>> open(const Options& options, Get get);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::string url() const;  // "http://127.0.0.1:8080/sub/path/"
  unsigned short port() const;
  /// Serves until stop() or a signal.
  void run();
  /// From any thread.
  void stop();
  /// Sends an event to every open page; those that connect later get the last one. From any thread.
  void publish(std::string event, std::string data);

  struct Impl;

 private:
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace lk::server
