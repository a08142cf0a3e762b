#include "site/write.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "scratch.h"
#include "site/sha256.h"

namespace lk::site {
namespace {

namespace fs = std::filesystem;
using test::Scratch;

Site sample(const std::string& word, int pages = 40) {
  Site site;
  for (int i = 0; i < pages; ++i)
    site.add("chapters/c" + std::to_string(i % 5) + "/s" + std::to_string(i) + "/index.html",
             word + std::string(2000, 'x'));
  site.add("index.html", word);
  site.add("assets/main.js", "// " + word);
  site.finish();
  return site;
}

std::set<std::string> names(const fs::path& folder) {
  std::set<std::string> out;
  for (const auto& e : fs::directory_iterator(folder)) out.insert(e.path().filename().string());
  return out;
}

TEST_CASE("sha256: known answers") {
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_csp("alert('Hello, world.');") == "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=");
}

TEST_CASE("site: files are found, versions follow content, addresses follow folders") {
  const Site a = sample("one"), again = sample("one"), b = sample("two");
  CHECK(a.version == again.version);
  CHECK(a.version != b.version);
  REQUIRE(a.find("chapters/c1/s6/index.html") != nullptr);
  CHECK(a.find("chapters") == nullptr);
  CHECK(address("/x/", "index.html") == "/x/");
  CHECK(address("/", "chapters/a/index.html") == "/chapters/a/");
  CHECK(address("/", "404.html") == "/404.html");
}

TEST_CASE("write: a site is written whole, replaced whole, and nothing stays behind") {
  const Scratch scratch;
  const std::string out = (scratch.path / "deep" / "site").string();
  CHECK_FALSE(write(sample("one"), out));
  CHECK(differences(out).empty());
  CHECK(names(scratch.path / "deep") == std::set<std::string>{"site"});
  CHECK_FALSE(write(sample("two", 3), out + "/"));
  CHECK(differences(out).empty());
  CHECK(read_marker(out)->version == sample("two", 3).version);
  CHECK_FALSE(fs::exists(fs::path(out) / "chapters/c1/s6/index.html"));
  CHECK(names(scratch.path / "deep") == std::set<std::string>{"site"});
}

TEST_CASE("write: a folder that is no site stays as it is") {
  const Scratch scratch;
  const fs::path mine = scratch.path / "mine";
  fs::create_directory(mine);
  CHECK_FALSE(write(sample("one"), mine.string()));  // empty: fine
  fs::remove(mine / marker);
  const auto before = names(mine);
  const auto refused = write(sample("two"), mine.string());
  REQUIRE(refused);
  CHECK(refused->hint.find("--out") != std::string::npos);
  CHECK(names(mine) == before);
  std::ofstream(scratch.path / "file") << "mine";
  CHECK(write(sample("one"), (scratch.path / "file").string()));
  CHECK(fs::is_regular_file(scratch.path / "file"));
  CHECK(write(sample("one"), "/"));
}

TEST_CASE("write: no file of a site ever lands outside of its folder") {
  const Scratch scratch;
  const std::string out = (scratch.path / "deep" / "site").string();
  REQUIRE_FALSE(write(sample("one"), out));
  for (const std::string& path : {std::string("../x/index.html"), std::string("a/../../../x"), std::string("/x"), std::string(""),
                                  std::string("./x"), std::string("a/"), std::string("a\0b", 3)}) {
    Site odd = sample("two");
    odd.add(path, "out");
    odd.finish();
    INFO(path);
    CHECK(write(odd, out));
    CHECK(read_marker(out)->version == sample("one").version);
    CHECK(names(scratch.path) == std::set<std::string>{"deep"});
    CHECK(names(scratch.path / "deep") == std::set<std::string>{"site"});
  }
}

TEST_CASE("write: a failing build leaves the previous site") {
  const Scratch scratch;
  const std::string out = (scratch.path / "site").string();
  REQUIRE_FALSE(write(sample("one"), out));
  Site broken = sample("two");
  broken.add("index.html/below-a-file", "impossible");
  broken.finish();
  CHECK(write(broken, out));
  CHECK(differences(out).empty());
  CHECK(read_marker(out)->version == sample("one").version);
  CHECK(names(scratch.path) == std::set<std::string>{"site"});
}

TEST_CASE("write: a cut two-step exchange is completed by the next build") {
  const Scratch scratch;
  const std::string out = (scratch.path / "site").string();
  REQUIRE_FALSE(write(sample("one"), out));
  fs::rename(out, scratch.path / ".site.old");
  Site broken = sample("two");
  broken.add("index.html/below-a-file", "impossible");
  broken.finish();
  CHECK(write(broken, out));
  CHECK(read_marker(out)->version == sample("one").version);
  CHECK(names(scratch.path) == std::set<std::string>{"site"});
}

TEST_CASE("write: killed at any moment, the site is the old one or the new one, whole") {
  const Scratch scratch;
  const std::string out = (scratch.path / "site").string();
  const Site sites[2] = {sample("one", 15), sample("two", 12)};
  REQUIRE_FALSE(write(sites[0], out));
  const auto start = std::chrono::steady_clock::now();
  REQUIRE_FALSE(write(sites[0], out));
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);

  int killed = 0;
  // As many moments as fit into some seconds, spread over the whole build from the first on.
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(8);
  double moment = 0;
  for (int i = 0; i < 20 || (i < 150 && std::chrono::steady_clock::now() < until); ++i) {
    moment = std::fmod(moment + 0.6180339887, 1.0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) _exit(write(sites[i % 2], out) ? 1 : 0);
    // From the start to a little after the usual end.
    std::this_thread::sleep_for(whole * moment * 1.2);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    killed += WIFSIGNALED(status) ? 1 : 0;
    const auto wrong = differences(out);
    INFO((wrong.empty() ? std::string() : wrong.front()));
    REQUIRE(wrong.empty());
    const std::string version = read_marker(out)->version;
    REQUIRE((version == sites[0].version || version == sites[1].version));
  }
  CHECK(killed > 0);
  // The next build clears what the killed ones left.
  REQUIRE_FALSE(write(sites[0], out));
  CHECK(names(scratch.path) == std::set<std::string>{"site"});
}

TEST_CASE("write: two builds at once end in a whole site") {
  const Scratch scratch;
  const std::string out = (scratch.path / "site").string();
  const Site sites[2] = {sample("one"), sample("two")};
  std::vector<pid_t> children;
  for (int i = 0; i < 6; ++i) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) _exit(write(sites[i % 2], out) ? 1 : 0);
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  }
  CHECK(differences(out).empty());
}

TEST_CASE("read_file: never outside of the folder, and only files") {
  const Scratch scratch;
  const fs::path site = scratch.path / "site";
  REQUIRE_FALSE(write(sample("one"), site.string()));
  std::ofstream(scratch.path / "secret") << "secret";
  fs::create_directory(scratch.path / "site-two");
  std::ofstream(scratch.path / "site-two" / "x") << "secret";
  fs::create_symlink(scratch.path / "secret", site / "out");
  fs::create_symlink(scratch.path / "site-two", site / "sibling");
  fs::create_symlink("index.html", site / "in");
  REQUIRE(mkfifo((site / "pipe").c_str(), 0600) == 0);
  CHECK(read_file(site.string(), "index.html")->bytes == "one");
  CHECK(read_file(site.string(), "in")->bytes == "one");
  for (const char* path : {"out", "sibling/x", "pipe", "chapters", "nothing", "../secret", "index.html/x"})
    CHECK_FALSE(read_file(site.string(), path));
}

}  // namespace
}  // namespace lk::site
