"""Judges the boot in which barscope reads beside a live driver: nothing that the driver or the network notices, and no access but the driver's own
and those that the register map declares."""

import collections
import os
import re

import accesses
from declared import Declared, load_maps
from declared_logs import log_loads

# Where the driver writes (tests/nic/bnxt_nic.py; Linux bnxt_hwrm.h, bnxt.h, bnxt_re qplib_rcfw.h): its mailboxes with their triggers, doorbells.
DRIVER_WRITES = ((0, 0x000, 0x080), (0, 0x100, 0x104), (0, 0x600, 0x610), (0, 0x700, 0x704), (2, 0x10000, 0x100000))
# What the kernel's log says of a reset or a fault (Linux bnxt.c, bnxt_devlink.c).
NOTICED = re.compile(r'reset|recover|fatal|error|fail|timeout|heartbeat|hung', re.IGNORECASE)
RIGHT = {0, 1, 4}                        # 1 findings, 4: something is not there to be read


def _between(lines, start, end):
    return accesses.from_log(lines, start, end) or []


def _kinds(found):
    return collections.Counter((a.kind, a.bar, a.offset if a.bar == 0 else 'doorbell', a.size) for a in found)


def complaints_of_accesses(log, alone, declared):
    """What was neither the driver's kind nor declared."""
    known = {(a.kind, a.bar, a.offset, a.size) for a in alone}
    allowed = {load[1:4] for load in declared.loads + log_loads(declared)}
    result = []
    for access in log:
        place = (access.bar, access.offset, access.size)
        own = (access.kind, *place) in known or (access.kind == 'W' and any(
            bar == access.bar and first <= access.offset and access.offset + access.size <= end for bar, first, end in DRIVER_WRITES))
        if not own and not (access.kind == 'R' and place in allowed):
            result.append('%s bar%d+0x%x size %d = %s' % access)
    return result


def lost(ping):
    """Packets lost as ping says at its end, or None where it does not. The very last one may have been on its way when ping was ended."""
    match = re.search(r'(\d+) packets transmitted, (\d+) (?:packets )?received', ping)
    if not match:
        return None
    answered = {int(number) for number in re.findall(r'seq=(\d+) ', ping)}
    last = int(match[1]) - 1
    under_way = last not in answered and last - 1 in answered
    return int(match[1]) - int(match[2]) - under_way


def sent(ping):
    match = re.search(r'(\d+) packets transmitted', ping)
    return int(match[1]) if match else 0


def noticed(outcome, before, after, events):
    """Signs that driver or firmware have seen trouble between two states."""
    old, new = outcome.text('dmesg.' + before).splitlines(), outcome.text('dmesg.' + after).splitlines()
    signs = ['kernel log: ' + line for line in new[len(old):] if NOTICED.search(line)]
    if outcome.text('health.' + before) != outcome.text('health.' + after):
        signs.append('devlink health: ' + outcome.text('health.' + after).strip()[:300])
    resets = [re.search(r'resets (\d+)', outcome.text('firmware.' + when)) for when in (before, after)]
    if not all(resets) or resets[0][1] != resets[1][1]:
        signs.append('firmware: ' + outcome.text('firmware.' + after)[:200])
    return signs + ['firmware: ' + line for line in events if re.search(r'firmware reset|function reset|grc write|odd write|not understood|BUG', line)]


def _events(outcome, start, end):
    """Lines of the firmware's log between two times of the access log."""
    with open(os.path.join(outcome.folder, 'events.log')) as file:
        return [line.rstrip('\n') for line in file if start <= float(line.split()[0]) <= end]


def _times(outcome):
    with open(os.path.join(outcome.folder, 'access.log')) as file:
        return {note.strip(): float(head) for head, _, note in (line.partition(' # ') for line in file) if len(head.split()) == 1}


def harmless(checks, outcome, maps):
    with open(os.path.join(outcome.folder, 'access.log')) as file:
        lines = file.readlines()
    declared = Declared(load_maps(maps, 'bnxt-p5'), {'vendor': 0x14e4, 'device': 0x1750, 'isVf': 0},
                        {'HCOMM.SIG_VER': 0x48435301, 'HCOMM.STATUS_LOC': 0x031001f9})
    alone, log = _between(lines, 'begin-alone', 'end-alone'), _between(lines, 'begin-loop', 'end-loop')
    times = _times(outcome)
    commands = [line.split(' ', 1) for line in outcome.text('loop.commands').splitlines()]
    found = complaints_of_accesses(log, alone, declared)
    print('harmless: %d commands, %d accesses checked (the driver\'s and ours), %d violations; the driver alone made %d accesses of %d kinds; '
          '%d packets sent, %s lost' % (len(commands), len(log), len(found), len(alone), len(_kinds(alone)), sent(outcome.text('ping.loop')),
                                        lost(outcome.text('ping.loop'))))
    checks.check('alone: the driver reads its health registers and rings doorbells', any(a.bar == 2 and a.kind == 'W' for a in alone)
                 and any(a.kind == 'R' for a in alone), _kinds(alone))
    checks.check('loop: each command ran at least three times (%d runs)' % len(commands), _fewest(commands) >= 3, _counts(commands))
    checks.none('loop: exit statuses', ['%s: %s' % (status, command) for status, command in commands if int(status) not in RIGHT])
    checks.none('loop: no access but the driver\'s own and what the map declares', found)
    ours = [a for a in log if a.kind == 'R' and (a.bar, a.offset, a.size) in {load[1:4] for load in declared.loads}]
    checks.check('loop: barscope read the device (%d loads of declared places)' % len(ours), len(ours) > len(commands))
    for name in ('alone', 'loop'):
        text = outcome.text('ping.' + name)
        checks.check('%s: no packet lost of %d' % (name, sent(text)), lost(text) == 0 and sent(text) >= 10, text[-300:])
    events = _events(outcome, times.get('begin-loop', 0), times.get('end-loop', 0))
    checks.none('loop: neither driver nor firmware noticed anything', noticed(outcome, 'before', 'after', events))
    refused = [line for line in events if ' -> error' in line and not any(line.split()[2] == known.split()[2] for known in _events(
        outcome, 0, times.get('begin-loop', 0)) if ' -> error' in known)]
    checks.none('loop: the firmware refused no command that it had not refused the driver before', refused)
    _stray(checks, outcome, declared, lines, alone, times)


def _stray(checks, outcome, declared, lines, alone, times):
    """One write of a window register, and everything that was judged above complains."""
    after = [a for a in accesses.all_of(lines[max(i for i, line in enumerate(lines) if line.endswith(' # end-loop\n')):])]
    found = complaints_of_accesses(after, alone, declared)
    checks.check('stray write: the judge of accesses complains', any(text.startswith('W bar0+0x408') for text in found), found[:5])
    signs = noticed(outcome, 'after', 'stray', _events(outcome, times.get('end-loop', 0), float('inf')))
    checks.check('stray write: driver and firmware notice it', any('fatal' in s or 'reset' in s for s in signs), signs)
    checks.check('stray write: devlink counts it', outcome.text('health.after') != outcome.text('health.stray'), outcome.text('health.stray'))


def _counts(commands):
    return collections.Counter(command.split(' # ')[0] for _, command in commands)


def _fewest(commands):
    counts = _counts(commands)
    return min(counts.values()) if len(counts) >= 16 else 0
