"""What the boot nic-override does under lab override, and what may reach the NIC in each case: worked out by hand from docs/lab-override.md, the map
tests/nic/maps/nic-override.json and the values that are planted; nothing of it comes from barscope's own output."""

import collections

from accesses import CONFIGURATION, Access

MAP = '/maps/nic-override.json'
SELECT, OPEN, CLOSED = (0, 0x410, 4), 0x00320000, 0x00400000         # window 5: its select register, the page of the map, another one
STATUS = (0, 0x520, 4)                   # the sentinel: asked again where a load was slow or gave all ones
WORD, BEHIND, CAUSE, SIDE = (0, 0x908, 4), (0, 0x5020, 4), (0, 0x5030, 4), (0, 0x6010, 4)
SOME = (1, 16)                           # a select register is looked at before and after whatever lies behind it, in every look

# stores: in this order, of these widths and values, and no other. loads: for each word how often it is loaded before the first store, between it
# and the second, and so on: a number, or least and most. Words that are not there are not loaded. before, after: shell. how: `plain`, or at a
# terminal: (answer, what happens while the question stands), or the whole shell command instead. quiet: only what comes after the event counts.
Case = collections.namedtuple('Case', 'name group words status stores loads before after how cause says shown quiet',
                              defaults=(0, (), {}, (), (), 'plain', None, None, None, False))

PLANTED = {('bar0', 0x410): CLOSED, ('bar0', 0x414): 0x00330000, ('bar0', 0x900): 0x55660404, ('bar0', 0x904): 0x10043333,
           ('bar0', 0x908): 0x55661004, ('bar0', 0x910): 0x89abcdef, ('bar0', 0x914): 0x71234567, ('bar0', 0x918): 0x34120000,
           ('bar0', 0x91c): 0x78563412, ('bar0', 0x920): 0x44332211, ('bar0', 0x924): 0x88776655,
           # Bits on which a one acts are set, those on which a zero acts are clear: whatever is stored as it was read does something.
           ('bar0', 0x930): 0x00070a55, ('bar0', 0x938): 0x00000101, ('bar0', 0x970): 0x12, ('bar0', 0x994): 0x99, ('bar0', 0x9c4): 0xab00,
           ('bar0', 0x9c8): 0x00, ('grc', 0x00320020): 0xaaaabbbb, ('bar0', 0x9e8): 0xcafe1234}


def ctl(*lines):
    return tuple('ask ctl ' + line for line in lines)


def write(name, group, assignment, place, value, loads=(2, 1), **more):
    """One store in a place; what it holds is looked at, looked at again, and read back."""
    return Case(name, group, 'write $NIC %s --yes' % assignment, stores=(Access('W', *place, value),), loads={place: loads} if loads else {}, **more)


def windowed(name, words, place, between, value=None, group='window', **more):
    """The select register is written, something happens behind it, it is put back."""
    stores = [Access('W', *SELECT, OPEN), Access('W', *SELECT, CLOSED)]
    if value is not None:
        stores.insert(1, Access('W', *place, value))
    some = (SOME,) + ((0, 16),) * len(stores)
    return Case(name, group, words, stores=tuple(stores), loads={SELECT: some, place: between}, **{
        'before': ctl('set bar0 0x410 0x%08x' % CLOSED, 'set grc 0x00320020 0xaaaabbbb'), **more})


def lost(name, words, place, between, mine, **more):
    """The device does not answer any more at that load."""
    return windowed('window-lost-' + name, words, place, between, group='window, device lost', status=4, before=ctl(
        'set bar0 0x410 0x%08x' % CLOSED, 'mine ' + mine), after=ctl('heal', 'set bar0 0x410 0x%08x' % CLOSED), **more)


def refused(name, words, status, cause=None, loads=(), says=None, group='refused', **more):
    """No store; loads only of the words named, each so often."""
    return Case(name, group, words, status, loads={place: (count,) for place, count in loads}, cause=cause, says=says, **more)


BOUND = (
    refused('bound-window', 'write $NIC BEHIND=5 --yes', 3, 'window-shared', says='--with-driver', group='window, driver bound'),
    refused('bound-window-read', 'read $NIC BEHIND --yes', 3, 'window-shared', [(SELECT, (0, 8))], says='--with-driver', group='window, driver bound'),
    refused('bound-window-side', 'read $NIC BEHIND_CAUSE --yes', 3, 'window-shared', [(SELECT, (0, 8))], group='window, driver bound'),
    windowed('bound-with-driver', 'write $NIC BEHIND=5 --yes --with-driver', BEHIND, (0, 1, 1, 0), 5, 'window, driver bound'),
    write('bound-word', 'whole register, driver bound', 'WORD=0x0badcafe', WORD, 0x0badcafe, after=ctl('set bar0 0x908 0x55661004')),
)

ACTIONS = (
    write('byte', 'whole register', 'BYTE=0xee', (0, 0x901, 1), 0xee),
    write('half', 'whole register', 'HALF=0xbeef', (0, 0x906, 2), 0xbeef),
    write('word', 'whole register', 'WORD=0x12345678', WORD, 0x12345678),
    write('long', 'whole register', 'LONG=0xfedcba9876543210', (0, 0x910, 8), 0xfedcba9876543210),
    write('big-half', 'whole register, big endian', 'BIG_HALF=0x0102', (0, 0x91a, 2), 0x0201),
    write('big-word', 'whole register, big endian', 'BIG_WORD=0x01020304', (0, 0x91c, 4), 0x04030201),
    write('big-long', 'whole register, big endian', 'BIG_LONG=0x0102030405060708', (0, 0x920, 8), 0x0807060504030201),
    write('side-write', 'register with a side effect: not read', 'SIDE=0x2', SIDE, 0x2, None),
    write('big-field', 'field, others left alone', 'BIG_WORD.LOW=0xbeef', (0, 0x91c, 4), 0xefbe0201),
    # 0x00070a55: SPEED is 2 and becomes 3; zeros for bits 18:16, on which a one acts; ones for bits 21:19, on which a zero acts.
    write('field', 'field, others left alone', 'MIXED.SPEED=3', (0, 0x930, 4), 0x00380a57),
    write('field-clear', 'field, others left alone', 'MIXED.ERROR=1', (0, 0x930, 4), 0x00390a55, before=ctl('set bar0 0x930 0x00070a55')),
    write('field-zero', 'field, others left alone', 'MIXED.CLEAR0=0', (0, 0x930, 4), 0x00300a55, before=ctl('set bar0 0x930 0x003f0a55')),
    write('element', 'array element', "'LIST[2]=0x77'", (0, 0x970, 4), 0x77),
    write('member', 'block member', "'QUEUE[1].TAIL=0x31'", (0, 0x994, 4), 0x31),
    write('raw', 'raw write', 'bar0+0x9e0=0xdeadbeef --raw', (0, 0x9e0, 4), 0xdeadbeef, None),
    write('raw-8', 'raw write', 'bar0+0x9e5=0x7f --raw --width 8', (0, 0x9e5, 1), 0x7f, None),
    write('raw-16', 'raw write', 'bar0+0x9e6=0x1122 --raw --width 16', (0, 0x9e6, 2), 0x1122, None),
    write('raw-64', 'raw write', 'bar4+0x2100=0x1122334455667788 --raw --width 64', (4, 0x2100, 8), 0x1122334455667788, None),
    Case('raw-read', 'raw read', 'read $NIC bar0+0x9e8', loads={(0, 0x9e8, 4): (1,)}, shown='0xcafe1234'),
    Case('raw-read-16', 'raw read', 'read $NIC bar0+0x9ea --width 16', loads={(0, 0x9ea, 2): (1,)}, shown='0xcafe'),
    Case('side', 'side-effect read', 'read $NIC SIDE', loads={SIDE: (1,)}, shown='0x5a5a0001', before=ctl('clear-on-read 0x00330010 0x5a5a0001')),
    Case('side-gone', 'side-effect read', 'read $NIC SIDE', loads={SIDE: (1,)}, shown='0x00000000'),
    windowed('window-read', 'read $NIC BEHIND --yes', BEHIND, (0, 1, 0), shown='0xaaaabbbb'),
    windowed('window-write', 'write $NIC BEHIND=0x01020304 --yes', BEHIND, (0, 1, 1, 0), 0x01020304),
    windowed('window-field', 'write $NIC BEHIND.LOW=0x1234 --yes', BEHIND, (0, 1, 1, 0), 0xaaaa1234),
    windowed('window-kick', 'write $NIC BEHIND_KICK=0x99 --yes', (0, 0x5040, 4), (0, 0, 0, 0), 0x99),
    windowed('window-side', 'read $NIC BEHIND_CAUSE --yes', CAUSE, (0, 1, 0), shown='0x00000099',
             before=ctl('set bar0 0x410 0x%08x' % CLOSED, 'clear-on-read 0x00320030 0x99')),
    Case('window-open', 'window', 'write $NIC BEHIND=7 --yes', stores=(Access('W', *BEHIND, 7),), loads={SELECT: (SOME, SOME), BEHIND: (2, 1)},
         before=ctl('set bar0 0x410 0x%08x' % OPEN)),
    # The device goes, or its BAR, at the first load behind the window: nothing is written there, and the window is put back, for what it is worth.
    lost('write', 'write $NIC BEHIND=9 --yes', BEHIND, (0, 1, 0), 'grc 0x320020 0x320023 gone'),
    lost('write-dead', 'write $NIC BEHIND=9 --yes', BEHIND, (0, 1, 0), 'grc 0x320020 0x320023 bar-dead'),
    lost('read', 'read $NIC BEHIND --yes', BEHIND, (0, 1, 0), 'grc 0x320020 0x320023 gone'),
    lost('read-dead', 'read $NIC BEHIND --yes', BEHIND, (0, 1, 0), 'grc 0x320020 0x320023 bar-dead'),
    lost('side', 'read $NIC BEHIND_CAUSE --yes', CAUSE, (0, 1, 0), 'grc 0x320030 0x320033 gone'),
    # ... or at the second, with which the value is read back.
    lost('after', 'write $NIC BEHIND=9 --yes', BEHIND, (0, 1, 1, 0), 'grc 0x320020 0x320023 gone 2', value=9, says='the write was made'),
    write('lost-after', 'device lost at the read back', 'WORD=9', WORD, 9, status=4, says='the write was made',
          before=ctl('set bar0 0x908 0x12345678', 'mine bar0 0x908 0x90b gone 3'), after=ctl('heal', 'set bar0 0x908 0x55661004')),
    write('dead-after', 'device lost at the read back', 'WORD=9', WORD, 9, status=4, says='the write was made',
          before=ctl('mine bar0 0x908 0x90b bar-dead 3'), after=ctl('heal', 'set bar0 0x908 0x12345678')),
    write('config-8', 'configuration space', 'LINE=0x2a', (CONFIGURATION, 0x3c, 1), 0x2a, None, before=('setpci -s $NIC INTERRUPT_LINE=00',)),
    write('config-32', 'configuration space', 'AER_MASK=0x00100000', (CONFIGURATION, 0x108, 4), 0x00100000, None),
    write('config-clear', 'configuration space', 'AER_CORRECTABLE=0x1', (CONFIGURATION, 0x110, 4), 0x1, None),
    # Memory decoding is on, INTx off; parity is what is asked for.
    write('config-16', 'configuration space', 'COMMAND.PARITY=1', (CONFIGURATION, 4, 2), 0x0442, None, before=('setpci -s $NIC COMMAND=0402',)),
    write('config-raw', 'configuration space', 'config+0xc=0x10 --raw --width 8', (CONFIGURATION, 0xc, 1), 0x10, None),
    write('bell', 'doorbell by its name', "'BELL[1]=0x3'", (2, 0x10008, 8), 3, None),
    write('typed', 'answered at a terminal', 'WORD=0x0a0b0c0d', WORD, 0x0a0b0c0d, how=('0000:01:00.0', ':'))._replace(words='write $NIC WORD=0x0a0b0c0d'),
    # `undo TARGET` runs what `audit undo` proposes for the last write of it.
    write('undo-byte', 'undo', '', (0, 0x901, 1), 0x04, how='undo BYTE'),
    write('undo-big', 'undo', '', (0, 0x91c, 4), 0x78563412, how='undo BIG_WORD'),
    write('undo-field', 'undo', '', (0, 0x930, 4), 0x00380a55, how='undo MIXED.SPEED', before=ctl('set bar0 0x930 0x00070a57')),
    write('undo-config', 'undo', '', (CONFIGURATION, 0x3c, 1), 0x00, None, how='undo LINE', before=('setpci -s $NIC INTERRUPT_LINE=2a',)),
)
