#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "mem/analyse/memory_profile.h"

namespace ttscope::mem {

/// The buffers that a user names: by the model's name of an argument, by SSA name (`%12`, `main:%12`), or by
/// the location of the op that makes it. The error of a name that none has says which is near.
Result<std::vector<std::uint32_t>> buffers_named(const RuntimeTrace& trace, const MemoryProfile& profile,
                                                 std::uint32_t rank, const std::string& name);

}  // namespace ttscope::mem
