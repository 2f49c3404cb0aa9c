#include <commands/confinement.h>

#include <algorithm>

#include <device/files.h>
#include <device/lookup.h>
#include <device/selector.h>

namespace barscope::tool {

namespace {

// As select_target() decides, which is asked only where the name could be both.
bool names_file(const Arguments& arguments, const std::string& text) {
    if (text == "-" || text.find('/') != std::string::npos) {
        return true;
    }
    if (!exists(text)) {
        return false;
    }
    const auto target = select_target(system_root(arguments.root), text);
    return target && std::holds_alternative<DumpFile>(*target);
}

} // namespace

bool reads_files_only(const Arguments& arguments) {
    if (arguments.lab_override) { // it keeps an audit log
        return false;
    }
    switch (arguments.command) {
    case Command::show:
    case Command::diff:
    case Command::verify:
        return arguments.report.output.empty();
    case Command::decode:
    case Command::explain:
    case Command::maps:
        return true;
    case Command::read:
    case Command::dump:
    case Command::check:
    case Command::info:
        return arguments.capture.access_log.empty() && names_file(arguments, arguments.device);
    case Command::driver_dump:
        return names_file(arguments, arguments.device);
    case Command::fwlog:
        return arguments.log.extract.empty() && names_file(arguments, arguments.device);
    case Command::hwq:
        return std::all_of(arguments.hwq.operands.begin(), arguments.hwq.operands.end(),
                           [&](const std::string& operand) {
                               return operand.ends_with(".json") || names_file(arguments, operand);
                           });
    default:
        return false;
    }
}

} // namespace barscope::tool
