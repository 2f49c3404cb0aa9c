#!/usr/bin/env python3
"""Logs that change between the summary and the records: what was counted is shown, or the loss is told.

    check_changing.py --program PATH

The program's output goes into a pipe that is not emptied, so it waits in the middle of the records while the file changes.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

ROWS = 60_000       # several times what the pipe and the program's buffers hold


def rows(number):
    return '[%8d.000001] bnxt_en 0000:45:00.0 eth0: NIC Link is Up, 25000 Mbps full duplex\n' % number


def kmsg(number):
    return '6,%d,%d,-;bnxt_en 0000:45:00.0 eth0: NIC Link is Up, 25000 Mbps full duplex\n' % (number + 1, number * 1000)


def journal(number):
    return json.dumps({'__MONOTONIC_TIMESTAMP': str(number), 'PRIORITY': '6', 'SYSLOG_IDENTIFIER': 'kernel',
                       'MESSAGE': 'bnxt_en 0000:45:00.0 eth0: NIC Link is Up'}) + '\n'


FORMS = {'rows': rows, 'kmsg': kmsg, 'journal': journal}


def cut(path):
    os.truncate(path, os.path.getsize(path) // 2)


def empty(path):
    os.truncate(path, 0)


def rotate(path):
    os.rename(path, path + '.1')
    with open(path, 'w') as file:
        file.write('[99999999.0] another file\n')


def grow(path):
    with open(path, 'a') as file:
        file.write('[99999999.0] more\n' * 1000)


def run(program, folder, form, change, arguments):
    path = os.path.join(folder, 'log')
    with open(path, 'w') as file:
        file.writelines(FORMS[form](number) for number in range(ROWS))
    process = subprocess.Popen([program, 'fwlog', path, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               stdin=subprocess.DEVNULL, bufsize=0)
    begun = process.stdout.read(1)
    change(path)
    out, errors = process.communicate(timeout=120)
    return process.returncode, (begun + out).decode(), errors.decode()


def check(program, folder, form, change, arguments):
    status, out, errors = run(program, folder, form, change, arguments)
    shown = out.count('"line":') if arguments else sum('bnxt_en 0000:45' in line and 'first' not in line and 'last' not in line for line in out.split('\n'))
    what = '%s, %s, %s: exit %d, %d rows, %s' % (form, change.__name__, arguments, status, shown, errors.strip())
    if change in (cut, empty):
        ok = status == 6 and 'was cut while it was read' in errors and os.path.join(folder, 'log') in errors and 0 < shown < ROWS
    else:
        ok = status == 0 and not errors and shown == ROWS
    return None if ok else what


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--program', required=True)
    program = os.path.abspath(parser.parse_args().program)
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for form in FORMS:
            for change in (cut, empty, rotate, grow):
                for arguments in ((), ('--format', 'ndjson')):
                    failed.append(check(program, folder, form, change, list(arguments)))
    failed = [line for line in failed if line]
    print('\n'.join(failed) if failed else '24 changes of a log while it was shown: all rows shown, or the loss told')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
