"""Runs generated programs on IREE's local devices and compares everything that can be seen with numpy's values.

A program is one of the generators': `calls` of its `functions`. A wrong one may crash or hang, so use run_all, which runs in
children.
"""
import numpy

import zc_batch

DRIVERS = ('local-sync', 'local-task')
# Local-task of IREE 3.13 crashes where its devices go before what they made; a child ends without letting go of anything.
KEPT = []


class Wrong(Exception):
    """What was seen that should be otherwise."""


class Runner:
    """A loaded module on devices of one driver."""

    def __init__(self, path, devices, driver):
        import iree.runtime as runtime
        self.runtime = runtime
        instance = runtime.VmInstance()
        self.devices = [runtime.get_driver(driver).create_default_device() for _ in devices]
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

    def call(self, function, call, expected):
        """What is watched from now on: a name, an array on the device, and the value that it has to have."""
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
            run_program(Runner(path, program.devices, driver), program, values)
    except Wrong as wrong:
        return str(wrong)
    except Exception as error:  # what the runtime raises has many types
        return f'{type(error).__name__}: {str(error)[:400]}'
    return None


def run_all(items):
    """outcome_of each item."""
    outcomes = zc_batch.isolated(lambda: outcome_of, items)
    return ['the program crashed or hung' if o is zc_batch.CRASHED else o for o in outcomes]
