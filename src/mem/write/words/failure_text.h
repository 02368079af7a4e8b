#pragma once

#include <string>

#include "mem/write/words/labels.h"

namespace ttscope::mem {

/// An out-of-memory failure in plain words; only `where` holds text of the log.
struct FailureText {
  std::string what;       ///< `DRAM allocation of 3.07 GB: 261.96 MB in each of 12 banks`
  std::string where;      ///< op, location, program and line
  std::string state;      ///< what the banks held; empty when nothing tells
  std::string diagnosis;  ///< why it did not fit and what would help
};
FailureText describe_failure(const ProfileView& view, std::uint32_t rank, const OutOfMemory& failure);

}  // namespace ttscope::mem
