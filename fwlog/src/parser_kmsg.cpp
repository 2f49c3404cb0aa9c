// /dev/kmsg: "PRIORITY,SEQUENCE,MICROSECONDS,FLAGS[,...];MESSAGE", then lines that begin with a blank and
// name the device (Documentation/ABI/testing/dev-kmsg).
#include "parser.h"
#include "text_numbers.h"

namespace barscope::fwlog {

namespace {

class KmsgParser final : public Parser {
  public:
    Framing framing() const override { return Framing::kmsg; }
    std::string_view source_name() const override { return "kernel log"; }

    void parse(std::string_view row, Record& out) override {
        out.message = row;
        std::string_view rest = row;
        const auto priority = take_decimal(rest);
        const auto sequence = priority && take(rest, ",") ? take_decimal(rest) : std::nullopt;
        const std::string_view before_time = sequence && take(rest, ",") ? rest : std::string_view();
        const auto micros = before_time.empty() ? std::nullopt : take_decimal(rest);
        const auto flags = micros ? take_until(rest, ';') : std::nullopt;
        if (!flags || *micros > UINT64_MAX / 1000) {
            not_parsed(out, "not a record of /dev/kmsg");
            return;
        }
        out.sequence = sequence;
        out.sequence_bits = 64;
        out.time_ns = *micros * 1000;
        out.clock = Clock::kernel_monotonic;
        out.time_text = before_time.substr(0, before_time.find(','));
        out.level = out.severity = severity_of_level(static_cast<unsigned>(*priority % 8));
        const std::size_t end = rest.find('\n');
        out.message = rest.substr(0, end);
        out.extra = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
};

} // namespace

std::unique_ptr<Parser> make_kmsg_parser() {
    return std::make_unique<KmsgParser>();
}

} // namespace barscope::fwlog
