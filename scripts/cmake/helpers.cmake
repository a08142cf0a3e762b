# lk_module, lk_program, lk_wasm_module, lk_tests: the only ways a target is made in this project.
include_guard()

define_property(GLOBAL PROPERTY LK_PORTABLE)
define_property(GLOBAL PROPERTY LK_NATIVE)

# ccache when it is there and nobody chose otherwise.
find_program(LK_CCACHE ccache)
if(LK_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${LK_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${LK_CCACHE}")
endif()

if(EMSCRIPTEN)
  # Debian's Emscripten finds acorn only through NODE_PATH; set at the link so that a plain `ninja` works too.
  set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")
endif()

# The same arithmetic everywhere: no fused multiply-add behind our back.
add_compile_options(-ffp-contract=off)

# What our own code is compiled with (not the libraries we use).
add_library(lk_options INTERFACE)
target_compile_options(lk_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wfloat-conversion -Wno-missing-field-initializers -Werror
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)  # GCC 12 warns about its own std::string
target_include_directories(lk_options INTERFACE "${CMAKE_SOURCE_DIR}/src")

# scripts/fonts writes build/fonts/widths.inc (advance widths of the fonts that figures are drawn with).
set(LK_FONTS "${CMAKE_SOURCE_DIR}/build/fonts")
if(NOT EXISTS "${LK_FONTS}/widths.inc")
  execute_process(COMMAND "${CMAKE_SOURCE_DIR}/scripts/fonts" RESULT_VARIABLE lk_result)
  if(NOT lk_result EQUAL 0)
    message(FATAL_ERROR "scripts/fonts failed, so ${LK_FONTS}/widths.inc is missing. Run scripts/setup, then try again.")
  endif()
endif()
target_include_directories(lk_options INTERFACE "${LK_FONTS}")

# lk_module(<name> [DEPS module...] [LINKS target...] [NATIVE_ONLY | NOT_IN_WASM_TESTS] [EXCEPTIONS] [FAST] [VECTORS pattern...])
# The static library lk_<name> of this folder's *.cc.
#   DEPS         modules whose headers this one may include (public); the same list stands in scripts/check-includes
#   LINKS        other libraries, private to this module
#   NATIVE_ONLY  not built with Emscripten
#   NOT_IN_WASM_TESTS  built natively and for the browser; its tests are in tests/native
#   EXCEPTIONS   compiled with exceptions, for a door whose library throws
#   FAST         -O2 instead of -Oz in the WASM build: for simulation loops
#   VECTORS      of these files loops become vector instructions (WASM: SIMD128), and values in memory may change their type
# Files named *_wasm.cc are compiled only with Emscripten.
function(lk_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NATIVE_ONLY;NOT_IN_WASM_TESTS;EXCEPTIONS;FAST" "" "DEPS;LINKS;VECTORS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "lk_module(${name}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(EMSCRIPTEN AND (arg_NATIVE_ONLY OR (arg_NOT_IN_WASM_TESTS AND LK_BUILD_TESTS)))
    return()
  endif()
  list(TRANSFORM arg_DEPS PREPEND lk_)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cc")
  if(NOT EMSCRIPTEN)
    list(FILTER sources EXCLUDE REGEX "_wasm\\.cc$")
  endif()
  if(sources)
    add_library(lk_${name} STATIC ${sources})
    target_link_libraries(lk_${name} PUBLIC ${arg_DEPS} PRIVATE lk_options ${arg_LINKS})
    target_include_directories(lk_${name} PUBLIC "${CMAKE_SOURCE_DIR}/src")
    if(NOT arg_EXCEPTIONS)
      target_compile_options(lk_${name} PRIVATE -fno-exceptions)
    endif()
    if(EMSCRIPTEN)
      # em++ forbids inlining once it has seen an -Oz; with it modules are smaller and quicker.
      target_compile_options(lk_${name} PRIVATE -fno-rtti -finline-functions)
      if(arg_FAST)
        target_compile_options(lk_${name} PRIVATE -O2)
      endif()
    endif()
    if(arg_VECTORS)
      file(GLOB vectors CONFIGURE_DEPENDS ${arg_VECTORS})
      set_source_files_properties(${vectors} PROPERTIES COMPILE_OPTIONS
        "-fno-strict-aliasing;$<$<NOT:$<CONFIG:Debug>>:-O3>;$<$<BOOL:${EMSCRIPTEN}>:-msimd128>;$<$<BOOL:${EMSCRIPTEN}>:-fno-lto>;$<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>")
    endif()
  else()
    add_library(lk_${name} INTERFACE)
    target_link_libraries(lk_${name} INTERFACE ${arg_DEPS})
    target_include_directories(lk_${name} INTERFACE "${CMAKE_SOURCE_DIR}/src")
  endif()
  if(arg_NATIVE_ONLY OR arg_NOT_IN_WASM_TESTS)
    set_property(GLOBAL APPEND PROPERTY LK_NATIVE lk_${name})
  else()
    set_property(GLOBAL APPEND PROPERTY LK_PORTABLE lk_${name})
  endif()
endfunction()

# lk_program(<name> [DEPS module...] [LINKS target...]): a native executable of this folder's *.cc, with exceptions.
function(lk_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPS;LINKS")
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cc")
  if(EMSCRIPTEN)
    return()
  endif()
  if(NOT sources)
    message(WARNING "${CMAKE_CURRENT_SOURCE_DIR} has no .cc file: no target ${name}.")
    return()
  endif()
  list(TRANSFORM arg_DEPS PREPEND lk_)
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE lk_options ${arg_DEPS} ${arg_LINKS})
endfunction()

# lk_wasm_module(<name> SOURCES file... LIBS module... [EXPORTS function...] [RUNTIME method...] [LINK_OPTIONS flag...]
#                [OPTIMIZE -Oz|-O2])
# <build>/<name>.mjs and <name>.wasm: an ES module whose default export makes an instance.
#   EXPORTS  C functions, without the leading underscore; malloc and free are always exported
#   RUNTIME  methods of Emscripten's runtime, e.g. UTF8ToString
function(lk_wasm_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OPTIMIZE" "SOURCES;LIBS;EXPORTS;RUNTIME;LINK_OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "lk_wasm_module(${name}): needs SOURCES; unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_OPTIMIZE)
    set(arg_OPTIMIZE -Oz)
  endif()
  list(TRANSFORM arg_LIBS REPLACE "^([a-z]+)$" "lk_\\1")
  list(APPEND arg_EXPORTS malloc free)
  list(REMOVE_DUPLICATES arg_EXPORTS)
  list(TRANSFORM arg_EXPORTS PREPEND _)
  list(JOIN arg_EXPORTS "," exports)
  list(JOIN arg_RUNTIME "," runtime)
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES SUFFIX ".mjs")
  target_compile_options(${name} PRIVATE -fno-exceptions -fno-rtti)
  target_link_libraries(${name} PRIVATE lk_options ${arg_LIBS})
  target_link_options(${name} PRIVATE
    ${arg_OPTIMIZE} -flto --no-entry -fno-exceptions -fno-rtti -sSTRICT -sFILESYSTEM=0 -sMALLOC=emmalloc -sMODULARIZE
    -sEXPORT_ES6 -sENVIRONMENT=web,worker -sALLOW_MEMORY_GROWTH "-sEXPORTED_FUNCTIONS=${exports}"
    "-sEXPORTED_RUNTIME_METHODS=${runtime}" ${arg_LINK_OPTIONS})
  set_property(TARGET ${name} APPEND PROPERTY ADDITIONAL_CLEAN_FILES "${CMAKE_BINARY_DIR}/${name}.wasm")
endfunction()

# lk_tests(<name> FOLDER folder LIBS module...): one Catch2 executable of all *.cc in the folder.
# The tests see LK_SOURCE_DIR, the absolute path of the repository (under Node too).
function(lk_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER" "LIBS")
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${arg_FOLDER}/*.cc")
  if(NOT sources)
    message(WARNING "${arg_FOLDER} has no .cc file: no target ${name}.")
    return()
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE lk_options ${arg_LIBS} Catch2::Catch2WithMain)
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}/tests")
  target_compile_definitions(${name} PRIVATE "LK_SOURCE_DIR=\"${CMAKE_SOURCE_DIR}\"")
  if(EMSCRIPTEN)
    target_link_options(${name} PRIVATE -fexceptions -sEXIT_RUNTIME -sALLOW_MEMORY_GROWTH -sENVIRONMENT=node -sNODERAWFS
      -sINITIAL_MEMORY=64MB -sTOTAL_STACK=8MB)
    add_test(NAME ${name} COMMAND node --no-experimental-fetch $<TARGET_FILE:${name}>)
  else()
    add_test(NAME ${name} COMMAND ${name})
  endif()
  set_tests_properties(${name} PROPERTIES WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
endfunction()
