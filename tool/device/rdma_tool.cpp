#include <device/rdma_tool.h>

namespace barscope::tool {

namespace {

Error without_program() {
    return {ErrorCode::absent, "no-rdma-tool", "the program rdma is not installed", "/usr/bin/rdma",
            "install iproute2; or save `rdma -d -d -j resource show qp` elsewhere and name the file"};
}

std::string first_line(std::string_view text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    return line.empty() ? std::string("nothing on standard error") : std::string(line);
}

} // namespace

Result<RdmaOutput> run_rdma_show(const safety::SystemRoot& root, const std::string& kind,
                                 const std::string& device, bool raw, const ChildLimits& limits) {
    if (!root.is_live()) {
        return fail({ErrorCode::refused, "not-this-machine",
                     "the kernel can be asked on the running machine only, not below --root", device,
                     "name a file with the saved output of rdma instead"});
    }
    const auto program = find_program("rdma");
    if (!program) {
        return fail(without_program());
    }
    std::vector<std::string> arguments{"-d", "-d", "-j"};
    if (raw) {
        arguments.emplace_back("-r");
    }
    // Queue pairs are listed by link, everything else by device.
    const std::vector<std::string> rest{"resource", "show", kind, kind == "qp" ? "link" : "dev", device};
    arguments.insert(arguments.end(), rest.begin(), rest.end());
    std::string command = *program;
    for (const std::string& word : arguments) {
        command += " " + word;
    }
    auto output = run_child(*program, arguments, limits);
    if (!output) {
        return fail(std::move(output.error()));
    }
    if (output->status != 0) {
        return fail(
            {ErrorCode::absent, "rdma-failed",
             "rdma ended with status " + std::to_string(output->status) + ": " + first_line(output->err),
             command, raw ? "raw contexts need a 575xx or 576xx, a driver that gives them, and root" : ""});
    }
    return RdmaOutput{std::move(command), std::move(output->out)};
}

} // namespace barscope::tool
