#include <capture/generation.h>

#include <array>

#include <capture/doorbell.h>

namespace barscope::tool {

namespace {

using regmaps::RegisterMap;

struct Home { // a structure that one generation alone uses
    std::string_view structure, map, generation, instead;
};
// Linux drivers/infiniband/hw/bnxt_re/qplib_fp.c: bnxt_qplib_fill_psn_search takes the table's entry by
// generation (ext_psn from 575xx on, MSN on 576xx with a table in host memory).
constexpr std::array<Home, 3> homes{{
    {"sq-psn-search", "bnxt-p4", "574xx", "575xx has sq-psn-search-ext"},
    {"sq-psn-search-ext", "bnxt-p5", "575xx", "574xx has sq-psn-search"},
    {"sq-msn-search", "bnxt-p7", "576xx", "575xx has sq-psn-search-ext, 574xx sq-psn-search"},
}};

bool names_generation(std::string_view map) {
    return map == "bnxt-p4" || map == "bnxt-p5" || map == "bnxt-p7";
}

std::optional<std::string> foreign_structure(const RegisterMap& map, std::string_view structure) {
    for (const Home& home : homes) {
        // 576xx without a table in host memory has the entries of 575xx.
        const bool shared = home.structure == "sq-psn-search-ext" && map.name == "bnxt-p7";
        if (home.structure == structure && map.name != home.map && !shared) {
            return std::string(structure) + " is of " + std::string(home.generation) + "; " +
                   std::string(home.instead);
        }
    }
    return std::nullopt;
}

// Notifications carry a toggle to be echoed on 576xx; on others it is 0.
bool has_foreign_toggle(const RegisterMap& map, const regmaps::DecodedStructure& decoded) {
    const std::string_view structure = map.text(map.structures[decoded.structure].name);
    if (map.name == "bnxt-p7" || (structure != "nqe-cn" && structure != "nqe-srq-event")) {
        return false;
    }
    for (const regmaps::DecodedField& field : decoded.fields) {
        if (field.field != regmaps::none && field.value != 0 &&
            map.text(map.fields[field.field].name) == "TOGGLE") {
            return true;
        }
    }
    return false;
}

} // namespace

std::optional<std::string> wrong_generation(const RegisterMap& map, const regmaps::DecodedStructure& decoded,
                                            std::span<const std::uint8_t> bytes) {
    if (!names_generation(map.name)) {
        return std::nullopt;
    }
    if (auto foreign = foreign_structure(map, map.text(map.structures[decoded.structure].name))) {
        return foreign;
    }
    if (has_foreign_toggle(map, decoded)) {
        return "TOGGLE of a notification is used by 576xx only, elsewhere it is 0";
    }
    constexpr std::string_view mark = "wrong generation: ";
    for (const std::string& remark : doorbell_remarks(map, decoded.structure, bytes, std::nullopt)) {
        if (remark.starts_with(mark)) {
            return remark.substr(mark.size());
        }
    }
    return std::nullopt;
}

} // namespace barscope::tool
