// Bytes as they are typed on a command line, and values as bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <safety/access.h>
#include <safety/error.h>

namespace barscope::tool {

// "00 11 22 ...": as many two-digit groups as make whole entries of `size` bytes. A single group is a number.
bool look_like_bytes(const std::vector<std::string>& values, std::size_t size);
// Hex digits in pairs; white space, commas, "0x" before a pair and ':' between pairs are passed over.
Result<std::vector<std::uint8_t>> parse_bytes(std::string_view text);

void append_value(std::uint64_t value, std::size_t size, safety::ByteOrder order,
                  std::vector<std::uint8_t>& out);
std::uint64_t value_of(std::span<const std::uint8_t> bytes, safety::ByteOrder order);

} // namespace barscope::tool
