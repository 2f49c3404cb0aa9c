"""What the emulated NIC's plain memory holds in tests with random maps: words by seed and place, the same for whoever asks.

All ones and a bus error pattern are among them, because programs must not take them for values.
"""

import zlib

POISON = 0xdeadbeef
# (space, first, end): memory of the emulator's that nothing else uses. Of GRC space the rest of the page that holds the firmware's registers.
PLACES = (('bar0', 0x600, 0x1000), ('bar4', 0x2000, 0x8000), ('grc', 0x03100400, 0x03101000))


def word(seed, space, offset):
    """The 32-bit word at a multiple of 4: one in 16 all ones, one in 32 poison, one in 8 a small number."""
    number = zlib.crc32(b'%d %s %d' % (seed, space.encode(), offset))
    kind = zlib.crc32(b'kind %d %s %d' % (seed, space.encode(), offset)) >> 8 & 31
    if kind < 2:
        return 0xffffffff
    if kind == 2:
        return POISON
    return number & 7 if kind < 7 else number


def words(seed):
    for space, first, end in PLACES:
        for offset in range(first, end, 4):
            yield space, offset, word(seed, space, offset)
