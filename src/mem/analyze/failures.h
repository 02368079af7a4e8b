#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mem/model/runtime_log.h"

namespace ttscope::mem {

/// Why an allocation failed.
enum class FailureCause : std::uint8_t {
  kUnknown,       ///< nothing tells how much was free, or there was room before the op
  kNeverFits,     ///< more than a whole bank
  kExhausted,     ///< more than is free
  kFragmented,    ///< enough is free, but not in one piece
  kRegionAbsent,  ///< the memory has size 0 (L1_SMALL or TRACE not set up)
};

std::string_view name_of(FailureCause cause);

/// Which failure it is, of all that the messages tell.
enum class FailureVerdict : std::uint8_t {
  kLargerThanDevice,  ///< more than all banks together
  kLargerThanBank,    ///< a bank's part is more than a whole bank
  kExhausted,
  kFragmented,
  kUndecided,      ///< the figures that would tell are not there
  kRegionMissing,  ///< L1_SMALL or TRACE: not set up, or too small for it
  kBuffersExceedL1,
  kBuffersClash,  ///< circular buffers reach into tensors
  kProgramTooLarge,
  kHostMemory,
  kCrashed,  ///< no failure of memory
};

std::string_view name_of(FailureVerdict verdict);

/// One bank when the allocation failed, in bytes; -1 where nothing tells.
struct FailedBank {
  std::int64_t size_bytes = -1;
  std::int64_t allocated_bytes = -1;
  std::int64_t free_bytes = -1;
  std::int64_t largest_free_bytes = -1;
  bool from_message = true;  ///< else from the block before the failing op: older messages do not say it
  FailureCause cause = FailureCause::kUnknown;
  FailureVerdict verdict = FailureVerdict::kUndecided;
  std::int64_t needed_bytes = -1;   ///< asked of this bank; an even share where the message is cut
  std::uint32_t block_line = 0;     ///< of that block
  std::int64_t reached_bytes = -1;  ///< as in OutOfMemory, for what is no allocation
  std::int64_t limit_bytes = -1;
};

FailedBank examine_failure(const RuntimeLog& log, const RankLog& rank, const OutOfMemory& failure);

/// The same failure has the same number in every log: of what was asked for, not of where and when.
std::uint64_t fingerprint_of(const OutOfMemory& failure);

struct MemoryProfile;

/// Why a tensor may be the one that found no room, strongest first.
enum class CandidateReason : std::uint8_t {
  kResult,           ///< a result of the running op, and of exactly that size
  kOperand,          ///< an operand of it, copied
  kArgument,         ///< an argument of a program, on its way to the device
  kSeen,             ///< another tensor of the log has that size
  kResultConverted,  ///< a result or operand in another element type or layout
  kSeenConverted,    ///< the same of another tensor of the log
  kPlausible,  ///< no tensor of the log: dimensions that models have, in the layout that the size proves
};

std::string_view name_of(CandidateReason reason);

/// A tensor whose size as stored is the one that was asked for.
struct TensorCandidate {
  std::vector<std::int64_t> shape;
  std::string dtype;
  bool tiled = true;
  double padding_factor = 1;      ///< bytes as stored over bytes of the data
  std::uint32_t source_line = 0;  ///< where the log has it; 0: nowhere
  std::string name{};             ///< model name or SSA name, the log's own text; empty if there is none
  CandidateReason reason = CandidateReason::kPlausible;
  std::uint32_t origin = kNone;  ///< what the op's tensor is made of, in MemoryProfile::arguments
};

/// The tensors that a failed allocation can have been for, likeliest first. `rank` is in RuntimeLog::ranks.
std::vector<TensorCandidate> find_candidates(const RuntimeLog& log, const MemoryProfile& profile,
                                             std::uint32_t rank, const OutOfMemory& failure);

/// Those that no log backs: the size taken apart. Part of find_candidates().
std::vector<TensorCandidate> plausible_tensors(const OutOfMemory& failure);

/// Whether a tensor of this type takes what the message says, in all and in each bank.
bool matches_failed_size(const TensorType& type, const OutOfMemory& failure);

/// The same data interleaved over the banks in another element type or layout.
TensorType converted(const std::vector<std::int64_t>& shape, std::string_view dtype, bool tiled,
                     BufferType buffer);

/// Which of the lines [begin, end) of one end tells its cause: the first that is more than somebody's report
/// of it; else the first exception of Python by its own line, not by the traceback above it.
std::uint32_t cause_among(const std::vector<Crash>& crashes, std::uint32_t begin, std::uint32_t end);

/// Behind the last line of the end that crashes[begin] tells of: no op started in between.
std::uint32_t end_of_crash(const std::vector<Crash>& crashes, std::uint32_t begin);

}  // namespace ttscope::mem
