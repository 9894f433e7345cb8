#!/usr/bin/env python3
"""Fails when a source file uses an mlir-c function that test_mlirc.c doesn't: headers and library differ in version, so each
function that we rely on is called there and its effect checked."""

import pathlib
import re
import sys

UNITS = pathlib.Path(__file__).resolve().parent
ROOT = UNITS.parent.parent
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
FUNCTION = re.compile(r"\bmlir[A-Z]\w*")


def functions(path):
    return set(FUNCTION.findall(COMMENT_OR_STRING.sub(" ", path.read_text(encoding="utf-8"))))


def main():
    tested = functions(UNITS / "test_mlirc.c")
    missing = {}
    for folder in ("capi", "passes", "cli"):
        for path in sorted((ROOT / folder).rglob("*.[ch]")):
            for name in functions(path) - tested:
                missing.setdefault(name, path.relative_to(ROOT))
    for name, path in sorted(missing.items()):
        print(f"{path}: {name} is not tested in testdata/units/test_mlirc.c")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
