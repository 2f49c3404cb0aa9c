# The kernel as Debian ships it (IO_STRICT_DEVMEM): what is refused, and what works once nothing is in the way.
facts
tool doctor doctor
tool list list
for device in nvme:$NVME e1000e:$E1000E igb:$IGB; do
    seen_tool bound-${device%%:*} dump ${device#*:}
    tool info-${device%%:*} info ${device#*:}
done
run bound-text barscope dump $(controller $NVME)
tool pcie dump $NVME --map pcie
lspci -D -vvv -xxxx > lspci.txt 2> /dev/null
seen_tool edu dump $EDU                        # no driver: nothing claims it

# The driver's own dump.
seen_tool ethtool-igb dump $IGB --source ethtool
ip link set "$(net $E1000E)" up; sleep 3
ethtool -d "$(net $E1000E)" > ethtool-e1000e.before
tool ethtool-e1000e dump $E1000E --source ethtool --map /maps/e1000e-free-dump.json
tool ethtool-read read $E1000E CTRL STATUS --source ethtool --map /maps/e1000e-free-dump.json
ethtool -d "$(net $E1000E)" > ethtool-e1000e.after
ip link set "$(net $E1000E)" down

# Without their drivers, the same devices can be mapped.
for device in nvme:$NVME e1000e:$E1000E igb:$IGB; do
    unbind ${device#*:}
    seen_tool free-${device%%:*} dump ${device#*:}
done
seen_tool one-e1000e read $E1000E STATUS
seen_tool named-icr read $E1000E ICR

# Memory decoding off, then on again (only a test may write that).
setpci -s $E1000E COMMAND=0:2
seen_tool memory-off dump $E1000E
run memory-off-text barscope dump $E1000E
setpci -s $E1000E COMMAND=2:2
tool memory-on dump $E1000E

# Asleep: in D3hot though sysfs still says D0, and runtime suspended.
setpci -s $NVME CAP_PM+4.w=3:3
seen_tool d3hot dump $NVME
run d3hot-text barscope dump $NVME
setpci -s $NVME CAP_PM+4.w=0:3
setpci -s $NVME COMMAND=2:2
tool d0 dump $NVME
echo auto > $PCI/$IGB/power/control
sleep 1
cat $PCI/$IGB/power/runtime_status > runtime-status
seen_tool suspended dump $IGB
cat $PCI/$IGB/power/runtime_status > runtime-status-after
echo on > $PCI/$IGB/power/control

# A virtual machine's device. vfio-pci puts an idle device into D3hot unless told not to.
insmod /later/vfio_pci.ko disable_idle_d3=1
echo vfio-pci > $PCI/$E1000E/driver_override
bind $E1000E vfio-pci
cat $PCI/$E1000E/power_state > vfio-power-state
setpci -s $E1000E COMMAND=2:2
seen_tool vfio dump $E1000E
run vfio-text barscope dump $E1000E
seen_tool vfio-allowed dump $E1000E --allow-vfio
complaints
