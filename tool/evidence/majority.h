// What nearly all of a fleet have.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include <evidence/evidence.h>

namespace barscope::tool {

// Nine of ten, of at least three.
inline bool nearly_all(std::size_t count, std::size_t of) {
    return of >= smallest_fleet && count * 10 >= of * 9;
}

template <typename Value>
class Tally {
  public:
    // The example of a value is the first member that has it.
    void add(const Value& value, std::size_t member) {
        ++seen_.try_emplace(value, Entry{0, member}).first->second.count;
        ++total_;
    }
    std::size_t total() const { return total_; }

    struct Majority {
        const Value* value = nullptr; // null: there is none
        std::size_t count = 0, example = 0;
    };
    Majority majority() const {
        for (const auto& [value, entry] : seen_) {
            if (nearly_all(entry.count, total_)) {
                return {&value, entry.count, entry.example};
            }
        }
        return {};
    }

  private:
    struct Entry {
        std::size_t count = 0, example = 0;
    };
    std::map<Value, Entry> seen_;
    std::size_t total_ = 0;
};

inline std::string share_text(std::size_t count, std::size_t of) {
    return std::to_string(count) + " of " + std::to_string(of) + " have it so";
}

} // namespace barscope::tool
