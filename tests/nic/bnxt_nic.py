#!/usr/bin/env python3
"""An emulated Broadcom BCM57508 (NetXtreme-E "Thor", PCI 14e4:1750).

It is served to QEMU over vfio-user, so an unmodified Linux guest sees a PCI
NIC, and the guest's own bnxt_en driver can drive it.  The purpose is a test
lab for software that reads PCI BARs: every BAR access is logged, firmware
faults can be injected, and the guest has a real driver to notice both.

This is a model of the driver-visible interface, not of the silicon.  Register
addresses the Linux driver hard-codes are the real ones; the ones it learns from
the firmware (health registers, reset register) are inventions of this file and
marked so below.  README.md says what works.

Python 3.9 or newer, standard library only.
"""

import argparse
import os
import socket
import struct
import sys
import time

import bnxt_peer
import bnxt_roce
import fill
from vfio_user import AccessLog, ConfigSpace, GuestMemory, Server

CHIP_NUM = 0x1750
MAC = bytes.fromhex('001018abcd00')   # of port 0; port 1 has the next address
SERIAL = b'LAB57508000001'
PART = b'BCM957508-LAB'
FW_VERSION = (229, 1, 123, 0)
PACKAGE = b'229.1.123.0'
HWRM_SPEC = (1, 10, 3)
MSIX_VECTORS = 64

# ---- BAR0 layout (offsets that the Linux driver hard-codes) ------------------
HWRM_REQUEST, HWRM_REQUEST_LEN = 0x0, 0x80
HWRM_TRIGGER = 0x100
GRC_WINDOW_REGS = 0x400              # window n (1..15): base address at 0x400 + 4*(n-1)
GRC_WINDOW_SIZE = 0x1000             # and its contents at BAR0 + n * 0x1000
STATUS_P5 = 0x520                    # firmware status, where P5 chips have it in BAR0
HCOMM_STATUS = 0x31001f0             # GRC: signature, then the address of fw status
GRC_CHIP_NUM = 0x260048
SPACE_GRC, SPACE_BAR0 = 1, 2         # low bits of a firmware-supplied register address

# ---- GRC registers announced by the firmware (addresses invented here) -------
FW_STATUS = 0x31001f8
FW_HEARTBEAT = 0x31001fc
FW_RESET_COUNT = 0x3100200
FW_RESET_IN_PROGRESS = 0x3100204
FW_RESET_REQUEST = 0x3100208
GRC_NAMES = {HCOMM_STATUS: 'hcomm_sig', HCOMM_STATUS + 4: 'hcomm_status_loc',
             FW_STATUS: 'fw_status', FW_HEARTBEAT: 'fw_heartbeat',
             FW_RESET_COUNT: 'fw_reset_count', FW_RESET_IN_PROGRESS: 'fw_reset_in_progress',
             FW_RESET_REQUEST: 'fw_reset_request', GRC_CHIP_NUM: 'chip_num'}

STATUS_BOOTING, STATUS_HEALTHY, STATUS_CRASHED = 0x0001, 0x8000, 0x8001
BOOT_SECONDS = 1.0

# ---- doorbells (BAR2) --------------------------------------------------------
DOORBELL_BASE = 0x10000
DB_SQ, DB_RQ, DB_SRQ, DB_SRQ_ARM, DB_CQ, DB_CQ_ARMSE, DB_CQ_ARM, DB_CQ_ARMENA = range(8)
DB_SRQ_ARMENA, DB_CQ_CUTOFF, DB_NQ, DB_NQ_ARM = 8, 9, 10, 11
DB_NQ_MASK = 14

# ---- HWRM ring types and completion types ------------------------------------
RING_CQ, RING_TX, RING_RX, RING_ROCE_CQ, RING_AGG, RING_NQ = range(6)
RING_NAMES = ('CQ', 'TX', 'RX', 'ROCE_CQ', 'AGG', 'NQ')
CMPL_TX, CMPL_RX, CMPL_HWRM_DONE, CMPL_ASYNC, NQE_CQ = 0x00, 0x11, 0x20, 0x2e, 0x30

EVENT_LINK_CHANGE, EVENT_RESET_NOTIFY, EVENT_ERROR_RECOVERY = 0x0, 0x8, 0x9

# ---- HWRM error codes --------------------------------------------------------
ERR_FAIL, ERR_INVALID, ERR_NO_RESOURCE, ERR_UNSUPPORTED = 0x1, 0x2, 0x4, 0xffff

# struct pcie_ctx_hw_stats: a number of its own in every member, so that none can be taken for another.
PCIE_STATISTICS = struct.pack('<8Q4H4IQ', *range(101, 109), 1, 0, 3, 2, *range(201, 205), 301)

HWRM_NAMES = {
    0x00: 'VER_GET', 0x0b: 'FUNC_ECHO_RESPONSE', 0x0c: 'ERROR_RECOVERY_QCFG',
    0x0d: 'FUNC_DRV_IF_CHANGE', 0x11: 'FUNC_RESET', 0x15: 'FUNC_QCAPS', 0x16: 'FUNC_QCFG',
    0x17: 'FUNC_CFG', 0x18: 'FUNC_QSTATS', 0x1a: 'FUNC_DRV_UNRGTR', 0x1d: 'FUNC_DRV_RGTR',
    0x1f: 'FUNC_BUF_RGTR', 0x20: 'PORT_PHY_CFG', 0x21: 'PORT_MAC_CFG', 0x22: 'PORT_TS_QUERY',
    0x23: 'PORT_QSTATS', 0x25: 'PORT_CLR_STATS', 0x27: 'PORT_PHY_QCFG',
    0x29: 'PORT_MAC_PTP_QCFG', 0x2a: 'PORT_PHY_QCAPS', 0x2c: 'PORT_PHY_I2C_READ',
    0x2d: 'PORT_LED_CFG', 0x2f: 'PORT_LED_QCAPS', 0x30: 'QUEUE_QPORTCFG',
    0x35: 'QUEUE_PFCENABLE_QCFG', 0x36: 'QUEUE_PFCENABLE_CFG', 0x37: 'QUEUE_PRI2COS_QCFG',
    0x38: 'QUEUE_PRI2COS_CFG', 0x39: 'QUEUE_COS2BW_QCFG', 0x3a: 'QUEUE_COS2BW_CFG',
    0x3b: 'QUEUE_DSCP_QCAPS', 0x3d: 'QUEUE_DSCP2PRI_CFG', 0x40: 'VNIC_ALLOC',
    0x41: 'VNIC_FREE', 0x42: 'VNIC_CFG', 0x44: 'VNIC_TPA_CFG', 0x46: 'VNIC_RSS_CFG',
    0x47: 'VNIC_RSS_QCFG', 0x48: 'VNIC_PLCMODES_CFG', 0x4a: 'VNIC_QCAPS',
    0x4b: 'VNIC_UPDATE', 0x50: 'RING_ALLOC', 0x51: 'RING_FREE',
    0x53: 'RING_CMPL_RING_CFG_AGGINT_PARAMS', 0x54: 'RING_AGGINT_QCAPS', 0x5e: 'RING_RESET',
    0x60: 'RING_GRP_ALLOC', 0x61: 'RING_GRP_FREE', 0x70: 'VNIC_RSS_COS_LB_CTX_ALLOC',
    0x71: 'VNIC_RSS_COS_LB_CTX_FREE', 0x90: 'CFA_L2_FILTER_ALLOC', 0x91: 'CFA_L2_FILTER_FREE',
    0x93: 'CFA_L2_SET_RX_MASK', 0x99: 'CFA_NTUPLE_FILTER_ALLOC',
    0x9a: 'CFA_NTUPLE_FILTER_FREE', 0xa0: 'TUNNEL_DST_PORT_QUERY',
    0xa1: 'TUNNEL_DST_PORT_ALLOC', 0xa2: 'TUNNEL_DST_PORT_FREE', 0xb0: 'STAT_CTX_ALLOC',
    0xb1: 'STAT_CTX_FREE', 0xb2: 'STAT_CTX_QUERY', 0xb3: 'STAT_CTX_CLR_STATS',
    0xb4: 'PORT_QSTATS_EXT', 0xbe: 'FW_LIVEPATCH_QUERY', 0xc0: 'FW_RESET',
    0xc8: 'FW_SET_TIME', 0xcb: 'FW_GET_STRUCTURED_DATA', 0xdf: 'PORT_MAC_QCAPS',
    0xe0: 'TEMP_MONITOR_QUERY', 0xe6: 'STAT_QUERY_ROCE_STATS',
    0xe7: 'STAT_QUERY_ROCE_STATS_EXT', 0xf2: 'WOL_FILTER_QCFG',
    0x124: 'CFA_ADV_FLOW_MGNT_QCAPS', 0x190: 'FUNC_RESOURCE_QCAPS',
    0x191: 'FUNC_VF_RESOURCE_CFG', 0x192: 'FUNC_BACKING_STORE_QCAPS',
    0x193: 'FUNC_BACKING_STORE_CFG', 0x198: 'FUNC_QSTATS_EXT', 0x1a6: 'FUNC_DBR_PACING_QCFG',
    0x200: 'SELFTEST_QLIST', 0x204: 'PCIE_QSTATS', 0x258: 'UDCC_QCAPS',
    0x261: 'QUEUE_PFCWD_TIMEOUT_QCAPS', 0xff10: 'DBG_READ_DIRECT',
    0xff17: 'DBG_COREDUMP_LIST', 0xff20: 'DBG_QCAPS', 0xff21: 'DBG_QCFG',
    0xfff1: 'NVM_GET_VARIABLE', 0xfff6: 'NVM_GET_DEV_INFO', 0xfff9: 'NVM_FIND_DIR_ENTRY',
    0xfffa: 'NVM_GET_DIR_ENTRIES', 0xfffb: 'NVM_GET_DIR_INFO', 0xfffd: 'NVM_READ',
}


class HwrmError(Exception):
    def __init__(self, code):
        super().__init__('HWRM error %#x' % code)
        self.code = code


def record(length, *fields):
    """A zeroed buffer of `length` bytes with (offset, format, value...) filled in."""
    buffer = bytearray(length)
    for offset, fmt, *values in fields:
        struct.pack_into('<' + fmt, buffer, offset, *values)
    return buffer


def field(fmt, data, offset):
    return struct.unpack_from('<' + fmt, data, offset)[0]


class Ring:
    """A ring of 16-byte entries in guest memory, flat or behind page tables."""

    ENTRY = 16

    def __init__(self, memory, ring_id, kind, base, depth, page_size, length):
        self.memory, self.id, self.kind, self.length = memory, ring_id, kind, length
        self.page_size = page_size
        self.pages = self._walk(base, depth, length * self.ENTRY)
        self.produced = 0                # entries written, or announced by a doorbell
        self.consumed = 0
        self.armed = False
        self.options = {}

    def _walk(self, base, depth, total):
        """The addresses of the data pages below `base`; None if the ring is flat."""
        self.flat = base if depth == 0 else None
        if depth == 0:
            return None
        level, count = [base], -(-total // self.page_size)
        for remaining in range(depth - 1, -1, -1):
            wanted = -(-count // 512 ** remaining)
            entries = []
            for table in level:
                take = min(512, wanted - len(entries)) if len(level) > 1 else wanted
                entries += self.memory.unpack('<%dQ' % take, table)
            level = [entry & ~0xfff for entry in entries]
        return level

    def address(self, index):
        offset = index % self.length * self.ENTRY
        if self.flat is not None:
            return self.flat + offset
        return self.pages[offset // self.page_size] + offset % self.page_size

    def read(self, index):
        return self.memory.read(self.address(index), self.ENTRY)

    def push(self, entry):
        """Write a completion; the valid bit (dword 2, bit 0) flips on every lap."""
        valid = 0 if (self.produced // self.length) & 1 else 1
        where = self.address(self.produced)
        word = (field('I', entry, 8) & ~1) | valid
        self.memory.write(where, bytes(entry[:8]))
        self.memory.write(where + 12, bytes(entry[12:16]))
        self.memory.pack('<I', where + 8, word)      # last: this publishes the entry
        self.produced += 1

    def has_unread(self, guest_index):
        return self.produced % self.length != guest_index % self.length


class Nic:
    """The device: PCI identity, registers, firmware and data path."""

    bar_sizes = {0: 0x10000, 2: 0x100000, 4: 0x8000}
    irq_counts = {0: 1, 1: 8, 2: MSIX_VECTORS, 3: 1, 4: 1}

    def __init__(self, memory, log, events, roce=True, port=0):
        self.memory, self.log, self.events = memory, log, events
        self.port = port
        self.mac = MAC[:5] + bytes([MAC[5] + port])
        self.roce_enabled = roce
        self.server = None               # set by main(); needed to raise interrupts
        self.config = self._make_config()
        self.bar0 = bytearray(self.bar_sizes[0])
        self.bar4 = bytearray(self.bar_sizes[4])
        self.grc = {}
        self.mines = []                  # [space, first, last, action, reads until then]
        self.delays = []                 # (space, first, last, seconds)
        self.clear_on_read = set()       # GRC addresses that reading resets to zero
        self.triggers = {}               # offset in BAR 2 -> command that reading it runs
        self.hwrm_seen = []              # command names in order of first use
        self.hwrm_count = {}
        self.hwrm_errors = {}            # injected: command number -> error code
        self.reset_count = 0
        self.boot_done = None            # time at which a reset firmware is back
        self.announced_reset = None
        self.link_up = True
        self.temperature = 45
        self.handlers = self._hwrm_handlers()
        self._clear_faults()
        self.reset_happened = False
        self._reset_function()

    # ---- PCI configuration space ---------------------------------------------

    def _make_config(self):
        c = ConfigSpace()
        c.header(0x14e4, CHIP_NUM, 0x14e4, 0x5045, 0x020000, 0x11)
        for bar in (0, 2, 4):
            c.bar64(bar)
        # Power management: version 3, PME from D3hot and D3cold.
        c.capability(0x48, 0x01, struct.pack('<HHBB', 0xc803, 0x2008, 0, 0))
        c.allow('H', 0x4c, 0x0103)
        # Vital product data, served by a hook on its address register.
        c.capability(0x50, 0x03, struct.pack('<HI', 0, 0))
        c.allow('H', 0x52, 0xffff)
        self.vpd = make_vpd(PART, SERIAL)
        c.hooks[0x53] = self._vpd_access
        # MSI: 8 vectors, 64-bit.
        c.capability(0x58, 0x05, struct.pack('<HIIH', 0x0086, 0, 0, 0))
        c.allow('HIIH', 0x5a, 0x0071, 0xfffffffc, 0xffffffff, 0xffff)
        # MSI-X: table and pending bits in BAR4.
        c.capability(0xa0, 0x11, struct.pack('<HII', MSIX_VECTORS - 1, 0x0000 | 4, 0x1000 | 4))
        c.allow('H', 0xa2, 0xc000)
        # PCI Express v2 endpoint, 16 GT/s x16, with function level reset.
        express = record(0x3a, (0, 'HIHH', 0x0002, 0x10008fe2, 0x2910, 0x0000),
                         (0x0a, 'IHH', 0x00400104, 0x0000, 0x1104),
                         (0x22, 'IHH', 0x0001081f, 0x0000, 0x0000),
                         (0x2a, 'IHH', 0x0000001e, 0x0004, 0x0000))
        c.capability(0xac, 0x10, express)
        c.allow('H', 0xac + 0x08, 0xffff)
        c.allow('H', 0xac + 0x10, 0x0fff)
        c.allow('H', 0xac + 0x28, 0xffff)
        c.allow('H', 0xac + 0x30, 0x00ff)
        c.clear_on_one[0xac + 0x0a] = 0x0f
        c.hooks[0xac + 0x09] = self._device_control
        # Advanced error reporting and the device serial number.
        c.ext_capability(0x100, 0x0001, 1, record(0x38, (8, 'I', 0x00062030), (16, 'I', 0x6000)))
        for offset, mask in ((0x108, 0xffffffff), (0x10c, 0xffffffff), (0x114, 0xffffffff)):
            c.allow('I', offset, mask)
        struct.pack_into('<I', c.clear_on_one, 0x104, 0xffffffff)
        struct.pack_into('<I', c.clear_on_one, 0x110, 0xffffffff)
        c.ext_capability(0x13c, 0x0003, 1, MAC[5:2:-1] + b'\xfe\xff' + MAC[2::-1])
        return c

    def _vpd_access(self, config):
        address = config.get('H', 0x52)
        if not address & 0x8000:         # a read was requested
            offset = address & 0x7ffc
            config.put('I', 0x54, int.from_bytes(self.vpd[offset:offset + 4].ljust(4, b'\0'), 'little'))
            config.put('H', 0x52, address | 0x8000)

    def _device_control(self, config):
        control = config.get('H', 0xb4)
        if control & 0x8000:
            config.put('H', 0xb4, control & 0x7fff)
            self.reset('function level reset')

    # ---- state ---------------------------------------------------------------

    def _clear_faults(self):
        self.status_override = None
        self.heartbeat_frozen = None     # the value it froze at
        self.hwrm_hung = False
        self.gone = self.bars_dead = self.config.dead = False

    def _reset_function(self):
        """Forget everything the driver configured."""
        self.rings = {}
        self.next_ring = 0x10
        self.counters = {}
        self.allocated = dict.fromkeys(
            ('msix', 'rsscos', 'cmpl', 'tx', 'rx', 'l2', 'vnic', 'stat', 'grp'), 0)
        self.async_ring = None
        self.driver_registered = False
        self.stat_contexts = {}
        self.default_rx = self.default_rx_cq = None
        self.rss_hash_type = 0
        self.port_stats = {'rx_packets': 0, 'rx_bytes': 0, 'tx_packets': 0, 'tx_bytes': 0}
        self.roce = bnxt_roce.Roce(self) if self.roce_enabled else None

    def reset(self, reason):
        self.event('function reset: %s' % reason)
        self._reset_function()

    def event(self, text):
        self.events.write('%s %s\n' % (self.log.stamp(), text))
        self.events.flush()

    def firmware_reset(self, reason):
        """The firmware goes down now and is healthy again BOOT_SECONDS later."""
        self.event('firmware reset: %s' % reason)
        self._clear_faults()
        self._reset_function()
        self.boot_done = time.monotonic() + BOOT_SECONDS

    def tick(self):
        if self.announced_reset is not None and time.monotonic() >= self.announced_reset:
            self.announced_reset = None
            self.firmware_reset('announced')
        if self.boot_done is not None and time.monotonic() >= self.boot_done:
            self.boot_done = None
            self.reset_count += 1
            self.reset_happened = True
            self.event('firmware running again, resets %d' % self.reset_count)

    # ---- registers -----------------------------------------------------------

    def fw_status(self):
        if self.boot_done is not None:
            return STATUS_BOOTING
        return STATUS_HEALTHY if self.status_override is None else self.status_override

    def fw_heartbeat(self):
        if self.heartbeat_frozen is not None:
            return self.heartbeat_frozen
        return int((time.monotonic() - self.log.start) * 10) & 0xffffffff

    def grc_read(self, address):
        dynamic = {FW_STATUS: self.fw_status, FW_HEARTBEAT: self.fw_heartbeat,
                   FW_RESET_COUNT: lambda: self.reset_count,
                   FW_RESET_IN_PROGRESS: lambda: int(self.boot_done is not None)}
        if address in dynamic:
            return dynamic[address]()
        fixed = {HCOMM_STATUS: 0x48435301, HCOMM_STATUS + 4: FW_STATUS | SPACE_GRC,
                 GRC_CHIP_NUM: CHIP_NUM}
        return fixed.get(address, self.grc.get(address, 0))

    def grc_write(self, address, value):
        self.event('grc write %#x = %#x' % (address, value))
        self.grc[address] = value
        if address == FW_RESET_REQUEST and value:
            self.firmware_reset('driver wrote the reset register')

    def _grc_address(self, offset):
        """The GRC address behind a BAR0 offset, or None outside the windows."""
        window = offset // GRC_WINDOW_SIZE
        if not 1 <= window <= 15:
            return None
        base = field('I', self.bar0, GRC_WINDOW_REGS + 4 * (window - 1))
        return (base & 0xfffff000) + offset % GRC_WINDOW_SIZE

    def describe(self, bar, offset):
        if bar == 2:
            return 'doorbell' if offset >= DOORBELL_BASE else ''
        if bar != 0:
            return ''
        if offset < HWRM_REQUEST_LEN:
            return 'hwrm request'
        if offset == HWRM_TRIGGER:
            return 'hwrm trigger'
        if bnxt_roce.MAILBOX <= offset < bnxt_roce.MAILBOX + 16:
            return 'rcfw mailbox'
        if offset == bnxt_roce.TRIGGER:
            return 'rcfw trigger'
        if GRC_WINDOW_REGS <= offset < GRC_WINDOW_REGS + 60:
            return 'grc window %d base' % ((offset - GRC_WINDOW_REGS) // 4 + 1)
        if offset & ~3 == STATUS_P5:
            return 'fw_status (P5)'
        address = self._grc_address(offset)
        if address is None:
            return ''
        return ('grc 0x%08x %s' % (address, GRC_NAMES.get(address & ~3, ''))).rstrip()

    def _bar0_dword(self, offset):
        if offset == STATUS_P5:
            return self.fw_status()
        address = self._grc_address(offset)
        return field('I', self.bar0, offset) if address is None else self.grc_read(address)

    def _side_effects(self, space, first, last):
        """What reading these addresses does, if a test has asked for something."""
        for where, start, end, seconds in self.delays:
            if where == space and start <= last and first <= end:
                time.sleep(seconds)
        for mine in self.mines:
            where, start, end, action, after = mine
            if where == space and start <= last and first <= end:
                mine[4] = max(after - 1, 0)
                if after > 1:
                    continue
                self.event('mine hit: %s %#x-%#x (%s)' % (space, first, last, action))
                self.inject([action])

    def bar_read(self, bar, offset, size):
        if bar == 2 and offset in self.triggers:
            self.inject(self.triggers[offset])
        self._side_effects('bar%d' % bar, offset, offset + size - 1)
        if bar == 0:
            address = self._grc_address(offset)
            if address is not None:
                self._side_effects('grc', address, address + size - 1)
        if self.gone or self.bars_dead:
            return b'\xff' * size
        if bar == 0:
            first, end = offset & ~3, (offset + size + 3) & ~3
            words = b''.join(struct.pack('<I', self._bar0_dword(o)) for o in range(first, end, 4))
            if address is not None and self.clear_on_read:
                for hit in self.clear_on_read.intersection(range(address & ~3, address + size)):
                    self.grc[hit] = 0
                    self.event('read cleared grc %#x' % hit)
            return words[offset - first:offset - first + size]
        if bar == 4:
            return bytes(self.bar4[offset:offset + size])
        return bytes(size)               # doorbells read as zero

    def bar_write(self, bar, offset, data):
        if self.gone or self.bars_dead:
            return
        if bar == 2:
            if len(data) == 8 and offset >= DOORBELL_BASE:
                self._doorbell(int.from_bytes(data, 'little'), offset)
            else:
                self.event('odd write to BAR2: offset %#x size %d' % (offset, len(data)))
            return
        if bar == 4:
            self.bar4[offset:offset + len(data)] = data
            self.event('write to BAR4: offset %#x size %d' % (offset, len(data)))
            return
        address = self._grc_address(offset)
        if address is not None:
            self.grc_write(address, int.from_bytes(data, 'little'))
            return
        self.bar0[offset:offset + len(data)] = data
        if offset == HWRM_TRIGGER:
            self._hwrm()
        elif offset == bnxt_roce.TRIGGER and self.roce is not None and self._firmware_runs():
            self.roce.trigger()

    # ---- HWRM: the firmware's command channel ----------------------------------

    def _firmware_runs(self):
        return self.boot_done is None and not self.hwrm_hung

    def _hwrm(self):
        if not self._firmware_runs():
            self.event('HWRM request ignored: firmware is not running')
            return
        request = bytes(self.bar0[:HWRM_REQUEST_LEN])
        if field('H', request, 2) == 0x4321:         # short form: a pointer to the request
            size, address = field('H', request, 6), field('Q', request, 8)
            request = self.memory.read(address, size)
        command, ring, sequence, target = struct.unpack_from('<HHHH', request)
        response_address = field('Q', request, 8)
        name = HWRM_NAMES.get(command, 'CMD_%#x' % command)
        if name not in self.hwrm_count:
            self.hwrm_seen.append(name)
        self.hwrm_count[name] = self.hwrm_count.get(name, 0) + 1
        handler = self.handlers.get(command)
        body, error = None, 0
        try:
            if command in self.hwrm_errors:
                raise HwrmError(self.hwrm_errors[command])
            if handler is None:
                raise HwrmError(ERR_UNSUPPORTED)
            body = handler(request)
        except HwrmError as problem:
            error = problem.code
        except Exception as problem:     # an emulator bug must not hang the guest
            error = ERR_FAIL
            self.event('EMULATOR BUG in %s: %r' % (name, problem))
        body = body if body is not None else bytearray(16)
        self.event('hwrm %s seq %d len %d -> %s' % (
            name, sequence, len(request), 'error %#x' % error if error else 'ok'))
        body[-1] = 1                     # the "valid" byte
        self.memory.write(response_address + 8, bytes(body[8:]))
        self.memory.pack('<HHHH', response_address, error, command, sequence, len(body))
        if ring in self.rings:           # the driver waits for a completion, not by polling
            self.complete(self.rings[ring], struct.pack('<HHIII', CMPL_HWRM_DONE, sequence, 0, 0, 0))
        self._after_hwrm(command, request, error)

    def _after_hwrm(self, command, request, error):
        """Things the firmware does once the response is out."""
        if command == 0x17 and not error and field('I', request, 24) & 0x4000:
            self.async_event(EVENT_ERROR_RECOVERY, data1=0x3)     # primary, enabled

    def _hwrm_handlers(self):
        table = {
            0x00: self._ver_get, 0x0c: self._error_recovery, 0x0d: self._if_change,
            0x11: self._func_reset, 0x15: self._func_qcaps, 0x16: self._func_qcfg,
            0x17: self._func_cfg, 0x1a: self._driver_unregister, 0x1d: self._driver_register,
            0x20: self._phy_cfg, 0x23: self._port_qstats, 0x27: self._phy_qcfg,
            0x2a: self._phy_qcaps, 0x2f: lambda r: record(48), 0x30: self._queue_qportcfg,
            0x35: lambda r: record(16), 0x37: lambda r: record(24), 0x39: lambda r: record(112),
            0x3b: lambda r: record(16, (8, 'BBH', 6, 0, 64)),
            0x40: lambda r: record(16, (8, 'I', self._new_id('vnic'))),
            0x42: self._vnic_cfg, 0x46: self._rss_cfg,
            0x47: lambda r: record(64, (8, 'I', self.rss_hash_type)),
            0x4a: lambda r: record(24, (8, 'H', 9600), (12, 'I', 0x2 | 0x4000), (16, 'H', 16)),
            0x50: self._ring_alloc, 0x51: self._ring_free,
            0x54: lambda r: record(48, (8, 'II', 0x3ff, 0x1), (18, 'H', 63), (22, 'H', 63),
                                   (26, 'H', 65535), (30, 'H', 65535), (34, 'H', 65535),
                                   (38, 'H', 65535), (42, 'H', 65535), (44, 'H', 80)),
            0x70: lambda r: record(16, (8, 'H', self._new_id('rss context'))),
            0x90: lambda r: record(24, (8, 'Q', self._new_id('filter')), (16, 'I', 0)),
            0x99: lambda r: record(24, (8, 'Q', self._new_id('filter')), (16, 'I', 0)),
            0xa1: lambda r: record(16, (8, 'H', self._new_id('tunnel port'))),
            0xb0: self._stat_alloc, 0xb1: self._stat_free, 0xb4: self._port_qstats_ext,
            0xc0: self._fw_reset, 0xdf: lambda r: record(16),
            0xe0: lambda r: record(24, (8, 'BBBB', self.temperature, 0, 0, 0),
                                   (15, 'BBBB', 95, 100, 105, 110)),
            0xe6: self._roce_qstats, 0x190: self._resource_qcaps,
            0x192: self._backing_qcaps, 0x198: self._func_qstats_ext,
            0x204: self._pcie_qstats, 0xff10: self._dbg_read, 0xff20: lambda r: record(24),
            0xfff1: self._nvm_variable, 0xfff6: self._nvm_dev_info,
        }
        # Commands that need no more than an "ok".
        for command in (0x0b, 0x1f, 0x21, 0x25, 0x2d, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x44,
                        0x48, 0x4b, 0x53, 0x5e, 0x71, 0x91, 0x93, 0x9a, 0xa2, 0xb3, 0xc8,
                        0x193):
            table[command] = lambda r: record(16)
        return table

    def _new_id(self, kind):
        self.counters[kind] = self.counters.get(kind, 0) + 1
        return self.counters[kind]

    def _ver_get(self, request):
        caps = 0x4 | 0x8                 # short commands, and they are required
        maj, mnr, bld, rsv = FW_VERSION
        return record(
            176, (8, 'BBBB', *HWRM_SPEC, 0), (12, 'BBBB', maj, mnr, bld, rsv),
            (16, 'BBBB', maj, mnr, bld, rsv), (24, 'I', caps), (28, 'BBBB', maj, mnr, bld, rsv),
            (32, '16s', b'LAB HWRM'), (80, '16s', PACKAGE), (112, 'HBB', CHIP_NUM, 1, 1),
            (118, 'HHH', HWRM_REQUEST_LEN, 512, 1000), (124, 'B', 0x2), (127, 'B', 1),
            (128, 'HHHH', *HWRM_SPEC, 0), (136, 'HHHH', *FW_VERSION),
            (144, 'HHHH', *FW_VERSION), (160, 'HHHH', *FW_VERSION), (168, 'HH', 512, 0))

    def _error_recovery(self, request):
        return record(
            208, (8, 'I', 0x1),          # the host resets the firmware, by register writes
            (12, 'IIIII', 10, 3, 10, 15, 100),       # periods, in tenths of a second
            (32, 'IIIII', FW_STATUS | SPACE_GRC, FW_HEARTBEAT | SPACE_GRC,
             FW_RESET_COUNT | SPACE_GRC, FW_RESET_IN_PROGRESS | SPACE_GRC, 0xffffffff),
            (55, 'B', 1), (56, 'I', FW_RESET_REQUEST | SPACE_GRC), (120, 'I', 1), (184, 'B', 10))

    def _if_change(self, request):
        up = field('I', request, 16) & 1
        flags = 0
        if up and self.reset_happened:
            flags, self.reset_happened = 0x2, False      # a firmware reset took place
        return record(16, (8, 'I', flags))

    def _func_reset(self, request):
        self._reset_function()
        self.reset_happened = False
        return record(16)

    def _func_qcaps(self, request):
        flags = 0x10000 | 0x400000 | 0x800000 | 0x1000000 | 0x80000000
        if self.roce_enabled:
            flags |= 0x8 | 0x10          # RoCE v1 and v2
        return record(
            144, (8, 'HH', self.port + 1, self.port), (12, 'I', flags), (16, '6s', self.mac),
            (22, 'HHHHHH', 64, 512, 128, 128, 64, 64), (34, 'HHH', 0, 0, 128),
            (40, 'IIIIII', 0, 0, 1024, 1024, 1024, 1024), (64, 'III', 256, 0, 128),
            (80, 'I', 0x4), (96, '8s', self.config.data[0x140:0x148]))

    def _func_qcfg(self, request):
        a = self.allocated
        return record(
            176, (8, 'HHHH', self.port + 1, self.port, 0, 0), (16, '6s', self.mac),
            (24, 'HHHHHH', a['rsscos'], a['cmpl'], a['tx'], a['rx'], a['l2'], a['vnic']),
            (36, 'HH', 1500, 9600), (42, 'BB', 0, 1), (46, 'H', 9500), (48, 'II', 0, 100000),
            (56, 'B', 0), (64, 'I', a['grp']), (70, 'HHHH', a['stat'], a['msix'], 0, 128),
            (79, 'B', 1), (84, 'H', 64), (160, 'BBBB', 16, 4, 16, 4))

    def _func_cfg(self, request):
        enables = field('I', request, 24)
        for bit, offset, name in ((0x4, 32, 'rsscos'), (0x8, 34, 'cmpl'), (0x10, 36, 'tx'),
                                  (0x20, 38, 'rx'), (0x40, 40, 'l2'), (0x80, 42, 'vnic'),
                                  (0x100, 44, 'stat'), (0x80000, 46, 'grp'),
                                  (0x200000, 18, 'msix')):
            if enables & bit:
                self.allocated[name] = field('H', request, offset)
        if enables & 0x4000:
            self.async_ring = field('H', request, 80)
        return record(16)

    def _driver_register(self, request):
        self.driver_registered = True
        return record(16, (8, 'I', 0x1)) # FUNC_DRV_IF_CHANGE is supported

    def _driver_unregister(self, request):
        self.driver_registered = False
        return record(16)

    def _resource_qcaps(self, request):
        return record(
            88, (8, 'HHH', 0, MSIX_VECTORS, 0), (14, 'HH', 1, 64), (18, 'HH', 1, 512),
            (22, 'HH', 1, 128), (26, 'HH', 1, 128), (30, 'HH', 1, 64), (34, 'HH', 1, 64),
            (38, 'HH', 1, 128), (42, 'HH', 1, 128), (46, 'HH', 0, 0), (50, 'H', 1))

    def _backing_qcaps(self, request):
        """Sizes of the context memory the driver must allocate; kept small."""
        return record(
            104, (8, 'IHHH', 1024, 4, 256, 256), (18, 'HIH', 64, 256, 128),
            (26, 'HIH', 512, 2048, 128), (34, 'HHH', 64, 64, 64), (40, 'IH', 128, 256),
            (46, 'HII', 64, 64, 65536), (56, 'IH', 4096, 128), (62, 'HI', 64, 4096),
            (68, 'HBB', 64, 32, 0xc3), (72, 'H', 0), (78, 'B', 8))

    def _queue_qportcfg(self, request):
        queues = ((0, 0), (4, 1), (5, 2))        # id, profile: lossy, lossless RoCE, CNP
        flat = [value for pair in queues for value in pair]
        return record(168, (8, 'BBBBBBB', 3, 1, 1, 0, 1, 1, 1), (15, '6B', *flat))

    # ---- port ----------------------------------------------------------------

    def _phy_qcaps(self, request):
        return record(48, (8, 'BB', 0, 1), (10, 'HHH', 0xf40, 0xf40, 0), (24, 'HH', 0x7, 0x7))

    def _phy_qcfg(self, request):
        up = self.link_up
        return record(
            112, (8, 'BB', 2 if up else 0, 0), (10, 'H', 0x3e8 if up else 0), (12, 'BB', 1, 0),
            (14, 'HH', 0xf40, 0), (18, 'BBHH', 4, 0, 0, 0xf40), (27, 'B', 0),
            (32, 'BBBBBBB', 1, 0, 0, 0x0f, 2, 2, 0), (40, 'H', 0xf40 if up else 0),
            (52, 'HB', 0x1, 1), (56, '16s16s', b'LAB CABLES', b'DAC-100G-1M'),
            (88, 'HHH', 0x7, 0, 0x7))

    def _phy_cfg(self, request):
        return record(16)

    def _port_qstats(self, request):
        flags, tx, rx = field('B', request, 18), field('Q', request, 24), field('Q', request, 32)
        tx_len, rx_len = 408, 528
        if flags & 1:
            self.memory.write(tx, (b'\xff' * 6 + b'\0\0') * (tx_len // 8))
            self.memory.write(rx, (b'\xff' * 6 + b'\0\0') * (rx_len // 8))
        else:
            s = self.port_stats
            self.memory.write(tx, bytes(record(
                tx_len, (88, 'QQ', s['tx_packets'], s['tx_packets']), (376, 'Q', s['tx_bytes']))))
            self.memory.write(rx, bytes(record(
                rx_len, (88, 'Q', s['rx_packets']), (272, 'Q', s['rx_packets']),
                (488, 'Q', s['rx_bytes']))))
        return record(16, (8, 'HH', tx_len, rx_len))

    def _port_qstats_ext(self, request):
        tx_len, rx_len = field('H', request, 18), field('H', request, 20)
        flags, tx, rx = field('B', request, 22), field('Q', request, 24), field('Q', request, 32)
        for address, length in ((tx, tx_len), (rx, rx_len)):
            if address and length:
                unit = b'\xff' * 6 + b'\0\0' if flags & 1 else bytes(8)
                self.memory.write(address, unit * (length // 8))
        return record(16, (8, 'HHH', tx_len, rx_len, 1))

    def _func_qstats_ext(self, request):
        mask = (1 << 48) - 1 if field('B', request, 18) & 2 else 0
        return record(192, (8, '22Q', *[mask] * 22))

    def _pcie_qstats(self, request):
        length = min(field('H', request, 16), 96)
        address = field('Q', request, 24)
        if length and address:
            self.memory.write(address, PCIE_STATISTICS[:length])
        return record(16, (8, 'H', length or 96))

    def _roce_qstats(self, request):
        length, address = field('H', request, 16), field('Q', request, 24)
        if length and address:
            self.memory.write(address, bytes(length))
        return record(16, (8, 'H', length))

    # ---- firmware, debug, NVM --------------------------------------------------

    def _fw_reset(self, request):
        self.boot_done = time.monotonic() + BOOT_SECONDS
        self.event('firmware reset: FW_RESET command')
        return record(16)

    def _dbg_read(self, request):
        """Registers read by the firmware for the driver: `ethtool -d` ends here."""
        address, start, words = struct.unpack_from('<QII', request, 16)
        start &= 0x7fffffff              # the firmware's view of BAR0 is at 0x80000000
        if start + 4 * words > self.bar_sizes[0]:
            raise HwrmError(ERR_INVALID)
        data = b''.join(struct.pack('<I', self._bar0_dword(start + 4 * i)) for i in range(words))
        self.memory.write(address, data)
        return record(16)

    def _nvm_dev_info(self, request):
        return record(96, (8, 'HH', 0x14e4, CHIP_NUM), (12, 'IIII', 4096, 1 << 24, 0, 1 << 22),
                      (28, 'BBBB', 1, 2, 3, 0x1), (32, '16s', PACKAGE),
                      (48, 'HHHH', *FW_VERSION), (56, 'HHHH', *FW_VERSION),
                      (64, 'HHHH', *FW_VERSION))

    def _nvm_variable(self, request):
        address, bits, option, _, index = struct.unpack_from('<QHHHH', request, 16)
        if option != 602 or index > 2:   # only the configuration version exists here
            raise HwrmError(ERR_INVALID)
        self.memory.write(address, bytes([(3, 2, 1)[index]]))
        return record(16, (8, 'HH', bits, option))

    # ---- rings -----------------------------------------------------------------

    def _ring_alloc(self, request):
        kind = request[20]
        base, _, page_log2, depth = struct.unpack_from('<QIBB', request, 24)
        length, logical = field('I', request, 40), field('H', request, 44)
        ring_id = self.next_ring
        self.next_ring += 1
        page_size = 1 << page_log2 if page_log2 else 4096
        ring = Ring(self.memory, ring_id, kind, base, depth, page_size, length)
        ring.options = {'logical': logical, 'cq': field('H', request, 46),
                        'nq': field('H', request, 54), 'stat': field('I', request, 64),
                        'handle': field('Q', request, 80), 'rx': field('H', request, 52)}
        self.rings[ring_id] = ring
        self.event('ring %#x: %s, %d entries, depth %d, vector/logical %d' % (
            ring_id, RING_NAMES[kind] if kind < 6 else kind, length, depth, logical))
        if kind == RING_RX and self.default_rx is None:
            self.default_rx = ring_id
        return record(16, (8, 'HH', ring_id, logical))

    def _ring_free(self, request):
        ring_id = field('H', request, 18)
        if self.rings.pop(ring_id, None) is None:
            raise HwrmError(ERR_INVALID)
        if self.default_rx == ring_id:
            self.default_rx = None
        if self.async_ring == ring_id:
            self.async_ring = None
        return record(16)

    def _vnic_cfg(self, request):
        enables = field('I', request, 20)
        if enables & 0x20:
            self.default_rx = field('H', request, 36)
        if enables & 0x40:
            self.default_rx_cq = field('H', request, 38)
        return record(16)

    def _rss_cfg(self, request):
        self.rss_hash_type = field('I', request, 16)
        return record(16)

    def _stat_alloc(self, request):
        context = self._new_id('stat')
        self.stat_contexts[context] = [field('Q', request, 16), field('H', request, 30), [0] * 20]
        return record(16, (8, 'I', context))

    def _stat_free(self, request):
        context = field('I', request, 16)
        self.stat_contexts.pop(context, None)
        return record(16, (8, 'I', context))

    def _count(self, context, slot, packets, size):
        """Add to a ring's statistics; slots: 0..2 receive, 8..10 send (u, m, b cast)."""
        entry = self.stat_contexts.get(context)
        if entry is None:
            return
        address, length, values = entry
        values[slot] += packets
        values[slot + 5] += size
        if address:
            self.memory.write(address, struct.pack('<20Q', *values)[:length])

    # ---- completion queues and interrupts ----------------------------------------

    def notify(self, nq_id, entry):
        """Put an entry on a notification queue and interrupt if it is armed."""
        nq = self.rings.get(nq_id)
        if nq is None:
            return
        nq.push(entry)
        if nq.armed:
            nq.armed = False
            self.server.trigger(2, nq.options['logical'])

    def complete(self, cq, *entries):
        for entry in entries:
            cq.push(entry)
        if cq.armed:
            self._notify_cq(cq)

    def _notify_cq(self, cq):
        cq.armed = False
        handle = cq.options['handle']
        self.notify(cq.options['nq'], struct.pack('<HHIII', NQE_CQ, 0, handle & 0xffffffff, 0,
                                                  handle >> 32))

    def async_event(self, event_id, data1=0, data2=0, min_wait=0, max_wait=0):
        """Tell the driver something; False if it has no ring for it."""
        if self.async_ring not in self.rings:
            return False
        self.event('async event %#x data1 %#x data2 %#x' % (event_id, data1, data2))
        self.notify(self.async_ring, struct.pack('<HHIBBHI', CMPL_ASYNC, event_id, data2, 0,
                                                 min_wait, max_wait, data1))
        return True

    def _doorbell(self, value, offset):
        index, xid = value & 0xffffff, value >> 32 & 0xfffff
        kind, l2_path = value >> 60, value >> 56 & 1
        if not l2_path and self.roce is not None and self.roce.doorbell(kind, xid, index, value):
            return
        ring = self.rings.get(xid)
        if ring is None:
            self.event('doorbell for unknown ring: %#x at %#x' % (value, offset))
            return
        if kind == DB_SQ and ring.kind == RING_TX:
            self._transmit(ring, index)
        elif kind in (DB_RQ, DB_SRQ):
            ring.produced = index
        elif kind in (DB_CQ_ARM, DB_CQ_ARMSE):
            if ring.has_unread(index):
                self._notify_cq(ring)
            else:
                ring.armed = True
        elif kind == DB_NQ_ARM:
            if ring.has_unread(index):
                ring.armed = False
                self.server.trigger(2, ring.options['logical'])
            else:
                ring.armed = True
        elif kind == DB_NQ_MASK:
            ring.armed = False
        elif kind not in (DB_CQ, DB_NQ, DB_CQ_ARMENA):
            self.event('doorbell not understood: %#x at %#x' % (value, offset))

    # ---- data path: a cable to one simulated peer -----------------------------------

    def _transmit(self, ring, producer):
        cq = self.rings.get(ring.options['cq'])
        while ring.consumed != producer % ring.length:
            first, opaque = struct.unpack_from('<II', ring.read(ring.consumed))
            count = (first >> 8 & 0x1f) or 32
            frame = b''
            for i in range(count):
                if i == 1 and first & 0x3f == 0x10:
                    continue             # the second half of a long descriptor
                word, _, address = struct.unpack_from('<IIQ', ring.read(ring.consumed + i))
                frame += self.memory.read(address, word >> 16)
            ring.consumed = (ring.consumed + count) % ring.length
            self.port_stats['tx_packets'] += 1
            self.port_stats['tx_bytes'] += len(frame)
            self._count(ring.options['stat'], cast(frame) + 8, 1, len(frame))
            if cq is not None and not first & 0x80:
                self.complete(cq, struct.pack('<IIII', CMPL_TX, opaque, 0, ring.consumed))
            if self.link_up:
                for answer in bnxt_peer.answer(frame):
                    self.receive(answer)

    def receive(self, frame):
        """Deliver a frame from the wire to the default receive ring."""
        ring = self.rings.get(self.default_rx)
        cq = self.rings.get(self.default_rx_cq)
        if ring is None or cq is None or ring.consumed == ring.produced % ring.length:
            return False
        word, opaque, address = struct.unpack_from('<IIQ', ring.read(ring.consumed))
        frame = frame[:word >> 16]
        ring.consumed = (ring.consumed + 1) % ring.length
        self.memory.write(address, frame)
        self.port_stats['rx_packets'] += 1
        self.port_stats['rx_bytes'] += len(frame)
        self._count(ring.options['stat'], cast(frame), 1, len(frame))
        self.complete(cq, struct.pack('<IIII', CMPL_RX | len(frame) << 16, opaque, 0, 0),
                      struct.pack('<IIII', 0, 0, 0, 0))
        return True

    def _set(self, space, address, value):
        if space == 'grc':
            self.grc[address] = value
        elif space == 'cfg':
            self.config.put('I', address, value)
        else:
            struct.pack_into('<I', self.bar4 if space == 'bar4' else self.bar0, address, value)

    # ---- fault injection ------------------------------------------------------------

    def inject(self, words):
        """Run one fault or control command; returns the answer text."""
        name, args = words[0], words[1:]
        self.event('control: %s' % ' '.join(words))
        if name == 'fatal':              # status goes bad, heartbeat stops, HWRM is dead
            self.status_override = int(args[0], 0) if args else STATUS_CRASHED
            self.heartbeat_frozen = self.fw_heartbeat()
            self.hwrm_hung = True
        elif name == 'status':           # only the status register changes
            self.status_override = int(args[0], 0)
            if self.status_override == STATUS_HEALTHY:
                self.status_override = None
        elif name == 'heartbeat-stop':
            self.heartbeat_frozen = self.fw_heartbeat()
        elif name == 'heartbeat-run':
            self.heartbeat_frozen = None
        elif name == 'reset-count':      # as if another function had reset the firmware
            self.reset_count += 1
        elif name == 'hwrm-hang':
            self.hwrm_hung = True
        elif name == 'hwrm-error':
            self.hwrm_errors[int(args[0], 0)] = int(args[1], 0)
        elif name == 'gone':             # reads return all ones, as after a surprise removal
            self.gone = self.config.dead = True
        elif name == 'bar-dead':         # the same, but configuration space answers
            self.bars_dead = True
        elif name == 'heal':
            self._clear_faults()
            self.hwrm_errors.clear()
            self.mines.clear()
            self.delays.clear()
            self.clear_on_read.clear()
        elif name == 'firmware-reset':
            self.firmware_reset('control command')
        elif name == 'reset-notify':     # the firmware announces a reset of its own
            data1 = int(args[0], 0) if args else 0x2
            if not self.async_event(EVENT_RESET_NOTIFY, data1, 0x8001, 10, 100):
                return 'no ring for events (interface is down)'
            self.announced_reset = time.monotonic() + 0.5    # time for the driver to close
        elif name == 'event':
            numbers = [int(a, 0) for a in args] + [0, 0]
            return 'sent' if self.async_event(*numbers[:3]) else 'no ring for events'
        elif name == 'link':
            self.link_up = args[0] == 'up'
            self.async_event(EVENT_LINK_CHANGE, 1 if self.link_up else 0)
        elif name == 'temperature':
            self.temperature = int(args[0], 0)
        elif name == 'mine':             # mine SPACE FIRST LAST ACTION [NUMBER]: the first read does it, or the one of that number
            self.mines.append([args[0], int(args[1], 0), int(args[2], 0), args[3], int(args[4]) if len(args) > 4 else 1])
        elif name == 'trigger':          # trigger BAR2_OFFSET COMMAND...; `heal` leaves it
            self.triggers[int(args[0], 0)] = args[1:]
        elif name == 'fill':             # fill SEED: see fill.py
            for space, address, value in fill.words(int(args[0], 0)):
                self._set(space, address, value)
        elif name == 'delay':            # delay SPACE FIRST LAST MILLISECONDS
            self.delays.append((args[0], int(args[1], 0), int(args[2], 0), int(args[3]) / 1000))
        elif name == 'clear-on-read':    # clear-on-read GRC_ADDRESS VALUE
            self.grc[int(args[0], 0)] = int(args[1], 0)
            self.clear_on_read.add(int(args[0], 0))
        elif name == 'set':              # set grc|bar0|bar4|cfg ADDRESS VALUE
            self._set(args[0], int(args[1], 0), int(args[2], 0))
        elif name == 'mark':
            self.log.mark(' '.join(args))
        elif name == 'show':
            return '\n'.join((
                'fw_status %#x heartbeat %d resets %d link %s' % (
                    self.fw_status(), self.fw_heartbeat(), self.reset_count, self.link_up),
                'rings ' + ' '.join('%#x:%s' % (r.id, RING_NAMES[r.kind]) for r in self.rings.values()),
                'rx %(rx_packets)d tx %(tx_packets)d' % self.port_stats,
                'hwrm ' + ' '.join(self.hwrm_seen),
                'roce ' + (self.roce.summary() + ' rcfw ' + ' '.join(self.roce.seen)
                           if self.roce else 'off')))
        else:
            return 'unknown command'
        return 'ok'


def cast(frame):
    """0 for unicast, 1 for multicast, 2 for broadcast, by destination address."""
    if frame[:6] == b'\xff' * 6:
        return 2
    return 1 if frame[:1] and frame[0] & 1 else 0


def make_vpd(part, serial):
    """Vital product data: a name, a read-only part with checksum, an end tag."""
    name = b'Emulated BCM57508 for a test lab'
    fields = b''
    for key, value in ((b'PN', part), (b'SN', serial)):
        fields += key + bytes([len(value)]) + value
    body = b'\x82' + struct.pack('<H', len(name)) + name
    body += b'\x90' + struct.pack('<H', len(fields) + 4) + fields + b'RV\x01'
    return body + bytes([-sum(body) & 0xff]) + b'\x78'


class Control:
    """A UNIX socket that takes one command line per connection."""

    def __init__(self, path, nic):
        try:
            os.unlink(path)
        except FileNotFoundError:
            pass
        self.nic = nic
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(path)
        self.socket.listen(4)

    def fileno(self):
        return self.socket.fileno()

    def serve(self):
        connection, _ = self.socket.accept()
        with connection:
            connection.settimeout(1)
            try:
                text = connection.makefile().readline()
                answer = self.nic.inject(text.split()) if text.split() else 'empty'
            except Exception as problem:     # a typing error must not stop the device
                answer = 'error: %r' % problem
            try:
                connection.sendall(answer.encode() + b'\n')
            except OSError:
                pass


def main():
    parser = argparse.ArgumentParser(description='Emulated BCM57508 NIC over vfio-user')
    parser.add_argument('--socket', required=True, help='vfio-user socket to create')
    parser.add_argument('--control', help='control socket to create')
    parser.add_argument('--log', default='access.log', help='BAR access log')
    parser.add_argument('--events', default='events.log', help='firmware-level log')
    parser.add_argument('--log-config', action='store_true', help='also log config-space accesses')
    parser.add_argument('--no-roce', action='store_true', help='do not offer RoCE')
    parser.add_argument('--port', type=int, default=0, help='port (PCI function) number')
    options = parser.parse_args()

    memory = GuestMemory()
    log = AccessLog(options.log, options.log_config)
    nic = Nic(memory, log, open(options.events, 'w'),
              roce=not options.no_roce, port=options.port)
    extra = {}
    if options.control:
        control = Control(options.control, nic)
        extra[control] = control.serve
    server = Server(options.socket, nic, memory, log, extra)
    nic.server = server
    server.serve()
    nic.event('hwrm commands in order of first use: ' + ' '.join(nic.hwrm_seen))
    return 0


if __name__ == '__main__':
    sys.exit(main())
