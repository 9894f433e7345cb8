"""Compiles, rewrites, runs and measures programs for several devices: shared by the demo, the generators and the tests.

A model is an .mlir file that iree-compile takes. Comment lines in it, all optional, say how to use it:

  // iree-compile: FLAGS               how to compile it; default: DEFAULT_FLAGS, two local devices dev_a and dev_b
  // Run: iree-run-module --function=F --input=... [--device=...] [--expected_output=...]
                                    one call, any number of lines; default: each public function once, with inputs made
                                    from its signature

Without --device each device of the flags runs on IREE's local-sync driver.
"""
import dataclasses
import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import numpy

import zc_run

ROOT = pathlib.Path(__file__).resolve().parent.parent
OPT = pathlib.Path(os.environ.get('STREAM_ZC_OPT', ROOT / 'build' / 'release' / 'bin' / 'stream-zc-opt'))
DEFAULT_FLAGS = ['--iree-execution-model=async-external',
                 '--iree-hal-target-device=dev_a=local[0]', '--iree-hal-target-device=dev_b=local[1]']
WHOLE_BUFFER = 2**64 - 1


class Failed(Exception):
    """A command ended with an error; the message holds the command and what it wrote."""


def tool(name):
    """An IREE program: beside the running python, in .venv, or on the PATH."""
    for folder in (pathlib.Path(sys.executable).parent, ROOT / '.venv' / 'bin'):
        if (folder / name).exists():
            return str(folder / name)
    found = shutil.which(name)
    if not found:
        raise Failed(f'{name} not found: run scripts/setup.sh')
    return found


def call(command, **environment):
    """Runs a command, with these variables besides, and returns its standard output."""
    command = [str(word) for word in command]
    try:
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    except FileNotFoundError:
        raise Failed(f'{command[0]} not found: run scripts/build.sh release') from None
    if done.returncode != 0:
        message = '\n'.join((done.stderr or done.stdout).strip().split('\n')[:20])
        raise Failed(f'{shlex.join(command)}\nexit status {done.returncode}\n{message}')
    return done.stdout


# Models.

@dataclasses.dataclass
class Run:
    """One call of a function."""
    function: str
    inputs: list
    devices: list
    expected: list = dataclasses.field(default_factory=list)  # results, as in --expected_output=; empty: not known

    def __str__(self):
        return ' '.join([self.function] + [i if len(i) < 40 else i[:37] + '...' for i in self.inputs])


class Model:
    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.name = self.path.stem
        self.text = self.path.read_text()
        flags = re.findall(r'^//\s*iree-compile:(.*)$', self.text, re.M)
        self.flags = shlex.split(' '.join(flags)) if flags else DEFAULT_FLAGS
        self.devices = [match.group(1) for flag in self.flags
                        if (match := re.match(r'--iree-hal-target-device=([\w.$-]+)=', flag))]
        lines = re.findall(r'^//\s*(?:Run:\s*)?(iree-run-module\s.*)$', self.text, re.M)
        self.runs = [self._read_run(line) for line in lines] or self._make_runs()

    def _read_run(self, line):
        values = lambda key: [w.split('=', 1)[1] for w in shlex.split(line) if w.startswith(f'--{key}=')]
        return Run(values('function')[0], values('input'), values('device') or self._default_devices(),
                   values('expected_output'))

    def _default_devices(self):
        return ['local-sync'] * max(1, len(self.devices))

    def _make_runs(self):
        found = re.finditer(r'^\s*(?:func|util)\.func\s+(private\s+)?(?:public\s+)?@([\w.$-]+)\((.*)$', self.text, re.M)
        runs = [Run(f.group(2), [make_input(t) for t in argument_types(f.group(3))], self._default_devices())
                for f in found if not f.group(1)]
        if not runs:
            raise Failed(f'{self.path}: no public function and no "// Run:" line')
        return runs


def argument_types(signature):
    """The types of a function's arguments, in order, from the text after its opening parenthesis."""
    depth, end = 1, 0
    for end, letter in enumerate(signature):
        depth += letter in '(' and 1 or letter in ')' and -1 or 0
        if depth == 0:
            break
    return re.findall(r'%\w+\s*:\s*(tensor<[^>]*>|\w+)', signature[:end])


def make_input(type_text):
    """An input of a type: 16 for dynamic dimensions, small values."""
    match = re.match(r'tensor<(.*)>', type_text)
    shape = match.group(1).replace('?', '16') if match else type_text
    number = '0.5' if re.search(r'f\d+$', shape) else '1'
    if match:
        return f'{shape}={number}'
    return '3' if type_text in ('index', 'i32', 'i64') else number


NUMPY_TYPES = {'f16': 'float16', 'f32': 'float32', 'f64': 'float64', 'i8': 'int8', 'i16': 'int16', 'i32': 'int32',
               'i64': 'int64'}


def vary_inputs(run, folder):
    """Replaces inputs so that a misplaced byte shows, unless the results for those that are given are known."""
    if not run.expected:
        run.inputs = [vary_input(text, folder / f'{run.function}{i}.npy') for i, text in enumerate(run.inputs)]


def vary_input(text, path):
    """A tensor of one value becomes a file whose elements differ, of about that size."""
    match = re.fullmatch(r'((?:\d+x)+)(\w+)=(\S+)', text)
    if not match or match.group(2) not in NUMPY_TYPES or re.search(r'[,\s\[]', match.group(3)):
        return text
    shape = [int(size) for size in match.group(1).split('x')[:-1]]
    steps = (numpy.arange(numpy.prod(shape)) * 7919 % 1009).reshape(shape)
    value = float(match.group(3))
    floating = match.group(2).startswith('f')
    values = value * (0.5 + steps / 1009) if floating else value + steps % 5
    numpy.save(path, values.astype(NUMPY_TYPES[match.group(2)]))
    return f'@{path}'


# Topologies.

# Devices that share memory: whether what one writes is seen without maintenance by those after it, and by those before.
COHERENCE = {'coherent': (True, True), 'noncoherent': (False, False), 'noncoherent_there': (False, True),
             'noncoherent_back': (True, False)}


def write_topology(name, devices, folder):
    """A topology file: one of COHERENCE, or 'discrete', in which no memory is shared."""
    links = [{'from': a, 'to': b} for a, b in itertools.permutations(devices, 2)]
    for link in links if name != 'discrete' else ():
        backward = devices.index(link['from']) > devices.index(link['to'])
        link.update(unified_memory=True, transparent_access=True, coherent=COHERENCE[name][backward])
    path = folder / f'{name}.json'
    path.write_text(json.dumps({'links': links}, indent=1))
    return path


# Compiling.

def flags_of(model, backend):
    host = ['--iree-llvmcpu-target-cpu=host'] if backend == 'llvm-cpu' else []
    return model.flags + [f'--iree-hal-local-target-device-backends={backend}', *host]


def compile_to(model, phase, output, backend='vmvx', extra=()):
    """From the model's source to `phase`: flow, stream, …"""
    call([tool('iree-compile'), model.path, *flags_of(model, backend), f'--compile-to={phase}', *extra, '-o', output])
    return output


def compile_on(model, source, output, backend='vmvx'):
    """From stream IR to a program."""
    call([tool('iree-compile'), '--compile-from=stream', source, *flags_of(model, backend), '-o', output])
    return output


def flow_to_stream(model, source, output, backend='vmvx'):
    call([tool('iree-compile'), '--compile-from=flow', source, *flags_of(model, backend), '--compile-to=stream', '-o',
          output])
    return output


def reprint(source):
    """The text as iree-opt prints it."""
    return call([tool('iree-opt'), source])


def rewrite(source, output, topology=None, report=None, opt=OPT, maintenance=None):
    options = {'topology': topology, 'report': report, 'maintenance': maintenance}
    call([opt, source, '-o', output, *[f'--{name}={value}' for name, value in options.items() if value]])
    return output


# Counting: in the text what is written once, in the call record what runs.

COUNTED = {'copies': r'\bstream\.cmd\.copy\b', 'allocations': r'\bstream\.resource\.alloca\b',
           'flushes': r'\bstream\.cmd\.flush\b|zc\.maintenance = "flush"',
           'invalidates': r'\bstream\.cmd\.invalidate\b|zc\.maintenance = "invalidate"'}


def count_text(text):
    return {key: len(re.findall(pattern, text)) for key, pattern in COUNTED.items()}


def read_commands(program):
    """What a compiled program records, in the order of its VM listing: for each command buffer its commands, ` | ` for a
    barrier; for a copy or fill without one, queue.copy or queue.fill."""
    listing = call([tool('iree-dump-module'), '--output=disassembly', program])
    found, commands = [], []
    for scope, operation in re.findall(r'vm\.call\S* @hal\.(command_buffer|device\.queue)\.(\w+)', listing):
        if scope == 'device.queue':
            found += [f'queue.{operation}'] if operation in ('copy', 'fill') else []
        elif operation == 'create':
            commands = []
        elif operation == 'finalize':
            found.append(', '.join(commands).strip(', |').replace(', |, ', ' | '))
        else:
            commands.append('|' if operation == 'execution_barrier' else operation.removesuffix('_buffer'))
    return found


def transferred(reference, bindings):
    """Bytes that a buffer reference of a call covers."""
    if reference['length'] != WHOLE_BUFFER:
        return reference['length']
    return bindings[reference['buffer_slot']]['length'] if bindings else 0


def read_record(lines):
    """Copies and allocations of a program run, from `iree-dump-replay --format=jsonl`.

    Commands count when their command buffer is executed, as often as it is. What iree-run-module itself copies to read the
    results is not the program's: it allocates the target of such a copy while it records the command buffer.
    """
    total = dict(copies=0, copied_bytes=0, allocations=0, allocated_bytes=0)
    commands, recording, of_harness = {}, None, set()
    for entry in map(json.loads, lines):
        operation, payload = entry.get('operation'), entry.get('payload', {})
        if entry['kind'] != 'operation':
            continue
        if operation == 'command_buffer.begin':
            recording = entry['object_id']
            commands[recording] = []
        elif operation == 'command_buffer.end':
            recording = None
        elif operation == 'allocator.allocate_buffer' and recording is not None:
            of_harness.add(recording)
        elif operation == 'command_buffer.copy_buffer':
            commands[entry['object_id']].append(payload['target'])
        elif operation == 'device.queue_copy':
            total['copies'] += 1
            total['copied_bytes'] += transferred(payload['target_ref'], None)
        elif operation == 'device.queue_alloca':
            total['allocations'] += 1
            total['allocated_bytes'] += payload['allocation_size']
        elif operation == 'device.queue_execute' and payload['command_buffer_id'] not in of_harness:
            executed = commands.get(payload['command_buffer_id'], [])
            total['copies'] += len(executed)
            total['copied_bytes'] += sum(transferred(target, payload['bindings']) for target in executed)
    return total


def peak_bytes(statistics):
    """Most device memory in use at once, added over the devices, from --print_statistics."""
    return sum(int(number) for number in re.findall(r'DEVICE_LOCAL:\s+(\d+)B peak', statistics))


# Running.

@dataclasses.dataclass
class Outcome:
    outputs: list  # of numpy arrays
    record: dict  # read_record's, and peak_bytes; empty for a program that can't be recorded


def run_command(program, run, name='iree-run-module'):
    return [tool(name), f'--module={program}', *[f'--device={device}' for device in run.devices],
            f'--function={run.function}', *[f'--input={text}' for text in run.inputs]]


def result_files(program, run, folder):
    """A file name in `folder` for each result."""
    printed = call(run_command(program, run) + ['--output_max_element_count=0'])
    return [folder / f'output{i}.npy' for i in range(len(re.findall(r'^result\[\d+\]', printed, re.M)))]


def results_of(program, run, folder):
    """The outputs, as arrays. On local-task without iree-run-module: zc_run says why."""
    if 'local-task' in run.devices:
        outputs = zc_run.results_in_child(program, run.devices, run.function, run.inputs)
        if isinstance(outputs, str):
            raise Failed(f'{shlex.join(map(str, run_command(program, run)))}\n{outputs}')
        return outputs
    files = result_files(program, run, folder)
    call(run_command(program, run) + [f'--output=@{f}' for f in files])
    return [numpy.load(f) for f in files]


def can_be_recorded(program):
    """IREE's recorder lacks the commands for cache maintenance (3.13)."""
    return not re.search(rb'hal\.command_buffer\.(flush|invalidate)_buffer', pathlib.Path(program).read_bytes())


def execute(program, run, folder, counted=None):
    """Runs a call with its results checked against what is expected, if that is known, and a call that is recorded: of
    `counted`, if that is given, where `program` can't be. `folder` takes the files."""
    command = run_command(program, run)
    if run.expected:
        call(command + [f'--expected_output={text}' for text in run.expected])
    if not can_be_recorded(program):
        return Outcome(results_of(program, run, folder), execute(counted, run, folder).record if counted else {})
    files = result_files(program, run, folder)
    replay = folder / 'calls.ireereplay'
    command += [*[f'--output=@{f}' for f in files], f'--device_replay_output={replay}', '--print_statistics']
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f'{shlex.join(command)}\n{done.stderr.strip()}')
    lines = call([tool('iree-dump-replay'), '--format=jsonl', replay]).splitlines()
    record = read_record(lines)
    record['peak_bytes'] = peak_bytes(done.stdout + done.stderr)
    return Outcome([numpy.load(f) for f in files], record)


def differences(expected, actual):
    """What differs between two lists of outputs, bit for bit, as one line; empty where nothing does."""
    if len(expected) != len(actual):
        return f'{len(expected)} results against {len(actual)}'
    for i, (a, b) in enumerate(zip(expected, actual)):
        if a.shape != b.shape or a.dtype != b.dtype:
            return f'result {i}: {a.dtype}{a.shape} against {b.dtype}{b.shape}'
        if a.tobytes() != b.tobytes():
            wrong = numpy.flatnonzero((a != b).reshape(-1))
            return f'result {i}: {wrong.size} of {a.size} elements differ'
    return ''


# A device of the local drivers allocates with malloc. Keep what it frees: giving it back to the system and faulting it in
# again would cost more than what is measured, in one run and not in the next.
KEEP_FREED_MEMORY = 'glibc.malloc.mmap_threshold=1073741824:glibc.malloc.trim_threshold=4294967295'


def benchmark(programs, run, rounds=6):
    """Best time of a call for each program, in milliseconds; the programs take turns, so that noise hits them alike."""
    best = [float('inf')] * len(programs)
    for _ in range(rounds):
        for i, program in enumerate(programs):
            text = call(run_command(program, run, 'iree-benchmark-module') +
                        ['--benchmark_format=json', '--benchmark_min_time=0.1s'], GLIBC_TUNABLES=KEEP_FREED_MEMORY)
            for row in json.loads(text[text.index('{'):])['benchmarks']:
                scale = {'ns': 1e-6, 'us': 1e-3, 'ms': 1.0, 's': 1e3}[row['time_unit']]
                best[i] = min(best[i], row['real_time'] * scale)
    return best
