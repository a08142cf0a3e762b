// content/ and the built front end -> a Site in memory.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/answers.h"
#include "base/error.h"
#include "site/site.h"

namespace lk::site {

struct BuildOptions {
  std::string content = "content";
  std::string assets = "build/web";  // scripts, style sheets, modules
  std::string fonts = "build/fonts";
  std::string base = "/";  // begins and ends with '/'
  std::string origin;      // "https://example.org", may be empty
  std::string live;        // not empty: pages reload by themselves; names this build
  std::shared_ptr<api::Answers> answers;  // of figures, kept from build to build; may be null
};

struct Built {
  std::optional<Site> site;       // empty when there were errors
  std::vector<Problem> problems;  // errors and warnings
};

/// `step` hears what begins: "load and check the content", ... `open` is called once, when the content is sound: what it
/// returns takes the bytes of every file, and the built site holds none. Without it they stay in memory. A build that fails
/// after that has given the sink files of no site.
Built build(const BuildOptions& options, const std::function<void(std::string_view)>& step = {},
            const std::function<Result<Sink>()>& open = {});

/// What is wrong with --base or --origin, if anything.
std::optional<Error> check_address(const BuildOptions& options);

/// Faults of rendered pages whatever made them: ids that stand twice, links into the site that lead nowhere.
void check_pages(const Site& site, std::vector<Problem>& problems);

}  // namespace lk::site
