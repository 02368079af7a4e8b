#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/trust.h"
#include "mem/analyse/live_set.h"
#include "mem/model/runtime_trace.h"

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
  std::uint32_t last_op = kNone;  ///< that used it last, else that made it; in RankTrace::ops
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
struct LeftBehind {
  std::uint32_t example = kNone;  ///< the last of them, in RankProfile::buffers
  std::uint32_t tensors = 0;
  std::int64_t bytes_per_bank = 0;
};

/// What more was on the device each time that a program started again. The first run fills caches, so runs
/// are compared from the second on.
struct RunGrowth {
  std::uint32_t runs = 0;        ///< of the graph, that had started; 0: nothing grew, or too few to tell
  std::uint32_t grown_runs = 0;  ///< of these, starts with more than the one before
  std::uint32_t from_instance = kNone;   ///< the second run, in RankTrace::programs
  std::uint32_t to_instance = kNone;     ///< the last
  std::int64_t from_bytes_per_bank = 0;  ///< in use when it started
  std::int64_t to_bytes_per_bank = 0;
  Confidence confidence = Confidence::kNone;
  std::vector<LeftBehind> left{};  ///< still there at the failure, most bytes first

  std::int64_t bytes_per_bank() const { return to_bytes_per_bank - from_bytes_per_bank; }
};

/// Where and when to look.
struct CulpritQuestion {
  const RuntimeTrace& trace;
  const MemoryProfile& profile;
  const RankTrace& ops;
  const RankProfile& rank;
  const OutOfMemory& failure;
  const LiveSet& live;  ///< at the failure
};

FreedLate find_freed_late(const CulpritQuestion& question);
RunGrowth find_run_growth(const CulpritQuestion& question);

}  // namespace ttscope::mem
