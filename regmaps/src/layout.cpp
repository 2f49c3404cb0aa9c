#include <regmaps/layout.h>

#include <charconv>

#include "layout_placer.h"

namespace barscope::regmaps {

Result<std::vector<Instance>> layout_needs(const RegisterMap& map, const LayoutInputs& inputs) {
    Placer placer(map, inputs);
    if (auto walked = placer.run(nullptr); !walked) {
        return fail(std::move(walked.error()));
    }
    return placer.take_needs();
}

Result<Layout> place_map(const RegisterMap& map, const LayoutInputs& inputs) {
    Placer placer(map, inputs);
    Layout layout;
    if (auto walked = placer.run(&layout); !walked) {
        return fail(std::move(walked.error()));
    }
    return layout;
}

safety::WordStatus readability(const RegisterMap&, const Register& reg) {
    if (!readable(reg.access)) {
        return safety::WordStatus::write_only;
    }
    switch (reg.read_action) {
    case ReadAction::none:
        return safety::WordStatus::ok;
    case ReadAction::unclaimed:
        return safety::WordStatus::unclaimed;
    default:
        return safety::WordStatus::side_effect;
    }
}

namespace {

void append_index(std::uint32_t index, std::string& out) {
    std::array<char, 12> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), index).ptr;
    out += '[';
    out.append(digits.data(), end);
    out += ']';
}

// Returns how many indices the block and those around it use up.
unsigned append_block(const RegisterMap& map, Index block, const Instance& instance, std::string& out) {
    const Block& b = map.blocks[block];
    unsigned level = b.parent == none ? 0 : append_block(map, b.parent, instance, out);
    out += map.text(b.name);
    if (b.array.count != none && level < max_indices) {
        append_index(instance.index[level++], out);
    }
    out += '.';
    return level;
}

} // namespace

void append_instance_name(const RegisterMap& map, const Instance& instance, std::string& out) {
    const Register& reg = map.registers[instance.reg];
    const unsigned level = reg.block == none ? 0 : append_block(map, reg.block, instance, out);
    out += map.text(reg.name);
    if (reg.array.count != none && level < max_indices) {
        append_index(instance.index[level], out);
    }
}

std::string instance_name(const RegisterMap& map, const Instance& instance) {
    std::string name;
    append_instance_name(map, instance, name);
    return name;
}

} // namespace barscope::regmaps
