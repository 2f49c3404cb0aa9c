"""`lspci -vvv -xxxx`: its raw bytes and its decoded fields, each with its place in configuration space.

Where a field lies is from the PCI Local Bus Specification 3.0, the PCI Power Management Specification 1.2 and the PCI Express Base
Specification 5.0, chapter 7; what lspci calls it is from its output.
"""

import collections
import re

# Labels under which lspci prints flags (`Name+`), with the offset of their register in its capability.
# capability -> {label: (offset, {flag: bit})}; capability None is the header, ints above 0xff are extended ones (0x10000 + id).
EXTENDED = 0x10000
PM, MSI, EXPRESS, MSIX = 0x01, 0x05, 0x10, 0x11
AER, VC, DSN, ACS, ARI, SRIOV, LTR = (EXTENDED + i for i in (0x01, 0x02, 0x03, 0x0d, 0x0e, 0x10, 0x18))
NAMES = {None: 'header', PM: 'pm', MSI: 'msi', EXPRESS: 'express', MSIX: 'msix', AER: 'aer', VC: 'vc', DSN: 'dsn', ACS: 'acs',
         ARI: 'ari', SRIOV: 'sriov', LTR: 'ltr'}

_STATUS = {'66MHz': 5, 'FastB2B': 7, 'ParErr': 8, '>TAbort': 11, '<TAbort': 12, '<MAbort': 13, '<PERR': 15}
_UNCORRECTABLE = {'DLP': 4, 'SDES': 5, 'TLP': 12, 'FCP': 13, 'CmpltTO': 14, 'CmpltAbrt': 15, 'UnxCmplt': 16, 'RxOF': 17,
                  'MalfTLP': 18, 'ECRC': 19, 'UnsupReq': 20, 'ACSViol': 21}
_CORRECTABLE = {'RxErr': 0, 'BadTLP': 6, 'BadDLLP': 7, 'Rollover': 8, 'Timeout': 12, 'AdvNonFatalErr': 13}
_ACS = {'SrcValid': 0, 'TransBlk': 1, 'ReqRedir': 2, 'CmpltRedir': 3, 'UpstreamFwd': 4, 'EgressCtrl': 5, 'DirectTrans': 6}

FLAGS = {
    None: {
        'Control': (0x04, {'I/O': 0, 'Mem': 1, 'BusMaster': 2, 'SpecCycle': 3, 'MemWINV': 4, 'VGASnoop': 5, 'ParErr': 6,
                           'Stepping': 7, 'SERR': 8, 'FastB2B': 9, 'DisINTx': 10}),
        'Status': (0x06, {**_STATUS, 'INTx': 3, 'Cap': 4, '>SERR': 14}),
        'Secondary status': (0x1e, {**_STATUS, '<SERR': 14}),
        'BridgeCtl': (0x3e, {'Parity': 0, 'SERR': 1, 'NoISA': 2, 'VGA': 3, 'VGA16': 4, 'MAbort': 5, '>Reset': 6, 'FastB2B': 7,
                             'PriDiscTmr': 8, 'SecDiscTmr': 9, 'DiscTmrStat': 10, 'DiscTmrSERREn': 11}),
    },
    PM: {
        'Flags': (2, {'PMEClk': 3, 'DSI': 5, 'D1': 9, 'D2': 10}),
        'PME': (2, {'D0': 11, 'D1': 12, 'D2': 13, 'D3hot': 14, 'D3cold': 15}),
        'Status': (4, {'NoSoftRst': 3, 'PME-Enable': 8, 'PME': 15}),
    },
    MSI: {'MSI': (2, {'Enable': 0, 'Maskable': 8, '64bit': 7})},
    MSIX: {'MSI-X': (2, {'Enable': 15, 'Masked': 14})},
    EXPRESS: {
        'DevCap': (0x04, {'ExtTag': 5, 'AttnBtn': 12, 'AttnInd': 13, 'PwrInd': 14, 'RBE': 15, 'FLReset': 28}),
        'DevCtl': (0x08, {'CorrErr': 0, 'NonFatalErr': 1, 'FatalErr': 2, 'UnsupReq': 3, 'RlxdOrd': 4, 'ExtTag': 8,
                          'PhantFunc': 9, 'AuxPwr': 10, 'NoSnoop': 11}),
        'DevSta': (0x0a, {'CorrErr': 0, 'NonFatalErr': 1, 'FatalErr': 2, 'UnsupReq': 3, 'AuxPwr': 4, 'TransPend': 5}),
        'LnkCap': (0x0c, {'ClockPM': 18, 'Surprise': 19, 'LLActRep': 20, 'BwNot': 21, 'ASPMOptComp': 22}),
        'LnkCtl': (0x10, {'Disabled': 4, 'CommClk': 6, 'ExtSynch': 7, 'ClockPM': 8, 'AutWidDis': 9, 'BWInt': 10,
                          'AutBWInt': 11}),
        'LnkSta': (0x12, {'TrErr': 10, 'Train': 11, 'SlotClk': 12, 'DLActive': 13, 'BWMgmt': 14, 'ABWMgmt': 15}),
        'SltCap': (0x14, {'AttnBtn': 0, 'PwrCtrl': 1, 'MRL': 2, 'AttnInd': 3, 'PwrInd': 4, 'Surprise': 5, 'HotPlug': 6,
                          'Interlock': 17, 'NoCompl': 18}),
        'SltCtl Enable': (0x18, {'AttnBtn': 0, 'PwrFlt': 1, 'MRL': 2, 'PresDet': 3, 'CmdCplt': 4, 'HPIrq': 5, 'LinkChg': 12}),
        'SltCtl Control': (0x18, {'Power': 10, 'Interlock': 11}),
        'SltSta Status': (0x1a, {'AttnBtn': 0, 'PowerFlt': 1, 'CmdCplt': 4, 'MRL': 5, 'PresDet': 6, 'Interlock': 7}),
        'SltSta Changed': (0x1a, {'MRL': 2, 'PresDet': 3, 'LinkState': 8}),
        'RootCtl': (0x1c, {'ErrCorrectable': 0, 'ErrNon-Fatal': 1, 'ErrFatal': 2, 'PMEIntEna': 3, 'CRSVisible': 4}),
        'RootCap': (0x1e, {'CRSVisible': 0}),
        'RootSta': (0x20, {'PMEStatus': 16, 'PMEPending': 17}),
        'DevCap2': (0x24, {'TimeoutDis': 4, 'ARIFwd': 5, 'NROPrPrP': 10, 'LTR': 11, 'TPHComp': 12, 'ExtTPHComp': 13,
                           '10BitTagComp': 16, '10BitTagReq': 17, 'ExtFmt': 20, 'EETLPPrefix': 21,
                           'EmergencyPowerReductionInit': 26, 'FRS': 31}),
        'AtomicOpsCap': (0x24, {'Routing': 6, '32bit': 7, '64bit': 8, '128bitCAS': 9}),
        'DevCtl2': (0x28, {'TimeoutDis': 4, 'ARIFwd': 5, 'LTR': 10, '10BitTagReq': 12}),
        'AtomicOpsCtl': (0x28, {'ReqEn': 6, 'EgressBlck': 7}),
        'LnkCap2': (0x2c, {'Crosslink': 8, 'Retimer': 23, '2Retimers': 24, 'DRS': 31}),
        'LnkCtl2': (0x30, {'EnterCompliance': 4, 'SpeedDis': 5}),
        'Transmit Margin': (0x30, {'EnterModifiedCompliance': 10, 'ComplianceSOS': 11}),
        'LnkSta2': (0x32, {'EqualizationComplete': 1, 'EqualizationPhase1': 2, 'EqualizationPhase2': 3, 'EqualizationPhase3': 4,
                           'LinkEqualizationRequest': 5, 'Retimer': 6, '2Retimers': 7}),
    },
    AER: {
        'UESta': (0x04, _UNCORRECTABLE), 'UEMsk': (0x08, _UNCORRECTABLE), 'UESvrt': (0x0c, _UNCORRECTABLE),
        'CESta': (0x10, _CORRECTABLE), 'CEMsk': (0x14, _CORRECTABLE),
        'AERCap': (0x18, {'ECRCGenCap': 5, 'ECRCGenEn': 6, 'ECRCChkCap': 7, 'ECRCChkEn': 8, 'MultHdrRecCap': 9,
                          'MultHdrRecEn': 10, 'TLPPfxPres': 11, 'HdrLogCap': 12}),
        'RootCmd': (0x2c, {'CERptEn': 0, 'NFERptEn': 1, 'FERptEn': 2}),
        'RootSta': (0x30, {'CERcvd': 0, 'MultCERcvd': 1, 'UERcvd': 2, 'MultUERcvd': 3, 'FirstFatal': 4, 'NonFatalMsg': 5,
                           'FatalMsg': 6}),
    },
    ACS: {'ACSCap': (4, _ACS), 'ACSCtl': (6, _ACS)},
    ARI: {'ARICap': (4, {'MFVC': 0, 'ACS': 1}), 'ARICtl': (6, {'MFVC': 0, 'ACS': 1})},
    SRIOV: {
        'IOVCap': (0x04, {'Migration': 0, '10BitTagReq': 2}),
        'IOVCtl': (0x08, {'Enable': 0, 'Migration': 1, 'Interrupt': 2, 'MSE': 3, 'ARIHierarchy': 4, '10BitTagReq': 5}),
        'IOVSta': (0x0a, {'Migration': 0}),
    },
}


def _log2(base):
    return lambda text: (int(text) // base).bit_length() - 1


def _number(base=10, less=0):
    return lambda text: int(text, base) - less


def _one_of(*names):
    return lambda text: names.index(text)


_SPEED = _one_of('?', '2.5', '5', '8', '16', '32', '64')
_L0S = _one_of('<64ns', '<128ns', '<256ns', '<512ns', '<1us', '<2us', '<4us', 'unlimited')
_L0S_LINK = _one_of('<64ns', '<128ns', '<256ns', '<512ns', '<1us', '<2us', '<4us', 'more')
_L1 = _one_of('<1us', '<2us', '<4us', '<8us', '<16us', '<32us', '<64us', 'unlimited')
_L1_LINK = _one_of('<1us', '<2us', '<4us', '<8us', '<16us', '<32us', '<64us', 'more')
_INDICATOR = _one_of('Unknown', 'On', 'Blink', 'Off')


def _has_speed(number):
    """Bit `number` of the Supported Link Speeds Vector: "2.5-16" has 1 to 4."""
    def convert(text):
        first, _, last = text.partition('-')
        return int(_SPEED(first) <= number <= _SPEED(last or first))
    return convert


# capability -> [(name, label, pattern in the label's text, offset in the capability, high bit, low bit, conversion)]
VALUES = {
    None: [
        ('DEVSEL', 'Status', r'DEVSEL=(\w+)', 0x06, 10, 9, _one_of('fast', 'medium', 'slow')),
        ('Latency', 'Latency', r'^(\d+)', 0x0d, 7, 0, _number()),
        ('Interrupt pin', 'Interrupt', r'pin ([ABCD])', 0x3d, 7, 0, lambda text: ord(text) - 0x40),
        ('primary', 'Bus', r'primary=(\w+)', 0x18, 7, 0, _number(16)),
        ('secondary', 'Bus', r'secondary=(\w+)', 0x19, 7, 0, _number(16)),
        ('subordinate', 'Bus', r'subordinate=(\w+)', 0x1a, 7, 0, _number(16)),
        ('sec-latency', 'Bus', r'sec-latency=(\d+)', 0x1b, 7, 0, _number()),
        ('secondary DEVSEL', 'Secondary status', r'DEVSEL=(\w+)', 0x1e, 10, 9, _one_of('fast', 'medium', 'slow')),
    ],
    PM: [
        ('version', 'Power Management', r'version (\d)', 2, 2, 0, _number()),
        ('AuxCurrent', 'Flags', r'AuxCurrent=(\d+)mA', 2, 8, 6, _one_of('0', '55', '100', '160', '220', '270', '320', '375')),
        ('state', 'Status', r'^D(\d)', 4, 1, 0, _number()),
        ('DSel', 'Status', r'DSel=(\d+)', 4, 12, 9, _number()),
        ('DScale', 'Status', r'DScale=(\d)', 4, 14, 13, _number()),
    ],
    MSI: [
        ('Count enabled', 'MSI', r'Count=(\d+)/', 2, 6, 4, _log2(1)),
        ('Count capable', 'MSI', r'Count=\d+/(\d+)', 2, 3, 1, _log2(1)),
        ('Address', 'Address', r'^\w*?(\w{8})\s', 4, 31, 2, lambda text: int(text, 16) >> 2),
    ],
    MSIX: [
        ('Count', 'MSI-X', r'Count=(\d+)', 2, 10, 0, _number(less=1)),
        ('table BAR', 'Vector table', r'BAR=(\d)', 4, 2, 0, _number()),
        ('table offset', 'Vector table', r'offset=(\w+)', 4, 31, 3, lambda text: int(text, 16) >> 3),
        ('PBA BAR', 'PBA', r'BAR=(\d)', 8, 2, 0, _number()),
        ('PBA offset', 'PBA', r'offset=(\w+)', 8, 31, 3, lambda text: int(text, 16) >> 3),
    ],
    EXPRESS: [
        ('version', 'Express', r'\(v(\d)\)', 2, 3, 0, _number()),
        ('port type', 'Express', r'\(v\d\) (Endpoint|Legacy Endpoint|Root Port|Root Complex Integrated Endpoint)', 2, 7, 4,
         lambda text: {'Endpoint': 0, 'Legacy Endpoint': 1, 'Root Port': 4, 'Root Complex Integrated Endpoint': 9}[text]),
        ('slot', 'Express', r'\(Slot([+-])\)', 2, 8, 8, lambda text: int(text == '+')),
        ('interrupt message', 'Express', r'(?:MSI|IntMsgNum) (\w+)', 2, 13, 9, _number(16)),
        ('DevCap MaxPayload', 'DevCap', r'MaxPayload (\d+)', 4, 2, 0, _log2(128)),
        ('DevCap PhantFunc', 'DevCap', r'PhantFunc (\d)', 4, 4, 3, lambda text: (int(text) + 1).bit_length() - 1),
        ('DevCap L0s', 'DevCap', r'Latency L0s (\S+),', 4, 8, 6, _L0S),
        ('DevCap L1', 'DevCap', r'L1 (\S+)', 4, 11, 9, _L1),
        ('DevCtl MaxPayload', 'DevCtl', r'MaxPayload (\d+)', 8, 7, 5, _log2(128)),
        ('DevCtl MaxReadReq', 'DevCtl', r'MaxReadReq (\d+)', 8, 14, 12, _log2(128)),
        ('LnkCap Port', 'LnkCap', r'Port #(\d+)', 0xc, 31, 24, _number()),
        ('LnkCap Speed', 'LnkCap', r'Speed ([\d.]+)GT/s', 0xc, 3, 0, _SPEED),
        ('LnkCap Width', 'LnkCap', r'Width x(\d+)', 0xc, 9, 4, _number()),
        ('LnkCap ASPM', 'LnkCap', r'ASPM (not supported|L0s L1|L0s|L1)', 0xc, 11, 10,
         _one_of('not supported', 'L0s', 'L1', 'L0s L1')),
        ('LnkCap Exit L0s', 'LnkCap', r'Exit Latency (?:L1 \S+ )?L0s ([^\s,]+)', 0xc, 14, 12, _L0S_LINK),
        ('LnkCap Exit L1', 'LnkCap', r'Exit Latency (?:L0s \S+ )?L1 ([^\s,]+)', 0xc, 17, 15, _L1_LINK),
        ('LnkCtl ASPM', 'LnkCtl', r'ASPM (Disabled|L0s L1 Enabled|L0s Enabled|L1 Enabled)', 0x10, 1, 0,
         _one_of('Disabled', 'L0s Enabled', 'L1 Enabled', 'L0s L1 Enabled')),
        ('LnkCtl RCB', 'LnkCtl', r'RCB (\d+)', 0x10, 3, 3, _one_of('64', '128')),
        ('LnkSta Speed', 'LnkSta', r'Speed ([\d.]+)GT/s', 0x12, 3, 0, _SPEED),
        ('LnkSta Width', 'LnkSta', r'Width x(\d+)', 0x12, 9, 4, _number()),
        ('SltCap Slot', 'SltCap', r'Slot #(\d+)', 0x14, 31, 19, _number()),
        ('SltCtl AttnInd', 'SltCtl Control', r'AttnInd (\w+)', 0x18, 7, 6, _INDICATOR),
        ('SltCtl PwrInd', 'SltCtl Control', r'PwrInd (\w+)', 0x18, 9, 8, _INDICATOR),
        ('RootSta PME ReqID', 'RootSta', r'PME ReqID (\w+)', 0x20, 15, 0, _number(16)),
        ('DevCap2 OBFF', 'DevCap2', r'OBFF (Not Supported|Via message/WAKE#|Via message|Via WAKE#)', 0x24, 19, 18,
         _one_of('Not Supported', 'Via message', 'Via WAKE#', 'Via message/WAKE#')),
        ('DevCap2 MaxEETLPPrefixes', 'DevCap2', r'MaxEETLPPrefixes (\d)', 0x24, 23, 22, lambda text: int(text) & 3),
        ('DevCtl2 Completion Timeout', 'DevCtl2', r'Completion Timeout: (50us to 50ms|50us to 100us|1ms to 10ms)', 0x28, 3, 0,
         _one_of('50us to 50ms', '50us to 100us', '1ms to 10ms')),
        *(('LnkCap2 speed %d' % n, 'LnkCap2', r'Supported Link Speeds: ([\d.-]+)GT/s', 0x2c, n, n, _has_speed(n)) for n in range(1, 7)),
        # lspci prints 2.5GT/s for 0 as well.
        ('LnkCtl2 Target', 'LnkCtl2', r'Target Link Speed: (5|8|16|32|64)GT/s', 0x30, 3, 0, _SPEED),
        ('LnkSta2 De-emphasis', 'LnkSta2', r'Current De-emphasis Level: (-6dB|-3\.5dB)', 0x32, 0, 0, _one_of('-6dB', '-3.5dB')),
    ],
    AER: [
        ('First Error Pointer', 'AERCap', r'First Error Pointer: (\w+)', 0x18, 4, 0, _number(16)),
        ('HeaderLog[0]', 'HeaderLog', r'^(\w{8})', 0x1c, 31, 0, _number(16)),
        ('HeaderLog[1]', 'HeaderLog', r'^\w{8} (\w{8})', 0x20, 31, 0, _number(16)),
        ('HeaderLog[2]', 'HeaderLog', r'^(?:\w{8} ){2}(\w{8})', 0x24, 31, 0, _number(16)),
        ('HeaderLog[3]', 'HeaderLog', r'^(?:\w{8} ){3}(\w{8})', 0x28, 31, 0, _number(16)),
        ('RootSta IntMsg', 'RootSta', r'IntMsg(?:Num)? (\d+)', 0x30, 31, 27, _number()),
        ('ERR_COR', 'ErrorSrc', r'ERR_COR: (\w+)', 0x34, 15, 0, _number(16)),
        ('ERR_FATAL/NONFATAL', 'ErrorSrc', r'NONFATAL: (\w+)', 0x34, 31, 16, _number(16)),
    ],
    DSN: [
        ('high', 'Device Serial Number', r'^((?:\w\w-){3}\w\w)-', 8, 31, 0, lambda text: int(text.replace('-', ''), 16)),
        ('low', 'Device Serial Number', r'^(?:\w\w-){4}((?:\w\w-){3}\w\w)', 4, 31, 0, lambda text: int(text.replace('-', ''), 16)),
    ],
    ARI: [
        ('Next Function', 'ARICap', r'Next Function: (\d+)', 4, 15, 8, _number()),
        ('Function Group', 'ARICtl', r'Function Group: (\d+)', 6, 6, 4, _number()),
    ],
    SRIOV: [
        ('Interrupt Message', 'IOVCap', r'(?:Interrupt Message Number:|IntMsgNum) (\w+)', 4, 31, 21, _number(16)),
        ('Initial VFs', 'Initial VFs', r'^(\d+)', 0x0c, 15, 0, _number()),
        ('Total VFs', 'Total VFs', r'^(\d+)', 0x0e, 15, 0, _number()),
        ('Number of VFs', 'Number of VFs', r'^(\d+)', 0x10, 15, 0, _number()),
        ('Function Dependency Link', 'Function Dependency Link', r'^(\w+)', 0x12, 7, 0, _number(16)),
        ('VF offset', 'VF offset', r'^(\d+)', 0x14, 15, 0, _number()),
        ('stride', 'stride', r'^(\d+)', 0x16, 15, 0, _number()),
        ('Device ID', 'Device ID', r'^(\w+)', 0x1a, 15, 0, _number(16)),
        ('Supported Page Size', 'Supported Page Size', r'^(\w+)', 0x1c, 31, 0, _number(16)),
        ('System Page Size', 'System Page Size', r'^(\w+)', 0x20, 31, 0, _number(16)),
    ],
    LTR: [],
}

# Labels in the middle of a line.
_INNER_LABELS = ('AtomicOpsCap', 'AtomicOpsCtl', 'Enable', 'Control', 'Status', 'Changed', 'Total VFs', 'Number of VFs',
                 'Function Dependency Link', 'stride', 'Device ID', 'System Page Size')

Field = collections.namedtuple('Field', 'name offset high low value')   # offset in bytes from the start of config space


class Function:
    """One PCI function as lspci shows it."""

    def __init__(self, address, lines):
        self.address = address
        self.raw = bytes.fromhex(''.join(
            match[2] for match in (re.fullmatch(r'([0-9a-f]+): ((?:[0-9a-f]{2} ?)+)', line) for line in lines) if match))
        self.sections = self._sections(lines)

    def _sections(self, lines):
        """[(capability id or None, its offset, [text lines])]: the header first."""
        sections = [(None, 0, [])]
        for line in lines:
            start = re.match(r'\tCapabilities: \[(\w+)(?: v\d)?\] ?(.*)', line)
            if start:
                offset = int(start[1], 16)
                number = self.raw[offset] if offset < 0x100 else EXTENDED + int.from_bytes(self.raw[offset:offset + 2], 'little')
                sections.append((number, offset, [start[2]]))
            elif line.startswith('\t\t') or (line.startswith('\t') and len(sections) == 1):
                sections[-1][2].append(line.strip())
        return sections

    def fields(self):
        for capability, base, lines in self.sections:
            texts = labelled(lines)
            for label, (offset, flags) in FLAGS.get(capability, {}).items():
                for flag, state in re.findall(r'(?<![\w-])([<>]?[\w/-]+?)([+-])(?![\w+-])', texts.get(label, '')):
                    if flag in flags:
                        bit = flags[flag]
                        yield Field('%s %s %s' % (NAMES[capability], label, flag), base + offset, bit, bit, int(state == '+'))
            for name, label, pattern, offset, high, low, convert in VALUES.get(capability, []):
                match = re.search(pattern, texts.get(label, ''))
                if match:
                    yield Field('%s %s' % (NAMES[capability], name), base + offset, high, low, convert(match[1]))


def labelled(lines):
    """{label: text}: `DevCtl: CorrErr+` and what follows it, up to the next label. The first line of a capability may have its label
    without a colon (`Express (v2) Endpoint`, `Power Management version 3`)."""
    texts, label = {}, None
    for line in lines:
        if label is None:
            bare = re.match(r'(Express|Power Management|Device Serial Number) (.*)', line)
            if bare:
                texts[bare[1]], label = bare[2], bare[1]
                continue
        match = re.match(r'([A-Z](?:(?![+-] )[\w /-])*?):[ \t]*(.*)', line)
        if match and not (label in ('SltCtl', 'SltSta') and match[1] in ('Enable', 'Control', 'Status', 'Changed')):
            label, line = match[1], match[2]
            texts.setdefault(label, '')
        if label is not None:
            texts[label] = (texts[label] + '\n' + line).strip('\n')
    return _split_inner(texts)


def _split_inner(texts):
    """Labels in the middle of a line: `SltCtl: Enable: ...`, `PME(D0+,...)`, `Initial VFs: 8, Total VFs: 8, ...`."""
    result = dict(texts)
    for label, text in texts.items():
        if label == 'Flags':
            pme = re.search(r'PME\((.*?)\)', text)
            if pme:
                result['PME'] = pme[1].replace(',', ' ')
                result['Flags'] = text.replace(pme[0], '')
            continue
        parts = re.split(r'(?:^|[\s,])(%s): ' % '|'.join(_INNER_LABELS), text)
        if len(parts) == 1:
            continue
        result[label] = parts[0]
        for inner, body in zip(parts[1::2], parts[2::2]):
            key = '%s %s' % (label, inner) if label in ('SltCtl', 'SltSta') else inner
            result[key] = body
    return result


def parse(text):
    """{address: Function} of the output of `lspci -D -vvv -xxxx`."""
    functions = {}
    for block in re.split(r'\n\s*\n', text):
        lines = block.strip('\n').split('\n')
        match = re.match(r'([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]) ', lines[0])
        if match:
            functions[match[1]] = Function(match[1], lines[1:])
    return functions
