// Any bytes as a dump file: refused, or words that lie within it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <device/dump_file.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace barscope;
    const auto image = tool::DumpImage::parse({data, data + size}, 0x1000, "fuzz");
    if (!image) {
        if (image.error().what.empty()) {
            std::abort();
        }
        return 0;
    }
    for (const unsigned width : {8U, 16U, 32U, 64U}) {
        for (const std::uint64_t address :
             {std::uint64_t{0}, std::uint64_t{0x1000}, image->end() - 4, image->end(), UINT64_MAX}) {
            const bool inside = image->word(address, width, safety::ByteOrder::little).has_value();
            if (inside && std::string_view(image->format()) == "binary" &&
                (address < 0x1000 || address > image->end() - width / 8)) {
                std::abort();
            }
        }
    }
    return 0;
}
