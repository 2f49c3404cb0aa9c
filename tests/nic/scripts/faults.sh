# Faults while barscope reads: the device is lost, dead, asleep, slow, crashed, removed, bound and unbound; and the tool itself is killed.
MAP=/maps/nic-emulator.json
mkdir /tmp/k

# each FAULT: the commands that read, one after the other, between marks
each() {
    logged $1-info info $NIC
    logged $1-read read $NIC FW_STATUS
    logged $1-dump dump $NIC
    logged $1-check check $NIC --interval 50
    logged $1-fwlog fwlog $NIC --map /maps/nic-log.json --source ring
    logged $1-snapshot snapshot $NIC -o /tmp/k/$1.json --interval 20 --no-context
    verified $1-snapshot /tmp/k/$1.json
}

# verified NAME FILE: whether there is such a snapshot, and a whole one
verified() {
    if [ -e $2 ]; then barscope verify $2 > "$1.verify" 2>&1; echo $? > "$1.whole"; barscope show $2 --format json > "$1.shown"; else echo absent > "$1.whole"; fi
    ls /tmp/k > "$1.left"
}

# timed NAME ARGUMENTS...: logged, and how long it took in hundredths of a second
timed() {
    read -r from _ < /proc/uptime
    logged "$@"
    read -r to _ < /proc/uptime
    echo "$from $to" > "$1.time"
}

# slowly NAME SECONDS COMMAND... -- EVENT...: the command, and so much later the event
slowly() {
    name=$1; wait_for=$2; shift 2
    words=
    while [ "$1" != -- ]; do words="$words $1"; shift; done
    shift
    ask ctl mark begin-$name
    run $name barscope $words --format json &
    reader=$!
    sleep $wait_for
    ask ctl mark event-$name
    "$@"
    wait $reader
    ask ctl mark end-$name
}

decode_off() { setpci -s $NIC COMMAND=0:2; }
d3hot() { setpci -s $NIC CAP_PM+4.w=3:3; }
remove() { echo 1 > $PCI/$NIC/remove; }
interrupt() { kill -INT $(pidof barscope); }
awake() { setpci -s $NIC CAP_PM+4.w=0:3; setpci -s $NIC COMMAND=2:2; }

facts
sleep 1
unbind $NIC
each none
for fault in gone bar-dead 'status 0xffffffff' 'fatal 0x8003'; do
    ask ctl $fault
    each ${fault%% *}
    ask ctl heal
done
d3hot; each d3hot; awake
decode_off; each decode-off; awake

# In the middle: the word at 0x924 is the one at which it happens.
for fault in gone bar-dead; do
    ask ctl mine bar0 0x924 0x927 $fault
    logged middle-$fault-dump dump $NIC --map $MAP
    ask ctl heal
    ask ctl mine bar0 0x924 0x927 $fault
    logged middle-$fault-snapshot snapshot $NIC --map $MAP -o /tmp/k/middle-$fault.json --no-context --no-logs --interval 20
    verified middle-$fault-snapshot /tmp/k/middle-$fault.json
    ask ctl heal
done

# Slow: each load of the firmware's status takes 2 s.
ask ctl delay bar0 0x520 0x523 2000
timed slow-read read $NIC FW_STATUS
timed slow-dump dump $NIC
timed slow-check check $NIC --interval 20
timed slow-timeout dump $NIC --timeout 1
timed slow-timeout-check check $NIC --timeout 1 --interval 20
slowly slow-interrupt 3 snapshot $NIC -o /tmp/k/interrupt.json --passes 9 --interval 50 --no-context --no-logs -- interrupt
verified slow-interrupt /tmp/k/interrupt.json
ask ctl heal

# A dump at five loads a second, and meanwhile something happens. (A load that the NIC delays would hold up the whole guest.)
SLOW="--map $MAP --max-rate 5"
slowly during-d3hot 1.5 dump $NIC $SLOW -- d3hot
awake
slowly during-decode-off 1.5 dump $NIC $SLOW -- decode_off
awake
slowly during-gone 1.5 dump $NIC $SLOW -- ask ctl gone
ask ctl heal
slowly during-bind 1.5 dump $NIC $SLOW -- bind $NIC bnxt_en
slowly during-unbind 1.5 dump $NIC $SLOW -- unbind $NIC
slowly during-remove 1.5 dump $NIC $SLOW -- remove
logged removed-dump dump $NIC
logged removed-snapshot snapshot $NIC -o /tmp/k/removed.json --no-context
verified removed-snapshot /tmp/k/removed.json
echo 1 > /sys/bus/pci/rescan; sleep 2
slowly during-remove-snapshot 1.5 snapshot $NIC $SLOW -o /tmp/k/removing.json --no-context --no-logs -- remove
verified during-remove-snapshot /tmp/k/removing.json
echo 1 > /sys/bus/pci/rescan; sleep 2

# The firmware's trouble with the driver up.
ip link set "$(net $NIC)" up; sleep 2
ask ctl heartbeat-stop
tool up-heartbeat check $NIC --set fw_heartbeat_reg=0x031001fd --interval 500
sleep 6
ask ctl fatal
tool up-fatal-check check $NIC --interval 50
tool up-fatal-snapshot snapshot $NIC -o /tmp/k/up-fatal.json --interval 50
verified up-fatal-snapshot /tmp/k/up-fatal.json
sleep 4
ask ctl heal
ip link set "$(net $NIC)" down
unbind $NIC

# Killed at random moments.
barscope snapshot $NIC -o /tmp/a.json --no-context --no-logs --interval 0 > /dev/null
barscope snapshot $NIC -o /tmp/b.json --no-context --no-logs --interval 0 > /dev/null
rm -f /tmp/k/*
RANDOM=5
i=0
while [ $i -lt 36 ]; do
    case $((i % 3)) in
    0) barscope dump $NIC > /dev/null 2>&1 & ;;
    1) barscope snapshot $NIC -o /tmp/k/kill$i.json --no-context --no-logs --passes 3 --interval 20 > /dev/null 2>&1 & ;;
    2) barscope diff /tmp/a.json /tmp/b.json -o /tmp/k/kill$i.txt > /dev/null 2>&1 & ;;
    esac
    pid=$!
    moment=$((RANDOM % 700 + 5))
    usleep $((moment * 1000))
    kill -9 $pid 2> /dev/null
    wait $pid
    status=$?
    file=absent
    if [ -e /tmp/k/kill$i.json ]; then barscope verify /tmp/k/kill$i.json > /dev/null 2>&1; file=verify-$?; fi
    if [ -e /tmp/k/kill$i.txt ]; then file=$(wc -c < /tmp/k/kill$i.txt); fi
    echo "$i $moment $status $file" >> killed
    i=$((i + 1))
done
barscope diff /tmp/a.json /tmp/b.json -o /tmp/k/whole.txt; wc -c < /tmp/k/whole.txt > killed.whole
ls -A /tmp/k > killed.left
logged alive-dump dump $NIC
complaints
