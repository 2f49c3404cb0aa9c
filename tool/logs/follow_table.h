// A text table that the kernel makes anew whenever it is read: what is in it now and was not before.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include <fwlog/patterns.h>
#include <fwlog/record.h>

namespace barscope::tool {

class FollowedTable {
  public:
    using Show = std::function<void(const fwlog::Record&)>;

    FollowedTable(std::string path, const fwlog::PatternSet& patterns)
        : path_(std::move(path)), patterns_(patterns) {}
    const std::string& path() const { return path_; }

    // Shows every record at the first look, then those that are new: rows with numbers ahead of the last one
    // seen, and rows without a number that were not there. A table that is gone and comes back, or whose
    // numbers all lie behind, began anew.
    void look(const Show& show);
    // The same of a text.
    void look_at(const std::string& text, const Show& show);

  private:
    bool began_anew(const std::string& text) const;
    void show_numbered(const fwlog::Record& record, const Show& show);

    std::string path_;
    const fwlog::PatternSet& patterns_;
    std::string text_; // as it was at the last look
    std::optional<std::uint64_t> last_;
    std::set<std::string, std::less<>> unnumbered_;
};

} // namespace barscope::tool
