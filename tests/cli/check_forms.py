#!/usr/bin/env python3
"""Whatever xxd, hexdump and od print of some bytes, `decode` must make the same bytes of it.

The programs are the reference: random and awkward bytes go through each of them and back through barscope, which must
find every byte again or ask which order was meant, and never take a wrong one.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

MAP = {'formatVersion': 1, 'name': 'bytes', 'title': 't', 'version': '1', 'sources': ['made for the tests'],
       'structures': [{'name': 'byte', 'size': 1, 'fields': [{'name': 'B', 'width': 8, 'bits': '7:0'}]}]}

# Command, and whether its form may be asked for: groups of more than two bytes without characters that tell their order,
# and offsets of seven digits, which may be hex, octal or decimal, where nothing but * follows the first row.
COMMANDS = [('xxd', False), ('xxd -u -g1', False), ('xxd -g4', True), ('xxd -e', True), ('xxd -g8', True), ('xxd -a', False),
            ('xxd -c 32', False), ('xxd -p', False), ('hexdump -C', False), ('hexdump -v -C', False), ('hexdump', True),
            ('hexdump -x', True), ('od -A x -t x1', False), ('od -t x1', True), ('od -A d -t x1', True),
            ('od -A x -t x1z', False), ('od -A x -t x2', False), ('od -A x -t x4', False), ('od -t x4', True),
            ('od -A x -t x8', False)]


def samples():
    source = random.Random(20)
    yield bytes(range(256))
    yield bytes(64)
    yield bytes(16) + bytes(64) + b'\1' + bytes(47)
    yield b'\xff' * 48
    yield b'text that looks like text and ends in blanks    '
    yield bytes.fromhex('00100000' * 4 + '00200000' * 4 + '00300000' * 4)  # words that rise like offsets
    for length in (16, 32, 48, 96, 160, 250, 1000):
        yield source.randbytes(length)
    for _ in range(6):
        yield bytes(source.choice((0, 0, 0, 0x10, 0x41, 0x80)) for _ in range(source.randrange(17, 200)))


def decode(program, folder, text):
    path = os.path.join(folder, 'dump.txt')
    with open(path, 'wb') as file:
        file.write(text)
    result = subprocess.run([program, 'decode', os.path.join(folder, 'map.json') + ':byte', '--file', path, '--format', 'json'],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    document = json.loads(result.stdout)
    if 'error' in document:
        return document['error']['cause'], None
    return None, bytes(int(entry['bytes'], 16) for entry in document['entries'])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--program', required=True)
    program = os.path.abspath(parser.parse_args().program)
    failed = tried = asked = 0
    with tempfile.TemporaryDirectory(prefix='barscope-forms-') as folder:
        with open(os.path.join(folder, 'map.json'), 'w', encoding='utf-8') as file:
            json.dump(MAP, file)
        for data in samples():
            with open(os.path.join(folder, 'data.bin'), 'wb') as file:
                file.write(data)
            for command, may_ask in COMMANDS:
                words = command.split()
                if shutil.which(words[0]) is None:
                    continue
                text = subprocess.run(words + [os.path.join(folder, 'data.bin')], stdout=subprocess.PIPE, check=True).stdout
                cause, found = decode(program, folder, text)
                tried += 1
                if found == data:
                    continue
                if cause == 'ambiguous-input' and may_ask:
                    asked += 1
                    continue
                failed += 1
                print(f'FAILED {command}: {cause or found.hex()} for {data.hex()}\n{text.decode()[:600]}')
    print(f'{tried} dumps, {asked} asked about, {failed} failed')
    return 1 if failed or tried == asked else 0


if __name__ == '__main__':
    sys.exit(main())
