# What only the driver and the kernel can be asked for, in a boot whose BARs cannot be mapped: the register dump, the kernel's counters, the
# queues of the RDMA driver. Beside each what ethtool, rdma and the kernel's own files say in the same boot.
facts
sleep 1
IF=$(net $NIC)
for word in 0x900:0x12345678 0xc04:0xcafe0001 0xffc:0x80000000; do ask ctl set bar0 ${word%:*} ${word#*:}; done

# The interface is down: the driver by itself makes no access.
logged dump driver-dump $NIC
run dump-text barscope driver-dump $IF
run ethtool ethtool -d $IF
ethtool -d $IF raw on > dump.raw
run dump-file barscope driver-dump /out/dump.raw --format json
logged drops check $NIC --group drops --interval 200
for file in rx_missed_errors rx_dropped tx_dropped rx_crc_errors; do cat /sys/class/net/$IF/statistics/$file; done > statistics

# The firmware refuses to read registers (HWRM DBG_READ_DIRECT ends with FAIL).
ask ctl hwrm-error 0xff10 1
logged refused driver-dump $NIC
run ethtool-refused ethtool -d $IF
ask ctl heal

ip link set $IF up; sleep 2
insmod /later/ib_uverbs.ko
insmod /later/bnxt_re.ko; sleep 2
for kind in qp cq mr srq; do
    where=dev; [ $kind = qp ] && where=link
    run rdma-$kind rdma -d -d -j resource show $kind $where bnxt_re0
done
logged hwq hwq bnxt_re0
logged hwq-cq hwq bnxt_re0 --kind cq
tool hwq-by-address hwq $NIC
run hwq-text barscope hwq bnxt_re0
run hwq-file barscope hwq /out/rdma-qp.out /out/rdma-cq.out --format json
run rdma-raw rdma -d -d -j -r resource show qp link bnxt_re0
tool hwq-raw hwq bnxt_re0 --kind qp --raw

# All that surrounds the device, with its driver bound and the interface up.
tool live-snapshot snapshot $NIC -o /out/live.json --interval 0
run live-verify barscope verify /out/live.json
run live-show barscope show /out/live.json
tool live-log fwlog /out/live.json
run ethtool-i ethtool -i $IF
complaints
