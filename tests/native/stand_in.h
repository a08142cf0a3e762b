// A small front end for tests of the site writer: every file the writer looks for, none of its weight.
#pragma once
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "site/build.h"

namespace lk::test {

inline void put(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// Fills `root`/web and `root`/fonts.
inline void stand_in_front_end(const std::filesystem::path& root) {
  put(root / "web/critical.css", "@font-face{src:url(lk-text-regular.woff2)}body{margin:0}\n");
  put(root / "web/style.css", ".fig{margin:0}");
  put(root / "web/theme.js", "document.documentElement.dataset.js=\"\";\n");
  put(root / "web/main.js", "import(\"./figures.js\");");
  put(root / "web/figures.js", "export const worker=\"./worker.js\";");
  put(root / "web/worker.js", "self.onmessage=null;");
  put(root / "web/embed.js", "import(\"./figures.js\");");
  put(root / "web/lab.js", "import(\"./lab.mjs\");");
  put(root / "web/lab.css", "main.lab{margin:0}");
  put(root / "web/lab.mjs", "const a=\"lab.wasm\";");
  put(root / "web/lab.wasm", std::string("\0asm lab", 8));
  put(root / "web/reader.wasm", std::string("\0asm reader", 11));
  put(root / "web/reader-code.wasm", std::string("\0asm code", 9));
  put(root / "web/reader-numbers.wasm", std::string("\0asm numbers", 12));
  put(root / "web/reader-serving.wasm", std::string("\0asm serving", 12));
  put(root / "web/reader-timing.wasm", std::string("\0asm timing", 11));
  put(root / "web/search.wasm", std::string("\0asm search", 11));
  put(root / "web/author.wasm", std::string("\0asm author", 11));
  put(root / "web/kernels.wasm", std::string("\0asm kernels", 12));
  put(root / "web/author.js", "self.onmessage=null;");
  put(root / "web/edit.js", "const a=[\"./author.js\",\"./author.wasm\",\"./content.json\"];");
  put(root / "web/edit.css", ".edit{margin:0}");
  put(root / "web/preview.js", "parent.postMessage(1);");
  put(root / "web/preview.css", ".preview{margin:0}");
  put(root / "web/sw.js", "self.addEventListener(\"install\",()=>self.LK_BUILD);");
  put(root / "web/leftover.js", "never mentioned");
  for (const char* font : {"lk-text-regular", "lk-sans-regular"})
    put(root / "fonts" / (std::string(font) + ".woff2"), std::string("font ") + font);
}

/// The book of this repository with the stand-in front end.
inline site::BuildOptions stand_in_options(const std::filesystem::path& root) {
  site::BuildOptions options;
  options.content = std::string(LK_SOURCE_DIR) + "/content";
  options.assets = (root / "web").string();
  options.fonts = (root / "fonts").string();
  return options;
}

/// A copy of the book's content that a test may spoil.
inline std::string copy_content(const std::filesystem::path& root) {
  std::filesystem::copy(std::string(LK_SOURCE_DIR) + "/content", root / "content",
                        std::filesystem::copy_options::recursive);
  return (root / "content").string();
}

}  // namespace lk::test
