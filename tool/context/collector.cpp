#include <context/collectors.h>

#include <array>

#include <ctime>

namespace barscope::tool {

std::string_view name(CollectorKind kind) {
    static constexpr std::array<std::string_view, 3> names{"counters", "settings", "table"};
    return names.at(static_cast<std::size_t>(kind));
}

std::string_view name(CollectorStatus status) {
    static constexpr std::array<std::string_view, 4> names{"read", "absent", "failed", "not-asked"};
    return names.at(static_cast<std::size_t>(status));
}

Collected begin_collector(std::string name, CollectorKind kind) {
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    Collected collected;
    collected.name = std::move(name);
    collected.kind = kind;
    collected.monotonic_ns =
        static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
    return collected;
}

std::vector<Collected> collect_context(const ContextRequest& request) {
    std::vector<Collected> all;
    const auto add = [&](Collected collected) { all.push_back(std::move(collected)); };
    const auto tell = [&](const std::string& what) {
        if (request.progress) {
            request.progress(what);
        }
    };
    tell("kernel counters");
    add(collect_aer(request));
    add(collect_interrupts(request));
    add(collect_parameters(request));
    for (const std::string& interface : request.names.net) {
        add(collect_net_statistics(request, interface));
        add(collect_net_settings(request, interface));
        struct Question {
            const char* option;
            CollectorKind kind;
        };
        static constexpr std::array questions{
            Question{"-S", CollectorKind::counters}, Question{"-i", CollectorKind::settings},
            Question{"", CollectorKind::settings},   Question{"-c", CollectorKind::settings},
            Question{"-g", CollectorKind::settings}, Question{"-l", CollectorKind::settings},
            Question{"-a", CollectorKind::settings}, Question{"-k", CollectorKind::settings}};
        for (const Question& question : questions) {
            tell(std::string("ethtool ") + question.option);
            add(collect_ethtool(request, question.option, interface, question.kind));
        }
    }
    for (const std::string& device : request.names.rdma) {
        tell("RDMA counters");
        add(collect_rdma_counters(request, device));
        tell("RDMA resources");
        add(collect_rdma_resources(request, device));
    }
    tell("devlink");
    add(collect_devlink_info(request));
    return all;
}

} // namespace barscope::tool
