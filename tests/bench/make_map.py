#!/usr/bin/env python3
"""Print a register map for measuring: COUNT registers of 32 bits with four fields each, about 500 bytes of JSON a register.

    make_map.py COUNT NAME DEVICE_ID [--array]

With --array the registers are elements of an array in an array of blocks, so that a million of them are a small file.
"""

import json
import sys

FIELDS = (
    ('STATE', '31:28', {'enum': 'state'}, 'What the engine is doing'),
    ('COUNT', '27:16', {'display': 'dec'}, 'Entries that wait to be fetched'),
    ('INDEX', '15:4', {'display': 'dec'}, 'Next entry'),
    ('FLAGS', '3:0', {}, 'Set by the firmware'),
)


def register(number):
    return {
        'name': f'QUEUE_CONTROL_{number:06d}', 'offset': hex(4 * number), 'access': 'read-only', 'readAction': 'none',
        'title': f'Control and status of queue number {number}', 'volatility': 'status',
        'source': 'made up to measure with', 'group': 'hwq',
        'fields': [{'name': name, 'bits': bits, 'title': title, **more} for name, bits, more, title in FIELDS]}


def main():
    count, name, device = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    blocks, registers = [], []
    if '--array' in sys.argv:
        inner = min(count, 10_000)
        queues = dict(register(0), name='QUEUE_CONTROL', array={'count': inner, 'stride': 4, 'index': 'q'})
        blocks = [{'name': 'GROUP', 'base': 0, 'registers': [queues],
                   'array': {'count': count // inner, 'stride': 4 * inner, 'index': 'g'}}]
    else:
        registers = [register(number) for number in range(count)]
    json.dump({
        'formatVersion': 1, 'name': name, 'title': f'{count} registers to measure with', 'version': '1.0.0',
        'sources': ['made by tests/bench/make_map.py; no real device'],
        'match': [{'vendor': '0x1d00', 'device': device}],
        'spaces': [{'name': 'regs', 'bar': 0, 'size': 4 * count}],
        'enums': {'state': {'0': 'IDLE', '1': 'FETCH', '2': 'EXECUTE', '3': 'WRITE_BACK',
                            '15': {'name': 'ERROR', 'severity': 'critical'}}},
        'blocks': blocks, 'registers': registers}, sys.stdout)


if __name__ == '__main__':
    main()
