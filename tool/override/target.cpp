#include <override/target.h>

#include <algorithm>

#include <fmt/format.h>

#include <capture/names.h>
#include <device/number.h>
#include <regmaps/evaluate.h>
#include <regmaps/names.h>

namespace barscope::tool {

namespace {

using regmaps::Index;
using regmaps::Instance;
using regmaps::Layout;
using regmaps::none;
using regmaps::RegisterMap;

std::uint64_t end_of(const regmaps::PlacedSpace& space) {
    std::uint64_t end = 0;
    return __builtin_add_overflow(space.base, space.size, &end) ? UINT64_MAX : end;
}

LabTarget target_at(const RegisterMap& map, const Layout& layout, const Instance& instance, Index field) {
    const regmaps::Register& reg = map.registers[instance.reg];
    const regmaps::PlacedSpace& space = layout.spaces[reg.space];
    LabTarget target;
    target.reg_name = regmaps::instance_name(map, instance);
    target.name = target.reg_name;
    if (field != none) {
        target.name += '.';
        target.name += map.text(map.fields[field].name);
    }
    target.instance = instance;
    target.field = field;
    target.place = space.config ? config_place : space.bar;
    target.word = {instance.offset, reg.width,     reg.order,
                   reg.split,       end_of(space), map.spaces[reg.space].legal_widths};
    return target;
}

Error not_one(const RegisterMap& map, const Layout& layout, const Selection& selection,
              const std::string& name, std::string_view what) {
    const auto name_at = [&](std::size_t i) {
        return regmaps::instance_name(map, layout.instances[selection.instances[i]]);
    };
    const std::size_t last = selection.instances.size() - 1;
    return {ErrorCode::usage, "not-one-register", fmt::format("{} names one register exactly", what), name,
            fmt::format("this stands for {} of them: {} to {}", last + 1, name_at(0), name_at(last))};
}

// The selection of one register and, besides, of the one that its window is selected by.
class Chooser {
  public:
    Chooser(const CaptureOptions& options, const std::string& name, std::string_view what)
        : options_(options), name_(name), what_(what) {}

    Result<Selection> operator()(const RegisterMap& map, const Layout& layout) {
        auto selection = select_registers(map, layout, {name_}, options_);
        if (!selection) {
            return selection;
        }
        if (selection->instances.size() != 1 || selection->fields.size() > 1) {
            return fail(not_one(map, layout, *selection, name_, what_));
        }
        const Index field = selection->fields.empty() ? none : selection->fields.front().second;
        const Instance& instance = layout.instances[selection->instances.front()];
        target = target_at(map, layout, instance, field);
        if (target.name != name_) {
            return fail({ErrorCode::usage, "not-one-register",
                         fmt::format("{} names one register exactly", what_), name_,
                         "its name is " + target.name});
        }
        const regmaps::PlacedSpace& space = layout.spaces[map.registers[instance.reg].space];
        if (space.window_select) {
            select = target_at(map, layout, *space.window_select, none);
            wanted_selection = space.window_value;
            add(*selection, regmaps::find_instance(map, layout, *space.window_select));
        }
        selection->fields.clear();
        return selection;
    }

    LabTarget target;
    std::optional<LabTarget> select;
    std::optional<std::uint64_t> wanted_selection;

  private:
    static void add(Selection& selection, Index instance) {
        const bool before = instance < selection.instances.front();
        selection.instances.insert(before ? selection.instances.begin() : selection.instances.end(),
                                   instance);
        selection.named.assign(selection.instances.size(), true);
        selection.held.assign(selection.instances.size(), false);
    }

    const CaptureOptions& options_;
    const std::string& name_;
    std::string_view what_;
};

std::size_t position_of(const Capture& capture, const Instance& instance) {
    const auto& all = capture.raw.instances;
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), instance) - all.begin());
}

regmaps::Wanted wanted_for(const RegisterMap& map, const std::string& name) {
    regmaps::Wanted wanted;
    wanted.registers = regmaps::registers_meant(map, {name});
    for (Index reg = 0; reg < map.registers.size(); ++reg) {
        const Index select = map.spaces[map.registers[reg].space].window_select;
        if (wanted.registers[reg] && select != none) {
            wanted.registers[select] = true;
        }
    }
    return wanted;
}

} // namespace

std::optional<std::uint64_t> Look::value() const {
    return safety::has_value(word().status) && capture.refusal[position] == 0 ? std::optional(word().value)
                                                                              : std::nullopt;
}

Result<std::optional<RawPlace>> parse_raw_place(std::string_view text) {
    const std::size_t plus = text.find('+');
    const std::string_view base = text.substr(0, plus);
    const bool bar = base.size() == 4 && base.starts_with("bar") && base[3] >= '0' && base[3] <= '5';
    if (plus == std::string_view::npos || (!bar && base != "config")) {
        if (parse_number(text)) {
            return fail({ErrorCode::usage, "raw-place", "this offset does not say of what", std::string(text),
                         "write bar0+0x10, or config+0x4"});
        }
        return std::optional<RawPlace>();
    }
    const auto offset = parse_number(text.substr(plus + 1));
    if (!offset) {
        return fail({ErrorCode::usage, "raw-place", "the offset is no number", std::string(text),
                     "write bar0+0x10, or config+0x4; numbers are decimal, 0x hex or 0b binary"});
    }
    return std::optional(RawPlace{bar ? static_cast<Place>(base[3] - '0') : config_place, *offset});
}

Error no_glob(const std::string& name, std::string_view what) {
    return {ErrorCode::usage, "not-one-register", fmt::format("{} names one register exactly", what), name,
            "name it without * and ?"};
}

std::optional<StaticTarget> find_in_map(const RegisterMap& map, const std::string& name) {
    const auto found = find_definition(map, name);
    if (!found || found->reg == none) {
        return std::nullopt;
    }
    StaticTarget target{found->reg, found->field, std::nullopt};
    const regmaps::Space& space = map.spaces[map.registers[found->reg].space];
    if (space.kind != regmaps::SpaceKind::bar) {
        target.place = config_place;
    } else if (space.bar != none) {
        const regmaps::Range code = map.expressions[space.bar].code;
        const regmaps::Code& first = map.codes[code.begin];
        if (code.count == 1 && first.op == regmaps::Op::push && first.imm < config_place) {
            target.place = static_cast<Place>(first.imm);
        }
    }
    return target;
}

Result<Look> look(const Subject& subject, const CaptureOptions& options, const std::string& name,
                  std::string_view what) {
    if (regmaps::is_glob(name)) {
        return fail(no_glob(name, what));
    }
    Chooser chooser(options, name, what);
    auto captured = capture(subject, options, std::ref(chooser), wanted_for(subject.map, name));
    if (!captured) {
        return fail(std::move(captured.error()));
    }
    Look seen;
    seen.capture = std::move(*captured);
    seen.target = std::move(chooser.target);
    seen.position = position_of(seen.capture, seen.target.instance);
    seen.select = std::move(chooser.select);
    seen.wanted_selection = chooser.wanted_selection;
    if (seen.select) {
        const safety::Word& word = seen.capture.raw.words[position_of(seen.capture, seen.select->instance)];
        seen.selected = safety::has_value(word.status) ? std::optional(word.value) : std::nullopt;
    }
    return seen;
}

FieldApplies applies_in(const Subject& subject, const Look& look) {
    return [&subject, &look](Index field) -> std::optional<bool> {
        const Index when = subject.map.fields[field].when;
        if (when == none) {
            return true;
        }
        if (!look.value()) {
            return std::nullopt; // it may ask for the register's own fields
        }
        regmaps::Evaluator evaluator(subject.map, look.capture.layout, look.capture.raw, subject.pci);
        const auto value = evaluator.evaluate(when, look.target.instance, *look.value());
        return value ? std::optional(*value != 0) : std::nullopt;
    };
}

} // namespace barscope::tool
