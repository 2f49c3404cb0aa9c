// Why something that a check or a derived value looked at has no value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <capture/capture.h>

namespace barscope::tool {

enum class Lack {
    failed,        // it was asked for and has no value
    unplaced,      // nobody knows whether or where the device has it
    absent,        // the device does not have it
    not_asked_for, // it lies outside of what was to be read
};

struct Unread {
    Lack lack = Lack::failed;
    std::string why;
};

// `input`: "NAME.FIELD", "BLOCK[2].NAME" a derived value's or a counter's name, as the decoder calls it.
Unread why_unread(const regmaps::RegisterMap& map, const Capture& capture, std::string_view input);

// A derived value that applies and has no value, for a reason that lies in what was asked for: one that only
// needs what nobody asked for, or what this device does not have, is none of the answer's business.
std::optional<std::string> why_unknown(const regmaps::RegisterMap& map, const Capture& capture,
                                       const regmaps::DecodedValue& value);

} // namespace barscope::tool
