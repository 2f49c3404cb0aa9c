"""Judges random commands (tests/nic/cases.py) by what reached the emulated NIC: the proof of read-only."""

import collections
import os

import accesses
from declared import CAPABILITIES, Asked, Declared, with_included
from declared_logs import log_loads
from outcome import Run
from random_plan import Figures, Plan, apart, cases, results
from table import Dump

# As tests/nic/bnxt_nic.py has it.
PCI = {'vendor': 0x14e4, 'device': 0x1750, 'subsystemVendor': 0x14e4, 'subsystemDevice': 0x5045, 'class': 0x020000, 'revision': 0x11,
       'isVf': 0, CAPABILITIES: {0x01, 0x03, 0x05, 0x10, 0x11}, 'extended': {0x0001, 0x0003}}
# Without its driver MSI-X is off; 64 vectors.
CONFIGURATION = {'MSIX_FLAGS': 63}
DOCUMENTED = set(range(8))               # docs/cli.md, "Exit status"
FINDINGS = {'check', 'diff', 'verify', 'fwlog'}
# docs/safety.md: up to 62 loads to a device that dies within a block in which the sentinel has answered before; then the sentinel is asked.
AFTER_DEATH = 62


class Memory:
    """What the device answered in one case; keeps what was asked for."""

    def __init__(self, loads):
        self.words, self.asked = {}, {}
        for access in loads:
            self.words.setdefault((access.bar, access.offset, access.size), access.value)

    def __call__(self, *place):
        self.asked[place] = self.words.get(place)
        return self.asked[place]


class Yardsticks:
    """What maps declare, worked out once for as long as the values that matter are the same."""

    def __init__(self, maps):
        self.maps, self.documents, self.known = maps, {}, collections.defaultdict(list)

    def of(self, case, loads):
        memory = Memory(loads)
        key = (case.map, tuple(sorted(case.parameters.items())), tuple(map(tuple, case.asked)))
        for asked, yardstick in self.known[key]:
            if all(memory.words.get(place) == value for place, value in asked.items()):
                return yardstick
        if case.map not in self.documents:
            self.documents[case.map] = with_included(self.maps.folder, self.maps.entries[case.map][0])
        yardstick = Declared(self.documents[case.map], PCI, CONFIGURATION, memory, case.parameters, Asked(*case.asked))
        self.known[key].append((memory.asked, yardstick))
        return yardstick


def judge(case, loads, yardsticks):
    """Complaints about what one case did."""
    if case.map is None:
        return ['%s bar%d+0x%x size %d, and nothing may be touched' % access[:4] for access in loads]
    declared = yardsticks.of(case, loads)
    most = accesses.most(declared.loads)
    logs = log_loads(declared) if case.argv[0] in ('fwlog', 'snapshot') else []
    if case.logs_only:
        most = {}
    passes = case.passes * (1 + case.retries)
    limits = {place: None if count is None else count * passes for place, count in most.items()}
    for load in logs:
        place = load[1:4]
        limits[place] = None if load.most is None or limits.get(place, 0) is None else limits.get(place, 0) + load.most
    return accesses.beyond(loads, limits, declared) + _after_death(case, loads)


def untrue(case, loads, document, yardsticks):
    """Complaints about values that are shown and are not what the device answered in this case; and how many were compared."""
    declared, answers, complaints, count = yardsticks.of(case, loads), collections.defaultdict(set), [], 0
    for load in loads:
        answers[(load.bar, load.offset, load.size)].add(load.value)
    for shown in Dump(document).with_value():
        space = declared.spaces[shown['space']]
        if space.get('config'):
            continue
        bar, offset, size = declared.number(space['bar'], {}), int(shown['offset'], 16), shown['width'] // 8
        order = declared.find(shown['name'])[0].get('byteOrder', space.get('byteOrder', 'little'))
        seen = {value.to_bytes(size, 'little') for value in answers[(bar, offset, size)]}
        seen |= {low.to_bytes(4, 'little') + high.to_bytes(4, 'little') for low in answers[(bar, offset, 4)] for high in answers[(bar, offset + 4, 4)]
                 if size == 8}
        count += 1
        if int(shown['value'], 16) not in {int.from_bytes(data, order) for data in seen}:
            complaints.append('%s is shown as %s; the device answered %s' % (shown['name'], shown['value'], [data.hex() for data in seen]))
    return complaints, count


def _after_death(case, loads):
    """Loads of a device that has been lost since: none where it was lost before, a block's where it was lost within one."""
    for fault in case.faults:
        if fault == ('gone',) and loads:
            return ['%d loads went to a device that was gone before' % len(loads)]
        if fault[0] != 'mine' or fault[4] != 'gone':
            continue
        bar, first, last = int(fault[1][3:]), int(fault[2], 0), int(fault[3], 0)
        hits = [i for i, load in enumerate(loads) if load.bar == bar and load.offset <= last and first < load.offset + load.size]
        if hits and len(loads) - hits[0] - 1 > AFTER_DEATH:
            return ['%d more loads went to the device after it was lost' % (len(loads) - hits[0] - 1)]
    return []


def ended(case, kind, number):
    """Complaints about how a command ended."""
    name = case.argv[0] if case.argv else ''
    right = case.statuses or DOCUMENTED - (set() if name in FINDINGS else {1})
    if name == 'diff':
        right = {0, 1, 2}
    if kind != 'exit':
        return ['ended by %s %d' % (kind, number)]
    return [] if number in right else ['exit status %d; right are %s' % (number, sorted(right))]


def random(checks, outcome, maps):
    plan = Plan(outcome.name, outcome.options)
    checks.check('every case was run', outcome.text('runner.rc').strip() == '0', outcome.text('runner.err'))
    endings = results(outcome.text('results'))
    yardsticks, figures, complaints = Yardsticks(plan.maps), Figures(), []
    compared = 0
    with open(os.path.join(outcome.folder, 'access.log')) as file:
        done, missing = apart(file, plan)
    checks.none('the log has the mark of each of the %d cases' % len(plan.cases), missing)
    done, misused = [d for d in done if d[0].program == cases.PROGRAM], [d for d in done if d[0].program != cases.PROGRAM]
    _test_the_judge(checks, misused, yardsticks)
    for case, loads in done:
        found = judge(case, loads, yardsticks)
        figures.add(case, len(loads), len(found))
        if cases.kept(case):
            false, count = untrue(case, loads, Run(outcome.result.files, 'case-%d' % case.number).document, yardsticks)
            found, compared = found + false, compared + count
        found = found + (ended(case, *endings[case.number][:2]) if case.number in endings else ['did not end'])
        complaints += ['case %d: %s: `barscope %s`%s' % (case.number, text, ' '.join(map(repr, case.argv))[:400], ' after %s' % case.faults
                                                       if case.faults else '') for text in found]
    with open(os.path.join(checks.folder, outcome.name + '.txt'), 'w') as file:
        file.write('seed %d\n%s\n%s\n' % (plan.seed, figures.table(), '\n'.join(complaints)))
    row = figures.rows[('all', '')]
    print('seed %d: %d cases run, %d accesses checked, %d violations; %d values that were shown compared' % (plan.seed, *row, compared))
    print(figures.table(), end='')
    checks.none('read-only: no write, nothing undeclared, no side effect, exact widths, one load per word, none after death; '
                'right exit status; values as the device answered',
                complaints)
    if not outcome.options.case:
        _worthwhile(checks, plan, done, figures)


def _test_the_judge(checks, misused, yardsticks):
    """What a program did that does what barscope must not do has to be complained of."""
    checks.check('each misuse is in the log (%d)' % len(misused), len(misused) == len(cases.MISUSES), len(misused))
    for case, loads in misused:
        word = cases.MISUSES[-1000 - case.number][3]
        complaints = judge(case, loads, yardsticks)
        checks.check('the judge complains of %s %s%s' % (case.argv[1], 'by map %s' % case.map if case.map else 'where nothing may be read',
                                                        ' after %s' % ' '.join(case.faults[0]) if case.faults else ''),
                     any(word in complaint for complaint in complaints), complaints or loads)


def _worthwhile(checks, plan, done, figures):
    """The cases must be of the kind that could show a fault."""
    reads = sum(1 for case, loads in done if loads)
    checks.check('a fifth of the cases read the device (%d)' % reads, reads * 5 >= len(done), len(done))
    read = {case.map for case, loads in done if loads}
    unread = [key for key in plan.maps.random if plan.maps.entries[key][0] and key not in read]
    checks.check('nearly all of the random maps were read by (%d not)' % len(unread), len(unread) * 5 <= len(plan.maps.random)
                 or len(done) < 1000, unread)
    dead = sum(1 for case, loads in done if case.faults)
    checks.check('devices were lost (%d cases)' % dead, dead * 50 >= len(done), dead)
