// Any bytes as input of `decode` and of `hwq`: refused with a reason, or bytes within the limit.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <capture/hwq.h>
#include <device/hex_text.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace barscope;
    constexpr std::size_t limit = 1 << 16;
    const std::vector<char> copy(data, data + size);
    const std::string_view text(copy.data(), copy.size());
    for (const tool::InputForm form : {tool::InputForm::automatic, tool::InputForm::bytes,
                                       tool::InputForm::words, tool::InputForm::binary}) {
        const auto input = tool::parse_input(text, form, limit, "fuzz");
        if (!input && input.error().what.empty()) {
            std::abort();
        }
        // Repeated rows end at the limit; what was written out in full may be as long as the text.
        if (input && input->bytes.size() > limit + size) {
            std::abort();
        }
    }
    auto objects = tool::parse_hwq(text, tool::HwqKind::qp, "fuzz");
    if (objects) {
        tool::judge_contexts(*objects);
    } else if (objects.error().what.empty()) {
        std::abort();
    }
    return 0;
}
