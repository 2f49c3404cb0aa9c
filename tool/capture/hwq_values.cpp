#include <capture/hwq_values.h>

#include <algorithm>
#include <array>

#include <device/number.h>
#include <render/digits.h>

namespace barscope::tool {

namespace {

constexpr std::string_view driver_prefix = "drv_";
// iproute2 prints every number of a driver into JSON as a C int (rdma/utils.c print_driver_u64 and its like).
constexpr std::string_view low_half = "rdma's JSON holds the low 32 bits only";

struct Meaning {
    std::string_view name, text;
};
// bnxt_re main.c bnxt_re_fill_res_*; swq_*: qplib_fp.c (posting takes swq_start, completing frees swq_last).
constexpr std::array meanings{
    Meaning{"sq_max_wqe", "requests that the send queue holds"},
    Meaning{"sq_max_sge", "scatter/gather elements a request"},
    Meaning{"sq_wqe_size", "bytes a request"},
    Meaning{"sq_swq_start", "software index of the next request to be posted"},
    Meaning{"sq_swq_last", "software index of the oldest request that is not completed"},
    Meaning{"rq_max_wqe", "requests that the receive queue holds"},
    Meaning{"rq_max_sge", "scatter/gather elements a request"},
    Meaning{"rq_wqe_size", "bytes a request"},
    Meaning{"rq_swq_start", "software index of the next request to be posted"},
    Meaning{"rq_swq_last", "software index of the oldest request that is not completed"},
    Meaning{"timeout", "acknowledgement timeout, 4.096 us * 2^timeout"},
    Meaning{"cq_depth", "entries that the queue holds"},
    Meaning{"max_elements", "entries that were allocated"},
    Meaning{"element_size", "bytes an entry"},
    Meaning{"max_wqe", "entries that were asked for"},
    Meaning{"wqe_size", "bytes a request"},
    Meaning{"max_sge", "scatter/gather elements a request"},
    Meaning{"page_size", "bytes a page of the region's table"},
};

bool is_driver(const std::string& key) {
    return key.starts_with(driver_prefix);
}

HwqValue named(const std::string& key) {
    HwqValue value;
    value.driver = is_driver(key);
    value.name = value.driver ? key.substr(driver_prefix.size()) : key;
    if (value.driver) {
        const auto found = std::find_if(meanings.begin(), meanings.end(),
                                        [&](const Meaning& meaning) { return meaning.name == value.name; });
        value.note = found == meanings.end() ? std::string() : std::string(found->text);
    }
    return value;
}

std::optional<std::uint64_t> number_of(const HwqObject& object, std::string_view name) {
    const auto found = std::find_if(object.values.begin(), object.values.end(), [&](const HwqValue& value) {
        return value.driver && value.name == name;
    });
    return found == object.values.end() ? std::nullopt : parse_number(found->text);
}

bool has(const HwqObject& object, std::string_view name) {
    return std::any_of(object.values.begin(), object.values.end(),
                       [&](const HwqValue& value) { return !value.driver && value.name == name; });
}

void add_outstanding(HwqObject& object, const std::string& queue, std::string_view title) {
    const auto start = number_of(object, queue + "_swq_start");
    const auto last = number_of(object, queue + "_swq_last");
    if (!start || !last) {
        return;
    }
    if (has(object, "pid")) {
        if (*start == 0 && *last == 0) {
            object.remarks.push_back(std::string(title) +
                                     ": its indices are kept by the process that owns it, not by the kernel");
        }
        return;
    }
    std::string text(title);
    if (*start >= *last) {
        text += *start == *last ? ": nothing is outstanding"
                                : ": " + std::to_string(*start - *last) + " requests are not completed";
    } else {
        text += ": requests are outstanding; the index has wrapped, and where it wraps is not told";
    }
    object.remarks.push_back(std::move(text));
}

} // namespace

HwqValue hwq_number(const std::string& key, std::uint64_t value) {
    HwqValue out = named(key);
    if (!out.driver) {
        append_decimal(out.text, value);
        return out;
    }
    const auto low = static_cast<std::uint32_t>(value); // a negative number is an unsigned one that was bent
    if (out.name == "hwq" || out.name == "va") {
        append_hex(out.text, low, 8);
        out.hidden = out.name == "hwq";
        out.note = (out.hidden ? "kernel address; " : "address of the region; ") + std::string(low_half);
        return out;
    }
    append_decimal(out.text, low);
    return out;
}

HwqValue hwq_text(const std::string& key, std::string value) {
    HwqValue out = named(key);
    const bool hex = key == "rkey" || key == "lkey" || key == "iova"; // rdma/res.c print_key: hex, without 0x
    if (hex && parse_hex(value)) {
        out.text = "0x" + value;
        out.note = key == "iova" ? std::string(low_half) : std::string();
        return out;
    }
    out.text = std::move(value);
    return out;
}

void add_remarks(HwqObject& object) {
    const bool any_driver = std::any_of(object.values.begin(), object.values.end(),
                                        [](const HwqValue& value) { return value.driver; });
    if (!any_driver) {
        object.remarks.emplace_back(
            "the driver tells nothing of its own: bnxt_re up to Linux 6.12 does not, and "
            "rdma needs -d twice");
        return;
    }
    if (object.kind == HwqKind::qp) {
        add_outstanding(object, "sq", "send queue");
        add_outstanding(object, "rq", "receive queue");
    }
}

} // namespace barscope::tool
