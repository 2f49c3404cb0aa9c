#!/usr/bin/env python3
"""Nothing that identifies is left in a redacted snapshot, in any corner of it and in whatever any command makes of it.

A simulated machine has a secret planted in every corner. Without --redact each of them is found (so that the search can
find something); with it none is, in any notation. Pseudonyms are compared with those that Python's hmac makes.
"""

import argparse
import base64
import hashlib
import hmac
import ipaddress
import json
import os
import re
import subprocess
import sys
import tempfile

import jsonschema
import trees

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../docs/snapshot.schema.json')
ADDRESS = '0000:01:00.0'
MAC = '5c2573a1b2c4'
EUI = MAC[:6] + 'fffe' + MAC[6:]
MODIFIED = '5e' + EUI[2:]  # RFC 4291, appendix A
OTHER_MAC = '3cecef5d6e7f'  # only in the log
HOST, DOMAIN = 'acme-storage-17', 'fra2.acme.example'
USER = 'jdoeuser7'
IPV4, IPV6 = '198.51.100.77', '2001:db8:77:1::5'
OTHER_IPV4 = '203.0.113.9'
BOARD, MODULE = 'CN7016361L00AB', 'PX8SN40213'
UUID, BOOT = '4c4c4544-0042-3010-8057-b4c04f4e3132', '9d3c1f0e-77aa-4b1c-8e21-5f60aa0912cd'
PASSWORD = 'Tr0ub4dor-ThreeX'
CUSTOMER = 'globexcustomer'
KEY = b'the key of the test, long enough'

SURVIVE = ['0000:01:00.0', '228.0.116.0', '0x00008000', '12:34:56', '6.1.0-18-amd64', 'hwrm_ring_free type 2 failed. rc:fffffff0']


def pairs(digits, separator, size=2):
    return separator.join(digits[i:i + size] for i in range(0, len(digits), size))


def swapped(digits):
    return ''.join(reversed([digits[i:i + 2] for i in range(0, len(digits), 2)]))


def rows():
    said = [f'NIC found at mem de610000, node addr {pairs(MAC, ":")}',
            f'peer {pairs(OTHER_MAC, ":").upper()} at {IPV4}:4791 from {OTHER_IPV4} over {IPV6}',
            f'driver started on {HOST}.{DOMAIN} for user {USER}',
            f'board serial number {BOARD}, module SN: {MODULE}', f'system uuid {UUID}, boot {BOOT.upper()}',
            f'mac {pairs(MAC, ".", 4)} gid fe80:0000:0000:0000:{pairs(MODIFIED, ":", 4)}',
            f'gids {ipaddress.IPv6Address("::ffff:" + IPV4).exploded} {ipaddress.ip_address(IPV6).exploded}',
            'firmware version 228.0.116.0, at 12:34:56', 'hwrm_ring_free type 2 failed. rc:fffffff0 err:0']
    for number, text in enumerate(said):
        yield f'3,{number + 7},{978631877 + number},-;bnxt_en {ADDRESS} enx{MAC}: {text}\n SUBSYSTEM=pci\n DEVICE=+pci:{ADDRESS}\n'


def build(root):
    tree = trees.Tree(root)
    dsn = bytes.fromhex(swapped(EUI))
    config = trees.config_space(0x14e4, 0x1750, size=4096, extended=((0x100, 0x0003, dsn),))
    folder = tree.device(ADDRESS, 0x14e4, 0x1750, driver='bnxt_en', config=config,
                         bars={0: (0x3800000000, 0x10000, trees.MEM64_PREFETCH)})
    mac = bytes.fromhex(MAC)
    tree.bar(ADDRESS, 0, 0x10000, {**trees.HEALTH, 0x520: 0x8000, 0x1000: mac[:4], 0x1004: mac[4:] + b'\0\0',
                                   0x1010: mac[3::-1], 0x1014: b'\0\0' + mac[:3:-1], 0x1020: b'\0\0' + mac[::-1]})
    for kind, name in (('net', 'enx' + MAC), ('infiniband', 'bnxt_re0')):
        tree.name(kind, name, ADDRESS)
    tree.file(f'/sys/class/net/enx{MAC}/address', pairs(MAC, ':') + '\n')
    tree.file(f'/sys/class/net/enx{MAC}/statistics/rx_packets', '12\n')
    base = '/sys/class/infiniband/bnxt_re0/'
    tree.file(base + 'node_guid', pairs(MODIFIED, ':', 4) + '\n')
    v4 = ipaddress.IPv6Address('::ffff:' + IPV4).exploded
    for index, gid in enumerate(('fe80:0000:0000:0000:' + pairs(MODIFIED, ':', 4), v4, ipaddress.ip_address(IPV6).exploded)):
        tree.file(f'{base}ports/1/gids/{index}', gid + '\n')
    tree.file('/proc/sys/kernel/hostname', f'{HOST}.{DOMAIN}\n')
    tree.file('/proc/sys/kernel/osrelease', '6.1.0-18-amd64\n')
    tree.file('/proc/sys/kernel/random/boot_id', BOOT + '\n')
    tree.file('/proc/cmdline', f'BOOT_IMAGE=/vmlinuz root=/dev/sda1 luks.secret={PASSWORD} ip={IPV4}\n')
    tree.file('/sys/class/dmi/id/board_serial', BOARD + '\n')
    tree.file('/sys/class/dmi/id/product_uuid', UUID + '\n')
    tree.file('/sys/module/bnxt_en/parameters/note', f'set by {USER} on {HOST}\n')
    tree.file('/dev/kmsg', ''.join(rows()))
    return folder


def own_map(path):
    register = {'readAction': 'none', 'access': 'read-only', 'width': 32}
    trees.write(path, json.dumps({
        'formatVersion': 1, 'name': 'own', 'title': 't', 'version': '1', 'sources': ['made for the tests'], 'include': ['pcie'],
        'spaces': [{'name': 'mem', 'bar': 0, 'size': 65536, 'accessWidth': [32, 64]}],
        'registers': [{**register, 'name': f'R{offset:X}', 'space': 'mem', 'offset': offset}
                      for offset in (0x520, 0x1000, 0x1004, 0x1010, 0x1014)] +
                     [{**register, 'name': 'R1020', 'space': 'mem', 'offset': 0x1020, 'width': 64},
                      {**register, 'name': 'MARKED', 'space': 'mem', 'offset': 0x31fc,
                       'fields': [{'name': 'ID', 'bits': '15:0', 'sensitive': 'identifier'}]}],
        'derived': [{'name': 'gives_away', 'value': '(R1000 << 32) | R1004', 'display': 'hex', 'width': 64},
                    {'name': 'marked', 'value': 'MARKED', 'display': 'hex', 'width': 32}]}))


def digits_of(texts):
    return {form: kind for kind, digits in texts.items() for form in (digits, swapped(digits))}


# Found in the digits alone of a text, whatever stands between them.
DIGITS = digits_of({'MAC': MAC, 'EUI-64': EUI, 'modified EUI-64': MODIFIED, 'other MAC': OTHER_MAC,
                    'IPv6': ipaddress.ip_address(IPV6).exploded.replace(':', ''), 'UUID': UUID.replace('-', ''),
                    'boot id': BOOT.replace('-', ''), 'IPv4 in a GID': 'ffff' + ipaddress.ip_address(IPV4).packed.hex()})
TEXTS = {'host': HOST, 'domain': DOMAIN, 'user': USER, 'IPv4': IPV4, 'other IPv4': OTHER_IPV4, 'IPv6 text': IPV6,
         'board serial': BOARD, 'module serial': MODULE, 'password': PASSWORD, 'customer': CUSTOMER,
         'command line': 'luks.secret', 'serial as lspci writes it': pairs(EUI, '-')}


def base64_forms(data):
    for shift in range(3):
        text = base64.b64encode(b'\0' * shift + data).decode()
        yield text[(0, 2, 3)[shift]:len(text) - 4]


def secrets_in(data):
    text = data.decode('utf-8', 'replace')
    low = text.lower()
    only_digits = re.sub('[^0-9a-f]', '', re.sub(r'0x|\\x', '', low))
    found = {kind for form, kind in DIGITS.items() if form in only_digits}
    for kind, secret in TEXTS.items():
        forms = [secret.lower(), secret.encode().hex()]
        if any(form in low for form in forms) or any(form in text for form in base64_forms(secret.encode())):
            found.add(kind)
    for kind, digits in (('MAC', MAC), ('EUI-64', EUI)):
        if any(form in text for form in base64_forms(bytes.fromhex(digits)) if len(form) > 5):
            found.add(kind + ' in base 64')
    return found


class Check:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.bad = []
        self.outputs = 0
        # All of these are secrets, too: the tree's path, and that of the map.
        self.root = os.path.join(folder, USER, CUSTOMER, 'root')
        self.map = os.path.join(folder, 'maps-of-' + CUSTOMER, 'own.json')
        build(self.root)
        own_map(self.map)
        self.keys = {name: os.path.join(folder, name + '.key') for name in ('one', 'other')}
        trees.write(self.keys['one'], KEY)
        trees.write(self.keys['other'], b'another key, also long enough')
        self.clean = os.path.join(folder, 'clean')
        os.makedirs(self.clean)

    def expect(self, good, what):
        if not good:
            self.bad.append(what)

    def run(self, *arguments):
        environment = {'PATH': os.environ.get('PATH', '/usr/bin:/bin'), 'HOME': self.clean, 'LC_ALL': 'C', 'SUDO_USER': USER,
                       'USER': USER, 'ASAN_OPTIONS': os.environ.get('ASAN_OPTIONS', '')}
        return subprocess.run([self.program, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=environment, cwd=self.clean, timeout=120, check=False)

    def snapshot(self, name, *options):
        path = os.path.join(self.clean, name)
        done = self.run('snapshot', ADDRESS, '--root', self.root, '-o', path, '--interval', '1', '--label',
                        f'before the reset of {HOST} by {USER} for {IPV4}', *options)
        self.expect(done.returncode == 0, f'{name}: exit status {done.returncode}: {done.stderr.decode()}')
        with open(path, 'rb') as file:
            return path, file.read(), done

    def commands(self):
        text = self.run('--help').stdout.decode()
        return [word for word in re.findall(r'^ +([a-z-]+) ', text, re.M)
                if word not in ('snapshot', 'demo', 'maps', 'list', 'doctor', 'hwq', 'driver-dump', 'decode', 'explain')]

    def outputs_of(self, snapshot, other):
        """What each command makes of a snapshot, in each format that it has."""
        for command in self.commands():
            words = {'read': [snapshot, 'DSN_*'], 'diff': [snapshot, other]}.get(command, [snapshot])
            for form in ('text', 'json', 'markdown', 'html'):
                done = self.run(command, *words, '--format', form)
                if done.returncode == 2 and form in ('markdown', 'html'):
                    continue  # a command without this format
                self.outputs += 1
                yield f'{command} --format {form}', done

    def search(self, name, redacted, plain, other):
        left = secrets_in(redacted[1])
        self.expect(not left, f'{name}: left in the file: {sorted(left)}')
        self.expect(self.run('verify', redacted[0]).returncode == 0, f'{name}: does not verify')
        for (what, done), (_, before) in zip(self.outputs_of(redacted[0], other), self.outputs_of(plain[0], other)):
            left = secrets_in(done.stdout + done.stderr)
            self.expect(not left, f'{name}: {what}: left: {sorted(left)}')
            named = what.startswith('read')  # of registers that were redacted there is no value to give
            self.expect(done.returncode == (3 if named else before.returncode) or what.startswith('diff'),
                        f'{name}: {what}: exit status {done.returncode}, without --redact {before.returncode}: '
                        + done.stderr.decode())

    def valid(self, name, data):
        with open(SCHEMA, encoding='utf-8') as file:
            errors = list(jsonschema.Draft7Validator(json.load(file)).iter_errors(json.loads(data)))
        self.expect(not errors, f'{name}: not by the schema: {[error.message for error in errors[:2]]}')

    def survivors(self, name, data):
        text = data.decode()
        for wanted in SURVIVE:
            self.expect(wanted in text, f'{name}: {wanted} did not survive')

    def pseudonyms(self, data):
        def pseudonym(kind, normal):
            return kind + '-' + hmac.new(KEY, f'{kind}\0{normal}'.encode(), hashlib.sha256).hexdigest()[:8]
        text = data.decode()
        document = json.loads(text)
        for kind, normal in (('mac', MAC), ('mac', OTHER_MAC), ('host', HOST), ('user', USER), ('ip', IPV4),
                             ('uuid', BOOT.replace('-', '')), ('serial', BOARD.lower())):
            self.expect(pseudonym(kind, normal) in text, f'no pseudonym {kind} of {normal}')
        self.expect(document['device']['serial'] == pseudonym('mac', MAC), 'the serial number has another pseudonym than its MAC')
        self.expect(document['host']['hostName'] == pseudonym('host', HOST), 'host name')
        self.expect(document['redaction']['keyed'] is True and document['redaction']['kinds']['mac'] >= 2, 'member redaction')
        statuses = [r['status'] for r in document['decoded']['registers'] if r['name'].startswith('DSN_')]
        self.expect(statuses == ['redacted', 'redacted'], f'DSN words are {statuses}')
        for form in (KEY, KEY.hex().encode(), base64.b64encode(KEY)[:-4]):
            self.expect(form not in data, 'the key is in the file')

    def comparable(self, data):
        """What must be equal in two snapshots of one machine and key."""
        document = json.loads(data)
        texts = sorted(set(re.findall(r'\b(?:mac|host|ip|user|serial|uuid|cmdline|guid|path|domain|word)-[0-9a-f]{8}\b', data.decode())))
        return document['host']['bootId'], texts

    def all(self):
        with_map = ('--map', self.map)
        plain = self.snapshot('plain.json')
        plain_map = self.snapshot('plain-map.json', *with_map)
        missing = (set(DIGITS.values()) | set(TEXTS)) - secrets_in(plain[1]) - secrets_in(plain_map[1])
        self.expect(not missing, f'without --redact these are not found, so nothing was tested: {sorted(missing)}')
        keyed = ('--redact', '--redact-key', self.keys['one'])
        first, second = self.snapshot('first.json', *keyed), self.snapshot('second.json', *keyed)
        mapped = self.snapshot('mapped.json', *keyed, *with_map)
        packed = self.snapshot('packed.json.zst', *keyed)
        other = self.snapshot('other.json', '--redact-key', self.keys['other'])
        lone, again = self.snapshot('lone.json', '--redact'), self.snapshot('again.json', '--redact')
        self.search('first', first, plain, second[0])
        self.search('mapped', mapped, plain_map, mapped[0])
        self.search('packed', packed, plain, first[0])
        for name, snapshot in (('first', first), ('mapped', mapped), ('lone', lone)):
            self.valid(name, snapshot[1])
        self.survivors('first', first[1])
        self.pseudonyms(first[1])
        self.expect(self.comparable(first[1]) == self.comparable(second[1]), 'two snapshots with one key differ')
        for name, snapshot in (('another key', other), ('a key of its own', lone)):
            same = set(self.comparable(first[1])[1]) & set(self.comparable(snapshot[1])[1])
            self.expect(not same, f'{name} gives the same pseudonyms: {sorted(same)[:3]}')
        self.expect(not set(self.comparable(lone[1])[1]) & set(self.comparable(again[1])[1]), 'two random keys are equal')
        self.expect(b'no other snapshot' in lone[2].stdout and b'no other snapshot' not in first[2].stdout, 'what is said of keys')
        words = {r['name']: r['status'] for r in json.loads(mapped[1])['decoded']['registers'] if r['name'][0] in 'RM'}
        for name in ('R1000', 'R1004', 'R1010', 'R1014', 'R1020', 'MARKED'):
            self.expect(words.get(name) == 'redacted', f'{name}, which holds the address, is {words.get(name)}')
        self.expect(words.get('R520') == 'ok', 'a word without identity was redacted')
        derived = [d['name'] for d in json.loads(mapped[1])['decoded']['derived']]
        self.expect('gives_away' not in derived and 'marked' not in derived, 'a derived value gives a word away')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--program', required=True)
    program = os.path.abspath(parser.parse_args().program)
    with tempfile.TemporaryDirectory(prefix='barscope-secrets-') as folder:
        check = Check(program, folder)
        check.all()
    for line in check.bad:
        print('BAD', line)
    print(f'{len(DIGITS) + len(TEXTS)} forms of secrets, {check.outputs} outputs searched, {len(check.bad)} bad')
    return 1 if check.bad or check.outputs < 20 else 0


if __name__ == '__main__':
    sys.exit(main())
