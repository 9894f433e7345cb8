#!/usr/bin/env python3
"""Compares where zc-place-transfer-executions has transfers execute with what IREE's own pass says.

  compare_placement.py FILE...             .mlir files, `// -----` between modules
  compare_placement.py --random N SEED     N random functions in one module
  compare_placement.py --programs FILE...  flow IR, taken through IREE's passes that come before
"""
import pathlib
import random
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / 'scripts'))
import zc_e2e  # noqa: E402  (found by the line above)

DEVICES = ('dev_a', 'dev_b', 'dev_c')
LIFETIMES = ('transient', 'external', 'staging', 'variable', 'constant')
# What each random function takes besides its two values, and hands on to those that it calls.
GIVEN = {**{f'%{lifetime}': f'!stream.resource<{lifetime}>' for lifetime in LIFETIMES}, '%cond': 'i1', '%n': 'index'}
ARGUMENTS, TYPES = ', '.join(GIVEN), ', '.join(GIVEN.values())
PARAMETERS = ', '.join(f'{name}: {kind}' for name, kind in GIVEN.items())

# What IREE runs before it places transfers (Stream/Transforms/Passes.cpp, buildStreamAsyncPassPipeline).
BEFORE = [
    'iree-stream-tensor-transformation-pipeline', 'iree-stream-specialize-encodings', 'util(iree-stream-encode-host-tensors)',
    'stream.executable(iree-stream-encode-device-tensors)', 'iree-stream-materialize-encodings',
    'iree-stream-cleanup-pipeline', 'util(iree-stream-materialize-copy-on-write,canonicalize)',
    'iree-stream-elide-async-copies', 'util(canonicalize,iree-stream-emplace-allocations)', 'iree-stream-refine-usage',
    'util(canonicalize)', 'iree-stream-elide-async-copies', 'iree-stream-cleanup-pipeline',
]


def affinity(home=None):
    if home and random.random() < 0.8:
        return home
    queues = random.choice(['', '', '', '', ', [0]', ', [1]', ', [0, 1]'])
    return f'#hal.device.affinity<@{random.choice(DEVICES)}{queues}>'


class Function:
    """A random function: resources of one lifetime each, moved, updated, passed around and exported."""

    def __init__(self, name, callees):
        self.name, self.callees, self.lines, self.count = name, callees, [], 0
        self.lifetime = random.choice(LIFETIMES[:4])
        self.type = f'!stream.resource<{self.lifetime}>'
        self.values = ['%source', '%other']
        self.home = affinity()

    def new(self):
        self.count += 1
        return f'%v{self.count}'

    def add(self, text):
        result = self.new()
        self.lines.append(f'  {result} = {text}')
        self.values.append(result)

    def pick(self):
        return random.choice(self.values[-6:])

    def transfer(self):
        on = f'on({affinity()}) ' if random.random() < 0.1 else ''
        source = f'from({affinity()}) ' if random.random() < 0.9 else ''
        target = f'to({affinity(self.home)}) ' if random.random() < 0.9 else ''
        kind, value = self.type, self.pick()
        if random.random() < 0.4:
            lifetime = random.choice(LIFETIMES)
            kind, value = f'!stream.resource<{lifetime}>', f'%{lifetime}'
        self.add(f'stream.async.transfer {on}{value} : {kind}{{%n}} {source}-> {target}{self.type}{{%n}}')

    def dispatch(self):
        a, b = self.pick(), self.pick()
        tie = random.choice([a, b, None])
        result = f'{tie}{{%n}}' if tie else f'{self.type}{{%n}}'
        if a == b or self.lifetime == 'staging':
            return
        self.add(f'stream.async.dispatch on({affinity()}) @ex::@f[%c1]({a}[%c0 to %n for %n], {b}[%c0 to %n for %n]) : '
                 f'({self.type}{{%n}}, {self.type}{{%n}}) -> {result}')

    def select(self):
        self.add(f'arith.select %cond, {self.pick()}, {self.pick()} : {self.type}')

    def fill(self):
        value = self.pick()
        if self.lifetime != 'staging':
            self.add(f'stream.async.fill %i32, {value}[%c0 to %n for %n] : i32 -> {value} as {self.type}{{%n}}')

    def branch(self):
        a, b, block, argument = self.pick(), self.pick(), self.new()[1:], self.new()
        self.lines.append(f'  cf.cond_br %cond, ^{block}({a} : {self.type}), ^{block}({b} : {self.type})')
        self.lines.append(f'^{block}({argument}: {self.type}):')
        self.values.append(argument)

    def loop(self):
        a, b, block, argument, out, result = (self.pick(), self.pick(), self.new()[1:], self.new(), self.new()[1:],
                                              self.new())
        self.lines.append(f'  cf.br ^{block}({a} : {self.type})')
        self.lines.append(f'^{block}({argument}: {self.type}):')
        self.values.append(argument)
        self.transfer()
        self.lines.append(f'  cf.cond_br %cond, ^{block}({self.pick()} : {self.type}), ^{out}({self.pick()} : {self.type})')
        self.lines.append(f'^{out}({result}: {self.type}):')
        self.values += [b, result]

    def scf(self):
        kept, moved, result = self.pick(), self.pick(), self.new()
        self.lines += [f'  {result} = scf.for %i = %c0 to %n step %c1 iter_args(%state = {kept}) -> {self.type} {{',
                       f'    scf.yield {random.choice([moved, "%state"])} : {self.type}', '  }']
        self.values.append(result)

    def call(self):
        callees = [c for c in self.callees if c.type == self.type]
        if callees:
            self.add(f'util.call @{random.choice(callees).name}({self.pick()}, {self.pick()}, {ARGUMENTS}) : '
                     f'({self.type}, {self.type}, {TYPES}) -> {self.type}')

    def global_(self):
        self.lines.append(f'  util.global.store {self.pick()}, @{self.lifetime}{random.randrange(3)} : {self.type}')
        self.add(f'util.global.load @{self.lifetime}{random.randrange(3)} : {self.type}')

    def export(self):
        on = f'on({affinity(self.home)}) ' if random.random() < 0.9 else ''
        self.lines.append(f'  {self.new()} = stream.tensor.export {on}{self.pick()} : tensor<?xi8>{{%n}} in '
                          f'{self.type}{{%n}} -> !hal.buffer_view')

    def text(self):
        steps = [self.transfer, self.transfer, self.transfer, self.dispatch, self.dispatch, self.select, self.fill,
                 self.branch, self.loop, self.scf, self.call, self.global_, self.export, self.export]
        for _ in range(random.randrange(4, 20)):
            random.choice(steps)()
        self.export()
        return '\n'.join([f'util.func private @{self.name}(%source: {self.type}, %other: {self.type}, '
                          f'{PARAMETERS}) -> {self.type} {{', '  %c0 = arith.constant 0 : index',
                          '  %c1 = arith.constant 1 : index', '  %i32 = arith.constant 0 : i32', *self.lines,
                          f'  util.return {self.pick()} : {self.type}', '}'])


def random_module(count):
    lines = [f'util.global private @{device} : !hal.device' for device in DEVICES]
    lines += [f'util.global private mutable @{lifetime}{i} : !stream.resource<{lifetime}>'
              for lifetime in LIFETIMES for i in range(3)]
    functions = []
    for i in range(count):
        functions.append(Function(f'f{i}', functions[-3:]))
        lines.append(functions[-1].text())
    return '\n'.join(lines) + '\n'


def compare(path):
    """The first difference as text, empty where there is none, and how many transfers were placed."""
    options = [path, '--split-input-file', '--mlir-print-local-scope']
    ours = zc_e2e.call([zc_e2e.OPT, '--zc-place-transfer-executions', *options]).splitlines()
    stock = zc_e2e.call([zc_e2e.tool('iree-opt'), '--iree-stream-place-transfer-executions', *options]).splitlines()
    # Blank lines and the marks between modules are the printing tool's.
    ours, stock = ([line for line in lines if line and line != '// -----'] for lines in (ours, stock))
    before = pathlib.Path(path).read_text().count('stream.async.transfer on(')
    placed = sum('stream.async.transfer on(' in line for line in stock) - before
    for a, b in zip(stock, ours):
        if a != b:
            return f'{path}:\n  IREE: {a.strip()}\n  ours: {b.strip()}', placed
    return ('' if len(stock) == len(ours) else f'{path}: {len(stock)} lines against {len(ours)}'), placed


def lower(path, output):
    passes = [p.replace('util(', f'{kind}(') for p in BEFORE
              for kind in (('util.initializer', 'util.func') if p.startswith('util(') else ('',))]
    zc_e2e.call([zc_e2e.tool('iree-opt'), path, f'--pass-pipeline=builtin.module({",".join(passes)})', '-o', output])
    return output


def main():
    if len(sys.argv) == 4 and sys.argv[1] == '--random':
        random.seed(int(sys.argv[3]))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 'random.mlir'
            path.write_text(random_module(int(sys.argv[2])))
            difference, placed = compare(path)
            if difference:
                difference += f'\n{path.read_text()}'
    elif len(sys.argv) > 1:
        programs = sys.argv[1] == '--programs'
        with tempfile.TemporaryDirectory() as folder:
            results = [compare(lower(path, pathlib.Path(folder) / 'lowered.mlir') if programs else path)
                       for path in sys.argv[1 + programs:]]
        difference, placed = '\n'.join(d for d, _ in results if d), sum(p for _, p in results)
    else:
        sys.exit(__doc__)
    print(f'{placed} transfers placed')
    if difference:
        sys.exit(difference)


if __name__ == '__main__':
    try:
        main()
    except zc_e2e.Failed as failure:
        sys.exit(str(failure))
