#include <commands/help.h>

#include <algorithm>
#include <array>

#include <regmaps/names.h>

namespace barscope::tool {

namespace {

struct Entry {
    Command command;
    std::string_view name, operands, summary;
};

constexpr std::array entries{
    Entry{Command::list, "list", "", "devices, what drives them, which map fits, whether they can be read"},
    Entry{Command::info, "info", "DEV",
          "identity, BARs, link, capabilities, driver, and the guard's verdicts"},
    Entry{Command::read, "read", "DEV REG...", "registers, fields or globs, decoded"},
    Entry{Command::dump, "dump", "DEV", "every register that the map allows to be read"},
    Entry{Command::check, "check", "DEV", "health verdicts; exit status 1 where one fails"},
    Entry{Command::snapshot, "snapshot", "DEV -o FILE", "everything about a device at a moment, in one file"},
    Entry{Command::show, "show", "SNAPSHOT", "a snapshot as text, JSON, Markdown or HTML"},
    Entry{Command::diff, "diff", "BEFORE AFTER",
          "what is different between two snapshots; exit status 1 where something is"},
    Entry{Command::verify, "verify", "SNAPSHOT...", "whether snapshots are as they were written"},
    Entry{Command::decode, "decode", "MAP:NAME VALUE...",
          "a register or structure from values, bytes or a file"},
    Entry{Command::hwq, "hwq", "DEV|FILE...",
          "RDMA queues as the kernel tells them, live or from saved output of rdma"},
    Entry{Command::driver_dump, "driver-dump", "DEV|FILE",
          "bnxt_en's own register dump (ethtool -d), asked for or saved, decoded"},
    Entry{Command::explain, "explain", "MAP:REG[.FIELD]", "what a register and its fields mean"},
    Entry{Command::fwlog, "fwlog", "DEV|FILE",
          "what firmware and driver have said: kernel log, firmware logs, core dumps"},
    Entry{Command::maps, "maps", "list|show|check|schema",
          "register maps: which there are, what they hold, whether one is right"},
    Entry{Command::doctor, "doctor", "[DEV]",
          "what this machine allows: privileges, lockdown, strict devmem, tools"},
    Entry{Command::write, "write", "DEV REG=VALUE --lab-override --reason TEXT",
          "write one register, for the lab: asked for, noted, once"},
    Entry{Command::audit, "audit", "[undo ID]", "what was done under lab override; how to undo a write"},
    Entry{Command::demo, "demo", "[DIR]", "a simulated device to try all of it on, without hardware or root"},
};

const Entry& entry_of(Command command) {
    for (const Entry& entry : entries) {
        if (entry.command == command) {
            return entry;
        }
    }
    return entries.front();
}

} // namespace

std::optional<Command> find_command(std::string_view name) {
    for (const Entry& entry : entries) {
        if (entry.name == name) {
            return entry.command;
        }
    }
    return std::nullopt;
}

std::string_view command_name(Command command) {
    return entry_of(command).name;
}

std::string_view command_summary(Command command) {
    return entry_of(command).summary;
}

std::string overview() {
    std::string text = "barscope " BARSCOPE_VERSION
                       ": reads PCI devices' registers, read-only and under guard, and decodes them\n\n";
    for (const Entry& entry : entries) {
        std::string line = "  barscope ";
        line += entry.name;
        line += entry.operands.empty() ? "" : " ";
        line += entry.operands;
        line.resize(std::max<std::size_t>(line.size() + 2, 36), ' ');
        text += line;
        text += entry.summary;
        text += '\n';
    }
    text +=
        "\nDEV is a PCI address (02:00.0), a network interface, an RDMA device, an NVMe controller (nvme0),\n"
        "vendor:device (14e4:1750), a snapshot, or a dump file (with --map). REG is NAME, NAME.FIELD, "
        "NAME[3],\n"
        "BLOCK[2].NAME or a quoted glob.\n\n"
        "  --root DIR            look up every system path below DIR\n"
        "  --map FILE            a map's file or name, instead of the best match\n"
        "  --format text|json    one JSON document on standard output\n"
        "  --color auto|always|never\n\n"
        "`barscope COMMAND --help` lists the command's options. New here? `barscope demo`\n";
    return text;
}

Error unknown_command(std::string_view name) {
    std::array<std::string_view, entries.size()> names;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        names[i] = entries[i].name;
    }
    std::string remedy = regmaps::did_you_mean(name, names);
    return {.code = ErrorCode::usage,
            .cause = "unknown-command",
            .what = "there is no such command",
            .where = std::string(name),
            .remedy = remedy.empty() ? "`barscope --help` lists the commands" : remedy};
}

} // namespace barscope::tool
