#!/usr/bin/env bash
# Configures and builds a preset into build/<preset>, quietly.
#
#   scripts/build.sh PRESET [TARGET...]     PRESET: release, debug, asan of CMakePresets.json, or clang (release, by clang)
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/versions.env

preset=$1
shift
case $preset in
  clang) configure=(--preset release -B build/clang "-DCMAKE_C_COMPILER=clang-$LLVM_MAJOR") ;;
  asan) configure=(--preset asan) ;;
  *) configure=(--preset "$preset" -DCMAKE_C_COMPILER=gcc) ;;
esac
mkdir -p build
log=build/$preset.configure.log
[ -f "build/$preset/build.ninja" ] || cmake "${configure[@]}" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
ninja -C "build/$preset" --quiet "$@" | { grep -v "no work to do" || true; }
