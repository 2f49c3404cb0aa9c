#!/usr/bin/env python3
"""The bnxt maps against the fields of the Linux headers.

data/bnxt-fields.csv has one row a field: structure, byte offset, bits, values; it was checked against the headers by compile-time
assertions. Every row must have its field in the maps, with the same name, place, bits and values, and every field of a structure must
have its row, except for what data/bnxt-fields-exceptions.csv explains line by line. An explanation that explains nothing is an error.

A structure says which one of the headers it is (x-header) and what its fields' names have in front there (x-prefix).
"""

import csv
import glob
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
MAPS = os.path.join(HERE, '..', '..', 'regmaps', 'definitions')
# The rows of bar0 and grc are registers of the maps.
REGISTERS = {
    'hwrm_chimp_comm[32]': 'CHIMP_COMM', 'hwrm_chimp_trigger': 'CHIMP_TRIGGER', 'hwrm_kong_comm[32]': 'KONG_COMM',
    'hwrm_kong_trigger': 'KONG_TRIGGER', 'sync_time_adj': 'SYNC_TIME_ADJ', 'fw_status_p5': 'FW_STATUS',
    'rcfw_cmdq_init.size_lvl': 'RCFW_CMDQ_SIZE', 'rcfw_cmdq_init.creq_ring_id': 'RCFW_CMDQ_SIZE', 'rcfw_cmdq_prod': 'RCFW_CMDQ_PROD',
    'rcfw_cmdq_trigger': 'RCFW_CMDQ_TRIGGER', 'rcfw_cmdq_init.cmdq_pbl': 'RCFW_CMDQ_PBL',
    'hcomm_status.sig_ver': 'HCOMM.SIG_VER', 'hcomm_status.fw_status_loc': 'HCOMM.STATUS_LOC', 'chip_num': 'CHIP_NUM',
    'timesync_ts0_lower': 'TIMESYNC_TS0', 'timesync_ts0_upper': 'TIMESYNC_TS0',
    **{'grc_window_base_out_%d' % n: 'WINDOW%d_BASE' % n for n in range(1, 16)},
}
REGISTER_PREFIX = {'hcomm_status.fw_status_loc': 'true_'}


def number(text):
    return text if isinstance(text, int) else int(text, 0)


def bits_of(field):
    high, _, low = str(field['bits']).partition(':')
    return int(low or high), int(high)


def enum_values(enums, field):
    values = field.get('enum')
    if isinstance(values, str):
        values = enums[values]
    return {number(value): name if isinstance(name, str) else name['name']
            for value, name in (values or {}).items() if not value.startswith('x-')}


class Field:
    """Where a field lies, in bits from the beginning of its structure or address space, and what its values are called."""

    def __init__(self, begin, end, values):
        self.begin, self.end, self.values = begin, end, values


def structure_fields(structure, enums):
    fields = {}
    for field in structure['fields']:
        begin = 8 * number(field.get('at', 0))
        if 'bytes' in field:
            low, high = 0, 8 * number(field['bytes']) - 1
        else:
            low, high = bits_of(field)
        fields[field['name']] = Field(begin + low, begin + high, enum_values(enums, field))
    return fields


def register_fields(register, address, enums):
    begin, width = 8 * address, number(register.get('width', 32))
    fields = {}
    for field in register.get('fields', []):
        low, high = bits_of(field)
        fields[field['name']] = Field(begin + low, begin + high, enum_values(enums, field))
    count = number(register.get('array', {}).get('count', 1))
    fields[''] = Field(begin, begin + count * width - 1, enum_values(enums, register))
    return fields


class Maps:
    def __init__(self):
        self.structures, self.own, self.registers = {}, {}, {}
        enums = {}
        documents = []
        for path in sorted(glob.glob(os.path.join(MAPS, 'bnxt*.json'))):
            with open(path) as file:
                documents.append(json.load(file))
            enums.update(documents[-1].get('enums', {}))
        windows = {space['name']: space.get('window') for d in documents for space in d.get('spaces', [])}
        for document in documents:
            scope = {**enums, **document.get('enums', {})}
            for structure in document.get('structures', []):
                self._add_structure(structure, scope)
            for register in document.get('registers', []):
                self._add_register(register, '', windows, scope)
            for block in document.get('blocks', []):
                for register in block['registers']:
                    register.setdefault('space', block.get('space'))
                    base = block.get('base', 0)
                    if isinstance(base, int) or base.startswith('0x'):
                        self._add_register(register, block['name'] + '.', windows, scope, number(base))

    def _add_structure(self, structure, enums):
        header = structure.get('x-header')
        if header is None:
            self.own[structure['name']] = structure_fields(structure, enums)
            return
        if header in self.structures:
            sys.exit('two structures say that they are %s' % header)
        self.structures[header] = (structure['name'], structure.get('x-prefix', ''), structure_fields(structure, enums))

    def _add_register(self, register, prefix, windows, enums, base=0):
        window = windows.get(register.get('space'))
        page = 0
        if window is not None:
            if not window['value'].startswith('0x'):    # where the firmware says; no row is there
                return
            page = number(window['value'])
        self.registers[prefix + register['name']] = register_fields(register, page + base + number(register['offset']), enums)


def row_bits(row):
    begin = 8 * number(row['byte_offset'])
    return begin + int(row['lsb']), begin + int(row['msb'])


def row_values(row):
    pairs = [part.partition('=')[::2] for part in row['enum'].split(';') if part]
    return {number(value): name for name, value in pairs}


def find(row, maps):
    """The field of a row, and its name in the maps."""
    if row['structure'] in ('bar0', 'grc'):
        word = row['register_or_word']
        fields = maps.registers.get(REGISTERS.get(word, ''), {})
        name = row['field'].removeprefix(REGISTER_PREFIX.get(word, '')).upper()
        found = fields.get(name)
        if found is None and len(fields) == 1 and word.endswith((']', 'chip_num')):
            found = fields.get('')
        return found, name
    if row['structure'] not in maps.structures:
        return None, row['field']
    _, prefix, fields = maps.structures[row['structure']]
    name = row['field'].removeprefix(prefix).upper()
    if name in fields:
        return fields[name], name
    elements = []       # an array of the header that the map has element by element
    while '%s_%d' % (name, len(elements)) in fields and row['register_or_word'].endswith(']'):
        elements.append(fields['%s_%d' % (name, len(elements))])
    size = {field.end - field.begin for field in elements}
    together = all(a.end + 1 == b.begin for a, b in zip(elements, elements[1:]))
    return (Field(elements[0].begin, elements[-1].end, {}) if len(size) == 1 and together else None), name


def main():
    with open(os.path.join(HERE, 'data', 'bnxt-fields.csv')) as file:
        rows = list(csv.DictReader(file))
    with open(os.path.join(HERE, 'data', 'bnxt-fields-exceptions.csv')) as file:
        explained = {(line['structure'], line['field']): line['reason'] for line in csv.DictReader(file)}
    maps, unused = Maps(), set(explained)
    checked, excused, wrong = 0, 0, []
    claimed = {}

    def excuse(*key):
        unused.discard(key)
        return explained.get(key)

    for row in rows:
        where = '%s.%s' % (row['structure'], row['field'])
        field, name = find(row, maps)
        claimed.setdefault(row['structure'], set()).add(name)
        if field is None:
            if excuse(row['structure'], row['field']):
                excused += 1
            else:
                wrong.append('%s: is not in the maps' % where)
            continue
        checked += 1
        if (field.begin, field.end) != row_bits(row):
            wrong.append('%s: bits %d to %d in the maps, %d to %d in the header' % (where, field.begin, field.end, *row_bits(row)))
        values = row_values(row)
        if field.values != values and not (not values and excuse(row['structure'], row['field'] + '=')):
            if not excuse(row['structure'], row['field'] + '='):
                wrong.append('%s: values %s in the maps, %s in the header' % (where, field.values, values))
    extra = 0
    for header, (name, _, fields) in sorted(maps.structures.items()):
        for field in fields:
            known = claimed.get(header, set())
            if field in known or field.rstrip('0123456789').rstrip('_') in known:
                continue
            extra += 1
            if not excuse(name, field):
                wrong.append('%s.%s: is not in the header' % (name, field))
    for name, fields in sorted(maps.own.items()):
        extra += len(fields)
        if not excuse(name, '*'):
            wrong.append('%s: is no structure of the header' % name)
    wrong += ['%s.%s: is explained without need' % key for key in sorted(unused)]
    for line in wrong:
        print(line)
    print('%d rows: %d fields checked, %d differing, %d missing with an explanation; %d fields of the maps beyond the headers, explained'
          % (len(rows), checked, len(wrong), excused, extra))
    return 1 if wrong or checked < 1500 else 0


if __name__ == '__main__':
    sys.exit(main())
