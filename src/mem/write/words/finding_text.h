#pragma once

#include <string>
#include <vector>

#include "mem/analyse/memory_profile.h"

namespace ttscope::mem {

/// The sentences of a profile, the same in every output. Reader warnings and names of files are the input's
/// own: escape them for where they are shown.
std::string finding_text(const Finding& finding);
std::string missing_text(const MissingInput& missing);
std::string note_text(const MemoryNote& note);

std::vector<std::string> missing_texts(const MemoryProfile& profile);
std::vector<std::string> note_texts(const MemoryProfile& profile);

}  // namespace ttscope::mem
