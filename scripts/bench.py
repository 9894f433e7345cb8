#!/usr/bin/env python3
"""How long the tool takes: against iree-opt without passes on the same file, and as modules grow.

  bench.py [--runs=9]            a 12 kB and a 2 MB scheduled module, best wall time of each, and the ratio
  bench.py --scale [--ops=N...]  modules of N operations (default 10000 100000 1000000), as many functions and as one long
                                 function: the time of our passes alone, for an operation
  bench.py --check [--ops=N...]  as --scale, of --zc-verify-coherence on our output with links that aren't coherent

The modules are made from testdata/iree/. Prints only; nothing passes or fails.
"""
import argparse
import pathlib
import re
import subprocess
import tempfile
import time

import zc_e2e

IREE = zc_e2e.ROOT / 'testdata' / 'iree'
TOPOLOGIES = zc_e2e.ROOT / 'testdata' / 'e2e' / 'topologies'
COHERENT = TOPOLOGIES / 'coherent.json'
NONCOHERENT = TOPOLOGIES / 'noncoherent.json'
OPERATION = re.compile(r'^\s*(?:%[\w:]+(?:, %[\w:]+)* = )?[a-z_]\w*\.[a-z]', re.M)


def count_operations(text):
    """Operations that start a line, which is all but a few in printed modules."""
    return len(OPERATION.findall(text))


class Input:
    """A module of testdata/iree/ in parts: opening line, device globals, the rest, closing line."""

    def __init__(self, name):
        lines = [l for l in (IREE / name).read_text().splitlines() if not l.startswith('//')]
        self.opening, self.closing = lines[0], lines[-1]
        self.devices = [l for l in lines[1:-1] if re.match(r'  util\.global private @\w+ = #hal\.device\.target', l)]
        self.body = '\n'.join(l for l in lines[1:-1] if l not in self.devices)
        device_names = {re.search(r'@(\w+)', line).group(1) for line in self.devices}
        self.symbol = re.compile(r'@(?!(?:' + '|'.join(device_names) + r')\b)(\w+)')

    def copy(self, number):
        return self.symbol.sub(rf'@\1_{number}', self.body)

    def module(self, bodies):
        return '\n'.join([self.opening, *self.devices, *bodies, self.closing]) + '\n'


def wide_module(enough):
    """Copies of all inputs for two devices, under new names, until `enough(bytes, operations)`."""
    inputs = [Input(f'{name}.stream.mlir') for name in ('chain', 'matmul_constants', 'loop_branch_state')]
    costs = [(len(i.body) + 1, count_operations(i.body)) for i in inputs]
    bodies, size, operations = [], 0, 0
    while not enough(size, operations):
        number = len(bodies)
        bodies.append(inputs[number % 3].copy(number))
        size += costs[number % 3][0]
        operations += costs[number % 3][1]
    return inputs[0].module(bodies)


def long_module(operations):
    """One function: the steps of `chain`, each after the one before it, on its result."""
    chain = Input('chain.stream.mlir')
    head, steps = re.split(r'(?=^    %\d+ = stream\.tensor\.import)', chain.body, flags=re.M)
    steps, tail = re.split(r'(?=^    stream\.timepoint\.chain_external)', steps, flags=re.M)
    imports, step = re.match(r'(.*timepoint\.import[^\n]*\n)(.*)', steps, re.S).groups()
    data, ready = re.findall(r'^    (%\d+) = ', imports, re.M)
    result = re.search(r'stream\.tensor\.export on\(.*?\) (%\w+)', tail).group(1)
    done = re.search(r'\) (%\d+) =>', tail).group(1)
    local = {name for line in re.findall(r'^    (%[\w, %]+) = ', step, re.M) for name in line.split(', ')}
    pieces, names = [], {}
    for number in range(max(1, operations // count_operations(step))):
        before = {data: names[result], ready: names[done]} if number else {}
        names = {name: f'%s{number}_{name[1:]}' for name in local}
        replace = before | names
        pieces.append(re.sub(r'%\w+', lambda match: replace.get(match.group(), match.group()), step))
    tail = re.sub(r'%\w+', lambda match: names.get(match.group(), match.group()), tail)
    return chain.module([head + imports + ''.join(pieces) + tail.rstrip('\n')])


def best_time(commands, runs):
    """Best wall seconds of each command; they take turns."""
    best = [float('inf')] * len(commands)
    for _ in range(runs):
        for i, command in enumerate(commands):
            start = time.perf_counter()
            subprocess.run([str(w) for w in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            best[i] = min(best[i], time.perf_counter() - start)
    return best


def compare(runs, folder):
    print(f'best of {runs}, milliseconds; ratio to iree-opt without passes')
    small, large = folder / 'small.mlir', folder / 'large.mlir'
    small.write_text(Input('chain.stream.mlir').module([Input('chain.stream.mlir').body]))
    large.write_text(wide_module(lambda size, _: size >= 2_000_000))
    for path in (small, large):
        output = ['-o', folder / 'out.mlir']
        stock, plain, shared = best_time([[zc_e2e.tool('iree-opt'), path, *output], [zc_e2e.OPT, path, *output],
                                          [zc_e2e.OPT, f'--topology={COHERENT}', path, *output]], runs)
        print(f'{path.stat().st_size:>10,} bytes: iree-opt {stock * 1e3:7.1f}   stream-zc-opt {plain * 1e3:7.1f} '
              f'({plain / stock:.2f})   with a coherent topology {shared * 1e3:7.1f} ({shared / stock:.2f})')


SHAPES = {'many functions': lambda n: wide_module(lambda _, operations: operations >= n), 'one long function': long_module}


def scale(sizes, folder):
    print('our passes alone: the default pipeline with a coherent topology, less a run without passes; best of 3')
    for shape, make in SHAPES.items():
        for size in sizes:
            path = folder / 'scale.mlir'
            text = make(size)
            path.write_text(text)
            operations = count_operations(text)
            output = ['-o', folder / 'out.mlir']
            none, ours = best_time([[zc_e2e.OPT, '--pass-pipeline=builtin.module()', path, *output],
                                    [zc_e2e.OPT, f'--topology={COHERENT}', path, *output]], 3)
            print(f'{shape:>18}, {operations:>9,} operations: {(ours - none) * 1e3:9.1f} ms, '
                  f'{(ours - none) * 1e9 / operations:7.0f} ns each (parse and print: {none * 1e3:.0f} ms)', flush=True)


def check(sizes, folder):
    print('the checker alone, on our output for links that are not coherent: less a run without passes; best of 3')
    for shape, make in SHAPES.items():
        for size in sizes:
            path, output = folder / 'scale.mlir', folder / 'out.mlir'
            path.write_text(make(size))
            zc_e2e.call([zc_e2e.OPT, f'--topology={NONCOHERENT}', path, '-o', output])
            operations = count_operations(output.read_text())
            none, checked = best_time([[zc_e2e.OPT, *passes, output, '-o', path]
                                       for passes in (['--pass-pipeline=builtin.module()'], ['--zc-verify-coherence'])], 3)
            print(f'{shape:>18}, {operations:>9,} operations: {(checked - none) * 1e3:9.1f} ms, '
                  f'{(checked - none) * 1e9 / operations:7.0f} ns each, {(checked - none) / none:.2f} of parse and print',
                  flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--runs', type=int, default=9)
    parser.add_argument('--scale', action='store_true')
    parser.add_argument('--check', action='store_true')
    parser.add_argument('--ops', type=int, nargs='*', default=[10_000, 100_000, 1_000_000])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.check:
            check(arguments.ops, pathlib.Path(folder))
        elif arguments.scale:
            scale(arguments.ops, pathlib.Path(folder))
        else:
            compare(arguments.runs, pathlib.Path(folder))


if __name__ == '__main__':
    main()
