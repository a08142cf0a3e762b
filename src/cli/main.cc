// lk: builds, serves and checks the book, and computes its figures. Only reads the command line; the work is done
// elsewhere.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "cli/commands.h"

namespace {

constexpr const char* version = "lk 0.1.0";

void site_options(CLI::App& command, lk::site::BuildOptions& options) {
  command.add_option("--content", options.content, "Folder of the book")->capture_default_str();
  command.add_option("--base", options.base, "Path where the site is mounted, e.g. /book/")->capture_default_str();
  command.add_option("--origin", options.origin, "Scheme and host of the site, e.g. https://example.org");
  command.add_option("--assets", options.assets, "Built scripts, style sheets and modules")->capture_default_str();
  command.add_option("--fonts", options.fonts, "Font subsets")->capture_default_str();
}

/// A caller may have closed our streams; the next file that we open must not take their place.
void fill_streams() {
  for (int fd = 0; fd <= 2; ++fd)
    if (::fcntl(fd, F_GETFD) == -1 && errno == EBADF && ::open("/dev/null", fd == 0 ? O_RDONLY : O_WRONLY) != fd) return;
}

/// What was printed has to have arrived, unless its reader left early: a full disk is no success.
int finished(int status) {
  errno = 0;
  const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (!lost || errno == EPIPE || status != lk::cli::ok) return status;
  std::fprintf(stderr, "lk: error: the output could not be written%s%s\n", errno != 0 ? ": " : "",
               errno != 0 ? std::strerror(errno) : "");
  return lk::cli::content_error;
}

/// CLI11 says only that some command is missing.
std::string wrong_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return {};
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return {};
  const std::string near = lk::closest(argv[1], names);
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return "lk: " + text(lk::Error{{},
                                 "unknown command \"" + std::string(argv[1]) + '"',
                                 near.empty() ? "commands are " + list : "did you mean " + near + "?"});
}

/// Its range check lets NaN through.
const CLI::Validator is_number(
    [](std::string& text) {
      return text.find_first_of("nN") == std::string::npos ? std::string() : "\"" + text + "\" is no width in px";
    },
    "");

}  // namespace

int main(int argc, char** argv) {
  // A reader of our output that leaves early is no reason to die by signal.
  std::signal(SIGPIPE, SIG_IGN);
  fill_streams();

  CLI::App app("The tool behind Learn Kernels: builds, serves and checks the book, and computes its figures.", "lk");
  app.set_version_flag("--version", version);
  app.require_subcommand(1);
  app.footer(
      "Exit status: 0, 1 when the content has errors, 2 for a wrong command line or wrong values.\n\nExamples:\n  lk "
      "serve\n  lk check\n  lk figure roofline dtype=fp8 --device b200");

  lk::cli::Build build;
  auto* build_command = app.add_subcommand("build", "Write the site as static files");
  site_options(*build_command, build.options);
  build_command->add_option("--out", build.out, "Folder to write; replaced in one step, and only if lk wrote it")
      ->capture_default_str();
  build_command->footer("Examples:\n  lk build\n  lk build --out /tmp/site --base /book/ --origin https://example.org");

  lk::cli::Serve serve;
  auto* serve_command = app.add_subcommand("serve", "Serve the book over HTTP; pages reload when the content changes");
  site_options(*serve_command, serve.options);
  serve_command->add_option("--site", serve.site, "Serve this built site as it is instead of the content")
      ->excludes("--content");
  serve_command->add_option("--port", serve.port, "Port; 0 takes a free one")->capture_default_str();
  serve_command->add_option("--host", serve.host, "Address to listen on; 0.0.0.0 for every network")
      ->capture_default_str();
  serve_command->footer("Examples:\n  lk serve\n  lk serve --site build/site --port 9000");

  lk::cli::Check check;
  auto* check_command = app.add_subcommand("check", "Check the content: links, figures, numbers, listings");
  check_command->add_option("--content", check.content, "Folder of the book")->capture_default_str();
  check_command->add_option("--format", check.format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  check_command->add_flag("--variants", check.variants,
                          "When there are no errors, print each sentence whose values follow the device, for every device");
  check_command->footer("Examples:\n  lk check\n  lk check --variants\n  lk check --format json");

  lk::cli::Figures figures;
  auto* figures_command = app.add_subcommand("figures", "List the figures");
  figures_command->add_option("--content", figures.content, "Folder of the book")->capture_default_str();
  figures_command->add_flag("--json", figures.json, "As JSON, with the schema of every figure's parameters");
  figures_command->footer("Examples:\n  lk figures\n  lk figures --json");

  lk::cli::Figure figure;
  auto* figure_command = app.add_subcommand("figure", "Compute one figure");
  figure_command->add_option("id", figure.id, "Its id; lk figures lists them")->required();
  figure_command->add_option("values", figure.values, "Parameters: name=value");
  figure_command->add_option("--content", figure.content, "Folder of the book, for devices and measurements")
      ->capture_default_str();
  figure_command->add_option("--device", figure.device, "Device, when the values name none");
  figure_command->add_option("--width", figure.width, "Width of the drawing in px")
      ->check(CLI::Range(280.0, 4000.0))
      ->check(is_number)
      ->capture_default_str();
  figure_command->add_option("--format", figure.format, "md, json or svg")
      ->check(CLI::IsMember({"json", "svg", "md"}))
      ->capture_default_str();
  figure_command->footer(
      "Examples:\n  lk figure roofline\n  lk figure memory_transactions stride=8 --format json\n  lk figure roofline "
      "dtype=fp8 --device b200 --format svg > roofline.svg");

  lk::cli::Devices devices;
  auto* devices_command = app.add_subcommand("devices", "List the devices, or the numbers of one with their sources");
  devices_command->add_option("id", devices.id, "Its id");
  devices_command->add_option("--content", devices.content, "Folder of the book")->capture_default_str();
  devices_command->add_flag("--json", devices.json, "As JSON");
  devices_command->footer("Examples:\n  lk devices\n  lk devices mi300x\n  lk devices --json");

  lk::cli::Search search;
  auto* search_command = app.add_subcommand("search", "Search the book");
  search_command->add_option("query", search.words, "Words; in \"double quotes\" they stand side by side")->required();
  search_command->add_option("--content", search.content, "Folder of the book")->capture_default_str();
  search_command->add_option("--limit", search.limit, "Results at most")->check(CLI::Range(1, 50))->capture_default_str();
  search_command->add_flag("--json", search.json, "As JSON: [{url, title, kind, score, snippet, ...}]");
  search_command->footer("Examples:\n  lk search ridge point\n  lk search '\"shared memory\"' --limit 3\n  lk search __syncthreads --json");

  lk::cli::Predict predict;
  auto* predict_command = app.add_subcommand("predict", "Predict the time of a kernel, or of a table of them");
  predict_command->add_option("kernel", predict.kernel, "Its name; --list prints them");
  predict_command->add_option("values", predict.values, "Parameters: name=value");
  predict_command->add_option("--csv", predict.csv, "Predict every line of this table: kernel,name=value;name=value[,measured us]")
      ->excludes("kernel");
  predict_command->add_option("--device", predict.device, "Device; the book's default when none is named");
  predict_command->add_option("--content", predict.content, "Folder of the book, for devices, constants and measurements")->capture_default_str();
  predict_command->add_flag("--json", predict.json, "As JSON, with the parts of each time");
  predict_command->add_flag("--list", predict.list, "Print the kernels and their parameters");
  predict_command->footer(
      "Examples:\n  lk predict gemm_bf16 m=4096 n=4096 k=4096\n  lk predict attention_decode batch=32 kv_heads=8 seq=2048 dim=128 --json\n  lk "
      "predict --csv content/measurements/h200.csv --device h200");

  lk::cli::Run run;
  auto* run_command = app.add_subcommand("run", "Run a CUDA kernel without a GPU: results, counters, checks, predicted time");
  run_command->add_option("file", run.file, "CUDA source; host code in it is skipped")->required();
  run_command->add_option("--kernel", run.kernel, "Which __global__ function, with template arguments where it has some; may be left out when there is one");
  run_command->add_option("--grid", run.grid, "Blocks: X or X,Y or X,Y,Z; expressions of the numbers among the arguments")->capture_default_str();
  run_command->add_option("--block", run.block, "Threads of a block, likewise")->capture_default_str();
  run_command->add_option("--dynamic-shared", run.dynamic_shared, "Bytes of dynamic shared memory")->capture_default_str();
  run_command->add_option("--arg", run.arguments, "A parameter: name=number, or name=KIND:COUNT with KIND zeros, ones, iota, random (random:COUNT:SEED), nothing, or name=file:PATH")
      ->allow_extra_args(false);
  run_command->add_option("-D", run.defines, "A macro, as nvcc takes it")->allow_extra_args(false);
  run_command->add_option("--device", run.device, "Device of the predicted time; the book's default when none is named");
  run_command->add_option("--print", run.print, "Print the first values of this array")->allow_extra_args(false);
  run_command->add_option("--print-count", run.print_count, "How many")->check(CLI::Range(1, 1000000))->capture_default_str();
  run_command->add_option("--seed", run.seed, "Order in which warps take turns")->capture_default_str();
  run_command->add_option("--sample", run.sampled_blocks, "Run only this many blocks and scale the counters")->capture_default_str();
  run_command->add_flag("--warm", run.warm, "Predict a launch with warm caches");
  run_command->add_flag("--code", run.code, "Print the compiled kernel instead");
  run_command->add_flag("--progress", run.progress, "Show how far the run is");
  run_command->add_flag("--json", run.json, "As JSON, with counters for each line");
  run_command->add_option("--content", run.content, "Folder of the book, for devices and constants")->capture_default_str();
  run_command->footer(
      "Exit status 1 when the source has errors or a check found something.\n\nExamples:\n  lk run content/listings/vec_add.cu --kernel vec_add --grid 'up(n, 256)' --block 256 --arg n=1048576 --arg "
      "a=random:n --arg b=random:n --arg c=nothing:n --print c\n  lk run mine.cu --grid 32,32 --block 32,8 --arg n=1024 --arg in=iota:1048576 --arg out=zeros:1048576 --json");

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help, --version
    return finished(app.exit(request));
  } catch (const CLI::ParseError& error) {
    if (const std::string wrong = wrong_command(app, argc, argv); !wrong.empty())
      std::fprintf(stderr, "%s\n", wrong.c_str());
    else
      app.exit(error);
    return lk::cli::usage_error;
  }
  if (build_command->parsed()) return finished(lk::cli::build(build));
  if (serve_command->parsed()) return lk::cli::serve(serve);
  if (check_command->parsed()) return finished(lk::cli::check(check));
  if (figures_command->parsed()) return finished(lk::cli::figures(figures));
  if (devices_command->parsed()) return finished(lk::cli::devices(devices));
  if (run_command->parsed()) return finished(lk::cli::run(run));
  if (predict_command->parsed()) return finished(lk::cli::predict(predict));
  if (search_command->parsed()) return finished(lk::cli::search(search));
  return finished(lk::cli::figure(figure));
}
