"""Judges the boot nic-override: lab override does the stores that it was asked for, and what is refused does nothing; writes the table of actions."""

import collections
import json
import os
import subprocess
import sys

import accesses
import override_judge
from checks_random import CONFIGURATION, PCI
from declared import Declared, load_maps
from override_cases import ACTIONS, BOUND, CLOSED, MAP, OPEN, PLANTED, SELECT, SIDE, STATUS, BEHIND
from override_refusals import REFUSALS

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = {'bound': BOUND, 'actions': ACTIONS, 'refusals': REFUSALS}
KILLS, STOPS = range(8), range(8, 12)      # kill -9, and SIGTERM
BIG_ENDIAN = ('BIG_HALF', 'BIG_WORD', 'BIG_LONG')


def command(case):
    """The shell line that runs a case in the guest."""
    lab = "%s --map %s --lab-override --reason 'oracle %s'" % (case.words, MAP, case.name)
    if case.how == 'plain':
        return 'tool %s %s' % (case.name, lab)
    if isinstance(case.how, tuple):
        return "asked %s '%s' '%s' %s" % (case.name, *case.how, lab)
    return 'undo %s %s' % (case.name, case.how[5:]) if case.how.startswith('undo ') else case.how


def extra_files(options, folder):
    """(host path, guest path) of what the boot needs besides program and maps."""
    os.makedirs(folder, exist_ok=True)
    texts = {'plant': 'plant() {\n%s}\n' % ''.join('ask ctl set %s 0x%08x 0x%08x\n' % (*place, value) for place, value in PLANTED.items())}
    for name, cases in CASES.items():
        texts[name] = ''.join('\n'.join((*case.before, 'ask ctl mark begin-' + case.name, command(case), 'ask ctl mark end-' + case.name, *case.after, ''))
                              for case in cases)
    found = [(os.path.join(HERE, '..', 'nic', 'terminal.pl'), '/usr/bin/terminal.pl'), (os.path.join(options.cache, 'userland/usr/bin/perl'), '/usr/bin/perl'),
             (readonly(options), '/usr/bin/barscope-readonly')]
    for name, text in texts.items():
        found.append((os.path.join(folder, name + '.sh'), '/cases/%s.sh' % name))
        with open(found[-1][0], 'w') as file:
            file.write(text)
    return found


def readonly(options):
    return os.path.join(os.path.dirname(os.path.abspath(options.program)), 'barscope-readonly')


class Figures:
    """group -> cases, accesses checked, the stores and loads among them, those of configuration space, violations"""

    def __init__(self):
        self.rows = collections.defaultdict(collections.Counter)

    def add(self, group, log, wrong):
        config = [a for a in log if a.bar == accesses.CONFIGURATION and a.kind == 'R']
        stores = [a for a in log if a.kind == 'W']
        self.rows[group].update(cases=1, accesses=len(log), stores=len(stores), loads=len(log) - len(stores) - len(config), config=len(config),
                                violations=len(wrong))

    def markdown(self):
        columns = ('cases', 'accesses', 'stores', 'loads', 'config', 'violations')
        total = sum(self.rows.values(), collections.Counter())
        rows = [('action', 'cases', 'accesses checked', 'stores', 'loads of BARs', 'loads of configuration space', 'violations'), ('---',) + ('---:',) * 6]
        rows += [(name, *(row[c] for c in columns)) for name, row in (*self.rows.items(), ('**all**', total))]
        return ''.join('| %s |\n' % ' | '.join(map(str, row)) for row in rows)


def override(checks, outcome, maps):
    figures, made = Figures(), []
    for cases in CASES.values():
        for case in cases:
            log = _case(checks, outcome, case, figures)
            if case in BOUND + ACTIONS:
                made += [access for access in log if access.kind == 'W']
    _audit(checks, outcome, made)
    _never(checks, outcome, figures)
    for number in (*KILLS, *STOPS):
        _killed(checks, outcome, number, figures)
    ends = [outcome.text('kill%d.status' % number).strip() for number in KILLS]
    checks.check('killed: some of them in the middle', '137' in ends, ends)
    _readonly(checks, outcome)
    text = figures.markdown()
    with open(os.path.join(checks.folder, 'override.md'), 'w') as file:
        file.write(text)
    print(text, end='')


def _case(checks, outcome, case, figures):
    run, log = outcome.run(case.name), outcome.logged(case.name, True, 'event-' if case.quiet else 'begin-')
    checks.check('%s: both marks are in the log' % case.name, log is not None)
    log = log or []
    loads = {**case.loads, STATUS: (override_judge.ANY,) * (len(case.stores) + 1)} if case.loads else {}
    wrong = override_judge.complaints(log, case.stores, loads)
    figures.add(case.group, log, wrong)
    checks.none('%s: %s' % (case.name, 'just the stores asked for, and their loads' if case.stores else 'no store, no other load'), wrong)
    checks.check('%s: exit status %d' % (case.name, case.status), run.status == case.status, run)
    if case.cause:
        checks.check('%s: cause %s' % (case.name, case.cause), run.document.get('error', {}).get('cause') == case.cause, run)
    if case.says:
        checks.check('%s: says %r' % (case.name, case.says), case.says in run.err, run.err[:400])
    if case.shown:
        document = run.document
        shown = [entry.get('value') for entry in document.get('registers', document.get('accesses', []))]
        checks.check('%s: shows %s' % (case.name, case.shown), shown == [case.shown], run)
    return log


def _entries(text):
    """(intents, outcomes by id) of an audit log's lines."""
    lines = [json.loads(line) for line in text.splitlines() if line.strip()]
    return [e for e in lines if e['phase'] == 'intent'], {e['id']: e for e in lines if e['phase'] == 'outcome'}


def _audit(checks, outcome, made):
    """The program's log is held against the device's own: the same stores, in the same order, each with its reason; and nothing else."""
    intents, outcomes = _entries(outcome.text('audit.jsonl'))
    stores = [e for e in intents if e['action'] != 'read']
    checks.none('audit: it notes just the %d stores that reached the device' % len(made), override_judge.noted(stores, made, BIG_ENDIAN))
    checks.none('audit: each has an outcome', [e['id'] for e in intents if e['id'] not in outcomes])
    reasons = {e['reason'] for e in intents}
    checks.none('audit: each successful case is in it', [case.name for case in ACTIONS if case.how == 'plain' and 'oracle ' + case.name not in reasons])
    listed = outcome.run('audit-json')
    checks.status(listed, 0)
    shown = [entry['intent']['id'] for entry in listed.document.get('accesses', [])]
    checks.check('audit: lists all %d accesses' % len(intents), shown == [e['id'] for e in intents] and shown, shown)
    checks.check('audit: a line for each', len(outcome.run('audit').out.splitlines()) >= len(intents), outcome.run('audit').out[-400:])
    checks.check('audit: nobody else may read it', [line[:10] for line in outcome.text('modes').splitlines()] == ['drwx------', '-rw-------'],
                 outcome.text('modes'))
    later = {entry['intent']['id'] for entry in outcome.run('audit-end').document.get('accesses', [])} - set(shown)
    checks.check('audit: of what was refused nothing is in it; the last reading of SIDE is', len(later) == 1, later)


def _never(checks, outcome, figures):
    """Globs, dumps, checks and snapshots meet no side effect and move no window, lab override or not."""
    maps = os.path.join(HERE, '..', 'nic', 'maps')
    declared = Declared(load_maps(maps, 'nic-override'), PCI, CONFIGURATION)
    for name in ('never-glob', 'never-all', 'never-dump', 'never-check', 'never-snapshot'):
        log = outcome.logged(name, True) or []
        bars = [a for a in log if a.bar != accesses.CONFIGURATION]
        wrong = accesses.undeclared(bars, declared) + [a for a in log if a.kind == 'W' and a not in bars] + [
            a for a in bars if a[1:4] in (SIDE, BEHIND)]
        figures.add('side effects, by the way', log, wrong)
        checks.none('%s: no store, no side effect, nothing behind a window' % name, wrong)
        checks.check('%s: %d loads' % (name, len(bars)), bars or name == 'never-glob')
    run = outcome.run('still-there')
    checks.check('what a reading would have cleared is there still', [r.get('value') for r in run.document.get('registers', [])] == ['0x00000077'], run)


def _killed(checks, outcome, number, figures):
    name = 'kill%d' % number
    log = outcome.logged(name, True) or []
    wanted = [accesses.Access('W', *SELECT, OPEN), accesses.Access('W', *BEHIND, 0x01020304), accesses.Access('W', *SELECT, CLOSED)]
    made = [a for a in log if a.kind == 'W']
    intents, outcomes = _entries(outcome.text(name + '.jsonl'))
    wrong = override_judge.prefix(log, wanted)
    if len(intents) < len(made):
        wrong.append('%d stores, %d announced' % (len(made), len(intents)))
    if number in STOPS and made not in ([], wanted):
        wrong.append('SIGTERM ended it with %d of its stores made' % len(made))
    figures.add('SIGTERM meanwhile' if number in STOPS else 'killed (kill -9)', log, wrong)
    checks.none('%s (%s): %d stores, each announced' % (name, outcome.text(name + '.status').strip(), len(made)), wrong)
    listed = outcome.run(name + '-audit').document.get('accesses', [])
    unknown = [entry['intent']['id'] for entry in listed if entry['outcome'] is None]
    checks.check('%s: what has no outcome is shown so (%d of %d)' % (name, len(unknown), len(intents)),
                 unknown == [e['id'] for e in intents if e['id'] not in outcomes] and len(listed) == len(intents), outcome.run(name + '-audit'))


def _readonly(checks, outcome):
    script = os.path.join(HERE, '..', 'cli', 'check_readonly.py')
    done = subprocess.run([sys.executable, '-B', script, '--readonly', readonly(outcome.options), '--program', outcome.options.program],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    checks.check('barscope-readonly: the functions that store are not in it (nm), nor their words', done.returncode == 0, done.stdout.decode())
