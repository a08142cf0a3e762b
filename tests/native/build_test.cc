#include "site/build.h"

#include <catch2/catch_test_macros.hpp>
#include <condition_variable>
#include <regex>
#include <set>

#include "api/author.h"
#include "base/json.h"
#include "base/utf8.h"
#include "figures/registry.h"
#include "scratch.h"
#include "site/content.h"
#include "site/live.h"
#include "site/sha256.h"
#include "site/worlds.h"
#include "site/write.h"
#include "stand_in.h"

namespace lk::site {
namespace {

namespace fs = std::filesystem;
using test::Scratch;

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// All texts between `open` and `close`.
std::vector<std::string> between(const std::string& text, std::string_view open, std::string_view close) {
  std::vector<std::string> out;
  for (size_t at = 0; (at = text.find(open, at)) != std::string::npos;) {
    at += open.size();
    const size_t end = text.find(close, at);
    if (end == std::string::npos) break;
    out.push_back(text.substr(at, end - at));
  }
  return out;
}

Site built(const BuildOptions& options) {
  Built b = build(options);
  INFO(problem_lines(b.problems));
  REQUIRE(b.site.has_value());
  CHECK(b.problems.empty());
  return std::move(*b.site);
}

std::vector<const File*> pages(const Site& site) {
  std::vector<const File*> out;
  for (const File& f : site.files)
    if (f.path.ends_with(".html")) out.push_back(&f);
  return out;
}

TEST_CASE("build: the book of this repository, twice the same bytes") {
  const Scratch scratch;
  test::stand_in_front_end(scratch.path);
  const BuildOptions options = test::stand_in_options(scratch.path);
  const Site a = built(options), b = built(options);
  REQUIRE(a.files.size() == b.files.size());
  for (size_t i = 0; i < a.files.size(); ++i) {
    CHECK(a.files[i].path == b.files[i].path);
    CHECK(a.files[i].bytes == b.files[i].bytes);
  }
  CHECK(a.version == b.version);
  for (const char* path : {"index.html", "404.html", "chapters/foundations/index.html",
                           "chapters/foundations/compute-bound-and-memory-bound/index.html",
                           "chapters/glossary/index.html", "chapters/reading/index.html", "embed/roofline/index.html",
                           "lab/figure/roofline/index.html", "sw.js", "manifest.webmanifest"})
    CHECK(a.find(path) != nullptr);
  for (const File& f : a.files) CHECK_FALSE(has(f.path, "leftover"));
}

TEST_CASE("build: what goes to the disk file by file is what lies in memory, whatever thread rendered it") {
  const Scratch scratch;
  test::stand_in_front_end(scratch.path);
  const BuildOptions options = test::stand_in_options(scratch.path);
  const Site memory = built(options);
  const std::string out = (scratch.path / "site").string();
  for (int again = 0; again < 2; ++again) {
    auto folder = Folder::open(out);
    REQUIRE(folder);
    const Built b = build(options, {}, [&]() -> Result<Sink> {
      return Sink([&](const std::string& path, std::string_view bytes) { (*folder)->put(path, bytes); });
    });
    REQUIRE(b.site);
    CHECK_FALSE((*folder)->finish(*b.site));
    CHECK(b.site->version == memory.version);
    CHECK(differences(out).empty());
    for (const File& f : memory.files) {
      INFO(f.path);
      CHECK(test::read(fs::path(out) / f.path) == f.bytes);
      CHECK(f.size == f.bytes.size());
    }
  }
}

TEST_CASE("build: content with errors opens no folder, and a folder that cannot be opened ends the build") {
  const Scratch scratch;
  test::stand_in_front_end(scratch.path);
  BuildOptions options = test::stand_in_options(scratch.path);
  const auto no = []() -> Result<Sink> { return Error{{"out", 0, 0}, "it is full", "free some room"}; };
  const Built refused = build(options, {}, no);
  CHECK_FALSE(refused.site);
  CHECK(has(problem_lines(refused.problems), "out: error: it is full (free some room)"));
  options.content = test::copy_content(scratch.path);
  test::put(fs::path(options.content) / "chapters/1-foundations/index.md", "---\ntitle: Foundations\n---\n\n[x](term:no-such-term)\n");
  bool opened = false;
  const Built broken = build(options, {}, [&]() -> Result<Sink> {
    opened = true;
    return Sink([](const std::string&, std::string_view) {});
  });
  CHECK_FALSE(broken.site);
  CHECK_FALSE(opened);
}

TEST_CASE("build: sections that are not written are words, the others are links") {
  const Scratch scratch;
  test::stand_in_front_end(scratch.path);
  const Site site = built(test::stand_in_options(scratch.path));
  const Content content = load_content(std::string(LK_SOURCE_DIR) + "/content");
  int written = 0, unwritten = 0;
  for (const auto& s : content.book.sections) {
    CHECK((site.find(s.url.substr(1) + "index.html") != nullptr) == s.written);
    for (const File* page : pages(site))
      if (!page->path.starts_with("embed/")) CHECK((s.written || !has(page->bytes, "href=\"" + s.url + "\"")));
    const std::string& home = site.find("index.html")->bytes;
    CHECK(has(home, html_escaped(s.title)));
    CHECK(has(home, "href=\"" + s.url + "\"") == s.written);
    ++(s.written ? written : unwritten);
  }
  CHECK(written > 0);
  CHECK(written + unwritten == 29);
}

TEST_CASE("build: every page of the book has its Markdown beside it, and llms.txt names them all") {
  const Scratch scratch;
  test::stand_in_front_end(scratch.path);
  BuildOptions options = test::stand_in_options(scratch.path);
  options.base = "/sub/";
  options.origin = "https://book.example";
  const Site site = built(options);
  const std::string& list = site.find("llms.txt")->bytes;
  int count = 0;
  for (const File* page : pages(site)) {
    INFO(page->path);
    const auto links = between(page->bytes, "<link rel=\"alternate\" type=\"text/markdown\" href=\"/sub/", "\"");
    const bool apart = page->path.starts_with("embed/") || page->path.starts_with("lab/") || page->path.starts_with("edit/") || page->path == "404.html";
    if (apart) {
      CHECK(links.empty());  // embeds, the lab, the editor, the page for wrong addresses
      continue;
    }
    REQUIRE(links.size() == 1);
    CHECK(has(page->bytes, "<a href=\"/sub/" + links[0] + "\">View as Markdown</a>"));
    CHECK(has(list, "(https://book.example/sub/" + links[0] + ")"));
    const File* text = site.find(links[0]);
    REQUIRE(text != nullptr);
    ++count;
    CHECK(text->bytes.starts_with("# "));
    for (const char* scheme : {"](term:", "](source:", "](section:", "](value:", "](set:", "](figure:", "](/"}) CHECK_FALSE(has(text->bytes, scheme));
    // Whole addresses of the site lead to pages that it has.
    for (const std::string& to : between(text->bytes, "](https://book.example/sub/", ")")) {
      std::string path = to.substr(0, to.find_first_of("?#"));
      if (path.empty() || path.ends_with('/')) path += "index.html";
      INFO(to);
      CHECK(site.find(path) != nullptr);
    }
  }
  CHECK(count >= 10);
  CHECK(between(list, "](https://book.example/sub/", ")").size() == static_cast<size_t>(count));
  const std::string& section = site.find("chapters/foundations/compute-bound-and-memory-bound.md")->bytes;
  CHECK(has(section, "**Figure 1."));
  CHECK(has(section, "```cuda\n"));
}

TEST_CASE("build: the address for edits shows only when book.json names one") {
  const Scratch scratch;
  test::stand_in_front_end(scratch.path);
  BuildOptions options = test::stand_in_options(scratch.path);
  options.content = test::copy_content(scratch.path);
  const std::string section = "chapters/foundations/compute-bound-and-memory-bound/index.html";
  const auto with_address = [&](const std::string& address) {
    std::string json = test::read(fs::path(options.content) / "book.json");
    json = std::regex_replace(json, std::regex("\"edit_url\": \"[^\"]*\""), "\"edit_url\": \"" + address + "\"");
    test::put(fs::path(options.content) / "book.json", json);
    return built(options).find(section)->bytes;
  };
  CHECK_FALSE(has(with_address(""), "Edit this page"));
  CHECK(has(with_address("https://example.org/edit/main/content"),
            "<a href=\"https://example.org/edit/main/content/chapters/1-foundations/compute-bound-and-memory-bound.md\">Edit this page</a>"));
}

TEST_CASE("build: an old address leads on to the new one") {
  const Scratch scratch;
  test::stand_in_front_end(scratch.path);
  BuildOptions options = test::stand_in_options(scratch.path);
  options.content = test::copy_content(scratch.path);
  options.base = "/sub/";
  std::string json = test::read(fs::path(options.content) / "book.json");
  json = std::regex_replace(json, std::regex("\"redirects\": \\{[^}]*\\}"),
                            "\"redirects\": {\"/old/\": \"/older/\", \"/older/\": \"/chapters/foundations/compute-bound-and-memory-bound/#sources\"}");
  test::put(fs::path(options.content) / "book.json", json);
  const Site site = built(options);
  CHECK(has(site.find("old/index.html")->bytes, "<meta http-equiv=\"refresh\" content=\"0; url=/sub/older/\">"));
  CHECK(has(site.find("older/index.html")->bytes, "<a href=\"/sub/chapters/foundations/compute-bound-and-memory-bound/#sources\">"));
}

TEST_CASE("build: the policy of every page allows exactly what the page holds inline") {
  const Scratch scratch;
  test::stand_in_front_end(scratch.path);
  const Site site = built(test::stand_in_options(scratch.path));
  for (const File* page : pages(site)) {
    INFO(page->path);
    const auto policies = between(page->bytes, "<meta http-equiv=\"Content-Security-Policy\" content=\"", "\"");
    REQUIRE(policies.size() == 1);
    const std::string& csp = policies[0];
    CHECK_FALSE(has(csp, "unsafe-inline"));
    for (const char* part : {"default-src 'none';", "base-uri 'none'", "form-action 'none'",
                             "'wasm-unsafe-eval'"})
      CHECK(has(csp, part));
    for (const std::string& script : between(page->bytes, "<script>", "</script>"))
      CHECK(has(csp, "'" + sha256_csp(script) + "'"));
    for (const std::string& style : between(page->bytes, "<style>", "</style>"))
      CHECK(has(csp, "'" + sha256_csp(style) + "'"));
    CHECK(between(page->bytes, "<script>", "</script>").size() == 1);
    CHECK(between(page->bytes, "<style>", "</style>").size() == 1);
    CHECK_FALSE(std::regex_search(page->bytes, std::regex("<[^>]*\\s(style|on[a-z]+)=")));
  }
}

TEST_CASE("build: every page has a title of its own, one h1, a language, landmarks and a way past the header") {
  const Scratch scratch;
  test::stand_in_front_end(scratch.path);
  const Site site = built(test::stand_in_options(scratch.path));
  std::set<std::string> titles;
  for (const File* page : pages(site)) {
    INFO(page->path);
    const auto title = between(page->bytes, "<title>", "</title>");
    REQUIRE(title.size() == 1);
    // A figure is the same thing framed and in the lab.
    CHECK(titles.insert(title[0]).second);
    CHECK(between(page->bytes, "<h1", "</h1>").size() == 1);
    CHECK(has(page->bytes, "<html lang=\"en\">"));
    CHECK(between(page->bytes, "<main", ">").size() == 1);
    // What is framed has no header of its own.
    if (page->path.starts_with("embed/") || page->path == "edit/preview/index.html") continue;
    CHECK(has(page->bytes, "<a class=\"skip\" href=\"#main\">"));
    CHECK(has(page->bytes, "<header class=\"head\">"));
  }
  CHECK(has(site.find("chapters/foundations/compute-bound-and-memory-bound/index.html")->bytes,
            "<title>Compute-bound and memory-bound · Foundations</title>"));
}

TEST_CASE("build: below any path and origin, all addresses move along") {
  const Scratch scratch;
  test::stand_in_front_end(scratch.path);
  BuildOptions options = test::stand_in_options(scratch.path);
  options.base = "/x/y/";
  options.origin = "https://example.org";
  const Site site = built(options);
  for (const File* page : pages(site)) {
    INFO(page->path);
    for (const char* name : {" href=\"", " src=\""})
      for (const std::string& value : between(page->bytes, name, "\"")) {
        INFO(value);
        CHECK((value.starts_with("/x/y/") || value.starts_with("#") || value.starts_with("?") ||
               value.starts_with("https://")));
      }
  }
  const std::string& section = site.find("chapters/foundations/compute-bound-and-memory-bound/index.html")->bytes;
  CHECK(has(section,
            "<link rel=\"canonical\" "
            "href=\"https://example.org/x/y/chapters/foundations/compute-bound-and-memory-bound/\">"));
  const auto web = json::parse(site.find("manifest.webmanifest")->bytes);
  REQUIRE(web);
  for (const char* key : {"id", "start_url", "scope"}) CHECK(web->find(key)->string == "/x/y/");
  CHECK(has(section, "url(/x/y/assets/lk-text-regular."));
}

// Pages have a picker of devices that figures take their lists from; the preview has none, and its figures bring theirs.
std::string with_lists_of_the_chosen_device(const std::string& html) {
  static const std::regex list("(data-kind=\"device\">.*?<select[^>]*>)(.*?)(</select>)"), chosen("(<option value=\"[^\"]*\") selected(>[^<]*</option>)");
  std::string out;
  auto from = html.begin();
  for (std::sregex_iterator it(html.begin(), html.end(), list), end; it != end; ++it) {
    const std::string options = (*it)[2];
    std::smatch one;
    out.append(from, html.begin() + it->position(2));
    out += std::regex_search(options, one, chosen) ? one.str(1) + one.str(2) : options;
    from = html.begin() + it->position(3);
  }
  return out.append(from, html.end());
}

TEST_CASE("build: the editor begins with the book's files, and previews its pages as they are") {
  const Scratch scratch;
  test::stand_in_front_end(scratch.path);
  BuildOptions options = test::stand_in_options(scratch.path);
  options.base = "/x/";
  const Site site = built(options);
  const auto bundle = std::find_if(site.files.begin(), site.files.end(), [](const File& f) { return f.path.starts_with("assets/content."); });
  REQUIRE(bundle != site.files.end());
  const auto files = json::parse(bundle->bytes);
  REQUIRE(files);
  api::Author author("/x/");
  for (const auto& [path, text] : files->object) {
    CHECK(text.string == test::read(fs::path(options.content) / path));
    author.put(path, text.string);
  }
  CHECK(author.problems().empty());
  std::vector<std::string> texts{"home.md", "glossary.json", "reading.json"};
  for (const auto& c : author.book().chapters) texts.push_back(c.file);
  for (const auto& s : author.book().sections)
    if (s.written) texts.push_back(s.file);
  for (const auto& p : author.book().text_pages) texts.push_back(p.file);
  for (const std::string& text : texts) {
    INFO(text);
    const auto page = author.page(text);
    REQUIRE(page);
    const File* file = site.find(page->url.substr(1) + "index.html");
    REQUIRE(file != nullptr);
    const size_t open = file->bytes.find("<main");
    const size_t from = file->bytes.find('\n', open) + 1, to = file->bytes.rfind("</main>");
    REQUIRE(to != std::string::npos);
    // The home page ends its contents with a line end of its own.
    std::string main = file->bytes.substr(from, to - from), html = page->html;
    while (main.ends_with('\n')) main.pop_back();
    while (html.ends_with('\n')) html.pop_back();
    CHECK(main == with_lists_of_the_chosen_device(html));
  }
  // Readers never load it.
  for (const File* page : pages(site)) CHECK(has(page->bytes, "/assets/edit.") == (page->path == "edit/index.html"));
}

TEST_CASE("build: data for scripts is JSON, and cannot end its element early") {
  const Scratch scratch;
  test::stand_in_front_end(scratch.path);
  BuildOptions options = test::stand_in_options(scratch.path);
  options.content = test::copy_content(scratch.path);
  const Site site = built(options);
  for (const File* page : pages(site)) {
    INFO(page->path);
    for (const char* id : {"lk-page", "lk-values"})
      for (const std::string& text :
           between(page->bytes, "<script type=\"application/json\" id=\"" + std::string(id) + "\">", "</script>")) {
        CHECK(json::parse(text));
        CHECK_FALSE(has(text, "<"));
      }
    const auto about = between(page->bytes, "<script type=\"application/json\" id=\"lk-page\">", "</script>");
    REQUIRE(about.size() == 1);
    const auto value = json::parse(about[0]);
    for (const char* key : {"base", "world", "terms", "reader", "sw", "device"}) REQUIRE(value->find(key) != nullptr);
    for (const char* key : {"world", "terms", "reader"}) CHECK(site.find(value->find(key)->string.substr(1)) != nullptr);
    CHECK(value->find("device")->string == "h200");
    // What only one figure looks at, only its pages load: where it stands and its embed. The lab draws any figure.
    const json::Value* modules = value->find("modules");
    for (const ReaderModule& m : reader_modules) {
      const std::string name(m.name);
      const bool shown = has(page->bytes, "data-module=\"" + name + "\"");
      CHECK((modules != nullptr && modules->find(name) != nullptr) == shown);
      if (!shown) continue;
      for (const char* key : {"reader", "world"}) CHECK(site.find(modules->find(name)->find(key)->string.substr(1)) != nullptr);
    }
    for (const plot::Figure* figure : figures::all()) {
      if (!has(page->bytes, "data-figure=\"" + std::string(figure->id) + "\"")) continue;
      const std::string module(figures::module_of(*figure));
      CHECK((module == "main" || has(page->bytes, "data-module=\"" + module + "\"")));
    }
    CHECK(has(value->find("world")->string, "world-lab") == has(page->path, "lab/figure/"));
  }
}

TEST_CASE("build: the service worker's list is the site") {
  const Scratch scratch;
  test::stand_in_front_end(scratch.path);
  BuildOptions options = test::stand_in_options(scratch.path);
  options.base = "/book/";
  const Site site = built(options);
  const std::string& sw = site.find("sw.js")->bytes;
  constexpr std::string_view head = "self.LK_BUILD = ";
  REQUIRE(sw.starts_with(head));
  const size_t end = sw.find(";\n");
  const auto list = json::parse(std::string_view(sw).substr(head.size(), end - head.size()));
  REQUIRE(list);
  CHECK(sw.substr(end + 2) == "self.addEventListener(\"install\",()=>self.LK_BUILD);");
  const auto& files = list->find("files")->array;
  CHECK(files.size() == site.files.size() - 1);
  std::set<std::string> listed;
  for (const json::Value& f : files) {
    REQUIRE(f.array.size() == 3);
    std::string path = f.array[0].string.substr(6);
    CHECK(f.array[0].string.starts_with("/book/"));
    if (path.empty() || path.ends_with('/')) path += "index.html";
    const File* file = site.find(path);
    REQUIRE(file != nullptr);
    CHECK(f.array[1].string == file->hash);
    CHECK(f.array[2].number == static_cast<double>(file->bytes.size()));
    listed.insert(path);
  }
  CHECK(listed.size() == files.size());
  // Another word anywhere is another version.
  test::put(scratch.path / "web/worker.js", "self.onmessage=undefined;");
  const std::string& changed = built(options).find("sw.js")->bytes;
  CHECK(changed.substr(0, 60) != sw.substr(0, 60));
}

TEST_CASE("build: errors of the content are told with their place, and nothing is rendered") {
  const Scratch scratch;
  test::stand_in_front_end(scratch.path);
  BuildOptions options = test::stand_in_options(scratch.path);
  options.content = test::copy_content(scratch.path);
  const fs::path section = fs::path(options.content) / "chapters/1-foundations/compute-bound-and-memory-bound.md";
  std::ofstream(section, std::ios::app) << "\nSee [this](section:no-such-section).\n";
  const Built b = build(options);
  CHECK_FALSE(b.site);
  const std::string lines = problem_lines(b.problems);
  CHECK(std::regex_search(lines, std::regex("compute-bound-and-memory-bound\\.md:\\d+:\\d+: error: ")));
  CHECK(lines.starts_with(section.string()));

  fs::remove(fs::path(options.content) / "book.json");
  const Built none = build(options);
  CHECK_FALSE(none.site);
  CHECK(has(problem_lines(none.problems), "--content"));
}

TEST_CASE("build: a missing front end, module or a bad address is explained") {
  const Scratch scratch;
  BuildOptions options = test::stand_in_options(scratch.path);
  CHECK(has(problem_lines(build(options).problems), "the front end is not built"));
  test::stand_in_front_end(scratch.path);
  fs::remove(scratch.path / "web/reader.wasm");
  const Built warned = build(options);
  CHECK(warned.site);
  CHECK(has(problem_lines(warned.problems), "warning: reader.wasm is missing"));
  for (const char* base : {"", "book", "/book", "book/", "/a//b/", "/../", "/a b/", "/<x>/"}) {
    options.base = base;
    CHECK(check_address(options));
    CHECK_FALSE(build(options).site);
  }
  options.base = "/";
  for (const char* origin : {"example.org", "https://", "https://example.org/", "ftp://x", "https://a b"}) {
    options.origin = origin;
    CHECK(check_address(options));
  }
}

TEST_CASE("check_pages: ids that stand twice and links that lead nowhere") {
  Site site;
  site.add("index.html",
           "<h1 id=\"a\">x</h1><a href=\"/b/\">b</a><a href=\"/b/#there\">b</a><a href='https://elsewhere/'>x</a><a "
           "href=\"#a\">x</a>");
  site.add("b/index.html", "<h1 id=\"there\">x</h1><script>const x='<a href=\"/not-a-link/\">';</script>");
  site.finish();
  std::vector<Problem> problems;
  check_pages(site, problems);
  CHECK(problem_lines(problems).empty());

  Site bad;
  bad.base = "/x/";
  bad.add("index.html",
          "<h1 id=\"a\">x</h1><p class=\"p\" id=\"a\"></p><a href=\"/x/gone/\">x</a><a href=\"/b/\">x</a><a "
          "href=\"#nothing\">x</a><a href=\"/x/c/#not&amp;there\">x</a>");
  bad.add("c/index.html", "");
  bad.finish();
  check_pages(bad, problems);
  const std::string lines = problem_lines(problems);
  CHECK(problems.size() == 5);
  for (const char* part : {"the id \"a\" stands twice", "leads to /x/gone/, which", "leads to /b/, outside",
                           "leads to #nothing", "leads to #not&there of c/index.html"})
    CHECK(has(lines, part));
}

TEST_CASE("live: changes are built, errors keep the last good site") {
  const Scratch scratch;
  test::stand_in_front_end(scratch.path);
  BuildOptions options = test::stand_in_options(scratch.path);
  options.content = test::copy_content(scratch.path);
  std::mutex mutex;
  std::condition_variable heard;
  std::vector<Live::News> news;
  const auto wait_for = [&](size_t count) {
    std::unique_lock lock(mutex);
    REQUIRE(heard.wait_for(lock, std::chrono::seconds(30), [&] { return news.size() >= count; }));
    return news[count - 1];
  };
  const fs::path glossary = fs::path(options.content) / "glossary.json", book = fs::path(options.content) / "book.json";
  std::string text;
  {
    std::ifstream in(book);
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  Live live(options, [&](const Live::News& n) {
    const std::lock_guard lock(mutex);
    news.push_back(n);
    heard.notify_all();
  });
  live.start();
  const auto first = wait_for(1);
  REQUIRE(first.site);
  CHECK(has(first.site->find("index.html")->bytes,
            "<script defer src=\"/-/live.js\" data-version=\"" + first.version + "\">"));

  test::put(book, "{ broken");
  const auto broken = wait_for(2);
  CHECK(has_errors(broken.problems));
  CHECK(broken.site == first.site);
  CHECK(broken.version == first.version);
  CHECK(has(live.problem_page(), "book.json:1:"));

  test::put(book, text + "\n");
  const auto good = wait_for(3);
  CHECK_FALSE(has_errors(good.problems));
  CHECK(good.version != first.version);
  CHECK(live.site() == good.site);
}

TEST_CASE("pages: two at one address, or one below a file, are no site") {
  const auto wrong = [](const std::vector<std::string>& paths) {
    Site site;
    for (const std::string& path : paths) site.add(path, "x");
    site.finish();
    std::vector<Problem> problems;
    check_pages(site, problems);
    return problems.size();
  };
  CHECK(wrong({"index.html", "a/index.html", "a/b/index.html"}) == 0);
  CHECK(wrong({"a/index.html", "b/index.html", "a/index.html"}) == 1);
  CHECK(wrong({"404.html", "404.html/index.html"}) == 1);
  CHECK(wrong({"a.js", "a.js-x", "a.js/b/c.html"}) == 1);
}

}  // namespace
}  // namespace lk::site
