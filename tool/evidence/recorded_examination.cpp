#include <evidence/recorded_examination.h>

#include <evidence/json_fields.h>

namespace barscope::tool {

namespace {

using nlohmann::json;

const json& member(const json& object, const char* name) {
    static const json nothing;
    const auto found = object.is_object() ? object.find(name) : object.end();
    return object.is_object() && found != object.end() ? *found : nothing;
}

std::string text(const json& object, const char* name) {
    const json& value = member(object, name);
    return value.is_string() ? value.get<std::string>() : std::string();
}

std::uint64_t hex(const json& object, const char* name) {
    const std::string digits = text(object, name);
    std::uint64_t value = 0;
    for (const char c : std::string_view(digits).substr(digits.starts_with("0x") ? 2 : 0)) {
        const bool decimal = c >= '0' && c <= '9';
        if (!decimal && (c < 'a' || c > 'f')) {
            return 0;
        }
        value = value << 4 | static_cast<std::uint64_t>(decimal ? c - '0' : c - 'a' + 10);
    }
    return value;
}

bool flag(const json& object, const char* name) {
    const json& value = member(object, name);
    return value.is_boolean() && value.get<bool>();
}

std::vector<std::string> texts(const json& array) {
    std::vector<std::string> list;
    for (std::size_t i = 0; array.is_array() && i < array.size(); ++i) {
        if (array[i].is_string()) {
            list.push_back(array[i].get<std::string>());
        }
    }
    return list;
}

void read_bars(const json& bars, safety::DeviceFacts& facts) {
    for (std::size_t i = 0; bars.is_array() && i < bars.size() && i < facts.bars.size(); ++i) {
        safety::Bar& bar = facts.bars.at(i);
        const std::string kind = text(bars[i], "kind");
        bar.kind = kind == "32-bit memory"   ? safety::BarKind::memory32
                   : kind == "64-bit memory" ? safety::BarKind::memory64
                   : kind == "I/O ports"     ? safety::BarKind::io
                   : kind == "absent"        ? safety::BarKind::absent
                                             : safety::BarKind::upper_half;
        bar.prefetchable = flag(bars[i], "prefetchable");
        bar.start = hex(bars[i], "start");
        bar.size = hex(bars[i], "size");
        bar.flags = hex(bars[i], "flags");
    }
}

unsigned speed_code(std::string_view name) {
    for (unsigned code = 1; !link_speed_name(code).empty(); ++code) {
        if (link_speed_name(code) == name) {
            return code;
        }
    }
    return 0;
}

unsigned small_number(const json& object, const char* name) {
    const json& value = member(object, name);
    return value.is_number_unsigned() ? value.get<unsigned>() : 0;
}

void read_link(const json& link, Examination& device) {
    device.link = {text(link, "speed"), text(link, "width"), text(link, "maxSpeed"), text(link, "maxWidth")};
    const json& config = member(link, "config");
    device.config_link = {speed_code(text(config, "speed")), small_number(config, "width"),
                          speed_code(text(config, "maxSpeed")), small_number(config, "maxWidth")};
}

void read_capabilities(const json& list, Examination& device) {
    for (std::size_t i = 0; list.is_array() && i < list.size(); ++i) {
        device.capabilities.push_back({static_cast<std::uint16_t>(hex(list[i], "id")),
                                       static_cast<std::uint32_t>(hex(list[i], "offset")),
                                       flag(list[i], "extended")});
    }
}

void read_verdicts(const json& list, Examination& device) {
    for (std::size_t i = 0; list.is_array() && i < list.size(); ++i) {
        safety::Verdict verdict;
        verdict.check = text(list[i], "check");
        verdict.passed = flag(list[i], "passed");
        verdict.checked = flag(list[i], "checked");
        verdict.detail = text(list[i], "detail");
        if (!verdict.passed) {
            verdict.refusal = Error{
                ErrorCode::refused, text(list[i], "cause"), verdict.detail, {}, text(list[i], "remedy")};
        }
        device.verdicts.push_back(std::move(verdict));
    }
}

} // namespace

Result<Examination> recorded_examination(const Snapshot& snapshot, const regmaps::RegisterMap* map) {
    const json& recorded = member(*snapshot.head, "device");
    Examination device;
    safety::DeviceFacts& facts = device.facts;
    const auto address = safety::parse_pci_address(text(recorded, "address"));
    if (!address) {
        return fail(bad_snapshot(snapshot.path, "/device/address", "a PCI address is expected"));
    }
    facts.address = *address;
    facts.vendor = snapshot.pci.vendor;
    facts.device = snapshot.pci.device;
    facts.subsystem_vendor = snapshot.pci.subsystem_vendor;
    facts.subsystem_device = snapshot.pci.subsystem_device;
    facts.class_code = snapshot.pci.class_code;
    facts.revision = snapshot.pci.revision;
    facts.driver = text(member(recorded, "driver"), "name");
    facts.power_state = text(recorded, "powerState");
    facts.runtime_status = text(recorded, "runtimeStatus");
    if (const auto function = safety::parse_pci_address(text(recorded, "physicalFunction"))) {
        facts.physical_function = *function;
    }
    facts.directory = snapshot.path;
    read_bars(member(recorded, "bars"), facts);
    device.class_name = text(recorded, "className");
    device.description = text(recorded, "description");
    const json& names = member(recorded, "names");
    device.names = {texts(member(names, "net")), texts(member(names, "rdma")), texts(member(names, "nvme"))};
    device.driver_version = text(member(recorded, "driver"), "version");
    device.numa_node = text(recorded, "numaNode");
    device.iommu_group = text(recorded, "iommuGroup");
    read_link(member(recorded, "link"), device);
    read_capabilities(member(recorded, "capabilities"), device);
    read_verdicts(member(recorded, "verdicts"), device);
    if (map != nullptr) {
        device.map = *map;
        device.specific = regmaps::match_specificity(*map, snapshot.pci).value_or(0) > 0;
    }
    return device;
}

} // namespace barscope::tool
