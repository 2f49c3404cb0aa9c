#include <evidence/head.h>

namespace barscope::tool {

using nlohmann::json;

const json* member(const json* object, std::string_view name) {
    if (object == nullptr || !object->is_object()) {
        return nullptr;
    }
    const auto found = object->find(name);
    return found == object->end() ? nullptr : &*found;
}

const json* find_in_head(const Snapshot& snapshot, std::string_view path) {
    const json* at = snapshot.head.get();
    while (at != nullptr && !path.empty()) {
        const std::size_t dot = path.find('.');
        at = member(at, path.substr(0, dot));
        path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    }
    return at;
}

std::string text_of(const json* value) {
    if (value == nullptr || value->is_null() || value->is_discarded()) {
        return {};
    }
    if (const auto* text = value->get_ptr<const std::string*>()) {
        return *text;
    }
    if (value->is_array()) {
        std::string out;
        for (const json& element : *value) {
            out += out.empty() ? "" : ", ";
            out += text_of(&element);
        }
        return out;
    }
    return value->dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string text_in_head(const Snapshot& snapshot, std::string_view path) {
    return text_of(find_in_head(snapshot, path));
}

const json& list_in_head(const Snapshot& snapshot, std::string_view path) {
    static const json empty = json::array();
    const json* list = find_in_head(snapshot, path);
    return list != nullptr && list->is_array() ? *list : empty;
}

} // namespace barscope::tool
