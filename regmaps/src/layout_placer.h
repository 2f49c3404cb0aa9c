// Works out where each register of a map is on one device. What is asked more than once is kept, so that
// chains of conditions cost no more than the sum of their parts.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "expression_eval.h"
#include <regmaps/layout.h>

namespace barscope::regmaps {

// An expression's value, or why there is none.
struct Outcome {
    std::optional<std::uint64_t> value;
    std::string why;
};

// A register with its array indices.
struct Reference {
    Index reg = none;
    Indices at{};
    friend bool operator==(const Reference&, const Reference&) = default;
};
struct ReferenceHash {
    std::size_t operator()(const Reference& r) const noexcept;
};

class Placer {
  public:
    Placer(const RegisterMap& map, const LayoutInputs& inputs);

    // The whole map. Without `out` only what the layout depends on is evaluated, for take_needs().
    Result<void> run(Layout* out);
    std::vector<Instance> take_needs() { return std::move(needs_); }

  private:
    friend class LayoutScope;

    // A block's element: its offset from the space's base.
    struct Placement {
        std::uint64_t offset = 0;
        Indices at{};
        bool doubtful = false; // whether it is there cannot be told
    };
    // Why elements have no place. The first reason of each kind is kept.
    struct Reasons {
        std::string absent, unknown;
        void note_absent(std::string why);
        void note_unknown(std::string why);
    };
    enum class Progress : std::uint8_t { untouched, under_way, done };
    struct BlockPlaces {
        Progress progress = Progress::untouched;
        unsigned levels = 0; // array indices in use, the block's own included
        std::vector<Placement> places;
        Reasons reasons;
    };
    struct Located {
        SpaceState state = SpaceState::unknown;
        Instance instance;
        std::string why;
    };
    struct DerivedValue {
        Progress progress = Progress::untouched;
        Outcome outcome;
    };
    // What blocks and registers have in common.
    struct Element {
        std::uint64_t offset = 0;
        Index base = none, when = none;
        const Array* array = nullptr;
        Index reg = none;   // none: a block
        Index block = none; // where it is one
    };
    // Where an expression stands.
    struct Place {
        const Indices& at;
        unsigned levels = 0;
        const Instance* own = nullptr; // the register whose fields may be named alone
    };

    // layout_placer.cpp: registers and blocks in bulk.
    void walk_registers();
    void walk_wanted();
    void walk_register(Index reg);
    void emit(Index reg, std::uint64_t offset, const Indices& at);
    void note_missing(Index reg, const Reasons& reasons);
    void note_missing(Index reg, bool unknown, const std::string& why);
    const BlockPlaces& block_places(Index block);
    template <typename Emit>
    void each_element(const Element& element, const Placement& parent, unsigned levels, Reasons& reasons,
                      const Emit& on_element);
    template <typename Emit>
    void each_index(const Element& element, const Placement& parent, unsigned levels, std::uint64_t count,
                    std::uint64_t stride, Reasons& reasons, const Emit& on_element);
    bool holds(Index when, const Place& place, Reasons& reasons);
    bool is_there(const Element& element, const Place& place, Placement& placement, Reasons& reasons);
    bool is_forbidden(Index reg) const;
    bool holds_forbidden(Index block);
    std::optional<std::uint64_t> array_count(const Element& element, const Place& place, Reasons& reasons);
    void refuse(const Element& element, std::string what, std::string cause);
    std::string element_name(const Element& element) const;

    // layout_locate.cpp: single registers, values and spaces that expressions refer to.
    Outcome ask(Index expression, const Place& place);
    Outcome known(Index expression, const Place& place); // the reason quotes the expression
    const Located& locate(Index reg, const Indices& at);
    Located locate_now(Index reg, const Indices& at);
    bool locate_step(const Element& element, Placement& placement, unsigned& levels, Located& out);
    std::optional<std::uint64_t> value_of(const Instance& instance, std::string& why);
    const Outcome& derived(Index index);

    // layout_spaces.cpp
    const PlacedSpace& space(Index index);
    PlacedSpace place_space(const Space& s);
    bool place_in_bar(const Space& s, PlacedSpace& out);
    bool place_in_config(const Space& s, PlacedSpace& out);
    void place_window(const Space& s, PlacedSpace& out);

    const RegisterMap& map_;
    const LayoutInputs& inputs_;
    Layout* out_ = nullptr;
    std::shared_ptr<std::unordered_set<std::string>> reasons_;
    std::vector<bool> holds_forbidden_; // by block; empty: not asked yet
    std::vector<PlacedSpace> spaces_;
    std::vector<Progress> space_progress_;
    std::vector<BlockPlaces> blocks_;
    std::vector<DerivedValue> derived_;
    std::unordered_map<Reference, Located, ReferenceHash> located_;
    std::unordered_set<Reference, ReferenceHash> needed_;
    std::vector<Instance> needs_;
    std::optional<Error> error_;
    std::uint64_t places_ = 0; // block elements so far
    unsigned depth_ = 0;       // of expressions that wait for one another
};

// What expressions see while the map is being placed.
class LayoutScope final : public Scope {
  public:
    LayoutScope(Placer& placer, const Placer::Place& place);
    std::optional<std::uint64_t> register_value(Index reg, const Indices& at) override;
    std::optional<std::uint64_t> derived_value(Index derived) override;
    std::optional<std::uint64_t> counter_value(Index counter) override;
    std::optional<bool> space_present(Index space) override;
    std::optional<std::uint64_t> array_index(unsigned level) override;
    std::optional<std::uint64_t> own_field(Index field) override;
    void divided_by_zero() override;
    void look_back(bool begins) override;

    std::string why; // of the first unknown

  private:
    Placer& placer_;
    const Placer::Place& place_;
};

// By offset, then definition, then index. Linear where the input consists of a few ascending runs.
void order_instances(std::vector<Instance>& instances, std::size_t begin, std::size_t end);

inline constexpr std::uint64_t max_array_elements = 65536;

} // namespace barscope::regmaps
