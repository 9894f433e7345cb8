#!/usr/bin/env python3
"""Checks of lowered cache maintenance in programs that run. A program is a model of testdata/e2e/models/ as iree-compile
schedules it: the flushes are IREE's, and each region of commands begins by invalidating what it reads, put in here.

  run_lowered.py values MODEL            stock values in every mode, on every driver that has what the mode needs
  run_lowered.py listing MODEL [MODE]    prints the commands of the compiled program in order, for FileCheck
  run_lowered.py assembly TRIPLE [FLAG]  prints the cache instructions of the kernels that were generated
  run_lowered.py coverage                a kernel touches each cache line of a range once, and no other
"""
import contextlib
import pathlib
import platform
import re
import sys
import tempfile

import numpy

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent.parent / 'scripts'))
import zc_e2e  # noqa: E402  (found by the line above)

E2E = HERE.parent / 'e2e'
DEVICES = {'dev_a': 'dev_b', 'dev_b': 'dev_a'}
# What runs where: local-task has no flush_buffer and invalidate_buffer.
RUNS = (('hal', 'local-sync'), ('dispatch', 'local-sync'), ('dispatch', 'local-task'), ('keep', 'local-sync'))


def model_named(name):
    return zc_e2e.Model(E2E / 'models' / f'{name}.mlir')


def insert_invalidates(text):
    """Makes each execution region begin with an invalidate of the first resource that it captures."""
    def insert(match):
        line, device, argument, resource, size = match.groups()
        return (f'{line}\n      stream.cmd.invalidate from(#hal.device.affinity<@{DEVICES[device]}>) '
                f'{argument}[%c0 for {size}] : {resource}{{{size}}}')
    return re.sub(r'^(.*stream\.cmd\.execute.* on\(#hal\.device\.affinity<@(dev_[ab])>\).*? as (%\w+): '
                  r'(!stream\.resource<\w+>)\{(%\w+)\}.*\{)$', insert, text, flags=re.M)


def schedule(model, folder, backend='llvm-cpu', extra=()):
    source = zc_e2e.compile_to(model, 'stream', folder / 'stock.mlir', backend, extra)
    with_maintenance = folder / 'maintenance.mlir'
    with_maintenance.write_text(insert_invalidates(source.read_text()))
    return source, with_maintenance


def lower(source, mode, folder, topology='noncoherent', passes=('zc-lower-cache-maintenance',)):
    lowered = folder / f'{mode.replace(":", "-")}.mlir'
    zc_e2e.call([zc_e2e.OPT, source, f'--topology={E2E / "topologies" / topology}.json', f'--maintenance={mode}',
                 f'--pass-pipeline=builtin.module({",".join(passes)})', '-o', lowered])
    return lowered


def compile_on(model, source, backend='llvm-cpu'):
    return zc_e2e.compile_on(model, source, source.with_suffix('.vmfb'), backend)


def check_values(name, folder):
    model = model_named(name)
    source, maintenance = schedule(model, folder)
    stock = compile_on(model, source)
    programs = {mode: compile_on(model, lower(maintenance, mode, folder)) for mode, _ in RUNS}
    for run in model.runs:
        zc_e2e.vary_inputs(run, folder)
        expected = zc_e2e.results_of(stock, run, folder)
        for mode, driver in RUNS:
            run.devices = [driver] * len(run.devices)
            wrong = zc_e2e.differences(expected, zc_e2e.results_of(programs[mode], run, folder))
            if wrong:
                raise zc_e2e.Failed(f'{name} {run} with {mode} on {driver}: {wrong}')
            print(f'{name}: {mode} on {driver}: as stock')


def print_listing(name, mode, folder):
    model = model_named(name)
    _, maintenance = schedule(model, folder, 'vmvx')
    program = compile_on(model, lower(maintenance, mode, folder), 'vmvx')
    listing = zc_e2e.call([zc_e2e.tool('iree-dump-module'), '--output=disassembly', program])
    for call in re.findall(r'vm\.(import @\S+|call\S* @\S+?)[( ]', listing):
        if re.search(r'command_buffer|queue|_buffer', call):
            print(re.sub(r'^call\S*', 'call', call))


# Kernels.

def print_assembly(triple, extra, folder):
    model = model_named('chain')
    flags = [*model.flags, '--iree-hal-local-target-device-backends=llvm-cpu', f'--iree-llvmcpu-target-triple={triple}',
             '--iree-llvmcpu-target-cpu=', *extra]
    source = folder / 'stock.mlir'
    zc_e2e.call([zc_e2e.tool('iree-compile'), model.path, *flags, '--compile-to=stream', '-o', source])
    source.write_text(insert_invalidates(source.read_text()))
    lowered = lower(source, 'dispatch', folder)
    zc_e2e.call([zc_e2e.tool('iree-compile'), '--compile-from=stream', lowered, *flags,
                 f'--iree-hal-dump-executable-intermediates-to={folder}', '-o', folder / 'program.vmfb'])
    text = '\n'.join(path.read_text() for path in folder.glob('*.s'))
    for line in text.splitlines():
        if re.match(r'zc_\w+:', line) or re.match(r'\s+(dc|dsb|clflush|clflushopt|clwb|mfence|cbo\.\w+|fence)\b', line):
            print(' '.join(line.split()))


def touching_program(folder, size, triple='x86_64-unknown-linux-gnu'):
    """A kernel whose cache instruction became one that counts its lines: it increments the first byte of each."""
    target = (f'#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {{cpu = "generic", cpu_features = "", '
              f'data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", '
              f'native_vector_size = 16 : i64, target_triple = "{triple}"}}>')
    source = folder / 'touch.mlir'
    source.write_text((HERE / 'Inputs' / 'touch.mlir').read_text().replace('TARGET', target).replace('BYTES', str(size)))
    lowered = folder / 'lowered.mlir'
    zc_e2e.call([zc_e2e.OPT, source, '--zc-lower-cache-maintenance=mode=dispatch', '-o', lowered])
    text = lowered.read_text()
    assert 'clflush ($0)' in text
    lowered.write_text(text.replace('clflush ($0)', 'lock incb ($0)'))
    program = folder / 'touch.vmfb'
    zc_e2e.call([zc_e2e.tool('iree-compile'), '--compile-from=stream', lowered, '-o', program])
    return program


RANGES = ((0, 0), (0, 1), (0, 65), (1, 63), (1, 64), (63, 1), (63, 2), (64, 0), (64, 64), (100, 1000), (0, 65536),
          (1, 65536), (63, 65537), (12345, 777777), (0, 1 << 20), (1, (1 << 20) - 1), ((1 << 20) - 1, 1))


def check_coverage(folder):
    if platform.machine() != 'x86_64':
        print('all ranges covered')
        return
    size = 1 << 20
    program = touching_program(folder, size)
    zeros = folder / 'zeros.npy'
    numpy.save(zeros, numpy.zeros(size, numpy.int8))
    for driver in ('local-sync', 'local-task'):
        for offset, length in RANGES:
            output = folder / 'out.npy'
            zc_e2e.call([zc_e2e.tool('iree-run-module'), f'--module={program}', f'--device={driver}',
                         f'--device={driver}', '--function=touch', f'--input=@{zeros}', f'--input={offset}',
                         f'--input={length}', f'--output=@{output}'])
            expected = numpy.zeros(size, numpy.int8)
            expected[offset // 64 * 64:offset + length:64] = 1
            wrong = numpy.flatnonzero(numpy.load(output) != expected)
            if wrong.size:
                raise zc_e2e.Failed(f'{driver}: [{offset} for {length}]: {wrong.size} lines, the first at {wrong[0]}')
    print('all ranges covered')


def main(arguments):
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        what, rest = arguments[0], arguments[1:]
        if what == 'values':
            check_values(rest[0], folder)
        elif what == 'listing':
            print_listing(rest[0], rest[1] if len(rest) > 1 else 'hal', folder)
        elif what == 'assembly':
            print_assembly(rest[0], rest[1:], folder)
        elif what == 'coverage':
            check_coverage(folder)
        else:
            raise zc_e2e.Failed(__doc__)


if __name__ == '__main__':
    try:
        main(sys.argv[1:])
    except zc_e2e.Failed as error:
        sys.exit(f'run_lowered.py: {error}')
