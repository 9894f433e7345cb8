#!/usr/bin/env bash
# Installs what is missing: Debian packages with apt-get (by sudo when not root), Python packages into .venv.
#
#   scripts/setup.sh [build|test]   build: what the tool and the demo need; test (default): what the tests need as well
#
# A run with nothing missing installs nothing and needs no network.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/versions.env

level=${1:-test}
case $level in
  build) apt_packages=$APT_BUILD pip_packages=$PIP_BUILD ;;
  test) apt_packages="$APT_BUILD $APT_TEST" pip_packages="$PIP_BUILD $PIP_TEST" ;;
  *) echo "usage: scripts/setup.sh [build|test]" >&2; exit 2 ;;
esac

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

missing_apt() {
  local package
  for package in $apt_packages; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
  done
}

# The names and versions that .venv lacks, as pip writes them.
missing_pip() {
  [ -x .venv/bin/python3 ] || { printf '%s\n' $pip_packages; return; }
  .venv/bin/python3 - $pip_packages <<'PY'
import importlib.metadata as metadata, sys
for wanted in sys.argv[1:]:
    name, version = wanted.split("==")
    try:
        if metadata.version(name) == version:
            continue
    except metadata.PackageNotFoundError:
        pass
    print(wanted)
PY
}

missing=$(missing_apt)
if [ -n "$missing" ]; then
  echo "setup: apt-get install" $missing
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null || {
    echo "setup: apt-get could not install: $missing" >&2
    echo "setup: LLVM $LLVM_MAJOR comes from Debian; on a release that lacks it add a source that has it" >&2
    exit 1
  }
fi

missing=$(missing_pip)
if [ -n "$missing" ]; then
  echo "setup: pip install" $missing
  [ -x .venv/bin/python3 ] || python3 -m venv .venv
  .venv/bin/python3 -m pip install --quiet --disable-pip-version-check $missing
fi
