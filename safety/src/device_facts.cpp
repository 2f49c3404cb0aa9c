#include <safety/config_space.h>
#include <safety/gate.h>

#include <fmt/format.h>

#include "device_files.h"
#include "resource_rows.h"

namespace barscope::safety {
namespace {

constexpr std::string_view revision_file = "revision";

// The attribute exists since Linux 4.10; before that only configuration space has it (offset 8).
Result<std::uint64_t> revision(const SystemRoot& root, const DeviceFiles& files, const PciAddress& address) {
    if (file_exists(files.file(revision_file)) || !directory_exists(files.directory())) {
        return files.number(revision_file, 0xff);
    }
    if (const auto config = ConfigSpace::open(root, address)) {
        if (const auto value = (*config)->read(8, 8)) {
            return *value;
        }
    }
    return files.number(revision_file, 0xff);
}

Result<void> read_identity(const SystemRoot& root, const DeviceFiles& files, DeviceFacts& facts) {
    const auto vendor = files.number("vendor", 0xffff);
    const auto device = vendor ? files.number("device", 0xffff) : vendor;
    const auto subsystem_vendor = device ? files.number("subsystem_vendor", 0xffff) : device;
    const auto subsystem_device =
        subsystem_vendor ? files.number("subsystem_device", 0xffff) : subsystem_vendor;
    const auto class_code = subsystem_device ? files.number("class", 0xffffff) : subsystem_device;
    const auto rev = class_code ? revision(root, files, facts.address) : class_code;
    if (!rev) {
        return fail(rev.error());
    }
    facts.vendor = static_cast<std::uint16_t>(*vendor);
    facts.device = static_cast<std::uint16_t>(*device);
    facts.subsystem_vendor = static_cast<std::uint16_t>(*subsystem_vendor);
    facts.subsystem_device = static_cast<std::uint16_t>(*subsystem_device);
    facts.class_code = static_cast<std::uint32_t>(*class_code);
    facts.revision = static_cast<std::uint8_t>(*rev);
    return {};
}

Result<void> read_state(const DeviceFiles& files, DeviceFacts& facts) {
    auto driver = files.link_name("driver");
    auto power_state = driver ? files.optional_line("power_state") : driver;
    auto runtime_status = power_state ? files.optional_line("power/runtime_status") : power_state;
    if (!runtime_status) {
        return fail(runtime_status.error());
    }
    facts.driver = std::move(*driver);
    facts.power_state = std::move(*power_state);
    facts.runtime_status = std::move(*runtime_status);
    return {};
}

Result<void> read_physical_function(const DeviceFiles& files, DeviceFacts& facts) {
    const Result<std::string> target = files.link_name("physfn");
    if (!target) {
        return fail(target.error());
    }
    if (target->empty()) {
        return {};
    }
    const Result<PciAddress> address = parse_pci_address(*target);
    if (!address) {
        return fail({ErrorCode::bad_input, "attribute-malformed",
                     fmt::format("'{}' is not a PCI address", *target), files.file("physfn"), ""});
    }
    facts.physical_function = *address;
    return {};
}

Result<void> read_bars(const DeviceFiles& files, DeviceFacts& facts) {
    const Result<std::string> text = files.text("resource");
    if (!text) {
        return fail(text.error());
    }
    const auto bars = parse_resource_rows(*text, files.file("resource"));
    if (!bars) {
        return fail(bars.error());
    }
    facts.bars = *bars;
    return {};
}

} // namespace

Result<DeviceFacts> read_device_facts(const SystemRoot& root, const PciAddress& address) {
    const DeviceFiles files(root, address);
    if (!directory_exists(files.directory())) {
        return fail(device_absent(root, address));
    }
    DeviceFacts facts;
    facts.address = address;
    facts.directory = files.directory();
    const Result<void> done = read_identity(root, files, facts)
                                  .and_then([&] { return read_state(files, facts); })
                                  .and_then([&] { return read_physical_function(files, facts); })
                                  .and_then([&] { return read_bars(files, facts); });
    if (!done) {
        return fail(done.error());
    }
    return facts;
}

} // namespace barscope::safety
