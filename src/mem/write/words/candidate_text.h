#pragma once

#include <string>

#include "mem/analyse/tensor_candidates.h"
#include "mem/write/words/labels.h"

namespace ttscope::mem {

/// `128256x3072 bf16 in rows: result %1 of the op, made of lm_head.weight`. Holds text of the log: escape it
/// where it is shown.
std::string candidate_text(const MemoryProfile& profile, const TensorCandidate& candidate,
                           Names names = Names::kPlain);

/// Model name of the argument that the tensor is made of; empty where that is not known.
std::string_view origin_name(const MemoryProfile& profile, const TensorCandidate& candidate);

}  // namespace ttscope::mem
