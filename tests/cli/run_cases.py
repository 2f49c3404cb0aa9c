#!/usr/bin/env python3
"""Run the command-line cases: what is typed, and what must come out.

    run_cases.py --program PATH FILE.case...

A case is a few lines; an empty line ends it, # starts a comment:

    NAME what the case shows
    TREE plain                   a simulated machine from trees.py; its folder is $ROOT
    FILE map.json <<END          a file in $TMP, up to the line END
    PIPE name                    a named pipe in $TMP that nobody writes to
    STDIN_FROM path              standard input is this file
    PAGE cq-with-error page.bin  a page from pages.py, as a file in $TMP
    MAKE page.txt xxd -e page.bin  what this program prints, run in $TMP, as a file there; the case is skipped without it
    ENV NAME=VALUE
    STDIN 00 11 22               bytes in hex for standard input
    RUN read 01:00.0 ID --root $ROOT --map $TMP/map.json
    EXIT 0
    OUT text                     standard output holds the text; ERR: standard error does
    OUT_LINES_IN_ORDER a|b|c     lines of standard output that begin with these texts follow one another
    OUT_LINE regex               a line of standard output matches the whole regex; ERR_LINE likewise
    NOT text                     neither output holds the text
    FIRST text                   the first line of standard output holds the text
    JSON path == literal         of the document on standard output; != and `absent` as well
    SAME_WITH NAME=VALUE         the same run under this environment prints the same bytes
    NO_CALLS regex               no system call of the run matches (skipped without strace)
    CALLS count regex            exactly so many do
    INTO path                    before RUN: standard output is this file; `closed`, `broken pipe` and `terminal` as well
    DURING lines EVENT           before RUN: once $TMP/loads.log has so many lines, trees.py's event happens
    DURING first-last EVENT      the same, and the case is run again where the log had more lines than `last` by then
    IN_FILE name text            the file in $TMP holds the text
    CHANGED file@offset=hex ...  of a device's files these bytes, and no others, differ from what the tree held before the run; alone: none
    AUDIT list                   the log below $ROOT: one word an entry, such as `1:write` (intent) and `1=done` (outcome); alone: no entry

$DATA is the folder tests/data. MAP NAME writes maps/NAME.json beside this file to $TMP/map.json and adds `--map $TMP/map.json` to the run.
Every document that `--format json` asks for is parsed strictly, errors included.
"""

import argparse
import json
import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import pages
import trees

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(os.path.dirname(HERE), 'data')


# What must never reach a terminal or a document as it is: controls, directions, invisible characters.
DISTURBING = set(map(chr, [*range(0, 10), *range(11, 32), *range(0x7f, 0xa0), 0xad, 0x61c, *range(0x200b, 0x2010),
                           *range(0x2028, 0x202f), *range(0x2060, 0x2070), 0xfeff]))


class EventMissed(Exception):
    """A busy machine let the run end before the event: it says nothing about the program, so the case is run again."""


class Failure(Exception):
    pass


class Skipped(Exception):
    pass


def read_cases(path):
    cases, case = [], []
    with open(path, encoding='utf-8') as file:
        lines = iter(file.read().split('\n'))
    for number, line in enumerate(lines, 1):
        if line.startswith('#'):
            continue
        if not line.strip():
            if case:
                cases.append(case)
            case = []
            continue
        key, _, rest = line.partition(' ')
        if key == 'FILE':
            name, _, end = rest.partition(' <<')
            body = []
            for inner in lines:
                if inner == end:
                    break
                body.append(inner)
            rest = (name, '\n'.join(body) + '\n')
        case.append((key, rest, number))
    if case:
        cases.append(case)
    return cases


def no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise Failure(f'duplicate key in {keys}')
    return dict(pairs)


def refuse_constant(name):
    raise Failure(f'{name} is not JSON')


def parse_strictly(text):
    try:
        return json.loads(text, object_pairs_hook=no_duplicates, parse_constant=refuse_constant)
    except ValueError as error:
        raise Failure(f'standard output is not one JSON document: {error}\n{text[:2000]}') from None


class Absent:
    def __repr__(self):
        return 'absent'


ABSENT = Absent()


def step(value, part):
    """One step of a path: a key, ["a key with dots"], [3], or [key=VALUE] for the element that has it."""
    if not part.startswith('['):
        return value.get(part, ABSENT) if isinstance(value, dict) else ABSENT
    inner = part[1:-1]
    if inner.startswith('"'):
        return value.get(inner.strip('"'), ABSENT)
    if '=' in inner:
        key, _, wanted = inner.partition('=')
        found = [e for e in value if str(e.get(key)) == wanted]
        return found[0] if found else ABSENT
    index = int(inner)
    return value[index] if index < len(value) else ABSENT


def look_up(document, path):
    value = document
    for part in re.findall(r'\[[^\[\]]*(?:\[\d+\][^\[\]]*)*\]|[^.\[]+', path):
        if part == 'length':
            return len(value)
        value = step(value, part)
        if value is ABSENT:
            return ABSENT
    return value


class Case:
    def __init__(self, program, steps):
        self.program = program
        self.steps = steps
        self.name = next((rest for key, rest, _ in steps if key == 'NAME'), 'without a name')
        self.notes = []

    def run(self):
        with tempfile.TemporaryDirectory(prefix='barscope-cli-') as folder:
            self.folder = folder
            self.root = os.path.join(folder, 'root')
            self.environment = {'PATH': os.environ.get('PATH', '/usr/bin:/bin'), 'HOME': os.path.join(folder, 'home'),
                                'LC_ALL': 'C', 'ASAN_OPTIONS': os.environ.get('ASAN_OPTIONS', '')}
            self.stdin = b''
            self.extra = []
            self.document = None
            self.into = self.event = self.stdin_from = None
            for key, rest, number in self.steps:
                try:
                    getattr(self, 'do_' + key.lower())(rest)
                except Failure as failure:
                    raise Failure(f'line {number}: {key} {rest}: {failure}') from None

    def expand(self, text):
        return text.replace('$ROOT', self.root).replace('$TMP', self.folder).replace('$DATA', DATA)

    def do_name(self, _):
        pass

    def do_tree(self, name):
        trees.build(name, self.root)

    def do_file(self, named):
        name, body = named
        trees.write(os.path.join(self.folder, name), self.expand(body))

    def do_bytes(self, rest):
        name, _, digits = rest.partition(' ')
        trees.write(os.path.join(self.folder, name), bytes.fromhex(digits))

    def do_page(self, rest):
        page, _, name = rest.partition(' ')
        trees.write(os.path.join(self.folder, name), pages.build(page))

    def do_make(self, rest):
        name, *command = shlex.split(self.expand(rest))
        if shutil.which(command[0]) is None:
            raise Skipped(f'{command[0]} is not installed')
        made = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, timeout=60, check=True)
        trees.write(os.path.join(self.folder, name), made.stdout)

    def do_map(self, name):
        shutil.copy(os.path.join(HERE, 'maps', name + '.json'), os.path.join(self.folder, 'map.json'))
        self.extra = ['--map', os.path.join(self.folder, 'map.json')]

    def do_env(self, rest):
        key, _, value = rest.partition('=')
        self.environment[key] = self.expand(value)

    def do_stdin(self, digits):
        self.stdin = bytes.fromhex(digits)

    def do_pipe(self, name):
        os.mkfifo(os.path.join(self.folder, name))

    def do_stdin_from(self, path):
        self.stdin_from = path

    def start(self, command, environment):
        try:
            return self.start_and_wait(command, environment)
        except subprocess.TimeoutExpired:
            raise Failure('did not end within 60 s') from None

    def start_and_wait(self, command, environment):
        if self.stdin_from is not None:
            with open(self.stdin_from, 'rb') as source:
                return subprocess.run(command, stdin=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      cwd=self.folder, env=environment, timeout=60, check=False)
        if self.into is None:
            return subprocess.run(command, input=self.stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  cwd=self.folder, env=environment, timeout=60, check=False)
        if self.into == 'terminal':
            return self.start_on_terminal(command, environment)
        closed = self.into == 'closed'
        if self.into == 'broken pipe':
            reading, out = os.pipe()
            os.close(reading)
        else:
            out = os.open(os.devnull if closed else self.into, os.O_WRONLY)
        try:
            result = subprocess.run(command, input=self.stdin, stdout=out, stderr=subprocess.PIPE, cwd=self.folder,
                                    env=environment, timeout=60, check=False,
                                    preexec_fn=(lambda: os.close(1)) if closed else None)
        finally:
            os.close(out)
        result.stdout = b''
        return result

    def start_on_terminal(self, command, environment):
        screen, terminal = pty.openpty()
        result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=terminal, stderr=subprocess.PIPE,
                                cwd=self.folder, env=environment, timeout=60, check=False)
        os.close(terminal)
        result.stdout = b''
        try:
            while piece := os.read(screen, 65536):
                result.stdout += piece
        except OSError:  # the end, on Linux
            pass
        os.close(screen)
        result.stdout = result.stdout.replace(b'\r\n', b'\n')
        return result

    def do_into(self, path):
        self.into = path

    def do_during(self, rest):
        lines, _, self.event = rest.partition(' ')
        first, _, last = lines.partition('-')
        self.event_after = int(first)
        self.event_until = int(last) if last else None

    @staticmethod
    def lines_of(log):
        with open(log, 'rb') as file:
            return file.read().count(b'\n')

    def wait_for_event(self, process):
        log = os.path.join(self.folder, 'loads.log')
        end = time.monotonic() + 50
        while process.poll() is None and time.monotonic() < end:
            if os.path.exists(log):
                if self.lines_of(log) >= self.event_after:
                    trees.happen(self.event, self.root)
                    if self.event_until is not None and self.lines_of(log) > self.event_until:
                        raise EventMissed
                    return
            time.sleep(0.002)
        raise EventMissed

    def start_with_event(self, command):
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              cwd=self.folder, env=self.environment) as process:
            self.wait_for_event(process)
            out, err = process.communicate(timeout=60)
        return subprocess.CompletedProcess(command, process.returncode, out, err)

    def device_files(self):
        """What stands for the devices themselves: BARs and configuration space."""
        content = {}
        for folder, _, names in os.walk(os.path.join(self.root, 'sys/bus/pci/devices')):
            for name in names:
                if name == 'config' or name.startswith('resource'):
                    path = os.path.join(folder, name)
                    if os.path.getsize(path) <= 1 << 20 and not os.path.islink(path):
                        with open(path, 'rb') as file:
                            content[os.path.relpath(path, self.root)] = file.read()
        return content

    def do_changed(self, rest):
        wanted = {}
        for word in rest.split():
            file, offset, digits = re.fullmatch(r'(\w+)@(\w+)=(\w+)', word).groups()
            for i, byte in enumerate(bytes.fromhex(digits)):
                wanted[file, int(offset, 16) + i] = byte
        found = {}
        after = self.device_files()
        if set(after) != set(self.before):
            raise Failure(f'other files: {sorted(after)}')
        for path, new in after.items():
            old = self.before[path]
            if len(old) != len(new):
                raise Failure(f'{path} has another size')
            if old != new:
                found.update({(os.path.basename(path), i): b for i, (a, b) in enumerate(zip(old, new)) if a != b})
        # A byte that is written with what it held does not show.
        same = {key for key, byte in wanted.items() if key not in found and any(
            os.path.basename(path) == key[0] and new[key[1]] == byte for path, new in after.items())}
        if found != {key: byte for key, byte in wanted.items() if key not in same}:
            raise Failure('changed: ' + ' '.join(f'{file}@{at:#x}={byte:02x}' for (file, at), byte in sorted(found.items())) + f'\n{self.shown()}')

    def do_audit(self, wanted):
        path = os.path.join(self.root, 'var/log/barscope/audit.jsonl')
        entries = []
        if os.path.isfile(path):
            with open(path, encoding='utf-8') as file:
                for line in file.read().split('\n'):
                    try:
                        entry = json.loads(line)
                        entries.append(f'{entry["id"]}:{entry["action"]}' if entry['phase'] == 'intent' else f'{entry["id"]}={entry["status"]}')
                    except ValueError:
                        continue
        if entries != wanted.split():
            raise Failure(f'the log holds {" ".join(entries)}\n{self.shown()}')

    def do_in_file(self, rest):
        name, _, text = rest.partition(' ')
        with open(os.path.join(self.folder, name), encoding='utf-8', errors='replace') as file:
            content = file.read()
        if self.expand(text) not in content:
            raise Failure(f'not in {name}:\n{content[:2000]}')

    def do_run(self, rest):
        arguments = [self.expand(word) for word in shlex.split(rest)] + self.extra
        self.command = [self.program] + arguments
        self.before = self.device_files()
        if self.event:
            result = self.start_with_event(self.command)
        else:
            result = self.start(self.command, self.environment)
        self.out = result.stdout.decode('utf-8')
        self.err = result.stderr.decode('utf-8')
        self.status = result.returncode
        self.json = 'json' in arguments and '--help' not in arguments and self.into is None
        if self.json:
            self.document = parse_strictly(self.out)
        found = DISTURBING & set(self.out + self.err)
        if found and '--color' not in arguments and self.into != 'terminal':
            raise Failure(f'characters {sorted(found)!r} in the output')

    def do_exit(self, wanted):
        if self.status != int(wanted):
            raise Failure(f'exit status {self.status}\n{self.shown()}')

    def shown(self):
        return f'--- stdout\n{self.out[:4000]}--- stderr\n{self.err[:2000]}---'

    def do_out(self, text):
        if self.expand(text) not in self.out:
            raise Failure(f'not in standard output\n{self.shown()}')

    def do_err(self, text):
        if self.expand(text) not in self.err:
            raise Failure(f'not in standard error\n{self.shown()}')

    def do_not(self, text):
        if self.expand(text) in self.out + self.err:
            raise Failure(f'is in the output\n{self.shown()}')

    def do_first(self, text):
        if self.expand(text) not in self.out.split('\n')[0]:
            raise Failure(f'not in the first line\n{self.shown()}')

    def do_out_line(self, regex):
        if not any(re.fullmatch(self.expand(regex), line) for line in self.out.split('\n')):
            raise Failure(f'no line of standard output matches\n{self.shown()}')

    def do_out_lines_in_order(self, texts):
        lines = iter(self.out.split('\n'))
        for text in texts.split('|'):
            if not any(line.startswith(text) for line in lines):
                raise Failure(f'no line begins with {text!r} where it should\n{self.shown()}')

    def do_err_line(self, regex):
        if not any(re.fullmatch(self.expand(regex), line) for line in self.err.split('\n')):
            raise Failure(f'no line of standard error matches\n{self.shown()}')

    def do_err_lines(self, count):
        if len(self.err.splitlines()) != int(count):
            raise Failure(f'standard error has another number of lines\n{self.shown()}')

    def do_json(self, rest):
        path, relation, literal = re.fullmatch(r'(\S.*?) (==|!=|is) (.*)', rest).groups()
        found = look_up(self.document, path)
        wanted = ABSENT if literal == 'absent' else json.loads(self.expand(literal))
        if (found == wanted) == (relation == '!='):
            raise Failure(f'found {found!r}\n{self.shown()}')

    def do_same_with(self, rest):
        key, _, value = rest.partition('=')
        other = self.start(self.command, {**self.environment, key: value})
        if other.stdout.decode('utf-8') != self.out or other.returncode != self.status:
            raise Failure(f'prints something else:\n{other.stdout.decode("utf-8")}\n{self.shown()}')

    def traced(self):
        strace = shutil.which('strace')
        if strace is None or self.environment['ASAN_OPTIONS'] or b'asan' in open(self.program, 'rb').read():
            return None  # LeakSanitizer and strace exclude one another
        log = os.path.join(self.folder, 'strace.log')
        result = self.start([strace, '-f', '-o', log] + self.command, self.environment)
        if 'ptrace' in result.stderr.decode('utf-8'):
            return None
        with open(log, encoding='utf-8', errors='replace') as file:
            return file.read().split('\n')

    def do_no_calls(self, regex):
        calls = self.traced()
        if calls is None:
            self.notes.append('system calls not traced')
            return
        found = [line for line in calls if re.search(self.expand(regex), line)]
        if found:
            raise Failure('\n'.join(found[:5]))

    def do_calls(self, rest):
        """CALLS COUNT REGEX: exactly so many system calls match."""
        calls = self.traced()
        if calls is None:
            self.notes.append('system calls not traced')
            return
        count, _, regex = rest.partition(' ')
        found = [line for line in calls if re.search(self.expand(regex), line)]
        if len(found) != int(count):
            raise Failure('\n'.join(found) or 'none')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--program', required=True)
    parser.add_argument('--only', default='', help='run cases whose name holds this')
    parser.add_argument('files', nargs='+')
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    failed = passed = 0
    for path in options.files:
        for steps in read_cases(path):
            case = Case(program, steps)
            if options.only not in case.name:
                continue
            try:
                for _ in range(5):
                    try:
                        case.run()
                        break
                    except EventMissed:
                        case = Case(program, steps)
                else:
                    raise Failure('five times the run ended before the event')
                passed += 1
                if case.notes:
                    print(f'note: {case.name}: {", ".join(sorted(set(case.notes)))}')
            except Skipped as reason:
                print(f'note: {case.name}: skipped: {reason}')
            except Failure as failure:
                failed += 1
                print(f'FAILED {os.path.basename(path)}: {case.name}\n  {failure}')
    print(f'{passed} passed, {failed} failed')
    if passed + failed == 0:
        print('no case was run')
        return 1
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
