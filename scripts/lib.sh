# shellcheck shell=bash
# Shared by the scripts here: the repository as the working folder, steps with their elapsed time, errors.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
mkdir -p build/logs build/stamps

# Emscripten's linker finds its JavaScript parser (acorn) only here.
export NODE_PATH=/usr/share/nodejs${NODE_PATH:+:$NODE_PATH}

say() { printf '%s\n' "$*"; }

# die WHAT HINT: an error, and what to do about it.
die() {
  printf 'scripts/%s: %s\n' "${0##*/}" "$1" >&2
  [ $# -lt 2 ] || printf '  %s\n' "$2" >&2
  exit 1
}

now() { printf '%s' "${EPOCHREALTIME/[.,]/}"; }
elapsed() { local us=$(($(now) - $1)); printf '%d.%d s' $((us / 1000000)) $((us / 100000 % 10)); }

# attempt NAME COMMAND...: runs the command with its output in build/logs, says how long it took and leaves the exit
# status in $status. A command whose output ends in "nothing to do", and a ninja without work, are reported as that.
# (Do not call it in a condition: bash would then ignore errors inside a function that is the command.)
attempt() {
  local name=$1 start log note=
  shift
  start=$(now)
  log=build/logs/$(printf '%s' "$name" | tr -cs 'a-zA-Z0-9\n' '-').log
  printf '%-34s' "$name"
  set +e
  (
    set -e
    "$@"
  ) >"$log" 2>&1 </dev/null
  status=$?
  set -e
  if [ $status -ne 0 ]; then
    printf 'failed after %s\n' "$(elapsed "$start")"
    tail -n 60 "$log" | sed 's/^/  /'
    printf '  (all of its output: %s)\n' "$log"
    return 0
  fi
  case $(tail -n 1 "$log") in
    *"no work to do."* | "nothing to do") note=', nothing to do' ;;
  esac
  printf '%s%s\n' "$(elapsed "$start")" "$note"
}

# step NAME COMMAND...: attempt, and the end of the script when it fails.
step() {
  attempt "$@"
  [ "$status" -eq 0 ] || exit "$status"
}

# fresh STAMP PATH...: true when the stamp exists and nothing below the paths is newer.
fresh() {
  local stamp=build/stamps/$1
  shift
  [ -e "$stamp" ] || return 1
  [ -z "$(find "$@" -name node_modules -prune -o -newer "$stamp" -print -quit 2>&1)" ]
}

# cmake_build PRESET [TARGET...]: configures when there is no build folder yet, then builds. (ninja itself configures
# again when a CMake file has changed.)
cmake_build() {
  local preset=$1 folder
  shift
  case $preset in
    release) folder=build/native ;;
    *) folder=build/$preset ;;
  esac
  if [ ! -e "$folder/build.ninja" ] || [ CMakePresets.json -nt "$folder/build.ninja" ]; then
    cmake --preset "$preset"
    touch "$folder/build.ninja"
  fi
  cmake --build "$folder" ${1+--target "$@"}
}

build_web() {
  if [ -e build/web ] && fresh web web build/wasm/*.mjs build/wasm/*.wasm build/fonts; then
    say 'nothing to do'
    return
  fi
  local began=build/stamps/web.new
  touch "$began"
  node web/build.mjs --out build/web
  mv "$began" build/stamps/web
}

build_site() {
  if [ -e build/site ] && fresh site content build/native/lk build/web build/wasm/*.mjs build/wasm/*.wasm build/fonts; then
    say 'nothing to do'
    return
  fi
  local began=build/stamps/site.new
  touch "$began"
  build/native/lk build --content content --out build/site
  mv "$began" build/stamps/site
}

# build_all: everything that the site is made of.
build_all() {
  step 'fonts' scripts/fonts
  step 'native lk' cmake_build release lk
  step 'WebAssembly modules' cmake_build wasm
  step 'front end' build_web
  step 'site' build_site
}
