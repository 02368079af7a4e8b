#pragma once

#include <ttscope_host/profiled_ops.h>

#include <cstdint>
#include <string>

namespace ttscope::metal {

/// One run of an op on a device, as its message names it.
struct OpMessageRun {
  std::uint64_t number = 0;  ///< of the call, with the device (EncodePerDeviceProgramID)
  int device = 0;
  bool is_hit = false;  ///< its program was in the cache
  std::string kernels;  ///< the folder of their sources
  tt::ARCH arch = tt::ARCH::WORMHOLE_B0;
};

// Messages in the form of tt-metal's, in backticks.

/// All of an op, or only that it ran again.
std::string op_message(const ProfiledOp& op, const OpMessageRun& run);
std::string short_op_message(const ProfiledOp& op, const OpMessageRun& run);
/// An op on the host.
std::string fallback_message(const ProfiledOp& op, std::uint64_t number);

}  // namespace ttscope::metal
