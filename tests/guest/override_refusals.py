"""What nic-override asks for and must not get: no store in any of these cases, and no load but those that are named. Beside override_cases.py."""

from override_cases import BEHIND, CLOSED, SELECT, SOME, WORD, Case, ctl, refused

MASKED, RESERVED = (0, 0x9c4, 4), (0, 0x9c8, 4)
GROUP = 'refused by map or command line'
LOG, ASKED, READONLY = 'refused: audit log', 'refused: the answer, or a change before it', 'barscope-readonly'


def wrong(name, words, status, cause=None, loads=(), says=None, **more):
    return refused(name, words, status, cause, loads, says, GROUP, **more)


def log(name, path, says, looks):
    """A log that cannot be written; the register was looked at so often before that was found."""
    return refused('log-' + name, 'write $NIC WORD=1 --yes --audit-log ' + path, 7, 'audit-log', [(WORD, looks)], says, LOG)


def changed(name, meanwhile, **more):
    """The right answer, but the device is not what it was. What the kernel and setpci do to it meanwhile is not judged."""
    quiet = not meanwhile.startswith('ask')
    return refused('changed-' + name, 'write $NIC WORD=1', 3, 'device-changed', [(WORD, (0, 1) if quiet else (1, 2))], 'nothing was written', ASKED,
                   how=('0000:01:00.0', meanwhile), quiet=quiet, **more)


def without(name, command, says='this build has no lab override'):
    return Case('readonly-' + name, READONLY, '', 3, how='run %s barscope-readonly %s --map $MAP --lab-override --reason no --format json' % (
        'readonly-' + name, command), says=says)


REFUSALS = (
    wrong('unknown', 'write $NIC WORK=1 --yes', 2, says='WORD'),
    wrong('unknown-field', 'write $NIC MIXED.SPED=1 --yes', 2, says='SPEED'),
    wrong('read-only', 'write $NIC VERSION=1 --yes', 3, 'read-only-register'),
    wrong('read-only-field', 'write $NIC MIXED.STATE=1 --yes', 3, 'read-only-register'),
    wrong('too-wide', 'write $NIC WORD=0x100000000 --yes', 2, 'value-too-wide'),
    wrong('too-wide-field', 'write $NIC MIXED.SPEED=4 --yes', 2, 'value-too-wide'),
    wrong('too-wide-raw', 'write $NIC bar0+0x9e0=0x100 --raw --width 8 --yes', 2, 'value-too-wide'),
    wrong('reserved', 'write $NIC RESERVED=0x100 --yes', 3, 'reserved-bits', [(RESERVED, 1)], 'bits 8'),
    wrong('masked', 'write $NIC MASKED=0xac00 --yes', 3, 'reserved-bits', [(MASKED, 1)]),
    wrong('changes-other', 'write $NIC LATCHED.LOW=2 --yes', 3, 'write-changes-other', [((0, 0x938, 4), 1)], 'LATCH'),
    wrong('split', 'write $NIC HALVES=1 --yes', 3, 'split-write', [((0, 0x9d0, 4), (0, 1)), ((0, 0x9d4, 4), (0, 2))]),
    wrong('bell-glob', "write $NIC 'BELL*=1' --yes", 2, 'not-one-register', says='one register exactly'),
    wrong('bell-array', 'write $NIC BELL=1 --yes', 2, says='BELL[0] to BELL[3]'),
    wrong('glob', "write $NIC 'WOR?=1' --yes", 2, 'not-one-register', says='one register exactly'),
    wrong('no-element', "write $NIC 'LIST[4]=1' --yes", 2),
    wrong('raw-not-said', 'write $NIC bar0+0x9e0=1 --yes', 3, 'raw-access', says='--raw'),
    wrong('raw-beyond', 'write $NIC bar0+0x10000=1 --raw --yes', 3, 'out-of-range'),
    wrong('raw-misaligned', 'write $NIC bar0+0x9e2=1 --raw --yes', 3, 'misaligned'),
    wrong('raw-read-beyond', 'read $NIC bar0+0x10000', 3),
    Case('no-reason', GROUP, '', 2, how='run no-reason barscope write $NIC WORD=1 --yes --map $MAP --lab-override --format json', says='--reason'),
    Case('no-override', GROUP, '', 2, how='run no-override barscope write $NIC WORD=1 --yes --map $MAP --reason no --format json', says='--lab-override'),
    Case('neither', GROUP, '', 2, how='run neither barscope write $NIC WORD=1 --yes --map $MAP --format json', says='--lab-override'),
    Case('raw-read-no', GROUP, '', 3, how='run raw-read-no barscope read $NIC bar0+0x9e0 --map $MAP --format json', says='--lab-override'),
    Case('side-no', GROUP, '', 3, how='run side-no barscope read $NIC SIDE --map $MAP --format json'),
    wrong('asleep', 'write $NIC WORD=1 --yes', 3, says='D3hot', before=('setpci -s $NIC CAP_PM+4.w=3:3',),
          after=('setpci -s $NIC CAP_PM+4.w=0:3', 'setpci -s $NIC COMMAND=2:2')),
    wrong('decoding', 'write $NIC WORD=1 --yes', 3, says='memory space disabled', before=('setpci -s $NIC COMMAND=0:2',),
          after=('setpci -s $NIC COMMAND=2:2',)),
    wrong('gone', 'write $NIC WORD=1 --yes', 4, before=ctl('gone'), after=ctl('heal')),
    wrong('gone-side', 'read $NIC SIDE', 4, before=ctl('gone'), after=ctl('heal')),
    wrong('gone-raw', 'write $NIC bar0+0x9e0=1 --raw --yes', 4, before=ctl('gone'), after=ctl('heal')),
    wrong('dead', 'write $NIC WORD=1 --yes', 4, loads=[(WORD, 1)], before=ctl('bar-dead'), after=ctl('heal')),
    log('read-only', '/logs/fixed/audit.jsonl', 'nothing was written to the device', 0),
    log('full', '/logs/full/audit.jsonl', 'nothing was written to the device', 2),
    log('link', '/logs/link.jsonl', 'symbolic link', 0),
    log('folder', '/logs', 'nothing was written to the device', 0),
    log('pipe', '/logs/pipe', 'nothing was written to the device', 0),
    refused('not-a-terminal', 'write $NIC WORD=1', 3, 'not-confirmed', [(WORD, 1)], '--yes', ASKED),
    refused('window-not-asked', 'read $NIC BEHIND', 3, 'not-confirmed', [(SELECT, SOME)], '--yes', ASKED),
    refused('typed-wrong', 'write $NIC WORD=1', 3, 'not-confirmed', [(WORD, 1)], 'nothing was written', ASKED, how=('0000:02:00.0', ':')),
    refused('typed-yes', 'write $NIC WORD=1', 3, 'not-confirmed', [(WORD, 1)], 'nothing was written', ASKED, how=('yes', ':')),
    refused('typed-wrong-raw', 'write $NIC bar0+0x9e0=1 --raw', 3, 'not-confirmed', (), 'nothing was written', ASKED, how=('no', ':')),
    refused('typed-wrong-window', 'write $NIC BEHIND=1', 3, 'not-confirmed', [(SELECT, SOME)], 'nothing was written', ASKED, how=('', ':')),
    changed('value', 'ask ctl set bar0 0x908 0x11112222', after=ctl('set bar0 0x908 0x55661004')),
    changed('gone', 'ask ctl gone', after=ctl('heal')),
    changed('dead', 'ask ctl bar-dead', after=ctl('heal')),
    changed('asleep', 'setpci -s $NIC CAP_PM+4.w=3:3', after=('setpci -s $NIC CAP_PM+4.w=0:3', 'setpci -s $NIC COMMAND=2:2')),
    changed('decoding', 'setpci -s $NIC COMMAND=0:2', after=('setpci -s $NIC COMMAND=2:2',)),
    changed('removed', 'remove', after=('come_back',)),
    changed('replaced', 'remove; come_back'),
    changed('bound', 'bind $NIC bnxt_en', after=('unbind $NIC', 'plant')),
    refused('window-moved', 'write $NIC BEHIND=1', 3, 'device-changed', [(SELECT, SOME), (BEHIND, (0, 1))], None, ASKED,
            how=('0000:01:00.0', 'ask ctl set bar0 0x410 0x00500000'), after=ctl('set bar0 0x410 0x%08x' % CLOSED)),
    without('write', 'write $NIC WORD=1 --yes'),
    without('raw', 'write $NIC bar0+0x9e0=1 --raw --yes'),
    without('read', 'read $NIC SIDE'),
    without('raw-read', 'read $NIC bar0+0x9e0'),
)
