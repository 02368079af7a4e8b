#pragma once

#include <string>

#include "mem/analyse/failure.h"
#include "mem/write/words/labels.h"

namespace ttscope::mem {

/// A failure in plain words; only `where` holds text of the log.
struct FailureText {
  std::string title;      ///< `Out of memory`, `Circular buffers beyond L1`
  std::string what;       ///< `DRAM allocation of 3.07 GB: 261.96 MB in each of 12 banks`
  std::string where;      ///< op, location, program and line
  std::string state;      ///< what the banks held; empty when nothing tells
  std::string diagnosis;  ///< why it did not fit and what would help
};
FailureText describe_failure(const ProfileView& view, std::uint32_t rank, const OutOfMemory& failure);

/// What failed, where it was no allocation in banks: `circular buffers reach 112.5 KB into the tensors of
/// L1`.
std::string other_failure_text(const FailedBank& bank);

}  // namespace ttscope::mem
