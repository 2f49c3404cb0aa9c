"""What a register map declares safe to load, worked out from the map's JSON alone: the yardstick for what reached a device.

This is a second reading of docs/regmap-format.md, written apart from the program's own, so that a fault in one shows. Registers whose `when`
cannot be decided here count as declared; an array whose count cannot be worked out raises Undecided, unless nothing of it may be loaded.
"""

import collections
import json
import os
import re

# size in bytes. A split register has two, of 4 bytes, and the upper one is loaded twice (`most`). None: as often as it takes, for a sentinel
# that is asked again after the words it vouches for. A window's select register is looked at before and after what is behind it, once for what
# the layout needs of it and once for the rest: 4 times for each window.
Load = collections.namedtuple('Load', 'name bar offset size most')


class Undecided(Exception):
    pass


def load_maps(folder, name):
    """The map of that name and all that it includes, from the folder's *.json."""
    with open(os.path.join(folder, name + '.json')) as file:
        document = json.load(file)
    maps = [document]
    for other in document.get('include', []):
        maps += load_maps(folder, other)
    return maps


def bar_spaces(maps):
    """Names of the spaces that are in a BAR."""
    return {space['name'] for document in maps for space in document.get('spaces', []) if not space.get('config')}


class Declared:
    """`pci` has vendor, device, subsystemVendor, subsystemDevice, class, revision, isVf. `registers` are values of whole registers, by
    name, that are known from elsewhere and that counts or strides need."""

    def __init__(self, maps, pci, registers=None):
        self.pci, self.values = pci, registers or {}
        self.derived, self.spaces, self.fields, self.loads, self.refused = {}, {}, {}, [], []
        self.selects = collections.Counter()
        for document in maps:
            self.derived.update({d['name']: d.get('value') for d in document.get('derived', [])})
            for space in document.get('spaces', []):
                self.spaces[space['name']] = space
                self.selects[space.get('window', {}).get('select')] += 1
            for register in document.get('registers', []):
                self.fields[register['name']] = {f['name']: f['bits'] for f in register.get('fields', [])}
            for block in document.get('blocks', []):
                for register in block.get('registers', []):
                    self.fields['%s.%s' % (block['name'], register['name'])] = {f['name']: f['bits'] for f in register.get('fields', [])}
        for document in maps:
            first = document['spaces'][0]['name'] if document.get('spaces') else None
            self._group(document, first, 0, '', {})

    # ---- layout ---------------------------------------------------------------

    def _group(self, group, space, base, prefix, indices):
        for register in group.get('registers', []):
            self._register(register, register.get('space', space), base, prefix, indices)
        for block in group.get('blocks', []):
            inner = block.get('space', space)
            if self.spaces[inner].get('config') or not self._decidedly_there(block.get('when')):
                continue
            if not self._decidedly_there(self.spaces[inner].get('when')):
                continue
            for index, offset in self._elements(block, indices):
                start = base + offset + self._number(block.get('base', 0), {**indices, **index})
                name = prefix + block['name'] + ''.join('[%d]' % i for i in index.values()) + '.'
                self._group(block, inner, start, name, {**indices, **index})

    def _elements(self, entry, indices):
        """(({index name: number}, byte offset), ...) of an array, or one element without an index."""
        array = entry.get('array')
        if array is None:
            return [({}, 0)]
        count, stride = (self._number(array[key], indices) for key in ('count', 'stride'))
        return [({array.get('index', 'i'): i}, i * stride) for i in range(count)]

    def _register(self, register, space_name, base, prefix, indices):
        space = self.spaces[space_name]
        if space.get('config'):
            return                       # accesses to configuration space are not what is judged
        if not self._decidedly_there(space.get('when')) or not self._decidedly_there(register.get('when')):
            return
        actions = [register.get('readAction')] + [f.get('readAction') for f in register.get('fields', [])]
        safe = (register.get('access') not in ('write-only', 'writeOnce') and actions[0] == 'none'
                and all(action in (None, 'none') for action in actions))
        try:
            elements = self._elements(register, indices)
            bar = self._number(space['bar'], {})
            start = base + self._number(space.get('base', 0), {}) + self._number(register['offset'], {})
            if 'window' in space:
                start += self._number(space['window']['at'], {})
        except Undecided:
            if safe:
                raise
            return                       # nothing of it may be loaded, wherever it is
        size = self._number(register.get('width', 32), {}) // 8
        for index, offset in elements:
            name = prefix + register['name'] + ''.join('[%d]' % i for i in index.values())
            pieces = [(start + offset, size, 1)]
            if register.get('split'):
                pieces = [(start + offset, 4, 1), (start + offset + 4, 4, 2)]
            for place, length, most in pieces:
                most = None if register.get('neverAllOnes') else 1 + 4 * self.selects[name] if name in self.selects else most
                (self.loads if safe else self.refused).append(Load(name, bar, place, length, most))

    def _decidedly_there(self, expression):
        if expression is None:
            return True
        try:
            return bool(self._number(expression, {}))
        except Undecided:
            return True

    # ---- expressions ------------------------------------------------------------

    def _number(self, expression, indices):
        if isinstance(expression, int):
            return expression
        return _Expression(expression, lambda name: self._name(name, indices)).value()

    def _name(self, name, indices):
        if name in indices:
            return indices[name]
        if name.startswith('pci.') and name[4:] in self.pci:
            return self.pci[name[4:]]
        if name.startswith('known('):
            return self._is_known(name[len('known('):-1], indices)
        if name in self.values:
            return self.values[name]
        if name in self.derived:
            if self.derived[name] is None:
                raise Undecided(name)    # a parameter that nobody gave
            return self._number(self.derived[name], {})
        register, _, field = name.rpartition('.')
        if register in self.values and field in self.fields.get(register, {}):
            high, _, low = self.fields[register][field].partition(':')
            return self.values[register] >> int(low or high) & ((1 << (int(high) - int(low or high) + 1)) - 1)
        raise Undecided(name)

    def _is_known(self, name, indices):
        try:
            self._name(name, indices)
        except Undecided:
            if name in self.derived and self.derived[name] is None:
                return 0
            raise
        return 1


class _Expression:
    """C's operators on unsigned 64-bit numbers, by precedence climbing."""

    LEVELS = [('||',), ('&&',), ('|',), ('^',), ('&',), ('==', '!='), ('<=', '>=', '<', '>'), ('<<', '>>'), ('+', '-'), ('*', '/', '%')]
    MASK = (1 << 64) - 1
    APPLY = {
        '|': lambda a, b: a | b, '^': lambda a, b: a ^ b, '&': lambda a, b: a & b, '==': lambda a, b: int(a == b),
        '!=': lambda a, b: int(a != b), '<=': lambda a, b: int(a <= b), '>=': lambda a, b: int(a >= b),
        '<': lambda a, b: int(a < b), '>': lambda a, b: int(a > b), '<<': lambda a, b: a << b if b < 64 else 0,
        '>>': lambda a, b: a >> b if b < 64 else 0, '+': lambda a, b: a + b, '-': lambda a, b: a - b, '*': lambda a, b: a * b,
        '/': lambda a, b: a // b, '%': lambda a, b: a % b,
        '||': lambda a, b: int(bool(a) or bool(b)), '&&': lambda a, b: int(bool(a) and bool(b)),
    }

    def __init__(self, text, lookup):
        self.tokens = re.findall(r'0[xX][0-9a-fA-F]+|0b[01]+|\d+|[A-Za-z_][\w.]*(?:\([^)]*\))?|<<|>>|<=|>=|==|!=|&&|\|\||\S', text)
        self.at, self.lookup, self.text = 0, lookup, text

    def value(self):
        result = self._choice()
        if self.at != len(self.tokens):
            raise ValueError('not an expression: %s' % self.text)
        return self._known(result)

    # Unknown is None inside, so that `0 && unknown` and a branch that is not taken do not matter.
    def _known(self, number):
        if number is None:
            raise Undecided(self.text)
        return number

    def _peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ''

    def _choice(self):
        condition = self._level(0)
        if self._peek() != '?':
            return condition
        self.at += 1
        yes = self._choice()
        self._expect(':')
        no = self._choice()
        return None if condition is None else yes if condition else no

    def _expect(self, token):
        if self._peek() != token:
            raise ValueError('%s expected in %s' % (token, self.text))
        self.at += 1

    def _level(self, level):
        if level == len(self.LEVELS):
            return self._unary()
        left = self._level(level + 1)
        while self._peek() in self.LEVELS[level]:
            operator = self._peek()
            self.at += 1
            left = self._combine(operator, left, self._level(level + 1))
        return left

    def _combine(self, operator, left, right):
        if operator == '&&' and 0 in (left, right):
            return 0
        if operator == '||' and any(side not in (None, 0) for side in (left, right)):
            return 1
        if left is None or right is None or (operator in '/%' and right == 0):
            return None
        return self.APPLY[operator](left, right) & self.MASK

    def _unary(self):
        token = self._peek()
        self.at += 1
        if token == '(':
            inner = self._choice()
            self._expect(')')
            return inner
        if token in ('-', '~', '!'):
            inner = self._unary()
            return None if inner is None else {'-': -inner & self.MASK, '~': ~inner & self.MASK, '!': int(not inner)}[token]
        if token[:1].isdigit():
            return int(token, 0) if not token.isdigit() else int(token, 10)
        try:
            return self.lookup(token)
        except Undecided:
            return None
