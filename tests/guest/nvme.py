"""`nvme show-regs -H`: values of the controller registers and what it says of their fields.

Offsets and bits are from the NVM Express Base Specification 2.0c, section 3.1.3 (figure 35 and the figures of the single registers).
"""

import re

# name in the output -> (offset, width in bits)
REGISTERS = {
    'cap': (0x00, 64), 'version': (0x08, 32), 'intms': (0x0c, 32), 'intmc': (0x10, 32), 'cc': (0x14, 32), 'csts': (0x1c, 32),
    'nssr': (0x20, 32), 'aqa': (0x24, 32), 'asq': (0x28, 64), 'acq': (0x30, 64), 'cmbloc': (0x38, 32), 'cmbsz': (0x3c, 32),
    'bpinfo': (0x40, 32), 'bprsel': (0x44, 32), 'bpmbl': (0x48, 64), 'cmbmsc': (0x50, 64), 'cmbsts': (0x58, 32),
    'crto': (0x68, 32), 'pmrcap': (0xe00, 32), 'pmrctl': (0xe04, 32), 'pmrsts': (0xe08, 32), 'pmrebs': (0xe0c, 32),
    'pmrswtp': (0xe10, 32), 'pmrmscl': (0xe14, 32), 'pmrmscu': (0xe18, 32),
}


def _log2(base):
    return lambda text: (int(text) // base).bit_length() - 1


def _less(one):
    return lambda text: int(text) - one


def _is(word):
    return lambda text: int(text == word)


_YES, _SUPPORTED, _ENABLED = _is('Yes'), _is('Supported'), _is('Enabled')

# register -> [(abbreviation in the output, pattern behind it, high bit, low bit, conversion)]
FIELDS = {
    'cap': [
        ('CRWMS', r'(Supported|Not Supported)', 59, 59, _SUPPORTED), ('CRIMS', r'(Supported|Not Supported)', 60, 60, _SUPPORTED),
        ('CMBS', r'.* is (Not Supported|Supported)', 57, 57, _SUPPORTED), ('PMRS', r'.* is (Not Supported|Supported)', 56, 56, _SUPPORTED),
        ('MPSMAX', r'(\d+) bytes', 55, 52, _log2(4096)), ('MPSMIN', r'(\d+) bytes', 51, 48, _log2(4096)),
        ('BPS', r'(Yes|No)', 45, 45, _YES), ('NSSRS', r'(Yes|No)', 36, 36, _YES), ('DSTRD', r'(\d+) bytes', 35, 32, _log2(4)),
        ('TO', r'(\d+) ms', 31, 24, lambda text: int(text) // 500), ('CQR', r'(Yes|No)', 16, 16, _YES),
        ('MQES', r'(\d+)', 15, 0, _less(1)),
    ],
    'cc': [
        ('CRIME', r'(Enabled|Disabled)', 24, 24, _ENABLED), ('IOCQES', r'(\d+) bytes', 23, 20, _log2(1)),
        ('IOSQES', r'(\d+) bytes', 19, 16, _log2(1)), ('SHN', r'(No notification)', 15, 14, lambda _: 0),
        ('AMS', r'(Round Robin)', 13, 11, lambda _: 0), ('MPS', r'(\d+) bytes', 10, 7, _log2(4096)),
        ('CSS', r'(NVM Command Set|All supported I/O Command Sets|Admin Command Set only)', 6, 4,
         lambda text: {'NVM Command Set': 0, 'All supported I/O Command Sets': 6, 'Admin Command Set only': 7}[text]),
        ('EN', r'(Yes|No)', 0, 0, _YES),
    ],
    'csts': [
        ('PP', r'(Yes|No)', 5, 5, _YES), ('NSSRO', r'(Yes|No)', 4, 4, _YES),
        ('SHST', r'(Normal operation)', 3, 2, lambda _: 0), ('CFS', r'(True|False)', 1, 1, _is('True')),
        ('RDY', r'(Yes|No)', 0, 0, _YES),
    ],
    'aqa': [('ACQS', r'(\d+)', 27, 16, _less(1)), ('ASQS', r'(\d+)', 11, 0, _less(1))],
    'bpinfo': [('ABPID', r'(\d)', 31, 31, int), ('BPSZ', r'(\d+)', 14, 0, int)],
    'cmbsts': [('CBAI', r'(\d)', 0, 0, int)],
    'pmrsts': [('CBAI', r'(\d+)', 12, 12, int), ('HSTS', r'(Normal Operation)', 11, 9, lambda _: 0), ('ERR', r'(\d+)', 7, 0, int)],
}


def parse(text):
    """{name: value}, and {name: the lines about its fields}."""
    values, details, name = {}, {}, None
    for line in text.splitlines():
        match = re.fullmatch(r'(\w+)\s*: ([0-9a-f]+)', line.strip()) if not line[:1].isspace() else None
        if match:
            name = match[1]
            values[name], details[name] = int(match[2], 16), ''
        elif name is not None:
            details[name] += line + '\n'
    return values, details


def fields(details):
    """Yield (register, abbreviation, high bit, low bit, value)."""
    for register, entries in FIELDS.items():
        for abbreviation, pattern, high, low, convert in entries:
            match = re.search(r'\(%s\)\s*: %s' % (abbreviation, pattern), details.get(register, ''))
            if match:
                yield register, abbreviation, high, low, convert(match[1])
