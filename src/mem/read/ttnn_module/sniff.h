#pragma once

#include <string_view>

namespace ttscope::io {
struct Beginning;
}

namespace ttscope::mem {

/// A compiled module: text that begins as MLIR does, in which the TTNN dialect is used, and no line of a run.
bool is_ttnn_module(const io::Beginning& beginning);

/// A part of a text that holds functions of a TTNN module, whatever is around them.
bool has_ttnn_module(std::string_view text);

}  // namespace ttscope::mem
