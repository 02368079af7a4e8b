#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/trust.h"
#include "mem/analyze/failures.h"
#include "mem/analyze/fixes.h"
#include "mem/analyze/live_set.h"
#include "mem/analyze/modules.h"
#include "mem/model/runtime_log.h"

/// The culprit apart from the victim: what need not have been on the device when an allocation failed.

namespace ttscope::mem {

struct MemoryProfile;
struct RankProfile;

/// How it is known that nothing needs a tensor any more.
enum class IdleProof : std::uint8_t {
  kProgramEnded,  ///< the program that made it had ended, and the running one does not use it
  kOtherRun,      ///< a whole run of the same graph uses it no more behind this op, and frees it later
  kModule,        ///< the same of the compiled module, where no run was whole
};

std::string_view name_of(IdleProof proof);

struct IdleTensor {
  std::uint32_t buffer = kNone;   ///< in RankProfile::buffers
  std::uint32_t last_op = kNone;  ///< that used it last, else that made it; in RankLog::ops
  std::uint32_t idle_ops = 0;     ///< ops that had started since
  IdleProof proof = IdleProof::kProgramEnded;
  std::uint32_t freed_by = kNone;  ///< kOtherRun: the op of that run which frees it
  std::uint32_t freed_line = 0;    ///< kModule: the line of the dump that does
};

/// Activations that lay on the device after their last use.
struct FreedLate {
  std::vector<IdleTensor> tensors{};  ///< most bytes first
  std::int64_t bytes_per_bank = 0;
};

/// Tensors of one origin that runs left behind, one after the other.
struct LeakedTensors {
  std::uint32_t example = kNone;  ///< the last of them, in RankProfile::buffers
  std::uint32_t tensors = 0;
  std::int64_t bytes_per_bank = 0;
};

/// What more was on the device each time that a program started again. The first run fills caches, so runs
/// are compared from the second on.
struct RunGrowth {
  std::uint32_t runs = 0;        ///< of the graph, that had started; 0: nothing grew, or too few to tell
  std::uint32_t grown_runs = 0;  ///< of these, starts with more than the one before
  std::uint32_t from_instance = kNone;   ///< the second run, in RankLog::programs
  std::uint32_t to_instance = kNone;     ///< the last
  std::int64_t from_bytes_per_bank = 0;  ///< in use when it started
  std::int64_t to_bytes_per_bank = 0;
  Confidence confidence = Confidence::kNone;
  std::vector<LeakedTensors> left{};  ///< still there at the failure, most bytes first

  std::int64_t bytes_per_bank() const { return to_bytes_per_bank - from_bytes_per_bank; }
};

/// Where and when to look.
struct CulpritQuestion {
  const RuntimeLog& log;
  const MemoryProfile& profile;
  const RankLog& ops;
  const RankProfile& rank;
  const OutOfMemory& failure;
  const LiveSet& live;  ///< at the failure
};

FreedLate find_freed_late(const CulpritQuestion& question);
RunGrowth find_run_growth(const CulpritQuestion& question);

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
  std::uint32_t rank = 0;     ///< in RuntimeLog::ranks
  std::uint32_t failure = 0;  ///< in RankLog::failures
  FailedBank bank{};
  FailureMoment moment = FailureMoment::kUnknown;
  std::uint32_t ended_instance = kNone;  ///< kBetweenPrograms: the program that ended last, if any had
  FailingOp failing_op{};                ///< where no op line shows what was running
  std::vector<TensorCandidate> candidates{};
  std::int64_t held_bytes_per_bank = -1;  ///< what the message or a block says, else modeled; -1: not known
  bool held_is_measured = false;
  std::vector<Holder> holders{};  ///< largest first, unaccounted last; none is 0
  LiveSet live{};                 ///< at the failure
  FreedLate freed_late{};
  RunGrowth grew{};
  std::vector<Fix> fixes{};  ///< that save most first
  std::uint64_t fingerprint = 0;

  const OutOfMemory& message(const RuntimeLog& log) const { return log.ranks[rank].failures[failure]; }
};

/// Explains the failures of all ranks, in order of file and line. Beyond kMaxExplained they have no
/// candidates and no live set.
inline constexpr std::size_t kMaxExplained = 100;

std::vector<FailureReport> explain_failures(const RuntimeLog& log, const MemoryProfile& profile);

}  // namespace ttscope::mem
