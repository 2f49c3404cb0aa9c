#include "compare.h"

namespace barscope::fwlog {

namespace {

// "mlx5_core 0001:19:00.0:": what a row's message begins with names its device.
std::string_view device_words(std::string_view message) {
    const std::size_t first = message.find(' ');
    const std::size_t second = first == std::string_view::npos ? first : message.find(' ', first + 1);
    return message.substr(0, second);
}

std::string key_of(std::string_view field, std::string_view message) {
    return std::string(field) + " " + std::string(device_words(message));
}

} // namespace

std::string joined_parts(const PatternField& field, std::uint64_t value) {
    std::string text;
    for (const BitRange part : field.parts) {
        const unsigned width = part.msb - part.lsb + 1U;
        const std::uint64_t mask = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
        text += (text.empty() ? "" : ".") + std::to_string(value >> part.lsb & mask);
    }
    return text;
}

void Comparison::see(Record& record) {
    if (record.pattern == nullptr) {
        return;
    }
    for (FieldValue& value : record.fields) {
        const PatternField& field = *value.field;
        if (!field.compare.empty() && !value.all_ones) {
            auto found = last_.find(key_of(field.compare, record.message));
            if (found == last_.end()) {
                found = last_.find(field.compare + " "); // rows of a tool, which name no device
            }
            if (found != last_.end() && found->second != joined_parts(field, value.value)) {
                value.differs = found->second;
            }
        }
        if (record.pattern->remembered && last_.size() < most) {
            const std::string name = record.pattern->name + "." + field.name;
            const bool bare = record.message.starts_with(record.pattern->pieces.front().literal);
            last_[bare ? name + " " : key_of(name, record.message)] = std::string(value.text);
        }
    }
}

} // namespace barscope::fwlog
