#pragma once

namespace ttscope::chip {

/// Calls of a loaded library (of dlopen) that end the process call this instead, which must not return.
/// False: it has no such call, or none that can be led elsewhere.
bool lead_process_end(void* library, void (*instead)(int exit_code));

}  // namespace ttscope::chip
