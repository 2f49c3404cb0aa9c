#!/usr/bin/env python3
"""The program without lab override: the code that writes is not in it, and it says so.

    check_readonly.py --readonly PATH [--program PATH]

--program is the one that has it: what is looked for must be found there, or the search proves nothing.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import trees

HERE = os.path.dirname(os.path.abspath(__file__))
# Functions of safety/override and tool/override, and texts that only they print.
SYMBOLS = ('store_once', 'OverridePort', 'AuditLog::', 'NamedWrite', 'through_window')
TEXTS = (b'(mmap, read and write)', b'Type the device\'s address', b'one store')


def demand(what, holds, detail=''):
    if not holds:
        sys.exit('%s: %s' % (what, detail))


def symbols(program):
    return subprocess.run(['nm', '-C', program], stdout=subprocess.PIPE, check=True).stdout.decode(errors='replace')


def content(program):
    with open(program, 'rb') as file:
        return file.read()


def run(program, *words):
    done = subprocess.run([program, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def search(readonly, program):
    if shutil.which('nm') is None:
        print('note: nm is not installed: symbols not looked at')
    else:
        for symbol in SYMBOLS:
            demand('%s is in the program without lab override' % symbol, symbol not in symbols(readonly))
            demand('%s is not in the other' % symbol, program is None or symbol in symbols(program))
    for text in TEXTS:
        demand('%r is in the program without lab override' % text, text not in content(readonly))
        demand('%r is not in the other' % text, program is None or text in content(program))


def refuse(readonly, folder):
    trees.build('lab', folder)
    rest = ['--root', folder, '--map', os.path.join(HERE, 'maps/lab.json')]
    lab = ['--lab-override', '--reason', 'a test']
    bar = os.path.join(folder, 'sys/bus/pci/devices/0000:01:00.0/resource0')
    before = content(bar)
    for words in (['write', '01:00.0', 'PLAIN=1', '--yes', *lab], ['write', '01:00.0', 'PLAIN=1', '--yes'],
                  ['write', '01:00.0', 'bar0+0x10=1', '--raw', '--yes', *lab], ['read', '01:00.0', 'CAUSE', *lab],
                  ['read', '01:00.0', 'bar0+0x10', *lab], ['read', '01:00.0', 'PLAIN', *lab], ['dump', '01:00.0', *lab]):
        status, _, err = run(readonly, *words, *rest)
        demand('%r is refused' % words, status == 3 and 'this build has no lab override' in err, (status, err))
    demand('nothing was written', content(bar) == before)
    demand('and no log was made', not os.path.exists(os.path.join(folder, 'var')))
    status, out, err = run(readonly, 'read', '01:00.0', 'PLAIN', *rest)
    demand('it reads as ever', status == 0 and '0x11111111' in out, err)


def listing(readonly, program, folder):
    trees.build('lab', folder)
    rest = ['--root', folder]
    if program is not None:
        status, _, err = run(program, 'write', '01:00.0', 'PLAIN=1', '--yes', '--lab-override', '--reason', 'a test', *rest, '--map',
                             os.path.join(HERE, 'maps/lab.json'))
        demand('written by the other', status == 0, err)
        demand('both list the same', run(readonly, 'audit', *rest) == run(program, 'audit', *rest))
        demand('and propose the same', run(readonly, 'audit', 'undo', '1', *rest) == run(program, 'audit', 'undo', '1', *rest))
    demand('it lists', run(readonly, 'audit', *rest)[0] == 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--readonly', required=True)
    parser.add_argument('--program')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='barscope-readonly-') as folder:
        search(options.readonly, options.program)
        refuse(options.readonly, os.path.join(folder, 'refused'))
        listing(options.readonly, options.program, os.path.join(folder, 'listed'))
    return 0


if __name__ == '__main__':
    sys.exit(main())
