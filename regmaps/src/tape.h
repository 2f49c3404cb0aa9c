// A JSON document as one flat array of nodes in document order: what the scanner writes and the loader walks.
// A node is 16 bytes and nothing is allocated per value, which is what makes loading faster than building a
// tree.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <safety/error.h>

#include "tape_keys.h"

namespace barscope::regmaps {

using NodeIndex = std::uint32_t;
inline constexpr NodeIndex no_node = 0xffffffff;

enum class NodeKind : std::uint8_t {
    object,  // payload: index behind the last node in it
    array,   // likewise
    string,  // payload: place and size of its text
    integer, // payload: the value
    number,  // any other number: negative, with a fraction, or too large; its text is in the document
    true_,
    false_,
    null,
    key, // the text of a member's key that the format does not have; the member's value follows
};

struct Node {
    std::uint64_t payload = 0;
    std::uint32_t start = 0; // offset of its first character in the document
    NodeKind kind = NodeKind::null;
    Key key = Key::element; // of a member's value
};

struct TextPosition {
    std::size_t line = 1;
    std::size_t column = 1; // in characters, as editors count
};

class Tape {
  public:
    std::string_view document; // must outlive the tape
    std::string origin;
    std::vector<Node> nodes;
    std::string
        unescaped; // texts of strings that held escapes; behind the document in the numbering of texts

    std::array<std::uint32_t, key_count>
        key_counts{}; // how often each key stands anywhere: for sizing tables

    const Node& operator[](NodeIndex node) const { return nodes[node]; }
    NodeKind kind(NodeIndex node) const { return nodes[node].kind; }
    std::string_view string(NodeIndex node) const;
    std::string_view number_text(NodeIndex node) const; // as written
    NodeIndex behind(NodeIndex node) const {            // the next node that is not inside this one
        const bool nested = nodes[node].kind <= NodeKind::array;
        return nested ? static_cast<NodeIndex>(nodes[node].payload) : node + 1;
    }
    std::size_t count(Key key) const { return key_counts[static_cast<std::size_t>(key)]; }
    // The key of a member, given its value's node.
    std::string_view key_text(NodeIndex value) const;
    // Where the key of a member begins in the document.
    std::size_t key_start(NodeIndex value) const;

    std::string pointer(NodeIndex node) const; // JSON pointer (RFC 6901); of a key: that of its member
    TextPosition position(std::size_t offset) const;
    // "FILE: /registers/3/width, line 12, column 16"
    std::string describe(const std::string& pointer, std::size_t offset) const;
};

// Steps over the members of an object or the elements of an array.
class Children {
  public:
    struct Item {
        NodeIndex node = no_node; // the value
        Key key = Key::element;
    };
    class Iterator {
      public:
        Iterator(const Tape& tape, NodeIndex at, NodeIndex end) : tape_(&tape), at_(at), end_(end) {
            skip_key();
        }
        Item operator*() const { return {at_, tape_->nodes[at_].key}; }
        Iterator& operator++() {
            at_ = tape_->behind(at_);
            skip_key();
            return *this;
        }
        bool operator!=(const Iterator& other) const { return at_ != other.at_; }

      private:
        void skip_key() {
            if (at_ != end_ && tape_->nodes[at_].kind == NodeKind::key) {
                ++at_;
            }
        }
        const Tape* tape_;
        NodeIndex at_;
        NodeIndex end_;
    };

    Children(const Tape& tape, NodeIndex parent) : tape_(tape), parent_(parent) {}
    Iterator begin() const { return {tape_, parent_ + 1, tape_.behind(parent_)}; }
    Iterator end() const { return {tape_, tape_.behind(parent_), tape_.behind(parent_)}; }

  private:
    const Tape& tape_;
    NodeIndex parent_;
};

} // namespace barscope::regmaps
