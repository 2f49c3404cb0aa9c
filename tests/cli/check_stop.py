#!/usr/bin/env python3
"""A command that takes too long: --timeout, SIGINT and SIGTERM end it before the next load, and what was read is told.

    check_stop.py --program PATH

--max-rate stands for a slow device. How many loads were made is the access log's word, not the program's.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

import check_snapshots

PATIENCE = 60


class Run:
    """A command in the background, whose loads are in a log."""

    def __init__(self, bench, name, *words):
        self.bench, self.log = bench, bench.path(name + '.log')
        self.process = subprocess.Popen([bench.program, *words, '--access-log', self.log], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)

    def loads(self, space='bar'):
        try:
            with open(self.log, encoding='utf-8') as file:
                return sum(line.startswith(space) for line in file.read().split('\n')[:-1])
        except FileNotFoundError:
            return 0

    def wait_for_loads(self, count):
        end = time.monotonic() + PATIENCE
        while self.loads() < count and self.process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)

    def stop(self, number):
        """Returns what it said, and how long it took to end."""
        begin = time.monotonic()
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=PATIENCE)
        return out.decode(), err.decode(), time.monotonic() - begin


def registers(document):
    return {entry['name']: entry for entry in document['registers']}


def check_told(bench, name, document, loads, why):
    """Every load that was made is a value, and everything else says why it is none."""
    entries = [e for e in document['registers'] if e['space'] == 'mem']
    values = [e for e in entries if 'value' in e]
    unread = [e for e in entries if e['status'] == 'not-attempted']
    bench.check(len(values) == loads, f'{name}: {loads} loads are {len(values)} values')
    bench.check(unread and all(why in e['reason'] for e in unread), f'{name}: words that were not loaded say why: {unread}')
    bench.check(why in document['stopped'], f'{name}: the document says that it was stopped')


def check_timeout(bench, root):
    words = ('dump', '01:00.0', '--root', root, '--map', bench.map, '--max-rate', '5', '--timeout', '1')
    begin = time.monotonic()
    run = Run(bench, 'timeout', *words, '--format', 'json')
    out, err = run.process.communicate(timeout=PATIENCE)
    took = time.monotonic() - begin
    bench.check(run.process.returncode == 4, f'timeout: status {run.process.returncode}: {err.decode()}')
    bench.check('time limit of 1 s is over' in err.decode(), f'timeout: {err.decode()}')
    bench.check(1 <= run.loads() <= 6, f'timeout: {run.loads()} loads at 5 a second in 1 s')
    bench.check(0.9 < took < 20, f'timeout: took {took} s')
    check_told(bench, 'timeout', json.loads(out), run.loads(), 'the time limit of 1 s is over')
    text = bench.run(*words)
    bench.check(text.returncode == 4 and b'ID' in text.stdout and b'the time limit of 1 s is over' in text.stdout,
                f'timeout: as text: {text.stdout.decode()}')
    fine = bench.run('dump', '01:00.0', '--root', root, '--map', bench.map, '--timeout', '60', '--format', 'json')
    bench.check(fine.returncode == 0 and 'stopped' not in json.loads(fine.stdout), 'timeout: time enough')
    checks = bench.run('check', '01:00.0', '--root', root, '--map', bench.map, '--max-rate', '2', '--timeout', '0.3', '--format', 'json')
    bench.check(checks.returncode == 4, f'timeout: check: {checks.returncode}')


def check_signals(bench, root):
    for number in (signal.SIGINT, signal.SIGTERM):
        name = signal.Signals(number).name
        for command in ('dump', 'read', 'check'):
            which = ('*',) if command == 'read' else ()
            run = Run(bench, f'{command}-{name}', command, '01:00.0', *which, '--root', root, '--map', bench.map, '--max-rate', '1',
                      '--format', 'json')
            run.wait_for_loads(1)
            out, err, took = run.stop(number)
            bench.check(run.process.returncode == 4, f'{command} {name}: status {run.process.returncode}: {err}')
            bench.check(took < 10, f'{command} {name}: it took {took} s to stop')
            bench.check(f'stopped by {name}' in err, f'{command} {name}: {err}')
            bench.check(1 <= run.loads() < 7, f'{command} {name}: {run.loads()} loads')
            document = json.loads(out)
            if command != 'check':
                check_told(bench, f'{command} {name}', document, run.loads(), f'stopped by {name}')


def full_pipe():
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    try:
        while True:
            os.write(write_end, b'x' * 4096)
    except BlockingIOError:
        pass
    os.set_blocking(write_end, True)
    return read_end, write_end


def check_printing(bench, root):
    """Once the device is done with, a signal ends the program as it ends any other: here one that hangs in its output."""
    read_end, write_end = full_pipe()
    process = subprocess.Popen([bench.program, 'dump', '01:00.0', '--root', root, '--map', bench.map], stdout=write_end)
    os.close(write_end)
    for _ in range(200):
        with open(f'/proc/{process.pid}/wchan', encoding='utf-8') as file:
            waits = file.read()
        if 'pipe' in waits:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    status = process.wait(PATIENCE)
    os.close(read_end)
    bench.check(status == -signal.SIGINT, f'hanging in its output: status {status}')


def check_snapshot(bench, root):
    """A snapshot that was cut short is a valid one, and says so."""
    whole = bench.take('plain', 'whole.json', '--map', bench.map)
    for number in (signal.SIGINT, signal.SIGTERM):
        name = signal.Signals(number).name
        file = bench.path(f'partial-{name}.json')
        run = Run(bench, f'snapshot-{name}', 'snapshot', '01:00.0', '--root', root, '--map', bench.map, '--max-rate', '2',
                  '-o', file)
        run.wait_for_loads(2)
        _, err, took = run.stop(number)
        why = f'stopped by {name}'
        bench.check(run.process.returncode == 4 and why in err, f'snapshot {name}: {run.process.returncode}: {err}')
        bench.check(took < 10, f'snapshot {name}: it took {took} s')
        document = bench.judge(file)
        bench.check(document['stopped'].startswith(why + ', in pass 1 of 2'), f'snapshot {name}: {document.get("stopped")}')
        bench.check(document['captures'][0]['stopped'] == why and len(document['captures']) == 1, 'the pass says so')
        loaded = [digits for digits in next(check_snapshots.words_of(document, 'bar0')).values() if '.' not in digits]
        bench.check(len(loaded) == run.loads(), f'snapshot {name}: {run.loads()} loads are {len(loaded)} words')
        bench.check(all(entry['status'] == 'not-asked' and why in entry['why'] for entry in document['context']), 'no context')
        bench.check(all(why in entry['why'] for entry in document['logs']), 'no logs')
        bench.check(bench.run('verify', file).returncode == 0, 'verify')
        shown = bench.run('show', file)
        bench.check(shown.returncode == 0 and why.encode() in shown.stdout, f'show: {shown.stdout.decode()[:600]}')
        again = bench.run('dump', file, '--format', 'json')
        bench.check(again.returncode == 4, f'dump of it: {again.returncode}')
        check_told(bench, f'dump of snapshot {name}', json.loads(again.stdout), run.loads(), why)
        different = bench.run('diff', file, whole)
        bench.check(different.returncode in (0, 1) and b'not-attempted' in different.stdout or why.encode() in different.stdout,
                    f'diff: {different.returncode}: {different.stdout.decode()[:1500]}{different.stderr.decode()}')
    leftovers = [entry for entry in os.listdir(bench.folder) if '.json.' in entry]
    bench.check(not leftovers, f'left behind: {leftovers}')
    limited = bench.path('limited.json')
    result = bench.run('snapshot', '01:00.0', '--root', root, '--map', bench.map, '--max-rate', '5', '--timeout', '0.5', '-o', limited)
    bench.check(result.returncode == 4 and 'time limit of 500 ms' in bench.judge(limited)['stopped'], 'a snapshot in limited time')


def check_killed(bench, root):
    file = bench.path('killed.json')
    run = Run(bench, 'killed', 'snapshot', '01:00.0', '--root', root, '--map', bench.map, '--max-rate', '2', '-o', file)
    run.wait_for_loads(1)
    run.stop(signal.SIGKILL)
    bench.check(not os.path.exists(file), 'no half file after kill -9')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--program', required=True)
    with tempfile.TemporaryDirectory(prefix='barscope-stop-') as folder:
        bench = check_snapshots.Bench(os.path.abspath(parser.parse_args().program), folder)
        root = bench.tree('plain')
        for check in (check_timeout, check_signals, check_printing, check_snapshot, check_killed):
            check(bench, root)
        print(f'{bench.checked} checks, {len(bench.failures)} failed')
    return 1 if bench.failures else 0


if __name__ == '__main__':
    sys.exit(main())
