#!/usr/bin/env python3
"""Changes the tool's output in one place at a time and counts what the checker finds.

  mutate.py --opt build/release/bin/stream-zc-opt [--limit=N] [--seed=0] [--verbose] [--topology=FILE] INPUT.mlir...

Each INPUT is scheduled or flow IR; what is changed is the default pipeline's output for it, with the cache maintenance
kept (--maintenance=keep). The changes: each maintenance op deleted, moved to the other end of its region, its range shrunk
by one cache line, shifted by one, put on another resource; each await deleted; each copy's source or target moved; two
neighbouring regions swapped.

A change is caught where the checker says more of the changed program than of the unchanged, or where the two programs'
observed values differ (--verify-translation with the change as its pipeline). A deleted maintenance op that isn't caught is
redundant, and listed. Changes that IREE's verifier refuses and deleted awaits that other awaits imply are not counted. Prints the score; exit 1 below --require (in percent).
"""
import argparse
import collections
import pathlib
import random
import re
import subprocess
import sys
import tempfile

MAINTENANCE = re.compile(r'^\s*stream\.cmd\.(?:flush|invalidate) ')
RANGE = re.compile(r'(%\w+)\[(%\w+) for (%\w+)\]')
AWAIT = re.compile(r' await\((%[\w#]+)\)( =>)?')
COPY = re.compile(r'^(\s*stream\.cmd\.copy )(%\w+)\[(%\w+)\], (%\w+)\[(%\w+)\], (%\w+)')
CONSTANT = re.compile(r'^\s*(%\w+) = arith\.constant (\d+) : index$')
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


class Checker:
    def __init__(self, opt, folder):
        self.opt, self.folder = opt, pathlib.Path(folder)

    def run(self, *arguments):
        done = subprocess.run([self.opt, *map(str, arguments)], capture_output=True, text=True, errors='replace')
        return done.returncode, done.stdout, done.stderr

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def rewrite(self, source, topology):
        options = [f'--topology={topology}'] if topology else []
        code, out, err = self.run('--maintenance=keep', *options, source)
        if code:
            sys.exit(f'{source}: {err.splitlines()[0] if err else code}')
        return out

    def parses(self, path):
        return self.run('--no-default-pipeline', path, '-o', '/dev/null')[0] == 0

    def is_refuted(self, path):
        return self.run('--zc-verify-coherence', path, '-o', '/dev/null')[0] != 0

    def differs(self, original, path):
        """Whether the change as a whole translates the original into something else."""
        return self.run(f'--verify-against={original}', '--no-default-pipeline', path, '-o', '/dev/null')[0] != 0


def try_mutant(checker, original, mutant):
    """caught, missed or invalid."""
    path = checker.write('mutant.mlir', mutant.text)
    if not checker.parses(path):
        return 'invalid'
    if checker.is_refuted(path) or checker.differs(original, path):
        return 'caught'
    if mutant.kind == 'delete await' and order_of(mutant.text) == order_of(original.read_text()):
        return 'same order'
    return 'missed'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--opt', required=True)
    parser.add_argument('--topology')
    parser.add_argument('--limit', type=int, default=0, help='mutants of each input at most, chosen by --seed')
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--require', type=float, default=0)
    parser.add_argument('--verbose', action='store_true')
    parser.add_argument('inputs', nargs='+')
    arguments = parser.parse_args()
    scores = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(arguments.opt, folder)
        for source in arguments.inputs:
            text = checker.rewrite(source, arguments.topology)
            original = checker.write('original.mlir', text)
            if checker.is_refuted(original):
                print(f'{source}: refuted as it is, left out')
                continue
            mutants = list(mutants_of(Program(text)))
            if arguments.limit and len(mutants) > arguments.limit:
                mutants = random.Random(arguments.seed).sample(mutants, arguments.limit)
            for mutant in mutants:
                outcome = try_mutant(checker, original, mutant)
                scores[mutant.kind][outcome] += 1
                if outcome == 'missed' or (arguments.verbose and outcome == 'invalid'):
                    line = text.splitlines()[mutant.line].strip()
                    print(f'{outcome}: {source}:{mutant.line + 1}: {mutant.kind}: {line[:150]}', flush=True)
    total = sum(scores.values(), collections.Counter())
    for kind in sorted(scores):
        counts = scores[kind]
        print(f'{kind:22} caught {counts["caught"]:5} missed {counts["missed"]:4} invalid {counts["invalid"]:4} '
              f'same order {counts["same order"]:4}')
    meaning = total['caught'] + total['missed']
    score = 100 * total['caught'] / meaning if meaning else 100
    print(f'score: {total["caught"]} of {meaning} caught ({score:.1f} %)')
    sys.exit(score < arguments.require)


if __name__ == '__main__':
    main()
