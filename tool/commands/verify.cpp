// verify: whether snapshots are as they were written.
#include <commands/context.h>

#include <fmt/format.h>

#include <evidence/snapshot.h>
#include <render/escape.h>
#include <render/identity.h>
#include <render/json_writer.h>

namespace barscope::tool {

namespace {

std::string_view state_name(IntegrityState state) {
    switch (state) {
    case IntegrityState::intact:
        return "intact";
    case IntegrityState::changed:
        return "changed";
    case IntegrityState::absent:
        break;
    }
    return "absent";
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

void append_line(std::string& out, const Style& style, const Snapshot& snapshot) {
    const Integrity& integrity = snapshot.integrity;
    append_safe(out, snapshot.path);
    out += "  ";
    const bool intact = integrity.state == IntegrityState::intact;
    style.put(out, intact ? Ink::good : Ink::critical, state_name(integrity.state));
    if (intact) {
        out += "  sha256 ";
        append_safe(out, integrity.digest);
    } else if (integrity.state == IntegrityState::changed) {
        out += ": not as it was written: ";
        append_safe(out, joined(integrity.changed));
    } else {
        out += ": the document has no hashes";
    }
    out += '\n';
}

void write_entry(JsonWriter& json, const Snapshot& snapshot) {
    json.break_line();
    json.begin_object();
    json.member("file", snapshot.path);
    json.member("state", state_name(snapshot.integrity.state));
    json.key("changed");
    json.begin_array();
    for (const std::string& name : snapshot.integrity.changed) {
        json.string(name);
    }
    json.end_array();
    json.member("digest", snapshot.integrity.digest);
    json.end_object();
}

} // namespace

Result<int> run_verify(Context& context) {
    std::vector<Snapshot> snapshots;
    for (const std::string& file : context.arguments.report.files) {
        auto snapshot = open_snapshot(file, {.strict = true});
        if (!snapshot) {
            return fail(std::move(snapshot.error()));
        }
        // Whether the words and the map can be used is part of the question.
        if (!snapshot->maps.empty()) {
            if (const auto map = embedded_map(*snapshot); !map) {
                return fail(map.error());
            }
        }
        snapshots.push_back(std::move(*snapshot));
    }
    int status = 0;
    JsonWriter json(context.output.text());
    if (context.arguments.json) {
        json.begin_object();
        write_tool(json);
        json.key("snapshots");
        json.begin_array();
    }
    for (const Snapshot& snapshot : snapshots) {
        if (context.arguments.json) {
            write_entry(json, snapshot);
        } else {
            append_line(context.output.text(), context.style, snapshot);
        }
        status = snapshot.integrity.state == IntegrityState::intact ? status : 1;
    }
    if (context.arguments.json) {
        json.end_array();
        json.end_object();
        context.output.text() += '\n';
    }
    return status;
}

} // namespace barscope::tool
