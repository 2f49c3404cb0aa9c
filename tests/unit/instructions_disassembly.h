// The machine code of a function of this program, as the compiler made it: for the programs that are built
// with the optimisation of what is shipped.
#pragma once

#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <elf.h>
#include <unistd.h>

// Sanitizers add loads and stores of their own.
#if defined(__SANITIZE_ADDRESS__)
#define BARSCOPE_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BARSCOPE_SANITIZED
#endif
#endif

#if defined(__x86_64__) && !defined(BARSCOPE_SANITIZED)

namespace barscope::safety::test {

inline std::vector<std::string> disassemble(const void* function) {
    Dl_info info{};
    REQUIRE(::dladdr(function, &info) != 0);
    const auto* header = static_cast<const Elf64_Ehdr*>(info.dli_fbase);
    const auto at = reinterpret_cast<std::uintptr_t>(function) -
                    (header->e_type == ET_DYN ? reinterpret_cast<std::uintptr_t>(info.dli_fbase) : 0);
    const std::string command = "objdump -d --no-show-raw-insn --start-address=" + std::to_string(at) +
                                " --stop-address=" + std::to_string(at + 1024) + " /proc/" +
                                std::to_string(::getpid()) + "/exe 2>/dev/null";
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
    std::vector<std::string> lines;
    std::array<char, 512> line{};
    int symbols = 0;
    while (::fgets(line.data(), line.size(), pipe.get()) != nullptr) {
        const std::string text(line.data());
        symbols += text.find(">:") != std::string::npos ? 1 : 0;
        const std::size_t tab = text.find(":\t");
        if (symbols == 1 && tab != std::string::npos) {
            lines.push_back(text.substr(tab + 2));
        }
    }
    return lines;
}

inline bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace barscope::safety::test

#endif
