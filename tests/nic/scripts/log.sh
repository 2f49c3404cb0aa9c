# What the emulated NIC's driver, devlink and a ring in the NIC's memory say, once and followed: through reset, unbinding, an overrun of
# the kernel's ring and removal.
MAP=/maps/nic-log.json

# Every call of devlink is noted.
mv /usr/sbin/devlink /usr/sbin/devlink.real
cat > /usr/sbin/devlink <<'END'
#!/bin/sh
echo "$@" >> /out/devlink.calls
exec /usr/sbin/devlink.real "$@"
END
chmod +x /usr/sbin/devlink

# entry SPACE ADDRESS SEQ LEVEL CODE
entry() {
    ask ctl set $1 $(($2)) $(($3 | $4 << 16)); ask ctl set $1 $(($2 + 4)) $5
    ask ctl set $1 $(($2 + 8)) 1000; ask ctl set $1 $(($2 + 12)) 0xabcd0000
}

# mines SPACE FIRST:LAST...: reading there loses the device
mines() { space=$1; shift; for range; do ask ctl mine $space ${range%:*} ${range#*:} gone; done; }

facts
sleep 1
logged device fwlog $NIC
dmesg > dmesg.device
run devlink-show /usr/sbin/devlink.real health show
mv devlink.calls devlink.calls.device
run text barscope fwlog $NIC
tool diagnose fwlog $NIC --source devlink-diagnose --devlink-diagnose
run devlink-diagnose /usr/sbin/devlink.real health diagnose pci/$NIC reporter fw
mv devlink.calls devlink.calls.diagnose

# The rings: oldest entry first, 65534 65535 1 2; everything beside them is a mine.
ask ctl set bar0 0x900 2
entry bar4 0x2100 1 3 0x12; entry bar4 0x2110 2 6 0x13; entry bar4 0x2120 65534 6 0x13; entry bar4 0x2130 65535 6 0x13
entry grc 0x03100400 7 4 0x13; entry grc 0x03100410 8 6 0x12
mines bar0 0x000:0x407 0x40c:0x51f 0x524:0x8ff 0x904:0x33ff 0x3420:0xffff
mines bar2 0:0xfffff
mines bar4 0:0x20ff 0x2140:0x7fff
logged rings fwlog $NIC --source ring --map $MAP
ask ctl heal

# devlink hangs: told in time, and the rest is there.
mv /usr/sbin/devlink /usr/sbin/devlink.noting
printf '#!/bin/sh\nexec sleep 1000\n' > /usr/sbin/devlink
chmod +x /usr/sbin/devlink
tool hanging fwlog $NIC
mv /usr/sbin/devlink.noting /usr/sbin/devlink

say() { echo "bnxt_en $NIC: $1" > /dev/kmsg; }

rm -f devlink.calls
run follow barscope fwlog $NIC --follow --format ndjson &
sleep 2
pid=$(pidof barscope)
ask ctl mark begin-follow
sleep 3
ask ctl mark end-follow
say mark-one
unbind $NIC
sleep 1
bind $NIC bnxt_en
sleep 2
ip link set "$(net $NIC)" up
sleep 2
ask ctl fatal
sleep 10
say mark-two
sleep 1
# The follower sleeps while the kernel's ring is written over.
kill -STOP $pid
long=$(printf '%0800d' 0)
i=0
while [ $i -lt 600 ]; do echo "filler $i $long"; i=$((i + 1)); done > /dev/kmsg
say mark-three
kill -CONT $pid
sleep 2
say mark-four
# As the kernel removes a device that was unplugged; QEMU itself cannot unplug this one.
echo 1 > $PCI/$NIC/remove
sleep 1
say mark-five
sleep 1
kill -TERM $pid
wait
complaints
