#include "process_status.h"

#include "text.h"

namespace barscope::safety {

bool has_capability(const SystemRoot& root, unsigned bit) {
    constexpr std::string_view key = "\nCapEff:";
    const FileText status = read_small_file(root.path("/proc/self/status"));
    const std::string text = "\n" + status.text;
    const std::size_t at = text.find(key);
    if (status.error != 0 || at == std::string::npos) {
        return false;
    }
    const std::string_view rest = std::string_view(text).substr(at + key.size());
    const auto mask = parse_hex(trimmed(rest.substr(0, rest.find('\n'))));
    return mask && ((*mask >> bit) & 1U) != 0;
}

std::string lockdown_mode(const SystemRoot& root) {
    const FileText file = read_small_file(root.path("/sys/kernel/security/lockdown"));
    const std::size_t open = file.text.find('[');
    const std::size_t close = file.text.find(']', open == std::string::npos ? 0 : open);
    if (open == std::string::npos || close == std::string::npos) {
        return {};
    }
    return file.text.substr(open + 1, close - open - 1);
}

bool selinux_enforcing(const SystemRoot& root) {
    return trimmed(read_small_file(root.path("/sys/fs/selinux/enforce")).text) == "1";
}

} // namespace barscope::safety
