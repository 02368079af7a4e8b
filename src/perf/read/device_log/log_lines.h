#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "perf/model/device_profile.h"

namespace ttscope::perf {

/// Where the line that begins at `at` ends, its line break included.
inline std::size_t line_end(std::string_view text, std::size_t at) {
  const auto* found = static_cast<const char*>(std::memchr(text.data() + at, '\n', text.size() - at));
  return found == nullptr ? text.size() : static_cast<std::size_t>(found - text.data()) + 1;
}

inline std::string_view without_break(std::string_view line) {
  if (!line.empty() && line.back() == '\n') line.remove_suffix(1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

/// The next line, without its break; `at` moves behind it.
inline std::string_view next_line(std::string_view text, std::size_t& at) {
  const std::size_t start = at;
  at = line_end(text, start);
  return without_break(text.substr(start, at - start));
}

/// For tables of executions.
struct ExecutionKeyHash {
  static std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 32)) * 0x9e3779b97f4a7c15ull;  // low bits must see the high ones
    return value ^ (value >> 32);
  }
  std::size_t operator()(const ExecutionKey& key) const {
    std::uint64_t hash = mixed(key.op_id + (std::uint64_t{key.device} << 40));
    hash = mixed(hash ^ static_cast<std::uint64_t>(key.trace));
    return mixed(hash ^ static_cast<std::uint64_t>(key.replay));
  }
};

}  // namespace ttscope::perf
