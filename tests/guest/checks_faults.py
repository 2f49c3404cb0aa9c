"""Judges faults injected while barscope reads: how each command ended, in which words, what files it left, what still reached the device; and
writes the table of faults."""

import os
import re

import accesses
from checks_random import AFTER_DEATH, CONFIGURATION, PCI
from declared import Declared, load_maps

COMMANDS = ('info', 'read', 'dump', 'check', 'fwlog', 'snapshot')
# fault: (right exit status of the commands that read registers, what each of them must say (a regular expression), loads that may reach the device)
BEFORE = {
    'none': ((0,), None, None),
    'gone': ((4,), r'asleep or gone|does not answer|gone', 0),
    'bar-dead': ((4,), r'BAR does not answer, configuration space does', AFTER_DEATH),
    'status': ((4,), r'BAR does not answer, configuration space does', AFTER_DEATH),
    'fatal': ((0, 1), None, None),
    'd3hot': ((3,), r'D3hot', 0),
    'decode-off': ((3,), r'memory space disabled', 0),
}
TITLES = {
    'none': 'none', 'gone': 'the device is lost', 'bar-dead': 'the BAR is dead, configuration space answers', 'status': 'the status word is all ones',
    'fatal': 'the firmware has crashed', 'd3hot': 'the device sleeps (D3hot)', 'decode-off': 'memory decoding is off',
    'middle-gone': 'lost in the middle', 'middle-bar-dead': 'the BAR dies in the middle', 'slow': 'each load of the status takes 2 s',
    'during-d3hot': 'D3hot in the middle (QEMU answers 0 from then on)',
    'during-decode-off': 'decoding off in the middle (QEMU answers 0 from then on)', 'during-gone': 'lost in the middle, at 5 loads a second',
    'during-bind': 'the driver binds in the middle', 'during-unbind': 'the driver lets go in the middle', 'during-remove': 'removed (sysfs) in the middle',
    'removed': 'removed before', 'heartbeat': 'the heartbeat stops, driver up', 'fatal-driver': 'the firmware crashes, driver up',
}


class Table:
    """fault | command | what the user saw | exit | what reached the device"""

    def __init__(self):
        self.rows = []

    def add(self, fault, run, loads, after=None):
        said = next((line for line in run.err.splitlines() if line.strip()), '(the answer)' if run.out else '')
        reached = '-' if loads is None else '%d loads' % len(loads) + ('' if after is None else ', %d of them after it' % after)
        words = re.sub(r' (--format json|-o /tmp/k/\S+)', '', run.command.strip()).replace('/maps/', '')
        self.rows.append((TITLES.get(fault, fault), words, re.sub(r' \(/(sys|tmp|maps)/\S+', ' (...', said.replace('barscope: ', '', 1)).replace('|', '/')[:140], run.status, reached))

    def markdown(self):
        head = ('fault', 'command', 'what the user saw (first line)', 'exit', 'what reached the device')
        return '\n'.join('| %s |' % ' | '.join(map(str, row)) for row in (head, ('---',) * 5, *self.rows)) + '\n'


class Judge:
    def __init__(self, checks, outcome, maps):
        self.checks, self.outcome, self.table = checks, outcome, Table()
        self.bnxt = Declared(load_maps(maps, 'bnxt-p5'), PCI, {**CONFIGURATION, 'HCOMM.SIG_VER': 0x48435301, 'HCOMM.STATUS_LOC': 0x031001f9})

    def loads(self, name):
        return self.outcome.logged(name)

    def ended(self, name, right, words=None):
        """The exit status is right, and a failure is told."""
        run = self.outcome.run(name)
        self.checks.check('%s: `%s` ends with %s' % (name, run.command.strip(), ' or '.join(map(str, right))), run.status in right, run)
        if words and run.status != 0:
            self.checks.check('%s: says so' % name, re.search(words, run.err), run.err[:300])
        if run.status not in (0, 1):
            self.checks.check('%s: says what and where' % name, 'error:' in run.err, run.err[:300])
        return run

    def file(self, name):
        """There is a whole snapshot or none, and nothing half beside it."""
        whole = self.outcome.text(name + '.whole').strip()
        self.checks.check('%s: the snapshot is whole or not there (%s)' % (name, whole), whole in ('0', 'absent'), self.outcome.text(name + '.verify'))
        left = [n for n in self.outcome.text(name + '.left').split() if not n.endswith('.json')]
        self.checks.none('%s: nothing half is left' % name, left)
        return whole

    def no_write(self, name, loads):
        self.checks.none('%s: no write reached the device' % name, [a for a in loads or [] if a.kind == 'W'])


def faults(checks, outcome, maps):
    judge = Judge(checks, outcome, maps)
    for fault, (right, words, most) in BEFORE.items():
        _before(judge, fault, right, words, most)
    for fault in ('gone', 'bar-dead'):
        _middle(judge, fault)
    _slow(judge)
    _during(judge)
    _driver_up(judge)
    _killed(judge)
    run = judge.ended('alive-dump', (0,))
    judge.table.add('all of this is over', run, judge.loads('alive-dump'))
    text = judge.table.markdown()
    with open(os.path.join(checks.folder, 'faults.md'), 'w') as file:
        file.write(text)
    print(text, end='')


def _before(judge, fault, right, words, most):
    for command in COMMANDS:
        name = '%s-%s' % (fault, command)
        loads = judge.loads(name)
        if command == 'info':
            run = judge.ended(name, (0, 4))
        elif command == 'check' and 0 in right:      # without its driver nobody counts drops: no all-clear
            run = judge.ended(name, (1,) if fault == 'fatal' else (4,))
        elif command == 'fwlog' and fault in ('status', 'fatal'):    # no word of the rings is all ones, so nobody asks the status
            run = judge.ended(name, (0,))
        else:
            run = judge.ended(name, right, words)
        judge.checks.check('%s: both marks are in the log' % name, loads is not None)
        judge.no_write(name, loads)
        if most is not None:
            judge.checks.check('%s: at most %d loads reached the device' % (name, most), len(loads or []) <= most, loads)
        if command == 'snapshot':
            judge.file(name)
        judge.table.add(fault, run, loads)


def _middle(judge, fault):
    for command in ('dump', 'snapshot'):
        name = 'middle-%s-%s' % (fault, command)
        run = judge.ended(name, (4,), r'gone|does not answer')
        loads = judge.loads(name) or []
        hits = [i for i, load in enumerate(loads) if load.offset <= 0x927 and 0x924 < load.offset + load.size and load.bar == 0]
        after = len(loads) - hits[0] - 1 if hits else len(loads)
        judge.checks.check('%s: at most %d more loads after it' % (name, AFTER_DEATH), hits and after <= AFTER_DEATH, loads)
        judge.no_write(name, loads)
        judge.table.add('middle-' + fault, run, loads, after)
        if command == 'snapshot':
            judge.checks.check('%s: what was read before is kept' % name, judge.file(name) == '0')
        else:
            registers = {r['name']: r for r in run.dump().registers}
            judge.checks.check('%s: words before it have values' % name, all('value' in registers.get(n, {}) for n in ('WORD', 'LONG', 'BYTE')),
                               list(registers.values())[:8])
            judge.checks.none('%s: no word from there on has one' % name,
                              [r for r in registers.values() if r['space'] == 'direct' and int(r['offset'], 16) >= 0x924 and 'value' in r])


def _seconds(outcome, name):
    times = outcome.text(name + '.time').split()
    return float(times[1]) - float(times[0]) if len(times) == 2 else 0


def _slow(judge):
    for name, right in (('slow-read', (0,)), ('slow-dump', (0,)), ('slow-check', (0, 1, 4))):
        run = judge.ended(name, right)
        loads, seconds = judge.loads(name) or [], _seconds(judge.outcome, name)
        slow = sum(1 for load in loads if load.bar == 0 and load.offset == 0x520)
        judge.checks.check('%s: took %.1f s, %d slow loads' % (name, seconds, slow), slow and seconds < 2 * slow + 10, loads)
        judge.table.add('slow', run, loads)
    run = judge.outcome.run('slow-dump')
    marked = [r for r in run.dump().registers if r.get('slow')]
    judge.checks.check('slow-dump: the slow load is marked', any(r['name'] == 'FW_STATUS' and r['ns'] >= 1_900_000_000 for r in marked), marked)
    for name in ('slow-timeout', 'slow-timeout-check'):
        run, loads, seconds = judge.ended(name, (4,), r'time'), judge.loads(name) or [], _seconds(judge.outcome, name)
        slow = sum(1 for load in loads if load.bar == 0 and load.offset == 0x520)
        judge.checks.check('%s: one slow load, then none (%.1f s)' % (name, seconds), slow <= 1 and seconds < 8, (slow, loads))
        judge.table.add('slow', run, loads)
    run = judge.ended('slow-interrupt', (4,))
    whole = judge.file('slow-interrupt')
    judge.checks.check('slow-interrupt: Ctrl-C leaves a valid snapshot', whole == '0', whole)
    judge.table.add('slow', run, judge.loads('slow-interrupt'), _after_event(judge.outcome, 'slow-interrupt'))


def _after_event(outcome, name):
    """Loads between the event's mark and the command's end; None without the marks."""
    with open(os.path.join(outcome.folder, 'access.log')) as file:
        later = accesses.from_log(file, 'event-' + name, 'end-' + name)
    return None if later is None else sum(1 for access in later if access.kind == 'R')


def _during(judge):
    right = {'d3hot': (0, 4), 'decode-off': (0, 4), 'gone': (4,), 'bind': (0, 4, 5), 'unbind': (0, 4, 5), 'remove': (4,), 'remove-snapshot': (4,)}
    for event, statuses in right.items():
        name = 'during-' + event
        run = judge.ended(name, statuses)
        after = _after_event(judge.outcome, name)
        before = len(judge.loads(name) or []) - (after or 0)
        judge.checks.check('%s: it happened in the middle' % name, before and after is not None and (
            after or run.status == 4 or event in ('d3hot', 'decode-off')), (before, after))
        if event not in ('bind', 'unbind', 'remove-snapshot'):    # with the driver it writes
            judge.no_write(name, judge.loads(name))
        if event in ('gone', 'remove'):
            judge.checks.check('%s: at most %d more loads' % (name, AFTER_DEATH), after is not None and after <= AFTER_DEATH, after)
        if event.endswith('snapshot'):
            judge.file(name)
        judge.table.add(name.replace('-snapshot', ''), run, judge.loads(name), after)
    for command in ('dump', 'snapshot'):
        run = judge.ended('removed-' + command, (4,), r'no |not |gone')
        judge.checks.none('removed-%s: nothing reached the device' % command, judge.loads('removed-' + command) or [])
        judge.table.add('removed', run, judge.loads('removed-' + command))
    judge.checks.check('removed-snapshot: leaves no file', judge.file('removed-snapshot') == 'absent')


def _driver_up(judge):
    for name, title in (('up-heartbeat', 'heartbeat'), ('up-fatal-check', 'fatal-driver'), ('up-fatal-snapshot', 'fatal-driver')):
        run = judge.ended(name, (0, 1, 4))
        judge.table.add(title, run, None)
    for name, check in (('up-heartbeat', 'firmware-heartbeat-moving'), ('up-fatal-check', 'firmware-ready')):
        failed = [c['name'] for c in judge.outcome.run(name).document.get('checks', []) if c['result'] == 'failed']
        judge.checks.check('%s: %s has failed' % (name, check), check in failed, failed)
    judge.checks.check('up-fatal-snapshot: there is one', judge.file('up-fatal-snapshot') == '0')


def _killed(judge):
    rows = [line.split() for line in judge.outcome.text('killed').splitlines()]
    whole = judge.outcome.text('killed.whole').strip()
    caught = [row for row in rows if row[2] == '137']
    judge.checks.check('killed: 36 times, %d of them in the middle' % len(caught), len(rows) == 36 and len(caught) >= 12, rows)
    judge.checks.none('killed: no half file under a final name', [row for row in rows if row[3] not in ('absent', 'verify-0', whole)])
    judge.checks.none('killed: other ends', [row for row in rows if row[2] not in ('137', '0', '1')])
    judge.table.rows.append(('kill -9 at a random moment (%d times, %d in the middle)' % (len(rows), len(caught)), 'dump, snapshot, diff', '', '137',
                             '%d files whole, none half' % sum(1 for row in rows if row[3] != 'absent')))
