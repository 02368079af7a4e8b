#pragma once

namespace ttscope {

/// The names are those of tt-metal, so that code written for it needs only another namespace.
struct IGraphProcessor {
  // NOLINTBEGIN(readability-identifier-naming)
  enum class RunMode {
    NORMAL,      ///< operations run: buffers are placed, and may not fit
    NO_DISPATCH  ///< operations are recorded only: no buffer is placed, so that any model can be measured
  };
  // NOLINTEND(readability-identifier-naming)
};
using RunMode = IGraphProcessor::RunMode;

}  // namespace ttscope
