#include "bar_source.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/mman.h>

#include <fmt/format.h>

#include <safety/config_space.h>

#include "bar_files.h"
#include "bar_port.h"
#include "gate.h"
#include "refusal.h"
#include "segments.h"

namespace barscope::safety {
namespace {

struct OpenBar {
    UniqueFd fd;
    bool on_sysfs = false;
};

// Opens, looks at and maps the BAR's first page without loading anything, so that a refusal is an error now.
Result<OpenBar> open_file(System& system, const SystemRoot& root, const DeviceFacts& facts, unsigned bar) {
    const std::string path = bar_file(facts, bar);
    const auto refusal = [&](SystemCall step) {
        return fail(explain_refusal(root, facts, path, step, errno));
    };
    OpenBar open{UniqueFd(system.open(path.c_str(), O_RDONLY | O_CLOEXEC, 0))};
    if (!open.fd) {
        return refusal(SystemCall::open);
    }
    struct stat status {};
    if (system.fstat(open.fd.get(), status) != 0) {
        return refusal(SystemCall::fstat);
    }
    open.on_sysfs = system.on_sysfs(open.fd.get());
    const BarGeometry geometry(facts.bars.at(bar), system.page_size());
    const Mapping probe(system, open.fd.get(), geometry.pages(0, 1));
    if (!probe) {
        return refusal(SystemCall::mmap);
    }
    return open;
}

class BarSource final : public WordSource {
  public:
    BarSource(std::shared_ptr<System> system, SystemRoot root, DeviceFacts facts, unsigned bar, OpenBar open,
              const BarOpenOptions& options)
        : system_(std::move(system)), root_(std::move(root)), facts_(std::move(facts)), bar_(bar),
          path_(bar_file(facts_, bar)), open_(std::move(open)), options_(options),
          geometry_(facts_.bars.at(bar), system_->page_size()) {}

    SpaceCapture read(const SpacePlan& plan, const ReadOptions& options) override;
    std::string describe() const override { return path_ + " (mmap, read-only)"; }
    std::uint64_t size() const override { return bounds().readable; }

  private:
    SourceBounds bounds() const;
    std::optional<bool> config_answers();
    BarContext context();
    void drop_padding(const SpacePlan& plan, const SourceBounds& before, std::vector<Word>& words) const;

    std::shared_ptr<System> system_;
    SystemRoot root_;
    DeviceFacts facts_;
    unsigned bar_;
    std::string path_;
    OpenBar open_;
    BarOpenOptions options_;
    BarGeometry geometry_;
    TickScale scale_;
    std::shared_ptr<ConfigSpace> config_; // opened when it is first asked
};

SourceBounds BarSource::bounds() const {
    struct stat status {};
    const bool known = system_->fstat(open_.fd.get(), status) == 0 && status.st_size >= 0;
    return geometry_.bounds(known ? static_cast<std::uint64_t>(status.st_size) : 0, open_.on_sysfs);
}

std::optional<bool> BarSource::config_answers() {
    if (!config_) {
        auto opened = ConfigSpace::open(root_, facts_.address);
        if (!opened) {
            return opened.error().cause == "device-absent" ? std::optional(false) : std::nullopt;
        }
        config_ = std::move(*opened);
    }
    return config_->answers();
}

BarContext BarSource::context() {
    return {*system_,
            open_.fd.get(),
            geometry_,
            fmt::format("bar{}", bar_),
            options_.access_log,
            [this] { return config_answers(); },
            [this](int error) { return explain_refusal(root_, facts_, path_, SystemCall::mmap, error); }};
}

// A regular file that stands for a BAR is padded with zeros to a whole page, and may be cut while it is read.
// What was loaded from beyond its end is no value. (A fault has already marked the pages that went
// altogether.)
void BarSource::drop_padding(const SpacePlan& plan, const SourceBounds& before,
                             std::vector<Word>& words) const {
    const SourceBounds now = bounds();
    if (open_.on_sysfs || now.readable >= before.readable) {
        return;
    }
    const WordCheck check(plan, now);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool loaded =
            words[i].status < WordStatus::not_attempted && words[i].status != WordStatus::lost;
        if (loaded && check(plan.words[i]) == WordStatus::short_source) {
            words[i] = Word{};
            words[i].status = WordStatus::short_source;
        }
    }
}

SpaceCapture BarSource::read(const SpacePlan& plan, const ReadOptions& options) {
    SpaceCapture capture;
    const SourceBounds limits = bounds();
    const WordCheck check(plan, limits);
    std::vector<PageRun> windows;
    const std::vector<Segment> segments =
        plan_segments(plan, check, capture.words, [&](const WordRequest& word) {
            const PageRun pages = geometry_.pages(word.offset, word.width / 8U);
            if (!windows.empty() && pages.begin >= windows.back().begin &&
                pages.begin <= windows.back().end) {
                windows.back().end = std::max(windows.back().end, pages.end);
            } else {
                windows.push_back(pages);
            }
            return static_cast<std::uint32_t>(windows.size() - 1);
        });
    BarPort port(context(), plan, options, check, windows, scale_, capture);
    if (!segments.empty()) {
        static_cast<void>(
            port.enter(segments.front())); // before the clock runs; a refusal comes up again in the pass
    }
    capture.started_ns = system_->realtime_ns();
    const std::uint64_t begin = system_->monotonic_ns();
    Pass pass(plan, options, port, capture);
    pass.run(segments);
    capture.elapsed_ns = system_->monotonic_ns() - begin;
    pass.finish();
    port.finish_times(capture.words);
    drop_padding(plan, limits, capture.words);
    return capture;
}

} // namespace

Result<std::unique_ptr<WordSource>> open_bar_with(std::shared_ptr<System> system, const SystemRoot& root,
                                                  const DeviceFacts& facts, unsigned bar,
                                                  const BarOpenOptions& options) {
    Verdict verdict = check_bar(root, facts, bar);
    if (!verdict.passed) {
        return fail(std::move(*verdict.refusal));
    }
    Result<OpenBar> open = open_file(*system, root, facts, bar);
    if (!open) {
        return fail(std::move(open.error()));
    }
    return std::make_unique<BarSource>(std::move(system), root, facts, bar, std::move(*open), options);
}

Verdict probe_mapping_with(System& system, const SystemRoot& root, const DeviceFacts& facts, unsigned bar) {
    const std::string check = fmt::format("bar{}-mapping", bar);
    Verdict verdict = check_bar(root, facts, bar);
    if (!verdict.passed) {
        verdict.check = check;
        return verdict;
    }
    const Result<OpenBar> open = open_file(system, root, facts, bar);
    if (!open) {
        return refused(check, open.error());
    }
    return passed(check, bar_file(facts, bar) + " can be mapped read-only");
}

Result<std::unique_ptr<WordSource>> open_bar(ReadOnly, const SystemRoot& root, const DeviceFacts& facts,
                                             unsigned bar, const BarOpenOptions& options) {
    return open_bar_with(std::make_shared<System>(), root, facts, bar, options);
}

Verdict probe_mapping(const SystemRoot& root, const DeviceFacts& facts, unsigned bar) {
    System system;
    return probe_mapping_with(system, root, facts, bar);
}

} // namespace barscope::safety
