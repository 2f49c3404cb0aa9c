#include <evidence/redact.h>

#include <array>

#include <evidence/redact_patterns.h>

namespace barscope::tool {

namespace {

void find_addresses(std::string_view text, const MacSet& macs, RedactedSpans& spans) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (auto found = identity_at(text, at, macs)) {
            const std::size_t size = found->size;
            spans.add(at, at + size, found->kind, std::move(found->normal));
            at += size - 1;
        }
    }
}

bool names_version(std::string_view name) {
    constexpr std::array<std::string_view, 6> words{"version",  "firmware", "fw",
                                                    "running ", "fixed ",   "stored "};
    for (const std::string_view word : words) {
        if (name.find(word) != std::string_view::npos) {
            return true;
        }
    }
    return false;
}

} // namespace

std::string Redaction::text(std::string_view text) {
    RedactedSpans spans;
    known_.find_paths(text, spans);
    find_command_lines(text, spans);
    find_qualified_names(text, spans);
    find_addresses(text, known_.macs(), spans);
    known_.find_names(text, spans);
    known_.find_bytes(text, spans);
    find_ipv4(text, spans);
    find_worded(text, spans);
    return spans.apply(text, pseudonyms_);
}

std::string Redaction::value(std::string_view name, std::string_view text) {
    const std::string key = lower(name);
    if (key.find("serial") != std::string::npos && !text.empty()) {
        const auto whole = identity_at(text, 0, known_.macs());
        return whole && whole->size == text.size() ? pseudonyms_.of(whole->kind, whole->normal)
                                                   : pseudonyms_.of(IdentityKind::serial, lower(text));
    }
    if (names_version(key)) {
        return known_in(text);
    }
    return this->text(text);
}

std::string Redaction::known_in(std::string_view text) {
    RedactedSpans spans;
    known_.find_paths(text, spans);
    known_.find_names(text, spans);
    known_.find_bytes(text, spans);
    return spans.apply(text, pseudonyms_);
}

std::string Redaction::numbers_in(std::string_view json) {
    RedactedSpans spans;
    known_.find_paths(json, spans);
    known_.find_bytes(json, spans);
    return spans.apply(json, pseudonyms_);
}

void Redaction::error(Error& error) {
    error.what = text(error.what);
    error.where = text(error.where);
    error.remedy = text(error.remedy);
}

void Redaction::recording(Recording& recording) {
    for (RecordedPass& pass : recording.passes) {
        if (pass.refusal) {
            error(*pass.refusal);
        }
        for (RecordedCounter& counter : pass.counters) {
            counter.why = text(counter.why);
        }
        for (RecordedSource& source : pass.sources) {
            source.description = text(source.description);
            source.note = text(source.note);
            if (source.refusal) {
                error(*source.refusal);
            }
        }
    }
}

} // namespace barscope::tool
