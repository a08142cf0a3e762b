// lk: builds, serves and checks the book, and computes its figures. Only reads the command line; the work is done
// elsewhere.
#include <CLI/CLI.hpp>
#include <csignal>

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

}  // namespace

int main(int argc, char** argv) {
  // A reader of our output that leaves early is no reason to die by signal.
  std::signal(SIGPIPE, SIG_IGN);

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
  check_command->footer("Examples:\n  lk check\n  lk check --format json");

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
      ->capture_default_str();
  figure_command->add_option("--format", figure.format, "md, json or svg")
      ->check(CLI::IsMember({"json", "svg", "md"}))
      ->capture_default_str();
  figure_command->footer(
      "Examples:\n  lk figure roofline\n  lk figure memory_transactions stride=8 --format json\n  lk figure roofline "
      "dtype=fp8 --device b200 --format svg > roofline.svg");

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help, --version
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return lk::cli::usage_error;
  }
  if (build_command->parsed()) return lk::cli::build(build);
  if (serve_command->parsed()) return lk::cli::serve(serve);
  if (check_command->parsed()) return lk::cli::check(check);
  if (figures_command->parsed()) return lk::cli::figures(figures);
  return lk::cli::figure(figure);
}
