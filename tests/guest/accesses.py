"""What reached the devices, told from outside the guest: QEMU's trace of its own devices, or the emulated NIC's log; and the judge."""

import collections
import re

Access = collections.namedtuple('Access', 'kind bar offset size value')     # kind R or W, offset in bytes from the BAR's start
CONFIGURATION = 'cfg'                    # in place of a BAR's number


def facts(text):
    """{address: (driver, [(start, size) of BAR 0 to 5])} of the file `facts` that guest scripts leave (the kernel's resource rows)."""
    devices, bars = {}, None
    for line in text.splitlines():
        words = line.split()
        if words[0] == 'device':
            bars = []
            devices[words[1]] = (words[3] if len(words) > 3 else '', bars)
        else:
            start, end, flags = (int(word, 16) for word in words)
            bars.append((start, end - start + 1 if flags & 0x200 else 0))
    return devices


def from_trace(text, bars):
    """Accesses to a device's memory BARs in QEMU's memory_region_ops_* trace."""
    accesses = []
    for match in re.finditer(r'memory_region_ops_(read|write) cpu -?\d+ mr \S+ addr (\S+) value (\S+) size (\d+) name', text):
        address = int(match[2], 16)
        for bar, (start, size) in enumerate(bars):
            if size and start <= address < start + size:
                accesses.append(Access('R' if match[1] == 'read' else 'W', bar, address - start, int(match[4]), int(match[3], 16)))
    return accesses


def _access(fields):
    bar = CONFIGURATION if fields[2] == CONFIGURATION else int(fields[2][3:])
    return Access(fields[1], bar, int(fields[3], 16), int(fields[4]), None if fields[5] == '-' else int(fields[5], 16))


def all_of(lines):
    """Every access in the emulator's log."""
    for line in lines:
        fields = line.partition(' # ')[0].split()
        if len(fields) == 6 and fields[2].startswith('bar'):
            yield _access(fields)


def from_log(lines, start, end, config=False):
    """Accesses in the emulator's log between two marks, those to configuration space too where asked for; None where a mark is missing."""
    accesses, inside, ended = [], False, False
    for line in lines:
        fields, _, note = line.rstrip('\n').partition(' # ')
        words = fields.split()
        if len(words) == 1:
            inside = inside or note == start
            ended = ended or (inside and note == end)
        elif len(words) == 6 and inside and not ended and (words[2].startswith('bar') or (config and words[2] == CONFIGURATION)):
            accesses.append(_access(words))
    return accesses if inside and ended else None


def undeclared(accesses, declared):
    """Complaints about writes and about loads that the map does not declare, with exactly that offset and width."""
    return _undeclared(accesses, {(load.bar, load.offset, load.size) for load in declared.loads}, declared)


def _undeclared(accesses, allowed, declared):
    names = {}
    for load in declared.loads + declared.refused:
        names.setdefault((load.bar, load.offset), load.name)
    complaints = []
    for access in accesses:
        place = '%s bar%d+0x%x size %d (%s)' % (access.kind, access.bar, access.offset, access.size,
                                               names.get((access.bar, access.offset), 'in no map'))
        if access.kind == 'W':
            complaints.append('write: ' + place)
        elif (access.bar, access.offset, access.size) not in allowed:
            complaints.append('undeclared: ' + place)
    return complaints


def most(loads):
    """{(bar, offset, size): how often the word may be loaded in one pass}. A half of a split register and a register of its own in the same
    place are two words."""
    whole, halves = {}, {}
    for load in loads:
        place, kind = load[1:4], halves if load.half else whole
        count = kind.get(place, 0)
        kind[place] = None if load.most is None or count is None else max(count, load.most)
    for place, count in halves.items():
        other = whole.get(place, 0)
        whole[place] = None if None in (count, other) else count + other
    return whole


def beyond(accesses, limits, declared):
    """Complaints about writes, about loads that are not in limits ((bar, offset, size): count or None), and about those that were made too often."""
    counts = collections.Counter((a.bar, a.offset, a.size) for a in accesses if a.kind == 'R')
    return _undeclared(accesses, set(limits), declared) + [
        'bar%d+0x%x size %d was loaded %d times, %d is right' % (*place, count, limits[place]) for place, count in counts.items()
        if limits.get(place) is not None and count > limits[place]]


def repeated(accesses, declared, passes=1):
    """Complaints about words that were loaded more often than declared.Load.most says for each pass."""
    limits = most(declared.loads)
    counts = collections.Counter((a.bar, a.offset, a.size) for a in accesses if a.kind == 'R')
    return ['bar%d+0x%x was loaded %d times' % (*place[:2], count) for place, count in counts.items()
            if limits.get(place, 1) is not None and count > limits.get(place, 1) * passes]


def contradicted(accesses, dump, bar_of):
    """Complaints about values that are not what the device answered, and about values without a load.

    dump: table.Dump. bar_of(register) gives the BAR that a register's space is in, or None for configuration space.
    """
    answers = collections.defaultdict(list)
    for access in accesses:
        if access.kind == 'R':
            answers[(access.bar, access.offset, access.size)].append(access.value)
    complaints = []
    for register in dump.with_value():
        bar = bar_of(register)
        if bar is None:
            continue
        offset, size, value = int(register['offset'], 16), register['width'] // 8, int(register['value'], 16)
        seen = answers.get((bar, offset, size))
        if seen is None and size == 8:   # a split register: halves
            low, high = answers.get((bar, offset, 4)), answers.get((bar, offset + 4, 4))
            seen = [h << 32 | l for l in low for h in high] if low and high else None
        if seen is None:
            complaints.append('%s has a value but was not loaded' % register['name'])
        elif value not in seen:
            complaints.append('%s is shown as 0x%x; the device answered 0x%x' % (register['name'], value, seen[0]))
    return complaints
