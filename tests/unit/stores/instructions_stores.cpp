// The machine code of the one function that writes to a device.
#include "instructions_disassembly.h"
#include "store.h"

#if defined(__x86_64__) && !defined(BARSCOPE_SANITIZED)

using namespace barscope::safety;
using namespace barscope::safety::test;

namespace {

// Instructions whose last operand is memory: what they write to.
std::vector<std::string> memory_stores(const std::vector<std::string>& code) {
    std::vector<std::string> stores;
    for (const std::string& line : code) {
        const std::size_t comma = line.rfind(',');
        const bool to_memory = comma != std::string::npos && line.find('(', comma) != std::string::npos;
        const bool pushes = line.rfind("push", 0) == 0;
        if ((to_memory && !contains(line, "(%rsp") && !contains(line, "(%rbp") && !contains(line, "nop")) ||
            pushes) {
            stores.push_back(line);
        }
    }
    return stores;
}

template <typename T>
void check_store(const std::string& source) {
    const auto code = disassemble(reinterpret_cast<const void*>(&store_once<T>));
    if (code.empty()) {
        WARN("objdump is not there: the machine code of the store was not looked at");
        return;
    }
    const auto stores = memory_stores(code);
    REQUIRE(stores.size() == 1);
    CHECK_THAT(stores[0], Catch::StartsWith("mov ") && Catch::Contains(source + ",(%rdi)"));
    for (const std::string& line : code) {
        INFO(line);
        CHECK_FALSE(contains(line, "call"));
        CHECK_FALSE(contains(line, "rep "));
        CHECK_FALSE(contains(line, "lock "));
    }
}

} // namespace

TEST_CASE("a store is one instruction of the declared width, and nothing else touches memory") {
    check_store<std::uint8_t>("%sil");
    check_store<std::uint16_t>("%si");
    check_store<std::uint32_t>("%esi");
    check_store<std::uint64_t>("%rsi");
}

#endif
