#!/usr/bin/env python3
"""Random programs through the tool, by both routes and with many topologies, and run: looks for wrong results.

  campaign.py --seeds 100 [--first 0] [--count 10] [--jobs 2] [--opt PATH] [--findings FILE.md] [--keep FOLDER]

For each seed a module of --count programs (generate_programs.py; on three devices for every other seed) is compiled with stock
iree-compile, rewritten by `stream-zc-opt` from --compile-to=stream ("scheduled") and from --compile-to=flow ("flow") with
each of TOPOLOGIES, compiled on and run on local-sync devices. Checked:

  stock       the stock program's values are numpy's; a program of which that isn't true is left out of the rest
  tool        the tool succeeds
  identity    without a topology the output is what IREE alone writes
  idempotence a second run changes nothing
  compile     IREE verifies the output and compiles it on
  values      results are numpy's; inputs and the results of earlier calls keep their values
  monotone    a topology that allows less leaves no function with fewer copies

A failure is reduced to one small program and written to the findings with the commands that show it.
"""
import argparse
import concurrent.futures
import dataclasses
import itertools
import json
import multiprocessing
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

import numpy

import generate_programs
import zc_e2e

# Evaluating constants at compile time crashes stock IREE 3.13 where they are transferred.
FLAGS = ['--iree-execution-model=async-external', '--iree-hal-local-target-device-backends=vmvx',
         '--iree-opt-const-eval=false']
ROUTES = {'scheduled': 'stream', 'flow': 'flow'}
LINK = {'unified_memory': True, 'transparent_access': True, 'coherent': True}
RUN_SECONDS = 60
TOOL_SECONDS = 60
REDUCE_SECONDS = 240
# Each pair: the first allows all that the second does.
WEAKER = [('coherent', 'noncoherent'), ('coherent', 'one-way'), ('coherent', 'transparent'), ('coherent', 'partial'),
          ('noncoherent', 'discrete'), ('one-way', 'discrete'), ('transparent', 'discrete'), ('partial', 'discrete')]


def topologies(devices):
    """Links by name of the topology."""
    pairs = list(itertools.permutations(devices, 2))

    def links(change=lambda source, target: {}, among=pairs):
        return [{'from': a, 'to': b, **LINK, **change(a, b)} for a, b in among]
    result = {
        'coherent': links(),
        'noncoherent': links(lambda a, b: {'coherent': False}),
        'one-way': links(lambda a, b: {'coherent': a < b}),
        'transparent': links(lambda a, b: {'unified_memory': False}),
        'discrete': [],
    }
    if len(devices) > 2:
        result['partial'] = links(among=[pair for pair in pairs if devices[-1] not in pair])
    return result


def links_between(links, text):
    """The links whose devices a module has: iree-compile drops those that nothing uses, and the tool refuses unknown ones."""
    return [link for link in links if f'@{link["from"]}' in text and f'@{link["to"]}' in text]


class Failure(Exception):
    """A check that failed: its name and what was seen."""

    def __init__(self, check, detail):
        super().__init__(check, detail)
        self.check = check
        self.detail = detail


@dataclasses.dataclass
class Finding:
    seed: int
    program: object
    route: str
    topology: str
    check: str
    detail: str

    @property
    def key(self):
        return self.program.name, self.route, self.topology, self.check


@dataclasses.dataclass
class Tally:
    """What one seed came to."""
    seed: int
    programs: int = 0
    configurations: int = 0  # modules that were rewritten, compiled and run
    stock_rejects: int = 0
    stock_wrong: int = 0
    findings: list = dataclasses.field(default_factory=list)


# Commands.

def command(check, words, seconds=600):
    """Runs a command; a Failure of `check` where it doesn't succeed."""
    try:
        done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Failure(check, f'no end after {seconds} seconds') from None
    if done.returncode:
        signalled = f'signal {signal.Signals(-done.returncode).name}; ' if done.returncode < 0 else ''
        lines = [line for line in done.stderr.splitlines() if 'error' in line.lower()] or done.stderr.splitlines()
        raise Failure(check, signalled + ' / '.join(lines[:4])[:600])
    return done.stdout


def flags_of(devices):
    return FLAGS + [f'--iree-hal-target-device={name}=local[{i}]' for i, name in enumerate(devices)]


class Bench:
    """A folder with one module of programs in it, and the steps that it goes through."""

    def __init__(self, folder, programs, opt):
        self.folder = pathlib.Path(folder)
        self.programs = programs
        self.devices = programs[0].devices
        self.opt = opt
        self.compiled = {}
        (self.folder / 'model.mlir').write_text(generate_programs.module_text(programs))

    def compile(self, check, source, output, *words):
        command(check, [zc_e2e.tool('iree-compile'), self.folder / source, *flags_of(self.devices), *words, '-o',
                        self.folder / output])

    def reprint(self, name):
        return command('stock', [zc_e2e.tool('iree-opt'), self.folder / name])

    def prepare(self):
        """Stock: both levels, and the program."""
        for phase in ROUTES.values():
            self.compile('stock', 'model.mlir', f'{phase}.mlir', f'--compile-to={phase}')
        self.compile('stock', 'stream.mlir', 'stock.vmfb', '--compile-from=stream')

    def rewrite(self, source, output, topology=None, report=None):
        words = [self.opt, self.folder / source, '-o', self.folder / output]
        if topology is not None:
            links = self.folder / 'topology.json'
            links.write_text(json.dumps({'links': links_between(topology, (self.folder / source).read_text())}))
            words.append(f'--topology={links}')
        if report:
            words.append(f'--report={self.folder / report}')
        command('tool', words, TOOL_SECONDS)
        return (self.folder / output).read_text()

    def stock_text(self, route):
        if route == 'scheduled':
            return self.reprint('stream.mlir')
        self.compile('stock', 'flow.mlir', 'by_iree.mlir', '--compile-from=flow', '--compile-to=stream')
        return self.reprint('by_iree.mlir')

    def check_identity(self, route):
        text = self.rewrite(f'{ROUTES[route]}.mlir', 'same.mlir')
        if text != self.stock_text(route):
            raise Failure('identity', "without a topology the output isn't what IREE alone writes")

    def check_idempotence(self, name, text, topology):
        if self.rewrite(name, 'again.mlir', topology) != text:
            raise Failure('idempotence', 'a second run with the topology changes the output')
        if self.rewrite(name, 'again.mlir') != text:
            raise Failure('idempotence', 'a second run without the topology file changes the output')

    def program_of(self, name, text):
        """The compiled module; texts that differ in the topology attribute only are compiled once."""
        key = '\n'.join(line for line in text.splitlines() if 'hal.device.topology' not in line and line[:6] != 'module')
        if key not in self.compiled:
            output = f'{len(self.compiled)}.vmfb'
            self.compile('compile', name, output, '--compile-from=stream')
            self.compiled[key] = self.folder / output
        return self.compiled[key]


# Running. In a process of its own: a wrong program may crash or hang.

class Runner:
    """A loaded module on local-sync devices."""

    def __init__(self, path, devices):
        import iree.runtime as runtime
        self.runtime = runtime
        instance = runtime.VmInstance()
        driver = runtime.get_driver('local-sync')
        self.devices = [driver.create_default_device() for _ in devices]
        module = runtime.VmModule.mmap(instance, str(path))
        self.context = runtime.VmContext(instance, modules=[
            runtime.create_hal_module(instance, devices=self.devices), module])
        self.module = module

    def fence(self):
        semaphore = self.devices[0].create_semaphore(0)
        return self.runtime.HalFence.create_at(semaphore, 1)

    def buffer(self, array):
        """A buffer that starts with other bytes than any result, for a result."""
        view = self.runtime.asdevicearray(self.devices[0], numpy.full_like(array, 77))
        return view, view._buffer_view.get_buffer()

    def arguments(self, function, call, results):
        """The argument list; the input arrays on the device; and the result storage, if any."""
        given, storage = [], None
        for value in call.inputs:
            given.append(given[value] if isinstance(value, int) else self.runtime.asdevicearray(self.devices[0], value))
        words = self.runtime.VmVariantList(len(given) + 6)
        for array in given:
            words.push_ref(array._buffer_view)
        for scalar in generate_programs.SCALARS:
            words.push_int(call.scalars[scalar])
        if function.storage is not None:
            storage, buffer = self.buffer(results[function.storage])
            words.push_ref(buffer)
        return words, given, storage

    def call(self, function, call, expected):
        """Pairs of what is watched (a name and an array on the device) and the value that it has to have."""
        words, given, storage = self.arguments(function, call, expected)
        wait, done = self.fence(), self.fence()
        wait.signal()
        words.push_ref(wait)
        words.push_ref(done)
        out = self.runtime.VmVariantList(len(expected))
        self.context.invoke(self.module.lookup_function(function.name), words, out)
        done.wait()
        views = [out.get_as_object(i, self.runtime.HalBufferView) for i in range(out.size)]
        arrays = [self.runtime.DeviceArray(self.devices[0], v, implicit_host_transfer=True, override_dtype=e.dtype)
                  for v, e in zip(views, expected)]
        watched = [(f'result {i}', a, e) for i, (a, e) in enumerate(zip(arrays, expected))]
        inputs = [call.inputs[i] if isinstance(i, int) else i for i in call.inputs]
        watched += [(f'input {i}', a, e) for i, (a, e) in enumerate(zip(given, inputs))]
        if storage is not None:
            watched.append(('result storage', storage, expected[function.storage]))
        return watched


def compare(number, name, array, expected):
    actual = array.to_host()
    if actual.shape != expected.shape:
        raise Failure('values', f'{name} of call {number} has shape {actual.shape}, not {expected.shape}')
    if not numpy.array_equal(actual, expected):
        wrong = numpy.flatnonzero(actual != expected)
        raise Failure('values', f'{name} of call {number}: {wrong.size} of {expected.size} elements wrong, from {wrong[0]}: '
                                f'{actual[wrong[:6]].tolist()} for {expected[wrong[:6]].tolist()}')


def run_program(runner, program):
    """All calls of a program; everything of earlier calls is compared again after each."""
    watched = []
    for number, (call, results) in enumerate(zip(program.calls, generate_programs.expected(program))):
        watched += [(number, *w) for w in runner.call(program.function(call.function), call, results)]
        for entry in watched:
            compare(*entry)


def outcome_of(runner, program):
    try:
        run_program(runner, program)
    except Failure as failure:
        return failure.detail
    except Exception as error:  # what the runtime raises has many types
        return f'{type(error).__name__}: {str(error)[:400]}'
    return None


def run_child(path, programs, channel):
    runner = Runner(path, programs[0].devices)
    for program in programs:
        channel.send((program.name, outcome_of(runner, program)))
    channel.send(None)


def run_all(path, programs):
    """What is wrong with each program, by name; nothing for those that are right."""
    outcomes = {}
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context('fork').Process(target=run_child, args=(path, programs, sender))
    process.start()
    sender.close()
    try:
        while receiver.poll(RUN_SECONDS) and (entry := receiver.recv()):
            outcomes[entry[0]] = entry[1]
    except EOFError:
        pass
    process.kill()
    process.join()
    missing = [p for p in programs if p.name not in outcomes]
    if missing:
        outcomes[missing[0].name] = 'the program crashed or hung'
        if missing[1:]:
            outcomes.update(run_all(path, missing[1:]))
    return {name: detail for name, detail in outcomes.items() if detail}


# Checks of a module.

def copies(text):
    """stream.cmd.copy ops by function."""
    counts, name = {}, ''
    for line in text.splitlines():
        match = re.match(r'  util\.(func|initializer)\b[^@]*(@[\w$.]+)?', line)
        if match:
            name = match.group(2) or 'initializer'
        if 'stream.cmd.copy' in line:
            counts[name] = counts.get(name, 0) + 1
    return counts


def of_program(program, function):
    return function.startswith(f'@{program.name}_')


def check_monotone(bench, texts, report):
    counts = {key: copies(text) for key, text in texts.items()}
    for route in ROUTES:
        for more, less in WEAKER:
            if (route, more) not in counts or (route, less) not in counts:
                continue
            for function, number in counts[route, more].items():
                if number <= counts[route, less].get(function, 0):
                    continue
                program = next((p for p in bench.programs if of_program(p, function)), bench.programs[0])
                report(program, route, more, Failure('monotone', f'{function}: {number} copies with {more}, '
                                                                 f'{counts[route, less].get(function, 0)} with {less}'))


def check_configuration(bench, route, name, links):
    """Rewrites, checks and compiles; the text and the compiled module."""
    output = f'{route}-{name}.mlir'
    text = bench.rewrite(f'{ROUTES[route]}.mlir', output, links, f'{route}-{name}.json')
    program = bench.program_of(output, text)
    return text, program


def check_module(bench, report, wanted=None):
    """All configurations, or the wanted (route, topology) only; failures go to report(program, route, topology, failure).

    A failure of a whole module is reported for program None. Returns how many configurations ran.
    """
    texts, ran = {}, 0
    for route in ROUTES:
        guarded(report, route, 'none', lambda route=route: bench.check_identity(route), wanted)
    for route, (name, links) in itertools.product(ROUTES, topologies(bench.devices).items()):
        if wanted and (route, name) not in wanted:
            continue
        found = guarded(report, route, name, lambda: check_configuration(bench, route, name, links))
        if not found:
            continue
        texts[route, name], program = found
        guarded(report, route, name, lambda: bench.check_idempotence(f'{route}-{name}.mlir', texts[route, name], links))
        for wrong, detail in run_all(program, bench.programs).items():
            report(next(p for p in bench.programs if p.name == wrong), route, name, Failure('values', detail))
        ran += 1
    check_monotone(bench, texts, report)
    return ran


def guarded(report, route, name, work, wanted=None):
    if wanted and (route, name) not in wanted:
        return None
    try:
        return work()
    except Failure as failure:
        report(None, route, name, failure)
        return None


# A seed.

def check_programs(programs, opt, report, wanted=None):
    """Checks some programs as one module. Raises Failure('stock', …) where stock can't compile it."""
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder, programs, opt)
        bench.prepare()
        wrong = run_all(bench.folder / 'stock.vmfb', programs)
        for program in programs:
            if program.name in wrong:
                report(program, 'stock', 'none', Failure('stock', wrong[program.name]))
        bench.programs = [p for p in programs if p.name not in wrong]
        return check_module(bench, report, wanted) if bench.programs else 0


def accepted(programs, opt):
    """The programs that stock compiles, in groups that it compiles together."""
    def compiles(some):
        with tempfile.TemporaryDirectory() as folder:
            try:
                Bench(folder, some, opt).prepare()
            except Failure:
                return False
            return True
    if compiles(programs):
        return [programs]
    middle = len(programs) // 2
    return accepted(programs[:middle], opt) + accepted(programs[middle:], opt) if middle else []


def matching(finding, program, opt):
    """The detail with which a program fails in the same way, or None."""
    found = []
    wanted = {(finding.route, finding.topology)}
    if finding.check == 'monotone':
        wanted |= {(finding.route, less) for more, less in WEAKER if more == finding.topology}

    def report(_, route, topology, failure):
        found.append((route, topology, failure.check, failure.detail))
    try:
        check_programs([program], opt, report, wanted)
    except Failure:
        return None
    if any(f[2] == 'stock' for f in found):
        return None
    return next((f[3] for f in found if f[:3] == (finding.route, finding.topology, finding.check)), None)


def reduce_finding(finding, opt):
    """The finding with its program made small, as far as the time allows."""
    end = time.monotonic() + REDUCE_SECONDS
    changed = True
    while changed and time.monotonic() < end:
        changed = False
        for smaller in generate_programs.reductions(finding.program):
            if time.monotonic() > end:
                break
            detail = matching(finding, smaller, opt)
            if detail:
                finding.program, finding.detail, changed = smaller, detail, True
                break
    return finding


def check_seed(seed, count, opt):
    tally = Tally(seed, programs=count)
    devices = generate_programs.DEVICES[:2 + seed % 2]
    programs = [generate_programs.generate(seed, i, devices) for i in range(count)]
    unplaced = []

    def report(program, route, topology, failure):
        if failure.check == 'stock' and route == 'stock':
            tally.stock_wrong += 1
        elif program is None:
            unplaced.append((route, topology, failure))
        else:
            tally.findings.append(Finding(seed, program, route, topology, failure.check, failure.detail))
    groups = accepted(programs, opt)
    kept = [p for group in groups for p in group]
    tally.stock_rejects = count - len(kept)
    for group in groups:
        tally.configurations += check_programs(group, opt, report)
    for route, topology, failure in unplaced:
        place(tally, kept, route, topology, failure, opt)
    return tally


def place(tally, programs, route, topology, failure, opt):
    """Finds the program at which a failure of a whole module lies."""
    for program in programs:
        finding = Finding(tally.seed, program, route, topology, failure.check, failure.detail)
        detail = matching(finding, program, opt)
        if detail:
            finding.detail = detail
            tally.findings.append(finding)
            return
    tally.findings.append(Finding(tally.seed, programs[0], route, topology, failure.check,
                                  f'only with all programs of the seed together: {failure.detail}'))


# The report.

SERIOUS = ['values', 'tool', 'compile', 'idempotence', 'identity', 'monotone']


def entry(finding, keep):
    """A finding as Markdown; its program as a file in `keep`."""
    name = f'{finding.check}-{finding.seed}-{finding.program.name}-{finding.route}-{finding.topology}'
    devices = finding.program.devices
    text = generate_programs.describe([finding.program])
    (keep / f'{name}.mlir').write_text(text)
    option = ''
    if finding.topology != 'none':
        links = links_between(topologies(devices)[finding.topology], text)
        (keep / f'{name}.json').write_text(json.dumps({'links': links}, indent=1))
        option = f' --topology={keep / name}.json'
    return (f'## {finding.check}: {finding.route} route, {finding.topology} topology (seed {finding.seed}, '
            f'{finding.program.name})\n{finding.detail}\n```\n'
            f'iree-compile {keep / name}.mlir {" ".join(flags_of(devices))} --compile-to={ROUTES[finding.route]} -o in.mlir\n'
            f'stream-zc-opt in.mlir{option} --remarks -o out.mlir\n```\n'
            f'```mlir\n{text}```\n\n')


class Findings:
    """The findings file, most serious first, rewritten as they come; one entry a kind is reduced, others are counted."""

    def __init__(self, path, keep, limit):
        self.path = path
        self.keep = keep
        self.limit = limit
        self.entries = {}
        self.counts = {}
        self.lock = threading.Lock()
        keep.mkdir(parents=True, exist_ok=True)

    def wants(self, finding):
        """Whether it's one of the first of its kind."""
        kind = finding.check, finding.route, finding.topology
        self.counts[kind] = self.counts.get(kind, 0) + 1
        return self.counts[kind] <= self.limit

    def put(self, finding):
        """Writes a finding down, in place of the same one before it was reduced."""
        with self.lock:
            self.entries[finding.seed, finding.key] = SERIOUS.index(finding.check), entry(finding, self.keep)
            summary = ''.join(f'- {" / ".join(kind)}: {n}\n' for kind, n in sorted(self.counts.items()))
            texts = [text for _, text in sorted(self.entries.values(), key=lambda e: e[0])]
            self.path.write_text(f'# Findings\n{summary}\n' + ''.join(texts))


def parse_arguments():
    parser = argparse.ArgumentParser(description='Random programs through the tool, and run.')
    parser.add_argument('--seeds', type=int, default=10)
    parser.add_argument('--first', type=int, default=0, help='the first seed')
    parser.add_argument('--count', type=int, default=10, help='programs for each seed')
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--opt', type=pathlib.Path, default=zc_e2e.OPT, help='stream-zc-opt')
    parser.add_argument('--findings', type=pathlib.Path, default=pathlib.Path('findings.md'))
    parser.add_argument('--keep', type=pathlib.Path, help='folder for reduced programs; default: findings/ beside the file')
    parser.add_argument('--limit', type=int, default=2, help='findings of one kind that are reduced')
    options = parser.parse_args()
    options.keep = options.keep or options.findings.with_suffix('')
    return options


def total_of(tallies):
    names = ['programs', 'configurations', 'stock_rejects', 'stock_wrong']
    totals = {n: sum(getattr(t, n) for t in tallies) for n in names}
    return {**totals, 'findings': sum(len(t.findings) for t in tallies)}


def main():
    options = parse_arguments()
    findings = Findings(options.findings, options.keep, options.limit)
    tallies, reductions = [], []
    # Reductions have a pool of their own, so that they don't wait for the seeds.
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool, concurrent.futures.ProcessPoolExecutor(1) as reducer:
        seeds = range(options.first, options.first + options.seeds)
        waiting = [pool.submit(check_seed, seed, options.count, options.opt) for seed in seeds]
        for done in concurrent.futures.as_completed(waiting):
            tally = done.result()
            tallies.append(tally)
            for finding in {f.key: f for f in tally.findings}.values():
                if findings.wants(finding):
                    findings.put(finding)
                    reduced = reducer.submit(reduce_finding, finding, options.opt)
                    reduced.add_done_callback(lambda r: findings.put(r.result()))
                    reductions.append(reduced)
            print(f'seed {tally.seed}: {total_of([tally])}', flush=True)
        concurrent.futures.wait(reductions)
    print(f'total: {total_of(tallies)}')
    sys.exit(1 if any(t.findings for t in tallies) else 0)


if __name__ == '__main__':
    main()
