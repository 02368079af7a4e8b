#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "phases/model/phase_log.h"

namespace ttscope::phases {

/// What a line of a training log is.
enum class PhaseLineKind : std::uint8_t {
  kOther,
  kBlank,
  kRule,             ///< `########` or `========`
  kSummaryStart,     ///< `=== Memory Usage Summary ===`
  kPhaseHeader,      ///< `--- FORWARD_PASS ---`
  kDram,             ///< `DRAM: Segment Peak ...`, `DRAM: Cumulative Peak ...`, or one figure alone
  kL1,               ///< `L1: Peak CB 0.29 MB, Peak Buffer 0.00 MB, Peak Total 0.29 MB`
  kTotals,           ///< `Overall DRAM Peak: 8278.65 MB, Final DRAM Usage: 7427.65 MB`
  kParameters,       ///< `Total parameters: 969369600`, `params  969,369,600`
  kDeviceMemory,     ///< `Available Device Memory: 12288 MB`, `memory  12,288 MB`
  kDevices,          ///< `mesh  1x8`, `Mesh peak: 148.5 TFLOPS (bf16, 8 devices)`
  kBatch,            ///< `- Batch size: 4`, `batch size  4`
  kOverwritten,      ///< `WARNING: Snapshot 'NAME' already exists, overwriting`
  kNothingCaptured,  ///< `WARNING: No traces captured`
  kFailure,          ///< `Out of Memory: Not enough space to allocate ...`
};

/// One line, taken apart. Views are into the line given.
struct PhaseLine {
  PhaseLineKind kind = PhaseLineKind::kOther;
  std::optional<std::uint32_t> rank;  ///< of a launcher's prefix
  std::string_view text;              ///< without prefix and outer blanks; the name of a header
  std::array<std::optional<double>, kDramFieldCount> dram_mb{};
  PhaseL1 l1;
  double number = 0;  ///< parameters, MB of the devices, devices, the overall peak
  std::optional<double> final_mb;
  bool damaged = false;  ///< a figure of it could not be read
};

/// Reads one line without its line end. `clean` takes the text when terminal colours have to be removed; the
/// views then point into it.
PhaseLine read_phase_line(std::string_view line, std::string& clean);

/// `+1,863.25 MB` at the start of `text`, blanks before it allowed. Absent if it is none or too large to be a
/// size.
std::optional<double> read_mb(std::string_view text);

}  // namespace ttscope::phases
