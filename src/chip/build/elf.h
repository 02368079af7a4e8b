#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ttscope::chip {

/// Bytes that go to an address of L1.
struct Segment {
  std::uint32_t address = 0;
  std::vector<std::uint8_t> bytes;
};

/// A program for one RISC.
struct Image {
  std::uint32_t entry = 0;
  std::vector<Segment> segments;
};

/// Reads the segments that are loaded from a 32-bit RISC-V executable, at their load addresses. A segment
/// that does not end below `limit` is an error: private memory cannot be filled from outside.
Result<Image> read_elf(std::span<const std::uint8_t> file, std::uint32_t limit);

}  // namespace ttscope::chip
