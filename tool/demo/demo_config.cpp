#include <demo/demo_config.h>

#include <span>

#include <demo/tree_writer.h>

namespace barscope::tool {

namespace {

ConfigImage image_of(std::span<const Datum> data) {
    ConfigImage image{};
    for (const Datum& datum : data) {
        for (unsigned i = 0; i < datum.bytes; ++i) {
            image.at(datum.offset + i) = static_cast<std::uint8_t>(datum.value >> (8 * i));
        }
    }
    return image;
}

// Offset, value, bytes.
constexpr Datum nic[] = {
    {0x00, 0x14e4, 2},      {0x02, 0x1750, 2},     // vendor, device
    {0x04, 0x0546, 2},                             // command: memory, bus master, parity, SERR, no INTx
    {0x06, 0x0010, 2},                             // status: capability list
    {0x08, 0x11, 1},        {0x09, 0x020000, 3},   // revision, class: Ethernet
    {0x0c, 0x08, 1},                               // cache line: 32 bytes
    {0x10, 0x0101000c, 4},  {0x14, 0x00003800, 4}, // BAR 0: 64-bit, prefetchable, at 0x3800'0101'0000
    {0x18, 0x0000000c, 4},  {0x1c, 0x00003800, 4}, // BAR 2: at 0x3800'0000'0000
    {0x20, 0x0102000c, 4},  {0x24, 0x00003800, 4}, // BAR 4: at 0x3800'0102'0000
    {0x2c, 0x14e4, 2},      {0x2e, 0x5045, 2},     // subsystem
    {0x30, 0xb3b40000, 4},                         // expansion ROM, disabled
    {0x34, 0x48, 1},                               // first capability
    {0x3d, 0x01, 1},                               // INTA

    {0x48, 0x01, 1},        {0x49, 0xa0, 1}, // power management; next
    {0x4a, 0xc803, 2},                       // version 3, PME from D0, D3hot and D3cold
    {0x4c, 0x0008, 2},                       // D0, no soft reset

    {0xa0, 0x11, 1},        {0xa1, 0xac, 1}, // MSI-X
    {0xa2, 0x81ff, 2},                       // enabled, 512 vectors
    {0xa4, 0x00000004, 4},                   // table at BAR 4 + 0
    {0xa8, 0x00004004, 4},                   // pending bits at BAR 4 + 0x4000

    {0xac, 0x10, 1},        {0xad, 0x00, 1}, // PCI Express
    {0xae, 0x0002, 2},                       // version 2, endpoint
    {0xb0, 0x10008fe2, 4},                   // payload up to 512, extended tags, role-based errors, FLR
    {0xb4, 0x2937, 2},                       // errors reported, payload 256, read request 512
    {0xb6, 0x0001, 2},                       // status: a correctable error was seen
    {0xb8, 0x00400104, 4},                   // link: up to 16 GT/s, x16
    {0xbc, 0x0040, 2},                       // common clock
    {0xbe, 0x1084, 2},                       // link now: 16 GT/s, but x8
    {0xd0, 0x0001001f, 4},                   // completion timeouts A to D, 10-bit tags
    {0xd8, 0x0000001e, 4},                   // 2.5 to 16 GT/s
    {0xdc, 0x0004, 2},                       // target 16 GT/s
    {0xde, 0x001e, 2},                       // equalization complete

    {0x100, 0x13c10001, 4}, // advanced error reporting, version 1; next 0x13c
    {0x10c, 0x00062030, 4}, // severities as after reset
    {0x110, 0x00000041, 4}, // correctable errors logged: receiver error, bad TLP
    {0x114, 0x00002000, 4}, // advisory non-fatal errors masked
    {0x118, 0x000000a0, 4}, // can generate and check ECRC

    {0x13c, 0x00010003, 4}, // device serial number
    {0x140, 0xfe000002, 4}, {0x144, 0x000001ff, 4},
};

constexpr Datum nvme[] = {
    {0x00, 0x1b36, 2},      {0x02, 0x0010, 2}, // the ids of QEMU's NVMe controller
    {0x04, 0x0406, 2},      {0x06, 0x0010, 2}, // memory, bus master, no INTx
    {0x08, 0x02, 1},        {0x09, 0x010802, 3},    {0x10, 0xa1200004, 4},
    {0x14, 0x00000000, 4}, // BAR 0: 64-bit
    {0x2c, 0x1af4, 2},      {0x2e, 0x1100, 2},      {0x34, 0x40, 1},
    {0x3d, 0x01, 1},

    {0x40, 0x11, 1},        {0x41, 0x80, 1}, // MSI-X: 65 vectors at BAR 0 + 0x2000, pending bits at + 0x3000
    {0x42, 0x8040, 2},      {0x44, 0x00002000, 4},  {0x48, 0x00003000, 4},

    {0x60, 0x01, 1},        {0x61, 0x00, 1}, // power management
    {0x62, 0x0003, 2},      {0x64, 0x0008, 2},

    {0x80, 0x10, 1},        {0x81, 0x60, 1}, // PCI Express endpoint, 8 GT/s x4, runs as it can
    {0x82, 0x0002, 2},      {0x84, 0x10008001, 4},  {0x88, 0x2816, 2},
    {0x8c, 0x00000043, 4},  {0x90, 0x0040, 2},      {0x92, 0x1043, 2},
    {0xa4, 0x0000001f, 4},  {0xac, 0x0000000e, 4},  {0xb0, 0x0003, 2},
    {0xb2, 0x001e, 2},

    {0x100, 0x00020001, 4}, // advanced error reporting, version 2, nothing logged
    {0x10c, 0x00462030, 4}, {0x114, 0x00002000, 4}, {0x118, 0x000000a0, 4},
};

} // namespace

ConfigImage demo_nic_config() {
    return image_of(nic);
}

ConfigImage demo_nvme_config() {
    return image_of(nvme);
}

} // namespace barscope::tool
