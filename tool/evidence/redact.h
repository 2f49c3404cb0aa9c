// Redaction of a snapshot while it is made: what identifies a host, people or networks is replaced by
// pseudonyms in its texts, and taken out of its raw words. docs/redaction.md.
#pragma once

#include <string>
#include <string_view>

#include <capture/recording.h>
#include <capture/subject.h>
#include <evidence/redact_known.h>
#include <evidence/redact_pseudonyms.h>

namespace barscope::tool {

class Redaction {
  public:
    explicit Redaction(RedactionKey key) : pseudonyms_(std::move(key)) {}

    KnownIdentities& known() { return known_; }
    Pseudonyms& pseudonyms() { return pseudonyms_; }

    std::string text(std::string_view text);
    // Of a value whose name says what it is: a version, a serial number.
    std::string value(std::string_view name, std::string_view text);
    // Only what is known beforehand: for texts that are made of the map's words and of numbers.
    std::string known_in(std::string_view text);
    // The same of a member's whole JSON text, whose keys must stay: addresses and paths.
    std::string numbers_in(std::string_view json);

    void recording(Recording& recording);

  private:
    void error(Error& error);

    Pseudonyms pseudonyms_;
    KnownIdentities known_;
};

} // namespace barscope::tool
