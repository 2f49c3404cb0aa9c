#!/usr/bin/env python3
"""Tests of the judge of lab override: what is right passes, and each single thing that is wrong is complained about."""

import os
import re
import subprocess
import unittest

import accesses
import checks_override
import override_cases
import override_judge
from accesses import CONFIGURATION, Access
from declared import load_maps
from override_cases import ACTIONS, BEHIND, BOUND, CLOSED, OPEN, SELECT, WORD
from override_refusals import REFUSALS

MAPS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'nic', 'maps')
EVERY = BOUND + ACTIONS + REFUSALS


def load(word, value=0):
    return Access('R', *word, value)


def store(word, value):
    return Access('W', *word, value)


def right(case):
    """A log that does all that a case may do."""
    counts = {word: [n[0] if isinstance(n, tuple) else n for n in parts] for word, parts in case.loads.items()}
    log = []
    for part in range(len(case.stores) + 1):
        for word, number in counts.items():
            log += [load(word)] * (number[part] if part < len(number) else 0)
        log += case.stores[part:part + 1]
    return log


def judged(case, log):
    return override_judge.complaints(log, case.stores, case.loads)


class Judge(unittest.TestCase):
    def test_right(self):
        for case in EVERY:
            self.assertEqual(judged(case, right(case)), [], case.name)

    def test_any_other_store(self):
        for case in EVERY:
            log = right(case)
            for stray in (store((0, 0x408, 4), 0), store(WORD, 0xffff1234), store((CONFIGURATION, 4, 2), 0), store((0, 0x908, 1), 1)):
                for at in (0, len(log)):
                    self.assertTrue(judged(case, log[:at] + [stray] + log[at:]), (case.name, stray))

    def test_a_store_that_is_not_quite_it(self):
        for case in EVERY:
            log = right(case)
            for number, access in enumerate(log):
                if access.kind == 'W':
                    others = (access._replace(value=access.value ^ 1), access._replace(offset=access.offset + access.size),
                              access._replace(size=access.size * 2), access._replace(bar=5))
                    for other in (*others, None):
                        wrong = log[:number] + ([other] if other else []) + log[number + 1:]
                        self.assertTrue(judged(case, wrong), (case.name, other))
                    self.assertTrue(judged(case, log[:number] + [access] + log[number:]), case.name)      # twice

    def test_any_other_load(self):
        for case in EVERY:
            log = right(case)
            for at in range(len(log) + 1):
                self.assertTrue(judged(case, log[:at] + [load((0, 0x99c, 4))] + log[at:]), case.name)
                self.assertEqual(judged(case, log[:at] + [load((CONFIGURATION, 0, 2))] + log[at:]), [], case.name)

    def test_a_load_too_many_or_too_few(self):
        case = next(c for c in ACTIONS if c.name == 'word')
        before, again, it, after = right(case)
        for log in ([before, it, after], [before, again, it], [before, again, again, it, after], [before, again, it, after, after],
                    [before, again, after, it]):
            self.assertEqual(len(judged(case, log)) > 0, True, log)
        raw = next(c for c in ACTIONS if c.name == 'raw')
        self.assertTrue(judged(raw, right(raw) + [load((0, 0x9e0, 4))]))

    def test_the_order_at_a_window(self):
        case = next(c for c in ACTIONS if c.name == 'window-write')
        select, write, restore = case.stores
        self.assertEqual((select, write, restore), (store(SELECT, OPEN), store(BEHIND, 0x01020304), store(SELECT, CLOSED)))
        look, behind = load(SELECT), load(BEHIND)
        self.assertEqual(judged(case, [look, select, look, behind, write, behind, look, restore, look]), [])
        for log in ([look, write, select, look, behind, behind, restore], [look, behind, select, behind, write, restore],
                    [look, select, behind, write, behind, restore, behind], [look, select, behind, write, behind],
                    [select, behind, write, behind, restore], [look, select, behind, restore, write, behind]):
            self.assertTrue(judged(case, log), log)

    def test_killed(self):
        wanted = [store(SELECT, OPEN), store(BEHIND, 1), store(SELECT, CLOSED)]
        for number in range(4):
            self.assertEqual(override_judge.prefix([load(SELECT), *wanted[:number]], wanted), [])
        for log in (wanted[1:], wanted + wanted[:1], [wanted[0], wanted[2]], [store(SELECT, 1)]):
            self.assertTrue(override_judge.prefix(log, wanted), log)

    def test_the_log_of_the_program(self):
        made = [store((0, 0x908, 4), 0x10), store((CONFIGURATION, 4, 2), 0x442)]
        intents = [{'place': 'bar0', 'offset': '0x908', 'width': 32, 'new': '0x00000010'}, {'place': 'config', 'offset': '0x4', 'width': 16, 'new': '0x0442'}]
        self.assertEqual(override_judge.noted(intents, made), [])
        big = [{**intents[0], 'register': 'B', 'new': '0x10000000'}]
        self.assertEqual(override_judge.noted(big, made[:1], ('B',)), [])
        self.assertTrue(override_judge.noted(big, made[:1]))
        for told, done in ((intents[:1], made), (intents, made[:1]), (intents[::-1], made), ([], made), ([{**intents[0], 'width': 8}, intents[1]], made),
                           ([{**intents[0], 'new': '0x11'}, intents[1]], made), ([{**intents[0], 'place': 'bar2'}, intents[1]], made)):
            self.assertTrue(override_judge.noted(told, done), told)


class Cases(unittest.TestCase):
    def test_names_are_unique(self):
        self.assertEqual(len({case.name for case in EVERY}), len(EVERY))

    def test_each_store_is_at_a_place_of_the_map_and_of_its_width(self):
        document = load_maps(MAPS, 'nic-override')[0]
        widths = {'BYTE': 1, 'HALF': 2, 'WORD': 4, 'LONG': 8, 'BIG_HALF': 2, 'BIG_WORD': 4, 'BIG_LONG': 8, 'LINE': 1, 'COMMAND': 2}
        declared = {r['name']: (int(str(r['offset']), 0), r.get('width', 32) // 8) for r in document['registers'] if r['space'] in ('direct', 'cfg')}
        for case in ACTIONS:
            match = re.fullmatch(r"write \$NIC (\w+)=\S+ --yes", case.words)
            if match and match[1] in declared and len(case.stores) == 1:
                self.assertEqual(case.stores[0][2:4], declared[match[1]], case.name)
                self.assertEqual(case.stores[0].size, widths.get(match[1], case.stores[0].size))

    def test_nothing_that_is_refused_has_a_store(self):
        self.assertEqual([case.name for case in REFUSALS if case.stores or case.status == 0], [])

    def test_the_shell_understands_them(self):
        for case in EVERY:
            text = '\n'.join((*case.before, checks_override.command(case), *case.after))
            self.assertEqual(subprocess.run(['sh', '-n'], input=text.encode(), check=False).returncode, 0, text)

    def test_what_is_planted_makes_a_difference(self):
        """A field write that stored what it read would be seen: bits on which a one acts are set, those on which a zero acts are clear."""
        self.assertEqual(override_cases.PLANTED[('bar0', 0x930)] >> 16 & 0x3f, 0b000111)


class Log(unittest.TestCase):
    LINES = ['0.1 # begin-a', '0.2 R cfg 0x00000000 2 0x14e4', '0.2 W cfg 0x0000003c 1 0x2a', '0.3 W bar0 0x00000908 4 0x00000001 # x', '0.4 # event-a',
             '0.5 W cfg 0x00000004 2 0x0002', '0.6 # end-a']

    def test_configuration_space_only_where_asked_for(self):
        self.assertEqual(accesses.from_log(self.LINES, 'begin-a', 'end-a'), [store(WORD, 1)])
        self.assertEqual(accesses.from_log(self.LINES, 'begin-a', 'end-a', True), [
            load((CONFIGURATION, 0, 2), 0x14e4), store((CONFIGURATION, 0x3c, 1), 0x2a), store(WORD, 1), store((CONFIGURATION, 4, 2), 2)])
        self.assertEqual(accesses.from_log(self.LINES, 'event-a', 'end-a', True), [store((CONFIGURATION, 4, 2), 2)])

    def test_figures(self):
        figures = checks_override.Figures()
        figures.add('g', accesses.from_log(self.LINES, 'begin-a', 'end-a', True), ['wrong'])
        self.assertEqual(figures.markdown().splitlines()[2:], ['| g | 1 | 4 | 3 | 0 | 1 | 1 |', '| **all** | 1 | 4 | 3 | 0 | 1 | 1 |'])


if __name__ == '__main__':
    unittest.main()
