#pragma once

#include "mem/model/runtime_trace.h"

namespace ttscope::mem {

/// A log that printed modules and the message of a failure, but no op and no memory line: its modules are run
/// as compiled (modelled) up to the op that failed, where the backtrace below the message names one, else to
/// their end. Other traces stay as they are.
void run_failed_modules(RuntimeTrace& trace);

}  // namespace ttscope::mem
