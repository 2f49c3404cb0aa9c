"""What must hold in the nic tier's boot that reads logs: held against dmesg and devlink of the same boot, and against what reached the NIC."""

import json
import re

from machines import NIC_ADDRESSES

ADDRESS = NIC_ADDRESSES['NIC']
# The words of the two rings, their producer, the window register and the status word that tells whether the device answers (nic-log.json).
RING_WORDS = {(4, 0x2100 + 4 * n, 4) for n in range(16)} | {(0, 0x3400 + 4 * n, 4) for n in range(8)}
BESIDE = {(0, 0x900, 4), (0, 0x408, 4), (0, 0x520, 4)}


def of_device(text):
    """The rows of dmesg that name the NIC, or begin with its driver and name no device."""
    rows = []
    for line in text.splitlines():
        match = re.match(r'\[ *(\d+\.\d+)\] (.*)', line)
        if not match:
            continue
        named = ADDRESS in match[2] or re.search(r'\beth0\b', match[2])
        if named or (match[2].startswith('bnxt_en') and not re.search(r'[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.\d', match[2])):
            rows.append((match[1], match[2]))
    return rows


def records(document, source):
    return [r for r in document.get('records', []) if r['source'] == source]


def source(run, name):
    return next((s for s in run.document.get('sources', []) if s['name'] == name), {})


def calls(outcome, name):
    return outcome.text(name).splitlines()


def log(checks, outcome, _maps):
    _device(checks, outcome)
    _rings(checks, outcome)
    _follow(checks, outcome)
    checks.none("no complaint of the kernel's own", outcome.text('complaints').splitlines())


def _device(checks, outcome):
    run = outcome.run('device')
    checks.status(run, 0)
    shown = [('%d.%06d' % divmod(int(r['timeNs']) // 1000, 1000000), r['message']) for r in records(run.document, 'kernel log')]
    expected = of_device(outcome.text('dmesg.device'))
    checks.check('device: the kernel log has the %d rows of dmesg' % len(expected), shown == expected and len(expected) >= 2, (shown, expected))
    checks.check('device: no public driver has the table', source(run, 'table').get('state') == 'absent', source(run, 'table'))
    lines = outcome.run('devlink-show').out.splitlines()
    checks.check('device: the reporters that devlink shows', len(lines) >= 2 and
                 [r['raw'] for r in records(run.document, 'devlink health')] == lines, (records(run.document, 'devlink health'), lines))
    asked = calls(outcome, 'devlink.calls.device')
    checks.check('device: devlink was asked for nothing but `health show`', asked == ['health show'], asked)
    checks.none('device: nothing reached the NIC', outcome.logged('device'))
    checks.status(outcome.run('text'), 0)
    run = outcome.run('diagnose')
    checks.status(run, 0)
    lines = outcome.run('devlink-diagnose').out.splitlines()
    checks.check('diagnose: what devlink says', any('Status' in line for line in lines) and
                 [r['raw'] for r in records(run.document, 'devlink diagnose')] == lines, (run.document.get('records'), lines))
    asked = calls(outcome, 'devlink.calls.diagnose')
    checks.check('diagnose: asked once, because it was told to',
                 sum('diagnose' in call for call in asked) == 1 and 'health diagnose pci/%s reporter fw' % ADDRESS in asked, asked)
    run = outcome.run('hanging')
    checks.status(run, 0)
    checks.check('hanging: a devlink that hangs is told', source(run, 'devlink health').get('error', {}).get('cause') == 'helper-timeout',
                 source(run, 'devlink health'))
    checks.check('hanging: the kernel log is there', len(records(run.document, 'kernel log')) >= 2)


def _rings(checks, outcome):
    run = outcome.run('rings')
    checks.status(run, 0)
    memory = records(run.document, 'ring memory')
    order = [r['lost'] if r['kind'] == 'gap' else r['sequence'] for r in memory]
    checks.check('rings: oldest first, with the gap of one after the wrap', order == [65534, 65535, 1, 1, 2] and memory[2]['kind'] == 'gap', memory)
    named = {r['sequence']: (r['severity'], r['codeName']) for r in memory if r['kind'] == 'entry'}
    checks.check('rings: level and code by the map', named.get(1) == ('error', 'WATCHDOG') and named.get(2) == ('info', 'HEARTBEAT'), named)
    page = records(run.document, 'ring page')
    checks.check('rings: the one behind the window', [r['sequence'] for r in page] == [7, 8] and page[0]['severity'] == 'warning', page)
    checks.check('rings: the one that the window does not show is not read',
                 source(run, 'ring elsewhere').get('error', {}).get('cause') == 'window-not-selected', source(run, 'ring elsewhere'))
    accesses = outcome.logged('rings') or []
    checks.none('rings: no write', [a for a in accesses if a[0] != 'R'])
    loaded = [tuple(a[1:4]) for a in accesses]
    checks.check('rings: each of their words was loaded once', sorted(w for w in loaded if w in RING_WORDS) == sorted(RING_WORDS), loaded)
    checks.none('rings: nothing else but producer, window and status was', sorted(set(loaded) - RING_WORDS - BESIDE))
    checks.check('rings: the producer was read before and after', loaded.count((0, 0x900, 4)) >= 2, loaded)


def _follow(checks, outcome):
    run = outcome.run('follow')
    checks.status(run, 0)
    lines = [json.loads(line) for line in run.out.splitlines()]
    found = [line for line in lines if line['type'] == 'record']
    texts = [line.get('message', '') for line in found]
    marks = [word for text in texts for word in ('mark-one', 'mark-two', 'mark-three', 'mark-four', 'mark-five') if word in text]
    checks.check('follow: all marks, each once, in order', marks == ['mark-one', 'mark-two', 'mark-three', 'mark-four', 'mark-five'], marks)
    probed = [i for i, text in enumerate(texts) if 'Broadcom BCM' in text]
    checks.check('follow: the driver is heard before and after it was bound again', len(probed) == 2, texts)
    checks.check('follow: the firmware reset is known', any(line.get('pattern', '').startswith('fw-') for line in found),
                 [(line.get('pattern'), line.get('message')) for line in found])
    gaps = [i for i, line in enumerate(found) if line['kind'] == 'gap']
    checks.check('follow: one overrun of the ring, one gap, some hundred records', len(gaps) == 1 and found[gaps[0]]['lost'] > 100,
                 [found[i] for i in gaps])
    if gaps:
        gap = found[gaps[0]]
        checks.check('follow: the gap stands between the marks around it', 'mark-two' in ' '.join(texts[:gaps[0]])
                     and 'mark-three' in ' '.join(texts[gaps[0]:]))
        later = [line['sequence'] for line in found[gaps[0] + 1:] if 'sequence' in line]
        checks.check('follow: as many as the numbers say or fewer', later and gap['sequence'] + gap['lost'] < later[0], (gap, later[:1]))
    checks.check('follow: the summary ends it', lines[-1]['type'] == 'summary' and lines[-1]['gaps'] == 1 and lines[-1]['rows'] == len(found) - 1,
                 lines[-1])
    checks.check('follow: the removal is told', 'the device is gone' in run.err, run.err)
    checks.none('follow: nothing was loaded from the NIC meanwhile', [a for a in outcome.logged('follow') or [] if a[0] == 'R'])
    checks.none('follow: devlink was not asked', calls(outcome, 'devlink.calls'))
