#!/usr/bin/env python3
"""Makes random programs for several devices, with the values that numpy says they compute.

  generate_programs.py SEED [--count N] [--devices 2|3] [-o FILE]

A module of N programs at tensor level, for iree-compile: elementwise ops, in-place updates, slices, transfers (fan-out and
chains), loops, branches, calls, mutable globals, result storage of the caller's, results that are pinned elsewhere. The same
seed makes the same text. The calls and the values they should give are written behind it as comments.

As a library: `generate(seed, index, devices)` makes a Program, `module_text(programs)` the module, `expected(program)` what
each call returns, `reductions(program)` smaller programs, to shrink one that fails, and `swapped(program)` one that means the
same.

All arithmetic is exact: integers wrap, floats are small integers that are kept in bounds.
"""
import argparse
import copy
import dataclasses
import random
import re
import sys

import numpy

DEVICES = ('dev_a', 'dev_b', 'dev_c')
ELEMENTS = {'i32': numpy.int32, 'i8': numpy.int8, 'f32': numpy.float32}
SIZES = (4, 8, 12, 16, 40, 64, 300)
FLOAT_LIMIT = 512
MAX_DEPTH = 2
FUNCTIONS = {'add': numpy.add, 'sub': numpy.subtract, 'mul': numpy.multiply, 'max': numpy.maximum, 'min': numpy.minimum}
INTEGER_OPS = {'add': 'addi', 'sub': 'subi', 'mul': 'muli', 'max': 'maxsi', 'min': 'minsi'}
FLOAT_OPS = {'add': 'addf', 'sub': 'subf', 'mul': 'mulf', 'max': 'maximumf', 'min': 'minimumf'}
# Every function takes these: a trip count, an offset and a choice, as i32.
SCALARS = ('n', 'k', 'p')
PRELUDE = ['%n_index = arith.index_cast %n : i32 to index', '%k_index = arith.index_cast %k : i32 to index',
           '%zero = arith.constant 0 : i32', '%one = arith.constant 1 : i32', '%c0 = arith.constant 0 : index',
           '%c1 = arith.constant 1 : index', '%p_bit = arith.cmpi ne, %p, %zero : i32',
           '%p_not = arith.cmpi eq, %p, %zero : i32']


# The program.

@dataclasses.dataclass(frozen=True)
class Type:
    element: str
    size: int
    dynamic: bool = False

    def __str__(self):
        return f'tensor<{"?" if self.dynamic else self.size}x{self.element}>'

    @property
    def dims(self):
        return '{%dim}' if self.dynamic else ''


@dataclasses.dataclass(eq=False)
class Value:
    name: str
    type: Type
    device: str

    def __str__(self):
        return self.name


@dataclasses.dataclass(eq=False)
class Block:
    arguments: list
    ops: list = dataclasses.field(default_factory=list)
    yields: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass(eq=False)
class Op:
    kind: str
    operands: list
    results: list
    data: dict = dataclasses.field(default_factory=dict)
    blocks: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass(eq=False)
class Global:
    name: str
    type: Type
    device: str  # or None
    values: numpy.ndarray
    mutable: bool
    initializer: Block = None  # computes the first value


@dataclasses.dataclass(eq=False)
class Function:
    name: str
    body: Block
    result_devices: list = None  # None: private, called by others; else a device or None for each result
    storage: int = None  # the result that goes to storage which the caller gives

    @property
    def public(self):
        return self.result_devices is not None


@dataclasses.dataclass
class Call:
    function: str
    inputs: list  # arrays; an index in place of one: the same buffer as that argument
    scalars: dict


@dataclasses.dataclass(eq=False)
class Program:
    name: str
    devices: tuple
    globals: list
    functions: list
    calls: list

    def function(self, name):
        return next(f for f in self.functions if f.name == name)


# As text.

def promise(device):
    return f'#hal.device.promise<@{device}>'


def dense(values):
    flat = [f'{v:.1f}' if values.dtype == numpy.float32 else str(v) for v in values]
    return f'dense<{flat[0]}>' if len(set(flat)) == 1 else f'dense<[{", ".join(flat)}]>'


def offset_text(op):
    return '%k_index' if op.data['offset'] is None else f'%c{op.results[0].name[1:]}_at'


def offset_lines(op):
    return [] if op.data['offset'] is None else [f'{offset_text(op)} = arith.constant {op.data["offset"]} : index']


def scalar_lines(function, element, result):
    """The body of a linalg.generic over %x and %y."""
    if element != 'f32':
        return [f'{result} = arith.{INTEGER_OPS[function]} %x, %y : {element}']
    return [f'%raw = arith.{FLOAT_OPS[function]} %x, %y : f32',
            f'%high = arith.constant {FLOAT_LIMIT}.0 : f32', f'%low = arith.constant -{FLOAT_LIMIT}.0 : f32',
            '%below = arith.minimumf %raw, %high : f32', f'{result} = arith.maximumf %below, %low : f32']


def generic(result, inputs, init, function):
    """A dispatch: `init` is its second input where `inputs` has one element, else only a shape."""
    element = init.type.element
    count = len(inputs) + 1
    names = ['%x', '%y'] if count == 2 else ['%x', '%y', '%unused']
    maps = ', '.join(['affine_map<(i) -> (i)>'] * count)
    types = ', '.join(str(v.type) for v in inputs)
    return [f'{result} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}} '
            f'ins({", ".join(map(str, inputs))} : {types}) outs({init} : {init.type}) {{',
            f'^bb0({", ".join(f"{n}: {element}" for n in names)}):', *scalar_lines(function, element, '%z'),
            f'linalg.yield %z : {element}', f'}} -> {init.type}']


def emit_elementwise(op):
    result, (x, y) = op.results[0], op.operands
    if x.type.element != 'f32':
        return [f'{result} = arith.{INTEGER_OPS[op.data["function"]]} {x}, {y} : {x.type}']
    empty = Value(f'{result}_empty', x.type, None)
    dims = '%dim' if x.type.dynamic else ''
    return [f'{empty} = tensor.empty({dims}) : {x.type}', *generic(result, [x, y], empty, op.data['function'])]


def emit_accumulate(op):
    into, value = op.operands
    return generic(op.results[0], [value], into, op.data['function'])


def emit_constant(op):
    return [f'{op.results[0]} = arith.constant {dense(op.data["values"])} : {op.results[0].type}']


def emit_splat(op):
    result, element = op.results[0], op.results[0].type.element
    value = f'{op.data["value"]}.0' if element == 'f32' else op.data['value']
    return [f'{result}_fill = arith.constant {value} : {element}',
            f'{result} = flow.tensor.splat {result}_fill : {result.type}{result.type.dims}']


def emit_transfer(op):
    result, value = op.results[0], op.operands[0]
    if not op.data.get('reshape'):
        return [f'{result} = flow.tensor.transfer {value} : {value.type}{value.type.dims} to {promise(result.device)}']
    wide = f'tensor<2x{value.type.size // 2}x{value.type.element}>'
    return [f'{result}_2d = tensor.expand_shape {value} [[0, 1]] output_shape [2, {value.type.size // 2}] : '
            f'{value.type} into {wide}',
            f'{result}_moved = flow.tensor.transfer {result}_2d : {wide} to {promise(result.device)}',
            f'{result} = tensor.collapse_shape {result}_moved [[0, 1]] : {wide} into {value.type}']


def emit_barrier(op):
    return [f'{op.results[0]} = util.optimization_barrier {op.operands[0]} : {op.operands[0].type}']


def emit_update(op):
    result, (target, patch) = op.results[0], op.operands
    if op.data['flow']:
        return offset_lines(op) + [f'{result} = flow.tensor.update {patch}, {target}[{offset_text(op)}] : {patch.type} -> '
                                   f'{target} as {target.type}{target.type.dims}']
    return offset_lines(op) + [f'{result} = tensor.insert_slice {patch} into {target}[{offset_text(op)}] '
                               f'[{patch.type.size}] [1] : {patch.type} into {target.type}']


def emit_slice(op):
    result, value = op.results[0], op.operands[0]
    if op.data['flow']:
        return offset_lines(op) + [f'{result}_size = arith.constant {result.type.size} : index',
                                   f'{result} = flow.tensor.slice {value}[{offset_text(op)} for {result}_size] : '
                                   f'{value.type}{value.type.dims} -> {result.type}']
    return offset_lines(op) + [f'{result} = tensor.extract_slice {value}[{offset_text(op)}] [{result.type.size}] [1] : '
                               f'{value.type} to {result.type}']


def emit_select(op):
    x, y = op.operands
    return [f'{op.results[0]} = arith.select %p_bit, {x}, {y} : {x.type}']


def names(values):
    return ', '.join(map(str, values))


def types(values):
    return ', '.join(str(v.type) for v in values)


def emit_for(op):
    pairs = ', '.join(f'{a} = {v}' for a, v in zip(op.blocks[0].arguments, op.operands))
    label = op.results[0].name[1:]
    count = '%n_index' if op.data['count'] is None else f'%trips_{label}'
    lines = [] if op.data['count'] is None else [f'{count} = arith.constant {op.data["count"]} : index']
    return lines + [f'{names(op.results)} = scf.for %i_{label} = %c0 to {count} step %c1 iter_args({pairs}) -> '
                    f'({types(op.operands)}) {{', *emit_body(op.blocks[0], 'scf.yield'), '}']


def emit_while(op):
    body = op.blocks[0]
    label = op.results[0].name[1:]
    tested = [Value(f'{a}_tested', a.type, a.device) for a in body.arguments]
    pairs = ', '.join(f'{a} = {v}' for a, v in zip(tested, op.operands))
    signature = f'i32, {types(op.operands)}'
    arguments = ', '.join(f'{a}: {a.type}' for a in body.arguments)
    return [f'%turn_{label}, {names(op.results)} = scf.while (%i_{label} = %zero, {pairs}) : '
            f'({signature}) -> ({signature}) {{', f'%go = arith.cmpi slt, %i_{label}, %n : i32',
            f'scf.condition(%go) %i_{label}, {names(tested)} : {signature}', '} do {', f'^bb0(%j_{label}: i32, {arguments}):',
            f'%j_next_{label} = arith.addi %j_{label}, %one : i32', *emit_ops(body.ops),
            f'scf.yield %j_next_{label}, {names(body.yields)} : {signature}', '}']


def emit_if(op):
    condition = '%p_not' if op.data.get('turned') else '%p_bit'
    return [f'{names(op.results)} = scf.if {condition} -> ({types(op.results)}) {{', *emit_body(op.blocks[0], 'scf.yield'),
            '} else {', *emit_body(op.blocks[1], 'scf.yield'), '}']


def emit_load(op):
    return [f'{op.results[0]} = util.global.load @{op.data["global"]} : {op.results[0].type}']


def emit_store(op):
    return [f'util.global.store {op.operands[0]}, @{op.data["global"]} : {op.operands[0].type}']


def emit_call(op):
    scalars = ', '.join(f'%{s}' for s in SCALARS)
    return [f'{names(op.results)} = util.call @{op.data["function"]}({names(op.operands)}, {scalars}) : '
            f'({types(op.operands)}, i32, i32, i32) -> ({types(op.results)})']


def emit_ops(ops):
    return ['  ' + line for op in ops for line in KINDS[op.kind][0](op)]


def emit_body(block, terminator):
    return emit_ops(block.ops) + [f'  {terminator} {names(block.yields)} : {types(block.yields)}']


def named_results(lines):
    """`%a, %b = op` isn't MLIR: makes it `%b_group:2 = op`, and uses of %a and %b those of its parts."""
    parts, result = {}, []
    for line in lines:
        match = re.match(r'(\s*)(%\w+(?:, %\w+)+) = ', line)
        if match:
            names_of = match.group(2).split(', ')
            group = f'{names_of[-1]}_group'
            parts.update({name: f'{group}#{i}' for i, name in enumerate(names_of)})
            line = f'{match.group(1)}{group}:{len(names_of)} = {line[match.end():]}'
        result.append(line)
    return [re.sub(r'%\w+', lambda m: parts.get(m.group(), m.group()), line) for line in result]


def emit_prelude(block):
    dynamic = next((a for a in block.arguments if a.type.dynamic), None)
    lines = PRELUDE + ([f'%dim = tensor.dim {dynamic}, %c0 : {dynamic.type}'] if dynamic else [])
    return ['  ' + line for line in lines]


def emit_private(function):
    block = function.body
    arguments = ', '.join(f'{a}: {a.type}' for a in block.arguments)
    return [f'util.func private @{function.name}({arguments}, %n: i32, %k: i32, %p: i32) -> ({types(block.yields)}) '
            'attributes {inlining_policy = #util.inline.never} {', *emit_prelude(block), *emit_body(block, 'util.return'), '}']


def affinity(device):
    return f' {{iree.abi.affinity = {promise(device)}}}' if device else ''


def emit_public(function):
    block = function.body
    arguments = [f'{a}: {a.type}{affinity(a.device)}' for a in block.arguments] + [f'%{s}: i32' for s in SCALARS]
    if function.storage is not None:
        arguments.append(f'%storage: !hal.buffer {{iree.abi.output = {function.storage} : index}}')
    results = ', '.join(f'{v.type}{affinity(d)}' for v, d in zip(block.yields, function.result_devices))
    return [f'func.func @{function.name}({", ".join(arguments)}) -> ({results}) {{', *emit_prelude(block),
            *emit_body(block, 'return'), '}']


def emit_global(item):
    attributes = f' {{stream.affinity = {promise(item.device)}}}' if item.device else ''
    head = f'util.global private {"mutable " if item.mutable else ""}@{item.name}{attributes}'
    if not item.initializer:
        return [f'{head} = {dense(item.values)} : {item.type}']
    block = item.initializer
    return [f'{head} : {item.type}', 'util.initializer {', *emit_ops(block.ops),
            f'  util.global.store {block.yields[0]}, @{item.name} : {item.type}', '  util.return', '}']


def program_lines(program):
    lines = [line for item in program.globals for line in emit_global(item)]
    for function in program.functions:
        lines += named_results(emit_public(function) if function.public else emit_private(function))
    return lines


def module_text(programs):
    lines = [line for program in programs for line in program_lines(program)]
    return '\n'.join(['module {', *['  ' + line for line in lines], '}', ''])


# As numpy computes it.

class Evaluation:
    """The state of a program: its globals, and the scalars of the call at hand."""

    def __init__(self, program):
        self.program = program
        self.scalars = {s: 0 for s in SCALARS}
        self.globals = {}
        for item in program.globals:
            self.globals[item.name] = self.block(item.initializer, [])[0] if item.initializer else item.values

    def call(self, call):
        self.scalars = call.scalars
        inputs = [call.inputs[i] if isinstance(i, int) else i for i in call.inputs]
        return self.block(self.program.function(call.function).body, inputs)

    def block(self, block, arguments, outer=None):
        values = dict(outer or {})
        values.update(zip(block.arguments, arguments))
        for op in block.ops:
            results = KINDS[op.kind][1](self, op, [values[v] for v in op.operands], values)
            values.update(zip(op.results, results))
        return [values[v] for v in block.yields]


def compute(function, x, y):
    result = FUNCTIONS[function](x, y)
    return numpy.clip(result, -FLOAT_LIMIT, FLOAT_LIMIT) if result.dtype == numpy.float32 else result


def offset_of(evaluation, op):
    return evaluation.scalars['k'] if op.data['offset'] is None else op.data['offset']


def evaluate_update(evaluation, op, operands, _):
    result = operands[0].copy()
    at = offset_of(evaluation, op)
    result[at:at + len(operands[1])] = operands[1]
    return [result]


def evaluate_slice(evaluation, op, operands, _):
    at = offset_of(evaluation, op)
    return [operands[0][at:at + op.results[0].type.size]]


def evaluate_loop(evaluation, op, operands, outer):
    trips = op.data.get('count')
    for _ in range(evaluation.scalars['n'] if trips is None else trips):
        operands = evaluation.block(op.blocks[0], operands, outer)
    return operands


def evaluate_if(evaluation, op, _, outer):
    first = bool(evaluation.scalars['p']) != op.data.get('turned', False)
    return evaluation.block(op.blocks[0 if first else 1], [], outer)


def evaluate_store(evaluation, op, operands, _):
    evaluation.globals[op.data['global']] = operands[0]
    return []


def evaluate_splat(_, op, __, ___):
    type = op.results[0].type
    return [numpy.full(type.size, op.data['value'], ELEMENTS[type.element])]


def same(_, __, operands, ___):
    return operands[:1]


# Each kind of op: as text, and as computed.
KINDS = {
    'elementwise': (emit_elementwise, lambda e, op, v, _: [compute(op.data['function'], *v)]),
    'accumulate': (emit_accumulate, lambda e, op, v, _: [compute(op.data['function'], v[1], v[0])]),
    'constant': (emit_constant, lambda e, op, v, _: [op.data['values']]),
    'splat': (emit_splat, evaluate_splat),
    'transfer': (emit_transfer, same),
    'barrier': (emit_barrier, same),
    'update': (emit_update, evaluate_update),
    'slice': (emit_slice, evaluate_slice),
    'select': (emit_select, lambda e, op, v, _: [v[0] if e.scalars['p'] else v[1]]),
    'for': (emit_for, evaluate_loop),
    'while': (emit_while, evaluate_loop),
    'if': (emit_if, evaluate_if),
    'load': (emit_load, lambda e, op, v, _: [e.globals[op.data['global']]]),
    'store': (emit_store, evaluate_store),
    'call': (emit_call, lambda e, op, v, _: e.block(e.program.function(op.data['function']).body, v)),
}


def expected(program):
    """The results of each call, in order."""
    evaluation = Evaluation(program)
    return [evaluation.call(call) for call in program.calls]


# At random.

class Generator:
    """Grows one function; `scope` holds the values that the block at hand can use."""

    def __init__(self, rng, devices, callees, variables):
        self.rng = rng
        self.devices = devices
        self.callees = callees
        self.globals = variables
        self.counter = 0
        self.depth = 0
        self.scope = []
        self.used = set()
        self.parts = set()  # slices, and what is the same memory
        self.block = None

    def value(self, type, device):
        self.counter += 1
        return Value(f'%v{self.counter}', type, device)

    def add(self, kind, operands, type=None, device=None, **data):
        """An op with a result of `type`, or none."""
        results = [self.value(type, device)] if type else []
        self.block.ops.append(Op(kind, operands, results, data))
        self.used.update(operands)
        self.scope += results
        if kind in ('transfer', 'barrier') and operands[0] in self.parts:
            self.parts.add(results[0])
        return results[0] if results else None

    def pick(self, type=None, device=None):
        """A value, more likely a late one; None where there is none."""
        fitting = [v for v in self.scope if (type is None or v.type == type) and (device is None or v.device == device)]
        if not fitting:
            return None
        return fitting[max(self.rng.randrange(len(fitting)), self.rng.randrange(len(fitting)))]

    def other_device(self, device):
        return self.rng.choice([d for d in self.devices if d != device] + [device] * (self.rng.random() < 0.05))

    def array(self, type):
        return random_array(self.rng, type)

    def partner(self, value):
        """A second operand for an op on `value`, mostly on its device."""
        found = self.pick(value.type, value.device)
        if found and (found is not value or self.rng.random() < 0.5):
            return found
        found = self.pick(value.type)
        if self.rng.random() < 0.8:
            return self.transfer(found, value.device) if found.device != value.device else found
        return found

    def transfer(self, value, device):
        reshape = not value.type.dynamic and value.type.size % 2 == 0 and self.rng.random() < 0.08
        return self.add('transfer', [value], value.type, device, reshape=reshape)

    # One method a shape of statement.

    def grow_elementwise(self):
        x = self.pick()
        y = self.partner(x)
        result = self.add('elementwise', [x, y], x.type, x.device, function=self.rng.choice(list(FUNCTIONS)))
        if self.rng.random() < 0.3:
            self.barrier(result)

    def grow_accumulate(self):
        into = self.pick()
        value = self.partner(into)
        self.add('accumulate', [into, value], into.type, into.device, function=self.rng.choice(['add', 'sub', 'max']))

    def grow_transfer(self):
        value = self.pick()
        moved = self.transfer(value, self.other_device(value.device))
        if self.rng.random() < 0.6:
            self.add('elementwise', [moved, self.partner(moved)], moved.type, moved.device, function='add')

    def grow_fan_out(self):
        value = self.pick()
        for _ in range(self.rng.randint(2, 4)):
            moved = self.transfer(value, self.other_device(value.device))
            if self.rng.random() < 0.5:
                self.add('elementwise', [moved, moved], moved.type, moved.device, function=self.rng.choice(['add', 'mul']))
        if self.rng.random() < 0.5:
            self.add('elementwise', [value, value], value.type, value.device, function='mul')

    def grow_chain(self):
        value = self.pick()
        for _ in range(self.rng.randint(2, 3)):
            value = self.transfer(value, self.other_device(value.device))

    def grow_constant(self):
        like = self.pick()
        if like.type.dynamic or self.rng.random() < 0.4:
            self.add('splat', [], like.type, like.device, value=self.rng.randint(-3, 3))
        else:
            self.add('constant', [], like.type, like.device, values=self.array(like.type))

    def grow_barrier(self):
        value = self.pick()
        self.barrier(value)

    def barrier(self, value):
        """Takes the value's place: stock IREE 3.13 updates one in place although the other is read later."""
        self.add('barrier', [value], value.type, value.device)
        self.scope.remove(value)

    def offset(self, whole, part):
        """A constant or, where the largest that a call passes fits, the argument %k."""
        room = whole.size - part
        if self.rng.random() < 0.2 and room >= 2:
            return None
        return self.rng.choice([0, room, self.rng.randint(0, room)])

    def part(self, value):
        size = self.rng.choice([s for s in (1, 2, 4, value.type.size // 2) if 0 < s < value.type.size] or [value.type.size])
        part = self.add('slice', [value], Type(value.type.element, size), value.device,
                        offset=self.offset(value.type, size), flow=self.rng.random() < 0.5)
        self.parts.add(part)
        return part

    def patch(self, target):
        """Made of a part of the target. The bare part would do, but stock IREE 3.13 copies it onto itself in place."""
        part = self.part(target)
        return self.add('elementwise', [part, part], part.type, part.device, function='add')

    def grow_slice(self):
        part = self.part(self.pick())
        if self.rng.random() < 0.5:
            self.transfer(part, self.other_device(part.device))

    def grow_update(self):
        target = self.pick()
        fitting = [v for v in self.scope
                   if not v.type.dynamic and v.type.size < target.type.size and v not in self.parts]
        patch = self.rng.choice(fitting) if fitting and self.rng.random() < 0.8 else self.patch(target)
        if patch.device != target.device and self.rng.random() < 0.8:
            patch = self.transfer(patch, target.device)
        self.add('update', [target, patch], target.type, target.device, offset=self.offset(target.type, patch.type.size),
                 flow=self.rng.random() < 0.5)

    def grow_gather(self):
        """Parts of one value, worked on elsewhere and put back: sub-ranges of slabs."""
        whole = self.pick()
        if whole.type.size < 4:
            return
        size = whole.type.size // self.rng.choice([2, 4])
        away = self.other_device(whole.device)
        result = whole
        for i in range(self.rng.randint(2, whole.type.size // size)):
            part = self.add('slice', [whole], Type(whole.type.element, size), whole.device, offset=i * size, flow=False)
            moved = self.transfer(part, away)
            worked = self.add('elementwise', [moved, moved], moved.type, away, function='add')
            back = self.transfer(worked, whole.device)
            result = self.add('update', [result, back], whole.type, whole.device, offset=i * size, flow=True)

    def change(self, value):
        """A part of the value replaced, in place where nothing reads the old one later."""
        patch = self.patch(value)
        return self.add('update', [value, patch], value.type, value.device, offset=self.offset(value.type, patch.type.size),
                        flow=self.rng.random() < 0.7)

    def read(self, value):
        return self.add('elementwise', [value, value], value.type, value.device, function=self.rng.choice(['add', 'mul']))

    def grow_handoff(self):
        """A transfer, then its source changed in place, then both read: who writes must wait for who reads."""
        source = self.pick()
        moved = self.transfer(source, self.other_device(source.device))
        early = [self.read(moved)] if self.rng.random() < 0.3 else []
        if self.rng.random() < 0.3:
            changed = self.add('accumulate', [source, self.partner(source)], source.type, source.device, function='add')
        else:
            changed = self.change(source)
        if self.rng.random() < 0.4:
            self.grow(1)
        readers = [moved, changed] + early
        self.rng.shuffle(readers)
        for value in readers[:self.rng.randint(1, len(readers))]:
            self.read(value)

    def grow_carried_handoff(self):
        """A loop that hands a value over and changes it for its next turn."""
        state = self.pick()
        total = self.pick(state.type)
        outer, scope = self.block, list(self.scope)
        arguments = [self.value(v.type, v.device) for v in (state, total)]
        self.block = Block(arguments)
        self.scope += arguments
        self.depth += 1
        moved = self.transfer(arguments[0], self.other_device(state.device))
        changed = self.change(arguments[0])
        self.grow(self.rng.randint(0, 1))
        away = arguments[1]
        if away.device != moved.device and self.rng.random() < 0.5:
            away = self.transfer(away, moved.device)
        total_next = self.add('elementwise', [away, moved], moved.type, moved.device, function='add')
        self.depth -= 1
        self.block.yields = [changed, total_next]
        self.used.update(self.block.yields)
        body, self.block, self.scope = self.block, outer, scope
        self.close_loop(self.rng.choice(['for', 'while']), [state, total], body)

    def grow_global_handoff(self):
        """A mutable global handed over, changed and stored: the next call changes what this one's reader may still need."""
        item = self.rng.choice([g for g in self.globals if g.mutable] or [None])
        if not item:
            return
        device = item.device or self.devices[0]
        loaded = self.add('load', [], item.type, device, **{'global': item.name})
        moved = self.transfer(loaded, self.other_device(device))
        changed = self.change(loaded)
        self.add('store', [changed], **{'global': item.name})
        self.read(moved)
        if self.rng.random() < 0.3:
            self.read(self.add('load', [], item.type, device, **{'global': item.name}))

    def grow_select(self):
        x = self.pick()
        self.add('select', [x, self.partner(x)], x.type, x.device)

    def grow_load(self):
        if self.globals:
            item = self.rng.choice(self.globals)
            loaded = self.add('load', [], item.type, item.device or self.devices[0], **{'global': item.name})
            if self.rng.random() < 0.5:
                self.transfer(loaded, self.other_device(loaded.device))

    def grow_store(self):
        """Mostly of a value that comes from the global, changed in place."""
        item = self.rng.choice([g for g in self.globals if g.mutable] or [None])
        if not item:
            return
        device = item.device or self.devices[0]
        value = self.pick(item.type, device)
        if not value or self.rng.random() < 0.5:
            value = self.add('load', [], item.type, device, **{'global': item.name})
            patch = self.patch(value)
            value = self.add('update', [value, patch], item.type, device, offset=self.offset(item.type, patch.type.size),
                             flow=True)
        self.add('store', [value], **{'global': item.name})

    def grow_call(self):
        fitting = [f for f in self.callees if all(self.pick(a.type) for a in f.body.arguments)]
        if not fitting:
            return
        callee = self.rng.choice(fitting)
        operands = [self.pick(a.type, a.device) or self.pick(a.type) for a in callee.body.arguments]
        if self.rng.random() < 0.3:  # one buffer for all arguments that it fits
            operands = [operands[0] if o.type == operands[0].type else o for o in operands]
        for _ in range(self.rng.choice([1, 1, 2])):
            results = [self.value(v.type, v.device) for v in callee.body.yields]
            self.block.ops.append(Op('call', operands, results, {'function': callee.name}))
            self.used.update(operands)
            self.scope += results

    def nested(self, arguments, types):
        """A block of a few statements that yields values of these types."""
        outer, scope = self.block, list(self.scope)
        self.block = Block(arguments)
        self.scope += arguments
        self.depth += 1
        self.grow(self.rng.randint(1, 4))
        self.depth -= 1
        self.block.yields = [self.pick(type) for type in types]
        self.used.update(self.block.yields)
        block, self.block, self.scope = self.block, outer, scope
        return block

    def grow_loop(self):
        initial = [self.pick() for _ in range(self.rng.randint(1, 2))]
        body = self.nested([self.value(v.type, v.device) for v in initial], [v.type for v in initial])
        self.close_loop(self.rng.choice(['for', 'while']), initial, body)

    def close_loop(self, kind, initial, body):
        results = [self.value(v.type, v.device) for v in body.yields]
        count = self.rng.choice([None, 1, 2, 3]) if kind == 'for' else None
        self.block.ops.append(Op(kind, initial, results, {'count': count}, [body]))
        self.used.update(initial)
        self.scope += results

    def grow_if(self):
        wanted = [self.pick().type for _ in range(self.rng.randint(1, 2))]
        blocks = [self.nested([], wanted), self.nested([], wanted)]
        results = [self.value(v.type, v.device) for v in blocks[0].yields]
        self.block.ops.append(Op('if', [], results, {}, blocks))
        self.scope += results

    def grow(self, count):
        weights = {self.grow_elementwise: 4, self.grow_transfer: 4, self.grow_fan_out: 2, self.grow_chain: 2,
                   self.grow_update: 3, self.grow_slice: 2, self.grow_gather: 1, self.grow_constant: 1, self.grow_barrier: 1,
                   self.grow_accumulate: 2, self.grow_select: 1, self.grow_load: 1, self.grow_store: 1, self.grow_call: 2,
                   self.grow_handoff: 6, self.grow_global_handoff: 4}
        if self.depth < MAX_DEPTH:
            weights.update({self.grow_loop: 1, self.grow_if: 1, self.grow_carried_handoff: 2})
        for _ in range(count):
            self.rng.choices(list(weights), list(weights.values()))[0]()

    def results(self, limit):
        """Mostly values that nothing uses yet, so that little is dead."""
        fresh = [v for v in self.scope if v not in self.used] or self.scope
        chosen = self.rng.sample(fresh, min(len(fresh), self.rng.randint(1, limit)))
        if self.rng.random() < 0.3:
            chosen.append(self.pick())
        return chosen

    def body(self, arguments, statements, limit):
        self.block = Block(arguments)
        self.scope = list(arguments)
        self.grow(statements)
        self.block.yields = self.results(limit)
        return self.block


def random_array(rng, type):
    return numpy.array([rng.randint(-9, 9) for _ in range(type.size)], ELEMENTS[type.element])


def make_global(rng, name, devices, type):
    device = rng.choice(devices + (None,))
    item = Global(name, type, device, random_array(rng, type), rng.random() < 0.75)
    if rng.random() < 0.25:
        generator = Generator(rng, devices, [], [])
        block = generator.block = Block([])
        first = generator.add('constant', [], type, device or devices[0], values=random_array(rng, type))
        moved = generator.transfer(first, generator.other_device(first.device))
        block.yields = [generator.add('elementwise', [moved, moved], type, moved.device, function='add')]
        item.initializer = block
    return item


def make_private(rng, name, devices, types, variables):
    generator = Generator(rng, devices, [], variables)
    generator.depth = 1
    arguments = [generator.value(rng.choice(types), rng.choice(devices)) for _ in range(rng.randint(1, 2))]
    return Function(name, generator.body(arguments, rng.randint(1, 4), 2))


def make_public(rng, name, devices, types, variables, callees):
    generator = Generator(rng, devices, callees, variables)
    arguments = [generator.value(rng.choice(types), rng.choice(devices)) for _ in range(rng.randint(1, 3))]
    body = generator.body(arguments, rng.randint(2, 7), 4)
    pinned = [rng.choices([v.device, rng.choice(devices), None], [6, 3, 1])[0] for v in body.yields]
    static = [i for i, v in enumerate(body.yields) if not v.type.dynamic]
    storage = rng.choice(static) if static and rng.random() < 0.15 else None
    return Function(name, body, pinned, storage)


def make_call(rng, function):
    inputs = []
    for argument in function.body.arguments:
        twins = [i for i, other in enumerate(function.body.arguments[:len(inputs)])
                 if other.type == argument.type and not isinstance(inputs[i], int)]
        inputs.append(rng.choice(twins) if twins and rng.random() < 0.3 else random_array(rng, argument.type))
    return Call(function.name, inputs, {'n': rng.randint(0, 3), 'k': rng.randint(0, 2), 'p': rng.randint(0, 1)})


def generate(seed, index=0, devices=DEVICES[:2]):
    """The program of a seed and an index, on these devices."""
    rng = random.Random(f'{seed}/{index}')
    name = f'p{index}'
    whole = Type(rng.choice(['i32', 'i32', 'f32', 'i8']), rng.choice(SIZES))
    types = [whole] * 3 + [Type(whole.element, rng.choice([2, 4]))]
    variables = [make_global(rng, f'{name}_g{i}', devices, rng.choice(types)) for i in range(rng.choice([0, 0, 1, 2]))]
    if rng.random() < 0.25:
        types += [Type(whole.element, whole.size, True)] * 6
    callees = [make_private(rng, f'{name}_callee{i}', devices, types, variables) for i in range(rng.choice([0, 0, 1, 2]))]
    public = [make_public(rng, f'{name}_f{i}', devices, types, variables, callees) for i in range(rng.choice([1, 1, 2]))]
    calls = [make_call(rng, rng.choice(public)) for _ in range(3)]
    return Program(name, devices, variables, callees + public, calls)


# The same in other words.

def swapped(program):
    """The program with the ways of its branches changed over, and their conditions turned round."""
    result = copy.deepcopy(program)
    for block, _ in all_blocks(result):
        for op in block.ops:
            if op.kind == 'if':
                op.blocks.reverse()
                op.data['turned'] = not op.data.get('turned', False)
    return result


# Smaller.

def all_blocks(program):
    """Each block, with the values from outside that it can use."""
    def inside(block, outer):
        yield block, outer
        visible = outer + block.arguments
        for op in block.ops:
            for inner in op.blocks:
                yield from inside(inner, visible)
            visible = visible + op.results
    for function in program.functions:
        yield from inside(function.body, [])
    for item in program.globals:
        if item.initializer:
            yield from inside(item.initializer, [])


def substitute(program, old, new):
    for block, _ in all_blocks(program):
        block.yields = [new if v is old else v for v in block.yields]
        for op in block.ops:
            op.operands = [new if v is old else v for v in op.operands]


def drop_op(program, block_number, op_number):
    """Without an op: what it gave is taken from its operands, or else from what was there before. False where none fits."""
    block, outer = list(all_blocks(program))[block_number]
    op = block.ops[op_number]
    before = op.operands + [r for o in block.ops[:op_number] for r in o.results][::-1] + block.arguments + outer
    for result in op.results:
        instead = next((v for v in before if v.type == result.type), None)
        if not instead:
            return False
        substitute(program, result, instead)
    del block.ops[op_number]
    return True


def unwrap_op(program, block_number, op_number):
    """A loop or branch replaced by its (first) body."""
    block, _ = list(all_blocks(program))[block_number]
    op = block.ops[op_number]
    inner = op.blocks[0]
    block.ops[op_number:op_number + 1] = inner.ops
    for argument, value in zip(inner.arguments, op.operands):
        substitute(program, argument, value)
        inner.yields = [value if v is argument else v for v in inner.yields]
    for result, value in zip(op.results, inner.yields):
        substitute(program, result, value)
    return True


def drop_result(program, function_number, result_number):
    function = program.functions[function_number]
    if len(function.body.yields) < 2 or function.storage is not None:
        return False
    del function.body.yields[result_number]
    del function.result_devices[result_number]
    return True


def drop_storage(program, function_number):
    program.functions[function_number].storage = None
    return True


def drop_call(program, number):
    del program.calls[number]
    return bool(program.calls)


def drop_unused(program):
    """Without functions, globals and arguments that nothing uses."""
    ops = [op for block, _ in all_blocks(program) for op in block.ops]
    wanted = {c.function for c in program.calls} | {op.data.get('function') for op in ops if op.kind == 'call'}
    program.functions = [f for f in program.functions if f.name in wanted]
    program.globals = [g for g in program.globals if g.name in {op.data.get('global') for op in ops}]


def reduction_steps(program):
    for number in range(len(program.calls)):
        yield drop_call, (number,)
    for number, function in enumerate(program.functions):
        if function.public:
            yield drop_storage, (number,)
            for result in range(len(function.body.yields)):
                yield drop_result, (number, result)
    for number, (block, _) in enumerate(all_blocks(program)):
        for position in reversed(range(len(block.ops))):
            yield drop_op, (number, position)
            if block.ops[position].blocks:
                yield unwrap_op, (number, position)


def reductions(program):
    """Programs that are one step smaller; their expected values are new."""
    for step, arguments in reduction_steps(program):
        smaller = copy.deepcopy(program)
        if step is drop_storage and program.functions[arguments[0]].storage is None:
            continue
        if step(smaller, *arguments):
            drop_unused(smaller)
            yield smaller


# Command line.

def call_lines(program):
    """The calls as comments."""
    for call, results in zip(program.calls, expected(program)):
        shown = [f'like {i}' if isinstance(i, int) else str(i.tolist()) for i in call.inputs]
        yield f'// {call.function}({", ".join(shown)}, {call.scalars}) -> {", ".join(str(r.tolist()) for r in results)}'


def describe(programs):
    return module_text(programs) + ''.join(line + '\n' for p in programs for line in call_lines(p))


def main():
    parser = argparse.ArgumentParser(description='Makes random programs for several devices.')
    parser.add_argument('seed', type=int)
    parser.add_argument('--count', type=int, default=1, help='programs in the module')
    parser.add_argument('--devices', type=int, choices=(2, 3), default=2)
    parser.add_argument('-o', '--output', type=argparse.FileType('w'), default=sys.stdout)
    options = parser.parse_args()
    programs = [generate(options.seed, i, DEVICES[:options.devices]) for i in range(options.count)]
    options.output.write(describe(programs))


if __name__ == '__main__':
    main()
