"""Simulated machines for the command-line tests: folders that look like a kernel's /sys, for --root.

A tree is described in Python and written as plain files; a BAR is a sparse file, so that one of 8 GiB costs nothing.
"""

import os
import struct
import time

MEM32 = 0x40200
MEM64 = 0x140204
MEM64_PREFETCH = 0x14220c
IO = 0x40101


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as file:
        file.write(data.encode() if isinstance(data, str) else data)


def config_space(vendor, device, *, command=0x0006, class_code=0x020000, revision=0x01, subsystem=(0x1af4, 0x1100),
                 size=256, capabilities=(), extended=()):
    """Type 0 header (PCI Local Bus Specification 3.0, 6.1), with (offset, id, bytes) capabilities behind it."""
    image = bytearray(size)
    struct.pack_into('<HHHH', image, 0, vendor, device, command, 0x0010 if capabilities else 0)
    struct.pack_into('<I', image, 8, class_code << 8 | revision)
    struct.pack_into('<HH', image, 0x2c, *subsystem)
    places = [c[0] for c in capabilities] + [0]
    image[0x34] = places[0]
    for (at, number, body), following in zip(capabilities, places[1:]):
        image[at:at + 2] = bytes([number, following])
        image[at + 2:at + 2 + len(body)] = body
    places = [c[0] for c in extended[1:]] + [0]
    for (at, number, body), following in zip(extended, places):
        struct.pack_into('<I', image, at, following << 20 | 1 << 16 | number)
        image[at + 4:at + 4 + len(body)] = body
    return image


class Tree:
    def __init__(self, root):
        self.root = root
        os.makedirs(os.path.join(root, 'sys/bus/pci/devices'), exist_ok=True)

    def path(self, name):
        return os.path.join(self.root, name.lstrip('/'))

    def file(self, name, data):
        write(self.path(name), data)

    def link(self, name, target):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        os.symlink(target, self.path(name))

    def device(self, address, vendor, device, *, bars=None, driver=None, power='D0', runtime='active', config=None,
               class_code=0x020000, revision=0x01, subsystem=(0x1af4, 0x1100), physfn=None, command=0x0006):
        """`bars`: {number: (start, size, flags)}; contents come from bar()."""
        folder = 'sys/bus/pci/devices/' + address
        for name, value in (('vendor', '0x%04x' % vendor), ('device', '0x%04x' % device),
                            ('subsystem_vendor', '0x%04x' % subsystem[0]),
                            ('subsystem_device', '0x%04x' % subsystem[1]), ('class', '0x%06x' % class_code),
                            ('revision', '0x%02x' % revision), ('power_state', power),
                            ('power/runtime_status', runtime)):
            if value is not None:
                self.file(f'{folder}/{name}', value + '\n')
        rows = []
        for number in range(13):
            start, size, flags = (bars or {}).get(number, (0, 0, 0))
            rows.append('0x%016x 0x%016x 0x%016x\n' % (start, start + size - 1 if size else 0, flags))
        self.file(f'{folder}/resource', ''.join(rows))
        if config is None:
            config = config_space(vendor, device, class_code=class_code, revision=revision, subsystem=subsystem,
                                  command=command)
        self.file(f'{folder}/config', bytes(config))
        if driver:
            self.link(f'{folder}/driver', f'../../../../bus/pci/drivers/{driver}')
        if physfn:
            self.link(f'{folder}/physfn', f'../{physfn}')
        return folder

    def bar(self, address, number, size, words=(), *, fill=None, width=4, suffix=''):
        """A BAR's file: zeros, or `fill` throughout, with {offset: value} little-endian words."""
        path = self.path(f'sys/bus/pci/devices/{address}/resource{number}{suffix}')
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as file:
            file.truncate(size)
            if fill is not None:
                file.write(bytes([fill]) * size)
            for offset, value in dict(words).items():
                file.seek(offset)
                file.write(value if isinstance(value, bytes) else value.to_bytes(width, 'little'))
        return path

    def name(self, kind, name, address):
        self.link(f'sys/class/{kind}/{name}/device', f'../../../bus/pci/devices/{address}')


# The device of most cases: ids that no built-in map names, one 32-bit BAR of 64 KiB.
TEST_DEVICE = (0x1d00, 0x0001)


def simple(tree, **options):
    """One device with a map of its own (map.json) and a live BAR."""
    tree.device('0000:01:00.0', *TEST_DEVICE, bars={0: (0xf0000000, 0x10000, MEM32)}, **options)
    tree.bar('0000:01:00.0', 0, 0x10000, {0x0: 0x600d0001, 0x4: 0x00000105, 0x8: 0xcafe0001, 0xc: 0x0badf00d,
                                          0x8004: 0x12345678})


def case_plain(tree):
    simple(tree, driver='testdrv')
    tree.name('net', 'ens1f0', '0000:01:00.0')
    tree.name('infiniband', 'rdma0', '0000:01:00.0')


def bnxt(tree, words):
    """A BCM57508 (BAR sizes as in tests/nic/bnxt_nic.py), with words in BAR 0; BAR 2 and 4 hold bytes that must not be seen."""
    tree.device('0000:01:00.0', 0x14e4, 0x1750, driver='bnxt_en', bars={
        0: (0x3800000000, 0x10000, MEM64_PREFETCH), 2: (0x3900000000, 0x100000, MEM64_PREFETCH), 4: (0x3a00000000, 0x8000, MEM64_PREFETCH)})
    tree.bar('0000:01:00.0', 0, 0x10000, {0x520: 0x8000, **words})
    for number, size in ((2, 0x100000), (4, 0x8000)):
        tree.bar('0000:01:00.0', number, size, fill=0x5a)


# What the driver leaves (Linux bnxt.c, bnxt_hsi.h hcomm_status): window 3 on the firmware's page, where the status structure says that the
# status word is at GRC 0x031001f8; behind it a heartbeat. In the mailbox the last request: HWRM 0xc, to all of the function, no ring.
HEALTH = {0x0: 0xffff000c, 0x4: 0xffff0017, 0x8: 0x45678000, 0xc: 0x1, 0x408: 0x03100000, 0x31f0: 0x48435301, 0x31f4: 0x031001f9,
          0x31f8: 0x00008000, 0x31fc: 0x0000a3d1}


def case_bnxt(tree):
    bnxt(tree, HEALTH)


# Files of /sys/class/net/NAME that checks compare, with what they hold.
COUNTERS = {'statistics/rx_missed_errors': 7, 'statistics/rx_dropped': 12, 'statistics/tx_dropped': 3, 'statistics/rx_crc_errors': 0,
            'carrier_down_count': 1}


def count(tree, name, counters):
    for file, number in counters.items():
        tree.file(f'/sys/class/net/{name}/{file}', f'{number}\n')


def case_bnxt_counters(tree):
    case_bnxt(tree)
    tree.name('net', 'ens1f0np0', '0000:01:00.0')
    count(tree, 'ens1f0np0', COUNTERS)


def case_bnxt_bad_counters(tree):
    # What a copied tree may lack or hold instead.
    case_bnxt_counters(tree)
    os.remove(tree.path('/sys/class/net/ens1f0np0/statistics/rx_crc_errors'))
    tree.file('/sys/class/net/ens1f0np0/statistics/tx_dropped', '3 packets\n')


def case_bnxt_two_interfaces(tree):
    case_bnxt_counters(tree)
    tree.name('net', 'ens1f0npf0vf0', '0000:01:00.0')
    count(tree, 'ens1f0npf0vf0', COUNTERS)


def case_bnxt_no_claim(tree):
    # A map of the same name without the claim.
    bnxt(tree, HEALTH)
    tree.file('/etc/barscope/regmaps/bnxt-dumps.json', '{"formatVersion": 1, "name": "bnxt-dumps", "title": "t", "version": "1", '
              '"sources": ["made for the tests"], "driverDumps": [{"driver": "bnxt_en"}]}')


def case_bnxt_elsewhere(tree):
    bnxt(tree, {**HEALTH, 0x408: 0x04550000})


def case_bnxt_never_set(tree):
    bnxt(tree, {**HEALTH, 0x408: 0})


def case_bnxt_window_ones(tree):
    bnxt(tree, {**HEALTH, 0x408: 0xffffffff})


def case_log(tree):
    # Records 7, 8 and 12: three were lost (field case 53). Rows of another device stand between.
    case_plain(tree)
    tree.file('/dev/kmsg', '3,7,978631877,-;testdrv 0000:01:00.0 ens1f0: TX timeout detected, starting reset task!\n'
                           ' SUBSYSTEM=pci\n DEVICE=+pci:0000:01:00.0\n'
                           '6,8,978700000,-;testdrv 0000:02:00.0 ens2f0: link becomes ready\n'
                           '6,12,978800000,-;infiniband rdma0: something\n'
                           '6,13,978900000,-;usb 1-1: new device\n'
                           '4,14,979000000,-;testdrv: driver says\n')


def case_log_ring(tree):
    # A ring of 4 entries whose producer stands at 2: the oldest entry is the third. SEQ has 16 bits and wraps; 0 is missing.
    case_log(tree)
    words = {0x0: 0x600d0001, 0x4: 2, 0x8: 4}
    for slot, (sequence, level, code) in enumerate(((1, 3, 0x12), (2, 6, 0x13), (0xfffe, 6, 0x13), (0xffff, 6, 0x13))):
        for at, word in enumerate((sequence | level << 16, code, 1000 + slot, 0xabcd0000 + slot)):
            words[0x8000 + 16 * slot + 4 * at] = word
    # Behind it: two entries of all ones, and one that the map calls poison.
    words.update({0x8040 + 4 * n: 0xffffffff for n in range(8)})
    words.update({0x8060 + 4 * n: 0xdeaddead for n in range(4)})
    tree.bar('0000:01:00.0', 0, 0x10000, words)


def case_log_table(tree):
    case_log(tree)
    tree.file('/sys/kernel/debug/rdma0/fwlog', 'SEQ CODE DATA\n1 0x13 0x2\n')


def case_big_bar(tree):
    # Field case 1: pcimem issue 17.
    tree.device('0000:01:00.0', *TEST_DEVICE, bars={4: (0x4000000000, 8 << 30, MEM64_PREFETCH)})
    tree.bar('0000:01:00.0', 4, 8 << 30, {0x5867000: 0x11111111, 0x105867000: 0x22222222})


# What maps/lab.json is written to: CTRL holds each kind of bit, the window is on another page.
LAB = {0x4: 0x105, 0x10: 0x00390a55, 0x14: 0x11111111, 0x18: 0x155, 0x1c: 7, 0x20: 0x42, 0x24: bytes([0x24, 0x25, 0x26, 0x27]),
       0x28: (0x1122334455667788).to_bytes(8, 'little'), 0x30: bytes([0x10, 0x18, 0x03, 0xe8]), 0x34: 3, 0x3c: 0xabcd,
       0x8004: 0xaaaabbbb, 0x8008: 0x99, 0x800c: 0xff00}


def case_lab(tree):
    tree.device('0000:01:00.0', *TEST_DEVICE, bars={0: (0xf0000000, 0x10000, MEM32)})
    tree.bar('0000:01:00.0', 0, 0x10000, LAB)
    tree.name('net', 'ens1f0', '0000:01:00.0')


def case_lab_other_page(tree):
    case_lab(tree)
    tree.bar('0000:01:00.0', 0, 0x10000, {**LAB, 0x4: 0x106})


def case_lab_driven(tree):
    case_lab_other_page(tree)
    tree.link('sys/bus/pci/devices/0000:01:00.0/driver', '../../../../bus/pci/drivers/testdrv')


def case_lab_memory_off(tree):
    tree.device('0000:01:00.0', *TEST_DEVICE, bars={0: (0xf0000000, 0x10000, MEM32)}, command=0x0004)
    tree.bar('0000:01:00.0', 0, 0x10000, LAB)


def case_lab_short(tree):
    case_lab(tree)
    tree.bar('0000:01:00.0', 0, 0x18, {0x10: 0x00390a55, 0x14: 0x11111111})


def case_lab_log_folder(tree):
    # Where the log belongs, something else stands.
    case_lab(tree)
    tree.file('/var/log/barscope', 'a file in a folder\'s place\n')


def case_lab_log_is_folder(tree):
    case_lab(tree)
    os.makedirs(tree.path('/var/log/barscope/audit.jsonl'))


def case_lab_log_is_pipe(tree):
    case_lab(tree)
    os.makedirs(tree.path('/var/log/barscope'))
    os.mkfifo(tree.path('/var/log/barscope/audit.jsonl'))


def case_lab_log_is_link(tree):
    case_lab(tree)
    tree.file('/var/log/elsewhere', '')
    tree.link('/var/log/barscope/audit.jsonl', '../elsewhere')


def case_lab_planted_link(tree):
    # Somebody without rights has put a link where everybody may write.
    case_lab(tree)
    os.makedirs(tree.path('/private'))
    os.makedirs(tree.path('/tmp'))
    os.chmod(tree.path('/tmp'), 0o1777)
    tree.link('/tmp/logs', '../private')


def case_lab_log_of_others(tree):
    case_lab(tree)
    tree.file('/var/log/barscope/audit.jsonl', '')
    os.chmod(tree.path('/var/log/barscope/audit.jsonl'), 0o666)


def case_lab_torn_log(tree):
    case_lab(tree)
    tree.file('/var/log/barscope/audit.jsonl', '{"id": 7, "opera')


def case_domains(tree):
    # Field cases 12 to 14.
    for address, device in (('10001:80:05.0', 0x0001), ('20000:70:00.0', 0x0002), ('0000:70:00.0', 0x0003),
                            ('0000:b3:00.0', 0x0004), ('0000:00:1f.7', 0x0005)):
        tree.device(address, 0x1d00, device, bars={0: (0xf0000000, 0x1000, MEM32)})
        tree.bar(address, 0, 0x1000, {0: 0x600d0000 + device})


def case_memory_off(tree):
    simple(tree, command=0x0004)


def case_vf(tree):
    # Field case 28: a VF's own vendor word reads ffff and its Memory Space Enable is 0, both by specification.
    sriov = bytearray(0x3c)
    struct.pack_into('<H', sriov, 4, 0x0009)  # SR-IOV Control: VF Enable, VF Memory Space Enable
    tree.device('0000:01:00.0', 0x1d00, 0x0009, bars={0: (0xf0000000, 0x1000, MEM32)},
                config=config_space(0x1d00, 0x0009, size=4096, extended=((0x100, 0x10, sriov),)))
    tree.bar('0000:01:00.0', 0, 0x1000)
    config = bytearray(256)
    struct.pack_into('<HHH', config, 0, 0xffff, 0xffff, 0)
    tree.device('0000:01:10.0', *TEST_DEVICE, bars={0: (0xf1000000, 0x10000, MEM64)}, config=config,
                physfn='0000:01:00.0')
    tree.bar('0000:01:10.0', 0, 0x10000, {0: 0x600d0001, 4: 0x105})


def case_asleep(tree):
    # Field case 29: sysfs shows the ids from the kernel's memory, the bytes themselves do not answer.
    simple(tree, power='D3cold', runtime='suspended', config=b'\xff' * 256)


def case_d3hot(tree):
    simple(tree, power='D3hot', runtime='suspended')


def case_gone(tree):
    # Field case 24: configuration space and BAR all ones.
    tree.device('0000:01:00.0', *TEST_DEVICE, bars={0: (0xf0000000, 0x10000, MEM32)}, config=b'\xff' * 256)
    tree.bar('0000:01:00.0', 0, 0x10000, fill=0xff)


def case_bar_dead(tree):
    # Field case 30: configuration space answers, the BAR does not.
    tree.device('0000:01:00.0', *TEST_DEVICE, bars={0: (0xf0000000, 0x10000, MEM32)})
    tree.bar('0000:01:00.0', 0, 0x10000, fill=0xff)


def case_ones_alive(tree):
    # Field case 25: a register may hold all ones while the device lives.
    simple(tree)
    tree.bar('0000:01:00.0', 0, 0x10000, {0x0: 0x600d0001, 0x4: 0xffffffff})


def case_io_bar(tree):
    # Field case 35: BAR 4 is an I/O BAR, BAR 0 a good memory BAR.
    tree.device('0000:01:00.0', *TEST_DEVICE, bars={0: (0xf0000000, 0x10000, MEM32), 4: (0xe000, 0x40, IO)})
    tree.bar('0000:01:00.0', 0, 0x10000, {0x0: 0x600d0001, 0x4: 0x105})
    tree.bar('0000:01:00.0', 4, 0x40)


def case_small_bar(tree):
    # Field case 36: a BAR of 128 bytes that starts at ...c80: its bytes lie at 0xc80 of the page that is mapped.
    tree.device('0000:01:00.0', *TEST_DEVICE, bars={0: (0xf0000c80, 128, MEM32)})
    tree.bar('0000:01:00.0', 0, 0x1000, {0xc80: 0x600d0001, 0xc84: 0x00000105, 0xd00: 0xbad0bad0})


def case_vfio(tree):
    simple(tree, driver='vfio-pci')


def case_dangling(tree):
    # A copy of /sys/bus without /sys/devices: the links lead nowhere.
    tree.link('sys/bus/pci/devices/0000:01:00.0', '../../../devices/pci0000:00/0000:01:00.0')
    tree.device('0000:02:00.0', 0x1d00, 0x0002)


def without(name):
    def build_it(tree):
        simple(tree, driver='testdrv')
        os.remove(tree.path(f'sys/bus/pci/devices/0000:01:00.0/{name}'))
    return build_it


for name in ('vendor', 'device', 'class', 'resource', 'subsystem_vendor', 'subsystem_device', 'config'):
    globals()['case_without_' + name] = without(name)


def case_crlf(tree):
    # Copied by way of a machine that ends its lines otherwise.
    simple(tree, driver='testdrv')
    for name in ('resource', 'vendor', 'device', 'class', 'revision', 'power_state', 'power/runtime_status'):
        path = tree.path(f'sys/bus/pci/devices/0000:01:00.0/{name}')
        with open(path, 'rb') as file:
            text = file.read()
        write(path, text.replace(b'\n', b'\r\n'))


def case_row_of_ones(tree):
    simple(tree)
    path = tree.path('sys/bus/pci/devices/0000:01:00.0/resource')
    with open(path, encoding='ascii') as file:
        rows = file.read().split('\n')
    write(path, '\n'.join([' '.join(['0x' + 'f' * 16] * 3)] + rows[1:]))


def owned_by(driver):
    return lambda tree: simple(tree, driver=driver)


for owner in ('xen-pciback', 'pciback', 'mlx5_vfio_pci', 'uio_pci_generic', 'igb_uio', 'pci-stub', 'pci-pf-stub'):
    globals()['case_' + owner.replace('-', '_')] = owned_by(owner)


def case_vf_unknown(tree):
    # The physical function's configuration space ends before its SR-IOV capability.
    tree.device('0000:01:00.0', 0x1d00, 0x0009, bars={0: (0xf0000000, 0x1000, MEM32)})
    config = bytearray(256)
    struct.pack_into('<HHH', config, 0, 0xffff, 0xffff, 0)
    tree.device('0000:01:10.0', *TEST_DEVICE, bars={0: (0xf1000000, 0x10000, MEM64)}, config=config,
                physfn='0000:01:00.0')
    tree.bar('0000:01:10.0', 0, 0x10000, {0: 0x600d0001, 4: 0x105})


def case_refused_bar(tree):
    # Memory decoding is off, so the BAR is refused while configuration space answers.
    tree.device('0000:01:00.0', *TEST_DEVICE, bars={0: (0xf0000000, 0x10000, MEM32)}, command=0x0000)
    tree.bar('0000:01:00.0', 0, 0x10000, {0: 0x600d0001})


def case_wide(tree):
    # Field case 42: a big-endian word, and a 64-bit value that no double holds.
    tree.device('0000:01:00.0', *TEST_DEVICE, bars={0: (0xf0000000, 0x1000, MEM32)})
    tree.bar('0000:01:00.0', 0, 0x1000, {0x0: bytes([0x10, 0x18, 0x03, 0xe8]),
                                         0x8: (0xfedcba9876543211).to_bytes(8, 'little')})


def case_same_ids(tree):
    for address in ('0000:01:00.0', '0000:02:00.0'):
        tree.device(address, *TEST_DEVICE, bars={0: (0xf0000000, 0x10000, MEM32)})
        tree.bar(address, 0, 0x10000, {0: 0x600d0001, 4: 0x105})
    tree.device('0000:03:00.0', 0x1d00, 0x0002, bars={0: (0xf0000000, 0x10000, MEM32)})


def case_broken_resource(tree):
    folder = tree.device('0000:01:00.0', *TEST_DEVICE)
    tree.file(f'{folder}/resource', 'this is not a table of resources\n')


def case_hostile_names(tree):
    # What a kernel or a copied tree says must not reach the terminal as it is.
    simple(tree, driver='ev\x1b[31mil')
    tree.name('net', 'x\x1b]0;owned\x07y', '0000:01:00.0')


def case_piped(tree):
    # Named pipes where files belong: whoever opens one waits for a writer that never comes.
    simple(tree, driver='testdrv')
    folder = tree.path('sys/bus/pci/devices/0000:01:00.0')
    for name in ('numa_node', 'current_link_speed', 'max_link_width'):
        os.mkfifo(f'{folder}/{name}')
    for name in ('sys/kernel/security/lockdown', 'sys/fs/selinux/enforce', 'proc/cmdline', 'proc/config.gz',
                 'usr/share/misc/pci.ids', 'etc/barscope/regmaps/pcie.json', 'sys/module/testdrv/version'):
        os.makedirs(os.path.dirname(tree.path(name)), exist_ok=True)
        os.mkfifo(tree.path(name))


def case_odd_names(tree):
    # C1 controls, directions and invisible characters, all of them well-formed UTF-8.
    odd = ''.join(map(chr, (0x80, 0x9b, 0x9f, 0xad, 0x200b, 0x200e, 0x200f, 0x202e, 0x2066, 0x2069, 0xfeff)))
    simple(tree, driver=f'd{odd}v')
    tree.name('net', f'n{odd}0', '0000:01:00.0')
    tree.file('/sys/bus/pci/devices/0000:01:00.0/numa_node', f'1{odd}\n')


def case_lockdown(tree):
    simple(tree, driver='testdrv')
    tree.file('/sys/kernel/security/lockdown', 'none [integrity] confidentiality\n')
    tree.file('/proc/sys/kernel/osrelease', '6.1.0-test\n')
    tree.file('/boot/config-6.1.0-test', 'CONFIG_STRICT_DEVMEM=y\nCONFIG_IO_STRICT_DEVMEM=y\n')
    tree.file('/proc/cmdline', 'quiet\n')


def case_relaxed(tree):
    simple(tree, driver='testdrv')
    tree.file('/sys/kernel/security/lockdown', '[none] integrity confidentiality\n')
    tree.file('/proc/sys/kernel/osrelease', '6.1.0-test\n')
    tree.file('/boot/config-6.1.0-test', 'CONFIG_IO_STRICT_DEVMEM=y\n')
    tree.file('/proc/cmdline', 'quiet iomem=relaxed\n')


def case_short_bar(tree):
    # The file ends before its resource row says: what lies behind its end must not pass for a value.
    tree.device('0000:01:00.0', *TEST_DEVICE, bars={0: (0xf0000000, 0x10000, MEM32)})
    tree.bar('0000:01:00.0', 0, 0x1000, {0x0: 0x600d0001, 0x4: 0x105})


def case_empty(tree):
    del tree


def case_long(tree):
    # Enough registers that something can happen while they are read.
    tree.device('0000:01:00.0', *TEST_DEVICE, bars={0: (0xf0000000, 0x4000, MEM32)})
    tree.bar('0000:01:00.0', 0, 0x4000, {4 * i: 0x1000 + i for i in range(4096)})


def overwrite(path, content):
    # In place: the mapping and the open files stay what they are.
    with open(path, 'r+b') as file:
        file.write(content)


def event_bnxt_beats(tree):
    """The firmware's heartbeat goes on by one (the GRC place behind BAR 0 + 0x31fc, see HEALTH)."""
    with open(tree.path('sys/bus/pci/devices/0000:01:00.0/resource0'), 'r+b') as file:
        file.seek(0x31fc)
        file.write(struct.pack('<I', 0x0000a3d2))


def event_bnxt_drops(tree):
    """Packets are discarded all the time, for longer than a pass and the interval behind it take."""
    path = tree.path('sys/class/net/ens1f0np0/statistics/rx_missed_errors')
    for number in range(8, 40):
        write(path + '.new', f'{number}\n')
        os.replace(path + '.new', path)  # in one step: no reader sees half of it
        time.sleep(0.1)


def event_second_page(tree):
    """Somebody selects the other page of maps/pages.json, which holds something else at the same place."""
    with open(tree.path('sys/bus/pci/devices/0000:01:00.0/resource0'), 'r+b') as file:
        for offset, value in ((4, 0x106), (0x8004, 0x5555aaaa)):
            file.seek(offset)
            file.write(struct.pack('<I', value))


def event_gone(tree):
    # Surprise removal: configuration space and BAR answer with all ones (PCI Express Base Specification, 2.3.2).
    folder = tree.path('sys/bus/pci/devices/0000:01:00.0')
    overwrite(f'{folder}/config', b'\xff' * 256)
    overwrite(f'{folder}/resource0', b'\xff' * 0x4000)


def event_dead(tree):
    overwrite(tree.path('sys/bus/pci/devices/0000:01:00.0/resource0'), b'\xff' * 0x4000)


def event_revoked(tree):
    # The pages go away under the mapping, as when a driver claims the BAR or the device is unplugged: SIGBUS.
    os.truncate(tree.path('sys/bus/pci/devices/0000:01:00.0/resource0'), 0)


def happen(name, root):
    globals()['event_' + name](Tree(root))


def build(name, root):
    globals()['case_' + name.replace('-', '_')](Tree(root))
