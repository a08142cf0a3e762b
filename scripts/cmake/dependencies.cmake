# The libraries that are not ours. Sources of cmark-gfm, Dear ImGui and Catch2 lie in build/deps, unpacked by
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
