#include <render/style.h>

namespace barscope::tool {

std::string_view Style::code(Ink ink) {
    switch (ink) {
    case Ink::plain:
        return "";
    case Ink::dim:
        return "\033[2m";
    case Ink::heading:
        return "\033[1m";
    case Ink::good:
        return "\033[32m";
    case Ink::notice:
        return "\033[36m";
    case Ink::warning:
        return "\033[33m";
    case Ink::critical:
        return "\033[1;31m";
    }
    return "";
}

Ink ink_of(regmaps::Severity severity) {
    switch (severity) {
    case regmaps::Severity::unspecified:
        return Ink::plain;
    case regmaps::Severity::ok:
        return Ink::good;
    case regmaps::Severity::notice:
        return Ink::notice;
    case regmaps::Severity::warning:
        return Ink::warning;
    case regmaps::Severity::critical:
        return Ink::critical;
    }
    return Ink::plain;
}

} // namespace barscope::tool
