"""What random commands are made of: maps and their names, words that are wrong in many ways."""

import json
import os
import random

import random_maps

HERE = os.path.dirname(os.path.abspath(__file__))
RANDOM_MAPS = 48

RUBBISH = ['', ' ', '-', '--', '*', '?', '[', '[[', ']', 'a[0', 'A.B.C.D', '../..', '/dev/null', '/', '.', '\x01\x02', 'é', '\u202e', '%s%n', '$(id)', '`id`',
           '0', '-1', '0x', '0xffffffffffffffffff', '18446744073709551616', '1e9', 'nan', 'x' * 5000, '--no-such-option', '-o', '-h', '--format',
           'bar0+0x520', 'bar9+0', 'bar0+', 'BAR0+0x0', "' OR 1=1", '\\', '\t', 'FW_STATUS ', ' FW_STATUS', 'fw_status', 'FW_STATU', 'FW-STATUS']
WRONG_DEVICES = ['00:20.0', '0000:01:00.1', '1:01:00.0', '01:00', '01:00.8', 'nosuch0', '14e4:1751', 'ffff:ffff', ':', '0000:01:00.0.json',
                 '/sys/bus/pci/devices/0000:01:00.0/resource0', '/sys/bus/pci/devices/0000:01:00.0/config', '/dev/mem', '/proc/kcore', '..', 'bnxt_re0',
                 '0000:00:1f.9', '10000:e1:00.0', '/sys/bus/pci/devices/0000:01:00.0', '/sys/bus/pci/devices/0000:01:00.0/resource2_wc']


class Maps:
    """The maps that cases may name: key -> (document or None, file in the guest or None, text). Shipped maps have no file."""

    def __init__(self, seed, folder):
        self.folder, self.entries = folder, {}
        for name in sorted(os.listdir(folder)):
            if name.endswith('.json'):
                with open(os.path.join(folder, name)) as file:
                    self.entries[name[:-5]] = (json.load(file), None, None)
        for name in ('nic-emulator', 'nic-log'):
            with open(os.path.join(HERE, 'maps', name + '.json')) as file:
                text = file.read()
            self.entries[name] = (json.loads(text), '/maps/%s.json' % name, text)
        for number in range(RANDOM_MAPS):
            name, text, document = random_maps.make(random.Random('%d:map:%d' % (seed, number)), number)
            self.entries[name] = (document, '/maps/%s.json' % name, text)
        self.shipped = [key for key, entry in self.entries.items() if entry[1] is None]
        self.with_bars = [key for key in self.shipped if any('bar' in space for space in self.entries[key][0].get('spaces', []))]
        self.random = [key for key in self.entries if key.startswith('random-')]

    def names(self, key):
        """(registers, groups, blocks, spaces, parameters, structures) that a map declares, by name, with those it includes."""
        registers, groups, blocks, spaces, parameters, structures = [], [], [], [], [], []
        pending, seen = [key], set()
        while pending:
            name = pending.pop()
            document = self.entries.get(name, (None,))[0]
            if document is None or name in seen:
                continue
            seen.add(name)
            pending += document.get('include', [])
            registers += [r['name'] for r in document.get('registers', [])]
            for block in document.get('blocks', []):
                blocks.append(block['name'])
                registers += ['%s.%s' % (block['name'], r['name']) for r in block.get('registers', [])]
            for entry in document.get('registers', []) + document.get('blocks', []):
                group = entry.get('group', [])
                groups += [group] if isinstance(group, str) else group
            spaces += [s['name'] for s in document.get('spaces', [])]
            parameters += [d['name'] for d in document.get('derived', []) if d.get('parameter')]
            structures += [s['name'] for s in document.get('structures', [])]
        return registers or ['NONE'], sorted(set(groups)) or ['health'], blocks or ['NONE'], spaces or ['none'], parameters, structures
