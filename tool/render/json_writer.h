// Strict JSON as a stream: commas and nesting are kept here, so that what comes out always parses. Register
// values are hex strings, because a JSON number loses bits above 2^53.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace barscope::tool {

// canonical: as evidence/canonical_json.h has it but for line breaks, as long as the caller gives the members
// of each object in the order of their keys; texts are escaped as little as JSON allows.
enum class JsonLayout { spacious, canonical };

class JsonWriter {
  public:
    explicit JsonWriter(std::string& out, JsonLayout layout = JsonLayout::spacious)
        : out_(out), canonical_(layout == JsonLayout::canonical) {}

    void begin_object() { open('{'); }
    void end_object() { close('}'); }
    void begin_array() { open('['); }
    void end_array() { close(']'); }
    void key(std::string_view name);

    void string(std::string_view text);
    void hex(std::uint64_t value, unsigned digits = 1); // "0x0000002a": at least `digits` digits
    void number(std::uint64_t value);
    void boolean(bool value);
    void null();
    void json(std::string_view text); // a value as text

    void member(std::string_view name, std::string_view text) { key(name), string(text); }
    void member_hex(std::string_view name, std::uint64_t value, unsigned digits = 1) {
        key(name), hex(value, digits);
    }
    void member_number(std::string_view name, std::uint64_t value) { key(name), number(value); }
    void member_bool(std::string_view name, bool value) { key(name), boolean(value); }

    // Starts the next element on a line of its own: large documents stay readable and comparable line by
    // line.
    void break_line() { break_ = true; }

  private:
    void separate();
    void append_text(std::string_view text);
    void open(char bracket);
    void close(char bracket);

    std::string& out_;
    bool canonical_;
    bool first_ = true; // nothing stands in the present object or array yet
    bool after_key_ = false;
    bool break_ = false;
};

void append_json_string(std::string& out, std::string_view text);
// Quoted, with the shortest escapes; bytes that are not UTF-8 become the text \xNN.
void append_canonical_string(std::string& out, std::string_view text);

} // namespace barscope::tool
