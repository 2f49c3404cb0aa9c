#include <evidence/redact_spans.h>

#include <algorithm>

namespace barscope::tool {

bool RedactedSpans::taken(std::size_t begin, std::size_t end) const {
    const auto after = std::lower_bound(spans_.begin(), spans_.end(), begin,
                                        [](const Span& span, std::size_t at) { return span.end <= at; });
    return after != spans_.end() && after->begin < end;
}

bool RedactedSpans::add(std::size_t begin, std::size_t end, IdentityKind kind, std::string normal) {
    if (begin >= end || taken(begin, end)) {
        return false;
    }
    const auto after = std::lower_bound(spans_.begin(), spans_.end(), begin,
                                        [](const Span& span, std::size_t at) { return span.end <= at; });
    spans_.insert(after, {begin, end, kind, std::move(normal)});
    return true;
}

std::string RedactedSpans::apply(std::string_view text, Pseudonyms& pseudonyms) {
    std::string out;
    std::size_t at = 0;
    for (const Span& span : spans_) {
        out += text.substr(at, span.begin - at);
        out += pseudonyms.of(span.kind, span.normal);
        at = span.end;
    }
    return out += text.substr(at);
}

} // namespace barscope::tool
