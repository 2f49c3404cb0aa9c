#include <override/window.h>

#include <fmt/format.h>

#include <override/merge.h>

namespace barscope::tool {

namespace {

Error not_held(const Look& look, std::optional<std::uint64_t> found) {
    return {ErrorCode::refused, "window-not-held",
            found ? fmt::format("the window's select register holds {:#x} instead of {:#x}", *found,
                                look.wanted_selection.value_or(0))
                  : std::string("the window's select register could not be read back"),
            look.target.name, "somebody else uses this window; nothing was done behind it"};
}

std::optional<std::uint64_t> selection_of(const Result<Look>& look) {
    return look ? look->selected : std::nullopt;
}

AccessOrder order_of(const Subject& subject, const Look& closed, AuditAction action) {
    AccessOrder order = order_for(subject.map, *closed.select, action);
    const bool select = action == AuditAction::select;
    order.old_value = select ? closed.selected : closed.wanted_selection;
    order.value = (select ? closed.wanted_selection : closed.selected).value_or(0);
    order.detail = "for " + closed.target.name;
    return order;
}

// Puts the window back, unless somebody else has moved it away meanwhile: then it is theirs.
void put_back(std::vector<Error>& aftermath, const Subject& subject, Session& session, const Look& closed,
              const LookAgain& look_again, std::optional<std::uint64_t> selected) {
    if (selected && selected == closed.selected) {
        return; // it never moved
    }
    if (selected && selected != closed.wanted_selection) {
        aftermath.push_back(
            {ErrorCode::refused, "window-moved",
             fmt::format("somebody else moved the window to {:#x} meanwhile: it was left there", *selected),
             closed.select->name, "where the access went is not known"});
        return;
    }
    std::optional<Error> unnoted;
    auto entry = session.restore(order_of(subject, closed, AuditAction::restore), unnoted);
    if (!entry) {
        aftermath.push_back(
            {entry.error().code, "window-not-restored",
             "the window could not be put back: " + entry.error().what, closed.select->name,
             fmt::format("its select register held {:#x} before", closed.selected.value_or(0))});
        return;
    }
    const auto found = selection_of(look_again());
    const bool back = found == closed.selected;
    if (auto noted = session.conclude(*entry, found, back ? "done" : "differs", entry->detail);
        !noted && !unnoted) {
        unnoted = noted.error();
    }
    if (!back) {
        aftermath.push_back(
            {ErrorCode::refused, "window-not-restored",
             found ? fmt::format("the window's select register holds {:#x} after it was put back", *found)
                   : std::string("whether the window is back where it was could not be read"),
             closed.select->name, fmt::format("it held {:#x}", closed.selected.value_or(0))});
    }
    if (unnoted) {
        aftermath.push_back({unnoted->code,
                             unnoted->cause,
                             "the window was put back, but that could not be noted: " + unnoted->what,
                             unnoted->where,
                             {}});
    }
}

} // namespace

Result<void> check_driver(const Subject& subject, const regmaps::Space& space, bool with_driver,
                          const std::string& name) {
    const std::string& driver = subject.facts->driver;
    if (space.window_select == regmaps::none || with_driver ||
        safety::owner_of(driver) == safety::Owner::nobody) {
        return {};
    }
    return fail({ErrorCode::refused, "window-shared",
                 fmt::format("this register lies behind a window that driver {} may use: it can move it, or "
                             "read and write through it, at any moment",
                             driver),
                 name,
                 "unbind the driver; or --with-driver, where its device may fail (one stray access to such a "
                 "window resets a bnxt NIC)"});
}

Result<void> check_window(const Subject& subject, const Look& look, const Session& session) {
    if (!look.selected || !look.wanted_selection) {
        return fail({ErrorCode::refused,
                     "window-unknown",
                     look.selected ? "what selects this window could not be worked out"
                                   : "the window's select register cannot be read, so not be put back",
                     look.target.name,
                     {}});
    }
    const WriteWish wish{look.select->instance.reg, regmaps::none, look.select->name, *look.wanted_selection};
    const RegisterBits bits(
        subject.map, subject.map.registers[wish.reg], [](regmaps::Index) { return std::optional(true); },
        regmaps::none);
    if (auto change = merge(subject.map, wish, bits, look.selected); !change) {
        return fail(std::move(change.error()));
    }
    return session.check(look.select->word);
}

Result<void> through_window(const Subject& subject, Session& session, const Look& closed,
                            const LookAgain& look_again, const WindowWork& work,
                            std::vector<Error>& aftermath) {
    auto entry = session.store(order_of(subject, closed, AuditAction::select));
    if (!entry) {
        return fail(std::move(entry.error())); // a fault, too, moves nothing
    }
    auto moved = look_again();
    std::optional<std::uint64_t> selected = selection_of(moved);
    const bool open = selected == closed.wanted_selection;
    Result<void> result = session.conclude(*entry, selected, open ? "done" : "differs", entry->detail);
    if (result && !moved) {
        result = fail(moved.error());
    } else if (result && !open) {
        result = fail(not_held(closed, selected));
    }
    if (result) {
        const auto last = work(std::move(*moved));
        selected = last ? last->selected : selection_of(look_again());
        result = last ? Result<void>() : fail(last.error());
    }
    put_back(aftermath, subject, session, closed, look_again, selected);
    return result;
}

int tell(Context& context, const std::vector<Error>& aftermath, int status) {
    for (const Error& error : aftermath) {
        context.warn(error);
    }
    return status == 0 && !aftermath.empty() ? exit_status(aftermath.front().code) : status;
}

} // namespace barscope::tool
