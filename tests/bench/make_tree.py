#!/usr/bin/env python3
"""Write a simulated machine for measuring: one PCI device 0000:01:00.0 (1d00:DEVICE_ID) with a file-backed BAR of WORDS
32-bit words, word N holding N.

    make_tree.py DIR DEVICE_ID WORDS
"""

import array
import os
import struct
import sys


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as file:
        file.write(data.encode() if isinstance(data, str) else data)


def main():
    root, device, words = sys.argv[1], int(sys.argv[2], 0), int(sys.argv[3])
    folder = os.path.join(root, 'sys/bus/pci/devices/0000:01:00.0')
    size = -(-4 * words // 4096) * 4096
    config = bytearray(256)
    struct.pack_into('<HHHHI', config, 0, 0x1d00, device, 0x0002, 0x0000, 0x02000000)
    struct.pack_into('<I', config, 0x10, 0xf0000000)
    for name, value in (('vendor', '0x1d00'), ('device', '0x%04x' % device), ('subsystem_vendor', '0x0000'),
                        ('subsystem_device', '0x0000'), ('class', '0x020000'), ('revision', '0x00'),
                        ('power_state', 'D0'), ('power/runtime_status', 'active')):
        write(os.path.join(folder, name), value + '\n')
    rows = [(0xf0000000, 0xf0000000 + size - 1, 0x40200)] + [(0, 0, 0)] * 12
    write(os.path.join(folder, 'resource'), ''.join('0x%016x 0x%016x 0x%016x\n' % row for row in rows))
    write(os.path.join(folder, 'config'), config)
    write(os.path.join(folder, 'resource0'), array.array('I', range(words)).tobytes().ljust(size, b'\0'))


if __name__ == '__main__':
    main()
