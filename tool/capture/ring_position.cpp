// Indices and epochs of a ring's two ends.
#include <array>

#include <capture/ring.h>
#include <render/digits.h>

namespace barscope::tool {

namespace {

std::string number(std::uint64_t value) {
    std::string text;
    append_decimal(text, value);
    return text;
}

// "entry 5 (after it the ring ends: entry 0 with the other epoch)"
std::string next_entry(std::uint64_t index, const std::optional<std::uint64_t>& size) {
    std::string text = "entry " + number(index);
    if (size && index + 1 == *size) {
        text += " (the ring's last: entry 0 follows, on the next pass)";
    }
    return text;
}

void tell_apart(const RingOptions& options, RingPosition& out) {
    const std::uint64_t size = *options.size;
    const std::uint64_t apart = (*options.producer + size - *options.consumer) % size;
    const bool epochs = options.epoch && options.producer_epoch;
    const bool same = epochs && *options.epoch == *options.producer_epoch;
    if (apart == 0 && !epochs) {
        out.remarks.emplace_back("producer and consumer are at the same entry: the ring is empty where their "
                                 "epochs are equal, full where they differ");
        return;
    }
    if (epochs && apart != 0 && same != (*options.producer > *options.consumer)) {
        out.impossible = true;
        out.remarks.emplace_back(
            same ? "impossible: with equal epochs the producer cannot be behind the consumer"
                 : "impossible: with different epochs the producer has wrapped and must be "
                   "below the consumer");
        return;
    }
    out.used = apart == 0 && !same ? size : apart;
    out.free = size - *out.used;
    std::string text = number(*out.used) + " of " + number(size) +
                       " entries are between consumer and producer, " + number(*out.free) + " are free";
    if (*out.used == 0 || *out.free == 0) {
        text += *out.used == 0 ? ": the ring is empty" : ": the ring is full";
    } else if (*options.producer < *options.consumer) {
        text += "; the producer has wrapped";
    }
    out.remarks.push_back(std::move(text));
}

} // namespace

std::optional<std::string> ring_contradiction(const RingOptions& options, std::uint64_t entries) {
    if (options.size && *options.size == 0) {
        return "a ring has at least one entry (--size)";
    }
    const auto beyond = [&](const std::optional<std::uint64_t>& index) {
        return index && options.size && *index >= *options.size;
    };
    if (beyond(options.consumer)) {
        return "--consumer is an index below --size";
    }
    if (beyond(options.producer)) {
        return "--producer is an index below --size";
    }
    if (options.producer && options.consumer && !options.size) {
        return "how far producer and consumer are apart needs the ring's --size";
    }
    if (options.size && (options.first >= *options.size || entries > *options.size - options.first)) {
        return "entries " + number(options.first) + " to " + number(options.first + entries - 1) +
               " are not all in a ring of --size " + number(*options.size);
    }
    return std::nullopt;
}

std::optional<RingPosition> ring_position(const RingOptions& options) {
    if (!options.consumer && !options.producer) {
        return std::nullopt;
    }
    RingPosition out;
    if (options.consumer) {
        std::string text = "the consumer reads " + next_entry(*options.consumer, options.size) + " next";
        if (options.epoch) {
            text += "; it is new once its toggle is " + number(*options.epoch == 0 ? 1 : 0);
        }
        out.remarks.push_back(std::move(text));
    }
    if (options.producer) {
        std::string text = "the producer writes " + next_entry(*options.producer, options.size) + " next";
        if (options.producer_epoch) {
            text += ", with toggle " + number(*options.producer_epoch == 0 ? 1 : 0);
        }
        out.remarks.push_back(std::move(text));
    }
    if (options.consumer && options.producer && options.size) {
        tell_apart(options, out);
    }
    return out;
}

} // namespace barscope::tool
