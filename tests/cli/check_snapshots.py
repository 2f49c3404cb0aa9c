#!/usr/bin/env python3
"""Snapshots of simulated machines: their form, their hashes, what they answer, and what becomes of damaged ones.

Judges that are not the program: docs/snapshot.schema.json (python3-jsonschema), hashlib and json for the hashes, the access
log for loads, and the live command's own output for what the snapshot must answer.
"""

import argparse
import copy
import glob
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import jsonschema
import trees

HERE = os.path.dirname(os.path.abspath(__file__))
SCHEMA = os.path.join(HERE, '../../docs/snapshot.schema.json')
CODES = {0, 1, 2, 3, 4, 5, 6, 7}


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(',', ':'), ensure_ascii=False).encode()


def digest(value):
    return hashlib.sha256(canonical(value)).hexdigest()


class Bench:
    def __init__(self, program, folder):
        self.program, self.folder, self.failures, self.checked = program, folder, [], 0
        with open(SCHEMA, encoding='utf-8') as file:
            self.validator = jsonschema.Draft7Validator(json.load(file))
        self.map = os.path.join(HERE, 'maps/test.json')

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *words, **options):
        return subprocess.run([self.program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=120,
                              **options)

    def check(self, condition, what):
        self.checked += 1
        if not condition:
            self.failures.append(what)
            print(f'FAILED {what}')

    def tree(self, name):
        root = self.path('tree-' + name)
        if not os.path.exists(root):
            trees.build(name, root)
        return root

    def take(self, tree, name, *more, status=0, device='01:00.0'):
        file = self.path(name)
        result = self.run('snapshot', device, '--root', self.tree(tree), '-o', file, '--interval', '0', *more)
        self.check(result.returncode == status, f'{name}: status {result.returncode} for {status}: {result.stderr.decode()}')
        if not file.endswith('.zst'):
            self.judge(file)
        return file

    def judge(self, file):
        """Against the schema and the hashes; returns the document."""
        with open(file, encoding='utf-8') as stream:
            document = json.load(stream)
        errors = [f'{error.json_path}: {error.message[:200]}' for error in self.validator.iter_errors(document)]
        self.check(not errors, f'{os.path.basename(file)} is not of the schema: {errors[:5]}')
        members = {key: digest(value) for key, value in document.items() if key != 'integrity'}
        self.check(members == document['integrity']['members'], f'{file}: hashes of members')
        self.check(digest(members) == document['integrity']['digest'], f'{file}: hash of hashes')
        return document


def words_of(document, place):
    """Of each pass: {(window, width, offset): digits} of a place."""
    for one in document['captures']:
        found = {}
        for block in one['blocks']:
            if block['space'] != place:
                continue
            size = block['width'] // 4
            for i in range(block['count']):
                key = (block.get('window'), block['width'], int(block['offset'], 16) + i * block['stride'])
                found[key] = block['words'][i * size:(i + 1) * size]
        yield found


def check_form(bench):
    """What is in a snapshot of a healthy device; loads are counted by the access log."""
    log = bench.path('loads.log')
    file = bench.take('plain', 'plain.json', '--map', bench.map, '--passes', '3', '--access-log', log, '--label', 'über "quoted"\n')
    document = bench.judge(file)
    bench.check(document['label'] == 'über "quoted"\n', 'the label is kept as it is')
    with open(log, encoding='utf-8') as stream:
        bar = [line for line in stream if ' bar0 ' in f' {line} ']
    # ID, STATUS, FAR and two queues of two: seven words of 32 bits; CAUSE, KICK and RING are never loaded.
    bench.check(len(bar) == 3 * 7, f'3 passes of 7 words are {len(bar)} loads')
    passes = list(words_of(document, 'bar0'))
    bench.check(len(passes) == 3, 'three passes')
    read = {key[2]: digits for key, digits in passes[0].items() if '.' not in digits}
    bench.check(sorted(read) == [0, 4, 0x1000, 0x1004, 0x1010, 0x1014, 0x8004], f'words read: {sorted(read)}')
    with open(os.path.join(bench.tree('plain'), 'sys/bus/pci/devices/0000:01:00.0/resource0'), 'rb') as stream:
        for offset, digits in read.items():
            stream.seek(offset)
            bench.check(int.from_bytes(stream.read(4), 'little') == int(digits, 16), f'word at {offset:#x}')
    bench.check(document['map']['files'][0]['text'] == json.load(open(bench.map, encoding='utf-8')), 'the map is embedded')
    statuses = {entry['name']: entry['status'] for entry in document['decoded']['registers']}
    bench.check(statuses['CAUSE'] == 'side-effect' and statuses['KICK'] == 'write-only', 'what was not read says why')
    bench.check(oct(os.stat(file).st_mode & 0o777) == '0o600', 'only its owner may read it')


def without_first_line(result):
    # A snapshot holds the loads of the whole pass, a live command those of its own.
    text = re.sub(rb'[0-9]+ loads? in [0-9.]+ [a-z\xc2\xb5]+', b'', result.stdout)
    text = re.sub(rb'stopped at word .*', b'', text)
    return result.returncode, text.split(b'\n', 1)[1]


def stripped(result):
    """A document without what names the source of the values and the time it took."""
    document = json.loads(result.stdout)
    for name in ('device', 'sources', 'map', 'tool'):
        document.pop(name, None)
    for register in document.get('registers', []):
        register.pop('ns', None)
        register.pop('slow', None)
    return result.returncode, document


def check_answers(bench):
    """Every command that reads a device answers the same from its snapshot."""
    for tree, more in (('plain', ['--map', bench.map]), ('bnxt', []), ('bnxt_elsewhere', []), ('bnxt_never_set', []),
                       ('gone', ['--map', bench.map]), ('bar_dead', ['--map', bench.map]), ('ones_alive', ['--map', bench.map]),
                       ('small_bar', ['--map', bench.map]), ('short_bar', ['--map', bench.map]), ('lockdown', ['--map', bench.map])):
        root = ['--root', bench.tree(tree)]
        device = sorted(os.listdir(os.path.join(root[1], 'sys/bus/pci/devices')))[0]
        live = bench.run('dump', device, *root, *more)
        file = bench.take(tree, f'answer-{tree}.json', *more, device=device, status=live.returncode)
        without = [word for word in more if word.startswith('-') and word != '--map']
        # Of bnxt some registers are read only where they are named: a snapshot of everything does not hold them.
        named = [] if tree.startswith('bnxt') else [['read', '*']]
        for words in (['dump'], ['dump', '--group', 'health'], ['check'], *named):
            operands = [words[0], None, *words[1:]]
            for form in ('text', 'json'):
                given = [*operands, '--format', form]
                given[1] = device
                here = bench.run(*given, *root, *more, *(['--interval', '0'] if words[0] == 'check' else []))
                given[1] = file
                there = bench.run(*given, *without)
                what = f'{" ".join(words)} of {tree} as {form}'
                if here.stdout and b'"error"' in here.stdout[:20]:
                    bench.check(here.returncode == there.returncode, what + ': status of an error')
                    continue
                same = stripped if form == 'json' else without_first_line
                bench.check(bool(here.stdout) == bool(there.stdout), what + ': prints')
                if here.stdout and there.stdout:
                    bench.check(same(here) == same(there), f'{what}: {same(here)!r:.1500}\n{same(there)!r:.1500}')
        info = bench.run('info', file)
        bench.check(info.returncode == 0 and device.encode() in info.stdout, f'info of {tree}: {info.stderr.decode()}')
        logs = bench.run('fwlog', file)
        bench.check(logs.returncode in (0, 4), f'fwlog of {tree}: {logs.stderr.decode()}')
        for form in ('text', 'json', 'markdown', 'html'):
            shown = bench.run('show', file, '--format', form)
            bench.check(shown.returncode == 0 and shown.stdout, f'show of {tree} as {form}: {shown.stderr.decode()}')
            bench.check(bench.run('diff', file, file, '--format', form).returncode == 0, f'{tree} differs from itself')


def check_files(bench):
    """Names, existing files, compression, a full disk, a kill."""
    plain = bench.path('plain.json')
    again = bench.run('snapshot', '01:00.0', '--root', bench.tree('plain'), '--map', bench.map, '-o', plain, '--interval', '0')
    bench.check(again.returncode == 7 and b'--force' in again.stderr, 'an existing file is not overwritten')
    before = open(plain, 'rb').read()
    bench.take('plain', 'plain.json', '--map', bench.map, '--force')
    bench.check(open(plain, 'rb').read() != before, '--force replaces it')
    packed = bench.take('plain', 'packed.json.zst', '--map', bench.map)
    bench.check(open(packed, 'rb').read(4) == bytes.fromhex('28b52ffd'), 'a zstd frame')
    bench.check(bench.run('verify', packed).returncode == 0, 'a compressed snapshot is intact')
    bench.check(bench.run('diff', plain, packed).returncode == 0, 'compressed or not is no difference')
    if shutil.which('zstd'):
        text = subprocess.run(['zstd', '-dc', packed], stdout=subprocess.PIPE, check=True).stdout
        bench.check(json.loads(text)['format'] == 'barscope-snapshot', 'zstd unpacks it')
    made = bench.run('snapshot', '01:00.0', '--root', bench.tree('plain'), '--map', bench.map, '--interval', '0', cwd=bench.folder)
    named = glob.glob(bench.path('barscope-0000-01-00.0-*.json'))
    bench.check(made.returncode == 0 and len(named) == 1, 'without -o it is named after device and time')
    for name in ('-', 'snapshot.txt', bench.folder, bench.path('no/such/folder.json'), '/dev/null'):
        result = bench.run('snapshot', '01:00.0', '--root', bench.tree('plain'), '-o', name)
        bench.check(result.returncode in (2, 7) and result.stderr, f'-o {name} is refused: {result.returncode}')
    for call in ('write', 'fsync'):
        if shutil.which('strace') is None:
            print('skipped: a full disk: strace is not installed')
            break
        target = bench.path(f'full-{call}.json')
        inject = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', f'inject={call}:error=ENOSPC']
        subprocess.run([*inject, bench.program, 'snapshot', '01:00.0', '--root', bench.tree('plain'), '--map', bench.map, '-o', target],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=120)
        left = glob.glob(target + '*')
        bench.check(not left, f'a disk that is full at {call} leaves {left}')


def check_kill(bench):
    """Killed at any moment: nothing, or a whole document, under the final name."""
    source = random.Random(5)
    done = nothing = 0
    begun = time.monotonic()
    bench.take('plain', 'timed.json', '--map', bench.map)
    usual = time.monotonic() - begun
    for number in range(30):
        target = bench.path(f'killed-{number}.json')
        process = subprocess.Popen([bench.program, 'snapshot', '01:00.0', '--root', bench.tree('plain'), '--map', bench.map, '-o', target,
                                    '--interval', '0'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(source.uniform(0, 1.3 * usual))
        process.kill()
        process.wait()
        if os.path.exists(target):
            bench.judge(target)
            done += 1
        else:
            nothing += 1
    print(f'killed: {nothing} left nothing, {done} left a whole document')
    target = bench.path('interrupted.json')
    process = subprocess.Popen([bench.program, 'snapshot', '01:00.0', '--root', bench.tree('plain'), '--map', bench.map, '-o', target,
                                '--passes', '100', '--interval', '200'], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    bench.check(process.returncode == 4 and b'stopped by SIGINT, ' in errors, f'Ctrl-C: {process.returncode} {errors.decode()}')
    document = bench.judge(target)
    bench.check(0 < len(document['captures']) < 100, 'Ctrl-C leaves the passes so far')
    bench.check(document['stopped'].startswith('stopped by SIGINT, '), 'and says that more were wanted')


def damaged(document, source):
    """The document with one leaf or branch replaced, removed or doubled."""
    document = copy.deepcopy(document)
    node, key = document, source.choice(list(document))
    while isinstance(node[key], (dict, list)) and node[key] and source.random() < 0.8:
        node = node[key]
        key = source.choice(list(node)) if isinstance(node, dict) else source.randrange(len(node))
    if source.random() < 0.2:
        del node[key]
    else:
        node[key] = source.choice([None, True, -1, 0, 2**63, 2**70, 1.5, '', 'x' * 300, '0x' + 'f' * 16, [], {}, [[[]]], {'a': 1}, '\u202e',
                                   ['config'], 'bar9', 64, 4096])
    return document


def check_damage(bench):
    """Cut, edited, newer, deep, huge, wrong types: a refusal or a warning, never a crash."""
    plain = bench.path('plain.json')
    whole = open(plain, 'rb').read()
    target = bench.path('damaged.json')

    def statuses(content, *commands):
        with open(target, 'wb') as file:
            file.write(content)
        return [bench.run(command, target) for command in commands or ('verify', 'dump', 'show')]

    cuts = sorted({0, 1, 2, len(whole) - 2, *range(0, len(whole), max(1, len(whole) // 60))})
    for cut in cuts:
        for result in statuses(whole[:cut], 'verify', 'show'):
            bench.check(result.returncode == 6 and result.stderr, f'cut at {cut}: status {result.returncode}')
    packed = open(bench.path('packed.json.zst'), 'rb').read()
    with open(bench.path('damaged.json.zst'), 'wb') as file:
        file.write(packed[:len(packed) // 2])
    result = bench.run('verify', bench.path('damaged.json.zst'))
    bench.check(result.returncode == 6 and b'unpacked' in result.stderr, f'compressed and cut: {result.stderr.decode()}')

    edited = whole.replace(b'"powerState":"D0"', b'"powerState":"D1"', 1)
    bench.check(edited != whole, 'there is a power state to edit')
    verify, dump, _ = statuses(edited)
    bench.check(verify.returncode == 1 and b'device' in verify.stdout, f'verify names what was edited: {verify.stdout.decode()}')
    bench.check(dump.returncode == 0 and b'edited' in dump.stderr, 'others go on with a warning')
    difference = bench.run('diff', plain, target)
    bench.check(difference.returncode in (0, 1) and b'edited' in difference.stdout + difference.stderr, 'diff warns of an edited one')
    relaid = json.dumps(json.loads(whole), indent=3, ensure_ascii=True, sort_keys=True).encode()
    verify = statuses(relaid, 'verify')[0]
    bench.check(verify.returncode == 0, f'laid out anew it is still intact: {verify.stdout.decode()}{verify.stderr.decode()}')

    document = json.loads(whole)
    newer = dict(document, formatVersion=2)
    for result in statuses(json.dumps(newer).encode()):
        bench.check(result.returncode == 6 and b'newer' in result.stderr, 'a newer format is refused')
    deep = b'{"format":"barscope-snapshot","formatVersion":1,"captures":' + b'[' * 200000
    for result in statuses(deep) + statuses(deep + b']' * 200000 + b',"device":{},"map":null}'):
        bench.check(result.returncode == 6, f'deep nesting: {result.returncode}')
    for result in statuses(whole.replace(b'"label":', b'"host":{},"label":', 1)):
        bench.check(result.returncode == 6 and b'twice' in result.stderr, 'a member twice')
    for result in statuses(b'{}') + statuses(b'{"format":"something else"}') + statuses(b'[]', 'verify') + statuses(b'\0' * 100, 'verify'):
        bench.check(result.returncode == 6, f'no snapshot: {result.returncode} {result.stderr.decode()}')

    source = random.Random(17)
    ended = {}
    for number in range(250):
        for result in statuses(json.dumps(damaged(document, source)).encode(), source.choice(['show', 'dump', 'check', 'info', 'fwlog', 'verify'])):
            ended[result.returncode] = ended.get(result.returncode, 0) + 1
            bench.check(result.returncode in CODES, f'damage {number}: status {result.returncode} {result.args} {result.stderr.decode()[:300]}')
        result = bench.run('diff', plain, target)
        bench.check(result.returncode in (0, 1, 2), f'damage {number}: diff {result.returncode} {result.stderr.decode()[:300]}')
    print(f'damaged documents: statuses {ended}')


def check_options(bench):
    plain = bench.path('plain.json')
    for words, status in ((['dump', plain, '--source', 'bar'], 2), (['dump', plain, '--max-rate', '5'], 2), (['dump', plain, '--base', '0'], 2),
                          (['snapshot', plain, '-o', bench.path('x.json')], 2), (['diff', plain], 2), (['diff', plain, plain, plain], 2),
                          (['diff', plain, bench.path('none.json')], 2), (['show', bench.path('none.json')], None), (['show'], 2),
                          (['verify'], 2), (['diff', plain, plain, '--format', 'yaml'], 2), (['read', plain, 'NOTHING'], 2),
                          (['snapshot', '01:00.0', '--root', bench.tree('plain'), '--passes', '0'], 2)):
        result = bench.run(*words)
        good = result.returncode == status if status is not None else result.returncode not in (0, 1)
        bench.check(good and result.stderr, f'{words}: {result.returncode} {result.stderr.decode()}')
    other = bench.run('dump', plain, '--map', 'pcie')
    bench.check(b'map pcie' in other.stdout and b'does not hold this word' in other.stdout, 'a snapshot decoded with another map')
    html = bench.path('report.html')
    bench.check(bench.run('show', plain, '--format', 'html', '-o', html).returncode == 0 and os.path.exists(html), 'show -o')
    bench.check(bench.run('show', plain, '--format', 'html', '-o', html).returncode == 7, 'show -o does not overwrite')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--program', required=True)
    program = os.path.abspath(parser.parse_args().program)
    with tempfile.TemporaryDirectory(prefix='barscope-snapshots-') as folder:
        bench = Bench(program, folder)
        for part in (check_form, check_answers, check_files, check_kill, check_damage, check_options):
            begun = time.monotonic()
            part(bench)
            print(f'{part.__name__[6:]}: {time.monotonic() - begun:.1f} s')
        print(f'{bench.checked} checks, {len(bench.failures)} failed')
        return 1 if bench.failures else 0


if __name__ == '__main__':
    sys.exit(main())
