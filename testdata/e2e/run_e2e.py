#!/usr/bin/env python3
"""End-to-end checks of one model: compile, rewrite, compile on, run, compare.

  run_e2e.py run MODEL          values, counts and commands of stock and rewritten programs, against expectations.json
  run_e2e.py dispatch MODEL     stock values on local-task with --maintenance=dispatch, where there is maintenance
  run_e2e.py ends MODEL         local-task has results each time, though its workers lag behind
  run_e2e.py invariants MODEL   what must not change doesn't: no topology, a second run of the tool
  run_e2e.py measure MODEL...   prints what expectations.json would hold
"""
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent.parent / 'scripts'))
import zc_e2e  # noqa: E402  (found by the line above)

ROUTES = ('scheduled', 'flow')
UNCHANGED = 'stock'  # in expectations.json: all counts are those of the stock program
# These have accesses that stock leaves unordered: they are ordered without a topology too.
ORDERED = ('war_across_devices',)
# Links that are coherent in one direction only are for these.
MATRIX = ('chain', 'in_place', 'loop_branch_state', 'matmul_constants', 'three_devices', 'two_consumers')


def topologies_of(model):
    """Those of `model`: 'none' is no topology at all, 'discrete' one in which no memory is shared."""
    if len(model.devices) < 2:
        return ['none', 'discrete']
    one_way = [name for name, (there, back) in zc_e2e.COHERENCE.items() if there != back]
    return ['none', 'discrete'] + [name for name in zc_e2e.COHERENCE if model.name in MATRIX or name not in one_way]


def topology_file(name, model, folder):
    return None if name == 'none' else zc_e2e.write_topology(name, model.devices, folder)


def without_topology(text):
    """The text without the `stream.topology` attribute: the rest must not tell that there was one."""
    start = text.find('stream.topology = #hal.device.topology<')
    if start < 0:
        return text
    depth, end = 0, text.index('<', start)
    for end in range(end, len(text)):
        depth += {'<': 1, '>': -1 if text[end - 1] != '-' else 0}.get(text[end], 0)
        if depth == 0:
            break
    before, after = text[:start], text[end + 1:]
    before, after = (before[:-2], after) if before.endswith(', ') else (before, after.removeprefix(', '))
    return re.sub(r' attributes \{\}', '', before + after, count=1)


class Measured:
    """A program at stream level: its counts, and the outcome of each of the model's calls."""

    def __init__(self, model, source, folder):
        self.text = without_topology(source.read_text())
        program = zc_e2e.compile_on(model, source, folder / 'program.vmfb')
        self.outcomes = [zc_e2e.execute(program, run, folder) for run in model.runs]
        self.commands = None if zc_e2e.can_be_recorded(program) else zc_e2e.read_commands(program)

    def summary(self):
        counts = zc_e2e.count_text(self.text)
        if self.commands:
            return {**counts, 'commands': self.commands}
        calls = [{key: o.record[key] for key in ('copies', 'copied_bytes', 'allocations')} for o in self.outcomes]
        return {**counts, 'calls': calls}


def compile_inputs(model, folder, backend='vmvx'):
    return {'scheduled': zc_e2e.compile_to(model, 'stream', folder / 'stream.mlir', backend),
            'flow': zc_e2e.compile_to(model, 'flow', folder / 'flow.mlir', backend)}


def measure(model, folder):
    """All variants: 'stock', and (topology, route). A program that was run already is not run again."""
    for run in model.runs:
        zc_e2e.vary_inputs(run, folder)
    inputs = compile_inputs(model, folder)
    found = {'stock': Measured(model, inputs['scheduled'], folder)}
    for topology, route in itertools.product(topologies_of(model), ROUTES):
        try:
            found[topology, route] = measure_rewritten(model, inputs[route], topology, found, folder)
        except zc_e2e.Failed as failure:
            raise zc_e2e.Failed(f'{model.name}: {topology} {route}: {failure}') from None
    return found


def measure_rewritten(model, source, topology, found, folder):
    output = zc_e2e.rewrite(source, folder / 'rewritten.mlir', topology_file(topology, model, folder))
    text = without_topology(output.read_text())
    known = next((m for m in found.values() if m.text == text), None)
    return known or Measured(model, output, folder)


def misplaced(commands):
    """What of a command buffer's maintenance isn't apart from the work that it belongs to, by barriers."""
    steps = [step.split(', ') for step in commands.split(' | ')]
    return [step for step in steps if {'flush', 'invalidate'} & set(step) and set(step) - {'flush', 'invalidate'}]


def check_run(model, folder):
    """Problems, as lines."""
    expected = json.loads((HERE / 'expectations.json').read_text())[model.name]
    found = measure(model, folder)
    stock = found['stock'].summary()
    problems = [] if stock == expected['stock'] else [f'stock: expected {expected["stock"]}, found {stock}']
    for variant in [v for v in found if v != 'stock']:
        wanted = expected[variant[0]][variant[1]]
        wanted = expected['stock'] if wanted == UNCHANGED else wanted
        summary = found[variant].summary()
        if summary != wanted:
            problems.append(f'{" ".join(variant)}: expected {wanted}, found {summary}')
        for commands in found[variant].commands or []:
            if misplaced(commands):
                problems.append(f'{" ".join(variant)}: no barrier: {commands}')
        for run, right, outcome in zip(model.runs, found['stock'].outcomes, found[variant].outcomes):
            difference = zc_e2e.differences(right.outputs, outcome.outputs)
            if difference:
                problems.append(f'{" ".join(variant)}: {run.function}: {difference}')
    return problems


def check_dispatch(model, folder):
    """Problems, as lines. Kernels that clean caches are machine code, and run on drivers without flush and invalidate."""
    for run in model.runs:
        zc_e2e.vary_inputs(run, folder)
    inputs = compile_inputs(model, folder, 'llvm-cpu')
    program = zc_e2e.compile_on(model, inputs['scheduled'], folder / 'program.vmfb', 'llvm-cpu')
    stock = [zc_e2e.results_of(program, run, folder) for run in model.runs]
    for run in model.runs:
        run.devices = ['local-task'] * len(run.devices)
    problems, seen = [], set()
    for topology, route in itertools.product(topologies_of(model), ROUTES):
        output = zc_e2e.rewrite(inputs[route], folder / 'rewritten.mlir', topology_file(topology, model, folder),
                                maintenance='dispatch')
        text = without_topology(output.read_text())
        if text in seen or 'zc.maintenance' not in text:
            continue
        seen.add(text)
        program = zc_e2e.compile_on(model, output, folder / 'program.vmfb', 'llvm-cpu')
        for run, right in zip(model.runs, stock):
            difference = zc_e2e.differences(right, zc_e2e.results_of(program, run, folder))
            if difference:
                problems.append(f'{topology} {route}: {run.function} on local-task: {difference}')
    return problems if seen else ['no maintenance']


def check_ends(model, folder):
    """Problems, as lines. On a busy processor a worker may still hold memory of the other device when all is signalled."""
    inputs = compile_inputs(model, folder, 'llvm-cpu')
    output = zc_e2e.rewrite(inputs['scheduled'], folder / 'rewritten.mlir', topology_file('coherent', model, folder))
    program = zc_e2e.compile_on(model, output, folder / 'program.vmfb', 'llvm-cpu')
    run = model.runs[0]
    right = zc_e2e.results_of(program, run, folder)
    run.devices = ['local-task'] * len(run.devices)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    busy = subprocess.Popen([sys.executable, '-c', 'while True: pass'])
    try:
        outputs = [zc_e2e.results_of(program, run, folder) for _ in range(20)]
    finally:
        busy.kill()
        busy.wait()
    return [difference for output in outputs if (difference := zc_e2e.differences(right, output))]


def first_difference(expected, actual):
    for number, (a, b) in enumerate(zip(expected.splitlines(), actual.splitlines()), 1):
        if a != b:
            return f'line {number}:\n  {a}\n  {b}'
    return 'one is longer'


def check_invariants(model, folder):
    """Problems, as lines."""
    iree = HERE.parent / 'iree'
    stream, flow = iree / f'{model.name}.stream.mlir', iree / f'{model.name}.flow.mlir'
    stock = {'scheduled': zc_e2e.reprint(stream),
             'flow': zc_e2e.reprint(zc_e2e.flow_to_stream(model, flow, folder / 'stock.mlir'))}
    problems = []
    for topology in topologies_of(model):
        file = topology_file(topology, model, folder)
        for route, source in zip(ROUTES, (stream, flow)):
            name = f'{topology} {route}'
            once = zc_e2e.rewrite(source, folder / 'once.mlir', file).read_text()
            same = topology in ('none', 'discrete') and model.name not in ORDERED
            if same and without_topology(once) != stock[route]:
                problems.append(f'{name}: not as stock, {first_difference(stock[route], without_topology(once))}')
            for again in {None, file}:
                twice = zc_e2e.rewrite(folder / 'once.mlir', folder / 'twice.mlir', again).read_text()
                if twice != once:
                    problems.append(f'{name}: the second run changes {first_difference(once, twice)}')
    return problems


def summaries(model, folder):
    found = measure(model, folder)
    stock = found['stock'].summary()
    result = {'stock': stock}
    for topology, route in [v for v in found if v != 'stock']:
        summary = found[topology, route].summary()
        result.setdefault(topology, {})[route] = UNCHANGED if summary == stock else summary
    return result


def print_summaries(models):
    """As JSON, a line for each set of counts."""
    def lines(value, indent):
        nested = isinstance(value, dict) and any(isinstance(inner, dict) for inner in value.values())
        if not nested:
            return json.dumps(value)
        inner = [f'{indent} {json.dumps(key)}: {lines(part, indent + " ")}' for key, part in value.items()]
        return '{\n' + ',\n'.join(inner) + f'\n{indent}}}'
    print(lines(models, ''))


CHECKS = {'run': check_run, 'dispatch': check_dispatch, 'ends': check_ends, 'invariants': check_invariants}


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in (*CHECKS, 'measure'):
        sys.exit(__doc__)
    models = [zc_e2e.Model(HERE / 'models' / f'{name}.mlir') for name in sys.argv[2:]]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if sys.argv[1] == 'measure':
            print_summaries({model.name: summaries(model, folder) for model in models})
            return
        problems = [f'{model.name}: {p}' for model in models for p in CHECKS[sys.argv[1]](model, folder)]
    if problems:
        sys.exit('\n'.join(problems))


if __name__ == '__main__':
    try:
        main()
    except zc_e2e.Failed as failure:
        sys.exit(str(failure))
