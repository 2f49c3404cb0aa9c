// The machine code of the loads, as the compiler made it with the optimisation of what is shipped: a program
// of its own, since the other tests are compiled without.
#include "instructions_disassembly.h"
#include "load_kernels.h"
#include "ticks.h"

#if defined(__x86_64__) && !defined(BARSCOPE_SANITIZED)

using namespace barscope::safety;
using namespace barscope::safety::test;

namespace {

// The accessor alone, so that its machine code can be looked at.
template <typename T>
[[gnu::noinline]] T accessor(const std::byte* address) {
    return load_once<T>(address);
}

// Instructions that read memory other than the stack.
std::vector<std::string> memory_loads(const std::vector<std::string>& code) {
    std::vector<std::string> loads;
    for (const std::string& line : code) {
        const std::size_t open = line.find('(');
        const std::size_t close = line.find(')');
        const bool source = open != std::string::npos && close + 1 < line.size() && line[close + 1] == ',';
        if (source && !contains(line, "lea") && !contains(line, "(%rsp") && !contains(line, "(%rbp")) {
            loads.push_back(line);
        }
    }
    return loads;
}

template <typename T>
void check_accessor(const std::string& instruction, const std::string& destination) {
    const auto code = disassemble(reinterpret_cast<const void*>(&accessor<T>));
    if (code.empty()) {
        WARN("objdump is not there: the accessor's machine code was not looked at");
        return;
    }
    std::vector<std::string> loads = memory_loads(code);
    for (const std::string& line : code) {
        if (contains(line, "call") && contains(line, "load_once")) { // not inlined in a debug build
            for (std::string& inner :
                 memory_loads(disassemble(reinterpret_cast<const void*>(&load_once<T>)))) {
                loads.push_back(std::move(inner));
            }
        }
    }
    REQUIRE(loads.size() == 1);
    CHECK_THAT(loads[0], Catch::StartsWith(instruction) && Catch::Contains(destination));
}

} // namespace

TEST_CASE("field cases 3, 39 and 40: the accessor is one load instruction of the right size") {
    check_accessor<std::uint8_t>("movzbl", ",%e");
    check_accessor<std::uint16_t>("movzwl", ",%e");
    check_accessor<std::uint32_t>("mov ", ",%e");
    check_accessor<std::uint64_t>("mov ", ",%r");
}

TEST_CASE(
    "field case 39: the loops hold no vector, string or paired loads and no call of a copying function") {
    const std::vector<const void*> loops{
        reinterpret_cast<const void*>(&load_contiguous<std::uint8_t>),
        reinterpret_cast<const void*>(&load_contiguous<std::uint16_t>),
        reinterpret_cast<const void*>(&load_contiguous<std::uint32_t>),
        reinterpret_cast<const void*>(&load_contiguous<std::uint64_t>),
        reinterpret_cast<const void*>(&load_scattered<std::uint8_t>),
        reinterpret_cast<const void*>(&load_scattered<std::uint32_t>),
        reinterpret_cast<const void*>(&load_scattered<std::uint64_t>),
        reinterpret_cast<const void*>(&load_timed<std::uint32_t, CounterClock>),
        reinterpret_cast<const void*>(&load_timed<std::uint64_t, MonotonicClock>)};
    for (const void* loop : loops) {
        for (const std::string& line : disassemble(loop)) {
            INFO(line);
            const bool vector_load =
                contains(line, "(%r") &&
                (contains(line, ",%xmm") || contains(line, ",%ymm") || contains(line, ",%zmm"));
            CHECK_FALSE(vector_load);
            CHECK_FALSE(contains(line, "rep "));
            CHECK_FALSE(contains(line, "memcpy"));
            CHECK_FALSE(contains(line, "memmove"));
        }
    }
}

#else

TEST_CASE("the machine code of the loads was not looked at") {
    WARN("it is known for x86-64 without sanitizers only");
}

#endif
