"""The comparison table: what barscope said against what an independent program said of the same device in the same boot."""

import collections

Row = collections.namedtuple('Row', 'register ours theirs equal')


class Table:
    """Rows of one device and one independent program."""

    def __init__(self, title):
        self.title, self.rows, self.skipped = title, [], collections.Counter()

    def add(self, register, ours, theirs, digits=0):
        """`None` for ours: barscope has no such value, which is a difference."""
        self.rows.append(Row(register, _show(ours, digits), _show(theirs, digits), ours is not None and ours == theirs))

    def skip(self, why):
        self.skipped[why] += 1

    @property
    def compared(self):
        return len(self.rows)

    @property
    def differing(self):
        return [row for row in self.rows if not row.equal]

    def summary(self):
        text = '%s: %d compared, %d differing' % (self.title, self.compared, len(self.differing))
        return text + ''.join('; %d %s' % (count, why) for why, count in sorted(self.skipped.items()))

    def render(self):
        heads = ('register', 'barscope', 'other', 'equal')
        lines = [(row.register, row.ours, row.theirs, 'yes' if row.equal else 'NO') for row in self.rows]
        widths = [max(len(line[i]) for line in [heads, *lines]) for i in range(3)]
        text = [self.summary()]
        for line in (heads, *lines):
            text.append('  '.join(cell.ljust(width) for cell, width in zip(line, widths)) + '  ' + line[3])
        return '\n'.join(text) + '\n'


def _show(value, digits):
    if value is None:
        return '-'
    return '0x%0*x' % (digits, value) if isinstance(value, int) else str(value)


class Dump:
    """barscope's `dump --format json`, by place. Offsets are those of the BAR or of configuration space: `spaces` says which of the
    map's spaces are meant (None: all)."""

    def __init__(self, document, spaces=None):
        self.document = document
        self.registers = [r for r in document.get('registers', []) if spaces is None or r['space'] in spaces]

    def with_value(self):
        return [r for r in self.registers if 'value' in r]

    def at(self, offset, width=None):
        """The registers at a byte offset, those with a value first."""
        found = [r for r in self.registers if int(r['offset'], 16) == offset and width in (None, r['width'])]
        return sorted(found, key=lambda register: 'value' not in register)

    def missing(self):
        """Names of the registers that this device does not have."""
        return {entry['name'] for entry in self.document.get('missing', [])}

    def bits(self, first, last):
        """(name, value) of the decoded field that holds the space's bits first..last, counted from bit 0 of byte 0.

        Where several hold them the narrowest one answers. A register as a whole answers only for all of its bits: a map that has
        the register but not the field has (None, None).
        """
        best = None
        for register in self.with_value():
            base = int(register['offset'], 16) * 8
            end = base + register['width'] - 1
            if not base <= first <= last <= end:
                continue
            candidates = [(register['name'], base, end, register['value'])] if (first, last) == (base, end) else []
            for field in register.get('fields', []):
                high, _, low = field['bits'].partition(':')
                if field['name'] and not field.get('reserved'):
                    candidates.append((register['name'] + '.' + field['name'], base + int(low or high), base + int(high),
                                       field['value']))
            for name, low, high, text in candidates:
                if low <= first and last <= high and (best is None or high - low < best[0]):
                    best = (high - low, name, int(text, 16) >> (first - low) & ((1 << (last - first + 1)) - 1))
        return (None, None) if best is None else best[1:]

    def field(self, offset, high, low):
        """Like bits(), for bits high..low of the register at a byte offset."""
        return self.bits(offset * 8 + low, offset * 8 + high)


def value(register):
    return int(register['value'], 16)
