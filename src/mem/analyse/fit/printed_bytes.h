#pragma once

#include <cstdint>

#include "mem/model/memory_kind.h"

namespace ttscope::mem {

/// What the runtime prints for so many bytes: MiB with three decimals, halves to even as printf does.
constexpr MilliMib printed_as(std::int64_t size_bytes) {
  constexpr std::int64_t kMib = 1048576;
  if (size_bytes <= 0) return 0;
  const std::int64_t whole = size_bytes / kMib;
  const std::int64_t thousandths = size_bytes % kMib * 1000;
  const std::int64_t rest = thousandths % kMib;
  std::int64_t milli = whole * 1000 + thousandths / kMib;
  if (rest > kMib / 2 || (rest == kMib / 2 && milli % 2 != 0)) ++milli;
  return static_cast<MilliMib>(milli);
}

/// The bytes that a printed figure can stand for, both ends included.
struct ByteRange {
  std::int64_t low = 0;
  std::int64_t high = 0;

  bool empty() const { return low > high; }
  bool has(std::int64_t value) const { return low <= value && value <= high; }
  ByteRange shifted(std::int64_t by) const { return {low + by, high + by}; }
  ByteRange with(const ByteRange& other) const {
    return {low > other.low ? low : other.low, high < other.high ? high : other.high};
  }
};

constexpr ByteRange range_of(MilliMib value) {
  constexpr std::int64_t kTwoThousandths = 1048576;  // of a MiB, times 2000
  const std::int64_t twice = 2 * static_cast<std::int64_t>(value);
  const std::int64_t low = ((twice - 1) * kTwoThousandths + 1999) / 2000;
  const std::int64_t high = (twice + 1) * kTwoThousandths / 2000;
  return {value == 0 ? 0 : low, high};
}

}  // namespace ttscope::mem
