# The libraries that are not ours. Sources of cmark-gfm, Dear ImGui, Catch2 and Snowball lie in build/deps, unpacked by
# scripts/setup; the rest are headers and libraries of the system. Nothing is downloaded here.
include_guard()
include(FetchContent)

set(FETCHCONTENT_FULLY_DISCONNECTED ON)
set(FETCHCONTENT_QUIET ON)
set(LK_DEPS "${CMAKE_SOURCE_DIR}/build/deps" CACHE PATH "Where scripts/setup unpacked the sources of libraries")

# lk_source(<NAME> folder file): where the sources of a library lie, or an error that says what to do.
function(lk_source name folder file)
  set(FETCHCONTENT_SOURCE_DIR_${name} "${LK_DEPS}/${folder}" CACHE PATH "Sources of ${folder}")
  set(place "${FETCHCONTENT_SOURCE_DIR_${name}}")
  if(NOT EXISTS "${place}/${file}")
    message(FATAL_ERROR "The sources of ${folder} are missing: ${place}/${file} does not exist. "
      "Run scripts/setup, or point FETCHCONTENT_SOURCE_DIR_${name} at a copy.")
  endif()
endfunction()

# Headers of the system are reached through a folder that holds only what we name: /usr/include itself
# must never come before Emscripten's own headers.
function(lk_system_header target folder package)
  if(NOT EXISTS "/usr/include/${folder}")
    message(FATAL_ERROR "/usr/include/${folder} does not exist. Run scripts/setup, or install the package ${package}.")
  endif()
  set(place "${CMAKE_BINARY_DIR}/include-${folder}")
  file(MAKE_DIRECTORY "${place}")
  file(CREATE_LINK "/usr/include/${folder}" "${place}/${folder}" SYMBOLIC)
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE "${place}")
endfunction()

lk_system_header(lk_json nlohmann nlohmann-json3-dev)

# cmark-gfm and its extensions: link lk_cmark.
lk_source(CMARK_GFM cmark-gfm CMakeLists.txt)
set(CMARK_TESTS OFF CACHE BOOL "" FORCE)
set(CMARK_SHARED OFF CACHE BOOL "" FORCE)
set(CMAKE_WARN_DEPRECATED OFF CACHE BOOL "" FORCE)
FetchContent_Declare(cmark_gfm)
FetchContent_GetProperties(cmark_gfm)
if(NOT cmark_gfm_POPULATED)
  FetchContent_Populate(cmark_gfm)
  add_subdirectory("${cmark_gfm_SOURCE_DIR}" "${cmark_gfm_BINARY_DIR}" EXCLUDE_FROM_ALL)
endif()
add_library(lk_cmark INTERFACE)
target_link_libraries(lk_cmark INTERFACE libcmark-gfm-extensions_static libcmark-gfm_static)
target_include_directories(lk_cmark SYSTEM INTERFACE
  "${cmark_gfm_SOURCE_DIR}/src" "${cmark_gfm_SOURCE_DIR}/extensions"
  "${cmark_gfm_BINARY_DIR}/src" "${cmark_gfm_BINARY_DIR}/extensions")
target_compile_definitions(lk_cmark INTERFACE CMARK_GFM_STATIC_DEFINE CMARK_GFM_EXTENSIONS_STATIC_DEFINE)

# Dear ImGui: link lk_imgui. With Emscripten it includes the WebGL 2 backend. The WASM tests do not have the lab.
if(NOT (EMSCRIPTEN AND LK_BUILD_TESTS))
  lk_source(IMGUI imgui imgui.cpp)
  FetchContent_Declare(imgui)
  FetchContent_GetProperties(imgui)
  if(NOT imgui_POPULATED)
    FetchContent_Populate(imgui)
  endif()
  add_library(lk_imgui STATIC EXCLUDE_FROM_ALL
    "${imgui_SOURCE_DIR}/imgui.cpp" "${imgui_SOURCE_DIR}/imgui_draw.cpp"
    "${imgui_SOURCE_DIR}/imgui_tables.cpp" "${imgui_SOURCE_DIR}/imgui_widgets.cpp")
  target_include_directories(lk_imgui SYSTEM PUBLIC "${imgui_SOURCE_DIR}" "${imgui_SOURCE_DIR}/backends")
  # One place holds the settings, so that every user agrees about them.
  target_compile_definitions(lk_imgui PUBLIC IMGUI_DISABLE_OBSOLETE_FUNCTIONS IMGUI_DISABLE_DEMO_WINDOWS
    IMGUI_DISABLE_DEBUG_TOOLS IMGUI_DISABLE_DEFAULT_SHELL_FUNCTIONS)
  target_compile_options(lk_imgui PRIVATE -fno-exceptions)
  if(EMSCRIPTEN)
    target_sources(lk_imgui PRIVATE "${imgui_SOURCE_DIR}/backends/imgui_impl_opengl3.cpp")
    target_compile_definitions(lk_imgui PUBLIC IMGUI_IMPL_OPENGL_ES3 IMGUI_DISABLE_FILE_FUNCTIONS)
    target_compile_options(lk_imgui PRIVATE -fno-rtti)
  endif()
endif()

# Snowball's English stemmer: link lk_stemmer. Natively the system's libstemmer; for WebAssembly the same version from source,
# whose compiler (a program of the building machine) first writes the stemmer in C.
add_library(lk_stemmer INTERFACE)
if(EMSCRIPTEN)
  lk_source(SNOWBALL snowball algorithms/english.sbl)
  set(lk_snowball "${FETCHCONTENT_SOURCE_DIR_SNOWBALL}")
  set(lk_made "${CMAKE_BINARY_DIR}/snowball")
  find_program(LK_HOST_CC NAMES cc gcc clang REQUIRED NO_CMAKE_FIND_ROOT_PATH)
  file(GLOB lk_compiler "${lk_snowball}/compiler/*.c")
  file(MAKE_DIRECTORY "${lk_made}")
  # libstemmer's table of languages, with the one that the book is written in.
  file(WRITE "${lk_made}/modules.h.new" [[
#include "stem_UTF_8_english.h"
typedef enum { ENC_UNKNOWN = 0, ENC_UTF_8 } stemmer_encoding_t;
struct stemmer_encoding { const char* name; stemmer_encoding_t enc; };
static const struct stemmer_encoding encodings[] = {{"UTF_8", ENC_UTF_8}, {0, ENC_UNKNOWN}};
struct stemmer_modules { const char* name; stemmer_encoding_t enc; struct SN_env* (*create)(void); void (*close)(struct SN_env*); int (*stem)(struct SN_env*); };
static const struct stemmer_modules modules[] = {
  {"english", ENC_UTF_8, english_UTF_8_create_env, english_UTF_8_close_env, english_UTF_8_stem}, {0, ENC_UNKNOWN, 0, 0, 0}};
static const char* algorithm_names[] = {"english", 0};
]])
  file(COPY_FILE "${lk_made}/modules.h.new" "${lk_made}/modules.h" ONLY_IF_DIFFERENT)
  set(MODULES_H modules.h)
  configure_file("${lk_snowball}/libstemmer/libstemmer_c.in" "${lk_made}/libstemmer.c" @ONLY)
  add_custom_command(OUTPUT "${lk_made}/snowball"
    COMMAND "${LK_HOST_CC}" -O1 -w -I "${lk_snowball}/include" ${lk_compiler} -o "${lk_made}/snowball" DEPENDS ${lk_compiler} VERBATIM)
  add_custom_command(OUTPUT "${lk_made}/stem_UTF_8_english.c" "${lk_made}/stem_UTF_8_english.h"
    COMMAND "${lk_made}/snowball" "${lk_snowball}/algorithms/english.sbl" -o "${lk_made}/stem_UTF_8_english" -eprefix english_UTF_8_ -r ../runtime -utf8
    DEPENDS "${lk_made}/snowball" "${lk_snowball}/algorithms/english.sbl" VERBATIM)
  add_library(lk_snowball STATIC EXCLUDE_FROM_ALL "${lk_made}/libstemmer.c" "${lk_made}/stem_UTF_8_english.c"
    "${lk_snowball}/runtime/api.c" "${lk_snowball}/runtime/utilities.c")
  # What is generated includes ../runtime/ and ../include/.
  target_include_directories(lk_snowball PRIVATE "${lk_made}" "${lk_snowball}/runtime" "${lk_snowball}/libstemmer")
  target_include_directories(lk_stemmer SYSTEM INTERFACE "${lk_snowball}/include")
  target_link_libraries(lk_stemmer INTERFACE lk_snowball)
else()
  find_path(LK_STEMMER_INCLUDE libstemmer.h)
  find_library(LK_STEMMER_LIBRARY stemmer)
  if(NOT LK_STEMMER_INCLUDE OR NOT LK_STEMMER_LIBRARY)
    message(FATAL_ERROR "libstemmer was not found. Run scripts/setup, or install the package libstemmer-dev.")
  endif()
  target_link_libraries(lk_stemmer INTERFACE "${LK_STEMMER_LIBRARY}")
endif()

if(LK_BUILD_TESTS)
  lk_source(CATCH2 catch2 src/catch2/catch_all.hpp)
  FetchContent_Declare(Catch2)
  FetchContent_GetProperties(Catch2)
  if(NOT catch2_POPULATED)
    FetchContent_Populate(Catch2)
    add_subdirectory("${catch2_SOURCE_DIR}" "${catch2_BINARY_DIR}" EXCLUDE_FROM_ALL)
  endif()
  if(EMSCRIPTEN)
    target_compile_options(Catch2 PRIVATE -fexceptions)
    target_compile_options(Catch2WithMain PRIVATE -fexceptions)
  endif()
endif()

if(NOT EMSCRIPTEN)
  find_package(Threads REQUIRED)
  find_package(OpenSSL COMPONENTS Crypto)
  if(NOT OPENSSL_FOUND)
    message(FATAL_ERROR "OpenSSL's headers were not found. Run scripts/setup, or install the package libssl-dev.")
  endif()
  lk_system_header(lk_beast boost libboost-dev)
  target_link_libraries(lk_beast INTERFACE Threads::Threads)
  lk_system_header(lk_cli11 CLI libcli11-dev)
endif()
