#!/usr/bin/env python3
"""Tests of the emulator without QEMU: a tiny vfio-user client plays the guest."""

import array
import mmap
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'guest')]

import accesses
import bnxt_peer
import fill
from vfio_user import ConfigSpace, HEADER

RAM = 1 << 20
CONFIG = 7


class Client:
    """The QEMU side of the protocol, as far as the tests need it."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.number = 0
        fd = os.memfd_create('ram')
        os.ftruncate(fd, RAM)
        self.ram = mmap.mmap(fd, RAM)
        self.call(1, struct.pack('<HH', 0, 1) + b'{}\0')
        self.call(2, struct.pack('<IIQQQ', 32, 3, 0, 0, RAM), [fd])
        os.close(fd)

    def call(self, command, payload=b'', fds=()):
        self.number += 1
        message = HEADER.pack(self.number, command, HEADER.size + len(payload), 0, 0) + payload
        ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', fds))] if fds else []
        self.socket.sendmsg([message], ancillary)
        header = self._exactly(HEADER.size)
        number, _, size, flags, error = HEADER.unpack(header)
        assert number == self.number and flags & 1
        body = self._exactly(size - HEADER.size)
        if flags & 0x20:
            raise OSError(error, 'vfio-user error')
        return body

    def _exactly(self, size):
        data = b''
        while len(data) < size:
            part = self.socket.recv(size - len(data))
            assert part, 'emulator closed the connection'
            data += part
        return data

    def read(self, region, offset, size):
        body = self.call(9, struct.pack('<QII', offset, region, size))
        return int.from_bytes(body[16:16 + size], 'little')

    def write(self, region, offset, value, size=4):
        self.call(10, struct.pack('<QII', offset, region, size) + value.to_bytes(size, 'little'))

    def irq(self, index, vector):
        """Connect an eventfd to a vector; returns it."""
        fd = os.eventfd(0, os.EFD_NONBLOCK) if hasattr(os, 'eventfd') else None
        self.call(8, struct.pack('<IIIII', 20, 0x24, index, vector, 1), [fd])
        return fd

    def hwrm(self, command, body=b'', size=16):
        """One HWRM command in short form; returns (error code, response bytes)."""
        request = struct.pack('<HHHHQ', command, 0xffff, self.number & 0xffff, 0xffff, 0x2000) + body
        request = request.ljust(max(size, len(request)), b'\0')
        self.ram[0x1000:0x1000 + len(request)] = request
        self.ram[0x2000:0x3000] = bytes(0x1000)
        for i, word in enumerate(struct.unpack('<4I', struct.pack(
                '<HHHHQ', command, 0x4321, 0xffff, len(request), 0x1000))):
            self.write(0, 4 * i, word)
        self.write(0, 0x100, 1)
        error, _, _, length = struct.unpack_from('<HHHH', self.ram, 0x2000)
        return error, bytes(self.ram[0x2000:0x2000 + length])


class Emulator(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        where = self.directory.name
        self.log = os.path.join(where, 'access.log')
        self.control_path = os.path.join(where, 'control')
        self.process = subprocess.Popen(
            [sys.executable, '-B', os.path.join(HERE, 'bnxt_nic.py'), '--socket', where + '/nic',
             '--control', self.control_path, '--log', self.log, '--events', where + '/events.log'],
            stdout=subprocess.PIPE)
        self.process.stdout.readline()
        self.client = Client(where + '/nic')
        self.addCleanup(self.finish)

    def finish(self):
        self.client.socket.close()
        self.process.wait(timeout=10)
        self.process.stdout.close()

    def control(self, command):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(self.control_path)
            connection.sendall(command.encode() + b'\n')
            return connection.makefile().read().strip()

    def fw_status(self):
        self.client.write(0, 0x408, 0x3100000)
        return self.client.read(0, 0x31f8, 4)

    def test_identity_and_bars(self):
        self.assertEqual(self.client.read(CONFIG, 0, 4), 0x175014e4)
        info = self.client.call(5, struct.pack('<IIIIQQ', 32, 0, 2, 0, 0, 0))
        self.assertEqual(struct.unpack_from('<Q', info, 16)[0], 0x100000)

    def test_version_command(self):
        error, response = self.client.hwrm(0x00, size=24)
        self.assertEqual(error, 0)
        self.assertEqual(response[8:11], bytes((1, 10, 3)))
        self.assertEqual(struct.unpack_from('<H', response, 112)[0], 0x1750)
        self.assertEqual(response[-1], 1)

    def test_full_length_request_in_bar0(self):
        words = struct.unpack('<4I', struct.pack('<HHHHQ', 0, 0xffff, 7, 0xffff, 0x2000))
        for i in range(32):
            self.client.write(0, 4 * i, words[i] if i < 4 else 0)
        self.client.write(0, 0x100, 1)
        self.assertEqual(struct.unpack_from('<HHHH', self.client.ram, 0x2000), (0, 0, 7, 176))

    def test_unknown_command_is_refused(self):
        self.assertEqual(self.client.hwrm(0x3ff)[0], 0xffff)

    def test_faults_change_status_and_heartbeat(self):
        self.assertEqual(self.fw_status(), 0x8000)
        self.assertEqual(self.client.read(0, 0x520, 4), 0x8000)
        self.control('fatal 0x8003')
        self.assertEqual(self.fw_status(), 0x8003)
        first = self.client.read(0, 0x31fc, 4)
        time.sleep(0.3)
        self.assertEqual(self.client.read(0, 0x31fc, 4), first)
        self.assertEqual(self.client.hwrm(0x00)[1], b'')
        self.control('heal')
        self.assertEqual(self.fw_status(), 0x8000)

    def test_reset_register_restarts_firmware(self):
        self.control('fatal')
        self.client.write(0, 0x404, 0x3100000)
        self.client.write(0, 0x2208, 1)
        self.assertEqual(self.fw_status(), 0x0001)
        time.sleep(1.4)
        self.assertEqual(self.fw_status(), 0x8000)
        self.assertEqual(self.client.read(0, 0x3200, 4), 1)

    def test_mine_clear_on_read_and_gone(self):
        self.control('mine bar0 0x4000 0x4fff fatal')
        self.control('clear-on-read 0x5550010 9')
        self.client.write(0, 0x410, 0x5550000)
        self.assertEqual(self.client.read(0, 0x5010, 4), 9)
        self.assertEqual(self.client.read(0, 0x5010, 4), 0)
        self.assertEqual(self.fw_status(), 0x8000)
        self.client.read(0, 0x4ffc, 4)
        self.assertEqual(self.fw_status(), 0x8001)
        self.control('gone')
        self.assertEqual(self.client.read(0, 0x520, 4), 0xffffffff)
        self.assertEqual(self.client.read(CONFIG, 0, 4), 0xffffffff)

    def test_mine_that_goes_off_later(self):
        self.control('mine bar0 0x900 0x903 gone 3')
        self.assertEqual([self.client.read(0, 0x900, 4) for _ in range(4)], [0, 0, 0xffffffff, 0xffffffff])

    def test_dead_bars_while_configuration_space_answers(self):
        self.control('bar-dead')
        self.assertEqual(self.client.read(0, 0x520, 4), 0xffffffff)
        self.assertEqual(self.client.read(CONFIG, 0, 4), 0x175014e4)
        self.control('heal')
        self.assertEqual(self.client.read(0, 0x520, 4), 0x8000)

    def test_triggers_outlast_healing_and_what_they_do(self):
        self.control('trigger 0xe0000 heal')
        self.control('trigger 0xe0004 mine bar0 0x900 0x903 gone')
        for _ in range(2):
            self.client.read(2, 0xe0004, 4)
            self.assertEqual(self.client.read(0, 0x520, 4), 0x8000)
            self.assertEqual(self.client.read(0, 0x900, 4), 0xffffffff)
            self.assertEqual(self.client.read(0, 0x520, 4), 0xffffffff)
            self.client.read(2, 0xe0000, 4)
            self.assertEqual(self.client.read(0, 0x900, 4), 0)

    def test_fill_is_what_the_tests_expect(self):
        self.control('fill 7')
        self.client.write(0, 0x408, 0x03100000)
        for bar, offset, place in ((0, 0x700, ('bar0', 0x700)), (4, 0x2104, ('bar4', 0x2104)), (0, 0x3420, ('grc', 0x03100420))):
            self.assertEqual(self.client.read(bar, offset, 4), fill.word(7, *place))
        words = [word for _, _, word in fill.words(7)]
        self.assertTrue(words.count(0xffffffff) * 32 > len(words) and fill.POISON in words)

    def test_notification_queue_and_interrupt(self):
        fd = self.client.irq(2, 3)
        body = struct.pack('<IBBHQIBBHIH', 0, 5, 0, 0, 0x10000, 0, 0, 0, 0, 256, 3)
        error, response = self.client.hwrm(0x50, body, size=96)
        self.assertEqual(error, 0)
        ring = struct.unpack_from('<H', response, 8)[0]
        body = bytearray(144)                # FUNC_CFG: this ring takes the events
        struct.pack_into('<I', body, 8, 0x4000)
        struct.pack_into('<H', body, 64, ring)
        self.assertEqual(self.client.hwrm(0x17, bytes(body))[0], 0)
        kind, event = struct.unpack_from('<HH', self.client.ram, 0x10000)
        self.assertEqual((kind, event), (0x2e, 9))
        self.client.write(2, 0x10000, 0xb << 60 | 1 << 56 | ring << 32 | 0, 8)
        self.assertEqual(os.eventfd_read(fd), 1)
        self.client.write(2, 0x10000, 0xb << 60 | 1 << 56 | ring << 32 | 1, 8)
        self.control('link down')
        self.assertEqual(os.eventfd_read(fd), 1)
        self.assertEqual(self.client.ram[0x10018] & 1, 1)
        os.close(fd)

    def test_log_has_every_access_once(self):
        self.control('mark begin')
        self.client.read(0, 0x520, 4)
        self.client.read(4, 0x2000, 8)
        self.client.write(0, 0x40c, 0x1000)
        self.control('mark finish')
        time.sleep(0.3)
        with open(self.log) as file:
            got = accesses.from_log(file, 'begin', 'finish')
        self.assertEqual([a[:4] for a in got], [('R', 0, 0x520, 4), ('R', 4, 0x2000, 8), ('W', 0, 0x40c, 4)])
        self.assertEqual(got[0].value, 0x8000)

    def test_planted_values_and_widths(self):
        self.control('set bar0 0x900 0x44332211')
        self.control('set bar4 0x2010 0xcafe0000')
        self.assertEqual(self.client.read(0, 0x902, 1), 0x33)
        self.assertEqual(self.client.read(0, 0x902, 2), 0x4433)
        self.assertEqual(self.client.read(0, 0x900, 8), 0x44332211)
        self.assertEqual(self.client.read(4, 0x2010, 4), 0xcafe0000)

    def test_access_outside_a_bar_is_an_error(self):
        with self.assertRaises(OSError):
            self.client.read(0, 0x10000, 4)


class Parts(unittest.TestCase):
    def test_config_write_masks(self):
        config = ConfigSpace()
        config.put('I', 0x10, 0x1234)
        config.allow('H', 0x10, 0x00ff)
        config.write(0x10, b'\xab\xcd\xef\x01')
        self.assertEqual(config.read(0x10, 4), b'\xab\x12\x00\x00')

    def test_peer_answers_ping(self):
        icmp = bytearray(b'\x08\x00\x00\x00\x00\x01\x00\x02hello ping')
        struct.pack_into('!H', icmp, 2, bnxt_peer.checksum(bytes(icmp)))
        ip = struct.pack('!BBHHHBBH4s4s', 0x45, 0, 20 + len(icmp), 1, 0, 64, 1, 0,
                         bytes((192, 0, 2, 2)), bnxt_peer.PEER_IP)
        answers = bnxt_peer.answer(bnxt_peer.PEER_MAC + b'\x02\0\0\0\0\x09' + b'\x08\x00' + ip + icmp)
        self.assertEqual(len(answers), 1)
        reply = answers[0][14:14 + 20 + len(icmp)]
        self.assertEqual(bnxt_peer.checksum(reply[:20]), 0)
        self.assertEqual(bnxt_peer.checksum(reply[20:]), 0)
        self.assertEqual(reply[20], 0)


if __name__ == '__main__':
    unittest.main()
