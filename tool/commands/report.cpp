// show and diff: snapshots as reports for people.
#include <commands/context.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <optional>

#include <evidence/beside.h>
#include <evidence/evidence.h>
#include <evidence/new_file.h>
#include <evidence/snapshot.h>

#include <device/files.h>
#include <device/lookup.h>
#include <regmaps/prefault.h>
#include <render/escape.h>
#include <render/report_html.h>
#include <render/report_json.h>
#include <render/report_markdown.h>
#include <render/report_text.h>

namespace barscope::tool {

namespace {

// A snapshot with what is needed to look at it. Its address stays the same: evidence refers to it.
struct Opened {
    Snapshot snapshot;
    regmaps::RegisterMap map;
};
using OpenedPtr = std::unique_ptr<Opened>;

bool same_map(const Snapshot& a, const Snapshot& b) {
    return a.map_hash == b.map_hash && !a.map_hash.empty();
}

Result<regmaps::RegisterMap> load_map(const Arguments& arguments, const Snapshot& snapshot) {
    return arguments.map.empty()
               ? embedded_map(snapshot)
               : regmaps::Catalog(map_folders(system_root(arguments.root))).find(arguments.map);
}

// `other`: one that was opened before, whose map is used again where it is the same.
Result<OpenedPtr> open(const Arguments& arguments, const std::string& path, const Opened* other) {
    auto snapshot = open_snapshot(path, {.same_map = other == nullptr ? nullptr : &other->snapshot});
    if (!snapshot) {
        return fail(std::move(snapshot.error()));
    }
    auto opened = std::make_unique<Opened>();
    opened->snapshot = std::move(*snapshot);
    if (other != nullptr && (!arguments.map.empty() || same_map(other->snapshot, opened->snapshot))) {
        opened->map = other->map;
        return opened;
    }
    auto map = load_map(arguments, opened->snapshot);
    if (!map) {
        return fail(std::move(map.error()));
    }
    opened->map = std::move(*map);
    return opened;
}

Result<Evidence> decode(const Opened& opened) {
    auto passes = replay_all(opened.snapshot, opened.map);
    if (!passes) {
        return fail(std::move(passes.error()));
    }
    return Evidence{opened.snapshot, opened.map, std::move(*passes)};
}

void render(Output& output, const Style& style, const Report& report, const ReportArguments& arguments) {
    switch (arguments.format) {
    case ReportFormat::text:
        render_report_text(output, style, report, arguments.all);
        return;
    case ReportFormat::json:
        render_report_json(output, report);
        return;
    case ReportFormat::markdown:
        render_report_markdown(output, report, arguments.all);
        return;
    case ReportFormat::html:
        render_report_html(output, report);
        return;
    }
}

// To standard output, or whole into a file.
Result<void> deliver(Context& context, const Report& report) {
    const ReportArguments& arguments = context.arguments.report;
    if (arguments.output.empty()) {
        render(context.output, context.style, report, arguments);
        return {};
    }
    return make_new_file(arguments.output, {.replace = arguments.force}, [&](int fd) {
        Output output(fd);
        render(output, Style(false), report, arguments);
        return output.finish();
    });
}

CompareOptions compare_options(const ReportArguments& arguments, bool one) {
    CompareOptions options;
    // The file formats hold everything and let the reader choose.
    options.all =
        arguments.all || arguments.format == ReportFormat::json || arguments.format == ReportFormat::html;
    options.tree = arguments.format == ReportFormat::html || (one && arguments.format == ReportFormat::json);
    return options;
}

std::vector<std::string> snapshots_in(const std::string& folder) {
    std::vector<std::string> paths;
    for (const std::string& name : list_directory(folder)) {
        if (name.ends_with(".json") || name.ends_with(".json.zst")) {
            paths.push_back(folder + "/" + name);
        }
    }
    return paths;
}

// What is no snapshot in the folder is told and left out.
Result<Report> against_baseline(Context& context, const Opened& one, const Evidence& evidence) {
    const ReportArguments& arguments = context.arguments.report;
    std::vector<OpenedPtr> opened;
    for (const std::string& path : snapshots_in(arguments.baseline)) {
        auto next = open(context.arguments, path, &one);
        if (!next) {
            context.note(next.error());
        } else if ((*next)->snapshot.integrity.digest != one.snapshot.integrity.digest ||
                   one.snapshot.integrity.digest.empty()) {
            opened.push_back(std::move(*next));
        }
    }
    std::vector<Evidence> fleet;
    for (const OpenedPtr& next : opened) {
        auto decoded = decode(*next);
        if (!decoded) {
            context.note(decoded.error());
        } else {
            fleet.push_back(std::move(*decoded));
        }
    }
    return compare_with_baseline(fleet, evidence, compare_options(arguments, false));
}

Result<int> finish(Context& context, const Report& report, bool diff) {
    if (auto delivered = deliver(context, report); !delivered) {
        return fail(std::move(delivered.error()));
    }
    return diff && has_findings(report) ? 1 : 0;
}

Result<int> check_output(const ReportArguments& arguments) {
    if (arguments.output.empty()) {
        return 0;
    }
    auto possible = check_new_file(arguments.output, {.replace = arguments.force});
    return possible ? Result<int>(0) : Result<int>(fail(std::move(possible.error())));
}

Result<int> diff_with_baseline(Context& context) {
    const auto one = open(context.arguments, context.arguments.report.files.front(), nullptr);
    if (!one) {
        return fail(one.error());
    }
    const auto evidence = decode(**one);
    if (!evidence) {
        return fail(evidence.error());
    }
    const auto report = against_baseline(context, **one, *evidence);
    return report ? finish(context, *report, true) : Result<int>(fail(report.error()));
}

struct TwoSnapshots {
    Result<Snapshot> first, second;
};

// One after the other: the second one's map is mostly the first one's.
TwoSnapshots open_two(const std::vector<std::string>& files,
                      const std::function<void(const Snapshot&)>& on_map) {
    auto first = open_snapshot(files.front(), {.on_map = on_map});
    auto second =
        first ? open_snapshot(files.back(), {.same_map = &*first}) : Result<Snapshot>(fail(first.error()));
    return {std::move(first), std::move(second)};
}

// What the files hold is read and checked in a thread beside the one that loads the map, which takes as long
// as all of it.
Result<int> diff_of_two(Context& context) {
    const Arguments& arguments = context.arguments;
    std::promise<std::optional<Snapshot>> promise;
    auto promised = promise.get_future();
    auto reading = beside([&]() noexcept { // out of memory ends the program: nobody waits for ever
        bool told = false;
        auto two = open_two(arguments.report.files, [&](const Snapshot& guess) {
            told = true;
            promise.set_value(guess);
        });
        if (!told) {
            promise.set_value(std::nullopt);
        }
        return two;
    });
    if (reading.wait_for(std::chrono::seconds(0)) == std::future_status::deferred) {
        reading.wait(); // there are no threads
    }
    const std::optional<Snapshot> guess = promised.get();
    std::optional<Result<regmaps::RegisterMap>> guessed;
    if (guess) {
        guessed = load_map(arguments, *guess);
    }
    auto two = reading.get();
    if (!two.first || !two.second) {
        return fail(!two.first ? std::move(two.first.error()) : std::move(two.second.error()));
    }
    Opened first{std::move(*two.first), {}};
    auto map =
        guessed && first.snapshot.as_written ? std::move(*guessed) : load_map(arguments, first.snapshot);
    auto other = std::move(two.second);
    if (!map) {
        return fail(std::move(map.error()));
    }
    first.map = std::move(*map);
    Opened second{std::move(*other), {}};
    auto second_map = !arguments.map.empty() || same_map(first.snapshot, second.snapshot)
                          ? Result<regmaps::RegisterMap>(first.map)
                          : load_map(arguments, second.snapshot);
    if (!second_map) {
        return fail(std::move(second_map.error()));
    }
    second.map = std::move(*second_map);
    auto decoding = beside([&] { return decode(second); });
    const auto before = decode(first);
    const auto after = decoding.get();
    if (!before || !after) {
        return fail(!before ? before.error() : after.error());
    }
    return finish(context, compare(*before, *after, compare_options(arguments.report, false)), true);
}

// A snapshot's map takes a multiple of its size while it is loaded; the files themselves are held once.
std::size_t memory_for(const ReportArguments& arguments) {
    std::uintmax_t size = 0;
    for (std::size_t i = 0; i < arguments.files.size(); ++i) {
        std::error_code unknown;
        const std::uintmax_t file = std::filesystem::file_size(arguments.files[i], unknown);
        size += unknown ? 0 : i == 0 ? file : file / 4;
    }
    return static_cast<std::size_t>(std::min<std::uintmax_t>(size, std::size_t{64} << 20));
}

} // namespace

Result<int> run_show(Context& context) {
    const ReportArguments& arguments = context.arguments.report;
    const regmaps::HugePageHeap heap(memory_for(arguments));
    if (auto possible = check_output(arguments); !possible) {
        return possible;
    }
    const auto opened = open(context.arguments, arguments.files.front(), nullptr);
    if (!opened) {
        return fail(opened.error());
    }
    const auto evidence = decode(**opened);
    if (!evidence) {
        return fail(evidence.error());
    }
    return finish(context, describe(*evidence, compare_options(arguments, true)), false);
}

Result<int> run_diff(Context& context) {
    const ReportArguments& arguments = context.arguments.report;
    const regmaps::HugePageHeap heap(memory_for(arguments));
    if (auto possible = check_output(arguments); !possible) {
        return possible;
    }
    return arguments.baseline.empty() ? diff_of_two(context) : diff_with_baseline(context);
}

} // namespace barscope::tool
