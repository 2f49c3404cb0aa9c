#include <evidence/redact_known.h>

#include <algorithm>
#include <array>

#include <evidence/redact_digits.h>

namespace barscope::tool {

namespace {

// Names that every machine has identify nobody.
bool is_common(std::string_view text) {
    constexpr std::array<std::string_view, 12> common{
        "root", "localhost",      "localdomain", "(none)", "none",          "unknown",
        "n/a",  "default string", "0",           "local",  "not specified", "to be filled by o.e.m."};
    return text.size() < 2 || std::find(common.begin(), common.end(), text) != common.end() ||
           text.find_first_not_of("0-:. ") == std::string_view::npos;
}

// Whether the text would hardly stand within another word by chance.
bool is_distinctive(std::string_view text) {
    constexpr std::size_t long_enough = 8, with_digits = 5;
    const bool marked = text.find_first_of("0123456789-") != std::string_view::npos;
    return text.size() >= long_enough || (text.size() >= with_digits && marked);
}

// The labels behind a host's name: "db1.corp.example.com".
std::size_t end_of_domain(std::string_view text, std::size_t at) {
    const auto in_label = [&](std::size_t i) {
        return i < text.size() && (is_word_character(text[i]) || text[i] == '-');
    };
    while (at + 1 < text.size() && text[at] == '.' && in_label(at + 1) &&
           !(text[at + 1] >= '0' && text[at + 1] <= '9')) {
        ++at;
        while (in_label(at)) {
            ++at;
        }
    }
    return at;
}

} // namespace

void KnownIdentities::add_name(IdentityKind kind, std::string_view text) {
    std::string name = lower(text);
    while (!name.empty() && (name.back() == ' ' || name.back() == '\n' || name.back() == '.')) {
        name.pop_back();
    }
    name.erase(0, name.find_first_not_of(' '));
    if (is_common(name)) {
        return;
    }
    const bool again =
        std::any_of(names_.begin(), names_.end(), [&](const Name& known) { return known.text == name; });
    if (!again) {
        names_.push_back({name, name, kind, is_distinctive(name)});
        // Hosts first: what a name begins with must not be left over where its domain was found.
        std::stable_sort(names_.begin(), names_.end(), [](const Name& a, const Name& b) {
            const bool hosts[]{a.kind == IdentityKind::host, b.kind == IdentityKind::host};
            return hosts[0] != hosts[1] ? hosts[0] : a.text.size() > b.text.size();
        });
    }
    const std::size_t dot = name.find('.');
    if (kind == IdentityKind::host && dot != std::string::npos) {
        names_.erase(std::find_if(names_.begin(), names_.end(),
                                  [&](const Name& known) { return known.text == name; }));
        add_name(IdentityKind::host, name.substr(0, dot));
        add_name(IdentityKind::domain, name.substr(dot + 1));
    }
}

void KnownIdentities::add_path(std::string_view text) {
    while (text.size() > 1 && text.back() == '/') {
        text.remove_suffix(1);
    }
    if (text.size() < 2 || text == "..") {
        return;
    }
    paths_.push_back({lower(text), std::string(text), IdentityKind::path, text.find('/') != text.npos});
    std::stable_sort(paths_.begin(), paths_.end(),
                     [](const Name& a, const Name& b) { return a.text.size() > b.text.size(); });
}

void KnownIdentities::add_bytes(std::string digits, IdentityKind kind, const std::string& normal) {
    const bool again =
        std::any_of(bytes_.begin(), bytes_.end(), [&](const Bytes& known) { return known.digits == digits; });
    if (!again) {
        bytes_.push_back({std::move(digits), normal, kind});
    }
}

void KnownIdentities::add_address(std::string_view text) {
    auto found = identity_at(text, 0, macs_);
    const std::string plain = hex_digits_of(text);
    if (!found && plain.size() == text.size()) { // as files of /proc have them
        if (plain.size() == 12) {
            found = Identity{IdentityKind::mac, plain, plain.size()};
        } else if (plain.size() == 16) {
            const auto mac = mac_of_eui64(plain, false, macs_);
            found = Identity{mac ? IdentityKind::mac : IdentityKind::guid, mac.value_or(plain), plain.size()};
        } else if (plain.size() == 32) {
            std::string groups;
            for (std::size_t i = 0; i < plain.size(); i += 4) {
                groups += (i == 0 ? "" : ":") + plain.substr(i, 4);
            }
            found = identity_at(groups, 0, macs_);
        }
    }
    if (!found || says_nothing(found->normal)) {
        return;
    }
    if (found->kind == IdentityKind::mac && found->normal.size() == 12) {
        macs_.insert(found->normal);
        add_bytes(found->normal, found->kind, found->normal);
        add_bytes(eui64_of_mac(found->normal, false), found->kind, found->normal);
        add_bytes(eui64_of_mac(found->normal, true), found->kind, found->normal);
    } else if (found->normal.find('.') == std::string::npos) {
        add_bytes(found->normal, found->kind, found->normal);
    } else {
        add_name(IdentityKind::ip, found->normal);
    }
}

void KnownIdentities::find(const std::vector<Name>& names, std::string_view text, RedactedSpans& spans) {
    const std::string searched = lower(text);
    for (const Name& name : names) {
        for (std::size_t at = searched.find(name.text); at != std::string::npos;
             at = searched.find(name.text, at + 1)) {
            const std::size_t end = at + name.text.size();
            const bool whole = (at == 0 || !is_word_character(text[at - 1])) &&
                               (end == text.size() || !is_word_character(text[end]));
            const bool numeric = name.kind == IdentityKind::ip && !ipv4_at(text, at);
            if ((!whole && !name.anywhere) || numeric) {
                continue;
            }
            const std::size_t domain = name.kind == IdentityKind::host ? end_of_domain(text, end) : end;
            if (!spans.add(at, domain, name.kind, name.normal)) {
                spans.add(at, end, name.kind, name.normal);
            }
        }
    }
}

void KnownIdentities::find_paths(std::string_view text, RedactedSpans& spans) const {
    find(paths_, text, spans);
}
void KnownIdentities::find_names(std::string_view text, RedactedSpans& spans) const {
    find(names_, text, spans);
}
void KnownIdentities::find_bytes(std::string_view text, RedactedSpans& spans) const {
    for (const DigitRun& run : digit_runs(text)) {
        for (const Bytes& known : bytes_) {
            for (const DigitMatch& match : run.find(known.digits)) {
                spans.add(match.begin, match.end, known.kind, known.normal);
            }
        }
    }
}

} // namespace barscope::tool
