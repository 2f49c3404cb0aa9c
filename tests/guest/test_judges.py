#!/usr/bin/env python3
"""Tests of the judges of random commands and of the boot beside a live driver; tests/nic/scripts/random.sh tests them in the guest as well."""

import os
import types
import unittest

import accesses
import checks_harmless
import checks_random
import declared_logs
import random_plan
from declared import Asked, Declared
from random_plan import cases
from test_tools import MAP

HERE = os.path.dirname(os.path.abspath(__file__))


class FromMemory(unittest.TestCase):
    """The yardstick where values come from what the device answered."""

    def declared(self, document, memory=None, asked=None, parameters=None):
        document = {'name': 'm', 'spaces': [{'name': 'mem', 'bar': 0, 'size': '0x100'}], **document}
        words = memory or {}
        return Declared([document], {'vendor': 0x14e4, 'capabilities': {5}, 'extended': set()}, None, lambda *place: words.get(place), parameters,
                        asked)

    def loads(self, *arguments, **more):
        return {load.name: load[2:4] for load in self.declared(*arguments, **more).loads}

    def test_what_nobody_loaded_places_nothing(self):
        document = {'registers': [{'name': 'N', 'offset': 0, 'readAction': 'none'},
                                  {'name': 'L', 'offset': 8, 'readAction': 'none', 'array': {'count': 'N & 3', 'stride': 4, 'index': 'i'}},
                                  {'name': 'W', 'offset': 4, 'readAction': 'none', 'when': 'N > 1'}]}
        self.assertEqual(self.loads(document), {'N': (0, 4)})
        self.assertEqual(self.loads(document, {(0, 0, 4): 2}), {'N': (0, 4), 'L[0]': (8, 4), 'L[1]': (12, 4), 'W': (4, 4)})

    def test_neighbours(self):
        document = {'registers': [{'name': 'C', 'offset': 0, 'readAction': 'clear', 'width': 8},
                                  {'name': 'WIDE', 'offset': 0, 'readAction': 'none', 'alternate': True},
                                  {'name': 'T', 'offset': 4, 'access': 'write-only'}, {'name': 'R', 'offset': 4, 'readAction': 'none', 'alternate': True},
                                  {'name': 'V', 'offset': 8, 'access': 'write-only', 'width': 16},
                                  {'name': 'S', 'offset': 8, 'readAction': 'none', 'alternate': True}]}
        self.assertEqual(self.loads(document), {'R': (4, 4)})

    def test_beyond_the_space(self):
        self.assertEqual(self.loads({'registers': [{'name': 'F', 'offset': '0xfe', 'readAction': 'none'}]}), {})

    def test_on_request(self):
        document = {'registers': [{'name': 'O', 'offset': 0, 'readAction': 'none', 'onRequest': True, 'group': 'g'},
                                  {'name': 'L', 'offset': 8, 'readAction': 'none', 'array': {'count': 'O', 'stride': 4, 'index': 'i'}}]}
        memory = {(0, 0, 4): 1}
        self.assertEqual(self.loads(document, memory, Asked([], [], [])), {})
        self.assertEqual(self.loads(document, memory, Asked(['O'], [], [])), {'O': (0, 4)})
        self.assertEqual(self.loads(document, memory, Asked([], ['g'], [])), {'O': (0, 4)})
        array = {'registers': [{'name': 'A', 'offset': 0, 'readAction': 'none', 'onRequest': True, 'array': {'count': 2, 'stride': 4}}]}
        self.assertEqual(self.loads(array, memory, Asked(['A[1]'], [], [])), {'A[1]': (4, 4)})

    def test_split_by_byte_order(self):
        document = {'registers': [{'name': 'B', 'offset': 0, 'width': 64, 'split': 'hi_lo_hi', 'readAction': 'none', 'byteOrder': 'big'}]}
        self.assertEqual(accesses.most(self.declared(document).loads), {(0, 0, 4): 2, (0, 4, 4): 1})

    def test_capabilities_and_parameters(self):
        spaces = [{'name': 'mem', 'bar': 0, 'size': 256}, {'name': 'msi', 'config': True, 'capability': 5}, {'name': 'vpd', 'config': True, 'capability': 3}]
        document = {'spaces': spaces, 'derived': [{'name': 'told', 'parameter': True}],
                    'registers': [{'name': 'A', 'offset': 0, 'readAction': 'none', 'when': 'present(msi)'},
                                  {'name': 'B', 'offset': 4, 'readAction': 'none', 'when': 'present(vpd)'},
                                  {'name': 'C', 'offset': 8, 'readAction': 'none', 'when': 'known(told) && told == 3'}]}
        self.assertEqual(sorted(self.loads(document)), ['A'])
        self.assertEqual(sorted(self.loads(document, parameters={'told': 3})), ['A', 'C'])

    def test_logs(self):
        document = {'registers': [{'name': 'P', 'offset': 0, 'readAction': 'none'}], 'structures': [{'name': 'e', 'size': 8}],
                    'logs': [{'name': 'l', 'space': 'mem', 'base': '0x40', 'entry': 'e', 'count': 2, 'producer': 'P'}]}
        loads = declared_logs.log_loads(self.declared(document))
        self.assertEqual([load.offset for load in loads], [0x40, 0x44, 0x48, 0x4c, 0])


class Random(unittest.TestCase):
    """Random commands: made again from seed and number, found again in the log, judged."""

    MAPS = os.path.join(HERE, '..', '..', 'regmaps', 'definitions')

    def plan(self, **more):
        return random_plan.Plan('nic-random-1', types.SimpleNamespace(**{'seed': 3, 'cases': 40, 'case': None, 'maps': self.MAPS, **more}))

    def test_a_case_depends_on_its_number_alone(self):
        by_number = {case.number: case for case in self.plan().cases}
        self.assertEqual([case for case in self.plan(case=17).cases if case.number > 0], [by_number[17]])
        self.assertNotEqual(self.plan(seed=4).cases, self.plan().cases)

    def test_the_log_falls_apart_into_cases(self):
        plan = self.plan()
        lines = ['0.1 W bar0 0x00000100 4 0x00000001 # hwrm trigger']
        for case, places in plan.places():
            lines += ['0.2 R bar2 0x%08x 4 0x00000000 # doorbell' % place for place in places]
            lines.append('0.3 R bar0 0x%08x 4 0x00000000' % (abs(case.number) * 4))
        done, missing = random_plan.apart(lines, plan)
        self.assertEqual([(case.number, [a.offset for a in loads]) for case, loads in done],
                         [(case.number, [abs(case.number) * 4]) for case in plan.cases])
        self.assertEqual(missing, [])
        self.assertEqual(len(random_plan.apart(lines[:20], plan)[1]), 1)

    def judged(self, key, loads, **more):
        case = cases.Case(**{'number': 1, 'program': '', 'argv': ['dump'], 'faults': [], 'map': key, 'passes': 1, 'retries': 0, 'parameters': {},
                             'asked': ([], [], []), 'logs_only': False, 'statuses': None, 'limit': 1, **more})
        return checks_random.judge(case, [accesses.Access(*load) for load in loads], checks_random.Yardsticks(self.plan().maps))

    def test_judge(self):
        status, word = ('R', 0, 0x520, 4, 0x8000), ('R', 0, 0x900, 4, 0)
        self.assertEqual(self.judged('nic-emulator', [status, word, status, status]), [])
        self.assertEqual(self.judged('nic-emulator', [word, word], passes=2), [])
        for loads, more in (([word, word], {}), ([('W', 0, 0x900, 4, 0)], {}), ([('R', 0, 0x920, 4, 0)], {}), ([('R', 0, 0x900, 8, 0)], {}),
                            ([word], {'map': None}), ([status], {'faults': [('gone',)]}),
                            ([status] * 64, {'faults': [('mine', 'bar0', '0x520', '0x523', 'gone')]})):
            self.assertEqual(len(self.judged(**{'key': 'nic-emulator', 'loads': loads, **{k: v for k, v in more.items() if k != 'map'},
                                                **({'key': None} if 'map' in more else {})})), 1, (loads, more))

    def test_endings(self):
        case = cases.Case(1, '', ['read'], [], None, 1, 0, {}, ([], [], []), False, None, 1)
        self.assertEqual([bool(checks_random.ended(case, *end)) for end in (('exit', 0), ('exit', 7), ('exit', 1), ('exit', 127), ('signal', 6),
                                                                          ('timeout', 1))], [False, False, True, True, True, True])
        self.assertEqual(checks_random.ended(case._replace(argv=['check']), 'exit', 1), [])
        self.assertTrue(checks_random.ended(case._replace(statuses=(2, 3)), 'exit', 0))


class Harmless(unittest.TestCase):
    def test_accesses(self):
        declared = Declared([MAP], {'device': 0x10}, {'A': 0x25})
        alone = [accesses.Access('R', 0, 0x31f8, 4, 0), accesses.Access('W', 2, 0x10000, 8, 1)]
        fine = [('R', 0, 0x31f8, 4, 1), ('W', 2, 0x10008, 8, 1), ('R', 0, 0x100, 4, 1), ('W', 0, 0x100, 4, 1)]
        self.assertEqual(checks_harmless.complaints_of_accesses([accesses.Access(*a) for a in fine], alone, declared), [])
        for wrong in (('W', 0, 0x408, 4, 1), ('R', 0, 0x104, 4, 1), ('R', 2, 0x10000, 8, 1), ('W', 0, 0x31f8, 4, 0)):
            self.assertEqual(len(checks_harmless.complaints_of_accesses([accesses.Access(*wrong)], alone, declared)), 1, wrong)

    def test_ping(self):
        text = '--- 192.0.2.1 ping statistics ---\n11 packets transmitted, 6 packets received, 45% packet loss\n'
        self.assertEqual((checks_harmless.sent(text), checks_harmless.lost(text), checks_harmless.lost('nothing')), (11, 5, None))
        for answered, lost in (((0, 1, 2), 0), ((0, 1), 0), ((0, 2), 1), ((0,), 2), ((1,), 1), ((), 3)):
            lines = ''.join('64 bytes from 192.0.2.1: seq=%d ttl=64 time=1 ms\n' % number for number in answered)
            text = lines + '3 packets transmitted, %d packets received, 0%% packet loss\n' % len(answered)
            self.assertEqual(checks_harmless.lost(text), lost, answered)


if __name__ == '__main__':
    unittest.main()
