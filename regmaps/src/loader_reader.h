// Typed reading of a document's nodes. Every function returns false after reporting an error.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "loader_state.h"
#include "names_vocabulary.h"

namespace barscope::regmaps {

// The members that an object may and must have.
struct ObjectShape {
    std::string_view what; // "a register"
    KeySet keys;
    KeySet required;
};

class Reader {
  public:
    Reader(LoadState& load_state, std::uint32_t document_index)
        : state(load_state), tables(load_state.tables), tape(load_state.documents[document_index].tape),
          document(document_index) {}

    // Calls each(key, value) for every member that the shape has, until it returns false. `x-` members are
    // skipped.
    template <typename Each>
    bool object(NodeIndex node, const ObjectShape& shape, Each each) {
        if (tape.kind(node) != NodeKind::object) {
            return wrong_type(node, shape.what, "an object");
        }
        KeySet seen;
        for (const Children::Item item : Children(tape, node)) {
            if (!shape.keys.has(item.key)) {
                if (!check_unknown_key(item.node, shape)) {
                    return false;
                }
                continue;
            }
            seen.add(item.key);
            if (!each(item.key, item.node)) {
                return false;
            }
        }
        return seen.has_all(shape.required) || missing_key(node, shape, seen);
    }

    // Calls each(node) for every element.
    template <typename Each>
    bool list(NodeIndex node, std::string_view what, Each each) {
        if (tape.kind(node) != NodeKind::array) {
            return wrong_type(node, what, "a list");
        }
        for (const Children::Item item : Children(tape, node)) {
            if (!each(item.node)) {
                return false;
            }
        }
        return true;
    }

    bool number(NodeIndex node, std::uint64_t most, std::uint64_t& out);
    // The number that a member's key is, as in {"0x1": ...}.
    bool key_number(NodeIndex value, std::uint64_t most, std::uint64_t& out);
    template <typename T>
    bool number_into(NodeIndex node, std::uint64_t most, T& out) {
        std::uint64_t value = 0;
        const bool ok = number(node, most, value);
        out = static_cast<T>(value);
        return ok;
    }
    bool real(NodeIndex node, double& out);
    bool boolean(NodeIndex node, bool& out);
    bool string(NodeIndex node, std::string_view& out);
    bool text(NodeIndex node, Text& out);
    // Letters, digits and `_`, not beginning with a digit unless that is allowed.
    bool name(NodeIndex node, Text& out, bool may_begin_with_digit = false);
    bool check_name(std::string_view name, Place place, bool may_begin_with_digit);
    // Dashes too: for what expressions never name.
    bool check_dashed_name(std::string_view name, Place place);
    // A text or a list of texts.
    bool texts(NodeIndex node, std::string_view what, Range& out);
    bool width(NodeIndex node, std::uint8_t& out); // 8, 16, 32, 64
    // An expression, in `scope`; an index of Tables::expressions.
    bool expression(NodeIndex node, const ExpressionScope& scope, Index& out);

    template <typename T>
    bool word(NodeIndex node, T& out) {
        std::string_view given;
        if (!string(node, given)) {
            return false;
        }
        const Word<T>* const found = word_of<T>(given);
        if (found == nullptr) {
            return wrong_word(node, given, list_words(Vocabulary<T>::words));
        }
        out = found->value;
        return true;
    }

    bool fail(NodeIndex node, std::string what, std::string remedy) {
        return state.fail({document, node}, std::move(what), std::move(remedy));
    }
    Place place(NodeIndex node) const { return {document, node}; }
    std::string step(NodeIndex node) const; // how errors call a node: its key, or "this"

    LoadState& state;
    Tables& tables;
    const Tape& tape;
    std::uint32_t document;

  private:
    template <typename T, std::size_t N>
    static std::string list_words(const Word<T> (&words)[N]) {
        std::string list;
        for (const Word<T>& word : words) {
            list += (list.empty() ? "" : ", ") + std::string(word.text);
        }
        return list;
    }
    bool wrong_type(NodeIndex node, std::string_view what, std::string_view type);
    bool wrong_word(NodeIndex node, std::string_view given, const std::string& allowed);
    bool check_unknown_key(NodeIndex value, const ObjectShape& shape);
    bool missing_key(NodeIndex node, const ObjectShape& shape, const KeySet& seen);
    bool checked_number(NodeIndex node, std::string_view text, std::uint64_t most, std::uint64_t& out);
};

// What to do about a name that nothing has: the closest names, or advice where none is close.
std::string name_remedy(std::string_view name, std::span<const std::string_view> names);

std::string_view kind_name(NodeKind kind); // "a text", "a number", ...

} // namespace barscope::regmaps
