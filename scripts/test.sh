#!/usr/bin/env bash
# Everything that CI checks, from nothing; ends with a line `N passed, N failed` and fails if anything did.
#
#   scripts/test.sh [STAGE...]     default: all, in this order
#
#   format   clang-format changes nothing        release  gcc build           clang   clang build
#   tidy     clang-tidy finds nothing            units    ctest               lit     golden files and command line
#   e2e      compiled and run on IREE            asan     units and lit under the address and undefined-behaviour sanitizers
#   fuzz     short runs of the fuzzers of testdata/fuzz and of scripts/fuzz_tool.py, on the build of asan
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/versions.env
scripts/setup.sh test || exit 1

bin=/usr/lib/llvm-$LLVM_MAJOR/bin
lit=(.venv/bin/lit --timeout=300 -sv)
passed=0 failed=0

sources() { find capi passes cli testdata -name '*.[ch]' | sort; }

# Adds the totals that lit or ctest printed; both print nothing countable when they could not start, which the stage's own
# status then tells.
count() {
  local p f
  p=$(sed -nE 's/^ *(Passed|Expectedly Failed) *: *([0-9]+).*/\2/p; s/.* ([0-9]+) tests failed out of ([0-9]+)$/\2 \1/p' "$1" |
      awk '{ n += NF == 2 ? $1 - $2 : $1 } END { print n + 0 }')
  f=$(sed -nE 's/^ *(Failed|Unresolved|Timed Out|Unexpectedly Passed) *: *([0-9]+).*/\2/p; s/.* ([0-9]+) tests failed out of .*/\1/p' "$1" |
      awk '{ n += $1 } END { print n + 0 }')
  passed=$((passed + p)) failed=$((failed + f))
  [ $((p + f)) -gt 0 ] || { echo "no test ran" >&2; return 1; }
}

run_counted() {
  local log status
  log=$(mktemp)
  "$@" 2>&1 | tee "$log"
  status=${PIPESTATUS[0]}
  count "$log" || status=1
  rm -f "$log"
  return "$status"
}

run_lit() { # build folder, lit's arguments
  local folder=$1
  shift
  STREAM_ZC_OPT=$PWD/$folder/bin/stream-zc-opt run_counted "${lit[@]}" "$@"
}

stage_format() { sources | xargs "$bin/clang-format" --dry-run --Werror; }
stage_release() { scripts/build.sh release; }
stage_clang() { scripts/build.sh clang; }
stage_tidy() {
  scripts/build.sh clang && sources | grep '\.c$' | grep -v '^testdata/' |
    xargs -P "$(nproc)" -n 2 "$bin/clang-tidy" -p build/clang --quiet
}
stage_units() { scripts/build.sh release && run_counted ctest --test-dir build/release --output-on-failure; }
stage_lit() { scripts/build.sh release && run_lit build/release testdata --filter-out=e2e/; }
stage_e2e() { scripts/build.sh release && run_lit build/release testdata/e2e; }
stage_asan() {
  export ASAN_OPTIONS=detect_leaks=0 # IREE's library keeps global state until the process ends
  scripts/build.sh asan || return
  local status=0
  run_counted ctest --test-dir build/asan --output-on-failure -LE fuzz || status=1
  run_lit build/asan testdata --filter-out=e2e/ || status=1
  return "$status"
}

stage_fuzz() {
  scripts/build.sh asan && scripts/build.sh release || return
  local status=0
  run_counted ctest --test-dir build/asan --output-on-failure -L fuzz -j "$(nproc)" || status=1
  run_counted .venv/bin/python scripts/fuzz_tool.py --opt=build/asan/bin/stream-zc-opt --plain=build/release/bin/stream-zc-opt \
    --count=150 || status=1
  return "$status"
}

stages=("$@")
[ $# -gt 0 ] || stages=(format release clang tidy units lit e2e asan fuzz)
for stage in "${stages[@]}"; do
  [ "$(type -t "stage_$stage")" = function ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
done

broken=()
for stage in "${stages[@]}"; do
  echo "== $stage"
  start=$SECONDS
  failed_before=$failed
  if "stage_$stage"; then
    result=ok
  else
    result=FAILED
    broken+=("$stage")
    # One that fails without a failed test (format, a build) counts as one.
    [ "$failed" -gt "$failed_before" ] || failed=$((failed + 1))
  fi
  echo "== $stage $result, $((SECONDS - start)) s"
done

[ ${#broken[@]} -eq 0 ] || echo "failed stages: ${broken[*]}"
echo "$passed passed, $failed failed"
[ ${#broken[@]} -eq 0 ] && [ "$failed" -eq 0 ]
