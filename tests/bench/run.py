#!/usr/bin/env python3
"""Measure the program against its peers in one run and print the ratios.

    run.py --program BARSCOPE --bin DIR [--runs N]

BARSCOPE is a build with the measuring maps built in (target barscope_bench); DIR holds bench_loads and bench_loader.
Every figure is the median of runs that alternate with memtool's, because the machines are noisy. Exits with 1 if a
program fails or gives a wrong answer; a missed target is printed, not failed, since only ratios on a quiet machine count.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ADDRESS = '0000:01:00.0'


def once(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - start) * 1e3


def medians(commands, runs):
    """Median milliseconds of each command, all of them run in turn."""
    taken = [[] for _ in commands]
    for _ in range(runs):
        for times, command in zip(taken, commands):
            times.append(once(command))
    return [statistics.median(times) for times in taken]


def tree(work, name, device, words):
    path = os.path.join(work, name)
    subprocess.run([sys.executable, os.path.join(HERE, 'make_tree.py'), path, str(device), str(words)], check=True)
    return path


def map_file(work, count, device, *more):
    path = os.path.join(work, 'bench-%d.json' % count)
    with open(path, 'w') as file:
        subprocess.run([sys.executable, os.path.join(HERE, 'make_map.py'), str(count), 'bench-file-%d' % count,
                        device, *more], check=True, stdout=file)
    return path


def report(name, value, base, limit):
    print('%-58s %8.2f ms  %6.2fx memtool  (%gx allowed)%s' % (
        name, value, value / base, limit, '' if value <= limit * base else '  MISSED'))


def memtool_of(small):
    return ['memtool', 'md', '-s', os.path.join(small, 'sys/bus/pci/devices', ADDRESS, 'resource0'), '-l', '0x10+4']


def start_up(options, work):
    small = tree(work, 'small', 0x1000, 1000)
    read = [options.program, 'read', ADDRESS, 'QUEUE_CONTROL_000004', '--root', small]
    answer = subprocess.run(read + ['--format', 'json'], check=True, capture_output=True).stdout
    assert json.loads(answer)['registers'][0]['value'] == '0x00000004', answer
    memtool = memtool_of(small)
    base, builtin, file = medians(
        [memtool, read, read + ['--map', map_file(work, 1000, '0x1000')]], options.runs)
    print('%-58s %8.2f ms' % ('memtool md -s FILE -l 0x10+4', base))
    report('read 1 register, built-in map of 1,000 x 4', builtin, base, 2)
    report('read 1 register, the same map as JSON (--map)', file, base, 4)
    return memtool


def dumps(options, work, memtool):
    big = tree(work, 'big', 0x1001, 16000)
    base, dump = medians([memtool, [options.program, 'dump', ADDRESS, '--root', big]], max(5, options.runs // 4))
    report('dump 16,000 registers x 4 fields as text, built-in map', dump, base, 30)
    last = None
    for count in (10_000, 100_000, 1_000_000):
        where = tree(work, 'n%d' % count, 0x1002, count)
        command = [options.program, 'dump', ADDRESS, '--root', where,
                   '--map', map_file(work, count, '0x1002', '--array')]
        taken = medians([command], 5 if count < 1_000_000 else 1)[0]
        growth = '' if last is None else '  %.1fx for 10x the registers' % (taken / last)
        print('%-58s %8.2f ms%s' % ('dump {:,} registers x 4 fields as text'.format(count), taken, growth))
        last = taken
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print('%-58s %8.0f MiB' % ('peak memory of the largest', peak))


def change_some(where, count):
    """Every hundredth register holds something else, as after a fault."""
    bar = os.path.join(where, 'sys/bus/pci/devices', ADDRESS, 'resource0')
    with open(bar, 'r+b') as file:
        for number in range(0, count, 100):
            file.seek(4 * number)
            file.write(struct.pack('<I', 0xf0000000 | number))


def snapshots(options, work, memtool):
    last = None
    for count, device, more in ((16_000, '0x1003', []), (100_000, '0x1002', []), (1_000_000, '0x1002', ['--array'])):
        where = tree(work, 's%d' % count, int(device, 16), count)
        register_map = map_file(work, count, device, *more)
        files = [os.path.join(work, name + '.json') for name in ('before', 'after')]
        for file in files:
            subprocess.run([options.program, 'snapshot', ADDRESS, '--root', where, '--map', register_map, '-o', file, '--interval', '0',
                            '--force'], check=True, stdout=subprocess.DEVNULL)
            change_some(where, count)
        diff = ['sh', '-c', '"$@" >/dev/null; [ $? = 1 ]', 'sh', options.program, 'diff', *files]
        base, taken = medians([memtool, diff], max(5, options.runs // 2) if count == 16_000 else 3 if count == 100_000 else 1)
        peak = peak_of(diff)
        name = 'diff of two snapshots of {:,} registers x 4 fields'.format(count)
        if count == 16_000:
            report(name, taken, base, 45)
        else:
            growth = '' if last is None else '  %.1fx for %.1fx the registers' % (taken / last[1], count / last[0])
            print('%-58s %8.2f ms%s' % (name, taken, growth))
        limit = '  (400 allowed)' + ('' if peak < 400 else '  MISSED') if count == 100_000 else ''
        print('%-58s %8.0f MiB%s' % ('    peak memory', peak, limit))
        last = (count, taken)


# A kernel log in which one row in twenty is a NIC's. The stamps rise from block to block.
ROWS = ['usb 1-1: new high-speed USB device number 4 using xhci_hcd',
        'systemd[1]: Started Session 3 of user root.',
        'EXT4-fs (sda1): mounted filesystem with ordered data mode',
        'audit: type=1400 audit(1600000000.136:80874): apparmor="STATUS"',
        'IPv6: ADDRCONF(NETDEV_CHANGE): eth1: link becomes ready',
        'pci 0000:00:1c.2: PCI bridge to [bus 01-02] with a longer tail of text here']
NIC_ROWS = ['bnxt_en 0000:45:00.0 eth0: TX timeout detected, starting reset task!',
            'bnxt_en 0000:45:00.0 eth0: [2]: tx{fw_ring: 2 prod: af cons: 9b}',
            'bnxt_en 0000:45:00.0 eth0: hwrm_ring_free type 1 failed. rc:fffffff0 err:0',
            'bnxt_en 0000:45:00.0 eth0: NIC Link is Up, 25000 Mbps full duplex']


def write_log(path, mebibytes):
    rows = []
    for number in range(100_000):
        text = NIC_ROWS[number // 20 % len(NIC_ROWS)] if number % 20 == 0 else ROWS[number % len(ROWS)]
        rows.append('[@@@@%05.2f%04d] %s\n' % (number // 1000 + 0.01, number % 10000, text))
    block = ''.join(rows).encode()
    with open(path, 'wb') as file:
        number = 0
        while file.tell() < mebibytes << 20:
            number += 1
            file.write(block.replace(b'[@@@@', b'[%4d' % number))


def write_coredump(path, mebibytes):
    segment = 4096
    header = b'sEgM' + struct.pack('<IIIBBHIIIIII', 5, 1, 0, 0, 1, 0, 0, segment, 0, 3, 64, 0) + bytes(20)
    count = (mebibytes << 20) // (segment + 64)
    with open(path, 'wb') as file:
        for _ in range(count):
            file.write(header + bytes(segment))
        record = bytearray(1024)
        record[:4] = b'cOrE'
        record[320:324] = struct.pack('<I', count)
        file.write(record)


def peak_of(command):
    """Peak resident memory in MiB of one run, of that process alone."""
    code = ('import resource, subprocess, sys\n'
            'subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n'
            'print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)')
    run = subprocess.run([sys.executable, '-c', code] + command, check=True, capture_output=True, text=True)
    return int(run.stdout.split()[-1]) / 1024


def logs(options, work):
    log = os.path.join(work, 'big.log')
    write_log(log, options.log_mib)
    show = [options.program, 'fwlog', log]
    # Through a pipe: with /dev/null as its output grep stops at the first match.
    counted = ['sh', '-c', 'grep -c bnxt "$0" | cat', log]
    grep, count, taken = medians([counted, show + ['--summary'], show], 3)
    print('%-58s %8.2f ms' % ('grep -c bnxt, %d MiB' % options.log_mib, grep))
    for name, value in (('fwlog --summary of the same file: counted, as grep -c does', count),
                        ('fwlog of the same file, every row shown', taken)):
        print('%-58s %8.2f ms  %6.2fx grep  (3x allowed)%s' % (
            name, value, value / grep, '' if value <= 3 * grep else '  MISSED'))
    peak = peak_of(show)
    print('%-58s %8.0f MiB  (50 allowed)%s' % ('peak memory', peak, '' if peak < 50 else '  MISSED'))
    os.remove(log)
    dump = os.path.join(work, 'core.bin')
    write_coredump(dump, 64)
    taken = medians([[options.program, 'fwlog', dump]], 5)[0]
    print('%-58s %8.2f ms  (200 allowed)%s' % ('fwlog of a 64 MiB core dump', taken, '' if taken < 200 else '  MISSED'))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--program', required=True)
    parser.add_argument('--bin', required=True)
    parser.add_argument('--runs', type=int, default=60)
    parser.add_argument('--log-mib', type=int, default=1024, help='size of the log that is read')
    parser.add_argument('--only', choices=('registers', 'logs', 'snapshots'), help='one part alone')
    options = parser.parse_args()
    work = tempfile.mkdtemp(prefix='barscope-bench-')
    try:
        if options.only in (None, 'snapshots'):
            snapshots(options, work, memtool_of(tree(work, 'start', 0x1000, 1000)))
        if options.only in (None, 'registers'):
            memtool = start_up(options, work)
            dumps(options, work, memtool)
            subprocess.run([os.path.join(options.bin, 'bench_loads'), os.path.join(work, 'big'), ADDRESS], check=True)
            subprocess.run([os.path.join(options.bin, 'bench_loader'), map_file(work, 16000, '0x1003')], check=True)
        if options.only in (None, 'logs'):
            logs(options, work)
    finally:
        shutil.rmtree(work)
    return 0


if __name__ == '__main__':
    sys.exit(main())
