#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ttscope {

/// What a file of the kernel says of a group's memory (`memory.max`, `memory.limit_in_bytes`); none: no
/// limit.
std::optional<std::uint64_t> group_limit_bytes(std::string_view text);

/// Memory that this process may take at most: of the machine, of its container, of its own limit (ulimit -v).
std::uint64_t usable_memory_bytes();

}  // namespace ttscope
