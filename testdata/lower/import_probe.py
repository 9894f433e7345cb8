#!/usr/bin/env python3
"""What arrives at a VM module of the user's in --maintenance=import:probe: here it is written in Python.

  import_probe.py MODEL [TOPOLOGY [PASS...]]   prints operation, offset and length of each call, and what the program
                                               returned; default: noncoherent, zc-lower-cache-maintenance
"""
import pathlib
import sys
import tempfile

import iree.runtime
import numpy

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import run_lowered  # noqa: E402  (found by the line above)


class Probe:
    """Records the ranges that arrive."""

    def __init__(self):
        self.calls = []
        self.interface = iree.runtime.PyModuleInterface('probe', lambda interface: None)
        for operation in ('flush', 'invalidate'):
            self.interface.export(f'{operation}_buffer', '0rIrII_v', self.recorder(operation))
        self.module = self.interface.create()

    def recorder(self, operation):
        def record(_, commands, slot, buffer, offset, length):
            self.calls.append((operation, offset, length))
        return record


def print_probe(name, topology, passes, folder):
    model = run_lowered.model_named(name)
    _, maintenance = run_lowered.schedule(model, folder, 'vmvx')
    lowered = run_lowered.lower(maintenance, 'import:probe', folder, topology, passes)
    program = run_lowered.compile_on(model, lowered, 'vmvx')
    probe = Probe()
    result = call_program(program, [probe.module], model.runs[0])
    for call in probe.calls:
        print(*call)
    print(f'{len(probe.calls)} calls, result {result}')


def call_program(program, modules, run):
    """Calls a function by fences: it waits for a ready one and signals the other when it is done."""
    instance = iree.runtime.VmInstance()
    driver = iree.runtime.get_driver('local-sync')
    devices = [driver.create_default_device() for _ in run.devices]
    hal = iree.runtime.create_hal_module(instance, devices=devices)
    module = iree.runtime.VmModule.mmap(instance, str(program))
    context = iree.runtime.VmContext(instance, modules=[hal, *modules, module])
    return invoke(context, module, run, devices)


def invoke(context, module, run, devices):
    shape, value = run.inputs[0].split('=')
    *sizes, _ = shape.split('x')
    data = numpy.full([int(s) for s in sizes], float(value), numpy.float32)
    view = devices[0].allocator.allocate_buffer_copy(
        memory_type=iree.runtime.MemoryType.DEVICE_LOCAL, allowed_usage=iree.runtime.BufferUsage.DEFAULT,
        device=devices[0], buffer=data, element_type=iree.runtime.HalElementType.FLOAT_32)
    ready = iree.runtime.HalFence.create_at(devices[0].create_semaphore(0), 0)
    done_semaphore = devices[0].create_semaphore(0)
    arguments, results = iree.runtime.VmVariantList(3), iree.runtime.VmVariantList(1)
    for argument in (view, ready, iree.runtime.HalFence.create_at(done_semaphore, 1)):
        arguments.push_ref(argument)
    context.invoke(module.lookup_function(run.function), arguments, results)
    done_semaphore.wait(1)
    view = results.get_as_object(0, iree.runtime.HalBufferView)
    values = view.map().asarray(view.shape, numpy.dtype(numpy.float32))
    return f'{values.flat[0]:g}' if (values == values.flat[0]).all() else 'not of one value'


if __name__ == '__main__':
    name, topology, *passes = sys.argv[1:] if len(sys.argv) > 2 else [sys.argv[1], 'noncoherent']
    with tempfile.TemporaryDirectory() as temporary:
        print_probe(name, topology, passes or ['zc-lower-cache-maintenance'], pathlib.Path(temporary))
