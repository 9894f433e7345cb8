#!/usr/bin/env python3
"""What the kernels of --maintenance=dispatch cost, and that they do something: on this machine's CPU.

  bench_maintenance.py [--mib=1] [--rounds=200] [--driver=local-sync] [--features=+clflushopt] [--check]

Prints, for one buffer and the best of all rounds: the time to flush it for each MiB, when it is dirty and when it is clean,
and how much slower a read is after a flush than after another read. --check fails where that is less than 1.2 times: a
flushed line has to come from memory again. Without --features x86-64 flushes by clflush; a CPU may keep the lines with
+clwb.
"""
import argparse
import pathlib
import platform
import sys
import tempfile
import time

import iree.runtime
import numpy

import zc_e2e

MODULE = '''
module attributes {stream.affinity.default = #hal.device.affinity<@cpu>, stream.topology = #hal.device.topology<links = [
  (@cpu -> @npu = {unified_memory = true, transparent_access = true}, {})]>} {
  util.global private @cpu = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"llvm-cpu",
    "embedded-elf-TRIPLE_ARCH", {cpu = "generic", cpu_features = "FEATURES", target_triple = "TRIPLE"}>]> : !hal.device
  util.global private @npu = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"llvm-cpu",
    "embedded-elf-TRIPLE_ARCH", {cpu = "generic", cpu_features = "FEATURES", target_triple = "TRIPLE"}>]> : !hal.device
  stream.executable private @reader {
    stream.executable.export public @read workgroups() -> (index, index, index) {
      %c1 = arith.constant 1 : index
      stream.return %c1, %c1, %c1 : index, index, index
    }
    builtin.module {
      func.func @read(%from: !stream.binding, %to: !stream.binding) {
        %c0 = arith.constant 0 : index
        %zero = arith.constant 0 : i32
        %line = arith.constant 64 : index
        %size = arith.constant BYTES : index
        %in = stream.binding.subspan %from[%c0] : !stream.binding -> memref<BYTESxi8>
        %out = stream.binding.subspan %to[%c0] : !stream.binding -> memref<1xi32>
        // The next place depends on what was read (zero): no prefetch by the compiler, and none that is sure by the CPU.
        %sum = scf.for %at = %c0 to %size step %line iter_args(%sum = %zero) -> i32 {
          %offset = arith.index_cast %sum : i32 to index
          %place = arith.addi %at, %offset : index
          %value = memref.load %in[%place] : memref<BYTESxi8>
          %wide = arith.extui %value : i8 to i32
          %next = arith.addi %sum, %wide : i32
          scf.yield %next : i32
        }
        memref.store %sum, %out[%c0] : memref<1xi32>
        return
      }
    }
  }
FUNCTIONS}
'''

FUNCTION = '''
  util.func public @NAME(%view: !hal.buffer_view, %out: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0 : i8
    %size = arith.constant BYTES : index
    %resource = stream.tensor.import on(#hal.device.affinity<@cpu>) %view : !hal.buffer_view -> tensor<BYTESxi8> in !stream.resource<external>{%size}
    %sum = stream.tensor.import on(#hal.device.affinity<@cpu>) %out : !hal.buffer_view -> tensor<1xi32> in !stream.resource<external>{%c4}
    %done = stream.cmd.execute on(#hal.device.affinity<@cpu>) with(%resource as %r: !stream.resource<external>{%size}, %sum as %s: !stream.resource<external>{%c4}) {
      COMMAND
    } => !stream.timepoint
    %ready:2 = stream.timepoint.await %done => %resource, %sum : !stream.resource<external>{%size}, !stream.resource<external>{%c4}
    %result = stream.tensor.export on(#hal.device.affinity<@cpu>) %ready#1 : tensor<1xi32> in !stream.resource<external>{%c4} -> !hal.buffer_view
    util.return %result : !hal.buffer_view
  }
'''

COMMANDS = {
    'flush': 'stream.cmd.flush to(#hal.device.affinity<@npu>) %r[%c0 for %size] : !stream.resource<external>{%size}',
    'nothing': 'stream.cmd.flush to(#hal.device.affinity<@npu>) %r[%c0 for %c0] : !stream.resource<external>{%size}',
    'write': 'stream.cmd.fill %zero, %r[%c0 for %size] : i8 -> !stream.resource<external>{%size}',
    'read': 'stream.cmd.dispatch @reader::@read {\n'
            '        ro %r[%c0 for %size] : !stream.resource<external>{%size},\n'
            '        wo %s[%c0 for %c4] : !stream.resource<external>{%c4}\n      }',
}
TARGETS = {'x86_64': ('x86_64-unknown-linux-gnu', 'x86_64'), 'aarch64': ('aarch64-unknown-linux-gnu', 'arm_64')}


def build(folder, size, features):
    machine = platform.machine()
    if machine not in TARGETS:
        raise zc_e2e.Failed(f'no kernel can be run on {machine}')
    triple, architecture = TARGETS[machine]
    functions = ''.join(FUNCTION.replace('NAME', name).replace('COMMAND', text) for name, text in COMMANDS.items())
    text = MODULE.replace('FUNCTIONS', functions).replace('BYTES', str(size)).replace('FEATURES', features)
    source, lowered, program = (folder / name for name in ('bench.mlir', 'lowered.mlir', 'bench.vmfb'))
    source.write_text(text.replace('TRIPLE_ARCH', architecture).replace('TRIPLE', triple))
    zc_e2e.call([zc_e2e.OPT, source, '--zc-lower-cache-maintenance=mode=dispatch', '-o', lowered])
    zc_e2e.call([zc_e2e.tool('iree-compile'), '--compile-from=stream', lowered, '-o', program])
    return program


class Program:
    def __init__(self, path, size, driver):
        instance = iree.runtime.VmInstance()
        devices = [iree.runtime.get_driver(driver).create_default_device() for _ in range(2)]
        hal = iree.runtime.create_hal_module(instance, devices=devices)
        self.module = iree.runtime.VmModule.mmap(instance, str(path))
        self.context = iree.runtime.VmContext(instance, modules=[hal, self.module])
        self.views = [devices[0].allocator.allocate_buffer_copy(
            memory_type=iree.runtime.MemoryType.DEVICE_LOCAL, allowed_usage=iree.runtime.BufferUsage.DEFAULT,
            device=devices[0], buffer=data, element_type=element)
            for data, element in ((numpy.zeros(size, numpy.int8), iree.runtime.HalElementType.SINT_8),
                                  (numpy.zeros(1, numpy.int32), iree.runtime.HalElementType.SINT_32))]
        self.functions = {name: self.module.lookup_function(name) for name in COMMANDS}

    def time(self, name):
        arguments, results = iree.runtime.VmVariantList(2), iree.runtime.VmVariantList(1)
        for view in self.views:
            arguments.push_ref(view)
        start = time.perf_counter()
        self.context.invoke(self.functions[name], arguments, results)
        return time.perf_counter() - start


def best(program, rounds, before, timed):
    times = []
    for _ in range(rounds):
        for name in before:
            program.time(name)
        times.append(program.time(timed))
    return min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--mib', type=int, default=1)
    parser.add_argument('--rounds', type=int, default=200)
    parser.add_argument('--driver', default='local-sync')
    parser.add_argument('--features', default='')
    parser.add_argument('--check', action='store_true')
    arguments = parser.parse_args()
    size = arguments.mib << 20
    with tempfile.TemporaryDirectory() as folder:
        program = Program(build(pathlib.Path(folder), size, arguments.features), size, arguments.driver)
        measure = lambda before, timed: best(program, arguments.rounds, before, timed)
        call = measure([], 'nothing')
        dirty = measure(['write'], 'flush') - call
        clean = measure(['flush'], 'flush') - call
        cached = measure(['read', 'read'], 'read') - call
        flushed = measure(['read', 'flush'], 'read') - call
    ratio = flushed / cached
    print(f'{arguments.driver}, {arguments.mib} MiB, {arguments.rounds} rounds; an empty call takes {call * 1e6:.0f} us')
    print(f'flush, dirty lines     {dirty / arguments.mib * 1e6:8.1f} us/MiB')
    print(f'flush, lines not held  {clean / arguments.mib * 1e6:8.1f} us/MiB')
    print(f'read, lines held       {cached / arguments.mib * 1e6:8.1f} us/MiB')
    print(f'read after a flush     {flushed / arguments.mib * 1e6:8.1f} us/MiB, {ratio:.1f} times as long')
    if arguments.check and ratio < 1.2:
        sys.exit('bench_maintenance.py: a read after a flush is not slower: the flush had no effect')


if __name__ == '__main__':
    try:
        main()
    except zc_e2e.Failed as error:
        sys.exit(f'bench_maintenance.py: {error}')
