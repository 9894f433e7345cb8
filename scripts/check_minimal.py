#!/usr/bin/env python3
"""Checks that every maintenance op that the tool emits matters: deletes each in turn and expects a test to fail.

  check_minimal.py programs         the inputs of testdata/iree/ with each topology of shared memory: zc-verify-coherence
                                    finds nothing in the output, and something in the output less any one op
  check_minimal.py golden FILE...   lit tests: FileCheck accepts what the tool writes, and refuses it less any one op;
                                    where it doesn't, zc-verify-coherence does
"""
import contextlib
import glob
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import zc_e2e

IREE = zc_e2e.ROOT / 'testdata' / 'iree'
MODELS = zc_e2e.ROOT / 'testdata' / 'e2e' / 'models'
MAINTENANCE = re.compile(r'^\s*stream\.cmd\.(?:flush|invalidate) |zc\.maintenance = "')
ERROR = re.compile(r'^[^:\n]*:(\d+):\d+: error: .*$', re.M)


def maintenance_lines(text):
    return [number for number, line in enumerate(text.splitlines()) if MAINTENANCE.search(line)]


def without_line(text, number):
    lines = text.splitlines()
    return '\n'.join(lines[:number] + lines[number + 1:])


def run(command, text):
    return subprocess.run([str(word) for word in command], input=text, capture_output=True, text=True)


def findings(programs):
    """What the checker says of each of them: lists of lines. They are of the same length in lines."""
    separated = '\n// -----\n'.join(programs)
    done = run([zc_e2e.OPT, '--zc-verify-coherence', '--split-input-file', '-', '-o', '/dev/null'], separated)
    found = [[] for _ in programs]
    length = programs[0].rstrip('\n').count('\n') + 2
    for error in ERROR.finditer(done.stderr):
        found[(int(error.group(1)) - 1) // length].append(error.group())
    if done.returncode not in (0, 1) or (done.returncode == 1) != any(found):
        raise zc_e2e.Failed(f'zc-verify-coherence: exit status {done.returncode}\n{done.stderr}')
    return found


def check_program(name, text):
    """Problems, as lines, and how many ops there are."""
    whole = findings([text])[0]
    if whole:
        return [f'{name}: {error}' for error in whole], 0
    numbers = maintenance_lines(text)
    found = findings([without_line(text, number) for number in numbers]) if numbers else []
    return [f'{name}: nothing notices that this is gone: {text.splitlines()[number].strip()}'
            for number, errors in zip(numbers, found) if not errors], len(numbers)


def check_programs(folder):
    problems, total = [], 0
    for path in sorted(IREE.glob('*.mlir')):
        name, route = path.name.split('.')[:2]
        devices = zc_e2e.Model(MODELS / f'{name}.mlir').devices
        for topology in zc_e2e.COHERENCE if len(devices) > 1 else ():
            file = zc_e2e.write_topology(topology, devices, folder)
            text = zc_e2e.rewrite(path, folder / 'rewritten.mlir', file).read_text()
            wrong, count = check_program(f'{name} {route} {topology}', text)
            problems, total = problems + wrong, total + count
    return problems, total


# Golden files.

def file_check():
    found = sorted(glob.glob('/usr/lib/llvm-*/bin/FileCheck'))
    return found[-1] if found else zc_e2e.tool('FileCheck')


def checked_outputs(path):
    """What the tool writes in each RUN line that FileCheck reads, and that FileCheck command."""
    for line in re.findall(r'RUN: (stream-zc-opt .* \| FileCheck .*)$', path.read_text(), re.M):
        words = shlex.split(line.replace('%S', str(path.parent)).replace('%s', str(path)))
        pipe = words.index('|')
        yield zc_e2e.call([zc_e2e.OPT, *words[1:pipe]]), [file_check(), *words[pipe + 2:]]


def is_noticed(output, number, check):
    less = without_line(output, number)
    if run(check, less).returncode != 0:
        return True
    chunk = less[:sum(map(len, less.splitlines(True)[:number]))].count('// -----')
    return bool(findings([less.split('// -----')[chunk].strip()])[0])


def check_golden(paths):
    problems, total = [], 0
    for path in paths:
        for output, check in checked_outputs(path):
            if run(check, output).returncode != 0:
                problems.append(f'{path}: FileCheck refuses the output')
                continue
            numbers = maintenance_lines(output)
            total += len(numbers)
            problems += [f'{path}: nothing notices that this is gone: {output.splitlines()[number].strip()}'
                         for number in numbers if not is_noticed(output, number, check)]
    return problems, total


def main(arguments):
    if arguments[:1] not in (['programs'], ['golden']):
        sys.exit(__doc__)
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        programs = arguments[0] == 'programs'
        problems, total = check_programs(folder) if programs else check_golden(map(pathlib.Path, arguments[1:]))
    if problems or not total:
        sys.exit('\n'.join(problems or ['no maintenance op was found']))
    print(f'{total} maintenance ops, each needed')


if __name__ == '__main__':
    try:
        main(sys.argv[1:])
    except zc_e2e.Failed as failure:
        sys.exit(f'check_minimal: {failure}')
