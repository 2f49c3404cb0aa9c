#include <evidence/json_dump.h>

#include <nlohmann/json.hpp>

namespace barscope::tool {

std::string dump_json(const nlohmann::json& value) {
    return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string dump_json_lines(const nlohmann::json& array) {
    std::string text = "[";
    for (std::size_t i = 0; i < array.size(); ++i) {
        text += i == 0 ? "\n" : ",\n";
        text += dump_json(array[i]);
    }
    return text + "]";
}

} // namespace barscope::tool
