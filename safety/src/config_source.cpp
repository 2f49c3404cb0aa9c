#include <safety/bar_mapping.h>
#include <safety/config_space.h>

#include <fmt/format.h>

#include "access_log.h"
#include "byte_order.h"
#include "load.h"
#include "pacing.h"
#include "pass.h"
#include "segments.h"
#include "split_load.h"
#include "system.h"
#include "word_timing.h"

namespace barscope::safety {
namespace {

constexpr std::uint64_t config_space_end = 4096;
constexpr std::uint8_t config_widths = 0x7; // 8, 16 and 32 bits

class ConfigPort final : public LoadPort {
  public:
    ConfigPort(ConfigSpace& config, AccessLog* access_log, const ReadOptions& options, System& system,
               SpaceCapture& capture)
        : config_(config), access_log_(access_log), timing_(options.timing), watch_(options.watch),
          system_(system), pacing_(system, options), capture_(capture) {}

    Result<void> enter(const Segment& /*segment*/) override { return {}; }

    Step load(const Segment& segment, const WordRequest* requests, Word* words, std::size_t count) override {
        for (std::size_t i = 0; i < count; ++i) {
            words[i] = timed(segment, requests[i]);
            if (!refusal_.empty()) {
                words[i] = blank_word();
                return {i, Stop::refused};
            }
            if (words[i].status == WordStatus::lost) {
                return {i + 1, Stop::fault};
            }
            if (words[i].status == WordStatus::ok && words[i].value == all_ones(segment.width)) {
                return {i + 1, Stop::all_ones};
            }
            if ((words[i].flags & slow) != 0) {
                return {i + 1, Stop::slow};
            }
        }
        return {count, Stop::none};
    }

    Answer ask(const WordRequest* /*suspect*/) override {
        if (watch_ != nullptr && !watch_->go_on()) {
            return Answer::unknown;
        }
        return config_.answers() ? Answer::alive : Answer::gone;
    }

    void pause(std::chrono::milliseconds time) override {
        const auto ns = static_cast<std::uint64_t>(std::chrono::nanoseconds(time).count());
        if (watch_ != nullptr) {
            static_cast<void>(watch_->wait(ns));
        } else {
            system_.sleep_ns(ns);
        }
    }

    std::string why() const override { return refusal_; }

  private:
    std::optional<std::uint32_t> read(std::uint64_t offset, unsigned width) {
        if (!pacing_.wait()) {
            refusal_ = watch_->why();
            capture_.stopped = true;
            return std::nullopt;
        }
        if (access_log_ != nullptr) {
            if (const Result<void> noted = access_log_->intend("config", offset, width); !noted) {
                refusal_ = unnoted_load(noted.error());
                return std::nullopt;
            }
        }
        ++capture_.loads;
        return config_.read(static_cast<std::uint32_t>(offset), width);
    }

    Word timed(const Segment& segment, const WordRequest& request) {
        OffCpuTime off_cpu(system_);
        const std::uint64_t before = system_.monotonic_ns();
        Word word = segment.split ? read_split(request) : read_whole(request);
        const std::uint64_t ns = system_.monotonic_ns() - before;
        if (timing_) {
            set_time(word, ns < doubtful_load_ns ? ns : ns - std::min(ns, off_cpu.take()));
        }
        return word;
    }

    Word read_whole(const WordRequest& request) {
        Word word;
        const auto value = read(request.offset, request.width);
        word.status = value ? WordStatus::ok : WordStatus::lost;
        // Configuration space is little-endian and libpci gives host order.
        word.value = request.order == ByteOrder::big ? swap_bytes(value.value_or(0), request.width)
                                                     : value.value_or(0);
        return word;
    }

    Word read_split(const WordRequest& request) {
        const bool big = request.order == ByteOrder::big;
        bool lost = false;
        const auto half = [&](std::uint64_t offset) {
            const auto value = lost ? std::nullopt : read(offset, 32);
            lost = !value;
            const std::uint32_t got = value.value_or(0);
            return static_cast<std::uint32_t>(big ? swap_bytes(got, 32) : got);
        };
        const SplitValue value = load_split([&] { return half(request.offset + (big ? 0 : 4)); },
                                            [&] { return half(request.offset + (big ? 4 : 0)); });
        Word word;
        word.value = value.value;
        word.status = lost ? WordStatus::lost : value.torn ? WordStatus::torn : WordStatus::ok;
        return word;
    }

    ConfigSpace& config_;
    AccessLog* access_log_;
    std::string refusal_;
    bool timing_;
    LoadWatch* watch_;
    System& system_;
    Pacing pacing_;
    SpaceCapture& capture_;
};

class ConfigSource final : public WordSource {
  public:
    ConfigSource(std::shared_ptr<ConfigSpace> config, AccessLog* access_log)
        : config_(std::move(config)), access_log_(access_log) {}

    SpaceCapture read(const SpacePlan& plan, const ReadOptions& options) override {
        SpaceCapture capture;
        const WordCheck check(plan, {config_space_end, config_->size()}, config_widths);
        const std::vector<Segment> segments =
            plan_segments(plan, check, capture.words, [](const WordRequest&) { return 0U; });
        ConfigPort port(*config_, access_log_, options, system_, capture);
        capture.started_ns = system_.realtime_ns();
        const std::uint64_t begin = system_.monotonic_ns();
        Pass pass(plan, options, port, capture);
        pass.run(segments);
        capture.elapsed_ns = system_.monotonic_ns() - begin;
        pass.finish();
        return capture;
    }

    std::string describe() const override { return config_->path() + " (libpci, read-only)"; }
    std::uint64_t size() const override { return config_->size(); }

  private:
    std::shared_ptr<ConfigSpace> config_;
    AccessLog* access_log_;
    System system_;
};

} // namespace

std::unique_ptr<WordSource> make_config_source(std::shared_ptr<ConfigSpace> config, AccessLog* access_log) {
    return std::make_unique<ConfigSource>(std::move(config), access_log);
}

} // namespace barscope::safety
