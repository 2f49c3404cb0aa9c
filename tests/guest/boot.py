"""Boot a guest under QEMU and bring back what its script left.

A guest line on the console that begins with `@@` is a request, so that a script inside the guest can act on its own machine from outside
at the right moment. The answer is one line of console input, which the script waits for (`ask` in the guest scripts):

    @@ctl COMMAND      a command for the emulated NIC (@@ctl1 for its second port)
    @@unplug ID        QEMU removes that device, as a hot unplug
    @@trace NAME       from now on QEMU notes every access to a device's memory or ports ...
    @@untrace          ... until now: Result.traces[NAME]

Files that the script leaves in /out come back through the second serial port (see initramfs.py). QEMU runs in a chroot; hence root.
"""

import ctypes
import dataclasses
import io
import json
import os
import re
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import time

NIC = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'nic', 'bnxt_nic.py')

# On a busy machine an emulated CPU stands still for a while. The kernel takes that for broken timer interrupts (and then panics, or hangs
# before its first message) or for a lock-up.
PATIENCE = 'no_timer_check nowatchdog rcupdate.rcu_cpu_stall_suppress=1'


@dataclasses.dataclass
class Machine:
    """What to boot. `devices` are QEMU arguments; `ports` is the number of functions of the emulated NIC (0: none)."""
    tree: str                            # QEMU's
    kernel: str
    initrd: str
    out: str                             # folder for console.txt, access.log, events.log, nic.txt
    append: str = ''
    devices: tuple = ()
    ports: int = 0
    log_config: bool = False             # accesses to the NIC's configuration space are in its log, too
    memory: int = 512                    # MiB
    timeout: float = 600                 # seconds for the whole boot: 10 to 30 on an idle machine
    silence: float = 200                 # seconds without a first word on the console
    retries: int = 1                     # boots to repeat after such silence


@dataclasses.dataclass
class Result:
    finished: bool = False               # the script ran to its end
    console: str = ''
    seconds: float = 0
    files: dict = dataclasses.field(default_factory=dict)    # name below /out -> bytes
    traces: dict = dataclasses.field(default_factory=dict)   # name -> text


def boot(machine):
    for _ in range(machine.retries + 1):
        result = _boot_once(machine)
        # Seen once in 75 boots: the guest hangs before its first message.
        if result.console:
            break
    return result


def control(path, command):
    """Send one command to the emulator; returns its answer."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(20)
        connection.connect(path)
        connection.sendall(command.encode() + b'\n')
        return connection.makefile().read().rstrip()


def qmp(path, command, **arguments):
    """Run one QEMU monitor command; returns its answer as text."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(20)
        connection.connect(path)
        stream = connection.makefile('rw')
        stream.readline()                # the greeting
        for request in ({'execute': 'qmp_capabilities'}, {'execute': command, 'arguments': arguments}):
            stream.write(json.dumps(request) + '\n')
            stream.flush()
            answer = {}
            while 'return' not in answer and 'error' not in answer:
                answer = json.loads(stream.readline())
        return 'error: ' + answer['error']['desc'] if 'error' in answer else 'ok'


class _Requests:
    """Carries out the `@@` lines of the console."""

    TRACED = 'memory_region_ops_*'

    def __init__(self, run_dir, ports):
        self.run_dir, self.ports = run_dir, ports
        self.traces, self.trace, self.trace_start = {}, None, 0

    def answer(self, text):
        """The answer, or None where the line is no request."""
        match = re.fullmatch(r'@@(ctl\d?|unplug|trace|untrace)(?: (.*))?', text)
        if not match:
            return None
        verb, rest = match[1], match[2] or ''
        try:
            if verb == 'unplug':
                return self._qmp('device_del', id=rest)
            if verb == 'trace':
                self.trace, self.trace_start = rest, self._trace_size()
                return self._qmp('trace-event-set-state', name=self.TRACED, enable=True, **{'ignore-unavailable': True})
            if verb == 'untrace':
                return self._untrace()
            port = int(verb[3:] or 0)
            if port >= self.ports:
                return 'error: no such port'
            return control(os.path.join(self.run_dir, 'control%d' % port), rest)
        except (OSError, ValueError) as problem:
            return 'error: %s' % problem

    def _qmp(self, command, **arguments):
        return qmp(os.path.join(self.run_dir, 'qmp'), command, **arguments)

    def _trace_size(self):
        path = os.path.join(self.run_dir, 'trace')
        return os.path.getsize(path) if os.path.exists(path) else 0

    def _untrace(self):
        answer = self._qmp('trace-event-set-state', name=self.TRACED, enable=False, **{'ignore-unavailable': True})
        with open(os.path.join(self.run_dir, 'trace')) as file:
            file.seek(self.trace_start)
            self.traces[self.trace] = file.read()
        return answer


def _place(source, directory, name):
    """Make a file visible inside the chroot."""
    target = os.path.join(directory, name)
    source = os.path.realpath(source)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def _end_with_parent():
    """In a child: be killed when the test that started it is."""
    pr_set_pdeathsig = 1                 # linux/prctl.h
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


def _sweep(tree):
    """Remove what tests that were killed left in the tree."""
    for name in os.listdir(os.path.join(tree, 'tmp')):
        match = re.fullmatch(r'guest-(\d+)-\d+', name)
        if match and not os.path.exists('/proc/' + match[1]):
            shutil.rmtree(os.path.join(tree, 'tmp', name), ignore_errors=True)


def _boot_once(machine):
    _sweep(machine.tree)
    os.makedirs(machine.out, exist_ok=True)
    run_name = 'tmp/guest-%d-%d' % (os.getpid(), time.monotonic_ns())
    run_dir = os.path.join(machine.tree, run_name)
    os.makedirs(run_dir)
    qemu, nics, result = None, [], Result()
    started = time.monotonic()
    try:
        _place(machine.kernel, run_dir, 'kernel')
        _place(machine.initrd, run_dir, 'initrd')
        command = _qemu_command(machine, run_name)
        if machine.ports:
            command += ['-device', 'pcie-root-port,id=nicport,chassis=200']
        for port in reversed(range(machine.ports)):          # function 0 must come last
            nics.append(_start_nic(machine.out, run_dir, port, machine.log_config))
            command += ['-device', json.dumps({
                'driver': 'vfio-user-pci', 'bus': 'nicport', 'addr': '0.%d' % port, 'rombar': 0,
                'multifunction': machine.ports > 1,
                'socket': {'path': '/%s/nic%d' % (run_name, port), 'type': 'unix'}})]
        with open(os.path.join(machine.out, 'console.txt'), 'wb') as console:
            qemu = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, bufsize=0, preexec_fn=_end_with_parent)
            requests = _Requests(run_dir, machine.ports)
            result.finished = _watch(qemu, machine, console, requests, started)
            result.traces = requests.traces
    finally:
        for process in [qemu, *nics]:
            _end(process, 5 if result.finished else 0.1)
        result.seconds = time.monotonic() - started
        result.files = _unpack(os.path.join(run_dir, 'files'))
        shutil.rmtree(run_dir, ignore_errors=True)
    with open(os.path.join(machine.out, 'console.txt'), errors='replace') as console:
        result.console = console.read()
    return result


def _watch(qemu, machine, console, requests, started):
    """Copy the console to its file and answer requests until QEMU ends or the time is up; True if the script ended."""
    selector = selectors.DefaultSelector()
    selector.register(qemu.stdout, selectors.EVENT_READ)
    pending, said, finished = b'', False, False
    while True:
        waited = time.monotonic() - started
        if waited > machine.timeout or (not said and waited > machine.silence):
            console.write(b'\r\n@@timeout\r\n' if said else b'')
            return False
        if not selector.select(timeout=1):
            continue
        data = os.read(qemu.stdout.fileno(), 65536)
        if not data:
            return finished
        said = True
        console.write(data)
        console.flush()
        *lines, pending = (pending + data).split(b'\n')
        for line in lines:
            text = line.decode(errors='replace').strip()
            finished = finished or text == '@@done'
            answer = requests.answer(text)
            if answer is not None:
                console.write(('@@answer %s\r\n' % answer).encode())
                try:
                    qemu.stdin.write((answer.replace('\n', '; ') + '\n').encode())
                except OSError:          # the guest has powered off
                    pass


def _end(process, patience):
    if process is None:
        return
    try:
        process.wait(timeout=patience)
    except subprocess.TimeoutExpired:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _qemu_command(machine, run_name):
    return [
        'chroot', machine.tree, 'qemu-system-x86_64', '-accel', 'tcg', '-cpu', 'max',
        '-machine', 'q35,memory-backend=ram', '-m', '%dM' % machine.memory,
        '-object', 'memory-backend-memfd,id=ram,size=%dM,share=on' % machine.memory,
        '-smp', '2', '-display', 'none', '-nodefaults', '-no-reboot', '-monitor', 'none',
        '-serial', 'stdio', '-serial', 'file:/%s/files' % run_name,
        '-qmp', 'unix:/%s/qmp,server=on,wait=off' % run_name, '-D', '/%s/trace' % run_name,
        '-kernel', '/%s/kernel' % run_name, '-initrd', '/%s/initrd' % run_name,
        '-append', ' '.join(('console=ttyS0 panic=-1 loglevel=3', PATIENCE, machine.append)), *machine.devices]


def _start_nic(out, run_dir, port, log_config):
    """Start the emulator of one port and wait until its socket is there."""
    suffix = '-%d' % port if port else ''
    socket_path = os.path.join(run_dir, 'nic%d' % port)
    with open(os.path.join(out, 'nic%s.txt' % suffix), 'w') as log:
        nic = subprocess.Popen(
            [sys.executable, '-B', NIC, '--socket', socket_path,
             '--control', os.path.join(run_dir, 'control%d' % port), '--port', str(port),
             '--log', os.path.join(out, 'access%s.log' % suffix),
             '--events', os.path.join(out, 'events%s.log' % suffix), *(['--log-config'] if log_config else [])], stdout=log, stderr=subprocess.STDOUT,
            preexec_fn=_end_with_parent)
    for _ in range(400):
        if os.path.exists(socket_path):
            return nic
        if nic.poll() is not None:
            break
        time.sleep(0.05)
    _end(nic, 0)
    raise RuntimeError('the emulator did not start; see nic%s.txt' % suffix)


def _unpack(archive):
    """The regular files of a compressed archive; what arrived of it, if the guest died in the middle."""
    files = {}
    try:
        with open(archive, 'rb') as file, tarfile.open(fileobj=io.BytesIO(file.read())) as tar:
            for entry in tar:
                if entry.isfile():
                    files[os.path.normpath(entry.name)] = tar.extractfile(entry).read()
    except (OSError, EOFError, tarfile.TarError):
        pass
    return files
