#include <render/doctor.h>

#include <algorithm>

#include <render/digits.h>
#include <render/escape.h>
#include <render/examination.h>
#include <render/identity.h>

namespace barscope::tool {

namespace {

std::string_view finding_name(Finding finding) {
    switch (finding) {
    case Finding::good:
        return "ok";
    case Finding::note:
        return "note";
    case Finding::obstacle:
        return "obstacle";
    }
    return "note";
}

Ink finding_ink(Finding finding) {
    return finding == Finding::good ? Ink::good : finding == Finding::note ? Ink::notice : Ink::warning;
}

} // namespace

void render_diagnosis_text(Output& output, const Style& style, const Diagnosis& diagnosis) {
    std::string& out = output.text();
    if (diagnosis.device) {
        style.begin(out, Ink::heading);
        out += to_string(diagnosis.device->address);
        out += "  ";
        append_facts(out, *diagnosis.device);
        style.end(out, Ink::heading);
        out += '\n';
        append_verdicts(out, style, diagnosis.verdicts);
        out += '\n';
    }
    style.put(out, Ink::heading, "this machine");
    out += '\n';
    std::size_t width = 4;
    for (const MachineFact& fact : diagnosis.machine) {
        width = std::max(width, fact.subject.size());
    }
    for (const MachineFact& fact : diagnosis.machine) {
        const std::string_view finding = finding_name(fact.finding);
        out += "  ";
        style.put(out, finding_ink(fact.finding), finding);
        pad(out, finding.size(), 8);
        out += "  ";
        out += fact.subject;
        pad(out, fact.subject.size(), width);
        out += "  ";
        append_safe(out, fact.seen);
        out += '\n';
        if (!fact.meaning.empty()) {
            out.append(14 + width, ' ');
            append_safe(out, fact.meaning);
            out += '\n';
        }
    }
}

void render_diagnosis_json(Output& output, const Diagnosis& diagnosis) {
    JsonWriter json(output.text());
    json.begin_object();
    write_tool(json);
    json.break_line();
    if (diagnosis.device) {
        write_device(json, *diagnosis.device, {});
        json.break_line();
        write_verdicts(json, diagnosis.verdicts);
        json.break_line();
    }
    json.key("machine");
    json.begin_array();
    for (const MachineFact& fact : diagnosis.machine) {
        json.break_line();
        json.begin_object();
        json.member("subject", fact.subject);
        json.member("finding", finding_name(fact.finding));
        json.member("seen", fact.seen);
        json.member("meaning", fact.meaning);
        json.end_object();
    }
    json.end_array();
    json.end_object();
    output.text() += '\n';
}

} // namespace barscope::tool
