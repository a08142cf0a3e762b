// The C ABI of the module that runs kernels: a kit of devices and listings, then one run at a time, in slices so that the page can
// show progress and stop it. web/run_worker.ts is the other side; memory is handed over and answers come back as in bridge.cc.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "predict/kit.h"
#include "predict/run.h"

namespace {

std::unique_ptr<lk::predict::Kit> kit;
std::unique_ptr<lk::predict::KernelRun> run_;
std::string response;

const char* respond(std::string_view json) {
  const auto length = static_cast<uint32_t>(json.size());
  response.resize(sizeof length);
  std::memcpy(response.data(), &length, sizeof length);
  response += json;
  return response.data();
}

const char* fail(const lk::Error& error) {
  lk::json::Writer w;
  w.begin_object().key("error").begin_object().field("what", error.what).field("hint", error.hint).end_object().end_object();
  return respond(w.text());
}

std::string_view request(const char* at, uint32_t size) { return at == nullptr ? std::string_view() : std::string_view(at, size); }

lk::Result<std::string> no_files(const std::string& path) {
  return lk::Error{{}, "the file " + path + " cannot be read here", "a page reads no files: use zeros, ones, iota or random"};
}

}  // namespace

extern "C" {

char* lk_alloc(uint32_t size) { return static_cast<char*>(std::malloc(size == 0 ? 1 : size)); }

void lk_free(char* at) { std::free(at); }

/// The kit, as predict::write_kit writes it.
const char* lk_init(const char* at, uint32_t size) {
  auto read = lk::predict::read_kit(request(at, size));
  if (!read) return fail(read.error());
  run_.reset();
  kit = std::make_unique<lk::predict::Kit>(std::move(*read));
  return respond(R"({"result":true})");
}

/// Compiles and begins a run (predict::read_run says what of). The run before is forgotten.
const char* lk_start(const char* at, uint32_t size) {
  run_.reset();
  if (!kit) return fail({{}, "the module has no kit yet", "call lk_init first"});
  const auto wish = lk::predict::read_run(request(at, size));
  if (!wish) return fail(wish.error());
  auto started = lk::predict::KernelRun::start(wish->source, wish->request, wish->options, kit->setting(), no_files);
  if (!started) return fail(started.error());
  run_ = std::move(*started);
  return respond(R"({"result":true})");
}

/// About `steps` warp instructions more: {"result": {"done", "progress"}}.
const char* lk_advance(uint32_t steps) {
  if (!run_) return fail({{}, "nothing is running", "call lk_start first"});
  const bool more = run_->advance(steps);
  lk::json::Writer w;
  w.begin_object().key("result").begin_object().field("done", !more).field("progress", run_->progress()).end_object().end_object();
  return respond(w.text());
}

/// What the run found, as KernelRun::write writes it.
const char* lk_answer() {
  if (!run_) return fail({{}, "nothing is running", "call lk_start first"});
  lk::json::Writer w;
  w.begin_object().key("result");
  run_->write(w);
  w.end_object();
  return respond(w.text());
}

/// How the book launches a kernel (predict::launch_json), of {"file", "kernel", "values"?, "device"?}.
const char* lk_launch(const char* at, uint32_t size) {
  if (!kit) return fail({{}, "the module has no kit yet", "call lk_init first"});
  const auto asked = lk::json::parse(request(at, size));
  if (!asked) return fail(asked.error());
  const auto text = [&](std::string_view key) {
    const lk::json::Value* v = asked->find(key);
    return v ? std::string_view(v->string) : std::string_view();
  };
  const auto answer = lk::predict::launch_json(text("file"), text("kernel"), text("values"), text("device"), kit->setting());
  if (!answer) return fail(answer.error());
  return respond("{\"result\":" + *answer + '}');
}

/// A prediction of one of the book's launches at other sizes: {"kernel", "values", "device"}.
const char* lk_predict(const char* at, uint32_t size) {
  if (!kit) return fail({{}, "the module has no kit yet", "call lk_init first"});
  const auto answer = lk::predict::predict_json(request(at, size), kit->setting());
  if (!answer) return fail(answer.error());
  return respond("{\"result\":" + *answer + '}');
}

}  // extern "C"
