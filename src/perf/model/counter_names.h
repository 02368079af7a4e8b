#pragma once

#include <cstdint>
#include <string_view>

namespace ttscope::perf {

/// The hardware counter of a number in perf-counter records; empty if there is none of that number.
std::string_view counter_name(std::uint32_t type);

}  // namespace ttscope::perf
