"""What must hold in each boot of the nic tier: judged by the emulated NIC's own log of what reached it."""

import collections
import json
import os

import accesses
import checks_driver
import checks_faults
import checks_harmless
import checks_log
import checks_override
import checks_random
import compare
import lspci
from declared import Declared, bar_spaces, load_maps
from machines import NIC_ADDRESSES
from outcome import Run

ADDRESS = NIC_ADDRESSES['NIC']
PCI = {'vendor': 0x14e4, 'device': 0x1750, 'isVf': 0}
TEST_MAPS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'nic', 'maps')
# The emulator's firmware is healthy: status 0x8000 at BAR 0 + 0x520 (tests/nic/bnxt_nic.py; Linux bnxt.h BNXT_FW_STATUS_HEALTHY).
STATUS, HEALTHY = (0, 0x520, 4), 0x8000
# What the emulator has in the status structure, and thereby where the status word is once more (GRC 0x31001f8); window 3 is on that page.
STRUCTURE = {'HCOMM.SIG_VER': 0x48435301, 'HCOMM.STATUS_LOC': 0x031001f9}
# All that the map of 575xx lets be read: windows, status, and what window 3 shows.
READABLE = {STATUS} | {(0, 0x400 + 4 * n, 4) for n in range(15)} | {(0, offset, 4) for offset in (0x31f0, 0x31f4, 0x31f8)}

# What bound.sh plants in the places that the test map declares: name -> value.
PLANTED = {
    'WORD': 0x55661004, 'LONG': 0x7123456789abcdef, 'BYTE': 0xa5, 'HALF': 0xbeef, 'BIG': 0x12345678, 'BESIDE': 0x01020304,
    'HALVES': 0x8877665544332211, 'LIST[0]': 0x10, 'LIST[1]': 0x11, 'LIST[2]': 0x12, 'LIST[3]': 0x13, 'ONES': 0xffffffff,
    'SCRATCH[0]': 0xcafe0000, 'SCRATCH[1]': 0xcafe0001, 'SCRATCH[2]': 0xcafe0002, 'SCRATCH64': 0xfedcba9876543210,
    'STATUS': HEALTHY, 'FW_STATUS': HEALTHY, 'FW_RESETS': 0, 'WINDOW3': 0x03100000,
}
PLANTED_FIELDS = {('WORD', 'LOW'): 0x1004, ('WORD', 'HIGH'): 0x5566, ('LONG', 'TOP'): 0x7, ('WINDOW3', 'PAGE'): 0x3100}


def extra_files(boot, options, out):
    files = [(os.path.join(TEST_MAPS, name), '/maps/' + name) for name in ('nic-emulator.json', 'nic-log.json', 'nic-override.json')]
    files += [(os.path.join(options.helpers, name), '/usr/bin/' + name) for name in ('nic_runner', 'nic_misuse')]
    if boot.startswith('nic-random'):
        files += checks_random.Plan(boot, options).files(out)
    if boot == 'nic-override':
        files += checks_override.extra_files(options, out)
    return files


class Judge:
    def __init__(self, checks, outcome, maps):
        self.checks, self.outcome = checks, outcome
        documents = load_maps(maps, 'bnxt-p5')
        self.bnxt, self.bar_spaces = Declared(documents, PCI, STRUCTURE), bar_spaces(documents)
        test_documents = load_maps(TEST_MAPS, 'nic-emulator')
        self.test_map = Declared(test_documents, PCI, {'WORD': PLANTED['WORD']})
        self.test_bars = {space['name']: space['bar'] for space in test_documents[0]['spaces']}

    def run(self, name) -> Run:
        return self.outcome.run(name)

    def bar_dump(self, name):
        return self.run(name).dump(self.bar_spaces)

    def log(self, name):
        log = self.outcome.logged(name)
        self.checks.check('%s: both marks are in the log' % name, log is not None)
        return log or []

    def silent(self, name):
        log = self.log(name)
        self.checks.check('%s: nothing reached the device' % name, not log, log)

    def declared_only(self, name, yardstick=None, passes=1):
        """Only loads that the map declares, each of the declared width, one per word and pass, and no write; at least one."""
        log = self.log(name)
        yardstick = yardstick or self.bnxt
        self.checks.check('%s: loads reached the device (%d)' % (name, len(log)), log)
        self.checks.none('%s: no write, only loads that the map declares' % name, accesses.undeclared(log, yardstick))
        self.checks.none('%s: one load per word' % name, accesses.repeated(log, yardstick, passes))
        return log

    def firmware_status(self, name, value=HEALTHY):
        """The firmware status was loaded, nothing beyond windows and their page was, and it is shown as the device answered."""
        log = self.declared_only(name)
        loaded = {access[1:4] for access in log}
        self.checks.check('%s: the firmware status was loaded' % name, STATUS in loaded, log)
        self.checks.none('%s: nothing but windows, status and window 3 was' % name, sorted(loaded - READABLE))
        shown = [int(r['value'], 16) for r in self.bar_dump(name).with_value() if int(r['offset'], 16) == STATUS[1]]
        self.checks.check('%s: shown as 0x%x' % (name, value), shown == [value], shown)

    def no_values(self, name):
        registers = self.run(name).dump()
        self.checks.none('%s: no register has a value' % name, [r['name'] for r in registers.with_value()])
        self.checks.none('%s: no register has fields' % name, [r['name'] for r in registers.registers if r.get('fields')])


def bound(checks, outcome, maps):
    judge = Judge(checks, outcome, maps)
    run = judge.run
    for name in ('list', 'info', 'doctor'):
        checks.status(run(name), 0)
        judge.silent(name)
    listed = {entry['address']: entry for entry in run('list').document.get('devices', [])}
    entry = listed.get(ADDRESS, {})
    checks.check('list: the NIC, its driver, its map, its interface',
                 (entry.get('vendor'), entry.get('device'), entry.get('driver'), entry.get('map')) == ('0x14e4', '0x1750', 'bnxt_en', 'bnxt-p5')
                 and len(entry.get('names', {}).get('net', [])) == 1, entry)
    bars = json.dumps(run('info').document.get('bars', []))
    # BAR sizes as in tests/nic/bnxt_nic.py.
    for size in ('0x10000"', '0x100000"', '0x8000"'):
        checks.check('info: a BAR of %s bytes' % size[:-1], size in bars, bars)
    for name in ('dump', 'read', 'by-name'):
        checks.status(run(name), 0)
        judge.firmware_status(name)
    shown = {r['name']: r for r in judge.bar_dump('dump').registers}
    for name, value in {**STRUCTURE, 'ANNOUNCED.FW_STATUS': HEALTHY, 'WINDOW3_BASE': 0x03100000}.items():
        checks.check('dump: %s is 0x%x' % (name, value), int(shown.get(name, {}).get('value', '0'), 16) == value, shown.get(name))
    for name in ('CHIMP_COMM[0]', 'KONG_COMM[0]'):
        checks.check('dump: %s waits to be asked for' % name, shown.get(name, {}).get('status') == 'on-request', shown.get(name))
    checks.status(run('check'), 0)
    judge.declared_only('check', passes=2)       # drops are told by two passes
    _one_load(judge)
    for name in ('list', 'info', 'read', 'dump', 'check'):
        checks.status(run(name + '-text'), 0)
    checks.status(run('pcie'), 0)
    judge.silent('pcie')
    before, after = (lspci.parse(outcome.text('lspci.' + when))[ADDRESS] for when in ('before', 'after'))
    checks.table(compare.with_lspci(run('pcie').dump(), before, after), 150)
    _test_map(judge)
    _lost(judge)
    _gone(judge)
    checks.status(run('gone-text'), 4)
    checks.check('gone: the text shows no all-ones value', '0xffffffff' not in run('gone-text').out, run('gone-text').out[:400])


def _one_load(judge):
    """What was asked for, and nothing that only other registers' places depend on."""
    checks = judge.checks
    checks.status(judge.run('config-only'), 0)
    judge.silent('config-only')
    checks.status(judge.run('status-only'), 0)
    loaded = [access[1:4] for access in judge.log('status-only')]
    checks.check('status-only: one load', loaded == [STATUS], loaded)


def _test_map(judge):
    checks, run = judge.checks, judge.run
    log = judge.declared_only('map', judge.test_map)
    loaded = {access[1:4] for access in log}
    wanted = {load[1:4] for load in judge.test_map.loads}
    checks.check('map: every declared word was loaded (%d)' % len(wanted), loaded == wanted, wanted ^ loaded)
    dump = run('map').dump()
    shown = {register['name']: register for register in dump.registers}
    for name, value in PLANTED.items():
        seen = shown.get(name, {}).get('value')
        checks.check('map: %s is 0x%x' % (name, value), seen is not None and int(seen, 16) == value, shown.get(name))
    for (name, field), value in PLANTED_FIELDS.items():
        seen = [f['value'] for f in shown.get(name, {}).get('fields', []) if f['name'] == field]
        checks.check('map: %s.%s is 0x%x' % (name, field, value), seen and int(seen[0], 16) == value, seen)
    for name, status in (('CLEARS', 'side-effect'), ('FIELD_CLEARS', 'side-effect'), ('WRITTEN', 'write-only'), ('BAD', 'poison')):
        entry = shown.get(name, {})
        checks.check('map: %s is %s, not a value' % (name, status), entry.get('status') == status and not entry.get('fields'), entry)
    checks.none('map: values are what the device answered', accesses.contradicted(
        log, dump, lambda register: None if register['name'] == 'BIG' else judge.test_bars[register['space']]))

    checks.status(run('map-one'), 0)
    one = {access[1:4] for access in judge.declared_only('map-one', judge.test_map)}
    needed = {(0, 0x900, 4), STATUS}     # the layout asks WORD for the length of LIST; the sentinel
    checks.check('map-one: LONG and at most what the layout needs', (0, 0x908, 8) in one and one <= {(0, 0x908, 8)} | needed, one)
    checks.status(run('map-list'), 0)
    some = {access[1:4] for access in judge.declared_only('map-list', judge.test_map)}
    checks.check('map-list: LIST[2] and at most what the layout needs',
                 (0, 0x970, 4) in some and some <= {(0, 0x970, 4)} | needed, some)
    checks.status(run('map-refused'), 3)
    refused = {access[1:4] for access in judge.log('map-refused')}
    checks.check('map-refused: the register was not loaded', not any(offset == 0x920 for _, offset, _ in refused), refused)
    checks.status(run('map-alive'), 0)
    # 0x924 is mined later on, for _lost().
    checks.none('no mine was hit', [line for line in _events(judge.outcome) if 'mine hit' in line and 'bar0 0x924' not in line])

    log = judge.log('map-window')
    checks.check('map-window: nothing behind the window was loaded', log and not any(a.offset >= 0x1000 and a.bar == 0 for a in log), log)
    behind = [r for r in run('map-window').dump().registers if r['space'] == 'health']
    checks.check('map-window: the registers behind it say so',
                 len(behind) == 2 and all(r['status'] == 'window-not-selected' and 'value' not in r for r in behind), behind)


def _lost(judge):
    """The device goes away in the middle: what was read before is kept, nothing after it is shown or asked for."""
    checks = judge.checks
    checks.status(judge.run('map-lost'), 4)
    registers = {register['name']: register for register in judge.run('map-lost').dump().registers}
    before = [name for name in ('WORD', 'LONG', 'BYTE', 'HALF') if int(registers.get(name, {}).get('value', '0'), 16) == PLANTED[name]]
    checks.check('map-lost: words before it have their values', len(before) == 4, registers)
    checks.none('map-lost: no word from there on has a value or fields',
                [r for r in registers.values() if int(r['offset'], 16) >= 0x924 and ('value' in r or r.get('fields'))])
    log = judge.log('map-lost')
    fatal = [i for i, access in enumerate(log) if access[1:3] == (0, 0x924)]
    checks.check('map-lost: at most 2 more loads went to the dead device', len(fatal) == 1 and len(log) - fatal[0] <= 3, log)


def _events(outcome):
    with open(os.path.join(outcome.folder, 'events.log')) as file:
        return file.read().splitlines()


def _gone(judge):
    """All ones everywhere: said so, not decoded, and the dead device is left alone."""
    for name in ('gone', 'gone-read'):
        judge.checks.status(judge.run(name), 4)
        judge.no_values(name)
        log = judge.log(name)
        judge.checks.check('%s: at most 3 loads went to the dead device' % name, len(log) <= 3, log)


def strict(checks, outcome, maps):
    judge = Judge(checks, outcome, maps)
    run = judge.run
    # Lab override knows no way around the kernel, either.
    for name in ('bound', 'bound-check', *([] if outcome.options.without_override else ['bound-write'])):
        checks.status(run(name), 5, 'exclusive-claim')
        checks.check('%s: names the driver' % name, 'bnxt_en' in json.dumps(run(name).error), run(name).error)
        judge.silent(name)
    checks.status(run('bound-info'), 0)
    judge.silent('bound-info')
    checks.status(run('up'), 5, 'exclusive-claim')
    checks.status(run('ping'), 0)

    for name in ('free', 'free-read', 'retry', 'no-timing'):
        checks.status(run(name), 0)
        judge.firmware_status(name)
    # Without its driver the NIC has no network interface, and so nobody counts drops: no all-clear, but all the rest is judged.
    checks.status(run('free-check'), 4)
    results = {c['name']: c['result'] for c in run('free-check').document.get('checks', [])}
    checks.check('free-check: only what the network interface counts is not evaluated',
                 {name for name, result in results.items() if result == 'not-evaluated'} == {
                     'no-receive-discards', 'no-receive-drops', 'no-transmit-drops', 'no-checksum-errors', 'link-not-lost'}
                 and 'failed' not in results.values(), results)
    judge.declared_only('free-check')
    judge.silent('free-list')
    snapshot(checks, outcome, judge)

    checks.status(run('late'), 0)
    judge.firmware_status('late')
    late = [r for r in judge.bar_dump('late').with_value() if r['name'] == 'FW_STATUS']
    checks.check('late: the load is marked slow', late and late[0].get('slow') is True and late[0]['ns'] >= 60_000_000, late)
    checks.status(run('crashed'), 0)
    judge.firmware_status('crashed', 0x8003)
    checks.status(run('crashed-check'), 1)
    failed = [c['name'] for c in run('crashed-check').document.get('checks', []) if c['result'] == 'failed']
    checks.check('crashed-check: the firmware is not ready', 'firmware-ready' in failed, failed)
    checks.status(run('ones'), 4)
    judge.no_values('ones')
    statuses = {r['status'] for r in judge.bar_dump('ones').registers}
    checks.check('ones: the BAR does not answer, configuration space does', statuses == {'bar-dead'}, statuses)
    checks.status(run('gone'), 4)
    judge.no_values('gone')
    checks.status(run('healed'), 0)
    judge.firmware_status('healed')
    taken = run('taken')
    checks.check('taken: the driver binds in the middle of a dump: exit status 0 or 4, no crash', taken.status in (0, 4), taken)
    registers = taken.dump()
    checks.check('taken: words read before have values', any(r['name'] == 'WINDOW3' for r in registers.with_value()), taken)
    checks.check('taken: what was lost says so', taken.status == 0 or 'lost' in {r['status'] for r in registers.registers}, taken.err)
    behind = {r['status'] for r in registers.registers if r['space'] == 'health'}
    checks.check('taken: of a window that could not be looked at nothing is claimed', taken.status == 0 or behind == {'not-attempted'}, behind)
    checks.check('the driver binds again', outcome.text('net-after').strip().startswith('eth'), outcome.text('net-after'))


def snapshot(checks, outcome, judge):
    """A snapshot loads each word once a pass; what is asked of it afterwards is asked of the file."""
    passes = 3
    checks.status(outcome.run('free-snapshot'), 0)
    log = judge.declared_only('free-snapshot', passes=passes)
    one = collections.Counter(access[1:4] for access in judge.log('free'))
    all_passes = collections.Counter(access[1:4] for access in log)
    # On a busy machine a load may look slow, and then the status is asked once more.
    one.pop(STATUS, None)
    all_passes.pop(STATUS, None)
    checks.check('free-snapshot: %d passes are %d times the loads of a dump' % (passes, passes),
                 all_passes == collections.Counter({place: passes * count for place, count in one.items()}), (one, all_passes))
    checks.status(outcome.run('free-verify'), 0)
    checks.status(outcome.run('free-offline'), 0)
    for name in ('free-verify', 'free-offline'):
        judge.silent(name)
    values = [{register['name']: register.get('value') for register in outcome.run(name).document.get('registers', [])}
              for name in ('free', 'free-offline')]
    checks.check('free-offline: the same registers and values as on the device (%d)' % len(values[0]), values[0] == values[1], values)


JUDGES = {'nic-bound': bound, 'nic-strict': strict, 'nic-driver': checks_driver.driver, 'nic-log': checks_log.log,
          'nic-random-1': checks_random.random, 'nic-random-2': checks_random.random, 'nic-harmless': checks_harmless.harmless, 'nic-faults': checks_faults.faults,
          'nic-override': checks_override.override}
