"""The machines that the tiers boot, and where their devices are."""

import os

import boot
import initramfs

HERE = os.path.dirname(os.path.abspath(__file__))

# Root ports take the slots 00:01 to 00:07 in this order, so that SeaBIOS gives their buses the numbers 1 to 7.
GUEST_ADDRESSES = {'NVME': '0000:01:00.0', 'E1000E': '0000:02:00.0', 'IGB': '0000:03:00.0', 'VIRTIO': '0000:04:00.0',
                   'HOT1': '0000:05:00.0', 'HOT2': '0000:06:00.0', 'HOT3': '0000:07:00.0',
                   'EDU': '0000:00:10.0'}
NIC_ADDRESSES = {'NIC': '0000:01:00.0'}

PROGRAMS = ('/usr/sbin/nvme', '/usr/sbin/ethtool', '/usr/bin/lspci', '/usr/bin/setpci', '/usr/bin/ip', '/usr/sbin/devlink',
            '/usr/bin/rdma')


def guest_devices(iommu):
    arguments = ['-device', 'intel-iommu'] if iommu else []
    for number in range(1, 8):
        arguments += ['-device', 'pcie-root-port,id=port%d,addr=%d,chassis=%d,slot=%d' % ((number,) * 4)]
    for number in range(3):
        arguments += ['-blockdev', 'driver=null-co,node-name=disk%d,size=67108864,read-zeroes=on' % number,
                      '-netdev', 'user,id=net%d,restrict=on' % number]
    arguments += ['-netdev', 'user,id=net3,restrict=on']
    for device in ('nvme,bus=port1,serial=test0,drive=disk0', 'e1000e,bus=port2,netdev=net0,romfile=',
                   'igb,bus=port3,netdev=net1,romfile=', 'virtio-net-pci,bus=port4,netdev=net2,disable-legacy=on,romfile=',
                   'nvme,id=hot1,bus=port5,serial=test1,drive=disk1', 'nvme,id=hot2,bus=port6,serial=test2,drive=disk2',
                   'igb,id=hot3,bus=port7,netdev=net3,romfile=',
                   'edu,addr=0x10'):
        arguments += ['-device', device]
    return tuple(arguments)


class Plan:
    """One boot of a tier."""

    def __init__(self, name, kernel, append, script, load, later=(), devices=(), ports=0, addresses=GUEST_ADDRESSES,
                 timeout=600, log_config=False):
        self.name, self.kernel, self.append, self.script = name, kernel, append, script
        self.load, self.later, self.devices, self.ports, self.addresses = load, later, devices, ports, addresses
        self.timeout, self.log_config = timeout, log_config


_GUEST_MODULES = ('nvme', 'e1000e', 'igb', 'virtio_pci', 'virtio_net')
_GUEST = os.path.join(HERE, 'scripts')
_NIC = os.path.join(HERE, '..', 'nic', 'scripts')

TIERS = {
    'guest': (
        Plan('relaxed', 'backports', 'iomem=relaxed', os.path.join(_GUEST, 'relaxed.sh'), _GUEST_MODULES,
             devices=guest_devices(False)),
        Plan('strict', 'backports', 'intel_iommu=on intremap=off', os.path.join(_GUEST, 'strict.sh'), _GUEST_MODULES, ('vfio-pci',),
             devices=guest_devices(True)),
        Plan('lockdown', 'backports', 'lockdown=integrity', os.path.join(_GUEST, 'lockdown.sh'), _GUEST_MODULES,
             devices=guest_devices(False)),
        Plan('bookworm', 'bookworm', '', os.path.join(_GUEST, 'bookworm.sh'), _GUEST_MODULES, devices=guest_devices(False)),
    ),
    'nic': (
        Plan('nic-bound', 'backports', 'iomem=relaxed', os.path.join(_NIC, 'bound.sh'), ('bnxt_en',), ports=1,
             addresses=NIC_ADDRESSES),
        # The log of the kernel takes what is written to it, as much as it is.
        Plan('nic-log', 'backports', 'iomem=relaxed printk.devkmsg=on', os.path.join(_NIC, 'log.sh'), ('bnxt_en',), ports=1,
             addresses=NIC_ADDRESSES),
        Plan('nic-strict', 'backports', '', os.path.join(_NIC, 'strict.sh'), ('bnxt_en',), ports=1, addresses=NIC_ADDRESSES),
        # Random commands are divided among two boots, which run side by side.
        *(Plan('nic-random-%d' % number, 'backports', '', os.path.join(_NIC, 'random.sh'), ('bnxt_en',), ports=1, addresses=NIC_ADDRESSES,
               timeout=1500) for number in (1, 2)),
        Plan('nic-harmless', 'backports', 'iomem=relaxed', os.path.join(_NIC, 'harmless.sh'), ('bnxt_en',), ('ib_uverbs', 'bnxt_re'), ports=1,
             addresses=NIC_ADDRESSES),
        Plan('nic-faults', 'backports', 'iomem=relaxed', os.path.join(_NIC, 'faults.sh'), ('bnxt_en',), ports=1, addresses=NIC_ADDRESSES),
        Plan('nic-override', 'backports', 'iomem=relaxed', os.path.join(_NIC, 'override.sh'), ('bnxt_en',), ports=1, addresses=NIC_ADDRESSES,
             log_config=True),
        Plan('nic-driver', 'backports', '', os.path.join(_NIC, 'driver.sh'), ('bnxt_en',), ('ib_uverbs', 'bnxt_re'), ports=1,
             addresses=NIC_ADDRESSES),
    ),
}


def prepare(plan, cache, program, files, out):
    """Build the plan's initramfs; returns the machine to boot."""
    os.makedirs(out, exist_ok=True)
    kernel = os.path.join(cache, 'kernels', plan.kernel)
    userland = os.path.join(cache, 'userland')
    script = ''.join('%s=%s\n' % pair for pair in plan.addresses.items())
    for part in (os.path.join(_GUEST, 'lib.sh'), plan.script):
        with open(part) as file:
            script += file.read()
    initrd = os.path.join(out, 'initrd.img')
    initramfs.build(initrd, userland, os.path.realpath(os.path.join(kernel, 'modules')), script, PROGRAMS,
                    [(program, '/usr/bin/barscope'),
                     (os.path.join(userland, 'usr/share/misc/pci.ids'), '/usr/share/misc/pci.ids'), *files],
                    plan.load, plan.later)
    return boot.Machine(tree=os.path.join(cache, 'qemu'), kernel=os.path.join(kernel, 'vmlinuz'), initrd=initrd, out=out,
                        append=plan.append, devices=plan.devices, ports=plan.ports, timeout=plan.timeout,
                        log_config=plan.log_config)
