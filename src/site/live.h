// The site while its author writes: watches the content and the built front end, builds again after each change, keeps
// the last good site.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "site/build.h"
#include "site/site.h"

namespace lk::site {

class Live {
 public:
  struct News {
    std::shared_ptr<const Site> site;  // the last good one; null while there was none
    std::string version;               // of that site, "" while there was none
    std::vector<Problem> problems;     // of the last build; with errors `site` is older than the content
    double seconds = 0;                // how long the build took
  };

  /// Nothing runs yet. `changed` is called after every build, from the watching thread; the first time from start().
  Live(BuildOptions options, std::function<void(const News&)> changed);
  ~Live();
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;

  /// Builds once, then watches until stop() or destruction.
  void start();
  /// After it returns `changed` is not called any more.
  void stop();
  std::shared_ptr<const Site> site() const;
  /// A page that says what is wrong, for when there is no good site yet.
  std::string problem_page() const;

 private:
  void build();
  void watch();
  BuildOptions options_;
  std::function<void(const News&)> changed_;
  mutable std::mutex mutex_;
  News news_;
  int builds_ = 0;
  std::string seen_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

/// Names, sizes and times of all files below the folders, as one text: it differs when anything changed.
std::string snapshot(const std::vector<std::string>& folders);

/// The problems as the terminal shows them, a line each.
std::string problem_lines(const std::vector<Problem>& problems);

}  // namespace lk::site
