#!/usr/bin/env python3
"""Tests of the test tools: parsers, comparison and judge. The samples are outputs of Debian 12's programs in a guest."""

import os
import shutil
import subprocess
import tempfile
import unittest

import accesses
import compare
import ethtool
import initramfs
import lspci
import nvme
from declared import Declared, bar_spaces
from expressions import Expression, Undecided
from table import Dump, Table

HERE = os.path.dirname(os.path.abspath(__file__))


def sample(name):
    with open(os.path.join(HERE, 'samples', name)) as file:
        return file.read()


def register(name, offset, width, value=None, fields=(), status='ok', space='mem'):
    entry = {'name': name, 'space': space, 'offset': hex(offset), 'width': width, 'status': status}
    if value is not None:
        entry['value'] = hex(value)
        entry['fields'] = [{'name': n, 'bits': bits, 'value': hex(v)} for n, bits, v in fields]
    return entry


class Lspci(unittest.TestCase):
    def setUp(self):
        self.functions = lspci.parse(sample('lspci.txt'))

    def test_every_field_agrees_with_the_raw_bytes(self):
        for address, least in (('0000:00:01.0', 270), ('0000:03:00.0', 220)):
            function = self.functions[address]
            fields = list(function.fields())
            self.assertGreaterEqual(len(fields), least)
            for field in fields:
                word = int.from_bytes(function.raw[field.offset:field.offset + 4], 'little')
                self.assertEqual(word >> field.low & ((1 << (field.high - field.low + 1)) - 1), field.value, field)

    def test_capabilities_by_number(self):
        numbers = [number for number, _, _ in self.functions['0000:03:00.0'].sections]
        self.assertEqual(numbers, [None, lspci.PM, lspci.MSI, lspci.MSIX, lspci.EXPRESS, lspci.AER, lspci.ARI, lspci.SRIOV])

    def test_some_values_by_eye(self):
        fields = {field.name: field for field in self.functions['0000:03:00.0'].fields()}
        self.assertEqual(fields['sriov Total VFs'].value, 8)
        self.assertEqual(fields['sriov Device ID'].value, 0x10ca)
        self.assertEqual(fields['msix Count'].value, 9)          # Count=10 in the output
        self.assertEqual(fields['header Control BusMaster'].value, 1)
        port = {field.name: field for field in self.functions['0000:00:01.0'].fields()}
        self.assertEqual(port['express LnkCap Width'].value, 32)
        self.assertEqual(port['express SltCtl Control Power'].value, 0)
        self.assertEqual(port['aer UESvrt DLP'].value, 1)


class Nvme(unittest.TestCase):
    def test_every_field_agrees_with_the_value(self):
        values, details = nvme.parse(sample('nvme-show-regs.txt'))
        self.assertEqual(sorted(values), sorted(nvme.REGISTERS))
        fields = list(nvme.fields(details))
        self.assertGreaterEqual(len(fields), 30)
        for name, abbreviation, high, low, value in fields:
            self.assertEqual(values[name] >> low & ((1 << (high - low + 1)) - 1), value, abbreviation)

    def test_values_by_eye(self):
        values, _ = nvme.parse(sample('nvme-show-regs.txt'))
        self.assertEqual(values['cap'], 0x4008200f0107ff)
        self.assertEqual(values['version'], 0x10400)


class Ethtool(unittest.TestCase):
    def test_every_field_agrees_with_the_value(self):
        for driver, least in (('e1000e', 25), ('igb', 28)):
            registers, fields = ethtool.parse(driver, sample('ethtool-%s.txt' % driver))
            self.assertGreaterEqual(len(fields), least)
            for field in fields:
                value = registers[field.offset][1]
                self.assertEqual(value >> field.low & ((1 << (field.high - field.low + 1)) - 1), field.value, field)

    def test_misleading_lines_of_igb(self):
        registers, _ = ethtool.parse('igb', sample('ethtool-igb.txt'))
        self.assertEqual(registers[0x20][0], 'MDIC')
        self.assertNotIn(0x1500, registers)          # shows ICS, not ICR
        self.assertNotIn(0x4074, registers)          # GPRC: the driver's sum
        self.assertEqual(registers[0xc008][0], 'RDLEN0')
        self.assertEqual(registers[0xc0c8][0], 'RDLEN3')


class Comparison(unittest.TestCase):
    TEXT = '0x00008: STATUS (Device status register) 0x00080283\n      Duplex:    full\n      Link speed:    1000Mb/s\n'

    def compare(self, *registers, after=None):
        return compare.with_ethtool('e1000e', Dump({'registers': list(registers)}), self.TEXT, after or self.TEXT)

    def test_equal(self):
        table = self.compare(register('STATUS', 8, 32, 0x80283, [('FD', '0', 1), ('SPEED', '7:6', 2)]))
        self.assertEqual((table.compared, table.differing), (3, []))

    def test_wrong_value_and_wrong_field_differ(self):
        self.assertEqual(len(self.compare(register('STATUS', 8, 32, 0x80282, [('FD', '0', 1), ('SPEED', '7:6', 2)])).differing), 1)
        self.assertEqual(len(self.compare(register('STATUS', 8, 32, 0x80283, [('FD', '0', 0), ('SPEED', '7:6', 2)])).differing), 1)

    def test_absent_register_and_absent_field_differ(self):
        self.assertEqual(len(self.compare().differing), 1)
        self.assertEqual(len(self.compare(register('STATUS', 8, 32, 0x80283, [('FD', '0', 1)])).differing), 1)

    def test_moving_value_is_skipped(self):
        table = self.compare(register('STATUS', 8, 32, 0x80283), after=self.TEXT.replace('283', '280'))
        self.assertEqual((table.compared, dict(table.skipped)), (0, {'moving': 1}))

    def test_side_effect_is_skipped(self):
        table = self.compare(register('STATUS', 8, 32, status='side-effect'))
        self.assertEqual((table.compared, dict(table.skipped)), (0, {'not read: side-effect': 1}))

    def test_narrow_field_in_a_wide_one(self):
        dump = Dump({'registers': [register('PM', 4, 32, 0xf8030001, [('PME', '31:27', 0x1f), ('VERSION', '18:16', 3)])]})
        self.assertEqual(dump.field(4, 28, 28), ('PM.PME', 1))
        self.assertEqual(dump.field(6, 2, 0), ('PM.VERSION', 3))
        self.assertEqual(dump.field(4, 26, 26), (None, None))
        self.assertEqual(dump.field(4, 31, 0), ('PM', 0xf8030001))

    def test_spaces_are_kept_apart(self):
        document = {'registers': [register('VENDOR_ID', 0, 16, 0x8086, space='config'), register('CTRL', 0, 32, 1, space='mem')]}
        self.assertEqual([r['name'] for r in Dump(document, {'mem'}).at(0)], ['CTRL'])

    def test_table_says_what_differs(self):
        table = Table('x')
        table.add('A', 1, 2, 8)
        self.assertIn('0x00000001', table.render())
        self.assertIn('1 compared, 1 differing', table.summary())


MAP = {
    'name': 'm', 'derived': [{'name': 'kind', 'value': 'pci.device == 0x10 ? 4 : 0'}, {'name': 'told', 'parameter': True}],
    'spaces': [{'name': 'mem', 'bar': 0, 'base': '0x100', 'size': '0x1000'}, {'name': 'conf', 'config': True},
               {'name': 'far', 'bar': 0, 'size': 16, 'when': 'known(told) && told > 1'}],
    'registers': [
        {'name': 'A', 'offset': 0, 'readAction': 'none', 'neverAllOnes': True, 'fields': [{'name': 'N', 'bits': '7:4'}]},
        {'name': 'B', 'offset': 4, 'readAction': 'clear'},
        {'name': 'C', 'offset': 8, 'readAction': 'none', 'fields': [{'name': 'F', 'bits': '0', 'readAction': 'set'}]},
        {'name': 'D', 'offset': 12, 'access': 'write-only', 'array': {'count': 'UNKNOWN', 'stride': 4, 'index': 'i'}},
        {'name': 'E', 'offset': 16, 'width': 64, 'readAction': 'none', 'split': 'hi_lo_hi'},
        {'name': 'G', 'offset': '0x20', 'readAction': 'none', 'array': {'count': 'A.N', 'stride': '1 << 3', 'index': 'i'}},
        {'name': 'H', 'offset': '0x80', 'readAction': 'none', 'when': 'kind != 4'},
        {'name': 'I', 'space': 'conf', 'offset': 0, 'readAction': 'none'},
        {'name': 'J', 'offset': '0x90', 'readAction': 'none', 'when': 'known(told)'},
    ],
    'blocks': [{'name': 'Q', 'base': '0x200', 'array': {'count': 2, 'stride': 'kind * 16', 'index': 'q'},
                'registers': [{'name': 'R', 'offset': 4, 'width': 16, 'readAction': 'none'}]},
               {'name': 'T', 'space': 'far', 'base': 'told & 0xff', 'registers': [{'name': 'U', 'offset': 0, 'readAction': 'none'}]}],
}


class Yardstick(unittest.TestCase):
    def setUp(self):
        self.declared = Declared([MAP], {'device': 0x10}, {'A': 0x25})

    def test_loads(self):
        got = {load.name: (load.offset, load.size) for load in self.declared.loads if load.name != 'E'}
        self.assertEqual(got, {'A': (0x100, 4), 'G[0]': (0x120, 4), 'G[1]': (0x128, 4), 'Q[0].R': (0x304, 2), 'Q[1].R': (0x344, 2)})
        self.assertEqual([load[2:] for load in self.declared.loads if load.name == 'E'], [(0x110, 4, 1, True), (0x114, 4, 2, True)])
        self.assertEqual([load.name for load in self.declared.refused], ['B', 'C'])
        self.assertEqual(bar_spaces([MAP]), {'mem', 'far'})

    def test_undecided_count_is_an_error(self):
        with self.assertRaises(Undecided):
            Declared([MAP], {'device': 0x10})

    def test_expressions(self):
        def value(text):
            def lookup(name):
                if name == 'x':
                    return 5
                raise Undecided(name)
            return Expression(text, lookup).value()
        for text, expected in (('1 + 2 * 3', 7), ('(1 + 2) * 3', 9), ('8 << x', 256), ('0 && y', 0), ('1 || y', 1), ('x ? 2 : y', 2),
                               ('x == 5 && x != 4', 1), ('-1', (1 << 64) - 1), ('0x10 | 0b11', 19), ('1 << 64', 0),
                               ('7 - 2 - 1', 4), ('x & 4 == 4', 1), ('~0 >> 63', 1), ('x > 4 ? 1 : 0 ? 2 : 3', 1)):
            self.assertEqual(value(text), expected, text)
        with self.assertRaises(Undecided):
            value('y + 1')
        with self.assertRaises(Undecided):
            value('1 / (x - 5)')

    def judge(self, *loads):
        log = [accesses.Access(*load) for load in loads]
        return accesses.undeclared(log, self.declared), accesses.repeated(log, self.declared)

    def test_judge_accepts_what_is_declared(self):
        self.assertEqual(self.judge(('R', 0, 0x100, 4, 0), ('R', 0, 0x100, 4, 0), ('R', 0, 0x114, 4, 0), ('R', 0, 0x110, 4, 0),
                                    ('R', 0, 0x114, 4, 0), ('R', 0, 0x304, 2, 0)), ([], []))

    def test_judge_complains(self):
        for load, word in ((('W', 0, 0x100, 4, 0), 'write'), (('R', 0, 0x104, 4, 0), 'B'), (('R', 0, 0x100, 8, 0), 'size 8'),
                           (('R', 0, 0x102, 2, 0), 'undeclared'), (('R', 0, 0x10c, 4, 0), 'no map'), (('R', 2, 0x100, 4, 0), 'bar2'),
                           (('R', 0, 0x180, 4, 0), 'undeclared')):
            complaints, _ = self.judge(load)
            self.assertEqual(len(complaints), 1)
            self.assertIn(word, complaints[0])
        _, repeats = self.judge(('R', 0, 0x304, 2, 0), ('R', 0, 0x304, 2, 0))
        self.assertEqual(len(repeats), 1)

    def test_judge_compares_values(self):
        log = [accesses.Access('R', 0, 0x100, 4, 7), accesses.Access('R', 0, 0x110, 4, 2), accesses.Access('R', 0, 0x114, 4, 1)]

        def complaints(*registers):
            return accesses.contradicted(log, Dump({'registers': list(registers)}), lambda _: 0)
        self.assertEqual(complaints(register('A', 0x100, 32, 7), register('E', 0x110, 64, 0x100000002)), [])
        self.assertEqual(len(complaints(register('A', 0x100, 32, 8))), 1)
        self.assertEqual(len(complaints(register('G', 0x120, 32, 0))), 1)


class Logs(unittest.TestCase):
    def test_trace(self):
        bars = accesses.facts('device 0000:01:00.0 driver nvme\n0xfde00000 0xfde03fff 0x140204\n0x0 0x0 0x0\n')['0000:01:00.0']
        self.assertEqual(bars, ('nvme', [(0xfde00000, 0x4000), (0, 0)]))
        text = ("memory_region_ops_read cpu 0 mr 0x5604 addr 0xfde0001c value 0x1 size 4 name 'nvme'\n"
                "memory_region_ops_write cpu 1 mr 0x5604 addr 0xfde01000 value 0x15 size 4 name 'nvme'\n"
                "memory_region_ops_read cpu 0 mr 0x5604 addr 0xfee00020 value 0x1 size 4 name 'apic-msi'\n")
        self.assertEqual(accesses.from_trace(text, bars[1]), [('R', 0, 0x1c, 4, 1), ('W', 0, 0x1000, 4, 0x15)])

    def test_marks(self):
        lines = ['0.1 R bar0 0x00000520 4 0x00008000 # fw_status (P5)', '0.2 # begin-a', '0.3 R bar0 0x00000520 4 0x00008000 # x',
                 '0.4 W bar2 0x00010000 8 0x0123456789abcdef', '0.5 # end-a', '0.6 R bar0 0x00000000 4 0x00000000']
        self.assertEqual(accesses.from_log(lines, 'begin-a', 'end-a'),
                         [('R', 0, 0x520, 4, 0x8000), ('W', 2, 0x10000, 8, 0x0123456789abcdef)])
        self.assertIsNone(accesses.from_log(lines, 'begin-b', 'end-b'))
        self.assertIsNone(accesses.from_log(lines[:4], 'begin-a', 'end-a'))


class Initramfs(unittest.TestCase):
    def test_archive_can_be_read_by_cpio(self):
        cpio = initramfs.Cpio()
        cpio.add('a/b/file', 0o100644, b'hello')
        cpio.add('link', 0o120777, b'a/b/file')
        with tempfile.TemporaryDirectory() as folder:
            program = ['cpio'] if shutil.which('cpio') else ['busybox', 'cpio']
            listing = subprocess.run([*program, '-t'], input=cpio.bytes(), capture_output=True, cwd=folder)
        self.assertEqual(listing.stdout.decode().split(), ['a', 'a/b', 'a/b/file', 'link'])

    def test_modules_come_after_what_they_need(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, needs in (('top', 'mid'), ('mid', 'base-one'), ('base-one', '')):
                with open(os.path.join(folder, name + '.ko'), 'wb') as file:
                    file.write(b'\0depends=' + needs.encode() + b'\0')
            order = [name for name, _ in initramfs.in_order(initramfs.find_modules(folder), ['top', 'built-in'])]
        self.assertEqual(order, ['base_one', 'mid', 'top'])


if __name__ == '__main__':
    unittest.main()
