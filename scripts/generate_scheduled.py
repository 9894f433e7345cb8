#!/usr/bin/env python3
"""Makes random scheduled programs (stream.cmd.*) for several devices, with the values that they should compute.

  generate_scheduled.py SEED [--count N] [--devices 2|3] [--family ordered|racy] [--split] [--check] [-o FILE]

A module of N programs as iree-compile --compile-to=stream writes them: allocations, slabs with sub-ranges at constant and
computed offsets, execution regions with fills, copies, dispatches and concurrent blocks, hand-offs between devices with the
stock maintenance, arbitrary timepoint graphs, loops, branches, calls, globals, imports and exports. The same seed makes the
same text. `iree-compile --compile-from=stream` takes it, so programs can be run. `--check` writes nothing: it checks of each
program that it is of its family on all paths, and that its other forms mean the same.

Two families. `ordered`: timepoints order every two conflicting accesses. `racy`: they order every read behind the write that
it means, and writes of the same bytes among each other, but writers may overtake the readers before them, which is where
IREE's own schedules have their faults. A read means the last write that happens before it, so both have exact values.

As a library: `generate(seed, index, devices, family)` makes a Program, `module_text(programs)` the module and
`split_text(programs)` a module a program, `expected(program)` what each call returns, `hazards(program)` the conflicting
accesses that nothing orders, `reductions(program)` smaller programs, to shrink one that fails, `renamed(program, names)` and
`swapped(program)` programs that mean the same.
"""
import argparse
import copy
import dataclasses
import functools
import random
import sys

import numpy

from generate_programs import Block, Call, drop_call

DEVICES = ('dev_a', 'dev_b', 'dev_c')
FAMILIES = ('ordered', 'racy')
# Every public function takes these: a trip count, a number of elements and a choice, as i32.
SCALARS = ('n', 'k', 'p')
K_VALUES = (1, 3, 16, 17, 40)
SIZES = (4, 16, 20, 64)
LINE = 64
ROOT = 1  # the event that comes before all others


# The program.

@dataclasses.dataclass(frozen=True)
class Extent:
    """Bytes: a constant, plus times the bytes of %k elements, plus times these in whole cache lines."""
    constant: int
    raw: int = 0
    aligned: int = 0

    def __add__(self, other):
        return Extent(self.constant + other.constant, self.raw + other.raw, self.aligned + other.aligned)

    def at(self, k):
        return self.constant + self.raw * 4 * k + self.aligned * (-(-4 * k // LINE) * LINE)

    @property
    def static(self):
        return not self.raw and not self.aligned


ZERO = Extent(0)


@dataclasses.dataclass(eq=False)
class Value:
    """A timepoint, or a resource: then `size` is its bytes."""
    name: str
    type: str
    size: Extent = None

    def __str__(self):
        return self.name

    @property
    def full_type(self):
        return '!stream.timepoint' if self.type == 'timepoint' else f'!stream.resource<{self.type}>'


@dataclasses.dataclass(eq=False)
class Range:
    resource: Value
    offset: Extent
    length: Extent


@dataclasses.dataclass(frozen=True)
class Kernel:
    """`size` elements; where `whole` is set, of a binding of so many, from element `part` on."""
    kind: str
    size: int
    part: int = 0
    whole: int = 0

    @property
    def name(self):
        return f'{self.kind}_{self.size}' + (f'_{self.part}_of_{self.whole}' if self.whole else '')


@dataclasses.dataclass(eq=False)
class Command:
    """fill, copy, dispatch, flush or invalidate; or concurrent or serial, of `members`."""
    kind: str
    ranges: list = dataclasses.field(default_factory=list)
    members: list = dataclasses.field(default_factory=list)
    data: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(eq=False)
class Op:
    kind: str
    operands: list
    results: list
    data: dict = dataclasses.field(default_factory=dict)
    blocks: list = dataclasses.field(default_factory=list)
    commands: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass(eq=False)
class Global:
    """A variable and its timepoint: filled, and the first half once more where `halves`."""
    name: str
    size: int
    device: str
    value: int
    halves: bool


@dataclasses.dataclass
class Export:
    resource: Value
    device: str
    offset: int  # bytes
    elements: int


@dataclasses.dataclass(eq=False)
class Function:
    """Arguments: of a private one resources and timepoints, of a public one the imports' sizes in elements."""
    name: str
    body: Block
    imports: list = None  # None: private
    exports: list = dataclasses.field(default_factory=list)
    wait: Value = None  # the timepoint of the fence
    storage: int = None  # as in generate_programs: no result goes to storage which the caller gives

    @property
    def public(self):
        return self.imports is not None


@dataclasses.dataclass(eq=False)
class Program:
    name: str
    family: str
    devices: tuple
    globals: list
    functions: list
    calls: list

    def function(self, name):
        return next(f for f in self.functions if f.name == name)


def walk_ops(block):
    for op in block.ops:
        yield op
        for inner in op.blocks:
            yield from walk_ops(inner)


def walk_commands(commands):
    for command in commands:
        yield command
        yield from walk_commands(command.members)


def all_commands(program):
    for function in program.functions:
        for op in walk_ops(function.body):
            yield from walk_commands(op.commands)


# Kernels: what each binding is, its text and its value. All are elementwise and take one uniform operand.

KERNELS = {
    'scale': (('ro', 'wo'), lambda k, x: x * 3 + k),
    'mix': (('ro', 'ro', 'wo'), lambda k, x, y: x * 3 + y + k),
    'update': (('rw',), lambda k, x: x * 5 + k),
    'accumulate': (('rw', 'ro'), lambda k, x, y: x * 3 + y + k),
    'pick': (('ro', 'wo'), lambda k, x: x * 3 + k),
    'place': (('ro', 'wo'), lambda k, x: x * 3 + k),
}
FACTORS = {'update': 5}
TENSOR_ACCESS = {'ro': 'readonly', 'wo': 'writeonly', 'rw': 'readwrite'}


def partial_binding(kernel):
    """The number of the binding of which only a part is used, or None."""
    return {'pick': 0, 'place': 1}.get(kernel.kind)


def kernel_lines(kernel):
    accesses = KERNELS[kernel.kind][0]
    inputs = [i for i, a in enumerate(accesses) if a != 'wo']
    target = next(i for i, a in enumerate(accesses) if a != 'ro')
    tensor = f'tensor<{kernel.size}xi32>'
    types = [f'!iree_tensor_ext.dispatch.tensor<{TENSOR_ACCESS[a]}:{tensor}>' for a in accesses]
    arguments = [f'%b{i}: !stream.binding {{stream.alignment = 4 : index}}' for i in range(len(accesses))]
    whole = f'offsets = [0], sizes = [{kernel.size}], strides = [1]'
    maps = ', '.join(['affine_map<(i) -> (i)>'] * (len(inputs) + 1))
    xs = ['%x', '%y'][:len(inputs)]
    lines = [f'stream.executable private @{kernel.name} {{',
             f'  stream.executable.export public @{kernel.name} workgroups() -> (index, index, index) {{',
             '    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()',
             '    stream.return %x, %y, %z : index, index, index', '  }', '  builtin.module {',
             f'    func.func @{kernel.name}({", ".join(arguments)}, %k: i32) {{', '      %start = arith.constant 0 : index',
             f'      %part = arith.constant {4 * kernel.part} : index',
             f'      %factor = arith.constant {FACTORS.get(kernel.kind, 3)} : i32']
    for i, type in enumerate(types):
        offset = '%part' if i == partial_binding(kernel) else '%start'
        lines.append(f'      %t{i} = stream.binding.subspan %b{i}[{offset}] : !stream.binding -> {type}')
    for i in inputs:
        lines.append(f'      %v{i} = iree_tensor_ext.dispatch.tensor.load %t{i}, {whole} : {types[i]} -> {tensor}')
    lines += [f'      %empty = tensor.empty() : {tensor}',
              f'      %made = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}} '
              f'ins({", ".join(f"%v{i}" for i in inputs)} : {", ".join([tensor] * len(inputs))}) outs(%empty : {tensor}) {{',
              f'      ^bb0({", ".join(f"{x}: i32" for x in xs)}, %unused: i32):',
              '        %scaled = arith.muli %x, %factor : i32']
    total = '%scaled'
    if len(inputs) == 2:
        lines.append('        %added = arith.addi %scaled, %y : i32')
        total = '%added'
    lines += [f'        %sum = arith.addi {total}, %k : i32', '        linalg.yield %sum : i32', f'      }} -> {tensor}',
              f'      iree_tensor_ext.dispatch.tensor.store %made, %t{target}, {whole} : {tensor} -> {types[target]}',
              '      return', '    }', '  }', '}']
    return lines


# As text.

TARGET = ('[#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = '
          '#iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]')


def affinity(home):
    """Where something is placed: a device, or several of which the runtime chooses."""
    devices = [f'#hal.device.affinity<@{d}>' for d in home]
    return devices[0] if len(devices) == 1 else f'#hal.device.optimal<[{", ".join(devices)}]>'


def integer_text(value):
    """A uniform operand: a constant, or one of SCALARS."""
    return f'%{value}' if isinstance(value, str) else f'%i{value}'.replace('-', 'm')


class Text:
    """The body of one function; constants and sums are collected, for its beginning."""

    def __init__(self):
        self.lines = []
        self.extents = {}
        self.integers = {}
        self.labels = 0

    def extent(self, extent):
        name = f'%c{extent.constant}'
        if not extent.static:
            name = f'%x{extent.constant}_{extent.raw}_{extent.aligned}'
        self.extents[extent] = name
        return name

    def integer(self, value):
        if not isinstance(value, str):
            self.integers[value] = integer_text(value)
        return integer_text(value)

    def prelude(self):
        lines = [f'{name} = arith.constant {value} : i32' for value, name in self.integers.items()]
        bases = sorted({e.constant for e in self.extents} | ({4, LINE} if self.uses_k() else set()))
        lines += [f'%c{b} = arith.constant {b} : index' for b in bases]
        if self.uses_k():
            lines += ['%k_index = arith.index_cast %k : i32 to index', '%k_bytes = arith.muli %k_index, %c4 : index',
                      '%k_lines = util.align %k_bytes, %c64 : index']
        for extent, name in self.extents.items():
            if not extent.static:
                lines += self.sum_lines(extent, name)
        return lines

    def uses_k(self):
        return any(not e.static for e in self.extents)

    def sum_lines(self, extent, name):
        terms = ['%k_bytes'] * extent.raw + ['%k_lines'] * extent.aligned
        lines, total = [], f'%c{extent.constant}'
        for i, term in enumerate(terms):
            result = name if i == len(terms) - 1 else f'{name}_{i}'
            lines.append(f'{result} = arith.addi {term}, {total} : index')
            total = result
        return lines

    def sized(self, value):
        return f'{value.full_type}{{{self.extent(value.size)}}}'

    # Commands; resources are known inside a region by the name with _in.

    def range(self, range):
        return (f'{range.resource}_in[{self.extent(range.offset)} for {self.extent(range.length)}] : '
                f'{self.sized(range.resource)}')

    def command(self, command, indent):
        put = lambda text: self.lines.append(indent + text)
        if command.members:
            put(f'stream.cmd.{command.kind} {{')
            for member in command.members:
                self.command(member, indent + '  ')
            put('}')
        elif command.kind == 'fill':
            target = command.ranges[0]
            place, of_type = self.range(target).split(' : ')
            put(f'stream.cmd.fill {self.integer(command.data["value"])}, {place} : i32 -> {of_type}')
        elif command.kind == 'copy':
            source, target = command.ranges
            put(f'stream.cmd.copy {source.resource}_in[{self.extent(source.offset)}], '
                f'{target.resource}_in[{self.extent(target.offset)}], {self.extent(source.length)} : '
                f'{self.sized(source.resource)} -> {self.sized(target.resource)}')
        elif command.kind == 'dispatch':
            kernel = command.data['kernel']
            put(f'stream.cmd.dispatch @{kernel.name}::@{kernel.name}({self.integer(command.data["value"])} : i32) {{')
            for number, (access, r) in enumerate(zip(KERNELS[kernel.kind][0], command.ranges)):
                put(f'  {access} {self.range(r)}{"," if number + 1 < len(command.ranges) else ""}')
            put('}')
        else:
            word = {'flush': 'to', 'invalidate': 'from'}[command.kind]
            put(f'stream.cmd.{command.kind} {word}({affinity([command.data["device"]])}) {self.range(command.ranges[0])}')

    # Ops.

    def op(self, op):
        getattr(self, f'op_{op.kind}')(op)

    def op_import(self, op):
        result, size = op.results[0], op.results[0].size.constant // 4
        number, count = op.data['argument'], self.extent(Extent(size))
        self.lines += [f'hal.buffer_view.assert<%arg{number} : !hal.buffer_view> message("input{number}") shape([{count}]) '
                       'type(%element_type) encoding(%row_major)',
                       f'{result} = stream.tensor.import on({affinity(op.data["home"])}) %arg{number} : !hal.buffer_view -> '
                       f'tensor<{size}xi32> in {self.sized(result)}']

    def op_wait(self, op):
        self.lines.append(f'{op.results[0]} = stream.timepoint.import on({affinity(op.data["home"])}) %wait : (!hal.fence) => '
                          '!stream.timepoint')

    def op_immediate(self, op):
        self.lines.append(f'{op.results[0]} = stream.timepoint.immediate => !stream.timepoint')

    def op_alloca(self, op):
        result, ready = op.results
        await_text = f'await({op.operands[0]}) =>' if op.operands else ':'
        self.lines.append(f'{result}, {ready} = stream.resource.alloca uninitialized on({affinity(op.data["home"])}) '
                          f'{await_text} {self.sized(result)} => !stream.timepoint')

    def op_dealloca(self, op):
        resource, after = op.operands
        self.lines.append(f'{op.results[0]} = stream.resource.dealloca on({affinity(op.data["home"])}) await({after}) => '
                          f'{resource} : {self.sized(resource)} => !stream.timepoint')

    def op_join(self, op):
        self.lines.append(f'{op.results[0]} = stream.timepoint.join max({", ".join(map(str, op.operands))}) => '
                          '!stream.timepoint')

    def op_sync(self, op):
        after, resource = op.operands
        self.lines.append(f'{op.results[0]} = stream.timepoint.await sync {after} => {resource} : {self.sized(resource)}')

    def op_execute(self, op):
        after, *captures = op.operands
        pairs = ', '.join(f'{c} as {c}_in: {self.sized(c)}' for c in captures)
        await_text = f'await({after}) ' if after else ''
        once = 'once ' if op.data.get('once') else ''
        self.lines.append(f'{op.results[0]} = stream.cmd.execute {once}on({affinity([op.data["device"]])}) {await_text}=> '
                          f'with({pairs}) {{')
        for command in op.commands:
            self.command(command, '  ')
        self.lines.append('} => !stream.timepoint')

    def op_load(self, op):
        name = op.data['global']
        resource, ready = op.results
        self.lines += [f'{ready} = util.global.load @{name}__timepoint : !stream.timepoint',
                       f'{resource} = util.global.load @{name} : {resource.full_type}']

    def op_store(self, op):
        name = op.data['global']
        resource, ready = op.operands
        self.lines += [f'util.global.store {resource}, @{name} : {resource.full_type}',
                       f'util.global.store {ready}, @{name}__timepoint : !stream.timepoint']

    def op_call(self, op):
        names = ', '.join(map(str, op.results))
        self.lines.append(f'{names} = util.call @{op.data["function"]}({", ".join(map(str, op.operands))}) : '
                          f'({self.types(op.operands)}) -> ({self.types(op.results)})')

    @staticmethod
    def types(values):
        return ', '.join(v.full_type for v in values)

    def label(self):
        self.labels += 1
        return self.labels

    @staticmethod
    def passed(values, first=''):
        """Operands of a branch, with one more before them."""
        names = [first.split(' ')[0]] * bool(first) + [str(v) for v in values]
        types = [first.split(' ')[-1]] * bool(first) + [v.full_type for v in values]
        return f'({", ".join(names)} : {", ".join(types)})' if names else ''

    @staticmethod
    def taken(values):
        return f'({", ".join(f"{v}: {v.full_type}" for v in values)})' if values else ''

    def op_loop(self, op):
        number, body = self.label(), op.blocks[0]
        arguments = ''.join(f', {a}: {a.full_type}' for a in body.arguments)
        zero, one = self.integer(0), self.integer(1)
        self.lines += [f'cf.br ^head{number}{self.passed(op.operands, f"{zero} i32")}',
                       f'^head{number}(%turn{number}: i32{arguments}):',
                       f'%more{number} = arith.cmpi slt, %turn{number}, {self.integer(op.data["count"])} : i32',
                       f'cf.cond_br %more{number}, ^body{number}, ^exit{number}{self.passed(body.arguments)}',
                       f'^body{number}:']
        self.block(body)
        self.lines += [f'%next{number} = arith.addi %turn{number}, {one} : i32',
                       f'cf.br ^head{number}{self.passed(body.yields, f"%next{number} i32")}',
                       f'^exit{number}{self.taken(op.results)}:']

    def op_if(self, op):
        number = self.label()
        predicate = 'eq' if op.data['negated'] else 'ne'
        self.lines += [f'%choice{number} = arith.cmpi {predicate}, %p, {self.integer(0)} : i32',
                       f'cf.cond_br %choice{number}, ^then{number}, ^else{number}']
        for name, block in zip(('then', 'else'), op.blocks):
            self.lines.append(f'^{name}{number}:')
            self.block(block)
            self.lines.append(f'cf.br ^after{number}{self.passed(block.yields)}')
        self.lines.append(f'^after{number}{self.taken(op.results)}:')

    def block(self, block):
        for op in block.ops:
            self.op(op)

    def finished(self):
        """All lines, the prelude first."""
        return ['  ' + line for line in self.prelude() + self.lines]


def private_lines(function):
    text = Text()
    text.block(function.body)
    arguments, yields = function.body.arguments, function.body.yields
    text.lines.append(f'util.return {", ".join(map(str, yields))} : {text.types(yields)}')
    head = (f'util.func private @{function.name}{text.taken(arguments)} -> ({text.types(yields)}) '
            'attributes {inlining_policy = #util.inline.never} {')
    return [head, *text.finished(), '}']


def export_lines(text, function, number):
    export = function.exports[number]
    resource, size = export.resource, Extent(4 * export.elements)
    lines = []
    if resource.size != size:
        part = Value(f'%part{number}', resource.type, size)
        lines.append(f'{part} = stream.resource.subview {resource}[{text.extent(Extent(export.offset))}] : '
                     f'{text.sized(resource)} -> {text.sized(part)}')
        resource = part
    return lines + [f'%out{number} = stream.tensor.export on({affinity([export.device])}) {resource} : '
                    f'tensor<{export.elements}xi32> in {text.sized(resource)} -> !hal.buffer_view']


def public_lines(program, function):
    text = Text()
    text.lines += ['%element_type = hal.element_type<i32> : i32', '%row_major = hal.encoding_type<dense_row_major> : i32']
    text.block(function.body)
    text.lines.append(f'stream.timepoint.chain_external on({affinity([program.devices[0]])}) {function.body.yields[0]} => '
                      '(%done : !hal.fence)')
    count = len(function.exports)
    for number in range(count):
        text.lines += export_lines(text, function, number)
    outs = ['!hal.buffer_view'] * count
    text.lines.append(f'util.return {", ".join(f"%out{i}" for i in range(count))} : {", ".join(outs)}')
    arguments = [f'%arg{i}: !hal.buffer_view' for i in range(len(function.imports))] + [f'%{s}: i32' for s in SCALARS]
    return [f'util.func public @{function.name}({", ".join(arguments)}, %wait: !hal.fence, %done: !hal.fence) -> '
            f'({", ".join(outs)}) attributes {{iree.abi.stub, iree.reflection = {{iree.abi.model = "coarse-fences"}}}} {{',
            *text.finished(), '}']


def initializer_block(item):
    """Allocates and fills a global, and waits for it, as iree-compile has it."""
    size = Extent(4 * item.size)
    resource, ready, done = Value('%x', 'variable', size), Value('%x_t', 'timepoint'), Value('%done', 'timepoint')
    synced, now = Value('%y', 'variable', size), Value('%now', 'timepoint')
    whole = Range(resource, ZERO, size)
    commands = [Command('fill', [whole], data={'value': item.value})]
    if item.halves:
        commands.append(Command('fill', [Range(resource, ZERO, Extent(2 * item.size))], data={'value': -item.value}))
    return Block([], [Op('immediate', [], [now]), Op('alloca', [], [resource, ready], {'home': (item.device,)}),
                      Op('execute', [ready, resource], [done], {'device': item.device, 'once': True}, commands=commands),
                      Op('sync', [done, resource], [synced]), Op('store', [synced, now], [], {'global': item.name})])


def global_lines(item):
    text = Text()
    text.block(initializer_block(item))
    return [f'util.global private mutable @{item.name}__timepoint = #stream.timepoint<immediate> : !stream.timepoint',
            f'util.global private mutable @{item.name} : !stream.resource<variable>', 'util.initializer {', *text.finished(),
            '  util.return', '}']


def kernels_of(programs):
    kernels = {c.data['kernel'] for p in programs for c in all_commands(p) if c.kind == 'dispatch'}
    return sorted(kernels, key=lambda k: k.name)


def module_text(programs):
    """Programs of the same devices as one module."""
    devices = programs[0].devices
    lines = [f'util.global private @{d} = #hal.device.target<"local", {{ordinal = {i} : index}}, {TARGET}> : !hal.device'
             for i, d in enumerate(devices)]
    for kernel in kernels_of(programs):
        lines += kernel_lines(kernel)
    for program in programs:
        for item in program.globals:
            lines += global_lines(item)
        for function in program.functions:
            lines += public_lines(program, function) if function.public else private_lines(function)
    head = f'module attributes {{stream.affinity.default = {affinity([devices[0]])}}} {{'
    return '\n'.join([head, *['  ' + line for line in lines], '}', ''])


def split_text(programs):
    """A module for each program, for --split-input-file."""
    return '\n// -----\n\n'.join(module_text([p]) for p in programs)


# As numpy computes it: a timepoint is the set of the events before it, a bit each.

class Undefined(Exception):
    """A read of what no earlier write defines, or of memory that isn't there."""


@dataclasses.dataclass
class Access:
    event: int
    after: int  # events before it
    writes: bool
    low: int
    high: int
    values: numpy.ndarray = None
    kind: str = ''

    def conflicts(self, other):
        return (self.writes or other.writes) and self.low < other.high and other.low < self.high

    def ordered(self, other):
        return self.event == other.event or bool(self.event & other.after) or bool(other.event & self.after)


class Memory:
    """A storage of `size` elements: what was done to it, in program order."""

    def __init__(self, size):
        self.size = size
        self.accesses = []

    def access(self, entry):
        if not 0 <= entry.low <= entry.high <= self.size:
            raise Undefined(f'[{entry.low}, {entry.high}) of {self.size}')
        self.accesses.append(entry)

    def read(self, low, high, after):
        values, known = numpy.zeros(high - low, numpy.int32), numpy.zeros(high - low, bool)
        for entry in self.accesses:
            if entry.event & after and entry.writes and entry.low < high and low < entry.high:
                start, end = max(low, entry.low), min(high, entry.high)
                if entry.values is None:
                    known[start - low:end - low] = False
                    continue
                values[start - low:end - low] = entry.values[start - entry.low:end - entry.low]
                known[start - low:end - low] = True
        if not known.all():
            raise Undefined(f'[{low}, {high}) of {self.size}')
        return values

    def settle(self, values, event=ROOT):
        """What it holds from now on, or for those who come after an event."""
        self.accesses = [Access(event, ROOT, True, 0, self.size, values, 'settled')]


@dataclasses.dataclass
class Handle:
    """A resource value: memory, and the events that its users come after."""
    memory: Memory
    after: int = ROOT


class Evaluation:
    """The state of a program: its globals, and the events and memories of the call at hand."""

    def __init__(self, program):
        self.program = program
        self.scalars = dict.fromkeys(SCALARS, 0)
        self.globals = {}
        self.found = []
        self.begin()
        for item in program.globals:
            self.block(initializer_block(item), {})
            self.settle()

    def begin(self):
        self.next = ROOT << 1
        self.memories = []

    def event(self):
        self.next <<= 1
        return self.next >> 1

    def memory(self, size):
        self.memories.append(Memory(size))
        return self.memories[-1]

    def settle(self):
        """Between calls all is over, and what the globals hold is there."""
        for memory in self.memories:
            self.found += hazards_of(memory)
        for name, (handle, _) in self.globals.items():
            handle.memory.settle(handle.memory.read(0, handle.memory.size, -1))
            self.globals[name] = Handle(handle.memory), ROOT
        self.begin()
        self.memories = [handle.memory for handle, _ in self.globals.values()]

    def call(self, call):
        function = self.program.function(call.function)
        self.scalars, self.inputs = call.scalars, call.inputs
        done, = self.block(function.body, {})
        results = [self.values[e.resource].memory.read(e.offset // 4, e.offset // 4 + e.elements, done)
                   for e in function.exports]
        self.settle()
        return results

    def block(self, block, values):
        self.values = values
        for op in block.ops:
            results = getattr(self, f'op_{op.kind}')(op, [values[v] if v else None for v in op.operands], values)
            self.values = values
            values.update(zip(op.results, results, strict=True))
        return [values[v] for v in block.yields]

    def extent(self, extent):
        return extent.at(self.scalars['k']) // 4

    def op_import(self, op, _, __):
        memory = self.memory(self.extent(op.results[0].size))
        event = 1 << 1  # the fence
        memory.access(Access(event, ROOT, True, 0, memory.size, self.inputs[op.data['argument']], 'import'))
        return [Handle(memory)]

    def op_wait(self, op, _, __):
        event = self.event()
        assert event == 1 << 1
        return [ROOT | event]

    def op_immediate(self, _, __, ___):
        return [ROOT]

    def op_alloca(self, op, operands, _):
        memory, event = self.memory(self.extent(op.results[0].size)), self.event()
        memory.access(Access(event, (operands or [ROOT])[0], True, 0, memory.size, None, 'alloca'))
        return [Handle(memory), (operands or [ROOT])[0] | event]

    def op_dealloca(self, op, operands, _):
        handle, after = operands
        event = self.event()
        handle.memory.access(Access(event, after | handle.after, True, 0, handle.memory.size, None, 'dealloca'))
        return [after | event]

    def op_join(self, _, operands, __):
        return [functools.reduce(int.__or__, operands)]

    def op_sync(self, _, operands, __):
        after, handle = operands
        return [Handle(handle.memory, handle.after | after)]

    def op_execute(self, op, operands, values):
        after, *handles = operands
        before = functools.reduce(int.__or__, [h.after for h in handles], after or ROOT)
        event = self.event()
        for command in walk_commands(op.commands):
            if not command.members:
                self.command(command, values, event, before)
        return [before | event]

    def command(self, command, values, event, before):
        if command.kind in ('flush', 'invalidate'):
            return
        spots = [(values[r.resource].memory, self.extent(r.offset), self.extent(r.length)) for r in command.ranges]

        def get(spot):
            memory, low, length = spot
            result = memory.read(low, low + length, before | event)
            memory.access(Access(event, before, False, low, low + length, kind=command.kind))
            return result

        def put(spot, result):
            memory, low, length = spot
            memory.access(Access(event, before, True, low, low + length, result, command.kind))
        if command.kind == 'fill':
            put(spots[0], numpy.full(spots[0][2], command.data['value'], numpy.int32))
        elif command.kind == 'copy':
            put(spots[1], get(spots[0]))
        else:
            self.dispatch(command, spots, get, put)

    def dispatch(self, command, spots, get, put):
        kernel, value = command.data['kernel'], command.data['value']
        accesses, function = KERNELS[kernel.kind]
        number = partial_binding(kernel)
        parts = [(m, low + kernel.part * (i == number), kernel.size) for i, (m, low, _) in enumerate(spots)]
        inputs = [get(s) for s, a in zip(parts, accesses) if a != 'wo']
        factor = numpy.int32(self.scalars[value] if isinstance(value, str) else value)
        put(next(s for s, a in zip(parts, accesses) if a != 'ro'), function(factor, *inputs))

    def op_load(self, op, _, __):
        """What earlier calls left is there when the global's timepoint says so."""
        name = op.data['global']
        handle, ready = self.globals[name]
        if ready == ROOT:
            event = self.event()
            handle.memory.settle(handle.memory.read(0, handle.memory.size, -1), event)
            self.globals[name] = handle, ROOT | event
        return self.globals[name]

    def op_store(self, op, operands, _):
        self.globals[op.data['global']] = tuple(operands)
        return []

    def op_call(self, op, operands, _):
        body = self.program.function(op.data['function']).body
        return self.block(body, dict(zip(body.arguments, operands, strict=True)))

    def op_loop(self, op, operands, values):
        count = op.data['count']
        for _ in range(self.scalars[count] if isinstance(count, str) else count):
            inner = {**values, **dict(zip(op.blocks[0].arguments, operands, strict=True))}
            operands = self.block(op.blocks[0], inner)
        return operands

    def op_if(self, op, _, values):
        return self.block(op.blocks[bool(self.scalars['p']) == op.data['negated']], dict(values))


def hazards_of(memory):
    """Conflicting accesses that nothing orders: what each is, in program order."""
    found = []
    for number, later in enumerate(memory.accesses):
        for earlier in memory.accesses[:number]:
            if earlier.conflicts(later) and not earlier.ordered(later):
                found.append((earlier.kind, earlier.writes, later.kind, later.writes))
    return found


def expected(program):
    """The results of each call, in order."""
    evaluation = Evaluation(program)
    return [evaluation.call(call) for call in program.calls]


def hazards(program):
    """Of all calls: (kind, whether it writes) of both accesses."""
    evaluation = Evaluation(program)
    for call in program.calls:
        evaluation.call(call)
    return evaluation.found


# At random. What the generator knows of a program while it grows.

@functools.cache
def disjoint(a_low, a_length, b_low, b_length):
    """Whatever %k is."""
    return all((a_low + a_length).at(k) <= b_low.at(k) or (b_low + b_length).at(k) <= a_low.at(k) for k in K_VALUES)


@dataclasses.dataclass
class Use:
    event: int
    writes: bool
    low: Extent
    length: Extent


@dataclasses.dataclass(eq=False)
class Storage:
    value: Value
    home: tuple
    ready: int  # the event after which it may be used
    uses: list = dataclasses.field(default_factory=list)
    kind: str = 'alloca'  # or import, global, carried
    writable: bool = True
    free: list = dataclasses.field(default_factory=list)  # slots of a slab that hold nothing: (offset, length)
    packed: bool = False  # slots share cache lines, so one device writes them all: memory that isn't coherent can't do else


@dataclasses.dataclass(eq=False)
class Piece:
    """A tensor in a storage. `elements` is None where its length is computed."""
    storage: Storage
    offset: Extent
    length: Extent
    device: str  # whose memory it is: only this device uses it without maintenance
    versions: list = dataclasses.field(default_factory=list)  # the events that wrote it, the first all of it

    @property
    def elements(self):
        return self.length.constant // 4 if self.length.static else None

    @property
    def range(self):
        return Range(self.storage.value, self.offset, self.length)

    def part(self, offset, elements):
        return Range(self.storage.value, self.offset + Extent(4 * offset), Extent(4 * elements))


@dataclasses.dataclass(frozen=True)
class Callee:
    """A private function as its callers see it."""
    name: str
    size: Extent
    home: tuple
    same: bool  # it gives back the storage that it got


class Region:
    """An execution region in the making: steps, each some commands that belong together."""

    def __init__(self, device, event):
        self.device = device
        self.event = event
        self.steps = []  # (commands, uses as (storage, Use))
        self.storages = []
        self.fresh = []  # storages to allocate
        self.true = set()  # events it must come after
        self.anti = set()  # events that read what it writes
        self.excluded = 0


def bits(mask):
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


class Generator:
    """Grows one function."""

    def __init__(self, rng, program, sizes, dynamic, callees=()):
        self.rng = rng
        self.program = program
        self.devices = program.devices
        self.racy = program.family == 'racy'
        self.dynamic = dynamic
        self.callees = callees
        self.sizes = sizes
        self.counter = 0
        self.next = ROOT << 1
        self.after = {ROOT: ROOT}  # event -> the events before it, and itself
        self.timepoint = {}  # event -> its timepoint
        self.joins = []  # (timepoint, mask)
        self.pieces = []
        self.hot = []  # handed off, and not changed since
        self.changed = []  # handed off, and changed since
        self.ambient = 0
        self.depth = 0
        self.outer = set()
        self.allocations = set()
        self.loaded = []  # globals and their pieces
        self.block = None

    # Names, events and timepoints.

    def value(self, type, size=None, prefix=None):
        self.counter += 1
        return Value(f'%{prefix or ("t" if type == "timepoint" else "r")}{self.counter}', type, size)

    def event(self):
        self.next <<= 1
        return self.next >> 1

    def emit(self, kind, operands, results, data=None, **rest):
        self.block.ops.append(Op(kind, operands, results, data or {}, **rest))

    def happens(self, event, before, timepoint):
        self.after[event] = before | event
        self.timepoint[event] = timepoint
        return event

    def closure(self, events):
        return functools.reduce(int.__or__, [self.after[e] for e in events], ROOT)

    def minimal(self, events):
        """Without those that others imply; some of these stay."""
        events = sorted(events)
        return [e for e in events if self.rng.random() < 0.08 or not any(o != e and self.after[o] & e for o in events)]

    def await_of(self, events, extra=True):
        """A timepoint behind these events, and the events behind which it is; None where there is nothing to wait for."""
        events = set(events) - {ROOT}
        if extra and self.rng.random() < (0.05 if self.racy else 0.15) and self.visible():
            events.add(self.rng.choice(self.visible()))
        chosen = self.minimal(events)
        if not chosen:
            return None, ROOT
        mask = self.closure(chosen)
        known = [t for t, m in self.joins if m == mask]
        if known and self.rng.random() < 0.7:
            return known[-1], mask
        parts = [self.timepoint[e] for e in chosen]
        while len(parts) > 1:
            count = len(parts) if self.rng.random() < 0.8 else 2
            joined = self.value('timepoint')
            self.emit('join', parts[:count], [joined])
            parts = parts[count:] + [joined]
        self.joins.append((parts[0], mask))
        return parts[0], mask

    def visible(self):
        return list(self.timepoint)

    # Storages and pieces.

    def add_storage(self, region, size, home, lifetime):
        storage = Storage(self.value(lifetime, size), home, self.event())
        region.fresh.append(storage)
        return storage

    def home_of(self, device, writer):
        if writer != device:
            return tuple(d for d in self.devices if d in (device, writer)) if self.rng.random() < 0.8 else (device,)
        if self.rng.random() < 0.12:
            return tuple(sorted({device, self.rng.choice(self.devices)}))
        return (device,)

    def layout(self, length, alone):
        """Slots of a slab, one of this length among them, its size and whether slots share cache lines."""
        lengths = [Extent(4 * self.rng.choice(self.sizes)) for _ in range(self.rng.randint(1, 3))]
        if self.dynamic and self.rng.random() < 0.35:
            lengths.append(Extent(0, 1, 0))
        lengths.insert(self.rng.randrange(len(lengths) + 1), length)
        packed = alone and self.rng.random() < 0.25
        slots, end = [], ZERO
        for item in lengths:
            slots.append((end, item))
            if packed:
                end += item
            elif item.static:
                end += Extent(-(-item.constant // LINE) * LINE)
            else:
                end += Extent(0, 0, 1)
        return slots, end, packed

    def fresh(self, region, length, device, whole=False, lifetime=None):
        """A piece that holds nothing yet, of a new storage or of a slab."""
        slots = [(p, s) for p in self.slabs() if device in p.home and self.usable(region, p)
                 for s in p.free if s[1] == length]
        if slots and not whole and self.rng.random() < 0.6:
            storage, slot = self.rng.choice(slots)
            storage.free.remove(slot)
            return Piece(storage, slot[0], length, device)
        home = self.home_of(device, region.device)
        lifetime = lifetime or self.rng.choice(['transient', 'transient', 'external'])
        if whole or self.rng.random() < 0.6:
            return Piece(self.add_storage(region, length, home, lifetime), ZERO, length, device)
        slots, size, packed = self.layout(length, home == (region.device,))
        storage = self.add_storage(region, size, home, lifetime)
        storage.packed = packed
        slot = self.rng.choice([s for s in slots if s[1] == length])
        storage.free = [s for s in slots if s is not slot]
        return Piece(storage, slot[0], length, device)

    def slabs(self):
        return list(dict.fromkeys(p.storage for p in self.pieces if p.storage.free))

    def usable(self, region, storage):
        return not region.excluded and storage.writable and (not storage.packed or storage.home == (region.device,))

    def pick(self, device=None, where=lambda p: True, among=None):
        """A piece, more likely a late one."""
        found = [p for p in (self.pieces if among is None else among)
                 if (device is None or p.device == device) and p in self.pieces and where(p)]
        return found[max(self.rng.randrange(len(found)), self.rng.randrange(len(found)))] if found else None

    def drop(self, piece):
        """Its slot may hold something else from now on."""
        self.pieces.remove(piece)
        if piece.storage.writable and piece.storage.kind == 'alloca' and piece.storage.value.size != piece.length:
            piece.storage.free.append((piece.offset, piece.length))

    def other(self, device):
        return self.rng.choice([d for d in self.devices if d != device])

    # Regions.

    def open(self, device):
        return Region(device, self.event())

    def use(self, region, storage, writes, range):
        """Notes an access, and what it has to come after."""
        new = Use(region.event, writes, range.offset, range.length)
        for old in storage.uses:
            if old.event == region.event or not (old.writes or writes) or self.after_mask(old.event) & region.excluded:
                continue
            if disjoint(old.low, old.length, new.low, new.length):
                continue
            (region.true if old.writes else region.anti).add(old.event)
        storage.uses.append(new)
        if storage not in region.storages:
            region.storages.append(storage)
        return storage, new

    def after_mask(self, event):
        return self.after.get(event, event)

    def step(self, region, commands, reads, writes):
        """Adds commands with what they read and write: pairs of a piece and a range of it."""
        uses = [self.use(region, p.storage, False, r) for p, r in reads]
        uses += [self.use(region, p.storage, True, r) for p, r in writes]
        for piece, _ in writes:
            piece.versions.append(region.event)
            if piece not in self.pieces:
                self.pieces.append(piece)
        region.steps.append((commands, uses))

    def dispatch(self, kernel, ranges):
        value = self.rng.choice(SCALARS) if self.dynamic and self.rng.random() < 0.2 else self.rng.randint(-9, 9)
        return Command('dispatch', ranges, data={'kernel': kernel, 'value': value})

    def make(self, region):
        """A new piece of pieces that this device has."""
        source = self.pick(region.device, lambda p: p.elements)
        if source and self.rng.random() < 0.5:
            source = self.pick(region.device, lambda p: p.elements, self.changed) or source
        if not source or self.rng.random() < 0.12:
            length = Extent(0, 1, 0) if self.dynamic and self.rng.random() < 0.2 else Extent(4 * self.rng.choice(self.sizes))
            target = self.fresh(region, length, region.device)
            fill = Command('fill', [target.range], data={'value': self.rng.randint(-99, 99)})
            return self.step(region, [fill], [], [(target, target.range)])
        size = source.elements
        partner = self.pick(region.device, lambda p: p.elements == size)
        target = self.fresh(region, source.length, region.device)
        reads, kernel = [source], Kernel('scale', size)
        if self.rng.random() < 0.4:
            reads, kernel = [source, partner], Kernel('mix', size)
        ranges = [p.range for p in reads + [target]]
        if len(reads) == 1 and self.rng.random() < 0.4:
            kernel, ranges = self.partial(source, target)
        self.step(region, [self.dispatch(kernel, ranges)], [(p, p.range) for p in reads], [(target, target.range)])

    def partial(self, source, target):
        """A kernel that gets a whole slab and uses a part of it, where there is one; else one over the pieces."""
        def whole(piece):
            size = piece.storage.value.size
            return piece.offset.static and size.static and size != piece.length and size.constant
        size = source.elements
        if whole(source) and source.storage is not target.storage:
            full = Range(source.storage.value, ZERO, source.storage.value.size)
            return Kernel('pick', size, source.offset.constant // 4, whole(source) // 4), [full, target.range]
        if whole(target) and source.storage is not target.storage:
            full = Range(target.storage.value, ZERO, target.storage.value.size)
            return Kernel('place', size, target.offset.constant // 4, whole(target) // 4), [source.range, full]
        return Kernel('scale', size), [source.range, target.range]

    def touch(self, region):
        """Changes a piece in place, mostly one that was handed off."""
        fits = lambda p: p.storage.writable
        piece = self.pick(region.device, fits)
        if self.rng.random() < 0.75:
            piece = self.pick(region.device, fits, self.hot) or piece
        if not piece:
            return self.make(region)
        if piece in self.hot:
            self.hot.remove(piece)
            self.changed.append(piece)
        if not piece.elements:
            fill = Command('fill', [piece.range], data={'value': self.rng.randint(-99, 99)})
            return self.step(region, [fill], [], [(piece, piece.range)])
        size = piece.elements
        other = self.pick(region.device, lambda p: p is not piece and p.elements == size)
        choice = self.rng.random()
        if choice < 0.45 or (choice < 0.7 and not other):
            update = self.dispatch(Kernel('update', size), [piece.range])
            return self.step(region, [update], [(piece, piece.range)], [(piece, piece.range)])
        if choice < 0.7:
            command = self.dispatch(Kernel('accumulate', size), [piece.range, other.range])
            return self.step(region, [command], [(piece, piece.range), (other, other.range)], [(piece, piece.range)])
        count = self.rng.choice([size, size // 2, 1])
        target = piece.part(self.rng.choice([0, size - count]), count)
        if choice < 0.85 or not other:
            fill = Command('fill', [target], data={'value': self.rng.randint(-99, 99)})
            return self.step(region, [fill], [], [(piece, target)])
        source = other.part(self.rng.choice([0, size - count]), count)
        return self.step(region, [Command('copy', [source, target])], [(other, source)], [(piece, target)])

    def handed(self, piece):
        if piece.storage.writable and piece not in self.hot:
            self.hot.append(piece)

    def give(self, region, source=None, to=None):
        """A hand-off that executes at its source: copy, then flush."""
        source = source or self.pick(region.device)
        if not source:
            return self.make(region)
        to = to or self.other(region.device)
        into = self.pick(to, lambda p: p.elements and source.elements and p.elements > source.elements
                         and p.storage.writable and not p.storage.packed)
        if into and self.rng.random() < 0.4:
            spot = into.part(self.rng.choice([0, into.elements - source.elements]), source.elements)
        else:
            into = self.fresh(region, source.length, to)
            spot = into.range
        commands = [Command('copy', [source.range, spot]), Command('flush', [spot], data={'device': to})]
        self.step(region, commands, [(source, source.range)], [(into, spot)])
        self.handed(source)
        return None

    def take(self, region, source=None):
        """A hand-off that executes at its target: invalidate, then copy."""
        source = source or self.pick(None, lambda p: p.device != region.device)
        if not source:
            return self.make(region)
        spot = source.range
        if source.elements and self.rng.random() < 0.2:
            count = max(1, source.elements // 2)
            spot = source.part(self.rng.choice([0, source.elements - count]), count)
        target = self.fresh(region, spot.length, region.device)
        commands = [Command('invalidate', [spot], data={'device': source.device}), Command('copy', [spot, target.range])]
        self.step(region, commands, [(source, spot)], [(target, target.range)])
        self.handed(source)
        if target.elements and self.rng.random() < 0.5:
            made = self.fresh(region, target.length, region.device)
            scale = self.dispatch(Kernel('scale', target.elements), [target.range, made.range])
            self.step(region, [scale], [(target, target.range)], [(made, made.range)])
        return None

    def close(self, region):
        """Allocates what is new, decides what it awaits, and emits the region."""
        need = set(region.true) | set(bits(self.ambient))
        for event in region.anti - need:
            if not self.racy or self.rng.random() < 0.25:
                need.add(event)
        need |= {s.ready for s in region.storages if s not in region.fresh}
        need.discard(region.event)
        stock = self.rng.random() < 0.6
        extra = not region.excluded
        before = need if stock else {self.rng.choice(self.visible())} if self.visible() and extra else set()
        if before and any(self.after[e] & region.excluded for e in before):
            before = need
        if not stock and self.rng.random() < 0.3:
            before = set()
        for storage in region.fresh:
            self.allocate(storage, before, extra)
        allocated = {s.ready for s in region.fresh}
        timepoint, mask = self.await_of(need | allocated, extra)
        done = self.value('timepoint')
        operands = [timepoint] + list(dict.fromkeys(s.value for s in region.storages))
        self.emit('execute', operands, [done], {'device': region.device}, commands=self.grouped(region.steps))
        self.happens(region.event, mask, done)

    def allocate(self, storage, before, extra):
        # Stock IREE 3.13 crashes on one that waits only for another that waits for nothing.
        timepoint, mask = self.await_of(before - self.allocations, extra)
        if timepoint in [self.timepoint[e] for e in self.allocations if e in self.timepoint]:
            timepoint, mask = None, ROOT
        self.allocations.add(storage.ready)
        ready = self.value('timepoint')
        self.emit('alloca', [timepoint] if timepoint else [], [storage.value, ready], {'home': storage.home})
        self.happens(storage.ready, mask, ready)

    def grouped(self, steps):
        """The commands, with steps that don't touch each other concurrent now and then."""
        groups = []
        for commands, uses in steps:
            if groups and self.rng.random() < 0.6 and not self.collides(groups[-1][1], uses):
                groups[-1][0].append(commands)
                groups[-1][1].extend(uses)
            else:
                groups.append(([commands], list(uses)))
        result = []
        for members, _ in groups:
            if len(members) == 1:
                result += members[0]
                continue
            flat = self.rng.random() < 0.5  # as IREE has it
            result.append(Command('concurrent', members=[
                c for m in members for c in (m if flat or len(m) == 1 else [Command('serial', members=m)])]))
        return result

    @staticmethod
    def collides(some, others):
        return any(s is t and (u.writes or v.writes) and not disjoint(u.low, u.length, v.low, v.length)
                   for s, u in some for t, v in others)

    # Statements.

    def grow_region(self):
        region = self.open(self.rng.choice(self.devices))
        for _ in range(self.rng.choice([1, 1, 2, 3, 4])):
            step = self.rng.choices([self.make, self.touch, self.give, self.take], [3, 3, 3, 2])[0]
            step(region)
        self.close(region)

    def grow_update_after_hand_off(self):
        """The shape that stock schedules wrongly: handed off, updated, and both read later."""
        source = self.pick(None, lambda p: p.storage.writable)
        if not source:
            return self.grow_region()
        for _ in range(self.rng.choice([1, 1, 2])):
            to = self.other(source.device)
            region = self.open(source.device if self.rng.random() < 0.4 else to)
            if region.device == source.device:
                self.give(region, source, to)
            else:
                self.take(region, source)
            self.close(region)
        region = self.open(source.device)
        self.touch(region)
        self.close(region)
        region = self.open(source.device)
        self.make(region)
        return self.close(region)

    def grow_gather(self):
        """Several pieces handed to one device, into a slab, in one region."""
        device = self.rng.choice(self.devices)
        region = self.open(device)
        to = self.other(device)
        for _ in range(self.rng.randint(2, 3)):
            self.give(region, None, to)
        self.close(region)

    def grow_late_reader(self):
        """Reads what a piece held before a writer that comes first in the program."""
        candidates = [(p, w) for p in self.pieces for w in p.versions[1:]
                      if w in self.after and not self.after[w] & p.versions[0] == 0 and not self.ambient & w
                      and w not in (p.versions[0], p.storage.ready)]
        if not self.racy or not candidates:
            return self.grow_update_after_hand_off()
        piece, writer = self.rng.choice(candidates)
        region = self.open(self.rng.choice(self.devices))
        region.excluded = writer
        target = self.fresh(region, piece.length, region.device, whole=True)
        commands = [Command('copy', [piece.range, target.range])]
        if piece.device != region.device:
            commands.insert(0, Command('invalidate', [piece.range], data={'device': piece.device}))
        self.step(region, commands, [(piece, piece.range)], [(target, target.range)])
        return self.close(region)

    def grow_drop(self):
        """Frees a storage, or a slot of one."""
        piece = self.pick()
        if len(self.pieces) < 4 or piece.storage.kind != 'alloca':
            return
        alone = [p for p in self.pieces if p.storage is piece.storage] == [piece]
        self.drop(piece)
        if alone and not (piece.storage.free and self.rng.random() < 0.5):
            piece.storage.free.clear()
            self.deallocate(piece.storage)

    def deallocate(self, storage):
        events = {u.event for u in storage.uses} | {storage.ready}
        timepoint, mask = self.await_of(events)
        done = self.value('timepoint')
        self.emit('dealloca', [storage.value, timepoint], [done], {'home': storage.home})
        self.happens(self.event(), mask, done)
        storage.writable = False
        storage.kind = 'freed'

    def grow_sync(self):
        """The host waits; what follows comes after that, and says so."""
        piece = self.pick(None, lambda p: p.storage.kind == 'alloca')
        if not piece or self.depth:
            return
        storage = piece.storage
        event = self.rng.choice(piece.versions)
        events = {event, storage.ready} | {u.event for u in storage.uses if u.writes}
        timepoint, mask = self.await_of(events, False)
        waited = self.value(storage.value.type, storage.value.size)
        self.emit('sync', [timepoint, storage.value], [waited])
        storage.value = waited
        self.ambient |= functools.reduce(int.__or__, self.minimal(events))

    def grow_join(self):
        """A node of the timepoint graph that later ones may use."""
        some = self.rng.sample(self.visible(), min(len(self.visible()), self.rng.randint(2, 4)))
        self.await_of(some)

    # Control flow. Storages go in and come out each with a timepoint of its own, as iree-compile has it, and one more
    # timepoint stands for all else. What a racy program leaves out is that a storage's readers are over.

    def over(self, storage, readers=True):
        """The events after which what is done to a storage is done."""
        keep = readers or not self.racy or self.rng.random() < 0.5
        return {storage.ready} | {u.event for u in storage.uses if u.writes or keep}

    def carried(self, home=None, size=None, kinds=('alloca', 'carried')):
        """Storages that a block or a callee may get: all that they hold is known."""
        owners = {}
        for piece in self.pieces:
            owners.setdefault(piece.storage, []).append(piece)
        return [s for s in owners if s.kind in kinds and s.writable and (size is None or s.value.size == size)
                and (home is None or s.home == home)]

    def phi(self, storage, value, timepoint, kind='carried'):
        """The storage as another value, ready when the timepoint is; its pieces."""
        event = self.happens(self.event(), ROOT, timepoint)
        copied = Storage(value, storage.home, event, [Use(event, True, ZERO, value.size)], kind, True, list(storage.free),
                         storage.packed)
        return copied, [Piece(copied, p.offset, p.length, p.device, [event]) for p in self.pieces if p.storage is storage]

    def like(self, value):
        return self.value(value.type, value.size)

    def retire(self, storages):
        self.pieces = [p for p in self.pieces if p.storage not in storages]

    def nested(self, block, pieces, count):
        """Grows a block that sees these pieces and the imports; returns what finish needs to go on outside."""
        saved = self.block, self.pieces, self.hot, self.changed, self.timepoint, self.joins
        imports = [p for p in self.pieces if p.storage.kind == 'import']
        fence = {p.storage.ready: self.timepoint[p.storage.ready] for p in imports}
        self.block, self.pieces = block, pieces + imports
        self.hot, self.changed, self.joins = [p for p in pieces if self.rng.random() < 0.5], [], []
        known = {p.storage.ready for p in pieces} | {u.event for p in pieces for u in p.storage.uses} | set(bits(self.ambient))
        self.timepoint = {e: t for e, t in self.timepoint.items() if e in known or e in fence} | fence
        self.outer = set(self.timepoint)
        self.depth += 1
        self.grow(count)
        self.depth -= 1
        return saved

    def finish(self, saved, yields):
        """Ends a nested block: yields what it is to, and the timepoint of all that it did."""
        waited, _ = self.await_of(set(self.timepoint) - self.outer or {min(self.outer)}, False)
        self.block.yields = yields + [waited]
        self.block, self.pieces, self.hot, self.changed, self.timepoint, self.joins = saved

    def released(self, storage):
        """A storage and its timepoint as they leave a block."""
        return [storage.value, self.await_of(self.over(storage, False), False)[0]]

    def grow_loop(self):
        storages = self.some_carried()
        if not storages:
            return
        now = self.await_of(self.rng.sample(self.visible(), 1), False)[0]
        operands = [v for s in storages for v in self.released(s)] + [now]
        outside = dict(self.timepoint)
        body = Block([self.like(v) for v in operands])
        pairs = [self.phi(s, *body.arguments[2 * i:2 * i + 2]) for i, s in enumerate(storages)]
        layouts = [(s.home, [(p.offset, p.length, p.device) for p in ps]) for s, ps in pairs]
        rest = self.happens(self.event(), ROOT, body.arguments[-1])
        saved = self.nested(body, [p for _, ps in pairs for p in ps], self.rng.randint(1, 3))
        self.timepoint[rest] = body.arguments[-1]
        inner = [s for s, _ in pairs]
        if len(inner) == 2 and layouts[0] == layouts[1] and inner[0].value.type == inner[1].value.type:
            if inner[0].value.size == inner[1].value.size and self.rng.random() < 0.5:
                inner.reverse()
        inner = [self.replaced(s) for s in inner]
        self.finish(saved, [v for s in inner for v in self.released(s)])
        self.timepoint = outside
        count = 'n' if self.dynamic and self.rng.random() < 0.8 else self.rng.randint(1, 3)
        self.leave('loop', operands, storages, {'count': count}, [body])

    def replaced(self, storage):
        """Now and then a new storage that the block made takes the place of the one that came in."""
        piece = [p for p in self.pieces if p.storage is storage]
        if len(piece) != 1 or piece[0].length != storage.value.size or self.rng.random() < 0.6:
            return storage
        fits = [p for p in self.pieces if p.storage.kind == 'alloca' and p.storage.home == storage.home and p.offset == ZERO
                and p.length == p.storage.value.size == storage.value.size and p.device == piece[0].device
                and p.storage.value.type == storage.value.type]
        return self.rng.choice(fits).storage if fits else storage

    def leave(self, kind, operands, storages, data, blocks):
        """The op, and what comes out of it in the place of what went in."""
        results = [self.like(v) for s in storages for v in (s.value, Value('', 'timepoint'))] + [self.value('timepoint')]
        self.emit(kind, operands, results, data, blocks=blocks)
        for i, storage in enumerate(storages):
            _, pieces = self.phi(storage, *results[2 * i:2 * i + 2])
            self.retire([storage])
            self.pieces += pieces
            self.hot += [p for p in pieces if self.rng.random() < 0.3]
        self.happens(self.event(), ROOT, results[-1])

    def some_carried(self):
        """One storage or two; these leave the pool of slabs."""
        found = self.carried()
        return self.rng.sample(found, min(len(found), self.rng.choice([1, 2, 2])))

    def grow_branch(self):
        storages = self.some_carried()
        if not storages:
            return
        blocks = []
        for _ in range(2):
            block = Block([])
            pairs = [self.inside(s) for s in storages]
            saved = self.nested(block, [p for _, ps in pairs for p in ps], self.rng.randint(0, 2))
            self.finish(saved, [v for s, _ in pairs for v in self.released(self.replaced(s))])
            blocks.append(block)
        self.leave('if', [], storages, {'negated': self.rng.random() < 0.5}, blocks)

    def inside(self, storage):
        """The same storage, as one of the two ways changes it."""
        copied = dataclasses.replace(storage, uses=list(storage.uses), free=list(storage.free), kind='carried')
        return copied, [Piece(copied, p.offset, p.length, p.device, list(p.versions))
                        for p in self.pieces if p.storage is storage]

    def grow_call(self):
        """A private function that gets a storage and its timepoint, and gives one back."""
        choices = [(c, s) for c in self.callees for s in self.carried(c.home, c.size)
                   if s.value.type == 'transient' and sum(p.storage is s for p in self.pieces) == 1
                   and any(p.storage is s and p.length == c.size and p.device == c.home[0] for p in self.pieces)]
        if not choices:
            return
        for item, piece in self.loaded:  # for all that is known of it the callee may load it
            self.store(item, piece)
        callee, storage = self.rng.choice(choices)
        after, mask = self.await_of(self.over(storage), False)
        results = [self.value('transient', callee.size), self.value('timepoint')]
        self.emit('call', [storage.value, after], results, {'function': callee.name})
        event = self.happens(self.event(), mask, results[1])
        if callee.same:
            self.retire([storage])
        else:
            storage.uses.append(Use(event, True, ZERO, storage.value.size))
        made = Storage(results[0], callee.home, event, [Use(event, True, ZERO, callee.size)], 'carried')
        self.pieces.append(Piece(made, ZERO, callee.size, callee.home[0], [event]))

    STATEMENTS = {'region': 6, 'update_after_hand_off': 5, 'gather': 1, 'late_reader': 2, 'drop': 2, 'sync': 0.4, 'join': 1,
                  'loop': 0.7, 'branch': 0.7, 'call': 2}
    NESTED = ('region', 'update_after_hand_off', 'gather', 'late_reader', 'drop')

    def grow(self, count):
        weights = {s: w for s, w in self.STATEMENTS.items() if not self.depth or s in self.NESTED}
        if not self.callees:
            weights.pop('call', None)
        for _ in range(count):
            getattr(self, f'grow_{self.rng.choices(list(weights), list(weights.values()))[0]}')()

    # Globals.

    def load(self, item):
        value, ready = self.value('variable', Extent(4 * item.size)), self.value('timepoint')
        self.emit('load', [], [value, ready], {'global': item.name})
        event = self.happens(self.event(), ROOT, ready)
        storage = Storage(value, (item.device,), event, [Use(event, True, ZERO, value.size)], 'global')
        piece = Piece(storage, ZERO, value.size, item.device, [event])
        self.pieces.append(piece)
        self.hot.append(piece)
        return item, piece

    def store(self, item, piece):
        after, _ = self.await_of(self.over(piece.storage, False), False)
        self.emit('store', [piece.storage.value, after], [], {'global': item.name})

    def store_last(self, item, piece):
        """The global keeps its storage, or gets a new one that is made from it."""
        if self.rng.random() < 0.25:
            region = self.open(item.device)
            target = self.fresh(region, piece.length, item.device, True, 'variable')
            target.storage.home = (item.device,)
            scale = self.dispatch(Kernel('scale', piece.elements), [piece.range, target.range])
            self.step(region, [scale], [(piece, piece.range)], [(target, target.range)])
            self.close(region)
            target.storage.kind = 'global'
            piece = target
        self.store(item, piece)

    # A whole function.

    def take_imports(self, count):
        wait = self.value('timepoint')
        sizes = [self.rng.choice(self.sizes) for _ in range(count)]
        fence = self.event()
        for number, size in enumerate(sizes):
            home = (self.rng.choice(self.devices),)
            value = self.value('external', Extent(4 * size))
            self.emit('import', [], [value], {'argument': number, 'home': home})
            storage = Storage(value, home, fence, [Use(fence, True, ZERO, value.size)], 'import', False)
            self.pieces.append(Piece(storage, ZERO, value.size, home[0], [fence]))
        self.emit('wait', [], [wait], {'home': (self.devices[0],)})
        self.happens(fence, ROOT, wait)
        return sizes, wait

    def export(self, taken):
        """One result: a piece of an external storage as it is, else a copy of a piece."""
        piece = self.pick(None, lambda p: p.elements and p.storage.kind != 'import')
        if not piece:
            return None
        storage = piece.storage
        aligned = piece.offset.static and piece.offset.constant % LINE == 0 and storage.value.size.static
        if storage.value.type != 'external' or not aligned or piece in taken or storage.kind != 'alloca':
            region = self.open(self.rng.choice(self.devices))
            target = self.fresh(region, piece.length, region.device, True, 'external')
            commands = [Command('copy', [piece.range, target.range])]
            if piece.device != region.device:
                commands.insert(0, Command('invalidate', [piece.range], data={'device': piece.device}))
            self.step(region, commands, [(piece, piece.range)], [(target, target.range)])
            self.close(region)
            piece, storage = target, target.storage
        taken.append(piece)
        return Export(storage.value, piece.device, piece.offset.constant, piece.elements)

    def public(self, name, statements):
        self.block = Block([])
        sizes, wait = self.take_imports(self.rng.randint(1, 2))
        self.loaded = [self.load(item) for item in self.program.globals if self.rng.random() < 0.8]
        self.grow(statements)
        taken = []
        exports = [e for e in [self.export(taken) for _ in range(self.rng.randint(1, 4))] if e]
        if not exports:
            self.make_some()
            exports = [self.export(taken)]
        for item, piece in self.loaded:
            self.store_last(item, piece)
        kept = {p.storage for p in taken}
        for storage in list(dict.fromkeys(p.storage for p in self.pieces)):
            if storage.kind == 'alloca' and storage not in kept and self.rng.random() < 0.85:
                self.deallocate(storage)
        done, _ = self.await_of(self.visible(), False)
        self.block.yields = [done]
        return Function(name, self.block, sizes, exports, wait)

    def private(self, name):
        """A function of a storage and its timepoint."""
        size, home = Extent(4 * self.rng.choice(self.sizes)), (self.rng.choice(self.devices),)
        arguments = [self.value('transient', size), self.value('timepoint')]
        self.block = Block(arguments)
        event = self.happens(self.event(), ROOT, arguments[1])
        storage = Storage(arguments[0], home, event, [Use(event, True, ZERO, size)], 'carried')
        self.pieces.append(Piece(storage, ZERO, size, home[0], [event]))
        self.depth += 1
        self.grow(self.rng.randint(1, 3))
        given = self.replaced(storage)
        for other in dict.fromkeys(p.storage for p in self.pieces):
            if other.kind == 'alloca' and other is not given and self.rng.random() < 0.85:
                self.deallocate(other)
        done, _ = self.await_of(self.visible(), False)
        self.block.yields = [given.value, done]
        return Function(name, self.block), Callee(name, size, home, given is storage)

    def make_some(self):
        region = self.open(self.rng.choice(self.devices))
        target = self.fresh(region, Extent(4 * self.sizes[0]), region.device, True, 'external')
        fill = Command('fill', [target.range], data={'value': self.rng.randint(-99, 99)})
        self.step(region, [fill], [], [(target, target.range)])
        self.close(region)


def random_array(rng, size):
    return numpy.array([rng.randint(-999, 999) for _ in range(size)], numpy.int32)


def make_call(rng, function):
    scalars = {'n': rng.randint(0, 3), 'k': rng.choice(K_VALUES), 'p': rng.randint(0, 1)}
    return Call(function.name, [random_array(rng, size) for size in function.imports], scalars)


def generate(seed, index=0, devices=DEVICES[:2], family=None):
    """The program of a seed and an index, on these devices; the family is drawn where it isn't given."""
    rng = random.Random(f'scheduled/{seed}/{index}')
    drawn = rng.choice(FAMILIES)
    name = f'p{index}'
    program = Program(name, family or drawn, devices, [], [], [])
    sizes = rng.sample(SIZES, 2)
    for number in range(rng.choice([0, 0, 1, 2])):
        program.globals.append(Global(f'{name}_g{number}', rng.choice(sizes), rng.choice(devices), rng.randint(-99, 99),
                                      rng.random() < 0.4))
    callees = []
    for number in range(rng.choice([0, 0, 0, 1, 2])):
        function, callee = Generator(rng, program, sizes, False).private(f'{name}_callee{number}')
        program.functions.append(function)
        callees.append(callee)
    for number in range(rng.choice([1, 1, 1, 2])):
        generator = Generator(rng, program, sizes, rng.random() < 0.35, callees)
        program.functions.append(generator.public(f'{name}_f{number}', rng.randint(2, 8)))
    public = [f for f in program.functions if f.public]
    program.calls = [make_call(rng, rng.choice(public)) for _ in range(2)]
    drop_unused(program, {f.name for f in public})
    return program


# The same, otherwise.

def renamed(program, names):
    """The program on devices of other names."""
    result = copy.deepcopy(program)
    result.devices = tuple(names[d] for d in program.devices)
    for item in result.globals:
        item.device = names[item.device]
    for function in result.functions:
        for export in function.exports:
            export.device = names[export.device]
        for op in walk_ops(function.body):
            rename_data(op.data, names)
    for command in all_commands(result):
        rename_data(command.data, names)
    return result


def rename_data(data, names):
    if 'device' in data:
        data['device'] = names[data['device']]
    if 'home' in data:
        data['home'] = tuple(names[d] for d in data['home'])


def swapped(program):
    """The program with the ways of its branches changed over, and their conditions turned round."""
    result = copy.deepcopy(program)
    for function in result.functions:
        for op in walk_ops(function.body):
            if op.kind == 'if':
                op.blocks.reverse()
                op.data['negated'] = not op.data['negated']
    return result


# Smaller.

def all_blocks(program):
    def inside(block):
        yield block
        for op in block.ops:
            for inner in op.blocks:
                yield from inside(inner)
    for function in program.functions:
        yield from inside(function.body)


def substitute(program, names):
    """Puts other values in the place of these, everywhere."""
    swap = lambda values: [names.get(v, v) for v in values]
    for block in all_blocks(program):
        block.yields = swap(block.yields)
        for op in block.ops:
            op.operands = swap(op.operands)
    for function in program.functions:
        for export in function.exports:
            export.resource = names.get(export.resource, export.resource)
    for command in all_commands(program):
        for r in command.ranges:
            r.resource = names.get(r.resource, r.resource)


def uses_of(program, value):
    """How often it's used; a region's captures don't count, its ranges do."""
    count = sum(e.resource is value for f in program.functions for e in f.exports)
    count += sum(r.resource is value for c in all_commands(program) for r in c.ranges)
    for block in all_blocks(program):
        count += block.yields.count(value)
        count += sum(op.operands[:1 if op.kind == 'execute' else None].count(value) for op in block.ops)
    return count


def drop_op(program, block_number, op_number):
    """Without an op: its timepoint is what it waited for. False where something else of it is used."""
    block = list(all_blocks(program))[block_number]
    op = block.ops[op_number]
    names = {}
    if op.kind in ('execute', 'dealloca', 'alloca'):
        before = {'execute': op.operands[:1], 'alloca': op.operands, 'dealloca': op.operands[1:]}[op.kind]
        names[op.results[-1]] = before[0] if before else None
    elif op.kind == 'sync':
        names[op.results[0]] = op.operands[1]
    elif op.kind == 'store' and uses_of(program, op.operands[0]) > 1:
        return False  # its timepoint stands for what was done to it
    elif op.kind in ('loop', 'call') and len(op.operands) == len(op.results):
        if all(o.type == r.type and o.size == r.size for o, r in zip(op.operands, op.results)):
            names.update(zip(op.results, op.operands))
    if any(r not in names and uses_of(program, r) for r in op.results):
        return False
    if None in names.values():
        now = Value('%now' + op.results[-1].name[1:], 'timepoint')
        names = {op.results[-1]: now}
        block.ops[op_number] = Op('immediate', [], [now])
    else:
        del block.ops[op_number]
    substitute(program, names)
    return True


def drop_operand(program, block_number, op_number, operand):
    """A join without one of what it joins."""
    block = list(all_blocks(program))[block_number]
    op = block.ops[op_number]
    if len(op.operands) == 1:
        del block.ops[op_number]
        substitute(program, {op.results[0]: op.operands[0]})
    else:
        del op.operands[operand]
    return True


def owners_of_commands(program):
    """Lists of commands: regions' and blocks' in them."""
    for block in all_blocks(program):
        for op in block.ops:
            if op.kind == 'execute':
                yield op.commands
                yield from (c.members for c in walk_commands(op.commands) if c.members)


def drop_command(program, owner, number):
    del list(owners_of_commands(program))[owner][number]
    return True


def unwrap_command(program, owner, number):
    """The members of a concurrent or serial block in its place."""
    commands = list(owners_of_commands(program))[owner]
    commands[number:number + 1] = commands[number].members
    return True


def take_side(program, block_number, op_number, side):
    """One way of a branch, or a loop's body once, in its place."""
    block = list(all_blocks(program))[block_number]
    op = block.ops[op_number]
    inner = op.blocks[side]
    block.ops[op_number:op_number + 1] = inner.ops
    given = dict(zip(inner.arguments, op.operands))
    substitute(program, dict(zip(op.results, [given.get(v, v) for v in inner.yields])) | given)
    return True


def drop_export(program, function, number):
    del program.functions[function].exports[number]
    return bool(program.functions[function].exports)


def tidy(program):
    """Without empty blocks, captures that nothing uses, and functions and globals that nobody uses."""
    for commands in reversed(list(owners_of_commands(program))):
        commands[:] = [c for c in commands if c.members or c.kind not in ('concurrent', 'serial')]
    for block in all_blocks(program):
        for op in block.ops:
            if op.kind == 'execute':
                used = dict.fromkeys(r.resource for c in walk_commands(op.commands) for r in c.ranges)
                op.operands[1:] = list(used)
    drop_unused(program, {c.function for c in program.calls})


def drop_unused(program, wanted):
    """Without functions and globals that the wanted functions don't reach: stock IREE refuses kernels without users."""
    ops = lambda names: [op for f in program.functions if f.name in names for op in walk_ops(f.body)]
    wanted = wanted | {op.data['function'] for op in ops(wanted) if op.kind == 'call'}
    program.functions = [f for f in program.functions if f.name in wanted]
    program.globals = [g for g in program.globals if g.name in {op.data.get('global') for op in ops(wanted)}]


def reduction_steps(program):
    for number in range(len(program.calls)):
        yield drop_call, (number,)
    for number, function in enumerate(program.functions):
        for export in range(len(function.exports)):
            yield drop_export, (number, export)
    for number, block in enumerate(all_blocks(program)):
        for position, op in reversed(list(enumerate(block.ops))):
            yield drop_op, (number, position)
            for side in range(len(op.blocks)):
                yield take_side, (number, position, side)
            if op.kind == 'join':
                for operand in range(len(op.operands)):
                    yield drop_operand, (number, position, operand)
    for number, commands in enumerate(owners_of_commands(program)):
        for position, command in enumerate(commands):
            yield (unwrap_command if command.members else drop_command), (number, position)


def sound(program):
    """Whether on all its paths its values are defined and, of its family, what lacks order is."""
    try:
        found = [hazard for n in range(3) for p in range(2) for hazard in hazards(with_scalars(program, n, p))]
    except (Undefined, KeyError):
        return False
    return not found if program.family == 'ordered' else not any(map(forbidden, found))


def with_scalars(program, n, p):
    calls = [Call(c.function, c.inputs, {**c.scalars, 'n': n, 'p': p}) for c in program.calls]
    return dataclasses.replace(program, calls=calls)


def forbidden(hazard):
    """What isn't a reader and a writer: also racy programs order it."""
    first, first_writes, second, second_writes = hazard
    return first_writes == second_writes or bool({first, second} & {'alloca', 'dealloca', 'import', 'settled'})


def reductions(program):
    """Programs of its family that are one step smaller; their expected values are new."""
    for step, arguments in reduction_steps(program):
        smaller = copy.deepcopy(program)
        if step(smaller, *arguments):
            tidy(smaller)
            if sound(smaller):
                yield smaller


# Command line.

def flaw(program):
    """What is wrong with a program, or None."""
    if not sound(program):
        return f'has undefined values or hazards that aren\'t of the family {program.family}'
    wanted = expected(program)
    names = dict(zip(program.devices, reversed(program.devices)))
    for form, other in {'swapped': swapped(program), 'renamed': renamed(program, names)}.items():
        for results, others in zip(wanted, expected(other), strict=True):
            if not all(map(numpy.array_equal, results, others)):
                return f'has other values when {form}'
    return None


def call_lines(program):
    """The calls as comments."""
    for call, results in zip(program.calls, expected(program)):
        shown = ', '.join(str(i.tolist()) for i in call.inputs)
        yield f'// {call.function}({shown}, {call.scalars}) -> {", ".join(str(r.tolist()) for r in results)}'


def describe(programs):
    return module_text(programs) + ''.join(line + '\n' for p in programs for line in call_lines(p))


def main():
    parser = argparse.ArgumentParser(description='Makes random scheduled programs for several devices.')
    parser.add_argument('seed', type=int)
    parser.add_argument('--count', type=int, default=1, help='programs in the module')
    parser.add_argument('--devices', type=int, choices=(2, 3), default=2)
    parser.add_argument('--family', choices=FAMILIES, help='default: drawn for each program')
    parser.add_argument('--split', action='store_true', help='a module for each program')
    parser.add_argument('--check', action='store_true', help='check the programs instead of writing them')
    parser.add_argument('-o', '--output', type=argparse.FileType('w'), default=sys.stdout)
    options = parser.parse_args()
    programs = [generate(options.seed, i, DEVICES[:options.devices], options.family) for i in range(options.count)]
    if options.check:
        flaws = [f'{p.name} {text}' for p in programs if (text := flaw(p))]
        sys.exit('\n'.join(flaws) or 0)
    options.output.write(split_text(programs) if options.split else describe(programs))


if __name__ == '__main__':
    main()
