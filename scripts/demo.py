#!/usr/bin/env python3
"""Makes the transfers of a model zero-copy and shows what that changes when it runs on IREE's runtime.

  demo.py [MODEL.mlir] [TOPOLOGY.json] [--backend=llvm-cpu|vmvx] [--keep=FOLDER]

Compares three programs: stock (iree-compile alone), the scheduled route (iree-compile --compile-to=stream, this tool,
iree-compile --compile-from=stream) and the flow route (the same with --compile-to=flow). A model may say in comments how it
is compiled and called: see zc_e2e.py. Without TOPOLOGY.json all its devices are taken to share coherent memory.
"""
import argparse
import contextlib
import json
import pathlib
import sys
import tempfile

import zc_e2e

E2E = zc_e2e.ROOT / 'testdata' / 'e2e'
VARIANTS = ('stock', 'scheduled route', 'flow route')


def read_arguments():
    parser = argparse.ArgumentParser(usage=__doc__.split('\n\n')[1].strip(), description=__doc__.split('\n\n')[2])
    parser.add_argument('model', nargs='?', default=E2E / 'models' / 'chain.mlir')
    parser.add_argument('topology', nargs='?')
    parser.add_argument('--backend', default='llvm-cpu', help='what iree-compile makes kernels with')
    parser.add_argument('--keep', help='a folder for the intermediate files')
    return parser.parse_args()


def make_programs(model, topology, backend, folder):
    """The three programs, those to count the calls of, and the report of each route."""
    locations = ['--mlir-print-debuginfo']  # so that the report points at the model
    stock = zc_e2e.compile_to(model, 'stream', folder / 'stock.stream.mlir', backend, locations)
    flow = zc_e2e.compile_to(model, 'flow', folder / 'stock.flow.mlir', backend, locations)
    programs = [zc_e2e.compile_on(model, stock, folder / 'stock.vmfb', backend)]
    counted, reports = [None], {}
    for variant, source in zip(VARIANTS[1:], (stock, flow)):
        name = variant.split()[0]
        report = folder / f'{name}.report.json'
        rewritten = zc_e2e.rewrite(source, folder / f'{name}.stream.mlir', topology, report)
        programs.append(zc_e2e.compile_on(model, rewritten, folder / f'{name}.vmfb', backend))
        counted.append(None)
        if not zc_e2e.can_be_recorded(programs[-1]):  # the same without what the recorder lacks
            kept = zc_e2e.rewrite(source, folder / f'{name}.counted.mlir', topology, maintenance='keep')
            counted[-1] = zc_e2e.compile_on(model, kept, folder / f'{name}.counted.vmfb', backend)
        reports[variant] = json.loads(report.read_text())
    return programs, counted, reports


def print_table(rows, indent='  '):
    """Columns as wide as they must be; numbers to the right."""
    rows = [[f'{cell:,}' if isinstance(cell, int) else str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows)]
    right = [any(cell[:1].isdigit() for cell in column[1:]) for column in zip(*rows)]
    for row in rows:
        cells = [cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(row, widths, right)]
        print((indent + '  '.join(cells)).rstrip())


def short(location):
    """file:line:column without the file's folder."""
    return pathlib.PurePath(location or '?').name


def reason(transfer):
    conflict = transfer['conflict']
    return transfer['reason'] + (f' ({conflict["op"]} {short(conflict["location"])})' if conflict else '')


def print_transfers(reports):
    for variant, report in reports.items():
        rows = [['transfer', 'function', 'from', 'to', 'bytes', 'decision', 'reason']]
        for t in report['transfers']:
            size = 'dynamic' if t['bytes'] is None else t['bytes']
            rows.append([short(t['location']), t['function'], t['source'] or '?', t['target'] or '?', size, t['decision'],
                         reason(t)])
        print(f'\nTransfers, {variant}:' + ('' if len(rows) > 1 else ' none'))
        if len(rows) > 1:
            print_table(rows)


def print_run(run, programs, counted, folder):
    """One call in every variant. Returns whether all values are those of stock."""
    zc_e2e.vary_inputs(run, folder)
    outcomes = [zc_e2e.execute(program, run, folder, count) for program, count in zip(programs, counted)]
    times = zc_e2e.benchmark(programs, run)
    rows = [[''] + list(VARIANTS)]
    for label, key in (('copies', 'copies'), ('bytes copied', 'copied_bytes'), ('allocations', 'allocations'),
                       ('bytes allocated', 'allocated_bytes'), ('peak bytes', 'peak_bytes')):
        rows.append([label] + [outcome.record[key] for outcome in outcomes])
    rows.append(['time, ms'] + [f'{time:.3f}' for time in times])
    wrong = [zc_e2e.differences(outcomes[0].outputs, outcome.outputs) for outcome in outcomes]
    rows.append(['values'] + ['-'] + [problem or 'as stock' for problem in wrong[1:]])
    print_table(rows)
    return not any(wrong)


def main():
    arguments = read_arguments()
    model = zc_e2e.Model(arguments.model)
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(arguments.keep or stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        topology = arguments.topology or zc_e2e.write_topology('coherent', model.devices, folder)
        programs, counted, reports = make_programs(model, topology, arguments.backend, folder)
        print(f'{model.path.name}: devices {", ".join(model.devices)}; '
              f'topology {arguments.topology or "coherent memory, shared by all"}')
        print_transfers(reports)
        right = True
        for text, run in [(str(run), run) for run in model.runs]:
            print(f'\nRun {text} on {", ".join(run.devices)}; counts from the runtime\'s call record, time the best call:')
            right &= print_run(run, programs, counted, folder)
    sys.exit(0 if right else 1)


if __name__ == '__main__':
    try:
        main()
    except BrokenPipeError:
        pass
    except (zc_e2e.Failed, OSError) as failure:
        sys.exit(f'demo: {failure}')
