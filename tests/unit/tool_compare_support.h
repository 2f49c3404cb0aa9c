// Snapshots made of numbers: a map, what each register holds in each pass, and a head.
#pragma once

#include "regmaps_layout_device.h"

#include <deque>
#include <memory>

#include <nlohmann/json.hpp>

#include <evidence/evidence.h>

namespace barscope::tool::test {

using regmaps::Index;
using regmaps::Severity;
using Values = std::map<std::string, std::uint64_t>; // by instance name; what is not here was lost

inline const std::string bar0 =
    R"("spaces": [{"name": "mem", "bar": 0, "size": "0x100000", "accessWidth": [8, 16, 32, 64]}])";

// A map of one BAR with these registers, and `more` lists behind.
inline std::string registers(const std::string& list, const std::string& more = {}) {
    return bar0 + ", \"registers\": [" + list + "]" + (more.empty() ? "" : ", " + more);
}
inline std::string reg(const std::string& name, unsigned offset, const std::string& more = {}) {
    return R"({"name": ")" + name + R"(", "offset": )" + std::to_string(offset) +
           R"(, "readAction": "none")" + (more.empty() ? "" : ", " + more) + "}";
}

inline regmaps::RawWords& set_status(Capture& capture, const regmaps::RegisterMap& map,
                                     const std::string& name, safety::WordStatus status) {
    for (std::size_t i = 0; i < capture.raw.instances.size(); ++i) {
        if (regmaps::instance_name(map, capture.raw.instances[i]) == name) {
            capture.raw.words[i].status = status;
        }
    }
    return capture.raw;
}

// What stays of one snapshot while reports are made of it.
class Taken {
  public:
    Taken(const regmaps::RegisterMap& map, const std::vector<Values>& passes, nlohmann::json head = {})
        : map_(map) {
        snapshot_.path = "x.json";
        snapshot_.head = std::make_shared<const nlohmann::json>(std::move(head));
        snapshot_.map_name = map.name;
        snapshot_.map_version = map.version;
        snapshot_.map_sha256 = "aa";
        snapshot_.integrity.state = IntegrityState::intact;
        for (const Values& values : passes) {
            add_pass(values);
        }
        // A tenth of a second apart, from second 100 on.
        at(100, 0.1);
    }

    Taken& at(double seconds, double interval) {
        for (std::size_t i = 0; i < captures_.size(); ++i) {
            captures_[i].monotonic_ns =
                static_cast<std::uint64_t>((seconds + static_cast<double>(i) * interval) * 1e9 + 0.5);
        }
        return *this;
    }
    Taken& status(const std::string& name, safety::WordStatus status) {
        for (Capture& capture : captures_) {
            set_status(capture, map_, name, status);
            decode(capture);
        }
        return *this;
    }
    Taken& untimed() {
        for (Capture& capture : captures_) {
            capture.monotonic_ns = 0;
        }
        return *this;
    }
    Snapshot& snapshot() { return snapshot_; }
    Evidence evidence() const { return {snapshot_, map_, captures_}; }

  private:
    void add_pass(const Values& values) {
        regmaps::test::TestDevice device;
        device.values = values;
        Capture capture;
        capture.layout = device.must_place(map_);
        capture.raw = regmaps::test::read_all(map_, capture.layout, device);
        const std::size_t count = capture.raw.instances.size();
        for (Index i = 0; i < count; ++i) {
            capture.shown.push_back(i);
        }
        capture.named.resize(count);
        capture.held.resize(count);
        capture.refusal.resize(count);
        for (std::size_t i = 0; i < count; ++i) { // as a capture does: what must not be read is not
            const auto allowed = regmaps::readability(map_, map_.registers[capture.raw.instances[i].reg]);
            if (allowed != safety::WordStatus::ok) {
                capture.raw.words[i].status = allowed;
            }
        }
        decode(capture);
        captures_.push_back(std::move(capture));
    }
    void decode(Capture& capture) const {
        capture.decoded = regmaps::decode(map_, capture.layout, capture.raw, snapshot_.pci);
    }

    const regmaps::RegisterMap& map_;
    Snapshot snapshot_;
    std::vector<Capture> captures_;
};

inline nlohmann::json same_boot() {
    return nlohmann::json::parse(R"({"host": {"bootId": "b1"}})");
}

// Both with the boot id "b1", 10 s apart unless they say otherwise.
inline Report compare(const Taken& before, const Taken& after, bool all = false) {
    CompareOptions options;
    options.all = all;
    return tool::compare(before.evidence(), after.evidence(), options);
}
inline Report compare(const regmaps::RegisterMap& map, const Values& before, const Values& after,
                      bool all = false) {
    const Taken first(map, {before}, same_boot());
    Taken second(map, {after}, same_boot());
    second.at(110, 0.1);
    return compare(first, second, all);
}

template <typename T>
const T* named(const std::vector<T>& list, const std::string& name) {
    for (const T& entry : list) {
        if (entry.name == name) {
            return &entry;
        }
    }
    return nullptr;
}

template <typename T>
std::vector<std::string> names_of(const std::vector<T>& list) {
    std::vector<std::string> out;
    for (const T& entry : list) {
        out.push_back(entry.name);
    }
    return out;
}
using Names = std::vector<std::string>;

// "NAME.FIELD: before -> after" of the fields that changed.
inline std::vector<std::string> changes(const Report& report) {
    std::vector<std::string> out;
    for (const ReportRegister& reg : report.registers) {
        for (const ReportField& field : reg.fields) {
            if (field.changed) {
                out.push_back(reg.name + "." + field.name + ": " + field.before + " -> " + field.after);
            }
        }
    }
    return out;
}

inline bool is_empty(const Report& report) {
    return report.findings == 0 && report.noise == 0 && report.identity.empty() && report.checks.empty() &&
           report.registers.empty() && report.counters.empty() && report.logs.empty() &&
           report.context.empty() && report.coverage.empty();
}

} // namespace barscope::tool::test
