#!/usr/bin/env python3
"""What the kernel says of the program while it works: /proc/PID/status has no_new_privs, no capability, a filter.

    check_confinement.py --program PATH

A command is held either by --max-rate, in the middle of its loads, or by a pipe that nobody empties, when all that it
parsed is decoded and it prints.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time

import check_override
import check_snapshots
import check_stop

PATIENCE = 60
SYS_ADMIN = 1 << 21   # CAP_SYS_ADMIN: configuration space beyond 64 bytes
READ_SEARCH = 1 << 2  # CAP_DAC_READ_SEARCH, linux/capability.h: files of other owners


def status_of(process):
    with open(f'/proc/{process.pid}/status', encoding='utf-8') as file:
        return dict(line.rstrip('\n').split(':\t', 1) for line in file if ':\t' in line)


def threads_of(process):
    folder = f'/proc/{process.pid}/task'
    found = []
    for thread in os.listdir(folder):
        with open(f'{folder}/{thread}/status', encoding='utf-8') as file:
            found.append(dict(line.rstrip('\n').split(':\t', 1) for line in file if ':\t' in line))
    return found


def wait_until_blocked(process):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        status = status_of(process)
        if status['State'].startswith('S') and int(status['voluntary_ctxt_switches']) > 0:
            with open(f'/proc/{process.pid}/syscall', encoding='utf-8') as file:
                if file.read().split()[0] == '1' or os.uname().machine != 'x86_64':  # write
                    return
        time.sleep(0.02)


class Confinement:
    def __init__(self, bench):
        self.bench = bench
        doctor = bench.run('doctor').stdout.decode()
        self.filter = '2' if 'seccomp mode 2' in doctor else '0'
        bench.check('no_new_privs 1' in doctor and 'effective capabilities 0000000000000000' in doctor, f'doctor: {doctor}')

    def judge(self, name, process, allowed):
        self.judge_status(name, status_of(process), allowed)

    def judge_status(self, name, status, allowed):
        self.bench.check(status['NoNewPrivs'] == '1', f'{name}: NoNewPrivs {status["NoNewPrivs"]}')
        self.bench.check(status['Seccomp'] == self.filter, f'{name}: Seccomp {status["Seccomp"]} for {self.filter}')
        for which in ('CapEff', 'CapPrm', 'CapInh', 'CapAmb'):
            self.bench.check(int(status[which], 16) & ~allowed == 0, f'{name}: {which} {status[which]}')

    def printing(self, name, *words):
        """Of a command that reads files."""
        read_end, write_end = check_stop.full_pipe()
        process = subprocess.Popen([self.bench.program, *words], stdout=write_end, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        os.close(write_end)
        wait_until_blocked(process)
        if process.poll() is not None:
            self.bench.check(False, f'{name}: it ended early: {process.stderr.read().decode()}')
        else:
            self.judge(name, process, READ_SEARCH)
            process.kill()
        process.communicate()
        os.close(read_end)

    def loading(self, name, *words):
        """Of a command that reads a device."""
        run = check_stop.Run(self.bench, name, *words, '--max-rate', '2')
        run.wait_for_loads(1)
        self.judge(name, run.process, 0)
        out, err, _ = run.stop(signal.SIGINT)
        self.bench.check(run.process.returncode == 4 and out, f'{name}: it works on: {run.process.returncode} {err}')

    def loading_apart(self, name, *words):
        """Of a command that runs helpers and makes a file after it has read the device: a thread of its own reads."""
        run = check_stop.Run(self.bench, name, *words, '--max-rate', '2')
        run.wait_for_loads(1)
        threads = threads_of(run.process)
        confined = [status for status in threads if status['NoNewPrivs'] == '1']
        self.bench.check(len(threads) == 2 and len(confined) == 1, f'{name}: {len(confined)} of {len(threads)} threads are confined')
        for status in confined:
            self.judge_status(name, status, 0)
        run.stop(signal.SIGINT)
        self.bench.check(run.process.returncode == 4, f'{name}: it ends: {run.process.returncode}')

    def asking(self, name, *words):
        """Of a command under lab override: while its question stands."""
        machine = check_override.Machine(self.bench.folder, 'lab', self.bench.program)
        talk = check_override.Conversation(machine.command(*words))
        talk.wait_for('anything else to leave it: ')
        self.judge(name, talk.process, SYS_ADMIN)
        talk.type(b'0000:01:00.0\n')
        status, _ = talk.end()
        self.bench.check(status == 0 and machine.changes(), f'{name}: it writes: {status} {machine.changes()}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--program', required=True)
    with tempfile.TemporaryDirectory(prefix='barscope-confined-') as folder:
        bench = check_snapshots.Bench(os.path.abspath(parser.parse_args().program), folder)
        root = bench.tree('plain')
        confinement = Confinement(bench)
        device = ('01:00.0', '--root', root, '--map', bench.map)
        confinement.loading('read', 'read', '01:00.0', '*', *device[1:])
        confinement.loading('dump', 'dump', *device)
        confinement.loading('check', 'check', *device)
        confinement.loading_apart('snapshot', 'snapshot', *device, '-o', os.path.join(folder, 'held.json'))
        confinement.asking('write', 'write', 'ens1f0', 'CTRL.SPEED=BROKEN')
        snapshot = bench.take('plain', 'one.json', '--map', bench.map)
        bar = os.path.join(folder, 'bar.bin')
        with open(bar, 'wb') as file:
            file.write(b'\x07\x00\x0d\x60' + bytes(0x10000 - 4))
        log = os.path.join(folder, 'log.txt')
        with open(log, 'w', encoding='utf-8') as file:
            file.write('[    1.000000] bnxt_en 0000:3b:00.0 eth0: one\n')
        queues = os.path.join(folder, 'queues.json')
        with open(queues, 'w', encoding='utf-8') as file:
            file.write('[{"ifindex":0,"ifname":"bnxt_re0","port":1,"lqpn":1,"type":"GSI","state":"RTS"}]')
        gregs = os.path.join(folder, 'gregs.bin')
        with open(gregs, 'wb') as file:
            file.write(bytes(12560))
        for name, *words in (('show', snapshot), ('show', snapshot, '--format', 'html'), ('diff', snapshot, snapshot),
                             ('verify', snapshot), ('dump', snapshot), ('read', snapshot, 'ID'), ('check', snapshot),
                             ('info', snapshot), ('dump', bar, '--map', bench.map), ('fwlog', log), ('fwlog', snapshot),
                             ('hwq', queues, '--kind', 'qp'), ('driver-dump', gregs, '--dump-version', '0'),
                             ('decode', bench.map + ':STATUS', '0x3'),
                             ('explain', bench.map + ':STATUS'), ('maps', 'list'), ('maps', 'check', bench.map),
                             ('maps', 'show', 'nvme')):
            confinement.printing(f'{name} {" ".join(words)}', name, *words)
        print(f'{bench.checked} checks, {len(bench.failures)} failed')
    return 1 if bench.failures else 0


if __name__ == '__main__':
    sys.exit(main())
