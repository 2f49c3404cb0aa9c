#include <override/write_raw.h>

#include <fmt/format.h>

#include <override/change_view.h>
#include <override/confirm.h>
#include <override/undisturbed.h>
#include <override/write_value.h>
#include <render/identity.h>
#include <safety/config_space.h>

namespace barscope::tool {

namespace {

constexpr unsigned default_width = 32;
constexpr const char* unread = "not read: no map says that reading it changes nothing";

safety::PortWord word_at(const RawPlace& place, const Arguments& arguments) {
    safety::PortWord word;
    word.offset = place.offset;
    word.width = static_cast<std::uint8_t>(arguments.override_options.width.value_or(default_width));
    return word;
}

AccessOrder order_at(const RawPlace& place, const std::string& name, const safety::PortWord& word,
                     AuditAction action) {
    AccessOrder order;
    order.action = action;
    order.target = name;
    order.place = place.place;
    order.word = word;
    return order;
}

void report(Context& context, const Subject& subject, const Session& session, const std::string& line) {
    std::string& out = context.output.text();
    if (!context.arguments.json) {
        append_identity(out, context.style, subject, nullptr);
        out += '\n' + line + audit_note(session) + "\n";
        return;
    }
    JsonWriter json(out);
    json.begin_object();
    write_tool(json);
    write_subject(json, subject);
    write_map(json, subject.map);
    write_accesses(json, session);
    json.end_object();
    out += '\n';
}

} // namespace

Result<std::string> judge_all_ones(const Subject& subject, std::uint64_t value, unsigned width) {
    if (value != ones(width)) {
        return std::string();
    }
    const auto config = safety::ConfigSpace::open(subject.root, subject.facts->address);
    if (!config || !(*config)->answers()) {
        return fail({ErrorCode::absent, "device-gone",
                     "all ones were read, and configuration space does not answer: this is no value",
                     to_string(subject.facts->address), "the kernel log may say why the device went"});
    }
    return std::string("all ones; configuration space answers, nothing else was asked");
}

Result<int> write_raw(Context& context, const Subject& subject, const RawPlace& place,
                      const std::string& name, const std::string& value) {
    const Arguments& arguments = context.arguments;
    const safety::PortWord word = word_at(place, arguments);
    const auto number = parse_raw_value(value, word.width);
    if (!number) {
        return fail(number.error());
    }
    const DeviceState state(subject);
    auto session = Session::open(context, subject, place.place, safety::PortUse::stores);
    if (!session) {
        return fail(std::move(session.error()));
    }
    session->before_first_load();
    if (auto possible = session->check(word); !possible) {
        return fail(std::move(possible.error()));
    }
    std::string plan;
    append_identity(plan, context.style, subject, nullptr);
    plan += fmt::format("\nwrite  {}, one store, raw: no map is asked what it does\nold    {}\nnew    {}\n",
                        place_text(place.place, word), unread, word_text(*number, word.width));
    if (auto confirmed = confirm(plan, subject.facts->address, arguments.override_options.yes); !confirmed) {
        return fail(std::move(confirmed.error()));
    }
    const Undisturbed undisturbed;
    if (auto same = state.still_holds(subject, arguments.capture, place.place); !same) {
        return fail(std::move(same.error()));
    }
    AccessOrder order = order_at(place, name, word, AuditAction::write);
    order.value = *number;
    order.detail = std::string("old value: ") + unread;
    order.undo = {name, std::nullopt, "the old value was not read"};
    auto entry = session->store(order);
    if (!entry) {
        return fail(std::move(entry.error()));
    }
    if (auto noted = session->conclude(*entry, std::nullopt, "done", "not read back: raw"); !noted) {
        noted.error().remedy = "the write was made; that it was could not be noted";
        return fail(std::move(noted.error()));
    }
    report(context, subject, *session,
           fmt::format("wrote  {}  {}; not read back: no map says that reading it changes nothing\n",
                       place_text(place.place, word), word_text(*number, word.width)));
    return 0;
}

Result<int> read_raw(Context& context, const Subject& subject, const RawPlace& place,
                     const std::string& name) {
    const safety::PortWord word = word_at(place, context.arguments);
    auto session = Session::open(context, subject, place.place, safety::PortUse::loads);
    if (!session) {
        return fail(std::move(session.error()));
    }
    session->before_first_load();
    const auto entry = session->load(order_at(place, name, word, AuditAction::read));
    if (!entry) {
        return fail(entry.error());
    }
    const std::uint64_t value = entry->value.value_or(0);
    const auto remark = judge_all_ones(subject, value, word.width);
    if (!remark) {
        return fail(remark.error());
    }
    report(context, subject, *session,
           fmt::format("  {}  {}{}\n", place_text(place.place, word), word_text(value, word.width),
                       remark->empty() ? "" : "  (" + *remark + ")"));
    return 0;
}

} // namespace barscope::tool
