#!/usr/bin/env bash
# Compiles a multi-device model, makes its transfers zero-copy, runs both programs and prints what changed.
#
#   scripts/demo.sh [MODEL.mlir] [TOPOLOGY.json]
#
# Without arguments: a bundled model and a coherent topology of its two devices. See scripts/demo.py for what a model may say.
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
"$top/scripts/setup.sh" build
"$top/scripts/build.sh" release stream-zc-opt
exec "$top/.venv/bin/python3" "$top/scripts/demo.py" "$@"
