#!/usr/bin/env python3
"""Makes testdata/iree/: what iree-compile writes, at flow and stream level, for the models of testdata/e2e/models/.

  generate_iree_inputs.py [--check]     --check: write nothing, fail where a file isn't what iree-compile writes now
"""
import pathlib
import shlex
import subprocess
import sys
import tempfile

import zc_e2e

OUTPUT = zc_e2e.ROOT / 'testdata' / 'iree'
MODELS = zc_e2e.ROOT / 'testdata' / 'e2e' / 'models'


def iree_version():
    text = subprocess.run([zc_e2e.tool('iree-compile'), '--version'], capture_output=True, text=True).stdout
    return next(line.strip() for line in text.splitlines() if 'IREE compiler version' in line)


def generate(model, phase, folder):
    text = zc_e2e.compile_to(model, phase, folder / 'out.mlir').read_text()
    source = model.path.relative_to(zc_e2e.ROOT)
    command = ['iree-compile', str(source), *zc_e2e.flags_of(model, 'vmvx'), f'--compile-to={phase}']
    return f'// {iree_version()}\n// {shlex.join(command)}\n{text}'


def main():
    check = sys.argv[1:] == ['--check']
    stale = []
    OUTPUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(MODELS.glob('*.mlir')):
            model = zc_e2e.Model(path)
            for phase in ('flow', 'stream'):
                target = OUTPUT / f'{model.name}.{phase}.mlir'
                text = generate(model, phase, pathlib.Path(folder))
                if check and (not target.exists() or target.read_text() != text):
                    stale.append(target.name)
                elif not check:
                    target.write_text(text)
    if stale:
        sys.exit('not what iree-compile writes now: ' + ', '.join(stale))


if __name__ == '__main__':
    main()
