#pragma once

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

}  // namespace ttscope::mem
