// lk as people and scripts run it. The program lies beside the tests.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <csignal>
#include <thread>

#include "base/json.h"
#include "client.h"
#include "scratch.h"
#include "site/write.h"
#include "stand_in.h"

extern char** environ;

namespace lk {
namespace {

namespace fs = std::filesystem;
using test::Scratch;

std::string program() {
  return (fs::read_symlink("/proc/self/exe").parent_path() / "lk").string();
}

std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Run {
  int status = -1;
  std::string out, err;
};

pid_t start(const std::vector<std::string>& arguments, const fs::path& out, const fs::path& err) {
  std::vector<std::string> words{program()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t pid = -1;
  REQUIRE(posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ) == 0);
  posix_spawn_file_actions_destroy(&actions);
  return pid;
}

Run lk(const Scratch& scratch, const std::vector<std::string>& arguments) {
  const fs::path out = scratch.path / "stdout", err = scratch.path / "stderr";
  const pid_t pid = start(arguments, out, err);
  int status = 0;
  waitpid(pid, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(out), slurp(err)};
}

const std::string content = std::string(LK_SOURCE_DIR) + "/content";

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> build_words(const Scratch& scratch, const std::string& out) {
  return {"build",
          "--content",
          content,
          "--assets",
          (scratch.path / "web").string(),
          "--fonts",
          (scratch.path / "fonts").string(),
          "--out",
          out};
}

TEST_CASE("lk: help with examples everywhere, and status 2 for a wrong command line") {
  const Scratch scratch;
  CHECK(lk(scratch, {"--version"}).out.starts_with("lk "));
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"--help"},
                                                                                     {"build", "--help"},
                                                                                     {"serve", "--help"},
                                                                                     {"check", "--help"},
                                                                                     {"figures", "--help"},
                                                                                     {"figure", "--help"},
                                                                                     {"devices", "--help"},
                                                                                     {"search", "--help"}}) {
    const Run r = lk(scratch, words);
    CHECK(r.status == 0);
    CHECK(has(r.out, "Examples:\n  lk "));
  }
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{},
                                             {"bild"},
                                             {"build", "--nonsense"},
                                             {"figure"},
                                             {"figure", "roofline", "--format", "pdf"},
                                             {"figure", "roofline", "--width", "1"},
                                             {"serve", "--port", "70000"},
                                             {"serve", "--site", "a", "--content", "b"},
                                             {"check", "--format", "xml"},
                                             {"search"},
                                             {"search", "--content", content, "  "},
                                             {"search", "warp", "--limit", "0"},
                                             {"search", "warp", "--limit", "51"},
                                             {"build", "--base", "book"}}) {
    const Run r = lk(scratch, words);
    CHECK(r.status == 2);
    CHECK(r.out.empty());
    CHECK_FALSE(r.err.empty());
  }
}

TEST_CASE("lk devices: the list, a device with sources and reasons, JSON, and unknown ones") {
  const Scratch scratch;
  const Run all = lk(scratch, {"devices", "--content", content});
  CHECK(all.status == 0);
  CHECK(has(all.out, "NVIDIA Hopper\n  h200         H200 SXM (the book's)\n"));
  const Run one = lk(scratch, {"devices", "trainium3", "--content", content});
  CHECK(one.status == 0);
  CHECK(has(one.out, "trainium3-device"));
  CHECK(has(one.out, "or 4.7\u00A0TB/s (trainium3-arch)"));
  CHECK(has(one.out, "AWS publishes none"));
  const Run as_json = lk(scratch, {"devices", "--json", "--content", content});
  const auto parsed = json::parse(as_json.out);
  REQUIRE(parsed);
  CHECK(parsed->array.size() >= 19);
  for (const json::Value& device : parsed->array) REQUIRE(device.find("numbers"));
  const Run wrong = lk(scratch, {"devices", "mi300", "--content", content});
  CHECK(wrong.status == 2);
  CHECK(has(wrong.err, "did you mean mi300x?"));
}

TEST_CASE("lk check: clean content, broken content as text and JSON, no content") {
  const Scratch scratch;
  const Run clean = lk(scratch, {"check", "--content", content});
  CHECK(clean.status == 0);
  CHECK(has(clean.out, "No problems"));
  const std::string mine = test::copy_content(scratch.path);
  test::put(fs::path(mine) / "glossary.json", "{\"terms\": [\n  {\"id\": 1}]}");
  const Run broken = lk(scratch, {"check", "--content", mine});
  CHECK(broken.status == 1);
  CHECK(has(broken.out, mine + "/glossary.json:2:"));
  const Run as_json = lk(scratch, {"check", "--content", mine, "--format", "json"});
  CHECK(as_json.status == 1);
  const auto parsed = json::parse(as_json.out);
  REQUIRE(parsed);
  REQUIRE_FALSE(parsed->find("problems")->array.empty());
  const json::Value& first = parsed->find("problems")->array[0];
  for (const char* key : {"severity", "file", "line", "column", "what", "hint"}) CHECK(first.find(key) != nullptr);
  // Errors of every kind come at once, from whatever file.
  const std::string all = (scratch.path / "all").string();
  fs::create_directory(all);
  fs::copy(content, all, fs::copy_options::recursive);
  const fs::path section = fs::path(all) / "chapters/1-foundations/compute-bound-and-memory-bound.md";
  test::put(section, test::read(section) + "\n<b>x</b> [y](term:no-such-term) $\\nosuch$\n");
  test::put(fs::path(all) / "home.md", test::read(fs::path(all) / "home.md") + "\n[1](value:roofline.ridge)\n");
  const Run many = lk(scratch, {"check", "--content", all});
  CHECK(many.status == 1);
  for (const char* what : {"raw HTML", "unknown term `no-such-term`", "unknown command", "the text says `1`"}) CHECK(has(many.out, what));
  const Run variants = lk(scratch, {"check", "--variants", "--content", content});
  CHECK(variants.status == 0);
  CHECK(variants.out.find("compute-bound-and-memory-bound.md:") != std::string::npos);
  CHECK(variants.out.find("\n  h200: ") != std::string::npos);
  const Run variants_json = lk(scratch, {"check", "--variants", "--format", "json", "--content", content});
  CHECK(json::parse(variants_json.out));
  CHECK(variants_json.out.find("\"devices\":[\"h200\"]") != std::string::npos);
  const Run none = lk(scratch, {"check", "--content", (scratch.path / "nothing").string()});
  CHECK(none.status == 1);
  CHECK(has(none.out, "--content"));
}

TEST_CASE("lk search: text, JSON, nothing found, no content") {
  const Scratch scratch;
  const Run words = lk(scratch, {"search", "--content", content, "ridge", "point"});
  CHECK(words.status == 0);
  CHECK(words.out.starts_with("Aa    Ridge point\n      /chapters/glossary/#ridge-point\n"));
  CHECK_FALSE(has(words.out, "\x1b"));  // no terminal, no bold
  const Run as_json = lk(scratch, {"search", "--content", content, "--json", "--limit", "2", "roofline"});
  CHECK(as_json.status == 0);
  const auto results = json::parse(as_json.out);
  REQUIRE(results);
  REQUIRE(results->array.size() == 2);
  for (const char* key : {"url", "title", "kind", "score", "snippet"}) CHECK(results->array[0].find(key) != nullptr);
  const Run typed = lk(scratch, {"search", "--content", content, "ocupancy"});
  CHECK(typed.status == 0);
  CHECK(has(typed.out, "ocupancy is not in the book: occupancy was looked for."));
  const Run none = lk(scratch, {"search", "--content", content, "zzzzzzzz"});
  CHECK(none.status == 0);
  CHECK(has(none.out, "Nothing found for zzzzzzzz."));
  CHECK(lk(scratch, {"search", "--content", content, "--json", "zzzzzzzz"}).out == "[]\n");
  const Run nowhere = lk(scratch, {"search", "--content", (scratch.path / "nothing").string(), "warp"});
  CHECK(nowhere.status == 1);
  CHECK(has(nowhere.err, "--content"));
}

TEST_CASE("lk figures and figure: lists, Markdown, JSON, SVG, strict values") {
  const Scratch scratch;
  const Run list = lk(scratch, {"figures", "--content", content});
  CHECK(list.status == 0);
  CHECK(has(list.out, "roofline"));
  const auto schemas = json::parse(lk(scratch, {"figures", "--json", "--content", content}).out);
  REQUIRE(schemas);
  for (const json::Value& f : schemas->array) CHECK(f.find("params")->find("properties") != nullptr);

  const Run md = lk(scratch, {"figure", "memory_transactions", "stride=8", "--content", content});
  CHECK(md.status == 0);
  CHECK(md.out.starts_with("# "));
  CHECK(has(md.out, "| --"));
  CHECK(has(md.out, "12.5%"));
  const auto evaluated = json::parse(
      lk(scratch, {"figure", "roofline", "dtype=fp8", "--device", "b200", "--format", "json", "--content", content})
          .out);
  REQUIRE(evaluated);
  CHECK(evaluated->find("query")->string == "dtype=fp8");
  const Run svg = lk(scratch, {"figure", "roofline", "--format", "svg", "--width", "350", "--content", content});
  CHECK(svg.out.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" "));
  // It stands alone: what its classes mean is in it, and every color that the rules name.
  for (const char* part : {"<style>", ".plot .r1 {", "--series-1: #", "--bg: #", "</style>"}) CHECK(has(svg.out, part));
  CHECK_FALSE(has(svg.out, "/*"));
  CHECK(has(svg.out, "350"));

  const Run near = lk(scratch, {"figure", "rofline", "--content", content});
  CHECK(near.status == 2);
  CHECK(has(near.err, "did you mean \"roofline\"?"));
  for (const char* value : {"dtype=fp3", "intensity=many", "no_such=1", "intensity", "=3", "intensity=-4"}) {
    const Run r = lk(scratch, {"figure", "roofline", value, "--content", content});
    INFO(value);
    CHECK(r.status == 2);
    CHECK(r.out.empty());
    CHECK(r.err.starts_with("lk: "));
  }
}

TEST_CASE("lk: what is wrong with a command line is named") {
  const Scratch scratch;
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"bild"}, "lk: error: unknown command \"bild\" (did you mean build?)"},
      {{"zzz"}, "commands are build, serve, check, figures, figure"},
      {{"figure", "roofline", "intensity=1", "intensity=2", "--content", content}, "parameter \"intensity\" stands twice"},
      {{"figure", "roofline", "--width", "nan"}, "no width"},
      {{"build", "--origin", "https://x\n"}, "--origin"},
      {{"build", "--origin", "https://x\\y"}, "--origin"},
      {{"build", "--origin", "https://a:b@x"}, "--origin"},
      {{"build", "--origin", "https://x:99999"}, "--origin"},
      {{"build", "--origin", "https://:80"}, "--origin"},
      {{"build", "--origin", "https://x;y"}, "--origin"}};
  for (const auto& [words, part] : cases) {
    const Run r = lk(scratch, words);
    INFO(r.err);
    CHECK(r.status == 2);
    CHECK(has(r.err, part));
  }
  for (const char* origin : {"https://example.org", "http://localhost:8080", "https://[::1]:8443"}) {
    site::BuildOptions options;
    options.origin = origin;
    CHECK_FALSE(site::check_address(options));
  }
}

TEST_CASE("lk: output that cannot be written is no success") {
  const Scratch scratch;
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"figures", "--content", content}, {"figure", "roofline", "--format", "svg", "--content", content}, {"check", "--content", content}, {"--help"}}) {
    const pid_t pid = start(words, "/dev/full", scratch.path / "stderr");
    int status = 0;
    waitpid(pid, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 1);
    CHECK(has(slurp(scratch.path / "stderr"), "could not be written"));
  }
}

TEST_CASE("lk build: writes, keeps the previous site on errors, refuses foreign folders") {
  const Scratch scratch;
  test::stand_in_front_end(scratch.path);
  const std::string out = (scratch.path / "site").string();
  const Run first = lk(scratch, build_words(scratch, out));
  INFO(first.err);
  CHECK(first.status == 0);
  CHECK(first.err.empty());  // quiet when nobody watches
  CHECK(has(first.out, "files"));
  CHECK(site::differences(out).empty());
  const std::string version = site::read_marker(out)->version;

  const std::string mine = test::copy_content(scratch.path);
  test::put(fs::path(mine) / "book.json", "{}");
  std::vector<std::string> words = build_words(scratch, out);
  words[2] = mine;
  const Run broken = lk(scratch, words);
  CHECK(broken.status == 1);
  CHECK(has(broken.err, "book.json:1:1: error: "));
  CHECK(site::differences(out).empty());
  CHECK(site::read_marker(out)->version == version);

  const Run foreign = lk(scratch, build_words(scratch, (scratch.path / "web").string()));
  CHECK(foreign.status == 1);
  CHECK(has(foreign.err, "--out"));
  CHECK(fs::exists(scratch.path / "web/main.js"));
}

TEST_CASE("lk build: killed at any moment it leaves a whole site") {
  const Scratch scratch;
  test::stand_in_front_end(scratch.path);
  const std::string out = (scratch.path / "site").string();
  const std::vector<std::string> words = build_words(scratch, out);
  REQUIRE(lk(scratch, words).status == 0);
  const auto begin = std::chrono::steady_clock::now();
  REQUIRE(lk(scratch, words).status == 0);
  const auto whole = std::chrono::steady_clock::now() - begin;
  int killed = 0;
  constexpr int rounds = 20;
  for (int i = 0; i < rounds; ++i) {
    const pid_t pid = start(words, scratch.path / "stdout", scratch.path / "stderr");
    std::this_thread::sleep_for(whole * i / rounds);
    kill(pid, SIGKILL);
    int status = 0;
    waitpid(pid, &status, 0);
    killed += WIFSIGNALED(status) ? 1 : 0;
    REQUIRE(site::differences(out).empty());
  }
  CHECK(killed > rounds / 2);
}

/// `lk serve` on a free port, ended by SIGTERM.
struct Serving {
  pid_t pid;
  unsigned short port = 0;
  fs::path err;
  Serving(const Scratch& scratch, const std::vector<std::string>& words) : err(scratch.path / "serve.err") {
    pid = start(words, scratch.path / "serve.out", err);
    for (int i = 0; i < 300 && port == 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      const std::string text = slurp(err);
      const size_t at = text.find("http://127.0.0.1:");
      if (at != std::string::npos && text.find('/', at + 17) != std::string::npos)
        port = static_cast<unsigned short>(std::stoi(text.substr(at + 17)));
    }
    REQUIRE(port != 0);
  }
  int stop(int signal) {
    const pid_t child = std::exchange(pid, -1);
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  ~Serving() {
    if (pid > 0) stop(SIGKILL);
  }
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;
  std::string get(const std::string& path) const {
    test::Client c(port);
    c.send("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    return c.read_all();
  }
};

TEST_CASE("lk serve --site: the folder under its base, never out of it, whole after a new build, ended cleanly") {
  const Scratch scratch;
  test::stand_in_front_end(scratch.path);
  const std::string out = (scratch.path / "site").string();
  std::vector<std::string> words = build_words(scratch, out);
  words.insert(words.end(), {"--base", "/book/"});
  REQUIRE(lk(scratch, words).status == 0);
  for (const int signal : {SIGINT, SIGTERM}) {
    Serving s(scratch, {"serve", "--site", out, "--port", "0"});
    const std::string home = s.get("/book/");
    CHECK(home.starts_with("HTTP/1.1 200"));
    CHECK(has(home, "Content-Security-Policy: default-src 'none';"));
    CHECK(has(home, "frame-ancestors 'self'"));
    CHECK_FALSE(has(s.get("/book/embed/roofline/"), "frame-ancestors"));
    CHECK(has(s.get("/"), "Location: /book/"));
    CHECK(s.get("/book/.learn-kernels-site").starts_with("HTTP/1.1 404"));
    CHECK(s.get("/book/..%2f..%2fstdout").starts_with("HTTP/1.1 404"));
    CHECK(s.get("/book/-/live.js").starts_with("HTTP/1.1 404"));
    REQUIRE(lk(scratch, words).status == 0);
    CHECK(s.get("/book/").starts_with("HTTP/1.1 200"));
    // The port is taken now.
    const Run second = lk(scratch, {"serve", "--site", out, "--port", std::to_string(s.port)});
    CHECK(second.status == 2);
    CHECK(has(second.err, "--port"));
    CHECK(s.stop(signal) == 0);
  }
  CHECK(lk(scratch, {"serve", "--site", (scratch.path / "web").string()}).status == 2);
}

TEST_CASE("lk serve: content with live reload, errors told to open pages and shown when there is no good site") {
  const Scratch scratch;
  test::stand_in_front_end(scratch.path);
  const std::string mine = test::copy_content(scratch.path), book = slurp(fs::path(mine) / "book.json");
  test::put(fs::path(mine) / "book.json", "{ broken");
  Serving s(scratch, {"serve", "--content", mine, "--assets", (scratch.path / "web").string(), "--fonts",
                      (scratch.path / "fonts").string(), "--port", "0"});
  std::string page;
  for (int i = 0; i < 100 && !has(page, "book.json:1:"); ++i) {
    page = s.get("/");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  CHECK(has(page, "book.json:1:"));
  test::Client events(s.port);
  events.send("GET /-/events HTTP/1.1\r\nHost: x\r\n\r\n");
  CHECK(has(events.read_until("book.json:1:"), "event: problems"));
  test::put(fs::path(mine) / "book.json", book);
  CHECK(has(events.read_until("event: site\n", 30000), "event: site\n"));
  const std::string good = s.get("/");
  CHECK(good.starts_with("HTTP/1.1 200"));
  CHECK(has(good, "/-/live.js"));
  CHECK(s.stop(SIGTERM) == 0);
}

}  // namespace
}  // namespace lk
