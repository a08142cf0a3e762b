#include "server/server.h"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <map>
#include <thread>
#include <vector>

#include "client.h"
#include "server/request.h"

namespace lk::server {
namespace {

using test::Client;

const std::map<std::string, std::string, std::less<>> files{
    {"index.html",
     "<meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
     "&#39;none&#39;\"><h1>Home</h1>"},
    {"404.html", "<h1>Nothing here</h1>"},
    {"chapters/a/index.html", "<h1>A</h1>"},
    {"embed/roofline/index.html",
     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;\"><h1>Figure</h1>"},
    {"assets/reader.0123.wasm", std::string("\0asm", 4)},
    {"assets/big.0123.js", std::string(4 << 20, 'x')},
    {"sw.js", "self.x = 1;"},
};

std::optional<File> get(std::string_view path) {
  const auto it = files.find(path);
  if (it == files.end()) return std::nullopt;
  return File{std::make_shared<const std::string>(it->second), "hash-of-" + it->first};
}

/// A server on a free port, running in a thread.
struct Running {
  std::unique_ptr<Server> server;
  std::thread thread;
  explicit Running(Options options) {
    options.port = 0;
    auto opened = Server::open(options, get);
    REQUIRE(opened);
    server = std::move(*opened);
    thread = std::thread([this] { server->run(); });
  }
  ~Running() {
    server->stop();
    thread.join();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  std::string ask(const std::string& head) const {
    Client c(server->port());
    REQUIRE(c.connected());
    c.send(head);
    return c.read_all();
  }
  std::string get_path(const std::string& path, const std::string& headers = {}) const {
    return ask("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + headers + "\r\n");
  }
};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

Answer of(std::string_view target, const Options& options = {}, std::string_view method = "GET",
          std::string_view tag = {}) {
  return answer({method, target, tag}, options, get);
}

TEST_CASE("server: files, folders, types and caching") {
  const Running r{Options{}};
  const std::string home = r.get_path("/");
  CHECK(home.starts_with("HTTP/1.1 200 OK\r\n"));
  CHECK(has(home, "Content-Type: text/html; charset=utf-8\r\n"));
  CHECK(has(home, "Cache-Control: no-cache\r\n"));
  CHECK(has(home, "ETag: \"hash-of-index.html\"\r\n"));
  CHECK(has(home, "X-Content-Type-Options: nosniff\r\n"));
  CHECK(has(home, "Content-Security-Policy: default-src 'none'; frame-ancestors 'self'\r\n"));
  CHECK(home.ends_with("<h1>Home</h1>"));
  CHECK(has(r.get_path("/embed/roofline/"), "Content-Security-Policy: default-src 'none'\r\n"));
  const std::string wasm = r.get_path("/assets/reader.0123.wasm");
  CHECK(has(wasm, "Content-Type: application/wasm\r\n"));
  CHECK(has(wasm, "Cache-Control: public, max-age=31536000, immutable\r\n"));
  CHECK(wasm.ends_with(std::string("\r\n\r\n\0asm", 8)));
  CHECK(has(r.get_path("/sw.js"), "Content-Type: text/javascript; charset=utf-8\r\n"));
  CHECK(has(r.get_path("/chapters/a?x=1"), "301 Moved Permanently\r\n"));
  CHECK(has(r.get_path("/chapters/a?x=1"), "Location: /chapters/a/?x=1\r\n"));
  const std::string missing = r.get_path("/nowhere/");
  CHECK(missing.starts_with("HTTP/1.1 404 Not Found\r\n"));
  CHECK(missing.ends_with("<h1>Nothing here</h1>"));
}

TEST_CASE("server: HEAD, conditional requests, other methods, keep-alive") {
  const Running r{Options{}};
  const std::string head = r.ask("HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  CHECK(has(head, "Content-Length: " + std::to_string(files.at("index.html").size()) + "\r\n"));
  CHECK(head.ends_with("\r\n\r\n"));
  for (const char* tag :
       {"\"hash-of-index.html\"", "W/\"hash-of-index.html\"", "\"other\", \"hash-of-index.html\"", "*"}) {
    const std::string same = r.get_path("/", "If-None-Match: " + std::string(tag) + "\r\n");
    CHECK(same.starts_with("HTTP/1.1 304 Not Modified\r\n"));
    CHECK(same.ends_with("\r\n\r\n"));
    CHECK_FALSE(has(same, "Content-Length"));
  }
  CHECK(r.get_path("/", "If-None-Match: \"other\"\r\n").starts_with("HTTP/1.1 200"));
  CHECK(has(r.ask("DELETE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), "Allow: GET, HEAD\r\n"));

  Client c(r.server->port());
  for (int i = 0; i < 3; ++i) {
    c.send("GET /sw.js HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK(has(c.read_until("\r\n\r\n"), "Connection: keep-alive\r\n"));
    CHECK(c.read_bytes(11) == "self.x = 1;");
  }
}

TEST_CASE("server: a request with a body is answered by its method, and the body is no request") {
  const Running r{Options{}};
  for (const char* body : {"Content-Length: 24\r\n\r\nGET /sw.js HTTP/1.1\r\n\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"})
    for (const char* method : {"POST", "PUT", "GET", "HEAD"}) {
      const std::string all = r.ask(std::string(method) + " /sw.js HTTP/1.1\r\nHost: x\r\n" + body);
      INFO(method << '\n' << all);
      CHECK(all.starts_with(method[0] == 'P' ? "HTTP/1.1 405 " : "HTTP/1.1 200 "));
      CHECK(has(all, "Connection: close\r\n"));
      CHECK(has(all, "X-Content-Type-Options: nosniff\r\n"));
      CHECK(all.find("HTTP/1.1 ", 1) == std::string::npos);
    }
}

TEST_CASE("server: malformed and overlong requests get an answer and end") {
  const Running r{Options{}};
  CHECK(r.ask("nonsense\r\n\r\n").starts_with("HTTP/1.1 400"));
  CHECK(r.ask("GET http://elsewhere/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").starts_with("HTTP/1.1 400"));
  CHECK(r.ask("GET / HTTP/1.1\r\nX: " + std::string(40000, 'x') + "\r\n\r\n").starts_with("HTTP/1.1 431"));
  CHECK(r.get_path("/").starts_with("HTTP/1.1 200"));
}

TEST_CASE("server: paths never leave the site") {
  for (const char* target : {"/../secret", "/a/../../secret", "/%2e%2e/secret", "/..%2fsecret", "/%2e%2e%2fsecret",
                             "/a/%2E%2E/x", "/.lk-site", "/a/.hidden", "/a%00.html", "/a%0d%0ax", "/a\\..\\x",
                             "/a%5c..%5cx", "//elsewhere/x", "/%2felsewhere", "/a//b", "/%zz", "/%4", "/./x"})
    CHECK_FALSE(safe_path(target));
  CHECK(safe_path("/a/b%20c/?q=/../") == "/a/b c/");
  CHECK(safe_path("/") == "/");
  CHECK(of("/..%2f..%2fetc/passwd").status == 404);
}

TEST_CASE("server: a site below a path") {
  Options options;
  options.base = "/x/y/";
  CHECK(of("/x/y/", options).status == 200);
  CHECK(of("/x/y/sw.js", options).status == 200);
  CHECK(of("/sw.js", options).status == 404);
  CHECK(of("/x/z/", options).status == 404);
  for (const char* target : {"/", "/x/y"}) {
    CHECK(of(target, options).status == 302);
    CHECK(has(of(target, options).headers, "Location: /x/y/\r\n"));
  }
  CHECK(has(of("/x/y/chapters/a", options).headers, "Location: /x/y/chapters/a/\r\n"));
}

TEST_CASE("server: half-open, slow and greedy clients delay nobody") {
  Options options;
  options.idle_seconds = 3;
  options.write_seconds = 3;
  const Running r{options};
  std::vector<Client> rude;
  for (int i = 0; i < 64; ++i) {
    rude.emplace_back(r.server->port());
    REQUIRE(rude.back().connected());
    if (i % 3 == 0) rude.back().send("GET / HT");                                             // half a request
    if (i % 3 == 1) rude.back().send("GET /assets/big.0123.js HTTP/1.1\r\nHost: x\r\n\r\n");  // never reads the answer
  }
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) CHECK(r.get_path("/").starts_with("HTTP/1.1 200"));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::milliseconds(2500));
  // Whoever sends or takes nothing is let go.
  CHECK(rude[0].read_all(8000).empty());
  CHECK(rude[2].read_all(8000).empty());
  CHECK(rude[1].read_all(8000).size() < files.at("assets/big.0123.js").size());
}

TEST_CASE("server: events reach every open page, and late ones get the last") {
  Options options;
  options.events = true;
  const Running r{options};
  const auto follow = [&] {
    Client c(r.server->port());
    c.send("GET /-/events HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK(has(c.read_until("\n\n"), "Content-Type: text/event-stream\r\n"));
    return c;
  };
  Client a = follow(), b = follow();
  { const Client gone = follow(); }
  r.server->publish("problems", "a.md:1:2: error: one\na.md:3:4: error: two");
  for (Client* c : {&a, &b})
    CHECK(c->read_until("two\n\n") == "event: problems\ndata: a.md:1:2: error: one\ndata: a.md:3:4: error: two\n\n");
  Client late(r.server->port());
  late.send("GET /-/events HTTP/1.1\r\nHost: x\r\n\r\n");
  CHECK(late.read_until("two\n\n").ends_with("error: two\n\n"));
  CHECK(r.get_path("/-/live.js").starts_with("HTTP/1.1 200"));
  CHECK(of("/-/live.js").status == 404);  // not in a site that is only served
}

TEST_CASE("server: a taken port is explained") {
  const Running r{Options{}};
  Options options;
  options.port = r.server->port();
  const auto second = Server::open(options, get);
  REQUIRE_FALSE(second);
  CHECK(has(second.error().what, "is taken"));
  CHECK(has(second.error().hint, "--port"));
  options.host = "no.such.host.invalid";
  CHECK_FALSE(Server::open(options, get));
}

}  // namespace
}  // namespace lk::server
