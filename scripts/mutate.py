#!/usr/bin/env python3
"""Changes the tool's output in one place at a time and counts what the checker finds.

  mutate.py [--opt PATH] [--limit=N] [--seed=0] [--verbose] [--topology=FILE] INPUT.mlir...
  mutate.py [--opt PATH] [--limit=N] [--seed=0] --programs=N [--sources=ordered,racy]

Each INPUT is scheduled or flow IR; --programs takes so many generated programs of each source in place of files (as
campaign.py has them), with a topology that shares memory without coherence. What is changed is the default pipeline's output,
with the cache maintenance kept (--maintenance=keep). The changes: each maintenance op deleted, moved to the other end of its
region, its range shrunk by one cache line, shifted by one, put on another resource; each await deleted; each copy shortened, its
source or target moved; two neighbouring regions swapped.

A change is caught where the checker refutes the changed program, or where the two programs' observed values differ
(--verify-against). Of what isn't caught these don't change the meaning and don't count:

  invalid      IREE's verifier refuses it
  same order   a deleted await that other awaits imply, or that orders no two accesses in conflict, as zc-order-hazards has it
  same values  a copy or swap after which a generated program still computes numpy's values, on local-sync
  redundant    a change of a maintenance op that isn't needed at all; such ops are a fault of their own, and counted

The others are listed as missed. Prints the score; exit 1 where it is below --require (in percent) or where more maintenance
ops are redundant than --redundant.
"""
import argparse
import collections
import dataclasses
import pathlib
import random
import re
import sys
import tempfile

import campaign
import zc_batch
import zc_e2e
import zc_run

MAINTENANCE = re.compile(r'^\s*stream\.cmd\.(?:flush|invalidate) ')
RANGE = re.compile(r'(%\w+)\[(%\w+) for (%\w+)\]')
AWAIT = re.compile(r' await\((%[\w#]+)\)( =>)?')
COPY = re.compile(r'^(\s*stream\.cmd\.copy )(%\w+)\[(%\w+)\], (%\w+)\[(%\w+)\], (%\w+)')
CONSTANT = re.compile(r'^\s*(%\w+) = arith\.constant (\d+) : index$')
VERDICTS = ('caught', 'missed', 'invalid', 'same order', 'same values', 'redundant')
VALUE_KINDS = ('shrink copy', 'redirect copy', 'swap regions')
Mutant = collections.namedtuple('Mutant', 'kind line text')


class Program:
    """The lines of a printed module, and what they define."""

    def __init__(self, text):
        self.lines = text.splitlines()

    def function_of(self, index):
        """First line of the function's body that holds line `index`."""
        while index > 0 and not re.match(r'  util\.(func|initializer)', self.lines[index]):
            index -= 1
        return index

    def constants(self, index):
        """Index constants that line `index` sees, by value name, among those of its function's first block."""
        found = {}
        for line in self.lines[self.function_of(index):index]:
            match = CONSTANT.match(line)
            if match:
                found[match.group(1)] = int(match.group(2))
        return found

    def with_constant(self, index, replacement, value):
        """Line `index` replaced by `replacement`, in which {} is a new constant of `value`."""
        name = '%mutated'
        lines = list(self.lines)
        lines[index] = replacement.replace('{}', name)
        start = self.function_of(index)
        lines.insert(start + 1, f'    {name} = arith.constant {value} : index')
        return '\n'.join(lines) + '\n'

    def without(self, index):
        return '\n'.join(self.lines[:index] + self.lines[index + 1:]) + '\n'

    def replaced(self, index, line):
        return '\n'.join(self.lines[:index] + [line] + self.lines[index + 1:]) + '\n'

    def region_of(self, index):
        """First and last line of the commands of the region that holds line `index`."""
        first = index
        while 'stream.cmd.execute' not in self.lines[first]:
            first -= 1
        last = index
        while not re.match(r'    \} => !stream\.timepoint', self.lines[last]):
            last += 1
        return first + 1, last - 1


def maintenance_mutants(program, index):
    line = program.lines[index]
    kind = 'flush' if '.flush ' in line else 'invalidate'
    yield Mutant(f'delete {kind}', index, program.without(index))
    first, last = program.region_of(index)
    others = [i for i in range(first, last + 1) if not MAINTENANCE.match(program.lines[i])]
    if others:
        lines = list(program.lines)
        moved = lines.pop(index)
        lines.insert(first if kind == 'flush' else last, moved)
        yield Mutant(f'move {kind}', index, '\n'.join(lines) + '\n')
    match = RANGE.search(line)
    constants = program.constants(index)
    offset, length = (constants.get(match.group(i)) for i in (2, 3))
    if length is not None and offset is not None:
        shrunk = max(0, (length - 1) // 64 * 64)
        yield Mutant(f'shrink {kind}', index,
                     program.with_constant(index, line.replace(f'for {match.group(3)}]', 'for {}]'), shrunk))
        if length > 64:
            changed = line.replace(f'[{match.group(2)} for {match.group(3)}]', f'[{{}} for {match.group(2)}]')
            if offset == 0:
                yield Mutant(f'shift {kind}', index, program.with_constant(index, changed, 64))
    header = program.lines[first - 1]
    for name, size in re.findall(r' as (%\w+): (!stream\.resource<\w+>\{%\w+\})', header):
        own = re.search(re.escape(match.group(1)) + r'\[.*\] : (!stream\.resource<\w+>\{%\w+\})', line)
        if name != match.group(1) and own and own.group(1) == size:
            yield Mutant(f'retarget {kind}', index, program.replaced(index, line.replace(match.group(1) + '[', name + '[')))
            break


def await_mutants(program, index):
    line = program.lines[index]
    match = AWAIT.search(line)
    if not match or 'stream.timepoint' in line.split('await')[0]:
        return
    changed = line.replace(match.group(0), ' :' if 'resource.alloca' in line else '')
    yield Mutant('delete await', index, program.replaced(index, changed))


def copy_mutants(program, index):
    line = program.lines[index]
    match = COPY.match(line)
    if not match:
        return
    length = program.constants(index).get(match.group(6))
    if length is not None and length > 4:
        yield Mutant('shrink copy', index,
                     program.with_constant(index, line.replace(f'], {match.group(6)} :', '], {} :'), length // 2))
    first, _ = program.region_of(index)
    sizes = dict(re.findall(r' as (%\w+): (!stream\.resource<\w+>\{%\w+\})', program.lines[first - 1]))
    for side in (2, 4):
        for name, size in sizes.items():
            if name not in (match.group(2), match.group(4)) and size == sizes.get(match.group(side)):
                start, end = match.span(side)
                yield Mutant('redirect copy', index, program.replaced(index, line[:start] + name + line[end:]))
                break


def swap_mutants(program):
    """Two neighbouring regions of one function, with what stands between them left in place: their bodies change places."""
    starts = [i for i, line in enumerate(program.lines) if 'stream.cmd.execute' in line]
    for one, other in zip(starts, starts[1:]):
        if program.function_of(one) != program.function_of(other):
            continue
        heads = [program.lines[i].split(' with(')[0] for i in (one, other)]
        tails = [program.lines[i].split(' with(')[1] for i in (one, other)]
        first, last = program.region_of(one + 1)
        first_b, last_b = program.region_of(other + 1)
        lines = list(program.lines)
        captured = set(re.findall(r'(%[\w#:]+) as ', tails[1]))
        defined = set()
        for line in program.lines[one:other]:
            match = re.match(r'    ((?:%[\w:]+(?:, )?)+) = ', line)
            if match:
                defined |= set(match.group(1).split(', '))
        if captured & defined:
            continue
        lines[first_b:last_b + 1], body = lines[first:last + 1], lines[first_b:last_b + 1]
        lines[other] = heads[1] + ' with(' + tails[0]
        lines[first:last + 1] = body
        lines[one] = heads[0] + ' with(' + tails[1]
        yield Mutant('swap regions', one, '\n'.join(lines) + '\n')


def mutants_of(program):
    for index, line in enumerate(program.lines):
        if MAINTENANCE.match(line):
            yield from maintenance_mutants(program, index)
        if ' await(' in line and ('stream.cmd.execute' in line or 'alloca' in line):
            yield from await_mutants(program, index)
        if 'stream.cmd.copy' in line:
            yield from copy_mutants(program, index)
    yield from swap_mutants(program)


def order_of(text):
    """What each op that matters waits for, by the timepoints that SSA values show; allocations don't matter themselves."""
    before, waits, host = {}, [], frozenset()
    for number, line in enumerate(text.splitlines()):
        if re.match(r'  util\.(func|initializer)', line):
            before, host = {}, frozenset()
        match = re.match(r'    (?:(%[\w:, %]+) = )?([\w.]+)', line)
        if not match:
            continue
        results = re.findall(r'%\w+', match.group(1) or '')
        op = match.group(2)
        past = host.union(*[before.get(name, {name}) for name in re.findall(r'%\w+', line[match.end(2):])
                            if name in before])
        if op == 'stream.timepoint.await':
            host = past
        if op in ('stream.cmd.execute', 'stream.resource.dealloca', 'stream.resource.alloca', 'stream.timepoint.import'):
            if op != 'stream.resource.alloca':
                waits.append((op, past))
            past = past | {number}
        elif op not in ('stream.timepoint.join', 'stream.timepoint.immediate', 'util.global.load', 'util.call'):
            waits.append((op, past))
            continue
        elif op != 'stream.timepoint.join':
            past = past | {number}
        if results and (op != 'util.global.load' or '!stream.timepoint' in line):
            before[results[-1]] = past
    return waits


@dataclasses.dataclass
class Input:
    """The tool's output that is changed, and the program that it is of, where there is one."""
    text: str
    case: object = None


def inputs_of(arguments, tool):
    """Inputs by name."""
    options = ['--maintenance=keep'] + ([f'--topology={arguments.topology}'] if arguments.topology else [])
    texts = {name: pathlib.Path(name).read_text() for name in arguments.inputs}
    cases = {}
    outcomes = tool.run(texts, options)
    for name in arguments.sources.split(',') if arguments.programs else []:
        source = campaign.SOURCES[name]
        devices = source.module.DEVICES[:2 + arguments.seed % 2]
        programs = source.generate(arguments.seed, arguments.programs, devices)
        found = {f'{name} {arguments.seed}/{c.index}': c for c in campaign.cases_of(source, arguments.seed, programs, 0)}
        cases.update(found)
        outcomes.update(tool.run({key: case.texts['scheduled'] for key, case in found.items()}, ['--maintenance=keep'],
                                 campaign.topologies(devices)['noncoherent']))
    for name, outcome in outcomes.items():
        if outcome.text is None:
            sys.exit(f'{name}: {outcome.errors[0]}')
    return {name: Input(outcome.text, cases.get(name)) for name, outcome in outcomes.items()}


class Judge:
    """Verdicts on the mutants of one input, by their number."""

    def __init__(self, tool, given, mutants):
        self.tool = tool
        self.given = given
        self.mutants = mutants
        self.verdicts = {}
        self.unneeded = 0  # redundant ops
        self.original = tool.folder / 'original.mlir'

    def left(self, kinds=None):
        return {i: m.text for i, m in enumerate(self.mutants) if i not in self.verdicts and (not kinds or m.kind in kinds)}

    def all(self):
        self.original.write_text(self.given.text)
        for verdict, options in (('invalid', ['--no-default-pipeline']), ('caught', ['--zc-verify-coherence']),
                                 ('caught', ['--no-default-pipeline', f'--verify-against={self.original}'])):
            for i, outcome in self.tool.run(self.left(), options).items():
                if outcome.text is None:
                    self.verdicts[i] = verdict
        self.same_order()
        self.same_values()
        self.redundant()
        return [self.verdicts.get(i, 'missed') for i in range(len(self.mutants))]

    def same_order(self):
        awaits = self.left(['delete await'])
        printed = self.tool.run(awaits, ['--no-default-pipeline'])
        for i, outcome in self.tool.run(awaits, ['--zc-order-hazards']).items():
            if outcome.text == printed[i].text or order_of(awaits[i]) == order_of(self.given.text):
                self.verdicts[i] = 'same order'

    def same_values(self):
        """What can be seen in a run: not maintenance, as the local devices' memory is coherent."""
        texts = self.left(VALUE_KINDS) if self.given.case else {}
        if not texts:
            return
        program = self.given.case.program
        values = self.given.case.source.module.expected(program)
        items = {}
        for i, compiled in zip(texts, zc_batch.compile_programs(list(texts.values()), program.devices)):
            if isinstance(compiled, bytes):
                path = self.tool.folder / f'{i}.vmfb'
                path.write_bytes(compiled)
                items[i] = path, program, values, 'local-sync', 1
        for i, wrong in zip(items, zc_run.run_all(list(items.values()))):
            if not wrong:
                self.verdicts[i] = 'same values'

    def redundant(self):
        """Of what is left: changes of maintenance ops that can go altogether."""
        lines = {self.mutants[i].line for i, m in enumerate(self.mutants)
                 if i not in self.verdicts and m.kind.endswith(('flush', 'invalidate'))}
        program = Program(self.given.text)
        without = {line: program.without(line) for line in lines}
        for options in (['--zc-verify-coherence'], ['--no-default-pipeline', f'--verify-against={self.original}']):
            without = {line: without[line] for line, o in self.tool.run(without, options).items() if o.text is not None}
        for i in self.left():
            if self.mutants[i].line in without:
                self.verdicts[i] = 'redundant'
        self.unneeded = len(without)


def chosen(mutants, arguments):
    if not arguments.limit or len(mutants) <= arguments.limit:
        return mutants
    return random.Random(arguments.seed).sample(mutants, arguments.limit)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--opt', default=zc_e2e.OPT)
    parser.add_argument('--topology')
    parser.add_argument('--limit', type=int, default=0, help='mutants of each input at most, chosen by --seed')
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--programs', type=int, default=0, help='generated programs of each source')
    parser.add_argument('--sources', default='ordered,racy')
    parser.add_argument('--require', type=float, default=0)
    parser.add_argument('--redundant', type=float, default=float('inf'), help='redundant maintenance ops at most')
    parser.add_argument('--verbose', action='store_true')
    parser.add_argument('inputs', nargs='*')
    return parser.parse_args()


def report(scores, redundant):
    """Prints what each kind came to; returns the score in percent."""
    total = sum(scores.values(), collections.Counter())
    print(''.join(f'{head:>13}' for head in ('', *VERDICTS)))
    for kind in sorted(scores):
        print(f'{kind:20}' + ''.join(f'{scores[kind][v]:13}' for v in VERDICTS)[7:])
    meaning = total['caught'] + total['missed']
    score = 100 * total['caught'] / meaning if meaning else 100
    print(f'score: {total["caught"]} of {meaning} caught ({score:.1f} %); {redundant} redundant maintenance ops')
    return score


def main():
    arguments = parse_arguments()
    scores, redundant = collections.defaultdict(collections.Counter), 0
    with tempfile.TemporaryDirectory() as folder:
        tool = zc_batch.Tool(arguments.opt, folder)
        inputs = inputs_of(arguments, tool)
        for name, outcome in tool.run({n: i.text for n, i in inputs.items()}, ['--zc-verify-coherence']).items():
            if outcome.text is None:
                print(f'{name}: refuted as it is, left out')
                continue
            lines = inputs[name].text.splitlines()
            mutants = chosen(list(mutants_of(Program(inputs[name].text))), arguments)
            judge = Judge(tool, inputs[name], mutants)
            verdicts = judge.all()
            redundant += judge.unneeded
            for mutant, verdict in zip(mutants, verdicts):
                scores[mutant.kind][verdict] += 1
                if verdict == 'missed' or (arguments.verbose and verdict in ('invalid', 'redundant')):
                    print(f'{verdict}: {name}:{mutant.line + 1}: {mutant.kind}: {lines[mutant.line].strip()[:150]}', flush=True)
    score = report(scores, redundant)
    sys.exit(score < arguments.require or redundant > arguments.redundant)


if __name__ == '__main__':
    main()
