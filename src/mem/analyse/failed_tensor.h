#pragma once

#include <optional>
#include <vector>

#include "mem/analyse/memory_profile.h"

/// The tensor that a failed allocation was for, as far as the op that ran tells.
namespace ttscope::mem {

/// Results of const-eval programs are weights in another form.
TensorKind kind_of_request(const RankProfile& profile, const OutOfMemory& failure);

/// Whether a tensor takes as much of a bank of its memory as was asked for.
bool takes_asked_room(const TensorType& tensor, const RankProfile& profile, const OutOfMemory& failure);

/// The first result of the running op of that size, as a buffer that was never made; its type is kNone where
/// none has it.
Buffer asked_buffer(const RuntimeTrace& trace, const RankTrace& ops, const RankProfile& profile,
                    const OutOfMemory& failure);

/// An op with several results allocates them one after the other: those before the one that failed are in use
/// already, though the op never ended.
struct FailingResults {
  std::vector<std::uint32_t> places;  ///< in OpText::result_types: those in the memory that failed
  std::vector<TensorType> types;      ///< of these
  /// How many of these the op had got, where the message and the block before the op tell it.
  std::optional<std::size_t> got;
};
FailingResults failing_results(const RuntimeTrace& trace, const RankTrace& ops, const DeviceFacts& device,
                               const OutOfMemory& failure);

/// Counts those that the op had got as live; where nobody tells how many, those that explain what is
/// unaccounted.
void claim_failing_results(const FailingResults& results, const DeviceFacts& device, LiveSet& live);

}  // namespace ttscope::mem
