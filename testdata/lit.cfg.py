"""Golden files and the command line. The tool under test is $STREAM_ZC_OPT, by default that of build/release."""
import os
import re
import shutil
import sys

import lit.formats

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
tool = os.path.abspath(os.environ.get('STREAM_ZC_OPT') or os.path.join(root, 'build/release/bin/stream-zc-opt'))
if not os.path.exists(tool):
    lit_config.fatal(f'{tool} does not exist: build it or set STREAM_ZC_OPT')

config.name = 'stream-zc'
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = ['.mlir']
config.excludes = ['Inputs', 'units']
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = os.path.join(os.path.dirname(os.path.dirname(tool)), 'lit')


def find(name, *folders):
    path = shutil.which(name, path=os.pathsep.join([*folders, os.environ.get('PATH', '')]))
    return path or lit_config.fatal(f'{name} was not found')


# The name of a tool stands for its path where it begins a command: after a blank, a parenthesis or a quote.
venv = os.path.join(root, '.venv/bin')
llvm = sorted((f'/usr/lib/{name}/bin' for name in os.listdir('/usr/lib') if re.fullmatch(r'llvm-\d+', name)), reverse=True)
paths = {
    'stream-zc-opt': tool,
    'iree-opt': find('iree-opt', venv),
    'iree-compile': find('iree-compile', venv),
    'FileCheck': find('FileCheck', *llvm),
    'not': find('not', *llvm),
}
for name, path in paths.items():
    config.substitutions.append((rf'''(?<![^\s('"]){re.escape(name)}(?=\s)''', path))

config.substitutions.append(('%python', sys.executable))

for name in ('STREAM_ZC_OPT', 'STREAM_ZC_IREE_LIB', 'VIRTUAL_ENV', 'HOME'):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# A sanitizer's finding ends the tool by a signal, which `not` tells from an error that the tool reports.
with open(tool, 'rb') as binary:
    if b'__asan_init' in binary.read():
        config.available_features.add('sanitized')
        config.environment['ASAN_OPTIONS'] = 'detect_leaks=0:abort_on_error=1'
        config.environment['UBSAN_OPTIONS'] = 'abort_on_error=1:print_stacktrace=1'
