#!/usr/bin/env python3
"""`write` with somebody at the terminal: what is asked, what happens meanwhile, and what a signal leaves behind.

    check_override.py --program PATH
"""

import argparse
import json
import os
import pty
import random
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

import trees

HERE = os.path.dirname(os.path.abspath(__file__))
PATIENCE = 60
DEVICE = 'sys/bus/pci/devices/0000:01:00.0'
LAB = ['--lab-override', '--reason', 'a test']


def demand(what, holds, detail):
    if not holds:
        sys.exit('%s: %r' % (what, detail))


class Machine:
    def __init__(self, folder, tree, program):
        self.root = os.path.join(folder, '%s-%08x' % (tree, random.getrandbits(32)))
        self.program = program
        trees.build(tree, self.root)
        self.before = self.devices()

    def path(self, name):
        return os.path.join(self.root, name)

    def devices(self):
        content = {}
        for name in ('resource0', 'config'):
            with open(self.path(f'{DEVICE}/{name}'), 'rb') as file:
                content[name] = file.read()
        return content

    def command(self, *words):
        return [self.program, *words, '--root', self.root, '--map', os.path.join(HERE, 'maps/lab.json'), *LAB]

    def changes(self):
        after = self.devices()
        return {(name, i): new[i] for name, new in after.items() for i in range(len(new)) if new[i] != self.before[name][i]}

    def log(self):
        path = self.path('var/log/barscope/audit.jsonl')
        if not os.path.exists(path):
            return []
        entries = []
        with open(path, encoding='utf-8') as file:
            for line in file.read().split('\n'):
                try:
                    entries.append(json.loads(line))
                except ValueError:
                    demand('only an empty or torn line is none', not line or line.startswith('{'), line)
        return entries

    def word(self, offset):
        return struct.unpack_from('<I', self.devices()['resource0'], offset)[0]


class Conversation:
    """The program with a terminal of its own for what it asks; what it prints at the end goes elsewhere."""

    def __init__(self, command, errors_elsewhere=False):
        self.screen, terminal = pty.openpty()
        self.process = subprocess.Popen(command, stdin=terminal, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE if errors_elsewhere else terminal,
                                        start_new_session=True, preexec_fn=lambda: pty_control(terminal))
        os.close(terminal)
        self.shown = ''

    def wait_for(self, text):
        end = time.monotonic() + PATIENCE
        while text not in self.shown:
            ready, _, _ = select.select([self.screen], [], [], max(0, end - time.monotonic()))
            demand('%r came' % text, ready, self.shown)
            try:
                piece = os.read(self.screen, 65536)
            except OSError:
                piece = b''
            demand('%r came before the end' % text, piece, self.shown)
            self.shown += piece.decode()

    def type(self, data):
        os.write(self.screen, data)

    def end(self):
        out = self.process.communicate(timeout=PATIENCE)[0].decode()
        while select.select([self.screen], [], [], 0)[0]:
            try:
                piece = os.read(self.screen, 65536)
            except OSError:
                break
            if not piece:
                break
            self.shown += piece.decode()
        os.close(self.screen)
        return self.process.returncode, out


def pty_control(terminal):
    import fcntl
    import termios
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


def asked(machine, *words, answer, meanwhile=None):
    talk = Conversation(machine.command(*words))
    talk.wait_for('anything else to leave it: ')
    demand('nothing is written before the answer', machine.changes() == {} and machine.log() == [], machine.log())
    if meanwhile:
        meanwhile(machine)
        machine.before = machine.devices()
    talk.type(answer)
    status, out = talk.end()
    return status, out, talk.shown


def the_answer(folder, program):
    for answer, status in ((b'0000:01:00.0\n', 0), (b'01:00.0\n', 0), (b' 0000:01:00.0 \n', 0), (b'0000:02:00.0\n', 3), (b'yes\n', 3),
                           (b'y\n', 3), (b'\n', 3), (b'ens1f0\n', 3), (b'0000:01:00.00\n', 3), (b'\x04', 3), (b'0000:01:00.0\x04\x04', 3)):
        machine = Machine(folder, 'lab', program)
        got, out, shown = asked(machine, 'write', 'ens1f0', 'CTRL.SPEED=BROKEN', answer=answer)
        demand('the exit status after %r' % answer, got == status, (got, shown))
        if status == 0:
            demand('what was asked for was written', machine.changes() == {('resource0', 0x10): 0x57, ('resource0', 0x12): 0x38}, machine.changes())
            demand('it is told', 'wrote  0x00380a57' in out, out)
            demand('the log', [e['phase'] for e in machine.log()] == ['intent', 'outcome'], machine.log())
        else:
            demand('nothing was written', machine.changes() == {} and machine.log() == [], (machine.changes(), machine.log()))
            demand('it is said', 'nothing was written' in shown, shown)


def what_is_shown(folder, program):
    machine = Machine(folder, 'lab', program)
    _, _, shown = asked(machine, 'write', 'ens1f0', 'CTRL.SPEED=BROKEN', answer=b'no\n')
    for text in ('0000:01:00.0', '1d00:0001', 'map lab 1.0.0', 'write  CTRL.SPEED  bar0+0x10, 32 bits, one store', 'old    0x00390a55',
                 'new    0x00380a57'):
        demand('the question tells %r' % text, text in shown, shown)
    demand('the changed field is marked', re.search(r'\* 2:1 +SPEED +0x2  1G +0x3  BROKEN', shown), shown)
    demand('the others are not', re.search(r'\n  7:4 +MODE +0x5 +0x5', shown), shown)
    demand('what is left alone is told', re.search(r'leaves alone .*ERROR', shown), shown)


def interrupted(folder, program):
    machine = Machine(folder, 'lab', program)
    talk = Conversation(machine.command('write', '01:00.0', 'PLAIN=1'))
    talk.wait_for('anything else to leave it: ')
    talk.type(b'\x03')
    status, _ = talk.end()
    demand('Ctrl-C ends it', status == -signal.SIGINT, (status, talk.shown))
    demand('and nothing was written', machine.changes() == {} and machine.log() == [], machine.log())


def without_a_screen(folder, program):
    machine = Machine(folder, 'lab', program)
    talk = Conversation(machine.command('write', '01:00.0', 'PLAIN=1'), errors_elsewhere=True)
    status, _ = talk.end()
    demand('a question that nobody sees is not asked', status == 3 and machine.changes() == {}, status)


def rewrite(name, old, new):
    def change(machine):
        path = machine.path(f'{DEVICE}/{name}')
        with open(path, 'rb') as file:
            content = file.read()
        demand('the change is one', old in content, content[:200])
        trees.overwrite(path, content.replace(old, new, 1))
    return change


def poke(offset, value, name='resource0'):
    def change(machine):
        with open(machine.path(f'{DEVICE}/{name}'), 'r+b') as file:
            file.seek(offset)
            file.write(value)
    return change


def new_folder(machine):
    old = machine.path(DEVICE)
    shutil.copytree(old, old + '.new', symlinks=True)
    os.rename(old, old + '.old')
    os.rename(old + '.new', old)


def bind(machine):
    os.symlink('../../../../bus/pci/drivers/testdrv', machine.path(f'{DEVICE}/driver'))


def changed_meanwhile(folder, program):
    changes = {'another device': rewrite('device', b'0x0001', b'0x0003'), 'another revision': rewrite('revision', b'0x01', b'0x02'),
               'another place': rewrite('resource', b'0x00000000f0000000', b'0x00000000f1000000'), 'a driver': bind,
               'a device of its kind in its place': new_folder, 'asleep': rewrite('power_state', b'D0', b'D3hot'),
               'memory decoding': poke(4, b'\x04', 'config'), 'gone from the bus': poke(0, b'\xff' * 64, 'config'),
               'the old value': poke(0x14, b'\x12')}
    for what, change in changes.items():
        machine = Machine(folder, 'lab', program)
        status, _, shown = asked(machine, 'write', '01:00.0', 'PLAIN=1', answer=b'0000:01:00.0\n', meanwhile=change)
        demand('%s: refused' % what, status == 3 and 'not what it was' in shown, (status, shown))
        demand('%s: nothing was written' % what, machine.changes() == {}, machine.changes())
        demand('%s: nothing is in the log' % what, machine.log() == [], machine.log())
    machine = Machine(folder, 'lab', program)
    status, _, shown = asked(machine, 'write', '01:00.0', 'PLAIN=1', answer=b'0000:01:00.0\n',
                             meanwhile=lambda m: (shutil.move(m.path(DEVICE), m.path('away')), os.makedirs(m.path(DEVICE)),
                                                  [trees.write(m.path(f'{DEVICE}/{n}'), b'') for n in ('resource0', 'config')]))
    demand('taken away', status == 3 and machine.log() == [], (status, shown))
    # What counts by itself is another value each time it is looked at.
    machine = Machine(folder, 'lab', program)
    status, _, shown = asked(machine, 'write', '01:00.0', 'COUNT=0', answer=b'0000:01:00.0\n', meanwhile=poke(0x1c, b'\x08'))
    demand('a counter may count', status == 0 and machine.changes() == {('resource0', 0x1c): 0}, (status, shown))


def killed(folder, program):
    """Whatever is in the device was announced in the log, and a window is put back unless the process was killed outright."""
    random.seed(6)
    command = ('write', '01:00.0', 'BEHIND=0x01020304', '--yes')
    machine = Machine(folder, 'lab_other_page', program)
    started = time.monotonic()
    demand('it works', subprocess.run(machine.command(*command), stdout=subprocess.DEVNULL, check=False).returncode == 0, machine.log())
    takes = time.monotonic() - started
    seen = set()
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT) * 8:
        machine = Machine(folder, 'lab_other_page', program)
        process = subprocess.Popen(machine.command(*command), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0, takes * 1.2))
        process.send_signal(number)
        process.wait(PATIENCE)
        log = machine.log()
        announced = {(e['action'], e['offset']) for e in log if e['phase'] == 'intent'}
        select_held, behind = machine.word(4), machine.word(0x8004)
        demand('a moved window was announced', select_held == 0x106 or ('select', '0x4') in announced, log)
        demand('a write was announced', behind == 0xaaaabbbb or ('write', '0x8004') in announced, log)
        demand('and is the one that was asked for', behind in (0xaaaabbbb, 0x01020304), hex(behind))
        if number != signal.SIGKILL:
            demand('the window is back after %s' % number.name, select_held == 0x106, log)
            demand('and no access is left open', len(log) % 2 == 0, log)
        seen.add(len(log))
    print('signals at %d different points of the log' % len(seen))


def unsynced(folder, program):
    """The disk under the log fails at each of its syncs in turn: nothing that was not noted is done, but a window is put back."""
    with open(program, 'rb') as file:
        if shutil.which('strace') is None or b'__asan_init' in file.read():
            print('note: no strace, or a sanitizer: failing syncs not tried')
            return
    last = 0
    for when in range(1, 12):
        machine = Machine(folder, 'lab_other_page', program)
        done = subprocess.run(['strace', '-f', '-o', '/dev/null', '-e', 'trace=fsync', '-e', f'inject=fsync:error=EIO:when={when}',
                               *machine.command('write', '01:00.0', 'BEHIND=0x01020304', '--yes')],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        words = done.stderr.decode()
        if 'ptrace' in words:
            print('note: strace may not trace here: failing syncs not tried')
            return
        demand('the window is where it was, sync %d' % when, machine.word(4) == 0x106, machine.log())
        if done.returncode == 0:
            break
        last = when
        announced = [e['action'] for e in machine.log() if e['phase'] == 'intent']
        written = machine.word(0x8004) == 0x01020304
        demand('sync %d: said' % when, 'audit log' in words and 'EIO' in words, words)
        # 1: the folder; 2 and 3: the window is moved; 4 and 5: the write; 6 and 7: it is put back.
        demand('sync %d: the exit status' % when, done.returncode == 7, (done.returncode, words))
        demand('sync %d: written' % when, written == (when > 4), (announced, words))
        demand('sync %d: said whether' % when, when > 5 or ('the write was made' in words) == written, words)
        demand('sync %d: announced' % when, not written or 'write' in announced, announced)
    demand('each of the seven syncs was tried', last == 7, last)


def undone(folder, program):
    """The command that `audit undo` proposes, run by a shell, brings the old value back."""
    for target, value in (('CTRL.SPEED', 'BROKEN'), ('PLAIN', '5'), ('LONG', '0xfedcba9876543210'), ('LINE', '0x2a'), ('BIG', '1')):
        machine = Machine(folder, 'lab', program)
        command = machine.command('write', '01:00.0', f'{target}={value}', '--yes')
        command[command.index('a test')] = 'it\'s "a" $(test)'
        demand('written', subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode == 0, command)
        demand('something changed', machine.changes() != {}, target)
        proposal = subprocess.run([program, 'audit', 'undo', '1', '--root', machine.root], stdout=subprocess.PIPE, check=True).stdout.decode()
        shell = f'PATH={os.path.dirname(program)}:$PATH; {proposal.strip()} --yes'
        demand('the proposal runs', subprocess.run(['sh', '-c', shell], stdout=subprocess.DEVNULL, check=False).returncode == 0, shell)
        wanted = {('resource0', 0x12): 0x38} if target.startswith('CTRL') else {}  # ERROR is not set anew
        demand('%s holds what it held' % target, machine.changes() == wanted, (machine.changes(), proposal))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--program', required=True)
    program = os.path.abspath(parser.parse_args().program)
    with tempfile.TemporaryDirectory(prefix='barscope-override-') as folder:
        for check in (what_is_shown, the_answer, interrupted, without_a_screen, changed_meanwhile, killed, unsynced, undone):
            check(folder, program)
    return 0


if __name__ == '__main__':
    sys.exit(main())
