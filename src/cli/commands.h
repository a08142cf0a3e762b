// The subcommands of lk. Each returns the exit status: 0, 1 (the content or the request has errors), 2 (usage).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "site/build.h"

namespace lk::cli {

constexpr int ok = 0, content_error = 1, usage_error = 2;

struct Build {
  site::BuildOptions options;
  std::string out = "build/site";
};
int build(const Build& command);

struct Serve {
  site::BuildOptions options;
  std::string site;  // not empty: serve this folder as it is
  std::string host = "127.0.0.1";
  unsigned short port = 8080;
};
int serve(const Serve& command);

struct Check {
  std::string content = "content", format = "text";
  bool variants = false;  // the sentences that change with the device, when there are no errors
};
int check(const Check& command);

struct Figures {
  std::string content = "content";
  bool json = false;
};
int figures(const Figures& command);

struct Figure {
  std::string content = "content", id, device, format = "md";
  std::vector<std::string> values;  // "name=value"
  double width = 632;
};
int figure(const Figure& command);

struct Devices {
  std::string content = "content", id;  // no id: the list
  bool json = false;
};
int devices(const Devices& command);

struct Search {
  std::string content = "content";
  std::vector<std::string> words;
  int limit = 10;
  bool json = false;
};
int search(const Search& command);

struct Predict {
  std::string content = "content", kernel, csv, device;
  std::vector<std::string> values;  // "name=value"
  bool json = false, list = false;
};
int predict(const Predict& command);

struct Run {
  std::string content = "content", file, kernel, grid = "1", block = "1", dynamic_shared = "0", device;
  std::vector<std::string> arguments, print, defines;  // "name=value", names of arrays, "NAME=VALUE"
  int print_count = 16;
  uint64_t seed = 0, sampled_blocks = 0;
  bool json = false, code = false, warm = false, progress = false;
};
int run(const Run& command);

}  // namespace lk::cli
