"""Register maps made up at random for the emulated NIC: every kind of place beside every other.

The places are in memory that fill.py fills, in the windows, and in doorbell space, in all three BARs. What such a map declares is worked out by
tests/guest/declared.py. One map in six is spoiled: it must be refused before anything is read.
"""

import json

import fill

# Windows n (1 to 15) show a page of GRC space at BAR 0 + n * 0x1000 and are chosen at 0x400 + 4 * (n - 1). Window 3 shows what the driver left there.
SHOWN = 0x03100000
READ_ACTIONS = ('clear', 'set', 'modify', 'modifyExternal')


class Space:
    """A space and which of its bytes are taken."""

    def __init__(self, entry, length, widths, start=0):
        self.entry, self.length, self.widths, self.start = entry, length, widths, start
        self.taken = set()

    def place(self, random, size, count=1, stride=0):
        """A free offset for count pieces, aligned to their size; None where there is none."""
        extent = size + stride * (count - 1)
        for _ in range(30):
            offset = random.randrange(self.start, self.length) // size * size
            # Neighbours are what is of interest: often right behind something.
            if self.taken and random.random() < 0.6:
                offset = -(-(random.choice(sorted(self.taken)) + 1) // size) * size
            pieces = {offset + stride * i + b for i in range(count) for b in range(size)}
            if offset >= self.start and offset + extent <= self.length and not pieces & self.taken:
                self.taken |= pieces
                return offset
        return None


class Maker:
    def __init__(self, random, name):
        self.random, self.name, self.number = random, name, 0
        self.single = []                 # names of registers that expressions may use
        self.parameters = []
        self.derived, self.checks = [], []

    def chance(self, probability):
        return self.random.random() < probability

    def fresh(self, prefix):
        self.number += 1
        return '%s%d' % (prefix, self.number)

    def expression(self, value):
        """A number, written as a number, as text or as something to compute."""
        forms = [value, str(value), hex(value), '%d + %d' % (value // 2, value - value // 2), 'pci.vendor == 0x14e4 ? %d : 0' % value,
                 '(%d << 2) >> 2' % value, '%d | 0' % value]
        return self.random.choice(forms[:3] if self.chance(0.7) else forms)

    # ---- spaces ------------------------------------------------------------------

    def widths(self):
        if self.chance(0.3):
            return [32]
        return self.random.sample([8, 16, 32, 64], self.random.randint(1, 4))

    def space(self):
        widths = self.widths()
        bar = self.random.choice((0, 0, 4, 4, 2))
        base, length = {0: lambda: (self.random.randrange(0x600, 0xf00, 0x40), 0x100),
                        2: lambda: (self.random.randrange(0, 0xd0000, 0x1000), 0x1000),
                        4: lambda: (self.random.randrange(0x2000, 0x7000, 0x100), self.random.choice((0x80, 0x400, 0x1000)))}[bar]()
        entry = {'name': self.fresh('s'), 'bar': self.expression(bar), 'base': self.expression(base), 'size': self.expression(length),
                 'accessWidth': widths[0] if len(widths) == 1 else widths}
        if self.chance(0.2):
            entry['byteOrder'] = self.random.choice(('little', 'big'))
        if self.chance(0.1):
            entry['when'] = self.random.choice(('1', 'pci.device == 0x1750', 'pci.isVf', '0'))
        if self.chance(0.1):             # as a whole or in part beyond the end of the BAR
            entry['base'] = {0: 0xff80, 2: 0xfffc0, 4: 0x7fc0}[bar] if bar != 2 else 0x100000
        return Space(entry, length, widths)

    def windows(self):
        """The space of the select registers, their registers, and the spaces behind them."""
        direct = {'name': 'windows', 'bar': 0, 'base': 0x400, 'size': 0x40}
        registers, spaces = [], []
        for window in sorted(self.random.sample(range(1, 16), self.random.randint(1, 3)) + [3])[:3]:
            name = 'WINDOW%d' % window
            if any(r['name'] == name for r in registers):
                continue
            registers.append({'name': name, 'space': 'windows', 'offset': 4 * (window - 1), 'readAction': 'none'})
            for _ in range(self.random.randint(1, 2)):
                page = SHOWN if self.chance(0.7) else self.random.choice((0, 0x05550000, 0x00260000))
                entry = {'name': self.fresh('w'), 'bar': 0, 'size': 0x1000,
                         'window': {'select': name, 'value': hex(page), 'at': 0x1000 * window, 'size': 0x1000}}
                spaces.append(Space(entry, 0x1000, [32], 0x400 if page == SHOWN else 0))
        return direct, registers, spaces

    # ---- registers ----------------------------------------------------------------

    def register(self, space, inside=False):
        width = self.random.choice(space.widths)
        register = {'name': self.fresh('R'), 'width': width}
        if width == 64 and 32 in space.widths and self.chance(0.3):
            register['split'] = 'hi_lo_hi'
        elif 32 in space.widths and self.chance(0.08):
            register.update(width=64, split='hi_lo_hi')
        size = register['width'] // 8
        array = None
        if self.chance(0.2):
            count, stride = self.random.randint(1, 6), size * self.random.choice((1, 1, 2, 4))
            array = self.array(count, stride)
        offset = space.place(self.random, size, array[0] if array else 1, array[1] if array else 0)
        if offset is None:
            return None
        register['offset'] = offset
        if array:
            register['array'] = array[2]
        self.access(register)
        if not inside:
            register['space'] = space.entry['name']
            if not array and 'when' not in register and register.get('readAction') == 'none' and not register.get('fields'):
                self.single.append(register['name'])
        return register

    def array(self, count, stride):
        expression = self.expression(count)
        if self.single and self.chance(0.3):
            count = 8
            expression = '%s & 7' % self.random.choice(self.single)
        return count, stride, {'count': expression, 'stride': self.expression(stride), 'index': self.fresh('i')}

    def access(self, register):
        kind = self.random.random()
        if kind < 0.1:
            register['access'] = self.random.choice(('write-only', 'writeOnce'))
        elif kind < 0.35:
            register['readAction'] = self.random.choice(READ_ACTIONS)
        else:
            register['readAction'] = 'none'
            register['access'] = self.random.choice(('read-only', 'read-write', 'read-writeOnce'))
        readable = 'readAction' in register
        if readable and self.chance(0.3):
            register['fields'] = self.fields(register['width'])
        if readable and self.chance(0.3):
            register['poison'] = [fill.POISON & ((1 << register['width']) - 1)]
        for key, probability, value in (('onRequest', 0.1, True), ('group', 0.3, self.random.choice(('red', 'green', ['red', 'blue']))),
                                        ('volatility', 0.3, self.random.choice(('constant', 'counter', 'status')))):
            if self.chance(probability):
                register[key] = value
        if self.chance(0.15):
            register['when'] = self.condition()
        if self.chance(0.1):
            register['byteOrder'] = self.random.choice(('little', 'big'))

    def fields(self, width):
        half = width // 2
        fields = [{'name': 'LOW', 'bits': '%d:0' % (half - 1)}, {'name': 'HIGH', 'bits': '%d:%d' % (width - 1, half)}]
        if self.chance(0.2):
            self.random.choice(fields)['readAction'] = self.random.choice((*READ_ACTIONS, 'none'))
        return fields

    def condition(self):
        names = ['pci.device == 0x1750', 'pci.revision > 0x80', '1', '!1', 'known(%s)' % self.random.choice(self.parameters or ['pci.vendor'])]
        names += ['%s & 1' % name for name in self.single] + ['known(%s) && %s > 3' % (name, name) for name in self.single]
        return self.random.choice(names)

    def block(self, space):
        """Registers of one element, put beside each other, then the element put somewhere."""
        inner = Space(space.entry, 0x20, space.widths)
        registers = [r for r in (self.register(inner, True) for _ in range(self.random.randint(1, 3))) if r]
        count = self.random.randint(1, 3)
        base = space.place(self.random, 0x40, count, 0x40)
        if base is None or not registers:
            return None
        block = {'name': self.fresh('B'), 'space': space.entry['name'], 'base': self.expression(base), 'registers': registers}
        for register in registers:
            register.pop('space', None)
        if count > 1:
            block['array'] = {'count': self.expression(count), 'stride': self.expression(0x40), 'index': self.fresh('i')}
        if self.chance(0.2):
            block['when'] = self.condition()
        if self.chance(0.2):
            block['group'] = 'blue'
        return block

    def alternate(self, registers, spaces):
        """The other reading of bytes that something has taken already, harmless or not."""
        space = self.random.choice(spaces)
        if not space.taken:
            return
        width = self.random.choice(space.widths)
        offset = self.random.choice(sorted(space.taken)) // (width // 8) * (width // 8)
        if offset + width // 8 <= space.length:
            registers.append({'name': self.fresh('A'), 'space': space.entry['name'], 'offset': offset, 'width': width, 'readAction': 'none',
                              'alternate': True})

    # ---- the whole -------------------------------------------------------------------

    def map(self):
        spaces = [self.space() for _ in range(self.random.randint(1, 4))]
        registers, entries = [], []
        document = {'formatVersion': 1, 'name': self.name, 'title': 'At random', 'version': '1', 'sources': ['tests/nic/random_maps.py'],
                    'spaces': entries, 'registers': registers}
        if self.chance(0.4):
            self.parameters.append('told')
            self.derived.append({'name': 'told', 'parameter': True, **({'value': 3} if self.chance(0.5) else {})})
        if self.chance(0.5):
            direct, selects, behind = self.windows()
            entries.append(direct)
            registers += selects
            spaces += behind
        if self.chance(0.4):
            entries.append({'name': 'configuration', 'config': True})
            registers.append({'name': 'VENDOR', 'space': 'configuration', 'offset': 0, 'width': 16, 'readAction': 'none'})
        entries += [space.entry for space in spaces]
        if self.chance(0.6):             # the firmware's status is never all ones
            entries.append({'name': 'firmware', 'bar': 0, 'base': 0x500, 'size': 0x100})
            registers.append({'name': 'STATUS', 'space': 'firmware', 'offset': 0x20, 'readAction': 'none', 'neverAllOnes': True})
        registers += [r for space in spaces for r in (self.register(space) for _ in range(self.random.randint(1, 8))) if r]
        document['blocks'] = [b for b in (self.block(self.random.choice(spaces)) for _ in range(self.random.randint(0, 2))) if b]
        for _ in range(self.random.randint(0, 2)):
            self.alternate(registers, spaces)
        self.logs(document)
        for name in self.single[:3]:
            self.checks.append({'name': 'check-%s' % name.lower(), 'expect': self.random.choice(('%s == previous(%s)', '%s > 5 || %s == 0')) % (name, name),
                                'severity': 'warning', 'meaning': 'at random'})
        document.update(derived=self.derived, checks=self.checks)
        if self.chance(0.15):
            document['include'] = ['pcie']
        return document

    def logs(self, document):
        if not self.chance(0.3):
            return
        document['spaces'].append({'name': 'log', 'bar': 4, 'base': 0x7800, 'size': 0x400})
        document['structures'] = [{'name': 'entry', 'size': 16, 'fields': [
            {'name': 'SEQ', 'width': 16, 'bits': '15:0'}, {'name': 'CODE', 'at': 4, 'bits': '31:0'}]}]
        log = {'name': 'ring', 'space': 'log', 'base': self.random.randrange(0, 0x100, 4), 'entry': 'entry', 'count': self.random.randint(1, 16)}
        if self.single and self.chance(0.5):
            log['producer'] = self.random.choice(self.single)
        document['logs'] = [log]


def spoil(random, document):
    """A fault that makes the map invalid; returns the text of the file."""
    registers = [r for r in document['registers'] if r.get('space') not in ('windows', 'firmware', 'configuration')] or document['registers']
    victim = random.choice(registers)

    def dropped(key):
        document.pop(key)
    faults = (
        lambda: dropped('sources'), lambda: dropped('formatVersion'), lambda: victim.update(offset='0x100000000000'),
        lambda: victim.update(space='nowhere'), lambda: victim.update(width=24), lambda: victim.update(readAction='harmless'),
        lambda: victim.update(colour='red'), lambda: document['registers'].append(dict(victim)), lambda: victim.update(when='1 +'),
        lambda: victim.update(when='NO_SUCH_REGISTER'), lambda: document['spaces'][0].update(bar=None),
        lambda: victim.update(array={'count': 0, 'stride': 4, 'index': 'i'}), lambda: document.update(include=['no-such-map']),
        lambda: victim.update(access='read-write', readAction=None), lambda: document.update(formatVersion=2))
    random.choice(faults)()
    text = json.dumps(document)
    return text[:random.randrange(len(text))] if random.random() < 0.2 else text


def make(random, number):
    """(name, text of the file, document or None where the map is invalid)"""
    name = 'random-%d' % number
    document = Maker(random, name).map()
    if number % 6 == 5:
        return name, spoil(random, document), None
    return name, json.dumps(document, indent=1), document
