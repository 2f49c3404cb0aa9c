// A map of scalar registers and derived values, put together by hand: what the evaluator sees without the
// loader.
#pragma once

#include <string>
#include <vector>

#include <regmaps/decode.h>

namespace barscope::regmaps::test {

// R0, R1, ... are 64 bits wide, at 8 * i of one BAR space; each has fields of the tests' choice.
class EvalMap {
  public:
    explicit EvalMap(Index registers) {
        spaces_.resize(2); // the second is absent: BAR 9
        spaces_[0].bar = add_expression({{0, 0, Op::push, 0}});
        spaces_[0].size = add_expression({{0x1000, 0, Op::push, 0}});
        spaces_[1].bar = add_expression({{9, 0, Op::push, 0}});
        spaces_[1].size = spaces_[0].size;
        for (Index i = 0; i < registers; ++i) {
            Register reg;
            reg.offset = 8 * i;
            reg.width = 64;
            reg.read_action = ReadAction::none;
            registers_.push_back(reg);
        }
    }

    Index add_field(Index reg, unsigned lsb, unsigned msb) {
        Field f;
        f.owner = reg;
        f.lsb = static_cast<std::uint8_t>(lsb);
        f.msb = static_cast<std::uint8_t>(msb);
        f.width = 64;
        fields_.push_back(f);
        return static_cast<Index>(fields_.size() - 1);
    }

    Index add_expression(const std::vector<Code>& codes) {
        expressions_.push_back(
            {{static_cast<Index>(codes_.size()), static_cast<std::uint32_t>(codes.size())}, {}});
        codes_.insert(codes_.end(), codes.begin(), codes.end());
        return static_cast<Index>(expressions_.size() - 1);
    }

    Index add_derived(const std::vector<Code>& codes) {
        Derived d;
        d.value = add_expression(codes);
        derived_.push_back(d);
        return static_cast<Index>(derived_.size() - 1);
    }

    RegisterMap map() const {
        RegisterMap m;
        m.name = "hand";
        m.spaces = spaces_;
        m.registers = registers_;
        m.fields = fields_;
        m.derived = derived_;
        m.expressions = expressions_;
        m.codes = codes_;
        return m;
    }

    // The derived values where register i holds values[i]; nothing: it was not read.
    std::vector<std::optional<std::uint64_t>>
    evaluate(const std::vector<std::optional<std::uint64_t>>& values, const PciIdentity& pci = {}) const {
        const RegisterMap m = map();
        const auto layout = place_map(m, LayoutInputs{});
        RawWords raw;
        for (const Instance& instance : layout->instances) {
            const auto& value = values.at(instance.reg);
            safety::Word word;
            word.value = value.value_or(0xbad); // must not be looked at
            word.status = value ? safety::WordStatus::ok : safety::WordStatus::lost;
            raw.instances.push_back(instance);
            raw.words.push_back(word);
        }
        std::vector<std::optional<std::uint64_t>> out;
        for (const DecodedValue& d : decode(m, *layout, raw, pci).derived) {
            out.push_back(d.value);
        }
        return out;
    }

  private:
    std::vector<Space> spaces_;
    std::vector<Register> registers_;
    std::vector<Field> fields_;
    std::vector<Derived> derived_;
    std::vector<Expression> expressions_;
    std::vector<Code> codes_;
};

} // namespace barscope::regmaps::test
