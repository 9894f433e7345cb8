#!/usr/bin/env python3
"""Random programs through the tool with many topologies, verified, and some run: looks for what is wrong.

  campaign.py --seeds 170 [--first 0] [--count 80] [--jobs 2] [--minutes M] [--sources tensor,ordered,racy]
              [--flow-every 4] [--run-every 100] [--check verified] [--opt PATH] [--findings FILE.md]

For each seed there are --count programs of each source, on three devices for every other seed: `ordered` and `racy`
(generate_scheduled.py), and `tensor` (generate_programs.py, a quarter as many, compiled by stock IREE). Each goes through the
default pipeline with each of `topologies` from --compile-to=stream ("scheduled"), and every --flow-every'th of `tensor` from
--compile-to=flow too ("flow").

  tool         the tool succeeds
  verified     --verify-translation agrees; what it can't follow (`unknown`) is counted, and is no finding
  refuted      as verified, but the checker says of the input what it says of the output
  redundant    no maintenance that isn't needed is left
  identity     without a topology the output is what IREE alone writes, but for what orders hazards
  idempotence  a second run changes nothing
  parse        IREE's own parser and verifier take the output (of one topology a seed)
  copies       a topology that allows less has no fewer copies
  maintenance  more coherence has no more flushes and invalidates
  renamed      with other names for the devices comes the same output with these names
  links        the order of the links in the topology file doesn't matter
  branches     with branches turned round comes the same
  compile      IREE compiles the output on                              } of every
  values       on local-sync and on local-task the results are numpy's } --run-every'th program; not judged where IREE has
               changed the meaning of a tensor program before the tool sees it: stock's own values on local-sync are wrong then

A failure is reduced to a small program and written to the findings file with the commands that show it. Exit status 1 with
findings, other than of the checks that --allow names. `--first` goes on where an earlier campaign ended.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import generate_programs
import generate_scheduled
import zc_batch
import zc_e2e
import zc_run

LINK = {'unified_memory': True, 'transparent_access': True, 'coherent': True}
REDUCE_SECONDS = 60
REDUCE_TOGETHER = 6  # reductions that are tried in one go
# Each pair: the first allows all that the second does.
MORE_LINKS = [('coherent', 'noncoherent'), ('coherent', 'forward'), ('coherent', 'backward'), ('coherent', 'transparent'),
              ('coherent', 'partial'), ('noncoherent', 'discrete'), ('forward', 'discrete'), ('backward', 'discrete'),
              ('transparent', 'discrete'), ('partial', 'discrete')]
MORE_COHERENT = [('coherent', 'forward'), ('coherent', 'backward'), ('forward', 'noncoherent'), ('backward', 'noncoherent')]
OTHER_NAMES = {'dev_a': 'npu_z', 'dev_b': 'cpu_m', 'dev_c': 'acc'}
KINDS = re.compile(r'(race|stale read|missing flush|dirty overwrite|misplaced invalidate|use of undefined memory|'
                   r'use after dealloca|translation)\b')
SERIOUS = ['values', 'verified', 'tool', 'compile', 'parse', 'refuted', 'idempotence', 'identity', 'copies', 'maintenance',
           'renamed', 'links', 'branches', 'redundant']


def topologies(devices):
    """Links by name of the topology; None: no topology.

    The four that aren't coherent: in neither direction, in one of the two directions, and by transparent access alone (a
    device reaches the other's memory, but they have none in common). `partial` has one more, for three devices: the last of
    them has no links.
    """
    pairs = list(itertools.permutations(devices, 2))

    def links(change=lambda source, target: {}, among=pairs):
        return [{'from': a, 'to': b, **LINK, **change(a, b)} for a, b in among]
    result = {
        'none': None,
        'discrete': [],
        'coherent': links(),
        'noncoherent': links(lambda a, b: {'coherent': False}),
        'forward': links(lambda a, b: {'coherent': a < b}),
        'backward': links(lambda a, b: {'coherent': a > b}),
        'transparent': links(lambda a, b: {'unified_memory': False, 'coherent': False}),
    }
    if len(devices) > 2:
        result['partial'] = links(among=[pair for pair in pairs if devices[-1] not in pair])
    return result


# Programs.

@dataclasses.dataclass(frozen=True)
class Source:
    """A generator of programs: a module with generate, module_text, expected, reductions and perhaps swapped."""
    name: str
    module: object
    scheduled: bool
    family: tuple = ()
    share: int = 1  # of the programs for a seed, one in so many: for those that take long

    def __reduce__(self):
        return source_of, (self.name,)

    def generate(self, seed, count, devices):
        return [self.module.generate(seed, index, devices, *self.family) for index in range(count)]

    def text(self, program):
        return self.module.module_text([program])

    def described(self, program):
        """The text, and the calls with their values as comments."""
        lines = []
        for call, results in zip(program.calls, self.module.expected(program)):
            inputs = [f'like {i}' if isinstance(i, int) else str(i.tolist()) for i in call.inputs]
            lines.append(f'// {call.function}({", ".join(inputs)}, {call.scalars}) -> '
                         f'{", ".join(str(r.tolist()) for r in results)}\n')
        return self.text(program) + ''.join(lines)


SOURCES = {s.name: s for s in [Source('tensor', generate_programs, False, share=4),
                               Source('ordered', generate_scheduled, True, ('ordered',)),
                               Source('racy', generate_scheduled, True, ('racy',))]}


def source_of(name):
    return SOURCES[name]


@dataclasses.dataclass(eq=False)
class Case:
    """A program, and the text that each route starts from."""
    source: Source
    seed: int
    index: int
    program: object
    texts: dict
    printed: str = ''  # the scheduled text as IREE prints it
    kinds: frozenset = frozenset()  # what the checker says of it


@dataclasses.dataclass
class Finding:
    case: Case
    route: str
    topology: str
    check: str
    detail: str

    @property
    def kind(self):
        """Findings of one kind have one cause, perhaps: only the first few are reduced."""
        opening = KINDS.match(self.detail)
        return self.case.source.name, self.check, opening.group(1) if opening else ''

    @property
    def name(self):
        return f'{self.check}-{self.case.source.name}-{self.case.seed}-{self.case.index}-{self.route}-{self.topology}'


@dataclasses.dataclass
class Tally:
    """Counts: ('programs', source), ('refused', source), ('verdict', source, route, topology, verdict), ('check', name),
    ('run', source, driver), ('not compiled', source, driver) by stock, ('stock wrong', source, driver), ('ran', source, driver)
    configurations, ('wrong before', source, driver) configurations that aren't judged; and what was found."""
    numbers: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    findings: list = dataclasses.field(default_factory=list)

    def count(self, *key):
        self.numbers[key] += 1

    def check(self, name, case, route, topology, detail):
        """One check done; it failed where there is a detail."""
        self.count('check', name)
        if detail:
            self.findings.append(Finding(case, route, topology, name, detail))

    def add(self, other):
        self.numbers.update(other.numbers)
        self.findings += other.findings

    def total(self, *start):
        return sum(n for key, n in self.numbers.items() if key[:len(start)] == start)

    def verdicts(self, verdict, place=slice(1, 1), value=()):
        return sum(n for key, n in self.numbers.items()
                   if key[0] == 'verdict' and key[-1] == verdict and key[place] == value)


def cases_of(source, seed, programs, flow_every, indices=None):
    """A Case for each program that stock IREE takes."""
    indices = list(indices or range(len(programs)))
    if source.scheduled:
        return [Case(source, seed, i, p, {'scheduled': source.text(p)}) for i, p in zip(indices, programs)]
    levels = zc_batch.compile_levels([source.text(p) for p in programs], programs[0].devices)
    cases = []
    for index, program, texts in zip(indices, programs, levels):
        if texts in (None, zc_batch.CRASHED):
            continue
        case = Case(source, seed, index, program, {'scheduled': texts[1]})
        if flow_every and index % flow_every == 0:
            case.texts['flow'] = texts[0]
        cases.append(case)
    return cases


# Checks. Keys of texts and outcomes are (case, route).

def without_topology(text):
    """All lines but the module's own, which holds the topology."""
    return '\n'.join(line for line in text.splitlines() if not re.match(r'module|#\w*topology', line))


def copies_in(text):
    return len(re.findall(r'^ *stream\.cmd\.copy ', text, re.M))


def maintenance_in(text):
    """Flushes and invalidates: of IREE's, and ours as calls."""
    return len(re.findall(r'^ *stream\.cmd\.(?:flush|invalidate) |^ *stream\.cmd\.call .*zc\.maintenance = ', text, re.M))


def shape_of(text):
    """The lines without names of values, in no order."""
    lines = re.sub(r'%[\w#:]+|\^bb\d+', '%', text).splitlines()
    return collections.Counter(line.strip() for line in lines if 'arith.' not in line)


def ordering_of(text):
    """shape_of without what only orders."""
    text = re.sub(r' await\([^)]*\)( =>)?', '', without_topology(text))
    shape = shape_of(text)
    return {line: n for line, n in shape.items() if 'stream.timepoint.' not in line}


def first_difference(expected, text):
    for number, (a, b) in enumerate(itertools.zip_longest(expected.splitlines(), text.splitlines()), 1):
        if a != b:
            return f'line {number}: {(b or "")[:150].strip()} / instead of: {(a or "")[:150].strip()}'
    return ''


class Checks:
    """The checks of a batch: cases of one source on the same devices. `wanted`: only these topologies, only that check."""

    def __init__(self, cases, tool, seed, wanted=None, check=None):
        self.cases = cases
        self.tool = tool
        self.wanted = wanted
        self.only = check
        self.tally = Tally()
        self.topologies = {name: links for name, links in topologies(cases[0].program.devices).items()
                           if not wanted or name in wanted}
        names = [name for name in self.topologies if name not in ('none', 'discrete')]
        self.turn = names[seed % len(names)] if names else None
        self.inputs = {(case, route): text for case in cases for route, text in case.texts.items()}
        self.outcomes = {}

    def wants(self, check):
        return self.only in (None, check)

    def all(self):
        self.check_inputs()
        for name, links in self.topologies.items():
            self.outcomes[name] = self.tool.run(self.inputs, ['--verify-translation'], links)
            for key, outcome in self.outcomes[name].items():
                self.judge(key, name, outcome)
            if self.wants('idempotence'):
                self.check_idempotence(name)
        if 'none' in self.topologies and self.wants('identity'):
            self.check_identity()
        self.check_counts('copies', MORE_LINKS, copies_in, -1)
        self.check_counts('maintenance', MORE_COHERENT, maintenance_in, 1)
        for name in self.topologies if self.only else [self.turn]:
            self.check_variants(name)
        return self.tally

    def texts(self, name):
        return {key: outcome.text for key, outcome in self.outcomes.get(name, {}).items() if outcome.text}

    def check_inputs(self):
        """The scheduled texts as they are: read and printed, and what the checker says of them."""
        scheduled = {case: case.texts['scheduled'] for case in self.cases}
        for case, outcome in self.tool.run(scheduled, ['--no-default-pipeline']).items():
            case.printed = outcome.text
            if not outcome.text:
                raise ValueError(f"IREE's verifier refuses program {case.seed}/{case.index}: {outcome.errors[0]}")
        for case, outcome in self.tool.run(scheduled, ['--zc-verify-coherence']).items():
            case.kinds = frozenset(m.group(1) for e in outcome.errors if (m := KINDS.match(e)))

    def judge(self, key, name, outcome):
        case, route = key
        kinds = [m.group(1) if (m := KINDS.match(e)) else None for e in outcome.errors]
        failed = outcome.errors and not any(kinds)
        new = [e for e, kind in zip(outcome.errors, kinds) if kind and kind not in case.kinds]
        known = [e for e, kind in zip(outcome.errors, kinds) if kind in case.kinds] if not new else []
        verdict = ('failed' if failed else 'disagreement' if new else 'refuted' if known else
                   'unknown' if outcome.unknown else 'equal')
        self.tally.count('verdict', case.source.name, route, name, verdict)
        for check, found in (('tool', outcome.errors if failed else []), ('verified', new), ('refuted', known),
                             ('redundant', [w for w in outcome.warnings if w.startswith('redundant')])):
            self.tally.check(check, case, route, name, found[0] if found else None)

    def check_idempotence(self, name):
        for (case, route), outcome in self.tool.run(self.texts(name)).items():
            text = self.outcomes[name][case, route].text
            detail = first_difference(text, outcome.text) if outcome.text else outcome.errors[0]
            self.tally.check('idempotence', case, route, name, detail)

    def check_identity(self):
        """Added awaits are for hazards, which the tool orders also without a topology; more has to have a race for a reason."""
        for (case, route), text in self.texts('none').items():
            stock = case.printed
            if text == stock:
                kind = 'same'
            elif 'race' in case.kinds:
                kind = 'race repaired'
            elif ordering_of(text) == ordering_of(stock):
                kind = 'only awaits added'
            else:
                kind = 'other'
            self.tally.count('identity', kind)
            self.tally.check('identity', case, route, 'none', first_difference(stock, text) if kind == 'other' else None)

    def check_counts(self, check, pairs, count, sign):
        """Of each pair of topologies the first has no more, with sign -1 no fewer."""
        if not self.wants(check):
            return
        for more, less in pairs:
            for key, text in self.texts(more).items():
                other = self.texts(less).get(key)
                if other:
                    a, b = count(text), count(other)
                    wrong = (a > b)
                    self.tally.check(check, *key, more, f'{a} with {more}, {b} with {less}' if wrong else None)

    def check_variants(self, name):
        if name in (None, 'none'):
            return
        texts, links = self.texts(name), self.topologies[name]
        inputs = {key: self.inputs[key] for key in texts}
        if self.wants('parse'):
            self.check_parse(name, texts)
        if self.wants('links'):
            outcomes = self.tool.run(inputs, [], links[::-1])
            self.compare('links', name, {k: without_topology(t) for k, t in texts.items()},
                         {k: without_topology(o.text or '') for k, o in outcomes.items()})
        if self.wants('renamed'):
            self.check_renamed(name, texts, inputs, links)
        if self.wants('branches'):
            self.check_branches(name, texts, links)

    def check_renamed(self, name, texts, inputs, links):
        back = {v: k for k, v in OTHER_NAMES.items()}
        outcomes = self.tool.run({k: renamed(t) for k, t in inputs.items()}, [], json.loads(renamed(json.dumps(links))))
        for (case, route), text in texts.items():
            other = renamed(outcomes[case, route].text or '', back)
            if route == 'flow':
                detail = None if allocated(other) == allocated(text) else 'other lines with other names'
            else:
                detail = first_difference(without_topology(text), without_topology(other))
            self.tally.check('renamed', case, route, name, detail)

    def check_branches(self, name, texts, links):
        turned = {}
        for case, route in texts:
            swapped = getattr(case.source.module, 'swapped', None)
            if swapped and case.source.scheduled:
                turned[case, route] = case.source.text(swapped(case.program))
        for key, outcome in self.tool.run(turned, [], links).items():
            same = outcome.text and shape_of(outcome.text) == shape_of(texts[key])
            self.tally.check('branches', *key, name, None if same else 'other lines where branches are turned round')

    def check_parse(self, name, texts):
        """IREE's own tool reads what ours wrote."""
        path = self.tool.folder / 'parse.mlir'
        path.write_text(zc_batch.Batch(texts).text)
        done = subprocess.run([zc_e2e.tool('iree-opt'), '--split-input-file', path, '-o', '/dev/null'], capture_output=True,
                              text=True)
        said = [(line, text) for kind, line, text in zc_batch.diagnostics(done.stderr.replace('parse.mlir', 'batch.mlir'))
                if kind == 'error']
        wrong = {zc_batch.Batch(texts).key_at(line): text for line, text in said if line}
        for key in texts:
            self.tally.check('parse', *key, name, wrong.get(key))
        if done.returncode and not wrong:
            self.tally.check('parse', *next(iter(texts)), name, done.stderr[:300])

    def compare(self, check, name, expected, actual):
        for key in expected:
            self.tally.check(check, *key, name, first_difference(expected[key], actual[key]))


def renamed(text, names=OTHER_NAMES):
    return re.sub(r'(?<=[@"])(' + '|'.join(names) + r')\b', lambda m: names[m.group()], text)


def allocated(text):
    """shape_of with lists of devices and captures in no order: IREE sorts devices by name, and in schedule-allocation the
    allocations by their devices."""
    def sort(match):
        return match.group(1) + ', '.join(sorted(match.group(2).split(', '))) + match.group(3)
    lines = shape_of(re.sub(r'(optimal<\[)([^]]*)(\])', sort, without_topology(text)))
    return collections.Counter(re.sub(r'( with\()([^)]*)(\))', sort, line) for line in lines.elements())


# Runs.

class Runs:
    """Some cases, compiled on and run, with all topologies on each driver."""

    def __init__(self, checks, cases, tool):
        self.checks = checks
        self.cases = cases
        self.tool = tool
        self.folder = tool.folder
        self.devices = cases[0].program.devices
        self.values = {case: case.source.module.expected(case.program) for case in cases}

    def all(self):
        tally = self.checks.tally
        texts = {(case, 'stock', 'none', driver): case.texts['scheduled'] for case in self.cases for driver in zc_run.DRIVERS}
        for name in self.checks.topologies:
            for driver in zc_run.DRIVERS:
                texts.update({(*key, name, driver): text for key, text in self.outputs(name, driver).items()})
        programs = self.compiled(texts)
        wrong = self.wrong(programs)
        for case, route, name, driver in texts:
            key = case, route, name, driver
            if (case, 'stock', 'none', driver) not in programs:
                if route == 'stock':
                    tally.count('not compiled', case.source.name, driver)
                continue
            if route == 'stock':
                tally.count('run', case.source.name, driver)
                if wrong.get(key):
                    tally.count('stock wrong', case.source.name, driver)
                continue
            tally.check('compile', case, route, name, None if key in programs else 'IREE refuses the output')
            if key in programs:
                tally.count('ran', case.source.name, driver)
                if wrong[key] and self.is_wrong_before(case, wrong):
                    tally.count('wrong before', case.source.name, driver)
                    continue
                known = wrong.get((case, 'stock', 'none', driver))
                detail = wrong[key] and f'{driver}: {wrong[key]}' + (' (stock is wrong, too)' if known else '')
                tally.check('values', case, route, name, detail)

    @staticmethod
    def is_wrong_before(case, wrong):
        """Whether IREE's passes up to where the tool begins have changed what the program computes: on local-sync, where no
        order is left open, stock is wrong. Programs that are generated as the tool takes them mean what they say."""
        return not case.source.scheduled and wrong.get((case, 'stock', 'none', 'local-sync'))

    def outputs(self, name, driver):
        """Local-task has no flush and invalidate: without them, what is left to test is order, which is what it's for."""
        wanted = {key: text for key, text in self.checks.texts(name).items() if key[0] in self.values}
        if driver == 'local-sync' or not any('zc.maintenance' in text for text in wanted.values()):
            return wanted
        outcomes = self.tool.run({key: self.checks.inputs[key] for key in wanted}, ['--maintenance=keep'],
                                 self.checks.topologies[name])
        return {key: outcome.text for key, outcome in outcomes.items() if outcome.text}

    def compiled(self, texts):
        """Files by key; texts that differ in the topology only are compiled once."""
        distinct = {without_topology(text): text for text in texts.values()}
        files = {}
        for number, (bare, program) in enumerate(zip(distinct, zc_batch.compile_programs(list(distinct.values()), self.devices))):
            if program not in (None, zc_batch.CRASHED):
                files[bare] = self.folder / f'{number}.vmfb'
                files[bare].write_bytes(program)
        return {key: files[bare] for key, text in texts.items() if (bare := without_topology(text)) in files}

    def wrong(self, programs):
        """What is wrong, by key; each file is run once on each driver."""
        items = {(path, key[3]): (path, key[0].program, self.values[key[0]], key[3], 1 if key[3] == 'local-sync' else 3)
                 for key, path in programs.items()}
        outcomes = dict(zip(items, zc_run.run_all(list(items.values()))))
        return {key: outcomes[path, key[3]] for key, path in programs.items()}


# A seed.

@dataclasses.dataclass(frozen=True)
class Settings:
    opt: pathlib.Path
    count: int
    flow_every: int
    run_every: int
    check: str


def sampled(case, settings):
    return settings.run_every and (case.seed * settings.count + case.index) % settings.run_every == 0


def check_seed(seed, source, settings):
    """The tally of one source's programs of a seed."""
    devices = generate_programs.DEVICES[:2 + seed % 2]
    programs = source.generate(seed, max(1, settings.count // source.share), devices)
    cases = cases_of(source, seed, programs, settings.flow_every)
    tally = Tally()
    tally.numbers['programs', source.name] = len(programs)
    tally.numbers['refused', source.name] = len(programs) - len(cases)
    if not cases:
        return tally
    with tempfile.TemporaryDirectory() as folder:
        tool = zc_batch.Tool(settings.opt, folder)
        checks = Checks(cases, tool, seed, check=settings.check)
        tally.add(checks.all())
        chosen = [case for case in cases if sampled(case, settings)]
        if chosen:
            checks.tally = Tally()
            Runs(checks, chosen, tool).all()
            tally.add(checks.tally)
    return tally


# Reduction.

def recurring(finding, programs, opt):
    """The first of these programs with which the finding comes again, as a finding; None."""
    case = finding.case
    cases = cases_of(case.source, case.seed, programs, finding.route == 'flow', [0] * len(programs))
    if not cases:
        return None
    for index, other in enumerate(cases):
        other.index = case.index
    wanted = {finding.topology}
    for more, less in MORE_LINKS + MORE_COHERENT:
        if finding.check in ('copies', 'maintenance') and more == finding.topology:
            wanted.add(less)
    with tempfile.TemporaryDirectory() as folder:
        tool = zc_batch.Tool(opt, folder)
        checks = Checks(cases, tool, 0, wanted, finding.check)
        tally = checks.all()
        if finding.check in ('values', 'compile'):
            checks.tally = tally = Tally()
            Runs(checks, cases, tool).all()
    found = {f.case: f for f in reversed(tally.findings) if f.kind == finding.kind}
    return next((found[c] for c in cases if c in found), None)


def reduced(finding, opt):
    """The finding with its program made small, as far as the time allows."""
    end = time.monotonic() + REDUCE_SECONDS
    while True:
        candidates = finding.case.source.module.reductions(finding.case.program)
        while True:
            group = list(itertools.islice(candidates, REDUCE_TOGETHER))
            if not group or time.monotonic() > end:
                return finding
            smaller = recurring(finding, group, opt)
            if smaller:
                smaller.topology = finding.topology
                finding = smaller
                break


# The report.

def entry(finding, keep):
    """A finding as Markdown; its program as files in `keep`."""
    case = finding.case
    path = keep / finding.name
    devices = case.program.devices
    path.with_suffix('.mlir').write_text(case.source.described(case.program))
    text = case.texts['flow' if finding.route == 'flow' else 'scheduled']
    path.with_suffix('.in.mlir').write_text(text)
    option = ''
    links = topologies(devices)[finding.topology]
    if links is not None:
        links = zc_batch.present(links, zc_batch.devices_in(text))
        path.with_suffix('.json').write_text(json.dumps({'links': links}, indent=1))
        option = f' --topology={path}.json'
    return (f'## {finding.check}: {case.source.name}, {finding.route} route, {finding.topology} topology '
            f'(seed {case.seed}, program {case.index})\n{finding.detail}\n```\n'
            f'stream-zc-opt {path}.in.mlir{option} --verify-translation --remarks -o out.mlir\n```\n'
            f'```mlir\n{case.source.text(case.program)}```\n\n')


class Findings:
    """The findings file, most serious first, rewritten as they come; the first `limit` of a kind are in it."""

    def __init__(self, path, limit):
        self.path = path
        self.keep = path.with_suffix('')
        self.limit = limit
        self.entries = {}
        self.counts = collections.Counter()

    def wants(self, finding):
        self.counts[finding.kind] += 1
        return self.counts[finding.kind] <= self.limit

    def put(self, finding):
        """Writes a finding down, in place of the same one before it was reduced."""
        self.keep.mkdir(parents=True, exist_ok=True)
        self.entries[finding.name] = SERIOUS.index(finding.check), entry(finding, self.keep)
        summary = ''.join(f'- {" / ".join(filter(None, kind))}: {n}\n' for kind, n in sorted(self.counts.items()))
        texts = [text for _, text in sorted(self.entries.values(), key=lambda e: e[0])]
        self.path.write_text(f'# Findings\n{summary}\n' + ''.join(texts))


def table(heads, rows):
    lines = [heads, ['---'] * len(heads), *rows]
    return ''.join('| ' + ' | '.join(map(str, line)) + ' |\n' for line in lines)


VERDICTS = ('equal', 'unknown', 'refuted', 'disagreement', 'failed')


def summary(tally):
    """The tables for docs/verification.md."""
    sources = [s for s in SOURCES if tally.total('programs', s)]
    parts = [table(['source', 'programs', 'refused by IREE', 'configurations', *VERDICTS],
                   [[s, tally.total('programs', s), tally.total('refused', s), tally.total('verdict', s),
                     *[tally.verdicts(v, slice(1, 2), (s,)) for v in VERDICTS]] for s in sources])]
    names = list(topologies(generate_programs.DEVICES))
    parts.append(table(['topology', 'configurations', *VERDICTS],
                       [[n, sum(row), *row] for n in names
                        if sum(row := [tally.verdicts(v, slice(3, 4), (n,)) for v in VERDICTS])]))
    found = collections.Counter(f.check for f in tally.findings)
    parts.append(table(['check', 'done', 'failed'],
                       [[c, tally.numbers['check', c], found[c]] for c in SERIOUS if tally.numbers['check', c]]))
    parts.append(table(['without a topology', 'outputs'],
                       [[key[1], n] for key, n in sorted(tally.numbers.items()) if key[0] == 'identity']))
    runs = [[s, d, tally.total('run', s, d), tally.total('not compiled', s, d), tally.total('ran', s, d),
             sum(f.check == 'values' and f.case.source.name == s and f.detail.startswith(d) for f in tally.findings),
             tally.total('wrong before', s, d), tally.total('stock wrong', s, d)] for s in sources for d in zc_run.DRIVERS if tally.total('run', s, d)]
    if runs:
        parts.append(table(['source', 'driver', 'programs run', 'not compiled by IREE', 'configurations run', 'wrong',
                            'wrong before the tool', 'programs wrong in stock IREE'], runs))
    return '\n'.join(parts)


def totals(tally):
    counts = [tally.verdicts(v) for v in VERDICTS]
    return (f'{tally.total("programs")} programs, {sum(counts)} configurations: {counts[0]} equal, {counts[1]} unknown, '
            f'{counts[2]} refuted, {counts[3] + counts[4]} disagreements; {len(tally.findings)} findings')


# Command line.

def parse_arguments():
    parser = argparse.ArgumentParser(description='Random programs through the tool, verified, and some run.')
    parser.add_argument('--seeds', type=int, default=10)
    parser.add_argument('--first', type=int, default=0, help='the first seed')
    parser.add_argument('--count', type=int, default=80, help='programs of each source for each seed; of tensor a quarter')
    parser.add_argument('--sources', default=','.join(SOURCES), help='default: %(default)s')
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--minutes', type=float, default=1e6, help='no new seed after so long')
    parser.add_argument('--flow-every', type=int, default=4, help='programs of which the flow route is tried, too; 0: none')
    parser.add_argument('--run-every', type=int, default=0, help='programs that are run, too; 0: none')
    parser.add_argument('--opt', type=pathlib.Path, default=zc_e2e.OPT, help='stream-zc-opt')
    parser.add_argument('--findings', type=pathlib.Path, default=pathlib.Path('findings.md'))
    parser.add_argument('--check', help='this check only, beside tool, verified, refuted and redundant, which come together')
    parser.add_argument('--limit', type=int, default=1, help='findings of one kind that are reduced and shown')
    parser.add_argument('--allow', default='', help='checks of which findings are shown and forgiven')
    options = parser.parse_args()
    options.sources = [SOURCES[name] for name in options.sources.split(',')]
    return options


class Campaign:
    def __init__(self, options):
        self.options = options
        self.settings = Settings(options.opt, options.count, options.flow_every, options.run_every, options.check)
        self.findings = Findings(options.findings, options.limit)
        self.tally = Tally()
        self.end = time.monotonic() + 60 * options.minutes
        self.reductions = []

    def work(self):
        """(seed, source) until the time is over."""
        for seed in range(self.options.first, self.options.first + self.options.seeds):
            if time.monotonic() > self.end:
                print(f'the time is over: go on with --first {seed}')
                return
            for source in self.options.sources:
                yield seed, source

    def take(self, seed, source, tally, pool):
        self.tally.add(tally)
        for finding in tally.findings:
            if self.findings.wants(finding):
                self.findings.put(finding)
                self.reductions.append(pool.submit(reduced, finding, self.options.opt))
        print(f'seed {seed} {source.name}: {totals(tally)}', flush=True)

    def run(self):
        with concurrent.futures.ProcessPoolExecutor(self.options.jobs) as pool:
            waiting = {}
            work = self.work()
            for item in itertools.chain(work, [None] * self.options.jobs):
                if item:
                    waiting[pool.submit(check_seed, *item, self.settings)] = item
                while waiting and (not item or len(waiting) > self.options.jobs):
                    for done in concurrent.futures.wait(waiting, return_when='FIRST_COMPLETED').done:
                        self.take(*waiting.pop(done), done.result(), pool)
            for done in concurrent.futures.as_completed(self.reductions):
                if done.exception():
                    print(f'a reduction failed: {done.exception()!r}')
                else:
                    self.findings.put(done.result())


def main():
    options = parse_arguments()
    start = time.monotonic()
    campaign = Campaign(options)
    campaign.run()
    print(f'\n{summary(campaign.tally)}\n{totals(campaign.tally)}, {time.monotonic() - start:.0f} s')
    sys.exit(any(f.check not in options.allow.split(',') for f in campaign.tally.findings))


if __name__ == '__main__':
    main()
