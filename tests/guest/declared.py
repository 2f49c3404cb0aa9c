"""What a register map declares safe to load, worked out from the map's JSON alone: the yardstick for what reached a device.

This is a second reading of docs/regmap-format.md, written apart from the program's own, so that a fault in one shows. Without `memory`, registers
whose `when` cannot be decided here count as declared, and an array whose count cannot be worked out raises Undecided, unless nothing of it may be
loaded. With `memory`, which knows what the device answered, what nobody loaded places nothing: what cannot be decided is not declared.
"""

import collections
import fnmatch
import json
import os
import re

from answers import Answers, is_safe
from expressions import Expression, Undecided

# size in bytes. A split register has two, of 4 bytes, and the upper one is loaded twice (`most`). None: as often as it takes, for a sentinel
# that is asked again after the words it vouches for. A window's select register is looked at before and after what is behind it, once for what
# the layout needs of it and once for the rest: 4 times for each window.
Load = collections.namedtuple('Load', 'name bar offset size most half', defaults=(False,))

# What the command asked for: name patterns, groups, blocks. Registers that are read on request only are declared where they are among it.
Asked = collections.namedtuple('Asked', 'names groups blocks')

CAPABILITIES = 'capabilities'            # in `pci`: the set of capability ids that the device has; `extended` the extended ones


def load_maps(folder, name):
    """The map of that name and all that it includes, from the folder's *.json."""
    with open(os.path.join(folder, name + '.json')) as file:
        return with_included(folder, json.load(file))


def with_included(folder, document):
    maps = [document]
    for other in document.get('include', []):
        maps += load_maps(folder, other)
    return maps


def bar_spaces(maps):
    """Names of the spaces that are in a BAR."""
    return {space['name'] for document in maps for space in document.get('spaces', []) if not space.get('config')}


class Declared(Answers):
    """`pci` has vendor, device, subsystemVendor, subsystemDevice, class, revision, isVf. `registers` are values of whole registers, by
    name, that are known from elsewhere and that counts or strides need; `parameters` those that the user gave."""

    def __init__(self, maps, pci, registers=None, memory=None, parameters=None, asked=None):
        self.maps, self.pci, self.values, self.memory, self.asked = maps, pci, dict(registers or {}), memory, asked
        self.derived, self.spaces, self.fields, self.loads, self.refused = {}, {}, {}, [], []
        self.selects, self.places, self.busy = collections.Counter(), [], set()
        self.needed = set()              # names of registers, without indices, that the layout asked for
        for document in maps:
            self.derived.update({d['name']: d.get('value') for d in document.get('derived', [])})
            for space in document.get('spaces', []):
                self.spaces[space['name']] = space
                self.selects[space.get('window', {}).get('select')] += 1
            for register in document.get('registers', []):
                self._note_fields('', register)
            for block in document.get('blocks', []):
                for register in block.get('registers', []):
                    self._note_fields(block['name'] + '.', register)
        self.derived.update(parameters or {})
        for document in maps:
            first = document['spaces'][0]['name'] if document.get('spaces') else None
            self._group(document, first, 0, '', {}, (), ())
        if memory is not None:
            self._drop_neighbours()

    def _note_fields(self, prefix, register):
        self.fields[prefix + register['name']] = {f['name']: f['bits'] for f in register.get('fields', [])}

    # ---- layout ---------------------------------------------------------------

    def _group(self, group, space, base, prefix, indices, blocks, groups):
        for register in group.get('registers', []):
            self._register(register, register.get('space', space), base, prefix, indices, blocks, groups)
        for block in group.get('blocks', []):
            inner = block.get('space', space)
            if self.spaces[inner].get('config') or not self._there(block, inner, indices):
                continue
            try:
                elements = [(index, base + offset + self.number(block.get('base', 0), {**indices, **index}))
                            for index, offset in self._elements(block, indices)]
            except Undecided:
                if self.memory is None:
                    raise
                continue
            for index, start in elements:
                name = prefix + block['name'] + ''.join('[%d]' % i for i in index.values())
                self._group(block, inner, start, name + '.', {**indices, **index}, (*blocks, block['name'], name),
                            (*groups, *_listed(block.get('group'))))

    def _elements(self, entry, indices):
        """(({index name: number}, byte offset), ...) of an array, or one element without an index."""
        array = entry.get('array')
        if array is None:
            return [({}, 0)]
        count, stride = (self.number(array[key], indices) for key in ('count', 'stride'))
        return [({array.get('index', 'i'): i}, i * stride) for i in range(count)]

    def _register(self, register, space_name, base, prefix, indices, blocks, groups):
        space = self.spaces[space_name]
        if space.get('config'):
            return                       # accesses to configuration space are not what is judged
        safe = is_safe(register)
        try:
            elements = self._elements(register, indices)
            bar, start = self.start_of(space)
            start += base + self.number(register['offset'], {})
            size = self.number(register.get('width', 32), {}) // 8
            end = self.end_of(space)
        except Undecided:
            if safe and self.memory is None and self._there(register, space_name, indices):
                raise
            return                       # nothing of it may be loaded, wherever it is
        for index, offset in elements:
            name = prefix + register['name'] + ''.join('[%d]' % i for i in index.values())
            if not self._there(register, space_name, {**indices, **index}, safe):
                continue
            loads = self._pieces(register, name, space_name, bar, start + offset, size)
            fits = end is None or start + offset + size <= end
            declared = safe and fits and self._wanted(register, name, blocks, (*groups, *_listed(register.get('group'))))
            (self.loads if declared else self.refused).extend(loads)
            hidden = register.get('access') in ('write-only', 'writeOnce') and register.get('readAction') in (None, 'none')
            self.places.append((Load(name, bar, start + offset, size, 1), safe, hidden, space_name, loads if declared else []))

    def _pieces(self, register, name, space_name, bar, place, size):
        pieces = [(place, size, 1)]
        if register.get('split'):
            halves = (2, 1) if register.get('byteOrder', self.spaces[space_name].get('byteOrder')) == 'big' else (1, 2)
            pieces = [(place, 4, halves[0]), (place + 4, 4, halves[1])]
        result = []
        for offset, length, most in pieces:
            most = None if register.get('neverAllOnes') else 1 + 4 * self.selects[name] if name in self.selects else most
            result.append(Load(name, bar, offset, length, most, bool(register.get('split'))))
        return result

    def start_of(self, space):
        start = self.number(space.get('base', 0), {})
        if 'window' in space:
            start += self.number(space['window']['at'], {})
        return self.number(space['bar'], {}), start

    def end_of(self, space):
        """Where what the space allows ends in the BAR; None where that does not matter or cannot be told."""
        if self.memory is None or 'size' not in space:
            return None
        size = self.number(space['size'], {})
        if 'window' in space:
            size = min(size, self.number(space['window'].get('size', size), {}))
        return self.start_of(space)[1] + size

    def _wanted(self, register, name, blocks, groups):
        if self.asked is None or not register.get('onRequest'):
            return True
        return (any(name == pattern or fnmatch.fnmatchcase(name, pattern) or name.startswith(pattern + '[') or pattern.startswith(name + '.')
                    for pattern in self.asked.names)
                or bool(set(groups) & set(self.asked.groups)) or bool(set(blocks) & set(self.asked.blocks)))

    def _there(self, entry, space_name, indices, safe=True):
        """Whether the space and the entry exist; an entry that must not be read is there unless it decidedly is not."""
        return all(self._holds(expression, indices, safe) for expression in (self.spaces[space_name].get('when'), entry.get('when'))
                   if expression is not None)

    def _holds(self, expression, indices, safe):
        try:
            return bool(self.number(expression, indices))
        except Undecided:
            return self.memory is None or not safe

    def _drop_neighbours(self):
        """What touches a place that must not be read is not declared. Pages behind windows are not there at the same time; and a register that
        can only be written may share exactly its bytes with one that can be read."""
        readable = {(load.bar, load.offset, load.size, space) for load, safe, _, space, _ in self.places if safe}
        forbidden = [(load, space) for load, safe, hidden, space, _ in self.places
                     if not safe and not (hidden and any((load.bar, load.offset, load.size, other) in readable for other in self.spaces
                                                         if other == space or 'window' not in self.spaces[other]))]

        def touched(load, space):
            return any(other.bar == load.bar and other.offset < load.offset + load.size and load.offset < other.offset + other.size
                       and (space == where or not ('window' in self.spaces[space] and 'window' in self.spaces[where]))
                       for other, where in forbidden)
        self.loads = [piece for load, safe, _, space, pieces in self.places if safe and not touched(load, space) for piece in pieces]

    # ---- expressions ------------------------------------------------------------

    def number(self, expression, indices):
        if isinstance(expression, int):
            return expression
        return Expression(expression, lambda name: self._name(name, indices)).value()

    def _name(self, name, indices):
        if name in indices:
            return indices[name]
        if name.startswith('pci.') and name[4:] in self.pci:
            return self.pci[name[4:]]
        if name.startswith('known('):
            return self._is_known(name[len('known('):-1], indices)
        if name.startswith('present('):
            return self._is_present(self.spaces[name[len('present('):-1]])
        if name in self.values:
            return self.values[name]
        if name in self.derived:
            if self.derived[name] is None:
                raise Undecided(name)    # a parameter that nobody gave
            return self.number(self.derived[name], {})
        register, _, field = name.rpartition('.')
        plain = re.sub(r'\[\d+\]', '', register)
        if field in self.fields.get(plain, {}):
            value = self._value(register)
            high, _, low = str(self.fields[plain][field]).partition(':')
            return value >> int(low or high) & ((1 << (int(high) - int(low or high) + 1)) - 1)
        return self._value(name)

    def _is_known(self, name, indices):
        try:
            self._name(name, indices)
        except Undecided:
            if self.memory is not None or (name in self.derived and self.derived[name] is None):
                return 0
            raise
        return 1

    def _is_present(self, space):
        if 'capability' in space or 'extendedCapability' in space:
            kind = CAPABILITIES if 'capability' in space else 'extended'
            if kind not in self.pci:
                raise Undecided(space['name'])
            return int(self.number(space.get('capability', space.get('extendedCapability')), {}) in self.pci[kind])
        return 1 if space.get('when') is None else int(bool(self.number(space['when'], {})))


def _listed(group):
    return [] if group is None else [group] if isinstance(group, str) else group
