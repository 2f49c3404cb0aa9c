// fwlog: everything that a device's firmware and driver have said, or a file in which somebody saved it.
#include <commands/context.h>
#include <commands/device_watch.h>
#include <commands/fwlog_show.h>

#include <algorithm>

#include <fmt/format.h>

#include <device/files.h>
#include <device/lookup.h>
#include <device/selector.h>
#include <logs/extract.h>
#include <logs/follow.h>
#include <logs/log_inputs.h>
#include <logs/log_rings.h>

namespace barscope::tool {

namespace {

Result<fwlog::PatternSet> load_patterns(const LogOptions& options) {
    fwlog::PatternSet own; // the user's come first, so that they win
    for (const std::string& path : options.pattern_files) {
        const auto text = read_user_file(path, std::size_t{1} << 24);
        auto added = text ? own.add(*text, path) : Result<void>(fail(text.error()));
        if (!added) {
            return fail(std::move(added.error()));
        }
    }
    auto all = own.add_built_in();
    if (!all) {
        return fail(std::move(all.error()));
    }
    return own;
}

Result<int> show_file(Context& context, const std::string& path, const fwlog::PatternSet& patterns) {
    const LogOptions& options = context.arguments.log;
    fwlog::Filter filter = options.filter;
    if (!options.device.empty()) {
        filter.device = fwlog::DeviceNames{.address = {}, .names = {options.device}, .driver = {}};
    }
    if (options.follow) {
        const bool ring = path == "/dev/kmsg";
        return follow_log(context,
                          {.path = path,
                           .kernel_ring = ring,
                           .format = ring ? std::optional(fwlog::Format::kmsg) : options.type,
                           .filter = std::move(filter)},
                          patterns);
    }
    auto inputs = open_log_file(path, options, patterns);
    if (!inputs) {
        return fail(std::move(inputs.error()));
    }
    if (inputs->bytes != nullptr) {
        return show_log_bytes(context, *inputs);
    }
    if (!options.extract.empty()) {
        return fail({.code = ErrorCode::usage,
                     .cause = "bad-arguments",
                     .what = "--extract takes a core dump apart; this file is none",
                     .where = path,
                     .remedy = {}});
    }
    return show_log(context, *inputs, filter);
}

bool is_wanted(const LogInput& input, const std::vector<std::string>& sources) {
    return sources.empty() || std::any_of(sources.begin(), sources.end(), [&](const std::string& source) {
               return fwlog::is_source(input.name, source);
           });
}

// Sources of a device that could not be read: told on standard error too, and the exit status where nothing
// was of what was asked for.
int warn_about_sources(Context& context, const LogInputs& inputs, int status) {
    bool any = false;
    std::optional<ErrorCode> code;
    for (const LogInput& input : inputs.list) {
        if (!is_wanted(input, context.arguments.log.filter.sources)) {
            continue;
        }
        any = any || input.open;
        if (input.error) {
            context.warn(*input.error);
            code = code ? code : std::optional<ErrorCode>(input.error->code);
        }
    }
    return !any && code ? exit_status(*code) : status;
}

// Only a map that fits the device and describes rings makes anything be read, and only for who wants rings.
void add_rings(Context& context, LogInputs& inputs, Watch* watch) {
    const Arguments& arguments = context.arguments;
    const auto& sources = arguments.log.filter.sources;
    const auto is_ring = [](const std::string& source) { return source.starts_with("ring"); };
    if (!sources.empty() && std::none_of(sources.begin(), sources.end(), is_ring)) {
        return;
    }
    SubjectOptions wanted;
    wanted.device = inputs.names.address;
    wanted.map = arguments.map;
    auto subject = open_subject(arguments.root, wanted);
    if (!subject) {
        if (!arguments.map.empty()) { // without one that was asked for, no map is no failure here
            context.warn(subject.error());
        }
        return;
    }
    auto shared = std::make_shared<const Subject>(std::move(*subject));
    CaptureOptions options = arguments.capture;
    options.watch = watch;
    for (LogInput& ring : read_rings(shared, options)) {
        inputs.list.push_back(std::move(ring));
    }
}

Result<int> follow_device(Context& context, const safety::SystemRoot& root, const safety::DeviceFacts& facts,
                          const fwlog::PatternSet& patterns) {
    return follow_log(context,
                      {.path = root.path("/dev/kmsg"),
                       .kernel_ring = root.is_live(),
                       .format = fwlog::Format::kmsg,
                       .filter = context.arguments.log.filter,
                       .device_folder = facts.directory,
                       .places = [root, facts] { return log_places(root, facts); }},
                      patterns);
}

Result<int> show_device(Context& context, const safety::SystemRoot& root, const safety::PciAddress& address,
                        const fwlog::PatternSet& patterns) {
    LogOptions options = context.arguments.log;
    if (!options.device.empty() || options.type) {
        return fail({.code = ErrorCode::usage,
                     .cause = "bad-arguments",
                     .what = "--device and --type are for files",
                     .where = context.arguments.device,
                     .remedy = {}});
    }
    auto facts = safety::read_device_facts(root, address);
    if (!facts) {
        return fail(std::move(facts.error()));
    }
    if (options.follow) {
        return follow_device(context, root, *facts, patterns);
    }
    DeviceWatch watch(context.arguments.capture, true, Afterwards::more);
    options.watch = watch.get();
    LogInputs inputs = open_device_logs(root, std::move(*facts), options, patterns);
    add_rings(context, inputs, watch.get());
    const bool whole = watch.get()->go_on();
    if (!whole) {
        context.warn(watch.get()->error(context.arguments.device));
    }
    watch.done();
    fwlog::Filter filter = options.filter;
    filter.device = inputs.names;
    if (!options.extract.empty()) {
        if (auto written = write_blobs(inputs.blobs, options.extract); !written) {
            return fail(std::move(written.error()));
        }
    }
    const auto status = show_log(context, inputs, filter);
    if (!status) {
        return status;
    }
    const int told = warn_about_sources(context, inputs, *status);
    return whole ? told : exit_status(ErrorCode::absent);
}

} // namespace

Result<int> run_fwlog(Context& context) {
    const Arguments& arguments = context.arguments;
    const safety::SystemRoot root = system_root(arguments.root);
    const auto patterns = load_patterns(arguments.log);
    if (!patterns) {
        return fail(patterns.error());
    }
    auto target = select_target(root, arguments.device);
    if (!target) {
        return fail(std::move(target.error()));
    }
    if (const auto* file = std::get_if<DumpFile>(&*target)) {
        return show_file(context, file->path, *patterns);
    }
    return show_device(context, root, std::get<safety::PciAddress>(*target), *patterns);
}

} // namespace barscope::tool
