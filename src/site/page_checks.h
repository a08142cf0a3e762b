// Faults that only whole pages show: what links where, gathered while the pages are rendered and judged when all are there.
#pragma once
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "site/site.h"

namespace lk::site {

class PageChecks {
 public:
  /// Notes the ids and links of a page. Threads may call it at once.
  void add(const std::string& path, std::string_view html);
  /// Reports addresses that two files share or that lie below a file, ids that stand twice and links into the site that lead
  /// nowhere, in the order of the paths. Every page of the finished site must have been added.
  void finish(const Site& site, std::vector<Problem>& problems);

 private:
  // Pages share most of their ids and links: each text is kept once.
  struct Names {
    std::unordered_map<std::string, uint32_t> numbers;
    std::vector<const std::string*> texts;
    uint32_t number(std::string_view text);
  };
  struct Page {
    std::string path;
    std::vector<uint32_t> ids;    // sorted
    std::vector<uint32_t> links;  // "/chapters/x/#place", without queries; each once
    std::vector<std::string> twice;
  };
  std::mutex mutex_;
  Names names_;
  std::vector<Page> pages_;
};

}  // namespace lk::site
