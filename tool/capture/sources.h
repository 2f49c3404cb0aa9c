// Where each BAR's and configuration space's words come from in one pass: opened when first needed, refused
// once.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include <capture/options.h>
#include <capture/remembering_config.h>
#include <capture/subject.h>
#include <capture/watched_config.h>
#include <regmaps/layout.h>
#include <safety/bar_mapping.h>

namespace barscope::tool {

// 0 to 5 are BARs, 6 is configuration space.
using Place = unsigned;
inline constexpr Place config_place = 6;
inline constexpr unsigned place_count = 7;
std::string place_name(Place place); // "bar0", "config"

// Cause of the refusal of a BAR or configuration space that a dump file does not hold.
inline constexpr const char* not_in_dump = "not-in-dump";

// Checks that speak of memory accesses only: configuration space is read without them.
bool concerns_bars_only(const safety::Verdict& verdict);

class Sources {
  public:
    // `verdicts`: the gate's; those on BAR access alone do not stop configuration space from being read.
    static Result<Sources> open(const Subject& subject, const CaptureOptions& options);

    // The error is the same each time it is asked.
    Result<safety::WordSource*> get(Place place, const regmaps::Layout& layout);
    // Null where configuration space is not at hand.
    safety::ConfigSpace* config();
    const safety::ConfigSpace* config_if_open() const { return config_.get(); }
    // What was read through config(); empty unless CaptureOptions::remember_config.
    std::vector<ConfigRead> config_reads() const;
    // Whether config() was read no further because CaptureOptions::watch said no.
    bool config_withheld() const { return watched_config_ != nullptr && watched_config_->withheld(); }
    bool offline() const { return subject_->facts == std::nullopt; }

  private:
    struct Slot {
        bool tried = false;
        std::unique_ptr<safety::WordSource> source;
        std::optional<Error> error;
    };

    Sources(const Subject& subject, const CaptureOptions& options) : subject_(&subject), options_(&options) {}
    Result<std::unique_ptr<safety::WordSource>> open_place(Place place, const regmaps::Layout& layout);
    Result<std::unique_ptr<safety::WordSource>> open_bar(unsigned bar, const regmaps::Layout& layout);
    Result<std::unique_ptr<safety::WordSource>> open_dump(unsigned bar, const regmaps::Layout& layout);
    Result<std::unique_ptr<safety::WordSource>> open_config();
    std::optional<bool> config_answers();
    Error with_driver_dump(Error error, unsigned bar, const regmaps::Layout& layout) const;

    const Subject* subject_;
    const CaptureOptions* options_;
    std::optional<Error> bar_refusal_; // of the gate, for every BAR
    std::array<Slot, place_count> slots_;
    std::unique_ptr<safety::AccessLog> access_log_;
    std::shared_ptr<safety::ConfigSpace> config_;
    std::unique_ptr<WatchedConfig> watched_config_; // null: nobody watches
    std::shared_ptr<std::vector<ConfigRead>> config_reads_;
    std::optional<Error> config_error_;
    bool config_tried_ = false;
};

} // namespace barscope::tool
