# Random commands on the emulated NIC without its driver, one after the other: nic_runner marks each in the NIC's log.
facts
sleep 1
unbind $NIC
while read -r command <&3; do ask ctl "$command"; done 3< /cases/plan
mkdir /tmp/snap /tmp/cases
nic_runner /cases/list /out/results $PCI/$NIC/resource2 /out > runner.out 2> runner.err
echo $? > runner.rc
complaints
