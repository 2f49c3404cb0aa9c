"""`ethtool -d` of e1000e and igb: raw register values and what it says of their fields.

Bits are from the Intel 82574 and 82576 Gigabit Ethernet Controller datasheets (CTRL, STATUS, RCTL, TCTL).
"""

import collections
import re

Field = collections.namedtuple('Field', 'offset label high low value')

# Lines whose label or offset does not say what the number is, by (offset, name). igb reads EICS and ICS in place of EICR and ICR, because
# reading those clears them; ethtool prints MDIC under CTRL_EXT's offset, and the 82576's second address of the legacy interrupt registers,
# where the driver reads the first.
MOVED = {'igb': {(0x18, 'MDIC'): 0x20, (0x1580, 'EICR'): None, (0x1500, 'ICR'): None, (0x1504, 'ICS'): 0xc8, (0x1508, 'IMS'): 0xd0,
                 (0x150c, 'IMC'): 0xd8, (0x1510, 'IAM'): 0xe0}}
# igb's statistics come from the driver's own sums, not from the registers, which are cleared by reading.
SUMMED = {'igb': [(0x4000, 0x4140), (0x4228, 0x422c), (0xa018, 0xa01c)]}



def home(driver, offset):
    """Where a register really is. The 82576 datasheet (8.1.3): queues 0 to 3 are at 0xc000 and 0xe000, 0x40 bytes each; where older
    chips had them, and ethtool shows them, they are seen as well."""
    if driver == 'igb':
        for alias, base in ((0x2800, 0xc000), (0x3800, 0xe000)):
            if alias <= offset < alias + 0x400 and offset & 0xff < 0x40:
                return base + (offset - alias >> 8) * 0x40 + (offset & 0x3f)
    return offset


_ON = {'enabled': 1, 'disabled': 0}
_YES = {'yes': 1, 'no': 0}
_SPEED = {'10Mb/s': 0, '100Mb/s': 1, '1000Mb/s': 2}
FIELDS = {
    0x0000: [('Set link up', 6, 6, {'1': 1, '0': 0}), ('Invert Loss-Of-Signal', 7, 7, _YES), ('Receive flow control', 27, 27, _ON),
             ('Transmit flow control', 28, 28, _ON), ('VLAN mode', 30, 30, _ON), ('Auto speed detect', 5, 5, _ON),
             ('Speed select', 9, 8, _SPEED), ('Force speed', 11, 11, _YES), ('Force duplex', 12, 12, _YES),
             ('D3COLD WakeUp capability advertisement', 20, 20, _ON)],
    0x0008: [('Duplex', 0, 0, {'full': 1, 'half': 0}), ('Link up', 1, 1, {'link config': 1, 'no link config': 0}),
             ('Link speed', 7, 6, _SPEED), ('Transmission', 4, 4, {'on': 0, 'paused': 1}), ('DMA clock gating', 31, 31, _ON)],
    0x0100: [('Receiver', 1, 1, _ON), ('Store bad packets', 2, 2, _ON), ('Unicast promiscuous', 3, 3, _ON),
             ('Multicast promiscuous', 4, 4, _ON), ('Long packet', 5, 5, _ON),
             ('Descriptor minimum threshold size', 9, 8, {'1/2': 0, '1/4': 1, '1/8': 2}),
             ('Broadcast accept mode', 15, 15, {'accept': 1, 'ignore': 0}), ('VLAN filter', 18, 18, _ON),
             ('Canonical form indicator', 19, 19, _ON), ('Cononical form indicator', 19, 19, _ON),
             ('Discard pause frames', 22, 22, {'ignored': 1, 'filtered': 0}),
             ('Pass MAC control frames', 23, 23, {'pass': 1, "don't pass": 0}), ('Loopback mode', 7, 6, {'normal': 0})],
    0x0400: [('Transmitter', 1, 1, _ON), ('Pad short packets', 3, 3, _ON), ('Software XOFF Transmission', 22, 22, _ON),
             ('Re-transmit on late collision', 24, 24, _ON)],
}


def parse(driver, text):
    """({offset: (name, value)}, [Field]). Registers that the output does not truly show are left out."""
    registers, fields, offset = {}, [], None
    for line in text.splitlines():
        match = re.match(r'0x([0-9A-Fa-f]+): (\w+) .*0x([0-9A-Fa-f]+)\s*$', line)
        if match:
            offset, name = int(match[1], 16), match[2]
            offset = MOVED.get(driver, {}).get((offset, name), offset)
            if offset is not None:
                offset = home(driver, offset)
            if offset is not None and not any(first <= offset < end for first, end in SUMMED.get(driver, [])):
                registers[offset] = (name, int(match[3], 16))
            continue
        match = re.match(r'\s+(\S.*?):\s+(.*\S)\s*$', line)
        if match and offset is not None:
            for label, high, low, words in FIELDS.get(offset, []):
                if label == match[1] and match[2] in words:
                    fields.append(Field(offset, label, high, low, words[match[2]]))
    return registers, fields
