# Drivers bound, mapping allowed (iomem=relaxed): every command, and every value against an independent program.
sysctl -q -w net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
for device in $E1000E $IGB; do ip link set "$(net $device)" up; done
sleep 2
facts
echo $(controller $NVME) > nvme-name

run list-text barscope list
tool list list
nvme=$(controller $NVME)
run info-text barscope info $nvme
run read-text barscope read $nvme CAP CSTS 'CC.*'
run dump-text barscope dump $nvme --map nvme
tool read-nvme read $nvme CAP CSTS
tool doctor doctor
for device in nvme:$NVME e1000e:$E1000E igb:$IGB edu:$EDU virtio:$VIRTIO; do
    tool info-${device%%:*} info ${device#*:}
    tool check-${device%%:*} check ${device#*:}
done

nvme show-regs /dev/$nvme -H > nvme.before
seen_tool dump-nvme dump $NVME --all
nvme show-regs /dev/$nvme -H > nvme.after
for driver in e1000e:$E1000E igb:$IGB; do
    interface=$(net ${driver#*:})
    # igb's dump clears a counter that barscope never reads.
    ethtool -d $interface > ethtool-${driver%%:*}.before
    seen_tool dump-${driver%%:*} dump ${driver#*:} --all
    ethtool -d $interface > ethtool-${driver%%:*}.after
done
seen_tool dump-edu dump $EDU
seen_tool dump-virtio dump $VIRTIO
tool ethtool-e1000e dump $E1000E --source ethtool

lspci -D -vvv -xxxx > lspci.before 2> /dev/null
for device in $PCI/*; do tool pcie-${device##*/} dump ${device##*/} --map pcie; done
lspci -D -vvv -xxxx > lspci.after 2> /dev/null

# A device that goes away in the middle of a dump, without a driver and with one.
for device in hot1:$HOT1 hot2:$HOT2; do
    [ $device = hot1:$HOT1 ] && unbind $HOT1
    tool unplug-${device%%:*} dump ${device#*:} --max-rate 8 &
    reader=$!
    sleep 1
    ask unplug ${device%%:*}
    wait $reader
    ls $PCI/${device#*:} > still-${device%%:*} 2> /dev/null
    tool absent-${device%%:*} dump ${device#*:}
done

# The same while a snapshot is made and the kernel's log is followed.
barscope fwlog $HOT3 --follow --format ndjson > follow-hot3.out 2> follow-hot3.err &
follower=$!
tool unplug-hot3 snapshot $HOT3 -o /out/unplugged.json --max-rate 100 --passes 3 --no-context &
reader=$!
sleep 1.5
ask unplug hot3
wait $reader
ls $PCI/$HOT3 > still-hot3 2> /dev/null
run verify-unplugged barscope verify unplugged.json
tool dump-unplugged dump /out/unplugged.json
tool absent-hot3 snapshot $HOT3 -o /out/absent.json
echo "igb $HOT3: after it was unplugged" > /dev/kmsg
sleep 1
kill -TERM $follower
wait $follower
echo $? > follow-hot3.rc
ls -A > left
complaints
