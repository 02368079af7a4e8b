#pragma once

#include <cstddef>
#include <cstdint>

namespace ttscope {

/// For processes that are not ours to end, such as Python: from now on, what a mapped file has lost because
/// another program shortened it reads as zeros, and lost_pages() grows. Without this call the process ends
/// with SIGBUS. Faults elsewhere stay as they were.
void survive_lost_pages();

/// How often a lost part was read; whoever reads compares the figures before and after.
std::uint64_t lost_pages();

/// A mapping that may lose pages, and its end; nothing happens before survive_lost_pages().
void watch_mapping(const void* data, std::size_t size_bytes);
void forget_mapping(const void* data);

}  // namespace ttscope
