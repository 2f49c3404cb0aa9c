"""Pages of bnxt rings and tables for the cases, packed from the layouts in the kernel's headers.

Offsets and numbers: Linux 6.12 drivers/infiniband/hw/bnxt_re/roce_hsi.h (cq_base, cq_req, cq_res_rc, nq_cn, ptu_pte,
sq_send); validity: qplib_fp.h CQE_CMP_VALID. Nothing here asks barscope.
"""

import struct

HANDLE = 0xffff8881234567c0  # looks like a kernel address


def cqe_req(toggle, status=0, sq_cons_idx=0, handle=HANDLE):
    """struct cq_req: le64 qp_handle, le16 sq_cons_idx, 14 bytes, u8 cqe_type_toggle at 0x18, u8 status at 0x19."""
    return struct.pack('<QH14sBB6s', handle, sq_cons_idx, b'', toggle | 0 << 1, status, b'')


def cqe_res_rc(toggle, status=0, length=64, wr_id=0, handle=HANDLE):
    """struct cq_res_rc: le32 length, le32 imm, le64 qp_handle, le64 mr_handle, type, status, le16 flags, le32 wr_id."""
    return struct.pack('<IIQQBBHI', length, 0, handle, 0, toggle | 1 << 1, status, 0, wr_id)


def cqe_of_type(toggle, kind, status=0):
    return struct.pack('<24sBB6s', b'\1', toggle | kind << 1, status, b'')


def nqe_cn(valid, handle=HANDLE):
    """struct nq_cn: le16 type 0x30, le16, le32 handle low, le32 v, le32 handle high."""
    return struct.pack('<HHIII', 0x30, 0, handle & 0xffffffff, valid, handle >> 32)


def pte(address, valid=True, last=False, next_to_last=False):
    return struct.pack('<Q', address | valid | last << 1 | next_to_last << 2)


def cq_with_error():
    """Four entries of the second pass (toggle 0), the third of them failed with 0xa, the rest of the first pass."""
    entries = [cqe_req(0, 0, 8), cqe_res_rc(0, 0, 4096, 7), cqe_req(0, 0xa, 9), cqe_req(0, 0xb, 10)]
    return b''.join(entries + [cqe_req(1, 0, i) for i in range(4)])


def cq_first_pass():
    """Three entries written, five never."""
    return b''.join([cqe_req(1, 0, i + 1) for i in range(3)]) + bytes(5 * 32)


def cq_unknown():
    """A type that no header has, a status that the type does not have, and a good entry."""
    return cqe_of_type(1, 5) + cqe_of_type(1, 0, 0x77) + cqe_req(1, 0, 3)


def cq_unknown_with_handle():
    """A type that no header has; where other types have the handle, something that looks like one."""
    return struct.pack('<QQ8sBB6s', HANDLE, HANDLE, b'', 1 | 5 << 1, 0, b'') * 2


def nq_unknown():
    return struct.pack('<HHIII', 0x3f, 0, HANDLE & 0xffffffff, 1, HANDLE >> 32) * 2


def cq_torn():
    return b''.join(cqe_req(bit, 0, 1) for bit in (1, 0, 1, 0))


def nq():
    return b''.join(nqe_cn(1) for _ in range(3)) + nqe_cn(0)


def l2_completions():
    """bnxt.h: a receive completion (type 17) takes two entries, a transmit completion (type 0) one; v is bit 0 of the
    word at 8 in all of them. The second half begins with flags, here with what would be the type of another entry."""
    receive = struct.pack('<HHIII', 17, 64, 0, 1, 0) + struct.pack('<IIII', 0x2e, 0, 1, 0)
    return receive + struct.pack('<HHIII', 0, 0, 5, 1, 0) + bytes(16)


def pages_table():
    """PTEs of a queue of five pages, as qplib_res.c bnxt_qplib_alloc_init_hwq fills them."""
    entries = [pte(0x100000 + i * 0x1000, next_to_last=i == 3, last=i == 4) for i in range(5)]
    return b''.join(entries).ljust(4096, b'\0')


def page_directory():
    """A directory of two tables, and the tables: 512 pages and 2, the last two marked."""
    directory = (pte(0x900000) + pte(0x901000)).ljust(4096, b'\0')
    first = b''.join(pte(0x200000 + i * 0x1000) for i in range(512))
    second = (pte(0x400000, next_to_last=True) + pte(0x401000, last=True)).ljust(4096, b'\0')
    return directory + first + second


def wide_directory():
    """A directory of two pages that names 600 tables, 512 pages each; the last table has two, marked as the end."""
    directory = b''.join(pte(0x900000 + i * 0x1000) for i in range(600)).ljust(2 * 4096, b'\0')
    tables = b''.join(pte(0x10000000 + i * 0x1000) for i in range(599 * 512))
    return directory + tables + (pte(0x400000, next_to_last=True) + pte(0x401000, last=True)).ljust(4096, b'\0')


def nq_toggles():
    """Notifications with toggles 0 and 2 (nq_cn, bits 7:6 of the first word)."""
    second = bytearray(nqe_cn(1))
    second[0] |= 2 << 6
    return nqe_cn(1) + bytes(second)


def send_wqe(sges, size=None):
    """struct sq_send: type 0, flags 1 (signalled), wqe_size in 16-byte units at 2, le32 length at 8; then sq_sge:
    le64 va, le32 l_key, le32 size."""
    head = struct.pack('<BBBBIIIIIII', 0, 1, size if size is not None else 2 + len(sges), 0, 0,
                       sum(s[2] for s in sges), 0, 0, 0, 0, 0)
    return head + b''.join(struct.pack('<QII', *sge) for sge in sges)


def sq_static():
    """Two requests of 128 bytes each."""
    return (send_wqe([(0x7f0000001000, 0x1200, 256)]).ljust(128, b'\0') +
            send_wqe([(0x7f0000002000, 0x1200, 64), (0x7f0000003000, 0x1300, 32)]).ljust(128, b'\0'))


def sq_variable():
    """Requests of 48 and 64 bytes, one behind the other."""
    return (send_wqe([(0x7f0000001000, 0x1200, 256)]) +
            send_wqe([(0x7f0000002000, 0x1200, 64), (0x7f0000003000, 0x1300, 32)]))


def build(name):
    return globals()[name.replace('-', '_')]()
