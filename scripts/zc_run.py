"""Runs programs on IREE's local devices. A wrong one may crash or hang: run_all and results_in_child do it in children.

run_all takes the generators' programs, `calls` of their `functions`, and compares everything that can be seen with numpy's
values.
"""
import re

import numpy

import zc_batch

DRIVERS = ('local-sync', 'local-task')
# Local-task of IREE 3.13 crashes, stock programs too, where a device goes before the memory that it made. Another device's
# command lets go of its memory only after it has signalled, so no fence says when that is: a child ends without letting go of
# anything.
KEPT = []


class Wrong(Exception):
    """What was seen that should be otherwise."""


class Runner:
    """A loaded module on a device of each of these drivers."""

    def __init__(self, path, drivers):
        import iree.runtime as runtime
        self.runtime = runtime
        instance = runtime.VmInstance()
        self.devices = [runtime.get_driver(driver).create_default_device() for driver in drivers]
        self.module = runtime.VmModule.mmap(instance, str(path))
        self.context = runtime.VmContext(instance, modules=[
            runtime.create_hal_module(instance, devices=self.devices), self.module])

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
        for scalar in call.scalars.values():
            words.push_int(scalar)
        if function.storage is not None:
            storage, buffer = self.buffer(results[function.storage])
            words.push_ref(buffer)
        return words, given, storage

    def invoke(self, name, words):
        """The buffer views that a function returns, when they are ready; `words`: its arguments but the fences."""
        wait, done = self.fence(), self.fence()
        wait.signal()
        words.push_ref(wait)
        words.push_ref(done)
        out = self.runtime.VmVariantList(1)
        self.context.invoke(self.module.lookup_function(name), words, out)
        done.wait()
        return [out.get_as_object(i, self.runtime.HalBufferView) for i in range(out.size)]

    def results(self, name, inputs):
        """Of one call, as arrays; the inputs as iree-run-module takes them."""
        words = self.runtime.VmVariantList(len(inputs) + 2)
        for value in map(read_input, inputs):
            if isinstance(value, int):
                words.push_int(value)
            else:
                words.push_ref(self.runtime.asdevicearray(self.devices[0], value)._buffer_view)
        arrays = [self.runtime.DeviceArray(self.devices[0], view, implicit_host_transfer=True)
                  for view in self.invoke(name, words)]
        return [numpy.array(array.to_host()) for array in arrays]

    def call(self, function, call, expected):
        """What is watched from now on: a name, an array on the device, and the value that it has to have."""
        words, given, storage = self.arguments(function, call, expected)
        views = self.invoke(function.name, words)
        arrays = [self.runtime.DeviceArray(self.devices[0], v, implicit_host_transfer=True, override_dtype=e.dtype)
                  for v, e in zip(views, expected)]
        watched = [(f'result {i}', a, e) for i, (a, e) in enumerate(zip(arrays, expected))]
        inputs = [call.inputs[i] if isinstance(i, int) else i for i in call.inputs]
        watched += [(f'input {i}', a, e) for i, (a, e) in enumerate(zip(given, inputs))]
        if storage is not None:
            watched.append(('result storage', storage, expected[function.storage]))
        return watched


def read_input(text):
    """@FILE.npy, a shape with one value or all, or an integer."""
    if text.startswith('@'):
        return numpy.load(text[1:])
    match = re.fullmatch(r'((?:\d+x)+)f32=([^\[\]]+)', text)
    if not match:
        return int(text)
    values = [float(value) for value in match.group(2).split(',')]
    shape = [int(size) for size in match.group(1).split('x')[:-1]]
    return numpy.full(shape, values[0], numpy.float32) if len(values) == 1 else numpy.float32(values).reshape(shape)


def compare(number, name, array, expected):
    actual = array.to_host()
    if actual.shape != expected.shape:
        raise Wrong(f'{name} of call {number} has shape {actual.shape}, not {expected.shape}')
    if not numpy.array_equal(actual, expected):
        wrong = numpy.flatnonzero(actual != expected)
        raise Wrong(f'{name} of call {number}: {wrong.size} of {expected.size} elements wrong, from {wrong[0]}: '
                    f'{actual[wrong[:6]].tolist()} for {expected[wrong[:6]].tolist()}')


def run_program(runner, program, values):
    """All calls of a program; everything of earlier calls is compared again after each."""
    watched = []
    KEPT.append((runner, watched))
    for number, (call, results) in enumerate(zip(program.calls, values)):
        watched += [(number, *w) for w in runner.call(program.function(call.function), call, results)]
        for entry in watched:
            compare(*entry)


def outcome_of(item):
    """What is wrong with (file, program, its values, driver, how often to run it); None where nothing is."""
    path, program, values, driver, times = item
    try:
        for _ in range(times):
            run_program(Runner(path, [driver] * len(program.devices)), program, values)
    except Wrong as wrong:
        return str(wrong)
    except Exception as error:  # what the runtime raises has many types
        return f'{type(error).__name__}: {str(error)[:400]}'
    return None


def run_all(items):
    """outcome_of each item."""
    outcomes = zc_batch.isolated(lambda: outcome_of, items)
    return ['the program crashed or hung' if o is zc_batch.CRASHED else o for o in outcomes]


def results_of(item):
    """The results of (file, drivers, function, inputs); a text that says why there are none."""
    path, drivers, function, inputs = item
    try:
        runner = Runner(path, drivers)
        KEPT.append(runner)
        return runner.results(function, inputs)
    except Exception as error:  # what the runtime raises has many types
        return f'{type(error).__name__}: {str(error)[:400]}'


def results_in_child(path, drivers, function, inputs):
    """results_of, from a child."""
    outcome = zc_batch.isolated(lambda: results_of, [(path, drivers, function, inputs)])[0]
    return 'the program crashed or hung' if outcome is zc_batch.CRASHED else outcome
