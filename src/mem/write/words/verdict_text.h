#pragma once

#include <string>

#include "mem/write/words/labels.h"

namespace ttscope::mem {

/// The three parts of the verdict in plain words, the same in every output. They may hold text of the log.
struct VerdictText {
  std::string outcome;  ///< `crashed: Segmentation fault, at line 812, in ttnn.matmul (main, run 2 of 2)`
  std::string fit;      ///< `fits: 412.10 MB of DRAM (40.4%) were never used in any bank`
  std::string trust;    ///< `measured: ...`
};
VerdictText verdict_text(const ProfileView& view);
/// All three in one short line without the word of the outcome: `fits: 929.73 MB of DRAM free (91.0%);
/// measured`.
std::string verdict_line(const ProfileView& view);

/// The shortest form, in capitals: `FINISHED`, `OUT OF MEMORY`.
std::string_view outcome_word(Outcome outcome);
std::string_view outcome_word(const RunVerdict& verdict);
/// What a crash is called: `segmentation fault`.
std::string_view crash_word(CrashKind kind);
/// Device and mesh: `Wormhole: DRAM 12 x 1021.17 MB, L1 64 x 1.27 MB; figures are of one chip of 2 (mesh
/// 1x2)`.
std::string device_text(const DeviceFacts& device);

}  // namespace ttscope::mem
