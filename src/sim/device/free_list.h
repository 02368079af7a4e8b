#pragma once

#include "fit/free_list.h"

namespace ttscope::sim {

using fit::Direction;
using fit::FreeList;
using fit::FreeListStats;
using fit::round_up;

}  // namespace ttscope::sim
