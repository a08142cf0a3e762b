#include "site/live.h"

#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>

#include "base/utf8.h"
#include "site/content.h"

namespace lk::site {

namespace fs = std::filesystem;

namespace {

using std::chrono::milliseconds;
constexpr milliseconds pause(200), quiet(20);
constexpr int looks = 10;  // pauses between looks at the folders although nothing was heard: not every file system tells

/// Hears of changes below folders, where the system tells of them.
class Ear {
 public:
  explicit Ear(std::vector<std::string> folders) : folders_(std::move(folders)), fd_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) { listen(); }
  ~Ear() {
    if (fd_ >= 0) ::close(fd_);
  }
  Ear(const Ear&) = delete;
  Ear& operator=(const Ear&) = delete;

  /// Folders that are new are heard as well. Those that are heard already stay so.
  void listen() {
    constexpr uint32_t what = IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR;
    hears_ = fd_ >= 0;
    for (const std::string& folder : folders_) {
      hears_ = hears_ && ::inotify_add_watch(fd_, folder.c_str(), what) >= 0;
      std::error_code error;
      for (auto it = fs::recursive_directory_iterator(folder, error); it != fs::recursive_directory_iterator(); it.increment(error)) {
        if (error) break;
        if (it->is_directory(error)) hears_ = hears_ && ::inotify_add_watch(fd_, it->path().c_str(), what) >= 0;
      }
    }
  }

  /// Waits that long at most; true when something may have changed.
  bool heard(milliseconds most) const {
    if (!hears_) {
      std::this_thread::sleep_for(most);
      return true;
    }
    pollfd waiting{fd_, POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(most.count())) <= 0) return false;
    std::array<char, 4096> events;
    while (::read(fd_, events.data(), events.size()) > 0) {
    }
    return true;
  }
  bool hears() const { return hears_; }

 private:
  std::vector<std::string> folders_;
  int fd_;
  bool hears_ = false;
};

}  // namespace

std::string snapshot(const std::vector<std::string>& folders) {
  std::vector<std::string> lines;
  for (const std::string& folder : folders) {
    std::error_code error;
    for (auto it = fs::recursive_directory_iterator(folder, error); it != fs::recursive_directory_iterator();
         it.increment(error)) {
      if (error) break;
      const std::string name = it->path().filename().string();
      if (name.starts_with('.')) {
        if (it->is_directory(error)) it.disable_recursion_pending();
        continue;
      }
      struct stat s {};
      if (::stat(it->path().c_str(), &s) != 0 || !S_ISREG(s.st_mode)) continue;
      lines.push_back(it->path().string() + ' ' + std::to_string(s.st_size) + ' ' + std::to_string(s.st_mtim.tv_sec) +
                      '.' + std::to_string(s.st_mtim.tv_nsec));
    }
  }
  std::sort(lines.begin(), lines.end());
  std::string out;
  for (const std::string& line : lines) out += line + '\n';
  return out;
}

std::string problem_lines(const std::vector<Problem>& problems) {
  std::string out;
  for (const Problem& p : problems) out += text(p) + '\n';
  return out;
}

Live::Live(BuildOptions options, std::function<void(const News&)> changed)
    : options_(std::move(options)), changed_(std::move(changed)) {
  options_.answers = std::make_shared<api::Answers>();
}

Live::~Live() {
  stop();
}

void Live::stop() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void Live::start() {
  seen_ = snapshot({options_.content, options_.assets, options_.fonts});
  build();
  thread_ = std::thread([this] { watch(); });
}

std::shared_ptr<const Site> Live::site() const {
  const std::lock_guard lock(mutex_);
  return news_.site;
}

void Live::build() {
  const auto start = std::chrono::steady_clock::now();
  BuildOptions options = options_;
  // Unlike a version of the content it is never the same twice, not even for another server on the same port.
  options.live = std::to_string(::getpid()) + '-' + std::to_string(++builds_);
  Built built = site::build(options);
  News news;
  {
    const std::lock_guard lock(mutex_);
    news_.problems = std::move(built.problems);
    news_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (built.site) {
      news_.site = std::make_shared<const Site>(std::move(*built.site));
      news_.version = options.live;
    }
    news = news_;
  }
  changed_(news);
}

void Live::watch() {
  const std::vector<std::string> folders{options_.content, options_.assets, options_.fonts};
  Ear ear(folders);
  for (int silent = looks; !stop_;) {  // the first look is at once: something may have changed before the ear was there
    if (silent < looks && !ear.heard(pause)) {
      ++silent;
      continue;
    }
    silent = 0;
    std::string now = snapshot(folders);
    if (now == seen_) continue;
    // Editors and compilers write in steps: wait until it is quiet.
    for (std::string again; !stop_; now = std::move(again)) {
      if (ear.hears())
        ear.heard(quiet);
      else
        std::this_thread::sleep_for(pause / 2);
      again = snapshot(folders);
      if (again == now) break;
    }
    if (stop_) return;
    seen_ = std::move(now);
    ear.listen();
    build();
  }
}

std::string Live::problem_page() const {
  const std::lock_guard lock(mutex_);
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\">"
         "<title>The content has errors</title><link rel=\"stylesheet\" href=\"" +
         options_.base + "-/live.css\"><script defer src=\"" + options_.base +
         "-/live.js\" data-version=\"\"></script></head>\n<body><h1>The content has errors</h1>\n<pre>" +
         html_escaped(problem_lines(news_.problems)) + "</pre></body></html>\n";
}

}  // namespace lk::site
