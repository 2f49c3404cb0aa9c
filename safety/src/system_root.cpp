#include <safety/gate.h>

namespace barscope::safety {

SystemRoot::SystemRoot(std::string root) : root_(std::move(root)) {
    while (root_.ends_with('/')) {
        root_.pop_back();
    }
}

std::string SystemRoot::path(std::string_view absolute) const {
    std::string path = root_;
    if (!absolute.starts_with('/')) {
        path += '/';
    }
    return path += absolute;
}

} // namespace barscope::safety
