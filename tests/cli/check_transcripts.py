#!/usr/bin/env python3
"""The commands in docs/rings.md and docs/fwlog.md must print what stands below them there.

    check_transcripts.py --program PATH [--write]

A transcript is an indented line `$ barscope ...` and the indented lines behind it. Files are pages of pages.py (.bin) or samples
of tests/data/logs (.txt). --write puts the present output into the documents: for whoever changes the output and has read the difference.
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

import pages

HERE = os.path.dirname(os.path.abspath(__file__))
DOCUMENTS = [os.path.join(HERE, '..', '..', 'docs', name) for name in ('rings.md', 'fwlog.md')]
SAMPLES = os.path.join(HERE, '..', 'data', 'logs')
INDENT = '    '


def run(program, folder, command):
    words = shlex.split(command)[1:]
    for word in words:
        if word.endswith('.bin'):
            with open(os.path.join(folder, word), 'wb') as file:
                file.write(pages.build(word[:-len('.bin')]))
        elif word.endswith('.txt'):
            shutil.copyfile(os.path.join(SAMPLES, word), os.path.join(folder, word))
    result = subprocess.run([program] + words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return result.stdout.decode().rstrip('\n').split('\n')


def renewed(lines, program, folder):
    out = []
    skipping = False
    for line in lines:
        if line.startswith(INDENT + '$ barscope '):
            out.append(line)
            out += [(INDENT + printed).rstrip() for printed in run(program, folder, line[len(INDENT) + 2:])]
            skipping = True
        elif not (skipping and line.startswith(INDENT)):
            skipping = False
            out.append(line)
    return out


def check(document, options):
    """True where the document says what the program prints, or does now."""
    with open(document, encoding='utf-8') as file:
        lines = file.read().split('\n')
    with tempfile.TemporaryDirectory(prefix='barscope-transcripts-') as folder:
        new = renewed(lines, os.path.abspath(options.program), folder)
    if new == lines:
        return True
    if options.write:
        with open(document, 'w', encoding='utf-8') as file:
            file.write('\n'.join(new))
        return True
    for old, present in zip(lines, new):
        if old != present:
            print(f'docs/{os.path.basename(document)} says\n{old}\nthe program prints\n{present}')
            break
    print('a transcript differs from what the program prints; --write renews it')
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--program', required=True)
    parser.add_argument('--write', action='store_true')
    options = parser.parse_args()
    return 0 if all([check(document, options) for document in DOCUMENTS]) else 1


if __name__ == '__main__':
    sys.exit(main())
