// What a renderer writes, as a string.
#pragma once

#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include <render/output.h>

template <typename Render>
std::string rendered(const Render& render) {
    const int fd = ::memfd_create("report", MFD_CLOEXEC);
    REQUIRE(fd >= 0);
    barscope::tool::Output output(fd);
    render(output);
    REQUIRE(output.finish());
    std::string text(static_cast<std::size_t>(::lseek(fd, 0, SEEK_END)), '\0');
    REQUIRE(::pread(fd, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
    ::close(fd);
    return text;
}

inline std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) {
        ++count;
    }
    return count;
}
