#!/usr/bin/env python3
"""`fwlog FILE --follow`: what is written meanwhile comes out, through rotation, truncation and absence, and a signal ends it with a summary.

    check_follow.py --program PATH
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

PATIENCE = 60


class Follower:
    def __init__(self, program, path, *more):
        self.out = path + '.out'
        self.err = path + '.err'
        with open(self.out, 'wb') as out, open(self.err, 'wb') as err:
            self.process = subprocess.Popen([program, 'fwlog', path, '--follow', '--format', 'ndjson', *more], stdout=out, stderr=err,
                                            stdin=subprocess.DEVNULL)

    def lines(self):
        with open(self.out, encoding='utf-8') as file:
            return [json.loads(line) for line in file.read().split('\n')[:-1]]

    def wait_for(self, text):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for name in (self.out, self.err):
                with open(name, encoding='utf-8') as file:
                    if text in file.read():
                        return
            time.sleep(0.02)
        self.process.kill()
        sys.exit('%r did not come; there is %r' % (text, self.lines()))

    def stop(self, number):
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


def append(path, text):
    with open(path, 'ab') as file:
        file.write(text)


def demand(what, holds, detail):
    if not holds:
        sys.exit('%s: %r' % (what, detail))


def row(number, text):
    return b'[%5d.000000] bnxt_en 0000:3b:00.0 eth1: %s\n' % (number, text)


def through_changes(program, folder):
    path = os.path.join(folder, 'log')
    append(path, row(1, b'first') + b'[    2.000000] usb 1-1: torn')
    follower = Follower(program, path, '--fail-on', 'error')
    follower.wait_for('first')
    append(path, b' and whole\n')
    follower.wait_for('torn and whole')
    os.rename(path, path + '.1')
    append(path, row(3, b'TX timeout detected, starting reset task!'))
    follower.wait_for('replaced')
    follower.wait_for('TX timeout')
    os.remove(path)
    follower.wait_for('gone')
    append(path, row(4, b'bytes \xb0 \x1b[31m and a very long row ' + b'x' * 100_000))
    follower.wait_for('bytes')
    with open(path, 'wb') as file:
        file.write(row(5, b'last'))
    follower.wait_for('truncated')
    follower.wait_for('last')
    status = follower.stop(signal.SIGTERM)
    lines = follower.lines()
    demand('the exit status is that of --fail-on', status == 1, status)
    texts = [line['message'] for line in lines if line['type'] == 'record']
    demand('every row once, in order', [text.split(': ')[1].split(' ')[0] for text in texts] == ['first', 'torn', 'TX', 'bytes', 'last'], texts)
    demand('the summary ends it', lines[-1]['type'] == 'summary' and lines[-1]['rows'] == 5 and lines[-1]['resets'] == 1, lines[-1])


def kernel_records_at_once(program, folder):
    """A record of /dev/kmsg's form comes out before the next one is there, with the rows that belong to it."""
    path = os.path.join(folder, 'kmsg')
    append(path, b'6,7,1000000,-;bnxt_en 0000:3b:00.0: one\n SUBSYSTEM=pci\n')
    follower = Follower(program, path, '--type', 'kmsg')
    follower.wait_for(': one')
    append(path, b'6,12,2000000,-;bnxt_en 0000:3b:00.0: two\n')
    follower.wait_for(': two')
    demand('ended', follower.stop(signal.SIGINT) == 0, follower.lines())
    lines = follower.lines()
    demand('the gap between them', [line.get('lost') for line in lines if line.get('kind') == 'gap'] == [4], lines)
    demand('no row is torn off', lines[-1]['unparsed'] == 0 and lines[-1]['rows'] == 2, lines[-1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--program', required=True)
    program = os.path.abspath(parser.parse_args().program)
    with tempfile.TemporaryDirectory(prefix='barscope-follow-') as folder:
        through_changes(program, folder)
        kernel_records_at_once(program, folder)
    return 0


if __name__ == '__main__':
    sys.exit(main())
