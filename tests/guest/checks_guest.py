"""What must hold in each boot of the guest tier."""

import json
import os

import accesses
import compare
import lspci
import nvme
from declared import Declared, bar_spaces, load_maps
from machines import GUEST_ADDRESSES as AT


MAPS = {'nvme': 'nvme', 'e1000e': 'intel-e1000e', 'igb': 'igb', 'edu': 'qemu-edu', 'virtio': 'virtio-pci'}
IDS = {'nvme': (0x1b36, 0x0010), 'e1000e': (0x8086, 0x10d3), 'igb': (0x8086, 0x10c9), 'edu': (0x1234, 0x11e8),
       'virtio': (0x1af4, 0x1041)}
DRIVERS = {'nvme': 'nvme', 'e1000e': 'e1000e', 'igb': 'igb', 'edu': '', 'virtio': 'virtio-pci'}
CLAIM, LOCKDOWN, DECODE_OFF, ASLEEP, OWNED = 'exclusive-claim', 'kernel-lockdown', 'memory-decode-off', 'not-in-d0', 'owned-by-vm'
FREE_DUMP_MAP = 'e1000e-free-dump.json'


def extra_files(boot, options, out):
    """A copy of e1000e's map that says that the driver's dump is free of side effects, under another name: the built-in one says that it
    is not (the driver reads latched PHY registers), so no device here would show that `--source ethtool` works."""
    with open(os.path.join(options.maps, 'intel-e1000e.json')) as file:
        document = json.load(file)
    document['name'] = 'e1000e-free-dump'
    document.pop('match', None)
    document['spaces'][0]['ethtool']['sideEffectFree'] = True
    path = os.path.join(out, FREE_DUMP_MAP)
    with open(path, 'w') as file:
        json.dump(document, file)
    return [(path, '/maps/' + FREE_DUMP_MAP)]


def declared(maps, device, registers=None):
    vendor, number = IDS[device]
    return Declared(load_maps(maps, MAPS[device]), {'vendor': vendor, 'device': number, 'isVf': 0}, registers)


def bar_dump(run, maps, device):
    return run.dump(bar_spaces(load_maps(maps, MAPS[device])))


def judge_loads(checks, outcome, name, device, maps):
    """A traced dump: only declared loads, of the declared width, each once, no write; and the values are what the device answered."""
    seen = outcome.traced(name, AT[device.upper()])
    if not checks.check('%s: the device was watched' % name, seen is not None):
        return
    run = outcome.run(name)
    registers = {}
    if device == 'nvme':                 # doorbells lie at a stride that CAP tells
        registers['CAP'] = nvme.parse(outcome.text('nvme.before'))[0].get('cap') or 0x4008200f0107ff
    yardstick = declared(maps, device, registers)
    loads = [access for access in seen if access.kind == 'R']
    checks.check('%s: loads reached the device (%d)' % (name, len(loads)), loads)
    checks.none('%s: no write, only loads that the map declares' % name, accesses.undeclared(seen, yardstick))
    checks.none('%s: one load per word' % name, accesses.repeated(seen, yardstick))
    bars = {load.name: load.bar for load in yardstick.loads}
    checks.none('%s: values are what the device answered' % name,
                accesses.contradicted(seen, bar_dump(run, maps, device), lambda register: bars.get(register['name'])))


def untouched(checks, outcome, name, device):
    seen = outcome.traced(name, AT[device.upper()])
    checks.check('%s: nothing reached the device' % name, seen == [], seen)


def refused(checks, outcome, maps, name, device, status, cause, words=()):
    run = outcome.run(name)
    checks.status(run, status, cause)
    text = ' '.join(str(run.error.get(key, '')) for key in ('what', 'where', 'remedy'))
    for word in words:
        checks.check('%s: the message says "%s"' % (name, word), word in text, text)
    checks.none('%s: no register of a BAR has a value' % name, [r['name'] for r in bar_dump(run, maps, device).with_value()])
    untouched(checks, outcome, name, device)


# ---- boots ---------------------------------------------------------------------


def relaxed(checks, outcome, maps):
    for name in ('list-text', 'list', 'info-text', 'read-text', 'dump-text', 'read-nvme', 'doctor'):
        checks.status(outcome.run(name), 0)
    _list(checks, outcome)
    _info(checks, outcome)
    _read(checks, outcome)

    for device in ('nvme', 'e1000e', 'igb', 'edu', 'virtio'):
        checks.status(outcome.run('dump-' + device), 0)
        run = outcome.run('check-' + device)
        checks.check('%s: exit status 0 or 1' % run.command, run.status in (0, 1), run)
        named = run.document.get('map', {}).get('name')
        checks.check('%s: map %s' % (run.command, MAPS[device]), named == MAPS[device], named)
    checks.table(compare.with_nvme(bar_dump(outcome.run('dump-nvme'), maps, 'nvme'), outcome.text('nvme.before'), outcome.text('nvme.after')), 30)
    for device, least in (('e1000e', 30), ('igb', 300)):
        checks.table(compare.with_ethtool(device, bar_dump(outcome.run('dump-' + device), maps, device),
                                          outcome.text('ethtool-%s.before' % device), outcome.text('ethtool-%s.after' % device)),
                     least)
    # Only these have no driver that reads on its own account meanwhile.
    for device in ('nvme', 'edu'):
        judge_loads(checks, outcome, 'dump-' + device, device, maps)
    edu = bar_dump(outcome.run('dump-edu'), maps, 'edu')
    # QEMU docs/specs/edu.rst: 0xRRrr00ed, version 1.0.
    identity = edu.at(0)[0].get('value') if edu.at(0) else None
    checks.check('edu identifies itself with 0x010000ed', identity is not None and int(identity, 16) == 0x010000ed, identity)
    _side_effects(checks, outcome, maps)
    _virtio(checks, outcome, maps)
    refused_source = outcome.run('ethtool-e1000e')
    checks.status(refused_source, 3)
    _pcie(checks, outcome)
    for name in ('hot1', 'hot2'):
        _unplugged(checks, outcome, name)
    _unplugged_snapshot(checks, outcome)


def _list(checks, outcome):
    listed = {entry['address']: entry for entry in outcome.run('list').document.get('devices', [])}
    checks.check('list has every function that the kernel has', sorted(listed) == sorted(outcome.facts),
                 sorted(set(outcome.facts) ^ set(listed)))
    for device, map_name in MAPS.items():
        entry = listed.get(AT[device.upper()], {})
        seen = (entry.get('vendor'), entry.get('device'), entry.get('driver') or '', entry.get('map'))
        wanted = tuple('0x%04x' % number for number in IDS[device]) + (DRIVERS[device], map_name)
        checks.check('list: %s' % device, seen == wanted, '%s, not %s' % (seen, wanted))
        checks.check('list: %s is readable' % device, entry.get('readable') is True, entry)
    checks.check('list names the NVMe controller', outcome.text('nvme-name').split() == listed.get(AT['NVME'], {}).get('names', {}).get('nvme'))


def _info(checks, outcome):
    for device in MAPS:
        run = outcome.run('info-' + device)
        if not checks.status(run, 0):
            continue
        _, bars = outcome.facts[AT[device.upper()]]
        text = json.dumps(run.document.get('bars', []))
        for number, (_, size) in enumerate(bars):
            if size:
                checks.check('info %s: BAR %d has 0x%x bytes' % (device, number, size), '0x%x"' % size in text, text)


def _read(checks, outcome):
    values = nvme.parse(outcome.text('nvme.before'))[0]
    read = outcome.run('read-nvme').dump()
    shown = {register['name']: register.get('value') for register in read.registers}
    checks.check('read shows what was asked for', sorted(shown) == ['CAP', 'CSTS'], shown)
    for name in ('CAP', 'CSTS'):
        checks.check('read %s equals nvme show-regs' % name, int(shown.get(name) or '0', 16) == values.get(name.lower()), shown)


def _side_effects(checks, outcome, maps):
    """Interrupt causes and statistics are cleared by reading them: named, not read. ICR: 82574 datasheet 10.2.4.1; 82576 8.8.9
    (at 0x1500, and at 0xc0 as on older chips)."""
    for device in ('e1000e', 'igb'):
        found = bar_dump(outcome.run('dump-' + device), maps, device).at(0xc0)
        checks.check('%s: ICR is listed as not read' % device, found and found[0]['status'] == 'side-effect' and 'value' not in found[0],
                     found)
        loads = [a for a in outcome.traced('dump-' + device, AT[device.upper()]) or [] if a.kind == 'R' and a.offset in (0xc0, 0x1500)]
        # igb's driver has no reason to read ICR with MSI-X; e1000e's watchdog reads it in its other-cause interrupt only.
        checks.check('%s: ICR was not loaded' % device, not loads, loads)


def _virtio(checks, outcome, maps):
    """ISR status is cleared by reading (virtio 1.2, 4.1.4.5): BAR 4 + 0x1000 on this device."""
    dump = bar_dump(outcome.run('dump-virtio'), maps, 'virtio')
    isr = [r for r in dump.registers if r['status'] == 'side-effect']
    checks.check('virtio: the ISR is listed as not read', any('ISR' in r['name'].upper() for r in isr), [r['name'] for r in isr])
    seen = outcome.traced('dump-virtio', AT['VIRTIO'])
    checks.check('virtio: loads reached the device', seen)
    checks.none('virtio: ISR not loaded, nothing written', [a for a in seen or [] if a.kind == 'W' or 0x1000 <= a.offset < 0x2000])
    answered = {(a.bar, a.offset, a.size): a.value for a in seen or []}
    for register in dump.with_value():
        place = (4, int(register['offset'], 16), register['width'] // 8)
        if place in answered:
            checks.check('virtio: %s is what the device answered' % register['name'],
                         int(register['value'], 16) == answered[place], (register['value'], answered[place]))


def _pcie(checks, outcome):
    before, after = lspci.parse(outcome.text('lspci.before')), lspci.parse(outcome.text('lspci.after'))
    for address in sorted(outcome.facts):
        run = outcome.run('pcie-' + address)
        if not checks.status(run, 0):
            continue
        table = compare.with_lspci(run.dump(), before[address], after[address])
        table.title += ' (%s)' % address
        checks.table(table, 30)


def _unplugged(checks, outcome, name):
    """The device went away in the middle: what was read before is kept, nothing that came after is shown as data."""
    run = outcome.run('unplug-' + name)
    checks.check('%s: the device is gone from the machine' % name, not outcome.text('still-' + name))
    checks.status(run, 4)
    statuses = {register['status'] for register in run.dump().registers}
    checks.check('%s: some words were read, some were not' % name, {'ok'} < statuses, statuses)
    ones = [r['name'] for r in run.dump().with_value() if int(r['value'], 16) == (1 << r['width']) - 1]
    checks.none('%s: no all-ones value is shown' % name, ones)
    checks.none('%s: no fields where there is no value' % name,
                [r['name'] for r in run.dump().registers if 'value' not in r and r.get('fields')])
    checks.status(outcome.run('absent-' + name), 4)


def _unplugged_snapshot(checks, outcome):
    """The device went away while a snapshot was made and its log was followed."""
    run = outcome.run('unplug-hot3')
    checks.check('hot3: the device is gone from the machine', not outcome.text('still-hot3'))
    checks.status(run, 4)
    checks.status(outcome.run('verify-unplugged'), 0)
    registers = outcome.run('dump-unplugged').dump()
    statuses = {register['status'] for register in registers.registers}
    checks.check('hot3: the snapshot has what was read before and says what was not', len(statuses) > 1 and 'ok' in statuses, statuses)
    checks.none('hot3: no all-ones value is in it',
                [r['name'] for r in registers.with_value() if int(r['value'], 16) == (1 << r['width']) - 1 and r['status'] != 'all-ones-alive'])
    checks.status(outcome.run('absent-hot3'), 4)
    left = [name for name in outcome.text('left').split() if name.startswith(('absent.json', 'unplugged.json', '.'))]
    checks.check('hot3: no half file is left', left == ['unplugged.json'], left)
    follow = outcome.run('follow-hot3')
    checks.check('hot3: the follower ends with 0', follow.status == 0, follow)
    checks.check('hot3: the follower tells the removal', 'the device is gone' in follow.err, follow.err)
    checks.check('hot3: the follower went on', 'after it was unplugged' in follow.out, follow.out[-400:])


def strict(checks, outcome, maps):
    for name in ('doctor', 'list', 'pcie'):
        checks.status(outcome.run(name), 0)
    for device in ('nvme', 'e1000e', 'igb'):
        refused(checks, outcome, maps, 'bound-' + device, device, 5, CLAIM, (DRIVERS[device], 'iomem=relaxed'))
    for device in ('nvme', 'e1000e', 'igb'):
        verdicts = {v['check']: v for v in outcome.run('info-' + device).document.get('verdicts', [])}
        tried = verdicts.get('bar0-mapping', {})
        checks.check('info %s: BAR 0 cannot be mapped, and why' % device, tried.get('passed') is False and tried.get('cause') == CLAIM,
                     tried or verdicts)
    text = outcome.run('bound-text')
    checks.check('the refusal is one line on stderr', text.err.count('\n') == 1 and text.err.startswith('barscope: error: '), text)
    functions = lspci.parse(outcome.text('lspci.txt'))
    checks.table(compare.with_lspci(outcome.run('pcie').dump(), functions[AT['NVME']], functions[AT['NVME']]), 100)
    checks.status(outcome.run('edu'), 0)
    judge_loads(checks, outcome, 'edu', 'edu', maps)

    checks.status(outcome.run('ethtool-igb'), 3)
    untouched(checks, outcome, 'ethtool-igb', 'igb')
    _driver_dump(checks, outcome, maps)

    for device in ('nvme', 'e1000e', 'igb'):
        checks.status(outcome.run('free-' + device), 0)
        judge_loads(checks, outcome, 'free-' + device, device, maps)
    _one_register(checks, outcome)
    refused(checks, outcome, maps, 'memory-off', 'e1000e', 3, DECODE_OFF)
    checks.status(outcome.run('memory-on'), 0)
    refused(checks, outcome, maps, 'd3hot', 'nvme', 3, ASLEEP, ('D3hot',))
    checks.status(outcome.run('d0'), 0)
    checks.check('the kernel had suspended the device', outcome.text('runtime-status').strip() == 'suspended')
    refused(checks, outcome, maps, 'suspended', 'igb', 3, ASLEEP, ('suspended',))
    checks.check('the device was not woken', outcome.text('runtime-status-after').strip() == 'suspended')
    refused(checks, outcome, maps, 'vfio', 'e1000e', 3, OWNED, ('vfio-pci', '--allow-vfio'))
    checks.status(outcome.run('vfio-allowed'), 0)
    judge_loads(checks, outcome, 'vfio-allowed', 'e1000e', maps)


def _driver_dump(checks, outcome, maps):
    """`--source ethtool` with a map that says that the driver's dump may be used."""
    run = outcome.run('ethtool-e1000e')
    checks.status(run, 0)                # it holds a few of the map's registers only: the others are said to be unread
    statuses = {register['status'] for register in bar_dump(run, maps, 'e1000e').registers}
    checks.check('the driver\'s dump: what it lacks is said to be not covered', {'ok', 'not-covered'} <= statuses, statuses)
    checks.status(outcome.run('ethtool-read'), 0)
    if outcome.name == 'lockdown':       # each pass takes the dump anew
        checks.status(outcome.run('ethtool-snapshot'), 0)
        captures = json.loads(outcome.text('ethtool.json') or '{}').get('captures', [])
        words = [sum(len(block['words'].replace('.', '')) for block in capture['blocks'] if block['space'] == 'bar0') for capture in captures]
        checks.check('a snapshot of the driver\'s dump has the words of both passes', len(words) == 2 and words[0] == words[1] > 0, words)
    sources = json.dumps(run.document.get('sources', []))
    checks.check('the output names the driver\'s dump as the source', 'ETHTOOL_GREGS' in sources and 'mmap' not in sources, sources)
    checks.table(compare.with_ethtool('e1000e', bar_dump(run, maps, 'e1000e'), outcome.text('ethtool-e1000e.before'),
                                      outcome.text('ethtool-e1000e.after')), 30)


def _one_register(checks, outcome):
    seen = outcome.traced('one-e1000e', AT['E1000E'])
    checks.status(outcome.run('one-e1000e'), 0)
    # STATUS is the map's only sentinel as well, so nothing else has to be asked.
    checks.check('one register: nothing but STATUS was loaded', seen and {(a.kind, a.offset, a.size) for a in seen} == {('R', 8, 4)}, seen)
    checks.status(outcome.run('named-icr'), 3)
    untouched(checks, outcome, 'named-icr', 'e1000e')


def lockdown(checks, outcome, maps):
    checks.check('the kernel is locked down', '[integrity]' in outcome.text('lockdown'), outcome.text('lockdown'))
    for name in ('doctor', 'doctor-text', 'list', 'info', 'pcie'):
        checks.status(outcome.run(name), 0)
    checks.check('doctor tells of lockdown', 'integrity' in outcome.run('doctor-text').out, outcome.run('doctor-text').out[:400])
    listed = {entry['address']: entry for entry in outcome.run('list').document.get('devices', [])}
    for device in ('nvme', 'e1000e', 'edu'):
        entry = listed.get(AT[device.upper()], {})
        checks.check('list: %s is not readable, because of lockdown' % device,
                     entry.get('readable') is False and entry.get('cause') == LOCKDOWN, entry)
        refused(checks, outcome, maps, 'dump-' + device, device, 5, LOCKDOWN)
        run = outcome.run('dump-' + device)
        text = json.dumps(run.error).lower()
        checks.check('%s: does not advise to turn protection off' % device,
                     not any(word in text for word in ('disable secure boot', 'turn off secure boot', 'turn secure boot off')), text)
    before, after = lspci.parse(outcome.text('lspci.before')), lspci.parse(outcome.text('lspci.after'))
    checks.table(compare.with_lspci(outcome.run('pcie').dump(), before[AT['NVME']], after[AT['NVME']]), 100)
    _driver_dump(checks, outcome, maps)


def bookworm(checks, outcome, maps):
    for name in ('doctor', 'list', 'info', 'pcie', 'edu', 'free-nvme', 'free-e1000e', 'free-igb'):
        checks.status(outcome.run(name), 0)
    run = outcome.run('check')
    checks.check('%s: exit status 0 or 1' % run.command, run.status in (0, 1), run)
    for device in ('nvme', 'e1000e'):
        refused(checks, outcome, maps, 'bound-' + device, device, 5, CLAIM, (DRIVERS[device],))
    judge_loads(checks, outcome, 'edu', 'edu', maps)
    for device in ('nvme', 'e1000e', 'igb'):
        judge_loads(checks, outcome, 'free-' + device, device, maps)
    before, after = lspci.parse(outcome.text('lspci.before')), lspci.parse(outcome.text('lspci.after'))
    checks.table(compare.with_lspci(outcome.run('pcie').dump(), before[AT['IGB']], after[AT['IGB']]), 150)


JUDGES = {'relaxed': relaxed, 'strict': strict, 'lockdown': lockdown, 'bookworm': bookworm}
