// The only place that builds a tree of JSON values: schema validation, with valijson.
#include <regmaps/schema.h>

#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "json_scanner.h"

// Put in by the build (CMakeLists.txt).
extern "C" {
extern const char barscope_schema[];
extern const char barscope_schema_end[];
}

namespace barscope::regmaps {

namespace {

// valijson matches with std::regex, which recurses for every character.
constexpr std::size_t longest_matched_text = 512;
static_assert(max_key_size <= longest_matched_text);

// "[registers]" or "[3]", as valijson writes a step.
std::string_view bare(std::string_view step) {
    return step.size() >= 2 && step.front() == '[' ? step.substr(1, step.size() - 2) : step;
}

// The child of a node by its key or its number; no_node: there is none.
NodeIndex child(const Tape& tape, NodeIndex parent, std::string_view step) {
    if (tape.kind(parent) > NodeKind::array) {
        return no_node;
    }
    std::size_t number = 0;
    for (const Children::Item item : Children(tape, parent)) {
        if (item.key == Key::element ? fmt::format("{}", number) == step : tape.key_text(item.node) == step) {
            return item.node;
        }
        ++number;
    }
    return no_node;
}

NodeIndex find(const Tape& tape, const std::vector<std::string>& context) {
    NodeIndex node = 0;
    for (std::size_t i = 1; i < context.size(); ++i) { // the first step is the root
        const NodeIndex next = child(tape, node, bare(context[i]));
        if (next == no_node) {
            break;
        }
        node = next;
    }
    return node;
}

Error violation(const Tape& tape, const valijson::ValidationResults& results) {
    // The deepest one is the cause; those above it only say that something below them is wrong.
    const valijson::ValidationResults::Error* deepest = nullptr;
    for (const auto& error : results) {
        if (deepest == nullptr || error.context.size() > deepest->context.size()) {
            deepest = &error;
        }
    }
    Error error{ErrorCode::bad_input, "map-schema", "the schema is violated", {}, "see barscope maps schema"};
    NodeIndex node = 0;
    if (deepest != nullptr) {
        node = find(tape, deepest->context);
        error.what = deepest->description;
        while (error.what.ends_with('.')) {
            error.what.pop_back();
        }
    }
    error.where = tape.describe(tape.pointer(node), tape[node].start);
    return error;
}

// Long texts are cut for the tree: no pattern of the schema can tell the difference but in what load_map()
// checks too.
nlohmann::json tree_of(std::string_view text) {
    return nlohmann::json::parse(text, [](int, nlohmann::json::parse_event_t event, nlohmann::json& value) {
        if (event == nlohmann::json::parse_event_t::value && value.is_string() &&
            value.get_ref<const std::string&>().size() > longest_matched_text) {
            value = value.get_ref<const std::string&>().substr(0, longest_matched_text);
        }
        return true;
    });
}

Result<void> validate(const Tape& tape) {
    valijson::Schema schema;
    const nlohmann::json schema_tree = nlohmann::json::parse(schema_text());
    valijson::SchemaParser(valijson::SchemaParser::kDraft7)
        .populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_tree), schema);
    const nlohmann::json tree = tree_of(tape.document);
    valijson::ValidationResults results;
    valijson::Validator validator;
    if (!validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(tree), &results)) {
        return fail(violation(tape, results));
    }
    return {};
}

} // namespace

std::string_view schema_text() {
    return {barscope_schema, static_cast<std::size_t>(barscope_schema_end - barscope_schema)};
}

Result<void> validate_against_schema(std::string_view text, std::string_view origin) {
    const Result<Tape> tape = scan_json(text, origin); // bounds size and depth, and gives positions
    if (!tape) {
        return fail(tape.error());
    }
    try {
        return validate(*tape);
    } catch (const std::exception& problem) {
        return fail({ErrorCode::bad_input,
                     "map-schema",
                     fmt::format("the schema cannot be applied: {}", problem.what()),
                     std::string(origin),
                     {}});
    }
}

} // namespace barscope::regmaps
