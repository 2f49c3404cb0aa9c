#include <evidence/report_sources.h>

#include <evidence/head.h>

namespace barscope::tool {

void add_sources(const Side& side, Report& report) {
    for (const SourceReport& source : side.capture().sources) {
        report.sources.push_back({place_name(source.place), source.description,
                                  source.device_gone ? "failed" : "read", source.note});
    }
    for (const Error& refusal : side.capture().refusals) {
        report.sources.push_back({"registers", refusal.where, "refused", refusal.what});
    }
    for (const std::string_view list : {"logs", "context"}) {
        for (const nlohmann::json& entry : list_in_head(side.evidence().snapshot, list)) {
            report.sources.push_back({text_of(member(&entry, "name")), text_of(member(&entry, "source")),
                                      text_of(member(&entry, "status")), text_of(member(&entry, "why"))});
        }
    }
}

} // namespace barscope::tool
