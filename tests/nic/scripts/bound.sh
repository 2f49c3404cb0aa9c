# The emulated NIC with its real driver bound and mapping allowed; the interface is down, so the driver itself makes no access.
MAP=/maps/nic-emulator.json

# A value in every place that the test map declares ...
plant() {
    set -- 0x900 0x55661004  0x908 0x89abcdef  0x90c 0x71234567  0x910 0x0000a500  0x914 0xbeef0000  0x918 0x78563412 \
        0x924 0x01020304  0x92c 0x44332211  0x930 0x88776655  0x960 0x10  0x968 0x11  0x970 0x12  0x978 0x13 \
        0x9a0 0xffffffff  0x9a4 0xdeaddead
    while [ $# -gt 0 ]; do ask ctl set bar0 $1 $2; shift 2; done
    ask ctl set bar4 0x2010 0xcafe0000
    ask ctl set bar4 0x2020 0xcafe0001
    ask ctl set bar4 0x2030 0xcafe0002
    ask ctl set bar4 0x2040 0x76543210
    ask ctl set bar4 0x2044 0xfedcba98
}

# ... and a mine in every other place: reading one loses the device.
mine() {
    for range in 0x000:0x407 0x40c:0x51f 0x524:0x8ff 0x904:0x907 0x910:0x910 0x912:0x915 0x91c:0x923 0x928:0x92b 0x934:0x95f \
        0x964:0x967 0x96c:0x96f 0x974:0x977 0x97c:0x99f 0x9a8:0x31f7 0x31fc:0x31ff 0x3204:0xffff; do
        ask ctl mine bar0 ${range%:*} ${range#*:} gone
    done
    ask ctl mine bar2 0 0xfffff gone
    ask ctl mine bar4 0 0x200f gone
    ask ctl mine bar4 0x2048 0x7fff gone
}

facts
sleep 1

logged list list
logged info info $NIC
logged doctor doctor $NIC
logged dump dump $NIC
logged read read $NIC FW_STATUS
logged check check $NIC
logged config-only read $NIC PCI_COMMAND PCIE_LNKSTA
logged status-only read $NIC FW_STATUS
logged by-name dump "$(net $NIC)"
lspci -D -vvv -xxxx > lspci.before 2> /dev/null
logged pcie dump $NIC --map pcie
lspci -D -vvv -xxxx > lspci.after 2> /dev/null
for command in "list" "info $NIC" "read $NIC FW_STATUS" "dump $NIC" "check $NIC"; do
    run "${command%% *}-text" barscope $command
done

# The test map: every kind of place.
plant
mine
logged map dump $NIC --map $MAP
logged map-one read $NIC LONG --map $MAP
logged map-list read $NIC 'LIST[2]' --map $MAP
logged map-refused read $NIC CLEARS --map $MAP
logged map-alive read $NIC STATUS --map $MAP
# The window points elsewhere: nothing behind it is loaded.
ask ctl set bar0 0x408 0x05550000
logged map-window dump $NIC --map $MAP
ask ctl heal
# The device is lost in the middle: when the word at 0x924 is read.
plant
ask ctl mine bar0 0x924 0x927 gone
logged map-lost dump $NIC --map $MAP
ask ctl heal

# The device is lost: all ones from the BARs and from configuration space.
ask ctl gone
logged gone dump $NIC
logged gone-read read $NIC FW_STATUS
run gone-text barscope dump $NIC
ask ctl heal
complaints
