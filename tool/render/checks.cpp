#include <render/checks.h>

#include <algorithm>

#include <capture/unread.h>
#include <render/digits.h>
#include <render/escape.h>
#include <render/identity.h>
#include <render/registers_json.h>
#include <render/wrapped_text.h>

namespace barscope::tool {

namespace {

using regmaps::CheckResult;
using regmaps::DecodedCheck;
using regmaps::RegisterMap;

std::string_view result_name(CheckResult result) {
    switch (result) {
    case CheckResult::passed:
        return "passed";
    case CheckResult::failed:
        return "failed";
    case CheckResult::not_evaluated:
        return "not-evaluated";
    case CheckResult::not_applicable:
        return "not-applicable";
    }
    return "not-evaluated";
}

Ink ink_of(const RegisterMap& map, const DecodedCheck& check) {
    switch (check.result) {
    case CheckResult::passed:
        return Ink::good;
    case CheckResult::failed:
        return tool::ink_of(map.checks[check.check].severity);
    case CheckResult::not_evaluated:
        return Ink::warning;
    case CheckResult::not_applicable:
        return Ink::dim;
    }
    return Ink::plain;
}

std::vector<const DecodedCheck*> chosen(const Capture& capture, const std::vector<regmaps::Index>& checks) {
    std::vector<const DecodedCheck*> found;
    for (const DecodedCheck& check : capture.decoded.checks) {
        if (std::find(checks.begin(), checks.end(), check.check) != checks.end()) {
            found.push_back(&check);
        }
    }
    return found;
}

std::string_view expression_text(const RegisterMap& map, regmaps::Index expression) {
    return expression == regmaps::none ? std::string_view() : map.text(map.expressions[expression].source);
}

// Failures first, the worst of them on top; then what could not be told; what is fine comes last.
unsigned rank(const RegisterMap& map, const DecodedCheck& check) {
    switch (check.result) {
    case CheckResult::failed:
        return 4 - static_cast<unsigned>(map.checks[check.check].severity);
    case CheckResult::not_evaluated:
        return 10;
    case CheckResult::passed:
        return 11;
    case CheckResult::not_applicable:
        return 12;
    }
    return 12;
}

// Of the kernel, which people know in decimal.
bool is_counter(const RegisterMap& map, std::string_view input) {
    constexpr std::string_view earlier = "previous(";
    while (input.starts_with(earlier)) {
        input = input.substr(earlier.size(), input.size() - earlier.size() - 1);
    }
    return std::any_of(map.counters.begin(), map.counters.end(),
                       [&](const regmaps::Counter& counter) { return map.text(counter.name) == input; });
}

void append_inputs(std::string& out, const RegisterMap& map, const Capture& capture,
                   const DecodedCheck& check) {
    bool first = true;
    for (const auto& [name, value] : check.inputs) {
        out += first ? "" : ", ";
        first = false;
        append_safe(out, name);
        if (value) {
            out += " = ";
            is_counter(map, name) ? append_decimal(out, *value) : append_hex(out, *value);
        } else {
            out += ": ";
            append_safe(out, why_unread(map, capture, name).why);
        }
    }
}

void append_line(std::string& out, std::string_view label, std::string_view text) {
    if (!text.empty()) {
        out += "    ";
        out += label;
        append_wrapped(out, 14, text, true);
    }
}

void append_check(std::string& out, const Style& style, const RegisterMap& map, const Capture& capture,
                  const DecodedCheck& check, std::size_t name_width) {
    const regmaps::Check& definition = map.checks[check.check];
    const Ink ink = ink_of(map, check);
    const std::string_view result = result_name(check.result);
    out += "  ";
    style.put(out, ink, result);
    pad(out, result.size(), 14);
    out += "  ";
    out += map.text(definition.name);
    if (check.result == CheckResult::failed) {
        pad(out, definition.name.size, name_width);
        out += "  ";
        style.begin(out, ink);
        out += '[';
        out += regmaps::name(definition.severity);
        out += ']';
        style.end(out, ink);
    }
    out += '\n';
    if (check.result == CheckResult::not_applicable || check.result == CheckResult::passed) {
        return;
    }
    append_line(out, "expected: ", expression_text(map, definition.expect));
    std::string inputs;
    append_inputs(inputs, map, capture, check);
    append_line(out, "found:    ", inputs);
    append_line(out, "meaning:  ", map.text(definition.meaning));
    if (check.result == CheckResult::failed) {
        append_line(out, "advice:   ", map.text(definition.advice));
    }
}

// Before all else: what a dead device or BAR means for everything below.
void append_death(std::string& out, const Style& style, const Capture& capture) {
    const Death dead = death(capture);
    if (dead != Death::none) {
        out += '\n';
        style.put(out, Ink::critical,
                  dead == Death::device ? "The device does not answer."
                                        : "The BAR does not answer, configuration space does.");
        out += '\n';
    }
}

void append_counts(std::string& out, const std::vector<const DecodedCheck*>& checks) {
    out += '\n';
    bool first = true;
    for (const CheckResult result : {CheckResult::failed, CheckResult::not_evaluated, CheckResult::passed,
                                     CheckResult::not_applicable}) {
        const auto count = std::count_if(checks.begin(), checks.end(),
                                         [&](const DecodedCheck* c) { return c->result == result; });
        if (count != 0 || result == CheckResult::failed) {
            out += first ? "" : ", ";
            first = false;
            append_decimal(out, static_cast<std::uint64_t>(count));
            out += ' ';
            out += result_name(result);
        }
    }
    out += '\n';
}

void write_unread(JsonWriter& json, const RegisterMap& map, const Capture& capture,
                  const DecodedCheck& check) {
    json.key("unread");
    json.begin_object();
    for (const auto& [name, value] : check.inputs) {
        if (!value) {
            json.member(name, why_unread(map, capture, name).why);
        }
    }
    json.end_object();
}

} // namespace

void render_checks_text(Output& output, const Style& style, const Subject& subject, const Capture& capture,
                        const std::vector<regmaps::Index>& checks) {
    std::string& out = output.text();
    const RegisterMap& map = subject.map;
    append_identity(out, style, subject, &capture);
    std::vector<const DecodedCheck*> list = chosen(capture, checks);
    if (list.empty()) {
        out += "\nthe map has no checks: nothing can be said about this device's health\n";
        return;
    }
    std::stable_sort(list.begin(), list.end(), [&](const DecodedCheck* a, const DecodedCheck* b) {
        return rank(map, *a) < rank(map, *b);
    });
    std::size_t name_width = 4;
    for (const DecodedCheck* check : list) {
        name_width = std::max<std::size_t>(name_width, map.checks[check->check].name.size);
    }
    append_death(out, style, capture);
    out += '\n';
    for (const DecodedCheck* check : list) {
        append_check(out, style, map, capture, *check, name_width);
    }
    append_counts(out, list);
}

void render_checks_json(Output& output, const Subject& subject, const Capture& capture,
                        const std::vector<regmaps::Index>& checks) {
    const RegisterMap& map = subject.map;
    JsonWriter json(output.text());
    json.begin_object();
    write_tool(json);
    json.break_line();
    write_subject(json, subject);
    json.break_line();
    write_map(json, map);
    json.break_line();
    write_sources(json, capture);
    json.break_line();
    json.key("checks");
    json.begin_array();
    for (const DecodedCheck* check : chosen(capture, checks)) {
        const regmaps::Check& definition = map.checks[check->check];
        json.break_line();
        json.begin_object();
        json.member("name", map.text(definition.name));
        json.member("result", result_name(check->result));
        json.member("severity", regmaps::name(definition.severity));
        json.member("expect", expression_text(map, definition.expect));
        json.key("inputs");
        json.begin_object();
        for (const auto& [name, value] : check->inputs) {
            json.key(name);
            if (value) {
                json.hex(*value);
            } else {
                json.null();
            }
        }
        json.end_object();
        write_unread(json, map, capture, *check);
        json.member("meaning", map.text(definition.meaning));
        json.member("advice", map.text(definition.advice));
        json.end_object();
    }
    json.end_array();
    json.end_object();
    output.text() += '\n';
}

} // namespace barscope::tool
