"""Seeded changes of MLIR text, bytecode and topology files, for fuzz_tool.py: most leave text that still parses or nearly
does, so that what lies behind the parser is reached, too.

A mutation takes (random.Random, text, text of another program) and returns the changed text, or None where it finds nothing
to change.
"""
import re

VALUE = re.compile(r'%[\w$.-]+(?:#\d+)?')
NUMBER = re.compile(r'(?<![\w%@#.^$-])-?\d+(?![\w.])')
SYMBOL = re.compile(r'@(?:\w+|"[^"]*")')
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
CONSTANT = re.compile(r'(arith\.constant )(-?\d+)( : index)')
DICTIONARY = re.compile(r'\{[^{}\n]*\}')
OPERANDS = re.compile(r'%[\w#]+(?:\[[^\]]*\])?, ')
AWAIT = re.compile(r' await\((%[\w#]+)\)(?: =>)?')
AFFINITY = re.compile(r'#hal\.device\.(?:affinity|promise|optimal)<(?:[^<>]|<[^<>]*>)*>')
LIFETIME = re.compile(r'!stream\.resource<[^>]*>')
TYPE = re.compile(r'\b(?:index|i1|i8|i32|i64|f32|f16|none)\b|tensor<[^<>]*>')
LABEL = re.compile(r'\^\w+')
GENERIC_NAME = re.compile(r'"[a-z_]+(?:\.\w+)+"(?=\()')
LOCATION_PLACE = re.compile(r'(?<=[\w>})\]])$', re.M)

NUMBERS = [0, 1, 2, 3, 7, 63, 64, 65, 127, 128, 4095, 4096, 2**16, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**40, 2**62,
           2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**30, -1, -2, -64, -2**31, -2**63]
CONSTANTS = [n for n in NUMBERS if -2**63 <= n < 2**63]
AFFINITIES = ['#hal.device.affinity<@dev_a>', '#hal.device.affinity<@dev_b>', '#hal.device.promise<@dev_a>',
              '#hal.device.affinity<@nowhere>', '#hal.device.affinity<@dev_a, [1]>', '#hal.device.affinity<@dev_b, [0, 63]>',
              '#hal.device.affinity<@"d e">', '#hal.device.optimal<[#hal.device.affinity<@dev_b>]>',
              '#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>',
              '#hal.device.optimal<[#hal.device.promise<@nowhere>, #hal.device.affinity<@dev_a, [2]>]>']
RESOURCES = [f'!stream.resource<{lifetime}>' for lifetime in
             ['*', 'external', 'staging', 'transient', 'variable', 'constant']]
TYPES = ['index', 'i1', 'i8', 'i32', 'i64', 'f32', 'f64', 'i128', 'si32', 'none', 'tensor<4xf32>', 'tensor<?xf32>',
         'tensor<0xf32>', 'tensor<9223372036854775807xi8>', 'tensor<f32>', '!hal.buffer', '!hal.fence', '!stream.timepoint',
         'vector<4xf32>', 'tensor<*xf32>']
# Words that stand in the same places.
WORDS = [['stream.cmd.flush', 'stream.cmd.invalidate', 'stream.cmd.discard'], ['flush to', 'invalidate from'],
         ['ro', 'rw', 'wo'], ['stream.cmd.concurrent', 'stream.cmd.serial'], ['public', 'private', 'nested'],
         ['stream.resource.retain', 'stream.resource.release', 'stream.resource.is_terminal'],
         ['util.global.store', 'util.global.load'], ['util.func', 'util.initializer', 'func.func'],
         ['stream.timepoint.join max', 'stream.timepoint.await'], ['arith.addi', 'arith.muli', 'arith.subi', 'util.align'],
         ['stream.async.transfer', 'stream.async.clone', 'stream.async.slice', 'flow.tensor.transfer'],
         ['uninitialized ', 'indeterminate_lifetime ', ''], ['immutable', 'mutable', ''],
         ['true', 'false'], ['affinity', 'promise', 'optimal'], ['import', 'export'], ['to', 'from'],
         ['stream.cmd.copy', 'stream.cmd.fill'], ['stream.resource.alloca', 'stream.resource.alloc']]
ATTRIBUTES = ['zc.kind = "alias"', 'zc.kind = "copy"', 'zc.kind = 1 : i32', 'zc.kind', 'zc.decision = "alias"',
              'zc.decision = "copy", zc.reason = "discrete-link"', 'zc.decision = [], zc.reason = {}', 'zc.topology',
              'stream.topology = 3 : i64', 'stream.affinity = #hal.device.promise<@dev_a>', 'zc.shim = "flush"',
              'zc.shim = 0', 'zc.kernel = "invalidate"', 'zc.kernel = []', 'zc.affinity = "dev_a"', 'iree.abi.output = 0 : index', 'iree.abi.output = 99999999999 : index',
              'sym_visibility = "private"', 'zc.maintenance = "invalidate"', 'zc.maintenance = #hal.device.promise<@x>',
              'stream.affinity = "dev_a"', 'stream.affinity.default = unit']
LOCATIONS = ['loc(unknown)', 'loc("x.mlir":1:2)', 'loc("x.mlir":0:0)', 'loc("":4294967295:4294967295)', 'loc("-":3:3)',
             'loc(fused<{zc.kind = "alias"}>["a.mlir":5:3])', 'loc(fused<{zc.kind = "copy"}>["a.mlir":5:3])',
             'loc(fused<{zc.kind = 7}>[])', 'loc(fused<"zc.kind">["a", "b"])', 'loc(callsite("f" at "g"("x":9:9)))',
             'loc("n"(fused["x":1:1, fused<{zc.kind = "copy"}>["y":1:1], fused<{zc.kind = "alias"}>["z":1:1]]))',
             'loc("caf\\C3\\A9":7:7)', 'loc("/":1:1)', 'loc("/dev/zero":1:1)']
BYTES = [b'\xff', b'\xc3', b'\x00', b'\xe2\x82\xac', b'\xef\xbb\xbf', b'\r', b'\x1b[31m', b'\xed\xa0\x80', b'}', b'{', b'"', b'%',
         b'// -----\n', b'loc(', b'#', b'\\']


def pick(random, text, pattern):
    found = list(pattern.finditer(text))
    return random.choice(found) if found else None


def replaced(text, match, new, group=0):
    return text[:match.start(group)] + new + text[match.end(group):]


def change_one(pattern, choices):
    def mutation(random, text, other):
        match = pick(random, text, pattern)
        return match and replaced(text, match, str(random.choice(choices)))
    return mutation


def drop_one(pattern):
    def mutation(random, text, other):
        match = pick(random, text, pattern)
        return match and replaced(text, match, '')
    return mutation


def exchange(pattern):
    """One occurrence becomes what another one says."""
    def mutation(random, text, other):
        match, source = pick(random, text, pattern), pick(random, text, pattern)
        return match and replaced(text, match, source.group())
    return mutation


def change_constant(random, text, other):
    """Keeps the text well-formed: only what a value is changes."""
    match = pick(random, text, CONSTANT)
    return match and replaced(text, match, str(random.choice(CONSTANTS)), 2)


def swap_nearby_values(random, text, other):
    """A use becomes another value of the same line or of those just above, which often has the same type."""
    lines = text.split('\n')
    index = random.randrange(len(lines))
    match = pick(random, lines[index], VALUE)
    near = VALUE.findall('\n'.join(lines[max(0, index - random.choice([0, 2, 12])):index + 1]))
    if not match or not near:
        return None
    lines[index] = replaced(lines[index], match, random.choice(near))
    return '\n'.join(lines)


def swap_words(random, text, other):
    words = [word for word in random.choice(WORDS)]
    match = pick(random, text, re.compile('|'.join(rf'(?<![\w.]){re.escape(word)}(?![\w.])' for word in words if word)))
    return match and replaced(text, match, random.choice(words))


def add_attribute(random, text, other):
    """Into a dictionary that is there, or as one before the types of an op."""
    addition = random.choice(ATTRIBUTES)
    match = pick(random, text, re.compile(r'attributes \{|\{(?=\w[\w.]* = )|(?<=[\w\])}>])(?= : )'))
    if not match:
        return None
    if not match.group():
        return replaced(text, match, f' {{{addition}}}')
    return replaced(text, match, f'{match.group()}{addition}, ')


def rename_op(random, text, other):
    """In the generic form: an op that nobody knows, or another op of the text, with its operands and attributes."""
    match, source = pick(random, text, GENERIC_NAME), pick(random, text, GENERIC_NAME)
    return match and replaced(text, match, random.choice(['"odd.op"', '"odd.op"', source.group()]))


def add_await(random, text, other):
    match, use = pick(random, text, re.compile(r'(?<=>) (?==> )|(?<=>\)) (?=: )')), pick(random, text, AWAIT)
    return match and use and replaced(text, match, f' await({use.group(1)}) ')


def add_location(random, text, other):
    match = pick(random, text, LOCATION_PLACE)
    return match and replaced(text, match, ' ' + random.choice(LOCATIONS))


def line_block(lines, index):
    """The end of the region that line `index` opens, or the line itself."""
    depth = 0
    for end in range(index, len(lines)):
        depth += lines[end].count('{') - lines[end].count('}')
        if depth <= 0:
            return end + 1
    return len(lines)


def change_lines(random, text, other):
    """Deletes, doubles or moves a line or a whole region."""
    lines = text.split('\n')
    start = random.randrange(len(lines))
    end = line_block(lines, start) if random.random() < 0.6 else start + 1
    part = lines[start:end]
    action = random.choice(['delete', 'delete', 'double', 'move', 'move near', 'swap'])
    if action == 'double':
        lines[end:end] = part
    else:
        del lines[start:end]
    if action == 'move':
        start = random.randint(0, len(lines))
    elif action == 'move near':
        start = min(len(lines), max(0, start + random.randint(-4, 4)))
    elif action == 'swap' and start < len(lines):
        start = line_block(lines, start)
    if action in ('move', 'move near', 'swap'):
        lines[start:start] = part
    return '\n'.join(lines)


def take_lines(random, text, other):
    """A line or region of another program."""
    lines, others = text.split('\n'), other.split('\n')
    start = random.randrange(len(others))
    place = random.randint(0, len(lines))
    lines[place:place] = others[start:line_block(others, start)]
    return '\n'.join(lines)


def cut(random, text, other):
    at = random.randrange(len(text) + 1)
    return random.choice([text[:at], text[at:], text[:at] + text[min(len(text), at + random.choice([1, 2, 20, 300])):]])


def wrap(random, text, other):
    return random.choice([f'module {{\n{text}\n}}', f'{text}\n{other}', f'{text}\n{text}',
                          'module {' * random.choice([2, 30]) + text, f'util.func private @f() {{\n{text}\n}}',
                          f'module attributes {{{random.choice(ATTRIBUTES)}}} {{\n{text}\n}}'])


def insert_bytes(random, text, other):
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(BYTES).decode('utf-8', 'surrogateescape') + text[at:]


# By how often each is chosen: what mostly keeps a program that parses comes first.
MUTATIONS = {
    change_constant: 10, exchange(AFFINITY): 6, change_one(AFFINITY, AFFINITIES): 6, exchange(VALUE): 3,
    swap_nearby_values: 10, swap_words: 6, add_attribute: 6, drop_one(AWAIT): 4, add_await: 3, add_location: 3,
    change_lines: 10, exchange(LIFETIME): 2, change_one(LIFETIME, RESOURCES): 2, change_one(NUMBER, NUMBERS): 4,
    exchange(NUMBER): 2, exchange(SYMBOL): 3, exchange(STRING): 2, drop_one(DICTIONARY): 3, exchange(DICTIONARY): 2,
    exchange(LABEL): 2, drop_one(OPERANDS): 2, change_one(TYPE, TYPES): 2, exchange(TYPE): 2, take_lines: 2, cut: 1,
    wrap: 1, insert_bytes: 1, rename_op: 10,
}


def mutate(random, text, other):
    """One change, or now and then several. Bytes that are no UTF-8 are surrogates in the text."""
    changes = random.choice([1, 1, 1, 1, 2, 2, 3, 8])
    for mutation in random.choices(list(MUTATIONS), list(MUTATIONS.values()), k=changes):
        text = mutation(random, text, other) or text
    return text


def mutate_bytes(random, data):
    """Bytecode: bytes changed, taken out, doubled, or the end missing."""
    data = bytearray(data)
    for _ in range(random.choice([1, 1, 2, 4, 16])):
        if not data:
            break
        at = random.randrange(len(data))
        action = random.randrange(8)
        if action < 4:
            data[at] = random.choice([0, 1, 0x7f, 0x80, 0xff, data[at] ^ 1 << random.randrange(8), random.randrange(256)])
        elif action == 4:
            del data[at:at + random.choice([1, 2, 16])]
        elif action == 5:
            data[at:at] = data[at:at + random.choice([1, 4, 64])]
        elif action == 6:
            data[at:at] = random.choice(BYTES)
        else:
            data = data[:max(at, 4)]
    return bytes(data)


LINK_VALUES = {'unified_memory': [True, False, 1, None], 'transparent_access': [True, False, 'true'],
               'coherent': [True, False, []], 'cache_line': [64, 1, 128, 4096, 2**30, 2**31, 0, 63, -64, 0.5, 1e300],
               'read_cost': [0, 1, 5.5, -1, 1e308, 1e-320], 'copy_cost': [0, 1, 100, 1e400],
               'runtime': ['0x0000000000010aa0', '0x0', '0xffffffffffffffff', {}, {'link_class': 'isolated'},
                           {'capabilities': ['unified_memory', 'peer_coherent'], 'buffer_read': {'coherent': 'import'}}],
               'unknown': [1]}
# The first values of each kind, which are the good ones: how many.
GOOD_VALUES = {'unified_memory': 2, 'transparent_access': 2, 'coherent': 2, 'cache_line': 5, 'read_cost': 3, 'copy_cost': 3,
               'runtime': 1}


def make_links(random, devices, good):
    """The links of a topology file between these devices."""
    links = []
    for source in devices:
        for target in devices:
            if source == target or random.random() < 0.1:
                continue
            link = {'from': source, 'to': target}
            if random.random() < 0.7:
                link.update(unified_memory=True, transparent_access=True, coherent=random.random() < 0.3)
            for key in random.sample(sorted(LINK_VALUES), random.choice([0, 0, 1, 3])):
                if not good:
                    link[key] = random.choice(LINK_VALUES[key])
                elif key in GOOD_VALUES and (key != 'runtime' or len(link) == 2):
                    link[key] = random.choice(LINK_VALUES[key][:GOOD_VALUES[key]])
            if good and 'runtime' in link:
                link = {'from': source, 'to': target, 'runtime': link['runtime']}
            links.append(link)
    return links
