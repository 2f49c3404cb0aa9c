// JSON as a stream in canonical form (evidence/canonical_json.h) but for line breaks, as long as the caller
// gives the members of each object in the order of their keys. Texts are written as they are, escaped as
// little as JSON allows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace barscope::tool {

class CompactJson {
  public:
    explicit CompactJson(std::string& out) : out_(out) {}

    void begin_object() { open('{'); }
    void end_object() { close('}'); }
    void begin_array() { open('['); }
    void end_array() { close(']'); }
    void key(std::string_view name);

    void string(std::string_view text);
    void hex(std::uint64_t value, unsigned digits = 1);
    void number(std::uint64_t value);
    void boolean(bool value);
    void null();
    void json(std::string_view text); // a value that is canonical already

    void member(std::string_view name, std::string_view text) { key(name), string(text); }
    void member_hex(std::string_view name, std::uint64_t value, unsigned digits = 1) {
        key(name), hex(value, digits);
    }
    void member_number(std::string_view name, std::uint64_t value) { key(name), number(value); }
    void member_bool(std::string_view name, bool value) { key(name), boolean(value); }

    void break_line() { break_ = true; } // before the next element

  private:
    void separate();
    void open(char bracket);
    void close(char bracket);

    std::string& out_;
    bool first_ = true, after_key_ = false, break_ = false;
};

// Quoted, with the shortest escapes; bytes that are not UTF-8 become the text \xNN.
void append_canonical_string(std::string& out, std::string_view text);

} // namespace barscope::tool
