#!/usr/bin/env python3
"""Build a small initramfs from a tree of unpacked Debian packages, without any packaging tools.

The guest runs INIT (below): it loads the modules, runs /test.sh and powers off. Programs come with the shared libraries they need,
found by running the tree's own dynamic loader in a chroot; hence root.
"""

import functools
import gzip
import lzma
import os
import re
import stat
import struct
import subprocess
import tempfile

LOADER = '/lib64/ld-linux-x86-64.so.2'

# What the script leaves in /out leaves the guest through the second serial port, as one compressed archive: nothing that the kernel
# prints on the console can get between, and no PCI device is needed for it.
INIT = b"""#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev /tmp /run /out
/bin/busybox --install -s /bin
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/ TERM=dumb LC_ALL=C
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
mount -t securityfs security /sys/kernel/security 2>/dev/null
mount -t debugfs debug /sys/kernel/debug 2>/dev/null
ip link set lo up
while read -r m; do
    insmod /modules/$m || echo "insmod $m failed"
done < /modules/list
echo "@@boot $(uname -r)"
sh /test.sh
stty -F /dev/ttyS1 raw
tar -c -C /out . | gzip > /dev/ttyS1
echo "@@done"
poweroff -f
"""


class Cpio:
    """Writes a "newc" archive, which the kernel accepts as an initramfs."""

    def __init__(self):
        self.parts, self.inode, self.names = [], 0, set()

    def add(self, name, mode, data=b'', rdev=(0, 0)):
        name = name.strip('/')
        if name in self.names:
            return
        parent = os.path.dirname(name)
        if parent and parent not in self.names:
            self.add(parent, stat.S_IFDIR | 0o755)
        self.names.add(name)
        self._entry(name, mode, data, rdev)

    def _entry(self, name, mode, data=b'', rdev=(0, 0)):
        self.inode += 1
        raw = name.encode() + b'\0'
        values = (self.inode, mode, 0, 0, 1, 0, len(data), 0, 0, *rdev, len(raw), 0)
        header = b'070701' + b''.join(b'%08X' % v for v in values) + raw
        self.parts.append(header.ljust(-(-len(header) // 4) * 4, b'\0'))
        self.parts.append(data.ljust(-(-len(data) // 4) * 4, b'\0'))

    def bytes(self):
        self._entry('TRAILER!!!', 0)
        return b''.join(self.parts)


def resolve(root, path):
    """The host path of `path` inside `root`, following symbolic links there."""
    for _ in range(20):
        parts, current = path.strip('/').split('/'), ''
        for i, part in enumerate(parts):
            current += '/' + part
            full = root + current
            if os.path.islink(full):
                target = os.readlink(full)
                if not target.startswith('/'):
                    target = os.path.normpath(os.path.dirname(current) + '/' + target)
                path = '/'.join([target] + parts[i + 1:])
                break
        else:
            return root + '/' + path.strip('/')
    raise OSError('too many links: ' + path)


def is_dynamic(path):
    """True for a 64-bit ELF program that asks for a loader (program header PT_INTERP, 3); the loader crashes on others."""
    with open(path, 'rb') as file:
        data = file.read()
    if data[:5] != b'\x7fELF\x02':
        return False
    start, size, count = struct.unpack_from('<Q', data, 0x20)[0], *struct.unpack_from('<HH', data, 0x36)
    return any(struct.unpack_from('<I', data, start + i * size)[0] == 3 for i in range(count))


def libraries(root, program):
    """Paths in the tree of the loader and the libraries that a program of the tree needs; none for a static one or a script."""
    if not is_dynamic(resolve(root, program)):
        return []
    listing = subprocess.run(['chroot', root, LOADER, '--list', program], capture_output=True, text=True)
    if listing.returncode:
        raise OSError('%s: %s' % (program, listing.stderr.strip()))
    missing = re.findall(r'(\S+) => not found', listing.stdout)
    if missing:
        raise OSError('%s needs %s, which the tree does not have' % (program, ', '.join(missing)))
    return sorted(set(re.findall(r'(?:=> )?(/\S+) \(0x', listing.stdout)) | {LOADER})


def libraries_of_host_file(root, path):
    """The same for a program that is not in the tree: looked at as a file there for a moment."""
    with open(path, 'rb') as source, tempfile.NamedTemporaryFile(dir=root + '/tmp') as copy:
        copy.write(source.read())
        copy.flush()
        os.chmod(copy.name, 0o755)
        return libraries(root, copy.name[len(root):])


@functools.lru_cache(maxsize=None)
def find_modules(directory):
    index = {}
    for where, _, names in os.walk(directory):
        for name in names:
            match = re.fullmatch(r'(.+)\.ko(\.xz|\.gz)?', name)
            if match:
                index[match.group(1).replace('-', '_')] = os.path.join(where, name)
    return index


def unpacked(path):
    with open(path, 'rb') as file:
        data = file.read()
    if path.endswith('.xz'):
        return lzma.decompress(data)
    return gzip.decompress(data) if path.endswith('.gz') else data


def in_order(index, wanted):
    """(name, content) of the wanted modules and all they need, needed ones first. A name that has no file is built in."""
    done, result = set(), []

    def visit(name):
        name = name.replace('-', '_')
        if name in done or name not in index:
            return
        done.add(name)
        content = unpacked(index[name])
        for needed in re.findall(rb'\0depends=([^\0]*)', content):
            for other in filter(None, needed.decode().split(',')):
                visit(other)
        for soft in re.findall(rb'\0softdep=pre: ([^\0]*)', content):
            for other in soft.decode().split(' post: ')[0].split():
                visit(other)
        result.append((name, content))

    for name in wanted:
        visit(name)
    return result


def build(out, root, modules, script, programs=(), files=(), load=(), later=()):
    """Write the archive `out`.

    root: the tree that has busybox and `programs` (paths in it). modules: a kernel's module folder. script: the text of /test.sh.
    files: (host path, guest path); executables come with their libraries from the tree. load: modules to load at boot; later:
    modules to put into /later for the script to load (what they need is loaded at boot).
    """
    root = root.rstrip('/')
    cpio = Cpio()
    cpio.add('dev', stat.S_IFDIR | 0o755)
    cpio.add('dev/console', stat.S_IFCHR | 0o600, rdev=(5, 1))
    for name in ('lib', 'lib64', 'bin', 'sbin'):     # a merged /usr, as in Debian
        cpio.add('usr/' + name, stat.S_IFDIR | 0o755)
        cpio.add(name, stat.S_IFLNK | 0o777, b'usr/' + name.encode())
    cpio.add('init', stat.S_IFREG | 0o755, INIT)

    def add_from_tree(path):
        with open(resolve(root, path), 'rb') as file:
            top = path.strip('/').split('/')[0]
            guest = '/usr' + path if top in ('lib', 'lib64', 'bin', 'sbin') else path
            cpio.add(guest, stat.S_IFREG | 0o755, file.read())

    for program in ('/usr/bin/busybox', *programs):
        add_from_tree(program)
        for library in libraries(root, program):
            add_from_tree(library)
    for host, guest in files:
        executable = os.access(host, os.X_OK)
        with open(host, 'rb') as file:
            cpio.add(guest, stat.S_IFREG | (0o755 if executable else 0o644), file.read())
        if executable:
            for library in libraries_of_host_file(root, host):
                add_from_tree(library)
    cpio.add('test.sh', stat.S_IFREG | 0o755, script.encode())

    order, later = [], {name.replace('-', '_') for name in later}
    for number, (name, content) in enumerate(in_order(find_modules(modules), [*load, *later])):
        if name in later:
            cpio.add('later/%s.ko' % name, stat.S_IFREG | 0o644, content)
        else:
            order.append('%02d-%s.ko' % (number, name))
            cpio.add('modules/' + order[-1], stat.S_IFREG | 0o644, content)
    cpio.add('modules/list', stat.S_IFREG | 0o644, ''.join(n + '\n' for n in order).encode())

    with open(out, 'wb') as file:
        file.write(cpio.bytes())
