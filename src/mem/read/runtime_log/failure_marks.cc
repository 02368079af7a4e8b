#include "mem/read/runtime_log/failure_marks.h"

#include <array>
#include <cstdint>

#include "base/text_search.h"

namespace ttscope::mem {
namespace {

/// How messages begin. `Out of Memory:` that ends its line is none: the sentence is in the next.
constexpr std::array<std::string_view, 17> kMarks = {
    "Out of Memory: Not",
    "Not enough space",
    "Statically allocated",
    "statically allocated circular",
    "Circular buffers on service-core",
    "Cannot allocate at an address",
    "Cannot allocate memory",
    "Creating trace buffers of size",
    "Program size (",
    "Trace buffer at address",
    "' overflowed by ",
    "bad_alloc",
    "MemoryError",
    "DefaultCPUAllocator: ",
    "Out of memory: Killed process",
    "Memory cgroup out of memory",
    "OOMKilled",
};

constexpr std::array<bool, 256> first_letters() {
  std::array<bool, 256> is_first{};
  for (const std::string_view mark : kMarks) is_first[static_cast<std::uint8_t>(mark[0])] = true;
  return is_first;
}

bool starts_with_mark(std::string_view text) {
  for (const std::string_view mark : kMarks) {
    if (text.starts_with(mark)) return true;
  }
  return false;
}

}  // namespace

std::size_t find_failure_mark(std::string_view line, std::size_t from) {
  static constexpr std::array<bool, 256> kIsFirst = first_letters();
  for (std::size_t at = from; at < line.size(); ++at) {
    if (kIsFirst[static_cast<std::uint8_t>(line[at])] && starts_with_mark(line.substr(at))) return at;
  }
  return kNoPlace;
}

bool is_host_mark(std::string_view text) {
  return text.starts_with("bad_alloc") || text.starts_with("MemoryError") || text.starts_with("Default") ||
         text.starts_with("Out of memory") || text.starts_with("Memory cgroup") ||
         text.starts_with("OOMKilled") || text.starts_with("Cannot allocate memory");
}

///   2025-09-15 15:40:51.673 (   0.000s) [        F073E000]      dylib_platform.cc:47       1| DylibPlatform
///   2025-10-20 19:58:07.146 | trace    |           Metal | Closing mesh device 1 (mesh_device.cpp:593)
bool is_quiet_line(std::string_view line) {
  constexpr std::size_t kPrefixBytes = 128;
  if (line.empty() || line[0] < '0' || line[0] > '9') return false;
  const std::size_t bar = line.substr(0, kPrefixBytes).find('|');
  if (bar == kNoPlace || bar < 2) return false;
  if (line[bar - 2] == ' ' && (line[bar - 1] == '1' || line[bar - 1] == '2')) return true;
  const std::string_view level = line.substr(bar + 1, 7);
  return level.starts_with(" trace ") || level.starts_with(" debug ") || level.starts_with(" info  ");
}

bool is_module_text(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  if (first == kNoPlace) return true;
  const std::string_view text = line.substr(first);
  switch (text[0]) {
    case '%':
    case '}':
      return true;
    case '#':
      return text.size() > 1 && text[1] >= 'a' && text[1] <= 'z';
    case '"':
      return text.starts_with("\"tt") || text.starts_with("\"stablehlo.");
    default:
      return false;
  }
}

}  // namespace ttscope::mem
