#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mem/model/runtime_trace.h"

namespace ttscope::mem {

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

/// The tensors that a failed allocation can have been for, likeliest first. `rank` is in RuntimeTrace::ranks.
std::vector<TensorCandidate> find_candidates(const RuntimeTrace& trace, const MemoryProfile& profile,
                                             std::uint32_t rank, const OutOfMemory& failure);

/// Those that no log backs: the size taken apart. Part of find_candidates().
std::vector<TensorCandidate> plausible_tensors(const OutOfMemory& failure);

/// Whether a tensor of this type takes what the message says, in all and in each bank.
bool takes_failed_size(const TensorType& type, const OutOfMemory& failure);

/// The same data interleaved over the banks in another element type or layout.
TensorType converted(const std::vector<std::int64_t>& shape, std::string_view dtype, bool tiled,
                     BufferType buffer);

}  // namespace ttscope::mem
