#pragma once

#include <cstdint>

#include "mem/model/runtime_trace.h"

namespace ttscope::mem {

struct MemoryProfile;

/// The program argument that an op's tensor is made of alone: followed back through ops of one tensor, and
/// from const-eval programs to those that called them. In MemoryProfile::arguments; kNone where several
/// tensors are made into one, or a line is missing. `rank` is in RuntimeTrace::ranks, `op` in its ops.
std::uint32_t find_origin(const RuntimeTrace& trace, const MemoryProfile& profile, std::uint32_t rank,
                          std::uint32_t op);

/// The same of one operand of an op.
struct OperandPlace {
  std::uint32_t rank = 0;
  std::uint32_t op = 0;
  std::uint32_t name = kNone;  ///< in RuntimeTrace::names
};
std::uint32_t find_origin_of(const RuntimeTrace& trace, const MemoryProfile& profile,
                             const OperandPlace& operand);

}  // namespace ttscope::mem
