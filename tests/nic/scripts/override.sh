# Lab override on the emulated NIC: /cases/*.sh are made from tests/guest/override_cases.py and override_refusals.py, so that what is asked for
# and what may reach the NIC stand in one place.
MAP=/maps/nic-override.json
AUDIT=/var/log/barscope/audit.jsonl

# asked NAME ANSWER MEANWHILE ARGUMENTS...: barscope at a terminal; MEANWHILE happens while the question stands, then ANSWER is typed
asked() {
    case=$1; typed=$2; meanwhile=$3; shift 3
    rm -f /tmp/asked /tmp/go
    run $case terminal.pl /tmp/asked /tmp/go "$typed" barscope "$@" --format json &
    waiting=$!
    while [ ! -e /tmp/asked ] && kill -0 $waiting 2> /dev/null; do usleep 20000; done
    eval "$meanwhile"
    ask ctl mark event-$case
    touch /tmp/go
    wait $waiting
}

# undo NAME TARGET: what `audit undo` proposes for the last write of it
undo() {
    id=$(barscope audit | awk -v target=" write $2 (" 'index($0, target) { id = $1 } END { print id }')
    run $1-proposal barscope audit undo "$id"
    run $1 sh -c "$(cat $1-proposal.out) --yes --format json"
}

remove() { echo 1 > $PCI/$NIC/remove; }
come_back() { echo 1 > /sys/bus/pci/rescan; setpci -s $NIC COMMAND=2:2; }

# killed NUMBER SIGNAL: the tool gets a signal a while after it has noted something, the higher the number the later
killed() {
    log=/tmp/kill$1.jsonl
    ask ctl set bar0 0x410 0x00400000
    ask ctl set grc 0x00320020 0xaaaabbbb
    ask ctl mark begin-kill$1
    barscope write $NIC BEHIND=0x01020304 --yes --map $MAP --lab-override --reason kill --audit-log $log > /dev/null 2>&1 &
    pid=$!
    while [ ! -s $log ] && kill -0 $pid 2> /dev/null; do :; done
    usleep $(($1 % 8 * 1200))
    kill -$2 $pid 2> /dev/null
    wait $pid
    echo $? > kill$1.status
    ask ctl mark end-kill$1
    cp $log .
    run kill$1-audit barscope audit --audit-log $log --format json
}

facts
sleep 1
mkdir -p /dev/pts /logs/fixed /logs/full /var/log
mount -t devpts devpts /dev/pts
mount -t tmpfs -o ro none /logs/fixed
mount -t tmpfs -o size=4k none /logs/full
dd if=/dev/zero of=/logs/full/filled bs=4096 count=1 2> /dev/null
ln -s $AUDIT /logs/link.jsonl
mkfifo /logs/pipe
echo 0 > /sys/bus/pci/drivers_autoprobe

. /cases/plant.sh
plant
. /cases/bound.sh
unbind $NIC
. /cases/actions.sh
run audit barscope audit
tool audit-json audit
cp $AUDIT audit.jsonl
ls -ld ${AUDIT%/*} $AUDIT > modes

# A side effect is never met by the way, lab override or not: what reading once would clear is there afterwards.
ask ctl clear-on-read 0x00330010 0x77
LAB="--map $MAP --lab-override --reason never"
logged never-glob read $NIC 'SID*' $LAB
logged never-all read $NIC '*' $LAB
logged never-dump dump $NIC $LAB
logged never-check check $NIC --interval 0 $LAB
logged never-snapshot snapshot $NIC -o /tmp/never.json --no-context --no-logs --interval 0 $LAB
logged still-there read $NIC SIDE $LAB

. /cases/refusals.sh
for number in 0 1 2 3 4 5 6 7; do killed $number KILL; done
for number in 8 9 10 11; do killed $number TERM; done
tool audit-end audit
complaints
