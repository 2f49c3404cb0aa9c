"""The nic tier's boot in which only the driver and the kernel are asked: register dump, counters, RDMA queues. Right values are those of
ethtool, rdma and the kernel's own files in the same boot; the emulated NIC's log tells what the driver did for them."""

import json
import re

# Where the driver writes a request to the firmware, and what starts it: Linux bnxt.h BNXT_GRCPF_REG_CHIMP_COMM, _TRIGGER; bnxt_re qplib_rcfw.h
# RCFW_COMM_BASE_OFFSET, RCFW_COMM_TRIG_OFFSET. The doorbell page is where bnxt_re arms its event ring.
HWRM, HWRM_TRIGGER = range(0x0, 0x80), 0x100
ROCE, ROCE_TRIGGER = range(0x600, 0x610), 0x700
DOORBELLS = 2
# What the driver polls by itself while the interface is up: Linux bnxt.c bnxt_fw_health_check; the page behind window 3.
POLLED = range(0x3000, 0x4000)
DBG_READ_DIRECT, PCIE_QSTATS = 0xff10, 0x204        # Linux bnxt_hsi.h HWRM_*

# ethtool's words for what the header calls otherwise (ethtool bnxt.c; Linux bnxt_hsi.h pcie_ctx_hw_stats).
STATISTICS = {
    'PL Signal integrity errors': 'PCIE_PL_SIGNAL_INTEGRITY', 'DL Signal integrity errors': 'PCIE_DL_SIGNAL_INTEGRITY',
    'TLP Signal integrity errors': 'PCIE_TL_SIGNAL_INTEGRITY', 'Link integrity': 'PCIE_LINK_INTEGRITY',
    'TX TLP traffic rate': 'PCIE_TX_TRAFFIC_RATE', 'RX TLP traffic rate': 'PCIE_RX_TRAFFIC_RATE',
    'TX DLLP traffic rate': 'PCIE_TX_DLLP_STATISTICS', 'RX DLLP traffic rate': 'PCIE_RX_DLLP_STATISTICS',
    **{'PHY LTSSM Histogram %d' % n: 'PCIE_LTSSM_HISTOGRAM_%d' % n for n in range(4)}}
COUNTERS = ('net_rx_missed', 'net_rx_dropped', 'net_tx_dropped', 'net_rx_crc_errors')


def ethtool_words(text):
    """{offset: value} of the PXP block, without the request itself, which is another one each time."""
    words = {int(offset, 16): int(value, 16) for offset, value in re.findall(r'^(0x[0-9a-f]{4}) ?\t(0x[0-9a-f]{8})$', text, re.M)}
    return {offset: value for offset, value in words.items() if offset not in HWRM}


def ethtool_statistics(text):
    return {name.strip(): int(value, 0) for name, value in re.findall(r'^([A-Z][^:\n]*?) *: (0x[0-9a-f]+|\d+)$', text, re.M)}


def shown_words(document):
    words = {int(word['offset'], 16): int(word['value'], 16) for word in document.get('pxp', [])}
    return {offset: value for offset, value in words.items() if offset not in HWRM}


def shown_statistics(document):
    return {field['name']: int(field['value'], 16) for field in document.get('pcieStatistics', [])}


def register_dump(checks, run, text):
    """The live dump against ethtool's words of the same boot."""
    document, ethtool = run.document, text
    words = ethtool_words(ethtool)
    checks.check('%s: ethtool shows words to compare with (%d)' % (run.name, len(words)), len(words) >= 5, ethtool[:400])
    checks.check('%s: the words of the PXP block are ethtool\'s' % run.name, shown_words(document) == words,
                 (shown_words(document), words))
    statistics(checks, run, ethtool)


def statistics(checks, run, text):
    theirs, ours = ethtool_statistics(text), shown_statistics(run.document)
    compared = {name: (ours.get(field), theirs.get(name)) for name, field in STATISTICS.items()}
    compared['Recovery Histogram 0'] = (ours.get('PCIE_RECOVERY_HISTOGRAM', 0) & 0xffff, theirs.get('Recovery Histogram 0'))
    for phase, value in enumerate(run.document.get('equalizationMs', [])):
        name = 'Equalization Phase %d time(ms)' % phase
        compared[name] = (value, theirs.get(name))
    checks.check('%s: %d statistics to compare' % (run.name, len(compared)), len(compared) == len(STATISTICS) + 5, sorted(compared))
    checks.none('%s: they are ethtool\'s' % run.name, [(name, pair) for name, pair in compared.items() if pair[0] != pair[1]])


def requests(checks, name, log):
    """The driver's two requests to the firmware and nothing else: no load, no other write."""
    places = {(access.kind, access.bar, access.offset) for access in log}
    allowed = {('W', 0, offset) for offset in HWRM} | {('W', 0, HWRM_TRIGGER)}
    checks.none('%s: nothing but requests to the firmware reached the device' % name, sorted(places - allowed))
    commands = [access.value & 0xffff for access in log if access[:3] == ('W', 0, 0)]
    checks.check('%s: they are DBG_READ_DIRECT and PCIE_QSTATS' % name, commands == [DBG_READ_DIRECT, PCIE_QSTATS], commands)


def counters(checks, outcome):
    run = outcome.run('drops')
    checks.status(run, 0)
    checks.check('drops: nothing reached the device', outcome.logged('drops') == [], outcome.logged('drops'))
    kernel = [int(line) for line in outcome.text('statistics').split()]
    inputs = {}
    for check in run.document.get('checks', []):
        inputs.update({name: int(value, 16) for name, value in check['inputs'].items() if value is not None})
    checks.check('drops: the kernel\'s own numbers, in both passes',
                 [inputs.get(name) for name in COUNTERS] == kernel and
                 [inputs.get('previous(%s)' % name) for name in COUNTERS] == kernel, (inputs, kernel))
    checks.check('drops: five checks passed', [c['result'] for c in run.document.get('checks', [])] == ['passed'] * 5, run)


def rdma_objects(outcome):
    """{(kind, id): {name: text}} as rdma lists them."""
    objects = {}
    for kind, key in (('qp', 'lqpn'), ('cq', 'cqn'), ('mr', 'mrn'), ('srq', 'srqn')):
        for entry in json.loads(outcome.text('rdma-%s.out' % kind) or '[]'):
            objects[(kind, entry[key])] = {
                name.removeprefix('drv_'): str(value).lower() if isinstance(value, bool) else str(value)
                for name, value in entry.items() if name not in ('ifindex', 'ifname')}
    return objects


def queues(checks, outcome):
    theirs = rdma_objects(outcome)
    checks.check('hwq: rdma lists the driver\'s own queue pair and completion queue', {kind for kind, _ in theirs} >= {'qp', 'cq'}, theirs)
    for name in ('hwq', 'hwq-by-address', 'hwq-file'):
        run = outcome.run(name)
        checks.status(run, 0)
        ours = {(o['kind'], o['id']): {v['name']: v['text'] for v in o['values']} for o in run.document.get('objects', [])}
        checks.check('%s: every object and value is rdma\'s (%d values)' % (name, sum(map(len, theirs.values()))), ours == theirs, (ours, theirs))
    checks.status(outcome.run('hwq-text'), 0)
    # Listing queue pairs makes the driver ask the firmware for each (QUERY_QP); it arms its event ring after each answer.
    log = outcome.logged('hwq') or []
    places = {(access.kind, access.bar, access.offset) for access in log if access.bar != DOORBELLS
              and not (access.kind == 'R' and access.bar == 0 and access.offset in POLLED)}
    # With the interface up the driver asks the firmware for statistics now and then.
    allowed = {('W', 0, offset) for offset in (*ROCE, ROCE_TRIGGER, *HWRM, HWRM_TRIGGER)}
    checks.check('hwq: nothing but the driver\'s own commands reached the device', ('W', 0, ROCE_TRIGGER) in places and places <= allowed,
                 sorted(places))
    checks.check('hwq-cq: completion queues are told without a command',
                 not any(access.offset == ROCE_TRIGGER and access.bar == 0 for access in outcome.logged('hwq-cq')), outcome.logged('hwq-cq'))
    # What the driver does not give is told with rdma's own words.
    raw, ours = outcome.run('rdma-raw'), outcome.run('hwq-raw')
    if raw.status != 0:
        checks.status(ours, 4, 'rdma-failed')
        checks.check('hwq-raw: with rdma\'s words', raw.err.strip().split('\n')[0] in ours.error.get('what', ''), ours.error)
    else:
        checks.status(ours, 0)


def surroundings(checks, outcome):
    """A snapshot beside a live driver, whose BARs this kernel does not give: everything else is in it, and the status says so."""
    checks.status(outcome.run('live-snapshot'), 5)
    checks.status(outcome.run('live-verify'), 0)
    checks.status(outcome.run('live-show'), 0)
    try:
        document = json.loads(outcome.text('live.json'))
    except ValueError as error:
        checks.check('live-snapshot: a whole document', False, error)
        return
    context = {entry['name'].split(' eth')[0]: entry for entry in document['context']}
    for name in ('ethtool -S', 'ethtool -i', 'ethtool -g', 'ethtool -l', 'net statistics', 'RDMA resources bnxt_re0', 'interrupts'):
        found = next((entry for key, entry in context.items() if key.startswith(name)), {})
        checks.check('live-snapshot: %s was read (%d values)' % (name, len(found.get('values', {}))),
                     found.get('status') == 'read' and found.get('values'), found)
    theirs = dict(line.split(': ', 1) for line in outcome.text('ethtool-i.out').split('\n') if ': ' in line)
    ours = next((entry['values'] for key, entry in context.items() if key.startswith('ethtool -i')), {})
    checks.check('live-snapshot: ethtool -i as in the same boot', theirs and theirs.items() <= ours.items(), (theirs, ours))
    refused = [source for source in document['captures'][0]['sources'] if 'refusal' in source]
    checks.check('live-snapshot: the refusal of the BAR is in it', refused and refused[0]['refusal']['cause'] == 'exclusive-claim', refused)
    log = outcome.run('live-log').document.get('records', [])
    checks.check('live-log: the driver\'s rows are in it (%d)' % len(log), any('bnxt_en' in json.dumps(record) for record in log), log[:3])


def driver(checks, outcome, maps):
    del maps
    run = outcome.run
    for name in ('dump', 'dump-text', 'dump-file', 'ethtool'):
        checks.status(run(name), 0)
    register_dump(checks, run('dump'), run('ethtool').out)
    register_dump(checks, run('dump-file'), run('ethtool').out)
    log = outcome.logged('dump')
    checks.check('dump: both marks are in the log', log is not None)
    requests(checks, 'dump', log or [])
    counters(checks, outcome)
    # The firmware refuses to read: the driver leaves zeros and says nothing, ethtool shows an empty block; here it is said.
    checks.status(run('refused'), 0)
    checks.check('refused: no word of the PXP block, as with ethtool', run('refused').document.get('pxp') == []
                 and not ethtool_words(run('ethtool-refused').out), run('refused'))
    checks.check('refused: said to be perhaps a refusal', any('restrict' in r for r in run('refused').document.get('remarks', [])), run('refused'))
    statistics(checks, run('refused'), run('ethtool-refused').out)
    requests(checks, 'refused', outcome.logged('refused') or [])
    queues(checks, outcome)
    surroundings(checks, outcome)
