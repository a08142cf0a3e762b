// The lab as a WebAssembly module: web/lab_view.ts calls these functions. Texts are UTF-8 with their length; views are handles.
#include <GLES3/gl3.h>
#include <emscripten/html5.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/api.h"
#include "base/json.h"
#include "figures/registry.h"
#include "imgui.h"
#include "imgui_impl_opengl3.h"
#include "lab/view.h"

namespace {

// A module instance is the program: this is its state.
struct State {
  std::unique_ptr<lk::World> world;
  std::string regular, strong, mono;
  std::string reply;  // "length, then bytes" of the last text handed out
  std::array<double, 12> outcome = {};
};

State& state() {
  static State s;
  return s;
}

struct Handle {
  lk::lab::View view;
  EMSCRIPTEN_WEBGL_CONTEXT_HANDLE gl = 0;
  Handle(const lk::World& world, const lk::plot::Figure& figure, std::string_view query, std::string_view device)
      : view(world, figure, query, device) {}
};

std::string_view words(const char* text, int length) { return {text, static_cast<size_t>(length)}; }

// Four bytes of length, then the text; valid until the next call that returns text.
const char* reply(std::string_view text) {
  std::string& out = state().reply;
  const uint32_t length = static_cast<uint32_t>(text.size());
  out.assign(reinterpret_cast<const char*>(&length), sizeof length);
  out += text;
  return out.data();
}

class Drawing {
 public:
  explicit Drawing(Handle* handle) {
    emscripten_webgl_make_context_current(handle->gl);
    ImGui::SetCurrentContext(handle->view.context());
  }
  ~Drawing() { ImGui::SetCurrentContext(nullptr); }
};

void release(Handle* handle) {
  if (handle->gl == 0) return;
  const Drawing scope(handle);
  ImGui_ImplOpenGL3_Shutdown();
  handle->gl = 0;
}

void paint(Handle* handle, bool fonts) {
  if (handle->gl == 0) return;
  const Drawing scope(handle);
  if (fonts) {
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
  }
  ImGui_ImplOpenGL3_NewFrame();
  ImDrawData* data = handle->view.picture();
  if (data == nullptr) return;
  const ImVec4 bg = ImGui::ColorConvertU32ToFloat4(handle->view.theme().color(lk::lab::Token::bg));
  glViewport(0, 0, static_cast<int>(data->DisplaySize.x), static_cast<int>(data->DisplaySize.y));
  glClearColor(bg.x, bg.y, bg.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(data);
}

std::string describe(Handle* handle) {
  using lk::json::Writer;
  auto& bench = handle->view.bench();
  Writer w;
  w.begin_object();
  if (const auto& now = bench.state()) {
    w.field("query", lk::plot::write_query(now->canonical)).field("summary", lk::plot::summary_text(*now));
    w.key("notices").begin_array();
    for (const auto& notice : now->notices) w.value(notice);
    w.end_array();
    w.key("columns").begin_array();
    for (const auto& column : now->view.columns) w.value(column.label);
    w.end_array();
    w.key("rows").begin_array();
    for (size_t r = 0; r < now->view.rows(); ++r) {
      w.begin_array();
      for (size_t c = 0; c < now->view.columns.size(); ++c)
        w.value(lk::lab::cell_text(now->view.columns[c], now->view.cells[r * now->view.columns.size() + c]));
      w.end_array();
    }
    w.end_array();
    w.key("places").begin_object();
    for (const auto& place : bench.places()) {
      w.key(place.field).begin_array();
      w.value(place.box.x0).value(place.box.y0).value(place.box.x1).value(place.box.y1);
      w.end_array();
    }
    w.end_object();
    // Marks that a hand can move: where they stand and what they set.
    const double scale = static_cast<double>(handle->view.theme().scale);
    w.key("handles").begin_array();
    for (const auto& prim : bench.frame().prims) {
      if (prim.panel < 0 || prim.mark < 0 || prim.kind == lk::plot::Prim::glyphs) continue;
      const auto& mark = now->view.panels[static_cast<size_t>(prim.panel)].marks[static_cast<size_t>(prim.mark)];
      if (mark.drags.empty()) continue;
      const auto box = lk::lab::bounds(prim, handle->view.theme());
      w.begin_object().field("field", mark.drags);
      w.field("x", static_cast<double>(bench.origin().x) / scale + (box.x0 + box.x1) / 2);
      w.field("y", static_cast<double>(bench.origin().y) / scale + (box.y0 + box.y1) / 2);
      w.end_object();
    }
    w.end_array();
    w.field("lit", bench.lit_row());
  }
  w.end_object();
  return w.take();
}

}  // namespace

extern "C" {

/// Reads the world; the reply is empty or says what is wrong.
const char* lab_init(const char* world, int length) {
  auto read = lk::api::load_world(words(world, length));
  if (!read) return reply(lk::text(read.error()));
  state().world = std::make_unique<lk::World>(std::move(*read));
  return reply("");
}

/// TrueType data of both weights and of the fixed-width face; empty ones fall back to Dear ImGui's own face.
void lab_fonts(const char* regular, int regular_length, const char* strong, int strong_length, const char* mono, int mono_length) {
  state().regular = words(regular, regular_length);
  state().strong = words(strong, strong_length);
  state().mono = words(mono, mono_length);
}

/// A view of a figure, or null when there is no such figure. Remove it when its element goes.
Handle* lab_add(const char* id, int id_length, const char* query, int query_length, const char* device, int device_length) {
  const lk::plot::Figure* figure = lk::figures::find(words(id, id_length));
  if (figure == nullptr || state().world == nullptr) return nullptr;
  auto* handle = new Handle(*state().world, *figure, words(query, query_length), words(device, device_length));
  handle->view.fonts(state().regular, state().strong, state().mono);
  return handle;
}

void lab_remove(Handle* handle) {
  release(handle);
  delete handle;
}

/// Takes a WebGL context that Emscripten knows; also after a context was restored. 0 lets go of it.
void lab_attach(Handle* handle, EMSCRIPTEN_WEBGL_CONTEXT_HANDLE gl) {
  release(handle);
  if (gl == 0) return;
  handle->gl = gl;
  const Drawing scope(handle);
  ImGui_ImplOpenGL3_Init("#version 300 es");
}

void lab_resize(Handle* handle, double width, double height, double scale) { handle->view.resize(width, height, scale); }
void lab_theme(Handle* handle, const char* tokens, int length) { handle->view.theme(words(tokens, length)); }
void lab_apple(Handle* handle, int yes) { handle->view.apple(yes != 0); }

void lab_hand(Handle* handle, int what, double x, double y, int button, int source) {
  handle->view.hand(static_cast<lk::lab::Hand>(what), x, y, button, static_cast<lk::lab::Source>(source));
}
int lab_wheel(Handle* handle, double dx, double dy) { return handle->view.wheel(dx, dy) ? 1 : 0; }
/// `modifiers`: 1 Control, 2 Shift, 4 Alt, 8 Meta.
int lab_key(Handle* handle, const char* code, int length, int down, int repeat, int modifiers) {
  return handle->view.key(words(code, length), down != 0, repeat != 0,
                          {(modifiers & 1) != 0, (modifiers & 2) != 0, (modifiers & 4) != 0, (modifiers & 8) != 0})
             ? 1
             : 0;
}
void lab_characters(Handle* handle, const char* text, int length) { handle->view.characters(words(text, length)); }
void lab_focus(Handle* handle, int has, int by_key) { handle->view.focus(has != 0, by_key != 0); }
void lab_paste(Handle* handle, const char* text, int length) { handle->view.paste(words(text, length)); }

/// Runs a frame and draws it when a context is attached. Twelve numbers: again, again_in, typing, caret x, y, height, cursor,
/// height, changes, copy_link, copied, row pointed at.
const double* lab_frame(Handle* handle, double seconds) {
  const lk::lab::Outcome o = handle->view.frame(seconds);
  paint(handle, o.fonts);
  state().outcome = {o.again ? 1.0 : 0.0, o.again_in, o.typing ? 1.0 : 0.0, static_cast<double>(o.caret_x), static_cast<double>(o.caret_y),
                     static_cast<double>(o.caret_height), static_cast<double>(o.cursor), static_cast<double>(o.height),
                     static_cast<double>(o.changes), o.copy_link ? 1.0 : 0.0, o.copied ? 1.0 : 0.0,
                     static_cast<double>(handle->view.bench().lit_row())};
  return state().outcome.data();
}

const char* lab_state(Handle* handle) { return reply(describe(handle)); }
const char* lab_clipboard(Handle* handle) { return reply(handle->view.clipboard()); }
void lab_set(Handle* handle, const char* field, int field_length, const char* value, int value_length) {
  handle->view.bench().set(words(field, field_length), words(value, value_length));
  handle->view.wake();
}
void lab_device(Handle* handle, const char* id, int length) {
  handle->view.bench().device(words(id, length));
  handle->view.wake();
}
void lab_link_copied(Handle* handle, double seconds) {
  handle->view.bench().link_copied(seconds);
  handle->view.wake();
}

}  // extern "C"
