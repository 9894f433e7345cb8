#!/usr/bin/env python3
"""Results that are pinned away from where they are made: compiled, run on IREE, and compared with numpy.

  run_pinned.py DEVICES...   each three letters: where a value is made, where it is used, where the caller gets it

Under each topology and on both routes; with shared memory nothing may be copied, without it two hand-offs are.
"""
import pathlib
import sys
import tempfile

import numpy

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent.parent / 'scripts'))
import zc_e2e  # noqa: E402  (found by the line above)

MODEL = '''// iree-compile: --iree-execution-model=async-external {flags}
// Run: iree-run-module --function=main --input={x} --input={y} {devices}
func.func @main(%x: tensor<64xf32> {{iree.abi.affinity = #hal.device.promise<@dev_{first}>}},
                %y: tensor<64xf32> {{iree.abi.affinity = #hal.device.promise<@dev_{second}>}})
    -> (tensor<64xf32> {{iree.abi.affinity = #hal.device.promise<@dev_{last}>}}) {{
  %made = arith.addf %x, %x : tensor<64xf32>
  %there = flow.tensor.transfer %made : tensor<64xf32> to #hal.device.promise<@dev_{second}>
  %used = arith.mulf %there, %y : tensor<64xf32>
  %result = flow.tensor.transfer %used : tensor<64xf32> to #hal.device.promise<@dev_{last}>
  return %result : tensor<64xf32>
}}
'''


def write_model(where, folder):
    x, y = numpy.arange(64, dtype=numpy.float32), numpy.arange(64, dtype=numpy.float32) % 7 - 3
    for name, value in (('x', x), ('y', y)):
        numpy.save(folder / f'{name}.npy', value)
    devices = ('a', 'b', 'c') if 'c' in where else ('a', 'b')
    path = folder / f'{where}.mlir'
    path.write_text(MODEL.format(
        flags=' '.join(f'--iree-hal-target-device=dev_{d}=local[{i}]' for i, d in enumerate(devices)),
        devices=' '.join(['--device=local-sync'] * len(devices)), x=f'@{folder}/x.npy', y=f'@{folder}/y.npy',
        first=where[0], second=where[1], last=where[2]))
    return zc_e2e.Model(path), (x + x) * y


def topology_file(where, name):
    return HERE / 'topologies' / f'{name}.json' if 'c' in where else HERE.parent / 'e2e/topologies' / f'{name}.json'


def rewrite(source, output, where, topology, mode):
    """Rewritten, and checked to compute what the source does."""
    zc_e2e.call([zc_e2e.OPT, source, f'--topology={topology_file(where, topology)}', f'--maintenance={mode}',
                 '--verify-translation', '-o', output])
    return output


def result_of(model, source, folder):
    program = zc_e2e.compile_on(model, source, folder / 'program.vmfb')
    zc_e2e.call(zc_e2e.run_command(program, model.runs[0]) + [f'--output=@{folder}/result.npy'])
    return numpy.load(folder / 'result.npy')


def check(where, folder):
    """Problems, as lines."""
    problems = []
    model, expected = write_model(where, folder)
    for route in ('stream', 'flow'):
        source = zc_e2e.compile_to(model, route, folder / f'{route}.mlir')
        for topology in ('discrete', 'coherent', 'noncoherent'):
            name = f'{where} {topology} {route}'
            for mode in ('hal', 'keep'):
                output = rewrite(source, folder / 'rewritten.mlir', where, topology, mode)
                difference = zc_e2e.differences([expected], [result_of(model, output, folder)])
                if difference:
                    problems.append(f'{name} {mode}: {difference}')
            counts = zc_e2e.count_text(output.read_text())
            if counts['copies'] != (2 if topology == 'discrete' else 0):
                problems.append(f'{name}: {counts["copies"]} copies')
            if (counts['flushes'] + counts['invalidates'] == 0) != (topology == 'coherent'):
                problems.append(f'{name}: {counts["flushes"]} flushes, {counts["invalidates"]} invalidates')
    return problems


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        problems = [p for where in sys.argv[1:] for p in check(where, pathlib.Path(folder))]
    if problems:
        sys.exit('\n'.join(problems))


if __name__ == '__main__':
    try:
        main()
    except zc_e2e.Failed as failure:
        sys.exit(str(failure))
