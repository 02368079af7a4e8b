#pragma once

#include <vector>

#include "diff/compared_run.h"
#include "mem/analyze/growth.h"
#include "mem/analyze/memory_profile.h"

namespace ttscope::mem {

/// What runs that are compared have in common.
struct ComparedIn {
  PassName pass{};  ///< in which all of them reach their peak; without a program: there is none
  bool has_argument_names = true;  ///< modules name the weights and inputs of each, or of none
};

/// A run as one side of a comparison: the ops of the rank with the highest peak of `memory`, in the order in
/// which they ran, and before them the tensors that no op made. What an item costs is what its tensors take
/// of all banks at the peak: 0 for what is not live then. Together they are the peak. Of several passes that
/// reach it, it is looked at in the shared one, where that is one of them, else in the first. Where one of
/// the runs has names of weights and inputs and another has none, they are told by shape and type.
diff::ComparedRun diff_run_of(const Profile& profile, Memory memory, const ComparedIn& shared = {});

/// Of these runs, and the first such pass: tensors of one pass have no partners in another, and of a tensor
/// that no pass frees the last one has most.
ComparedIn shared_by(const std::vector<const Profile*>& profiles, Memory memory);

}  // namespace ttscope::mem
