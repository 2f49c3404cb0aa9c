# Put in front of every guest script. Results are files in /out: NAME.cmd, NAME.out, NAME.err and NAME.rc for each command that was run.
cd /out
PCI=/sys/bus/pci/devices

# ask REQUEST...: have the host do something (see boot.py) and wait until it is done
ask() { echo "@@$*"; read -r -t 100 answer || echo "no answer to: $*"; }

# run NAME COMMAND...
run() {
    name=$1; shift
    echo "$*" > "$name.cmd"
    "$@" > "$name.out" 2> "$name.err"
    echo $? > "$name.rc"
}

# seen NAME COMMAND...: the same, while the host notes what reaches the devices
seen() { ask trace "$1"; run "$@"; ask untrace; }

# tool NAME ARGUMENTS...: barscope, with its answer as JSON
tool() { name=$1; shift; run "$name" barscope "$@" --format json; }
seen_tool() { name=$1; shift; seen "$name" barscope "$@" --format json; }

bind() { echo "$1" > "/sys/bus/pci/drivers/$2/bind"; }
unbind() { echo "$1" > "$PCI/$1/driver/unbind"; }
net() { ls "$PCI/$1/net"; }
controller() { ls "$PCI/$1/nvme"; }            # drivers probe side by side: nvme0 may be any of them

# facts: what the kernel says, for the host to judge by
facts() {
    for device in $PCI/*; do
        echo "device ${device##*/} driver $(basename "$(readlink "$device/driver")")"
        head -n 6 "$device/resource"
    done > facts
}

# The kernel's own complaints; a map that asks for more than the BAR leaves a WARNING here.
complaints() { dmesg > dmesg; dmesg | grep -E 'WARNING:|BUG:|Call Trace|Oops|general protection' > complaints; }

# logged NAME ARGUMENTS...: barscope between marks in the emulated NIC's access log
logged() { marked=$1; ask ctl mark "begin-$marked"; tool "$@"; ask ctl mark "end-$marked"; }
