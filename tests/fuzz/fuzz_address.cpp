// Any text as a PCI address or a number: refused, or a value that prints back to itself.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <device/number.h>
#include <regmaps/names.h>
#include <safety/gate.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace barscope;
    const std::string text(data, data + size);
    if (const auto address = safety::parse_pci_address(text)) {
        const auto again = safety::parse_pci_address(safety::to_string(*address));
        if (!again || *again != *address || address->device > 31 || address->function > 7) {
            std::abort();
        }
    }
    if (const auto number = tool::parse_number(text)) {
        if (tool::parse_number(std::to_string(*number)) != number) {
            std::abort();
        }
    }
    const std::string_view half = std::string_view(text).substr(0, text.size() / 2);
    (void)regmaps::glob_match(half, text);
    const std::string_view candidates[] = {half, "STATUS", "CONTROL"};
    (void)regmaps::closest_names(text, candidates);
    return 0;
}
