#pragma once

#include <cstdint>
#include <string>

#include "base/none.h"
#include "mem/model/memory_kind.h"

namespace ttscope::mem {

/// What a failure message is about, by its wording.
enum class FailureKind : std::uint8_t {
  kAllocation,         ///< `Not enough space to allocate ...`
  kAddressBelowLimit,  ///< `Cannot allocate at an address below ...`
  kBuffersBeyondL1,    ///< circular buffers `grow to ... beyond max L1 size`
  kBuffersClash,       ///< circular buffers `clash with L1 buffers`
  kProgramSize,        ///< `Program size ... too large for kernel config buffer`, or the linker's overflow
  kTraceRegion,        ///< `Creating trace buffers of size ... but only ... is allocated for trace region`
  kTraceOverlap,       ///< `Trace buffer at address ... overlaps with ...`
  kHostMemory,         ///< the host had no memory: std::bad_alloc, MemoryError, the kernel's killer
};

/// What the frames below a message say. The runtime's functions are named after the ops that they run.
struct Backtrace {
  std::string op{};  ///< `Conv3dOp`, else `Conv3dDeviceOperation` of tt-metal; empty: no frame names one
  std::uint32_t op_line = 0;
  std::uint32_t const_eval_line = 0;  ///< of the frame of LoadCachedOp, around it; 0: none
  std::uint32_t transfer_line = 0;    ///< of a frame that moves an input to the device; 0: none

  bool empty() const { return op.empty() && const_eval_line == 0 && transfer_line == 0; }
};

/// One failure of memory that a log tells of. Figures that the message does not have are -1.
struct OutOfMemory {
  std::uint32_t line = 0;
  FailureKind kind = FailureKind::kAllocation;
  bool from_logger = false;        ///< printed by the device's logger, where each failure comes first
  std::uint32_t last_op = kNone;   ///< op running when it happened; kNone between programs
  std::uint32_t before_op = 0;     ///< how many ops of the rank had started
  std::uint32_t instance = kNone;  ///< innermost program that was open
  Memory memory = Memory::kDram;
  std::int64_t requested_bytes = -1;  ///< of the whole buffer, program or trace
  std::int64_t banks = -1;
  std::int64_t per_bank_bytes = -1;
  std::int64_t bank_size_bytes = -1;
  std::int64_t allocated_bytes = -1;
  std::int64_t free_bytes = -1;
  std::int64_t largest_free_bytes = -1;
  std::int64_t reached_bytes = -1;  ///< where circular buffers end, or the address that was refused
  std::int64_t limit_bytes = -1;    ///< what that may not exceed: L1, the lowest tensor, a region
  bool is_cut = false;              ///< the text ends inside of a figure, which is not believed
  std::string core_range{};         ///< `(x=0,y=0) - (x=7,y=7)`
  Backtrace backtrace{};
};

/// A message as printed. One failure is printed several times: by the logger, with the exception, by Python.
struct FailureMessage {
  OutOfMemory printed;
  std::uint32_t failure = 0;  ///< in RankTrace::failures, which has the fullest text of each
};

}  // namespace ttscope::mem
