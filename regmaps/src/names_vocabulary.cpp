#include "names_vocabulary.h"

namespace barscope::regmaps {

std::string_view name(Access value) {
    return text_of(value, "?");
}
std::string_view name(ReadAction value) {
    return text_of(value, "unclaimed");
}
std::string_view name(ModifiedWrite value) {
    return text_of(value, "none");
}
std::string_view name(Volatility value) {
    return text_of(value, "?");
}
std::string_view name(Severity value) {
    return text_of(value, "unspecified");
}
std::string_view name(Display value) {
    return text_of(value, "?");
}
std::string_view name(Sensitive value) {
    return text_of(value, "no");
}

} // namespace barscope::regmaps
