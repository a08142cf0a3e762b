#include <cstdio>
#include <fstream>
#include <iterator>

#include "cli/commands.h"
#include "cli/kit.h"
#include "predict/run.h"
#include "site/content.h"
#include "site/live.h"

namespace lk::cli {
namespace {

int fail(int status, const Error& error) {
  std::fprintf(stderr, "lk: %s\n", text(error).c_str());
  return status;
}

Result<std::string> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error{{path, 0, 0}, "the file cannot be read", "give the path as seen from here"};
  return std::string{std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

int run(const Run& command) {
  const auto source = read_file(command.file);
  if (!source) return fail(usage_error, source.error());
  std::vector<Problem> problems;
  const predict::Kit kit = load_kit(command.content, problems);
  if (site::has_errors(problems)) {
    std::fputs(site::problem_lines(problems).c_str(), stderr);
    return content_error;
  }
  predict::RunRequest request{command.kernel, command.grid, command.block, command.dynamic_shared, {}};
  for (const std::string& argument : command.arguments) {
    const size_t equals = argument.find('=');
    if (equals == std::string::npos || equals == 0) return fail(usage_error, {{}, "\"" + argument + "\" is no name=value", "for example --arg n=1024 --arg a=random:1024"});
    request.arguments.emplace_back(argument.substr(0, equals), argument.substr(equals + 1));
  }
  predict::KernelRun::Options options;
  options.file = command.file;
  options.device = command.device;
  options.print = command.print;
  options.print_count = static_cast<size_t>(command.print_count);
  options.flushed = !command.warm;
  options.machine.seed = command.seed;
  options.machine.sampled_blocks = command.sampled_blocks;
  for (const std::string& define : command.defines) {
    const size_t equals = define.find('=');
    options.defines.emplace_back(define.substr(0, equals), equals == std::string::npos ? "1" : define.substr(equals + 1));
  }
  auto run = predict::KernelRun::start(*source, request, options, kit.setting(), read_file);
  if (!run) return fail(usage_error, run.error());
  constexpr uint64_t slice = uint64_t{1} << 24;
  while ((*run)->advance(slice))
    if (command.progress) std::fprintf(stderr, "\r%3.0f%%", 100 * (*run)->progress());
  if (command.progress) std::fputs("\r     \r", stderr);
  if (command.code && (*run)->compiled()) {
    std::fputs(simt::listing((*run)->program(), (*run)->kernel()).c_str(), stdout);
    return ok;
  }
  if (command.json) {
    json::Writer w;
    (*run)->write(w);
    std::printf("%s\n", w.text().c_str());
  } else {
    std::fputs((*run)->text().c_str(), stdout);
  }
  const bool faults = !(*run)->compiled() || !(*run)->profile().findings.empty();
  return faults ? content_error : ok;
}

}  // namespace lk::cli
