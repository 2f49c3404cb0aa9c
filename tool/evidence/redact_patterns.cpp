#include <evidence/redact_patterns.h>

#include <algorithm>
#include <array>

#include <evidence/redact_address.h>

namespace barscope::tool {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool in_value(char c) {
    return is_word_character(c) || c == '-' || c == '.' || c == '+';
}
bool begins_word(std::string_view text, std::size_t at) {
    return at == 0 || !is_word_character(text[at - 1]);
}

// Where a word stands in `searched`, which is lower case.
template <typename Use>
void each(const std::string& searched, std::string_view word, const Use& use) {
    for (std::size_t at = searched.find(word); at != std::string::npos; at = searched.find(word, at + 1)) {
        if (begins_word(searched, at)) {
            use(at, at + word.size());
        }
    }
}

std::size_t skip(std::string_view text, std::size_t at, std::string_view characters) {
    return std::min(text.find_first_not_of(characters, at), text.size());
}
std::size_t end_of_value(std::string_view text, std::size_t at) {
    while (at < text.size() && in_value(text[at])) {
        ++at;
    }
    while (at > 0 && (text[at - 1] == '.' || text[at - 1] == '-')) {
        --at; // the sentence's
    }
    return at;
}

void add_value(std::string_view text, std::size_t begin, std::size_t end, IdentityKind kind,
               RedactedSpans& spans) {
    if (end > begin) {
        spans.add(begin, end, kind, lower(text.substr(begin, end - begin)));
    }
}

// "serial number: X", "SN=X", "wwn-0x5000c500a1b2c3d4". A value has a digit; words are no serial numbers.
struct SerialWord {
    std::string_view word;
    std::string_view separators; // at least one of them follows
    IdentityKind kind;
};
constexpr std::array serial_words{
    SerialWord{"serial number", " :=#\"'", IdentityKind::serial},
    SerialWord{"serial_number", " :=#\"'", IdentityKind::serial},
    SerialWord{"serial no", ". :=#\"'", IdentityKind::serial},
    SerialWord{"serialnumber", " :=#\"'", IdentityKind::serial},
    SerialWord{"serialno", " :=#\"'", IdentityKind::serial},
    SerialWord{"serial", ":=#", IdentityKind::serial},
    SerialWord{"s/n", " :=#\"'", IdentityKind::serial},
    SerialWord{"sn", ":=#", IdentityKind::serial},
    SerialWord{"asset tag", " :=#\"'", IdentityKind::serial},
    SerialWord{"wwn", " -:=", IdentityKind::guid},
    SerialWord{"wwpn", " -:=", IdentityKind::guid},
    SerialWord{"wwnn", " -:=", IdentityKind::guid},
    SerialWord{"wwid", " -:=", IdentityKind::guid},
    SerialWord{"naa", ".", IdentityKind::guid},
    SerialWord{"eui", ".", IdentityKind::guid},
    SerialWord{"nguid", " :=", IdentityKind::uuid},
    SerialWord{"uuid", ":=.", IdentityKind::uuid},
    SerialWord{"guid", " :=", IdentityKind::guid},
    SerialWord{"machine-id", " :=", IdentityKind::uuid},
};

void find_serials(std::string_view text, const std::string& searched, RedactedSpans& spans) {
    constexpr std::size_t shortest = 4;
    for (const SerialWord& serial : serial_words) {
        each(searched, serial.word, [&](std::size_t, std::size_t end) {
            const std::size_t begin = skip(searched, end, serial.separators);
            if (begin == end) {
                return;
            }
            std::size_t at = skip(searched, begin, " \"'");
            at += searched.substr(at, 2) == "0x" ? 2U : 0U;
            const std::size_t stop = end_of_value(searched, at);
            const std::string_view value = std::string_view(searched).substr(at, stop - at);
            const bool number = std::any_of(value.begin(), value.end(), is_digit);
            const bool zeros = value.find_first_not_of("0-:.") == std::string_view::npos;
            if (value.size() >= shortest && number && !zeros && !value.starts_with("8250")) {
                add_value(text, at, stop, serial.kind, spans);
            }
        });
    }
}

// "acct=\"alice\"", "/home/alice", "session opened for user alice".
void find_users(std::string_view text, const std::string& searched, RedactedSpans& spans) {
    constexpr std::array<std::string_view, 9> words{"user=",      "acct=",    "username=",
                                                    "sudo_user=", "logname=", "for user",
                                                    "user name:", "ruser=",   "by user"};
    const auto add = [&](std::size_t begin) {
        const std::size_t end = end_of_value(searched, begin);
        const std::string_view value = std::string_view(searched).substr(begin, end - begin);
        if (value.size() > 1 && value != "root" && value != "space" && value != "mode") {
            add_value(text, begin, end, IdentityKind::user, spans);
        }
    };
    for (const std::string_view word : words) {
        each(searched, word, [&](std::size_t, std::size_t end) { add(skip(searched, end, " \"'")); });
    }
    for (const std::string_view folder : {"/home/", "/users/"}) {
        for (std::size_t at = searched.find(folder); at != std::string::npos;
             at = searched.find(folder, at + 1)) {
            add(at + folder.size());
        }
    }
}

// "enx000001000002": udev's names of interfaces after their MAC address.
void find_interfaces(const std::string& searched, RedactedSpans& spans) {
    constexpr std::size_t digits = 12;
    for (const std::string_view prefix : {"enx", "wlx"}) {
        each(searched, prefix, [&](std::size_t, std::size_t end) {
            const std::string value = searched.substr(end, digits);
            if (value.size() == digits && std::all_of(value.begin(), value.end(), is_hex_digit) &&
                (end + digits >= searched.size() || !is_hex_digit(searched[end + digits]))) {
                spans.add(end, end + digits, IdentityKind::mac, value);
            }
        });
    }
}

// Behind a syslog row's time: "Aug 15 12:21:39 HOST kernel: ", "2026-12-01T00:00:00+00:00 HOST sshd[1]: ".
std::size_t end_of_time(std::string_view text) {
    constexpr std::string_view months = "jan feb mar apr may jun jul aug sep oct nov dec ";
    std::size_t at = 0;
    const std::size_t colon = text.find(": ");
    if (const std::string_view head = text.substr(0, colon); head.size() < 16 && head.size() < text.size() &&
                                                             head.find('.') < head.size() &&
                                                             head.find(' ') == std::string_view::npos) {
        at = colon + 2; // "kern.err: "
    }
    const std::string_view rest = text.substr(at);
    const auto is_like = [&](std::string_view form) {
        if (rest.size() <= form.size()) {
            return false;
        }
        for (std::size_t i = 0; i < form.size(); ++i) {
            const bool fits = form[i] == '9'   ? is_digit(rest[i])
                              : form[i] == '_' ? is_digit(rest[i]) || rest[i] == ' '
                              : form[i] == 'a' ? rest[i] >= 'a' && rest[i] <= 'z'
                                               : rest[i] == form[i];
            if (!fits) {
                return false;
            }
        }
        return true;
    };
    if (is_like("aaa _9 99:99:99") && months.find(std::string(rest.substr(0, 4))) != std::string_view::npos) {
        const std::size_t end = skip(rest, 15, ".0123456789"); // journalctl -o short-precise
        return end < rest.size() && rest[end] == ' ' ? at + end + 1 : 0;
    }
    if (is_like("9999-99-99t99:99:99") || is_like("9999-99-99 99:99:99")) {
        const std::size_t space = rest.find(' ', 19); // npos is more than 36
        return space > 36 ? 0 : at + space + 1;
    }
    return 0;
}

void find_log_host(const std::string& searched, RedactedSpans& spans) {
    const std::size_t begin = end_of_time(searched);
    std::size_t end = begin;
    while (end < searched.size() && in_value(searched[end])) {
        ++end;
    }
    if (begin == 0 || end == begin || end >= searched.size() || searched[end] != ' ') {
        return;
    }
    // The program's name follows.
    const std::size_t next = searched.find_first_of(" :[", end + 1);
    if (next != std::string::npos && searched[next] != ' ') {
        const std::size_t dot = searched.find('.', begin);
        const std::size_t name = std::min(dot, end); // the host of a qualified name
        spans.add(begin, end, IdentityKind::host, searched.substr(begin, name - begin));
    }
}

bool is_top_level(std::string_view label, std::size_t labels) {
    constexpr std::array<std::string_view, 24> any{
        "com",  "net",   "org",         "edu",      "gov",  "mil",  "int",      "info",
        "biz",  "local", "localdomain", "internal", "lan",  "corp", "intranet", "private",
        "home", "cloud", "arpa",        "example",  "test", "io",   "dev",      "invalid"};
    constexpr std::array<std::string_view, 20> countries{"uk", "de", "fr", "nl", "eu", "us", "ca",
                                                         "jp", "cn", "au", "ch", "se", "fi", "dk",
                                                         "es", "cz", "br", "kr", "tw", "ru"};
    return std::find(any.begin(), any.end(), label) != any.end() ||
           (labels > 2 && std::find(countries.begin(), countries.end(), label) != countries.end());
}

// "db1.corp.example.com": letters, digits and dashes, at least one dot, a known end.
std::size_t end_of_qualified(const std::string& searched, std::size_t at) {
    std::size_t end = at;
    std::size_t labels = 0;
    std::size_t last = at;
    while (end < searched.size()) {
        const std::size_t begin = end;
        while (end < searched.size() && searched[end] != '_' &&
               (is_word_character(searched[end]) || searched[end] == '-')) {
            ++end;
        }
        if (end == begin) {
            break;
        }
        ++labels;
        last = begin;
        if (end + 1 >= searched.size() || searched[end] != '.' || !is_word_character(searched[end + 1])) {
            break;
        }
        ++end;
    }
    const bool whole = end == searched.size() || !is_word_character(searched[end]);
    return whole && labels > 1 && is_top_level(std::string_view(searched).substr(last, end - last), labels)
               ? end
               : at;
}

// Version-like words in front of numbers with dots.
bool is_version_word(std::string_view word) {
    constexpr std::array<std::string_view, 34> words{
        "version",   "versions", "ver",    "fw",        "firmware", "pkg",    "package", "rev",  "revision",
        "release",   "rel",      "nvm",    "bios",      "uefi",     "rom",    "oprom",   "hwrm", "spec",
        "interface", "api",      "driver", "build",     "mgmt",     "phy",    "ncsi",    "roce", "boot",
        "srt",       "crt",      "ucode",  "microcode", "smc",      "kernel", "efi"};
    if (std::find(words.begin(), words.end(), word) != words.end()) {
        return true;
    }
    return word.ends_with("version") || word.ends_with("_ver") || word.ends_with("fw") ||
           word.starts_with("fw_") || word == "v";
}

// The words directly in front: fillers and other numbers are passed over.
bool behind_version_word(const std::string& searched, std::size_t at) {
    constexpr std::array<std::string_view, 9> fillers{"is", "changed", "to",     "from", "was",
                                                      "of", "no",      "number", "and"};
    for (int words = 0; words < 6; ++words) {
        while (at > 0 && !is_word_character(searched[at - 1])) {
            if (searched[at - 1] == ';' || searched[at - 1] == '\n') {
                return false;
            }
            --at;
        }
        std::size_t begin = at;
        while (begin > 0 &&
               (is_word_character(searched[begin - 1]) ||
                (searched[begin - 1] == '.' && begin > 1 && is_word_character(searched[begin - 2])))) {
            --begin;
        }
        const std::string_view word = std::string_view(searched).substr(begin, at - begin);
        if (word.empty()) {
            return false;
        }
        if (is_version_word(word) || is_version_word(word.substr(word.rfind('.') + 1))) {
            return true;
        }
        const bool number = word.find_first_not_of("0123456789.") == std::string_view::npos;
        if (!number && std::find(fillers.begin(), fillers.end(), word) == fillers.end()) {
            return false;
        }
        at = begin;
    }
    return false;
}

} // namespace

void find_command_lines(std::string_view text, RedactedSpans& spans) {
    const std::string searched = lower(text);
    for (const std::string_view word : {"command line", "proctitle", "cmdline", "cmd"}) {
        each(searched, word, [&](std::size_t, std::size_t end) {
            const std::size_t equals = skip(searched, end, " ");
            const bool parameters = word == "command line" && searched.compare(equals, 10, "parameters") == 0;
            if (equals >= searched.size() || (!parameters && searched[equals] != '=' &&
                                              !(searched[equals] == ':' && word == "command line"))) {
                return;
            }
            const std::size_t begin = skip(searched, equals + (parameters ? 10 : 1), " \"'");
            const std::size_t line = std::min(searched.find('\n', begin), searched.size());
            spans.add(begin, line, IdentityKind::command_line, std::string(text.substr(begin, line - begin)));
        });
    }
}

void find_qualified_names(std::string_view text, RedactedSpans& spans) {
    const std::string searched = lower(text);
    for (const std::string_view scheme : {"nqn.", "iqn."}) {
        each(searched, scheme, [&](std::size_t at, std::size_t) {
            const std::size_t end = std::min(searched.find_first_of(" \"',;<>()[]\n\t", at), searched.size());
            if (searched.compare(at, end - at, "nqn.2014-08.org.nvmexpress.discovery") != 0) {
                add_value(text, at, end, IdentityKind::nqn, spans);
            }
        });
    }
    for (std::size_t sign = searched.find('@'); sign != std::string::npos;
         sign = searched.find('@', sign + 1)) {
        std::size_t begin = sign;
        while (begin > 0 && (in_value(searched[begin - 1]))) {
            --begin;
        }
        std::size_t end = sign + 1;
        while (end < searched.size() && in_value(searched[end]) && searched[end] != '_') {
            ++end;
        }
        end = end_of_value(searched.substr(0, end), end);
        const std::string domain = searched.substr(sign + 1, end - sign - 1);
        if (begin < sign && domain.find('.') != std::string::npos) {
            add_value(text, begin, end, IdentityKind::user, spans);
        }
    }
}

void find_worded(std::string_view text, RedactedSpans& spans) {
    const std::string searched = lower(text);
    find_serials(text, searched, spans);
    find_users(text, searched, spans);
    find_interfaces(searched, spans);
    find_log_host(searched, spans);
    for (std::size_t at = 0; at < searched.size(); ++at) {
        if (is_word_character(searched[at]) && begins_word(searched, at) &&
            (at == 0 || searched[at - 1] != '.')) {
            const std::size_t end = end_of_qualified(searched, at);
            if (end > at) {
                spans.add(at, end, IdentityKind::host, searched.substr(at, end - at));
            }
        }
    }
}

void find_ipv4(std::string_view text, RedactedSpans& spans) {
    std::string searched;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!is_digit(text[at])) {
            continue;
        }
        auto found = ipv4_at(text, at);
        if (!found) {
            continue;
        }
        if (searched.empty()) {
            searched = lower(text);
        }
        if (!behind_version_word(searched, at)) {
            spans.add(at, at + found->size, found->kind, std::move(found->normal));
        }
        at += found->size - 1;
    }
}

} // namespace barscope::tool
