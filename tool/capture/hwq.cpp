#include <capture/hwq.h>

#include <algorithm>
#include <array>
#include <sstream>

#include <nlohmann/json.hpp>

#include <capture/hwq_values.h>

namespace barscope::tool {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t deepest = 16;

struct KindFacts {
    HwqKind kind;
    std::string_view name, id;
};
constexpr std::array<KindFacts, hwq_kinds> kinds{{{HwqKind::qp, "qp", "lqpn"},
                                                  {HwqKind::cq, "cq", "cqn"},
                                                  {HwqKind::srq, "srq", "srqn"},
                                                  {HwqKind::mr, "mr", "mrn"}}};

Error bad_document(std::string what, const std::string& where) {
    return {ErrorCode::bad_input, "not-rdma-json", std::move(what), where,
            "save the output of `rdma -d -d -j resource show qp` (or cq, srq, mr)"};
}

// What a kernel without the attribute leaves out: an SRQ's own number comes with every SRQ, a QP's too.
std::optional<HwqKind> kind_of(const Json& object) {
    // An SRQ has the number of its CQ, too, and the QPs that use it as a list "lqpn": it is asked for first.
    for (const HwqKind kind : {HwqKind::srq, HwqKind::qp, HwqKind::mr, HwqKind::cq}) {
        const auto found = object.find(kinds.at(static_cast<std::size_t>(kind)).id);
        if (found != object.end() && found->is_number()) {
            return kind;
        }
    }
    if (object.contains("cqe")) {
        return HwqKind::cq; // cqn is given to users who may see it only
    }
    return object.contains("mrlen") ? std::optional(HwqKind::mr) : std::nullopt;
}

Result<std::vector<std::uint8_t>> context_of(const Json& data, const std::string& where) {
    std::vector<std::uint8_t> bytes;
    if (!data.is_array()) {
        return fail(bad_document("\"data\" is not a list of bytes", where));
    }
    for (const Json& byte : data) {
        if (!byte.is_number_unsigned() || byte.get<std::uint64_t>() > 0xff) {
            return fail(bad_document("\"data\" holds something that is no byte", where));
        }
        bytes.push_back(byte.get<std::uint8_t>());
    }
    return bytes;
}

class Reader {
  public:
    Reader(std::optional<HwqKind> assumed, const std::string& where) : assumed_(assumed), where_(where) {}

    Result<std::vector<HwqObject>> run(std::string_view text) {
        std::istringstream stream{std::string(text)};
        bool any = false;
        try {
            while (stream >> std::ws && !stream.eof()) {
                const auto text_of_one = next_document(stream);
                if (!text_of_one) {
                    return fail(bad_document("the document is nested deeper than rdma's", where_));
                }
                const Json document = Json::parse(*text_of_one);
                any = true;
                if (auto taken = take(document); !taken) {
                    return fail(std::move(taken.error()));
                }
            }
        } catch (const Json::exception&) {
            return fail(bad_document("this is not JSON", where_));
        }
        return any ? Result<std::vector<HwqObject>>(std::move(objects_))
                   : fail(bad_document("there is nothing in it", where_));
    }

  private:
    // Up to the bracket that closes the first one; text in quotes does not count. Nothing where the nesting
    // is deeper than any of rdma's.
    static std::optional<std::string> next_document(std::istringstream& stream) {
        std::string text;
        std::size_t depth = 0;
        bool quoted = false;
        for (char c = 0; stream.get(c);) {
            text += c;
            if (quoted) {
                if (c == '\\' && stream.get(c)) {
                    text += c;
                } else {
                    quoted = c != '"';
                }
                continue;
            }
            quoted = c == '"';
            depth += c == '[' || c == '{' ? 1U : 0U;
            if (depth > deepest) {
                return std::nullopt;
            }
            if ((c == ']' || c == '}') && (depth == 0 || --depth == 0)) {
                break;
            }
        }
        return text;
    }

    Result<void> take(const Json& document) {
        if (!document.is_array()) {
            return fail(bad_document("the document is not a list, as rdma prints it", where_));
        }
        for (const Json& object : document) {
            if (!object.is_object()) {
                return fail(bad_document("the list holds something that is no object", where_));
            }
            if (auto taken = take_object(object); !taken) {
                return taken;
            }
        }
        return {};
    }

    Result<void> take_object(const Json& object) {
        if (object.empty()) {
            return {}; // some versions of rdma open an object too many
        }
        const auto kind = kind_of(object);
        const bool raw = object.contains("data");
        if (!kind && !(raw && assumed_)) {
            return fail(raw ? Error{ErrorCode::usage, "kind-needed",
                                    "raw contexts do not say what they are of", where_,
                                    "say --kind qp, cq, srq or mr"}
                            : bad_document("an object is neither of a QP, CQ, SRQ nor MR", where_));
        }
        HwqObject out;
        out.kind = kind.value_or(assumed_.value_or(HwqKind::qp));
        out.raw = raw;
        for (const auto& [key, value] : object.items()) {
            if (key == "data") {
                auto bytes = context_of(value, where_);
                if (!bytes) {
                    return fail(std::move(bytes.error()));
                }
                out.context = std::move(*bytes);
            } else if (key == "ifname" && value.is_string()) {
                out.device = value.get<std::string>();
            } else if (key != "ifindex") {
                take_value(key, value, out);
            }
        }
        if (!raw) {
            add_remarks(out);
        }
        objects_.push_back(std::move(out));
        return {};
    }

    static void take_value(const std::string& key, const Json& value, HwqObject& out) {
        const auto facts =
            std::find_if(kinds.begin(), kinds.end(), [&](const KindFacts& k) { return k.kind == out.kind; });
        if (key == facts->id && value.is_number_unsigned()) {
            out.id = value.get<std::uint64_t>();
        }
        if (value.is_number_integer()) {
            const auto number = value.is_number_unsigned()
                                    ? value.get<std::uint64_t>()
                                    : static_cast<std::uint64_t>(value.get<std::int64_t>());
            out.values.push_back(hwq_number(key, number));
        } else if (value.is_string()) {
            out.values.push_back(hwq_text(key, value.get<std::string>()));
        } else {
            out.values.push_back(hwq_text(key, value.dump(-1, ' ', true, Json::error_handler_t::replace)));
        }
    }

    std::optional<HwqKind> assumed_;
    const std::string& where_;
    std::vector<HwqObject> objects_;
};

std::uint32_t word(const std::vector<std::uint8_t>& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) {
        value = value << 8 | bytes[at + i];
    }
    return value;
}

constexpr std::size_t prefix_size = 8; // of a pointer: only the first four bytes are the number

bool may_have_prefix(const HwqObject& object) {
    const bool kind = object.kind == HwqKind::qp || object.kind == HwqKind::cq;
    return kind && object.raw && object.context.size() > prefix_size && word(object.context, 4) == 0;
}

bool has_id(const std::vector<HwqObject>& objects, const HwqObject& raw, std::uint32_t id) {
    return std::any_of(objects.begin(), objects.end(), [&](const HwqObject& other) {
        return !other.raw && other.kind == raw.kind && other.device == raw.device && other.id == id;
    });
}

bool any_known(const std::vector<HwqObject>& objects, const HwqObject& raw) {
    return std::any_of(objects.begin(), objects.end(), [&](const HwqObject& other) {
        return !other.raw && other.kind == raw.kind && other.device == raw.device;
    });
}

void judge_prefix(const std::vector<HwqObject>& objects, HwqObject& object) {
    if (!may_have_prefix(object)) {
        return;
    }
    const std::uint32_t first = word(object.context, 0);
    const std::string what(name(object.kind));
    if (has_id(objects, object, first)) {
        object.prefix = first;
        object.context.erase(object.context.begin(), object.context.begin() + prefix_size);
        object.remarks.push_back("begins with the number of " + what + " " + std::to_string(first) +
                                 " in 8 bytes, as newer out-of-tree drivers prefix it: the context's last 8 "
                                 "bytes are missing");
    } else if (!any_known(objects, object)) {
        object.remarks.push_back(
            "the first 8 bytes may be a prefix with the " + what + "'s number (" + std::to_string(first) +
            "), as newer out-of-tree drivers put it: give the list without -r as well, or "
            "take both from the device, to tell");
    }
}

// BNXT_RE_CONTEXT_TYPE_*_SIZE_* of bnxt_re.h.
std::string size_remark(const HwqObject& object, std::size_t size) {
    const auto is = [&](HwqKind kind) { return object.kind == kind; };
    if ((is(HwqKind::qp) && size == 1088) || (is(HwqKind::srq) && size == 192)) {
        return {};
    }
    if ((is(HwqKind::cq) || is(HwqKind::mr)) && (size == 128 || size == 192)) {
        return size == 128 ? "128 bytes: of a 575xx (P5)" : "192 bytes: of a 576xx (P7)";
    }
    return "unusual length for a bnxt_re context of this kind: " + std::to_string(size) + " bytes";
}

} // namespace

std::string_view name(HwqKind kind) {
    return kinds[static_cast<std::size_t>(kind)].name;
}

std::optional<HwqKind> find_hwq_kind(std::string_view name) {
    for (const KindFacts& facts : kinds) {
        if (facts.name == name) {
            return facts.kind;
        }
    }
    return std::nullopt;
}

Result<std::vector<HwqObject>> parse_hwq(std::string_view text, std::optional<HwqKind> assumed,
                                         const std::string& where) {
    return Reader(assumed, where).run(text);
}

void judge_contexts(std::vector<HwqObject>& objects) {
    for (HwqObject& object : objects) {
        if (object.raw) {
            if (std::string remark = size_remark(object, object.context.size()); !remark.empty()) {
                object.remarks.push_back(std::move(remark));
            }
            judge_prefix(objects, object);
        }
    }
}

} // namespace barscope::tool
