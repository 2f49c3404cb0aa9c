# Beside a live driver: bnxt_en and bnxt_re bound, the interface up, ping running all the time. First the driver alone; then every command that
# reads, over and over, for a minute; at last a stray write, which the same judges must notice.
SECONDS_ALONE=15
SECONDS_READ=60

facts
sleep 1
IF=$(net $NIC)
ip link set "$IF" up; sleep 2
ip addr add 192.0.2.2/24 dev "$IF"
insmod /later/ib_uverbs.ko
insmod /later/bnxt_re.ko; sleep 3
ping -c 3 192.0.2.1 > warm-up.out

# state NAME: what the driver has noticed so far
state() { devlink health show > "health.$1"; dmesg > "dmesg.$1"; ask ctl show; echo "$answer" > "firmware.$1"; }

# pinged NAME: ping until `pinged_end`
pinged() { ping -i 0.2 192.0.2.1 > "ping.$1" 2>&1 & pinger=$!; sleep 1; }
pinged_end() { sleep 1; kill -INT $pinger; wait $pinger; }

state before
pinged alone
ask ctl mark begin-alone
sleep $SECONDS_ALONE
ask ctl mark end-alone
pinged_end

commands() {
    echo "list --format json"; echo "info $NIC"; echo "read $NIC FW_STATUS WINDOW3_BASE --format json"; echo "dump $NIC --format json"
    echo "dump $IF --all"; echo "check $NIC --interval 100"; echo "hwq bnxt_re0"; echo "hwq bnxt_re0 --raw --format json"
    echo "driver-dump $NIC"; echo "fwlog $NIC --format ndjson"; echo "doctor $NIC"; echo "dump $NIC --map pcie"
    echo "snapshot $NIC -o /tmp/live.json --force --interval 50"; echo "dump $NIC --retry 2 --no-timing --format json"
    echo "check bnxt_re0 --group health --interval 0"; echo "fwlog $NIC --source devlink-health --summary"
}
pinged loop
ask ctl mark begin-loop
end=$(($(date +%s) + SECONDS_READ))
while [ "$(date +%s)" -lt $end ]; do
    commands | while read -r command; do
        barscope $command > /tmp/last.out 2> /tmp/last.err < /dev/null
        echo "$? $command # $(head -n 1 /tmp/last.err)" >> loop.commands
        [ "$(date +%s)" -lt $end ] || break
    done
done
ask ctl mark end-loop
pinged_end
state after
complaints

# The page that window 3 shows is changed under the driver.
pinged stray
nic_misuse $PCI/$NIC/resource0 w4:0x408=0x05550000 > stray.out 2>&1
sleep 8
pinged_end
state stray
