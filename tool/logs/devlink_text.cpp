#include <logs/devlink_text.h>

#include <algorithm>

namespace barscope::tool {

std::string devlink_section(std::string_view output, std::string_view device) {
    std::string section;
    bool inside = false;
    while (!output.empty()) {
        const std::size_t end = output.find('\n');
        const std::string_view row = output.substr(0, end);
        output.remove_prefix(end == std::string_view::npos ? output.size() : end + 1);
        if (!row.empty() && row[0] != ' ' && row[0] != '\t') { // "pci/0000:3b:00.0:", "pci/0000:3b:00.0/1:"
            const std::string_view rest = row.substr(std::min(device.size(), row.size()));
            inside = row.starts_with(device) && (rest.starts_with(':') || rest.starts_with('/'));
        }
        if (inside) {
            section += row;
            section += '\n';
        }
    }
    return section;
}

} // namespace barscope::tool
