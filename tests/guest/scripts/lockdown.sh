# Kernel lockdown (as with Secure Boot): no BAR can be mapped, configuration space and the driver's dump still can be read.
facts
cat /sys/kernel/security/lockdown > lockdown
tool doctor doctor
run doctor-text barscope doctor
tool list list
for device in nvme:$NVME e1000e:$E1000E edu:$EDU; do seen_tool dump-${device%%:*} dump ${device#*:}; done
run dump-text barscope dump $(controller $NVME)
tool info info $NVME
lspci -D -vvv -xxxx > lspci.before 2> /dev/null
tool pcie dump $NVME --map pcie
lspci -D -vvv -xxxx > lspci.after 2> /dev/null
ip link set "$(net $E1000E)" up; sleep 3
ethtool -d "$(net $E1000E)" > ethtool-e1000e.before
tool ethtool-e1000e dump $E1000E --source ethtool --map /maps/e1000e-free-dump.json
tool ethtool-read read $E1000E CTRL STATUS --source ethtool --map /maps/e1000e-free-dump.json
tool ethtool-snapshot snapshot $E1000E -o /out/ethtool.json --passes 2 --interval 0 --no-context --no-logs --source ethtool --map /maps/e1000e-free-dump.json
ethtool -d "$(net $E1000E)" > ethtool-e1000e.after
complaints
