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

namespace {

class Context {
  public:
    explicit Context(const ContextRequest& request) : request_(request) {}

    // One that is not asked any more is in the answer, too.
    template <typename Collector>
    void ask(const std::string& what, const std::string& name, CollectorKind kind, Collector collector) {
        if (request_.watch != nullptr && !request_.watch->go_on()) {
            Collected collected = begin_collector(name, kind);
            collected.status = CollectorStatus::not_asked;
            collected.why = "not collected: " + request_.watch->why();
            all_.push_back(std::move(collected));
            return;
        }
        if (request_.progress) {
            request_.progress(what);
        }
        all_.push_back(collector());
    }
    std::vector<Collected> finish() { return std::move(all_); }

  private:
    const ContextRequest& request_;
    std::vector<Collected> all_;
};

void ask_interface(Context& context, const ContextRequest& request, const std::string& interface) {
    context.ask("kernel counters", "net statistics " + interface, CollectorKind::counters,
                [&] { return collect_net_statistics(request, interface); });
    context.ask("kernel counters", "net settings " + interface, CollectorKind::settings,
                [&] { return collect_net_settings(request, interface); });
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
        const std::string option = question.option;
        const std::string words = option.empty() ? "ethtool " : "ethtool " + option + " ";
        context.ask(words, words + interface, question.kind,
                    [&] { return collect_ethtool(request, option, interface, question.kind); });
    }
}

} // namespace

std::vector<Collected> collect_context(const ContextRequest& request) {
    Context context(request);
    context.ask("kernel counters", "AER", CollectorKind::counters, [&] { return collect_aer(request); });
    context.ask("kernel counters", "interrupts", CollectorKind::counters,
                [&] { return collect_interrupts(request); });
    context.ask("kernel counters", "module parameters", CollectorKind::settings,
                [&] { return collect_parameters(request); });
    for (const std::string& interface : request.names.net) {
        ask_interface(context, request, interface);
    }
    for (const std::string& device : request.names.rdma) {
        context.ask("RDMA counters", "RDMA counters " + device, CollectorKind::counters,
                    [&] { return collect_rdma_counters(request, device); });
        context.ask("RDMA resources", "RDMA resources " + device, CollectorKind::table,
                    [&] { return collect_rdma_resources(request, device); });
    }
    context.ask("devlink", "devlink dev info", CollectorKind::settings,
                [&] { return collect_devlink_info(request); });
    return context.finish();
}

} // namespace barscope::tool
