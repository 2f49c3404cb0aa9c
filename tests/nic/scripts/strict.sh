# The emulated NIC under Debian's IO_STRICT_DEVMEM: refused with the driver bound, read without.
facts
sleep 1

logged bound dump $NIC
logged bound-info info $NIC
logged bound-check check $NIC
logged bound-write write $NIC WORD=1 --yes --map /maps/nic-override.json --lab-override --reason 'a test'
ip link set "$(net $NIC)" up; sleep 2        # the driver polls its health registers
ip addr add 192.0.2.2/24 dev "$(net $NIC)"
tool up dump $NIC
run ping ping -c 2 192.0.2.1
ip link set "$(net $NIC)" down

unbind $NIC
logged free dump $NIC
logged free-read read $NIC FW_STATUS
logged free-check check $NIC
logged free-list list
logged free-snapshot snapshot $NIC -o /out/free.json --interval 0 --passes 3
logged free-verify verify /out/free.json
logged free-offline dump /out/free.json
logged retry dump $NIC --retry 2
logged no-timing dump $NIC --no-timing

# A BAR that answers late is shown as slow; firmware that has crashed fails the check.
ask ctl delay bar0 0x520 0x523 60
logged late read $NIC FW_STATUS
ask ctl heal
ask ctl fatal 0x8003
logged crashed read $NIC FW_STATUS
logged crashed-check check $NIC
ask ctl heal
# One BAR word holds all ones while the device answers.
ask ctl status 0xffffffff
logged ones read $NIC FW_STATUS
ask ctl heal
# The device is lost and comes back.
ask ctl gone
logged gone dump $NIC
ask ctl heal
logged healed read $NIC FW_STATUS
# The driver binds while a slow dump reads: the kernel takes the mapping away.
barscope dump $NIC --map /maps/nic-emulator.json --max-rate 5 --format json > taken.out 2> taken.err &
reader=$!
sleep 1.5
run bind bind $NIC bnxt_en
wait $reader
echo $? > taken.rc
sleep 1
net $NIC > net-after
complaints
