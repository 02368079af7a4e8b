#pragma once

#include "mem/analyse/fit/own_replay.h"

namespace ttscope::mem {

/// The replay has to fail where the run did. Where too little is known of what was there, blocks stand for
/// it: what the message says was held, with holes that leave the largest free block that it names.
void explain_failure(const OutOfMemory& failure, OwnReplay& replay);

}  // namespace ttscope::mem
