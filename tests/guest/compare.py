"""Compare barscope's JSON with an independent program's output of the same device in the same boot.

`dump` is a table.Dump of the spaces in question. The other program runs before and after barscope: a value that is the same in both must be
barscope's too; one that moved in between (a timer, a counter) says nothing and is skipped.
"""

import ethtool
import nvme
from table import Table, value


def with_nvme(dump, before, after):
    table = Table('nvme show-regs')
    first, details = nvme.parse(before)
    second, _ = nvme.parse(after)
    steady = _steady(table, first, second)
    for name, theirs in steady.items():
        if name not in nvme.REGISTERS:
            table.add(name + ' (unknown name in the output)', None, theirs)
            continue
        offset, width = nvme.REGISTERS[name]
        _register(table, dump, name.upper(), offset, width, theirs)
    for register, abbreviation, high, low, theirs in nvme.fields(details):
        if register in steady and _has(dump, nvme.REGISTERS[register][0]):
            name, ours = dump.field(nvme.REGISTERS[register][0], high, low)
            table.add(name or '%s.%s' % (register.upper(), abbreviation), ours, theirs)
    return table


def with_ethtool(driver, dump, before, after):
    table = Table('ethtool -d (%s)' % driver)
    first, fields = ethtool.parse(driver, before)
    second, _ = ethtool.parse(driver, after)
    steady = _steady(table, first, second)
    for offset, (name, theirs) in steady.items():
        _register(table, dump, name, offset, 32, theirs)
    for field in fields:
        if field.offset in steady and _has(dump, field.offset):
            name, ours = dump.field(field.offset, field.high, field.low)
            table.add(name or '0x%x %s' % (field.offset, field.label), ours, field.value)
    return table


def with_lspci(dump, before, after):
    """`before` and `after` are lspci.Function."""
    table = Table('lspci -vvv -xxxx')
    first = {(f.name, f.offset): f for f in before.fields()}
    second = {(f.name, f.offset): f for f in after.fields()}
    for field in _steady(table, first, second).values():
        name, ours = dump.field(field.offset, field.high, field.low)
        table.add('%s (%s)' % (name or 'no field', field.name), ours, field.value)
    for register in dump.with_value():                   # the same words, undecoded
        offset, size = int(register['offset'], 16), register['width'] // 8
        theirs = [int.from_bytes(function.raw[offset:offset + size], 'little') for function in (before, after)]
        if theirs[0] != theirs[1]:
            table.skip('moving')
        else:
            table.add(register['name'] + ' (bytes)', value(register), theirs[0], register['width'] // 4)
    return table


def _steady(table, first, second):
    steady = {}
    for key, theirs in first.items():
        if second.get(key) == theirs:
            steady[key] = theirs
        else:
            table.skip('moving')
    return steady


def _has(dump, offset):
    return any('value' in register for register in dump.at(offset))


def _register(table, dump, name, offset, width, theirs):
    found = dump.at(offset)
    if not found and name in {entry.rsplit('.', 1)[-1] for entry in dump.missing()}:
        table.skip('not on this device, says the map')
    elif found and found[0]['status'] in ('side-effect', 'write-only'):
        table.skip('not read: ' + found[0]['status'])
    elif found and 'value' in found[0] and found[0]['width'] == width:
        table.add(found[0]['name'], value(found[0]), theirs, width // 4)
    elif found and found[0]['width'] > width and 'value' in found[0]:
        table.add(found[0]['name'] + ' (low half)', value(found[0]) & ((1 << width) - 1), theirs, width // 4)
    else:
        table.add('%s at 0x%x' % (name, offset), None, theirs, width // 4)
