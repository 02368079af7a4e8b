#pragma once

#include <string_view>

#include "mem/model/memory_kind.h"

namespace ttscope::mem {

/// The numbers of one view line.
struct MemoryView {
  std::uint32_t banks = 0;
  MilliMib total = 0;
  MilliMib allocated = 0;
  MilliMib free = 0;
  MilliMib largest_free = 0;
};

/// Reads the text behind `memory state: `:
///   MemoryView{numBanks: 12, totalBytesPerBank: 1024.000 MB, totalBytesAllocatedPerBank: 0.008 MB,
///     totalBytesFreePerBank: 1023.992 MB, largestContiguousBytesFreePerBank: 1023.992 MB}
/// False when a field is missing, is no number, or does not fit.
bool parse_memory_view(std::string_view text, MemoryView& view);

}  // namespace ttscope::mem
