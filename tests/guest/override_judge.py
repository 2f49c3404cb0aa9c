"""Judges one action under lab override by what reached the NIC: the stores asked for, each load that belongs to them, and nothing else."""

from accesses import CONFIGURATION

ANY = (0, 1 << 30)


def place(access):
    return '%s %s+0x%x, %d bytes' % (access.kind, access.bar if access.bar == CONFIGURATION else 'bar%d' % access.bar, access.offset, access.size)


def between_stores(log):
    """Loads of BARs before the first store, between it and the second, and so on. Loads of configuration space change nothing and are left out."""
    parts = [[]]
    for access in log:
        if access.kind == 'W':
            parts.append([])
        elif access.bar != CONFIGURATION:
            parts[-1].append(access)
    return parts


def complaints(log, stores, loads):
    """log: all that reached the device. stores: the writes, in order. loads: {(bar, offset, size): how often it is loaded in each part between
    the stores, as a number or as least and most}; a part that is not named has none."""
    seen = [access for access in log if access.kind == 'W']
    found = ['the store of 0x%x by %s was not asked for' % (a.value, place(a)) for a in seen if a not in stores]
    found += ['no store of 0x%x by %s' % (a.value, place(a)) for a in stores if a not in seen]
    if not found and seen != list(stores):
        found.append('the stores came as ' + ', '.join('%s = 0x%x' % (place(a), a.value) for a in seen))
    parts = between_stores(log)
    for word in {a[1:4] for part in parts for a in part} | set(loads):
        for number, part in enumerate(parts):
            expected = loads.get(word, ())
            count, right = sum(1 for a in part if a[1:4] == word), expected[number] if number < len(expected) else 0
            least, most = right if isinstance(right, tuple) else (right, right)
            if not least <= count <= most:
                found.append('bar%d+0x%x, %d bytes: %d loads %s, %s is right' % (
                    *word, count, 'before the first store' if number == 0 else 'after store %d' % number, right))
    return found


def noted(intents, stores, big=()):
    """The log of the program holds just these stores, in order. intents: what it has of writes, selections and restorations. big: registers whose
    bytes are the other way round: the log has their values as they are shown."""
    def text(bar, offset, size, value):
        return '%s+0x%x/%d = 0x%x' % (bar if bar in (CONFIGURATION, 'config') else 'bar%d' % bar, offset, 8 * size, value)

    def value(intent):
        order = 'big' if intent.get('register') in big else 'little'
        return int.from_bytes(int(intent['new'], 16).to_bytes(intent['width'] // 8, order), 'little')
    told = [text(i['place'] if i['place'] == 'config' else int(i['place'][3:]), int(i['offset'], 16), i['width'] // 8, value(i)) for i in intents]
    made = [text('config' if a.bar == CONFIGURATION else a.bar, a.offset, a.size, a.value) for a in stores]
    return ['%s is in the log as %s' % (b or 'no store', a or 'nothing') for a, b in zip(told + [None] * len(made), made + [None] * len(told))
            if a != b and (a or b)]


def prefix(log, stores):
    """Complaints about a run that was killed: it made the first of the stores, or none, and no other."""
    seen = [access for access in log if access.kind == 'W']
    return [] if seen == list(stores[:len(seen)]) else ['the stores came as ' + ', '.join('%s = 0x%x' % (place(a), a.value) for a in seen)]
