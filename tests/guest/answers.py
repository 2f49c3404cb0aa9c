"""Values of registers by name, from what the device answered: what declared.py needs where counts, bases and conditions depend on them."""

import re

from expressions import Undecided


def is_safe(register):
    actions = [register.get('readAction')] + [f.get('readAction') for f in register.get('fields', [])]
    return (register.get('access') not in ('write-only', 'writeOnce') and actions[0] == 'none'
            and all(action in (None, 'none') for action in actions))


class Answers:
    """Part of declared.Declared."""

    def _value(self, name):
        self.needed.add(re.sub(r'\[\d+\]', '', name))
        if name in self.values:
            return self.values[name]
        if self.memory is None or name in self.busy:
            raise Undecided(name)
        self.busy.add(name)
        try:
            return self._answered(*self.find(name))
        finally:
            self.busy.discard(name)

    def find(self, name):
        """(register, space name, its offset in the space's BAR, indices) of NAME[3] or BLOCK[2].NAME."""
        *blocks, last = [(part.partition('[')[0], [int(i) for i in re.findall(r'\[(\d+)\]', part)]) for part in name.split('.')]
        for document in self.maps:
            group, base, indices = document, 0, {}
            space = document['spaces'][0]['name'] if document.get('spaces') else None
            try:
                for part, numbers in blocks:
                    group = next(b for b in group.get('blocks', []) if b['name'] == part)
                    space = group.get('space', space)
                    base += self._element(group, numbers, indices) + self.number(group.get('base', 0), indices)
                    if not self._there(group, space, indices):
                        raise Undecided(name)
                register = next(r for r in group.get('registers', []) if r['name'] == last[0])
            except StopIteration:
                continue
            return register, register.get('space', space), base + self._element(register, last[1], indices), indices
        raise Undecided(name)

    def _element(self, entry, numbers, indices):
        if not numbers:
            return 0
        array = entry.get('array')
        if array is None or numbers[0] >= self.number(array['count'], indices):
            raise Undecided(entry['name'])
        indices[array.get('index', 'i')] = numbers[0]
        return numbers[0] * self.number(array['stride'], indices)

    def _answered(self, register, space_name, base, indices):
        space = self.spaces[space_name]
        if space.get('config') or not is_safe(register) or register.get('onRequest') or not self._there(register, space_name, indices):
            raise Undecided(register['name'])
        bar, start = self.start_of(space)
        size, place = self.number(register.get('width', 32), {}) // 8, start + base + self.number(register['offset'], {})
        pieces = [(place, 4), (place + 4, 4)] if register.get('split') else [(place, size)]
        data = b''
        for offset, length in pieces:
            value = self.memory(bar, offset, length)
            if value is None:
                raise Undecided(register['name'])
            data += value.to_bytes(length, 'little')
        value = int.from_bytes(data, register.get('byteOrder', space.get('byteOrder', 'little')))
        if any(value == number for number in register.get('poison', []) if isinstance(number, int)):
            raise Undecided(register['name'])
        return value
