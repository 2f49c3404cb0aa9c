// read under lab override: an offset, a register whose read changes something, or one behind a window that
// must be moved.
#include <commands/override_commands.h>

#include <fmt/format.h>

#include <commands/capture_steps.h>
#include <override/change_view.h>
#include <override/confirm.h>
#include <override/undisturbed.h>
#include <override/window.h>
#include <override/write_raw.h>
#include <regmaps/names.h>
#include <render/identity.h>
#include <render/registers_json.h>
#include <render/registers_text.h>

namespace barscope::tool {

namespace {

constexpr const char* such_a_read = "a read under lab override";

class NamedRead {
  public:
    NamedRead(Context& context, const Subject& subject, const std::string& name, bool side_effect,
              DeviceState state, Session session)
        : context_(context), subject_(subject), name_(name), side_effect_(side_effect),
          state_(std::move(state)), session_(std::move(session)) {}

    // Nothing: no lab override is needed after all.
    std::optional<Result<int>> run(Place place) {
        session_.before_first_load();
        auto first = look_once();
        if (!first) {
            return fail(std::move(first.error()));
        }
        if (!side_effect_ && !first->window_closed()) {
            return std::nullopt;
        }
        if (auto read = first->window_closed() ? read_behind(*first, place) : finish(*first); !read) {
            tell(context_, aftermath_, 0);
            return fail(std::move(read.error()));
        }
        report();
        return tell(context_, aftermath_, exit_status(seen_->capture));
    }

  private:
    Result<Look> look_once() const { return look(subject_, context_.arguments.capture, name_, such_a_read); }

    Result<void> read_behind(const Look& closed, Place place) {
        if (auto possible = check_window(subject_, closed, session_); !possible) {
            return possible;
        }
        std::string plan;
        append_move(plan, closed);
        if (auto confirmed = confirm(plan, subject_.facts->address, context_.arguments.override_options.yes);
            !confirmed) {
            return confirmed;
        }
        const Undisturbed undisturbed;
        if (auto same = state_.still_holds(subject_, context_.arguments.capture, place); !same) {
            return same;
        }
        const auto again = look_once();
        if (!again || again->selected != closed.selected) {
            return fail(device_changed(subject_, again ? "the window was moved" : again.error().what));
        }
        return through_window(
            subject_, session_, closed, [this] { return look_once(); },
            [this](Look open) -> Result<Look> {
                if (auto read = finish(std::move(open)); !read) {
                    return fail(std::move(read.error()));
                }
                return *seen_;
            },
            aftermath_);
    }

    void append_move(std::string& plan, const Look& closed) const {
        append_identity(plan, context_.style, subject_, &closed.capture);
        plan += fmt::format("\nread   {}  {}\nwindow {} is moved from {} to {} for it, and put back\n", name_,
                            place_text(closed.target.place, closed.target.word), closed.select->name,
                            word_text(closed.selected.value_or(0), closed.select->word.width),
                            word_text(closed.wanted_selection.value_or(0), closed.select->word.width));
    }

    // What a look does not read for its side effect is read now.
    Result<void> finish(Look seen) {
        if (side_effect_) {
            AccessOrder order = order_for(subject_.map, seen.target, AuditAction::read);
            order.detail =
                std::string("reading: ") +
                std::string(regmaps::name(subject_.map.registers[seen.target.instance.reg].read_action));
            const auto entry = session_.load(order);
            if (!entry) {
                return fail(entry.error());
            }
            auto remark = judge_all_ones(subject_, entry->value.value_or(0), entry->width);
            if (!remark) {
                return fail(std::move(remark.error()));
            }
            safety::Word& word = seen.capture.raw.words[seen.position];
            word = {};
            word.value = entry->value.value_or(0);
            word.status = safety::WordStatus::ok;
        }
        seen_ = std::move(seen);
        return {};
    }

    void report() {
        Capture& capture = seen_->capture;
        capture.decoded = regmaps::decode(subject_.map, capture.layout, capture.raw, subject_.pci);
        capture.shown = {static_cast<regmaps::Index>(seen_->position)};
        if (seen_->target.field != regmaps::none) {
            capture.fields = {{static_cast<regmaps::Index>(seen_->position), seen_->target.field}};
        }
        if (context_.arguments.json) {
            render_json(context_.output, subject_, capture, false);
        } else {
            render_text(context_.output, context_.style, subject_, capture, {});
        }
        warn_about(context_, subject_, capture);
        context_.messages.push_back("barscope: note: read under lab override; " + audit_note(session_) +
                                    "\n");
    }

    Context& context_;
    const Subject& subject_;
    const std::string& name_;
    bool side_effect_;
    DeviceState state_;
    Session session_;
    std::vector<Error> aftermath_; // of the window
    std::optional<Look> seen_;
};

std::optional<Result<int>> read_named(Context& context, const Subject& subject, const std::string& name) {
    if (regmaps::is_glob(name)) {
        return std::nullopt;
    }
    const auto found = find_in_map(subject.map, name);
    if (!found) {
        return std::nullopt;
    }
    const regmaps::Register& reg = subject.map.registers[found->reg];
    const safety::WordStatus why = regmaps::readability(subject.map, reg);
    const bool side_effect = why == safety::WordStatus::side_effect || why == safety::WordStatus::unclaimed;
    const regmaps::Space& space = subject.map.spaces[reg.space];
    const bool windowed = space.window_select != regmaps::none && why != safety::WordStatus::write_only;
    if (!side_effect && !windowed) {
        return std::nullopt;
    }
    std::optional<Place> place = found->place;
    if (!place || (windowed && !context.arguments.override_options.with_driver)) {
        const auto seen = look(subject, context.arguments.capture, name, such_a_read);
        if (!seen) {
            return fail(seen.error());
        }
        place = seen->target.place;
        if (!side_effect && !seen->window_closed()) {
            return std::nullopt;
        }
    }
    if (auto alone = check_driver(subject, space, context.arguments.override_options.with_driver, name);
        !alone) {
        return fail(std::move(alone.error()));
    }
    DeviceState state(subject);
    auto session =
        Session::open(context, subject, *place, windowed ? safety::PortUse::stores : safety::PortUse::loads);
    if (!session) {
        return fail(std::move(session.error()));
    }
    return NamedRead(context, subject, name, side_effect, std::move(state), std::move(*session)).run(*place);
}

} // namespace

std::optional<Result<int>> run_override_read(Context& context) {
    const Arguments& arguments = context.arguments;
    if (!arguments.lab_override || arguments.registers.empty()) {
        return std::nullopt;
    }
    const std::string& name = arguments.registers.front();
    const auto raw = parse_raw_place(name);
    if (raw && !*raw && arguments.registers.size() > 1) {
        return std::nullopt;
    }
    if (!raw || arguments.registers.size() > 1) {
        return fail(!raw
                        ? raw.error()
                        : Error{ErrorCode::usage, "bad-arguments", "one offset is read at a time", name, {}});
    }
    auto subject = open_device_subject(arguments);
    if (!subject) {
        return fail(std::move(subject.error()));
    }
    return *raw ? std::optional(read_raw(context, *subject, **raw, name))
                : read_named(context, *subject, name);
}

} // namespace barscope::tool
