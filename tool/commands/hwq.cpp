#include <algorithm>

#include <capture/hwq.h>
#include <commands/context.h>
#include <device/discover.h>
#include <device/files.h>
#include <device/lookup.h>
#include <device/rdma_tool.h>
#include <device/selector.h>
#include <render/hwq.h>

namespace barscope::tool {

namespace {

constexpr std::size_t largest_file = std::size_t{64} << 20;

struct Gathered {
    std::vector<HwqObject> objects;
    HwqView view;
};

bool is_file(const std::string& operand) {
    return operand == "-" || operand.find('/') != std::string::npos || operand.ends_with(".json") ||
           exists(operand);
}

Result<void> add(Gathered& gathered, std::string_view text, const std::optional<HwqKind>& assumed,
                 const std::string& where) {
    auto objects = parse_hwq(text, assumed, where);
    if (!objects) {
        return fail(std::move(objects.error()));
    }
    std::move(objects->begin(), objects->end(), std::back_inserter(gathered.objects));
    gathered.view.sources.push_back(where);
    return {};
}

Result<void> from_files(const HwqArguments& arguments, Gathered& gathered) {
    const auto assumed = arguments.kinds.size() == 1 ? std::optional(arguments.kinds.front()) : std::nullopt;
    for (const std::string& file : arguments.operands) {
        if (!is_file(file)) {
            return fail(
                {ErrorCode::usage, "bad-arguments", "files and a device do not go together", file, {}});
        }
        auto content = read_user_file(file, largest_file);
        if (!content) {
            return fail(std::move(content.error()));
        }
        if (auto added = add(gathered, *content, assumed, file == "-" ? "standard input" : file); !added) {
            return added;
        }
    }
    if (!arguments.kinds.empty()) {
        std::erase_if(gathered.objects, [&](const HwqObject& object) {
            return std::find(arguments.kinds.begin(), arguments.kinds.end(), object.kind) ==
                   arguments.kinds.end();
        });
    }
    return {};
}

Result<std::string> rdma_name(const safety::SystemRoot& root, const std::string& device) {
    auto target = select_target(root, device);
    if (!target) {
        return fail(std::move(target.error()));
    }
    const auto* address = std::get_if<safety::PciAddress>(&*target);
    const NamesByAddress names = kernel_names(root);
    const auto found = address == nullptr ? names.end() : names.find(*address);
    if (found == names.end() || found->second.rdma.empty()) {
        return fail({ErrorCode::absent, "no-rdma-device", "the device has no RDMA device in the kernel",
                     device, "is the RDMA driver (bnxt_re) loaded? `barscope list` shows the names"});
    }
    const std::vector<std::string>& rdma = found->second.rdma;
    return std::find(rdma.begin(), rdma.end(), device) != rdma.end() ? device : rdma.front();
}

Result<void> from_kernel(Context& context, Gathered& gathered) {
    const HwqArguments& arguments = context.arguments.hwq;
    const safety::SystemRoot root = system_root(context.arguments.root);
    if (arguments.operands.size() != 1) {
        return fail({ErrorCode::usage, "bad-arguments", "name one device", arguments.operands.back(), {}});
    }
    const auto device = rdma_name(root, arguments.operands.front());
    if (!device) {
        return fail(device.error());
    }
    std::vector<HwqKind> kinds = arguments.kinds;
    if (kinds.empty()) {
        kinds = {HwqKind::qp, HwqKind::cq, HwqKind::srq, HwqKind::mr};
    }
    for (const HwqKind kind : kinds) {
        for (const bool raw : {false, true}) {
            if (raw && !arguments.raw) {
                continue;
            }
            auto shown = run_rdma_show(root, std::string(name(kind)), *device, raw);
            if (!shown) {
                return fail(std::move(shown.error()));
            }
            if (auto added = add(gathered, shown->text, kind, shown->command); !added) {
                return added;
            }
        }
    }
    return {};
}

} // namespace

Result<int> run_hwq(Context& context) {
    const HwqArguments& arguments = context.arguments.hwq;
    Gathered gathered;
    gathered.view.full = arguments.full;
    gathered.view.show_pointers = arguments.show_pointers;
    auto done = is_file(arguments.operands.front()) ? from_files(arguments, gathered)
                                                    : from_kernel(context, gathered);
    if (!done) {
        return fail(std::move(done.error()));
    }
    judge_contexts(gathered.objects);
    if (context.arguments.json) {
        render_hwq_json(context.output, gathered.objects, gathered.view);
    } else {
        render_hwq_text(context.output, context.style, gathered.objects, gathered.view);
    }
    return 0;
}

} // namespace barscope::tool
