#include "loader_state.h"

#include <fmt/format.h>

namespace barscope::regmaps {

bool LoadState::fail(Place place, std::string what, std::string remedy, std::string_view cause) {
    return fail_at(place, documents[place.document].tape[place.node].start, std::move(what),
                   std::move(remedy), cause);
}

bool LoadState::fail_at(Place place, std::size_t offset, std::string what, std::string remedy,
                        std::string_view cause) {
    if (error.what.empty()) {
        const Tape& tape = documents[place.document].tape;
        error.code = ErrorCode::bad_input;
        error.cause = cause;
        error.what = std::move(what);
        error.where = tape.describe(tape.pointer(place.node), offset);
        error.remedy = std::move(remedy);
    }
    return false;
}

bool LoadState::add_name(Index where, Text name, Symbol symbol, Place place, std::string_view kind) {
    if (!symbols.add(where, name, symbol)) {
        return true;
    }
    return fail(place,
                fmt::format("{} \"{}\" exists already{}", kind, tables.text(name),
                            place.document > 0 ? " in the map or in another that it includes" : ""),
                "give each its own name", "map-duplicate-name");
}

} // namespace barscope::regmaps
