#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace ttscope {

/// Calls job(0) ... job(count - 1), each once, on up to `threads` threads, the caller's being one of them.
/// They are started in order. The first exception of a job is thrown again once all threads have stopped.
void run_parallel(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& job);

/// What a file of the kernel says of a group's memory (`memory.max`, `memory.limit_in_bytes`); none: no
/// limit.
std::optional<std::uint64_t> group_limit_bytes(std::string_view text);

/// Memory that this process may take at most: of the machine, of its container, of its own limit (ulimit -v).
std::uint64_t usable_memory_bytes();

}  // namespace ttscope
