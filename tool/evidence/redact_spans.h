// Which parts of a text are to be replaced by what: what was found first stays.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <evidence/redact_pseudonyms.h>

namespace barscope::tool {

class RedactedSpans {
  public:
    // False where a part of it is taken already.
    bool add(std::size_t begin, std::size_t end, IdentityKind kind, std::string normal);
    bool taken(std::size_t begin, std::size_t end) const;
    std::string apply(std::string_view text, Pseudonyms& pseudonyms);

  private:
    struct Span {
        std::size_t begin = 0, end = 0;
        IdentityKind kind = IdentityKind::host;
        std::string normal;
    };
    std::vector<Span> spans_; // ascending, not overlapping
};

} // namespace barscope::tool
