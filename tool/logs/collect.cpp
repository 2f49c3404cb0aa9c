#include <logs/collect.h>

#include <algorithm>

#include <logs/log_rings.h>
#include <logs/log_walk.h>

namespace barscope::tool {

namespace {

std::size_t size_of(const fwlog::Record& record) {
    return record.text->size() + record.data.size() * sizeof(std::uint64_t);
}

// The newest records of one source.
class Newest {
  public:
    void add(fwlog::Record record) {
        bytes_ += size_of(record);
        records_.push_back(std::move(record));
    }
    void drop_oldest() {
        bytes_ -= size_of(records_.front());
        records_.pop_front();
        ++dropped_;
    }
    void trim(const CollectLimits& limits) {
        while (!records_.empty() && (records_.size() > limits.records || bytes_ > limits.bytes)) {
            drop_oldest();
        }
    }
    std::size_t count() const { return records_.size(); }
    std::size_t bytes() const { return bytes_; }
    std::uint64_t dropped() const { return dropped_; }
    std::deque<fwlog::Record>& records() { return records_; }

  private:
    std::deque<fwlog::Record> records_;
    std::size_t bytes_ = 0;
    std::uint64_t dropped_ = 0;
};

template <typename Value>
void make_fit(std::deque<Newest>& sources, std::size_t limit, Value value) {
    const auto total = [&] {
        std::size_t sum = 0;
        for (const Newest& source : sources) {
            sum += value(source);
        }
        return sum;
    };
    const auto less = [&](const Newest& a, const Newest& b) { return value(a) < value(b); };
    while (total() > limit) {
        std::max_element(sources.begin(), sources.end(), less)->drop_oldest();
    }
}

CollectedSource described(const LogInput& input, const std::optional<Error>& failure) {
    CollectedSource source{.name = input.name,
                           .where = input.where,
                           .format = input.format,
                           .state = SourceState::read,
                           .note = input.note,
                           .error = input.error ? input.error : failure};
    source.state = source.error ? SourceState::failed : input.open ? SourceState::read : SourceState::absent;
    return source;
}

class Collector final : public LogVisitor {
  public:
    explicit Collector(const CollectLimits& limits) : limits_(limits) {}

    void begin() { kept_.emplace_back(); }
    void record(const fwlog::Record& record, bool passes) override {
        if (!passes) {
            ++log_.others;
            return;
        }
        summarizer_.see(record);
        kept_.back().add(fwlog::kept(record));
        kept_.back().trim(limits_);
    }
    void plain(const fwlog::PlainRows& rows) override {
        fwlog::Record one;
        for (std::size_t i = 0; i < rows.rows.size(); ++i) {
            fwlog::fill(one, rows, i);
            record(one, true);
        }
    }
    void end(const LogInput& input, const std::optional<Error>& failure) {
        log_.sources.push_back(described(input, failure));
    }
    CollectedLog finish() {
        make_fit(kept_, limits_.records, [](const Newest& source) { return source.count(); });
        make_fit(kept_, limits_.bytes, [](const Newest& source) { return source.bytes(); });
        for (Newest& source : kept_) {
            log_.not_kept += source.dropped();
            std::move(source.records().begin(), source.records().end(), std::back_inserter(log_.records));
        }
        log_.summary = summarizer_.finish();
        return std::move(log_);
    }

  private:
    CollectLimits limits_;
    CollectedLog log_;
    fwlog::Summarizer summarizer_;
    std::deque<Newest> kept_;
};

} // namespace

std::string_view name(SourceState state) {
    switch (state) {
    case SourceState::read:
        return "read";
    case SourceState::absent:
        return "absent";
    case SourceState::failed:
        break;
    }
    return "failed";
}

CollectedLog collect_log(const LogInputs& inputs, const fwlog::Filter& filter, const CollectLimits& limits) {
    Collector collector(limits);
    const LogWalk walk(inputs, filter);
    for (const LogInput& input : inputs.list) {
        collector.begin();
        collector.end(input, walk.run_one(input, collector));
    }
    return collector.finish();
}

CollectedLog collect_device_log(const safety::SystemRoot& root, safety::DeviceFacts facts,
                                const std::shared_ptr<const Subject>& subject, const CaptureOptions& options,
                                const fwlog::PatternSet& patterns, const CollectLimits& limits) {
    LogOptions log_options;
    log_options.watch = options.watch;
    LogInputs inputs = open_device_logs(root, std::move(facts), log_options, patterns);
    if (subject != nullptr) {
        for (LogInput& ring : read_rings(subject, options)) {
            inputs.list.push_back(std::move(ring));
        }
    }
    fwlog::Filter filter;
    filter.device = inputs.names;
    return collect_log(inputs, filter, limits);
}

} // namespace barscope::tool
