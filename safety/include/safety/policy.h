// Read-only as a type. Nothing here can be made from an environment variable, a file or a default.
#pragma once

#include <string>

namespace barscope::tool {
class LabOverrideParser; // tool/commands: the only place that can make a LabOverride
}

namespace barscope::safety {

// The default: what every reading function takes. It grants nothing, so anybody can make one.
struct ReadOnly {};

// Proof that --lab-override and --reason stood on this very command line. A function that writes, or reads
// with a side effect, takes one as a parameter: without the flag such a call does not compile.
class LabOverride {
  public:
    const std::string& reason() const { return reason_; }

  private:
    friend class barscope::tool::LabOverrideParser;
    explicit LabOverride(std::string reason) : reason_(std::move(reason)) {}
    std::string reason_;
};

} // namespace barscope::safety
