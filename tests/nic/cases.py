#!/usr/bin/env python3
"""Commands made up at random for the guest with the emulated NIC: every command, with arguments that are right, half right and rubbish.

    cases.py SEED NUMBER [MAPS]     prints that case

A case depends on the seed and its number alone, and on the snapshots that PREAMBLE makes, so that it can be run again by itself.
"""

import collections
import os
import random as randomness
import sys

from case_parts import RUBBISH, WRONG_DEVICES, Maps

HERE = os.path.dirname(os.path.abspath(__file__))
MARKS, MARK_COUNT = 0xf0000, 0x4000      # places in BAR 2 that no map declares
TRIGGERS = 0xe0000
ADDRESS = '0000:01:00.0'
PROGRAM = '/usr/bin/barscope'
COLLECT = '/tmp/cases'                   # where commands leave files in the guest

# number; program; argv without it; faults: triggers before it; map: the key of the map that the command may read the device by, or None where nothing
# may reach the device at all; statuses: those that are right here, or None for any documented one.
Case = collections.namedtuple('Case', 'number program argv faults map passes retries parameters asked logs_only statuses limit')

FAULTS = [                               # what happens to the device before or in the middle of a command
    ('gone',), ('bar-dead',), ('status', '0xffffffff'), ('fatal', '0x8003'), ('mine', 'bar0', '0x520', '0x523', 'gone'),
    ('mine', 'bar0', '0x520', '0x523', 'bar-dead'), ('mine', 'bar0', '0x31f0', '0x31f3', 'gone'), ('mine', 'bar0', '0x408', '0x40b', 'gone'),
    ('mine', 'bar0', '0x700', '0x77f', 'gone'), ('mine', 'bar0', '0x900', '0x9ff', 'gone'), ('mine', 'bar0', '0x31000', '0xffff', 'gone'),
    ('mine', 'bar4', '0x2400', '0x27ff', 'gone'), ('mine', 'bar4', '0x3000', '0x4fff', 'gone'), ('mine', 'bar4', '0x7800', '0x783f', 'gone'),
    ('mine', 'bar4', '0x5000', '0x6fff', 'bar-dead'), ('mine', 'bar2', '0x0', '0x4ffff', 'gone'), ('mine', 'bar2', '0x50000', '0xdffff', 'gone'),
]
HEAL = TRIGGERS


def trigger(fault):
    return TRIGGERS + 4 + 4 * FAULTS.index(fault)


def mark(number):
    return MARKS + 4 * (number % MARK_COUNT)


def plan_commands(seed):
    """Control commands that prepare the emulator."""
    yield 'fill %d' % seed
    yield 'trigger %#x heal' % HEAL
    for fault in FAULTS:
        yield 'trigger %#x %s' % (trigger(fault), ' '.join(fault))


PREAMBLE = [['snapshot', ADDRESS, '-o', '/tmp/snap/%d.json' % i, '--interval', '0', *more] for i, more in enumerate((
    [], ['--no-context', '--no-logs'], ['--map', 'nvme', '--no-context', '--no-logs'], ['--map', '/maps/nic-emulator.json', '--no-logs'],
    ['--passes', '1', '--no-context', '--redact'], ['--map', 'intel-e1000e', '--no-context', '--no-logs', '--group', 'link']))] + [
    ['snapshot', ADDRESS, '-o', '/tmp/snap/6.json.zst', '--no-context', '--no-logs', '--interval', '0']]
SNAPSHOTS = ['/tmp/snap/%d.json' % i for i in range(6)] + ['/tmp/snap/6.json.zst']

# What the judge must complain of, each time: actions of nic_misuse, faults before them, the map by which they are judged, a word of the complaint.
MISUSES = (
    (['0', 'w4:0x900=1'], (), 'nic-emulator', 'write'), (['0', 'r8:0x900'], (), 'nic-emulator', 'size 8'),
    (['0', 'r4:0x900*2'], (), 'nic-emulator', 'loaded 2 times'), (['0', 'r4:0x920'], (), 'nic-emulator', 'CLEARS'),
    (['0', 'r4:0x938'], (), 'nic-emulator', 'FIELD_CLEARS'), (['0', 'r4:0x904'], (), 'nic-emulator', 'in no map'),
    (['0', 'r4:0x908'], (), 'nic-emulator', 'size 4'), (['0', 'r2:0x900'], (), 'nic-emulator', 'size 2'), (['4', 'r4:0x2014'], (), 'nic-emulator', 'bar4'),
    (['2', 'w8:0x10000=0'], (), 'bnxt-p5', 'write'), (['2', 'r8:0x10000'], (), 'bnxt-p5', 'DOORBELL'), (['0', 'w4:0x408=0'], (), 'bnxt-p5', 'write'),
    (['0', 'r4:0x520'], (), None, 'nothing may be touched'), (['0', 'r4:0x520'], ('gone',), 'bnxt-p5', 'gone before'),
    (['0', 'r4:0x520*70'], ('mine', 'bar0', '0x520', '0x523', 'gone'), 'bnxt-p5', 'after it was lost'))

class Maker:
    """One case."""

    def __init__(self, seed, number, maps):
        self.random, self.number, self.maps = randomness.Random('%d:case:%d' % (seed, number)), number, maps
        self.map, self.passes, self.retries, self.parameters, self.asked = 'bnxt-p5', 1, 0, {}, ([], [], [])
        self.reads, self.logs_only, self.refused, self.limit = True, False, False, 30000

    def chance(self, probability):
        return self.random.random() < probability

    def choose(self, items):
        return self.random.choice(items)

    def case(self):
        commands = (('read', 24), ('dump', 28), ('check', 13), ('snapshot', 5), ('info', 4), ('list', 4), ('show', 4), ('diff', 3), ('verify', 2),
                    ('decode', 5), ('explain', 4), ('fwlog', 9), ('maps', 4), ('doctor', 3), ('hwq', 3), ('driver_dump', 3), ('demo', 1), ('other', 3))
        name = self.random.choices([c[0] for c in commands], [c[1] for c in commands])[0]
        argv = getattr(self, '_' + name)()
        if argv and not self.parameters and self.chance(0.09):
            argv = self._spoiled(argv)
        if self.chance(0.06):
            argv += self._override()
        faults = [self.choose(FAULTS)] if name in ('read', 'dump', 'check', 'snapshot', 'fwlog', 'info', 'list') and self.chance(0.12) else []
        # Raw access and half an override are refused, unless something else is wrong as well, or only help was asked for.
        sure = self.refused and not faults and not {'--', '-h', '--help', '--version'} & set(argv)
        statuses = tuple(range(2, 8)) if sure and (self.reads or self.refused == 'override') else None
        return Case(self.number, PROGRAM, argv, faults, self.map if self.reads else None, self.passes, self.retries, self.parameters, self.asked,
                    self.logs_only, statuses, self.limit)

    # ---- parts -------------------------------------------------------------------

    def _device(self):
        """The device's name; where it is another's, or nobody's, nothing may reach this one."""
        if self.chance(0.93):
            return self.choose((ADDRESS, ADDRESS, ADDRESS, '01:00.0', '14e4:1750', '00000000:01:00.0', '0000:01:00.0'))
        self.reads = False
        return self.choose(WRONG_DEVICES + RUBBISH)

    def _map(self, needs=0.6):
        """Options that name a map."""
        if not self.chance(needs):
            return []
        kind = self.random.random()
        shipped = self.maps.shipped if self.chance(0.2) else self.maps.with_bars
        key = self.choose(shipped if kind < 0.35 else self.maps.random if kind < 0.85 else ['nic-emulator', 'nic-log'])
        if self.chance(0.04):
            self.reads = False           # no such map
            return ['--map', self.choose(RUBBISH + ['/maps/none.json', '/proc/self/environ', '/etc', 'bnxt-p', 'NVME'])]
        document, path, _ = self.maps.entries[key]
        self.map = key
        if document is None:
            self.reads = False           # it is not valid
        return ['--map', path or key]

    def _format(self, more=()):
        return ['--format', self.choose(('json', 'json', 'text', *more))] if self.chance(0.5) else []

    def _names(self):
        registers, _, _, _, _, _ = self.maps.names(self.map)
        if self.maps.entries[self.map][0] and self.chance(0.8):     # rather its own than those that it includes
            registers = [r['name'] for r in self.maps.entries[self.map][0].get('registers', [])] or registers
        result = []
        for _ in range(self.random.choice((1, 1, 1, 2, 3))):
            name, kind = self.choose(registers), self.random.random()
            if kind < 0.1:
                name = self.choose((name[:2] + '*', '*', '*' + name[-2:], '?' * len(name), name + '[*]', '*.*'))
            elif kind < 0.2:
                name += self.choose(('[0]', '[1]', '[9]', '[-1]', '[99999999999]', '.LOW', '.NOPE', '[0].LOW', '[', '.'))
            elif kind < 0.26:
                name = name.lower() if self.chance(0.5) else name[:-1] + 'Q'
            elif kind < 0.3:
                name = self.choose(RUBBISH)
            elif kind < 0.33:
                name = self.choose(('bar0+0x520', 'bar2+0xf0000', 'bar4+0x2000', 'bar0+0x920:8', 'bar0+0'))
                self.refused = True
            result.append(name)
        self.asked[0].extend(result)
        return result

    def _filters(self, often=1.0):
        _, groups, blocks, spaces, parameters, _ = self.maps.names(self.map)
        options = []
        for option, names, probability, note in (('--group', groups, 0.15, self.asked[1]), ('--block', blocks, 0.1, self.asked[2]),
                                                 ('--space', spaces, 0.1, [])):
            if self.chance(probability * often):
                name = self.choose(names) if self.chance(0.9) else self.choose(RUBBISH)
                note.append(name)
                options += [option, name]
        for name in parameters:
            if self.chance(0.5):
                value = self.random.choice((0, 1, 5, 0x03100001, 0x03100401, 0x10000, 0xfffffffd, self.random.getrandbits(32)))
                self.parameters[name] = value
                options += ['--set', '%s=%s' % (name, self.choose((str(value), hex(value))))]
        if self.chance(0.03):
            options += ['--set', self.choose(('no_such=1', 'told', '=', 'told=', 'told=x', 'FW_STATUS=1'))]
        return options

    def _how(self):
        options = []
        if self.chance(0.15):
            options += ['--source', self.choose(('auto', 'bar', 'auto', 'bar', 'auto', 'bar', 'ethtool', 'mem'))]
        if self.chance(0.12):
            self.retries = self.random.randint(0, 3)
            options += ['--retry', str(self.retries)]
        if self.chance(0.08):
            options += ['--max-rate', self.choose(('100000', '5000', '1000000000', '0', '-5', 'fast'))]
        if self.chance(0.06):
            options += ['--timeout', self.choose(('20', '20', '0.05', '0', '-1', 'soon'))]
        if self.chance(0.1):
            options.append('--no-timing')
        if self.chance(0.08):
            fresh = COLLECT + '/a%d' % self.number
            options += ['--access-log', self.choose((fresh, fresh, fresh, '/dev/null', '/tmp/snap/0.json', '/no/such/folder/x', COLLECT))]
        if self.chance(0.08):
            options.append('--allow-vfio')
        if self.chance(0.1):
            options.append('--all')
        if self.chance(0.04):
            options += self.choose((['--base', '16'], ['--bar', '2'], ['--dump-config', '/tmp/snap/0.json']))
        if self.chance(0.02):
            options += [self.choose(('--retry', '--interval', '--bar', '--base')), self.choose(RUBBISH)]
            self.retries = max(self.retries, 3)
        return options

    def _spoiled(self, argv):
        """Something put in, left out, repeated or exchanged. The map and the device stay what they were, or the command fails."""
        argv = list(argv)
        at = self.random.randrange(1, len(argv) + 1)
        kind = self.random.randrange(3)
        if kind == 0:
            argv.insert(at, self.choose(RUBBISH))
        elif kind == 1 and len(argv) > 1:
            gone = argv.pop(self.random.randrange(1, len(argv)))
            if gone in ('--map', '--retry', '--passes') or gone in [e[1] for e in self.maps.entries.values()] or gone in self.maps.entries:
                return ['--no-such-option', *argv]
        else:
            argv.append(self.choose(('--help', '--color', 'never', '--root', '/nowhere')))
        self.retries, self.passes, self.refused = max(self.retries, 3), max(self.passes, 4), False
        self.asked[0].append('*')
        return argv

    def _override(self):
        kind = self.random.randrange(3)
        if kind == 0:
            self.refused = 'override'
            return ['--lab-override']
        if kind == 1:
            self.refused = 'override'
            return ['--reason', 'because']
        return ['--lab-override', '--reason', 'a test']

    # ---- commands -----------------------------------------------------------------

    def _read(self):
        device = self._device()
        options = self._map()
        return ['read', device, *self._names(), *options, *self._filters(0.2), *self._how(), *self._format()]

    def _dump(self):
        if self.chance(0.06):
            self.reads = False
            return ['dump', self.choose(SNAPSHOTS), *self._map(0.2), *self._format()]
        device = self._device()
        return ['dump', device, *self._map(0.75), *self._filters(), *self._how(), *self._format()]

    def _check(self):
        if self.chance(0.1):
            self.reads = False
            return ['check', self.choose(SNAPSHOTS), *self._format()]
        device = self._device()
        self.passes = 2
        return ['check', device, *self._map(0.7), *self._filters(), *self._how(), '--interval', self.choose(('0', '1', '20')), *self._format()]

    def _snapshot(self):
        device = self._device()
        options = self._map(0.5)
        self.passes = self.random.randint(1, 4)
        options += ['--passes', str(self.passes), '--interval', self.choose(('0', '1', '10'))]
        if self.chance(0.03):
            options += ['--passes', self.choose(('0', '-1', 'many', '1000000'))]
            self.passes = 4
        options += [] if self.chance(0.15) else ['--no-context']
        options += ['--no-logs'] if self.chance(0.6) else []
        options += ['--redact'] if self.chance(0.15) else []
        options += ['--force'] if self.chance(0.8) else []
        options += ['--label', self.choose(['before', *RUBBISH])] if self.chance(0.2) else []
        where = COLLECT + '/%d.json%s' % (self.number % 8, self.choose(('', '', '.zst')))
        if self.chance(0.1):
            options = [option for option in options if option != '--force']
            where = self.choose(('/tmp/snap/0.json', '/no/such/folder.json', COLLECT, '/dev/full', '/dev/null', '/sys/bus/pci/devices/%s/resource0' % ADDRESS))
        self.limit = 60000
        return ['snapshot', device, '-o', where, *options, *self._filters(), *self._how(), *self._format()]

    def _info(self):
        return self._silent(['info', self._device(), *self._map(0.2), *self._format()])

    def _list(self):
        return self._silent(['list', *self._map(0.2), *self._format()])

    def _doctor(self):
        return self._silent(['doctor', *([self._device()] if self.chance(0.5) else []), *self._format()])

    def _hwq(self):
        return self._silent(['hwq', self._device(), *self.choose(([], ['--kind', 'cq'], ['--raw'], ['--full'], ['--kind', 'none'])), *self._format()])

    def _driver_dump(self):
        return self._silent(['driver-dump', self._device(), *self._map(0.2), *self._format()])

    def _show(self):
        return self._silent(['show', self.choose(SNAPSHOTS + [ADDRESS, *RUBBISH]), *self._map(0.1), *self._format(('markdown', 'html')),
                             *(['-o', self.choose((COLLECT + '/shown', '/dev/full'))] if self.chance(0.2) else [])])

    def _diff(self):
        files = [self.choose(SNAPSHOTS + ['/tmp/snap/none.json', ADDRESS]) for _ in range(2)]
        return self._silent(['diff', *(files if self.chance(0.85) else ['--baseline', '/tmp/snap', files[0]]), *self._format(('markdown', 'html'))])

    def _verify(self):
        return self._silent(['verify', *[self.choose(SNAPSHOTS + ['/maps/nic-log.json', ADDRESS]) for _ in range(self.random.randint(1, 3))],
                             *self._format()])

    def _decode(self):
        key = self.choose(self.maps.shipped + self.maps.random)
        registers, _, _, _, _, structures = self.maps.names(key)
        name = self.choose(structures or registers) if self.chance(0.6) else self.choose(registers)
        values = [self.choose((str(self.random.getrandbits(16)), hex(self.random.getrandbits(64)), '00', 'ff', '0b101', *RUBBISH[:20]))
                  for _ in range(self.random.randint(1, 8))]
        options = self.choose(([], [], ['--bytes'], ['--count', '1'], ['--offset', '4'], ['--stride', 'slots'], ['--epoch', '1'], ['--levels', '1']))
        return self._silent(['decode', '%s:%s' % (self.maps.entries[key][1] or key, name), *values, *options, *self._format()])

    def _explain(self):
        key = self.choose(self.maps.shipped + self.maps.random)
        registers, _, blocks, _, _, structures = self.maps.names(key)
        name = self.choose(registers + structures + blocks + RUBBISH[:10])
        return self._silent(['explain', '%s:%s' % (self.maps.entries[key][1] or key, name), *self._format()])

    def _maps(self):
        key = self.choose(self.maps.shipped + self.maps.random)
        operand = self.maps.entries[key][1] or key
        return self._silent(['maps', *self.choose((['list'], ['show', operand], ['check', operand], ['schema'], [], ['check', *RUBBISH[:3]], ['lost'])),
                             *self._format()])

    def _demo(self):
        return self._silent(['demo', self.choose((COLLECT + '/demo%d' % self.number, '/tmp/snap', '/no/such/folder')), *self._format()])

    def _other(self):
        words = [self.choose(RUBBISH + ['--help', '--version', 'help', 'read', 'write', 'audit', 'watch', 'raw', ADDRESS, 'FW_STATUS=1'])
                 for _ in range(self.random.randint(0, 3))]
        if words and words[0] in ('read', 'dump'):
            return ['read', *words[1:]]
        return self._silent(words)

    def _fwlog(self):
        if self.chance(0.1):
            return self._silent(['fwlog', self.choose(SNAPSHOTS), *self._format(('ndjson',))])
        self.logs_only = True
        device = self._device()
        options = self._map(0.7)
        options += ['--source', self.choose(('ring', 'ring', 'kernel-log', 'table', 'devlink-health', 'none'))] if self.chance(0.5) else []
        options += self.choose(([], [], ['--summary'], ['--severity', 'error'], ['--since-seq', '3'], ['--code', '0x12'], ['--fail-on', 'error'],
                                ['--devlink-diagnose'], ['--bs-trace']))
        return ['fwlog', device, *options, *self._format(('ndjson',))]

    def _silent(self, argv):
        self.reads = False
        return argv


def misuse(index):
    (bar, *actions), fault, key, _ = MISUSES[index]
    return Case(-1000 - index, '/usr/bin/nic_misuse', ['/sys/bus/pci/devices/%s/resource%s' % (ADDRESS, bar), *actions], [fault] if fault else [], key,
                1, 0, {}, ([], [], []), False, None, 30000)


def make(seed, number, maps):
    """Case `number`; negative numbers are the preamble's."""
    if number < 0:
        argv = PREAMBLE[number]
        key = argv[argv.index('--map') + 1] if '--map' in argv else 'bnxt-p5'
        return Case(number, PROGRAM, argv, [], os.path.basename(key).replace('.json', ''), 2, 0, {}, ([], [], []), False, (0,), 60000)
    return Maker(seed, number, maps).case()


def _escaped(text):
    if not text:
        return b'\\e'
    return ''.join('\\x%02x' % byte if byte < 32 or byte == 0x5c else chr(byte) for byte in text.encode()).encode('latin-1')


def places(case, healthy):
    """What nic_runner loads before the case. healthy: whether the case before had no fault."""
    return ([] if healthy else [HEAL]) + [trigger(fault) for fault in case.faults] + [mark(case.number)]


def kept(case):
    """Whether the answer is kept, so that its values can be held against what the device answered."""
    return case.number % 3 == 0 and case.map is not None and case.argv[0] in ('read', 'dump') and case.argv[-2:] == ['--format', 'json']


def line(case, healthy):
    """The case for nic_runner."""
    head = '%d\t%d\t%s\t%s\t%s' % (case.number, case.limit, ','.join('%#x' % place for place in places(case, healthy)),
                                  'case-%d' % case.number if kept(case) else '-', case.program)
    return head.encode() + b''.join(b'\t' + _escaped(word) for word in case.argv) + b'\n'


if __name__ == '__main__':
    which = make(int(sys.argv[1]), int(sys.argv[2]), Maps(int(sys.argv[1]), sys.argv[3] if len(sys.argv) > 3 else os.path.join(
        HERE, '..', '..', 'regmaps', 'definitions')))
    print(which)
