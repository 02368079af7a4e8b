#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "perf/model/device_profile.h"
#include "perf/model/read_out.h"

namespace ttscope::perf {

/// What the runtime's own report measures of a program: from the first marker of one kind to the last of
/// another, over all its cores.
enum class ProgramSpanKind : std::uint8_t {
  kTraceFirmware,
  kTraceKernel,
  kFirstToLastStart,  ///< of kernels
  kFirmware,
  kKernel,
  kKernelDmStart,  ///< from the first kernel that moves data
  kBriscKernel,
  kNcriscKernel,
  kTrisc0Kernel,
  kTrisc1Kernel,
  kTrisc2Kernel,
  kEriscKernel,
  kCount,
};
inline constexpr std::size_t kProgramSpanKinds = static_cast<std::size_t>(ProgramSpanKind::kCount);
/// `DEVICE FW DURATION [ns]`: its name in the runtime's report.
std::string_view column_of(ProgramSpanKind kind);

struct ProgramSpan {
  CycleSpan cycles;
  std::uint64_t ns = 0;
};

/// One execution of a program on a device.
struct ProgramTimes {
  ExecutionKey key;
  std::array<ProgramSpan, kProgramSpanKinds> spans;
  std::uint32_t cores = 0;  ///< with a zone of the firmware

  const ProgramSpan& span(ProgramSpanKind kind) const { return spans[static_cast<std::size_t>(kind)]; }
};

/// All programs of what was read, in the order of their firmware.
std::vector<ProgramTimes> program_times(const ReadOut& read);

}  // namespace ttscope::perf
