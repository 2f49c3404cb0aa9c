// Collectors that run helper programs: ethtool, rdma, devlink. By their full paths, with fixed arguments,
// under a time limit, and never below --root.
#include <context/collectors.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <capture/hwq.h>
#include <device/child.h>
#include <device/files.h>
#include <device/rdma_tool.h>

namespace barscope::tool {

namespace {

std::string program_path(const std::string& name) {
    for (const char* folder : {"/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/"}) {
        if (exists(folder + name)) {
            return folder + name;
        }
    }
    return {};
}

std::string trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    const std::size_t end = text.find_last_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string() : std::string(text.substr(begin, end - begin + 1));
}

bool may_run(Collected& collected, const ContextRequest& request, const std::string& program,
             std::string& path) {
    if (!request.root.is_live()) {
        collected.status = CollectorStatus::not_asked;
        collected.why = "the running machine's programs know nothing of what lies below --root";
        return false;
    }
    path = program_path(program);
    if (path.empty()) {
        collected.why = program + " is not installed";
        return false;
    }
    return true;
}

// The first line of what it complained about.
std::string complaint(const ChildOutput& output) {
    const std::string& text = output.err.empty() ? output.out : output.err;
    const std::string line = trimmed(std::string_view(text).substr(0, text.find('\n')));
    return line.empty() ? "it ended with status " + std::to_string(output.status) : line;
}

// "NAME: VALUE" lines. A line without a value begins a section, whose name goes before the names in it where
// one of them stands there twice (ethtool -g: "Pre-set maximums:", "Current hardware settings:").
void add_lines(Collected& collected, std::string_view text) {
    std::string section;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const std::size_t colon =
            line.find(": ") != std::string_view::npos ? line.find(": ") : line.find(":\t");
        if (colon == std::string_view::npos) {
            const std::string head = trimmed(line);
            if (head.size() > 1 && head.back() == ':' && head.find(" for ") == std::string::npos) {
                section = head.substr(0, head.size() - 1);
            }
            continue;
        }
        const std::string name = trimmed(line.substr(0, colon));
        collected.values.emplace_back(section.empty() ? name : fmt::format("{}: {}", section, name),
                                      trimmed(line.substr(colon + 1)));
    }
}

} // namespace

ChildLimits helper_limits(const ContextRequest& request) {
    return within(request.watch, {.time = std::chrono::seconds(5), .output = std::size_t{4} << 20});
}

Collected collect_ethtool(const ContextRequest& request, const std::string& option,
                          const std::string& interface, CollectorKind kind) {
    const std::string words = option.empty() ? "ethtool " : "ethtool " + option + " ";
    Collected collected = begin_collector(words + interface, kind);
    std::string program;
    if (!may_run(collected, request, "ethtool", program)) {
        return collected;
    }
    std::vector<std::string> arguments;
    if (!option.empty()) {
        arguments.push_back(option);
    }
    arguments.push_back(interface);
    collected.source = program + (option.empty() ? "" : " " + option) + " " + interface;
    const auto output = run_child(program, arguments, helper_limits(request));
    if (!output) {
        collected.status = CollectorStatus::failed;
        collected.why = to_string(output.error());
        return collected;
    }
    add_lines(collected, output->out);
    collected.status = collected.values.empty() ? CollectorStatus::failed : CollectorStatus::read;
    collected.why = collected.values.empty() ? complaint(*output) : "";
    return collected;
}

Collected collect_devlink_info(const ContextRequest& request) {
    Collected collected = begin_collector("devlink dev info", CollectorKind::settings);
    std::string program;
    if (!may_run(collected, request, "devlink", program)) {
        return collected;
    }
    const std::string device = "pci/" + to_string(request.facts.address);
    collected.source = program + " dev info " + device;
    if (!request.firmware_sick.empty()) {
        collected.status = CollectorStatus::not_asked;
        collected.why = request.firmware_sick;
        return collected;
    }
    const auto output = run_child(program, {"dev", "info", device}, helper_limits(request));
    if (!output) {
        collected.status = CollectorStatus::failed;
        collected.why = to_string(output.error());
        return collected;
    }
    // "  driver bnxt_en", "versions:", "      fixed:", "        asic.id 1750"
    std::string section;
    std::string_view text = output->out;
    while (!text.empty()) {
        const std::string line = trimmed(text.substr(0, text.find('\n')));
        text.remove_prefix(std::min(
            text.find('\n') == std::string_view::npos ? text.size() : text.find('\n') + 1, text.size()));
        if (line.ends_with(':')) {
            section =
                line.starts_with("pci/") || line == "versions:" ? "" : line.substr(0, line.size() - 1) + " ";
        } else if (const std::size_t space = line.find(' '); space != std::string::npos) {
            collected.values.emplace_back(section + line.substr(0, space), trimmed(line.substr(space + 1)));
        }
    }
    collected.status = collected.values.empty() ? CollectorStatus::failed : CollectorStatus::read;
    collected.why = collected.values.empty() ? complaint(*output) : "";
    return collected;
}

Collected collect_rdma_resources(const ContextRequest& request, const std::string& device) {
    Collected collected = begin_collector("RDMA resources " + device, CollectorKind::table);
    std::string program;
    if (!may_run(collected, request, "rdma", program)) {
        return collected;
    }
    collected.source = program + " -d -d -j resource show qp|cq|srq|mr " + device;
    const auto unanswered = [&](HwqKind kind, const std::string& why) {
        collected.why += (collected.why.empty() ? "" : "; ") + std::string(name(kind)) + ": " + why;
    };
    for (const HwqKind kind : {HwqKind::qp, HwqKind::cq, HwqKind::srq, HwqKind::mr}) {
        // For each queue pair the driver asks its firmware (QUERY_QP); the others it knows itself.
        if (kind == HwqKind::qp && !request.firmware_sick.empty()) {
            unanswered(kind, "not asked: " + request.firmware_sick);
            continue;
        }
        const auto output =
            run_rdma_show(request.root, std::string(name(kind)), device, false, helper_limits(request));
        const auto objects = output ? parse_hwq(output->text, kind, output->command)
                                    : Result<std::vector<HwqObject>>(fail(output.error()));
        if (!objects) {
            unanswered(kind, objects.error().what);
            continue;
        }
        collected.status = CollectorStatus::read;
        for (const HwqObject& object : *objects) {
            std::string text;
            for (const HwqValue& value : object.values) {
                if (!value.hidden) {
                    text += (text.empty() ? "" : " ") + value.name + "=" + value.text;
                }
            }
            collected.values.emplace_back(
                std::string(name(kind)) + " " + (object.id ? std::to_string(*object.id) : "?"), text);
        }
    }
    if (collected.status != CollectorStatus::read) {
        collected.status = CollectorStatus::failed;
    }
    return collected;
}

} // namespace barscope::tool
