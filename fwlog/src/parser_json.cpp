// dmesg --json and journalctl -o json. Texts are taken out of their JSON encoding into Record::text.
#include "parser.h"

#include <nlohmann/json.hpp>

#include "text_numbers.h"

namespace barscope::fwlog {

namespace {

using nlohmann::json;

json parse_object(std::string_view row) {
    json object = json::parse(row, nullptr, false);
    return object.is_object() ? object : json();
}

// journald writes a text that is not UTF-8 as an array of its bytes.
bool append_text(std::string& out, const json& value) {
    if (value.is_string()) {
        out += value.get_ref<const std::string&>();
        return true;
    }
    if (!value.is_array()) {
        return false;
    }
    for (const json& byte : value) {
        if (!byte.is_number_unsigned() || byte.get<std::uint64_t>() > 255) {
            return false;
        }
        out += static_cast<char>(byte.get<std::uint64_t>());
    }
    return true;
}

std::string string_of(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<std::uint64_t> decimal(std::string_view text) {
    const auto value = take_decimal(text);
    return text.empty() ? value : std::nullopt;
}

class DmesgJsonParser final : public Parser {
  public:
    Framing framing() const override { return Framing::json_objects; }
    std::string_view source_name() const override { return "kernel log"; }

    void parse(std::string_view row, Record& out) override {
        out.message = row;
        const json object = parse_object(row);
        const auto message = object.is_object() ? object.find("msg") : object.end();
        out.text = std::make_unique<std::string>();
        if (!object.is_object() || message == object.end() || !append_text(*out.text, *message)) {
            not_parsed(out, "not a record of dmesg --json");
            return;
        }
        out.message = *out.text;
        if (const auto priority = object.find("pri");
            priority != object.end() && priority->is_number_unsigned()) {
            out.level = out.severity =
                severity_of_level(static_cast<unsigned>(priority->get<std::uint64_t>() % 8));
        }
        take_time(row, out);
    }

  private:
    // From the text: a double would lose digits.
    static void take_time(std::string_view row, Record& out) {
        constexpr std::string_view key = "\"time\":";
        const std::size_t at = row.find(key);
        if (at == std::string_view::npos) {
            return;
        }
        std::string_view rest = row.substr(at + key.size());
        skip_blanks(rest);
        const std::string_view before = rest;
        const auto seconds = take_decimal(rest);
        if (!seconds || *seconds > 9'000'000'000 || !take(rest, ".")) {
            return;
        }
        std::uint64_t nanos = 0;
        std::uint64_t unit = 100'000'000;
        while (!rest.empty() && is_digit(rest[0])) {
            nanos += static_cast<std::uint64_t>(rest[0] - '0') * unit;
            unit /= 10;
            rest.remove_prefix(1);
        }
        out.time_ns = *seconds * 1'000'000'000 + nanos;
        out.clock = Clock::kernel_monotonic;
        out.time_text = before.substr(0, before.size() - rest.size());
    }
};

class JournalJsonParser final : public Parser {
  public:
    std::string_view source_name() const override { return "kernel log"; }

    void parse(std::string_view row, Record& out) override {
        out.message = row;
        const json object = parse_object(row);
        if (!object.is_object()) {
            not_parsed(out, "not a record of journalctl -o json");
            return;
        }
        const std::string program = string_of(object, "SYSLOG_IDENTIFIER");
        const std::string boot = string_of(object, "_BOOT_ID");
        std::string message;
        const auto found = object.find("MESSAGE");
        if (found == object.end() || !append_text(message, *found)) {
            not_parsed(out, "a journal record without a message");
            return;
        }
        const std::string kernel = string_of(object, "_SOURCE_MONOTONIC_TIMESTAMP");
        const std::string wall = string_of(object, "__REALTIME_TIMESTAMP");
        keep(out, {message, program, boot, kernel, wall});
        const auto level = decimal(string_of(object, "PRIORITY"));
        out.level = out.severity =
            level ? severity_of_level(static_cast<unsigned>(*level)) : Severity::unknown;
        set_time(kernel, wall, out);
        out.new_boot = !boot.empty() && !boot_.empty() && boot != boot_;
        boot_ = boot.empty() ? boot_ : boot;
    }

  private:
    // The pieces one behind the other in Record::text, and the views on them.
    static void keep(Record& out, const std::array<std::string, 5>& pieces) {
        out.text = std::make_unique<std::string>();
        for (const std::string& piece : pieces) {
            *out.text += piece;
        }
        std::string_view rest = *out.text;
        const auto next = [&](const std::string& piece) {
            const std::string_view view = rest.substr(0, piece.size());
            rest.remove_prefix(piece.size());
            return view;
        };
        out.message = next(pieces[0]);
        out.program = next(pieces[1]);
        out.boot = next(pieces[2]);
        const std::string_view kernel = next(pieces[3]);
        const std::string_view wall = next(pieces[4]);
        out.time_text = kernel.empty() ? wall : kernel;
        out.received = kernel.empty() ? std::string_view() : wall;
    }

    static void set_time(const std::string& kernel, const std::string& wall, Record& out) {
        const auto micros = decimal(kernel.empty() ? wall : kernel);
        if (micros && *micros <= UINT64_MAX / 1000) {
            out.time_ns = *micros * 1000;
            out.clock = kernel.empty() ? Clock::wall : Clock::kernel_monotonic;
        }
    }

    std::string boot_;
};

} // namespace

std::unique_ptr<Parser> make_dmesg_json_parser() {
    return std::make_unique<DmesgJsonParser>();
}
std::unique_ptr<Parser> make_journal_json_parser() {
    return std::make_unique<JournalJsonParser>();
}

} // namespace barscope::fwlog
