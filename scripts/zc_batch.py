"""Many small modules at once: compiled by stock IREE in a child process, rewritten by one run of stream-zc-opt.

A start of iree-compile costs more than a small program does, and one program that IREE refuses or crashes on must not cost
its neighbours: so each is an invocation of its own, of IREE's compiler as a library, in a child that a crash may take along.
stream-zc-opt takes all as one split input; what it says is told apart by line.
"""
import bisect
import collections
import dataclasses
import json
import multiprocessing
import os
import pathlib
import re
import signal
import subprocess

# Evaluating constants at compile time crashes stock IREE 3.13 where they are transferred.
FLAGS = ['--iree-execution-model=async-external', '--iree-hal-local-target-device-backends=vmvx',
         '--iree-opt-const-eval=false']
CRASHED = object()
ITEM_SECONDS = 60
TOOL_SECONDS = 120
MARKER = '// -----\n'


def flags_of(devices):
    return FLAGS + [f'--iree-hal-target-device={name}=local[{i}]' for i, name in enumerate(devices)]


# Children.

def serve(make_work, items, channel):
    """In the child: what work makes of each item."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    work = make_work()
    for item in items:
        channel.send(work(item))
    os._exit(0)  # libraries that were loaded here may hang or crash as they go


def isolated(make_work, items):
    """What work, made in a child by make_work(), returns for each item; CRASHED where the child died or hung at it."""
    results = []
    while len(results) < len(items):
        receiver, sender = multiprocessing.Pipe(duplex=False)
        child = multiprocessing.get_context('fork').Process(target=serve, args=(make_work, items[len(results):], sender))
        child.start()
        sender.close()
        try:
            while len(results) < len(items) and receiver.poll(ITEM_SECONDS):
                results.append(receiver.recv())
        except EOFError:
            pass
        if len(results) < len(items):
            results.append(CRASHED)
        child.kill()
        child.join()
        receiver.close()
    return results


# Stock IREE.

class Compiler:
    """IREE's compiler with some flags, as a library: for use in a child."""

    def __init__(self, flags):
        from iree.compiler.api import ctypes_dl
        self.api = ctypes_dl
        for name in ('From', 'To'):
            set_phase = getattr(ctypes_dl._dylib, f'ireeCompilerInvocationSetCompile{name}Phase')
            set_phase.argtypes, set_phase.restype = [ctypes_dl.c_void_p, ctypes_dl.c_char_p], None
        ctypes_dl._initializeGlobalCL('zc', '--mlir-disable-threading')
        self.session = ctypes_dl.Session()
        self.session.set_flags(*flags)

    def compile(self, text, start, end):
        """The text, or for end None the program, that comes of `text`; None where IREE refuses it."""
        api, library = self.api, self.api._dylib
        invocation = self.session.invocation()
        source = api.Source.wrap_buffer(self.session, text.encode() + b'\0')
        try:
            if not invocation.parse_source(source):
                return None
            if start:
                library.ireeCompilerInvocationSetCompileFromPhase(invocation._inv_p, start.encode())
            if end:
                library.ireeCompilerInvocationSetCompileToPhase(invocation._inv_p, end.encode())
            if not invocation.execute():
                return None
            output = api.Output.open_membuffer()
            invocation.output_ir(output) if end else invocation.output_vm_bytecode(output)
            result = bytes(output.map_memory())
            output.close()
            return with_newline(result.decode()) if end else result
        finally:
            invocation.close()

    def levels(self, text):
        """Flow and scheduled IR of a program at tensor level, or None."""
        flow = self.compile(text, None, 'flow')
        stream = flow and self.compile(flow, 'flow', 'stream')
        return stream and (flow, stream)


def compile_levels(texts, devices):
    """(flow, scheduled) for each text; None where IREE refuses it; CRASHED."""
    return isolated(lambda: Compiler(flags_of(devices)).levels, texts)


def compile_programs(texts, devices):
    """The program that each scheduled text is; None or CRASHED where IREE doesn't compile it."""
    def make():
        compiler = Compiler(flags_of(devices))
        return lambda text: compiler.compile(text, 'stream', None)
    return isolated(make, texts)


# The tool.

@dataclasses.dataclass
class Outcome:
    """What the tool made of a module: the text or None, and what it said of it."""
    text: str = None
    errors: list = dataclasses.field(default_factory=list)
    unknown: list = dataclasses.field(default_factory=list)
    warnings: list = dataclasses.field(default_factory=list)


def with_newline(text):
    return text if text.endswith('\n') else text + '\n'


def devices_in(text):
    return frozenset(re.findall(r'^  util\.global private @([\w$.-]+) = #', text, re.M))


def present(links, devices):
    """The links whose devices a module has: iree-compile drops those that nothing uses, and the tool refuses unknown ones."""
    return [link for link in links if link['from'] in devices and link['to'] in devices]


class Batch:
    """Texts by key, as one file, and to which text each line belongs."""

    def __init__(self, texts):
        self.keys = list(texts)
        self.starts = []
        parts, line = [], 1
        for text in texts.values():
            self.starts.append(line)
            parts.append(with_newline(text))
            line += parts[-1].count('\n') + 1
        self.text = MARKER.join(parts)

    def key_at(self, line):
        return self.keys[bisect.bisect_right(self.starts, line) - 1]

    def split(self, text):
        parts = re.split(f'^{MARKER}', text, flags=re.M)
        assert len(parts) == len(self.keys), 'the tool wrote another number of modules'
        return dict(zip(self.keys, parts))


class Tool:
    """stream-zc-opt over many modules at once. Uses files of `folder`."""

    def __init__(self, opt, folder):
        self.opt = str(opt)
        self.folder = pathlib.Path(folder)

    def run(self, texts, words=(), links=None):
        """An Outcome by key; `links` as the topology, those that a module has the devices for."""
        if links is None:
            return self.run_batch(texts, list(words))
        groups = collections.defaultdict(dict)
        for key, text in texts.items():
            groups[devices_in(text)][key] = text
        outcomes = {}
        for devices, group in groups.items():
            path = self.folder / 'topology.json'
            path.write_text(json.dumps({'links': present(links, devices)}))
            outcomes.update(self.run_batch(group, [*words, f'--topology={path}']))
        return outcomes

    def run_batch(self, texts, words):
        """The modules that make it fail are found by the lines that its errors name, else by halves; the others run again."""
        if not texts:
            return {}
        batch = Batch(texts)
        failure, output, said = self.start(batch, words)
        if failure is None:
            return self.read(batch, output, said)
        outcomes = {}
        for kind, line, text in said:
            if kind == 'error' and (line or len(texts) == 1):
                outcomes.setdefault(batch.key_at(line or 1), Outcome()).errors.append(text)
        if len(texts) == 1:
            return outcomes or {batch.keys[0]: Outcome(None, [failure])}
        for part in self.remaining(texts, outcomes):
            outcomes.update(self.run_batch(part, words))
        return outcomes

    @staticmethod
    def remaining(texts, outcomes):
        """What the failure of a batch leaves to be tried: those that no error names; halves where it names none."""
        rest = list(texts.items())
        if outcomes:
            return [dict(item for item in rest if item[0] not in outcomes)]
        return [dict(rest[:len(rest) // 2]), dict(rest[len(rest) // 2:])]

    def start(self, batch, words):
        """What went wrong or None, the output, and (kind, line or None, text) of each diagnostic."""
        source, target = self.folder / 'batch.mlir', self.folder / 'batch.out.mlir'
        source.write_text(batch.text)
        command = [self.opt, '--split-input-file', source, '-o', target, '--mlir-disable-threading', *words]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors='replace', timeout=TOOL_SECONDS)
        except subprocess.TimeoutExpired:
            return f'no end after {TOOL_SECONDS} seconds', None, []
        said = diagnostics(done.stderr)
        if done.returncode == 0:
            return None, target.read_text(), said
        if done.returncode < 0:
            return f'signal {signal.Signals(-done.returncode).name}', None, []
        return (done.stderr.splitlines() or ['it failed and said nothing'])[0][:300], None, said

    @staticmethod
    def read(batch, output, said):
        outcomes = {key: Outcome(text) for key, text in batch.split(output).items()}
        for kind, line, text in said:
            outcome = outcomes[batch.key_at(line) if line else batch.keys[0]]
            if kind == 'warning':
                outcome.warnings.append(text)
            elif kind == 'remark' and 'unknown: ' in text:
                outcome.unknown.append(text)
        return outcomes


def diagnostics(text):
    """(kind, line in the batch or None, message) of each."""
    found = []
    for line in text.splitlines():
        match = re.match(r'(.*?): ?(error|warning|remark): (.*)', line)
        if match:
            place = re.search(r'batch\.mlir:(\d+)', match.group(1))
            found.append((match.group(2), int(place.group(1)) if place else None, match.group(3)))
    return found
