# Debian 12's own kernel: the main commands, the refusal with a driver bound, the values without one.
facts
tool doctor doctor
tool list list
tool info info $NVME
tool check check $EDU
seen_tool bound-nvme dump $NVME
seen_tool bound-e1000e dump $E1000E
seen_tool edu dump $EDU
for device in nvme:$NVME e1000e:$E1000E igb:$IGB; do
    unbind ${device#*:}
    seen_tool free-${device%%:*} dump ${device#*:}
done
lspci -D -vvv -xxxx > lspci.before 2> /dev/null
tool pcie dump $IGB --map pcie
lspci -D -vvv -xxxx > lspci.after 2> /dev/null
complaints
