#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "base/number.h"
#include "cli/commands.h"
#include "server/server.h"
#include "site/content.h"
#include "site/live.h"
#include "site/write.h"

namespace lk::cli {

namespace {

void complain(const Error& error) {
  std::fprintf(stderr, "lk: %s\n", text(error).c_str());
}

void print(const std::vector<Problem>& problems) {
  std::fputs(site::problem_lines(problems).c_str(), stderr);
}

/// Says what begins and how long it took, when a person is watching.
class Steps {
 public:
  void next(std::string_view name) {
    done();
    if (!shown_) return;
    start_ = std::chrono::steady_clock::now();
    std::fprintf(stderr, "%-28.*s", static_cast<int>(name.size()), name.data());
    open_ = true;
  }
  void done() {
    if (open_)
      std::fprintf(stderr, "%6.2f s\n",
                   std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count());
    open_ = false;
  }

 private:
  bool shown_ = isatty(STDERR_FILENO) == 1;
  bool open_ = false;
  std::chrono::steady_clock::time_point start_;
};

std::string size_text(const site::Site& site) {
  double bytes = 0;
  for (const site::File& f : site.files) bytes += static_cast<double>(f.size);
  return text(Num{bytes, Unit::bytes});
}

std::optional<server::File> served(const site::File* file) {
  if (!file) return std::nullopt;
  return server::File{std::make_shared<const std::string>(file->bytes), file->hash};
}

int run(const server::Options& options, server::Get get, const std::function<void(server::Server&)>& before,
        const std::function<void()>& after) {
  auto opened = server::Server::open(options, std::move(get));
  if (!opened) {
    complain(opened.error());
    return usage_error;
  }
  std::fprintf(stderr, "Serving on %s (stop with Ctrl-C)\n", (*opened)->url().c_str());
  if (before) before(**opened);
  (*opened)->run();
  if (after) after();  // while the server still stands: others may hold it
  std::fputs("Stopped.\n", stderr);
  return ok;
}

int serve_folder(const Serve& command) {
  const auto written = site::read_marker(command.site);
  if (!written) {
    complain(written.error());
    return usage_error;
  }
  server::Options options;
  options.host = command.host;
  options.port = command.port;
  options.base = written->base;
  options.signals = true;
  return run(options,
             [folder = command.site](std::string_view path) -> std::optional<server::File> {
               const auto file = site::read_file(folder, path);
               return served(file ? &*file : nullptr);
             },
             {}, {});
}

}  // namespace

int build(const Build& command) {
  if (const auto wrong = site::check_address(command.options)) {
    complain(*wrong);
    return usage_error;
  }
  Steps steps;
  const auto start = std::chrono::steady_clock::now();
  std::unique_ptr<site::Folder> folder;
  const site::Built built = site::build(command.options, [&](std::string_view name) { steps.next(name); }, [&]() -> Result<site::Sink> {
    auto opened = site::Folder::open(command.out);
    if (!opened) return opened.error();
    folder = std::move(*opened);
    return site::Sink([&](const std::string& path, std::string_view bytes) { folder->put(path, bytes); });
  });
  if (!built.site) {
    steps.done();
    print(built.problems);
    std::fputs("lk: nothing was written.\n", stderr);
    return content_error;
  }
  steps.next("put the site in place");
  const auto failed = folder->finish(*built.site);
  steps.done();
  print(built.problems);
  if (failed) {
    complain(*failed);
    return content_error;
  }
  std::printf("%s: %zu files, %s, in %.2f s\n", command.out.c_str(), built.site->files.size(),
              size_text(*built.site).c_str(),
              std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return ok;
}

int serve(const Serve& command) {
  if (!command.site.empty()) return serve_folder(command);
  if (const auto wrong = site::check_address(command.options)) {
    complain(*wrong);
    return usage_error;
  }
  server::Server* door = nullptr;
  site::Live live(command.options, [&](const site::Live::News& news) {
    print(news.problems);
    if (site::has_errors(news.problems))
      door->publish("problems", site::problem_lines(news.problems));
    else {
      std::fprintf(stderr, "Built in %.2f s\n", news.seconds);
      door->publish("site", news.version);
    }
  });
  server::Options options;
  options.host = command.host;
  options.port = command.port;
  options.base = command.options.base;
  options.events = true;
  options.signals = true;
  const auto get = [&live](std::string_view path) -> std::optional<server::File> {
    const auto now = live.site();
    if (now) return served(now->find(path));
    if (!path.ends_with(".html")) return std::nullopt;
    return server::File{std::make_shared<const std::string>(live.problem_page()), {}};
  };
  return run(
      options, get,
      [&](server::Server& opened) {
        door = &opened;
        live.start();
      },
      [&] { live.stop(); });
}

int check(const Check& command) {
  const site::Content content = site::load_content(command.content);
  const std::string shown =
      command.format == "json" ? site::problems_json(content.problems) : site::problem_lines(content.problems);
  if (command.variants && content.usable) {
    std::fputs(site::problem_lines(content.problems).c_str(), stderr);
    std::fputs((command.format == "json" ? site::variants_json(content, command.content)
                                         : site::variants_text(content, command.content))
                   .c_str(),
               stdout);
    return ok;
  }
  std::fputs(shown.c_str(), stdout);
  if (command.format != "json" && content.problems.empty()) std::puts("No problems found.");
  return content.usable ? ok : content_error;
}

}  // namespace lk::cli
