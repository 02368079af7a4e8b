#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mem/analyze/logs.h"
#include "mem/analyze/memory_profile.h"
#include "mem/analyze/verdict.h"
#include "mem/write/labels.h"

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
std::string_view outcome_label(Outcome outcome);
std::string_view outcome_label(const RunVerdict& verdict);
/// What a crash is called: `segmentation fault`.
std::string_view crash_name(CrashKind kind);
/// Device and mesh: `Wormhole: DRAM 12 x 1021.17 MB, L1 64 x 1.27 MB; figures are of one chip of 2 (mesh
/// 1x2)`.
std::string device_text(const DeviceFacts& device);

/// What was read and how well. What is missing and what the figures leave out is in the profile itself.
struct TrustText {
  std::string recognized;  ///< `993 lines, 143 op lines, 143 memory blocks, ...`
  std::vector<std::string>
      repaired;                      ///< problems whose records are used all the same, with their first place
  std::vector<std::string> skipped;  ///< problems whose records are not
};

TrustText trust_of(const ProfileView& view);

/// The same in one line, for the top of a report: `DRAM peak is measured; repaired 2, skipped 0, missing 1`.
/// The profile must have a rank.
std::string trust_headline(const ProfileView& view);

/// The sentences of a profile, the same in every output. Reader warnings and names of files are the input's
/// own: escape them for where they are shown.
std::string finding_text(const Finding& finding);
std::string missing_text(const MissingInput& missing);
std::string note_text(const MemoryNote& note);

std::vector<std::string> missing_texts(const MemoryProfile& profile);
std::vector<std::string> note_texts(const MemoryProfile& profile);

/// What to do, in plain words, the same in every output. Only `evidence` holds text of the log.
struct FixText {
  std::string what;    ///< `store the 14 weight matrices in bfp8`
  std::string effect;  ///< `the DRAM peak becomes 48.10 MB per bank, not enough alone`
  std::string
      evidence;  ///< the largest tensors that it is about: `model.embed_tokens.weight 128256x4096 bf16`
};

FixText fix_text(const ProfileView& view, const Fix& fix);

/// `limit exceeded: DRAM peak of 950 MB per bank (93.1%) is over --max-dram 90%, made by ttnn.add at line 7`;
/// `asked` is the limit as the user gave it.
std::string limit_text(const Profile& profile, const PeakOverLimit& over, std::string_view asked);

/// That a log tells of another chip than the one that the user named; empty: none does.
std::string other_device_text(const Profile& profile);

/// `2 logs are taken as ranks of one run: a.log is rank 0, b.log is rank 1; ...`, and what speaks against it.
/// Empty for one log.
std::string several_logs_text(const SeveralLogs& logs);

}  // namespace ttscope::mem
