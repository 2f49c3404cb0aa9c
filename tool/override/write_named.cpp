#include <override/write_named.h>

#include <fmt/format.h>

#include <commands/capture_steps.h>
#include <override/confirm.h>
#include <override/undisturbed.h>
#include <override/window.h>
#include <override/write_value.h>
#include <regmaps/names.h>
#include <render/identity.h>

namespace barscope::tool {

namespace {

constexpr const char* a_write = "a write";
constexpr const char* not_read = "not read: "; // how some reasons begin

Result<Change> change_for(const Subject& subject, const Look& look, const WriteWish& wish) {
    const RegisterBits bits(subject.map, subject.map.registers[wish.reg], applies_in(subject, look),
                            wish.field);
    if (wish.field != regmaps::none && !applies_in(subject, look)(wish.field).value_or(!look.value())) {
        return fail({ErrorCode::refused, "field-absent", "the register does not have this field as it is now",
                     wish.name, "`barscope explain` tells when it has"});
    }
    return merge(subject.map, wish, bits, look.value());
}

// The device, or its BAR, does not answer as a live one does: nothing is written to it.
bool is_dead(safety::WordStatus status) {
    using safety::WordStatus;
    return status == WordStatus::lost || status == WordStatus::gone || status == WordStatus::bar_dead ||
           status == WordStatus::poison || status == WordStatus::torn || status == WordStatus::not_attempted;
}

// What a write came to, for people and documents.
struct Outcome {
    Change change;
    std::optional<std::uint64_t> old_value, read_back;
    std::string not_read_back; // why
    bool lost = false;         // the device, or its BAR, does not answer any more
    std::string status = "done", detail;
};

void judge(const regmaps::RegisterMap& map, const WriteWish& wish, Outcome& outcome) {
    if (!outcome.read_back) {
        return;
    }
    const std::uint64_t differs = *outcome.read_back ^ outcome.change.value;
    const std::string names = names_in(map, map.registers[wish.reg], differs & outcome.change.kept);
    if ((differs & outcome.change.kept) != 0) {
        outcome.status = "differs";
        outcome.detail = fmt::format("{} did not keep what was written", names);
    } else if ((differs & outcome.change.compared) != 0) {
        outcome.detail =
            fmt::format("{} read back as something else; the map does not say that what is written stays",
                        names_in(map, map.registers[wish.reg], differs & outcome.change.compared));
    }
}

class NamedWrite {
  public:
    NamedWrite(Context& context, const Subject& subject, WriteWish wish, DeviceState state, Session session)
        : context_(context), subject_(subject), options_(context.arguments.capture), wish_(std::move(wish)),
          state_(std::move(state)), session_(std::move(session)) {}

    Result<int> run(Place place) {
        session_.before_first_load();
        auto first = look_once();
        if (!first) {
            return fail(std::move(first.error()));
        }
        if (auto asked = ask(*first); !asked) {
            return fail(std::move(asked.error()));
        }
        const Undisturbed undisturbed;
        if (auto same = state_.still_holds(subject_, options_, place); !same) {
            return fail(std::move(same.error()));
        }
        const auto second = look_once();
        if (!second) {
            return fail(device_changed(subject_, second.error().what));
        }
        if (auto same = check_same(*first, *second); !same) {
            return fail(std::move(same.error()));
        }
        auto written = write(*second);
        if (!written) {
            tell(context_, aftermath_, 0);
            return fail(std::move(written.error()));
        }
        report(written_);
        if (outcome_.lost) {
            context_.warn({ErrorCode::absent,
                           "lost-after-write",
                           "the write was made, and what the register holds now cannot be read: " +
                               outcome_.not_read_back,
                           wish_.name,
                           {}});
        }
        const int status = outcome_.lost ? exit_status(ErrorCode::absent) : 0;
        return tell(context_, aftermath_, outcome_.status == "differs" ? 1 : status);
    }

  private:
    Result<Look> look_once() const { return look(subject_, options_, wish_.name, a_write); }

    Result<void> check_alive(const Look& seen) const {
        if (!is_dead(seen.word().status)) {
            return {};
        }
        return fail({ErrorCode::absent, std::string(safety::name(seen.word().status)),
                     "what it holds cannot be read: " + reason(subject_.map, seen.capture, seen.position),
                     wish_.name, "nothing was written"});
    }

    // Everything that can be refused is refused before anybody is asked.
    Result<void> ask(const Look& seen) {
        if (auto possible = session_.check(seen.target.word); !possible) {
            return possible;
        }
        if (auto alive = check_alive(seen); !alive) {
            return alive;
        }
        std::optional<Change> change;
        if (seen.window_closed()) {
            if (auto possible = check_window(subject_, seen, session_); !possible) {
                return possible;
            }
        } else {
            auto merged = change_for(subject_, seen, wish_);
            if (!merged) {
                return fail(std::move(merged.error()));
            }
            change = std::move(*merged);
        }
        std::string plan;
        append_plan(plan, context_.style, subject_, seen, wish_, change);
        return confirm(plan, subject_.facts->address, context_.arguments.override_options.yes);
    }

    Result<void> check_same(const Look& before, const Look& after) const {
        const RegisterBits bits(subject_.map, subject_.map.registers[wish_.reg], applies_in(subject_, after),
                                regmaps::none);
        const std::uint64_t steady =
            bits.mask([](const BitRole& role) { return !runs_by_itself(role.volatility); });
        const auto was = before.value();
        const auto is = after.value();
        const bool same = was.has_value() == is.has_value() && (!was || ((*was ^ *is) & steady) == 0);
        if (!same || before.selected != after.selected ||
            !(before.target.instance == after.target.instance)) {
            return fail(device_changed(
                subject_, was && is ? fmt::format("{} was {}, it is {} now", before.target.reg_name,
                                                  word_text(*was, before.target.word.width),
                                                  word_text(*is, before.target.word.width))
                                    : "it cannot be read as it could before"));
        }
        return {};
    }

    Result<void> write(const Look& seen) {
        if (!seen.window_closed()) {
            auto written = write_once(seen);
            return written ? Result<void>() : fail(std::move(written.error()));
        }
        return through_window(
            subject_, session_, seen, [this] { return look_once(); },
            [this](Look open) { return write_once(open); }, aftermath_);
    }

    // The one store that was asked for; gives the look after it.
    Result<Look> write_once(const Look& seen) {
        if (auto alive = check_alive(seen); !alive) { // what is behind a window is seen here first
            return fail(std::move(alive.error()));
        }
        auto change = change_for(subject_, seen, wish_);
        if (!change) {
            return fail(std::move(change.error()));
        }
        outcome_.change = std::move(*change);
        outcome_.old_value = seen.value();
        written_ = seen;
        AccessOrder order = order_for(subject_.map, seen.target, AuditAction::write);
        order.old_value = outcome_.old_value;
        order.value = outcome_.change.value;
        order.undo = outcome_.change.undo;
        if (!order.old_value) {
            order.detail = "old value: " + reason(subject_.map, seen.capture, seen.position);
        }
        auto entry = session_.store(order);
        if (!entry) {
            return fail(std::move(entry.error()));
        }
        auto after = look_once();
        read_back(after);
        if (auto noted = session_.conclude(*entry, outcome_.read_back, outcome_.status, outcome_.detail);
            !noted) {
            noted.error().remedy = "the write was made; that it was could not be noted";
            return fail(std::move(noted.error()));
        }
        if (!after) {
            return seen;
        }
        return after;
    }

    void read_back(const Result<Look>& after) {
        outcome_.lost = !after || is_dead(after->word().status);
        if (!after) {
            outcome_.not_read_back = after.error().what;
        } else {
            outcome_.read_back = after->value();
            if (!outcome_.read_back) {
                outcome_.not_read_back = reason(subject_.map, after->capture, after->position);
                if (outcome_.not_read_back.starts_with(not_read)) {
                    outcome_.not_read_back.erase(0, std::string_view(not_read).size());
                }
            }
        }
        judge(subject_.map, wish_, outcome_);
        if (!outcome_.read_back) {
            outcome_.detail = "not read back: " + outcome_.not_read_back;
        }
    }

    void report(const Look& seen) const {
        if (context_.arguments.json) {
            report_json(seen);
        } else {
            report_text(seen);
        }
        if (outcome_.status == "differs") {
            context_.warn({ErrorCode::refused, "read-back-differs", outcome_.detail, wish_.name,
                           fmt::format("it reads back as {}",
                                       word_text(outcome_.read_back.value_or(0), seen.target.word.width))});
        }
    }

    void report_text(const Look& seen) const {
        std::string& out = context_.output.text();
        const unsigned width = seen.target.word.width;
        append_plan(out, context_.style, subject_, seen, wish_, outcome_.change);
        out += fmt::format("wrote  {}", word_text(outcome_.change.value, width));
        out += outcome_.read_back ? fmt::format(", read back {}\n", word_text(*outcome_.read_back, width))
                                  : fmt::format(", not read back: {}\n", outcome_.not_read_back);
        if (outcome_.read_back && !outcome_.detail.empty()) {
            out += outcome_.detail + "\n";
        }
        if (session_.entries().size() > 1) {
            out += fmt::format("window {} was moved for it\n", session_.entries().front().target);
        }
        out += audit_note(session_) + "\n";
    }

    void report_json(const Look& seen) const {
        const unsigned digits = seen.target.word.width / 4U;
        JsonWriter json(context_.output.text());
        json.begin_object();
        write_tool(json);
        write_subject(json, subject_);
        write_map(json, subject_.map);
        json.key("write");
        json.begin_object();
        json.member("target", wish_.name);
        json.member("register", seen.target.reg_name);
        json.member("place", place_name(seen.target.place));
        json.member_hex("offset", seen.target.word.offset);
        json.member_number("width", seen.target.word.width);
        if (outcome_.old_value) {
            json.member_hex("old", *outcome_.old_value, digits);
        }
        json.member_hex("new", outcome_.change.value, digits);
        if (outcome_.read_back) {
            json.member_hex("readBack", *outcome_.read_back, digits);
        }
        json.member("status", outcome_.status);
        json.member("detail", outcome_.detail);
        write_changes(json, field_changes(subject_, seen, outcome_.old_value, outcome_.change.value));
        json.end_object();
        write_accesses(json, session_);
        json.end_object();
        context_.output.text() += '\n';
    }

    Context& context_;
    const Subject& subject_;
    const CaptureOptions& options_;
    WriteWish wish_;
    DeviceState state_;
    Session session_;
    Outcome outcome_;
    std::vector<Error> aftermath_; // of the window
    Look written_;                 // as it was right before the store
};

} // namespace

Result<int> write_named(Context& context, const Subject& subject, const std::string& name,
                        const std::string& value) {
    const OverrideArguments& options = context.arguments.override_options;
    if (regmaps::is_glob(name)) {
        return fail(no_glob(name, a_write));
    }
    const auto found = find_in_map(subject.map, name);
    if (!found) { // the same words as `read` has
        const auto seen = look(subject, context.arguments.capture, name, a_write);
        return fail(seen ? no_glob(name, a_write) : seen.error());
    }
    const auto number = parse_value(subject.map, found->reg, found->field, value);
    if (!number) {
        return fail(number.error());
    }
    WriteWish wish{found->reg, found->field, name, *number};
    const regmaps::Space& space = subject.map.spaces[subject.map.registers[found->reg].space];
    if (auto possible = check_wish(subject.map, wish); !possible) {
        return fail(std::move(possible.error()));
    }
    if (auto alone = check_driver(subject, space, options.with_driver, name); !alone) {
        return fail(std::move(alone.error()));
    }
    std::optional<Place> place = found->place;
    if (!place) { // only the device's configuration space says which BAR it is
        const auto seen = look(subject, context.arguments.capture, name, a_write);
        if (!seen) {
            return fail(seen.error());
        }
        place = seen->target.place;
    }
    DeviceState state(subject);
    auto session = Session::open(context, subject, *place, safety::PortUse::stores);
    if (!session) {
        return fail(std::move(session.error()));
    }
    return NamedWrite(context, subject, std::move(wish), std::move(state), std::move(*session)).run(*place);
}

} // namespace barscope::tool
