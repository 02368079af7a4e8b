#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/none.h"
#include "mem/analyse/memory_profile.h"

namespace ttscope::mem {

/// All executions of ops with one name, of all ranks; the type in the header of memory lines stands for the
/// name where no op line has it.
struct OpKind {
  std::uint32_t rank = 0;  ///< of the first one
  std::uint32_t op = kNone;
  std::uint64_t count = 0;
  std::uint64_t weight_ops = 0;
  PerTensorMemory growth{};  ///< sum of the positive own growths
};

/// Most frequent first, ties in the order of the first ones. Ops whose name is unknown are one kind.
std::vector<OpKind> op_kinds(const RuntimeTrace& trace, const MemoryProfile& profile);

struct OpNameCount {
  std::string_view name;  ///< in the trace
  std::uint64_t times = 0;
};

/// What the markdown report has always counted, which is not op_kinds(): ops that count alone, by what stands
/// behind the last dot of their names; an op line without a name is `unreadable` whatever its memory lines
/// say. Most frequent first, ties in the order of the distinct op lines.
std::vector<OpNameCount> counted_names(const RuntimeTrace& trace);

}  // namespace ttscope::mem
