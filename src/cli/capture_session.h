#pragma once

#include "app/captured_run.h"

namespace ttscope::cli {

/// app::capture_command() on our terminal, with our environment.
app::CaptureOutcome capture_command(app::CaptureRequest request);

}  // namespace ttscope::cli
