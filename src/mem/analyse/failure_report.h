#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "mem/analyse/culprits.h"
#include "mem/analyse/failure.h"
#include "mem/analyse/fixes.h"
#include "mem/analyse/live_set.h"
#include "mem/analyse/tensor_candidates.h"
#include "mem/analyse/told_op.h"

namespace ttscope::mem {

struct MemoryProfile;

/// What a rank was doing when a failure happened.
enum class FailureMoment : std::uint8_t {
  kUnknown,          ///< the text has no op or program lines before it
  kDuringOp,         ///< an op was running
  kBeforeFirstOp,    ///< a program had started, none of its ops had
  kBetweenPrograms,  ///< a program had ended: inputs of the next were being moved
};
std::string_view name_of(FailureMoment moment);

/// Who holds memory.
enum class HolderKind : std::uint8_t {
  kWeight,
  kConstEvalCopy,  ///< made by const-eval from a weight that is still there
  kConstEval,      ///< other results of const-eval
  kActivation,
  kInput,
  kUnknown,
  kUnaccounted,  ///< measured less all of these; negative when the model has too much
};
inline constexpr std::size_t kHolderKindCount = 7;
std::string_view name_of(HolderKind kind);

struct Holder {
  HolderKind kind = HolderKind::kUnknown;
  std::int64_t bytes_per_bank = 0;
  std::uint32_t tensors = 0;
};

/// One failure explained. Holders add up to `held_bytes_per_bank`.
struct FailureReport {
  std::uint32_t rank = 0;     ///< in RuntimeTrace::ranks
  std::uint32_t failure = 0;  ///< in RankTrace::failures
  FailedBank bank{};
  FailureMoment moment = FailureMoment::kUnknown;
  std::uint32_t ended_instance = kNone;  ///< kBetweenPrograms: the program that ended last, if any had
  ToldOp told{};                         ///< where no op line shows what was running
  std::vector<TensorCandidate> candidates{};
  std::int64_t held_bytes_per_bank = -1;  ///< what the message or a block says, else modelled; -1: not known
  bool held_is_measured = false;
  std::vector<Holder> holders{};  ///< largest first, unaccounted last; none is 0
  LiveSet live{};                 ///< at the failure
  FreedLate freed_late{};
  RunGrowth grew{};
  std::vector<Fix> fixes{};  ///< that save most first
  std::uint64_t fingerprint = 0;

  const OutOfMemory& message(const RuntimeTrace& trace) const { return trace.ranks[rank].failures[failure]; }
};

/// Explains the failures of all ranks, in order of file and line. Beyond kMostExplained they have no
/// candidates and no live set.
inline constexpr std::size_t kMostExplained = 100;
std::vector<FailureReport> explain_failures(const RuntimeTrace& trace, const MemoryProfile& profile);

}  // namespace ttscope::mem
