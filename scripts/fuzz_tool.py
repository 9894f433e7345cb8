#!/usr/bin/env python3
"""The whole tool on broken and odd programs: looks for crashes, hangs, sanitizer reports and output that should not be there.

  fuzz_tool.py --opt build/asan/bin/stream-zc-opt [--plain build/release/bin/stream-zc-opt] [--seed=0] [--first=0]
               [--count=200] [--seconds=N] [--jobs=N] [--keep=FOLDER] [--reduce] [--only=MODE]

Programs of testdata/ are changed (fuzz_mutations.py), several of them put into one input for --split-input-file, and the tool
is run on it in one of its modes: the default pipeline, each pass, the verifiers, bytecode, broken topologies and so on. What
case N of a seed is depends on nothing else, so `--first=N --count=1` is that case again. --opt should be a build with the
sanitizers. Checked of each run:

  status    0, or 1 for a wrong input, or 2 for a wrong command line; no signal, no sanitizer report, an end in time
  message   status 1 comes with an error at a position in the input
  files     a failure leaves nothing behind, a success its results and nothing else
  result    what was written is read again, and verifies

Where an input breaks the compiler library itself (its parser or its passes: no frame of ours between it and the crash), the
tool can only say so. That is not counted as a fault, but --plain, a build without sanitizers, which leave crashes alone, must
then end with one line and status 1. The faults and their inputs are left in --keep.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import fuzz_mutations

ROOT = pathlib.Path(__file__).resolve().parent.parent
MARKER = '\n// -----\n'
LIMIT_SECONDS = 60
MEMORY_MEGABYTES = 3000
SANITIZER_STATUS = 99
OPTIONS = {
    'ASAN_OPTIONS': f'detect_leaks=0:handle_abort=1:exitcode={SANITIZER_STATUS}:hard_rss_limit_mb={MEMORY_MEGABYTES}:'
                    'symbolize=0',
    'UBSAN_OPTIONS': f'print_stacktrace=1:exitcode={SANITIZER_STATUS}',
}
# Where the tool hands over to the compiler library: what crashes below one of these without another frame of ours is not ours.
HANDED_OVER = {'parse_named': 'parser', 'parse_anonymous': 'parser', 'read_original': 'parser', 'run_pipeline': 'passes',
               'count_stock': 'passes', 'schedule': 'passes', 'print_module': 'printer', 'make_manager': 'pipeline parser'}
FRAME = re.compile(r'^ *#\d+ 0x[0-9a-f]+ .*?\(?([^\s()]+)\+0x([0-9a-f]+)\)', re.M)
POSITION = re.compile(r'^(?:.*/)?in\.\w+:(\d+):\d+: error: ', re.M)
# A module that was not in the text but made around it has no line.
PLACE = re.compile(r'^(?:in\.\w+(?::\d+:\d+)?|links\.json:\d+:\d+): error: ', re.M)
ERROR = re.compile(r'^(?:.*: )?error: ', re.M)
# These are about the input as a whole.
WITHOUT_POSITION = re.compile(r'^stream-zc-opt: error: cannot (?:parse|read)', re.M)
LEVELS = {'flow': r'\bflow\.', 'cmd': r'\bstream\.cmd\.', 'async': r'\bstream\.(?:async|tensor)\.'}
# The library's own scheduling nests affinities in a way that its parser refuses.
UNREADABLE = 'can only select between HAL affinity attrs'
GUARDED = ': error: the IREE compiler library '


@dataclasses.dataclass
class Mode:
    name: str
    weight: int
    words: object               # (random) -> options
    levels: tuple = ('cmd', 'async', 'flow', 'other')
    variants: int = 12
    has_result: bool = True     # IR is written.
    usage: bool = False         # The command line is wrong.


@dataclasses.dataclass
class Case:
    mode: Mode
    words: list
    variants: list              # The programs, changed: text or bytes.
    files: dict                 # Others that the options name.
    original: str


@dataclasses.dataclass
class Run:
    status: int
    errors: str
    left: list
    command: list


@dataclasses.dataclass
class Problem:
    kind: str                   # Opens the line of it.
    where: str
    own: bool = True            # Ours, and not the compiler library's.
    text: str = ''


# --- Programs ---------------------------------------------------------------------------------------------------------

def level_of(text):
    return next((level for level, pattern in LEVELS.items() if re.search(pattern, text)), 'other')


def read_programs():
    """The parts of the golden files and of iree-compile's output, by level."""
    programs = collections.defaultdict(list)
    for path in sorted(ROOT.glob('testdata/*/*.mlir')):
        for part in path.read_text().split('// -----'):
            lines = [line for line in part.split('\n') if not re.match(r'\s*//(?! expected-)', line)]
            if any(line.strip() for line in lines):
                programs[level_of(part)].append('\n'.join(lines))
    return programs


def devices_of(text):
    return re.findall(r'util\.global private @(\w+)(?= = #hal\.device| : !hal\.device)', text)[:4] or ['dev_a', 'dev_b']


# --- Modes ------------------------------------------------------------------------------------------------------------

COMMON = ['--remarks', '--assume-shareable-imports', '--zc-limit=0', '--zc-limit=1', '--zc-limit=9223372036854775807',
          '--zc-min-alias-bytes=1', '--zc-min-alias-bytes=4096', '--zc-min-alias-bytes=9223372036854775807',
          '--zc-keep-annotations', '--mlir-print-debuginfo', '--mlir-print-local-scope', '--mlir-print-op-generic',
          '--maintenance=keep', '--maintenance=hal', '--maintenance=dispatch', '--maintenance=import:cache',
          '--allow-unregistered-dialect', '--verify-each=false', '--mlir-disable-threading']
WATCH = ['--mlir-print-ir-after-all', '--mlir-print-ir-before-all', '--mlir-print-ir-after-change', '--mlir-timing',
         '--mlir-print-ir-after-failure', '--mlir-pass-statistics', '--dump-pass-pipeline', '--mlir-print-ir-module-scope']
IREE_PASSES = ['canonicalize', 'cse', 'symbol-dce', 'iree-stream-propagate-timepoints', 'iree-stream-schedule-allocation',
               'iree-stream-cleanup-pipeline', 'iree-util-fold-globals', 'iree-stream-refine-usage', 'strip-debuginfo',
               'iree-stream-verify-lowering-to-cmd']
PASSES = ['zc-pin-transfer-kind', 'zc-classify-transfers', 'zc-elide-transfers', 'zc-alias-allocations', 'zc-order-hazards',
          'zc-maintain-coherence', 'zc-lower-cache-maintenance', 'zc-import-topology', 'zc-place-transfer-executions',
          'zc-verify-coherence', 'zc-forward-call-results', 'zc-set-aside-topology', 'zc-restore-topology']
PASS_OPTIONS = ['remarks', 'assume-shareable-imports', 'keep-annotations', 'min-alias-bytes=64', 'limit=0', 'limit=2',
                'unroll=1', 'unroll=3', 'mode=dispatch', 'mode=hal', 'mode=import:m', 'mode=keep']
WRONG = [['--nope'], ['--zc-limit=x'], ['--pass-pipeline=cse'], ['--topology='], ['in.mlir', 'in.mlir'], ['--zc-unroll'],
         ['--pass-pipeline=builtin.module(zc-nope)'], ['--pass-pipeline=builtin.module(cse,,cse)'], ['--maintenance=up'],
         ['--pass-pipeline=builtin.module(util.func(zc-elide-transfers))'], ['--zc-elide-transfers=limit=x'],
         ['--report=r.json', '--split-input-file'], ['--pass-pipeline=builtin.module(cse{max-iterations=\xff})']]


def pass_words(name):
    def words(random):
        options = random.sample(PASS_OPTIONS, random.choice([0, 0, 1, 2]))
        if name == 'zc-import-topology':
            options.append('file=links.json')
        return [f'--{name}=' + ' '.join(options) if options else f'--{name}']
    return words


def pipeline_words(random):
    names = [random.choice([*PASSES, *IREE_PASSES, *IREE_PASSES]) for _ in range(random.randint(1, 5))]
    return [f'--pass-pipeline=builtin.module({",".join(names)})']


def fixed(*words):
    return lambda random: list(words)


def make_modes():
    return [
        Mode('default', 20, fixed()),
        Mode('no pipeline', 4, fixed('--no-default-pipeline'), variants=24),
        Mode('verify-translation', 10, fixed('--verify-translation'), variants=8),
        Mode('verify-against', 2, fixed('--verify-against=original.mlir'), ('cmd',), 6),
        Mode('print-topology', 2, fixed('--print-topology'), variants=24, has_result=False),
        Mode('verify-diagnostics', 2, fixed('--verify-diagnostics')),
        Mode('watch', 2, lambda random: random.sample(WATCH, 2), variants=4),
        Mode('report', 4, fixed('--report=report.json'), variants=1),
        Mode('bytecode out', 3, fixed('--emit-bytecode'), variants=1),
        Mode('bytecode in', 12, lambda random: random.choice([[], [], ['--no-default-pipeline'], ['--verify-translation']]),
             variants=1),
        Mode('mixed pipeline', 6, pipeline_words, variants=6),
        Mode('wrong options', 2, lambda random: random.choice(WRONG), variants=1, has_result=False, usage=True),
        *(Mode(name, 10 if name == 'zc-verify-coherence' else 3, pass_words(name)) for name in PASSES),
    ]


class Maker:
    """Makes the cases."""

    def __init__(self, tool, seed, only):
        self.tool, self.seed = tool, seed
        self.programs = read_programs()
        self.modes = [mode for mode in make_modes() if not only or mode.name == only]
        self.forms = {}

    def form(self, text, option):
        """Printed with this option; null where it isn't a program."""
        if (text, option) not in self.forms:
            done = subprocess.run([self.tool, '--no-default-pipeline', option], input=text.encode(), capture_output=True,
                                  env=environment(tempfile.gettempdir()))
            self.forms[text, option] = done.stdout if done.returncode == 0 else None
        return self.forms[text, option]

    def choose_program(self, random, mode):
        level = random.choice([level for level in mode.levels + ('cmd', 'cmd') if self.programs[level]])
        return random.choice(self.programs[level])

    def change(self, random, program, mode):
        other = self.choose_program(random, mode)
        if mode.name == 'bytecode in':
            data = self.form(program, '--emit-bytecode')
            return fuzz_mutations.mutate_bytes(random, data) if data else program
        if random.random() < 0.02:
            return program
        return fuzz_mutations.mutate(random, program, other)

    def case(self, index):
        chance = random.Random(f'{self.seed}:{index}')
        mode = chance.choices(self.modes, [mode.weight for mode in self.modes])[0]
        program = self.choose_program(chance, mode)
        generic = chance.random() < 0.15 and self.form(program, '--mlir-print-op-generic')
        if generic:
            program = generic.decode()
        count = 3 if mode.variants > 3 and level_of(program) == 'flow' else mode.variants
        # Of one program, or of as many: both share what the tool keeps between the parts of an input.
        programs = [program if chance.random() < 0.7 else self.choose_program(chance, mode) for _ in range(count)]
        words = mode.words(chance) + chance.sample(COMMON, chance.choice([0, 0, 1, 2]))
        if generic and not mode.usage:
            words.append('--allow-unregistered-dialect')
        links = fuzz_mutations.make_links(chance, devices_of(program), chance.random() < 0.8)
        text = json.dumps({'links': links})
        if chance.random() < 0.08:
            text = fuzz_mutations.mutate(chance, text, text)
        if not mode.usage and chance.random() < 0.6:
            words.append('--topology=links.json')
        variants = [self.change(chance, each, mode) for each in programs]
        return Case(mode, words, variants, {'links.json': text, 'original.mlir': program}, program)


# --- Running ----------------------------------------------------------------------------------------------------------

def environment(folder):
    return {**os.environ, **OPTIONS, 'TMPDIR': str(folder)}


def as_bytes(text):
    return text if isinstance(text, bytes) else text.encode('utf-8', 'surrogateescape')


def no_core():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def execute(command, folder):
    """Status (negative: a signal; None: no end) and standard error."""
    process = subprocess.Popen(command, cwd=folder, env=environment(folder), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, preexec_fn=no_core)
    try:
        _, errors = process.communicate(timeout=LIMIT_SECONDS)
        return process.returncode, errors.decode('utf-8', 'replace')
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGABRT)  # The sanitizer then says where it is.
    try:
        _, errors = process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        _, errors = process.communicate()
    return None, errors.decode('utf-8', 'replace')


def run_tool(tool, case, variants, folder):
    """Runs the case with these of its variants in a folder that holds nothing but what the run is given."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    binary = isinstance(variants[0], bytes)
    name = 'in.mlirbc' if binary else 'in.mlir'
    (folder / name).write_bytes(as_bytes(variants[0]) if binary else b'\n// -----\n'.join(map(as_bytes, variants)))
    for other, text in case.files.items():
        (folder / other).write_bytes(as_bytes(text))
    given = {name, *case.files}
    split = ['--split-input-file'] if len(variants) > 1 else []
    command = [str(tool), name, '-o', 'out', *split, *case.words]
    status, errors = execute(command, folder)
    if status is None:  # Once more: what hangs does so again, and a busy machine doesn't.
        status, errors = execute(command, folder)
    return Run(status, errors, sorted(path.name for path in folder.iterdir() if path.name not in given), command)


def names_of(frames, library):
    """The functions of ours at these offsets."""
    done = subprocess.run(['addr2line', '-f', '-e', library, *(hex(int(offset, 16) - 1) for offset in frames)],
                          capture_output=True, text=True)
    return done.stdout.split('\n')[::2]


def explain_crash(run, tool):
    """Where it crashed, from the sanitizer's stack."""
    frames = FRAME.findall(run.errors)
    library = str(pathlib.Path(tool).parent / 'libstream_zc.so')
    own = [offset for file, offset in frames if file.endswith('libstream_zc.so')]
    names = [name for name in names_of(own[:6], library) if name] if own else []
    others = [offset for file, offset in frames if 'libIREECompiler' in file]
    what = re.search(r'ERROR: \w+: ([\w-]+)|runtime error: ([^\n]*)|hard rss limit', run.errors)
    kind = 'hang' if run.status is None else 'crash'
    text = what.group(0) if what else f'status {run.status}'
    theirs = bool(others) and (not names or names[0] in HANDED_OVER)
    if theirs:
        return Problem(kind, f'{HANDED_OVER[names[0]] if names else "deep recursion"} {" ".join(others[:2])}', False, text)
    return Problem(kind, ' < '.join(names[:3]) or 'unknown', True, text)


def check_run(case, run, tool, variants):
    """What is wrong with a run, or null."""
    if run.status not in (0, 1, 2) or 'Sanitizer' in run.errors or 'runtime error:' in run.errors:
        return explain_crash(run, tool)
    if (run.status == 2) != case.mode.usage:
        return Problem('status', f'status {run.status}', text=run.errors[:300])
    results = {'out', 'report.json'} if case.mode.name == 'report' else {'out'}
    if set(run.left) != (results if run.status == 0 else set()):
        return Problem('files', f'status {run.status} leaves {run.left}')
    if run.status == 1 and not ERROR.search(run.errors):
        return Problem('message', 'no error', text=run.errors[:300])
    odd = isinstance(variants[0], bytes) or any('loc(' in variant for variant in variants)
    if run.status == 1 and not odd and not PLACE.search(run.errors) and not WITHOUT_POSITION.search(run.errors):
        return Problem('message', 'no position', text=run.errors[:300])
    return None


def good_variants(variants, run):
    """Those that no error has a position in."""
    lines = {int(line) for line in POSITION.findall(run.errors)}
    good, first = [], 1
    for variant in variants:
        last = first + as_bytes(variant).count(b'\n')
        if not any(first <= line <= last for line in lines):
            good.append(variant)
        first = last + 2
    return good


def read_again(tool, folder, name, split):
    command = [str(tool), name, '-o', 'again', '--no-default-pipeline', '--allow-unregistered-dialect',
               *(['--split-input-file'] if split else [])]
    return execute(command, folder)


def check_result(case, tool, folder, split):
    """What was written must be a program again."""
    if not case.mode.has_result or '--verify-each=false' in case.words:
        return None
    status, errors = read_again(tool, folder, 'out', split)
    if status == 0:
        return None
    # What is printed as it was read, and isn't read again, is the printer's fault.
    given = 'in.mlirbc' if isinstance(case.variants[0], bytes) else 'in.mlir'
    execute([str(tool), given, '-o', 'same', '--no-default-pipeline', '--allow-unregistered-dialect',
             *(['--split-input-file'] if split else [])], folder)
    own = not UNREADABLE in errors and ((folder / 'same').exists() and read_again(tool, folder, 'same', split)[0] == 0)
    return Problem('result', 'is not read again', own, text=errors[:500])


@dataclasses.dataclass
class Outcome:
    index: int
    mode: str
    runs: int = 0
    variants: int = 0
    accepted: int = 0
    problems: list = dataclasses.field(default_factory=list)  # Of (Problem, variants).


class Worker:
    """Runs cases."""

    def __init__(self, tool, plain, folder):
        self.tool, self.plain, self.folder = tool, plain, folder

    def run(self, case, variants, outcome, folder, tool=None):
        outcome.runs += 1
        run = run_tool(tool or self.tool, case, variants, folder)
        return run, check_run(case, run, tool or self.tool, variants)

    def check_plain(self, case, variants, outcome, folder):
        """Without the sanitizers a crash of the library is one error."""
        if not self.plain:
            return
        run, problem = self.run(case, variants, outcome, folder, self.plain)
        if problem and not GUARDED in run.errors:
            outcome.problems.append((Problem('unguarded', problem.where, text=f'{problem.kind}: {run.errors[:300]}'), variants))

    def note(self, case, problem, variants, outcome, folder):
        outcome.problems.append((problem, variants))
        if not problem.own:
            self.check_plain(case, variants, outcome, folder)

    def find_guilty(self, case, problem, outcome, folder):
        """Each variant of a broken input alone; the whole input where none of them is enough."""
        before = len(outcome.problems)
        for variant in case.variants:
            _, alone = self.run(case, [variant], outcome, folder)
            if alone:
                self.note(case, alone, [variant], outcome, folder)
        if len(outcome.problems) == before:
            self.note(case, problem, case.variants, outcome, folder)

    def work(self, index, case):
        folder = self.folder / str(index)
        outcome = Outcome(index, case.mode.name, variants=len(case.variants))
        run, problem = self.run(case, case.variants, outcome, folder)
        good = case.variants
        if problem and len(case.variants) > 1:
            self.find_guilty(case, problem, outcome, folder)
        elif problem:
            self.note(case, problem, case.variants, outcome, folder)
        elif run.status == 1 and len(good) > 1:
            good = good_variants(good, run)
            if good and len(good) < len(case.variants):
                run, problem = self.run(case, good, outcome, folder)
                if problem:
                    outcome.problems.append((problem, good))
        if not problem and run.status == 0:
            outcome.accepted = len(good)
            problem = check_result(case, self.tool, folder, len(good) > 1)
            if problem:
                outcome.problems.append((problem, good))
        shutil.rmtree(folder, ignore_errors=True)
        return outcome


# --- Reducing ---------------------------------------------------------------------------------------------------------

def reduce_text(worker, case, problem, text, seconds):
    """Takes lines away as long as the problem stays."""
    lines, size, end = text.split('\n'), len(text.split('\n')) // 2, time.monotonic() + seconds
    folder = worker.folder / 'reduce'
    while size and time.monotonic() < end:
        at, smaller = 0, False
        while at < len(lines) and time.monotonic() < end:
            fewer = lines[:at] + lines[at + size:]
            run = run_tool(worker.tool, case, ['\n'.join(fewer)], folder)
            found = check_run(case, run, worker.tool, ['\n'.join(fewer)])
            if found and (found.kind, found.where) == (problem.kind, problem.where):
                lines, smaller = fewer, True
            else:
                at += size
        size = size if smaller and size > 1 else size // 2
    return '\n'.join(lines)


# --- The whole --------------------------------------------------------------------------------------------------------

class Findings:
    """Problems by what and where they are, the first input of each kept."""

    def __init__(self, folder, worker, reduces):
        self.folder, self.worker, self.reduces = folder, worker, reduces
        self.counts = collections.Counter()
        self.problems = {}

    def add(self, outcome, case):
        for problem, variants in outcome.problems:
            key = (problem.own, problem.kind, problem.where)
            self.counts[key] += 1
            if key not in self.problems:
                self.problems[key] = (problem, outcome)
                self.keep(problem, outcome, case, variants)

    def keep(self, problem, outcome, case, variants):
        if problem.own:
            print(f'case {outcome.index} ({outcome.mode}): {problem.kind}: {problem.where}: {problem.text}', flush=True)
        if not self.folder:
            return
        folder = self.folder / f'{"" if problem.own else "iree-"}{problem.kind}-{outcome.index}-{len(self.problems)}'
        if self.reduces and problem.own and len(variants) == 1 and isinstance(variants[0], str):
            variants = [reduce_text(self.worker, case, problem, variants[0], 60)]
        run = run_tool(self.worker.tool, case, variants, folder)
        (folder / 'command').write_text(f'{shlex.join(run.command)}\n{problem.kind}: {problem.where}: {problem.text}\n')
        (folder / 'errors').write_text(run.errors)

    def show(self, outcomes, plain):
        groups = collections.defaultdict(list)
        for outcome in outcomes:
            groups[outcome.mode].append(outcome)
        failed = 0
        for name, group in sorted(groups.items()):
            faults = sum(problem.own for outcome in group for problem, _ in outcome.problems)
            failed += faults > 0
            print(f'{name:30} {sum(o.variants for o in group):6} programs, {sum(o.accepted for o in group):6} accepted'
                  + (f', {faults} FAULTS' if faults else ''))
        total = [sum(getattr(o, field) for o in outcomes) for field in ('variants', 'accepted', 'runs')]
        print(f'{total[0]} programs, {total[1]} accepted, in {total[2]} runs')
        theirs = {key: count for key, count in self.counts.items() if not key[0]}
        print(f'{sum(theirs.values())} programs break the compiler library itself, in {len(theirs)} places'
              + (', each told as one error by the build without sanitizers'
                 if plain and theirs and not any(kind == 'unguarded' for _, kind, _ in self.counts) else ''))
        print(f'Passed: {len(groups) - failed}\nFailed: {failed}')
        return failed


def run_cases(maker, worker, findings, options):
    """In the order of their numbers, whatever finishes first."""
    end = time.monotonic() + options.seconds if options.seconds else None
    outcomes = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = collections.deque()
        for index in range(options.first, options.first + options.count):
            if end and time.monotonic() > end:
                break
            case = maker.case(index)
            waiting.append((case, pool.submit(worker.work, index, case)))
            while len(waiting) > 2 * options.jobs:
                case, future = waiting.popleft()
                outcomes.append(future.result())
                findings.add(outcomes[-1], case)
        for case, future in waiting:
            outcomes.append(future.result())
            findings.add(outcomes[-1], case)
    return outcomes


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument('--opt', type=pathlib.Path, required=True)
    parser.add_argument('--plain', type=pathlib.Path)
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--first', type=int, default=0)
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--seconds', type=float)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--keep', type=pathlib.Path)
    parser.add_argument('--reduce', action='store_true')
    parser.add_argument('--only')
    options = parser.parse_args()
    tool, plain = options.opt.resolve(), options.plain and options.plain.resolve()
    with tempfile.TemporaryDirectory(prefix='fuzz-tool-') as folder:
        worker = Worker(tool, plain, pathlib.Path(folder))
        findings = Findings(options.keep and options.keep.resolve(), worker, options.reduce)
        outcomes = run_cases(Maker(tool, options.seed, options.only), worker, findings, options)
        return 1 if findings.show(outcomes, plain) else 0


if __name__ == '__main__':
    sys.exit(main())
