#!/usr/bin/env python3
"""docs/examples holds what the program makes of the simulated machine before and after its fault.

    check_examples.py --program PATH [--write]

Everything that differs from run to run (times, hashes, rates) is put to the same text before the comparison; --write makes the
examples anew.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, '../../docs/examples')
FORMS = (('diff.txt', 'text'), ('diff.md', 'markdown'), ('diff.html', 'html'))


def steady(text):
    text = re.sub(r'20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z', 'TIME', text)
    text = re.sub(r'\b[0-9a-f]{64}\b', 'HASH', text)
    text = re.sub(r'\b\d+(\.\d+)?(e[+-]?\d+)?/s', 'RATE', text)
    text = re.sub(r'\b\d+(\.\d+)? (ns|us|ms|s)\b', 'DURATION', text)
    return re.sub(r'[ \t]+', ' ', text)


def run(program, folder, *words):
    result = subprocess.run([program, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return result.returncode, result.stdout.decode(), result.stderr.decode()


def make(program, folder):
    steps = [('demo', 'server'), ('snapshot', 'ens1f0np0', '--root', 'server', '-o', 'before.json', '--label', 'before'),
             ('demo', 'server', '--fault'), ('snapshot', 'ens1f0np0', '--root', 'server', '-o', 'after.json', '--label', 'after the fault')]
    for words in steps:
        status, _, errors = run(program, folder, *words)
        if status != 0:
            sys.exit(f'{" ".join(words)}: status {status}\n{errors}')
    made = {}
    for name, form in FORMS:
        status, text, errors = run(program, folder, 'diff', 'before.json', 'after.json', '--format', form, '--color', 'never')
        if status != 1:
            sys.exit(f'diff as {form}: status {status} for 1\n{errors}')
        made[name] = text
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--program', required=True)
    parser.add_argument('--write', action='store_true')
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory(prefix='barscope-examples-') as folder:
        for name, text in make(os.path.abspath(options.program), folder).items():
            path = os.path.join(EXAMPLES, name)
            if options.write:
                os.makedirs(EXAMPLES, exist_ok=True)
                with open(path, 'w', encoding='utf-8') as file:
                    file.write(text)
                continue
            with open(path, encoding='utf-8') as file:
                kept = file.read()
            if steady(kept) != steady(text):
                failed += 1
                print(f'FAILED {name} is not what the program makes; --write makes it anew')
                for old, new in zip(steady(kept).split('\n'), steady(text).split('\n')):
                    if old != new:
                        print(f'  kept: {old[:300]}\n  made: {new[:300]}')
                        break
    print(f'{len(FORMS)} examples, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
