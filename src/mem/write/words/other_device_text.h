#pragma once

#include <string>

#include "mem/analyse/profile.h"

namespace ttscope::mem {

/// That a log tells of another chip than the one that the user named; empty: none does.
std::string other_device_text(const Profile& profile);

}  // namespace ttscope::mem
